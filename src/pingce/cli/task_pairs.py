"""`--pair LABEL:SCORE`: several tasks of one table, each as a model of its own beside the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.cli.jobs import Job
from pingce.cli.prediction_jobs import with_usual
from pingce.cli.predictions import Columns, columns_among, read_columns, typed_label
from pingce.inputs.data import RowData
from pingce.inputs.names import refuse_absent
from pingce.inputs.predictions import column_names
from pingce.inputs.task_pairs import TaskPair
from pingce.inputs.titles import short_names
from pingce.inputs.vectors import Vector
from pingce.request import Request
from pingce.run.task_pairs import rows_of_pair
from pingce.scores import Scores


def read_pairs(request: Request, files: Sequence[str], options: Mapping[str, Any]) -> tuple[Job, str]:
    """The tasks of every file, and how columns were taken, in words."""
    if options["label"] or options["score"]:
        raise InputError(
            "--pair names the label and the score of each task; leave --label and --score out",
            "--pair 已指明每个任务的标签列与分数列；请去掉 --label 与 --score",
        )
    pairs = [TaskPair.read(text) for text in dict.fromkeys(options["pair"])]
    models: dict[str, Any] = {}
    for file, stem in zip(files, short_names(files), strict=True):
        columns = _columns(request, file, pairs, options)
        wanted = columns.wanted()
        extra = tuple(name for pair in pairs for name in pair.columns if name not in wanted.columns)
        read = read_columns(
            file, replace(wanted, columns=tuple(dict.fromkeys((*wanted.columns, *extra)))), request.reading
        )
        for pair in pairs:
            name = pair.name if len(files) == 1 else f"{stem} {pair.name}"
            models[name] = _model(request, pair, columns, read, list(options["by"] or ()) or None)
    chosen, left_out = with_usual(
        request, columns, lambda: all(batch.rows.are_probabilities for _, batch in models.values())
    )
    words = ", ".join(pair.name for pair in pairs)
    return Job(
        chosen, {name: partial(_score, *model) for name, model in models.items()}, [], left_out, are_rivals=False
    ), words


def _columns(request: Request, file: str, pairs: Sequence[TaskPair], options: Mapping[str, Any]) -> Columns:
    """What is read of a file beside the pairs; a column that is not there is refused."""
    present = column_names(file, request.reading)
    refuse_absent(tuple(dict.fromkeys(name for pair in pairs for name in pair.columns)), present, Text(file, file))
    scores = tuple(dict.fromkeys(name for pair in pairs for name in pair.factors))
    return columns_among(request, present, {**options, "label": pairs[0].truth, "score": scores})


def _model(
    request: Request, pair: TaskPair, columns: Columns, read: Mapping[str, Vector], by: list[str] | None
) -> tuple[Request, Any]:
    """The rows of one task, and the request with its positive label."""
    typed = replace(request, positive=typed_label(request.positive, read[pair.truth]))
    shared = RowData(
        None,
        None,
        weight=read[columns.weight] if columns.weight else None,
        by=columns.slicing(by, read),
        group=read[columns.group] if columns.group else None,
        group_weight={name: read[name] for name in columns.more} or None,
    )
    return typed, request.task.load("state")(typed).read(rows_of_pair(pair, read, shared))


def _score(typed: Request, rows: Any, variant: Request) -> Scores:
    state = variant.task.load("state")(replace(variant, positive=typed.positive))
    state.add(rows)
    scores: Scores = state.score()
    return scores
