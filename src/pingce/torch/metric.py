"""A metric of torchmetrics over pingce's evaluators."""

from __future__ import annotations

from functools import wraps
from typing import Any, ClassVar

import torch
from torch import distributed

from pingce.base.errors import InputError
from pingce.inputs.data import one_weight
from pingce.request import MetricNames
from pingce.torch.base import OPTIONS, Base
from pingce.torch.inbox import checked_tensor
from pingce.torch.rows import SeenRows
from pingce.training.measure import NO_GROUPS, Measure

_ORDERED = ("id", "id_ascending", "order")
"Policies of ties by which items need ids, or a place."


class Metric(Base):  # type: ignore[misc]
    """Sees batches of predictions while a model trains; `compute` gives what `pc.evaluate_…` gives of all rows, on any number of processes.

    A module of torchmetrics: it goes into a `MetricCollection` and into Lightning's `self.log`; without torchmetrics it works in plain loops.
    `metrics` is a name, whose value `compute` gives as a float64 tensor, or several, whose values come as a dict. `task` is the first that has
    them: `recall` is that of labels, `recall@10` that of rankings. `options` are policies of the task's evaluate call, `convention`, `positive`,
    `labels`, and the keywords of torchmetrics.Metric.

    Tensors of a GPU are kept there and copied in large pieces: `update` does not wait for the device. They are not to be written to before `compute`;
    where that is seen it is refused, and where it cannot be seen (CUDA graphs write to the same memory again) give clones. Under DDP the bytes of all processes'
    evaluators are merged, which is exact: users of GAUC, and queries, may be spread over batches and processes. Values of single
    batches, which `forward` gives, have no such meaning for ranks.

    >>> import torch, pingce.torch
    >>> metric = pingce.torch.Metric("gauc")
    >>> metric.update(torch.tensor([0.9, 0.8]), torch.tensor([1, 0]), torch.tensor([7, 8]))
    >>> metric.update(torch.tensor([0.1, 0.7]), torch.tensor([0, 1]), torch.tensor([7, 8]))
    >>> metric.compute()
    tensor(1., dtype=torch.float64)
    """

    is_differentiable: ClassVar[bool] = False
    full_state_update: ClassVar[bool] = True
    "So that torchmetrics takes the value of a batch from the batch alone, and never adds states itself."

    def __init__(self, metrics: MetricNames, *, task: str | None = None, **options: Any) -> None:
        library = {name: options.pop(name) for name in OPTIONS if name in options}
        measure = Measure.of(metrics, task, options, "pingce.torch.Metric")
        super().__init__(**library)
        self._measure = measure
        self._has_groups, self._of_rows = measure.needs_groups, measure.request.task.of_rows
        self._dimensions = 2 if str in measure.request.task.predictions else 1
        self._is_single = isinstance(metrics, str) and len(measure.names) == 1
        self._seen = SeenRows.of(measure.request)

    @property
    def higher_is_better(self) -> bool | None:
        """Whether more of the first metric is better."""
        return self._measure.metrics[0].higher_is_better

    @property
    def metric_state(self) -> dict[str, SeenRows]:
        """What it has seen."""
        return self._copy_state_dict()

    def update(
        self,
        preds: Any,
        target: Any,
        indexes: Any = None,
        *,
        items: Any = None,
        weight: Any = None,
        sample_weight: Any = None,
    ) -> None:
        """See a batch: predictions first, as everywhere in torchmetrics.

        `indexes` has the user or query of each row, `items` the item of each row of a ranking, `weight` (or `sample_weight`) how often a row counts. Classes
        have probabilities as a matrix. Nothing is read before `compute`: that is where NaN is refused, by batch and row.
        """
        if self._has_groups and indexes is None:
            self._measure.refuse_no_groups(NO_GROUPS, "indexes")
        columns = {
            "preds": checked_tensor(preds, "preds", self._dimensions),
            "target": checked_tensor(target, "target"),
        }
        if self._has_groups:
            columns["indexes"] = checked_tensor(indexes, "indexes")
        if weight is not None or sample_weight is not None:
            columns["weight"] = checked_tensor(one_weight(weight, sample_weight), "weight")
        if items is not None and not self._of_rows:
            columns["items"] = checked_tensor(items, "items")
        rows = columns["preds"].shape[0]
        for name, column in columns.items():
            if column.shape[0] != rows:
                raise InputError(
                    f"preds has {rows} rows, but {name} has {column.shape[0]}; give one value of each a row",
                    f"preds 有 {rows} 行，而 {name} 有 {column.shape[0]} 行；请每行各给一个值",
                )
        if not self._of_rows:
            self._refuse_unordered("items" in columns)
            self._measure.refuse_weight(columns.get("weight"))
        if rows:
            self._seen.add(columns)

    def _refuse_unordered(self, has_items: bool) -> None:
        """Refuse to order equal scores by ids that are not there, be it a policy of the call or of one metric."""
        orders = [ties for ties in self._measure.ties if ties in _ORDERED]
        if orders and not has_items:
            raise InputError(
                f"ties={orders[0]} orders equal scores by items, and this batch has none; give items=, the item of each row, or choose "
                "ties=expected, worst or best",
                f"ties={orders[0]} 按条目给相同分数排序，而这一批没有条目；请给出 items=（每行的条目），或选择 ties=expected、worst、best",
            )

    def compute(self) -> Any:
        """The value, or a dict of values by name, of all rows that all processes have seen."""
        evaluator = self._seen.evaluator()
        scores = evaluator.score() if self._measure.warned else evaluator.compute()
        self._measure.warned.append(True)
        values = {name: self._tensor(scores[name]) for name in self._measure.names}
        return values[self._measure.names[0]] if self._is_single else values

    def _tensor(self, value: float) -> torch.Tensor:
        device = getattr(self, "device", torch.device("cpu"))
        kind = torch.float32 if device.type == "mps" else torch.float64  # which has no doubles
        return torch.tensor(value, dtype=kind, device=device)

    def reset(self) -> None:
        """Forget all rows."""
        super().reset()
        self._seen = SeenRows.of(self._measure.request)

    def merge_state(self, incoming_state: Any) -> None:
        """See what another metric has seen."""
        state = incoming_state if isinstance(incoming_state, dict) else incoming_state.metric_state
        self._seen.merge(state["_seen"])
        self._computed = None

    def _wrap_update(self, update: Any) -> Any:
        """What torchmetrics wants to know of every update, without what it does for metrics that compute in it.

        Its own way, through attributes of a module and a switch of gradients, takes longer than the update.
        """

        @wraps(update)
        def counted(*columns: Any, **more: Any) -> None:
            state = self.__dict__
            state["_computed"] = None
            state["_update_count"] += 1
            update(*columns, **more)

        return counted

    def _copy_state_dict(self) -> dict[str, SeenRows]:
        """The state, which torchmetrics sets aside and back again: a new one takes its place, so that nothing needs a copy."""
        return {"_seen": self._seen}

    def _sync_dist(self, dist_sync_fn: Any = None, process_group: Any = None) -> None:
        """Merge what all processes have seen."""
        group = process_group or self.process_group
        data = self._seen.to_tensor()
        if distributed.is_initialized() and distributed.get_backend(group) == "nccl":
            data = data.cuda()
        self._seen = SeenRows.from_tensors(self._measure.request, dist_sync_fn(data, group=group))
