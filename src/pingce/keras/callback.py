"""A callback of Keras that evaluates validation data as a whole."""

from __future__ import annotations

from typing import Any

import keras
import numpy as np

from pingce.base.errors import InputError, is_whole
from pingce.inputs.data import one_weight
from pingce.request import MetricNames
from pingce.training.measure import Groups, Measure


class Callback(keras.callbacks.Callback):  # type: ignore[misc]
    """Evaluates a model on validation data after an epoch, and writes the values into `logs`: `val_gauc`, `val_ndcg@10`.

    Metrics that Keras has itself are means over batches; these are those of all rows, as `pc.evaluate_…` gives them. Put it before callbacks
    that read its values: EarlyStopping(monitor="val_gauc", mode="max"), ModelCheckpoint. `data` is the pair (x, y), `group` the user
    or query of each row, `weight` (or `sample_weight`) how often a row counts. `every` says after how many epochs; `prefix` begins the names; `task`
    and `options` are those of `pc.lightgbm_metric`. `callback.values` has the last values.
    """

    def __init__(
        self,
        data: tuple[Any, Any],
        metrics: MetricNames,
        *,
        group: Any = None,
        weight: Any = None,
        sample_weight: Any = None,
        batch_size: int | None = None,
        every: int = 1,
        prefix: str = "val_",
        task: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        if not isinstance(data, tuple) or len(data) != 2:
            raise InputError(
                f"data is {type(data).__name__}; give a pair (x, y): what the model reads, and what is true",
                f"data 的类型是 {type(data).__name__}；请给出一对 (x, y)：模型的输入与真值",
            )
        if not is_whole(every, 1):
            raise InputError(
                f"every={every!r}: give a whole number from 1 up", f"every={every!r}：请给出不小于 1 的整数"
            )
        self.values: dict[str, float] = {}
        self._measure = Measure.of(metrics, task, options, "pingce.keras.Callback")
        self._groups, self._weight = Groups(group), one_weight(weight, sample_weight)
        self._measure.refuse_no_groups(self._groups, "group")
        self._measure.refuse_weight(self._weight)
        self._inputs, self._truth = data[0], np.asarray(data[1])
        self._batch_size, self._every, self._prefix = batch_size, every, prefix

    def on_epoch_end(self, epoch: int, logs: dict[str, float] | None = None) -> None:
        """Evaluate, unless it is the turn of a later epoch."""
        if (epoch + 1) % self._every:
            return
        predicted = np.asarray(self.model.predict(self._inputs, batch_size=self._batch_size, verbose=0))
        self.values = self._measure.values(self._truth, predicted, self._groups, self._weight)
        if logs is not None:
            logs.update({self._prefix + name: value for name, value in self.values.items()})
