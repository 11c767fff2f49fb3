"""What `pingce.explain` reads: its data under one name each, whatever a caller called it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from pingce.base.errors import InputError
from pingce.inputs.data import one_weight
from pingce.tasks import TASKS

_Rows = TypeVar("_Rows")


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
    group_weight: Mapping[str, Any] | None = None
    positive: Any = None
    proba: Any = None
    classes: Iterable[Any] | None = None
    of_class: Any = None
    of_group: Any = None
    exclude: Any = None
    columns: Mapping[str, str | int] | None = None
    input_format: str | None = None
    encoding: str | None = None
    threads: int | None = None
    queries: Any = None
    items: Any = None
    named: tuple[str, ...] = ()
    "Names under which truth and prediction came, where these say something about the task."
    _rows: dict[Callable[..., Any], Any] = field(default_factory=dict, init=False, repr=False)

    @classmethod
    def among(cls, arguments: Mapping[str, Any]) -> ExplainInputs:
        """The data among the arguments of `explain`, some of which has several names there."""
        data = {f.name: arguments[f.name] for f in fields(cls) if f.name in arguments}
        data["truth"] = _one_of(arguments, "truth", "labels", "true")
        data["prediction"] = _one_of(arguments, "prediction", "scores", "pred")
        data["weight"] = one_weight(arguments["weight"], arguments["sample_weight"])
        marks = ("labels", "scores", "true", "pred")
        return cls(**data, named=tuple(name for name in marks if arguments[name] is not None))

    def marks(self) -> list[str]:
        """The arguments that say something about the task."""
        every = {name for task in TASKS.values() for name in task.marks}
        return [*self.named, *(f.name for f in fields(self) if f.name in every and getattr(self, f.name) is not None)]

    def once(self, read: Callable[[ExplainInputs], _Rows]) -> _Rows:
        """What a function reads of these arguments, read once: two definitions are explained of the same rows."""
        if read not in self._rows:
            self._rows[read] = read(self)
        rows: _Rows = self._rows[read]
        return rows

    def read_columns(
        self, prediction: str, more: Mapping[str, Any] | None = None, numbers: Sequence[str] = ()
    ) -> dict[str, Any]:
        """The columns of rows by name: y_true, what the prediction is called, weight, and more."""
        from pingce.inputs.columns import Reading
        from pingce.inputs.predictions import chosen

        if self.truth is None or (self.prediction is None and self.proba is None):
            raise InputError(
                "explain needs data: what is true and what was predicted",
                "讲解需要数据：真值与预测",
            )
        wanted = {"y_true": self.truth, prediction: self.prediction, "weight": self.weight, **(more or {})}
        reading = Reading(None, self.input_format, self.encoding)
        return chosen(self.data, wanted, reading, *([numbers] if numbers else []))


def _one_of(arguments: Mapping[str, Any], *names: str) -> Any:
    """The argument that has one of several names."""
    names = tuple(name for name in names if arguments[name] is not None)
    if len(names) > 1:
        raise InputError(
            f"{names[0]} and {names[1]} are two names for the same; give one of them",
            f"{names[0]} 与 {names[1]} 是同一内容的两种写法；请只给一个",
        )
    return arguments[names[0]] if names else None
