"""Metrics for MLflow's `evaluate`."""

from __future__ import annotations

from typing import Any

from pingce.base.errors import InputError
from pingce.request import MetricNames
from pingce.scores.tracking import legal_name, library
from pingce.training.measure import Groups, Measure


def mlflow_metric(
    metric: MetricNames, *, task: str | None = None, higher_is_better: bool | None = None, **options: Any
) -> Any:
    """Make a metric for MLflow: `mlflow.models.evaluate(data=…, extra_metrics=[pc.mlflow_metric("gauc")])`.

    Its number is that of the evaluate call on all rows. A metric of groups, or of rankings, asks for a column `group` of the data, the user or query of
    each row (`evaluator_config={"col_mapping": {"group": "user_id"}}` names another). `task` and `options` are those of `lightgbm_metric`.
    """
    measure = Measure.of(metric, task, options, "pc.mlflow_metric")
    if len(measure.names) != 1:
        raise InputError(
            f"a metric of MLflow is one metric, not {len(measure.names)}; make one of each",
            f"MLflow 的指标一次只有一个，而这里有 {len(measure.names)} 个；请分别制作",
        )
    name = measure.names[0]

    def plain(predictions: Any, targets: Any) -> float:
        return measure.values(targets.to_numpy(), predictions.to_numpy())[name]

    def grouped(predictions: Any, targets: Any, group: Any) -> float:
        return measure.values(targets.to_numpy(), predictions.to_numpy(), Groups(group.to_numpy()))[name]

    return library("mlflow.metrics").make_metric(
        eval_fn=grouped if measure.needs_groups else plain,
        greater_is_better=measure.higher_is_better(higher_is_better),
        name=legal_name(name),
    )
