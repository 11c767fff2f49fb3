"""Metrics for scikit-learn: a scorer, which is asked for by cross_validate, GridSearchCV and their like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from pingce.base.errors import InputError
from pingce.inputs.classes import plain_label
from pingce.request import MetricNames
from pingce.training.measure import Groups, Measure


class ScoreFunction:
    """A number of true and predicted values, as `sklearn.metrics.make_scorer` takes it.

    `classes` are the model's, in the order of its columns of probabilities.
    """

    def __init__(self, measure: Measure, classes: Any = None) -> None:
        self.measure, self.classes = measure, classes
        self.__name__ = measure.names[0]

    def __repr__(self) -> str:
        return self.__name__

    def __call__(
        self,
        y_true: Any,
        y_pred: Any,
        *,
        group: Any = None,
        sample_weight: Any = None,
        pos_label: Any = None,
    ) -> float:
        """The value of the metric. The positive label was said when the scorer was made, and tells scikit-learn which column is its."""
        measure, classes = self.measure, self.classes
        shape: tuple[int, ...] = getattr(y_pred, "shape", ())
        if classes is not None and len(shape) == 2 and shape[1] == len(classes) > 1:
            columns, labels = [plain_label(label) for label in classes], measure.request.labels
            if labels is None:
                measure = replace(measure, request=replace(measure.request, labels=columns))
            elif hasattr(labels, "__iter__"):
                y_pred = _placed(np.asarray(y_pred), columns, [plain_label(label) for label in labels])
        return measure.values(y_true, y_pred, Groups(group), sample_weight)[self.__name__]

    def response(self) -> str | tuple[str, ...]:
        """The methods of a model that give what the metric looks at, the first that it has."""
        task, uses = self.measure.request.task, self.measure.metrics[0].uses
        if not task.of_rows:
            return "predict_proba", "decision_function", "predict"
        if task.prediction_role == "y_score":
            return ("predict_proba", "decision_function") if uses == "order" else "predict_proba"
        return "predict_proba" if str in task.predictions and uses != "labels" else "predict"


def _placed(proba: Any, classes: Sequence[Any], labels: Sequence[Any]) -> Any:
    """The columns of a model's classes in the order of the caller's labels; a class that the model has not met has probability 0."""
    unknown = [label for label in classes if label not in labels]
    if unknown:
        raise InputError(
            f"the model has the class {unknown[0]!r}, which is not among labels={list(labels)!r}; add it, or leave labels= out",
            f"模型有类别 {unknown[0]!r}，而它不在 labels={list(labels)!r} 之中；请补上，或不给 labels=",
        )
    matrix = np.zeros((len(proba), len(labels)), proba.dtype)
    matrix[:, [labels.index(label) for label in classes]] = proba
    return matrix


def scorer(
    metric: MetricNames,
    *,
    task: str | None = None,
    higher_is_better: bool | None = None,
    response_method: str | tuple[str, ...] | None = None,
    **options: Any,
) -> Any:
    """Make a scorer for scikit-learn: `cross_validate(model, X, y, scoring=pc.scorer("gauc"), params={"group": uid})`.

    With metadata routing (`sklearn.set_config(enable_metadata_routing=True)`, before this call) a metric of groups asks for `group`, the user or
    query of each row; `set_score_request(group=True, sample_weight=True)` asks for weights too, `set_score_request(group="groups")` for
    the groups of the splitter. Losses have their sign turned, as scikit-learn wants it. Columns of probabilities are the model's `classes_`; with `labels`,
    classes that a fold did not train on have probability 0. `response_method` is predict_proba,
    decision_function or predict where the model's other answer is meant; `task` and `options` are those of `lightgbm_metric`.
    """
    from sklearn import get_config
    from sklearn.metrics import make_scorer

    from pingce.training.classes import ClassScorer

    measure = Measure.of(metric, task, options, "pc.scorer")
    if len(measure.names) != 1:
        raise InputError(
            f"a scorer has one metric, not {len(measure.names)}; give scikit-learn a dict of scorers",
            f"一个 scorer 只有一个指标，而这里有 {len(measure.names)} 个；请给 scikit-learn 一个 scorer 的字典",
        )
    function = ScoreFunction(measure)
    better = measure.higher_is_better(higher_is_better)
    method = function.response() if response_method is None else response_method
    if str in measure.request.task.predictions:
        result: Any = ClassScorer(function, greater_is_better=better, response_method=method)
    else:
        positive = {} if measure.request.positive is None else {"pos_label": measure.request.positive}
        result = make_scorer(function, greater_is_better=better, response_method=method, **positive)
    if get_config().get("enable_metadata_routing"):
        result.set_score_request(group=measure.needs_groups)
    return result
