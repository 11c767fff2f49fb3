"""`pingce curve KIND FILE…`: curves of labels and scores, as a table or as a figure."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import click

from pingce.base.errors import InputError
from pingce.base.text import Text, headed
from pingce.cli.group import Command, files_argument
from pingce.cli.options import FORMATS, THINNED, parameters
from pingce.curves.base import Curve, Mark
from pingce.curves.binary import TITLES, curve_of
from pingce.curves.compare import CurveComparison, compare_curves
from pingce.tasks.binary import BINARY

FIGURES = ("png", "svg")
_MOST_PAIRS = 10
"Of models that are compared with each other."


def build() -> click.Command:
    """The command, in the language in force."""
    return Command(
        "curve",
        Text(
            f"The curve of a model: KIND is one of {', '.join(TITLES)}. FILEs are tables with columns for labels and scores; several --score columns or FILEs are several models, drawn in one figure. -o x.csv, .tsv, .json, .md, .png or .svg.",
            f"画出或列出模型的曲线：KIND 可为 {'、'.join(TITLES)}。FILE 是含标签列与分数列的表；多个 --score 列或多个 FILE 即多个模型，画在同一张图中。-o 可为 x.csv、.tsv、.json、.md、.png 或 .svg。",
        ),
        [
            click.Argument(["kind"], metavar="KIND", type=click.Choice(list(TITLES))),
            files_argument("FILE..."),
            *parameters("curve"),
        ],
        show,
        ("pingce curve roc preds.parquet --label click --score pctr --threshold 0.5 -o roc.svg",),
    )


def show(kind: str, files: tuple[str, ...], **options: Any) -> None:
    """Read, compute, write."""
    from pingce.base.atomic import write_whole
    from pingce.cli.output import write
    from pingce.cli.progress import Progress

    out_format, settings = _format(options["out_format"], options["output"]), _settings(kind, options)
    with warnings.catch_warnings(record=True) as caught, Progress() as progress:
        warnings.simplefilter("always")
        progress.at(Text(f"reading {', '.join(files)}", f"正在读取 {'、'.join(files)}"))
        curves, notes = _curves(kind, files, options, settings)
        pairs = list(combinations(curves, 2)) if kind in ("roc", "pr") else []
        compared = [compare_curves(*pair) for pair in pairs[:_MOST_PAIRS]]
        usual = THINNED if out_format in ("table", "md") else None
        thin = usual if options["thin"] is None else options["thin"] or None
        curves = [curve.thin(thin) for curve in curves]
        progress.at(Text(f"writing {out_format}", f"正在写出 {out_format}"))
        content = _rendered(curves, compared, out_format, options["places"])
    if not options["quiet"]:
        _say(curves, compared, out_format, notes, [str(warning.message) for warning in caught])
    if isinstance(content, bytes):
        write_whole(options["output"], content)
    else:
        write(content, options["output"])


def _format(named: str | None, output: Path | None) -> str:
    """The format asked for, else the one the file's suffix means; what cannot be written is refused before any work."""
    from pingce.cli.output import chosen_format

    out_format = chosen_format(named, output, FORMATS["curve"])
    if out_format in FIGURES:
        from pingce.curves.plot import drawing_module

        drawing_module()
        if output is None:
            raise InputError(
                f"a figure goes to a file: add -o curve.{out_format}", f"图须写入文件：请加 -o curve.{out_format}"
            )
    return out_format


def _settings(kind: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of this kind of curve; those of others are refused."""
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
    kind: str, files: Sequence[str], options: Mapping[str, Any], settings: Mapping[str, Any]
) -> tuple[list[Curve], list[Text]]:
    from pingce.cli.jobs import reading_of
    from pingce.cli.predictions import read_models
    from pingce.evidence.binary.evidence import BinaryEvidence
    from pingce.request import Request

    request = Request.of(BINARY.name, reading=reading_of(options), positive=options["positive"])
    models, notes = read_models(request, files, options)
    notes += [note for rows in models.values() for note in rows.notes]
    curves = []
    for name in list(models):
        evidence = BinaryEvidence(models.pop(name), ("thresholds",), threads=options["threads"])
        curves.append(curve_of(kind, evidence, name=name, **settings))
    return curves, notes


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
    """Say how files were read, figures of each model, what was left out, how two models compare, and warnings, on stderr."""
    from pingce.cli.notes import tell, warning_line

    lines = [str(note) for note in notes]
    for curve in curves:
        figures = ", ".join(f"{name} {_number(value)}" for name, value in curve.summary.items())
        lines.append(headed(curve.model, figures) if figures else "")
        lines += [_marked(curve.model, mark) for mark in curve.marks if not mark.largest and curve.kind != "confusion"]
        if curve.thinned and out_format not in FIGURES:
            note = Text(
                f"{curve.model}: {len(curve)} of {curve.points} points, all exact; --thin 0 gives all",
                f"{curve.model}：{curve.points} 个点中的 {len(curve)} 个，均为精确值；--thin 0 给出全部",
            )
            lines.append(str(note))
    tell(*lines, *(str(pair) for pair in compared if pair.is_finding), *map(warning_line, warned))
