"""What metrics of several labels have in common: their example, their averages, and what they need."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from pingce.base.errors import InputError, did_you_mean
from pingce.base.exact import Floats, exact_dot, exact_sum
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.metrics.declared import NAN, Basis, Metric, listed
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.multiclass.per_class import LabelName
from pingce.metrics.parameters import choice, parameter
from pingce.multilabel.evidence import LabelView, MultilabelEvidence
from pingce.multilabel.plain import LabelList, plain_mean

_LABELS = Text("labels", "个标签")
KINDS = Text("kinds of rows", "类行")


@dataclass(frozen=True, kw_only=True)
class MultilabelMetric(Metric):
    """Base of all metrics of several labels."""

    task = "multilabel"
    uses = "scores"
    symbols = Text(
        "n: rows · L: labels · TP_l: rows that have label l and are predicted to · true_l, predicted_l: rows that have it, that are predicted "
        "to · of a row: T its labels, P those predicted, s_l the score of label l",
        "n：行数 · L：标签数 · TP_l：有标签 l 且被预测的行数 · true_l、predicted_l：有该标签、被预测的行数 · 对一行：T 为其标签，P 为预测的标签，"
        "s_l 为标签 l 的分数",
    )
    example_data: ClassVar[tuple[Any, ...]] = (
        ((1, 0, 1), (0, 1, 0), (1, 1, 0)),
        ((0.9, 0.35, 0.6), (0.4, 0.7, 0.1), (0.8, 0.3, 0.5)),
    )
    "Which labels three rows have, and their scores."

    @property
    def reads_ranks(self) -> bool:
        """Whether it reads what the order within rows adds up to."""
        return False

    @property
    def reads_decisions(self) -> bool:
        """Whether it reads counts at the threshold."""
        return not self.reads_ranks and not self.needs_rows

    @classmethod
    def example_rows(cls) -> LabelList:
        _, truth, scores = cls.about.example
        return LabelList(truth, scores)

    @classmethod
    def example_words(cls) -> Text:
        _, truth, scores = cls.about.example
        sides = [" | ".join(map(listed, side)) for side in (truth, scores)]
        return Text(f"labels {sides[0]}; scores {sides[1]}", f"标签 {sides[0]}；分数 {sides[1]}")

    def value(self, view: LabelView) -> float:
        """The value; NaN = undefined, nothing else."""
        raise NotImplementedError

    def define(self, rows: LabelList) -> float:
        """The definition, in plain Python over the raw rows."""
        raise NotImplementedError

    def undefined_parts(self, view: LabelView) -> int:
        """Labels or rows for which it is undefined, where it is an average; none by default."""
        return 0

    def basis(self, view: LabelView, *, undefined: bool) -> Basis:
        """What its value stands on."""
        return Basis(view.evidence.count, undefined=self.undefined_parts(view) or int(undefined))


@dataclass(frozen=True, kw_only=True)
class Averaged(MultilabelMetric):
    """Base: a value of each label, or of each row, made one number."""

    average: str = choice(
        Text("How labels make one number.", "各标签如何合成一个数。"),
        macro=Text(
            "the mean over labels: rare labels count as much as common ones", "各标签取平均：稀有标签与常见标签同权"
        ),
        micro=Text("all cells of the matrix pooled: common labels decide", "合并矩阵的全部格子：由常见标签决定"),
        weighted=Text("the mean over labels, weighted by the rows that have them", "按各标签的行数加权平均"),
        samples=Text("the mean over rows: what one row sees of its labels", "对各行取平均：每行只看自己的标签"),
        none=Text("no average: one value a label", "不平均：每个标签一个值"),
    )
    label: str | None = parameter(None, LabelName(), Text("One label only.", "只看一个标签。"))

    @classmethod
    def undefined_words(cls, when: Text) -> Text:
        """A label without a value has one in averages."""
        return Text(
            f"where {when.en}; in averages such a label or row counts as undefined_label= says, and is counted",
            f"当{when.zh}时；求平均时该标签或行按 undefined_label= 处理，并如实计数",
        )

    def requests(self, request: MetricRequest, evidence: MultilabelEvidence) -> list[MetricRequest]:
        """With `average=none` one metric per label."""
        if not self.asks_each_label():
            return [request]
        spelling = request.name.split("(")[0].strip()
        metrics = [replace(self, label=label, average="macro") for label in evidence.labels]
        return [replace(request, name=each.id.replace(self.name, spelling, 1), metric=each) for each in metrics]

    def asks_each_label(self) -> bool:
        """Whether it stands for one value of each label."""
        return self.average == "none" and self.label is None

    def by_label(self, view: LabelView) -> Floats:
        """The value of each label; NaN where it is undefined."""
        raise NotImplementedError

    def policy(self, view: LabelView) -> str:
        """What an undefined label or row does to an average."""
        return view.policies.undefined_label

    def over_labels(self, view: LabelView) -> tuple[Floats, Floats]:
        """The values that a mean over labels is taken of, and their weights."""
        values = self.by_label(view)
        weights = view.decisions.true if self.average == "weighted" else np.ones(len(values))
        whole = getattr(view.evidence, "whole", None)
        if whole is not None:
            # By chance a draw has no value of a label that has one in the data: nothing is known of it there.
            kept = ~(np.isnan(values) & ~np.isnan(self.by_label(LabelView(whole, view.policies))))
            values, weights = values[kept], weights[kept]
        return values, weights

    def mean_over_labels(self, view: LabelView) -> float:
        """The mean over labels."""
        values, weights = self.over_labels(view)
        return mean(values, weights, self.policy(view), self.name)

    def plain_average(self, values: list[float], rows: LabelList, policy: str) -> float:
        """The mean over labels, in plain Python."""
        weights = [rows.of_label(at).true for at in range(len(values))]
        weights = weights if self.average == "weighted" else [Fraction(1)] * len(values)
        return plain_mean(values, weights, policy)


def place_of(label: str, labels: tuple[str, ...]) -> int:
    """The column of a label."""
    if label in labels:
        return labels.index(label)
    hint = did_you_mean(label, labels)
    raise InputError(
        f"label={label}: there is no such label; there are {', '.join(labels[:8])}{hint.en}",
        f"label={label}：没有这个标签；现有 {'、'.join(labels[:8])}{hint.zh}",
    )


def settled(values: Floats, weights: Floats, policy: str) -> tuple[Floats, Floats]:
    """Values and weights with what stands for undefined ones."""
    undefined = np.isnan(values)
    if policy == "skip":
        return values[~undefined], weights[~undefined]
    return np.where(undefined, {"zero": 0.0, "one": 1.0}.get(policy, NAN), values), weights


def mean(values: Floats, weights: Floats, policy: str, name: str, unit: Text = _LABELS) -> float:
    """Σ w v / Σ w, exact until the last rounding, so that no order matters; an undefined value counts as the policy says.

    What weighs nothing is not looked at.
    """
    values, weights = values[weights > 0], weights[weights > 0]
    undefined = np.isnan(values)
    if policy == "error" and undefined.any():
        count = int(undefined.sum())
        raise InputError(
            f"{name} is undefined for {count} {unit.en}; choose undefined_label=zero, skip, one or nan",
            f"{name} 对 {count} {unit.zh}没有定义；请选择 undefined_label=zero、skip、one 或 nan",
        )
    values, weights = settled(values, weights, policy)
    if not len(values) or not weights.any() or np.isnan(values).any():
        return NAN
    return float(exact_dot(values, weights) / exact_sum(weights))
