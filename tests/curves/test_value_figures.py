"""Values and differences drawn: every number is there, intervals are bars, and names are only names."""

from __future__ import annotations

import re
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text as Words

import pingce as pc
from pingce.base.errors import InputError
from pingce.curves.values import number

HOSTILE = "$x_1$\x1b[31m<b>\n_"
TRUTH = {f"q{at}": {"a": 1, "b": 0, "c": at % 2} for at in range(8)}
GOOD = {query: {"a": 3, "c": 2, "b": 1} for query in TRUTH}
BAD = {query: {"b": 3, "a": 1 + at % 3, "c": 2} for at, query in enumerate(TRUTH)}


def said(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Words) if text.get_text()]


def places(line: Line2D) -> list[float]:
    xs: list[float] = np.asarray(line.get_xdata()).tolist()
    return xs


def ends(figure: Figure) -> list[tuple[float, ...]]:
    """Low and high of every bar; the line at 0 is none."""
    bars = [
        line for axes in figure.axes for line in axes.lines if line.get_linestyle() == "-" and len(places(line)) == 2
    ]
    return [tuple(places(bar)) for bar in bars if places(bar) != [0, 0]]


def test_values_with_their_intervals() -> None:
    scores = pc.evaluate_ranking(TRUTH, BAD, ["ndcg@10", "rr", "num_ret"], ci=0.9, samples=50)
    figure = scores.plot(language="en")
    assert len(figure.axes) == 2, "a count has an axis of its own"
    low, high = scores.interval("ndcg@10") or (0, 0)
    assert (low, high) in ends(figure)
    assert f"{scores['ndcg@10']:.4f} [{low:.4f}, {high:.4f}]" in said(figure)
    assert {"ndcg@10", "rr", "num_ret", "value, 90 % interval"} <= set(said(figure))
    assert figure.axes[0].get_xlim() == pytest.approx((-0.01, 1.01))
    plain = pc.evaluate_ranking(TRUTH, BAD, ["rr"]).plot(language="en")
    assert ends(plain) == []
    assert "value" in said(plain)


def test_differences_of_a_comparison(tmp_path: Path) -> None:
    compared = pc.compare(TRUTH, {"good": GOOD, HOSTILE: BAD, "same": GOOD}, ["ndcg@10", "rr"], samples=100)
    figure = compared.plot(path=tmp_path / "x.svg", language="en")
    assert (tmp_path / "x.svg").read_bytes().startswith(b"<?xml")
    assert len(figure.axes) == 2
    gap = compared.difference("ndcg@10", HOSTILE)
    assert gap.interval in ends(figure)
    texts = said(figure)
    assert any(text.startswith(f"−{abs(gap.value):.4f}  p ") for text in texts)
    assert "ndcg@10" in texts, "as it is spelled, not with a capital"
    assert "difference to good, 95 % interval, higher is better" in texts
    assert {"significant (p ≤ 0.05, holm)", "not significant"} <= set(texts)
    assert not any("\n" in text or "\x1b" in text for text in texts)
    hollow = [places(line) for line in figure.axes[0].lines if line.get_markerfacecolor() == "white"]
    assert [0.0] in hollow, "the same list is not significantly better"
    values = compared.plot("rr", kind="values", language="en")
    assert {"good", "same", "1.0000 [1.0000, 1.0000]"} & set(said(values))


def test_into_axes_of_the_caller() -> None:
    figure = Figure()
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2)
    scores = pc.evaluate_ranking(TRUTH, BAD, ["ndcg@10", "rr", "num_ret"])
    settings = dict(mpl.rcParams)
    assert scores.plot(["ndcg@10", "rr"], ax=left) is figure
    compared = pc.compare(TRUTH, {"good": GOOD, "bad": BAD}, ["ndcg@10", "rr"], samples=100)
    assert compared.plot("rr", ax=right) is figure
    assert dict(mpl.rcParams) == settings
    with pytest.raises(InputError, match=r"ax= has room for one axis, but these metrics need 2; name fewer"):
        scores.plot(ax=left)
    with pytest.raises(InputError, match=r"ax= is a int; give an Axes of matplotlib"):
        scores.plot("rr", ax=3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="kind"):
        compared.plot(kind="ratios")
    with pytest.raises(KeyError, match="was not compared"):
        compared.plot("map")
    with pytest.raises(KeyError, match="was not computed"):
        scores.plot("map")
    with pytest.raises(InputError, match="language='fr': choose one of zh, en"):
        scores.plot("rr", language="fr")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="nothing to draw"):
        scores.plot([])


def test_chinese_words_where_a_font_has_them() -> None:
    texts = said(pc.evaluate_ranking(TRUTH, BAD, ["rr"], ci=0.95, samples=20).plot(language="zh"))
    from pingce.curves.lettering import chinese_font

    assert any(re.search("数值与 95 % 区间", text) for text in texts) == (chinese_font() is not None)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.5, "0.5000"), (-0.25, "−0.2500"), (20000.0, "20,000"), (1e-5, "1e-05"), (float("nan"), "–"), (0.0, "0.0000"), (2e7, "20,000,000")],
)  # fmt: skip
def test_numbers_beside_dots(value: float, text: str) -> None:
    assert number(value) == text
