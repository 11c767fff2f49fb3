"""`values` over evidence against `define` over raw rows, for every metric, parameter, cut-off and order of ties."""

from __future__ import annotations

import itertools
import math
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawn import ALL, Case, at_least, cases
from pingce.base.errors import InputError
from pingce.metrics.ranking import RankedList, RankingMetric

FIXED = ("id", "id_ascending", "order", "best", "worst")
GRADES = {
    "whole": st.sampled_from([-1.0, 0.0, 1.0, 1.0, 2.0, 3.0]),
    "real": st.sampled_from([-0.5, 0.0, 0.25, 1.0, 1.5, 2.75]),
}
TABLED = [metric for metric in ALL if isinstance(getattr(metric, "gain", ""), tuple)]
UNTABLED = [metric for metric in ALL if metric not in TABLED]
TIED = Case(
    {"q": {"a": 3.0, "b": 1.0, "c": 0.0, "d": 2.0, "e": 1.0}, "r": {"a": 1.0, "b": 2.0, "c": -1.0, "d": 0.0}},
    {
        "q": {"x": 3.0, "a": 2.0, "b": 2.0, "y": 2.0, "d": 2.0, "c": 1.0, "e": 1.0},
        "r": {"a": 2.0, "z": 2.0, "d": 2.0, "b": 2.0, "c": 1.0},
    },
)
"Tied blocks before, across and behind cut-offs, with graded, wrong and unjudged items in them."


def compare(case: Case, metrics: list[RankingMetric], ties: str, relevant: float | str) -> None:
    scores = case.evaluate(metrics, ties=ties, relevant=relevant, undefined="skip")
    table = scores.per_query.to_pydict()
    for row, query in enumerate(table["query"]):
        ranked = case.ranked(query, ties, relevant)
        for metric in metrics:
            value, wanted = table[metric.id][row], metric.define(ranked)
            if math.isnan(wanted):
                assert value is None, (metric.id, query)
            else:
                assert value == pytest.approx(wanted, rel=1e-13, abs=1e-15), (metric.id, query)


@at_least(60)
@given(ties=st.sampled_from(FIXED), data=st.data(), relevant=st.sampled_from([1, 2, 0.5, "any"]))
def test_values_equal_the_definition(ties: str, data: st.DataObject, relevant: float | str) -> None:
    kind = data.draw(st.sampled_from(sorted(GRADES)))
    metrics = data.draw(st.lists(st.sampled_from(UNTABLED), min_size=8, max_size=8, unique=True))
    if kind == "whole":
        metrics += data.draw(st.lists(st.sampled_from(TABLED), max_size=2, unique=True))
    compare(data.draw(cases(grades=GRADES[kind])), metrics, ties, relevant)


@pytest.mark.sweep
@pytest.mark.parametrize("ties", FIXED)
def test_every_metric_in_every_order_of_ties(ties: str) -> None:
    compare(TIED, ALL, ties, 1)
    compare(TIED, UNTABLED, ties, 2)


@pytest.mark.sweep
@given(case=cases(), alone=st.sampled_from(ALL))
def test_each_metric_equals_its_definition(case: Case, alone: RankingMetric) -> None:
    """All of them on the same drawn lists, since drawing costs more than a value; one of them without its company."""
    compare(case, ALL, "id", 1)
    compare(case, [alone], "id", 1)


@pytest.mark.sweep
def test_a_metric_does_not_depend_on_its_company() -> None:
    graded = {"q": {"a": 3.0, "b": 1.0, "c": 0.0, "d": 2.0}, "r": {"a": 1.0, "e": -1.0}, "s": {"a": 0.0}}
    listed = {"q": {"x": 5.0, "a": 4.0, "b": 4.0, "c": 1.0, "d": 0.5}, "r": {"e": 2.0, "a": 1.0, "y": 1.0}}
    case = Case(graded, listed)
    together = case.evaluate(ALL, undefined="skip").per_query
    for metric in ALL:
        assert case.evaluate([metric], undefined="skip").per_query[metric.id].equals(together[metric.id]), metric.id


def orders(case: Case, query: str) -> list[RankedList]:
    """The list in every order of its tied items."""
    run, truth = case.run.get(query, {}), case.truth[query]
    by_score = sorted(run, key=lambda item: -run[item])
    blocks = [list(block) for _, block in itertools.groupby(by_score, key=lambda item: run[item])]
    found = []
    for arranged in itertools.product(*(itertools.permutations(block) for block in blocks)):
        items = list(itertools.chain.from_iterable(arranged))
        grades, anywhere = tuple(truth.get(item) for item in items), case.judged_anywhere(items)
        found.append(RankedList(grades, tuple(truth.values()), 1, case.top_grade(), judged_anywhere=anywhere))
    return found


EXPECTED = [metric for metric in ALL if metric.knows_expected()]


def assert_mean_over_orders(case: Case, metrics: list[RankingMetric]) -> None:
    table = case.evaluate(metrics, ties="expected").per_query.to_pydict()
    for row, query in enumerate(table["query"]):
        lists = orders(case, query)
        for metric in metrics:
            wanted = fmean(metric.define(ranked) for ranked in lists)
            value = table[metric.id][row]
            if math.isnan(wanted):
                assert value is None
            else:
                assert value == pytest.approx(wanted, rel=1e-12, abs=1e-14), (metric.id, query)


@pytest.mark.sweep
@given(case=cases(scores=st.integers(0, 1).map(float), most=6), data=st.data())
def test_expected_ties_are_the_mean_over_all_orders(case: Case, data: st.DataObject) -> None:
    assert_mean_over_orders(case, data.draw(st.lists(st.sampled_from(EXPECTED), min_size=8, max_size=8, unique=True)))


def test_expected_ties_of_every_metric() -> None:
    assert_mean_over_orders(TIED, EXPECTED)


def test_expected_is_refused_where_no_closed_form_is_known() -> None:
    case = Case({"q": {"a": 1.0}}, {"q": {"a": 1.0, "b": 1.0}})
    refused = [metric for metric in ALL if not metric.knows_expected()]
    by_parameters = {metric.name for metric in refused} & {metric.name for metric in EXPECTED}
    assert by_parameters == {"f", "list_auc", "mar", "ndcg", "precision", "rbp_residual"}
    for metric in refused:
        with pytest.raises(InputError, match="no closed form"):
            case.evaluate([metric], ties="expected")


def test_a_grade_missing_from_a_gain_table_is_an_error() -> None:
    case = Case({"q": {"a": 1.0, "b": 4.0}}, {"q": {"a": 1.0}})
    with pytest.raises(InputError, match="grade 4, but the gain table has only 1, 2"):
        case.evaluate(["ndcg(gain={1:1,2:3})@5"])
