"""How the memory that may be used is shared out."""

from __future__ import annotations

from dataclasses import dataclass

from pingce.run.partition import MOST_PARTS, most_parts


@dataclass(frozen=True)
class Shares:
    """How much of the memory each thing may take, in bytes."""

    chunk: int
    "Rows that are read at once; one chunk is read ahead, and one or two wait for their turn."
    part: int
    "Rows of a part that come from temporary files at once; a larger part is dealt again."
    query: int
    "Rows of one query: they are there all at once, and several times over while they are ranked."
    whole: int
    "A truth, or pairs to exclude, that are read once and stay."
    files: int = MOST_PARTS
    "Not bytes: how many parts are dealt to at one time."

    @staticmethod
    def of(memory: int) -> Shares:
        """What is left of the memory belongs to evidence, and to Python itself."""
        return Shares(min(memory // 64, 1 << 25), memory // 16, memory // 4, memory // 4, most_parts())
