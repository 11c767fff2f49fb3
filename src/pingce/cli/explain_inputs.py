"""What `pingce explain` is given: files, or values that stand on the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.tasks import TASKS

if TYPE_CHECKING:
    from pingce.inputs.columns import Reading

_BARE = ("grades", "judged", "labels", "scores")
_UNJUDGED = ("?", "-", "none")


def explain_arguments(metric: str, files: tuple[str, ...], options: dict[str, Any]) -> dict[str, Any]:
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
    shared = {
        "task": options["task"],
        "query": options["query"],
        "of_class": options["of_class"],
        "of_group": options["of_group"],
        "threads": options["threads"],
    }
    if not files:
        return shared | _values(options)
    if len(files) == 1:
        return shared | _predictions(metric, files[0], options)
    _refuse(
        options, ("label", "score", "positive", "true", "pred", "group", "weight"), Text("QRELS RUN", " QRELS RUN ")
    )
    from pingce.cli.jobs import columns_by_role, refuse_stdin_twice

    refuse_stdin_twice([*files, options["exclude"]])
    reading = {name: options[name] for name in ("exclude", "input_format", "encoding")}
    return (
        shared | reading | {"truth": files[0], "prediction": files[1], "columns": columns_by_role(options["columns"])}
    )


def _refuse(options: Mapping[str, Any], names: Sequence[str], where: Text) -> None:
    for name in names:
        if options[name] not in (None, ()):
            raise InputError(f"--{name} does not go with {where.en}", f"--{name} 不能与{where.zh}同用")


def _values(options: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers and labels that stand on the command line."""
    _refuse(options, ("label", "score", "exclude"), Text("values on the command line", "命令行上的数值"))
    values: dict[str, Any] = {}
    for name in ("grades", "judged", "scores", "weight"):
        if options[name] is not None:
            values[name] = _numbers(name, options[name], unjudged=name == "grades")
    for name in ("labels", "true", "pred", "group"):
        if options[name] is not None:
            values[name] = _labels(name, options[name])
    if not any(name in values for name in ("grades", "labels", "true")):
        raise InputError(
            "there is nothing to explain: give QRELS RUN --query ID, a table of predictions, --grades 3,2,3,0,1, "
            "--labels 1,0 --scores .9,.1, or --true … --pred …",
            "没有可讲解的数据：请给出 QRELS RUN --query 编号、预测表、--grades 3,2,3,0,1、--labels 1,0 --scores .9,.1，或 --true … --pred …",
        )
    for truth, prediction in (("labels", "scores"), ("true", "pred")):
        if (truth in values) != (prediction in values):
            has, lacks = (truth, prediction) if truth in values else (prediction, truth)
            raise InputError(f"--{has} needs --{lacks} beside it", f"--{has} 需要与 --{lacks} 同用")
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


def _numbers(name: str, text: str, *, unjudged: bool = False) -> list[float | None]:
    numbers: list[float | None] = []
    for at, piece in enumerate(_pieces(name, text), 1):
        if unjudged and piece.lower() in _UNJUDGED:
            numbers.append(None)
            continue
        number = _number(piece)
        if number is None:
            more = Text(", or ? for an item that is not judged", "，未标注的条目写 ?") if unjudged else Text("", "")
            raise InputError(
                f"--{name}: value {at}, '{piece}', is not a number; write numbers with commas between them{more.en}",
                f"--{name}：第 {at} 个值 '{piece}' 不是数字；请写用逗号分隔的数字{more.zh}",
            )
        numbers.append(number)
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
    numbers = [_number(piece) for piece in pieces]
    if any(number is None for number in numbers):
        return list(pieces)
    if all(number is not None and number.is_integer() for number in numbers):
        return [int(number or 0) for number in numbers]
    return list(numbers)


def _label(written: str, labels: Sequence[Any]) -> Any:
    number = _number(written)
    if number is None or any(isinstance(label, str) for label in labels):
        return written
    return int(number) if number.is_integer() else number


def _predictions(metric: str, file: str, options: dict[str, Any]) -> dict[str, Any]:
    """The columns of a table that the metric needs."""
    from pingce.cli.jobs import reading_of
    from pingce.cli.predictions import columns_of, read_columns, typed_label
    from pingce.request import Request

    _refuse(options, ("exclude", "query"), Text("a table of predictions", "预测表"))
    reading = reading_of(options)
    options = options | {"pred": (options["pred"],) if options["pred"] else ()}
    task = task_of(metric, file, options, reading)
    request = Request.of(task, metric, convention=options["convention"], reading=reading)
    columns = columns_of(request, file, options)
    if len(columns.predictions) > 1:
        raise InputError(
            f"{len(columns.predictions)} models are named; explain one at a time",
            f"指明了 {len(columns.predictions)} 个模型；请逐个讲解",
        )
    read = read_columns(file, columns.wanted(), reading)
    truth = read[columns.truth]
    arguments = {"task": task, "truth": truth, "prediction": read[columns.predictions[0]]}
    arguments |= {role: read[name] for role, name in (("group", columns.group), ("weight", columns.weight)) if name}
    if columns.more:
        arguments["group_weight"] = {name: read[name] for name in columns.more}
    if options["positive"] is not None:
        arguments["positive"] = typed_label(options["positive"], truth)
    return arguments


def task_of(metric: str, file: str, options: Mapping[str, Any], reading: Reading) -> str:
    """The task that was named, else the only one with such a metric, else by the columns."""
    from pingce.cli.inference import task_of as by_columns
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
    return others[0] if len(others) == 1 else by_columns(file, options, reading)
