"""Facts of items: a table with an item column beside categories, groups or vectors, or ids with a matrix of vectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats, Ints
from pingce.base.lazy import compute, pa
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.arrow import array_of, decoded, ids_of
from pingce.inputs.columns import Reading, Rows, Source, Wanted, rows_of
from pingce.inputs.dicts import make_ids, plain_list
from pingce.inputs.ids import Ids
from pingce.inputs.names import KNOWN, column_words, listed, match, refuse_absent, table_name

_NAME = table_name("items", "table")


_NOTHING = np.zeros(0, np.int64)


class Labels(NamedTuple):
    """Categories or groups that rows of a table name."""

    row: Ints = _NOTHING
    "The row of each: an item may have several, in one row or in several."
    number: Ints = _NOTHING
    "Its number among the names."
    names: tuple[str, ...] = ()
    "Sorted."


@dataclass(frozen=True, eq=False)
class ItemTable:
    """One row a fact: the item, and its categories, its group or its vector."""

    rows: Rows
    categories: Labels = Labels()
    groups: Labels = Labels()
    vector_row: Ints = field(default_factory=lambda: _NOTHING)
    "The row of each vector."
    vectors: Floats | None = None

    def digest(self) -> str:
        """A hash of categories, groups and vectors, in their order."""
        import hashlib

        digest = hashlib.sha256()
        for labels in (self.categories, self.groups):
            digest.update(labels.row.tobytes() + labels.number.tobytes() + "\0".join(labels.names).encode())
        digest.update(b"" if self.vectors is None else np.ascontiguousarray(self.vectors).tobytes())
        return digest.hexdigest()[:16]


def read_items(data: Any, reading: Reading) -> ItemTable:
    """The facts of items of whatever holds them."""
    if isinstance(data, ItemTable):
        return data
    if isinstance(data, tuple):
        return _pair(*data)
    from pingce.inputs.predictions import column_names, read_table

    data = pa.table(dict(data)) if isinstance(data, Mapping) else data
    present = column_names(data, reading)
    words = column_words("items", reading.columns)
    parts = {part: words.get(part) or match(present, names) for part, names in KNOWN["items"].items()}
    if parts["item"] is None:
        raise _lacking("item", present)
    if all(parts[part] is None for part in _FACTS):
        raise _lacking("category, group or vector", present)
    names = {part: str(name) for part, name in parts.items() if name is not None}
    refuse_absent(list(names.values()), present, _NAME)
    texts = tuple(names[part] for part in ("item", *_LABELS) if part in names)
    table, source = read_table(data, Wanted(tuple(names.values()), texts=texts), reading)
    items = ids_of(table.column(names["item"]), names["item"], source)
    rows = Rows(items, items, np.ones(len(items)), _noted(source, names), "none")
    categories, groups = (_labels(table.column(names[part])) if part in names else Labels() for part in _LABELS)
    if "vector" not in names:
        return ItemTable(rows, categories, groups)
    return ItemTable(rows, categories, groups, *_vectors(table.column(names["vector"]), rows))


_LABELS = ("category", "group")
_FACTS = (*_LABELS, "vector")


def _noted(source: Source, names: Mapping[str, str]) -> Source:
    from dataclasses import replace

    roles = ", ".join(f"{part}={name}" for part, name in names.items())
    return replace(source, notes=(*source.notes, Text(f"items=: {roles}", f"items=：{roles}")))


def _lacking(part: str, present: list[str]) -> InputError:
    return InputError(
        f"items= is a table of facts, and has no {part} column; it has {listed(present)}; say which one it is with "
        "columns={'items.item': …, 'items.category': …, 'items.group': …, 'items.vector': …}",
        f"items= 是条目信息表，但找不到 {part} 列；现有 {listed(present)}；请用 columns={{'items.item': …, 'items.category': …, "
        "'items.group': …, 'items.vector': …} 指明",
    )


def _labels(column: Any) -> Labels:
    """The labels of a column; a row may have a list of them, or none."""
    column = decoded(column)
    row = np.arange(len(column))
    if _is_list(column.type):
        size = array_of(compute.fill_null(compute.list_value_length(column), 0)).astype(np.int64)
        row, column = np.repeat(row, size), compute.list_flatten(column)
    if pa.types.is_nested(column.type):
        raise InputError(
            f"items=: a category is a text or a number, or there is a list of them; the column holds {column.type}",
            f"items=：类目应为文本或数，或其列表；而该列为 {column.type}",
        )
    if pa.types.is_floating(column.type):
        column = compute.if_else(compute.is_nan(column), None, column)
    elif pa.types.is_string(column.type) or pa.types.is_large_string(column.type):  # an empty cell of a text file
        column = compute.if_else(compute.equal(column, ""), None, column)
    kept = array_of(column.is_valid()).astype(bool)
    codes = compute.dictionary_encode(column.combine_chunks() if hasattr(column, "combine_chunks") else column)
    codes = codes.combine_chunks() if hasattr(codes, "combine_chunks") else codes
    numbers = array_of(compute.fill_null(codes.indices, -1)).astype(np.int64)
    names = [str(name) for name in codes.dictionary.to_pylist()]
    order = sorted(range(len(names)), key=names.__getitem__)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    return Labels(row[kept], place[numbers[kept]], tuple(names[each] for each in order))


def _vectors(column: Any, rows: Rows) -> tuple[Ints, Floats]:
    """The rows with a vector, and a matrix of these: lists of numbers, all of one length."""
    if not _is_list(column.type) or not _is_number(column.type.value_type):
        raise InputError(
            f"{rows.source.name.en}: a vector is a list of numbers, and the column holds {column.type}; give lists (Parquet, Feather, a frame), or a pair (ids, matrix)",
            f"{rows.source.name.zh}：向量应为数的列表，而该列为 {column.type}；请给出列表（Parquet、Feather、数据框），或 (ids, matrix)",
        )
    kept = np.flatnonzero(array_of(column.is_valid()).astype(bool))
    lists = column.drop_null().combine_chunks()
    lengths = array_of(compute.list_value_length(lists)).astype(np.int64)
    other = np.flatnonzero(lengths != lengths[0]) if len(lengths) else lengths
    if len(other):
        place, size, first = rows.source.place(int(kept[other[0]])), int(lengths[other[0]]), int(lengths[0])
        raise InputError(
            f"{place.en}: the vector has {size} numbers, the first one has {first}; give all items vectors of one length",
            f"{place.zh}：向量有 {size} 个数，而第一个有 {first} 个；请为所有条目给出等长的向量",
        )
    flat = array_of(compute.list_flatten(lists).cast(pa.float64()))
    return kept, _checked(flat.reshape(len(kept), -1), rows, kept)


def _is_list(kind: Any) -> bool:
    """Whether an Arrow type is one of lists."""
    return bool(pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind))


def _is_number(kind: Any) -> bool:
    """Whether an Arrow type is one of numbers."""
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind))


def _checked(vectors: Floats, rows: Rows, kept: Ints) -> Floats:
    bad = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if len(bad):
        place = rows.source.place(int(kept[bad[0]]))
        raise InputError(
            f"{place.en}: the vector has something that is not a finite number; correct it, or leave the item out",
            f"{place.zh}：向量中有不是有限数的值；请更正，或去掉该条目",
        )
    return vectors


def _matrix(matrix: Any) -> NDArray[Any]:
    """Rows of numbers, all of one length."""
    try:
        vectors: NDArray[Any] = np.asarray(matrix, np.float64)
    except (ValueError, TypeError):
        vectors = np.zeros(0)
    if vectors.ndim == 2:
        return vectors
    raise InputError(
        "items= is a pair of ids and a matrix, and the matrix is none: give a row of numbers for each id, all of one length",
        "items= 是一对（编号，矩阵），但后者不是矩阵：请为每个编号给出一行等长的数",
    )


def _pair(ids: Any, matrix: Any) -> ItemTable:
    """Ids with a row of a matrix each."""
    source = rows_of(_NAME)
    values: Any = list(plain_list(ids))
    items: Ids = make_ids(values, "item", source)
    vectors = _matrix(matrix)
    if len(vectors) != len(items):
        raise InputError(
            f"items= has {len(items)} ids and {len(vectors)} vectors; give one for each, in order",
            f"items= 有 {len(items)} 个编号，而有 {len(vectors)} 个向量；请按顺序逐一给出",
        )
    rows = Rows(items, items, np.ones(len(items)), source, "none")
    every = np.arange(len(items))
    return ItemTable(rows, vector_row=every, vectors=_checked(vectors, rows, every))
