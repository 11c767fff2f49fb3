"""`pingce eval --engine spark`: the same job, with rows read and counted by a cluster."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import replace
from typing import Any

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.cli.jobs import Job, request_of
from pingce.cli.options import stated
from pingce.cli.output import Style
from pingce.cli.predictions import columns_among, model_names, plain_label, task_by_columns
from pingce.cli.rankings import ranking_data, ranking_request
from pingce.inputs.columns import Role
from pingce.inputs.dicts import read_dict
from pingce.inputs.names import LABEL, PREDICTED_SCORE, PREDICTED_VALUE, listed, map_columns, table_name
from pingce.inputs.times import sliced_column
from pingce.inputs.titles import short_names
from pingce.request import Request
from pingce.run.states.fixed_tables import FixedTables
from pingce.scores import Scores
from pingce.spark.files import Read, read, session
from pingce.spark.frames import column, is_text, numeric_columns, types
from pingce.spark.problems import translate_spark_errors
from pingce.spark.rows import FrameColumns, score_rows
from pingce.tasks import TASKS
from pingce.tasks.binary import BINARY
from pingce.tasks.multiclass import MULTICLASS
from pingce.tasks.regression import REGRESSION

_ELSEWHERE = ("memory", "tmpdir", "encoding", "worst", "id", "unmatched")
"What Spark does not do here."


@contextmanager
def open_on_spark(files: tuple[str, ...], options: dict[str, Any], *, rows: bool) -> Iterator[Job]:
    """Runs or predictions that Spark reads."""
    if options["engine"] != "spark":
        raise InputError("--master goes with --engine spark", "--master 需与 --engine spark 一起使用")
    for option in [option.flag for option in stated(options) if option.name in _ELSEWHERE]:
        raise InputError(
            f"{option} is not there with --engine spark; leave it out, or work with --engine local",
            f"--engine spark 不支持 {option}；请去掉，或使用 --engine local",
        )
    style = Style.of(options)
    with translate_spark_errors(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        spark = session(options["master"])
        job = _predictions(spark, files, options) if rows else _rankings(spark, files, options)
        caught.clear()  # what Spark has to say of its own parts
        note = Text(f"engine: Spark {spark.version}", f"引擎：Spark {spark.version}")
        yield replace(job, style=style, reading=(note,), caught=caught)


def _rankings(spark: Any, files: Sequence[str], options: Mapping[str, Any]) -> Job:
    from pingce.spark.lists import read_beside, score_lists

    if len(files) < 2:
        raise InputError("give QRELS and RUN...", "请给出 QRELS 与 RUN...")
    request = ranking_request(options)
    columns = request.reading.columns
    beside = ranking_data(files[0], options)
    sides = [read(spark, file, options["input_format"], texts=None) for file in files[beside.truth is None :]]
    qrels, runs = (None, sides) if beside.truth is None else (sides[0], sides[1:])
    pairs = None if beside.exclude is None else read(spark, beside.exclude, None, texts=None)
    tables = read_beside(request, replace(beside, truth=None, exclude=None))

    def scoring(run: Read) -> Callable[[Request], Scores]:
        truth, rows = (
            (None, *_alike(columns, (run, "run"))) if qrels is None else _alike(columns, (qrels, "truth"), (run, "run"))
        )
        past = None if pairs is None else _alike(columns, (Read(rows, False), "run"), (pairs, "exclude"))[1]
        fixed = _with_texts(tables, rows, columns) if run.untyped else tables
        return lambda variant: score_lists(variant, truth, rows, exclude=past, tables=fixed)

    return Job(request, {name: scoring(run) for name, run in zip(short_names(files[1:]), runs, strict=True)})


def _with_texts(tables: FixedTables, rows: Any, columns: Mapping[str, str | int] | None) -> FixedTables:
    """The tables of items with ids as text where those of a run that was read from text are, as the local call has them."""
    names, kinds = map_columns(rows.columns, "run", columns, table_name("run", "file")), types(rows)
    query, item = (("text" if is_text(kinds[name]) else 1) for name in (names.query, names.item))
    fixed = copy(tables)
    fixed.background = tables.background.alike(read_dict({query: [item]}, "run", untyped_ids=True))
    return fixed


def _alike(columns: Mapping[str, str | int] | None, *sides: tuple[Read, Role]) -> list[Any]:
    """The frames with numbers as numbers; ids of text files as integers where the other side's are integers."""
    names = [
        map_columns(side.frame.columns, role, columns, table_name(role, "file"), numeric=numeric_columns(side.frame))
        for side, role in sides
    ]
    frames = []
    for place, (side, _) in enumerate(sides):
        casts: dict[str, str] = {}
        if side.untyped:
            mine = names[place]
            casts = {} if mine.value is None else {mine.value: "double"}
            for theirs, (other, _) in (each for at, each in enumerate(zip(names, sides, strict=True)) if at != place):
                kinds = types(other.frame)
                pairs = ((mine.query, theirs.query), (mine.item, theirs.item))
                casts |= {name: kinds[like] for name, like in pairs if not is_text(kinds[like])}
        cast = {name: column(name).cast(kind) for name, kind in casts.items()}
        frames.append(side.frame.withColumns(cast) if cast else side.frame)
    return frames


def _predictions(spark: Any, files: Sequence[str], options: Mapping[str, Any]) -> Job:
    ids = [role.name for task in TASKS.values() for role in task.columns if role.values == "ids"]
    sliced = [sliced_column(name) for name in options["by"] or ()]
    texts = [name for name in (*(options[role] for role in ("group", *ids)), *sliced) if name is not None]
    frames = [read(spark, file, options["input_format"], texts=texts).frame for file in files]
    request = request_of(options["task"] or _task(frames[0], options), options)
    columns = columns_among(request, frames[0].columns, options)
    by = list(options["by"] or ()) or None

    def scoring(file: int, model: str) -> Callable[[Request], Scores]:
        frame = frames[file]
        names = FrameColumns(columns.truth, model, columns.weight, columns.group, roles=columns.roles, by=by)
        positive, kind = request.positive, types(frame).get(columns.truth, "string")
        if positive is not None and not is_text(kind):
            positive = plain_label(positive, boolean=kind == "boolean")
        return lambda variant: score_rows(replace(variant, positive=positive), frame, names)

    models = model_names(files, columns.predictions)
    return Job(request, {title: scoring(*model) for title, model in models.items()})


def _task(frame: Any, options: Mapping[str, Any]) -> str:
    """By the options, else by the names of the columns; of true and predicted ones, by their types."""
    declaring = task_by_columns(options)
    if declaring is not None:
        return declaring
    if options["label"] or options["score"]:
        return BINARY.name
    if not (options["true"] or options["pred"]):
        if options["group"]:
            return BINARY.name
        present = {name.lower() for name in frame.columns}
        if present.intersection(LABEL[:-1]) and present.intersection(PREDICTED_SCORE):
            return BINARY.name
        if not present.intersection(PREDICTED_VALUE):
            raise InputError(
                f"say which column holds the scores with --score, or the predicted classes or numbers with --pred; there are {listed(frame.columns)}",
                f"请用 --score 指明分数列，或用 --pred 指明预测类别或数值的列；现有 {listed(frame.columns)}",
            )
    predicted = columns_among(Request.of(MULTICLASS.name), frame.columns, options).predictions
    kinds = [types(frame)[name] for name in predicted if name in frame.columns]
    fractional = any(kind in ("float", "double") or kind.startswith("decimal") for kind in kinds)
    return REGRESSION.name if fractional else MULTICLASS.name
