"""Where results go: written in a format, to the terminal or to a file that is whole or not there; notes go to stderr."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pingce.base.addresses import public_text
from pingce.base.atomic import refuse_suffix, write_whole
from pingce.base.errors import InputError, one_line
from pingce.base.records import dataclass
from pingce.base.text import Text, headed
from pingce.cli.options import FORMATS

if TYPE_CHECKING:
    from pingce.base.tables import Table
    from pingce.scores import Scores

_OTHER_NAMES = {"tex": "latex", "htm": "html"}
_ENDINGS = ("json", "jsonl", "csv", "tsv", "md", "tex", "html", "htm", "png", "svg")
_SUFFIXES = {f".{ending}": _OTHER_NAMES.get(ending, ending) for ending in _ENDINGS}


def chosen_format(options: Mapping[str, Any], command: str) -> str:
    """The format that -f names, else the one the file's suffix means; without a suffix, or with .txt, the command's first."""
    name, output, formats = options["out_format"], options["output"], FORMATS[command]
    if name or output is None:
        return name or formats[0]
    endings = {suffix: name for suffix, name in _SUFFIXES.items() if name in formats} | {".txt": formats[0]}
    return endings.get(refuse_suffix(output, endings, or_option="-f"), formats[0])


@dataclass(frozen=True)
class Style:
    """How results are written: the options that a format may use."""

    out_format: str
    places: int = 4
    per_query: bool = False
    terminal: bool = False
    escape_formulas: bool = False
    bom: bool = False
    verbose: bool = False
    "Whether definitions are written in full."

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Style:
        """How the options of `pingce eval` ask for it; wrong combinations are refused before any work."""
        names = ("places", "per_query", "escape_formulas", "bom", "verbose")
        style = {name: options[name] for name in names}
        return cls(chosen_format(options, "eval"), terminal=options["output"] is None, **style)

    def __post_init__(self) -> None:
        if (self.bom or self.escape_formulas) and self.out_format not in ("csv", "tsv"):
            option = "--bom" if self.bom else "--escape-formulas"
            raise InputError(
                f"{option} is for CSV and TSV, not for {self.out_format}; add -f csv or -f tsv",
                f"{option} 只用于 CSV 和 TSV，不用于 {self.out_format}；请加 -f csv 或 -f tsv",
            )

    @property
    def fancy(self) -> bool:
        """Whether tables are drawn for a terminal."""
        return self.terminal and sys.stdout.isatty()


@dataclass(frozen=True)
class Printout:
    """A result, as the formats take it; each part is made when a format wants it."""

    tables: Callable[[], Sequence[Table]]
    "To be read, one below the other."
    lines: Callable[[bool], Sequence[str]] | None = None
    "Below the tables; in full, or as short as the style asks."
    data: Callable[[], Table] | None = None
    "The one table of CSV and TSV."
    others: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    "Formats that are written otherwise."

    def text(self, style: Style) -> str:
        """The result in the format of the style."""
        from pingce.base import tables as base

        name, places = style.out_format, style.places
        if name in self.others:
            return self.others[name]()
        if self.data is not None and name in ("csv", "tsv"):
            delimiter = "," if name == "csv" else "\t"
            return base.delimited(self.data(), delimiter, escape_formulas=style.escape_formulas, bom=style.bom)
        if name == "latex":
            from pingce.base.latex import latex_document, latex_notes

            notes = [] if self.lines is None else [latex_notes(self.lines(True))]
            return latex_document(*(base.latex(table, places) for table in self.tables()), *notes)
        lines = [] if self.lines is None else self.lines(style.verbose)
        if name == "md":
            tables = [base.markdown(table, places) for table in self.tables()]
            return "\n\n".join([*tables, *map(base.markdown_text, lines)])
        from pingce.base.tables import draw

        tables = [draw(table, places, fancy=style.fancy) for table in self.tables()]
        return "\n\n".join([*tables, *([] if self.lines is None else ["\n".join(lines)])])


def write(text: str, output: Path | None) -> None:
    """Print, or write a temporary file beside the output and rename it."""
    if output is None:
        sys.stdout.write(text + "\n")
    else:
        write_whole(output, (text + "\n").encode("utf-8", "backslashreplace"))


def say(
    scores: Mapping[str, Scores], warnings: Sequence[str], notes: Iterable[Text] = (), last: Iterable[str] = ()
) -> None:
    """Each note once; counts and warnings of each run; then whatever else was warned of, and the last words."""
    lines = [*map(str, notes), *(str(note) for run in scores.values() for note in run.notes)]
    for name, run in scores.items():
        lines.append(headed(name, counts_of(run)))
        lines += [str(Text(f"{name}: warning: {text}", f"{name}：注意：{text}")) for text in run.warnings]
    of_runs = {str(text) for run in scores.values() for text in run.warnings}
    tell(*lines, *(warning_line(text) for text in warnings if text not in of_runs), *last)


def tell(*lines: Text | str) -> None:
    """Write each line once, to stderr."""
    for line in dict.fromkeys(filter(None, map(str, lines))):
        sys.stderr.write(one_line(public_text(line)) + "\n")


def warning_line(text: str) -> str:
    """A warning as a line."""
    return str(Text(f"warning: {text}", f"注意：{text}"))


def counts_of(scores: Scores) -> str:
    """What the values stand on."""
    from pingce.scores.tables import count_line

    return str(count_line(scores))
