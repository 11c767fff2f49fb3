"""What is said beside the numbers, on stderr: how inputs were read, what was counted, what may mislead."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pingce.base.errors import one_line
from pingce.base.text import Text, headed

if TYPE_CHECKING:
    from pingce.scores import Scores


def say(
    scores: Mapping[str, Scores], warnings: Sequence[str], notes: Sequence[str] = (), explained: Sequence[str] = ()
) -> None:
    """Each note once; counts and warnings a run; then whatever else was warned of, and what was explained."""
    lines = [*notes, *(str(note) for run in scores.values() for note in run.notes)]
    for name, run in scores.items():
        lines.append(headed(name, counted(run)))
        lines += [str(Text(f"{name}: warning: {text}", f"{name}：注意：{text}")) for text in run.warnings]
    of_runs = {str(text) for run in scores.values() for text in run.warnings}
    lines += [warning_line(text) for text in warnings if text not in of_runs]
    tell(*lines, *explained)


def tell(*lines: Text | str) -> None:
    """Write each line once, to stderr."""
    for line in dict.fromkeys(filter(None, map(str, lines))):
        sys.stderr.write(one_line(line) + "\n")


def warning_line(text: str) -> str:
    """A warning as a line."""
    return str(Text(f"warning: {text}", f"注意：{text}"))


def counted(scores: Scores) -> str:
    """What the values stand on."""
    texts = scores.count_texts()
    return str(Text("; ".join(text.en for text in texts), "；".join(text.zh for text in texts)))
