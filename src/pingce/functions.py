"""One number from two columns, for a notebook or a lesson: the truth first, then labels, scores or numbers.

>>> accuracy(["cat", "dog", "dog"], ["cat", "dog", "cat"])
0.6666666666666666
>>> auc([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
0.75
>>> rmse([3, -0.5, 2, 7], [2.5, 0.0, 2, 8])
0.6123724356957945
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from pingce.base.errors import InputError, PingceWarning
from pingce.base.lazy import pa
from pingce.inputs.data import one_weight as _one_weight
from pingce.metrics.declared import registry

_Weights = tuple[Any, ...]
"What a caller gave for `weight` and for `sample_weight`."


def _of_labels(
    name: str, y_true: Any, y_pred: Any, weights: _Weights, *, positive: Any, average: str | None = None, **options: Any
) -> float:
    """A decision about the positive label, or, with an average, about every class."""
    from pingce.evidence.binary.thresholds import Cells
    from pingce.inputs.labels import positive_among

    if average == "none":
        raise InputError(
            "one number has no room for average='none'; use classification_report for each class",
            "一个数容不下 average='none'；各类的值请用 classification_report",
        )
    if average is not None:
        metric = registry("multiclass")[name].make(average=average, **options)
        return _quiet_multiclass(y_true, y_pred, metric, weights)
    labels, matrix = _confusion(y_true, y_pred, None, weights)
    place = positive_among(labels, positive)
    tp, predicted, true, total = (
        (0, 0, 0, matrix.sum().item())
        if place is None
        else (
            matrix[place, place].item(),
            matrix[:, place].sum().item(),
            matrix[place].sum().item(),
            matrix.sum().item(),
        )
    )
    metric = registry("binary")[name].make(**options)
    value: float = metric.of(Cells(tp, predicted - tp, total - predicted - true + tp, true - tp))
    return value


def _confusion(
    y_true: Any, y_pred: Any, labels: Sequence[Any] | None, weights: _Weights
) -> tuple[list[Any], NDArray[Any]]:
    from pingce.evidence.multiclass.confusion import confusion_evidence
    from pingce.inputs.multiclass import class_rows

    rows = class_rows(y_true, y_pred, labels=labels, weight=_one_weight(*weights))
    return rows.labels, confusion_evidence(rows.truth, rows.prediction or rows.truth, rows.weight).matrix


def _quiet_multiclass(y_true: Any, y_pred: Any, metric: Any, weights: _Weights) -> float:
    from pingce.api import evaluate_multiclass

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PingceWarning)
        return evaluate_multiclass(y_true, y_pred, [metric], weight=_one_weight(*weights))[metric.id]


def _of_classes(name: str, y_true: Any, y_pred: Any, *weights: Any) -> float:
    return _quiet_multiclass(y_true, y_pred, registry("multiclass")[name].make(), weights)


def _of_scores(
    name: str, y_true: Any, y_score: Any, weights: _Weights, positive: Any, *, group: Any = None, **options: Any
) -> float:
    from pingce.api import evaluate_binary

    metric, weight = registry("binary")[name].make(**options), _one_weight(*weights)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PingceWarning)
        scores = evaluate_binary(y_true, y_score, [metric], group=group, weight=weight, positive=positive)
    return scores[metric.id]


def _of_numbers(name: str, y_true: Any, y_pred: Any, *weights: Any) -> float:
    from pingce.api import evaluate_regression

    return evaluate_regression(y_true, y_pred, [name], weight=_one_weight(*weights))[name]


def accuracy(y_true: Any, y_pred: Any, *, weight: Any = None, sample_weight: Any = None) -> float:
    """Share of rows whose label was predicted."""
    return _of_classes("accuracy", y_true, y_pred, weight, sample_weight)


def balanced_accuracy(y_true: Any, y_pred: Any, *, weight: Any = None, sample_weight: Any = None) -> float:
    """Mean recall over classes."""
    return _of_classes("balanced_accuracy", y_true, y_pred, weight, sample_weight)


def kappa(y_true: Any, y_pred: Any, *, weight: Any = None, sample_weight: Any = None) -> float:
    """Cohen's kappa: agreement beyond chance."""
    return _of_classes("kappa", y_true, y_pred, weight, sample_weight)


def mcc(y_true: Any, y_pred: Any, *, weight: Any = None, sample_weight: Any = None) -> float:
    """Matthews correlation of truth and prediction."""
    return _of_classes("mcc", y_true, y_pred, weight, sample_weight)


def precision(
    y_true: Any,
    y_pred: Any,
    *,
    positive: Any = None,
    average: str | None = None,
    weight: Any = None,
    sample_weight: Any = None,
) -> float:
    """TP / (TP + FP) of the positive label; with average="macro", "micro" or "weighted" over all classes."""
    return _of_labels("precision", y_true, y_pred, (weight, sample_weight), positive=positive, average=average)


def recall(
    y_true: Any,
    y_pred: Any,
    *,
    positive: Any = None,
    average: str | None = None,
    weight: Any = None,
    sample_weight: Any = None,
) -> float:
    """TP / (TP + FN) of the positive label; with average="macro", "micro" or "weighted" over all classes."""
    return _of_labels("recall", y_true, y_pred, (weight, sample_weight), positive=positive, average=average)


def f1(
    y_true: Any,
    y_pred: Any,
    *,
    positive: Any = None,
    average: str | None = None,
    weight: Any = None,
    sample_weight: Any = None,
) -> float:
    """Harmonic mean of precision and recall.

    >>> f1([1, 1, 0, 0], [1, 0, 1, 0])
    0.5
    """
    return _of_labels("f", y_true, y_pred, (weight, sample_weight), positive=positive, average=average)


def fbeta(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float,
    positive: Any = None,
    average: str | None = None,
    weight: Any = None,
    sample_weight: Any = None,
) -> float:
    """F with recall weighing beta times as much as precision."""
    return _of_labels("f", y_true, y_pred, (weight, sample_weight), positive=positive, average=average, beta=beta)


def specificity(
    y_true: Any, y_pred: Any, *, positive: Any = None, weight: Any = None, sample_weight: Any = None
) -> float:
    """TN / (TN + FP)."""
    return _of_labels("specificity", y_true, y_pred, (weight, sample_weight), positive=positive)


def jaccard(
    y_true: Any,
    y_pred: Any,
    *,
    positive: Any = None,
    average: str | None = None,
    weight: Any = None,
    sample_weight: Any = None,
) -> float:
    """TP / (TP + FP + FN)."""
    return _of_labels("jaccard", y_true, y_pred, (weight, sample_weight), positive=positive, average=average)


def confusion_matrix(
    y_true: Any, y_pred: Any, *, labels: Sequence[Any] | None = None, weight: Any = None, sample_weight: Any = None
) -> NDArray[Any]:
    """Rows are true classes, columns predicted ones, in the order of `labels` (by default sorted).

    >>> confusion_matrix(["a", "a", "b"], ["a", "b", "b"]).tolist()
    [[1, 1], [0, 1]]
    """
    return _confusion(y_true, y_pred, labels, (weight, sample_weight))[1]


def classification_report(
    y_true: Any, y_pred: Any, *, labels: Sequence[Any] | None = None, weight: Any = None, sample_weight: Any = None
) -> pa.Table:
    """Precision, recall, F1 and support of each class, as an Arrow table."""
    from pingce.api import evaluate_multiclass

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PingceWarning)
        weight = _one_weight(weight, sample_weight)
        return evaluate_multiclass(y_true, y_pred, ["accuracy"], labels=labels, weight=weight).per_class


def auc(y_true: Any, y_score: Any, *, weight: Any = None, sample_weight: Any = None, positive: Any = None) -> float:
    """Share of pairs (positive, negative) that the scores order rightly; equal scores count half."""
    return _of_scores("auc", y_true, y_score, (weight, sample_weight), positive)


def pr_auc(
    y_true: Any,
    y_score: Any,
    *,
    interpolation: str = "step",
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
) -> float:
    """Area under the precision-recall curve: average precision, or trapezoids."""
    return _of_scores("pr_auc", y_true, y_score, (weight, sample_weight), positive, interpolation=interpolation)


def gauc(
    y_true: Any,
    y_score: Any,
    group: Any,
    *,
    by: str = "impressions",
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
) -> float:
    """AUC of each group, averaged by its rows (impressions), its positives (clicks) or evenly (uniform).

    >>> gauc([1, 0, 1, 0], [0.9, 0.8, 0.1, 0.7], ["u", "u", "v", "v"])
    0.5
    """
    return _of_scores("gauc", y_true, y_score, (weight, sample_weight), positive, group=group, by=by)


def ks(y_true: Any, y_score: Any, *, weight: Any = None, sample_weight: Any = None, positive: Any = None) -> float:
    """Largest distance between true and false positive rate."""
    return _of_scores("ks", y_true, y_score, (weight, sample_weight), positive)


def lift(
    y_true: Any,
    y_score: Any,
    share: float = 0.1,
    *,
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
) -> float:
    """How much denser positives are among the top share of the rows than in all."""
    return _of_scores("lift", y_true, y_score, (weight, sample_weight), positive, k=share)


def logloss(
    y_true: Any,
    y_score: Any,
    *,
    eps: float | None = None,
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
) -> float:
    """Mean negative logarithm of the probability that was given to what happened."""
    return _of_scores("logloss", y_true, y_score, (weight, sample_weight), positive, eps=eps)


def ne(y_true: Any, y_score: Any, *, weight: Any = None, sample_weight: Any = None, positive: Any = None) -> float:
    """Log loss over that of the base rate."""
    return _of_scores("ne", y_true, y_score, (weight, sample_weight), positive)


def brier(y_true: Any, y_score: Any, *, weight: Any = None, sample_weight: Any = None, positive: Any = None) -> float:
    """Mean squared error of the probabilities."""
    return _of_scores("brier", y_true, y_score, (weight, sample_weight), positive)


def ece(
    y_true: Any,
    y_score: Any,
    *,
    bins: int = 15,
    binning: str = "width",
    weight: Any = None,
    sample_weight: Any = None,
    positive: Any = None,
) -> float:
    """Expected calibration error: distance of probability and share of positives, bin by bin."""
    return _of_scores("ece", y_true, y_score, (weight, sample_weight), positive, bins=bins, binning=binning)


def pcoc(y_true: Any, y_score: Any, *, weight: Any = None, sample_weight: Any = None, positive: Any = None) -> float:
    """Predicted clicks over clicks: above 1 the model over-estimates."""
    return _of_scores("pcoc", y_true, y_score, (weight, sample_weight), positive)


def mae(y_true: Any, y_pred: Any, *, weight: Any = None, sample_weight: Any = None) -> float:
    """Mean absolute error."""
    return _of_numbers("mae", y_true, y_pred, weight, sample_weight)


def mse(y_true: Any, y_pred: Any, *, weight: Any = None, sample_weight: Any = None) -> float:
    """Mean squared error."""
    return _of_numbers("mse", y_true, y_pred, weight, sample_weight)


def rmse(y_true: Any, y_pred: Any, *, weight: Any = None, sample_weight: Any = None) -> float:
    """Root of the mean squared error."""
    return _of_numbers("rmse", y_true, y_pred, weight, sample_weight)


def r2(y_true: Any, y_pred: Any, *, weight: Any = None, sample_weight: Any = None) -> float:
    """Share of the truth's variance that the predictions explain; NaN where the truth is constant."""
    return _of_numbers("r2", y_true, y_pred, weight, sample_weight)


def mape(y_true: Any, y_pred: Any, *, weight: Any = None, sample_weight: Any = None) -> float:
    """Mean of |error| / |truth|; NaN where a true number is 0."""
    return _of_numbers("mape", y_true, y_pred, weight, sample_weight)


def smape(y_true: Any, y_pred: Any, *, weight: Any = None, sample_weight: Any = None) -> float:
    """Mean of |error| over the mean size of truth and prediction."""
    return _of_numbers("smape", y_true, y_pred, weight, sample_weight)


def wmape(y_true: Any, y_pred: Any, *, weight: Any = None, sample_weight: Any = None) -> float:
    """Sum of |error| over sum of |truth|."""
    return _of_numbers("wmape", y_true, y_pred, weight, sample_weight)


def medae(y_true: Any, y_pred: Any, *, weight: Any = None, sample_weight: Any = None) -> float:
    """Median absolute error."""
    return _of_numbers("medae", y_true, y_pred, weight, sample_weight)


def pearson(y_true: Any, y_pred: Any, *, weight: Any = None, sample_weight: Any = None) -> float:
    """Correlation of truth and prediction."""
    return _of_numbers("pearson", y_true, y_pred, weight, sample_weight)


def spearman(y_true: Any, y_pred: Any, *, weight: Any = None, sample_weight: Any = None) -> float:
    """Correlation of their ranks."""
    return _of_numbers("spearman", y_true, y_pred, weight, sample_weight)
