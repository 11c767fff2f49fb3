"""The tasks: the only list of them. A task is a module here, and a part in every room."""

from __future__ import annotations

from typing import Final

from pingce.base.errors import refuse_other
from pingce.tasks.base import Task
from pingce.tasks.binary import BINARY
from pingce.tasks.multiclass import MULTICLASS
from pingce.tasks.multilabel import MULTILABEL
from pingce.tasks.offpolicy import OFFPOLICY
from pingce.tasks.ranking import RANKING
from pingce.tasks.regression import REGRESSION
from pingce.tasks.uplift import UPLIFT

__all__ = ["TASKS", "Task", "checked_task"]

TASKS: Final[dict[str, Task]] = {
    task.name: task for task in (RANKING, BINARY, MULTICLASS, REGRESSION, UPLIFT, MULTILABEL, OFFPOLICY)
}


def checked_task(name: object) -> Task:
    """The task of this name; another word is refused."""
    refuse_other("task", name, TASKS)
    return TASKS[str(name)]
