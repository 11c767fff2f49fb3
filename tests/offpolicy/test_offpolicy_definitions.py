"""Every metric of off-policy values over exact sums against its definition in plain Python, and sums that merge in any order."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.metrics.declared import registry
from pingce.metrics.grammar import parse_metric
from pingce.offpolicy.evidence import LogSums, OffpolicyEvidence
from pingce.offpolicy.plain import LogList
from pingce.offpolicy.rows import OffpolicyRows
from pingce.offpolicy.shapes import KINDS, Shape

SHAPES = ["", "clip=2", "clip=0.3", "switch=1.5", "shrink=3", "shrink=0", "smooth=0.25", "smooth=1"]
WEIGHTED = ["ips", "snips", "dr", "sndr", "ess", "mean_weight"]
METRICS = [
    *(f"{name}({shape})" if shape else name for name in WEIGHTED for shape in SHAPES),
    *("dm", "replay_method", "logged_value", "max_weight", "max_weight(as=share)", "ess(as=share)"),
]
CASES = 300
COLUMNS = ("reward", "target", "logging", "logged_estimate", "target_estimate", "weight")


def case(seed: int) -> dict[str, Any]:
    """Some rows: rewards of 0 and 1 or amounts, targets with chance or without, sometimes tiny propensities or weights."""
    random = np.random.default_rng(seed)
    count = int(random.integers(1, 30))
    reward = random.integers(0, 2, count).astype(float) if seed % 3 else random.normal(0, 100, count)
    target = random.random(count) if seed % 4 else random.integers(0, 2, count).astype(float)
    logging = 1 - random.random(count) if seed % 5 else 10.0 ** -random.integers(0, 12, count)
    if seed % 31 == 0:
        target[:] = 0
    weight = random.integers(0, 4, count).astype(float) if seed % 2 == 0 else None
    if weight is not None:
        weight[0] = 1
    estimates = random.normal(0.5, 0.3, (2, count))
    return dict(zip(COLUMNS, (reward, target, logging, *estimates, weight), strict=True))


@cache
def both(seed: int) -> tuple[OffpolicyEvidence, LogList]:
    """A case as evidence and as plain rows."""
    columns = case(seed)
    plain = LogList(*(None if columns[name] is None else tuple(columns[name].tolist()) for name in COLUMNS))  # type: ignore[arg-type]
    return OffpolicyEvidence.of(OffpolicyRows(**columns)), plain


def test_all_metrics_are_tried() -> None:
    assert {parse_metric(name, task="offpolicy").metric.name for name in METRICS} == set(registry("offpolicy"))


@pytest.mark.parametrize("metric", METRICS)
def test_sums_give_what_the_definition_says(metric: str) -> None:
    declared = parse_metric(metric, task="offpolicy").metric
    defined = 0
    for seed in range(CASES):
        evidence, plain = both(seed)
        value, definition = declared.value(evidence), declared.define(plain)
        assert value.hex() == definition.hex(), seed
        defined += not math.isnan(definition)
    assert defined > CASES / 5 or "shrink=0" in metric


@given(
    st.sampled_from(KINDS),
    st.floats(0, 1),
    st.lists(st.floats(0, allow_infinity=False, allow_nan=False), min_size=1, max_size=8),
)
def test_weights_are_tamed_as_in_plain_python(kind: str, number: float, weights: list[float]) -> None:
    shape = Shape(kind, number)
    tamed = shape.of(np.array(weights)).tolist()
    assert tamed == [shape.plain(weight) for weight in weights]
    assert all(0 <= after <= max(before, 1.0) for after, before in zip(tamed, weights, strict=True))
    assert Shape.named(shape.name) == shape


@given(st.integers(0, 400), st.integers(0, 2**32 - 1))
def test_batches_in_any_order_give_the_same_bits(seed: int, order_seed: int) -> None:
    columns, random = case(seed), np.random.default_rng(order_seed)
    more = {"propensity": columns["logging"], **{name: columns[name] for name in COLUMNS[3:5]}}
    more |= {} if columns["weight"] is None else {"weight": columns["weight"]}
    names = METRICS[::3]
    whole = pc.evaluate_offpolicy(columns["reward"], columns["target"], names, **more).to_json()
    parts = np.array_split(random.permutation(len(columns["reward"])), 3)
    evaluators = [pc.OffpolicyEvaluator(names) for _ in parts]
    for evaluator, part in zip(evaluators, parts, strict=True):
        if len(part):
            sides = columns["reward"][part], columns["target"][part]
            evaluator.update(*sides, **{name: column[part] for name, column in more.items()})
    first, *others = evaluators
    for other in others:
        first.merge(type(other).from_bytes(other.to_bytes()))
    assert first.compute().to_json() == whole


@given(st.integers(0, 400))
def test_a_weight_is_how_often_a_row_counts(seed: int) -> None:
    columns = case(seed)
    if columns["weight"] is None:
        return
    often = columns["weight"].astype(int)
    repeated: dict[str, Any] = {name: np.repeat(columns[name], often) for name in COLUMNS[:5]} | {"weight": None}
    sides = OffpolicyEvidence.of(OffpolicyRows(**columns)), OffpolicyEvidence.of(OffpolicyRows(**repeated))
    for metric in METRICS:
        values = [parse_metric(metric, task="offpolicy").metric.value(side) for side in sides]
        assert values[0].hex() == values[1].hex()


@given(st.integers(0, 400), st.integers(-3, 3))
def test_what_moves_with_all_rewards(seed: int, shift: int) -> None:
    """Self-normalised values move as rewards do, ips by the mean weight as much; nothing leaves the range of the rewards."""
    columns = case(seed) | {"reward": np.round(case(seed)["reward"])}
    rows = OffpolicyRows(**columns)
    moved = OffpolicyRows(**columns | {"reward": columns["reward"] + shift})
    before, after = OffpolicyEvidence.of(rows), OffpolicyEvidence.of(moved)
    values = {
        name: [parse_metric(name, task="offpolicy").metric.value(each) for each in (before, after)]
        for name in METRICS[:16]
    }
    if not math.isnan(values["snips"][0]):
        assert values["snips"][1] == pytest.approx(values["snips"][0] + shift, abs=1e-9)
        counted = rows.counted().reward
        assert counted.min() - 1e-9 <= values["snips"][0] <= counted.max() + 1e-9
    mean = parse_metric("mean_weight", task="offpolicy").metric.value(before)
    assert values["ips"][1] == pytest.approx(values["ips"][0] + shift * mean, rel=1e-9, abs=1e-9)


def test_sums_travel_as_they_are() -> None:
    rows = OffpolicyRows(**case(4))
    sums = LogSums.of(rows, ["count", "raw|one", "clip:2.0|reward"])
    again = LogSums.from_arrow(sums.to_tables()["sums"])
    assert (again.count, again.sums, again.largest, again.ends) == (sums.count, sums.sums, sums.largest, sums.ends)


def test_threads_change_no_bit() -> None:
    random = np.random.default_rng(1)
    sides, propensity = (random.normal(size=200_000), random.random(200_000)), 1 - random.random(200_000)
    names = ["ips", "snips", "ess", "ips(smooth=0.1)"]
    first, second = (
        pc.evaluate_offpolicy(*sides, names, propensity=propensity, threads=threads, ci=0.95).to_json()
        for threads in (1, 2)
    )
    assert first == second
