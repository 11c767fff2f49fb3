"""Labels and scores: clicks and click probabilities, classes and the scores of one of them."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.core import thread_count
from pingce.errors import InputError, PingceWarning
from pingce.evaluate.definitions import Definitions
from pingce.evaluate.undefined import settled
from pingce.evidence.binary import BinaryEvidence
from pingce.evidence.policies import BinaryPolicies
from pingce.inputs.labelled import BinaryRows, binary_rows
from pingce.inputs.predictions import asked_slices, chosen, slice_columns, slice_roles
from pingce.metrics.grammar import Asked
from pingce.scores.base import Value
from pingce.scores.binary import BinaryScores
from pingce.scores.signature import refuse_unmet

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.metrics.binary import BinaryMetric

DEFAULT_METRICS = ("auc", "pr_auc", "logloss", "accuracy", "precision", "recall", "f1")
GROUPED_METRICS = ("auc", "gauc", "logloss", "ece", "pcoc", "pr_auc")
"Where there are groups, rows are impressions of users more often than not."
_OF_PROBABILITIES = ("logloss", "ece", "pcoc")


def evaluate_binary(
    y_true: Any,
    y_score: Any,
    metrics: Iterable[str | BinaryMetric | Asked] | str | Asked | None = None,
    *,
    data: Any = None,
    group: Any = None,
    weight: Any = None,
    convention: str | None = None,
    threshold: float | None = None,
    compare: str | None = None,
    positive: Any = None,
    group_weight: Mapping[str, Any] | None = None,
    undefined: str | None = None,
    ci: float | None = None,
    samples: int = 1000,
    seed: int = 0,
    by: Any = None,
    min_n: int = 20,
    input_format: str | None = None,
    encoding: str | None = None,
    threads: int | None = None,
) -> BinaryScores:
    """Score a model that gives each row a score, against labels of two kinds.

    Columns may be lists, arrays, series or tensors; with `data` (a path, a data frame or an Arrow table) they are names
    of its columns. `group` are the users or requests of `gauc`, `weight` says how often a row counts, `group_weight`
    holds columns that `gauc(by=…)` names. A row is predicted positive if its score reaches `threshold` (0.5;
    `compare="gt"`: exceeds it). `convention="sklearn"` gives the numbers of that tool. `ci=0.95` adds confidence
    intervals.

    `by` adds `scores.slices`, the same metrics for parts of the rows: the name of a column of `data` (or a list of names),
    an array, or a dict {name: column or array}; "activity" takes deciles of the groups by their number of rows. With `ci`
    slices have intervals too, from `min_n` rows up. Labels and definitions are those of all rows.

    >>> import pingce as pc
    >>> pc.evaluate_binary([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], ["auc", "f1"])["auc"]
    0.75
    """
    given = {"threshold": threshold, "compare": compare, "undefined": undefined}
    define = Definitions(BinaryPolicies, convention, given)
    asked = [] if metrics is None else define.asked(metrics)
    wanted = {"y_true": y_true, "y_score": y_score, "group": group, "weight": weight}
    if group_weight is not None and not isinstance(group_weight, Mapping):
        raise InputError(
            f"group_weight is {type(group_weight).__name__}; give a dict with a column a name, which gauc(by=name) then takes",
            f"group_weight 是 {type(group_weight).__name__}；请给出名称到列的字典，供 gauc(by=名称) 使用",
        )
    more = dict(group_weight or {})
    named = {name for metric in asked for name in metric.metric.needed_columns() if name not in more}
    slices = asked_slices(by, named=data is not None)
    wanted |= {f"by.{name}": name for name in named} | slice_roles(slices)
    columns, notes = chosen(data, wanted, input_format=input_format, encoding=encoding)
    rows = binary_rows(
        *(columns.pop(name) for name in ("y_true", "y_score")),
        group=columns.pop("group"),
        weight=columns.pop("weight"),
        positive=positive,
        group_weight=more | {name: columns[f"by.{name}"] for name in named if f"by.{name}" in columns},
        by=slice_columns(slices, columns),
        notes=notes,
    )
    asked = asked or define.defaults(default_metrics(rows))
    return score_binary(rows, asked, define.policies, ci=ci, samples=samples, seed=seed, min_n=min_n, threads=threads)


def default_metrics(rows: BinaryRows) -> list[str]:
    """What is shown where nothing was asked for: no metric of probabilities for other scores, GAUC where there are groups."""
    names = DEFAULT_METRICS if rows.group is None else GROUPED_METRICS
    return [name for name in names if rows.are_probabilities or name not in _OF_PROBABILITIES]


def score_binary(
    rows: BinaryRows,
    asked: list[Asked],
    policies: BinaryPolicies,
    *,
    ci: float | None = None,
    samples: int = 1000,
    seed: int = 0,
    min_n: int = 20,
    threads: int | None = None,
) -> BinaryScores:
    """Score rows that were read before."""
    thread_count(threads)
    _refuse_unknown_columns(rows, asked)
    if rows.group is None and any(metric.metric.needs == "groups" for metric in asked):
        raise InputError(
            "gauc needs groups: say which column or array holds them with group= or --group",
            "gauc 需要分组：请用 group= 或 --group 指明哪一列是分组（如用户）",
        )
    refuse_unmet(
        asked,
        positive=str(rows.labels.positive_name),
        score_type=rows.score_type.name,
        weight=None if rows.weight is None else "given",
    )
    interval = None if ci is None else {"confidence": ci, "samples": samples, "seed": seed}
    evidence, values = _measured(rows, asked, policies, interval, threads)
    scores = BinaryScores(values, evidence, policies, confidence=ci)
    if rows.by:
        from pingce.slices.measured import row_slices

        def values_of(places: NDArray[np.intp], sure: bool) -> dict[str, Value]:
            return _measured(rows.select(places), asked, policies, interval if sure else None, threads)[1]

        scores.slices = row_slices(scores, rows, values_of, min_n=min_n)
    for warning in scores.warnings:
        warnings.warn(PingceWarning(str(warning)), stacklevel=3)
    return scores


def _measured(
    rows: BinaryRows,
    asked: list[Asked],
    policies: BinaryPolicies,
    interval: Mapping[str, Any] | None,
    threads: int | None,
) -> tuple[BinaryEvidence, dict[str, Value]]:
    """Every metric of some rows, with intervals where they are asked for."""
    evidence = BinaryEvidence(rows, {metric.metric.needs for metric in asked}, threads=threads)
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

        values = with_intervals(values, evidence, **interval)
    return evidence, values


def _refuse_unknown_columns(rows: BinaryRows, asked: list[Asked]) -> None:
    for metric in asked:
        for name in metric.metric.needed_columns():
            if name not in rows.columns:
                raise InputError(
                    f"{metric.name}: there is no column '{name}'; by= is impressions, clicks, uniform, or a column of data= or group_weight=",
                    f"{metric.name}：没有列 '{name}'；by= 可为 impressions、clicks、uniform，或 data=、group_weight= 中的一列",
                )


def _prepare(evidence: BinaryEvidence, asked: list[Asked]) -> None:
    """Make at once what several metrics will ask for piece by piece."""
    kinds = [metric.metric for metric in asked]
    bins = {int(kind.bins) for kind in kinds if getattr(kind, "binning", "") == "width"}
    if bins and evidence.rows.are_probabilities:
        evidence.probability(None, max(bins))
    columns = tuple(dict.fromkeys(name for kind in kinds for name in kind.needed_columns()))
    if columns:
        evidence.groups(columns)


def _value(asked: Asked, policies: BinaryPolicies, evidence: BinaryEvidence) -> Value:
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
    return Value(
        **common, value=value, count=len(evidence.rows), unit="rows", undefined=int(missing), resolved=resolved
    )
