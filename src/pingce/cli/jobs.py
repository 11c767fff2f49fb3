"""What a command has read and can score: the same shape for every task and every engine."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, fields
from typing import TYPE_CHECKING, Any

import click

from pingce.base.errors import InputError
from pingce.base.progress import stepwise
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.cli.options import OPTIONS, ROWS, are_rows, refuse_out_of_place
from pingce.cli.output import Style
from pingce.cli.progress import Progress
from pingce.inputs.columns import Reading
from pingce.request import Intervals, Limits, Request
from pingce.run.shorthands import with_shorthands
from pingce.tasks import TASKS

if TYPE_CHECKING:
    from pingce.scores import Scores


@dataclass(frozen=True)
class Job:
    """Runs or models that were read, by name, each as a function that scores it."""

    request: Request
    models: Mapping[str, Callable[[Request], Scores]]
    notes: list[Text] = field(default_factory=list)
    "What is found out while models are scored."
    left_out: tuple[str, ...] = ()
    "Usual metrics that the data does not have."
    are_rivals: bool = True
    "Whether models do the same task, so that one of them is best."
    style: Style = Style("table")
    reading: tuple[Text, ...] = ()
    "How the data was taken."
    caught: Sequence[warnings.WarningMessage] = ()

    @property
    def warnings(self) -> list[str]:
        """What was warned of until now."""
        return [str(warning.message) for warning in self.caught]

    def score(self, model: str, request: Request) -> Scores:
        """Score a model, with its warnings given to the caller."""
        from pingce.run.score import warn

        scores = self.models[model](request)
        if self.left_out:
            scores.left_out = self.left_out  # type: ignore[attr-defined]
        warn(scores)
        return scores

    def scores(self) -> dict[str, Scores]:
        """Score every model."""
        return {model: self.score(model, self.request) for model in stepwise(self.models)}


@contextmanager
def open_job(files: tuple[str, ...], options: dict[str, Any], command: str) -> Iterator[Job]:
    """Runs or predictions, by what the command line of `eval` or `check` says."""
    rows = are_rows(options, command, alone=len(files) == 1)
    refuse_out_of_place(options, command, rows=rows)
    if options["engine"] == "spark" or options["master"]:
        from pingce.cli.spark_jobs import open_on_spark

        opened = open_on_spark(files, options, rows=rows)
    elif rows:
        from pingce.cli.prediction_jobs import open_predictions

        opened = open_predictions(files, options, may_stream=command == "eval")
    elif len(files) == 1:
        raise click.MissingParameter(param_type="argument", param_hint="RUN...")
    else:
        from pingce.cli.rankings import open_runs

        opened = open_runs(files, options)
    with opened as job:
        yield job


@contextmanager
def at_work(text: Text) -> Iterator[list[warnings.WarningMessage]]:
    """Say what is being done, and keep warnings for later."""
    with warnings.catch_warnings(record=True) as caught, Progress() as progress:
        warnings.simplefilter("always")
        progress.at(text)
        yield caught


def request_of(task: str, options: Mapping[str, Any]) -> Request:
    """What the options of a command ask, each put in its place; a policy that was not written is None."""
    reading, policies = reading_of(options, (task,)), TASKS[task].load("policies")
    intervals = Intervals.of(TASKS[task], **_values(options, (task,), "intervals"))
    settings = _values(options, (task,), "")
    metrics = with_shorthands(
        task,
        settings.pop("metrics", None),
        options.get("field") or None,
        options.get("cost"),
        grouped=bool(options.get("group")),
    )
    return Request.of(
        task,
        metrics,
        policies=dict.fromkeys(each.name for each in fields(policies)) | _values(options, (task,), "policies"),
        intervals=intervals,
        slice_ci=0.95 if intervals.ci is None else intervals.ci,
        reading=reading,
        limits=Limits(**_values(options, (task,), "limits")),
        threads=reading.threads,
        **settings,
    )


def reading_of(options: Mapping[str, Any], tasks: Collection[str] = ROWS) -> Reading:
    """How the files of these tasks are to be read; by default tables of predictions."""
    values = _values(options, tasks, "reading")
    return Reading(**values | {"columns": columns_by_role(values.get("columns", ()))})


def _values(options: Mapping[str, Any], tasks: Collection[str], part: str) -> dict[str, Any]:
    """Values whose place is in a part of a Request, by their names there; without those of other tasks."""
    values = {}
    for option in OPTIONS:
        where, _, name = option.place.rpartition(".")
        value = options.get(option.name)
        written = value is not None and value is not False and value != ()
        if written and name and where == part and set(option.tasks) & set(tasks):
            values[name] = value
    return values


def refuse_stdin_twice(files: Sequence[str | None]) -> None:
    """Standard input can be read once."""
    if files.count("-") > 1:
        raise InputError(
            "- stands twice, but standard input can be read only once; write one of the two to a file",
            "- 出现了两次，而标准输入只能读取一次；请将其中之一写入文件",
        )


def columns_by_role(pieces: tuple[str, ...]) -> dict[str, str | int] | None:
    """What `--columns` says, by role."""
    columns: dict[str, str | int] = {}
    for piece in (piece for text in pieces for piece in text.split(",") if piece.strip()):
        role, separator, name = piece.partition("=")
        if not separator or not name:
            raise InputError(
                f"--columns {piece}: write ROLE=NAME, e.g. query=uid,item=iid",
                f"--columns {piece}：应写作 角色=列名，例如 query=uid,item=iid",
            )
        columns[role.strip()] = name.strip()
    return columns or None
