"""The scores of several tasks of one table: a column per task, and none of them the best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from pingce.base.errors import did_you_mean
from pingce.base.json import Json
from pingce.base.lazy import pa
from pingce.base.notebook import DEFINITIONS, STANDS_ON, folded_lines, long_table, notebook
from pingce.base.tables import Frames, Table, delimited, draw, markdown, to_json
from pingce.base.text import Text, headed
from pingce.scores.tables import data_table, definitions, documents, reading_table

if TYPE_CHECKING:
    from pingce.scores.base import Scores


class PairScores(Frames, Mapping[str, "Scores"]):
    """Scores by task, as it was written: `scores["buy:pcvr@click=1"]["auc"]`.

    >>> import pingce as pc
    >>> rows = {"click": [1, 1, 0, 0], "buy": [1, 0, 0, 0], "pctr": [0.8, 0.6, 0.3, 0.2], "pcvr": [0.5, 0.2, 0.4, 0.1]}
    >>> scores = pc.evaluate_pairs(rows, ["click:pctr", "buy:pcvr@click=1", "buy:pctr*pcvr"], ["auc", "pcoc"])
    >>> {task: round(values["pcoc"], 2) for task, values in scores.items()}
    {'click:pctr': 0.95, 'buy:pcvr@click=1': 0.7, 'buy:pctr*pcvr': 0.66}
    """

    def __init__(self, tasks: Mapping[str, Scores]) -> None:
        self._tasks = dict(tasks)

    def __getitem__(self, task: str) -> Scores:
        if task not in self._tasks:
            hint = did_you_mean(str(task), self._tasks)
            raise KeyError(str(Text(f"'{task}' was not scored{hint.en}", f"没有评测 '{task}'{hint.zh}")))
        return self._tasks[task]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tasks)

    def __len__(self) -> int:
        return len(self._tasks)

    def table(self) -> Table:
        """For readers: one row per metric, one column per task."""
        return replace(reading_table(self._tasks), best=frozenset())

    def to_arrow(self) -> pa.Table:
        """One row per task and metric, as an Arrow table."""
        table = data_table(self._tasks)
        return pa.Table.from_pylist([dict(zip(table.titles, row, strict=True)) for row in table.rows])

    def to_dict(self) -> Json:
        """Every task as plain Python: what `pingce eval --pair … -f json` writes."""
        return documents(self._tasks)

    def to_json(self, *, indent: int | None = 2) -> str:
        """The same as JSON."""
        return to_json(self.to_dict(), indent)

    def to_csv(self) -> str:
        """Comma-separated, full precision: one row per task and metric."""
        return delimited(data_table(self._tasks), ",")

    def to_markdown(self, *, places: int = 4) -> str:
        """A Markdown table with a column per task."""
        return markdown(self.table(), places)

    def _repr_html_(self) -> str:
        stands_on = [headed(task, text) for task, scores in self._tasks.items() for text in scores.count_texts()]
        return notebook(
            long_table(self.table(), 4),
            folded_lines(STANDS_ON, stands_on),
            folded_lines(DEFINITIONS, definitions(self._tasks, full=True)),
        )

    def __str__(self) -> str:
        return draw(self.table(), 4, fancy=False)

    def __repr__(self) -> str:
        return f"PairScores({list(self._tasks)!r})"
