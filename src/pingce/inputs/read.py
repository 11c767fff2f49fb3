"""The front door: one function for the truth, one for a run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from pingce.inputs.columns import Role, Rows, cannot_be_read
from pingce.inputs.names import check_roles


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
    check_roles(columns)
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
    raise cannot_be_read(data, role)
