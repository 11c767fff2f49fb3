"""`pingce explain METRIC …`: the worked calculation, of files and a query, or of numbers written on the command line."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pingce.api import explain
from pingce.base.errors import InputError
from pingce.base.text import Text, language
from pingce.cli.options import stated
from pingce.cli.output import chosen_format, write
from pingce.cli.progress import Progress
from pingce.evidence.policies import Policies
from pingce.explanations.derivation import Readable
from pingce.explanations.render import web_page
from pingce.inputs.columns import Reading
from pingce.request import Request
from pingce.tasks import TASKS
from pingce.tasks.ranking import BACKGROUND

_BARE = ("grades", "judged", "labels", "scores")
_UNJUDGED = ("?", "-", "none")


def show(metric: str, files: tuple[str, ...], **options: Any) -> Readable:
    """Read, work out, write; what was written goes back to the caller."""
    out_format, places = chosen_format(options, "explain"), options["places"]
    policies = {
        option.name: options[option.name]
        for option in stated(options, "explain")
        if option.place.startswith("policies.")
    }
    if options["judged"] in Policies.choices["judged"]:
        policies, options = {**policies, "judged": options["judged"]}, options | {"judged": None}
    with warnings.catch_warnings(), Progress() as progress:
        warnings.simplefilter("ignore")
        progress.at(Text(f"working out {metric}", f"正在推算 {metric}"))
        tools = {name: options[name] for name in ("convention", "against")}
        explanation = explain(metric, **_arguments(metric, files, options), **tools, **policies)
    fancy = options["output"] is None and sys.stdout.isatty()
    formats: dict[str, Callable[[], str]] = {
        "text": lambda: explanation.to_text(places, fancy=fancy),
        "md": lambda: explanation.to_markdown(places),
        "html": lambda: web_page(explanation, places, language()),
        "latex": lambda: explanation.to_latex(places),
        "json": explanation.to_json,
    }
    write(formats[out_format](), options["output"])
    return explanation


def _arguments(metric: str, files: tuple[str, ...], options: dict[str, Any]) -> dict[str, Any]:
    """The arguments of `pingce.explain`."""
    if len(files) > 2:
        raise InputError(
            f"{len(files)} files are given; explain takes QRELS and one RUN, or one table of predictions",
            f"给出了 {len(files)} 个文件；讲解需要 QRELS 与一个 RUN，或一个预测表",
        )
    bare = [name for name in _BARE if options[name] is not None]
    if files and bare:
        raise InputError(
            f"--{bare[0]} stands for data, and so do the files; give one of the two",
            f"--{bare[0]} 与文件都是数据；请只给其一",
        )
    shared = {name: options[name] for name in ("task", "query", "of_class", "of_group", "threads")}
    if not files:
        return shared | _values(options)
    if len(files) == 1:
        return shared | _predictions(metric, files[0], options)
    from pingce.cli.jobs import columns_by_role, refuse_stdin_twice
    from pingce.cli.rankings import ranking_data, slicing_of

    roles = (role.name for task in TASKS.values() for role in task.columns)
    names = ("label", "score", "positive", "true", "pred", "group", "weight", *roles)
    _refuse(options, names, Text("QRELS RUN", " QRELS RUN "))
    refuse_stdin_twice([*files, *(options[name] for name in ("exclude", *BACKGROUND))])
    data = ranking_data(files[0], options | {"query_weight": None, "by": None})
    shared |= {name: options[name] for name in ("input_format", "encoding", "item_weight")}
    shared |= {name: getattr(data, name) for name in ("truth", "exclude", *BACKGROUND)}
    shared["by"] = slicing_of(options)
    return shared | {"prediction": files[1], "columns": columns_by_role(options["columns"])}


def _refuse(options: Mapping[str, Any], names: Sequence[str], where: Text) -> None:
    for name in names:
        if options[name] not in (None, ()):
            flag = name.replace("_", "-")
            raise InputError(f"--{flag} does not go with {where.en}", f"--{flag} 不能与{where.zh}同用")


def _values(options: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers and labels that stand on the command line."""
    _refuse(
        options,
        ("label", "score", "exclude", "item_weight", *BACKGROUND),
        Text("values on the command line", "命令行上的数值"),
    )
    readers = dict.fromkeys(("grades", "judged", "scores", "weight"), _numbers)
    readers |= dict.fromkeys(("labels", "true", "pred", "group"), _labels)
    for role in (role for task in TASKS.values() for role in task.columns):
        readers[role.name] = _numbers if role.values == "numbers" else _labels
    values = {name: read(name, options[name]) for name, read in readers.items() if options[name] is not None}
    if not values.keys() & {"grades", "labels", "true"}:
        raise InputError(
            "there is nothing to explain: give QRELS RUN --query ID, a table of predictions, --grades 3,2,3,0,1, "
            "--labels 1,0 --scores .9,.1, or --true … --pred …",
            "没有可讲解的数据：请给出 QRELS RUN --query 编号、预测表、--grades 3,2,3,0,1、--labels 1,0 --scores .9,.1，或 --true … --pred …",
        )
    for pair in (("labels", "scores"), ("true", "pred")):
        missing = [name for name in pair if name not in values]
        if len(missing) == 1:
            has = next(name for name in pair if name in values)
            raise InputError(f"--{has} needs --{missing[0]} beside it", f"--{has} 需要与 --{missing[0]} 同用")
    if options["positive"] is not None and "labels" in values:
        values["positive"] = _label(options["positive"], values["labels"])
    return values


def _pieces(name: str, text: str) -> list[str]:
    pieces = [piece.strip() for piece in text.replace("，", ",").split(",")]
    if pieces and not pieces[-1]:
        pieces.pop()
    empty = next((at for at, piece in enumerate(pieces, 1) if not piece), None)
    if empty is not None or not pieces:
        raise InputError(
            f"--{name}: value {empty or 1} is empty; write values with commas between them, e.g. 3,2,0",
            f"--{name}：第 {empty or 1} 个值是空的；请用逗号分隔各值，例如 3,2,0",
        )
    return pieces


def _numbers(name: str, text: str) -> list[Any]:
    """Numbers; among grades, None for an item that is not judged."""
    pieces, unjudged = _pieces(name, text), _UNJUDGED if name == "grades" else ()
    numbers = [_number(piece) for piece in pieces]
    for at, (piece, number) in enumerate(zip(pieces, numbers, strict=True), 1):
        if number is None and piece.lower() not in unjudged:
            more = Text(", or ? for an item that is not judged", "，未标注的条目写 ?") if unjudged else Text("", "")
            raise InputError(
                f"--{name}: value {at}, '{piece}', is not a number; write numbers with commas between them{more.en}",
                f"--{name}：第 {at} 个值 '{piece}' 不是数字；请写用逗号分隔的数字{more.zh}",
            )
    return numbers


def _number(piece: str) -> float | None:
    try:
        number = float(piece)
    except ValueError:
        return None
    return number if abs(number) < float("inf") else None


def _labels(name: str, text: str) -> list[Any]:
    """Numbers where all of them are, else words."""
    pieces = _pieces(name, text)
    numbers = [number for number in map(_number, pieces) if number is not None]
    if len(numbers) < len(pieces):
        return list(pieces)
    return [int(number) for number in numbers] if all(number.is_integer() for number in numbers) else numbers


def _label(text: str, labels: Sequence[Any]) -> Any:
    number = _number(text)
    if number is None or any(isinstance(label, str) for label in labels):
        return text
    return int(number) if number.is_integer() else number


def _predictions(metric: str, file: str, options: dict[str, Any]) -> dict[str, Any]:
    """The columns of a table that the metric needs."""
    from pingce.cli.jobs import reading_of
    from pingce.cli.predictions import columns_among, read_columns, typed_label, with_gaps
    from pingce.inputs.predictions import column_names

    _refuse(options, ("exclude", "item_weight", *BACKGROUND, "query"), Text("a table of predictions", "预测表"))
    reading = reading_of(options)
    options = options | {"pred": (options["pred"],) if options["pred"] else ()}
    task = _task_of(metric, file, options, reading)
    request = Request.of(task, metric, convention=options["convention"], reading=reading)
    options["by"] = with_gaps(request, options["by"])
    columns = columns_among(request, column_names(file, reading), options)
    if len(columns.predictions) > 1:
        raise InputError(
            f"{len(columns.predictions)} models are named; explain one at a time",
            f"指明了 {len(columns.predictions)} 个模型；请逐个讲解",
        )
    read = read_columns(file, columns.wanted(), reading)
    truth = read[columns.truth]
    arguments = {"task": task, "truth": truth, "prediction": read[columns.predictions[0]]}
    arguments |= {role: read[name] for role, name in (("group", columns.group), ("weight", columns.weight)) if name}
    arguments |= {role: read[name] for role, name in columns.roles.items()}
    if options["by"]:
        arguments["by"] = columns.slicing(options["by"], read)
    if columns.more:
        arguments["group_weight"] = {name: read[name] for name in columns.more}
    if options["positive"] is not None:
        arguments["positive"] = typed_label(options["positive"], truth)
    return arguments


def _task_of(metric: str, file: str, options: Mapping[str, Any], reading: Reading) -> str:
    """The task that was named, else the only one with such a metric, else by the columns."""
    from pingce.cli.prediction_jobs import task_of
    from pingce.explanations.call import tasks_with

    if options["task"] and not TASKS[options["task"]].of_rows:
        raise InputError(f"{file}: a ranking needs two files, QRELS and RUN", f"{file}：排序需要两个文件：QRELS 与 RUN")
    if options["task"]:
        return str(options["task"])
    tasks = tasks_with(metric, options["convention"] or options["against"])
    others = [task for task in tasks if TASKS[task].of_rows]
    if not others:
        raise InputError(
            f"{metric} is a metric of rankings: give QRELS, RUN and --query",
            f"{metric} 是排序的指标：请给出 QRELS、RUN 与 --query",
        )
    return others[0] if len(others) == 1 else task_of(file, options, reading)
