"""What a task is: words for it, and where in each room its part is found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from importlib import import_module
from typing import Any

from pingce.base.records import dataclass
from pingce.base.text import Text

_PARTS = {
    "policies": "evidence.policies:{title}Policies",
    "metrics": "metrics.{name}",
    "tool_spellings": "conventions.declared:tool_spellings",
    "explain": "explanations.{name}.base:explain",
    "evaluate": "api:evaluate_{name}",
    "evaluator": "run.evaluators.rows:{title}Evaluator",
    "state": "run.states.{name}:{title}State",
    "scores": "scores.{name}:{title}Scores",
    "diagnosis": "diagnosis.{name}",
    "report": "html.{name}:{title}Report",
}
"Where a part of a task is, unless the task says otherwise: `module:name`."


@dataclass(frozen=True)
class Task:
    """One kind of evaluation. Its parts stand in rooms of the same names, and are imported when they are first wanted.

    So this room stands below all others, no room asks which task it is, and a new task is a module here with its parts.
    """

    name: str
    title: Text
    "Heading of its metrics."
    noun: Text
    "What is measured, in the middle of a sentence."
    parts: Mapping[str, str] = field(repr=False)
    "Those that stand elsewhere, and those that not every task has: curves, intervals."
    label: Text = Text("", "")
    "What the command line calls it, where it had to be inferred."
    of_rows: bool = True
    "Whether predictions are rows of a table; else lists of queries."
    marks: tuple[str, ...] = ()
    "Arguments that go with this task and not with all others, so that they tell which it is."
    predictions: tuple[type, ...] = ()
    "What the prediction of a row may be: `int`, whole numbers; `float`, fractions; `str`, words."

    signed_data: tuple[str, ...] = ("weight",)
    "What a signature may say of the data: whether rows were weighted, pairs excluded …"
    always_signed: tuple[str, ...] = ()
    "Those of them that every signature has."
    prediction_role: str = "y_pred"
    "The keyword of the predictions."
    required_roles: tuple[str, ...] = ()
    "Of the columns beside `y_true`."
    column_options: tuple[str, str] = ("true", "pred")
    "The options that name the columns of truth and predictions."

    def load(self, part: str) -> Any:
        """The object that stands for a part of this task in its room."""
        where = self.parts.get(part) or _PARTS[part].format(name=self.name, title=self.name.capitalize())
        module, _, name = where.partition(":")
        loaded = import_module(f"pingce.{module}")
        return getattr(loaded, name) if name else loaded
