"""Lists of one relevant item among drawn ones: what their values are over the whole catalogue."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.grammar import parse_metric
from pingce.metrics.ranking.corrected import GAMMA, Design, PlacedView, corrected_values, estimates
from pingce.run.evaluator import state_of

pytestmark = pytest.mark.filterwarnings("ignore")
METRICS = [
    *("hit_rate@10", "recall@5", "precision@3", "f@4", "hits@10", "rr", "rr@7", "ap", "cg@3", "dcg", "ndcg@10"),
    *("ndcg(gain=linear,discount=zipf)", "ndcg(ideal=full)@5", "rbp", "mean_rank", "ncrr", "list_auc", "r_precision"),
]
DESIGN = Design(1000, 100, 1.0, 1.0, 1.0)


def chances(design: Design) -> np.ndarray[Any, Any]:
    """The chance of each rank in the list, a row for each rank among all items."""
    n, m = design.items, design.draws
    shares = [(rank - 1) / (n - 1) for rank in range(1, n + 1)]
    return np.array([[comb(m, j) * p**j * (1 - p) ** (m - j) for j in range(m + 1)] for p in shares])


def metric_of(name: str) -> Any:
    return parse_metric(name).metric


def whole(name: str, design: Design) -> np.ndarray[Any, Any]:
    """The metric at each rank among all items, from the lists themselves."""
    values = []
    for rank in range(1, design.items + 1):
        scores = pc.evaluate_ranking({"q": {"x": 1}}, {"q": [*(f"i{item}" for item in range(1, rank)), "x"]}, [name])
        values.append(scores[name])
    return np.array(values)


def test_the_published_numbers() -> None:
    """A true rank of 40 among 1,000 items is seen in the top 10 of 1 + 100 nearly always."""
    chance, metric = chances(DESIGN), metric_of("hit_rate@10")
    plug_in, squares = (estimates(metric, method, DESIGN) for method in ("plug_in", "bias_variance"))
    assert [round(chance[rank - 1][:10].sum(), 3) for rank in (5, 40, 100)] == [1.0, 0.994, 0.463]
    assert [round(float(chance[rank - 1] @ plug_in), 3) for rank in (5, 40, 100)] == [0.670, 0.019, 0.000]
    assert [round(float(chance[rank - 1] @ squares), 3) for rank in (5, 40, 100)] == [0.872, -0.025, -0.005]
    assert squares[:5].round(3).tolist() == [1.218, 0.391, -0.890, -0.160, 0.304]


@pytest.mark.parametrize("name", METRICS)
def test_plug_in_is_the_metric_at_the_expected_rank(name: str) -> None:
    metric, ranks = metric_of(name), np.arange(1, DESIGN.items + 1)
    plain = metric.values(RankingView(DESIGN.lists(ranks)))
    assert metric.values(PlacedView(DESIGN, ranks.astype(float))).tolist() == plain.tolist()
    even = Design(1001, 100, 1.0, 1.0, 1.0)  # expected ranks are whole
    found = estimates(metric, "plug_in", even)
    assert found.tolist() == metric.values(RankingView(even.lists(1 + 10 * np.arange(101)))).tolist()


def test_ranks_between_two() -> None:
    assert estimates(metric_of("rr"), "plug_in", DESIGN)[1] == pytest.approx(1 / 10.99, rel=1e-12)
    assert estimates(metric_of("ndcg"), "plug_in", DESIGN)[1] == pytest.approx(1 / np.log2(11.99), rel=1e-12)


@given(
    name=st.sampled_from(METRICS),
    sizes=st.tuples(st.integers(2, 60), st.integers(1, 12)),
    grade=st.sampled_from([1.0, 2.0]),
)
def test_least_squares_against_the_normal_equations(name: str, sizes: tuple[int, int], grade: float) -> None:
    items, drawn = max(sizes[0], sizes[1] + 1), sizes[1]
    design, metric = Design(items, drawn, grade, 1.0, grade), metric_of(name)
    table = chances(design)
    values = metric.values(RankingView(design.lists(np.arange(1, items + 1))))
    left = (1 - GAMMA) * table.T @ table + GAMMA * np.diag(table.sum(axis=0))
    expected = np.linalg.solve(left, table.T @ values)
    scale = max(1.0, float(np.abs(expected).max()))
    assert np.allclose(estimates(metric, "bias_variance", design), expected, atol=1e-8 * scale, rtol=1e-8)


@pytest.mark.parametrize("name", ["hit_rate@3", "rr", "ndcg@5", "mean_rank"])
def test_values_of_ranks_are_those_of_lists(name: str) -> None:
    design = Design(30, 5, 1.0, 1.0, 1.0)
    values = metric_of(name).values(RankingView(design.lists(np.arange(1, 31))))
    assert values.tolist() == whole(name, design).tolist()


def sampled(ranks: np.ndarray[Any, Any], items: int, drawn: int, seed: int = 1) -> tuple[Any, Any]:
    """A truth and lists with the relevant item among drawn ones, each of which stands above as often as chance has it."""
    draw, truth, run = np.random.default_rng(seed), {}, {}
    for place, rank in enumerate(ranks.tolist()):
        above = int(draw.binomial(drawn, (rank - 1) / (items - 1)))
        others = [f"i{item}" for item in draw.choice(items - 1, drawn, replace=False)]
        truth[f"u{place}"] = {"x": 1}
        run[f"u{place}"] = [*others[:above], "x", *others[above:]]
    return truth, run


ITEMS, DRAWN = 1000, 100
RANKS = np.minimum(1 + np.random.default_rng(3).geometric(0.02, 600), ITEMS)
TRUTH, RUN = sampled(RANKS, ITEMS, DRAWN)
NAMES = ["hit_rate@10", "ndcg@10", "rr"]


def test_the_estimate_is_nearer_to_the_truth_and_its_interval_holds_it() -> None:
    true = {
        "hit_rate@10": float((RANKS <= 10).mean()),
        "ndcg@10": float(np.where(RANKS <= 10, 1 / np.log2(RANKS + 1), 0).mean()),
        "rr": float((1 / RANKS).mean()),
    }
    plain = pc.evaluate_ranking(TRUTH, RUN, NAMES)
    methods: Any = ("plug_in", "bias_variance")
    for method in methods:
        scores = pc.evaluate_ranking(TRUTH, RUN, NAMES, corrected=method, catalog=ITEMS, ci=0.95, samples=500)
        for name in NAMES:
            assert abs(scores[name] - true[name]) < abs(plain[name] - true[name]) / 2, (method, name)
        if method == "bias_variance":
            low, high = scores.find("hit_rate@10").interval
            assert low < true["hit_rate@10"] < high < plain["hit_rate@10"]


def test_the_area_within_the_list_needs_no_correction() -> None:
    plain = pc.evaluate_ranking(TRUTH, RUN, ["list_auc"])["list_auc"]
    corrected = pc.evaluate_ranking(TRUTH, RUN, ["list_auc"], corrected="plug_in", catalog=ITEMS)["list_auc"]
    assert corrected == pytest.approx(plain, abs=1e-12)


def some(count: int = 60) -> tuple[Any, Any]:
    return {q: TRUTH[q] for q in list(TRUTH)[:count]}, {q: RUN[q] for q in list(RUN)[:count]}


@pytest.mark.parametrize("method", ["plug_in", "bias_variance"])
@pytest.mark.parametrize("ties", ["id", "expected"])
@pytest.mark.parametrize("catalog", [ITEMS, [f"i{item}" for item in range(ITEMS - 1)] + ["x"]], ids=["number", "ids"])
def test_batches_and_sums_are_one_call(method: str, ties: str, catalog: Any) -> None:
    truth, run = some()
    options: dict[str, Any] = {"corrected": method, "catalog": catalog, "ties": ties}
    whole = pc.evaluate_ranking(truth, run, NAMES, **options)
    evaluator = pc.RankingEvaluator(truth, NAMES, split="never", **options)
    for query in run:
        evaluator.update({query: run[query]})
    assert evaluator.compute().to_json() == whole.to_json()
    there = pc.RankingEvaluator(None, NAMES, split="never", **options)
    settings = there.to_bytes()
    for begin in range(0, len(run), 25):
        part = pc.RankingEvaluator.from_bytes(settings)
        names = list(run)[begin : begin + 25]
        part.update({q: run[q] for q in names}, qrels={q: truth[q] for q in names})
        state_of(part).condense()
        there.merge(pc.RankingEvaluator.from_bytes(part.to_bytes()))
    assert there.compute().to_json() == whole.to_json()


def test_expected_ties_are_the_mean_over_orders() -> None:
    truth, run = {"u": {"x": 1}}, {"u": {"a": 3.0, "b": 2.0, "x": 2.0, "c": 2.0, "d": 1.0}}
    options: dict[str, Any] = {"corrected": "plug_in", "catalog": 50}
    table = estimates(metric_of("rr"), "plug_in", Design(50, 4, 1.0, 1.0, 1.0))
    value = pc.evaluate_ranking(truth, run, "rr", ties="expected", **options)["rr"]
    assert value == pytest.approx(table[1:4].mean(), rel=1e-15)
    ends = [pc.evaluate_ranking(truth, run, "rr", ties=ties, **options)["rr"] for ties in ("best", "worst")]
    assert ends == [table[1], table[3]]


def test_queries_without_a_list_or_a_relevant_item_are_as_they_are() -> None:
    truth, run = {"u": {"x": 1}, "v": {"x": 1}, "w": {"x": 0}}, {"u": ["x", "a", "b"], "w": ["a", "x", "c"]}
    scores = pc.evaluate_ranking(truth, run, ["rr"], corrected="plug_in", catalog=10)
    assert scores.per_query.to_pydict()["rr"] == [1.0, 0.0, None]


def test_signatures_know_the_catalogue() -> None:
    truth, run = some()
    scores = pc.evaluate_ranking(truth, run, ["rr"], corrected="bias_variance", catalog=ITEMS)
    line = scores.signature("rr")
    assert "|corrected:bias_variance|catalog:1000|" in line
    again = pc.evaluate_ranking(truth, run, [line], catalog=ITEMS)
    assert [value.value for value in again.values_by_name.values()] == [scores["rr"]]
    with pytest.raises(pc.InputError, match="catalog:1000, here it is catalog:900"):
        pc.evaluate_ranking(truth, run, [line], catalog=900)
    assert scores.to_dict()["policies"]["corrected"] == "bias_variance"
    assert "corrected" not in pc.evaluate_ranking(truth, run, ["rr"]).to_dict()["policies"]


@pytest.mark.parametrize("method", ["plug_in", "bias_variance"])
@pytest.mark.parametrize("name", ["hit_rate@10", "ndcg@10", "rr"])
def test_explanations_end_in_the_value(method: str, name: str) -> None:
    truth, run = some(3)
    options: dict[str, Any] = {"corrected": method, "catalog": ITEMS}
    scores = pc.evaluate_ranking(truth, run, [name], **options).per_query.to_pydict()
    for query, value in zip(scores["query"], scores[name], strict=True):
        explanation = pc.explain(name, truth, run, query=query, **options)
        assert explanation.value == value
        assert "999" in str(explanation)


def test_models_are_compared_by_corrected_values() -> None:
    truth, run = some()
    options: dict[str, Any] = {"corrected": "plug_in", "catalog": ITEMS}
    other = {query: items[::-1] for query, items in run.items()}
    comparison = pc.compare(truth, {"one": run, "other": other}, ["rr"], samples=200, **options)
    for name, model in (("one", run), ("other", other)):
        assert comparison.scores[name]["rr"] == pc.evaluate_ranking(truth, model, ["rr"], **options)["rr"]


@pytest.mark.parametrize(
    ("truth", "run", "options", "en", "zh"),
    [
        (
            {"u": {"x": 1, "y": 1}},
            {"u": ["x", "a"]},
            {"catalog": 9},
            "query 'u' has several relevant items",
            "有多个相关条目",
        ),
        ({"u": {"x": 1}}, {"u": ["b", "a"]}, {"catalog": 9}, "that its list does not have", "不在列表中"),
        ({"u": {"x": 1}}, {"u": ["x"]}, {"catalog": 9}, "nothing in its list but", "只有相关条目"),
        ({"u": {"x": 1}}, {"u": ["x", "a", "b"]}, {"catalog": 2}, "catalog=2: a list has 3 items", "多于目录的条目数"),
        ({"u": {"x": 1}}, {"u": ["x", "a"]}, {}, "rr needs catalog=", "rr 需要 catalog="),
        ({"u": {"x": 1}}, {"u": ["x", "a"]}, {"corrected": "plugin"}, "choose one of none, plug_in", "可选"),
    ],
)
def test_lists_that_are_something_else(truth: Any, run: Any, options: dict[str, Any], en: str, zh: str) -> None:
    with pytest.raises(pc.InputError) as refused:
        pc.evaluate_ranking(truth, run, ["rr"], **{"corrected": "plug_in", **options})
    assert en in refused.value.text.en
    assert zh in refused.value.text.zh


def test_gains_of_other_items_are_refused_where_they_count() -> None:
    truth, run = {"u": {"x": 3, "y": 1}}, {"u": ["x", "a", "y"]}
    options: dict[str, Any] = {"corrected": "plug_in", "catalog": 9, "relevant": 2}
    assert pc.evaluate_ranking(truth, run, ["rr"], **options)["rr"] == 1
    with pytest.raises(pc.InputError, match="several items that gain something"):
        pc.evaluate_ranking(truth, run, ["ndcg@2"], **options)
    assert pc.evaluate_ranking({"u": {"x": 3, "y": 0}}, run, ["ndcg@2"], **options)["ndcg@2"] == 1


@pytest.mark.parametrize(
    "name", ["bpref", "num_rel", "hit_rate(mode=micro)@10", "judged@3", "gm_ap", "ndcg(ideal=topk)@2"]
)
@pytest.mark.parametrize("method", ["plug_in", "bias_variance"])
def test_metrics_that_have_no_correction(name: str, method: Any) -> None:
    truth, run = some(3)
    with pytest.raises(pc.InputError) as refused:
        pc.evaluate_ranking(truth, run, [name], corrected=method, catalog=ITEMS)
    assert "(corrected=none), or leave corrected out" in refused.value.text.en
    assert "没有校正方法" in refused.value.text.zh
    both = pc.evaluate_ranking(truth, run, ["num_rel(corrected=none)", "rr"], corrected=method, catalog=ITEMS)
    assert both["num_rel(corrected=none)"] == 3


def test_least_squares_have_an_end() -> None:
    run = {"u": ["x", *(f"i{item}" for item in range(501))]}
    with pytest.raises(pc.InputError, match="goes up to 500 drawn items a list, here there are 501"):
        pc.evaluate_ranking({"u": {"x": 1}}, run, ["rr"], corrected="bias_variance", catalog=1000)
    assert pc.evaluate_ranking({"u": {"x": 1}}, run, ["rr"], corrected="plug_in", catalog=1000)["rr"] == 1


def test_the_longest_list_that_least_squares_take() -> None:
    """The chances of 1,000 draws stay within doubles, and their sum is 1 everywhere."""
    found = estimates(metric_of("recall"), "bias_variance", Design(5000, 500, 1.0, 1.0, 1.0))
    assert np.allclose(found, 1.0, atol=0.02)


def test_views_without_lists_have_no_values_to_correct() -> None:
    view = RankingView(DESIGN.lists(np.zeros(0, np.int64)))
    assert len(corrected_values(metric_of("rr"), view, "plug_in", 10)) == 0
