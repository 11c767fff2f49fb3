"""Weights of items: worked examples, values against definitions, laws, every shape of a truth, and what is refused."""

from __future__ import annotations

from itertools import permutations
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import pingce as pc
from drawn import ALL
from drawn_labels import without_core
from pingce.evidence.ranking.compute import ranking_evidence
from pingce.evidence.ranking.evidence import RankingEvidence
from pingce.inputs import Rows, read_run, read_truth
from pingce.metrics.grammar import parse_metric
from pingce.metrics.ranking import RankedList, RankingMetric

WEIGHED = [metric for metric in ALL if metric.takes_item_weight]
INSIDE = [metric for metric in WEIGHED if metric.weighs_items]
METRICS = [
    "ndcg@5",
    "dcg",
    "cg@3",
    "map",
    "mrr",
    "recall@2",
    "precision@3",
    "arp_grade",
    "arp_grade(mode=micro)",
    "bpref",
]
pytestmark = pytest.mark.filterwarnings("ignore")


def drawn(seed: int, *, ties: bool = True) -> tuple[pa.Table, pa.Table]:
    """A truth with weights, and a run that returns most of it among other items; some queries have nothing relevant."""
    random = np.random.default_rng(seed)
    query, item = np.repeat(np.arange(12), 9), np.tile(np.arange(9), 12)
    judged, listed = random.random(108) < 0.6, random.random(108) < 0.8
    grade = random.integers(0, 4, 108) * (query % 5 != 4)
    weight = random.integers(1, 9, 108) / 4
    score = random.integers(0, 4, 108) if ties else random.permutation(108)
    truth = pa.table({"query": query[judged], "item": item[judged], "grade": grade[judged], "ipw": weight[judged]})
    return truth, pa.table({"query": query[listed], "item": item[listed], "score": score[listed].astype(float)})


def rows(truth: pa.Table) -> Rows:
    return read_truth(truth, columns={"item_weight": "ipw"})


def hexadecimal(scores: Any, names: list[str]) -> dict[str, list[str]]:
    """Every bit of every value."""
    return {
        name: [
            float(scores[name]).hex(),
            *(float(nan if v is None else v).hex() for v in scores.per_query[name].to_pylist()),
        ]
        for name in names
    }


EXAMPLE = {"query": ["q"] * 3, "item": ["a", "b", "c"], "grade": [3, 1, 2], "ipw": [1.0, 6.0, 0.5]}
LIST = {"q": ["b", "x", "a"]}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ndcg", (6 + 7 / 2) / (7 + 6 / np.log2(3) + 1.5 / 2)),
        ("ndcg(gain=linear)@1", 6 / 6),
        ("ap", (6 * 1 + 1 * 2 / 3) / 7.5),
        ("dcg", (6 + 7 / 2) / (14.5 / 11)),
        ("cg", (6 + 3) / (10 / 6)),
        ("arp_grade", (6 * 1 + 3 * 3) / 9),
        ("rr", 1.0),
        ("recall", 2 / 3),
    ],
)
def test_the_worked_example(name: str, value: float) -> None:
    assert pc.evaluate_ranking(EXAMPLE, LIST, name, item_weight="ipw")[name] == pytest.approx(value, rel=1e-15)


def test_lists_count_by_the_mean_weight_of_their_relevant_items() -> None:
    truth = pa.table(
        {"query": ["q", "q", "r", "s"], "item": list("abac"), "grade": [1, 1, 1, 0], "ipw": [1.0, 4.0, 10.0, 7.0]}
    )
    run = {"q": ["a"], "r": ["x"], "s": ["c"]}
    scores = pc.evaluate_ranking(truth, run, ["rr", "rr(undefined=zero)"], item_weight="ipw")
    assert scores["rr"] == 2.5 / 12.5
    assert scores["rr(undefined=zero)"] == 2.5 / (12.5 + 6.25)
    assert scores.signature("rr").split("|")[-2] == "item_weight:given"


def test_weights_of_one_change_no_bit() -> None:
    """Every metric that takes weights, with every parameter: the same document, of some also with intervals and slices."""
    truth, run = drawn(1)
    ones = truth.set_column(3, "ipw", pa.array(np.ones(len(truth))))
    expected = [metric for metric in WEIGHED if metric.knows_expected()]
    intervals: dict[str, Any] = {"ci": 0.9, "samples": 20, "by": "activity", "min_n": 2}
    tried: list[tuple[list[Any], dict[str, Any]]]
    tried = [(WEIGHED, {}), (expected, {"ties": "expected"}), (METRICS, intervals)]
    for metrics, options in tried:
        plain = pc.evaluate_ranking(truth, run, metrics, **options)
        weighed = pc.evaluate_ranking(ones, run, metrics, item_weight="ipw", **options)
        assert plain.to_json(per_query=True) == weighed.to_json(per_query=True).replace("|item_weight:given", "")


def test_a_power_of_two_changes_no_bit() -> None:
    truth, run = drawn(2)
    more = truth.set_column(3, "ipw", pa.array(truth["ipw"].to_numpy() * 8))
    first, second = (pc.evaluate_ranking(table, run, METRICS, item_weight="ipw") for table in (truth, more))
    assert hexadecimal(first, METRICS) == hexadecimal(second, METRICS)


def test_an_item_of_weight_0_counts_as_not_judged() -> None:
    truth, run = drawn(3)
    heavy = truth["ipw"].to_numpy() > 0.5
    some = truth.set_column(3, "ipw", pa.array(np.where(heavy, truth["ipw"].to_numpy(), 0.0)))
    assert set(truth.filter(pa.array(heavy))["query"].to_pylist()) == set(truth["query"].to_pylist())
    first = pc.evaluate_ranking(some, run, METRICS, item_weight="ipw")
    second = pc.evaluate_ranking(truth.filter(pa.array(heavy)), run, METRICS, item_weight="ipw")
    assert hexadecimal(first, METRICS) == hexadecimal(second, METRICS)


def plain_list(truth: pa.Table, run: pa.Table, query: int) -> RankedList:
    """The rows of a query as a definition takes them."""
    judged = {row["item"]: (float(row["grade"]), row["ipw"]) for row in truth.to_pylist() if row["query"] == query}
    listed = sorted((row for row in run.to_pylist() if row["query"] == query), key=lambda row: -row["score"])
    of_list = [judged.get(row["item"], (None, 1.0)) for row in listed]
    return RankedList(
        tuple(grade for grade, _ in of_list),
        tuple(grade for grade, _ in judged.values()),
        top_grade=float(max(truth["grade"].to_pylist())),
        weights=tuple(weight for _, weight in of_list),
        judged_weights=tuple(weight for _, weight in judged.values()),
    )


def test_values_are_those_of_the_definition() -> None:
    truth, run = drawn(4, ties=False)
    scores = pc.evaluate_ranking(truth, run, INSIDE, item_weight="ipw")
    queries = scores.queries
    lists = [plain_list(truth, run, int(query)) for query in queries]
    assert len({metric.name for metric in INSIDE}) == 5
    for metric in INSIDE:
        values = scores.per_query[metric.id].to_pylist()
        wanted = [metric.define(ranked) for ranked in lists]
        assert [nan if value is None else value for value in values] == pytest.approx(wanted, rel=1e-12, nan_ok=True), (
            metric.id
        )


@pytest.mark.parametrize("name", ["ap", "ap@2", "ndcg@2", "ndcg(ideal=list)", "dcg", "cg@2"])
def test_expected_is_the_mean_over_all_orders_of_tied_items(name: str) -> None:
    truth = {"query": [1] * 4, "item": [1, 2, 3, 4], "grade": [2, 1, 0, 1], "ipw": [0.5, 3.0, 2.0, 1.0]}
    scores = {1: 2.0, 2: 1.0, 3: 1.0, 5: 1.0, 4: 1.0}
    expected = pc.evaluate_ranking(truth, {1: scores}, name, item_weight="ipw", ties="expected")[name]
    orders = [{1: [1, *tied]} for tied in permutations([2, 3, 5, 4])]
    values = [pc.evaluate_ranking(truth, order, name, item_weight="ipw")[name] for order in orders]
    assert expected == pytest.approx(np.mean(values), rel=1e-14)


def test_ties_between_items_of_one_grade_matter_where_their_weights_differ() -> None:
    truth = {"query": [1, 1], "item": [1, 2], "grade": [1, 1], "ipw": [1.0, 3.0]}
    scores = pc.evaluate_ranking(truth, {1: {1: 0.5, 2: 0.5}}, ["dcg", "rr"], item_weight="ipw")
    assert list(scores.counts["ties"]) == ["dcg"]
    assert not pc.evaluate_ranking(truth, {1: {1: 0.5, 2: 0.5}}, ["dcg", "rr"]).counts["ties"]


def test_the_chosen_row_of_a_repeated_judgement_brings_its_weight() -> None:
    truth = {"query": [1, 1, 1], "item": [1, 1, 2], "grade": [1, 3, 1], "ipw": [5.0, 2.0, 1.0]}
    weights: dict[Any, tuple[float, float]] = {"first": (5.0, 1.0), "last": (2.0, 1.0), "best": (2.0, 1.0)}
    for policy, (first, second) in weights.items():
        value = pc.evaluate_ranking(truth, {1: [2]}, "ap", item_weight="ipw", duplicates=policy)["ap"]
        assert value == second / (first + second)
    with pytest.raises(pc.InputError, match="stands again at row 1"):
        pc.evaluate_ranking(truth, {1: [2]}, "ap", item_weight="ipw")


def test_evidence_is_that_of_the_reference_and_comes_back_from_arrow() -> None:
    truth, run = drawn(5)
    native = ranking_evidence(rows(truth), read_run(run))
    with without_core():
        plain = ranking_evidence(rows(truth), read_run(run))
    again = RankingEvidence.from_arrow(native.to_arrow())
    halves = [native.select(np.arange(at, len(native), 2)) for at in (0, 1)]
    for other in (plain, again, RankingEvidence.joined(halves)):
        assert other.weights is not None
        assert native.weights is not None
        for name in ("hit", "judged"):
            assert getattr(other.weights, name).tobytes() == getattr(native.weights, name).tobytes()
    with pytest.raises(pc.InputError, match="some judgements have weights of items and others do not"):
        unweighed = ranking_evidence(
            read_truth(truth.set_column(0, "query", pa.array(truth["query"].to_numpy() + 99))),
            read_run(run.set_column(0, "query", pa.array(run["query"].to_numpy() + 99))),
        )
        RankingEvidence.joined([native, unweighed])


def test_rows_in_any_order_batches_and_bytes_give_the_same_bits() -> None:
    truth, run = drawn(6)
    whole = pc.evaluate_ranking(truth, run, METRICS, item_weight="ipw")
    order = np.random.default_rng(0).permutation(len(truth))
    assert hexadecimal(pc.evaluate_ranking(truth.take(order), run, METRICS, item_weight="ipw"), METRICS) == hexadecimal(
        whole, METRICS
    )
    parts = [run.filter(pa.array(run["query"].to_numpy() % 2 == at)) for at in (0, 1)]
    ends = [truth.filter(pa.array(truth["query"].to_numpy() % 2 == at)) for at in (0, 1)]
    own = pc.RankingEvaluator(None, METRICS, split="never", item_weight="ipw")
    for part, judged in zip(parts, ends, strict=True):
        own.update(part, qrels=judged)
    first, second = (
        pc.RankingEvaluator(truth, METRICS, split="never", item_weight="ipw").update(part) for part in parts
    )
    first.compute()
    first.merge(pc.RankingEvaluator.from_bytes(second.to_bytes()))
    for evaluator in (own, first):
        assert hexadecimal(evaluator.compute(), METRICS) == hexadecimal(whole, METRICS)


def test_every_shape_of_a_truth_with_columns(tmp_path: Path) -> None:
    truth = pa.table(EXAMPLE)
    wanted = pc.evaluate_ranking(EXAMPLE, LIST, "ap", item_weight="ipw")["ap"]
    lines = list(zip(*EXAMPLE.values(), strict=True))
    (tmp_path / "qrels.csv").write_text(
        "query,item,grade,ipw\n" + "".join(f"{q},{i},{g},{w}\n" for q, i, g, w in lines)
    )
    (tmp_path / "qrels.txt").write_text("".join(f"{q} {w} {i} {g}\n" for q, i, g, w in lines))
    shapes: list[tuple[Any, str | int]] = [(truth, "ipw"), (truth.to_pandas(), "ipw")]
    for data, word in [*shapes, (tmp_path / "qrels.csv", "ipw"), (tmp_path / "qrels.txt", 2)]:
        assert pc.evaluate_ranking(data, LIST, "ap", item_weight=word)["ap"] == wanted
    named = pc.evaluate_ranking(
        truth.rename_columns(["query", "item", "grade", "weight"]), LIST, "ap", columns={"item_weight": "weight"}
    )
    assert named["ap"] == wanted
    both = pa.table({"q": [1, 1], "y": [1, 1], "s": [0.9, 0.2], "w": [1.0, 4.0]})
    assert pc.evaluate_ranking("y", "s", "dcg", data=both, queries="q", item_weight="w")["dcg"] == pytest.approx(
        (1 + 4 / np.log2(3)) / 2.5
    )


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        (
            [1.0, -2.0, 1.0],
            r"\(query 'q', item 'b'\): the weight of the item is -2; weights must be 0, or lie between 1e-100 and 1e\+100 \(1 do not\)",
        ),
        ([1.0, float("inf"), 1.0], "the weight of the item is inf; weights must be 0, or lie between 1e-100"),
        ([1.0, 5e-324, 1.0], "the weight of the item is 4.94066e-324; weights must be 0, or lie between 1e-100"),
        ([1.0, nan, 1.0], "the weight of the item is nan|column 'ipw' is null"),
        ([1.0, None, 1.0], "row 1 of .*: column 'ipw' is null; remove the row or fill it in"),
        (["1", "2", "x"], "column 'ipw' has type .*, but weights of items must be numbers"),
        (
            [0.0, 0.0, 0.0],
            "no judged item of the queries that count weighs anything: all weights are 0, and nothing is left",
        ),
    ],
)
def test_bad_weights_are_refused(weights: list[Any], words: str) -> None:
    with pytest.raises(pc.InputError, match=words):
        pc.evaluate_ranking(pa.table({**EXAMPLE, "ipw": weights}), LIST, ["ap", "rr"], item_weight="ipw")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"item_weight": "ips"}, "has no column 'ips'; it has 'query', 'item', 'grade', 'ipw'; did you mean 'ipw'\\?$"),
        (
            {"item_weight": "ipw", "columns": {"item_weight": "grade"}},
            "but columns= says item_weight='grade': name one",
        ),
        ({"item_weight": "grade", "columns": {"grade": "grade"}}, "item_weight=grade is the grade too; name another"),
        ({"item_weight": ["ipw"]}, "item_weight= is list: it is the name of a column of the truth"),
        ({"item_weight": "ipw", "unjudged": "best"}, "unjudged=best makes judgements that have no weights of items"),
        ({"item_weight": "ipw", "corrected": "plug_in", "catalog": 9}, "corrected=plug_in makes judgements"),
        (
            {"item_weight": "ipw", "columns": {"truth.subtopic": "item"}},
            "tells subtopics apart, and weights of items have no meaning",
        ),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], words: str) -> None:
    with pytest.raises(pc.InputError, match=words):
        pc.evaluate_ranking(pa.table(EXAMPLE), LIST, "ap", **options)


@pytest.mark.parametrize("data", [{"q": {"a": 1}}, [["a"]], np.eye(2)])
def test_a_truth_without_columns_is_refused(data: Any) -> None:
    with pytest.raises(pc.InputError, match=r"item_weight= names a column of the truth, and .* has none; give a table"):
        pc.evaluate_ranking(data, [["a"]] if isinstance(data, list) else data, "ap", item_weight="ipw")


def test_metrics_without_a_meaning_for_weights_are_refused_by_name() -> None:
    refusing = [metric for metric in ALL if not metric.takes_item_weight]
    assert {"gm_ap", "num_ret", "alpha_ndcg", "median_rank"} <= {metric.name for metric in refusing}
    assert {"ap", "ndcg", "precision"} <= {metric.name for metric in refusing}
    for metric in [*{each.name: each for each in refusing}.values(), parse_metric("entropy@5").metric]:
        with pytest.raises(pc.InputError, match=r"takes no weights of items .* inside the sums of .*ndcg"):
            pc.evaluate_ranking(pa.table(EXAMPLE), LIST, metric, item_weight="ipw")


def test_a_comparison_weighs_queries_as_scores_do() -> None:
    truth, run = drawn(7)
    other = run.set_column(2, "score", pa.array(-run["score"].to_numpy()))
    found = pc.compare(truth, {"one": run, "two": other}, METRICS, item_weight="ipw", samples=100)
    ours = {
        name: pc.evaluate_ranking(truth, each, METRICS, item_weight="ipw")
        for name, each in (("one", run), ("two", other))
    }
    for name in ("mrr", "dcg", "map", "arp_grade"):
        gap = found[name].differences["two", "one"]
        assert gap.values == pytest.approx((ours["two"][name], ours["one"][name]), rel=1e-14)
    with pytest.raises(pc.InputError, match="with judged=list the items of a list say how much it counts"):
        pc.compare(truth, {"one": run, "two": other}, "mrr", item_weight="ipw", judged="list", samples=100)


def test_saved_scores_say_that_their_weights_were_not_saved(tmp_path: Path) -> None:
    truth, run = drawn(8)
    scores = pc.evaluate_ranking(truth, run, "mrr", item_weight="ipw")
    (tmp_path / "one.json").write_text(scores.to_json(per_query=True))
    with pytest.raises(pc.InputError, match="is weighted by items, and the weights were not saved") as refused:
        pc.compare(truth, {"one": tmp_path / "one.json", "two": run}, "mrr", item_weight="ipw", samples=100)
    assert "按条目加权" in refused.value.text.zh
    weights = dict.fromkeys(pc.evaluate_ranking(truth, run, "mrr").queries, 2.0)
    both = pc.evaluate_ranking(truth, run, "mrr", item_weight="ipw", query_weight=weights).to_dict(per_query=True)
    with pytest.raises(pc.InputError, match="is weighted by queries and items, and the weights were not saved"):
        pc.compare(None, {"one": both, "two": both}, samples=100)


def test_a_signature_wants_weights_again() -> None:
    signature = pc.evaluate_ranking(EXAMPLE, LIST, "ap", item_weight="ipw").signature("ap")
    again = pc.evaluate_ranking(EXAMPLE, LIST, pc.from_signature(signature), item_weight="ipw")
    assert again.signature("ap") == signature
    with pytest.raises(pc.InputError, match="made with item_weight:given, here it is item_weight:none"):
        pc.evaluate_ranking(EXAMPLE, LIST, pc.from_signature(signature))


def test_intervals_are_drawn_with_the_weights() -> None:
    truth, run = drawn(9)
    scores = pc.evaluate_ranking(truth, run, ["mrr", "dcg"], item_weight="ipw", ci=0.9, samples=200)
    for name in scores:
        low, high = scores.find(name).interval or (nan, nan)
        assert low < scores[name] < high


def test_a_metric_of_the_users_own_weighs_lists() -> None:
    metric = parse_metric("success@1").metric
    assert isinstance(metric, RankingMetric)
    assert metric.takes_item_weight
    assert not metric.weighs_items


def test_lists_without_a_judged_item_weigh_as_others_do() -> None:
    truth = pa.table({"query": [1, 2], "item": [1, 1], "grade": [1, 1], "w": [1.0, 1.0]})
    choices: list[dict[str, Any]] = [{"convention": "tf_ranking"}, {"judged": "list", "undefined": "zero"}]
    for run, value in (({1: [1, 7], 2: [9, 8]}, 0.5), ({1: [8], 2: [9]}, 0.0)):
        for options in choices:
            for weight in ("w", None):
                assert pc.evaluate_ranking(truth, run, "ndcg@2", item_weight=weight, **options)["ndcg@2"] == value


def test_rows_that_were_read_keep_their_weights() -> None:
    table, run = pa.table({**EXAMPLE, "other": [1.0, 2.0, 3.0]}), {"one": LIST, "two": {"q": ["a", "b"]}}
    calls: list[Any] = [
        lambda truth, **weight: pc.evaluate_ranking(truth, LIST, "ap", **weight)["ap"],
        lambda truth, **weight: pc.explain("ap", truth, LIST, query="q", **weight).value,
    ]
    for call in calls:
        assert call(pc.read_truth(table, item_weight="ipw"), item_weight="ipw") == call(table, item_weight="ipw")
    calls.append(lambda truth, **weight: pc.compare(truth, run, "ap", samples=100, **weight))
    calls.append(lambda truth, **weight: pc.RankingEvaluator(truth, "ap", **weight).update(LIST))
    for call in calls:
        with pytest.raises(pc.InputError, match=r"item_weight='ipw': .* read before with no weights; give read_truth"):
            call(pc.read_truth(table), item_weight="ipw")
        with pytest.raises(pc.InputError, match="read before with item_weight='other'"):
            call(pc.read_truth(table, item_weight="other"), item_weight="ipw")


def test_a_report_has_no_plain_interval_beside_a_weighted_mean(tmp_path: Path) -> None:
    truth = pa.table({"query": range(20), "item": [0] * 20, "grade": [1] * 20, "w": [1e6] + [1.0] * 19})
    run = {at: [9, 0] if at else [0] for at in range(20)}
    page = pc.report(truth, {"a": run}, ["recall@1"], item_weight="w", path=tmp_path / "x.html").read_text("utf-8")
    assert "0.1500" not in page


def test_the_best_of_repeated_judgements_is_the_same_in_any_order() -> None:
    truth = pa.table({"query": [1] * 3, "item": [1, 1, 2], "grade": [1, 1, 1], "w": [5.0, 2.0, 1.0]})
    for some in (truth, truth.take([1, 0, 2])):
        assert pc.evaluate_ranking(some, {1: [2]}, "ap", item_weight="w", duplicates="best")["ap"] == 1 / 6


def test_queries_without_a_weight_have_the_mean_of_those_compared() -> None:
    truth = pa.table({"query": [1, 2, 3, 4], "item": [1] * 4, "grade": [1, 1, 0, 1], "w": [1.0, 100.0, 1.0, 1.0]})
    runs = {"a": {1: [1], 3: [1], 4: [2, 1]}, "b": {1: [2, 1], 2: [1], 3: [1]}}
    for names in (["a", "b"], ["b", "a"]):
        found = pc.compare(
            truth,
            {name: runs[name] for name in names},
            ["rr"],
            item_weight="w",
            missing="skip",
            undefined="zero",
            samples=100,
        )
        assert found["rr"].differences["b", "a"].values == (0.25, 0.5)


def test_explanations_show_weights_and_no_grade_of_what_weighs_nothing() -> None:
    truth = pa.table({**EXAMPLE, "ipw": [1.0, 0.0, 0.5]})
    grid = next(
        step for step in pc.explain("recall@3", truth, LIST, item_weight="ipw").to_dict()["steps"] if "rows" in step
    )
    assert "weight" in str(grid) and "-1" not in str(grid)
    tied = pc.explain("ap", EXAMPLE, {"q": {"a": 1, "b": 1}}, item_weight="ipw", ties="expected").to_dict()["steps"]
    titles = [str(step.get("title")) for step in tied if "rows" in step]
    assert len(titles) == len({*titles}) == 2


def test_a_column_of_the_table_is_no_file_whatever_its_name() -> None:
    table = {"q": [1, 1], "item.id": [4, 5], "grade": [1, 0], "score": [0.5, 0.7]}
    assert pc.evaluate_ranking("grade", "score", "rr", data=table, queries="q", items="item.id")["rr"] == 0.5


def test_a_check_says_that_items_are_weighted() -> None:
    truth = pa.table({"query": [1, 2], "item": [1, 1], "grade": [1, 1], "w": [1.0, 3.0]})
    good, bad = (pc.evaluate_ranking(truth, {1: run, 2: run}, "rr", item_weight="w") for run in ([1], [2, 1]))
    (row,) = pc.check(bad, baseline=good, max_drop={"rr": 0.1}, significant=True).rows
    assert row.reason is not None
    assert "items are weighted, but a document has no weights" in row.reason.en
