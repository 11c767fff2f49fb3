"""Where results go: rendered in a format, to the terminal or to a file that is whole or not there."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pingce.base.atomic import refuse_suffix, write_whole
from pingce.base.errors import InputError

if TYPE_CHECKING:
    from pingce.scores import Scores

_SUFFIXES = {
    ".json": "json",
    ".jsonl": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
    ".md": "md",
    ".tex": "latex",
    ".html": "html",
    ".htm": "html",
    ".png": "png",
    ".svg": "svg",
}


def chosen_format(named: str | None, output: Path | None, formats: Sequence[str]) -> str:
    """The format that -f names, else the one the file's suffix means; without a suffix, or with .txt, the first of `formats`."""
    if named or output is None:
        return named or formats[0]
    endings = {suffix: name for suffix, name in _SUFFIXES.items() if name in formats} | {".txt": formats[0]}
    suffix = refuse_suffix(output, endings, or_option="-f")
    return endings.get(suffix, formats[0])


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

    def __post_init__(self) -> None:
        if (self.bom or self.escape_formulas) and self.out_format not in ("csv", "tsv"):
            option = "--bom" if self.bom else "--escape-formulas"
            raise InputError(
                f"{option} is for CSV and TSV, not for {self.out_format}; add -f csv or -f tsv",
                f"{option} 只用于 CSV 和 TSV，不用于 {self.out_format}；请加 -f csv 或 -f tsv",
            )


def render(scores: Mapping[str, Scores], style: Style) -> str:
    """All runs in one text."""
    from pingce.base import tables as base
    from pingce.base.latex import latex_document, latex_notes
    from pingce.base.terminal import draw
    from pingce.scores.document import documents, json_lines
    from pingce.scores.tables import data_table, definitions, reading_tables, trec_lines

    places, per_query = style.places, style.per_query

    slices = {name: run.slices for name, run in scores.items() if run.slices is not None}

    def delimited(delimiter: str) -> str:
        table = data_table(scores, per_query=per_query)
        if slices and not per_query:
            from pingce.scores.slices import slice_table

            table = slice_table(slices)
        return base.delimited(table, delimiter, escape_formulas=style.escape_formulas, bom=style.bom)

    formats: dict[str, Callable[[], str]] = {
        "json": lambda: base.to_json(documents(scores, per_query=per_query)),
        "jsonl": lambda: json_lines(scores, per_query=per_query),
        "csv": lambda: delimited(","),
        "tsv": lambda: delimited("\t"),
        "trec": lambda: trec_lines(scores, places, per_query=per_query),
        "md": lambda: "\n\n".join([*(base.markdown(table, places) for table in tables), *map(code, defined)]),
        "latex": lambda: latex_document(
            *(base.latex(table, places) for table in tables), latex_notes(definitions(scores, full=True))
        ),
        "table": lambda: "\n\n".join([*(draw(table, places, fancy=fancy) for table in tables), "\n".join(defined)]),
    }
    code = base.markdown_text
    defined = definitions(scores, full=style.verbose)
    fancy = style.terminal and sys.stdout.isatty()
    tables = reading_tables(scores, per_query=per_query)
    if slices:
        from pingce.scores.slices import slice_reading_tables

        if style.out_format == "trec":
            raise InputError(
                "--by has no place in trec_eval's lines; choose another format",
                "trec 格式无法写出 --by 的切片；请换一种格式",
            )
        tables += slice_reading_tables(slices, places)
    return formats[style.out_format]()


def write(text: str, output: Path | None) -> None:
    """Print, or write a temporary file beside the output and rename it."""
    if output is None:
        sys.stdout.write(text + "\n")
        return
    write_whole(output, (text + "\n").encode("utf-8", "backslashreplace"))
