"""Ask LightGBM about every case: the metrics of a model without trees, to which the scores were given as init_score.
Without an objective it measures the scores as they are. Its queries are rows: here a query's returned items."""

from __future__ import annotations

from typing import Any

import lightgbm as lgb
import numpy as np
from peer_files import Answers, Case, LabelCase, read_cases, read_label_cases

CUTS = (3, 10, 100)
NDCG = tuple(f"ndcg@{k}" for k in CUTS)
MAP = tuple(f"map@{k}" for k in CUTS)
BINARY = ("auc", "average_precision", "binary_logloss")
REGRESSION = ("l1", "l2", "rmse", "mape")
MULTICLASS = ("multi_logloss",)


def values(
    label: list[float], score: Any, measures: tuple[str, ...], group: list[int] | None = None, classes: int = 1
) -> dict[str, float]:
    """The measures by name."""
    features = np.zeros((len(label), 1))
    settings = {"objective": "custom", "num_class": classes, "verbosity": -1, "num_threads": 1, "eval_at": list(CUTS)}
    names = sorted({measure.split("@")[0] for measure in measures})
    data = lgb.Dataset(features, label=label, init_score=score, group=group, params=settings)
    model = lgb.Booster({**settings, "metric": names}, data)
    return {name: float(value) for _, name, value, _ in model.eval_train()}


def ask(case: Case, measures: tuple[str, ...], answers: Answers) -> None:
    """Some measures, over all queries and query by query."""
    queries = [query for query in case.qrels if query in case.run]

    def found(some: list[str]) -> dict[str, float]:
        grades = [case.qrels[query].get(item, 0.0) for query in some for item in case.run[query]]
        scores = [score for query in some for score in case.run[query].values()]
        return values(grades, scores, measures, [len(case.run[query]) for query in some])

    together, alone = found(queries), {query: found([query]) for query in queries}
    for measure in measures:
        answers.add(case, measure, {query: one[measure] for query, one in alone.items()}, together[measure])


def ask_labels(case: LabelCase, answers: Answers) -> None:
    """The measures of a task."""
    truth, columns = [float(y) for y in case.columns["y_true"]], case.columns
    if case.task == "multiclass":
        proba = np.array(columns["proba"])
        for measure in MULTICLASS:
            found = values(truth, proba.ravel(order="F"), (measure,), classes=proba.shape[1])
            answers.add_label(case, measure, found[measure])
        return
    score = columns["y_score"] if case.task == "binary" else columns["y_pred"]
    measures = BINARY if case.task == "binary" else REGRESSION
    for measure, value in values(truth, score, measures).items():
        answers.add_label(case, measure, value)


def main() -> None:
    """Write lightgbm.json."""
    answers = Answers("lightgbm", "lightgbm")
    answers.note("a query without relevant items counts 1; all relevant items are those of the rows", "map")
    answers.note("a query without relevant items counts 1", "ndcg")
    answers.note("labels are kept in single precision", "l1")
    for measure in ("binary_error", "multi_error"):
        answers.skip("1 − accuracy; pingce has no such metric", measure)
    answers.skip("grades must be whole", "floatgrades")
    answers.skip("grades must not be negative", "negative")
    answers.skip("lists of 2500 add nothing here", "deep")
    for case in read_cases():
        if case.name not in answers.skipped:
            ask(case, NDCG + MAP, answers)
    for labels in read_label_cases():
        ask_labels(labels, answers)
    answers.write()


if __name__ == "__main__":
    main()
