"""What `pingce.explain` reads: its data under one name each, whatever a caller called it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, fields, replace
from typing import Any, TypeVar

from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.inputs.columns import Reading
from pingce.inputs.data import Column, one_weight
from pingce.inputs.item_names import item_facts, item_names
from pingce.inputs.predictions import Columns, chosen, refuse_lacking
from pingce.tasks import TASKS
from pingce.tasks.columns import NO_COLUMNS, ColumnRoles
from pingce.tasks.options import Keywords

_Rows = TypeVar("_Rows")
_MARKS = ("labels", "scores", "true", "pred")
"Names under which truth and prediction come where these say something about the task."
_READING = ("columns", "input_format", "encoding", "threads", "queries", "items", "sizes", "item_weight")


@dataclass(frozen=True, eq=False)
class ExplainInputs:
    """The arguments that hold data."""

    truth: Any = None
    prediction: Any = None
    query: str | int | None = None
    grades: Sequence[float | None] | None = None
    judged: Sequence[float] | None = None
    data: Any = None
    group: Any = None
    weight: Any = None
    group_weight: Mapping[str, Column] | None = None
    positive: Any = None
    proba: Any = None
    classes: Iterable[Any] | None = None
    of_class: Any = None
    of_group: Any = None
    exclude: Any = None
    item_weight: str | int | None = None
    train: Any = None
    catalog: Any = None
    by: Any = None
    items: Any = None
    reference: Any = None
    roles: Mapping[str, Column] = field(default_factory=dict)
    "Columns that a task declares, by role."
    reading: Reading = Reading()
    named: tuple[str, ...] = ()
    _rows: dict[Callable[..., Any], Any] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def among(cls, arguments: Keywords) -> ExplainInputs:
        """The data among the arguments of `explain`, some of which has several names there."""
        sides = {"truth": ("truth", "labels", "true"), "prediction": ("prediction", "scores", "pred")}
        data = {f.name: arguments[f.name] for f in fields(cls) if f.name in arguments}
        data |= {name: _one_of(arguments, *others) for name, others in sides.items()}
        data["weight"] = one_weight(arguments["weight"], arguments["sample_weight"])
        data["roles"] = {}
        for task in TASKS.values():
            data["roles"] |= task.columns.among(arguments["policies"])
        names = item_names(arguments["items"])
        data |= {"items": item_facts(arguments["items"])}
        table = arguments["data"] if arguments["sizes"] is not None or arguments["queries"] is not None else None
        reading = {name: names if name == "items" else arguments[name] for name in _READING}
        data["reading"] = Reading(**reading, table=table)
        return cls(**data, named=tuple(name for name in _MARKS if arguments[name] is not None))

    def marks(self) -> list[str]:
        """The arguments that say something about the task."""
        every = {name for task in TASKS.values() for name in task.marks}
        common = (f.name for f in fields(self) if f.name in every and getattr(self, f.name) is not None)
        return [*self.named, *common, *self.roles]

    def once(self, read: Callable[[ExplainInputs], _Rows]) -> _Rows:
        """What a function reads of these arguments, read once: two definitions are explained of the same rows."""
        if read not in self._rows:
            self._rows[read] = read(self)
        rows: _Rows = self._rows[read]
        return rows

    def read_columns(
        self, prediction: str, numbers: Sequence[str], declared: ColumnRoles = NO_COLUMNS, **more: Any
    ) -> Columns:
        """The columns of rows by role: y_true, that of the prediction, weight, those that a task declares, and more; some are read as numbers."""
        if self.truth is None or (self.prediction is None and self.proba is None):
            raise InputError("explain needs data: what is true and what was predicted", "讲解需要数据：真值与预测")
        refuse_lacking(declared, self.roles)
        wanted = {"y_true": self.truth, prediction: self.prediction, "weight": self.weight, **more}
        wanted |= declared.among(self.roles)
        return chosen(self.data, wanted, replace(self.reading, columns=None, threads=None), numbers, declared)


def _one_of(arguments: Keywords, *names: str) -> Any:
    """The argument that has one of several names."""
    names = tuple(name for name in names if arguments[name] is not None)
    if len(names) > 1:
        raise InputError(
            f"{names[0]} and {names[1]} are two names for the same; give one of them",
            f"{names[0]} 与 {names[1]} 是同一内容的两种写法；请只给一个",
        )
    return arguments[names[0]] if names else None
