"""Ask Evidently about every case: it knows only the rows it is given, so that no other item is judged."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pandas as pd
from evidently.legacy.metrics import (
    DiversityMetric,
    HitRateKMetric,
    MAPKMetric,
    MARKMetric,
    MRRKMetric,
    NDCGKMetric,
    NoveltyMetric,
    PersonalizationMetric,
    PopularityBias,
    PrecisionTopKMetric,
    RecallTopKMetric,
)
from evidently.legacy.pipeline.column_mapping import ColumnMapping, RecomType
from evidently.legacy.report import Report
from peer_files import Answers, Case, ItemCase, read_cases, read_item_cases
from recommended import CUTS, best_first

METRICS = (NDCGKMetric, MAPKMetric, MARKMetric, MRRKMetric, HitRateKMetric, PrecisionTopKMetric, RecallTopKMetric)
LEFT_OUT = {"deep", "short", "selfsame", "floatgrades"}
"Lists of 2500 add nothing; beyond the longest list there is no value; every grade above 0 is relevant."
COLUMNS = ColumnMapping(
    target="target", prediction="rank", user_id="user", item_id="item", recommendations_type=RecomType.RANK
)


def rows(case: Case, query: str) -> pd.DataFrame:
    """One list, best first; the target is the grade."""
    items = best_first(case)[query]
    grades = [max(case.qrels[query].get(item, 0), 0) for item in items]
    ranks = range(1, len(items) + 1)
    return pd.DataFrame({"user": query, "item": items, "rank": ranks, "target": grades})


def values(table: pd.DataFrame) -> dict[str, float]:
    """All metrics at all cuts, from one report a cut."""
    found = {}
    for k in CUTS:
        report = Report(metrics=[kind(k=k, min_rel_score=None) for kind in METRICS])
        report.run(reference_data=None, current_data=table, column_mapping=COLUMNS)
        for kind, metric in zip(METRICS, report._first_level_metrics, strict=True):
            series = metric.get_result().current
            found[f"{kind.__name__}(k={k})"] = float(series[k if min(series.index) == 1 else k - 1])
    return found


def ask(case: Case, answers: Answers) -> None:
    """The means, and query by query."""
    tables = {query: rows(case, query) for query in sorted(case.qrels) if query in case.run}
    means = values(pd.concat(tables.values(), ignore_index=True))
    alone = {query: values(table) for query, table in tables.items() if (table["target"] > 0).any()}
    for name, mean in means.items():
        answers.add(case, name, {query: found[name] for query, found in alone.items()}, mean)


def with_vectors(case: ItemCase, rows: Iterable[tuple[Any, ...]], columns: list[str]) -> pd.DataFrame:
    """Rows that begin with a user and an item, beside the item's vector; 0 in all components where it has none."""
    parts = [f"x{place}" for place in range(3)]
    return pd.DataFrame([(*row, *case.vector.get(row[1], [0, 0, 0])) for row in rows], columns=[*columns, *parts])


def ask_items(case: ItemCase, answers: Answers) -> None:
    """What is shown, over all users."""
    rows = [(user, item, rank, 0) for user, items in case.run.items() for rank, item in enumerate(items, 1)]
    shown = with_vectors(case, rows, ["user", "item", "rank", "target"])
    past = with_vectors(case, case.train, ["user", "item"])
    for k in (2, 3):
        bias, novelty, personal = PopularityBias(k), NoveltyMetric(k), PersonalizationMetric(k)
        diversity = DiversityMetric(k, item_features=["x0", "x1", "x2"])
        report = Report(metrics=[bias, novelty, personal, diversity])
        train = {"current_train_data": past}
        report.run(reference_data=None, current_data=shown, column_mapping=COLUMNS, additional_data=train)
        found = bias.get_result()
        answers.add_items(case, f"PopularityBias(k={k}).current_apr", found.current_apr)
        answers.add_items(case, f"PopularityBias(k={k}).current_coverage", found.current_coverage)
        answers.add_items(case, f"PopularityBias(k={k}).current_gini", found.current_gini)
        for metric in (novelty, personal, diversity):
            answers.add_items(case, f"{type(metric).__name__}(k={k})", float(metric.get_result().current_value))


def main() -> None:
    """Write evidently.json."""
    answers = Answers("evidently", "evidently")
    answers.note("a list is all that it knows: relevant items that were not returned do not exist", "")
    for case in read_cases():
        if case.name not in LEFT_OUT:
            ask(case, answers)
    for items in read_item_cases():
        ask_items(items, answers)
    answers.write()


if __name__ == "__main__":
    main()
