"""Lists that look as if they were one relevant item and a few others that somebody drew: their values say little of whole rankings."""

from __future__ import annotations

import numpy as np

from pingce.base.text import Text
from pingce.evidence.ranking.fact_sums import Facts
from pingce.evidence.ranking.facts import FactColumns
from pingce.evidence.ranking.truth_index import IdIndex, chosen_rows
from pingce.inputs.columns import Rows
from pingce.inputs.ids import hashes

_LISTS, _LENGTH = 20, 10
"Fewer or shorter lists may look like this by chance."
SEVERAL = "several"
"Where lists do not all have the same items."
_HEAD = 4
"Lists whose items tell most runs apart, before all are looked at."


def shared_items(run: Rows, queries: FactColumns) -> str:
    """A hash of the items that all lists of judged queries have in common, where they are all of them; "" without lists.

    Nobody asks where lists differ in length or lack judged items: then it is `SEVERAL`.
    """
    shortest, longest = queries.lengths
    if not longest:
        return ""
    if shortest != longest or (queries.column("hits")[queries.answered] == 0).any():
        return SEVERAL
    if queries.tally.extra_queries:
        run = chosen_rows(run, np.flatnonzero(IdIndex(queries.queries).find(run.query) >= 0))
    for items in (run.item.within(slice(0, min(len(run), _HEAD * longest))), run.item):
        index = IdIndex(items)
        if len(index) > longest:
            return SEVERAL
    return f"{int(hashes(run.item.take(index.first_rows())).sum(dtype=np.uint64)):016x}"


def merged_items(ours: str, theirs: str) -> str:
    """The same of lists here and elsewhere."""
    return ours or theirs if not ours or not theirs or ours == theirs else SEVERAL


def candidate_cautions(run: Rows, queries: Facts, items: str | None) -> tuple[Text, ...]:
    """What to say where every list has one relevant item, and as many others as every other list, but not the same.

    `items` is what `shared_items` found where rows are no longer all there.
    """
    lists, (shortest, longest) = queries.answered_count, queries.lengths
    if lists < _LISTS or shortest != longest or longest < _LENGTH:
        return ()
    if queries.total("relevant", answered=True) != lists or sum(queries.stage_counts()[1:4]) != lists:
        return ()
    if items is None:
        items = shared_items(run, queries) if isinstance(queries, FactColumns) else ""
    if items != SEVERAL:
        return ()
    others = longest - 1
    return (
        Text(
            f"each of the {lists} lists has {longest} items, exactly one of them relevant: they look like 1 relevant item among {others} drawn "
            "candidates. Then values are far above those of whole rankings and cannot be compared with them: corrected=plug_in with "
            "catalog=NUMBER of items (--corrected, --catalog) estimates these. Lists that are the best of all items are fine as they are",
            f"{lists} 个列表各有 {longest} 个条目，其中恰有一个相关：看起来是 1 个相关条目加上抽取的 {others} 个候选。若是如此，数值远高于"
            "全目录排序，两者不可比较：corrected=plug_in 加 catalog=条目数（--corrected、--catalog）可估计后者。若列表是全部条目中排在最前的，则无需处理",
        ),
    )
