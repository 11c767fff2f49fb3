"""`field=` and `cost=` of calls and evaluators: the metrics that they stand for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pingce as pc

RANDOM = np.random.default_rng(2)
LABELS, SCORES, ADS = RANDOM.integers(0, 2, 60), RANDOM.random(60), np.arange(60) % 4
TABLE = {"y": LABELS, "p": SCORES, "ad": ADS, "ad group": ADS // 2, "user": ADS}
FIELDS = ["field_rce(by=ad)", "field_ece(by=ad)"]
COSTS = ["cost(fp=1,fn=20)", "best_cost(fp=1,fn=20)", "cost_threshold(fp=1,fn=20)"]


@pytest.mark.parametrize("metrics", [["auc"], "auc", pc.parse_metric("auc", task="binary"), "auc,f1"])
def test_they_are_added_to_the_metrics(metrics: Any) -> None:
    scores = pc.evaluate_binary("y", "p", metrics, data=TABLE, field="ad", cost="fp=1,fn=20")
    assert list(scores)[-5:] == [*FIELDS, *COSTS]
    assert dict(scores) == dict(pc.evaluate_binary("y", "p", list(scores), data=TABLE))


def test_without_metrics_the_usual_ones_come_first() -> None:
    usual = list(pc.evaluate_binary("y", "p", data=TABLE, group="user"))
    assert list(pc.evaluate_binary("y", "p", data=TABLE, group="user", field="ad")) == [*usual, *FIELDS]


def test_several_fields_and_fields_as_arrays() -> None:
    named = pc.evaluate_binary("y", "p", ["auc"], data=TABLE, field=["ad", "ad group"])
    given = pc.evaluate_binary(LABELS, SCORES, ["auc"], field={"ad": ADS, "ad group": ADS // 2})
    assert list(named.values()) == list(given.values())
    assert list(named)[3:] == ["field_rce(by=ad group)", "field_ece(by=ad group)"]


def test_an_evaluator_takes_them_too() -> None:
    evaluator = pc.BinaryEvaluator(["auc"], field="ad", cost="fp=1,fn=20")
    for part in (slice(0, 25), slice(25, 60)):
        evaluator.update(LABELS[part], SCORES[part], group_weight={"ad": ADS[part]})
    wanted = pc.evaluate_binary("y", "p", ["auc"], data=TABLE, field="ad", cost="fp=1,fn=20")
    assert evaluator.compute().to_json() == wanted.to_json()


@pytest.mark.parametrize("field", [3, [], ["ad", 3], [""], {}, b"ad"])
def test_what_is_no_field_is_refused(field: Any) -> None:
    with pytest.raises(
        pc.InputError, match="give the name of a column of data=, a list of such names, or values with a name"
    ):
        pc.evaluate_binary("y", "p", ["auc"], data=TABLE, field=field)


def test_what_is_no_price_is_refused() -> None:
    with pytest.raises(pc.InputError, match="fp=-1: must be a number"):
        pc.evaluate_binary("y", "p", ["auc"], data=TABLE, cost="fp=-1")
