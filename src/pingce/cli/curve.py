"""`pingce curve KIND FILE…`: curves of the rows of a table, as a table or as a figure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from pingce.base.atomic import write_whole
from pingce.base.errors import InputError
from pingce.base.tables import to_json
from pingce.base.text import Text, headed
from pingce.cli.jobs import at_work, reading_of
from pingce.cli.options import CURVES, THINNED, out_of_place
from pingce.cli.output import Printout, Style, chosen_format, tell, warning_line, write
from pingce.cli.predictions import read_models
from pingce.cli.progress import doing
from pingce.curves import tables
from pingce.curves.base import Curve, Mark
from pingce.curves.compare import CurveComparison, compare_curves
from pingce.request import Request

FIGURES = ("png", "svg")
_MOST_PAIRS = 10
"Of models that are compared with each other."


def show(kind: str, files: tuple[str, ...], **options: Any) -> None:
    """Read, compute, write."""
    out_format, settings = _format(options), _settings(kind, options)
    with at_work(Text(f"reading {', '.join(files)}", f"正在读取 {'、'.join(files)}")) as caught:
        curves, notes = _curves(kind, files, options, settings)
        pairs = list(combinations(curves, 2)) if kind in ("roc", "pr") else []
        compared = [compare_curves(*pair) for pair in pairs[:_MOST_PAIRS]]
        usual = THINNED if out_format in ("table", "md") else None
        thin = usual if options["thin"] is None else options["thin"] or None
        curves = [curve.thin(thin) for curve in curves]
        doing(Text(f"writing {out_format}", f"正在写出 {out_format}"))
        content = _rendered(curves, compared, out_format, options["places"])
    if not options["quiet"]:
        lines = [line for curve in curves for line in _lines(curve, out_format)]
        findings = [str(pair) for pair in compared if pair.is_finding]
        tell(*notes, *lines, *findings, *(warning_line(str(warning.message)) for warning in caught))
    if isinstance(content, bytes):
        write_whole(options["output"], content)
    else:
        write(content, options["output"])


def _format(options: Mapping[str, Any]) -> str:
    """The format of the call; what cannot be written is refused before any work."""
    out_format = chosen_format(options, "curve")
    if out_format in FIGURES:
        from pingce.curves.plot import drawing_module

        drawing_module()
        if options["output"] is None:
            raise InputError(
                f"a figure goes to a file: add -o curve.{out_format}", f"图须写入文件：请加 -o curve.{out_format}"
            )
    return out_format


def _settings(kind: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of this kind of curve; those of others are refused."""
    bins = {name: options[name] for name in ("bins", "binning") if options[name] is not None}
    thresholds = {"thresholds": options["threshold"]} if options["threshold"] else {}
    cost = {"cost": options["cost"]} if options["cost"] else {}
    others = {**(thresholds if kind == "calibration" else bins), **(cost if kind != "cost" else {})}
    flags = ["--threshold" if name == "thresholds" else f"--{name}" for name in others]
    other = out_of_place(options, (CURVES[kind].name,), "curve")
    for flag in flags if other is None else [other.flag]:
        title = CURVES[kind].curves[kind]
        raise InputError(
            f"{flag} means nothing to the {title.en}; leave it out", f"{flag} 对{title.zh}没有意义；请去掉"
        )
    return bins if kind == "calibration" else thresholds | cost


def _curves(
    kind: str, files: Sequence[str], options: Mapping[str, Any], settings: Mapping[str, Any]
) -> tuple[list[Curve], list[Text]]:
    task = CURVES[kind]
    request = Request.of(task.name, reading=reading_of(options), positive=options["positive"])
    models, notes = read_models(request, files, options)
    evidence_of, curve_of = task.load("curve_evidence"), task.load("curves")
    curves = []
    for name in list(models):
        evidence = evidence_of(*models.pop(name), options["threads"])
        notes += evidence.notes
        curves.append(curve_of(kind, evidence, name=name, **settings))
    return curves, notes


def _rendered(
    curves: Sequence[Curve], compared: Sequence[CurveComparison], out_format: str, places: int
) -> str | bytes:
    if out_format in FIGURES:
        import logging

        from pingce.curves.plot import picture, plot_curves

        logging.getLogger("matplotlib.font_manager").setLevel(
            logging.ERROR
        )  # which weight of a font it took is no news
        return picture(plot_curves(*curves), out_format)
    others = {
        "csv": lambda: tables.delimited(curves, ","),
        "tsv": lambda: tables.delimited(curves, "\t"),
        "json": lambda: to_json(tables.document(curves, compared)),
    }
    document = Printout(lambda: [tables.reading_table(curves)], others=others)
    return document.text(Style(out_format, places, terminal=True))


def _lines(curve: Curve, out_format: str) -> list[str]:
    """Figures of a model, the points of thresholds that were named, and what was left out."""
    lines = [headed(curve.model, _numbers(curve.summary))] if curve.summary else []
    if curve.kind != "confusion":
        lines += [_marked(curve.model, mark) for mark in curve.marks if not mark.largest]
    if curve.thinned and out_format not in FIGURES:
        note = Text(
            f"{curve.model}: {len(curve)} of {curve.points} points, all exact; --thin 0 gives all",
            f"{curve.model}：{curve.points} 个点中的 {len(curve)} 个，均为精确值；--thin 0 给出全部",
        )
        lines.append(str(note))
    return lines


def _marked(model: str, mark: Mark) -> str:
    point = _numbers(mark.row)
    return str(Text(f"{model} at score ≥ {mark.threshold:g}: {point}", f"{model}，分数 ≥ {mark.threshold:g}：{point}"))


def _numbers(values: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {'–' if math.isnan(value) else f'{value:.6g}'}" for name, value in values.items())
