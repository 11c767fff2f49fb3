"""Gaps between slices: read out of the values of groups, with intervals of rows or queries drawn within each of them."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.evidence.policies import Policies
from pingce.metrics.averages import quantile_of
from pingce.metrics.gaps import GAPS
from pingce.metrics.grammar import parse_metric
from pingce.stats.means import _Draws, drawn_quantiles
from pingce.stats.resampling import Resampling
from pingce.tasks import TASKS

RNG = np.random.default_rng(11)
ROWS = 300
SEX = RNG.choice(["f", "m", "x"], ROWS, p=[0.5, 0.45, 0.05])
CLICK = RNG.integers(0, 2, ROWS)
SCORE = np.clip(CLICK * 0.3 + RNG.random(ROWS) * 0.7 + (SEX == "f") * 0.1, 0, 1)
TABLE = pa.table({"click": CLICK, "pctr": SCORE, "guess": (SCORE > 0.5).astype(int), "sex": SEX})
QRELS = {f"q{i:02}": {f"d{j}": int(RNG.integers(0, 3)) for j in range(6)} for i in range(60)}
RUN = {query: {item: float(RNG.random()) for item in items} for query, items in QRELS.items()}
REGION = {query: ("east", "west", "north")[at % 3] for at, query in enumerate(QRELS)}


def parts(metric: str, least: int = 20) -> dict[str, float]:
    """The metric of each group of rows that is large enough, evaluated alone."""
    values = {}
    for name in sorted(set(SEX)):
        rows = name == SEX
        if rows.sum() >= least:
            values[str(name)] = pc.evaluate_binary(CLICK[rows], SCORE[rows], [metric])[metric]
    return values


@pytest.mark.parametrize("metric", ["recall", "auc", "accuracy", "logloss"])
@pytest.mark.parametrize("form", ["difference", "ratio", "cv", "mad"])
def test_a_gap_is_the_distance_of_the_groups_evaluated_alone(metric: str, form: str) -> None:
    name = f"gap(of={metric},by=sex,as={form})"
    scores = pc.evaluate_binary("click", "pctr", [name], data=TABLE, min_n=5)
    values = list(parts(metric, 5).values())
    wanted = {
        "difference": max(values) - min(values),
        "ratio": min(values) / max(values),
        "cv": float(np.std(values) / np.mean(values)),
        "mad": float(np.mean([abs(a - b) for a, b in combinations(values, 2)])),
    }
    assert scores[name] == pytest.approx(wanted[form], rel=1e-12)
    assert scores.values_by_name[name].count == 3
    assert scores[metric] == pc.evaluate_binary(CLICK, SCORE, [metric])[metric]


def test_the_worked_example() -> None:
    groups = [Fraction(9, 10), Fraction(7, 10), Fraction(8, 10)]
    for form, wanted in {"difference": 0.2, "ratio": 7 / 9, "cv": math.sqrt(2 / 300) / 0.8, "mad": 0.4 / 3}.items():
        gap = parse_metric(f"gap(of=recall,as={form})", task="binary").metric
        assert gap.define([float(value) for value in groups]) == pytest.approx(wanted, rel=1e-12)


@given(st.lists(st.floats(0.01, 1), min_size=2, max_size=12), st.sampled_from(["difference", "ratio", "cv", "mad"]))
def test_draws_are_read_as_values_are(values: list[float], form: str) -> None:
    gap = parse_metric(f"gap(of=mae,as={form})", task="regression").metric
    assert gap.distance(np.array(values)[:, None])[0] == pytest.approx(gap.define(values), rel=1e-9, abs=1e-12)


def test_small_groups_do_not_count_and_are_named() -> None:
    scores = pc.evaluate_binary("click", "pctr", ["gap(of=recall,by=sex)"], data=TABLE)
    gap = scores.gaps["gap(of=recall,by=sex)"]
    values = parts("recall")
    assert scores["gap(of=recall,by=sex)"] == max(values.values()) - min(values.values())
    assert gap.small == ("x",)
    assert gap.largest is not None
    assert gap.smallest is not None
    assert (gap.largest.name, gap.smallest.name) == (
        max(values, key=values.__getitem__),
        min(values, key=values.__getitem__),
    )
    notes = " ".join(note.en for note in scores.notes)
    assert "1 group of fewer than 20 rows left out (x; min_n)" in notes
    assert f"recall is largest for sex = {gap.largest.name}" in notes


def test_the_named_gaps_of_a_classifier() -> None:
    names = ["demographic_parity(by=sex)", "equal_opportunity(by=sex)", "equalized_odds(by=sex)"]
    scores = pc.evaluate_binary("click", "pctr", names, data=TABLE)
    rates = {name: list(parts(name).values()) for name in ("positive_rate", "recall", "fpr")}
    gaps = {name: max(values) - min(values) for name, values in rates.items()}
    assert [scores[name] for name in names] == [
        gaps["positive_rate"],
        gaps["recall"],
        max(gaps["recall"], gaps["fpr"]),
    ]
    ratio = pc.evaluate_binary("click", "pctr", ["equalized_odds(by=sex,as=ratio)"], data=TABLE)
    assert list(ratio.values())[-1] == min(min(rates[name]) / max(rates[name]) for name in ("recall", "fpr"))


@pytest.mark.parametrize(
    ("task", "columns", "metric"),
    [
        ("binary", ("click", "pctr"), "auc"),
        ("binary", ("click", "pctr"), "recall"),
        ("multiclass", ("click", "guess"), "accuracy"),
        ("regression", ("click", "pctr"), "rmse"),
    ],
)
def test_gaps_of_rows_have_intervals(task: str, columns: tuple[str, str], metric: str) -> None:
    evaluate, name = getattr(pc, f"evaluate_{task}"), f"gap(of={metric},by=sex)"
    options: dict[str, Any] = {"metrics": [name], "ci": 0.9, "samples": 50}
    scores = evaluate(*columns, data=TABLE, **options)
    low, high = scores.interval(name)
    assert 0 <= low <= scores[name] <= high
    (pair,) = scores.gaps[name].pairs
    assert pair.corrected == pair.p
    order = RNG.permutation(ROWS)
    again = evaluate(*columns, data=TABLE.take(order), **options)
    assert again.to_json() == scores.to_json()
    assert evaluate(*columns, data=TABLE, **options, seed=1).interval(name) != (low, high)


@pytest.mark.parametrize("metric", ["ndcg@5", "gm_ap", "hit_rate(mode=micro)@1"])
def test_gaps_of_queries_have_intervals_and_tests(metric: str) -> None:
    name = f"gap(of={metric})"
    scores = pc.evaluate_ranking(QRELS, RUN, [name], by=REGION, ci=0.9, samples=200)
    inside = {
        region: pc.evaluate_ranking({query: QRELS[query] for query in QRELS if REGION[query] == region}, RUN, [metric])[
            metric
        ]
        for region in set(REGION.values())
    }
    assert scores[name] == max(inside.values()) - min(inside.values())
    low, high = scores.interval(name) or (math.nan, math.nan)
    assert 0 <= low <= scores[name] <= high
    gap = scores.gaps[name]
    assert len(gap.pairs) == 3
    assert all(pair.p <= pair.corrected for pair in gap.pairs)
    assert name not in scores.per_query.column_names


def test_batches_and_states_give_the_same_document() -> None:
    names = ["gap(of=ndcg@5,by=activity)", "median(of=ndcg@5)"]
    whole = pc.evaluate_ranking(QRELS, RUN, names, ci=0.9, samples=50, min_n=2)
    queries = list(QRELS)
    pieces = []
    for part in (queries[:25], queries[25:]):
        evaluator = pc.RankingEvaluator(QRELS, names, split="never", ci=0.9, samples=50, min_n=2)
        pieces.append(evaluator.update({query: RUN[query] for query in part}))
    restored = pc.RankingEvaluator.from_bytes(pieces[1].to_bytes())
    assert pieces[0].merge(restored).compute().to_json() == whole.to_json()


@pytest.mark.parametrize(
    ("metric", "sentence"),
    [
        ("gap", "of= is missing"),
        ("gap(by=sex)", "of= is missing: say which metric, e.g. of=recall"),
        ("gap(of=recal,by=sex)", "unknown metric 'recal'; did you mean 'recall'"),
        ("gap(of=recall,by=sex,as=rate)", "as=rate: choose one of difference | ratio | cv | mad"),
        ("gap(of=recall,by=sex,with=1)", "gap has no parameter 'with'; it has of, by, as, correction"),
        ("gap(of=gap(of=recall))", "it is read out of another metric itself"),
        ("gap(of=recall(threshold=0.9),by=sex)", "threshold is a policy; write it outside"),
        ("gap(of=recall,by=age)", "no column 'age'"),
        ("gap(of=recall,by=sex)@5", "gap takes no @k"),
    ],
)
def test_bad_gaps(metric: str, sentence: str) -> None:
    with pytest.raises(pc.InputError) as refused:
        pc.evaluate_binary("click", "pctr", [metric], data=TABLE)
    assert sentence in refused.value.text.en
    assert refused.value.text.zh != refused.value.text.en


@pytest.mark.parametrize(("form", "words"), [("ratio", "is of values from 0 up"), ("cv", "divides by the mean")])
def test_a_form_that_negative_values_do_not_have_says_why(form: str, words: str) -> None:
    name = f"gap(of=r2,as={form})"
    true, predicted, group = [1.0, 2.0, 3.0] * 2, [3.0, 2.0, 1.0, 3.0, 2.0, 2.0], ["A"] * 3 + ["B"] * 3
    scores = pc.evaluate_regression(true, predicted, [name], by={"g": group}, min_n=1)
    assert math.isnan(scores[name])
    assert any(f"{name} has no value: as={form} {words}" in note.en for note in scores.notes)


def test_groups_that_are_equal_have_no_largest() -> None:
    scores = pc.evaluate_regression([1.0, 2.0], [1.0, 2.0], ["gap(of=mae)"], by={"g": ["A", "B"]}, min_n=1)
    assert "gap(of=mae): mae is 0 in all 2 groups by g" in [note.en for note in scores.notes]


def test_a_gap_needs_its_slices() -> None:
    with pytest.raises(pc.InputError, match="nothing is sliced by 'region'"):
        pc.evaluate_ranking(QRELS, RUN, ["gap(of=mrr,by=region)"])
    with pytest.raises(pc.InputError, match="slices are by several things"):
        pc.evaluate_ranking(QRELS, RUN, ["gap(of=mrr)"], by=["activity", REGION])


def test_one_group_alone_has_no_gap() -> None:
    scores = pc.evaluate_ranking(QRELS, RUN, ["gap(of=mrr)"], by=dict.fromkeys(QRELS, "here"), ci=0.9)
    assert math.isnan(scores["gap(of=mrr)"])
    assert scores.to_dict()["gaps"][0]["largest"] is None
    with pytest.raises(pc.InputError, match="fewer than two groups"):
        pc.evaluate_ranking(QRELS, RUN, ["gap(of=mrr,undefined=error)"], by=dict.fromkeys(QRELS, "here"))


def test_spellings_signatures_and_pages() -> None:
    scores = pc.evaluate_binary("click", "pctr", ["gap(by=sex, of=tpr)"], data=TABLE)
    assert scores["gap(of=recall,by=sex)"] == scores["gap(by=sex, of=tpr)"]
    signature = scores.signature("gap(of=recall,by=sex)")
    assert signature.startswith("gap|of:recall|by:sex|as:difference|threshold:0.5")
    again = pc.evaluate_binary("click", "pctr", pc.from_signature(signature), data=TABLE)
    assert again["gap(of=recall,by=sex)"] == scores["gap(of=recall,by=sex)"]
    assert set(GAPS) == set(TASKS)


def test_a_tool_means_its_own_metric() -> None:
    scores = pc.evaluate_ranking(QRELS, RUN, ["gap(of=ndcg@5)", "ndcg@5"], by=REGION, convention="ranx")
    assert scores.find("ndcg@5").metric.id == "ndcg(gain=linear,gain_below=zero)@5"
    assert list(scores) == ["gap(of=ndcg@5)", "ndcg@5"]
    assert len(scores) == 2
    parts = [part.values["ndcg@5"].value for part in scores.slices.parts]  # type: ignore[union-attr]
    assert scores["gap(of=ndcg@5)"] == max(parts) - min(parts)


def test_the_explanation_ends_in_the_value() -> None:
    for form in ("difference", "ratio", "cv", "mad"):
        name = f"gap(of=recall,by=sex,as={form})"
        value = pc.evaluate_binary("click", "pctr", [name], data=TABLE)[name]
        told = pc.explain(name, "click", "pctr", data=TABLE, task="binary")
        assert told.value == value
    told = pc.explain("gap(of=mrr)", QRELS, RUN, by=REGION)
    assert "The groups that count" in str(told)
    assert pc.explain("equalized_odds(by=sex)", "click", "pctr", data=TABLE).value == pytest.approx(
        pc.evaluate_binary("click", "pctr", ["equalized_odds(by=sex)"], data=TABLE)["equalized_odds(by=sex)"], rel=0
    )


def test_a_gap_of_groups_that_are_all_alike_says_that_it_has_no_interval() -> None:
    scores = pc.evaluate_binary(
        [0, 1] * 50, [0.0, 1.0] * 50, ["gap(of=recall)"], by={"g": ["A"] * 50 + ["B"] * 50}, ci=0.9
    )
    assert scores.values_by_name["gap(of=recall)"].interval is None
    assert any(note.en.startswith("gap(of=recall) has no confidence interval:") for note in scores.notes)


def test_lists_that_are_in_no_slice_are_told() -> None:
    run, by = {"a": ["b"], "x": ["b", "c"]}, {"a": "A", "x": "A"}
    scores = pc.evaluate_ranking({"a": {"b": 1}}, run, ["coverage(of=count)@3"], by=by)
    assert scores.slices is not None
    assert any("1 lists without judgements" in note.en for note in scores.slices.notes)
    every = pc.evaluate_ranking(None, run, ["coverage(of=count)@3"], by=by)
    assert every.slices is not None
    assert not any("without judgements" in note.en for note in every.slices.notes)


@pytest.mark.parametrize("level", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("weighted", [False, True])
def test_drawn_quantiles_are_those_of_the_queries_drawn(level: float, weighted: bool) -> None:
    random = np.random.default_rng(7)
    values, weights = random.integers(0, 6, 9).astype(float), random.integers(0, 2, 9).astype(float)
    draws = drawn_quantiles(values, level, Resampling(0.95, 40, 3), weights if weighted else None)
    counts = _Draws(np.zeros((9, 1)), 3, 40).counts(40) * (weights if weighted else 1.0)
    np.testing.assert_array_equal(draws, [quantile_of(values, level, Policies(), row) for row in counts])


def test_a_gap_of_medians_has_an_interval() -> None:
    """Ranks 1 to 9 in one group, 3 to 11 in the other: the medians lie 2 apart."""
    ranks = {f"{group}{rank}": rank + 2 * (group == "b") for group in "ab" for rank in range(1, 10)}
    run = {query: [f"x{at}" for at in range(1, rank)] + ["hit"] for query, rank in ranks.items()}
    truth = {query: {"hit": 1} for query in run}
    name = "gap(of=median_rank)"
    scores = pc.evaluate_ranking(truth, run, [name], by={query: query[0] for query in run}, ci=0.95, min_n=1)
    ends = scores.find(name).interval
    assert scores[name] == 2
    assert ends is not None
    assert ends[0] < 2 < ends[1]
