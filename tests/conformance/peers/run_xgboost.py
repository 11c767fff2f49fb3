"""Ask XGBoost about every case: the metrics of a model without trees, to which the scores were given as base_margin.
Its objective, the squared error, leaves them as they are. Its queries are rows: here a query's returned items."""

from __future__ import annotations

from typing import Any

import numpy as np
import xgboost as xgb
from peer_files import Answers, Case, LabelCase, read_cases, read_label_cases

CUTS = (3, 10, 100)
NDCG = ("ndcg", "ndcg-", *(f"ndcg@{k}" for k in CUTS), *(f"ndcg@{k}-" for k in CUTS))
MAP = ("map", *(f"map@{k}" for k in CUTS), *(f"map@{k}-" for k in CUTS))
PRECISION = ("pre", *(f"pre@{k}" for k in CUTS))
BINARY = ("auc", "aucpr", "logloss")
REGRESSION = ("mae", "rmse", "mape", "rmsle")
MULTICLASS = ("mlogloss",)


def values(label: Any, score: Any, measures: tuple[str, ...], **more: Any) -> dict[str, float]:
    """The measures by name."""
    settings = {"objective": "reg:squarederror", "nthread": 1, "verbosity": 0, **more.pop("settings", {})}
    data = xgb.DMatrix(np.zeros((len(label), 1)), label=np.asarray(label, np.float32), **more)
    data.set_base_margin(np.asarray(score, np.float32))
    model = xgb.Booster({**settings, "eval_metric": list(measures)}, [data])
    fields = model.eval_set([(data, "d")]).split("\t")[1:]
    found = (field.removeprefix("d-").rsplit(":", 1) for field in fields)
    return dict(zip(measures, (float(value) for _, value in found), strict=True))


def ask(case: Case, measures: tuple[str, ...], answers: Answers, binary: bool = False) -> None:
    """Some measures, over all queries and query by query."""
    queries = [query for query in case.qrels if query in case.run]

    def found(some: list[str]) -> dict[str, float]:
        grades = [case.qrels[query].get(item, 0.0) for query in some for item in case.run[query]]
        labels = [float(grade >= 1) for grade in grades] if binary else grades
        scores = [score for query in some for score in case.run[query].values()]
        return values(labels, scores, measures, group=[len(case.run[query]) for query in some])

    together, alone = found(queries), {query: found([query]) for query in queries}
    for measure in measures:
        answers.add(case, measure, {query: one[measure] for query, one in alone.items()}, together[measure])


def ask_labels(case: LabelCase, answers: Answers) -> None:
    """The measures of a task; what the tool refuses is said."""
    columns = case.columns
    settings: dict[str, Any] = {}
    score = columns.get("y_score", columns.get("y_pred"))
    measures = {"binary": BINARY, "regression": REGRESSION, "multiclass": MULTICLASS}[case.task]
    if case.task == "multiclass":
        proba = np.array(columns["proba"])
        with np.errstate(divide="ignore"):
            score = np.log(proba)
        settings = {"objective": "multi:softprob", "num_class": proba.shape[1]}
    for measure in measures:
        try:
            answers.add_label(case, measure, values(columns["y_true"], score, (measure,), settings=settings)[measure])
        except xgb.core.XGBoostError as refused:
            answers.skip(str(refused).splitlines()[0].split("Check failed: ")[-1], case.name, measure)


def main() -> None:
    """Write xgboost.json."""
    answers = Answers("xgboost", "xgboost")
    answers.note("a query without relevant items counts 1, with a minus sign 0", "ndcg")
    answers.note("as ndcg; all relevant items are those of the rows", "map")
    answers.note("labels and scores are kept in single precision", "rmse")
    for measure in ("error", "merror"):
        answers.skip("1 − accuracy; pingce has no such metric", measure)
    answers.skip("lists of 2500 add nothing here", "deep")
    for case in read_cases():
        if case.name == "deep":
            continue
        try:
            ask(case, NDCG, answers)
        except xgb.core.XGBoostError as refused:
            answers.skip(str(refused).splitlines()[0].split("Check failed: ")[-1], case.name, "ndcg")
        ask(case, PRECISION + MAP, answers, binary=True)
    for labels in read_label_cases():
        ask_labels(labels, answers)
    answers.write()


if __name__ == "__main__":
    main()
