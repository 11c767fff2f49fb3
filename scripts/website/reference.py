"""The reference: every public name of the stub, on a page a room, from its docstring."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from pingce.base.text import Text
from pingce.tasks import TASKS
from website.nav import ROOT

_IMPORT = re.compile(r"^from (pingce[\w.]*) import (\w+) as \2$", re.MULTILINE)


@dataclass(frozen=True)
class Room:
    """A page of the reference."""

    file: str
    title: Text
    modules: tuple[str, ...]
    "What the modules of its names begin with."


def _of_tasks(part: str) -> tuple[str, ...]:
    """The modules of a part, of the tasks that stand in a folder of their own."""
    return tuple(f"{name}.{part}" for name, task in sorted(TASKS.items()) if task.in_folder)


ROOMS = (
    Room("calls", Text("Calls", "调用"), ("api", *_of_tasks("evaluate"))),
    Room("functions", Text("One number from two columns", "两列一个数"), ("functions",)),
    Room("lists", Text("One number from one list", "一个列表一个数"), ("lists",)),
    Room("scores", Text("Scores", "结果"), ("scores", *_of_tasks("scores"))),
    Room("evaluators", Text("Evaluators", "评测器"), ("run", *_of_tasks("evaluator"))),
    Room(
        "results",
        Text("Comparisons, checks, curves", "比较、检查、曲线"),
        ("comparison", "checks", "curves", "explanations", "fusion", "similarity", "protocols"),
    ),
    Room("training", Text("In the training loop", "在训练循环中"), ("training",)),
    Room("metrics", Text("Metrics, evidence, policies", "指标、证据、策略"), ("metrics", "evidence")),
    Room("inputs", Text("Inputs", "输入"), ("inputs",)),
    Room("base", Text("Errors and language", "错误与语言"), ("base",)),
)
OTHER = Room(
    "elsewhere",
    Text("Spark, torch, Keras, polars, SQL and others", "Spark、torch、Keras、polars、SQL 等"),
    (),
)
_ELSEWHERE = (
    *(".".join(task.place("spark")) for task in TASKS.values()),
    "pingce.spark.logs.split",
    "pingce.torch.metric.Metric",
    "pingce.keras.callback.Callback",
    "pingce.sentence_transformers.evaluator.Evaluator",
    "pingce.sql.call.query",
    "pingce.sql.names.Names",
    "pingce.ir_measures.provider.PingceProvider",
)
"What modules have that are imported by their own names."


def public_names() -> dict[str, str]:
    """Every public name with its module, as the stub lists them."""
    stub = (ROOT / "src" / "pingce" / "__init__.pyi").read_text(encoding="utf-8")
    return {name: module for module, name in _IMPORT.findall(stub)}


def shown_names() -> list[str]:
    """The full name of everything that the pages show, as they name it."""
    return [*(f"{module}.{name}" for name, module in public_names().items()), *_ELSEWHERE]


def room_of(module: str) -> Room:
    """The page of a module's names: the one with the longest beginning; the last where none has it."""
    inner = module.removeprefix("pingce.")
    found = [(len(start), room) for room in ROOMS for start in room.modules if f"{inner}.".startswith(f"{start}.")]
    return max(found, key=lambda pair: pair[0])[1] if found else OTHER


def _place(name: tuple[str, str]) -> tuple[bool, int]:
    """Within a page: calls that evaluate come first, then modules as the room lists them."""
    inner = name[1].removeprefix("pingce.")
    starts = room_of(name[1]).modules
    return not name[0].startswith("evaluate_"), next(
        (at for at, start in enumerate(starts) if inner.startswith(start)), 0
    )


def reference_pages() -> dict[str, str]:
    """Every page by its place, in the language in force."""
    pages: dict[Room, list[str]] = {room: [] for room in (*ROOMS, OTHER)}
    for name, module in sorted(public_names().items(), key=_place):
        pages[room_of(module)].append(f"::: {module}.{name}")
    pages[OTHER] += [f"::: {name}" for name in _ELSEWHERE]
    return {f"api/{room.file}.md": _page(room, names) for room, names in pages.items() if names}


def _page(room: Room, names: list[str]) -> str:
    return "\n\n".join([f"# {room.title}", *names]) + "\n"


def reference_index(first_lines: Mapping[str, str]) -> str:
    """All public names with what each of them is, a table a page."""
    titles = str(Text("| name | what it is |", "| 名称 | 说明 |"))
    tables: dict[Room, list[str]] = {room: [titles, "| --- | --- |"] for room in ROOMS}
    for name, module in sorted(public_names().items(), key=_place):
        room, words = room_of(module), first_lines[name].replace("|", r"\|")
        tables[room].append(f"| [`{name}`]({room.file}.md#{module}.{name}) | {words} |")
    return "\n\n".join(_section(room, "\n".join(table)) for room, table in tables.items())


def _section(room: Room, table: str) -> str:
    return f'## [{room.title}]({room.file}.md)\n\n<div class="names" markdown>\n\n{table}\n\n</div>'
