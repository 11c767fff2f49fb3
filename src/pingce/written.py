"""Files that are whole or not there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

from pingce.errors import InputError


def write_whole(output: Path, content: bytes) -> None:
    """Write a temporary file beside the output and rename it."""
    try:
        if output.exists() and not output.is_file():
            _fill(output.open("wb"), content)  # a pipe or a device cannot be replaced
        else:
            _replace(output.resolve(), content)
    except OSError as problem:
        raise InputError(
            f"{output}: cannot be written ({problem.strerror or problem})",
            f"{output}：无法写入（{problem.strerror or problem}）",
        ) from None


def _fill(file: IO[bytes], content: bytes) -> None:
    with file:
        file.write(content)


def _replace(output: Path, content: bytes) -> None:
    """All of it or nothing: readers never see half a file, and a failure leaves the old one."""
    temporary = output.parent / f".pingce-{os.urandom(8).hex()}"  # the name first: Ctrl-C may come at any moment
    try:
        _fill(temporary.open("xb"), content)
        if output.exists():
            temporary.chmod(output.stat().st_mode & 0o777)
        temporary.replace(output)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
