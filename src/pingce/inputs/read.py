"""The front door: one function for the truth, one for a run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from pingce.errors import InputError
from pingce.inputs.columns import Role, Rows


def read_truth(
    data: Any, *, columns: Mapping[str, str] | None = None, input_format: str | None = None, threads: int | None = None
) -> Rows:
    """The judgements (qrels): which items are how relevant to which query."""
    return _read(data, "truth", columns, input_format, threads)


def read_run(
    data: Any, *, columns: Mapping[str, str] | None = None, input_format: str | None = None, threads: int | None = None
) -> Rows:
    """A run: which items a system returned for which query, with a score, a rank, or in order."""
    return _read(data, "run", columns, input_format, threads)


def _read(
    data: Any, role: Role, columns: Mapping[str, str] | None, input_format: str | None, threads: int | None
) -> Rows:
    if isinstance(data, Rows):
        return data
    if isinstance(data, (str, os.PathLike)):
        from pingce.inputs.files import read_file

        return read_file(data, role, columns, input_format, threads)
    if isinstance(data, Mapping):
        from pingce.inputs.dicts import read_dict

        return read_dict(data, role)
    from pingce.inputs.tables import is_frame, read_frame

    if is_frame(data):
        return read_frame(data, role, columns)
    kind = type(data).__name__
    raise InputError(
        f"the {role} is {kind}, which pingce cannot read; give a path, a pandas, polars or pyarrow table, "
        "any object with __arrow_c_stream__, a dict of dicts or a dict of lists",
        f"无法读取 {kind} 类型的{'真值' if role == 'truth' else '预测'}；请给出路径，pandas、polars 或 pyarrow 表，"
        "任何带 __arrow_c_stream__ 的对象，嵌套字典，或列表字典",
    )
