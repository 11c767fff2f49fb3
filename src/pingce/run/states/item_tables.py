"""What lists show, counted, as Arrow tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from pingce.base.lazy import pa
from pingce.evidence import soundness as sound
from pingce.evidence.items.counters import COUNTERS, Counting, ItemCounters, Pairs, small
from pingce.evidence.soundness import demand

_COUNTS = sound.Column("uint8 uint16 uint32 uint64", (sound.COUNT,))


def counters_to_tables(items: Sequence[ItemCounters]) -> dict[str, pa.Table]:
    """Of each display a table of items, and one for each count of pairs."""
    tables: dict[str, pa.Table] = {}
    for place, counters in enumerate(items):
        counts = {_name("counts", k): column for k, column in counters.counts.items()}
        tables[f"items {place}"] = pa.table({"item": sound.id_array(counters.items), **counts})
        for kind in COUNTERS[1:]:
            pairs: Mapping[int | None, Pairs] = getattr(counters, kind)
            tables |= {f"items {place} {_name(kind, k)}": _table(each) for k, each in pairs.items()}
    return tables


def counters_from_tables(tables: Mapping[str, pa.Table], countings: Sequence[Counting]) -> Iterator[ItemCounters]:
    """What `counters_to_tables` wrote."""
    for place, counting in enumerate(countings):
        name = f"items {place}"
        kinds = {_name("counts", k): _COUNTS for k in counting.counts}
        columns = sound.checked_columns(tables[name], kinds)
        items = sound.checked_ids(sound.ids_in(tables[name], "item"), "item")
        yield ItemCounters(
            items,
            dict(zip(counting.counts, columns.values(), strict=True)),
            {k: _pairs(tables[f"{name} {_name('lengths', k)}"], len(items)) for k in counting.lengths},
            {k: _pairs(tables[f"{name} {_name('groups', k)}"]) for k in counting.groups},
        )


def _name(kind: str, k: int | None) -> str:
    return kind if k is None else f"{kind}@{k}"


def _table(pairs: Pairs) -> pa.Table:
    """Group -1 is written as 0, so that all numbers are counts."""
    return pa.table({"first": small(pairs.first + 1), "second": small(pairs.second), "times": small(pairs.times)})


def _pairs(table: pa.Table, items: int | None = None) -> Pairs:
    columns = sound.checked_columns(table, dict.fromkeys(Pairs._fields, _COUNTS))
    pairs = Pairs(*(column.astype(np.int64) for column in columns.values()))
    pairs = pairs._replace(first=pairs.first - 1)
    first, second = np.diff(pairs.first), np.diff(pairs.second)
    demand(((first > 0) | (first == 0) & (second > 0)).all(), "counters are not in order", "计数未按顺序排列")
    inside = items is None or bool(((pairs.first >= 0) & (pairs.first < items)).all())
    demand(inside, "counters are of items that are not there", "计数属于不存在的条目")
    return pairs
