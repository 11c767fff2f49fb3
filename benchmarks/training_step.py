"""What `pingce.torch.Metric.update` costs in a training loop on a GPU: `python benchmarks/training_step.py`, with torch alone.

A small click model is trained on batches of 8,192 rows, in turns with and without the metric, and torch raises an error if an update waits for the device.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import torch

from pingce.torch import Metric

ROWS, FIELDS, IDS, WIDTH = 8192, 10, 100_000, 16
STEPS, TURNS = 200, 6


class Kept:
    """The least that any metric can do: keep the predictions."""

    def __init__(self) -> None:
        self.kept: list[torch.Tensor] = []

    def update(self, predicted: torch.Tensor, clicks: torch.Tensor, users: torch.Tensor) -> None:
        """Append them."""
        self.kept.append(predicted.detach())


class Clicks(torch.nn.Module):  # type: ignore[misc]
    """An embedding for each of ten fields, and three layers."""

    def __init__(self) -> None:
        super().__init__()
        self.table = torch.nn.Embedding(IDS, WIDTH)
        self.layers = torch.nn.Sequential(
            torch.nn.Linear(FIELDS * WIDTH, 256), torch.nn.ReLU(), torch.nn.Linear(256, 128), torch.nn.ReLU(),
            torch.nn.Linear(128, 1),
        )  # fmt: skip

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """A probability for each row."""
        return torch.sigmoid(self.layers(self.table(ids).flatten(1)))[:, 0]


def block(model: Clicks, optimizer: Any, batch: tuple[torch.Tensor, ...], metric: Any) -> tuple[float, float]:
    """Seconds of so many steps, and those of them that updates took of the caller's time."""
    ids, clicks, users = batch
    torch.cuda.synchronize()
    begin, inside = time.perf_counter(), 0.0
    for _ in range(STEPS):
        optimizer.zero_grad(set_to_none=True)
        predicted = model(ids)
        torch.nn.functional.binary_cross_entropy(predicted, clicks).backward()
        optimizer.step()
        if metric is not None:
            start = time.perf_counter()
            metric.update(predicted, clicks, users)
            inside += time.perf_counter() - start
    torch.cuda.synchronize()
    return time.perf_counter() - begin, inside


def main() -> None:
    """Print the figures as JSON."""
    device = torch.device("cuda")
    model = Clicks().to(device)
    optimizer = torch.optim.Adam(model.parameters())
    ids = torch.randint(0, IDS, (ROWS, FIELDS), device=device)
    clicks, users = (
        torch.randint(0, 2, (ROWS,), device=device).float(),
        torch.randint(0, 50_000, (ROWS,), device=device),
    )
    kinds: dict[str, Any] = {"bare": None, "kept": Kept(), "metric": Metric("gauc")}
    torch.cuda.set_sync_debug_mode("error")
    times: dict[str, list[tuple[float, float]]] = {kind: [] for kind in kinds}
    for _ in range(TURNS):
        for kind, metric in kinds.items():
            times[kind].append(block(model, optimizer, (ids, clicks, users), metric))
    torch.cuda.set_sync_debug_mode("default")
    steps = {kind: [total / STEPS * 1e3 for total, _ in blocks[1:]] for kind, blocks in times.items()}
    result: dict[str, Any] = {f"{kind}_ms": [min(of), sorted(of)[len(of) // 2]] for kind, of in steps.items()}
    result |= {
        f"{kind}_update_us": min(inside for _, inside in times[kind][1:]) / STEPS * 1e6 for kind in ("kept", "metric")
    }
    sys.stdout.write(json.dumps({"device": torch.cuda.get_device_name(), **result}, indent=1) + "\n")
    metric = kinds["metric"]
    begin = time.perf_counter()
    value = metric.compute()
    rows = TURNS * STEPS * ROWS
    sys.stdout.write(f"gauc of {rows} rows: {float(value):.6f}, {time.perf_counter() - begin:.2f} s\n")


if __name__ == "__main__":
    main()
