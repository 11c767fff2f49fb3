"""The ways into pingce, each as a function from a question to an answer: all must give the same one."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, fields
from inspect import Parameter, signature
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from pyarrow.compute import equal

import pingce as pc
from pingce.base.errors import InputError
from pingce.cli import run as run_command
from pingce.cli.commands import build
from pingce.tasks import TASKS

from .data import Data
from .keywords import COLUMNS, METRICS, TABLE, Use

TINY = {name: 6_000 if task.of_rows else 19_000 for name, task in TASKS.items()}
"Bytes of memory that the files of the net exceed; of a ranking the truth fits."
EXPLAINED = 3
"The query whose calculation is worked out."
EVALUATORS = {name: task.load("evaluator") for name, task in TASKS.items()}
CALLS = {task: getattr(pc, f"evaluate_{task}") for task in TASKS}


@dataclass(frozen=True)
class Question:
    """Metrics and keywords of one task, of the data of the net."""

    task: str
    data: Data
    options: Mapping[str, Any]
    metrics: list[str]

    def __post_init__(self) -> None:
        """Add the columns that the task cannot do without: in the data they are called like their role."""
        needed = {role: role for role in TASKS[self.task].columns.required()}
        object.__setattr__(self, "options", needed | dict(self.options))

    @staticmethod
    def of(task: str, keyword: str | None, data: Data, use: Use) -> Question:
        """The question that tries a keyword."""
        return Question(task, data, {} if keyword is None else use.options(keyword, data), use.metrics or METRICS[task])

    @property
    def sides(self) -> tuple[Any, Any]:
        """Truth and prediction, as a call takes them; probabilities stand in place of predicted classes."""
        if self.task == "ranking":
            return self.data.path("truth"), self.data.path("run")
        true, predicted = COLUMNS[self.task]
        return true, None if "proba" in self.options else predicted

    @property
    def call_options(self) -> dict[str, Any]:
        """All keywords of a call."""
        return {} if self.task == "ranking" else {"data": self.data.path("predictions")} | dict(self.options)


class Answer(NamedTuple):
    """The value and the signature of each metric; the whole document where the entrance has one."""

    rows: Mapping[str, tuple[float | None, str | None]]
    document: Mapping[str, Any] | None = None
    explained: Mapping[str, float | None] | None = None
    "What an explanation ends in: of a ranking, the values of one query."


def answer_of(scores: Any) -> Answer:
    """The document of scores."""
    answer = answer_in(json.loads(scores.to_json()))
    if scores.task != "ranking":
        return answer._replace(explained={name: value for name, (value, _) in answer.rows.items()})
    lists = scores.per_query.filter(equal(scores.per_query["query"], EXPLAINED))
    of_run = {name: value for name, (value, _) in answer.rows.items() if scores.find(name).metric.is_whole}
    return answer._replace(explained={name: lists[name][0].as_py() for name in answer.rows if len(lists)} | of_run)


def answer_in(document: dict[str, Any]) -> Answer:
    """A document, without what names the version and the file."""
    document.pop("pingce_version")
    document.pop("run", None)
    rows = {entry["name"]: (entry["value"], entry["signature"]) for entry in document["metrics"]}
    return Answer(rows, document)


def call(question: Question) -> Answer:
    """The evaluate call of the task."""
    options = dict(question.options) if question.task == "ranking" else question.call_options
    return answer_of(CALLS[question.task](*question.sides, question.metrics, **options))


def streamed(question: Question) -> Answer:
    """The same with next to no memory; tests lower what is the least."""
    options = dict(question.options) if question.task == "ranking" else question.call_options
    return answer_of(
        CALLS[question.task](*question.sides, question.metrics, **{"memory": TINY[question.task], **options})
    )


def evaluator(question: Question) -> Answer:
    """An evaluator that sees everything at once."""
    return answer_of(_fed(question, 1).compute())


def batches(question: Question) -> Answer:
    """An evaluator that sees rows in three batches."""
    return answer_of(_fed(question, 3).compute())


def travelled(question: Question) -> Answer:
    """Two evaluators, of which one travels as bytes, merged."""
    first, second = _fed(question, 4, slice(0, 2)), _fed(question, 4, slice(2, 4))
    arrived = EVALUATORS[question.task].from_bytes(second.to_bytes())
    return answer_of(first.merge(arrived).compute())


def _fed(question: Question, parts: int, which: slice = slice(None)) -> Any:
    """An evaluator that has seen some of several equal parts of the rows."""
    task, kind = question.task, EVALUATORS[question.task]
    options = {k: v for k, v in question.options.items() if k != "data" or not TASKS[task].of_rows}
    table = question.data.table("run" if task == "ranking" else "predictions")
    cuts = [round(at * len(table) / parts) for at in range(parts + 1)]
    spans = list(pairwise(cuts))[which]
    of_update = {name: options.pop(name) for name in list(options) if name in names_of(kind.update)}
    if task == "ranking":
        made = kind(question.data.path("truth"), question.metrics, **options)
        for start, end in spans:
            made.update(table.slice(start, end - start))
        return made
    made = kind(question.metrics, **options)
    for start, end in spans:
        more = {name: rows_between(value, start, end) for name, value in of_update.items()}
        made.update(*question.sides, data=table.slice(start, end - start), **more)
    return made


def rows_between(value: Any, start: int, end: int) -> Any:
    """Some rows of an array, or of each array of a dict; a name stays."""
    if isinstance(value, Mapping):
        return {name: rows_between(each, start, end) for name, each in value.items()}
    return value[start:end] if isinstance(value, np.ndarray) else value


def compared(question: Question) -> Answer:
    """The first model of a comparison."""
    truth, prediction = question.sides
    options = dict(question.options) if question.task == "ranking" else question.call_options
    model = options.pop("proba", prediction)
    own = (role.name for role in TASKS[question.task].columns if role.of_model and role.name in options)
    options = {"samples": 100, **options} | {name: dict.fromkeys(("one", "two"), options[name]) for name in own}
    found = pc.compare(truth, {"one": model, "two": model}, question.metrics, task=question.task, **options)
    entries = json.loads(found.to_json())["metrics"]
    return Answer({one["name"]: (one["models"][0]["value"], one["models"][0]["signature"]) for one in entries})


def side_by_side(question: Question) -> Answer:
    """The row of a comparison of conventions that stands as asked."""
    options = dict(question.options) if question.task == "ranking" else question.call_options
    tool = "trec_eval" if question.task == "ranking" else TABLE[question.task]["convention"].value
    found = pc.compare_conventions(*question.sides, question.metrics, tool, task=question.task, **options)
    return Answer({one["metric"]: (one["value"], one["signature"]) for one in json.loads(found.to_json())["metrics"]})


def explained(question: Question) -> Answer:
    """The value that a worked calculation ends in; the classes are called so there."""
    options = dict(question.options) if question.task == "ranking" else question.call_options
    if "labels" in options:
        options["classes"] = options.pop("labels")
    if question.task == "ranking":
        options["query"] = EXPLAINED
    values = {name: pc.explain(name, *question.sides, task=question.task, **options).value for name in question.metrics}
    return Answer({}, explained=values)


def command(question: Question) -> Answer:
    """`pingce eval` in this process; the document that it writes."""
    target = question.data.folder / "document.json"
    words = ["eval", *command_words(question), "-m", ",".join(question.metrics), "-f", "json", "-o", str(target)]
    said = io.StringIO()
    with redirect_stderr(said), redirect_stdout(said):
        code = run_command(words)
    if code:
        refused = said.getvalue().strip().removeprefix("Error: ").removeprefix("error: ")
        raise CommandError(refused, refused)
    return answer_in(json.loads(target.read_text()))


class CommandError(InputError):
    """What the command line said before it ended."""


FLAGS = {"judged_only"}


def command_words(question: Question) -> list[str]:
    """The files and options of the command line."""
    if question.task == "ranking":
        words = [str(side) for side in question.sides]
    else:
        roles = zip(TASKS[question.task].column_options, question.sides, strict=True)
        words = [str(question.data.path("predictions")), "--task", question.task]
        words += [word for role, column in roles if column is not None for word in (f"--{role}", column)]
    for name, value in question.options.items():
        if name == "data":
            continue
        option = "--" + name.replace("_", "-")
        text = ",".join(f"{k}={v}" for k, v in value.items()) if isinstance(value, Mapping) else str(value)
        words += [option] if name in FLAGS else [option, text]
    return words


ENTRANCES: dict[str, Callable[[Question], Answer]] = {
    "evaluator": evaluator,
    "batches": batches,
    "travelled": travelled,
    "streamed": streamed,
    "compared": compared,
    "side by side": side_by_side,
    "explained": explained,
    "command": command,
}


def names_of(function: Any) -> set[str]:
    """The keywords of a function."""
    kinds = (Parameter.KEYWORD_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
    return {one.name for one in signature(function).parameters.values() if one.kind in kinds}


def keywords(task: str) -> list[str]:
    """The keywords of a task's call, as its signature has them."""
    parameters = signature(CALLS[task]).parameters.values()
    return [one.name for one in parameters if one.kind is Parameter.KEYWORD_ONLY]


def offers(entrance: str, task: str, keyword: str) -> bool:
    """Whether an entrance has a keyword, by its signature."""
    if entrance in ("evaluator", "batches", "travelled"):
        return keyword in names_of(EVALUATORS[task]) | names_of(EVALUATORS[task].update)
    if entrance == "explained":
        policies = {field.name for field in fields(TASKS[task].load("policies"))}
        roles = {role.name for role in TASKS[task].columns}
        return keyword in names_of(pc.explain) | policies | roles | {"labels"}
    if entrance == "command":
        return keyword == "data" or keyword in {
            name.lstrip("-").replace("-", "_") for one in build("eval").params for name in one.opts
        }
    return (entrance, keyword) != ("side by side", "by")
