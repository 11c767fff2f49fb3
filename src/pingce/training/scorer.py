"""Metrics for scikit-learn: a scorer, which is asked for by cross_validate, GridSearchCV and their like."""

from __future__ import annotations

from typing import Any

from pingce.base.errors import InputError
from pingce.request import MetricNames
from pingce.training.measure import Groups, Measure


class ScoreFunction:
    """A number of true and predicted values, as `sklearn.metrics.make_scorer` takes it."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure
        self.__name__ = measure.names[0]

    def __repr__(self) -> str:
        return self.__name__

    def __call__(
        self, y_true: Any, y_pred: Any, *, group: Any = None, sample_weight: Any = None, pos_label: Any = None
    ) -> float:
        """The value of the metric; the positive label was said when the scorer was made, and tells scikit-learn which column is its."""
        return self.measure.values(y_true, y_pred, Groups(group), sample_weight)[self.__name__]

    def response(self) -> str | tuple[str, ...]:
        """The methods of a model that give what the metric looks at, the first that it has."""
        task, uses = self.measure.request.task, self.measure.metrics[0].uses
        if not task.of_rows:
            return "predict_proba", "decision_function", "predict"
        if task.prediction_role == "y_score":
            return ("predict_proba", "decision_function") if uses == "order" else "predict_proba"
        return "predict_proba" if str in task.predictions and uses != "labels" else "predict"


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
    the groups of the splitter. Losses have their sign turned, as scikit-learn wants it. `response_method` is predict_proba,
    decision_function or predict where the model's other answer is meant; `task` and `options` are those of `lightgbm_metric`.
    """
    from sklearn import get_config
    from sklearn.metrics import make_scorer

    measure = Measure.of(metric, task, options, "pc.scorer")
    if len(measure.names) != 1:
        raise InputError(
            f"a scorer has one metric, not {len(measure.names)}; give scikit-learn a dict of scorers",
            f"一个 scorer 只有一个指标，而这里有 {len(measure.names)} 个；请给 scikit-learn 一个 scorer 的字典",
        )
    function = ScoreFunction(measure)
    better = measure.higher_is_better(higher_is_better)
    method = function.response() if response_method is None else response_method
    positive = {} if measure.request.positive is None else {"pos_label": measure.request.positive}
    result = make_scorer(function, response_method=method, greater_is_better=better, **positive)
    if get_config().get("enable_metadata_routing"):
        result.set_score_request(group=measure.needs_groups)
    return result
