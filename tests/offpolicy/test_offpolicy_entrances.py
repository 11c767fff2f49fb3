"""Off-policy values through comparison, intervals, explanation, report, slices, streams and the command line."""

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

WORDS = ["--true", "reward", "--propensity", "logging"]
MODEL: dict[str, Any] = {
    "propensity": "logging",
    "logged_estimate": "logged_estimate",
    "target_estimate": "target_estimate",
}


def log(count: int, seed: int = 0, sharp: float = 1.0) -> dict[str, Any]:
    """A log of a random policy over three actions, a better and a worse target policy, and a model that is somewhat off."""
    random = np.random.default_rng(seed)
    kind = random.integers(0, 3, count)
    chances = np.array([[0.5, 0.3, 0.2], [0.2, 0.5, 0.3], [0.3, 0.2, 0.5]])
    action = (random.random(count)[:, None] > np.cumsum(chances[kind], axis=1)[:, :2]).sum(axis=1)
    means = np.array([[0.2, 0.4, 0.6], [0.6, 0.2, 0.4], [0.4, 0.6, 0.2]])
    good = means**sharp / (means**sharp).sum(axis=1, keepdims=True)
    bad = good[:, [1, 2, 0]]
    estimates, at = means + 0.1 * np.sin(np.arange(9)).reshape(3, 3), np.arange(count)
    return {
        "reward": (random.random(count) < means[kind, action]).astype(np.int64),
        "logging": chances[kind, action],
        "good": good[kind, action],
        "bad": bad[kind, action],
        "logged_estimate": estimates[kind, action],
        "target_estimate": (good * estimates).sum(axis=1)[kind],
        "bad_estimate": (bad * estimates).sum(axis=1)[kind],
        "site": np.where(at % 2, "a", "b"),
        "value": (good * means).sum(axis=1)[kind],
    }


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("offpolicy") / "log.parquet"
    parquet.write_table(pa.table(log(2000)), path)
    return path


def call(*words: str) -> tuple[int, str]:
    text = io.StringIO()
    with redirect_stdout(text), redirect_stderr(text):
        code = run_command(list(words))
    return code, text.getvalue()


def test_two_policies_are_compared_on_the_same_log(file: Path) -> None:
    names = ["ips", "snips", "dr", "sndr", "dm", "ess"]
    more: dict[str, Any] = MODEL | {"target_estimate": {"good": "target_estimate", "bad": "bad_estimate"}}
    comparison = pc.compare("reward", {"good": "good", "bad": "bad"}, names, task="offpolicy", data=file, **more)
    for name in names[:4]:
        gap = comparison.difference(name, "bad")
        low, high = gap.interval
        assert low < gap.value < high < 0, name
        assert gap.p < 0.01
    assert "influence functions" in str(comparison.difference("dr", "bad").test)
    assert np.isnan(comparison.difference("ess", "bad").p)


def test_few_rows_are_drawn_anew() -> None:
    rows = log(150)
    models = {"good": rows["good"], "bad": rows["bad"]}
    options: dict[str, Any] = {"task": "offpolicy", "propensity": rows["logging"], "samples": 200}
    gap = pc.compare(rows["reward"], models, ["snips"], **options).difference("snips", "bad")
    assert "bootstrap" in str(gap.test)
    turned = pc.compare(rows["reward"], dict(reversed(models.items())), ["snips"], **options)
    assert turned.difference("snips", "good").p == gap.p
    same = pc.compare(rows["reward"], {"one": rows["good"], "two": rows["good"]}, ["snips"], **options)
    assert same.difference("snips", "two").p == 1


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """By simulation: the value of the better policy is known."""
    names = ["ips", "snips", "dr", "sndr", "ips(clip=100)", "mean_weight"]
    whole = log(300_000, 99)
    held, count = dict.fromkeys(names, 0), 200
    for seed in range(count):
        rows = log(400, seed)
        more = {name: rows[column] for name, column in MODEL.items()}
        scores = pc.evaluate_offpolicy(rows["reward"], rows["good"], names, ci=0.9, **more)
        for name in names:
            low, high = scores.interval(name) or (1, 0)
            held[name] += low <= (1.0 if name == "mean_weight" else whole["value"].mean()) <= high
    assert all(0.84 * count <= times <= 0.96 * count for times in held.values()), held


@pytest.mark.parametrize(
    "metric",
    [
        "ips",
        "ips(clip=1.2)",
        "snips(shrink=3)",
        "dr",
        "dr(switch=1.5)",
        "sndr",
        "dm",
        "ess(as=share)",
        "max_weight",
        "mean_weight",
    ],
)
def test_an_explanation_ends_in_the_value(metric: str, file: Path) -> None:
    value = pc.evaluate_offpolicy("reward", "good", [metric], data=file, **MODEL)[metric]
    explanation = pc.explain(metric, "reward", "good", task="offpolicy", data=file, **MODEL)
    assert explanation.value == value
    assert "logging" in explanation.to_text()


def test_the_propensity_tells_the_task() -> None:
    explanation = pc.explain("snips", [1, 0, 1, 0], [0.6, 0.1, 0.5, 0.2], propensity=[0.5, 0.25, 0.1, 0.5])
    assert isinstance(explanation, pc.Explanation)
    assert explanation.signature.startswith("snips|")
    with pytest.raises(pc.InputError, match=r"propensity= .* does not go with 'auc'"):
        pc.explain("auc", [1, 0, 1, 0], [4, 3, 2, 1], propensity=[0.5] * 4)


def test_the_report_has_weights_and_clips(file: Path, tmp_path: Path) -> None:
    more: dict[str, Any] = {"propensity": "logging", "path": tmp_path / "report.html", "samples": 100}
    path = pc.report("reward", {"good": "good", "bad": "bad"}, task="offpolicy", data=file, **more)
    page = path.read_text(encoding="utf-8")
    assert 'data-section="weight_bands"' in page and 'data-table="weight_clips-1"' in page
    assert "截断的影响" in page and "What clipping does" in page


def test_slices_have_the_numbers_of_their_rows(file: Path) -> None:
    scores = pc.evaluate_offpolicy("reward", "good", ["ips", "dr"], data=file, by="site", **MODEL)
    rows = log(2000)
    inside = rows["site"] == "a"
    alone = pc.evaluate_offpolicy(
        rows["reward"][inside], rows["good"][inside], ["ips"], propensity=rows["logging"][inside]
    )
    assert scores.slices is not None
    (part,) = [part for part in scores.slices.parts if part.name == "a"]
    assert part.values["ips"].value == alone["ips"]


def test_a_window_has_the_last_rows() -> None:
    rows = log(500)
    evaluator = pc.OffpolicyEvaluator(["ips", "ess"], window=200)
    for part in np.array_split(np.arange(500), 7):
        evaluator.update(rows["reward"][part], rows["good"][part], propensity=rows["logging"][part])
    last = pc.evaluate_offpolicy(
        rows["reward"][-200:], rows["good"][-200:], ["ips", "ess"], propensity=rows["logging"][-200:]
    )
    assert dict(evaluator.compute()) == dict(last)


def test_the_command_line_infers_the_task(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "scores.json"
    code, text = call("eval", str(file), *WORDS, "--pred", "good", "-f", "json", "-o", str(target))
    assert code == 0, text
    assert "task: off-policy values" in text and "propensity=logging" in text
    assert [metric["name"] for metric in json.loads(target.read_text())["metrics"]][:2] == ["logged_value", "ips"]
    more = ["--logged-estimate", "logged_estimate", "--target-estimate", "target_estimate"]
    code, text = call("eval", str(file), *WORDS, "--pred", "good", *more, "--explain-numbers")
    assert code == 0, text
    assert "dr" in text and "After weighting, 2000 rows say as much as" in text
    code, text = call("eval", str(file), *WORDS, "--pred", "good", "--pred", "bad", *more)
    assert code == 2
    assert "--target-estimate belongs to one model, and 2 are named (good, bad)" in text


def test_files_of_policies_have_estimates_of_their_own(tmp_path: Path) -> None:
    rows = log(1000)
    for name, column in (("good", "target_estimate"), ("bad", "bad_estimate")):
        table = {key: rows[key] for key in ("reward", "logging", "logged_estimate")}
        parquet.write_table(pa.table({**table, "p": rows[name], "v": rows[column]}), tmp_path / f"{name}.parquet")
    files = [str(tmp_path / f"{name}.parquet") for name in ("good", "bad")]
    more = ["--pred", "p", "--logged-estimate", "logged_estimate", "--target-estimate", "v", "-m", "dr"]
    code, text = call("compare", *files, *WORDS, *more, "-f", "json")
    assert code == 0, text
    document = json.loads(text[text.index("{") :])
    values = [model["value"] for model in document["metrics"][0]["models"]]
    for value, (name, column) in zip(values, (("good", "target_estimate"), ("bad", "bad_estimate")), strict=True):
        sides = {
            "propensity": rows["logging"],
            "logged_estimate": rows["logged_estimate"],
            "target_estimate": rows[column],
        }
        assert value == pc.evaluate_offpolicy(rows["reward"], rows[name], ["dr"], **sides)["dr"]


def test_values_on_the_command_line_are_explained() -> None:
    words = ["--true", "1,0,1,0", "--pred", ".6,.1,.5,.2", "--propensity", ".5,.25,.1,.5"]
    code, text = call("explain", "ips", *words)
    assert code == 0, text
    assert "6.2 / 4" in text.replace("6.2000", "6.2") and "1.55" in text


def test_check_takes_the_columns(file: Path) -> None:
    code, text = call("check", str(file), *WORDS, "--pred", "good", "--min", "ess=1900")
    assert code == 1, text


def test_the_names_of_the_tool_are_known(file: Path) -> None:
    names = ["ipw(lambda_=2)", "switch-dr(lambda_=1.5)", "sg-ipw(lambda_=0.1)"]
    scores = pc.evaluate_offpolicy("reward", "good", names, data=file, convention="obp", **MODEL)
    ours = pc.evaluate_offpolicy(
        "reward", "good", ["ips(clip=2)", "dr(switch=1.5)", "ips(smooth=0.1)"], data=file, **MODEL
    )
    assert list(scores.values()) == list(ours.values())
