"""Figures: drawn for real, in both languages, the same bytes every time, whatever names models and labels have."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.text import Text
from PIL import Image

import pingce as pc
from pingce.base.errors import InputError
from pingce.base.text import use_language
from pingce.curves import lettering
from pingce.curves.base import Curve
from pingce.curves.binary import TITLES
from pingce.curves.matrix import ConfusionMatrix
from pingce.curves.pens import figure as shown
from pingce.curves.plot import picture
from pingce.evidence.multiclass.confusion import ConfusionEvidence

from .fonts import FAMILY, make_font

HOSTILE = [
    "$x_1$<script>alert(1)</script>",
    "a\nb",
    "_hidden",
    "$",
    "\\frac{1",
    "\x1b[31m\u202e]]>--><b>&\x00",
    "😀 模型" * 40,
]
ALL_KINDS = [*TITLES, "decisions"]


def curves(kind: str, names: list[str], rows: int = 300) -> list[Curve]:
    """A curve a name, of scores that order rows better and better."""
    draw = np.random.default_rng(11)
    signal = draw.normal(size=rows)
    labels = (draw.random(rows) < 1 / (1 + np.exp(1.5 - signal))).astype(int)
    found = []
    for i, name in enumerate(names):
        scores = 1 / (1 + np.exp(1.5 - signal + draw.normal(size=rows) / (i + 1)))
        options: dict[str, Any] = {"name": name}
        if kind not in ("calibration", "confusion"):
            options["thresholds"] = [0.25]
        name_of = "confusion_at_thresholds" if kind in ("confusion", "decisions") else f"{kind}_curve"
        found.append(getattr(pc, name_of)(labels, scores, **options))
    return found


@pytest.fixture
def no_chinese_font(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lettering, "_CHINESE", ())


@pytest.fixture(scope="module")
def test_font(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("fonts") / "han.ttf"
    source = Path(lettering.__file__).parent
    letters = "".join(file.read_text(encoding="utf-8") for file in source.glob("*.py"))
    letters += "".join(title.zh for title in TITLES.values())
    make_font(path, "".join(letter for letter in letters if ord(letter) > 0x2E80) + "模型类")
    return path


@pytest.fixture
def chinese_font(monkeypatch: pytest.MonkeyPatch, test_font: Path) -> None:
    monkeypatch.setattr(fontManager, "ttflist", list(fontManager.ttflist))
    fontManager.addfont(test_font)
    monkeypatch.setattr(lettering, "_CHINESE", (FAMILY,))


def words(svg: bytes) -> list[str]:
    """The texts of a figure, which matplotlib leaves as comments beside their outlines."""
    unescaped = re.findall(r"<!-- (.*?) -->", svg.decode(), flags=re.DOTALL)
    return [text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") for text in unescaped]


def beside_points(drawn: Figure) -> set[str]:
    return {text.get_text() for text in drawn.axes[0].texts}


@pytest.mark.usefixtures("chinese_font")
@pytest.mark.parametrize(
    ("kind", "lang", "out_format"),
    [(kind, "zh", "svg") for kind in ALL_KINDS] + [(kind, "en", "png") for kind in ("roc", "calibration", "decisions")],
)
def test_every_kind_in_both_languages(kind: str, lang: Any, out_format: str, tmp_path: Path) -> None:
    path = tmp_path / f"x.{out_format}"
    found = pc.plot_curves(*curves(kind, ["wide", "deep"]), path=path, language=lang)
    said = [text.get_text() for text in found.findobj(Text)]
    assert any("deep" in text for text in said)
    assert any(re.search("[\u4e00-\u9fff]", text) for text in said) == (lang == "zh")
    if out_format == "svg":
        assert ElementTree.fromstring(path.read_bytes()).tag.endswith("svg")
        return
    with Image.open(path) as image:
        image.load()
        assert min(image.size) > 400
        assert len(image.convert("RGB").getcolors(1 << 24) or ()) > 20


def test_legends_have_name_and_area() -> None:
    roc, pr = curves("roc", ["wide"])[0], curves("pr", ["wide"])[0]
    drawn = roc.plot()
    assert f"wide (AUC {roc.summary['auc']:.4f})" in words(picture(drawn, "svg"))
    assert "0.25" in beside_points(drawn), "the marked threshold"
    drawn = pr.plot()
    said = words(picture(drawn, "svg"))
    assert f"wide (PR AUC {pr.summary['pr_auc']:.4f}, BEP {pr.summary['bep']:.4f})" in said
    assert f"base rate {pr.summary['base_rate']:.4f}" in said
    assert {f"F1 = {f}" for f in (0.2, 0.4, 0.6, 0.8)} <= beside_points(drawn)


def test_what_is_not_quite_1_does_not_read_as_1() -> None:
    assert [shown(value) for value in (1.0, 0.99996, 0.99994, float("nan"), 2.5)] == [
        "1.0000", "> 0.9999", "0.9999", "–", "2.5000"
    ]  # fmt: skip


@pytest.mark.usefixtures("no_chinese_font")
def test_without_a_chinese_font_the_words_are_english() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        svg = picture(curves("roc", ["模型"])[0].plot(language="zh"), "svg")
    said = words(svg)
    assert "ROC curve" in said
    assert any(text.startswith("\\u6a21\\u578b (AUC") for text in said), "told apart, not drawn as boxes"


@pytest.mark.usefixtures("chinese_font")
def test_the_language_in_force_is_the_default() -> None:
    use_language("zh")
    said = words(picture(curves("roc", ["模型 A"])[0].plot(), "svg"))
    assert {"ROC 曲线", "假正例率（FPR）"} <= set(said)
    assert any(text.startswith("模型 A（AUC") for text in said)


@pytest.mark.parametrize("kind", ["roc", "calibration", "ks", "decisions"])
def test_hostile_names(kind: str) -> None:
    drawn = curves(kind, HOSTILE, rows=60)
    svg = picture(drawn[0].plot(*drawn[1:], drawn[0]), "svg")
    tree = ElementTree.fromstring(svg)
    tags = {element.tag.rpartition("}")[2] for element in tree.iter()}
    assert tags <= {"svg", "metadata", "RDF", "Work", "type", "format", "creator", "Agent", "title", "defs", "style",
                    "g", "path", "use", "clipPath", "rect", "image"}  # fmt: skip
    assert b"<script" not in svg
    assert b"onload" not in svg
    assert not re.search(rb"[\x00-\x08\x0e-\x1f\x7f]", svg)
    assert any(text.startswith("$x_1$<script>") for text in words(svg)), "no formula, no markup: letters"
    assert any(text.startswith("_hidden") for text in words(svg))


@pytest.mark.deep("draws every figure twice, in processes of their own")
def test_the_same_bytes_every_time(tmp_path: Path) -> None:
    """Also from another process, whose hashes and random ids are others; nothing of time or place."""
    code = (
        "import pingce as pc; pc.pr_curve([1, 0, 1, 0, 1], [.9, .8, .7, .4, .2], name='x', thresholds=[.5])"
        ".plot(path='{}', language='en')"
    )
    for name in ("a.svg", "b.svg", "a.png", "b.png"):
        if name.startswith("a"):
            exec(code.format(tmp_path / name))
    script = "\n".join(code.format(tmp_path / name) for name in ("b.svg", "b.png"))
    script += "\nimport sys; assert 'matplotlib.pyplot' not in sys.modules"
    subprocess.run([sys.executable, "-c", script], check=True, timeout=120)
    for kind in ("svg", "png"):
        assert (tmp_path / f"a.{kind}").read_bytes() == (tmp_path / f"b.{kind}").read_bytes()
    svg = (tmp_path / "a.svg").read_text()
    assert "date" not in svg.lower()
    assert str(tmp_path) not in svg


def test_global_settings_stay_and_do_not_matter() -> None:
    drawn = curves("roc", ["wide"])[0]
    expected = picture(drawn.plot(), "svg")
    before = dict(mpl.rcParams)
    drawn.plot()
    assert dict(mpl.rcParams) == before
    with mpl.rc_context({"svg.hashsalt": "salt", "font.family": "monospace", "axes.titlesize": 30, "axes.grid": True}):
        assert picture(drawn.plot(), "svg") == expected


def test_figures_in_threads() -> None:
    drawn = curves("roc", ["wide", "deep"])

    def draw(_: int) -> bytes:
        return picture(drawn[0].plot(drawn[1]), "svg")

    with ThreadPoolExecutor(3) as pool:
        assert len(set(pool.map(draw, range(5)))) == 1


def test_axes_of_the_caller_are_used() -> None:
    whole = Figure()
    left, right = whole.subplots(1, 2)
    roc, matrix = curves("roc", ["wide"])[0], ConfusionMatrix(("a", "b"), np.eye(2, dtype=int))
    assert roc.plot(ax=left) is whole
    assert matrix.plot(ax=right) is whole
    assert len(left.lines) > 1
    part: Any = Figure().subfigures(1, 2)
    assert isinstance(roc.plot(ax=part[0].subplots()), Figure)
    with pytest.raises(InputError, match=r"2 matrices .* do not fit here; at most 1"):
        pc.plot_curves(*curves("decisions", ["a", "b"]), ax=left)


def test_long_curves_are_drawn_with_exact_points() -> None:
    curve = curves("roc", ["wide"], rows=20_000)[0]
    line = curve.plot().axes[0].lines[0]
    points = set(map(tuple, line.get_xydata().tolist()))  # type: ignore[union-attr]
    assert 1000 < len(points) <= 2000
    assert points <= set(zip(curve.columns["fpr"].tolist(), curve.columns["tpr"].tolist(), strict=True))


def test_degenerate_curves_are_drawn() -> None:
    for kind in ("pr", "det", "lift", "ks", "calibration"):
        beyond = {} if kind == "calibration" else {"thresholds": [5, -5]}
        picture(getattr(pc, f"{kind}_curve")([1, 0], [0.0, 0.0], **beyond).plot(), "svg")


def matrix_of(labels: list[Any], counts: Any) -> ConfusionMatrix:
    return ConfusionMatrix.of(ConfusionEvidence(labels, np.array(counts)))


def test_a_matrix_is_a_table() -> None:
    found = matrix_of(["a", "b"], [[3.0, 1.0], [0.0, 0.0]])
    assert found.counts.dtype == np.int64
    assert found.to_arrow().to_pylist()[1] == {
        "true": "a", "predicted": "b", "rows": 1, "of_true": 0.25, "of_predicted": 1.0, "of_all": 0.25
    }  # fmt: skip
    assert found.column_names == list(found.to_pandas()) == found.to_polars().columns
    assert len(found) == 2
    assert np.isnan(found.normalized("true")[1]).all()
    assert found.normalized("all").sum() == 1
    with pytest.raises(InputError, match=r"normalize='rows': choose one of true, predicted, all"):
        found.normalized("rows")


def test_a_matrix_is_drawn_with_its_numbers(tmp_path: Path) -> None:
    found = matrix_of(["$a$", "<b>\n", 3], [[1200, 1, 0], [2, 30, 4], [0, 0, 0]])
    for by in ("predicted", "all"):
        found.plot(normalize=by)
    found.plot(path=tmp_path / "m.svg", language="en")
    said = words((tmp_path / "m.svg").read_bytes())
    assert {"$a$", "<b>\\n", "3", "1,200", "99.9 %", "–", "Predicted class", "True class"} <= set(said)
    weighted = matrix_of([0, 1], [[0.5, 1.25], [2.0, 3.0]])
    assert "1.25" in words(picture(weighted.plot(), "svg"))


def test_large_matrices() -> None:
    said = words(picture(matrix_of(list(range(40)), np.eye(40, dtype=int) * 7).plot(), "svg"))
    assert "39" in said
    assert "7" in said, "a label, and no cell has room for numbers"
    assert said.count("7") == 2
    with pytest.raises(InputError, match="101 classes do not fit into a heat map"):
        matrix_of(list(range(101)), np.eye(101)).plot()


def test_decisions_name_their_labels() -> None:
    curve = pc.confusion_at_thresholds(["n", "y", "y"], [0.1, 0.9, 0.4], positive="y", thresholds=[0.5, 0.3])
    said = words(picture(curve.plot(language="en"), "svg"))
    assert {"y", "n", "≥ 0.5, share of the true class", "≥ 0.3, share of the true class"} <= set(said)
    single = pc.confusion_at_thresholds(["y", "y"], [0.1, 0.9], positive="y", thresholds=[0.5])
    assert "other" in words(picture(single.plot(language="en"), "svg"))


def test_the_file_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    curve = curves("roc", ["wide"])[0]
    for name in ("x.pdf", "x", "x.svgz"):
        with pytest.raises(InputError, match=r"a figure is saved as \.png or \.svg"):
            curve.plot(path=tmp_path / name)
    with pytest.raises(InputError, match="cannot be written"):
        curve.plot(path=tmp_path / "none" / "x.png")
    monkeypatch.setattr(Figure, "savefig", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        curve.plot(path=tmp_path / "x.png")
    assert list(tmp_path.iterdir()) == []


def test_a_figure_shows_one_kind() -> None:
    with pytest.raises(InputError, match="curves of one kind, at least one; given: pr, roc"):
        pc.plot_curves(*curves("roc", ["a"]), *curves("pr", ["b"]))
    with pytest.raises(InputError, match="at least one"):
        pc.plot_curves()
    with pytest.raises(InputError, match="given: int"):
        pc.plot_curves(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(("lang", "said"), [("en", "figures need matplotlib"), ("zh", "画图需要 matplotlib")])
def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch, lang: Any, said: str) -> None:
    curve = curves("roc", ["wide"])[0]
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    use_language(lang)
    with pytest.raises(InputError) as problem:
        curve.plot()
    assert str(problem.value).startswith(said)
    assert str(problem.value).endswith("pip install 'matplotlib>=3.8'")


def test_a_notebook_shows_it() -> None:
    png = curves("roc", ["wide"])[0].plot()._repr_png_()  # type: ignore[attr-defined]
    assert png.startswith(b"\x89PNG")
