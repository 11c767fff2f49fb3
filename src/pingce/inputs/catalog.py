"""The items that could be shown: a list of ids, a table with an item column, or only their number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.inputs.columns import Reading, Rows, rows_of
from pingce.inputs.ids import IntIds, StringIds, checked_integers
from pingce.inputs.names import table_name


@dataclass(frozen=True, eq=False)
class Catalog:
    """How many items could be shown, and which: None where only their number was given."""

    size: int | None
    rows: Rows | None = None

    @property
    def is_counted(self) -> bool:
        """Whether only the number of items is known."""
        return self.rows is None


def read_catalog(data: Any, reading: Reading) -> Catalog:
    """The catalogue of whatever holds it; an item that stands twice is one."""
    if isinstance(data, Catalog):
        return data
    if isinstance(data, (int, np.integer)) and not isinstance(data, bool):
        return Catalog(_positive(int(data)))
    if isinstance(data, Mapping) and _has_columns(data):
        data = pa.table(dict(data))
    rows = plain_ids(data)
    return Catalog(None, reading.read(data, "catalog") if rows is None else rows)


def _positive(size: int) -> int:
    if size > 0:
        return size
    raise InputError(
        f"catalog={size}: the number of items that could be shown must be at least 1",
        f"catalog={size}：可展示的条目数至少为 1",
    )


def plain_ids(data: Any) -> Rows | None:
    """Rows of a list, a set, an array or a series of ids, or of the keys of a dict; None of a table."""
    from pingce.inputs.dicts import make_ids, plain_list

    data = list(data) if isinstance(data, Mapping) else data
    is_arrow = hasattr(data, "__arrow_c_array__") and not hasattr(data, "columns")
    is_series = len(getattr(data, "shape", ())) == 1 or type(data).__name__ in ("ChunkedArray", "Series")
    if not (is_arrow or is_series or isinstance(data, (list, tuple, set, frozenset, range))):
        return None
    if isinstance(data, np.ndarray) and data.dtype.kind in "iu":
        items: IntIds | StringIds = IntIds(checked_integers(data, table_name("catalog", "array")))
        return Rows(items, items, np.ones(len(data)), rows_of(table_name("catalog", "array")), "none")
    values = list(data) if isinstance(data, (set, frozenset, range)) else list(plain_list(data))
    source = rows_of(table_name("catalog", type(data).__name__))
    if not values:
        raise InputError(f"{source.name.en} has no items", f"{source.name.zh} 没有任何条目")
    items = make_ids(values, "item", source)
    return Rows(items, items, np.ones(len(values)), source, "none")


def _has_columns(data: Mapping[Any, Any]) -> bool:
    """Whether a dict is one of columns, with one of items among them."""
    from pingce.inputs.names import ITEM, match

    names = [key for key in data if isinstance(key, str)]
    return len(names) == len(data) and match(names, ITEM) is not None
