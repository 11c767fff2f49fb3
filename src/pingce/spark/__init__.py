"""The evaluate calls on Spark data frames: the same numbers, to the last bit, as from one machine.

Executors turn rows into evidence, the driver merges it. Only the DataFrame API is used, so Spark Connect works too.
"""

from __future__ import annotations

from typing import Any

from pingce.tasks import TASKS

_TASKS = {f"evaluate_{name}": task for name, task in sorted(TASKS.items())}
__all__ = list(_TASKS)
__all__ += ["split"]


def __getattr__(name: str) -> Any:
    """The call of a task, or that which splits a log, imported when it is first used."""
    if name == "split":
        from pingce.spark.logs import split

        return split
    if name not in _TASKS:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    call = globals()[name] = _TASKS[name].load("spark")
    return call
