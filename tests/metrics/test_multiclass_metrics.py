"""Metrics of classes: evidence against definitions, worked examples and the laws."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import pingce as pc
from pingce.base.errors import InputError
from pingce.evidence.multiclass.confusion import ConfusionEvidence
from pingce.evidence.multiclass.evidence import MulticlassEvidence
from pingce.evidence.policies import MulticlassPolicies
from pingce.inputs.multiclass import class_rows
from pingce.metrics.declared import registry
from pingce.metrics.multiclass import ClassList, MulticlassMetric
from pingce.metrics.parameters import Choice

KINDS: dict[str, type[MulticlassMetric]] = registry("multiclass")
OTHERS: dict[str, tuple[Any, ...]] = {"beta": (1, 0.5, 2), "eps": (None, 1e-3), "label": (None,)}
CUTOFFS = (None, 1, 2, 50)


def variants(kind: type[MulticlassMetric]) -> Iterator[MulticlassMetric]:
    """The metric with every combination of its parameters; `label` and `average=none` are for one class."""
    names = [parameter.name for parameter in kind.parameters()]
    values = [_values(parameter) for parameter in kind.parameters()]
    for chosen in itertools.product(*values):
        for k in CUTOFFS if kind.takes else (None,):
            yield kind.make(k=k, **dict(zip(names, chosen, strict=True)))


def _values(parameter: Any) -> Sequence[Any]:
    check = parameter.metadata["check"]
    if isinstance(check, Choice):
        return [word for word in check.words if (parameter.name, word) != ("average", "none")]
    return OTHERS[parameter.name]


OF_LABELS = [metric for kind in KINDS.values() if kind.needs == "confusion" for metric in variants(kind)]
OF_PROBABILITIES = [metric for kind in KINDS.values() if kind.needs == "proba" for metric in variants(kind)]


@dataclass(frozen=True)
class Case:
    """Rows, as a person would write them."""

    true: tuple[Any, ...]
    predicted: tuple[Any, ...]
    weights: tuple[float, ...] | None = None
    labels: tuple[Any, ...] | None = None
    proba: tuple[tuple[float, ...], ...] | None = None

    def evidence(self) -> MulticlassEvidence:
        rows = class_rows(
            list(self.true),
            list(self.predicted),
            weight=None if self.weights is None else np.array(self.weights),
            labels=self.labels,
            proba=self.proba,
        )
        return MulticlassEvidence(rows)

    def listed(self, undefined_class: str = "zero") -> ClassList:
        return ClassList(self.true, self.predicted, self.labels or (), self.weights, self.proba, undefined_class)

    def at(self, places: Sequence[int]) -> Case:
        columns = {
            name: tuple(column[i] for i in places)
            for name in ("true", "predicted", "weights", "proba")
            if (column := getattr(self, name)) is not None
        }
        return replace(self, **columns)


def value(metric: MulticlassMetric, case: Case, undefined_class: str = "zero") -> float:
    return metric.value(case.evidence().view(MulticlassPolicies.of(undefined_class=undefined_class)))


def values(metrics: Sequence[MulticlassMetric], case: Case) -> list[str]:
    """All values, to the last bit."""
    view = case.evidence().view(MulticlassPolicies())
    return [repr(metric.value(view)) for metric in metrics]


NAMES = {"strings": ("a", "b", "B", "类", "10", "9"), "integers": (-3, 0, 7, 2**40, -(2**62))}
WEIGHTS = st.sampled_from([0.0, 1.0, 1.0, 2.0, 0.5, 0.1, 0.7, 1 / 3])
COUNTS = st.sampled_from([0.0, 1.0, 1.0, 2.0, 3.0])
MASSES = st.sampled_from([0, 0, 1, 1, 2, 5])


@st.composite
def cases(
    draw: st.DrawFn,
    *,
    weights: st.SearchStrategy[float] | None = WEIGHTS,
    proba: bool = False,
    most: int = 10,
) -> Case:
    """A few rows of up to six classes, with weights or without, with labels= (more of them, in any order) or without."""
    names = NAMES[draw(st.sampled_from(sorted(NAMES)))]
    size = draw(st.integers(1, most))

    def column(of: st.SearchStrategy[Any]) -> tuple[Any, ...]:
        return tuple(draw(st.lists(of, min_size=size, max_size=size)))

    case = Case(column(st.sampled_from(names)), column(st.sampled_from(names)))
    if weights is not None and draw(st.booleans()):
        case = replace(case, weights=(1.0, *column(weights)[1:]))
    if draw(st.booleans()):
        more = sorted({*case.true, *case.predicted}) + [name for name in names if draw(st.booleans())]
        case = replace(case, labels=tuple(draw(st.permutations(list(dict.fromkeys(more))))))
    if proba:
        columns = len(case.listed().classes())
        rows = [[draw(MASSES) for _ in range(columns)] for _ in range(size)]
        case = replace(case, proba=tuple(tuple(mass / (sum(row) or 1) for mass in row) for row in map(_some, rows)))
    return case


def _some(masses: list[int]) -> list[int]:
    return masses if any(masses) else [1] * len(masses)


UNDEFINED_CLASS = ("zero", "skip", "one", "nan")


def compare(case: Case, metrics: Sequence[MulticlassMetric]) -> None:
    """Every metric against its definition, under every policy on the same drawn rows."""
    evidence = case.evidence()
    for policy in UNDEFINED_CLASS:
        view, rows = evidence.view(MulticlassPolicies.of(undefined_class=policy)), case.listed(policy)
        for metric in metrics:
            wanted = pytest.approx(metric.define(rows), rel=1e-12, abs=1e-12, nan_ok=True)
            assert metric.value(view) == wanted, (metric.id, policy)


# The definitions.


@given(case=cases())
def test_values_equal_the_definition(case: Case) -> None:
    compare(case, OF_LABELS)


@given(case=cases())
def test_one_class_equals_the_definition(case: Case) -> None:
    view, rows = case.evidence().view(MulticlassPolicies()), case.listed()
    for name in ("precision", "recall", "f", "jaccard"):
        for label in rows.classes():
            metric = KINDS[name].make(label=label)
            assert metric.value(view) == pytest.approx(metric.define(rows), rel=1e-12, nan_ok=True), metric.id


@given(case=cases(proba=True))
def test_values_of_probabilities_equal_the_definition(case: Case) -> None:
    compare(case, OF_PROBABILITIES)


# Weights whose sums are rounded.
STEPPED_OVER = (
    Case((-3, 0), (0, -3), (1.0, 0.7), proba=((0.5, 0.5),) * 2),
    Case(
        (1, 0, 0, 1, 1),
        (1, 0, 0, 1, 1),
        (1.0, 1.0, 0.7, 0.1, 1.0),
        proba=((0.8, 0.2), *((1, 0),) * 2, (0.8, 0.2), (0, 1)),
    ),
)


@given(case=cases(proba=True))
@example(case=STEPPED_OVER[0])
@example(case=STEPPED_OVER[1])
def test_values_lie_in_the_declared_range(case: Case) -> None:
    view = case.evidence().view(MulticlassPolicies())
    for metric in OF_LABELS + OF_PROBABILITIES:
        low, high = (float(end.replace("−", "-").replace("∞", "inf")) for end in metric.about.range.split("…"))
        found = metric.value(view)
        assert math.isnan(found) or low <= found <= high, metric.id


# What a person computed.

EXAMPLE = Case(tuple("aaaabbc"), tuple("aaabbcc"))


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("f1", Fraction(85, 126)),
        ("f1(average=macro)", Fraction(85, 126)),
        ("f1(average=micro)", Fraction(5, 7)),
        ("f1(average=weighted)", Fraction(107, 147)),
        ("f1(of=averages)", Fraction(12, 17)),
        ("f1(label=a)", Fraction(6, 7)),
        ("f1(label=b)", Fraction(1, 2)),
        ("f1(label=c)", Fraction(2, 3)),
        ("precision", Fraction(2, 3)),
        ("precision(average=weighted)", Fraction(11, 14)),
        ("recall", Fraction(3, 4)),
        ("recall(average=weighted)", Fraction(5, 7)),
        ("f(beta=2,label=a)", Fraction(15, 19)),
        ("jaccard", Fraction(19, 36)),
        ("jaccard(average=micro)", Fraction(5, 9)),
        ("accuracy", Fraction(5, 7)),
        ("balanced_accuracy", Fraction(3, 4)),
        ("kappa", Fraction(17, 31)),
    ],
)
def test_worked_example_23(name: str, wanted: Fraction) -> None:
    scores = pc.evaluate_multiclass(list(EXAMPLE.true), list(EXAMPLE.predicted), [name])
    assert scores[name] == pytest.approx(float(wanted), rel=1e-12)
    assert MulticlassMetric.define is not type(scores.find(name).metric).define


def test_ties_of_probabilities() -> None:
    """Equal classes stand in the order of the labels: a is first twice, b never among the first two."""
    proba = ((0.4, 0.2, 0.4), (0.4, 0.2, 0.4), (0.25, 0.5, 0.25), (0.5, 0.25, 0.25))
    metrics = [f"top_k_accuracy@{k}" for k in (1, 2, 3, 9)]
    found = pc.evaluate_multiclass(["a", "c", "c", "b"], None, [*metrics, "topk", "accuracy"], proba=proba)
    assert list(found.values()) == [1 / 4, 3 / 4, 1.0, 1.0, 1 / 4, 1 / 4]


def test_auc_of_pairs_by_hand() -> None:
    """ovr: a 2 of 2 pairs, b 1 of 2, c 2 of 2. ovo: ab 1 and 1, ac 1 and 1, bc 0 (0.25 < 0.3 …) and 1."""
    proba = ((0.7, 0.2, 0.1), (0.4, 0.35, 0.25), (0.2, 0.5, 0.3))
    names = ["auc", "auc(average=weighted)", "auc(multi=ovo)", "auc(multi=ovo,average=weighted)"]
    found = pc.evaluate_multiclass(["a", "b", "c"], None, names, proba=proba)
    assert list(found.values()) == pytest.approx([5 / 6, 5 / 6, (1 + 1 + 0.5) / 3, 2.5 / 3], rel=1e-12)


def test_logloss_is_clipped_by_the_type_of_the_probabilities() -> None:
    proba = np.array([[1.0, 0.0], [1.0, 0.0]])
    for kind in ("float64", "float32", "float16"):
        found = pc.evaluate_multiclass(["a", "b"], None, ["logloss"], proba=proba.astype(kind))
        assert found["logloss"] == pytest.approx(-math.log(np.finfo(kind).eps) / 2, rel=1e-3)
    assert pc.evaluate_multiclass(["a", "b"], None, ["logloss(eps=0.1)"], proba=proba)[
        "logloss(eps=0.1)"
    ] == pytest.approx(-(math.log(0.9) + math.log(0.1)) / 2, rel=1e-12)


# Laws.


@given(case=cases(proba=True), seed=st.integers(0, 99))
def test_the_order_of_rows_changes_no_bit(case: Case, seed: int) -> None:
    places = list(range(len(case.true)))
    random.Random(seed).shuffle(places)
    metrics = OF_LABELS + OF_PROBABILITIES
    assert values(metrics, case) == values(metrics, case.at(places))


@given(case=cases(weights=COUNTS, proba=True))
def test_a_weight_of_2_is_the_row_twice_and_0_is_no_row(case: Case) -> None:
    weights = case.weights or (1.0,) * len(case.true)
    repeated = replace(case.at([i for i, weight in enumerate(weights) for _ in range(int(weight))]), weights=None)
    metrics = OF_LABELS + OF_PROBABILITIES
    assert values(metrics, replace(case, weights=weights)) == values(metrics, repeated)


@given(case=cases())
def test_a_weight_of_0_is_no_row(case: Case) -> None:
    """Also where only such rows have a class."""
    weights = case.weights or (1.0,) * len(case.true)
    odd: tuple[Any, ...] = ("zz",) if isinstance(case.true[0], str) else (99,)
    more = replace(case, true=case.true + odd, predicted=case.predicted + odd, weights=(*weights, 0.0))
    assert values(OF_LABELS, replace(case, weights=weights)) == values(OF_LABELS, more)


@given(case=cases())
def test_micro_averages_are_the_accuracy(case: Case) -> None:
    accuracy = value(KINDS["accuracy"].make(), case)
    for name in ("precision", "recall", "f"):
        for beta in ({}, {"beta": 2}) if name == "f" else ({},):
            micro = value(KINDS[name].make(average="micro", **beta), case)
            assert micro == pytest.approx(accuracy, rel=1e-12)
            assert case.weights is not None or beta or micro == accuracy


@given(case=cases())
def test_what_is_all_right_reaches_1(case: Case) -> None:
    right = replace(case, predicted=case.true)
    classes = {label for label, weight in zip(case.true, case.weights or (1,) * len(case.true), strict=True) if weight}
    view = right.evidence().view(MulticlassPolicies.of(undefined_class="skip"))
    for metric in OF_LABELS:
        found = metric.value(view)
        if metric.name == "kappa" and len(classes) == 1:
            assert math.isnan(found)
        elif metric.name == "mcc":
            assert found == pytest.approx(float(len(classes) > 1), rel=1e-12)
        else:
            assert found == pytest.approx(1, rel=1e-12), metric.id


@given(case=cases(weights=None), names=st.permutations(["x", "y", "z", "v", "w", "u"]))
def test_the_names_of_classes_do_not_matter(case: Case, names: list[str]) -> None:
    """Sums over classes go in the order of the labels: equal but for the last bit."""
    called = dict(zip(sorted({*case.true, *case.predicted, *(case.labels or ())}), names, strict=False))
    columns = {
        name: tuple(called[label] for label in column)
        for name in ("true", "predicted", "labels")
        if (column := getattr(case, name)) is not None
    }
    renamed = replace(case, **columns)
    view, other = case.evidence().view(MulticlassPolicies()), renamed.evidence().view(MulticlassPolicies())
    for metric in OF_LABELS:
        assert metric.value(other) == pytest.approx(metric.value(view), rel=1e-12, abs=1e-15, nan_ok=True), metric.id


@given(
    labels=st.lists(st.tuples(st.booleans(), st.booleans(), COUNTS), min_size=1, max_size=10), weighted=st.booleans()
)
def test_two_classes_are_a_binary_task(labels: list[tuple[bool, bool, float]], weighted: bool) -> None:
    true, predicted, weights = (np.array(column) for column in zip(*labels, strict=True))
    weights[0] = 1
    weight = weights if weighted else None
    names = ["accuracy", "kappa", "mcc"]
    two = pc.evaluate_binary(true, predicted.astype(float), names, weight=weight, positive=True)
    several = pc.evaluate_multiclass(true, predicted, names, weight=weight)
    assert list(several.values()) == pytest.approx(list(two.values()), rel=1e-12, abs=1e-12, nan_ok=True)


@given(case=cases(weights=COUNTS), cuts=st.lists(st.integers(0, 9), max_size=3))
def test_confusion_evidence_merges_in_any_split(case: Case, cuts: list[int]) -> None:
    case = replace(case, weights=tuple(weight or 1.0 for weight in case.weights) if case.weights else None)
    ends = sorted({0, len(case.true), *(cut for cut in cuts if cut < len(case.true))})
    parts = [case.at(range(a, b)).evidence().confusion for a, b in itertools.pairwise(ends)]
    merged = parts[0]
    for part in parts[1:]:
        merged = merged.merge(part)
    same(merged, case.evidence().confusion)
    if len(parts) == 3:
        same(parts[0].merge(parts[1].merge(parts[2])), merged)
    same(ConfusionEvidence.from_arrow(merged.to_arrow()), merged)


def same(one: ConfusionEvidence, other: ConfusionEvidence) -> None:
    assert one.labels == other.labels
    assert one.matrix.tolist() == other.matrix.tolist()


@given(case=cases())
def test_confusion_evidence_survives_arrow(case: Case) -> None:
    evidence = case.evidence().confusion
    sink = pa.BufferOutputStream()
    table = evidence.to_arrow()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    back = ConfusionEvidence.from_arrow(pa.ipc.open_stream(sink.getvalue()).read_all())
    same(back, evidence)
    assert back.matrix.dtype == evidence.matrix.dtype


def test_confusion_evidence_is_checked() -> None:
    strings, integers = (Case((one,), (one,)).evidence().confusion for one in ("a", 1))
    with pytest.raises(InputError, match="string and integer labels cannot be merged"):
        strings.merge(integers)
    with pytest.raises(InputError, match="not confusion_cells evidence"):
        ConfusionEvidence.from_arrow(pa.table({"0": [1]}))


def test_confusion_cells() -> None:
    evidence = EXAMPLE.evidence().confusion
    assert evidence.matrix.tolist() == [[3, 1, 0], [0, 1, 1], [0, 0, 1]]
    assert (evidence.total, evidence.all_right, len(evidence)) == (7, 5, 3)
    cells = evidence.cells()
    assert [cells.tp.tolist(), cells.fp.tolist(), cells.fn.tolist()] == [[3, 1, 1], [0, 1, 1], [1, 1, 0]]
    assert cells.tn.tolist() == [3, 4, 5]
    kept = evidence.select(np.array([2, 0]))
    assert (kept.labels, kept.matrix.tolist()) == (["c", "a"], [[1, 0], [0, 3]])
    assert evidence.select(np.array([True, False, True])).labels == ["a", "c"]


# What is undefined.

UNDEFINED = {"zero": 0.25, "skip": 0.5, "one": 0.75}


@pytest.mark.parametrize("how", ["of the call", "of the metric", "undefined alone"])
@pytest.mark.parametrize("policy", UNDEFINED)
def test_an_undefined_class_counts_as_the_policy_says(policy: str, how: str) -> None:
    """b is never predicted, so that its precision is undefined; that of a is 1/2."""
    name = f"precision(undefined_class={policy})" if how == "of the metric" else "precision"
    more: dict[str, Any] = {"of the call": {"undefined_class": policy}, "undefined alone": {"undefined": policy}}.get(
        how, {}
    )
    scores = pc.evaluate_multiclass(["a", "b"], ["a", "a"], [name], **more)
    assert scores[name] == UNDEFINED[policy]
    assert scores.counts["undefined"] == {name: 1}
    assert f"undefined_class:{policy}" in scores.signature(name)


def test_an_undefined_class_is_0_by_default() -> None:
    assert pc.evaluate_multiclass(["a", "b"], ["a", "a"], ["precision"])["precision"] == 0.25


def test_an_undefined_class_may_make_the_average_undefined() -> None:
    scores = pc.evaluate_multiclass(["a", "b"], ["a", "a"], ["precision", "recall"], undefined_class="nan")
    assert math.isnan(scores["precision"])
    assert scores["recall"] == 0.5
    with pytest.raises(InputError, match=r"precision is undefined for 1 classes \('b'\)"):
        pc.evaluate_multiclass(["a", "b"], ["a", "a"], ["precision"], undefined_class="error")
    assert pc.evaluate_multiclass(["a", "b"], ["a", "a"], ["recall"], undefined_class="error")["recall"] == 0.5


@pytest.mark.parametrize(("policy", "wanted"), [("skip", None), ("nan", None), ("zero", 0.0), ("one", 1.0)])
def test_an_undefined_value_is_what_the_policy_says(policy: str, wanted: float | None) -> None:
    scores = pc.evaluate_multiclass(["a", "a"], ["a", "a"], ["kappa", "accuracy"], undefined=policy)  # type: ignore[arg-type]
    assert scores["kappa"] == wanted if wanted is not None else math.isnan(scores["kappa"])
    assert scores.counts["undefined"] == {"kappa": 1, "accuracy": 0}


def test_an_undefined_value_may_be_an_error() -> None:
    with pytest.raises(InputError, match="kappa is undefined here"):
        pc.evaluate_multiclass(["a"], ["a"], ["kappa"], undefined="error")
    with pytest.raises(InputError, match=r"precision\(label=b\) is undefined here"):
        pc.evaluate_multiclass(["a", "b"], ["a", "a"], ["precision(label=b)"], undefined="error")


@pytest.mark.parametrize(("seen", "wanted"), [("union", 1 / 3), ("present", 1 / 2)])
def test_classes_that_never_occur_count_unless_only_present_ones_do(seen: str, wanted: float) -> None:
    name = f"recall(seen={seen})"
    scores = pc.evaluate_multiclass(["a", "b"], ["a", "a"], [name], labels=["a", "b", "never"])
    assert scores[name] == pytest.approx(wanted)


# Names.


def test_one_value_a_class() -> None:
    scores = pc.evaluate_multiclass(
        list(EXAMPLE.true), list(EXAMPLE.predicted), ["f1(average=none)", "recall(label=b)"]
    )
    assert list(scores) == ["f1(label=a)", "f1(label=b)", "f1(label=c)", "recall(label=b)"]
    assert list(scores.values()) == pytest.approx([6 / 7, 1 / 2, 2 / 3, 1 / 2])
    assert scores["f(label=b)"] == scores["f1(label=b)"]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("f1(label=z)", "there is no such class; there are a, b, c"),
        ("f1(label=A)", "did you mean 'a'"),
        ("f1(average=mean)", "average=mean: choose one of macro | micro | weighted | none"),
        ("f1(beta=0)", "beta=0: must be a number, > 0"),
        ("top_k_accuracy@0", "k must be a whole number from 1"),
        ("accuracy@5", "accuracy takes no @k"),
        ("acuracy", "did you mean 'accuracy'"),
        ("ndcg@10", "it is a metric of rankings"),
        ("rmse", "it is a metric of numbers"),
        ("ks", "it is a metric of labels and scores"),
        ("logloss", "give proba="),
        ("f1(threshold=0.5)", "has no parameter 'threshold'"),
    ],
)
def test_names_that_are_wrong(name: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        pc.evaluate_multiclass(list(EXAMPLE.true), list(EXAMPLE.predicted), [name])
    assert says in str(caught.value)
