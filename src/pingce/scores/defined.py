"""How numbers were defined, as lines below a table: what is not at its default, or every choice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pingce import __version__
from pingce.base.errors import one_line
from pingce.base.text import Text

if TYPE_CHECKING:
    from pingce.scores.base import Scores


def _unsaid(name: str, differences: str) -> str:
    """Differences that the spelling of the metric does not show by itself."""
    parts = differences.split("|") if differences else []
    return "|".join(part for part in parts if part.replace(":", "=", 1) not in name.replace(" ", ""))


def definitions(runs: Mapping[str, Scores], *, full: bool = False) -> list[str]:
    """One line a metric: its signature if `full`, else what differs from the default; one line in all if nothing does."""
    lines: dict[str, None] = {}
    plain = True
    for scores in runs.values():
        for name in scores:
            plain = plain and not scores.differences(name)
            words = scores.signature(name) if full else _unsaid(name, scores.differences(name))
            lines |= {one_line(f"{name}: {words}"): None} if words else {}
    if lines:
        return list(lines)
    everything = Text("all definitions are", "各项定义均为")
    if not plain:
        everything = Text("beyond what the names say, all definitions are", "除名称所示外，各项定义均为")
    return [
        str(
            Text(
                f"{everything.en} the defaults of pingce {__version__}",
                f"{everything.zh} pingce {__version__} 的默认值",
            )
        )
    ]
