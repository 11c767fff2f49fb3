"""Intervals and differences of many rows: which method it is, and what changes no bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import pingce as pc
from pingce.inputs.regression import NumberRows
from pingce.metrics.grammar import parse_metric
from pingce.stats import draws
from pingce.stats.models import BOOTSTRAP, BOOTSTRAP_GROUPS, INFLUENCE, INFLUENCE_GROUPS

from .test_influences import OF_NUMBERS

RNG = np.random.default_rng(8)
N = 5000
LOGIT = RNG.normal(size=N)
TRUE = (RNG.random(N) < 1 / (1 + np.exp(-1.2 * LOGIT))).astype(int)
FIRST, SECOND = (1 / (1 + np.exp(-1.2 * LOGIT - noise * RNG.normal(size=N))) for noise in (0.2, 0.4))
USERS, WEIGHT = RNG.integers(0, 1200, N), RNG.integers(0, 4, N) + 0.5
METHODS = {
    "auc": "delong",
    "pr_auc": "influence",
    "f1": "influence",
    "logloss": "influence",
    "ece": "calibration",
    "ks": "bootstrap",
}
KINDS: list[dict[str, Any]] = [{}, {"weight": WEIGHT}, {"group": USERS}, {"group": USERS, "weight": WEIGHT}]


def scored(order: Any = slice(None), **columns: Any) -> Any:
    chosen = {name: column[order] for name, column in columns.items()}
    return pc.evaluate_binary(TRUE[order], FIRST[order], [*METHODS], ci=0.95, samples=100, **chosen)


def test_the_method_is_said() -> None:
    scores = scored()
    assert {name: scores.values_by_name[name].method for name in METHODS} == METHODS
    assert {entry["name"]: entry["interval"]["method"] for entry in scores.to_dict()["metrics"]} == METHODS
    assert scores.to_arrow().column("method").to_pylist() == [*METHODS.values()]
    assert (
        "95 % intervals: auc by DeLong's variance; pr_auc, f1, logloss by influence functions"
        in scores.to_markdown().replace("\\", "")
    )
    few = pc.evaluate_binary(TRUE[:500], FIRST[:500], ["pr_auc", "f1"], ci=0.95, samples=100)
    assert [value.method for value in few.values_by_name.values()] == ["bootstrap", "bootstrap"]
    heavy = np.where(np.arange(N) < 3, 1e4, 1.0)
    assert scored(weight=heavy).values_by_name["pr_auc"].method == "bootstrap", "three rows decide it"


@pytest.mark.parametrize("columns", KINDS[:2], ids=["rows", "weights"])
def test_neither_order_nor_core_change_a_bit(columns: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    intervals = [scored(**columns).interval(name) for name in METHODS]
    assert [scored(RNG.permutation(N), **columns).interval(name) for name in METHODS] == intervals
    monkeypatch.setattr(draws, "native_core", lambda: None)
    assert [scored(**columns).interval(name) for name in METHODS] == intervals


@pytest.mark.parametrize("columns", KINDS, ids=["rows", "weights", "groups", "both"])
def test_differences(columns: dict[str, Any]) -> None:
    def compare(order: Any, **models: Any) -> Any:
        chosen = {name: column[order] for name, column in columns.items()}
        sides = {name: scores[order] for name, scores in models.items()}
        return pc.compare(TRUE[order], sides, ["pr_auc", "f1", "ks"], task="binary", samples=100, **chosen)

    whole, other = (compare(order, a=FIRST, b=SECOND) for order in (np.arange(N), RNG.permutation(N)))
    turned = compare(np.arange(N), a=SECOND, b=FIRST)
    for name in ("pr_auc", "f1", "ks"):
        gap, again, back = (each.difference(name, "b") for each in (whole, other, turned))
        assert (gap.p, gap.interval) == (again.p, again.interval)
        assert back.p == gap.p and back.interval == pytest.approx((-gap.interval[1], -gap.interval[0]), abs=1e-15)
        by_draws, by_rows = (BOOTSTRAP_GROUPS, INFLUENCE_GROUPS) if "group" in columns else (BOOTSTRAP, INFLUENCE)
        assert gap.test == (by_draws if name == "ks" else by_rows)


def test_an_influence_is_as_wide_as_draws_are() -> None:
    """Of 5,000 rows the two agree within the noise of 2,000 draws."""
    from pingce.stats import labels

    names, wide = ["pr_auc", "logloss", "brier", "pcoc", "bep"], {}
    for many in (1000, 10**9):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(labels, "MANY", many)
            scores = pc.evaluate_binary(TRUE, FIRST, names, ci=0.95, samples=2000)
        ends = [scores.interval(name) or (0.0, 0.0) for name in names]
        wide[many] = np.array([high - low for low, high in ends])
    assert wide[1000] == pytest.approx(wide[10**9], rel=0.08)


@pytest.mark.parametrize(
    "name", [*OF_NUMBERS, "medae", "xauc(pairs=all,both=right)", "xauc(pairs=all,level=right,tied=wrong)"]
)
def test_draws_of_numbers_at_once_are_those_one_by_one(name: str) -> None:
    random = np.random.default_rng(4)
    predicted = random.gamma(3, 2, 60).round(1)
    rows = NumberRows((predicted * random.lognormal(0, 0.4, 60)).round(1), predicted)
    often = random.multinomial(60, np.full(60, 1 / 60), size=20)
    metric = parse_metric(name, task="regression").metric
    together = metric.drawn_values(rows, often.astype(float))
    alone = [
        pc.evaluate_regression(np.repeat(rows.true, each), np.repeat(rows.predicted, each), [name])[name]
        for each in often
    ]
    assert together is not None
    assert together.tolist() == pytest.approx(alone, rel=1e-9)
