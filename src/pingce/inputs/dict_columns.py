"""Dictionaries of columns, as data loaders hand them out: {"query": …, "item": …, "score": …}."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError
from pingce.inputs.columns import Role
from pingce.inputs.names import listed, names_part, table_name
from pingce.inputs.vocabulary import KNOWN

if TYPE_CHECKING:
    import pyarrow as pa


def table_of_columns(data: Mapping[Any, Any], role: Role, columns: Mapping[str, str | int] | None) -> pa.Table | None:
    """The table that a dictionary of columns is; None where its keys are queries.

    A table has a query and an item column, and all its columns are of one length.
    """
    parts = [part for part in KNOWN[role] if part in ("query", "item", "weight")]
    present = [key for key in data if isinstance(key, str)]
    if len(present) < len(data) or not all(names_part(part, present, role, columns) for part in parts):
        return None
    for column in data.values():
        shape = getattr(column, "shape", ())
        if not (isinstance(column, (list, tuple)) or len(shape) == 1 or hasattr(column, "to_pylist")):
            return None
    _refuse_doubt(data, role, columns)
    import pyarrow as pa

    return pa.table({name: _array(name, column, role) for name, column in data.items()})


def _refuse_doubt(data: Mapping[str, Any], role: Role, columns: Mapping[str, str | int] | None) -> None:
    """Ask where the keys may as well be queries with a list of items each."""
    lengths = {len(column) for column in data.values()}
    numbers = any(names_part(part, list(data), role, columns) for part in KNOWN[role] if part not in ("query", "item"))
    if len(lengths) == 1 and (numbers or columns):
        return
    name, keys = table_name(role, "dict"), listed(list(data))
    sizes = ", ".join(str(len(column)) for column in data.values())
    raise InputError(
        f"{name.en} has the keys {keys} with {sizes} values: are they columns of a table, or queries with their items? for columns "
        "of one length say columns={'query': …, 'item': …}; for queries give them other names",
        f"{name.zh} 的键为 {keys}，各有 {sizes} 个值：它们是表的列，还是查询及其条目？若是等长的列，请用 columns={{'query': …, 'item': …}}；"
        "若是查询，请换用其他名称",
    )


def _array(name: str, column: Any, role: Role) -> Any:
    """A column as Arrow has it; a tensor's numbers are not copied."""
    import pyarrow as pa

    from pingce.inputs.matrices import is_tensor, tensor_values

    if is_tensor(column):
        column = tensor_values(column, table_name(role, f"dict['{name}']"))
    try:
        return column if isinstance(column, (pa.Array, pa.ChunkedArray)) else pa.array(column)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as problem:
        place = table_name(role, f"dict['{name}']")
        raise InputError(
            f"{place.en} cannot be read ({problem}); make its values all strings, all integers or all fractions",
            f"{place.zh} 无法读取（{problem}）；请将其中的值统一为字符串、整数或小数",
        ) from None
