"""Explanations of classes: the last line is the value, the steps lead there."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from explained_steps import adds_up, check, column, grid, last_line, line, written
from pingce.base.errors import InputError
from pingce.evidence.multiclass.evidence import MulticlassEvidence
from pingce.evidence.policies import MulticlassPolicies
from pingce.explanations.derivation import Explanation, Grid
from pingce.explanations.multiclass.base import explain_multiclass
from pingce.inputs.multiclass import ClassRows, class_rows
from pingce.metrics.declared import registry
from pingce.metrics.grammar import MetricRequest, parse_metric
from pingce.metrics.multiclass import MulticlassMetric
from pingce.metrics.parameters import Choice

KINDS: dict[str, type[MulticlassMetric]] = registry("multiclass")
OTHERS: dict[str, tuple[Any, ...]] = {"beta": (1, 2), "eps": (None, 1e-3), "label": (None,)}
DEFAULT = MulticlassPolicies()
POLICIES = st.builds(
    MulticlassPolicies,
    undefined=st.sampled_from(["skip", "zero", "one", "nan"]),
    undefined_class=st.sampled_from(["zero", "skip", "one", "nan"]),
)


def variants(kind: type[MulticlassMetric]) -> Iterator[MulticlassMetric]:
    """The metric with every combination of its parameters, but for those of one class."""
    values = [_values(parameter) for parameter in kind.parameters()]
    for chosen in itertools.product(*values):
        for k in (None, 2, 50) if kind.takes else (None,):
            yield kind.make(k=k, **dict(zip((p.name for p in kind.parameters()), chosen, strict=True)))


def _values(parameter: Any) -> Sequence[Any]:
    words = parameter.metadata["check"]
    if isinstance(words, Choice):
        return [word for word in words.words if (parameter.name, word) != ("average", "none")]
    return OTHERS[parameter.name]


ALL = [metric for kind in KINDS.values() for metric in variants(kind)]


@dataclass(frozen=True)
class Case:
    """Rows, as a person would write them."""

    true: tuple[Any, ...]
    predicted: tuple[Any, ...]
    proba: tuple[tuple[float, ...], ...]
    labels: tuple[Any, ...]
    weights: tuple[float, ...] | None

    def rows(self) -> ClassRows:
        weight = None if self.weights is None else np.array(self.weights)
        columns = list(self.true), list(self.predicted)
        return class_rows(*columns, proba=np.array(self.proba), labels=self.labels, weight=weight)


@st.composite
def cases(draw: st.DrawFn, most: int = 10) -> Case:
    """A few rows, some classes that never occur, probabilities with ties, weights or none."""
    labels = draw(st.sampled_from([("a", "b"), ("a", "b", "ж"), (3, -1, 7, 2**40), ("x {}", "y|z", "10", "9", "é")]))
    size = draw(st.integers(1, most))
    masses = st.lists(st.sampled_from([0, 0, 1, 1, 2, 5]), min_size=len(labels), max_size=len(labels)).filter(any)

    def column(values: st.SearchStrategy[Any]) -> tuple[Any, ...]:
        return tuple(draw(st.lists(values, min_size=size, max_size=size)))

    proba = tuple(tuple(mass / sum(row) for mass in row) for row in column(masses))
    weights = None
    if draw(st.booleans()):
        weights = (1.0, *column(st.sampled_from([0.0, 1.0, 2.0, 0.5, 0.1, 1 / 3]))[1:])
    return Case(column(st.sampled_from(labels)), column(st.sampled_from(labels)), proba, labels, weights)


def explained(name: str, rows: ClassRows, *, of_class: object = None, **policies: Any) -> Explanation:
    asked = parse_metric(name, task="multiclass")
    return explain_multiclass(rows, asked, MulticlassPolicies.of(**policies), of_class=of_class)


def wanted(metric: MulticlassMetric, rows: ClassRows, policies: MulticlassPolicies) -> float:
    value = float(metric.value(MulticlassEvidence(rows).view(policies)))
    return {"zero": 0.0, "one": 1.0}.get(policies.undefined, value) if math.isnan(value) else value


# Every metric: bit by bit.


@pytest.mark.sweep
@given(case=cases(), policies=POLICIES)
def test_the_last_line_is_the_value(case: Case, policies: MulticlassPolicies) -> None:
    rows = case.rows()
    for metric in ALL:
        check(explain_multiclass(rows, MetricRequest(metric.id, metric), policies), wanted(metric, rows, policies))


@given(case=cases(), policies=POLICIES, data=st.data())
def test_the_value_of_one_class(case: Case, policies: MulticlassPolicies, data: st.DataObject) -> None:
    """With of_class= a metric is that with label=; an AUC is that of two labels."""
    rows, label = case.rows(), data.draw(st.sampled_from(case.labels))
    for name in ("precision", "recall", "f1", "f(beta=2,average=weighted)", "jaccard", "f1(average=none)"):
        found = explain_multiclass(rows, parse_metric(name, task="multiclass"), policies, of_class=label)
        metric = parse_metric(name, task="multiclass").metric
        own = type(metric)(label=str(label), **({"beta": metric.beta} if "f" in name else {}))
        check(found, wanted(own, rows, policies))
        assert str(label) in found.subject.en
    area = explain_multiclass(rows, parse_metric("auc", task="multiclass"), policies, of_class=label)
    true = [one == label for one in rows_labels(rows)]
    scores = rows.proba[:, rows.labels.index(label)]  # type: ignore[index]
    options: dict[str, Any] = {"positive": True, "undefined": policies.undefined, "weight": rows.weight}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", pc.PingceWarning)
        check(area, pc.evaluate_binary(true, scores, ["auc"], **options)["auc"])


def rows_labels(rows: ClassRows) -> list[Any]:
    return [rows.labels[code] for code in rows.truth.codes.tolist()]


@given(case=cases())
def test_columns_add_up_to_their_sums(case: Case) -> None:
    rows = case.rows()
    own = "weighted" if rows.weight is not None else "loss"
    found = explained("logloss", rows)
    adds_up(found, "contributions", own, line(found, "sum"))
    found = explained("top_k_accuracy@50", rows)
    adds_up(found, "places", "rows", line(found, "rows"))
    found = explained("kappa", rows)
    adds_up(found, "classes", "product", line(found, "products"))
    adds_up(found, "classes", "right", line(found, "right"))
    found = explained("f1(average=micro)", rows)
    for cell in ("tp", "fp", "fn"):
        adds_up(found, "classes", cell, line(found, f"all_{cell}"))


# The worked example 23: a P 3/3, R 3/4, F 6/7; b 1/2, 1/2, 1/2; c 1/2, 1, 2/3.

PROBA = [
    [0.7, 0.2, 0.1],
    [0.6, 0.3, 0.1],
    [0.5, 0.3, 0.2],
    [0.2, 0.6, 0.2],
    [0.4, 0.5, 0.1],
    [0.1, 0.4, 0.5],
    [0.1, 0.1, 0.8],
]


def seven(**more: Any) -> ClassRows:
    return class_rows(list("aaaabbc"), list("aaabbcc"), proba=np.array(PROBA), **more)


def test_example_23_the_table_of_classes() -> None:
    found = explained("f1", seven())
    table = grid(found, "classes")
    assert column(table, "class") == ["a", "b", "c"]
    assert [column(table, key) for key in ("tp", "fp", "fn", "support")] == [[3, 1, 1], [0, 1, 1], [1, 1, 0], [4, 2, 1]]
    assert column(table, "precision") == [1, 0.5, 0.5]
    assert column(table, "recall") == [0.75, 0.5, 1]
    assert column(table, "f") == pytest.approx([6 / 7, 1 / 2, 2 / 3])
    assert last_line(found).template == "({} + {} + {}) / {}"
    assert last_line(found).numbers == pytest.approx((6 / 7, 1 / 2, 2 / 3, 3))
    assert found.value == pytest.approx(float(Fraction(85, 126)), rel=1e-15)


def test_example_23_micro_weighted_and_of_averages() -> None:
    micro = explained("f1(average=micro)", seven())
    assert (line(micro, "all_tp"), line(micro, "all_fp"), line(micro, "all_fn")) == (5, 2, 2)
    assert last_line(micro).numbers == (5, 5, 2, 2)
    assert micro.value == pytest.approx(5 / 7)
    weighted = explained("f1(average=weighted)", seven())
    assert column(grid(weighted, "classes"), "weighted") == pytest.approx([24 / 7, 1, 2 / 3])
    assert line(weighted, "bottom") == 7
    assert weighted.value == pytest.approx(107 / 147)
    means = explained("f1(of=averages)", seven())
    assert [line(means, "mean_precision"), line(means, "mean_recall")] == pytest.approx([2 / 3, 3 / 4])
    assert means.value == pytest.approx(12 / 17)


def test_the_matrix_gives_accuracy_kappa_and_mcc() -> None:
    """p_o = 5/7, p_e = 18/49; (7·5 − 18) / √((49 − 17)(49 − 21))."""
    accuracy = explained("accuracy", seven())
    table = grid(accuracy, "confusion")
    assert [row.cells for row in table.rows] == [("a", 3, 1, 0, 4), ("b", 0, 1, 1, 2), ("c", 0, 0, 1, 1)]
    assert last_line(accuracy).numbers == (5, 7)
    kappa = explained("kappa", seven())
    assert column(grid(kappa, "classes"), "product") == [12, 4, 2]
    assert [line(kappa, "observed"), line(kappa, "expected")] == pytest.approx([5 / 7, 18 / 49])
    mcc = explained("mcc", seven())
    assert last_line(mcc).numbers == (17, 7, 17, 7, 21)
    assert mcc.value == pytest.approx(17 / math.sqrt(32 * 28))


def test_probabilities() -> None:
    top = explained("top_k_accuracy@1", seven())
    assert column(grid(top, "rows"), "place") == [1, 1, 1, 2, 1, 2, 1]
    assert column(grid(top, "places"), "rows") == [5, 2, 0]
    assert last_line(top).numbers == (5, 7)
    loss = explained("logloss", seven())
    assert column(grid(loss, "contributions"), "row") == [3, 5, 2, 4, 1, 0, 6]
    assert column(grid(loss, "contributions"), "loss")[0] == pytest.approx(-math.log(0.2))
    areas = explained("auc", seven())
    assert column(grid(areas, "classes"), "won") == [11, 8, 6]
    assert column(grid(areas, "classes"), "pairs") == [12, 10, 6]
    assert areas.value == pytest.approx((11 / 12 + 8 / 10 + 1) / 3)
    both = explained("auc(multi=ovo,average=weighted)", seven())
    assert column(grid(both, "pairs"), "first_area") == [0.875, 1, 1]
    assert column(grid(both, "pairs"), "second_area") == [0.75, 1, 1]
    assert column(grid(both, "pairs"), "weight") == [6, 5, 3]


# One class.


def test_one_class_names_its_cells() -> None:
    found = explained("f1", seven(), of_class="b")
    assert [row.cells for row in grid(found, "confusion").rows] == [("b", "TP", 1, "FN", 1), ("≠ b", "FP", 1, "TN", 4)]
    assert found.metric == "f1(label=b)"
    assert "label:b" in found.signature
    assert explained("balanced_accuracy", seven(), of_class="b").metric == "recall(label=b)"
    area = explained("auc", seven(), of_class="b")
    assert area.subject.en.startswith("class b against the rest")
    assert area.value == 0.8


def test_what_has_no_value_of_one_class_says_so() -> None:
    for name in ("accuracy", "kappa", "mcc", "logloss", "top_k_accuracy", "auc(multi=ovo)"):
        with pytest.raises(InputError, match="no value of one class"):
            explained(name, seven(), of_class="a")
    with pytest.raises(InputError, match=r"of_class=bb: there is no such class; there are a, b, c"):
        explained("f1", seven(), of_class="bb")
    with pytest.raises(InputError, match=r"one value for each class; choose one: of_class="):
        explained("f1(average=none)", seven())
    numbers = class_rows([1, 2, 2], [1, 2, 1])
    assert explained("recall", numbers, of_class=2).value == explained("recall", numbers, of_class="2").value == 0.5


# Undefined classes.


@pytest.mark.parametrize(
    ("policy", "said", "value"),
    [
        ("zero", "counts 0", 1 / 3),
        ("one", "counts 1", 2 / 3),
        ("skip", "is left out", 1 / 2),
        ("nan", "no mean", math.nan),
    ],
)
def test_an_undefined_class_is_said(policy: str, said: str, value: float) -> None:
    """c never occurs: P and R have nothing to divide by."""
    rows = class_rows(["a", "a", "b"], ["a", "a", "a"], labels=["a", "b", "c"])
    found = explained("recall", rows, undefined_class=policy)
    assert said in written(found)
    assert f"undefined_class={policy}" in written(found, "zh")
    assert column(grid(found, "classes"), "recall") == [1, 0, None]
    assert found.value == pytest.approx(value, nan_ok=True)
    present = explained("recall(seen=present)", rows)
    assert "seen=present" in written(present)
    assert present.value == 0.5


def test_an_undefined_value_is_said() -> None:
    rows = class_rows(["a", "a"], ["a", "a"], labels=["a", "b"])
    found = explained("kappa", rows)
    assert math.isnan(found.value)
    assert "kappa is not defined here: p_e = 1" in written(found)
    assert explained("kappa", rows, undefined="one").value == 1
    with pytest.raises(InputError):
        explained("kappa", rows, undefined="error")
    with pytest.raises(InputError):
        explained("recall", rows, undefined_class="error")
    zero = explained("mcc", rows)
    assert zero.value == 0
    assert "0 by definition" in written(zero)


def test_rows_of_no_weight_are_said() -> None:
    rows = seven(weight=[0, 1, 2, 1, 0.5, 1, 1])
    found = explained("logloss", rows)
    assert "1 rows of weight 0 are left out" in written(found)
    assert len(grid(found, "contributions").rows) == 6
    assert "weight" in [one.key for one in grid(found, "contributions").columns]


# Much data.


def test_large_data_is_cut_short() -> None:
    random = np.random.default_rng(3)
    size, classes = 5_000, 60
    true = random.integers(0, classes, size)
    proba = random.dirichlet(np.ones(classes), size)
    predicted = np.where(random.random(size) < 0.5, true, random.integers(0, classes, size))
    rows = class_rows(true, predicted, proba=proba, labels=list(range(classes)))
    for kind in KINDS.values():
        metric = kind.make()
        found = explain_multiclass(rows, MetricRequest(metric.id, metric), DEFAULT)
        check(found, wanted(metric, rows, DEFAULT))
        for step in found.steps:
            if isinstance(step, Grid):
                assert len(step.rows) <= 40, (metric.id, step.key)
                assert len(step.columns) <= 12, (metric.id, step.key)
    assert "20 of 60 classes are written here" in written(explained("f1", rows))
    assert "60 个类别中只列出 20 个" in written(explained("f1", rows), "zh")
