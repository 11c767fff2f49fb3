"""Integers in no more bytes than they need while they travel: Spark copies every byte a dozen times."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pingce.base.lazy import compute, pa

_TYPES = b"types"
"Of a schema: the types that narrowed columns had before."


def narrow(table: pa.Table) -> pa.Table:
    """The table with integers of half the width, or less, where all of them fit; it says which types they had."""
    types: dict[str, str] = {}
    for place, field in enumerate(table.schema):
        kind = _narrow_type(table.column(place))
        if kind is not None:
            types[field.name] = str(field.type)
            table = table.set_column(place, field.with_type(kind), table.column(place).cast(kind))
    return table.replace_schema_metadata({_TYPES: json.dumps(types).encode()})


def widened(tables: Sequence[pa.Table]) -> pa.Table | None:
    """Tables that were narrowed, as one with the types that they had; None without any."""
    if not tables:
        return None
    schema = tables[0].schema
    for name, kind in json.loads(schema.metadata[_TYPES]).items():
        place = schema.get_field_index(name)
        schema = schema.set(place, schema.field(place).with_type(pa.type_for_alias(kind)))
    plain = schema.remove_metadata()
    if all(table.schema.equals(tables[0].schema) for table in tables):  # most often, and then one cast is enough
        return pa.concat_tables(tables).cast(plain)
    return pa.concat_tables([table.cast(plain) for table in tables])


def _narrow_type(column: pa.ChunkedArray) -> pa.DataType | None:
    if not pa.types.is_integer(column.type) or column.type.bit_width < 16:
        return None
    ends = compute.min_max(column)
    low, high = ends["min"].as_py() or 0, ends["max"].as_py() or 0
    for bits in (8, 16, 32):
        if bits < column.type.bit_width and -(1 << (bits - 1)) <= low and high < 1 << (bits - 1):
            return pa.type_for_alias(f"int{bits}")
    return None
