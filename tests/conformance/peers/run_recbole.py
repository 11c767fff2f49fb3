"""Ask RecBole about every case. Its metrics take a matrix of users by ranks, 1 for a hit, and the number of positives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np
import torch
from peer_files import Answers, Case, ItemCase, LabelCase, read_item_cases, read_label_cases
from recbole.config import Config
from recbole.evaluator import metrics as recbole_metrics
from recbole.evaluator.collector import Collector, DataStruct
from recommended import CUTS, MEMBERSHIP, best_first, truth, wanted_cases

TOP_K = ("Hit", "MRR", "MAP", "Recall", "NDCG", "Precision")
OF_ITEMS = ("ItemCoverage", "AveragePopularity", "ShannonEntropy", "GiniIndex", "TailPercentage")
OF_TASK = {"binary": ("AUC", "LogLoss"), "regression": ("MAE", "RMSE")}
EXACT = 17
"Decimal places: its default of 4 would round the values away."


def settings(cuts: tuple[int, ...] = CUTS, metrics: tuple[str, ...] = ()) -> dict[str, object]:
    """What its configuration would say."""
    mode = {"mode": "labeled"}
    return {"topk": list(cuts), "metric_decimal_place": EXACT, "metrics": metrics, "eval_args": mode, "device": "cpu"}


def hits(case: Case, users: list[str]) -> torch.Tensor:
    """A row a user: whether each of the first places is a hit, and the number of positives; short lists end in misses."""
    relevant, ranked = truth(case), best_first(case)
    rows = []
    for user in users:
        found = [int(item in relevant[user]) for item in ranked.get(user, [])[: max(CUTS)]]
        rows.append([*found, *[0] * (max(CUTS) - len(found)), len(relevant[user])])
    return torch.tensor(rows)


def top_k(name: str, matrix: torch.Tensor) -> dict[str, float]:
    """One metric at every cut-off, over the given users."""
    data = DataStruct()
    data.set("rec.topk", matrix)
    return dict(getattr(recbole_metrics, name)(settings()).calculate_metric(data))


def ask(case: Case, answers: Answers) -> None:
    """All top-k metrics of one case; its own summary, and user by user."""
    users = sorted(truth(case))
    matrix = hits(case, users)
    for name in TOP_K:
        alone = {user: top_k(name, matrix[[row]]) for row, user in enumerate(users)}
        for measure, mean in top_k(name, matrix).items():
            answers.add(case, measure, {user: values[measure] for user, values in alone.items()}, mean)


def grouped(case: LabelCase) -> Iterator[tuple[list[float], list[int]]]:
    """The scores and labels of each user."""
    columns = case.columns
    for user in dict.fromkeys(columns["group"]):
        rows = [row for row, owner in enumerate(columns["group"]) if owner == user]
        yield [columns["y_score"][row] for row in rows], [columns["y_true"][row] for row in rows]


def gauc(case: LabelCase) -> float:
    """Through its own collector: a row a user, padded with minus infinity, as at least the item [PAD] always is."""
    users = list(grouped(case))
    width = max(len(scores) for scores, _ in users) + 1
    matrix = torch.full((len(users), width), -np.inf, dtype=getattr(torch, case.dtype))
    positives = []
    for row, (scores, labels) in enumerate(users):
        matrix[row, : len(scores)] = torch.tensor(scores, dtype=matrix.dtype)
        positives += [(row, column) for column, label in enumerate(labels) if label == 1]
    collector = Collector(settings(metrics=("GAUC",)))
    user_of, item_of = (torch.tensor(index) for index in zip(*positives, strict=True))
    collector.eval_batch_collect(matrix, None, user_of, item_of)
    metric = recbole_metrics.GAUC(settings())
    return float(metric.calculate_metric(collector.get_data_struct())["gauc"])


def ask_labels(case: LabelCase, answers: Answers) -> None:
    """AUC and LogLoss, or MAE and RMSE, of all rows; GAUC where there are users."""
    columns = case.columns
    data = DataStruct()
    dtype = getattr(torch, case.dtype)
    data.set("rec.score", torch.tensor(columns["y_score" if case.task == "binary" else "y_pred"], dtype=dtype))
    data.set("data.label", torch.tensor(columns["y_true"], dtype=dtype))
    for name in OF_TASK.get(case.task, ()):
        if name == "LogLoss" and not all(0 <= p <= 1 for p in columns["y_score"]):
            answers.skip("it clips scores outside 0 and 1 without saying so", case.name, "logloss")
            continue
        for measure, value in getattr(recbole_metrics, name)(settings()).calculate_metric(data).items():
            answers.add_label(case, measure, float(value))
    if "group" in columns:
        answers.add_label(case, "gauc", gauc(case))


def ask_items(case: ItemCase, answers: Answers) -> None:
    """What is shown, down to the shortest list: its lists are always full. Item 0 is [PAD], which counts among the items."""
    number = {item: place for place, item in enumerate(case.catalog, 1)}
    depth = min(3, *map(len, case.run.values()))
    data = DataStruct()
    data.set("rec.items", torch.tensor([[number[item] for item in items[:depth]] for items in case.run.values()]))
    data.set("data.num_items", len(case.catalog) + 1)
    data.set("data.count_items", Counter(number[item] for _, item in case.train))
    config = {**settings(tuple(range(2, depth + 1))), "tail_ratio": None}
    for name in OF_ITEMS:
        for measure, value in getattr(recbole_metrics, name)(config).calculate_metric(data).items():
            answers.add_items(case, measure, float(value))


def main() -> None:
    """Write recbole.json."""
    Config.compatibility_settings(None)  # it gives NumPy back the old names that its metrics use
    answers = Answers("recbole", "recbole")
    answers.note(
        "its trainer orders items by torch.topk, equal scores in no specified order; here as in the file", "ties"
    )
    answers.note("a judged query that was not run is a user without a hit", "missing")
    answers.note(MEMBERSHIP, "barren")
    answers.note("asked for 17 decimal places; by default it rounds to 4", "")
    for case in wanted_cases():
        ask(case, answers)
    for labels in read_label_cases():
        ask_labels(labels, answers)
    for items in read_item_cases():
        if items.is_even:
            ask_items(items, answers)
    answers.write()


if __name__ == "__main__":
    main()
