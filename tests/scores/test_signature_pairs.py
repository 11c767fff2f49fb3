"""Two different calls on the same data have different signatures, or the same values."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import drawn
import drawn_labels
import pingce as pc
from pingce.evidence.policies import Policies
from pingce.metrics.declared import registry
from pingce.metrics.parameters import Choice
from pingce.scores.base import Scores

pytestmark = pytest.mark.filterwarnings("ignore")
Options = Mapping[str, Any]


def values_by_signature(scores: Scores) -> dict[str, tuple[Any, ...]]:
    """What stands beside each signature: the value, what it stands on, and the column of units."""
    columns = scores.unit_columns()
    return {
        scores.signature(name): (repr(value.value), value.count, value.undefined, repr(columns.get(name)))
        for name, value in scores.values_by_name.items()
    }


def assert_told_apart(one: Scores, other: Scores) -> None:
    first, second = values_by_signature(one), values_by_signature(other)
    for signature in first.keys() & second.keys():
        assert first[signature] == second[signature], signature


def options(**values: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Some keywords of a call, each at one of its values or left out."""
    return st.fixed_dictionaries({}, optional={name: st.sampled_from(list(some)) for name, some in values.items()})


RANKING = options(
    relevant=[1, 2, 0.5, "any", 1.0000001],
    missing=["zero", "skip"],
    undefined=[word for word in Policies.choices["undefined"] if word != "error"],
    ties=[word for word in Policies.choices["ties"] if word != "expected"],
    score_type=Policies.choices["score_type"],
    judged_only=["no", "yes", True],
    identical=Policies.choices["identical"],
    summation=Policies.choices["summation"],
    duplicates=Policies.choices["duplicates"],
    nan=Policies.choices["nan"],
    exclude=[[("1", "d1"), ("q", "d2")], [("1", "1")]],
    query_weight=[{"1": 2.0, "2": 0.5, "10": 1, "九": 3, "q": 0.1, "Q": 7}],
    convention=["trec_eval", "ranx", "recbole", "ir_measures"],
)
NAN = st.one_of(st.integers(0, 4).map(float), st.just(float("nan")), st.sampled_from([0.1, float(np.float32(0.1))]))


def ranked(case: drawn.Case, metrics: list[Any], chosen: Options) -> Scores:
    try:
        return case.evaluate(metrics, **chosen)
    except pc.InputError:
        assume(False)
        raise


@pytest.mark.sweep
@given(case=drawn.cases(scores=NAN), metrics=drawn.SOME, one=RANKING, other=RANKING)
def test_rankings(case: drawn.Case, metrics: list[Any], one: Options, other: Options) -> None:
    assert_told_apart(ranked(case, metrics, one), ranked(case, metrics, other))


BINARY = options(
    threshold=[0.5, 0.25, 0.1, 0.1 + 2**-40, -1],
    compare=["ge", "gt"],
    positive=[1, 0],
    undefined=["skip", "zero", "one", "nan"],
    bins=[None, 64, 1024],
    weight=["given"],
    kind=["float32", "float64"],
)


def labelled(table: drawn_labels.Table, metrics: list[Any], chosen: Options) -> Scores:
    more = {"positive": 1, **chosen}
    scores = np.array(table.scores, more.pop("kind", "float64"))
    more["weight"] = table.weights if "weight" in more else None
    try:
        return pc.evaluate_binary(table.labels, scores, metrics, group=table.groups, **more)
    except pc.InputError:
        assume(False)
        raise


@given(
    table=drawn_labels.tables(groups=True, weights=drawn_labels.COUNTS, unweighted=False),
    metrics=st.lists(st.sampled_from(drawn_labels.ALL), min_size=12, max_size=12, unique=True),
    one=BINARY,
    other=BINARY,
)
def test_labels_and_scores(table: drawn_labels.Table, metrics: list[Any], one: Options, other: Options) -> None:
    assert_told_apart(labelled(table, metrics, one), labelled(table, metrics, other))


def spellings(task: str) -> list[Any]:
    """Every metric of a task, and with each word of each parameter."""
    found = []
    for kind in registry(task).values():
        found.append(kind.about.example[0])
        for parameter in kind.parameters():
            check = parameter.metadata["check"]
            for word in check.words if isinstance(check, Choice) else ():
                with suppress(pc.InputError):  # one that goes with another parameter only
                    found.append(kind.make(**{parameter.name: word}))
    return found


CLASSES = options(
    labels=[["a", "b", "c"], ["c", "b", "a"], ["a", "b", "c", "d"], ["a", "b", "c", *map(str, range(40))]],
    undefined=["skip", "zero", "one", "nan"],
    undefined_class=["skip", "zero", "one", "nan"],
    weight=[[1, 2, 0.5, 3]],
    kind=["float32", "float64"],
)


def classified(truth: list[str], predicted: list[str] | None, chosen: Options) -> Scores:
    more = dict(chosen)
    size = len(more.get("labels", "abc"))
    proba = np.full((4, size), 1 / size, more.pop("kind", "float64"))
    proba[0, 0], proba[0, 1] = proba[0, 0] * 1.5, proba[0, 1] * 0.5
    metrics = spellings("multiclass")
    try:
        return pc.evaluate_multiclass([*"abc", *truth], predicted, metrics, proba=proba, **more)
    except pc.InputError:
        assume(False)
        raise


LETTERS = st.sampled_from("abc")


@pytest.mark.sweep
@given(
    truth=st.lists(LETTERS, min_size=1, max_size=1),
    predicted=st.one_of(st.none(), st.lists(LETTERS, min_size=4, max_size=4)),
    one=CLASSES,
    other=CLASSES,
)
def test_classes(truth: list[str], predicted: list[str] | None, one: Options, other: Options) -> None:
    assert_told_apart(classified(truth, predicted, one), classified(truth, predicted, other))


NUMBERS = options(undefined=["skip", "zero", "one", "nan"], weight=[[1, 2, 0.5, 3]])
COLUMN = st.lists(st.sampled_from([0.0, 1.0, 2.5, 7.0]), min_size=4, max_size=4)
ABOVE = st.lists(st.sampled_from([0.5, 1.0, 2.5, 7.0]), min_size=4, max_size=4)
"Deviances of counts need predictions above 0."


@given(true=COLUMN, predicted=ABOVE, one=NUMBERS, other=NUMBERS)
def test_numbers(true: list[float], predicted: list[float], one: Options, other: Options) -> None:
    metrics = spellings("regression")
    scores = [pc.evaluate_regression(true, predicted, metrics, group=[1, 1, 2, 2], **more) for more in (one, other)]
    assert_told_apart(*scores)


def test_pairs_that_are_excluded_beside_identical_ids() -> None:
    truth = {"q": {"a": 1, "q": 1}, "r": {"b": 1}}
    run = {"q": {"q": 3, "x": 2, "a": 1}, "r": {"x": 2, "b": 1}}
    chosen: tuple[dict[str, Any], ...] = ({}, {"exclude": [("r", "x")]})
    plain, some = (pc.evaluate_ranking(truth, run, "rr", identical="drop", **one) for one in chosen)
    assert (plain["rr"], some["rr"]) == (0.5, 0.75)
    assert_told_apart(plain, some)


F = "f1(average=macro)"
TRUE, PREDICTED = list("aabbc"), list("aabca")
MANY = [*"abc", *map(str, range(40))]


def test_explain_takes_the_classes_of_a_signature_by_its_own_name() -> None:
    scores = pc.evaluate_multiclass(TRUE, PREDICTED, [F], labels=["c", "b", "a"])
    signature = scores.signature(F)
    with pytest.raises(pc.InputError, match="explain calls them classes="):
        pc.explain(signature, TRUE, PREDICTED)
    assert pc.explain(signature, TRUE, PREDICTED, classes=["c", "b", "a"]).value == scores[F]


@pytest.mark.parametrize("labels", [None, ["a", "b", "c"], ["a", "b", "c", "x,|(%{"], MANY])
def test_classes_that_labels_name(labels: list[str] | None) -> None:
    scores = pc.evaluate_multiclass(TRUE, PREDICTED, [F], labels=labels)
    line = scores.signature(F)
    batches = pc.MulticlassEvaluator([F], labels=labels).update(TRUE[:2], PREDICTED[:2]).update(TRUE[2:], PREDICTED[2:])
    assert batches.compute().to_json() == scores.to_json()
    again = pc.evaluate_multiclass(TRUE, PREDICTED, f"{line},accuracy", labels=labels)
    assert next(iter(again.values())) == scores[F]
    assert len(again) == 2
    for other in ([*"abcz"], [*"cba"], MANY[:-1], None if labels else [*"abc"]):
        with pytest.raises(pc.InputError, match=r"made with labels:.*; give labels= as they were then"):
            pc.evaluate_multiclass(TRUE, PREDICTED, line, labels=other)
    baseline = pc.evaluate_multiclass(TRUE, PREDICTED, [F], labels=[*"abcde"])
    verdict = pc.check(scores, baseline=baseline, max_drop={F: 1})
    assert [row.passed for row in verdict.rows] != [True]


def test_a_line_without_labels_is_as_it_was() -> None:
    line = f"f|average:macro|seen:union|beta:1|of:classes|undefined:skip|undefined_class:zero|pingce:{pc.__version__}"
    assert pc.evaluate_multiclass(TRUE, PREDICTED, [F]).signature(F) == line
    named = pc.evaluate_multiclass(TRUE, PREDICTED, [F], labels=[*"abc"])
    assert named.signature(F) == line.replace("|pingce", '|labels:{"a","b","c"}|pingce')
    assert 'labels:{"a","b","c"}' in named.differences(F)
    with pytest.raises(pc.InputError, match="says labels, which it cannot have"):
        pc.from_signature("mae|undefined:skip|labels:{1}|pingce:0.1.0")
