"""What a task is: words for it, and where in each room its part is found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from importlib import import_module
from typing import Any

from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.tasks.columns import NO_COLUMNS, ColumnRoles

_PARTS = {
    "policies": ("evidence.policies", "{title}Policies"),
    "metrics": ("metrics.{name}", ""),
    "tool_spellings": ("conventions.declared", "tool_spellings"),
    "explain": ("explanations.{name}.base", "explain"),
    "evaluate": ("api", "evaluate_{name}"),
    "evaluator": ("run.evaluators.rows", "{title}Evaluator"),
    "state": ("run.states.{name}", "{title}State"),
    "scores": ("scores.{name}", "{title}Scores"),
    "diagnosis": ("diagnosis.{name}", ""),
    "report": ("html.{name}", "{title}Report"),
    "figure": ("curves.values", "plot_values"),
    "spark": ("spark.api", "evaluate_{name}"),
}
"The module of a part and its name there, unless the task says otherwise."
_SHARED = ("tool_spellings", "figure")
"Parts that tasks have in common, wherever they stand."


@dataclass(frozen=True)
class Task:
    """One kind of evaluation. Its parts stand in rooms of the same names or all in one folder, and are imported when they are first wanted.

    So this room stands below all others, no room asks which task it is, and a new task is a folder here.
    """

    name: str
    title: Text
    "Heading of its metrics."
    noun: Text
    "What is measured, in the middle of a sentence."
    sides: Text
    "What its call compares."
    parts: Mapping[str, str] = field(repr=False, default_factory=dict)
    "Those that stand elsewhere, as `module:name`, and those that not every task has: curves, what they are drawn of (curve_evidence), intervals."
    in_folder: bool = False
    "Whether its parts are modules of a folder of its name, called like them."
    label: Text = Text("", "")
    "What the command line calls it, where it had to be inferred."
    of_rows: bool = True
    "Whether predictions are rows of a table; else lists of queries."
    of_matrices: bool = False
    "Whether truth and predictions may be matrices, without the columns that single values per row need beside them."
    marks: tuple[str, ...] = ()
    "Arguments that go with this task and not with all others, so that they tell which it is."
    hints: tuple[str, ...] = ()
    "Keywords of its call by which a caller of `pc.evaluate` shows that it is meant."
    predictions: tuple[type, ...] = ()
    "What the prediction of a row may be: `int`, whole numbers; `float`, fractions; `str`, words."

    example: str = "METRIC"
    "A metric that everybody knows, for examples."
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
    curves: Mapping[str, Text] = field(repr=False, default_factory=dict)
    "Titles of the curves that the command line draws of its rows, by kind."
    columns: ColumnRoles = NO_COLUMNS
    "Columns beside truth, prediction and weight that its calls take; feeds and commands follow from the declaration."

    def takes(self, argument: str) -> bool:
        """Whether an argument that not all tasks have goes with this one."""
        return argument in self.marks or argument in self.columns

    def place(self, part: str) -> tuple[str, str]:
        """The module of a part and its name there; without a name the module is the part."""
        if part in self.parts:
            module, _, name = self.parts[part].partition(":")
            return f"pingce.{module}", name
        module, name = (words.format(name=self.name, title=self.name.capitalize()) for words in _PARTS[part])
        return (
            f"pingce.{self.name}.{part}" if self.in_folder and part not in _SHARED else f"pingce.{module}",
            name,
        )

    def load(self, part: str) -> Any:
        """The object that stands for a part of this task in its room."""
        module, name = self.place(part)
        loaded = import_module(module)
        return getattr(loaded, name) if name else loaded
