"""Whatever holds vectors to matrices: arrays, tensors, files of arrays, and tables with a column of lists."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError, library_words
from pingce.base.lazy import compute, pa
from pingce.base.text import Text
from pingce.factors.matrix import Matrix
from pingce.factors.safetensors import open_safetensors
from pingce.inputs.arrow import array_of, ids_of
from pingce.inputs.catalog import plain_ids
from pingce.inputs.columns import Reading, Rows, Wanted
from pingce.inputs.ids import Ids
from pingce.inputs.matrices import in_memory, is_tensor, named_ids
from pingce.inputs.names import ITEM, QUERY, listed, match

Side = Literal["users", "items"]
NAMES: dict[Side, Text] = {"users": Text("users=", "users="), "items": Text("items=", "items=")}
_ID_NAMES: dict[Side, tuple[str, ...]] = {"users": QUERY, "items": ITEM}
_PARTS: dict[Side, str] = {"users": "query", "items": "item"}


def read_matrix(data: Any, side: Side, ids: Any, reading: Reading) -> Matrix:
    """The vectors of one side, with the ids that came with them or were given beside."""
    keyword = f"{side[:-1]}_ids="
    name = NAMES[side]
    if isinstance(data, tuple) and len(data) == 2 and len(getattr(data[1], "shape", ())) == 2:
        data, ids = data[1], data[0] if ids is None else ids
    values, names, is_brain = _values(data, side, reading)
    if isinstance(data, (str, os.PathLike)):
        name = Text(str(data), str(data))
    if values.ndim != 2:
        shape = " × ".join(map(str, values.shape)) or "()"
        raise InputError(
            f"{name.en} has the shape {shape}; needed is a matrix with a vector a row",
            f"{name.zh} 的形状为 {shape}；应为每行一个向量的矩阵",
        )
    names = names if ids is None else read_ids(ids, side, keyword)
    if names is not None and len(names) != len(values):
        raise InputError(
            f"{keyword} has {len(names)} ids, but {name.en} has {len(values)} rows; give one for each, in order",
            f"{keyword} 有 {len(names)} 个编号，而 {name.zh} 有 {len(values)} 行；请按顺序逐一给出",
        )
    return Matrix(values if is_brain else _floats(values, name), name, names, is_brain)


def read_ids(ids: Any, side: Side, keyword: str) -> Ids:
    """Ids of rows: a list, an array, a series, a .npy file, or a text with an id a line."""
    if isinstance(ids, (str, os.PathLike)):
        path = Path(ids)
        ids = _npy(path) if path.suffix == ".npy" else _lines(path)
    return named_ids(ids, _PARTS[side], keyword)


def read_candidates(data: Any, count: int, reading: Reading) -> NDArray[np.int64] | Rows:
    """Candidates: a mask of all items, as their rows; ids for everybody, with each in both columns; or pairs (user, item)."""
    is_text = isinstance(data, (str, os.PathLike)) and Path(data).suffix == ".txt"
    if isinstance(data, (str, os.PathLike)) and Path(data).suffix in (".npy", ".txt"):
        data = _npy(Path(data)) if Path(data).suffix == ".npy" else _lines(Path(data))
    mask = np.asarray(data) if isinstance(data, np.ndarray) or is_tensor(data) else None
    if mask is not None and mask.ndim == 1 and mask.dtype == bool:
        if len(mask) != count or not mask.any():
            raise InputError(
                f"candidates= is a mask of {len(mask)} items, {np.count_nonzero(mask)} of them true, but there are {count}: give a truth value "
                "for each, and at least one that is true",
                f"candidates= 是 {len(mask)} 个条目的掩码，其中 {np.count_nonzero(mask)} 个为真，而条目有 {count} 个：请逐一给出，且至少一个为真",
            )
        return np.flatnonzero(mask)
    if _looks_like_mask(data if mask is None else mask, count):
        raise InputError(
            f"candidates= has {count} numbers, all 0 or 1, as many as there are items: is it a mask, or are these two ids? give "
            "an array of truth values, or the ids once each",
            f"candidates= 有 {count} 个数，都是 0 或 1，与条目数相同：它是掩码，还是两个编号？请给出布尔数组，或每个编号只给一次",
        )
    rows = plain_ids(data) if not _are_pairs(data) else None
    if rows is None:
        return reading.read(data, "exclude")
    return replace(rows, source=replace(rows.source, untyped_ids=True)) if is_text else rows


def _looks_like_mask(data: Any, count: int) -> bool:
    """Whether it is a 0 or 1 for each item, and no list of ids, of which each stands there once."""
    if not isinstance(data, (list, tuple, np.ndarray)) or len(getattr(data, "shape", (0,))) != 1 or len(data) != count:
        return False
    return count > 2 and all(isinstance(number, (int, np.integer)) and number in (0, 1) for number in data)


def _are_pairs(data: Any) -> bool:
    """Whether it is a list of pairs, or of a list for each user."""
    return isinstance(data, (Mapping, str, os.PathLike)) or (
        isinstance(data, (list, tuple)) and bool(data) and isinstance(data[0], (list, tuple, set, frozenset))
    )


def read_bias(bias: Any, count: int, keyword: str, precision: np.dtype[Any]) -> NDArray[np.floating[Any]] | None:
    """A number for each row of a matrix."""
    if bias is None:
        return None
    if isinstance(bias, (str, os.PathLike)):
        bias = _npy(Path(bias))
    name = Text(keyword, keyword)
    try:
        values = np.asarray(in_memory(bias, name), np.float64).reshape(-1)
    except (TypeError, ValueError) as problem:
        raise _no_numbers(name, library_words(problem)) from None
    if len(values) != count:
        raise InputError(
            f"{keyword} has {len(values)} numbers for {count} rows; give one for each, in order",
            f"{keyword} 有 {len(values)} 个数，而有 {count} 行；请按顺序逐一给出",
        )
    bad = np.flatnonzero(~np.isfinite(values))
    if len(bad):
        raise InputError(
            f"row {bad[0]} of {keyword} is {values[bad[0]]}; {len(bad)} of {count} numbers are not finite: correct them",
            f"{keyword} 第 {bad[0]} 行（从 0 起）为 {values[bad[0]]}；{count} 个数中有 {len(bad)} 个不是有限数：请更正",
        )
    return values.astype(precision)


def _values(data: Any, side: Side, reading: Reading) -> tuple[NDArray[Any], Ids | None, bool]:
    """Numbers, the ids that came with them, and whether they are brain floats."""
    if isinstance(data, (str, os.PathLike)):
        return _file(data, side, reading)
    if isinstance(data, np.ndarray) or is_tensor(data) or isinstance(data, (list, tuple)):
        values = in_memory(data, NAMES[side])
        try:
            return np.asarray(values), None, False
        except ValueError as problem:
            raise _no_numbers(NAMES[side], library_words(problem)) from None
    if isinstance(data, (pa.Array, pa.ChunkedArray)):
        return _vectors(data, NAMES[side]), None, False
    if hasattr(data, "__arrow_c_stream__") or hasattr(data, "columns") or isinstance(data, Mapping):
        return *_table(data, side, reading), False
    if hasattr(data, "__array__"):
        return np.asarray(data), None, False
    raise _no_numbers(NAMES[side], type(data).__name__)


def _file(data: str | os.PathLike[str], side: Side, reading: Reading) -> tuple[NDArray[Any], Ids | None, bool]:
    """The same of a file, by its suffix."""
    path, _, tensor = os.fspath(data).partition("#")
    if path.endswith(".safetensors"):
        values, is_brain = _tensors(Path(path), tensor or None)
        return values, None, is_brain
    if Path(data).suffix == ".npy":
        return _npy(Path(data)), None, False
    return *_table(data, side, reading), False


def _tensors(path: Path, tensor: str | None) -> tuple[NDArray[Any], bool]:
    try:
        return open_safetensors(path, tensor)
    except OSError as problem:
        raise _unreadable(path, problem) from None


def _npy(path: Path) -> NDArray[Any]:
    """An array of a file, mapped into memory: what is not looked at is not read."""
    try:
        array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as problem:
        raise _unreadable(path, problem) from None
    return array


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise _unreadable(path, problem) from None


def _unreadable(path: Path, problem: Exception) -> InputError:
    words = library_words(problem)
    return InputError(
        f"{path} cannot be read ({words}); give a .npy, .safetensors, Parquet or Feather file",
        f"无法读取 {path}（{words}）；请给出 .npy、.safetensors、Parquet 或 Feather 文件",
    )


def _table(data: Any, side: Side, reading: Reading) -> tuple[NDArray[Any], Ids | None]:
    """The column of lists of a table, and its column of ids if it has one."""
    from pingce.inputs.predictions import column_names, read_table

    data = pa.table(dict(data)) if isinstance(data, Mapping) else data
    plain = Reading(None, reading.input_format, reading.encoding)
    present = column_names(data, plain)
    name = match(present, _ID_NAMES[side])
    table, source = read_table(data, Wanted(tuple(present), texts=() if name is None else (name,)), plain)
    lists = [column for column in present if pa.types.is_nested(table.column(column).type)]
    if len(lists) != 1:
        raise InputError(
            f"{source.name.en}: one column must hold the vectors, as lists of numbers; it has {listed(present)}",
            f"{source.name.zh}：须有一列为向量（数的列表）；现有 {listed(present)}",
        )
    ids = None if name is None else ids_of(table.column(name), name, source)
    return _vectors(table.column(lists[0]), source.name), ids


def _vectors(column: Any, name: Text) -> NDArray[Any]:
    """A matrix of a column of lists; as it lies in memory where lists are of one size by their type."""
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if not hasattr(column.type, "value_type") or column.null_count:
        raise _no_numbers(name, f"{column.type}, {column.null_count} null")
    lengths = array_of(compute.list_value_length(column)).astype(np.int64)
    other = np.flatnonzero(lengths != lengths[0]) if len(lengths) else lengths
    if len(other):
        row = int(other[0])
        raise InputError(
            f"row {row} of {name.en} has {lengths[row]} numbers, the first has {lengths[0]}; give vectors of one length",
            f"{name.zh}第 {row} 行（从 0 起）有 {lengths[row]} 个数，而第一行有 {lengths[0]} 个；请给出等长的向量",
        )
    return array_of(column.flatten()).reshape(len(column), -1)


def _floats(values: NDArray[Any], name: Text) -> NDArray[Any]:
    """Numbers of one of the three types of floats in the byte order of this machine; whole ones become the narrowest that holds them."""
    if values.dtype.kind not in "biuf" or values.dtype.itemsize > 8:
        raise _no_numbers(name, str(values.dtype))
    if values.dtype.kind == "f":
        return values.astype(values.dtype.newbyteorder("="), copy=False)
    return values.astype(np.float32 if values.dtype.itemsize <= 2 else np.float64)


def _no_numbers(name: Text, cause: str) -> InputError:
    return InputError(
        f"{name.en} cannot be read as vectors ({cause}); give a matrix of floats (NumPy, torch), a .npy, .safetensors or Parquet file, or "
        "a table with a column of lists",
        f"{name.zh} 无法作为向量读取（{cause}）；请给出浮点矩阵（NumPy、torch），.npy、.safetensors 或 Parquet 文件，或含列表列的表",
    )
