"""--field and --cost: metrics beside those that were asked for, and the worst fields."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROWS = "y,p,ad,pos\n1,.5,m,1\n0,.25,m,2\n0,.25,m,1\n1,.5,m,2\n0,.5,n,1\n1,.5,n,2\n0,.25,n,1\n0,.2,o,2\n"


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "f.csv"
    path.write_text(ROWS)
    return str(path)


def test_several_fields_and_a_cost(call: Callable[..., Any], table: str) -> None:
    words = ("eval", table, "--label", "y", "--score", "p", "-m", "auc", "--field", "ad", "--field", "pos")
    code, out, _ = call(*words, "--cost", "fp=1,fn=20", "-f", "json")
    assert code == 0
    values = {entry["name"]: entry["value"] for entry in json.loads(out)["metrics"]}
    assert values["field_rce(by=ad)"] == 0.25
    assert values["field_ece(by=ad)"] == 0.11875
    assert {"auc", "field_rce(by=pos)", "cost(fp=1,fn=20)", "best_cost(fp=1,fn=20)"} <= set(values)
    assert values["cost_threshold(fp=1,fn=20)"] == 0.5


def test_the_worst_fields_are_shown_and_those_without_clicks_counted(call: Callable[..., Any], table: str) -> None:
    code, out, said = call("eval", table, "--label", "y", "--score", "p", "--field", "ad")
    assert code == 0
    assert "worst ad" in out
    assert "ad: 3 fields, 1 of them without a positive row (1 rows)" in said


def test_a_cost_that_is_none_is_refused(call: Callable[..., Any], table: str) -> None:
    code, _, said = call("eval", table, "--label", "y", "--score", "p", "--cost", "fp=1,fx=20")
    assert code == 2
    assert "cost has no parameter 'fx'" in said
