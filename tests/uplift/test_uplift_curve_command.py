"""`pingce curve qini` and `pingce curve uplift`: tables and figures of one or several models."""

from __future__ import annotations

import csv
import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import pingce as pc
from pingce.cli import run as run_command

ROWS = 400


@pytest.fixture(scope="module")
def columns() -> dict[str, list[float]]:
    """A trial in which a treatment helps those with a high score of the good model."""
    random = np.random.default_rng(2)
    good, treated = random.random(ROWS).round(2), random.integers(0, 2, ROWS)
    outcome = (random.random(ROWS) < 0.2 + 0.5 * treated * good).astype(np.int64)
    return {
        "visit": outcome.tolist(),
        "treated": treated.tolist(),
        "uplift": good.tolist(),
        "bad": random.random(ROWS).round(2).tolist(),
        "w": random.integers(1, 4, ROWS).tolist(),
        "share": np.full(ROWS, 0.25).tolist(),
    }


@pytest.fixture(scope="module")
def file(columns: dict[str, list[float]], tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("curves") / "trial.parquet"
    parquet.write_table(pa.table(columns), path)
    return str(path)


def call(*words: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        code = run_command(["curve", *words])
    return code, out.getvalue(), err.getvalue()


@pytest.mark.parametrize("kind", ["qini", "uplift"])
@pytest.mark.parametrize("more", [(), ("--weight", "w"), ("--propensity", "share")])
def test_points_are_those_of_the_scores(
    kind: str, more: tuple[str, ...], columns: dict[str, list[float]], file: str
) -> None:
    """Columns that have usual names need not be named."""
    code, out, err = call(kind, file, *more, "-f", "csv")
    assert code == 0, err
    weight = columns["w"] if "w" in more else None
    propensity = columns["share"] if "share" in more else None
    scores = pc.evaluate_uplift(
        columns["visit"], columns["uplift"], treatment=columns["treated"], weight=weight, propensity=propensity
    )
    curve, rows = scores.curve(kind), list(csv.DictReader(io.StringIO(out)))
    assert {row["model"] for row in rows} == {"uplift"}
    for name in curve.column_names:
        assert [float(row[name]) for row in rows] == curve.columns[name].tolist(), name
    metric, value = next(iter(curve.summary.items()))
    assert f"uplift: {metric} {value:.6g}" in err


def test_two_models_in_a_document(file: str) -> None:
    words = ("qini", file, "--label", "visit", "--score", "uplift", "--score", "bad", "--treatment", "treated")
    code, out, err = call(*words, "-f", "json")
    assert code == 0, err
    document = json.loads(out)
    assert document["kind"] == "qini"
    good, bad = document["curves"]
    assert (good["model"], bad["model"]) == ("uplift", "bad")
    assert good["summary"]["qini"] > bad["summary"]["qini"]
    assert good["columns"]["threshold"][0] is None


def test_tables_in_both_languages(file: str) -> None:
    for lang, words in (("en", ("threshold", "gain", "random order")), ("zh", ("阈值", "累计增益", "随机排序"))):
        code, out, err = call("uplift", file, "--lang", lang)
        assert code == 0, err
        head = out.splitlines()[0]
        assert all(word in head for word in words)
        assert len(out.splitlines()) <= 2 + 25


def test_figures_are_drawn(file: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for kind, lang in (("qini", "en"), ("uplift", "zh")):
        path = tmp_path / f"{kind}.svg"
        code, _, err = call(kind, file, "--score", "uplift", "--score", "bad", "--lang", lang, "-o", str(path))
        assert code == 0, err
        assert path.read_text(encoding="utf-8").count("<path") > 20


REFUSED = [
    (("qini", "--threshold", "0.5"), "--threshold means nothing to the Qini curve; leave it out"),
    (("uplift", "--bins", "5"), "--bins means nothing to the uplift curve; leave it out"),
    (("qini", "--cost", "fp=1,fn=2"), "--cost means nothing to the Qini curve"),
    (("qini", "--positive", "1"), "--positive means nothing to the Qini curve"),
    (("roc", "--treatment", "treated"), "--treatment means nothing to the ROC curve"),
    (("qini", "--treatment", "w"), "a row was treated (1) or not (0)"),
    (("qini", "--propensity", "w"), "between 0 and 1, ends excluded"),
]


@pytest.mark.parametrize(("words", "sentence"), REFUSED)
def test_what_does_not_go_together_is_refused(words: tuple[str, ...], sentence: str, file: str) -> None:
    code, _, err = call(words[0], file, *words[1:])
    assert code == 2
    assert sentence in err


def test_one_arm_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("outcome,treatment,uplift\n1,1,0.5\n0,1,0.2\n", encoding="utf-8")
    code, _, err = call("qini", str(path))
    assert code == 2
    assert "there is no control row that counts" in err
    assert "没有计入的对照组样本" in call("qini", str(path), "--lang", "zh")[2]
