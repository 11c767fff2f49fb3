"""Every metric of uplift over the table against its definition in plain Python, and every way to make the table."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import pingce as pc
from pingce.metrics.grammar import parse_metric
from pingce.uplift.evidence import Cells, UpliftEvidence
from pingce.uplift.plain import ArmList
from pingce.uplift.rows import UpliftRows

METRICS = [
    "uplift",
    "uplift@0.1",
    "uplift@0.37",
    "uplift(by=arm)@0.3",
    "uplift(cut=floor)@0.45",
    "uplift(by=arm,cut=floor)@0.45",
    "qini",
    "qini(negative=no)",
    "qini(norm=end)",
    "qini(norm=none,area=mean)",
    "qini(empty=interpolate)",
    "qini(norm=end,area=mean,empty=interpolate)",
    "auuc",
    "auuc(norm=end)",
    "auuc(norm=none,area=mean)",
    "auuc(empty=interpolate,area=mean)",
    "auuc(norm=end,area=mean,empty=interpolate)",
]
CASES = 300


def case(seed: int) -> dict[str, Any]:
    """Some rows: with ties or without, with outcomes 0 and 1 or amounts, sometimes with weights or an empty start of an arm."""
    random = np.random.default_rng(seed)
    count = int(random.integers(2, 40))
    treated = random.integers(0, 2, count)
    treated[:2] = 0, 1
    outcome = random.integers(0, 2, count).astype(float)
    if seed % 3 == 0:
        outcome = np.round(outcome * random.normal(3, 2, count), 2)
    score = np.round(random.random(count), 1) if seed % 2 else random.random(count)
    if seed % 5 == 0:
        score = score + 2 * treated * (random.random(count) < 0.3)
    weight = random.integers(0, 4, count).astype(float) if seed % 4 == 0 else None
    if weight is not None:
        weight[:2] = 1
    return {"outcome": outcome, "treated": treated, "score": score, "weight": weight}


@pytest.mark.parametrize(
    "seeds", [range(60), pytest.param(range(60, CASES), marks=pytest.mark.deep("240 more cases of each variant"))]
)
@pytest.mark.parametrize("metric", METRICS)
def test_the_table_gives_what_the_definition_says(metric: str, seeds: range) -> None:
    declared = parse_metric(metric, task="uplift").metric
    defined = 0
    for seed in seeds:
        rows = case(seed)
        weights = None if rows["weight"] is None else tuple(rows["weight"].tolist())
        outcome, treated, score = (tuple(rows[name].tolist()) for name in ("outcome", "treated", "score"))
        plain = declared.define(ArmList(outcome, treated, score, weights))
        value = declared.value(UpliftEvidence.of(rows_of(rows)))
        assert value == pytest.approx(plain, rel=1e-10, abs=1e-12, nan_ok=True), seed
        defined += not math.isnan(plain)
    assert defined > len(seeds) / 3


def rows_of(rows: dict[str, Any]) -> UpliftRows:
    outcome = rows["outcome"]
    if set(outcome.tolist()) <= {0.0, 1.0}:
        outcome = outcome.astype(np.uint8)
    return UpliftRows(
        outcome, rows["treated"].astype(np.uint8), rows["score"], rows["weight"], rows["weight"] is not None
    )


@pytest.mark.parametrize("seed", range(0, 60, 7))
def test_the_core_and_the_reference_make_one_table(seed: int) -> None:
    rows = case(seed) | {"weight": None}
    rows["outcome"] = (rows["outcome"] > 0).astype(float)
    plain = rows_of(rows)
    ours, theirs = UpliftEvidence.of(plain).table, Cells.of(plain).table()
    for name in ("score", "treated", "control", "treated_sum", "control_sum"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))


@pytest.mark.parametrize("seed", range(8))
def test_batches_in_any_order_give_the_same_bits(seed: int) -> None:
    rows, random = case(seed), np.random.default_rng(seed)
    metrics = [metric for metric in METRICS if "uplift@0.1" not in metric]
    columns = [rows[name] for name in ("outcome", "score")]
    more = {"treatment": rows["treated"], **({} if rows["weight"] is None else {"weight": rows["weight"]})}
    whole = pc.evaluate_uplift(columns[0], columns[1], metrics, **more).to_json()
    order = random.permutation(len(columns[0]))
    parts = np.array_split(order, 3)
    evaluators = [pc.UpliftEvaluator(metrics) for _ in parts]
    for evaluator, part in zip(evaluators, parts, strict=True):
        evaluator.update(*(column[part] for column in columns), **{name: column[part] for name, column in more.items()})
    first, second, third = evaluators
    arrived = pc.UpliftEvaluator.from_bytes(third.to_bytes())
    assert second.merge(arrived).merge(first).compute().to_json() == whole


def test_a_cut_does_not_jump_where_weights_happen_to_sum_to_a_whole_number() -> None:
    outcome, treated, score = [1, 0, 1, 0, 1], [1, 0, 1, 0, 1], [5, 4, 3, 2, 1]

    def value(last: float) -> float:
        weight = [0.5, 0.75, 0.5, 0.75, last]
        return pc.evaluate_uplift(outcome, score, ["uplift(by=arm)@0.3"], treatment=treated, weight=weight)[
            "uplift(by=arm)@0.3"
        ]

    rows = ArmList((0, 1, 1, 0, 0), (1, 1, 0, 0, 1), (5, 4, 3, 2, 1), (0.5, 0.75, 0.5, 0.75, 0.5))
    cut = parse_metric("uplift@0.3", task="uplift").metric
    nearly = ArmList(rows.outcomes, rows.treated, rows.scores, (*(rows.weights or ())[:4], 0.5000001))
    assert cut.define(rows) == pytest.approx(cut.define(nearly), abs=1e-5, nan_ok=True)
    assert value(0.5) == pytest.approx(value(0.5000001), abs=1e-5)


def test_tenths_without_rows_of_an_arm_are_dashes() -> None:
    scores = pc.evaluate_uplift([1, 0, 1, 0], [4, 3, 2, 1], ["uplift"], treatment=[1, 0, 1, 0])
    (table,) = scores.more_tables()
    assert any(None in row for row in table.rows)
    assert not any(isinstance(cell, float) and math.isnan(cell) for row in table.rows for cell in row)
