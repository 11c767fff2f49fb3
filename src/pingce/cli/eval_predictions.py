"""`pingce eval PREDICTIONS…`: labels and scores, classes, or numbers."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.cli.eval_ranking import refuse_stdin_twice
from pingce.cli.jobs import Job, definitions
from pingce.cli.predictions import (
    Columns,
    FileRows,
    each_model,
    found,
    label_and_scores,
    prediction_column,
    read_columns,
    read_models,
)
from pingce.cli.streaming import binary_job, classes_job, fractional, numbers_job, streams_of
from pingce.inputs.columns import Reading, Wanted
from pingce.inputs.names import listed
from pingce.inputs.predictions import LABEL, PREDICTED, SCORE, column_names

if TYPE_CHECKING:
    from pingce.evaluate.definitions import Definitions
    from pingce.inputs.vectors import Vector
    from pingce.metrics.grammar import MetricRequest
    from pingce.scores import Scores

_TASK_NAMES = {
    "binary": Text("binary (labels and scores)", "二分类（标签与分数）"),
    "multiclass": Text("multi-class (labels)", "多分类（类别）"),
    "regression": Text("regression (numbers)", "回归（数值）"),
}


def score_predictions(
    files: Sequence[str], options: dict[str, Any], present: Callable[..., Mapping[str, Scores]] | None = None
) -> Mapping[str, Scores]:
    """Read, score, write; `present` may do something else with what was read."""
    from pingce.cli.present import present_job, style_of
    from pingce.cli.progress import Progress

    style = style_of(options)
    refuse_stdin_twice(files)
    reading = Reading(None, options["input_format"], options["encoding"], options["threads"])
    task = options["task"] or task_of(files[0], options, reading)
    _refuse_mixed(task, options)
    if options["per_query"]:
        _refuse_without_units(task, options)
    with warnings.catch_warnings(record=True) as caught, Progress() as progress:
        warnings.simplefilter("always")
        progress.at(Text(f"reading and scoring {', '.join(files)}", f"正在读取并评测 {'、'.join(files)}"))
        may_stream = options if present is None else {name: options[name] for name in options.keys() - {"memory"}}
        job = {"binary": _binary, "multiclass": _classes, "regression": _numbers}[task](files, may_stream, reading)
        note = Text(f"task: {_TASK_NAMES[task].en}; {job.said}", f"任务：{_TASK_NAMES[task].zh}；{job.said}")
        return (present or present_job)(job, options, style, caught, note)


def task_of(file: str, options: Mapping[str, Any], reading: Reading) -> str:
    """By the options, else by the names of the columns; of true and predicted ones, by their types."""
    if options["label"] or options["score"] or options["group"]:
        return "binary"
    if not (options["true_column"] or options["pred_column"]):
        present = [name.lower() for name in column_names(file, reading)]
        if not any(name in present for name in LABEL):
            if len(options.get("files", ())) > 1 and options.get("ci") is not None:
                from pingce.cli.eval import no_ranking_intervals

                raise no_ranking_intervals("--ci")
            raise InputError(
                f"{file}: for a ranking give QRELS and RUN...; for predictions say which columns hold the labels and the "
                "scores with --label and --score (or --true and --pred)",
                f"{file}：评测排序请给出 QRELS 与 RUN...；评测预测请用 --label 与 --score（或 --true 与 --pred）指明标签列与分数列",
            )
        if any(name in present for name in LABEL[:-1]) and any(name in present for name in SCORE):
            return "binary"
        if not any(name in present for name in PREDICTED):
            raise InputError(
                f"{file}: say which column holds the scores with --score, or the predicted classes or numbers with --pred; "
                f"it has {listed(column_names(file, reading))}",
                f"{file}：请用 --score 指明分数列，或用 --pred 指明预测类别或数值的列；现有 {listed(column_names(file, reading))}",
            )
    columns = truth_and_predictions(file, options, reading, numbers="none")
    names = (columns.truth, *columns.predictions)
    found = fractional(file, names, reading)
    if found is None:
        read = read_columns(file, Wanted(columns.wanted().columns), reading)
        found = any(_is_fractional(read[name]) for name in names)
    return "regression" if found else "multiclass"


def _is_fractional(column: Vector) -> bool:
    values = column.values
    return bool(column.is_array and values.dtype.kind == "f" and (values != np.floor(values)).any())


def _refuse_mixed(task: str, options: Mapping[str, Any]) -> None:
    of_labels = ("bins", "compare", "group", "label", "positive", "score", "threshold")
    for name in ("pred_column", "true_column") if task == "binary" else of_labels:
        if options.get(name) not in (None, ()):
            option = "--" + name.removesuffix("_column").replace("_", "-")
            raise InputError(
                f"{option} does not belong to the task {task}; say the other columns too, or another --task",
                f"{option} 不属于任务 {task}；请一并给出其他列，或改用别的 --task",
            )


def _refuse_without_units(task: str, options: Mapping[str, Any]) -> None:
    if task == "binary" and not options["group"]:
        raise InputError(
            "-q shows the value of each group: say which column holds the groups with --group",
            "-q 给出每组的值：请用 --group 指明分组列",
        )
    if task == "regression":
        raise InputError(
            "-q is for queries, groups and classes; numbers have none of them",
            "-q 用于查询、分组与类别；数值预测没有这些",
        )


def _binary(files: Sequence[str], options: Mapping[str, Any], reading: Reading) -> Job:
    from pingce.evaluate.binary import Assumed, default_metrics, names_left_out, score_binary
    from pingce.evidence.policies import BinaryPolicies

    define = definitions(BinaryPolicies, options, ("threshold", "compare", "undefined"))
    asked = define.asked(options["metrics"]) if options["metrics"] else []
    by = dict.fromkeys(name for metric in asked for name in metric.metric.needed_columns())
    label, scores = label_and_scores(files[0], options["label"], options["score"], reading)
    parts = [f"label={label}", f"score={', '.join(scores)}"]
    parts += [f"{role}={options[role]}" for role in ("group", "weight") if options[role]]
    rows_of_files = FileRows.of(options, files)
    columns = Columns(label, scores, options["group"], options["weight"], tuple(by), files=rows_of_files)
    if (streams := streams_of(files, columns, options, reading)) is not None:
        return replace(binary_job(streams, define, asked, options), said=", ".join(parts))
    models, notes = read_models(
        files,
        label=label,
        scores=scores,
        group=options["group"],
        weight=options["weight"],
        positive=options["positive"],
        by=by,
        slices=options["by"],
        reading=reading,
        rows_of_files=rows_of_files,
    )
    chosen = asked or define.defaults(_shared([default_metrics(rows) for rows in models.values()]))
    usual = asked or define.defaults(default_metrics(Assumed(options["group"] is not None)))
    left_out = names_left_out(usual, {metric.id for metric in chosen})
    score = partial(score_binary if options.get("bins") is None else _in_bins(options), left_out=left_out)
    return replace(_job(define, chosen, score, models, options, ", ".join(parts)), notes=notes)


def _in_bins(options: Mapping[str, Any]) -> Any:
    """How rows are scored where `--bins` is said."""

    def score(rows: Any, asked: list[MetricRequest], policies: Any, *, left_out: tuple[str, ...], **more: Any) -> Any:
        from pingce.evaluate.binary import warned
        from pingce.evaluators import BinaryEvaluator

        positive = rows.labels.positive_name
        evaluator = BinaryEvaluator.of(asked, policies, bins=options["bins"], positive=positive, **more)
        scores = evaluator.update_rows(rows).scored()
        scores.left_out = left_out
        return warned(scores, 2)

    return score


def _job(
    define: Definitions[Any], asked: list[MetricRequest], score: Any, models: Mapping[str, Any], *rest: Any
) -> Job:
    """Models that were read, each ready to be scored."""
    options, said = rest

    def scoring(rows: Any) -> Any:
        return lambda metrics, policies: score(
            rows, metrics, policies, threads=options["threads"], min_n=options["min_n"], **_interval(options)
        )

    return Job(define, asked, {name: scoring(rows) for name, rows in models.items()}, said)


def _interval(options: Mapping[str, Any]) -> dict[str, Any]:
    """What was said about confidence intervals."""
    return {name: options[name] for name in ("ci", "samples", "seed") if options[name] is not None}


def _shared(defaults: Sequence[Sequence[str]]) -> list[str]:
    """Metrics that are shown of every model."""
    return [name for name in defaults[0] if all(name in known for known in defaults)]


def truth_and_predictions(file: str, options: Mapping[str, Any], reading: Reading, *, numbers: str) -> Columns:
    """The columns of true and predicted classes or numbers, as said or as their names tell."""
    present = column_names(file, reading)
    truth = options["true_column"] or found(("true", *LABEL), present, Text("--true", "--true"))
    others = [name for name in present if name != truth]
    predictions = options["pred_column"] or (prediction_column(others, "--pred"),)
    return Columns(
        truth, tuple(predictions), weight=options["weight"], numbers=numbers, slices=tuple(options.get("by") or ())
    )


def _columns(files: Sequence[str], options: Mapping[str, Any], reading: Reading, *, numbers: str) -> Columns:
    columns = truth_and_predictions(files[0], options, reading, numbers=numbers)
    return replace(columns, files=FileRows.of(options, files))


def _said(columns: Columns) -> str:
    parts = [f"true={columns.truth}", f"pred={', '.join(columns.predictions)}"]
    return ", ".join([*parts, *([f"weight={columns.weight}"] if columns.weight else [])])


def _classes(files: Sequence[str], options: Mapping[str, Any], reading: Reading) -> Job:
    from pingce.evaluate.multiclass import default_metrics, score_multiclass
    from pingce.evidence.policies import MulticlassPolicies
    from pingce.inputs.multiclass import class_rows

    define = definitions(MulticlassPolicies, options, ("undefined",))
    asked = define.asked(options["metrics"]) if options["metrics"] else []
    columns = _columns(files, options, reading, numbers="none")

    def rows(read: Mapping[str, Vector], prediction: str) -> Any:
        weight = read[columns.weight] if columns.weight else None
        by = {name: read[name] for name in columns.slices}
        return class_rows(read[columns.truth], read[prediction], weight=weight, by=by)

    asked = asked or define.defaults(default_metrics())
    if (streams := streams_of(files, columns, options, reading)) is not None:
        return replace(classes_job(streams, define, asked, options), said=_said(columns))
    models, notes = each_model(files, columns, reading, rows)
    return replace(_job(define, asked, score_multiclass, models, options, _said(columns)), notes=notes)


def _numbers(files: Sequence[str], options: Mapping[str, Any], reading: Reading) -> Job:
    from pingce.evaluate.regression import DEFAULT_METRICS, score_numbers
    from pingce.evidence.policies import RegressionPolicies
    from pingce.inputs.regression import number_rows

    define = definitions(RegressionPolicies, options, ("undefined",))
    asked = define.asked(options["metrics"]) if options["metrics"] else define.defaults(DEFAULT_METRICS)
    columns = _columns(files, options, reading, numbers="both")

    def rows(read: Mapping[str, Vector], prediction: str) -> Any:
        weight = read[columns.weight] if columns.weight else None
        by = {name: read[name] for name in columns.slices}
        return number_rows(read[columns.truth], read[prediction], weight, by=by)

    if (streams := streams_of(files, columns, options, reading)) is not None:
        return replace(numbers_job(streams, define, asked, options), said=_said(columns))
    models, notes = each_model(files, columns, reading, rows)
    return replace(_job(define, asked, score_numbers, models, options, _said(columns)), notes=notes)
