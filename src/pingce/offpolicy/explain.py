"""The worked calculation: weight and reward of each row, the largest first, the exact sums, the division."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Explanation, Grid, Step
from pingce.explanations.frame import explain_rows, explains
from pingce.explanations.inputs import ExplainInputs
from pingce.explanations.tables import (
    Cells,
    Excerpt,
    count_line,
    dashed,
    exact_sum_line,
    largest,
    number_line,
    plain,
    real,
    rows_in,
)
from pingce.inputs.data import RowData
from pingce.metrics.grammar import MetricRequest
from pingce.offpolicy import by_weights, weighing, with_model
from pingce.offpolicy.base import OffpolicyMetric, WeightedMetric
from pingce.offpolicy.evidence import OffpolicyEvidence
from pingce.offpolicy.policies import OffpolicyPolicies
from pingce.offpolicy.rows import OffpolicyRows, offpolicy_rows
from pingce.tasks.offpolicy import OFFPOLICY

_LARGEST_FIRST = Text("What rows add, the largest first", "各行的贡献，从大到小")


def explain(inputs: ExplainInputs, request: MetricRequest, policies: OffpolicyPolicies) -> Explanation:
    """The explanation of a metric of what a caller gave."""
    rows = inputs.once(_read_rows)
    subject, left_out = Text(f"{len(rows)} rows", f"{len(rows)} 行"), len(rows) - len(rows.counted())
    return explain_rows(request, policies, rows, subject, row_grid, left_out)


def _read_rows(inputs: ExplainInputs) -> OffpolicyRows:
    columns = inputs.read_columns("y_pred", ("y_true", "y_pred", "weight"), OFFPOLICY.columns)
    roles = OFFPOLICY.columns.among(columns)
    return offpolicy_rows(RowData(columns["y_true"], columns["y_pred"], weight=columns["weight"], roles=roles))


def row_grid(view: OffpolicyEvidence) -> Grid:
    """Each row with its importance weight: all that is known of a metric that a caller declared."""
    rows = view.data.counted()
    excerpt = rows_in(np.arange(len(rows)))
    return excerpt.table("rows", Text("The rows", "各行"), _columns(rows, excerpt) + excerpt.weight(rows.weight))


def _columns(rows: OffpolicyRows, excerpt: Excerpt, metric: OffpolicyMetric | None = None) -> list[Cells]:
    """Which row, its reward, both propensities and the weight; the weight that counts where it is another, and the model."""
    columns: list[Cells] = [
        excerpt.row,
        ("reward", "r", excerpt.of(rows.reward)),
        ("target", Text("target", "目标策略"), excerpt.of(rows.target)),
        ("logging", Text("logging", "日志策略"), excerpt.of(rows.logging)),
        ("ratio", "w", excerpt.of(rows.ratio)),
    ]
    if isinstance(metric, WeightedMetric) and metric.shape.kind != "raw":
        columns.append(("shaped", f"w ({metric.shape.kind})", excerpt.of(metric.ratios(rows))))
    if metric is not None:
        for role, column, title in (
            ("logged_estimate", rows.logged_estimate, "q̂"),
            ("target_estimate", rows.target_estimate, "v̂"),
        ):
            if role in metric.needs_roles and column is not None:
                columns.append((role, title, excerpt.of(column)))
    return columns


def _grid(metric: OffpolicyMetric, rows: OffpolicyRows, terms: Floats, title: str) -> Grid:
    """The rows and what each adds to a sum, the largest first."""
    with np.errstate(over="ignore"):
        excerpt = largest(np.abs(terms), rows.weight)
    term: Cells = ("term", title, dashed(terms[excerpt.places]))
    columns = [*_columns(rows, excerpt, metric), term, *excerpt.weighted(terms, rows.weight, title)]
    return excerpt.table("contributions", _LARGEST_FIRST, columns)


def _share(
    metric: OffpolicyMetric, view: OffpolicyEvidence, steps: list[Step], sums: tuple[Fraction, Fraction]
) -> Derivation:
    """One exact sum over another."""
    top, bottom = sums
    return Derivation(steps, "{} / {}", (real(top), plain(real(bottom))), metric.rounded(top, bottom))


@explains(
    by_weights.LoggedValue,
    by_weights.InversePropensity,
    by_weights.SelfNormalized,
    with_model.DirectMethod,
    by_weights.Replay,
    weighing.MeanWeight,
)
def ratio_of_sums(metric: OffpolicyMetric, view: OffpolicyEvidence) -> Derivation:
    """Two sums, and the division."""
    rows, names = view.data.counted(), metric.sums()
    weighted = rows.weight is not None
    terms, title = _terms(metric, rows)
    steps: list[Step] = [
        _grid(metric, rows, terms, title),
        exact_sum_line("sum", title, view.total(names[0]), weighted),
    ]
    bottom = view.total(names[1])
    if names[1] == "count":
        steps.append(count_line(bottom, weighted))
    else:
        steps.append(exact_sum_line("weights", "1[target = 1]" if names[1] == "match" else "w", bottom, weighted))
    return _share(metric, view, steps, (view.total(names[0]), bottom))


def _terms(metric: OffpolicyMetric, rows: OffpolicyRows) -> tuple[Floats, str]:
    """What each row adds to the upper sum, and what it is called."""
    titles = {
        "logged_value": "r",
        "dm": "v̂",
        "replay_method": "1[target = 1] r",
        "mean_weight": "w",
        "ips": "w r",
        "snips": "w r",
    }
    terms = metric.row_terms(rows)
    return (np.zeros(len(rows)) if terms is None else terms.top), titles[metric.name]


@explains(with_model.DoublyRobust)
def doubly_robust(metric: with_model.DoublyRobust, view: OffpolicyEvidence) -> Derivation:
    """The model's mean, and the mean of the weighted errors that put it right."""
    rows = view.data.counted()
    weighted, count, model = rows.weight is not None, view.total("count"), view.total("target")
    left, normed = metric.left(view), isinstance(metric, with_model.SelfNormalizedDoublyRobust)
    errors: Floats = metric.ratios(rows) * (rows.reward - _known(rows.logged_estimate))
    bottom = view.total(metric.named("one")) if normed else count
    steps: list[Step] = [
        _grid(metric, rows, errors, "w (r − q̂)"),
        exact_sum_line("model", "v̂", model, weighted),
        exact_sum_line("errors", "w (r − q̂)", left, weighted),
        count_line(count, weighted),
    ]
    if normed:
        steps.append(exact_sum_line("weights", "w", bottom, weighted))
    if not bottom:
        return Derivation(steps)
    numbers = real(model), plain(real(count)), real(left), plain(real(bottom))
    return Derivation(steps, "{} / {} + {} / {}", numbers, metric.value(view))


def _known(column: Floats | None) -> Floats:
    return np.zeros(0) if column is None else column


@explains(weighing.EffectiveSampleSize)
def effective_size(metric: weighing.EffectiveSampleSize, view: OffpolicyEvidence) -> Derivation:
    """The square of the sum of weights over the sum of their squares."""
    rows = view.data.counted()
    total, squares, count = (view.total(name) for name in metric.sums())
    weighted, ratios = rows.weight is not None, metric.ratios(rows)
    with np.errstate(over="ignore"):
        grid = _grid(metric, rows, ratios * ratios, "w²")
    steps: list[Step] = [
        grid,
        exact_sum_line("weights", "w", total, weighted),
        exact_sum_line("squares", "w²", squares, weighted),
    ]
    if metric.as_ == "rows":
        return Derivation(steps, "{}² / {}", (real(total), real(squares)), metric.value(view))
    numbers = real(total), real(squares), plain(real(count))
    return Derivation([*steps, count_line(count, weighted)], "{}² / {} / {}", numbers, metric.value(view))


@explains(weighing.MaxWeight)
def largest_weight(metric: weighing.MaxWeight, view: OffpolicyEvidence) -> Derivation:
    """The row that weighs most."""
    rows = view.data.counted()
    excerpt = largest(rows.ratio)
    at, total = int(excerpt.places[0]), view.total("raw|one")
    grid = excerpt.table("weights", Text("Weights, the largest first", "权重，从大到小"), _columns(rows, excerpt))
    line = number_line("largest", Text("largest weight", "最大权重"), rows.ratio[at])
    if metric.as_ == "share":
        sums = exact_sum_line("weights", "w", total, rows.weight is not None)
        return Derivation([grid, line, sums], "{} / {}", (view.largest, real(total)), metric.value(view))
    numbers = plain(rows.target[at]), plain(rows.logging[at])
    return Derivation([grid, line], "{} / {}", numbers, metric.value(view))
