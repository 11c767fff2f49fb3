"""The memory that a call may use: whether its inputs fit into it, and how streams share it out."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pingce.base.errors import InputError, warn_user
from pingce.base.memory import fits, human, size_of
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.folders import files_of
from pingce.inputs.remote import local_copy
from pingce.inputs.tables import unpacked_sizes

if TYPE_CHECKING:
    from pingce.inputs.streams import Stream


def may_exceed(memory: str | float | None, *inputs: object) -> bool:
    """Whether it is worth to look how much memory these inputs take: always where a limit was named, else for large files."""
    return memory is not None or not fits(sizes_of(*inputs))


def sizes_of(*inputs: object) -> int:
    """Bytes that come out of those inputs that are paths."""
    return sum(_size(Path(each)) for each in inputs if isinstance(each, (str, os.PathLike)) and str(each) != "-")


def _size(path: Path) -> int:
    """Bytes that come out of a file, a folder or a pattern; what is absent is left to those who read it."""
    path = Path(local_copy(path))
    with suppress(OSError):
        return unpacked_sizes(file for file in files_of(path) or [path] if file.is_file())
    return 0


_COPIES: Final = 2
"What scoring rows at once takes, as a multiple of the rows themselves."


def memory_of(data: object, stream: Stream[Any] | None) -> int:
    """Bytes of memory that an input takes, about, where it is read and scored at once; what is no file is there already."""
    return _COPIES * (sizes_of(data) if stream is None else stream.estimate)


@dataclass(frozen=True)
class Excess:
    """Inputs that would take more than the memory allowed, which `memory=` names or a quarter of what there is."""

    size: int
    memory: str | float | None

    @property
    def reason(self) -> Text:
        """Why they are not read at once."""
        size, most = human(self.size), human(size_of(self.memory))
        limit = Text(f"a quarter of the memory ({most})", f"内存的四分之一（{most}）")
        limit = limit if self.memory is None else Text(f"--memory {self.memory}", f"--memory {self.memory}")
        return Text(f"{size} would exceed {limit.en}", f"{size} 会超出 {limit.zh}")

    def refuse(self, unable: Text) -> None:
        """Say why they cannot be streamed: refused where a limit was named, and read at once with a warning where not."""
        reason = self.reason
        if self.memory is not None:
            raise InputError(
                f"{reason.en}, and {unable.en}; give more --memory, or leave it out to have everything read at once",
                f"{reason.zh}，而 {unable.zh}；请调大 --memory，或不给该选项以一次读入全部数据",
            )
        en, zh = "all of it is read at once, although", "一次读入全部，尽管"
        warn_user(Text(f"{unable.en}: {en} {reason.en}", f"{unable.zh}：{zh} {reason.zh}"))


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


MOST_PARTS: Final = 256
"Files that are open at one time."
SHARE_OF_ONE_GROUP: Final = 8
"The rows of one group may take an eighth of the memory: they are read, joined, sorted and counted."
SHARE_OF_ONE_QUERY: Final = 4
"The rows of one query may take a quarter of the memory: they are read, joined and ranked."


def most_parts() -> int:
    """Files that may be open at one time: half of what the process is allowed, where that is little (macOS: 256)."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        allowed = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
        if allowed != resource.RLIM_INFINITY:
            return max(2, min(MOST_PARTS, allowed // 2))
    return MOST_PARTS


@dataclass(frozen=True)
class ListBudget:
    """How much of the memory each thing may take where rankings are streamed, in bytes."""

    chunk: int
    "Rows that are read at once; one chunk is read ahead, and one or two wait for their turn."
    part: int
    "Rows of a part that come from temporary files at once; a larger part is divided again."
    query: int
    "Rows of one query: they are there all at once, and several times over while they are ranked."
    whole: int
    "A truth, or pairs to exclude, that are read once and stay."
    files: int = MOST_PARTS
    "Not bytes: how many parts are written at one time."

    @staticmethod
    def of(memory: int) -> ListBudget:
        """What is left of the memory belongs to evidence, and to Python itself."""
        query = memory // SHARE_OF_ONE_QUERY
        return ListBudget(min(memory // 64, 1 << 25), memory // 16, query, memory // 4, most_parts())


@dataclass(frozen=True)
class RowBudget:
    """How much of the memory each thing may take where predictions are streamed, in bytes."""

    chunk: int
    "Rows that are read at once; one chunk is read ahead, and one waits for its turn."
    part: int
    "The rows of a part that come from temporary files at once."
    group: int
    "The rows of one group: they are there all at once."
    waiting: int
    "Scores and labels that are not counted yet: they are sorted, and a table is made of them."
    counted: int
    "The table of distinct scores, while it grows."
    table: int
    "The same where a diagnosis and whole curves are made of it, which takes many columns as long as it is."
    whole: int
    "The same where a metric needs all of it."

    @staticmethod
    def of(memory: int) -> RowBudget:
        """Rows are held two or three times over: as they were read, checked, and sorted."""
        return RowBudget(
            chunk=min(memory // 32, 1 << 26),
            part=memory // 16,
            group=memory // SHARE_OF_ONE_GROUP,
            waiting=memory // 32,
            counted=memory // 8,
            table=memory // 10,
            whole=memory // 3,
        )

    def divided(self, states: int) -> RowBudget:
        """The share of one of several states that see the same rows; a whole table is there one at a time."""
        least = 1 << 16
        shares = (max(least, size // states) for size in (self.waiting, self.counted, self.table))
        return replace(self, **dict(zip(("waiting", "counted", "table"), shares, strict=True)))
