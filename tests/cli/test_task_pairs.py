"""--pair: CTR, CVR on clicked rows and CTCVR of one table, in one call."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pingce as pc

ROWS = "click,buy,pctr,pcvr,u,city\n1,1,.8,.5,a,x\n1,0,.6,.2,a,y\n0,0,.3,.4,a,x\n0,0,.2,.1,b,x\n1,0,.5,.3,b,x\n1,1,.4,.6,b,x\n"
COLUMNS = list(zip(*(line.split(",") for line in ROWS.splitlines()[1:]), strict=True))
CLICK, BUY = ([int(value) for value in column] for column in COLUMNS[:2])
PCTR, PCVR = ([float(value) for value in column] for column in COLUMNS[2:4])


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "m.csv"
    path.write_text(ROWS)
    return str(path)


def values(call: Callable[..., Any], *words: str) -> dict[str, dict[str, float]]:
    code, out, said = call("eval", *words, "-f", "json")
    assert code == 0, said
    document = json.loads(out)
    runs = document["runs"] if "runs" in document else document if isinstance(document, list) else [document]
    return {run["run"]: {entry["name"]: entry["value"] for entry in run["metrics"]} for run in runs}


def test_three_tasks_in_one_table(call: Callable[..., Any], table: str) -> None:
    pairs = ["--pair", "click:pctr", "--pair", "buy:pcvr@click=1", "--pair", "buy:pctr*pcvr"]
    found = values(call, table, *pairs, "-m", "auc,logloss")
    clicked = [at for at, click in enumerate(CLICK) if click]
    product = [a * b for a, b in zip(PCTR, PCVR, strict=True)]
    wanted = {
        "click:pctr": pc.evaluate_binary(CLICK, PCTR, ["auc", "logloss"]),
        "buy:pcvr@click=1": pc.evaluate_binary(
            [BUY[i] for i in clicked], [PCVR[i] for i in clicked], ["auc", "logloss"]
        ),
        "buy:pctr*pcvr": pc.evaluate_binary(BUY, product, ["auc", "logloss"]),
    }
    assert found == {name: dict(scores) for name, scores in wanted.items()}


def test_a_filter_by_words_and_fields_and_groups(call: Callable[..., Any], table: str) -> None:
    words = ("--pair", "click:pctr@city=x", "--pair", "click:pctr", "-m", "pcoc,field_rce(by=u),gauc", "--group", "u")
    found = values(call, table, *words)
    rows = [at for at, city in enumerate(COLUMNS[5]) if city == "x"]
    names = ["pcoc", "field_rce(by=u)", "gauc"]
    users = [COLUMNS[4][i] for i in rows]
    wanted = pc.evaluate_binary(
        [CLICK[i] for i in rows], [PCTR[i] for i in rows], names, group=users, group_weight={"u": users}
    )
    assert found["click:pctr@city=x"] == dict(wanted)


@pytest.mark.parametrize(
    ("pair", "sentence"),
    [
        ("buy:pcvr@click=7", "no row has click = 7, so that nothing is left to score"),
        ("buy", "write LABEL:SCORE"),
        ("buy:pcvr*", "write LABEL:SCORE"),
        ("buy:pcv", "did you mean 'pcvr'"),
    ],
)
def test_what_is_no_pair_is_refused(call: Callable[..., Any], table: str, pair: str, sentence: str) -> None:
    code, _, said = call("eval", table, "--pair", pair)
    assert code == 2
    assert sentence in said


def test_a_pair_stands_alone(call: Callable[..., Any], table: str) -> None:
    code, _, said = call("eval", table, "--pair", "click:pctr", "--label", "click")
    assert code == 2
    assert "leave --label and --score out" in said


def test_two_models_on_three_tasks_are_one_comparison(call: Callable[..., Any], table: str, tmp_path: Path) -> None:
    """Every p is corrected over all tasks; a task alone gives the same p before that."""
    other = tmp_path / "other.csv"
    other.write_text(ROWS.replace(".8,.5", ".7,.4").replace(".4,.6", ".35,.5"))
    pairs = ["--pair", "click:pctr", "--pair", "buy:pcvr@click=1"]
    code, out, said = call("compare", table, str(other), *pairs, "-m", "logloss,auc", "-f", "json")
    assert code == 0, said
    document = json.loads(out)
    names = [entry["name"] for entry in document["metrics"]]
    assert names == ["click:pctr logloss", "click:pctr auc", "buy:pcvr@click=1 logloss", "buy:pcvr@click=1 auc"]
    code, out, _ = call(
        "compare", table, str(other), "--label", "click", "--score", "pctr", "-m", "logloss", "-f", "json"
    )
    alone = json.loads(out)["metrics"][0]["models"][1]
    together = document["metrics"][0]["models"][1]
    assert together["value"] == alone["value"]
    assert together["against_baseline"]["p"] == alone["against_baseline"]["p"]
    assert together["against_baseline"]["corrected_p"] >= alone["against_baseline"]["corrected_p"]


def test_one_file_is_no_comparison_of_tasks(call: Callable[..., Any], table: str) -> None:
    code, _, said = call("compare", table, "--pair", "click:pctr")
    assert code == 2
    assert "give a file for each of them" in said


def test_no_task_is_better_than_another(call: Callable[..., Any], table: str) -> None:
    """In Markdown the best value of a row is bold where columns are models."""
    _, tasks, _ = call("eval", table, "--pair", "click:pctr", "--pair", "buy:pcvr", "-m", "logloss", "-f", "md")
    _, models, _ = call(
        "eval", table, "--label", "click", "--score", "pctr", "--score", "pcvr", "-m", "logloss", "-f", "md"
    )
    assert "**" not in tasks
    assert "**" in models


@pytest.mark.parametrize(
    "pair", ["buy:pcvr@click=1", "buy:pcvr@click=1.0", "buy:pcvr@click=true", "buy:pctr*pcvr@click=1"]
)
def test_rows_that_do_not_count_may_have_no_values(call: Callable[..., Any], tmp_path: Path, pair: str) -> None:
    """Whoever did not click has nothing to buy, and perhaps no prediction of it."""
    path = tmp_path / "log.csv"
    path.write_text("click,pctr,buy,pcvr\n1,0.8,1,0.5\n0,0.3,,\n1,0.6,0,0.1\n,0.2,,0.9\n")
    code, out, said = call("eval", str(path), "--pair", pair, "-m", "auc", "-f", "json")
    assert code == 0, said
    assert '"value": 1.0' in out
