"""Columns that only some tasks have: a task declares them, and every feed, call and command takes them from there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal, TypeAlias, TypeVar

from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.base.text import Text

_Value = TypeVar("_Value")
Values: TypeAlias = Literal["numbers", "ids", "labels"]
"What a column holds where a file does not say: numbers; ids, which are text; or whatever it looks like."


@dataclass(frozen=True)
class ColumnRole:
    """A column of one value per row: its keyword in calls, and its option on the command line."""

    name: str
    help: Text
    "A sentence for the command line: what it holds."
    values: Values = "numbers"
    required: bool = False
    unit: bool = False
    "Whether rows of a table with the same value here are one whole, which feeds keep together."
    names: tuple[str, ...] = ()
    "Names that people use, for one that nobody named; an optional column is never guessed."
    of_model: bool = False
    "Whether it belongs to the prediction, so that each of several models has its own."

    @property
    def flag(self) -> str:
        """Its option."""
        return f"--{self.name.replace('_', '-')}"


@dataclass(frozen=True)
class ColumnRoles:
    """The columns that a task declares, in their order."""

    roles: tuple[ColumnRole, ...] = ()

    def __iter__(self) -> Iterator[ColumnRole]:
        return iter(self.roles)

    def __contains__(self, name: object) -> bool:
        return any(role.name == name for role in self.roles)

    def among(self, arguments: Mapping[str, _Value]) -> dict[str, _Value]:
        """Those that stand among the arguments of a call, by keyword."""
        return {role.name: arguments[role.name] for role in self.roles if arguments.get(role.name) is not None}

    def of_model(self, columns: Mapping[str, object], model: str, models: Iterable[str]) -> dict[str, object]:
        """The columns of one of several models; where each has its own, they are given by the names of the models."""
        chosen = dict(columns)
        for role in (role for role in self.roles if role.of_model and role.name in columns):
            column, names = columns[role.name], list(models)
            if isinstance(column, Mapping) and set(column) == set(names):
                chosen[role.name] = column[model]
            elif isinstance(column, Mapping) or len(names) > 1:
                raise InputError(
                    f"{role.name}= belongs to one model: give a dict with a column for each of {', '.join(names)}",
                    f"{role.name}= 只属于一个模型：请给出字典，为 {'、'.join(names)} 各给一列",
                )
        return chosen

    def required(self) -> tuple[str, ...]:
        """Those that no call can do without."""
        return tuple(role.name for role in self.roles if role.required)

    @property
    def unit(self) -> str:
        """The one whose values say which rows of a table are one whole; empty where each is one by itself."""
        return next((role.name for role in self.roles if role.unit), "")

    def of(self, values: Values, names: Mapping[str, str]) -> tuple[str, ...]:
        """The names, among those of columns by role, of columns that hold such values."""
        return tuple(names[role.name] for role in self.roles if role.values == values and role.name in names)


NO_COLUMNS: Final = ColumnRoles()
"Of a task that has truth, prediction and weight only."
