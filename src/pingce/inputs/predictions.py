"""Tables of predictions: some of the columns of a file, a data frame or an Arrow table, a role each."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.columns import Reading, Source, Wanted, no_rows, rows_of
from pingce.inputs.data import Column, RowData
from pingce.inputs.names import refuse_absent
from pingce.inputs.times import in_slices_of_time, sliced_column
from pingce.inputs.vectors import Vector, arrow_column, from_arrow
from pingce.tasks.columns import NO_COLUMNS, ColumnRoles

Columns = dict[str, Column]
Naming = Callable[[Columns, Any], Columns]
"What messages call the columns of a batch."
SLICE = "slice."
"How roles of columns to slice by begin; a column that plays another role too is read as that wants it."
FIELD = "field."
"How roles of columns begin whose values metrics take for names of fields."
_OF_METRICS = ("by.", FIELD)
"Columns that metrics name: where there is no table, they are given beside."
ACTIVITY = "activity"
"Slices by how many rows a group has."
_TEXTS = ("group",)
_NUMBERS = ("y_score", "weight")
"Roles whose columns are read as text or as numbers where a file does not say."


def chosen(
    data: Any,
    wanted: Columns,
    reading: Reading,
    numbers: Sequence[str] = _NUMBERS,
    declared: ColumnRoles = NO_COLUMNS,
    *,
    texts: Sequence[str] = _TEXTS,
) -> Columns:
    """The columns of each role: as they were given, or, where there is a table, those that are named by a string."""
    if data is None:
        for role, column in wanted.items():
            if isinstance(column, str) and role.startswith(SLICE):
                raise InputError(
                    f"by={column!r} is the name of a column: give the table too, with data=, or give the column itself",
                    f"by={column!r} 是列名：请同时用 data= 给出表，或直接给出该列",
                )
            if isinstance(column, str) and not role.startswith(_OF_METRICS):
                raise InputError(
                    f"{role}={column!r} is the name of a column: give the table too, with data=",
                    f"{role}={column!r} 是列名：请同时用 data= 给出表",
                )
        return {role: column for role, column in wanted.items() if not role.startswith(_OF_METRICS)}
    names = {role: column for role, column in wanted.items() if isinstance(column, str)}
    roles = {name for role, name in names.items() if not role.startswith(SLICE)}
    slices = [name for role, name in names.items() if role.startswith(SLICE) and name not in roles]
    wanted_columns = Wanted(
        tuple(dict.fromkeys(names.values())),
        texts=(
            *(name for role, name in names.items() if role in texts or role.startswith(FIELD)),
            *declared.of("ids", names),
            *slices,
        ),
        numbers=(
            *(name for role, name in names.items() if role in numbers or role.startswith("by.")),
            *declared.of("numbers", names),
        ),
    )
    table, source = read_table(data, wanted_columns, Reading(None, reading.input_format, reading.encoding))
    return {**wanted, **{role: vector_of(table, name, source) for role, name in names.items()}}


@dataclass(frozen=True)
class Roles:
    """What a task reads of a table of predictions, under the names that messages have for it."""

    prediction: str = "y_pred"
    numbers: Sequence[str] = _NUMBERS
    "Roles whose columns are read as numbers where a file does not say."
    grouped: bool = False
    "Whether rows have groups."
    activity: bool = False
    "Whether rows may be sliced by the activity of their groups."
    needed: Sequence[str] = ()
    "Columns of numbers that metrics read."
    fields: Sequence[str] = ()
    "Columns of names that metrics read."
    declared: ColumnRoles = NO_COLUMNS
    "Columns that the task declares."

    def read(self, table: RowData, reading: Reading, named: Naming | None = None) -> RowData:
        """The columns themselves in place of their names; `named` says what messages call them."""
        slices = asked_slices(table.by, named=table.data is not None, built_in=self.activity)
        wanted = {"y_true": table.truth, self.prediction: table.prediction}
        wanted |= {"group": table.group} if self.grouped else {}
        wanted |= {role.name: table.roles.get(role.name) for role in self.declared}
        wanted |= {"weight": table.weight} | {f"by.{name}": name for name in self.needed}
        wanted |= {FIELD + name: name for name in self.fields}
        wanted |= {SLICE + name: column for name, column in slices.items() if column is not None}
        refuse_lacking(self.declared, table.roles)
        columns = chosen(table.data, wanted, reading, self.numbers, self.declared)
        columns = columns if named is None else named(columns, table.data)
        roles = {f"by.{name}": name for name in self.needed} | {FIELD + name: name for name in self.fields}
        more = {name: columns[role] for role, name in roles.items() if role in columns}
        return replace(
            table,
            truth=columns["y_true"],
            prediction=columns[self.prediction],
            weight=columns["weight"],
            by={name: in_slices_of_time(name, columns.get(SLICE + name)) for name in slices},
            group=columns.get("group"),
            group_weight={**(table.group_weight or {}), **more},
            roles=self.declared.among(columns),
        )


def refuse_lacking(declared: ColumnRoles, columns: Mapping[str, Column]) -> None:
    """Refuse data without a column that its task cannot do without."""
    for role in declared:
        if role.required and columns.get(role.name) is None:
            raise InputError(
                f"{role.name}= ({role.flag}) is missing: {role.help.en}",
                f"缺少 {role.name}=（{role.flag}）：{role.help.zh}",
            )


def asked_slices(by: Any, *, named: bool, built_in: bool = True) -> Columns:
    """What a caller wants rows sliced by, by name: the name of a column where there is a table (`named`), or a column.

    None stands for the activity of groups, which is counted and not read. `time:1d` is by days of the column `time`.
    """
    if by is None:
        return {}
    if isinstance(by, Mapping):
        return {str(name): column for name, column in by.items()}
    several = named and isinstance(by, (list, tuple)) and by and all(isinstance(name, str) for name in by)
    if isinstance(by, str) or several:
        names = [by] if isinstance(by, str) else list(by)
        if len(set(names)) < len(names):
            raise InputError("by names a column twice; name each once", "by 中有列出现两次；每列只需一次")
        return {name: None if built_in and name == ACTIVITY else sliced_column(name) for name in names}
    return {str(getattr(by, "name", None) or "by"): by}


def vector_of(table: Any, name: str, source: Source) -> Vector:
    """A column of an Arrow table, called by its name and that of the table."""
    title = Text(f"column '{name}' of {source.name.en}", f"{source.name.zh} 的列 '{name}'")
    return Vector(from_arrow(table.column(name)), title, source.place, name)


def read_table(data: Any, wanted: Wanted, reading: Reading) -> tuple[Any, Source]:
    """Columns of a path, a data frame or an Arrow table, as an Arrow table, and where it came from."""
    if isinstance(data, (str, os.PathLike)):
        from pingce.inputs import paths

        table, source = paths.read_columns(data, wanted, reading)
    else:
        table, source = _from_frame(data, wanted.columns)
    if table.num_rows == 0:
        raise no_rows(source.name)
    return table, source


def column_names(data: Any, reading: Reading) -> list[str]:
    """The columns that a table has."""
    if isinstance(data, (str, os.PathLike)):
        from pingce.inputs import paths

        return paths.column_names(data, reading)
    if isinstance(data, Mapping):
        return [str(column) for column in data]
    columns = getattr(data, "column_names", None) if hasattr(data, "column_names") else getattr(data, "columns", None)
    if columns is None:
        raise _no_table(type(data).__name__)
    return [str(column) for column in columns]


def _from_frame(data: Any, names: Sequence[str]) -> tuple[Any, Source]:
    from pingce.inputs.frames import chosen_columns, frame_columns, is_frame

    kind = type(data).__name__
    name = Text(f"the table ({kind})", f"表（{kind}）")
    if isinstance(data, Mapping):
        return _from_dict(data, names, name), rows_of(name)
    if not is_frame(data):
        raise _no_table(kind)
    data, present = frame_columns(data, "predictions")
    refuse_absent(names, present, name)
    return chosen_columns(data, list(names), name), rows_of(name)


def _no_table(kind: str) -> InputError:
    return InputError(
        f"data is {kind}, which pingce cannot read as a table; give a path, a data frame, an Arrow table or a dict of columns",
        f"data 是 {kind}，无法作为表读取；请给出路径、数据框、Arrow 表或列的字典",
    )


def _from_dict(data: Mapping[Any, Any], names: Sequence[str], name: Text) -> Any:
    by_name = {str(column): column for column in data}
    refuse_absent(names, list(by_name), name)
    columns = [arrow_column(data[by_name[column]], Text(f"column '{column}'", f"列 '{column}'")) for column in names]
    for column, values in zip(names, columns, strict=True):
        if len(values) != len(columns[0]):
            raise InputError(
                f"{name.en}: column '{names[0]}' has {len(columns[0])} rows, but column '{column}' has {len(values)}; "
                "give one value of each a row",
                f"{name.zh}：列 '{names[0]}' 有 {len(columns[0])} 行，而列 '{column}' 有 {len(values)} 行；请每行各给一个值",
            )
    return pa.table(columns, names=list(names))
