"""Tables of predictions on the command line: which columns are meant, and one set of rows a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, TypeVar

from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.base.text import Text, listed
from pingce.cli.jobs import refuse_stdin_twice
from pingce.inputs.binary import BinaryRows, binary_rows
from pingce.inputs.columns import Reading, Wanted
from pingce.inputs.predictions import asked_slices, column_names, read_table, vector_of
from pingce.inputs.times import sliced_column
from pingce.inputs.vectors import Vector
from pingce.request import Request, gap_columns
from pingce.tasks import TASKS, Task
from pingce.tasks.columns import NO_COLUMNS, ColumnRole, ColumnRoles

_Rows = TypeVar("_Rows")
Models = tuple[dict[str, _Rows], list[Text]]


@dataclass(frozen=True)
class FileRows:
    """Several files of the same rows: matched by an id, or row by row where `paired` models need it."""

    id: str | None = None
    unmatched: str = "error"
    paired: bool = False

    @staticmethod
    def of(options: Mapping[str, Any], files: Sequence[str]) -> FileRows:
        """What was said; an id without several files is refused."""
        column, unmatched = options.get("id"), options.get("unmatched")
        if column is not None and len(files) == 1:
            raise InputError(
                "--id matches the rows of several prediction files, and there is one; leave it out",
                "--id 用于对齐多个预测文件的行，而这里只有一个文件；请去掉",
            )
        if unmatched is not None and column is None:
            raise InputError(
                "--unmatched goes with --id, which says by which column rows are matched",
                "--unmatched 须与 --id 同用：后者指明按哪一列对齐",
            )
        return FileRows(column, unmatched or "error", bool(options.get("paired")))


@dataclass(frozen=True)
class Columns:
    """What the command line says, or what was found: the truth, the predictions (a model each), and what goes with them."""

    truth: str
    predictions: tuple[str, ...]
    group: str | None = None
    weight: str | None = None
    more: tuple[str, ...] = ()
    numbers: str = "predictions"
    "What is read as numbers, in files that do not say: predictions, both them and the truth, or none."
    slices: tuple[str, ...] = ()
    "Columns that rows are sliced by."
    roles: Mapping[str, str] = field(default_factory=dict)
    "Those that the task declares, by role."
    declared: ColumnRoles = NO_COLUMNS
    fields: frozenset[str] = frozenset()
    "Those of `more` whose values are names, not numbers."
    files: FileRows = FileRows()
    "How rows of several files belong together; by default each file stands for itself."

    def words(self, task: Task) -> str:
        """How the columns were taken, in words."""
        truth, prediction = task.column_options
        parts = [f"{truth}={self.truth}", f"{prediction}={', '.join(self.predictions)}"]
        parts += [f"{role}={name}" for role, name in self.roles.items()]
        parts += [f"{role}={name}" for role, name in (("group", self.group), ("weight", self.weight)) if name]
        return ", ".join(parts)

    def slicing(self, by: Sequence[str] | None, read: Mapping[str, Vector]) -> dict[str, Any] | None:
        """What rows are sliced by: columns that were read, and what is counted and not read, as None."""
        columns = {} if by is None else {name: sliced_column(name) for name in by}
        return {name: read[column] if column in self.slices else None for name, column in columns.items()} or None

    def wanted(self) -> Wanted:
        """The columns to read; one that plays two roles is read as the other role wants it, not as a group or slice."""
        numbers = {
            "none": (),
            "predictions": tuple(name for name in self.predictions if name != self.truth),
            "both": (self.truth, *self.predictions),
        }[self.numbers]
        weights = (self.weight, *(name for name in self.more if name not in self.fields))
        numbers += tuple(name for name in weights if name is not None and name != self.truth)
        numbers += self.declared.of("numbers", self.roles)
        fields = (name for name in self.more if name in self.fields)
        ids = (self.group, *self.declared.of("ids", self.roles), *fields, *self.slices, self.files.id)
        group = tuple(name for name in ids if name is not None)
        return Wanted(
            tuple(dict.fromkeys([self.truth, *self.predictions, *group, *numbers, *self.roles.values()])),
            texts=tuple(dict.fromkeys(name for name in group if name not in (self.truth, *self.predictions, *numbers))),
            numbers=tuple(dict.fromkeys(numbers)),
        )


def columns_of(request: Request, files: Sequence[str], options: Mapping[str, Any]) -> Columns:
    """The columns of files, as the first has them, and how their rows belong together."""
    columns = columns_among(request, column_names(files[0], request.reading), options)
    return replace(columns, files=FileRows.of(options, files))


def columns_among(request: Request, present: Sequence[str], options: Mapping[str, Any]) -> Columns:
    """The columns that were named, or those that have a name which people use."""
    task, kind = request.task, request.task.load("state")
    truth_option, prediction_option = task.column_options
    truth = options[truth_option] or usual_column(kind.truth_names, present, f"--{truth_option}")
    predictions = options[prediction_option]
    if not predictions:
        others = [name for name in present if name != truth or name not in kind.prediction_names]
        predictions = (usual_column(kind.prediction_names, others, f"--{prediction_option}"),)
    slices = asked_slices(list(options.get("by") or ()) or None, named=True, built_in=kind.has_groups)
    both = "both" if "y_true" in kind.numbers else "none"
    more = dict.fromkeys(name for metric in request.metrics or () for name in metric.metric.needed_columns())
    roles = {role.name: options.get(role.name) or _usual_role(role, present) for role in task.columns}
    _refuse_several(task.columns, roles, predictions)
    return Columns(
        truth,
        tuple(predictions),
        options.get("group"),
        options["weight"],
        tuple(more),
        numbers="predictions" if task.prediction_role in kind.numbers and both == "none" else both,
        slices=tuple(dict.fromkeys(column for column in slices.values() if column is not None)),
        roles={role: name for role, name in roles.items() if name},
        declared=task.columns,
        fields=frozenset(name for metric in request.metrics or () for name in metric.metric.field_columns()),
    )


def _usual_role(role: ColumnRole, present: Sequence[str]) -> str | None:
    """The column of a role that nobody named; none of one that the task can do without."""
    return usual_column(role.names, present, role.flag) if role.required else None


def _refuse_several(declared: ColumnRoles, roles: Mapping[str, str | None], predictions: Sequence[str]) -> None:
    """Refuse several models of one file where a column belongs to one of them."""
    for role in declared:
        if role.of_model and roles.get(role.name) and len(predictions) > 1:
            raise InputError(
                f"{role.flag} belongs to one model, and {len(predictions)} are named ({', '.join(predictions)}); give each model a file of its "
                "own, in which these columns have the same names",
                f"{role.flag} 只属于一个模型，而这里有 {len(predictions)} 个（{'、'.join(predictions)}）；请为每个模型各给一个文件，其中列名相同",
            )


def task_by_columns(options: Mapping[str, Any]) -> str | None:
    """The task whose own columns were named, all of them; None where none was."""
    names = {role.name for task in TASKS.values() for role in task.columns if options.get(role.name)}
    if not names:
        return None
    tasks = [name for name, task in TASKS.items() if all(role in task.columns for role in names)]
    if len(tasks) > 1:
        tasks = [name for name in tasks if names.issuperset(TASKS[name].columns.required())] or tasks
    if len(tasks) != 1:
        flags = ", ".join(f"--{name.replace('_', '-')}" for name in sorted(names))
        en, zh = listed(tasks or TASKS)
        raise InputError(f"{flags}: say which task is meant with --task: {en}", f"{flags}：请用 --task 指明任务：{zh}")
    return tasks[0]


def with_gaps(request: Request, by: Sequence[str] | None) -> tuple[str, ...]:
    """The columns that rows are sliced by, with those that gaps go by."""
    return tuple(dict.fromkeys((*(by or ()), *gap_columns(request))))


def read_models(request: Request, files: Sequence[str], options: Mapping[str, Any]) -> Models[BinaryRows]:
    """Labels and scores: the rows of one model per score column and file; and how files were matched."""
    refuse_stdin_twice(files)
    columns = columns_of(request, files, options)

    def rows(read: Mapping[str, Vector], score: str) -> BinaryRows:
        truth = read[columns.truth]
        return binary_rows(
            truth,
            read[score],
            weight=read[columns.weight] if columns.weight else None,
            positive=typed_label(request.positive, truth),
        )

    return each_model(files, columns, request.reading, rows)


def each_model(
    files: Sequence[str], columns: Columns, reading: Reading, rows: Callable[[Mapping[str, Vector], str], _Rows]
) -> Models[_Rows]:
    """The rows of every prediction column of every file, by a short name; and how files were matched."""
    names = model_names(files, columns.predictions)
    if len(files) > 1 and (columns.files.id is not None or columns.files.paired):
        tables, notes = _same_rows(files, columns, reading)
        return {model: rows(tables[file], name) for model, (file, name) in names.items()}, notes
    models, read, last = {}, {}, None
    for model, (file, name) in names.items():
        if file != last:
            read, last = read_columns(files[file], columns.wanted(), reading), file
        models[model] = rows(read, name)
    return models, []


def _same_rows(
    files: Sequence[str], columns: Columns, reading: Reading
) -> tuple[Sequence[Mapping[str, Vector]], list[Text]]:
    """The columns of every file, with the same rows in the same order; and how they were matched."""
    from pingce.inputs.matched import Matching, refuse_other_order

    model_roles = {role.name for role in columns.declared if role.of_model}
    roles = [name for role, name in columns.roles.items() if role not in model_roles]
    shared = [columns.truth, columns.group, columns.weight, *columns.more, *columns.slices, *roles]
    alike = tuple(dict.fromkeys(name for name in shared if name is not None and name not in columns.predictions))
    tables: Sequence[Mapping[str, Vector]] = [read_columns(file, columns.wanted(), reading) for file in files]
    if columns.files.id is not None:
        return Matching(columns.files.id, alike, columns.files.unmatched).matched(tables, files)
    of_parts = any(role.unit and role.name in columns.roles for role in columns.declared)
    refuse_other_order(tables, files, alike, of_parts=of_parts)
    way = Text("; --id COLUMN matches rows by an id", "；用 --id COLUMN 可按编号对齐")
    way = Text("", "") if of_parts else way
    note = Text(
        f"the files are taken row by row, in the order they have{way.en}",
        f"各文件按行依次对应{way.zh}",
    )
    return tables, [note]


def model_names(files: Sequence[str], predictions: Sequence[str]) -> dict[str, tuple[int, str]]:
    """A short name for every prediction column of every file: which file, and which column."""
    from pingce.inputs.titles import TitledPath, short_names

    twice = next((name for i, name in enumerate(predictions) if name in predictions[:i]), None)
    if twice is not None:
        raise InputError(
            f"column '{twice}' is named twice; name each model once", f"列 '{twice}' 出现两次；每个模型只需指明一次"
        )
    models = {}
    for file, stem in enumerate(short_names(files)):
        for name in predictions:
            single = len(predictions) == 1
            alone = len(files) == 1 and not isinstance(files[0], TitledPath)
            model = name if alone else stem if single else f"{stem}:{name}"
            models[model] = (file, name)
    return models


def read_columns(file: str, wanted: Wanted, reading: Reading) -> dict[str, Vector]:
    """Some columns of a file, by name."""
    table, source = read_table(file, wanted, reading)
    return {name: vector_of(table, name, source) for name in wanted.columns}


def usual_column(names: Sequence[str], present: Sequence[str], option: str) -> str:
    """The column that nobody named, by the names that people use."""
    plain = {name.lower(): name for name in reversed(present)}
    for name in names:
        if name in plain:
            return plain[name]
    there = ", ".join(f"'{name}'" for name in present)
    raise InputError(
        f"say which column it is with {option}: none of {there} has a name that pingce knows ({', '.join(names)})",
        f"请用 {option} 指明列：{there} 中没有可识别的名称（{'、'.join(names)}）",
    )


def typed_label(positive: Any, truth: Vector) -> Any:
    """A label written on the command line, as the column has it."""
    if positive is None or not truth.is_array:
        return positive
    return plain_label(positive, boolean=truth.values.dtype.kind == "b")


def plain_label(text: str, *, boolean: bool) -> Any:
    """A label of a column that is not text: a number, true or false; else as it is written."""
    if boolean and text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else number
