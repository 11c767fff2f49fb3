"""What becomes of scores: rendered, explained where asked for, written; notes and counts go to stderr."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError, one_line
from pingce.base.tables import markdown_text
from pingce.base.text import Text
from pingce.cli.options import FORMATS
from pingce.cli.output import Style, chosen_format, render, write

if TYPE_CHECKING:
    from pingce.cli.jobs import Job
    from pingce.scores import Scores

_WITH_WORDS = ("table", "md")
"Formats that have room for sentences; JSON has the diagnosis anyway."


def style_of(options: Mapping[str, Any]) -> Style:
    """How results are to be written; wrong combinations are refused before any work."""
    return Style(
        chosen_format(options["out_format"], options["output"], FORMATS["eval"]),
        terminal=options["output"] is None,
        **{name: options[name] for name in ("places", "per_query", "escape_formulas", "bom", "verbose")},
    )


def present_job(
    job: Job, options: Mapping[str, Any], style: Style, caught: Sequence[Any], *notes: Text
) -> Mapping[str, Scores]:
    """Score what was read, and show it: as asked, or under several conventions side by side."""
    if options["conventions"] is not None:
        if options["by"]:
            raise InputError(
                "--conventions and --by do not go together; use one at a time",
                "--conventions 与 --by 不能同时使用；请分别使用",
            )
        from pingce.cli.side_by_side import side_by_side

        return side_by_side(job, options, style)
    scores = job.scores()
    present(scores, options, style, [str(warning.message) for warning in caught], *notes, *job.notes)
    return scores


def present(
    scores: Mapping[str, Scores], options: Mapping[str, Any], style: Style, warned: Sequence[str], *notes: Text
) -> None:
    """Results to stdout or a file; everything else to stderr."""
    text = render(scores, style)
    if options["worst"]:
        from pingce.cli.worst import worst

        text = "\n\n".join([text, worst(scores, options, style)])
    explained = explanations(scores) if options["explain_numbers"] else []
    if explained and style.out_format in _WITH_WORDS:
        words = explained if style.out_format == "table" else [markdown_text(line) for line in explained]
        text, explained = "\n\n".join([text, *words]), []
    if not options["quiet"]:
        from pingce.cli.notes import say

        sliced = [note for run in scores.values() if run.slices is not None for note in run.slices.notes]
        say(scores, warned, [str(note) for note in (*notes, *sliced)], explained)
    write(text, options["output"])


def explanations(scores: Mapping[str, Scores]) -> list[str]:
    """What the numbers say, a paragraph a model, and what shows only between models."""
    lines = []
    for name, run in scores.items():
        text = Text(**run.diagnosis["text"])
        lines.append(one_line(str(Text(f"{name}: {text.en}", f"{name}：{text.zh}")) if len(scores) > 1 else str(text)))
    if len(scores) > 1:
        lines += [one_line(str(text)) for text in next(iter(scores.values())).between(scores)]
    return lines
