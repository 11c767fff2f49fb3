"""Classes: true and predicted labels, and perhaps a probability for each class."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pingce.base.errors import PingceWarning
from pingce.evaluate.undefined import settled
from pingce.evidence.multiclass.evidence import MulticlassEvidence
from pingce.inputs.aliases import one_weight
from pingce.inputs.multiclass import ClassRows
from pingce.metrics.grammar import MetricRequest
from pingce.run.memory import may_exceed
from pingce.scores.multiclass import MulticlassScores, declared_labels
from pingce.scores.signature import refuse_unmet
from pingce.scores.values import Value
from pingce.stats.resampling import Resampling
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pingce.evidence.multiclass.sums import SummedClasses
    from pingce.evidence.policies import MulticlassPolicies
    from pingce.metrics.multiclass import MulticlassMetric

DEFAULT_METRICS = (
    "accuracy",
    "balanced_accuracy",
    "precision(average=macro)",
    "recall(average=macro)",
    "f1(average=macro)",
    "f1(average=weighted)",
    "kappa",
    "mcc",
)
_OF_PROBABILITIES = ("logloss", "auc(multi=ovr)")


@checked_options("multiclass")
def evaluate_multiclass(
    y_true: Any,
    y_pred: Any = None,
    metrics: Iterable[str | MulticlassMetric | MetricRequest] | str | MetricRequest | None = None,
    *,
    data: Any = None,
    proba: Any = None,
    labels: Iterable[Any] | None = None,
    weight: Any = None,
    sample_weight: Any = None,
    convention: str | None = None,
    undefined: str | None = None,
    undefined_class: str | None = None,
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
) -> MulticlassScores:
    """Score a classifier of any number of classes.

    Labels are strings, integers or truth values; with `data` they are names of its columns. `proba` is a matrix with a
    column a class, in the order of `labels`; without predicted labels the most probable class counts. A class for which
    a metric is undefined counts 0 in an average; `undefined="skip"` (or `undefined_class="skip"`) leaves it out.
    `convention="sklearn"` gives the numbers of that tool; `ci=0.95` adds confidence intervals.

    `by` adds `scores.slices`, the same metrics for parts of the rows: the name of a column of `data` (or a list of names),
    an array, or a dict {name: column or array}. With `ci` slices have intervals too, from `min_n` rows up. The classes of a
    slice are those that occur in it, unless `labels` or `proba` say otherwise.

    Files that would take more than `memory` ("2GB"; by default a quarter of the memory there is) are streamed; the numbers are the same.

    >>> import pingce as pc
    >>> pc.evaluate_multiclass(["a", "b", "b"], ["a", "b", "a"], ["accuracy"])["accuracy"]
    0.6666666666666666
    """
    weight = one_weight(weight, sample_weight)
    given = dict(locals())
    from pingce.evaluators.multiclass import MulticlassEvaluator

    evaluator = MulticlassEvaluator(
        metrics,
        labels=labels,
        convention=convention,
        undefined=undefined,
        undefined_class=undefined_class,
        ci=ci,
        samples=samples,
        seed=seed,
        min_n=min_n,
        threads=threads,
    )
    if tmpdir is not None or may_exceed(memory, data):
        from pingce.engines.paths import large_classes

        names = {"y_true": y_true, "y_pred": y_pred, "weight": weight}
        streamed = large_classes(evaluator, names, given, memory=memory, tmpdir=tmpdir)
        if streamed is not None:
            return streamed
    reading = {"input_format": input_format, "encoding": encoding}
    rows = evaluator.batch(y_true, y_pred, data=data, proba=proba, weight=weight, by=by, **reading)
    return evaluator.update_rows(rows).scored(above=1)


def default_metrics(*, proba: bool = False) -> list[str]:
    """What is shown where nothing was asked for; some of it needs probabilities."""
    return [*DEFAULT_METRICS, *(_OF_PROBABILITIES if proba else ())]


def score_multiclass(
    rows: ClassRows,
    asked: list[MetricRequest],
    policies: MulticlassPolicies,
    *,
    ci: float | None = None,
    samples: int = 1000,
    seed: int = 0,
    min_n: int = 20,
    threads: int | None = None,
    stacklevel: int | None = 3,
) -> MulticlassScores:
    """Score rows that were read before."""
    evidence = MulticlassEvidence(rows, threads=threads)
    _refuse_other_data(asked, evidence)
    interval = None if ci is None else Resampling(ci, samples, seed)
    asked = [one for each in asked for one in _each_class(each, rows.labels)]
    scores = MulticlassScores(_measured(evidence, asked, policies, interval), evidence, policies, confidence=ci)
    if interval is not None:
        from pingce.stats.intervals import note_no_intervals

        note_no_intervals(scores)
    if rows.by:
        from pingce.slices.measured import row_slices

        def values_of(places: NDArray[np.intp], sure: bool) -> dict[str, Value]:
            some = rows.alone(places)
            known = [one for one in asked if getattr(one.metric, "label", None) in (None, *map(str, some.labels))]
            return _measured(MulticlassEvidence(some, threads=threads), known, policies, interval if sure else None)

        scores.slices = row_slices(scores, rows, values_of, min_n=min_n)
    _warn(scores, stacklevel)
    return scores


def score_class_sums(
    evidence: SummedClasses, asked: list[MetricRequest], policies: MulticlassPolicies, *, stacklevel: int | None = 3
) -> MulticlassScores:
    """Score rows that were added up before and not kept."""
    _refuse_other_data(asked, evidence)
    asked = [one for each in asked for one in _each_class(each, evidence.labels)]
    scores = MulticlassScores(_measured(evidence, asked, policies, None), evidence, policies)
    _warn(scores, stacklevel)
    return scores


def _refuse_other_data(asked: list[MetricRequest], evidence: MulticlassEvidence) -> None:
    """Refuse signatures of weighted rows where there are no weights, or of other classes than `labels=` names."""
    refuse_unmet(asked, weight="given" if evidence.weighted else None, labels=declared_labels(evidence))


def _warn(scores: MulticlassScores, stacklevel: int | None) -> None:
    """Warn whoever called; None: nobody."""
    for warning in scores.warnings if stacklevel is not None else ():
        warnings.warn(PingceWarning(str(warning)), stacklevel=(stacklevel or 0) + 1)


def _measured(
    evidence: MulticlassEvidence,
    asked: list[MetricRequest],
    policies: MulticlassPolicies,
    interval: Resampling | None,
) -> dict[str, Value]:
    """Every metric of some rows, with intervals where they are asked for."""
    values = {metric.name: _value(metric, metric.under(policies), evidence) for metric in asked}
    if interval is not None and values:
        from pingce.stats.row_intervals import class_intervals

        values = class_intervals(values, evidence, interval)
    return values


def _each_class(asked: MetricRequest, labels: list[Any]) -> list[MetricRequest]:
    """`average=none` asks for one value a class."""
    metric = asked.metric
    if not metric.asks_each_class():
        return [asked]
    spelled, kinds = asked.name.split("(")[0].strip(), [metric.of_class(str(label)) for label in labels]
    return [MetricRequest(kind.id.replace(metric.name, spelled, 1), kind, asked.policies) for kind in kinds]


def _value(asked: MetricRequest, policies: MulticlassPolicies, evidence: MulticlassEvidence) -> Value:
    metric, view = asked.metric, evidence.seen(policies)
    value, missing = settled(asked, metric.value(view), policies)
    undefined = metric.undefined_classes(view) or int(missing)
    resolved = {}
    if getattr(metric, "eps", 0) is None:
        resolved["eps"] = evidence.epsilon
    return Value(
        name=asked.name,
        id=asked.id,
        metric=metric,
        policies=policies,
        value=value,
        count=evidence.given,
        unit="rows",
        undefined=undefined,
        resolved=resolved,
    )
