"""The text of a query: a metric, a dialect, and the names of tables and columns."""

from __future__ import annotations

from importlib import import_module

from pingce import __version__
from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.metrics.declared import Metric
from pingce.metrics.grammar import MetricRequest, parse_metric
from pingce.sql.dialects import Dialect, dialect_named
from pingce.sql.draft import Draft, Step, steps_of, written_kinds
from pingce.sql.names import Names
from pingce.tasks import TASKS

_WRITERS = ("labels", "numbers", "rankings")
"Modules whose functions write metrics."


def query(metric: str, *, dialect: str = "duckdb", names: Names | None = None, task: str | None = None) -> str:
    """The query that computes a metric exactly, as text.

    It gives one row: `value`, and what it stands on. Ties are treated as pingce treats them; numbers agree with pingce's to 1e-12, since
    databases add floating-point numbers up in an order of their own. `task` decides where a name belongs to several tasks.

    >>> from pingce.sql import Names, query
    >>> print(query("auc", names=Names(table="log", label="click")).splitlines()[1])
    WITH pc_read AS (
    """
    kinds_with_query()
    request, chosen = _request(metric, task), dialect_named(dialect)
    draft = Draft(request, names or Names(), chosen)
    steps = steps_of(draft)
    _refuse_clash(draft, steps)
    return _joined(request, chosen, steps)


def kinds_with_query() -> tuple[type[Metric], ...]:
    """The metrics that have a query."""
    for name in _WRITERS:
        import_module(f"pingce.sql.{name}")
    return written_kinds()


def _request(metric: str, task: str | None) -> MetricRequest:
    """What a name means: of the task that is said, else of the first that has a query for it; without @k, of rows first."""
    if task is not None:
        return parse_metric(metric, task=task)
    order = TASKS.values() if "@" in metric else sorted(TASKS.values(), key=lambda each: not each.of_rows)
    readings, problem = [], None
    for each in order:
        try:
            readings.append(parse_metric(metric, task=each.name))
        except InputError as refusal:
            problem = problem or refusal
    written = [reading for reading in readings if isinstance(reading.metric, written_kinds())]
    if not readings and problem is not None:
        raise problem
    return (written or readings)[0]


def _refuse_clash(draft: Draft, steps: list[Step]) -> None:
    """Refuse a table that is called as a step is: the query would read its own step instead."""
    taken = {step.name for step in steps}
    for role in ("table", "qrels", "run"):
        name = getattr(draft.names, role)
        if name.lower() in taken and any(step.select.endswith(f"FROM {draft.table(role)}") for step in steps):
            raise InputError(
                f"the table {name} is called as a step of the query is; write its schema before it, e.g. main.{name}",
                f"表 {name} 与查询中的一个步骤同名；请在前面写上其模式（schema），例如 main.{name}",
            )


def _joined(request: MetricRequest, dialect: Dialect, steps: list[Step]) -> str:
    about = Text(
        f"-- {request.id}, by pingce {__version__}, for {dialect.title}; one row: its value, and what it stands on",
        f"-- {request.id}，pingce {__version__}，{dialect.title}；一行结果：数值及其依据",
    )
    *first, last = steps
    tables = ",\n".join(f"{step.name} AS (\n{_indented(step.select)}\n)" for step in first)
    lines = [str(about), f"WITH {tables}", last.select, *([dialect.settings] if dialect.settings else [])]
    return "\n".join(lines) + "\n"


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
