"""Figures of curves: the way into matplotlib, which may be missing, and out to a file."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pingce.base.atomic import write_whole
from pingce.base.errors import InputError
from pingce.base.text import Language
from pingce.curves.base import Curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("png", "svg")
_NAME = re.compile(rb'(?<=[#"])(?:[A-Za-z0-9_]*?)[0-9a-f]{10}(?=[")])')


def plot_curves(
    *curves: Curve,
    ax: Axes | None = None,
    path: str | os.PathLike[str] | None = None,
    language: Language | None = None,
) -> Figure:
    """Draw curves of one kind, a model each, into `ax` or a new figure; `path` (.png or .svg) also saves it.

    Of long curves some 2,000 exact points are drawn. Nothing is done to matplotlib's global state.
    """
    kinds = {getattr(curve, "kind", type(curve).__name__) for curve in curves}
    if len(kinds) != 1 or not all(isinstance(curve, Curve) for curve in curves):
        listed = ", ".join(sorted(kinds)) or "–"
        raise InputError(
            f"one figure shows curves of one kind, at least one; given: {listed}",
            f"一张图只画同一种曲线，且至少一条；现有：{listed}",
        )
    return draw(path, ax, lambda drawing: drawing.figure_of(curves, ax, language))


def draw(path: str | os.PathLike[str] | None, ax: Axes | None, figure_of: Callable[[Any], Figure]) -> Figure:
    """A figure by the module that draws, saved where there is a path; `ax` is what a caller gave to draw into."""
    if ax is not None and not hasattr(ax, "get_figure"):
        kind = type(ax).__name__
        raise InputError(
            f"ax= is a {kind}; give an Axes of matplotlib, such as `figure, ax = plt.subplots()` makes, or leave it out",
            f"ax= 是 {kind}；请给出 matplotlib 的 Axes，例如 `figure, ax = plt.subplots()` 所得，或不给",
        )
    out_format = "" if path is None else Path(path).suffix.lower().removeprefix(".")
    if path is not None and out_format not in FORMATS:
        raise InputError(
            f"{path}: a figure is saved as .png or .svg; give the file one of these endings",
            f"{path}：图只能存为 .png 或 .svg；请使用其中一种后缀",
        )
    figure = figure_of(drawing_module())
    if path is not None:
        write_whole(Path(path), picture(figure, out_format))
    return figure


def drawing_module() -> Any:
    """The module that draws: it and matplotlib are imported when something is drawn."""
    try:
        import matplotlib as _  # noqa: F401
    except ImportError:
        raise InputError(
            "figures need matplotlib, which is not installed: pip install 'matplotlib>=3.8'",
            "画图需要 matplotlib，而它尚未安装：pip install 'matplotlib>=3.8'",
        ) from None
    from pingce.curves import drawing

    return drawing


def picture(figure: Figure, out_format: str) -> bytes:
    """The figure as the bytes of a file: the same figure gives the same bytes."""
    out = io.BytesIO()
    metadata = {"Software": None} if out_format == "png" else {"Date": None, "Creator": None}
    figure.savefig(out, format=out_format, dpi=160, metadata=metadata, facecolor="white")
    if out_format == "png":
        return out.getvalue()
    # Ids that matplotlib draws at random, numbered instead: its own setting for this is a global one.
    number = {name: b"i%d" % i for i, name in enumerate(dict.fromkeys(_NAME.findall(out.getvalue())))}
    return _NAME.sub(lambda match: number[match[0]], out.getvalue())
