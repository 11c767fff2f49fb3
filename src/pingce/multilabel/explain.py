"""The worked calculation: counts of each label or of each row, or the order within each row, down to the value."""

from __future__ import annotations

from fractions import Fraction
from math import isnan
from typing import Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Explanation, Grid, Line, Number, Step, summed
from pingce.explanations.frame import derive, explain_rows, explains
from pingce.explanations.inputs import ExplainInputs
from pingce.explanations.tables import Cells, dashed, ends, numbers_in, plain, real
from pingce.inputs.data import RowData
from pingce.metrics.grammar import MetricRequest
from pingce.multilabel.base import Averaged, MultilabelMetric, place_of, settled
from pingce.multilabel.evidence import LabelView
from pingce.multilabel.long import LabelLines, assembled
from pingce.multilabel.metrics import Area, ExactMatch, Hamming, PerLabel, WithinRows
from pingce.multilabel.policies import MultilabelPolicies
from pingce.multilabel.read import read_rows
from pingce.multilabel.rows import LabelRows

_LABELS, _ROWS, _KINDS = Text("labels", "个标签"), Text("rows", "行"), Text("kinds of rows", "类行")


def explain(inputs: ExplainInputs, request: MetricRequest, policies: MultilabelPolicies) -> Explanation:
    """The explanation of a metric of what a caller gave."""
    rows = inputs.once(_read_rows)
    if isinstance(request.metric, Averaged) and request.metric.asks_each_label():
        names = ", ".join(rows.labels[:8])
        raise InputError(
            f"{request.name} has one value for each label; choose one: label=… (there are {names}), or average=macro",
            f"{request.name} 每个标签一个值；请选择一个标签：label=…（现有 {names}），或用 average=macro",
        )
    subject = Text(f"{len(rows)} rows, {len(rows.labels)} labels", f"{len(rows)} 行，{len(rows.labels)} 个标签")
    return explain_rows(request, policies, rows, subject, label_grid, len(rows) - len(rows.counted()))


def _read_rows(inputs: ExplainInputs) -> LabelRows:
    labels = None if inputs.classes is None else [str(name) for name in inputs.classes]
    if inputs.truth is None or inputs.prediction is None:
        raise InputError("explain needs data: what is true and what was predicted", "讲解需要数据：真值与预测")
    table = RowData(inputs.truth, inputs.prediction, inputs.data, inputs.weight, roles=inputs.roles)
    rows = read_rows(table, inputs.reading, labels)
    return assembled(rows, labels) if isinstance(rows, LabelLines) else rows


def label_grid(view: LabelView, more: list[Cells] | None = None) -> Grid:
    """A line per label: rows that have it, that are predicted to, and both."""
    counts = view.decisions
    excerpt = ends(np.ones(len(view.labels), bool))
    columns: list[Cells] = [
        ("label", Text("label", "标签"), excerpt.labels(view.labels)),
        ("tp", "TP_l", excerpt.of(counts.tp)),
        ("predicted", "predicted_l", excerpt.of(counts.predicted)),
        ("true", "true_l", excerpt.of(counts.true)),
        *((key, title, dashed(np.asarray(values)[excerpt.places])) for key, title, values in more or []),
    ]
    return excerpt.table("labels", Text("Each label", "各标签"), columns, _LABELS)


def _row_grid(view: LabelView, values: Floats) -> Grid:
    """A line per kind of row: its labels, those predicted, those right, and how many rows are like it."""
    patterns = view.decisions.patterns
    excerpt = ends(np.ones(len(patterns.tp), bool))
    columns: list[Cells] = [
        ("tp", "|T ∩ P|", excerpt.of(patterns.tp)),
        ("predicted", "|P|", excerpt.of(patterns.predicted)),
        ("true", "|T|", excerpt.of(patterns.true)),
        ("rows", Text("rows", "行数"), excerpt.of(patterns.amount)),
        ("value", Text("value of each", "每行的值"), dashed(values[excerpt.places])),
    ]
    return excerpt.table("rows", Text("Rows by what they have right", "按判对情况归并的行"), columns, _KINDS)


@explains(PerLabel)
def per_label(metric: PerLabel, view: LabelView) -> Derivation:
    """One label, the pooled cells, or the mean over labels or rows."""
    value, counts = metric.value(view), view.decisions
    if metric.label is not None:
        at = place_of(metric.label, view.labels)
        top, bottom = metric.division(counts.tp[at], counts.predicted[at], counts.true[at], view.total)
        return _quotient([label_grid(view)], float(top), float(bottom), value)
    if metric.average == "micro":
        return _quotient([label_grid(view)], *metric.pooled(view), value)
    if metric.average == "samples":
        values = metric.by_row(view)
        return _mean([_row_grid(view, values)], (values, counts.patterns.amount), metric.policy(view), value)
    more: list[Cells] = [("value", Text("value", "值"), metric.by_label(view))]
    return _mean([label_grid(view, more)], metric.over_labels(view), metric.policy(view), value)


def _quotient(steps: list[Step], top: float, bottom: float, value: float) -> Derivation:
    if isnan(value):
        return Derivation(steps)
    return Derivation(steps, "{} / {}", (plain(top), plain(bottom)), value)


_FATES = {
    "zero": Text("counts 0", "计 0"),
    "one": Text("counts 1", "计 1"),
    "skip": Text("is left out", "不计入"),
    "nan": Text("leaves no mean", "使平均没有定义"),
}


def _mean(steps: list[Step], parts: tuple[Floats, Floats], policy: str, value: float) -> Derivation:
    """Σ w v / Σ w, and a sentence on what is not defined."""
    values, weights = parts
    if undefined := int(np.count_nonzero(np.isnan(values))):
        fate = _FATES[policy]
        steps = [
            *steps,
            Text(
                f"{undefined} values are not defined: each {fate.en} ({policy}).",
                f"有 {undefined} 个值没有定义：各{fate.zh}（{policy}）。",
            ),
        ]
    if isnan(value):
        return Derivation(steps)
    values, weights = settled(values, weights, policy)
    if (weights == 1).all():
        terms, numbers = summed(values.tolist())
        return Derivation(steps, f"({terms}) / {{}}", (*numbers, len(values)), value)
    products: list[Number] = (values * weights).tolist()
    total, bottom = float(sum(map(Fraction, products))), plain(float(sum(map(Fraction, weights.tolist()))))
    lines: list[Step] = [
        Line("top", Text("Σ w · value", "Σ w · 值"), *summed(products), total),
        Line("bottom", "Σ w", *summed(numbers_in(weights)), bottom),
    ]
    return Derivation([*steps, *lines], "{} / {}", (total, bottom), value)


@explains(Hamming)
def hamming(metric: Hamming, view: LabelView) -> Derivation:
    """Wrong cells over all."""
    counts = view.decisions
    wrong = counts.true + counts.predicted - 2 * counts.tp
    grid = label_grid(view, [("wrong", Text("wrong", "错误数"), wrong)])
    return _quotient([grid], *metric.wrong(view), metric.value(view))


@explains(ExactMatch)
def exact_match(metric: ExactMatch, view: LabelView) -> Derivation:
    """Rows that are all right over all."""
    patterns = view.decisions.patterns
    right = ((patterns.tp == patterns.true) & (patterns.tp == patterns.predicted)).astype(np.float64)
    return _quotient([_row_grid(view, right)], metric.right(view), view.total, metric.value(view))


_OF_ROWS = {
    "coverage": Text("labels down to the last true one", "到最后一个真标签的标签数"),
    "precision": Text("average precision", "平均精度"),
    "wrong": Text("share of wrong pairs", "错误标签对的占比"),
    "half": Text("share of wrong pairs, ties ½", "错误标签对的占比（同分计 ½）"),
}
_READS = {"coverage_error": "coverage", "lrap": "precision", "pr_auc": "precision", "auc": "half"}


def _rank_grid(metric: MultilabelMetric, view: LabelView) -> Grid:
    """A line per row: how many labels it has, and what their order comes to."""
    rows, ranks = view.evidence.data, view.evidence.row_ranks
    name = _READS.get(metric.name) or str(getattr(metric, "ties", "wrong"))
    excerpt = ends(np.ones(len(rows), bool))
    column: Any = getattr(ranks, name).copy()
    empty, full, _ = ranks.kinds
    column[empty | (full if name in ("wrong", "half") else False)] = np.nan
    columns: list[Cells] = [
        excerpt.row,
        ("true", "|T|", excerpt.of(ranks.true)),
        ("value", _OF_ROWS[name], dashed(column[excerpt.places])),
        *excerpt.weight(rows.weight),
    ]
    return excerpt.table("rows", Text("The order within each row", "各行之内的顺序"), columns, _ROWS)


@explains(WithinRows)
def within_rows(metric: WithinRows, view: LabelView) -> Derivation:
    """What the order within each row comes to, and the mean."""
    steps: list[Step] = [_rank_grid(metric, view)]
    if rows := metric.undefined_parts(view):
        how = Text(f"counts as {metric.perfect:g}", f"计 {metric.perfect:g}")
        how = Text("is left out", "不计入") if metric.empty == "skip" else how
        steps.append(
            Text(
                f"{rows} rows say nothing of the order: each {how.en} (empty={metric.empty}).",
                f"有 {rows} 行说明不了顺序：各{how.zh}（empty={metric.empty}）。",
            )
        )
    top, bottom = metric.shares(view)
    return _quotient(steps, real(top), real(bottom), metric.value(view))


@explains(Area)
def area(metric: Area, view: LabelView) -> Derivation:
    """The area of each label, and the mean; that of one label is worked out by the metric of two labels."""
    value = metric.value(view)
    if metric.average == "samples" and metric.label is None:
        top, weight, lacking = metric.over_rows(view.ranks)
        weight = sum(view.ranks.amounts, Fraction(0)) if metric.lacking == "zero" else weight
        steps: list[Step] = [_rank_grid(metric, view)]
        if lacking:
            fate = _FATES[metric.lacking]
            en, zh = f"{lacking} rows have no area: each {fate.en}.", f"有 {lacking} 行没有面积：各{fate.zh}。"
            steps.append(Text(en, zh))
        return _quotient(steps, real(top), real(weight), value)
    if metric.label is not None or metric.average == "micro":
        at = None if metric.label is None else place_of(metric.label, view.labels)
        return _one_area(metric, view, at, value)
    more: list[Cells] = [("value", Text("area", "面积"), metric.by_label(view))]
    return _mean([label_grid(view, more)], metric.over_labels(view), metric.policy(view), value)


def _one_area(metric: Area, view: LabelView, at: int | None, value: float) -> Derivation:
    """As the metric of labels and scores is explained."""
    bare = Derivation([label_grid(view)], value=value)
    return bare if isnan(value) else derive(metric.binary, lambda: bare, view.label(at))
