"""Safetensors: a header in JSON that says where each tensor lies, and their numbers, which are mapped and not read."""

from __future__ import annotations

import json
from math import prod
from operator import index
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.json import Json
from pingce.base.text import Text

_TYPES = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "BF16": "<u2"}
_LONGEST = 100_000_000
"Bytes of a header, as the format says."


def open_safetensors(path: Path, tensor: str | None = None) -> tuple[NDArray[Any], bool]:
    """The matrix of a file, or the one of that name, and whether its numbers are brain floats."""
    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if not 2 <= length <= min(_LONGEST, size - 8):
            raise _broken(path, Text(f"its header would have {length} bytes", f"文件头长度为 {length} 字节"))
        try:
            header = json.loads(file.read(length))
        except ValueError:
            raise _broken(path, Text("its header is no JSON", "文件头不是 JSON")) from None
    if not isinstance(header, dict):
        raise _broken(path, Text("its header is no JSON object", "文件头不是 JSON 对象"))
    name, entry = _chosen(header, path, tensor)
    try:
        kind, shape = str(entry["dtype"]), tuple(map(index, entry["shape"]))
        begin, end = map(index, entry["data_offsets"])
    except (KeyError, TypeError, ValueError):
        raise _broken(
            path, Text(f"'{name}' lacks its type, shape or place", f"'{name}' 缺少类型、形状或位置")
        ) from None
    if kind not in _TYPES:
        raise InputError(
            f"{path}: '{name}' holds {kind}; vectors are {', '.join(_TYPES)}",
            f"{path}：'{name}' 的类型是 {kind}；向量应为 {'、'.join(_TYPES)}",
        )
    dtype = np.dtype(_TYPES[kind])
    is_inside = begin >= 0 and 8 + length + end <= size and all(number >= 0 for number in shape)
    if not is_inside or end - begin != prod(shape) * dtype.itemsize:
        raise _broken(path, Text(f"'{name}' does not fit into the file", f"'{name}' 超出文件范围"))
    values = np.memmap(path, dtype, "r", 8 + length + begin, shape) if prod(shape) else np.zeros(shape, dtype)
    return values, kind == "BF16"


def _chosen(header: Json, path: Path, tensor: str | None) -> tuple[str, Json]:
    """The tensor of that name, or the only matrix."""
    tensors = {name: entry for name, entry in header.items() if name != "__metadata__" and isinstance(entry, dict)}
    shapes = {name: entry.get("shape") for name, entry in tensors.items()}
    matrices = [name for name, shape in shapes.items() if isinstance(shape, list) and len(shape) == 2]
    if tensor is None and len(matrices) == 1:
        tensor = matrices[0]
    if tensor in tensors:
        return tensor, tensors[tensor]
    names = ", ".join(f"'{name}'" for name in matrices) or "–"
    raise InputError(
        f"{path} has the matrices {names}: say which one, as in '{path}#NAME'",
        f"{path} 含矩阵 {names}：请指明其一，例如 '{path}#名称'",
    )


def _broken(path: Path, cause: Text) -> InputError:
    return InputError(
        f"{path} is no whole safetensors file: {cause.en}; write it again",
        f"{path} 不是完整的 safetensors 文件：{cause.zh}；请重新写出",
    )
