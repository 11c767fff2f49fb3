"""`pingce split` and `pingce leak`: what comes before a number."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from pingce.base.errors import InputError
from pingce.base.progress import part
from pingce.base.text import Text, listed
from pingce.cli.jobs import at_work, reading_of, refuse_stdin_twice
from pingce.cli.options import LISTS
from pingce.cli.output import Printout, Style, chosen_format, tell, warning_line, write
from pingce.cli.progress import doing
from pingce.protocols.interactions import Naming
from pingce.protocols.leak import find_leaks
from pingce.protocols.methods import SplitSettings
from pingce.protocols.split import split_log

FAILED = 1


def write_split(file: str, **options: Any) -> None:
    """Read a log, split it, write a file a part."""
    if options["output"] is None:
        raise InputError(
            "say where the parts go: -o FOLDER, which gets train, test …",
            "请指明写到哪里：-o 文件夹，其中写入 train、test 等",
        )
    sizes = (_number(options["test"]), _number(options["validation"]) or 0)
    moments = tuple(map(_moment, options["at"])) or None
    settings = SplitSettings.of(options["how"], *sizes, folds=options["folds"], seed=options["seed"], at=moments)
    with at_work(Text(f"reading {file}", f"正在读取 {file}")) as caught:
        split = split_log(file, settings, _naming(options), reading_of(options, LISTS))
        doing(Text("writing", "正在写入"))
        with part(0.5, 1):
            paths = split.write(options["output"], file_format=options["out_format"])
    if not options["quiet"]:
        names = listed([str(path) for path in paths])
        written = Text(f"{names.en} written", f"已写入 {names.zh}")
        tell(*split.notes, *(warning_line(str(warning.message)) for warning in caught), written)
    write(Printout(lambda: [split.count_table()]).text(Style("table", terminal=True)), None)


def show_leaks(train: str, test: str, **options: Any) -> None:
    """Read two logs and say what leaks."""
    refuse_stdin_twice((train, test))
    style = Style(chosen_format(options, "leak"), options["places"], terminal=options["output"] is None)
    with at_work(Text(f"reading {train}", f"正在读取 {train}")) as caught:
        leakage = find_leaks(train, test, _naming(options), reading_of(options, LISTS))
        others = {"json": leakage.to_json}
        text = Printout(lambda: [leakage.table()], data=leakage.data_table, others=others).text(style)
    if not options["quiet"]:
        tell(*leakage.notes, *(warning_line(str(warning.message)) for warning in caught), leakage.summary)
    write(text, options["output"])
    if options["strict"] and not leakage.clean:
        sys.exit(FAILED)


def _naming(options: Mapping[str, Any]) -> Naming:
    return Naming(options["user"], options["item"], options["time"])


def _number(size: float | None) -> float | None:
    """A whole number of rows as such."""
    return int(size) if size is not None and size == int(size) else size


def _moment(text: str) -> str | float:
    """A moment as written: a number, or text."""
    try:
        return int(text)
    except ValueError:
        return text
