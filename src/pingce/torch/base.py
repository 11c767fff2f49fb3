"""The class that metrics in torch inherit from: that of torchmetrics, or, without it, as much of it as a loop needs."""

from __future__ import annotations

from contextlib import suppress
from functools import wraps
from typing import Any, Final

import torch
from torch import distributed

__all__ = ["OPTIONS", "Base", "PlainMetric", "gather_bytes"]

OPTIONS: Final = (
    "compute_on_cpu",
    "compute_with_cache",
    "dist_sync_fn",
    "dist_sync_on_step",
    "distributed_available_fn",
    "process_group",
    "sync_on_compute",
)
"Keywords of torchmetrics.Metric."


def gather_bytes(data: torch.Tensor, group: Any = None) -> list[torch.Tensor]:
    """The bytes of all processes, by rank; lengths may differ."""
    size = torch.tensor([len(data)], device=data.device)
    sizes = [torch.zeros_like(size) for _ in range(distributed.get_world_size(group))]
    distributed.all_gather(sizes, size, group=group)
    longest = max(int(each) for each in sizes)
    padded = torch.zeros(longest, dtype=torch.uint8, device=data.device)
    padded[: len(data)] = data
    parts = [torch.zeros_like(padded) for _ in sizes]
    distributed.all_gather(parts, padded, group=group)
    return [part[: int(each)] for part, each in zip(parts, sizes, strict=True)]


class PlainMetric(torch.nn.Module):  # type: ignore[misc]
    """What of `torchmetrics.Metric` a loop without torchmetrics needs: its keywords, and `compute` over all processes."""

    def __init__(self, **options: Any) -> None:
        super().__init__()
        self.process_group = options.get("process_group")
        self.dist_sync_fn = options.get("dist_sync_fn") or gather_bytes
        self.sync_on_compute = self._to_sync = options.get("sync_on_compute", True)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "compute" in vars(cls):
            cls.compute = _synced(cls.compute)

    def forward(self, *columns: Any, **more: Any) -> Any:
        """See a batch, and give its own value."""
        self.update(*columns, **more)
        state, self._to_sync = self._copy_state_dict(), False
        try:
            self.reset()
            self.update(*columns, **more)
            return self.compute()
        finally:
            self.__dict__.update(state)
            self._to_sync = self.sync_on_compute

    def reset(self) -> None:
        """Nothing is kept here."""


def _synced(compute: Any) -> Any:
    """The value of what all processes have seen; afterwards each has its own again."""

    @wraps(compute)
    def computed(metric: Any) -> Any:
        if not (metric._to_sync and distributed.is_available() and distributed.is_initialized()):
            return compute(metric)
        state = metric._copy_state_dict()
        metric._sync_dist(metric.dist_sync_fn, metric.process_group)
        try:
            return compute(metric)
        finally:
            metric.__dict__.update(state)

    return computed


Base: Any = PlainMetric
"What metrics inherit from."
with suppress(ImportError):
    from torchmetrics import Metric as Base  # type: ignore[no-redef]
