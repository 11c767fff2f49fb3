"""Ask Evidently about the cases in which every relevant item was returned: it knows only the rows it is given."""

from __future__ import annotations

import pandas as pd
from evidently.legacy.metrics import (
    HitRateKMetric,
    MAPKMetric,
    MARKMetric,
    MRRKMetric,
    NDCGKMetric,
    PrecisionTopKMetric,
    RecallTopKMetric,
)
from evidently.legacy.pipeline.column_mapping import ColumnMapping, RecomType
from evidently.legacy.report import Report
from peer_files import Answers, Case, read_cases
from recommended import CUTS, best_first, truth

METRICS = (NDCGKMetric, MAPKMetric, MARKMetric, MRRKMetric, HitRateKMetric, PrecisionTopKMetric, RecallTopKMetric)
CLOSED = {"closed", "perfect", "reversed"}
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
    alone = {query: values(table) for query, table in tables.items() if query in truth(case)}
    for name, mean in means.items():
        answers.add(case, name, {query: found[name] for query, found in alone.items()}, mean)


def main() -> None:
    """Write evidently.json."""
    answers = Answers("evidently", "evidently")
    answers.note("a list is all that it knows: relevant items that were not returned do not exist", "")
    for case in read_cases():
        if case.name in CLOSED:
            ask(case, answers)
    answers.write()


if __name__ == "__main__":
    main()
