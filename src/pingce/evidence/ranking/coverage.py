"""Which judged queries a run answers: few of them, or rows that are known by their place beside ids that are not."""

from __future__ import annotations

import numpy as np

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.evidence.ranking.fact_sums import Facts
from pingce.evidence.ranking.facts import FactColumns
from pingce.evidence.ranking.truth_index import IdIndex
from pingce.inputs import Ids
from pingce.inputs.columns import Rows
from pingce.inputs.ids import changes, sorted_rows

_FEW = 0.2
"The share of judged queries that may be unanswered without a word."


def unanswered_cautions(run: Rows, queries: Facts, extra: Ids | None = None) -> tuple[Text, ...]:
    """What to say where many judged queries are unanswered; `extra` are the queries without judgements, where known."""
    missing = len(queries) - queries.answered_count
    if missing <= _FEW * len(queries):
        return ()
    lacking = queries.unanswered(1)[0]
    if extra is None and isinstance(queries, FactColumns):
        extra = unjudged(run, queries)
    beside = _beside(extra)
    count = f"{missing} of {len(queries)}"
    share = f"{100 * missing / len(queries):.3g} %"
    return (
        Text(
            f"the run does not answer {count} judged queries ({share}), such as {lacking!r}{beside.en}; check that the ids are the "
            "same on both sides; missing='skip' leaves such queries out, missing='zero' scores them 0",
            f"预测没有回答 {len(queries)} 个已标注查询中的 {missing} 个（{share}），例如 {lacking!r}{beside.zh}；请检查两边的编号是否一致；"
            "missing='skip' 不计入这些查询，missing='zero' 记 0 分",
        ),
    )


def unjudged(run: Rows, queries: FactColumns) -> Ids:
    """The queries of a run that have no judgements, some of them more than once."""
    names = run.query.take(changes(run.query))
    return names.take(np.flatnonzero(IdIndex(queries.queries).find(names) < 0))


def _beside(extra: Ids | None) -> Text:
    """The first query without judgements, in order of ids: the same for any order of rows."""
    if extra is None or not len(extra):
        return Text("", "")
    first = extra.take(sorted_rows(extra)[:1]).to_list()[0]
    return Text(f", and has queries without judgements, such as {first!r}", f"，而有些查询没有标注，例如 {first!r}")


def refuse_places(truth: Rows, run: Rows, queries: Facts) -> None:
    """Rows that are counted from 0 may stand for ids only where the ids of the other side are just these numbers."""
    if (truth.count is None) == (run.count is None):
        return
    by_place, named = (run, truth) if truth.count is None else (truth, run)
    ids = len(queries) if named is truth else queries.answered_count + queries.tally.extra_queries
    if ids != by_place.count:
        raise other_places(by_place, named, Text(f"{ids} queries", f"{ids} 个查询"))


def other_places(by_place: Rows, named: Rows, ids: Text) -> InputError:
    """What to say of rows whose queries nobody named."""
    count = by_place.count or 0
    rows, other = by_place.source.name, named.source.name
    return InputError(
        f"{rows.en} has {count} rows, whose queries would be 0 to {count - 1}, but {other.en} has {ids.en}; say which row is "
        f"whom: queries=[…] with an id for each row, or (ids, matrix); queries=range({count}) if row i is query i",
        f"{rows.zh} 有 {count} 行，其查询应为 0 到 {count - 1}，而 {other.zh} 有 {ids.zh}；请指明每行属于哪个查询：queries=[…]（每行一个编号），"
        f"或（编号，矩阵）；若第 i 行即查询 i，请用 queries=range({count})",
    )
