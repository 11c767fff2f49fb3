"""Uplift through comparison, intervals, explanation, report, curves, slices and the command line."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import pingce as pc
from pingce.cli import run as run_command


def trial(count: int, seed: int = 0) -> dict[str, Any]:
    """A trial in which a treatment helps those with a high `help`; two models that know it well and badly."""
    random = np.random.default_rng(seed)
    help_, treated = random.random(count), random.integers(0, 2, count)
    outcome = (random.random(count) < 0.2 + 0.4 * treated * help_).astype(np.int64)
    return {
        "outcome": outcome,
        "treatment": treated,
        "good": help_ + 0.1 * random.random(count),
        "bad": random.random(count),
        "site": np.where(np.arange(count) % 2, "a", "b"),
    }


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("uplift") / "trial.parquet"
    parquet.write_table(pa.table(trial(2000)), path)
    return path


def call(*words: str) -> tuple[int, str]:
    text = io.StringIO()
    with redirect_stdout(text), redirect_stderr(text):
        code = run_command(list(words))
    return code, text.getvalue()


def test_two_models_are_compared_on_the_same_draws(file: Path) -> None:
    comparison = pc.compare(
        "outcome",
        {"good": "good", "bad": "bad"},
        ["qini", "uplift@0.3"],
        task="uplift",
        data=file,
        treatment="treatment",
        samples=300,
    )
    gap = comparison.difference("qini", "bad")
    assert gap.value < 0
    assert gap.p < 0.05
    low, high = gap.interval
    assert low < gap.value < high < 0
    same = pc.compare(
        "outcome",
        {"one": "good", "two": "good"},
        ["qini"],
        task="uplift",
        data=file,
        treatment="treatment",
        samples=100,
    )
    assert same.difference("qini", "two").p == 1


@pytest.mark.deep("draws forty trials, each with its intervals")
def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """By simulation: the effect among the top 30 % of an endless population, and the ordering's worth."""
    big = trial(400_000, 99)
    names = ["uplift@0.3", "qini", "auuc"]
    truth = pc.evaluate_uplift(big["outcome"], big["good"], names, treatment=big["treatment"])
    held = dict.fromkeys(names, 0)
    for seed in range(40):
        rows = trial(600, seed)
        scores = pc.evaluate_uplift(
            rows["outcome"], rows["good"], names, treatment=rows["treatment"], ci=0.9, samples=200
        )
        for name in names:
            low, high = scores.interval(name) or (1, 0)
            held[name] += low <= truth[name] <= high
    assert all(times >= 30 for times in held.values()), held


def test_intervals_of_many_steps_are_near_those_of_all() -> None:
    rows = trial(3000)
    whole = pc.evaluate_uplift(
        rows["outcome"], rows["good"], ["qini"], treatment=rows["treatment"], ci=0.95, samples=200
    )
    low, high = whole.interval("qini") or (1, 0)
    assert low < whole["qini"] < high
    assert 0.02 < high - low < 0.4


@pytest.mark.parametrize(
    "metric", ["qini", "auuc(norm=end)", "uplift@0.25", "uplift(by=arm)@0.5", "qini(norm=none,area=mean)", "auuc"]
)
def test_an_explanation_ends_in_the_value(metric: str, file: Path) -> None:
    value = pc.evaluate_uplift("outcome", "good", [metric], data=file, treatment="treatment")[metric]
    explanation = pc.explain(metric, "outcome", "good", task="uplift", data=file, treatment="treatment")
    assert explanation.value == value
    assert "N_t" in explanation.to_text()


def test_the_treatment_tells_the_task() -> None:
    explanation = pc.explain("qini", [1, 0, 1, 0], [4, 3, 2, 1], treatment=[1, 1, 0, 0])
    assert isinstance(explanation, pc.Explanation)
    assert explanation.signature.startswith("qini|")
    with pytest.raises(pc.InputError, match=r"treatment= .* does not go with 'auc'"):
        pc.explain("auc", [1, 0, 1, 0], [4, 3, 2, 1], treatment=[1, 1, 0, 0])


def test_the_report_has_curves_and_tenths(file: Path, tmp_path: Path) -> None:
    path = pc.report(
        "outcome",
        {"good": "good", "bad": "bad"},
        task="uplift",
        data=file,
        treatment="treatment",
        samples=100,
        path=tmp_path / "report.html",
    )
    page = path.read_text(encoding="utf-8")
    assert page.count("<polyline") >= 8
    assert 'data-section="uplift_curves"' in page
    assert 'data-table="deciles-1"' in page
    assert "增益曲线" in page and "Uplift curves" in page


def test_a_curve_is_drawn(file: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    scores = pc.evaluate_uplift("outcome", "good", ["qini"], data=file, treatment="treatment")
    for kind in ("qini", "uplift"):
        scores.curve(kind, name="good").plot(path=tmp_path / f"{kind}.svg")
        assert (tmp_path / f"{kind}.svg").stat().st_size > 1000
    with pytest.raises(
        pc.InputError, match="there is no curve 'qin' of uplift; known are qini, uplift; did you mean 'qini'"
    ):
        scores.curve("qin")


def test_files_beyond_the_memory_are_streamed_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Distinct rows are kept: few of them are the numbers of one call, too many are refused with a way out."""
    monkeypatch.setattr("pingce.base.memory.SMALLEST", 1)
    rows = trial(60_000)
    path = tmp_path / "large.parquet"
    columns = {name: rows[name] for name in ("outcome", "treatment", "good")}
    parquet.write_table(pa.table(columns | {"rounded": rows["good"].round(3)}), path)
    words: dict[str, Any] = {"data": path, "treatment": "treatment", "memory": "1MB"}
    streamed = pc.evaluate_uplift("outcome", "rounded", **words)
    assert len(streamed.evidence.cells) < 6_000
    with pytest.raises(pc.InputError, match="this needs the rows"):
        _ = streamed.data
    whole = pc.evaluate_uplift("outcome", "rounded", data=path, treatment="treatment")
    assert dict(streamed) == dict(whole)
    with pytest.raises(
        pc.InputError, match=r"large.parquet: [\d,]+ distinct rows .* 1\.05 MB of the memory are for them"
    ) as refused:
        pc.evaluate_uplift("outcome", "good", **words)
    assert "请调大 --memory（memory=），或舍入分数" in refused.value.text.zh


def test_slices_have_the_numbers_of_their_rows(file: Path) -> None:
    scores = pc.evaluate_uplift("outcome", "good", ["qini", "uplift"], data=file, treatment="treatment", by="site")
    rows = trial(2000)
    inside = rows["site"] == "a"
    alone = pc.evaluate_uplift(
        rows["outcome"][inside], rows["good"][inside], ["qini"], treatment=rows["treatment"][inside]
    )
    assert scores.slices is not None
    (part,) = [part for part in scores.slices.parts if part.name == "a"]
    assert part.values["qini"].value == alone["qini"]


def test_the_command_line_infers_the_task_and_guesses_the_column(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "scores.json"
    code, text = call(
        "eval",
        str(file),
        "--label",
        "outcome",
        "--score",
        "good",
        "--treatment",
        "treatment",
        "-f",
        "json",
        "-o",
        str(target),
    )
    assert code == 0, text
    assert "task: uplift" in text
    assert "treatment=treatment" in text
    document = json.loads(target.read_text())
    assert document["task"] == "uplift"
    code, text = call(
        "eval", str(file), "--task", "uplift", "--label", "outcome", "--score", "good", "-m", "qini,uplift@0.1"
    )
    assert code == 0, text
    assert "0.1" in text
    code, text = call(
        "eval", str(file), "--label", "outcome", "--score", "good", "--treatment", "treatment", "--group", "site"
    )
    assert code != 0
    assert "--group does not belong to the task uplift" in text


def test_the_command_line_explains_values() -> None:
    words = ["--labels", "1,1,0,0", "--scores", ".9,.8,.7,.1", "--treatment", "1,0,1,0"]
    code, text = call("explain", "uplift@0.5", *words)
    assert code == 0, text
    assert "uplift@0.5 = " in text


def test_compare_and_check_take_the_column(file: Path) -> None:
    words = [str(file), "--label", "outcome", "--treatment", "treatment"]
    code, text = call("compare", *words, "--score", "good", "--score", "bad", "-m", "qini", "--samples", "100")
    assert code == 0, text
    assert "qini" in text
    code, text = call("check", *words, "--score", "good", "--min", "qini=0.99")
    assert code == 1, text


def test_conventions_stand_side_by_side(file: Path) -> None:
    rows = trial(300)
    tools = pc.compare_conventions(
        rows["outcome"], rows["good"], "auuc", ["scikit_uplift", "causalml"], task="uplift", treatment=rows["treatment"]
    )
    values = {row.tool: row.value for row in tools.rows}
    assert values["scikit_uplift"] != values["causalml"]
    assert "norm: perfect → end" in str(tools)
