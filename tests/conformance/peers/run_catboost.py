"""Ask CatBoost (catboost.utils.eval_metric) about every case. Its groups are rows: here a query's returned items. Binary
and multi-class metrics take raw scores, so that a probability is given as its log odds, or its logarithm."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from catboost import CatBoostError
from catboost.utils import eval_metric
from peer_files import Answers, Case, LabelCase, read_cases, read_label_cases

CUTS = (3, 10, 100)
NDCG = (
    *("NDCG", "NDCG:type=Exp"),
    *(f"NDCG:top={k}{kind}" for k in CUTS for kind in ("", ";type=Exp", ";denominator=Position")),
    *(f"DCG:top={k}{kind}" for k in CUTS for kind in ("", ";type=Exp")),
)
SHOWN = (*("MRR", "PrecisionAt"), *(f"{name}:top={k}" for name in ("MRR", "PrecisionAt") for k in CUTS))
KNOWN = (*("MAP", "RecallAt"), *(f"{name}:top={k}" for name in ("MAP", "RecallAt") for k in CUTS))
STOPS = ("ERR", *(f"ERR:top={k}" for k in CUTS))
"Whose labels are chances, from 0 to 1."
BINARY = (
    *(
        "AUC",
        "PRAUC",
        "Logloss",
        "Accuracy",
        "Precision",
        "Recall",
        "F1",
        "F:beta=2",
        "BalancedAccuracy",
        "Kappa",
        "MCC",
    ),
    *("BrierScore", "F1:proba_border=0.3"),
)
OF_PROBABILITIES = ("Logloss", "BrierScore")
CERTAIN = ("hard_labels", "extreme", "single_precision")
REGRESSION = ("MAE", "RMSE", "MAPE", "R2", "MSLE", "MedianAbsoluteError")
MULTICLASS = ("Accuracy", "MultiClass", "TotalF1", "TotalF1:average=Macro", "TotalF1:average=Micro", "Kappa", "MCC")


def ask(case: Case, measure: str, answers: Answers) -> None:
    """One measure, over all queries and query by query."""
    queries = [query for query in case.qrels if query in case.run]

    def value(some: list[str]) -> float:
        rows = [
            (case.qrels[query].get(item, 0.0), score, i)
            for i, query in enumerate(some)
            for item, score in case.run[query].items()
        ]
        grades, scores, groups = (list(column) for column in zip(*rows, strict=True))
        if "DCG" not in measure:
            grades = [float(grade >= 1) for grade in grades]
        return float(eval_metric(grades, scores, measure, group_id=groups, thread_count=1)[0])

    answers.add(case, measure, {query: value([query]) for query in queries}, value(queries))


def log_odds(probability: float) -> float:
    """The raw score of a probability; beyond all others where it is certain."""
    if probability in (0.0, 1.0):
        return 800.0 if probability else -800.0
    return math.log(probability) - math.log1p(-probability)


def raw_scores(case: LabelCase) -> Any:
    """Scores as the tool takes them."""
    if case.task == "binary":
        return case.columns["y_score"] if case.name == "margins" else [log_odds(p) for p in case.columns["y_score"]]
    if case.task == "regression":
        return case.columns["y_pred"]
    return np.log(np.maximum(case.columns["proba"], 1e-300))


def ask_labels(case: LabelCase, answers: Answers) -> None:
    """The measures of a task; what the tool refuses is said."""
    measures = {"binary": BINARY, "regression": REGRESSION, "multiclass": MULTICLASS}[case.task]
    if case.name == "margins":
        measures = ("AUC",)
    for measure in measures:
        if measure in OF_PROBABILITIES and case.name in CERTAIN:
            continue
        try:
            value = eval_metric(case.columns["y_true"], raw_scores(case), measure, thread_count=1)[0]
            answers.add_label(case, measure, float(value))
        except CatBoostError as refused:
            answers.skip(str(refused).split(": ", 1)[-1], case.name, measure)


def main() -> None:
    """Write catboost.json."""
    answers = Answers("catboost", "catboost")
    answers.note("a query without relevant items counts 1", "NDCG")
    answers.note("a query without relevant items counts 1; all relevant items are those of the rows", "RecallAt")
    answers.note("all relevant items are those of the rows", "MAP")
    for name in CERTAIN:
        answers.note("Logloss and BrierScore were not asked: the log odds of 0 and 1 are infinite", name)
    answers.skip("in per cent: 100 times smape", "SMAPE")
    answers.note(
        "asked where grades are 0 and 1, for a label is the chance that the reader stops; of others catboost_chances.json",
        "ERR",
    )
    answers.skip("lists of 2500 add nothing here", "deep")
    for case in read_cases():
        if case.name == "deep":
            continue
        grades = {grade for items in case.qrels.values() for grade in items.values()}
        for measure in NDCG + SHOWN + KNOWN + (STOPS if grades <= {0, 1} else ()):
            try:
                ask(case, measure, answers)
            except CatBoostError as refused:
                answers.skip(str(refused).split(": ", 1)[-1], case.name, measure)
    for labels in read_label_cases():
        ask_labels(labels, answers)
    answers.write()


if __name__ == "__main__":
    main()
