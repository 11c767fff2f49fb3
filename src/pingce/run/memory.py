"""Whether the inputs of a call fit into the memory it may use."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from pingce.base.errors import InputError
from pingce.base.memory import human, size_of
from pingce.inputs.sizes import unpacked_size, unpacked_sizes

_LARGE: Final = 1 << 25
"Files of fewer bytes are read at once, whatever they hold."
_MOST_MEMORY: Final = 20
"Bytes of memory that a byte of a file may take when it is read and scored: Parquet and gzip hold several in one."


def may_exceed(memory: str | float | None, *inputs: object) -> bool:
    """Whether it is worth to look how much memory these inputs take: always where a limit was named, else for large files."""
    if memory is not None:
        return True
    size = sizes_of(*inputs)
    if size <= _LARGE:
        return False
    return _MOST_MEMORY * size > size_of(None)


def sizes_of(*inputs: object) -> int:
    """Bytes that come out of those inputs that are paths."""
    return sum(_size(Path(each)) for each in inputs if isinstance(each, (str, os.PathLike)) and str(each) != "-")


def _size(path: Path) -> int:
    """Bytes that come out of a file, a folder or a pattern; what is absent is left to those who read it."""
    try:
        if path.is_file():
            return unpacked_size(path)
        from pingce.inputs.folders import files_of

        return unpacked_sizes(files_of(path) or ())
    except OSError:
        return 0


_COPIES: Final = 2
"What scoring rows at once takes, as a multiple of the rows themselves."


def refuse_larger(memory: str | float | None, inputs: Iterable[object], call: str) -> None:
    """Refuse files that would exceed `memory=`, in a call that needs all rows at once and so cannot stream them."""
    if memory is None:
        return
    most, need = size_of(memory), _COPIES * sizes_of(*inputs)
    if need > most:
        raise InputError(
            f"about {human(need)} would exceed memory={memory}, and {call} shows the rows themselves: it reads all of them at once "
            "and cannot stream; give more memory, leave memory= out, or use pc.evaluate_… (pingce eval), which streams",
            f"约 {human(need)} 会超出 memory={memory}，而 {call} 要展示各行本身，须一次读入全部，不能流式读取；"
            "请调大 memory，或不给 memory=，或改用可流式读取的 pc.evaluate_…（pingce eval）",
        )
