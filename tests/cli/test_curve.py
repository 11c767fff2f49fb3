"""`pingce curve`: tables and figures of one or several models."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

import pingce as pc
from pingce.cli.options import CURVES
from pingce.curves.binary import KINDS as STEPWISE
from pingce.tasks import TASKS

from .conftest import Call, Write

ROWS = [(1, 0.9, 0.6, 2), (0, 0.8, 0.7, 1), (1, 0.8, 0.2, 1), (0, 0.3, 0.3, 1), (1, 0.2, 0.9, 1), (0, 0.1, 0.8, 3)]
LABELS, PCTR, OTHER, WEIGHTS = ([row[i] for row in ROWS] for i in range(4))


@pytest.fixture
def predictions(write: Write) -> Path:
    lines = ["click,pctr,other,w", *(",".join(map(str, row)) for row in ROWS)]
    return write("preds.csv", "\n".join(lines) + "\n")


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


KINDS = tuple(TASKS["binary"].curves)


def test_the_command_has_every_kind() -> None:
    assert set(KINDS) == {*STEPWISE, "calibration", "cost"}
    assert tuple(CURVES) == (*KINDS, *TASKS["uplift"].curves)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_printed(call: Call, predictions: Path, kind: str) -> None:
    for lang in ("en", "zh"):
        done = call("curve", kind, predictions, "--lang", lang)
        assert done.code == 0, done.err
        head, rule, *rows = done.out.splitlines()
        assert set(rule) == {"-", " "}
        assert rows
        assert ("阈值" in head or "上界" in head) == (lang == "zh")


def test_points_are_those_of_the_function(call: Call, predictions: Path) -> None:
    done = call("curve", "roc", predictions, "--label", "click", "--score", "pctr", "-f", "csv")
    rows = read(done.out)
    expected = pc.roc_curve(LABELS, PCTR)
    assert [row["model"] for row in rows] == ["pctr"] * len(expected)
    for name in expected.column_names:
        assert [float(row[name]) for row in rows] == expected.columns[name].tolist()
    assert f"pctr: auc {expected.summary['auc']:.6g}" in done.err


def test_two_models_are_compared_on_stderr(call: Call, predictions: Path) -> None:
    words = ["curve", "pr", predictions, "--score", "pctr", "--score", "other", "-f", "json"]
    done = call(*words)
    document = json.loads(done.out)
    said = pc.compare_curves(pc.pr_curve(LABELS, PCTR, name="pctr"), pc.pr_curve(LABELS, OTHER, name="other"))
    assert [curve["model"] for curve in document["curves"]] == ["pctr", "other"]
    assert document["comparisons"][0]["verdict"] == said.verdict
    assert str(said) in done.err.splitlines()
    assert call(*words, "--quiet").err == ""
    assert "曲线" in call(*words, "--lang", "zh").err
    assert "comparisons" not in json.loads(call("curve", "lift", *words[2:]).out)


def test_files_are_models_too(call: Call, predictions: Path, write: Write) -> None:
    write("more.csv", predictions.read_text())
    done = call("curve", "gain", predictions, predictions.parent / "more.csv", "--score", "pctr", "-f", "csv")
    assert {row["model"] for row in read(done.out)} == {"preds", "more"}


def test_weights_positive_labels_and_thresholds(call: Call, predictions: Path) -> None:
    words = [
        "curve",
        "confusion",
        predictions,
        "--weight",
        "w",
        "--positive",
        "0",
        "--threshold",
        "0.8",
        "--threshold",
        "0.25",
    ]
    rows = read(call(*words, "-f", "csv").out)
    expected = pc.confusion_at_thresholds(LABELS, PCTR, weight=WEIGHTS, positive=0, thresholds=[0.8, 0.25])
    assert [[row[name] for name in ("tp", "fp", "tn", "fn")] for row in rows] == [
        [str(row[name]) for name in ("tp", "fp", "tn", "fn")] for row in expected.table.to_pylist()
    ]


def test_marked_thresholds_are_said(call: Call, predictions: Path) -> None:
    done = call("curve", "roc", predictions, "--threshold", "0.5", "--threshold", "2")
    assert "pctr at score ≥ 0.5: fpr 0.333333, tpr 0.666667" in done.err.splitlines()
    assert "pctr at score ≥ 2: fpr 0, tpr 0" in done.err.splitlines()
    done = call("curve", "pr", predictions, "--threshold", "2", "--lang", "zh")
    assert "pctr，分数 ≥ 2：recall 0, precision –" in done.err.splitlines()


def test_bins(call: Call, predictions: Path) -> None:
    for binning in ("width", "quantile"):
        rows = read(call("curve", "calibration", predictions, "--bins", "3", "--binning", binning, "-f", "csv").out)
        expected = pc.calibration_curve(LABELS, PCTR, bins=3, binning=binning)
        assert [float(row["observed"]) for row in rows] == expected.columns["observed"].tolist()


def test_tables_to_read_are_thinned_and_say_so(call: Call, write: Write) -> None:
    many = write("many.csv", "click,pctr\n" + "".join(f"{i * i % 7 % 2},{i / 100}\n" for i in range(100)))
    shown = call("curve", "roc", many)
    assert len(shown.out.splitlines()) <= 2 + 25
    assert "of 101 points, all exact; --thin 0 gives all" in shown.err
    assert len(call("curve", "roc", many, "--thin", "0").out.splitlines()) == 2 + 101
    data = call("curve", "roc", many, "-f", "csv")
    assert len(data.out.splitlines()) == 1 + 101
    assert "all exact" not in data.err
    thin = call("curve", "roc", many, "-f", "csv", "--thin", "10")
    assert len(thin.out.splitlines()) <= 1 + 10
    assert set(thin.out.splitlines()) <= set(data.out.splitlines())


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.json", "x.md", "X.CSV", "x.txt"])
def test_the_format_follows_the_suffix(call: Call, predictions: Path, tmp_path: Path, name: str) -> None:
    out_format = {"txt": "table"}.get(name.lower()[2:], name.lower()[2:])
    printed = call("curve", "roc", predictions, "-f", out_format).out
    done = call("curve", "roc", predictions, "-o", tmp_path / name)
    assert (done.code, done.out) == (0, "")
    assert (tmp_path / name).read_text(encoding="utf-8") == printed


@pytest.mark.parametrize("kind", ["roc", "calibration"])
def test_figures(call: Call, predictions: Path, tmp_path: Path, kind: str) -> None:
    before = set(tmp_path.iterdir())
    svg, png, other = tmp_path / "x.svg", tmp_path / "x.PNG", tmp_path / "figure"
    words = ["curve", kind, predictions, "--score", "pctr", "--score", "other"]
    for output, more in ((svg, []), (png, []), (other, ["-f", "png"])):
        done = call(*words, "-o", output, *more)
        assert (done.code, done.out) == (0, "")
        assert "all exact" not in done.err
    assert ElementTree.fromstring(svg.read_bytes()).tag.endswith("svg")
    assert png.read_bytes() == other.read_bytes()
    assert png.read_bytes().startswith(b"\x89PNG")
    first = svg.read_bytes()
    call(*words, "-o", svg)
    assert svg.read_bytes() == first
    assert set(tmp_path.iterdir()) == before | {svg, png, other}


BAD = [
    (["roc", "--score", "nope"], "has no column 'nope'"),
    (["roc", "--label", "pctr", "--score", "other"], "labels"),
    (["roc", "--bins", "3"], "--bins means nothing to the ROC curve; leave it out"),
    (["calibration", "--threshold", "0.5"], "--threshold means nothing to the calibration curve; leave it out"),
    (["calibration", "--bins", "0"], "--bins"),
    (["roc", "--threshold", "nan"], "threshold=nan"),
    (["roc", "--threshold", "x"], "'x' is not a valid float"),
    (["roc", "--thin", "1"], "thin=1"),
    (["rok"], "'rok' is not one of"),
    (["roc", "-o", "x.tex"], "one of the endings .json, .csv"),
    (["roc", "-f", "png"], "a figure goes to a file: add -o curve.png"),
    (["roc", "-o", "none/x.svg"], "cannot be written"),
    (["roc", "--positive", "yes"], "positive='yes'"),
]


@pytest.mark.parametrize(("words", "said"), BAD)
def test_bad_input(call: Call, predictions: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], said: str) -> None:
    monkeypatch.chdir(predictions.parent)
    before = set(predictions.parent.iterdir())
    kind, *options = words
    done = call("curve", kind, predictions, *options, "--quiet")
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert len(done.err.splitlines()) == 1
    assert done.err.startswith("pingce: ")
    assert set(predictions.parent.iterdir()) == before


def test_one_class(call: Call, write: Write) -> None:
    done = call("curve", "roc", write("one.csv", "click,pctr\n1,0.5\n1,0.4\n"))
    assert (done.code, done.out) == (2, "")
    assert done.err == "pingce: a ROC curve needs negative rows, and there are none\n"
    assert (
        "ROC 曲线需要负例，而数据中没有"
        in call("curve", "roc", write("x.csv", "click,pctr\n1,0.5\n1,0.4\n"), "--lang", "zh").err
    )


def test_a_failing_disk_leaves_the_old_figure(
    call: Call, predictions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    target = tmp_path / "x.svg"
    target.write_text("old")
    before = set(tmp_path.iterdir())
    monkeypatch.setattr(Path, "replace", full)
    done = call("curve", "roc", predictions, "-o", target)
    assert done.code == 2
    assert done.err.splitlines()[-1] == f"pingce: {target}: cannot be written (No space left on device)"
    assert target.read_text() == "old"
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize(("lang", "said"), [("en", "figures need matplotlib"), ("zh", "画图需要 matplotlib")])
def test_without_matplotlib(
    call: Call, predictions: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str, said: str
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = call("curve", "roc", predictions, "-o", tmp_path / "x.png", "--lang", lang)
    assert (done.code, done.out) == (2, "")
    assert said in done.err
    assert done.err.rstrip().endswith("pip install 'matplotlib>=3.8'")
    assert not (tmp_path / "x.png").exists()
    assert call("curve", "roc", predictions).code == 0, "tables need none"


def test_hostile_columns(call: Call, write: Write, tmp_path: Path) -> None:
    name = "$x_1$<script>\x1b[31m"
    table = write("hostile.csv", f"click,{name},_y\n1,0.9,0.1\n0,0.2,0.3\n")
    words = ["curve", "roc", table, "--score", name, "--score", "_y"]
    done = call(*words)
    assert done.code == 0, done.err
    assert "\x1b" not in done.out + done.err
    assert r"$x_1$<script>\x1b[31m" in done.out
    assert call(*words, "-o", tmp_path / "x.svg").code == 0
    assert b"<script" not in (tmp_path / "x.svg").read_bytes()
