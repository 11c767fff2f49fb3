"""Metrics of classes: one function over evidence for speed, one over plain rows as definition."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.binary.thresholds import Cells
from pingce.metrics.declared import NAN, Basis, Metric, listed

if TYPE_CHECKING:
    from pingce.evidence.multiclass.evidence import ClassView


@dataclass(frozen=True)
class ClassList:
    """Plain rows; the weight of a row is how often it counts. `proba` has a row a row, a column a label."""

    true: tuple[Any, ...]
    predicted: tuple[Any, ...]
    labels: tuple[Any, ...] = ()
    weights: tuple[float, ...] | None = None
    proba: tuple[tuple[float, ...], ...] | None = None
    undefined_class: str = "zero"
    epsilon: float = 2.220446049250313e-16

    def rows(self) -> list[tuple[Any, Any, float]]:
        """True label, predicted label and weight of each row."""
        return list(zip(self.true, self.predicted, self.weights or (1,) * len(self.true), strict=True))

    def probabilities(self) -> list[tuple[int, tuple[float, ...], float]]:
        """The place of the true label, the probabilities and the weight of each row that counts."""
        rows = zip(self.true, self.proba or (), self.weights or (1,) * len(self.true), strict=True)
        return [(self.classes().index(true), each, weight) for true, each, weight in rows if weight]

    def occurring(self) -> set[Any]:
        """The labels of rows that count."""
        return {label for true, predicted, weight in self.rows() if weight for label in (true, predicted)}

    def classes(self) -> tuple[Any, ...]:
        """The label set."""
        return self.labels or tuple(sorted(self.occurring()))

    def total(self) -> float:
        """All rows."""
        return sum(weight for _, _, weight in self.rows())

    def cells(self, label: Any) -> Cells:
        """One class against all others."""
        counts = {(t, p): 0.0 for t in (False, True) for p in (False, True)}
        for true, predicted, weight in self.rows():
            counts[true == label, predicted == label] += weight
        return Cells(counts[True, True], counts[False, True], counts[False, False], counts[True, False])

    def support(self, label: Any) -> float:
        """Rows of a true class."""
        return sum(weight for true, _, weight in self.rows() if true == label)


@dataclass(frozen=True, kw_only=True)
class MulticlassMetric(Metric):
    """Base of all metrics of classes."""

    task = "multiclass"
    uses = "labels"
    symbols = Text(
        "n: rows · n_cc: rows of class c predicted as c · true_c (t_c), predicted_c (p_c): rows whose true, whose predicted class is c · "
        "TP_c, FP_c, FN_c: class c against all others",
        "n：行数 · n_cc：属于 c 类且判为 c 的行数 · true_c（t_c）、predicted_c（p_c）：真值、预测为 c 的行数 · "
        "TP_c、FP_c、FN_c：c 类对其余各类",
    )
    example_data: ClassVar[tuple[Any, ...]] = (("a", "a", "a", "a", "b", "b", "c"), ("a", "a", "a", "b", "b", "c", "c"))
    "True and predicted labels."
    example_form = Text("true {}; predicted {}", "真值 {}；预测 {}")
    needs: ClassVar[str] = "confusion"
    "The evidence it reads: confusion or proba."
    needs_rows: ClassVar[bool] = False
    "Whether sums over rows do not suffice: evaluators keep the rows then."
    over_classes: ClassVar[bool] = False
    "Whether classes have a value each, so that one of them may be undefined."

    @classmethod
    def example_rows(cls) -> ClassList:
        """True and predicted labels; of probabilities, the labels are sorted and the likeliest is predicted."""
        _, true, predicted = cls.about.example
        if cls.uses != "probabilities":
            return ClassList(true, predicted)
        labels = tuple(sorted(set(true)))
        likely = tuple(labels[row.index(max(row))] for row in predicted)
        return ClassList(true, likely, labels, proba=predicted)

    @classmethod
    def example_words(cls) -> Text:
        if cls.uses != "probabilities":
            return super().example_words()
        _, true, predicted = cls.about.example
        names, labels, rows = listed(true), listed(sorted(set(true))), " | ".join(map(listed, predicted))
        return Text(
            f"true {names}; probabilities of {labels}, row by row: {rows}",
            f"真值 {names}；逐行给出 {labels} 的概率：{rows}",
        )

    @classmethod
    def undefined_words(cls, when: Text) -> Text:
        """A class without a value has one in averages."""
        if not cls.over_classes:
            return super().undefined_words(when)
        return Text(
            f"where {when.en}; in averages such a class counts 0 (undefined_class=zero; skip leaves it out) and is counted",
            f"当{when.zh}时；求平均时该类记 0（undefined_class=zero；skip 则不计入），并如实计数",
        )

    def sums(self) -> tuple[str, Any] | None:
        """What evidence it reads besides the confusion matrix, and with which parameter: `among` or `losses`."""
        return None

    def value(self, view: ClassView) -> float:
        """The value; NaN = undefined, nothing else."""
        raise NotImplementedError

    def define(self, rows: ClassList) -> float:
        """The definition, in plain Python over the raw rows."""
        raise NotImplementedError

    def right_rows(self, view: ClassView) -> NDArray[np.bool_] | None:
        """Which rows count, where the value is their share and no confusion matrix tells it."""
        return None

    def asks_each_class(self) -> bool:
        """Whether it stands for one value of each class."""
        return False

    def of_class(self, label: str) -> MulticlassMetric | None:
        """The metric of one class; None where it has no value of one."""
        return None

    def basis(self, view: ClassView, *, undefined: bool) -> Basis:
        """What its value stands on."""
        evidence, count = view.evidence, self.undefined_classes(view) or int(undefined)
        resolved = {"eps": evidence.epsilon} if getattr(self, "eps", 0) is None else {}
        return Basis(evidence.row_count, undefined=count, resolved=resolved)

    def undefined_classes(self, view: ClassView) -> int:
        """Classes (or pairs of them) for which it is undefined, where it is an average; none by default."""
        return 0


def average(values: Floats, weights: Floats, policy: str, labels: list[Any], name: str) -> float:
    """The mean over classes; one that is undefined counts as the policy says."""
    undefined = np.isnan(values)
    if policy == "error" and undefined.any():
        names = ", ".join(repr(labels[i]) for i in np.flatnonzero(undefined)[:3])
        raise InputError(
            f"{name} is undefined for {int(undefined.sum())} classes ({names}); choose undefined_class=zero, skip, one or nan",
            f"{name} 对 {int(undefined.sum())} 个类别没有定义（{names}）；请选择 undefined_class=zero、skip、one 或 nan",
        )
    return defined_average(*settle(values.tolist(), weights.tolist(), policy))


def defined_average(values: list[float], weights: list[float]) -> float:
    """Σ w v / Σ w, one after another in the order of the labels."""
    bottom = sum(weights)
    if not values or not bottom or any(isnan(value) for value in values):
        return NAN
    return sum(weight * value for value, weight in zip(values, weights, strict=True)) / bottom


def settle(values: list[float], weights: list[float], policy: str) -> tuple[list[float], list[float]]:
    """Values and weights under a policy for undefined classes, in plain Python."""
    if policy == "skip":
        kept = [(v, w) for v, w in zip(values, weights, strict=True) if not isnan(v)]
        return [v for v, _ in kept], [w for _, w in kept]
    instead = {"zero": 0.0, "one": 1.0}.get(policy, NAN)
    return [instead if isnan(v) else v for v in values], weights
