"""What the numbers say, beside the table: a label and a sentence per point, model by model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pingce.base.errors import one_line
from pingce.base.tables import markdown_text, width
from pingce.base.text import headed
from pingce.diagnosis.points import Point

if TYPE_CHECKING:
    from pingce.scores import Scores

Reading = tuple[str, Sequence[Point]]
"A model, or nobody where there is only one, and its points."


def readings(scores: Mapping[str, Scores], *, are_rivals: bool = True) -> list[Reading]:
    """The points of each model, and what shows only between models."""
    several = len(scores) > 1
    blocks: list[Reading] = [
        (name if several else "", run.diagnosis["points"].points()) for name, run in scores.items()
    ]
    texts = next(iter(scores.values())).between(scores) if several and are_rivals else []
    return [*blocks, *([("", [Point("between", text) for text in texts])] if texts else [])]


def lines(blocks: Sequence[Reading]) -> list[str]:
    """A line per point, which says of whom it speaks: for stderr."""
    return [one_line(headed(name, point) if name else str(point)) for name, points in blocks for point in points]


def markdown(blocks: Sequence[Reading]) -> str:
    """A list per model."""
    return "\n\n".join(_markdown(*block) for block in blocks)


def _markdown(name: str, points: Sequence[Point]) -> str:
    items = [f"- {headed(f'**{point.label}**', markdown_text(str(point.text)))}" for point in points]
    return "\n\n".join([*([markdown_text(name)] if name else []), "\n".join(items)])


def draw(blocks: Sequence[Reading], *, fancy: bool) -> str:
    """Labels left, sentences right; on a terminal folded within their column."""
    room = max(width(str(point.label)) for _, points in blocks for point in points)
    return "\n\n".join(_fancy(*block, room) if fancy else _plain(*block, room) for block in blocks)


def _plain(name: str, points: Sequence[Point], room: int) -> str:
    indent = "  " if name else ""
    return "\n".join([*([one_line(name)] if name else []), *(f"{indent}{_line(point, room)}" for point in points)])


def _line(point: Point, room: int) -> str:
    label = str(point.label)
    return f"{label}{' ' * (room - width(label))}  {one_line(str(point.text))}"


def _fancy(name: str, points: Sequence[Point], room: int) -> str:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, min_width=room)
    table.add_column(overflow="fold")
    for point in points:
        table.add_row(Text(str(point.label), style="bold"), Text(one_line(str(point.text))))
    console = Console()
    with console.capture() as captured:
        if name:
            console.print(Text(one_line(name), style="underline"))
        console.print(table)
    return "\n".join(line.rstrip() for line in captured.get().strip("\n").splitlines())
