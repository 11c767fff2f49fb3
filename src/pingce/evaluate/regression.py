"""Numbers: true and predicted ones."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.evaluate.undefined import settled
from pingce.evidence.regression.evidence import ErrorEvidence, error_evidence
from pingce.inputs.aliases import one_weight
from pingce.inputs.regression import NumberRows, read_numbers
from pingce.metrics.grammar import MetricRequest
from pingce.run.memory import may_exceed
from pingce.scores.regression import RegressionScores
from pingce.scores.signature import refuse_unmet
from pingce.scores.values import Value
from pingce.stats.resampling import Resampling
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.evidence.policies import RegressionPolicies
    from pingce.metrics.regression import RegressionMetric

DEFAULT_METRICS = ("mae", "rmse", "r2", "medae", "max_error")


@checked_options("regression")
def evaluate_regression(
    y_true: Any,
    y_pred: Any,
    metrics: Iterable[str | RegressionMetric | MetricRequest] | str | MetricRequest | None = None,
    *,
    data: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    convention: str | None = None,
    undefined: str | None = None,
    ci: float | None = None,
    samples: int = 1000,
    seed: int = 0,
    by: Any = None,
    min_n: int = 20,
    input_format: str | None = None,
    encoding: str | None = None,
    memory: str | int | None = None,
    tmpdir: str | os.PathLike[str] | None = None,
    threads: int | None = None,
) -> RegressionScores:
    """Score predicted numbers against true ones; with `data` they are names of its columns.

    `convention="sklearn"` gives the numbers of that tool.

    `by` adds `scores.slices`, the same metrics for parts of the rows: the name of a column of `data` (or a list of names),
    an array, or a dict {name: column or array}. With `ci` slices have intervals too, from `min_n` rows up.

    Files that would take more than `memory` ("2GB"; by default a quarter of the memory there is) are streamed; the numbers are the same. Metrics that need
    all rows at once (`medae`, `spearman`) are then refused; where no metrics are named, they are left out, with a note.

    >>> import pingce as pc
    >>> pc.evaluate_regression([3, -0.5, 2, 7], [2.5, 0.0, 2, 8], ["mae"])["mae"]
    0.5
    """
    weight = one_weight(weight, sample_weight)
    given = dict(locals())
    from pingce.evaluators.regression import RegressionEvaluator

    evaluator = RegressionEvaluator(
        metrics,
        convention=convention,
        undefined=undefined,
        ci=ci,
        samples=samples,
        seed=seed,
        min_n=min_n,
        threads=threads,
    )
    if tmpdir is not None or may_exceed(memory, data):
        from pingce.engines.paths import large_numbers

        names = {"y_true": y_true, "y_pred": y_pred, "weight": weight}
        streamed = large_numbers(evaluator, names, given, memory=memory, tmpdir=tmpdir)
        if streamed is not None:
            return streamed
    reading: dict[str, Any] = {"input_format": input_format, "encoding": encoding}
    return evaluator.update_rows(read_numbers(y_true, y_pred, data=data, weight=weight, by=by, **reading)).compute()


def score_numbers(
    rows: NumberRows,
    asked: list[MetricRequest],
    policies: RegressionPolicies,
    *,
    ci: float | None = None,
    samples: int = 1000,
    seed: int = 0,
    min_n: int = 20,
    threads: int | None = None,
) -> RegressionScores:
    """Score rows that were read before."""
    refuse_unmet(asked, weight=None if rows.weight is None else "given")
    interval = None if ci is None else Resampling(ci, samples, seed)
    evidence, values = _measured(rows, asked, policies, interval, threads)
    scores = RegressionScores(values, evidence, policies, rows, confidence=ci)
    if interval is not None:
        from pingce.stats.intervals import note_no_intervals

        note_no_intervals(scores)
    if rows.by:
        from pingce.slices.measured import row_slices

        def values_of(places: NDArray[np.intp], sure: bool) -> dict[str, Value]:
            return _measured(rows.select(places), asked, policies, interval if sure else None, threads)[1]

        scores.slices = row_slices(scores, rows, values_of, min_n=min_n)
    return scores


def score_error_sums(
    evidence: ErrorEvidence, asked: list[MetricRequest], policies: RegressionPolicies, *, weighted: bool
) -> RegressionScores:
    """Score rows that were added up before and not kept."""
    refuse_unmet(asked, weight="given" if weighted else None)
    values = {metric.name: _value(metric, metric.under(policies), evidence) for metric in asked}
    return RegressionScores(values, evidence, policies, None, weighted=weighted)


def _measured(
    rows: NumberRows,
    asked: list[MetricRequest],
    policies: RegressionPolicies,
    interval: Resampling | None,
    threads: int | None,
) -> tuple[ErrorEvidence, dict[str, Value]]:
    """Every metric of some rows, with intervals where they are asked for."""
    keep = any(metric.metric.needs_rows for metric in asked)
    evidence = error_evidence(rows, needed_sums(asked), keep_rows=keep, threads=threads)
    values = {metric.name: _value(metric, metric.under(policies), evidence) for metric in asked}
    if interval is not None:
        from pingce.stats.row_intervals import number_intervals

        values = number_intervals(values, rows, interval)
    return evidence, values


def needed_sums(asked: Iterable[MetricRequest]) -> list[str]:
    """What the metrics read."""
    return [need for metric in asked for need in metric.metric.needs]


def _value(asked: MetricRequest, policies: RegressionPolicies, evidence: ErrorEvidence) -> Value:
    value, missing = settled(asked, asked.metric.value(evidence), policies)
    return Value(
        name=asked.name,
        id=asked.id,
        metric=asked.metric,
        policies=policies,
        value=value,
        count=evidence.count,
        unit="rows",
        undefined=int(missing),
    )
