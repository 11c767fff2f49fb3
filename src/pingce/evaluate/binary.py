"""Labels and scores: clicks and click probabilities, classes and the scores of one of them."""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.core import thread_count
from pingce.base.errors import InputError, PingceWarning, did_you_mean
from pingce.evaluate.undefined import settled
from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.inputs.aliases import one_weight
from pingce.metrics.declared import registry
from pingce.metrics.grammar import MetricRequest
from pingce.run.memory import may_exceed
from pingce.scores.binary import BinaryScores
from pingce.scores.signature import refuse_unmet
from pingce.scores.values import Value
from pingce.stats.resampling import Resampling
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.evidence.policies import BinaryPolicies
    from pingce.inputs.binary import BinaryRows
    from pingce.metrics.binary import BinaryMetric

DEFAULT_METRICS = ("auc", "pr_auc", "logloss", "accuracy", "precision", "recall", "f1")
GROUPED_METRICS = ("auc", "gauc", "logloss", "ece", "pcoc", "pr_auc")
"Where there are groups, rows are impressions of users more often than not."
_OF_PROBABILITIES = ("logloss", "ece", "pcoc")


@checked_options("binary")
def evaluate_binary(
    y_true: Any,
    y_score: Any,
    metrics: Iterable[str | BinaryMetric | MetricRequest] | str | MetricRequest | None = None,
    *,
    data: Any = None,
    group: Any = None,
    weight: Any = None,
    sample_weight: Any = None,
    convention: str | None = None,
    threshold: float | None = None,
    compare: str | None = None,
    positive: Any = None,
    group_weight: Mapping[str, Any] | None = None,
    undefined: str | None = None,
    bins: int | None = None,
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
) -> BinaryScores:
    """Score a model that gives each row a score, against labels of two kinds.

    Columns may be lists, arrays, series or tensors; with `data` (a path, a data frame or an Arrow table) they are names
    of its columns. `group` are the users or requests of `gauc`, `weight` (or `sample_weight`) says how often a row counts, `group_weight`
    holds columns that `gauc(by=…)` names. A row is predicted positive if its score reaches `threshold` (0.5;
    `compare="gt"`: exceeds it). `convention="sklearn"` gives the numbers of that tool. `ci=0.95` adds confidence
    intervals. `bins` puts scores into so many cells, a 512th of them for every doubling of the score, which bounds
    memory: auc, pr_auc and ks then have a `bound` beside them, and the exact value is no further away. With 1048576 that
    of auc is about 0.0001.

    `by` adds `scores.slices`, the same metrics for parts of the rows: the name of a column of `data` (or a list of names),
    an array, or a dict {name: column or array}; "activity" takes deciles of the groups by their number of rows. With `ci`
    slices have intervals too, from `min_n` rows up. Labels and definitions are those of all rows.

    Files that would take more than `memory` ("2GB"; by default a quarter of the memory there is) are streamed; temporary files, if any are needed, go to
    `tmpdir`. The numbers are the same.

    >>> import pingce as pc
    >>> pc.evaluate_binary([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], ["auc", "f1"])["auc"]
    0.75
    """
    weight = one_weight(weight, sample_weight)
    if tmpdir is not None or may_exceed(memory, data):
        given = dict(locals())
        from pingce.engines.paths import large_binary

        streamed = large_binary(y_true, y_score, metrics, given, memory=memory, tmpdir=tmpdir)
        if streamed is not None:
            return warned(streamed, 3)
    from pingce.evaluators.binary import BinaryEvaluator

    evaluator = BinaryEvaluator(
        metrics,
        bins=bins,
        convention=convention,
        threshold=threshold,
        compare=compare,
        positive=positive,
        undefined=undefined,
        ci=ci,
        samples=samples,
        seed=seed,
        min_n=min_n,
        threads=threads,
    )
    evaluator.read(
        y_true,
        y_score,
        data=data,
        group=group,
        weight=weight,
        group_weight=group_weight,
        by=by,
        input_format=input_format,
        encoding=encoding,
    )
    return evaluator.scored(above=1)


def default_metrics(rows: BinaryRows | Assumed) -> list[str]:
    """What is shown where nothing was asked for: no metric of probabilities for other scores, GAUC where there are groups."""
    names = DEFAULT_METRICS if rows.group is None else GROUPED_METRICS
    return [name for name in names if rows.are_probabilities or name not in _OF_PROBABILITIES]


class Assumed:
    """Rows of which it is not known yet whether scores are probabilities: metrics of these are usual too."""

    are_probabilities = True

    def __init__(self, grouped: bool) -> None:
        self.group = () if grouped else None


def names_left_out(usual: Iterable[MetricRequest], ids: Collection[str]) -> tuple[str, ...]:
    """Metrics that are shown of probabilities, and are not among those shown."""
    return tuple(metric.name for metric in usual if metric.id not in ids)


def score_binary(
    rows: BinaryRows,
    asked: list[MetricRequest],
    policies: BinaryPolicies,
    *,
    left_out: tuple[str, ...] = (),
    **options: Any,
) -> BinaryScores:
    """Score rows that were read before; options as `scored_rows` has them, and `left_out` as the scores have it."""
    scores = scored_rows(rows, asked, policies, **options)
    scores.left_out = left_out
    return warned(scores, 4)


def warned(scores: BinaryScores, level: int) -> BinaryScores:
    """The same scores, after their warnings were given to whoever called."""
    for warning in scores.warnings:
        warnings.warn(PingceWarning(str(warning)), stacklevel=level)
    return scores


def scored_rows(
    rows: BinaryRows,
    asked: list[MetricRequest],
    policies: BinaryPolicies,
    *,
    ci: float | None = None,
    samples: int = 1000,
    seed: int = 0,
    min_n: int = 20,
    threads: int | None = None,
) -> BinaryScores:
    """The scores of rows."""
    thread_count(threads)
    refuse_lacking(asked, rows.group is not None, rows.columns)
    interval = None if ci is None else Resampling(ci, samples, seed)
    evidence = BinaryEvidence(rows, {metric.metric.needs for metric in asked}, threads=threads)
    scores = scored(evidence, asked, policies, interval)
    if rows.by:
        from pingce.slices.measured import row_slices

        def values_of(places: NDArray[np.intp], sure: bool) -> dict[str, Value]:
            some = BinaryEvidence(rows.select(places), evidence.needs, threads=threads)
            return _measured(some, asked, policies, interval if sure else None)

        scores.slices = row_slices(scores, rows, values_of, min_n=min_n)
    return scores


def scored(
    evidence: BinaryEvidence,
    asked: list[MetricRequest],
    policies: BinaryPolicies,
    interval: Resampling | None = None,
) -> BinaryScores:
    """The scores of evidence, whether it has rows behind it or not."""
    rows = evidence.rows
    if evidence.bins is not None:
        refuse_unbounded(asked)
    refuse_unmet(
        asked,
        positive=str(rows.labels.positive_name),
        score_type=rows.score_type.name,
        weight=None if rows.weight is None else "given",
        bins=None if evidence.bins is None else str(evidence.bins),
    )
    values = _measured(evidence, asked, policies, interval)
    scores = BinaryScores(values, evidence, policies, confidence=None if interval is None else interval.confidence)
    if interval is not None:
        from pingce.stats.intervals import note_no_intervals

        note_no_intervals(scores)
    return scores


def refuse_unbounded(asked: Iterable[MetricRequest]) -> None:
    """Refuse metrics of which nobody can say how far off they are where scores were put into bins."""
    for request in asked:
        if request.metric.reads_table() and not request.metric.bounded:
            names = [kind.name for kind in registry("binary").values() if kind.bounded]
            raise InputError(
                f"{request.name} needs every score: with bins= there are {', '.join(names)} and metrics that need no table of scores; "
                "leave out the one or the other",
                f"{request.name} 需要每个分数：使用 bins= 时只有 {'、'.join(names)} 以及不需要分数表的指标；请去掉其一",
            )


def refuse_lacking(asked: list[MetricRequest], grouped: bool, columns: Collection[str]) -> None:
    """Refuse metrics of groups, or of columns, that were not given."""
    for metric in asked:
        for name in metric.metric.needed_columns():
            if name not in columns:
                hint = did_you_mean(name, columns)
                raise InputError(
                    f"{metric.name}: there is no column '{name}'; by= is impressions, clicks, uniform, or a column of data= or group_weight={hint.en}",
                    f"{metric.name}：没有列 '{name}'；by= 可为 impressions、clicks、uniform，或 data=、group_weight= 中的一列{hint.zh}",
                )
    if not grouped and any(metric.metric.needs == "groups" for metric in asked):
        raise InputError(
            "gauc needs groups: say which column or array holds them with group= or --group",
            "gauc 需要分组：请用 group= 或 --group 指明哪一列是分组（如用户）",
        )


def _measured(
    evidence: BinaryEvidence, asked: list[MetricRequest], policies: BinaryPolicies, interval: Resampling | None
) -> dict[str, Value]:
    """Every metric, with intervals where they are asked for."""
    _prepare(evidence, asked)
    computed: dict[tuple[Any, BinaryPolicies], Value] = {}
    values: dict[str, Value] = {}
    for metric in asked:
        own = metric.under(policies)
        if (metric.metric, own) not in computed:
            computed[metric.metric, own] = _value(metric, own, evidence)
        values[metric.name] = computed[metric.metric, own].called(metric.name, metric.id)
    if interval is not None:
        from pingce.stats.intervals import with_intervals

        values = with_intervals(values, evidence, interval)
    return values


def _prepare(evidence: BinaryEvidence, asked: list[MetricRequest]) -> None:
    """Make at once what several metrics will ask for piece by piece."""
    kinds = [metric.metric for metric in asked]
    bins = {int(kind.bins) for kind in kinds if getattr(kind, "binning", "") == "width"}
    if bins and evidence.rows.are_probabilities:
        evidence.probability(None, max(bins))
    columns = tuple(dict.fromkeys(name for kind in kinds for name in kind.needed_columns()))
    if columns:
        evidence.groups(columns)


def _value(asked: MetricRequest, policies: BinaryPolicies, evidence: BinaryEvidence) -> Value:
    metric = asked.metric
    value, missing = settled(asked, metric.value(evidence.seen(policies)), policies)
    resolved = {}
    if getattr(metric, "eps", 0) is None:
        resolved["eps"] = evidence.rows.epsilon
    common: dict[str, Any] = {"name": asked.name, "id": asked.id, "metric": metric, "policies": policies}
    if metric.needs == "groups":
        both = evidence.groups(metric.needed_columns()).both
        scored = len(both) if metric.single == "zero" else int(np.count_nonzero(both))
        return Value(**common, value=value, count=scored, unit="groups", undefined=len(both) - scored)
    common |= {"value": value, "count": len(evidence.rows), "unit": "rows", "undefined": int(missing)}
    bound = metric.bound(evidence.thresholds) if evidence.bins is not None and metric.reads_table() else None
    return Value(**common, resolved=resolved, bound=bound)
