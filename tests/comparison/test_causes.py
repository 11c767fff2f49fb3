"""The path of causes: switched one after another, the choices lead from the first value to the last."""

from __future__ import annotations

import itertools
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import drawn_labels
import pingce as pc
from drawn import Case, at_least, cases
from pingce.comparison.causes import path, same
from pingce.comparison.convention_values import ConventionComparison, ConventionValue
from pingce.conventions.declared import conventions
from pingce.conventions.resolve import asked_under, policies_under
from pingce.metrics.grammar import MetricRequest
from pingce.tasks import TASKS

pytestmark = pytest.mark.filterwarnings("ignore")
TOOLS = {task: [one.tool for one in conventions().values() if task in one.tasks] for task in TASKS}
PAIRS = {task: list(itertools.permutations(tools, 2)) for task, tools in TOOLS.items()}
METRICS = {
    "ranking": ["ndcg@3", "ap@3", "ap", "precision@3", "recall@3", "rr@3", "hit_rate@3", "f1@3", "rbp"],
    "binary": ["auc", "gauc", "f1", "precision", "accuracy", "pr_auc", "logloss"],
    "multiclass": ["accuracy", "kappa", "mcc", "precision", "recall", "f1"],
    "regression": ["mae", "mse", "rmse", "mape", "msle", "rmsle", "medae", "r2", "explained_variance"],
}


def chosen(asked: Any, policies: Any) -> dict[str, Any]:
    """Every parameter and policy of a metric by name."""
    parameters = {p.name: getattr(asked.metric, p.name) for p in asked.metric.parameters()}
    return parameters | asdict(asked.under(policies))


def spelled(kind: Any, k: Any, choices: dict[str, Any], task: str) -> Any:
    """The metric with these choices, all pinned."""
    own = {name: choices[name] for name in asdict(TASKS[task].load("policies")())}
    parameters = {p.name: choices[p.name] for p in kind.parameters()}
    return MetricRequest("m", kind.make(k=k, **parameters), own)


def check_path(one: ConventionValue, base: str, task: str, evaluate: Any) -> None:
    """Every listed step, applied at its turn, gives the value beside it; the last one is the tool's."""
    (mine,), (theirs,) = asked_under(one.metric, base, task), asked_under(one.metric, one.tool, task, yielding=True)
    kind = TASKS[task].load("policies")
    choices, target = (
        chosen(asked, kind.of(**policies_under(tool, task, {}))) for asked, tool in ((mine, base), (theirs, one.tool))
    )
    reached = [one.reference]
    for step in one.switches:
        choices |= {name: target[name] for name in step.name.split(" + ")}
        found = evaluate([spelled(type(mine.metric), mine.metric.k, choices, task)])
        assert same(found["m"], step.value), (one.metric, base, one.tool, one.cause)
        reached.append(step.value)
    assert same(reached[-1], one.value), (one.metric, base, one.tool, one.cause)
    assert not any(same(before, after) for before, after in itertools.pairwise(reached))
    assert one.cause.startswith("differences cancel: ") == (len(reached) > 1 and same(one.value, one.reference))
    assert (one.cause == "no difference") == (not one.switches)


def compared(task: str, pair: tuple[str, str], data: tuple[Any, Any], **more: Any) -> ConventionComparison | None:
    base, tool = pair
    names = [name for name in METRICS[task] if _has(base, name, task)]
    if not names:
        return None
    return pc.compare_conventions(data[0], data[1], names, [tool], task=task, convention=base, **more)


def _has(tool: str, name: str, task: str) -> bool:
    try:
        return bool(asked_under(name, tool, task))
    except pc.InputError:
        return False


@pytest.mark.sweep
@given(case=cases(), pair=st.sampled_from(PAIRS["ranking"]))
def test_rankings_under_any_two_tools(case: Case, pair: tuple[str, str]) -> None:
    found = compared("ranking", pair, (case.truth, case.run))
    for one in found.rows if found else ():
        if one.refused is None:
            check_path(one, pair[0], "ranking", case.evaluate)


@pytest.mark.sweep
@given(table=drawn_labels.tables(groups=True), pair=st.sampled_from(PAIRS["binary"]))
def test_labels_under_any_two_tools(table: drawn_labels.Table, pair: tuple[str, str]) -> None:
    data = table.labels, table.scores
    more: dict[str, Any] = {"group": table.groups, "positive": 1}
    found = compared("binary", pair, data, **more)
    for one in found.rows if found else ():
        if one.refused is None:
            check_path(one, pair[0], "binary", lambda asked: pc.evaluate_binary(*data, asked, **more))


CLASSES = st.lists(st.tuples(*[st.sampled_from("abc")] * 2), min_size=1, max_size=8)
NUMBERS = st.lists(st.tuples(*[st.sampled_from([0.0, 0.5, 1.0, 2.0, 4.0])] * 2), min_size=1, max_size=8)


@given(rows=CLASSES, pair=st.sampled_from(PAIRS["multiclass"]))
def test_classes_under_any_two_tools(rows: list[tuple[str, str]], pair: tuple[str, str]) -> None:
    check_rows(rows, pair, "multiclass", pc.evaluate_multiclass)


@given(rows=NUMBERS, pair=st.sampled_from(PAIRS["regression"]))
def test_numbers_under_any_two_tools(rows: list[tuple[float, float]], pair: tuple[str, str]) -> None:
    check_rows(rows, pair, "regression", pc.evaluate_regression)


def check_rows(rows: list[tuple[Any, Any]], pair: tuple[str, str], task: str, evaluate: Any) -> None:
    true, predicted = zip(*rows, strict=True)
    data = list(true), list(predicted)
    found = compared(task, pair, data)
    for one in found.rows if found else ():
        if one.refused is None:
            check_path(one, pair[0], task, lambda asked: evaluate(*data, asked))


def steps_of(value: Any, names: str) -> list[tuple[str, float]]:
    """The path between the values of no choice and of all of them."""

    def values(sets: Any) -> list[float | None]:
        return [value(frozenset(one)) for one in sets]

    return [
        ("+".join(step.names), step.value)
        for step in path(list(names), values, value(frozenset()), value(frozenset(names)))
    ]


def test_a_switch_that_waits_for_another_stays_in_the_list() -> None:
    def value(on: frozenset[str]) -> float:
        """`b` has an effect alone, none after `a`, and makes `c` matter."""
        return 3 * ("a" in on) + 2 * ("b" in on and "a" not in on) + 1.5 * ("b" in on and "c" in on)

    assert steps_of(value, "abc") == [("a", 3.0), ("b+c", 4.5)]


def test_differences_that_cancel_are_steps() -> None:
    assert steps_of(lambda on: ("a" in on) - 1.0 * ("b" in on), "abc") == [("a", 1.0), ("b", 0.0)]
    assert steps_of(lambda on: 0.5, "abc") == []


def test_choices_that_matter_together_without_those_that_do_not() -> None:
    assert steps_of(lambda on: 1.0 * ({"a", "c"} <= on), "abc") == [("a+c", 1.0)]
    assert steps_of(lambda on: None if on == {"a"} else 1.0 * ("a" in on), "ab") == [("b+a", 1.0)]


@at_least(100)
@given(table=st.lists(st.one_of(st.integers(0, 2).map(float), st.just(float("nan"))), min_size=16, max_size=16))
def test_any_function_of_four_choices(table: list[float]) -> None:
    def value(on: frozenset[str]) -> float:
        return table[sum(1 << "abcd".index(name) for name in on)]

    switched: set[str] = set()
    now = value(frozenset())
    for names, reached in steps_of(value, "abcd"):
        switched |= set(names.split("+"))
        assert same(value(frozenset(switched)), reached)
        assert not same(reached, now)
        now = reached
    assert same(now, value(frozenset("abcd")))
