"""Documents of search engines are in indices: where those of several meet, all are called index/id, on both sides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pingce.inputs.columns import Rows
from pingce.inputs.ids import StringIds

SEVERAL = ""
"Stands for the index of rows whose documents are called index/id."


def called_alike(parts: Sequence[Rows]) -> list[Rows]:
    """Tables of one side, as one calls their documents: by index and id where the indices differ."""
    indices = {part.source.index for part in parts}
    return [*parts] if len(indices) == 1 or None in indices else [*map(by_index, parts)]


def by_index(rows: Rows) -> Rows:
    """Rows of one index, with documents called index/id; any others as they are."""
    index = rows.source.index
    if not index:
        return rows
    items = StringIds.from_strings(f"{index}/{item}" for item in rows.item.to_list())
    return replace(rows, item=items, source=replace(rows.source, index=SEVERAL))
