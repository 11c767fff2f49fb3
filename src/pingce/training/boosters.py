"""Metrics for LightGBM, XGBoost and CatBoost, each as its library calls them; none of them is imported here."""

from __future__ import annotations

from typing import Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.request import MetricNames
from pingce.training.groups import GroupSource
from pingce.training.measure import Groups, Measure


class BoosterMetric:
    """Metrics of the rows of a data set, whatever asks for them."""

    def __init__(self, measure: Measure, group: Any = None, higher_is_better: bool | None = None) -> None:
        self.measure = measure
        self.higher_is_better = measure.higher_is_better(higher_is_better)
        self._source = GroupSource.of(group)
        self.__name__ = ",".join(measure.names)

    def __repr__(self) -> str:
        return f"<{self.__name__}: {self.measure.request.task.noun.en}, for a booster>"

    def evaluate_rows(
        self, truth: Any, prediction: Any, weight: Any = None, sizes: Any = None, data: Any = None
    ) -> dict[str, float]:
        """The values of one data set, which may know the sizes of its groups itself."""
        groups: Groups = self._source.groups(len(truth), data, sizes)
        weight = None if weight is None or not len(weight) else weight
        return self.measure.values(truth, prediction, groups, weight)


class LightgbmMetric(BoosterMetric):
    """A `feval` of `lightgbm.train`, and an `eval_metric` of its scikit-learn classes."""

    def __init__(self, measure: Measure, group: Any = None, higher_is_better: bool | None = None) -> None:
        super().__init__(measure, group, higher_is_better)
        self._directions = [measure.higher_is_better(higher_is_better, at) for at in range(len(measure.names))]

    def __call__(self, first: Any, second: Any, weight: Any = None, group: Any = None) -> Any:
        """(name, value, whether more is better), or a list of them.

        `lightgbm.train` gives predictions and the data set, the classes give labels, predictions, weights and sizes of groups.
        """
        if hasattr(second, "get_label"):
            labels, predictions, data = second.get_label(), first, second
            weight, group = second.get_weight(), second.get_group()
        else:
            labels, predictions, data = first, second, None
        values = self.evaluate_rows(labels, predictions, weight, group, data)
        results = [(*pair, better) for pair, better in zip(values.items(), self._directions, strict=True)]
        return results[0] if len(results) == 1 else results


class XgboostMetric(BoosterMetric):
    """A `custom_metric` of `xgboost.train`, and an `eval_metric` of its scikit-learn classes."""

    def __call__(self, first: Any, second: Any, sample_weight: Any = None) -> Any:
        """(name, value) or a list of them of `xgboost.train`, which gives predictions and the data; of the classes, the value."""
        if not hasattr(second, "get_label"):
            _refuse_several(self.measure, Text("eval_metric= of XGBoost's classes", "XGBoost 各类的 eval_metric="))
            values = self.evaluate_rows(first, second, sample_weight)
            return next(iter(values.values()))
        bounds = second.get_uint_info("group_ptr")
        weight = second.get_weight()
        values = self.evaluate_rows(second.get_label(), first, weight, np.diff(bounds.astype(np.int64)), second)
        results = list(values.items())
        return results[0] if len(results) == 1 else results


class CatboostMetric(BoosterMetric):
    """An `eval_metric` object of CatBoost, which has raw values: probabilities are made of them where a metric looks at more than order."""

    def __new__(cls, measure: Measure, group: Any = None, higher_is_better: bool | None = None) -> CatboostMetric:
        """An object of a class that is called like the metric: CatBoost writes the name of the class into its results."""
        metric: CatboostMetric = object.__new__(type(measure.names[0], (cls,), {}))
        return metric

    def __reduce__(self) -> tuple[Any, ...]:
        """Models are stored with their metric."""
        return CatboostMetric, (self.measure, self._group, self.higher_is_better)

    def __init__(self, measure: Measure, group: Any = None, higher_is_better: bool | None = None) -> None:
        super().__init__(measure, group, higher_is_better)
        self._group = group
        _refuse_several(measure, Text("CatBoost", "CatBoost"))

    def is_max_optimal(self) -> bool:
        """Whether more is better."""
        return self.higher_is_better

    def evaluate(self, approxes: Any, target: Any, weight: Any) -> tuple[float, float]:
        """The value, and 1 as the weight that CatBoost divides it by."""
        if len(approxes) != 1:
            raise InputError(
                f"CatBoost gives {len(approxes)} raw values a row; {self.__name__} is for one: evaluate classes with pc.evaluate_multiclass on "
                "predict_proba",
                f"CatBoost 每行给出 {len(approxes)} 个原始值；{self.__name__} 只用于一个：多分类请对 predict_proba 使用 pc.evaluate_multiclass",
            )
        values = self.evaluate_rows(np.asarray(target), self._predicted(np.asarray(approxes[0])), _column(weight))
        return next(iter(values.values())), 1.0

    def _predicted(self, raw: Any) -> Any:
        """Raw values as they are, or, where labels have two kinds and more than their order matters, as probabilities."""
        is_scored = self.measure.request.task.prediction_role == "y_score"
        if not is_scored or self.measure.metrics[0].uses == "order":
            return raw
        from scipy.special import expit

        return expit(raw)

    def get_final_error(self, error: float, weight: float) -> float:
        """The value of the whole."""
        return error


def _refuse_several(measure: Measure, library: Text) -> None:
    """Refuse several metrics where a library asks for a number."""
    if len(measure.names) != 1:
        names = ",".join(measure.names)
        raise InputError(
            f"{library.en} takes one metric at a time, not {len(measure.names)} ({names}); make an object for each",
            f"{library.zh} 一次只接受一个指标，而这里有 {len(measure.names)} 个（{names}）；请分别创建",
        )


def _column(weight: Any) -> Any:
    return None if weight is None else np.asarray(weight)


def lightgbm_metric(
    metrics: MetricNames,
    *,
    group: Any = None,
    task: str | None = None,
    higher_is_better: bool | None = None,
    **options: Any,
) -> LightgbmMetric:
    """Make a metric for LightGBM: `lightgbm.train(…, feval=pc.lightgbm_metric("gauc", group=uid))`.

    Also `eval_metric=` of LGBMClassifier, LGBMRegressor and LGBMRanker. `group` has the user or query of each row of the data that is watched; of
    several data sets, a list of such columns, or a dict {data set: ids}. Without it the data set's own groups count (`get_group()`), and so do its
    weights, except in rankings, where every query counts once. `task` is the first that has the metric: `recall` is that of labels, `recall@10` that of rankings. `options` are policies of the
    task's evaluate call, and `convention`, `positive`, `labels`. Rows have no item ids, so that in rankings equal scores
    have no order: `ties` is expected unless you say otherwise. Of several metrics `higher_is_better` is for
    those that declare no direction. Columns of probabilities are the classes 0, 1, 2 …, or `labels`. The number is that of `pc.evaluate_…`, to
    the last bit.

    >>> import numpy as np, pingce as pc
    >>> metric = pc.lightgbm_metric("gauc", group=["a", "a", "b", "b"])
    >>> metric(np.array([1, 0, 1, 0]), np.array([0.9, 0.8, 0.1, 0.7]))
    ('gauc', 0.5, True)
    """
    return LightgbmMetric(Measure.of(metrics, task, options, "pc.lightgbm_metric"), group, higher_is_better)


def xgboost_metric(
    metrics: MetricNames,
    *,
    group: Any = None,
    task: str | None = None,
    higher_is_better: bool | None = None,
    **options: Any,
) -> XgboostMetric:
    """Make a metric for XGBoost: `xgboost.train(…, custom_metric=pc.xgboost_metric("gauc", group=uid))`.

    Also, for one metric, `eval_metric=` of its scikit-learn classes. Without `group` the groups of the data count (`group_ptr`). XGBoost does not know which way is
    better: hand `higher_is_better` of the result to `xgboost.callback.EarlyStopping(…, maximize=…)`. All else is as in `lightgbm_metric`.

    >>> import numpy as np, pingce as pc
    >>> metric = pc.xgboost_metric("logloss")
    >>> round(metric(np.array([1, 0]), np.array([0.9, 0.2])), 4), metric.higher_is_better
    (0.1643, False)
    """
    return XgboostMetric(Measure.of(metrics, task, options, "pc.xgboost_metric"), group, higher_is_better)


def catboost_metric(
    metrics: MetricNames,
    *,
    group: Any = None,
    task: str | None = None,
    higher_is_better: bool | None = None,
    **options: Any,
) -> CatboostMetric:
    """Make a metric for CatBoost: `CatBoostClassifier(eval_metric=pc.catboost_metric("gauc", group=[uid_train, uid_valid]))`.

    CatBoost evaluates training and validation data and says of neither which it is: `group` is a list with the ids of each, told apart by their
    number. It gives raw values; where a metric looks at more than their order, probabilities are made of them. All else is as in
    `lightgbm_metric`.

    >>> import pingce as pc
    >>> metric = pc.catboost_metric("auc")
    >>> metric.evaluate([[2.0, -1.0, 0.5]], [1, 0, 0], None), metric.is_max_optimal()
    ((1.0, 1.0), True)
    """
    return CatboostMetric(Measure.of(metrics, task, options, "pc.catboost_metric"), group, higher_is_better)
