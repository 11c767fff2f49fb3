"""Several processes that train together: `python -m tests.training.processes` prints what each number of them computes, as JSON.

They are forked after torch was imported once, and speak to each other by gloo.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import distributed

from pingce.torch import Metric

ROWS, BATCH = 1200, 64
NAMES = {
    "binary": ["gauc", "auc", "logloss", "pr_auc"],
    "ranking": ["ndcg@10", "mrr", "map"],
    "regression": ["rmse", "mae", "spearman"],
    "multiclass": ["accuracy", "f1(average=macro)"],
}


@cache
def columns(task: str) -> list[Any]:
    """Predictions, truth and groups: users and queries are spread over all batches, and many scores are equal."""
    random = np.random.default_rng(19)
    scores = random.random(ROWS).astype(np.float32).round(1)
    if task == "multiclass":
        scores = random.dirichlet(np.ones(4), ROWS).astype(np.float32)
    truth = {"binary": random.integers(0, 2, ROWS), "regression": random.random(ROWS)}
    return [scores, truth.get(task, random.integers(0, 4, ROWS)), random.integers(0, 40, ROWS)]


def seen(metric: Metric, task: str, batches: Sequence[int]) -> None:
    """Give a metric some of the batches."""
    for number in batches:
        rows = slice(number * BATCH, (number + 1) * BATCH)
        metric.update(*(torch.from_numpy(column[rows]) for column in columns(task)))


def values(task: str, rank: int, count: int) -> dict[str, Any]:
    """What one of several processes computes; the last of three or more has no rows at all."""
    metric = Metric(NAMES[task], task=task)
    working = count - 1 if count > 2 else count
    batches = range(-(-ROWS // BATCH))
    if rank < working:
        seen(metric, task, batches[rank::working])
    first = {name: float(value).hex() for name, value in metric.compute().items()}
    again = {name: float(value).hex() for name, value in metric.compute().items()}
    assert first == again
    return first


def process(rank: int, count: int, folder: Path) -> None:
    """The work of one process: the values of all tasks, into a file."""
    distributed.init_process_group(
        "gloo", init_method=f"file://{folder}/meeting", rank=rank, world_size=count, group_name=str(count)
    )
    document = {task: values(task, rank, count) for task in NAMES}
    (folder / f"{rank}.json").write_text(json.dumps(document))
    distributed.destroy_process_group()


def together(count: int) -> list[Any]:
    """What each of so many processes computes."""
    with tempfile.TemporaryDirectory() as name:
        folder, children = Path(name), []
        for rank in range(count):
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    process(rank, count, folder)
                    code = 0
                finally:
                    os._exit(code)
            children.append(child)
        failed = [rank for rank, child in enumerate(children) if os.waitpid(child, 0)[1]]
        if failed:
            raise SystemExit(f"processes {failed} of {count} failed")
        return [json.loads((folder / f"{rank}.json").read_text()) for rank in range(count)]


if __name__ == "__main__":
    torch.set_num_threads(1)
    for each in NAMES:
        values(each, 0, 1)  # so that the children import nothing
    sys.stdout.write(json.dumps({count: together(int(count)) for count in sys.argv[1:]}))
