"""Ask LensKit about every case, through `RunAnalysis` and its `list_summary`."""

from __future__ import annotations

import numpy as np
import pandas as pd
from lenskit.data import Dataset, DatasetBuilder, ItemList, ItemListCollection, UserIDKey
from lenskit.metrics import (
    DCG,
    MAE,
    NDCG,
    RBP,
    RMSE,
    ExposureGini,
    Hit,
    ListGini,
    LogRankWeight,
    MeanPopRank,
    Precision,
    Recall,
    RecipRank,
    RunAnalysis,
)
from lenskit.metrics.ranking import AveragePrecision
from lenskit.metrics.ranking._entropy import entropy
from lenskit.metrics.reranking import rank_biased_overlap
from peer_files import Answers, Case, ItemCase, LabelCase, read_item_cases, read_label_cases
from recommended import CUTS, best_first, truth, wanted_cases

METRICS = {
    "NDCG({n})": NDCG,
    "NDCG({n}gain='rating')": lambda n: NDCG(n, gain="rating"),
    "NDCG({n}weight=LogRankWeight(offset=1))": lambda n: NDCG(n, weight=LogRankWeight(offset=1)),
    "DCG({n})": DCG,
    "DCG({n}gain='rating')": lambda n: DCG(n, gain="rating"),
    "RBP({n})": RBP,
    "RBP({n}patience=0.5)": lambda n: RBP(n, patience=0.5),
    "Hit({n})": Hit,
    "Precision({n})": Precision,
    "Recall({n})": Recall,
    "RecipRank({n})": RecipRank,
}
AP = "AveragePrecision({n})"
BARREN = "asked without the queries that have nothing to find, so no mean: it divides by zero there, and stops"


def spelled(name: str, n: int | None) -> str:
    """As a user writes the metric with this length."""
    more = ", " if not name.endswith("({n})") and n is not None else ""
    return name.format(n="" if n is None else f"n={n}{more}")


def recommendations(case: Case) -> ItemListCollection:
    """The lists of the users that have judgements."""
    lists = ItemListCollection(UserIDKey)
    for user, items in best_first(case).items():
        if user in case.qrels:
            lists.add(ItemList(item_ids=items, ordered=True), user_id=user)
    return lists


def test_items(case: Case) -> ItemListCollection:
    """The relevant items, their grade as the rating; an empty list where there are none, as `gain='rating'` needs."""
    lists = ItemListCollection(UserIDKey)
    relevant = truth(case)
    for user in case.qrels:
        items = relevant.get(user, [])
        grades = np.array([case.qrels[user][item] for item in items])
        lists.add(ItemList(item_ids=np.array(items, dtype=str), rating=grades), user_id=user)
    return lists


def ask(case: Case, answers: Answers) -> None:
    """All metrics of one case."""
    analysis = RunAnalysis()
    for n in (*CUTS, None):
        for name, metric in METRICS.items():
            analysis.add_metric(metric(n), label=spelled(name, n))
    result = analysis.measure(recommendations(case), test_items(case))
    per_list, summary = result.list_metrics(), result.list_summary()
    for measure in per_list.columns:
        answers.add(case, measure, dict(sorted(per_list[measure].items())), summary.loc[measure, "mean"])
    ask_average_precision(case, answers)


def ask_average_precision(case: Case, answers: Answers) -> None:
    """Average precision, spared the queries it cannot take."""
    fruitful = {user: items for user, items in case.run.items() if user in truth(case)}
    whole = all(user in fruitful for user in case.run if user in case.qrels)
    if not whole:
        answers.skip(BARREN, case.name, "AveragePrecision")
    few = Case(case.name, case.qrels, fruitful)
    analysis = RunAnalysis()
    for n in (*CUTS, None):
        analysis.add_metric(AveragePrecision(n), label=spelled(AP, n))
    result = analysis.measure(recommendations(few), test_items(few))
    per_list, summary = result.list_metrics(), result.list_summary()
    for measure in per_list.columns:
        mean = summary.loc[measure, "mean"] if whole else None
        answers.add(case, measure, dict(sorted(per_list[measure].items())), mean)


def ask_labels(case: LabelCase, answers: Answers) -> None:
    """The errors of predicted ratings, all rows as one list."""
    columns = {name: np.array(values, dtype=case.dtype) for name, values in case.columns.items()}
    rows = np.arange(len(columns["y_true"]))
    predicted = ItemList(item_ids=rows, scores=columns["y_pred"])
    true = ItemList(item_ids=rows, rating=columns["y_true"])
    for metric in (MAE(), RMSE()):
        answers.add_label(case, metric.label, float(metric.measure_list(predicted, true)))


def dataset(case: ItemCase) -> Dataset:
    """The past, with all items of the catalogue."""
    builder = DatasetBuilder()
    builder.add_entities("item", case.catalog)
    past = pd.DataFrame(case.train, columns=["user_id", "item_id"])
    builder.add_interactions(
        "event", past, entities=["user", "item"], missing="insert", allow_repeats=True, default=True
    )
    return builder.build()


def ask_items(case: ItemCase, answers: Answers) -> None:
    """What is shown, over all lists."""
    lists, tests = ItemListCollection(UserIDKey), ItemListCollection(UserIDKey)
    for user, items in case.run.items():
        lists.add(ItemList(item_ids=items, ordered=True), user_id=user)
        tests.add(ItemList(item_ids=case.truth.get(user, items[:1])), user_id=user)
    past, analysis = dataset(case), RunAnalysis()
    shown = {item for items in case.run.values() for item in items}
    for n in (2, 3, None):
        cut = "" if n is None else f"n={n}, "
        if shown <= set(case.catalog):
            analysis.add_metric(ListGini(n, items=past), label=f"ListGini({cut}items=items)")
            analysis.add_metric(ExposureGini(n, items=past), label=f"ExposureGini({cut}items=items)")
        analysis.add_metric(MeanPopRank(past, n=n), label=f"MeanPopRank(data, {cut}".rstrip(", ") + ")")
        analysis.add_metric(
            MeanPopRank(past, n=n, count="interactions"), label=f"MeanPopRank(data, {cut}count='interactions')"
        )
    result = analysis.measure(lists, tests)
    means = result.list_summary()["mean"].dropna()
    for measure, value in {**means, **result.global_metrics()}.items():
        answers.add_items(case, measure, float(value))
    ask_entropy(case, answers)
    ask_overlap(case, answers)


def ask_overlap(case: ItemCase, answers: Answers) -> None:
    """Of each list with that of the other run, and the mean, at depths that all of them reach."""
    pairs = [(case.run[user], case.reference[user]) for user in case.run if case.reference.get(user)]
    if len(pairs) < len(case.run):
        return
    for n in range(1, min(len(items) for pair in pairs for items in pair) + 1):
        values = [rank_biased_overlap(*(ItemList(items, ordered=True) for items in pair), n=n) for pair in pairs]
        answers.add_items(case, f"rank_biased_overlap(reference, reranked, n={n})", float(np.mean(values)))


def ask_entropy(case: ItemCase, answers: Answers) -> None:
    """Of the categories of each list, and the mean."""
    kinds = sorted(set(case.category.values()))
    rows = {
        user: [[float(case.category.get(item) == kind) for kind in kinds] for item in items]
        for user, items in case.run.items()
    }
    for n in (2, 3):
        values = [entropy(ItemList(item_ids=case.run[user]), np.array(matrix), n=n) for user, matrix in rows.items()]
        answers.add_items(case, f"entropy(items, categories, n={n})", float(np.mean(values)))


def main() -> None:
    """Write lenskit.json."""
    answers = Answers("lenskit", "lenskit")
    answers.note("lists are taken as ordered; the order of equal scores is that of the file", "ties")
    answers.note(
        "judged queries that were not run do not count; lists without judgements were not shown to it", "missing"
    )
    answers.note("the test items are those of grade 1 and more; a list without any scores 0 in list_summary", "barren")
    for case in wanted_cases():
        ask(case, answers)
    for labels in read_label_cases():
        if labels.task == "regression":
            ask_labels(labels, answers)
    for items in read_item_cases():
        ask_items(items, answers)
    answers.write()


if __name__ == "__main__":
    main()
