"""Every metric of several labels against its definition in plain Python, and every way to come to one answer."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.metrics.grammar import parse_metric
from pingce.multilabel.evidence import MultilabelEvidence
from pingce.multilabel.plain import LabelList
from pingce.multilabel.policies import MultilabelPolicies
from pingce.multilabel.rows import LabelRows

AVERAGES = ("macro", "micro", "weighted", "samples")
METRICS = [
    *(
        f"{name}(average={average})"
        for name in ("precision", "recall", "f", "jaccard", "accuracy", "specificity", "auc", "pr_auc")
        for average in AVERAGES
    ),
    *(f"{name}(label=1)" for name in ("f", "auc", "pr_auc")),
    "f(beta=0.5,average=samples)",
    "auc(lacking=zero)",
    "auc(lacking=nan,average=samples)",
    "pr_auc(lacking=zero,average=samples)",
    "hamming",
    "exact_match",
    *(f"{name}(empty={empty})" for name in ("coverage_error", "lrap") for empty in ("count", "skip")),
    *(f"label_ranking_loss(empty={empty},ties={ties})" for empty in ("count", "skip") for ties in ("wrong", "half")),
]
CASES = 300


def case(seed: int) -> dict[str, Any]:
    """Some rows: with ties or without, sometimes with weights, labels that never occur, rows that have none or all."""
    random = np.random.default_rng(seed)
    count, width = int(random.integers(1, 25)), int(random.integers(2, 7))
    score = random.random((count, width))
    score = np.round(score, 1) if seed % 2 else score
    truth = (random.random((count, width)) < random.choice([0.2, 0.5, 0.8])).astype(np.uint8)
    if seed % 3 == 0:
        truth[:, 0], truth[: count // 3] = seed % 2, (seed // 3) % 2
    weight = random.integers(0, 4, count).astype(float) if seed % 4 == 0 else None
    if weight is not None:
        weight[0] = 1
    return {
        "truth": truth,
        "score": score.astype(np.float32) if seed % 5 == 0 else score,
        "weight": weight,
        "threshold": float(random.choice([0.3, 0.5, 0.7])),
        "compare": "ge" if seed % 7 else "gt",
        "undefined_label": ("zero", "skip", "one", "nan")[seed % 4],
    }


@pytest.mark.parametrize(
    "seeds", [range(60), pytest.param(range(60, CASES), marks=pytest.mark.deep("240 more cases of each variant"))]
)
@pytest.mark.parametrize("metric", METRICS)
def test_the_evidence_gives_what_the_definition_says(metric: str, seeds: range) -> None:
    declared = parse_metric(metric, task="multilabel").metric
    defined = 0
    for seed in seeds:
        rows = case(seed)
        names = tuple(map(str, range(rows["truth"].shape[1])))
        options = {name: rows[name] for name in ("compare", "undefined_label")}
        weights = None if rows["weight"] is None else tuple(rows["weight"].tolist())
        threshold = float(rows["score"].dtype.type(rows["threshold"]))
        truth, score = (tuple(map(tuple, rows[side].tolist())) for side in ("truth", "score"))
        plain = declared.define(LabelList(truth, score, weights, names, threshold, **options))
        evidence = MultilabelEvidence(LabelRows(rows["truth"], rows["score"], names, rows["weight"]))
        value = declared.value(evidence.view(MultilabelPolicies(threshold=rows["threshold"], **options)))
        assert value == pytest.approx(plain, rel=1e-12, abs=1e-14, nan_ok=True), seed
        defined += not math.isnan(plain)
    assert defined > len(seeds) / 20


PLAIN = [metric for metric in METRICS if "label=1" not in metric]


def options_of(rows: dict[str, Any]) -> dict[str, Any]:
    return {name: rows[name] for name in ("threshold", "compare", "undefined_label")}


def answer(rows: dict[str, Any], **more: Any) -> str:
    weight = {} if rows["weight"] is None else {"weight": rows["weight"]}
    return pc.evaluate_multilabel(rows["truth"], rows["score"], PLAIN, **options_of(rows), **weight, **more).to_json()


@pytest.mark.sweep
@pytest.mark.filterwarnings("ignore")
@given(seed=st.integers(0, 10_000), parts=st.integers(2, 4))
def test_batches_in_any_order_give_the_same_bits(seed: int, parts: int) -> None:
    """Also where sums alone are kept, where one travels as bytes, and whatever the order of the rows."""
    rows, random = case(seed), np.random.default_rng(seed)
    metrics = [metric for metric in PLAIN if not parse_metric(metric, task="multilabel").metric.needs_rows]
    order = random.permutation(len(rows["truth"]))
    pieces = [piece for piece in np.array_split(order, parts) if len(piece)]
    for asked in (PLAIN, metrics):
        weights = [{} if rows["weight"] is None else {"weight": rows["weight"][piece]} for piece in pieces]
        evaluators = [pc.MultilabelEvaluator(asked, **options_of(rows)) for _ in pieces]
        for evaluator, piece, weight in zip(evaluators, pieces, weights, strict=True):
            evaluator.update(rows["truth"][piece], rows["score"][piece], **weight)
        first, *others = evaluators
        for other in others:
            first.merge(pc.MultilabelEvaluator.from_bytes(other.to_bytes()))
        weight = {} if rows["weight"] is None else {"weight": rows["weight"]}
        whole = pc.evaluate_multilabel(rows["truth"], rows["score"], asked, **options_of(rows), **weight)
        assert first.compute().to_json() == whole.to_json()


@pytest.mark.sweep
@pytest.mark.filterwarnings("ignore")
@given(seed=st.integers(0, 10_000))
def test_lines_and_matrices_are_one(seed: int) -> None:
    """In any order of the lines, which may come in batches that cut through rows."""
    rows, random = case(seed), np.random.default_rng(seed)
    count, width = rows["truth"].shape
    order = random.permutation(count * width)
    table = pa.table(
        {
            "y": rows["truth"].reshape(-1)[order],
            "s": rows["score"].reshape(-1)[order],
            "id": np.array([f"r{at}" for at in range(count)])[order // width],
            "tag": order % width,
            **({} if rows["weight"] is None else {"w": np.repeat(rows["weight"], width)[order]}),
        }
    )
    names: dict[str, Any] = {"row": "id", "tag": "tag"} | ({} if rows["weight"] is None else {"weight": "w"})
    whole = answer(rows)
    assert pc.evaluate_multilabel("y", "s", PLAIN, data=table, **names, **options_of(rows)).to_json() == whole
    evaluator = pc.MultilabelEvaluator(PLAIN, **options_of(rows))
    half = len(table) // 2
    evaluator.update("y", "s", data=table.slice(0, half), **names) if half else None
    evaluator.update("y", "s", data=table.slice(half), **names)
    assert pc.MultilabelEvaluator.from_bytes(evaluator.to_bytes()).compute().to_json() == whole


@pytest.mark.filterwarnings("ignore")
def test_the_order_of_the_labels_changes_no_bit() -> None:
    for seed in range(20):
        rows = case(seed)
        order = np.random.default_rng(seed).permutation(rows["truth"].shape[1])
        other = rows | {side: rows[side][:, order] for side in ("truth", "score")}
        ours, theirs = (
            pc.evaluate_multilabel(each["truth"], each["score"], PLAIN, **options_of(rows)) for each in (rows, other)
        )
        assert [value.hex() for value in ours.values()] == [value.hex() for value in theirs.values()]


def test_threads_and_blocks_change_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(1)
    truth, score = random.random((500, 6)) < 0.3, np.round(random.random((500, 6)), 2)
    whole = pc.evaluate_multilabel(truth, score, PLAIN, threads=1).to_json()
    for module in ("counts", "ranks"):
        monkeypatch.setattr(f"pingce.multilabel.{module}.BLOCK", 64)
    assert pc.evaluate_multilabel(truth, score, PLAIN, threads=3).to_json() == whole


def test_many_labels_are_counted_without_a_table_of_all_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(2)
    truth, score = random.random((80, 300)) < 0.05, random.random((80, 300))
    names = ["f1(average=samples)", "exact_match", "lrap"]
    for weight in (None, random.integers(1, 4, 80)):
        whole = pc.evaluate_multilabel(truth, score, names, weight=weight).to_json()
        with monkeypatch.context() as patch:
            patch.setattr("pingce.multilabel.counts._FEW", 1 << 40)
            assert pc.evaluate_multilabel(truth, score, names, weight=weight).to_json() == whole


def test_the_order_of_rows_changes_no_bit_of_weights_with_fractions() -> None:
    truth, score = np.array([[1, 0], [1, 0], [1, 0], [1, 1]]), np.tile([0.9, 0.1], (4, 1))
    weight, order = np.array([0.1, 0.2, 0.3, 0.4]), np.array([2, 1, 0, 3])
    metrics = ["exact_match", "f1(average=samples)", "f1", "hamming"]
    whole = dict(pc.evaluate_multilabel(truth, score, metrics, weight=weight))
    assert dict(pc.evaluate_multilabel(truth[order], score[order], metrics, weight=weight[order])) == whole
