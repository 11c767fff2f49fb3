"""`pingce curve KIND FILE…`: curves of labels and scores, as a table or as a figure."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pingce.base.errors import InputError, one_line
from pingce.base.text import Text, headed
from pingce.cli.group import OUTPUT, SEPARATOR, Command, files_argument, lang_option, with_default
from pingce.cli.prediction_options import column_options
from pingce.curves.binary import TITLES
from pingce.inputs.tables import input_format_help

if TYPE_CHECKING:
    from pingce.curves.base import Curve, Mark
    from pingce.curves.compare import CurveComparison

FIGURES = ("png", "svg")
FORMATS = ("table", "csv", "tsv", "json", "md", *FIGURES)
_READ = 25
"Points of a curve in a table that is read and not computed with."
_MOST_PAIRS = 10
"Of models that are compared with each other."


def build() -> click.Command:
    """The command, in the language in force."""
    return Command(
        "curve",
        params=[
            click.Argument(["kind"], metavar="KIND", type=click.Choice(list(TITLES))),
            files_argument("FILE..."),
            *column_options(),
            *_options(),
            lang_option(),
        ],
        callback=show,
        help=str(
            Text(
                f"The curve of a model: KIND is one of {', '.join(TITLES)}. FILEs are tables with columns for labels and scores; several --score columns or FILEs are several models, drawn in one figure. -o x.csv, .tsv, .json, .md, .png or .svg.",
                f"画出或列出模型的曲线：KIND 可为 {'、'.join(TITLES)}。FILE 是含标签列与分数列的表；多个 --score 列或多个 FILE 即多个模型，画在同一张图中。-o 可为 x.csv、.tsv、.json、.md、.png 或 .svg。",
            )
        ),
        epilog="pingce curve roc preds.parquet --label click --score pctr --threshold 0.5 -o roc.svg",
    )


def _options() -> list[click.Parameter]:
    said: list[tuple[list[str], dict[str, Any], Text]] = [
        (["--threshold"], {"type": float, "multiple": True}, Text("A threshold to mark; may be repeated. For confusion, the only ones shown.", "要标出的阈值，可重复给出；对 confusion 则只列出这些阈值。")),
        (["--bins"], {"type": click.IntRange(min=1)}, Text("Bins of calibration.", "校准曲线的分箱数。")),
        (["--binning"], {"type": click.Choice(["width", "quantile"])}, Text("Bins of equal width, or of equal numbers of rows.", "等宽（width）或等频（quantile）分箱。")),
        (["--thin"], {"type": click.IntRange(min=0)}, Text(f"At most so many points of each curve, 0: all; by default {_READ} in tables to read, all in data files.", f"每条曲线最多保留的点数，0 表示全部；默认在供阅读的表格中为 {_READ}，在数据文件中为全部。")),
        (["-f", "--format", "out_format"], {"type": click.Choice(FORMATS)}, Text("Format; by default a table, or by -o's suffix.", "输出格式；默认为表格，或由 -o 的后缀决定。")),
        OUTPUT,
        (["-p", "--places"], {"type": click.IntRange(min=-1, max=30), "default": 4}, Text("Decimals in tables; -1: all.", "表格的小数位数；-1 表示全部。")),
        (["--input-format"], {}, input_format_help(tabular=True)),
        SEPARATOR,
        (["--encoding"], {}, Text("Encoding of text files, e.g. gb18030; by default UTF-8.", "文本文件的编码，例如 gb18030；默认 UTF-8。")),
        (["--threads"], {"type": click.IntRange(min=1)}, Text("Threads; by default all cores, or PINGCE_THREADS.", "线程数；默认用全部核心，或 PINGCE_THREADS。")),
        (["--quiet"], {"is_flag": True}, Text("No notes on stderr.", "不在 stderr 输出说明。")),
    ]  # fmt: skip
    defaults = {"--bins": 15, "--binning": "width", "-p": 4}
    return [
        click.Option(
            names, help=with_default(text, defaults[names[0]]) if names[0] in defaults else str(text), **settings
        )
        for names, settings, text in said
    ]


def show(kind: str, files: tuple[str, ...], **options: Any) -> None:
    """Read, compute, write."""
    from pingce.base.atomic import write_whole
    from pingce.cli.output import write
    from pingce.cli.progress import Progress
    from pingce.curves.compare import compare_curves

    out_format, own = _format(options["out_format"], options["output"]), _own_options(kind, options)
    with warnings.catch_warnings(record=True) as caught, Progress() as progress:
        warnings.simplefilter("always")
        progress.at(Text(f"reading {', '.join(files)}", f"正在读取 {'、'.join(files)}"))
        curves, notes = _curves(kind, files, options, own)
        pairs = list(combinations(curves, 2)) if kind in ("roc", "pr") else []
        compared = [compare_curves(*pair) for pair in pairs[:_MOST_PAIRS]]
        curves = [curve.thin(_most(options["thin"], out_format)) for curve in curves]
        progress.at(Text(f"writing {out_format}", f"正在写出 {out_format}"))
        content = _rendered(curves, compared, out_format, options["places"])
    if not options["quiet"]:
        _say(curves, compared, out_format, notes, [str(warning.message) for warning in caught])
    if isinstance(content, bytes):
        write_whole(options["output"], content)
    else:
        write(content, options["output"])


def _format(given: str | None, output: Path | None) -> str:
    """The format asked for, else the one the file's suffix means; what cannot be written is refused before any work."""
    from pingce.cli.output import chosen_format

    found = chosen_format(given, output, FORMATS)
    if found in FIGURES:
        from pingce.curves.plot import drawing_module

        drawing_module()
        if output is None:
            raise InputError(f"a figure goes to a file: add -o curve.{found}", f"图须写入文件：请加 -o curve.{found}")
    return found


def _own_options(kind: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the kind; those of others are refused."""
    bins = {name: options[name] for name in ("bins", "binning") if options[name] is not None}
    thresholds = {"thresholds": options["threshold"]} if options["threshold"] else {}
    foreign = thresholds if kind == "calibration" else bins
    for name in foreign:
        option = "--" + name.removesuffix("s") if name == "thresholds" else "--" + name
        raise InputError(
            f"{option} means nothing to the {TITLES[kind].en}; leave it out",
            f"{option} 对{TITLES[kind].zh}没有意义；请去掉",
        )
    return bins if kind == "calibration" else thresholds


def _curves(
    kind: str, files: Sequence[str], options: Mapping[str, Any], own: Mapping[str, Any]
) -> tuple[list[Curve], list[Text]]:
    from pingce.cli.predictions import read_models
    from pingce.curves.binary import curve_of
    from pingce.evidence.binary.evidence import BinaryEvidence
    from pingce.inputs.columns import Reading
    from pingce.request import Request

    reading = Reading(None, options["input_format"], options["encoding"], options["threads"])
    request = Request.of("binary", reading=reading, positive=options["positive"])
    models, notes = read_models(request, files, options)
    notes += [note for rows in models.values() for note in rows.notes]
    found = []
    for name in list(models):
        evidence = BinaryEvidence(models.pop(name), ("thresholds",), threads=options["threads"])
        found.append(curve_of(kind, evidence, name=name, **own))
    return found, notes


def _most(given: int | None, out_format: str) -> int | None:
    if given is None:
        return _READ if out_format in ("table", "md") else None
    return given or None


def _rendered(
    curves: Sequence[Curve], compared: Sequence[CurveComparison], out_format: str, places: int
) -> str | bytes:
    from pingce.base.tables import markdown, to_json
    from pingce.curves import tables

    def table() -> str:
        from pingce.base.terminal import draw

        return draw(tables.reading_table(curves), places, fancy=sys.stdout.isatty())

    formats: dict[str, Callable[[], str | bytes]] = {
        "table": table,
        "csv": lambda: tables.delimited(curves, ","),
        "tsv": lambda: tables.delimited(curves, "\t"),
        "json": lambda: to_json(tables.document(curves, compared)),
        "md": lambda: markdown(tables.reading_table(curves), places),
    }
    return _figure(curves, out_format) if out_format in FIGURES else formats[out_format]()


def _figure(curves: Sequence[Curve], out_format: str) -> bytes:
    import logging

    from pingce.curves.plot import picture, plot_curves

    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # which weight of a font it took is no news
    return picture(plot_curves(*curves), out_format)


def _number(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.6g}"


def _marked(model: str, mark: Mark) -> str:
    """The point of a threshold that was given."""
    there = ", ".join(f"{name} {_number(value)}" for name, value in mark.row.items())
    return str(Text(f"{model} at score ≥ {mark.threshold:g}: {there}", f"{model}，分数 ≥ {mark.threshold:g}：{there}"))


def _say(
    curves: Sequence[Curve],
    compared: Sequence[CurveComparison],
    out_format: str,
    notes: Sequence[Text],
    warned: Sequence[str],
) -> None:
    """How files were read, figures of each model, what was left out, how two models compare, and warnings, on stderr."""
    lines = [str(note) for note in notes]
    for curve in curves:
        figures = ", ".join(f"{name} {_number(value)}" for name, value in curve.summary.items())
        lines.append(headed(curve.model, figures) if figures else "")
        lines += [_marked(curve.model, mark) for mark in curve.marks if not mark.largest and curve.kind != "confusion"]
        if curve.thinned and out_format not in FIGURES:
            lines.append(
                str(
                    Text(
                        f"{curve.model}: {len(curve)} of {curve.points} points, all exact; --thin 0 gives all",
                        f"{curve.model}：{curve.points} 个点中的 {len(curve)} 个，均为精确值；--thin 0 给出全部",
                    )
                )
            )
    lines += [str(one) for one in compared if one.is_finding]
    lines += [str(Text(f"warning: {text}", f"注意：{text}")) for text in warned]
    for line in dict.fromkeys(filter(None, lines)):
        sys.stderr.write(one_line(line) + "\n")
