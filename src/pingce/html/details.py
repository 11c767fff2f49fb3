"""The queries that are shown in full: each model's list side by side, and the worked calculation of the first metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.json import Json
from pingce.base.text import Text
from pingce.evidence import comparable_ids
from pingce.explanations.derivation import Explanation, Grid, Line, Step
from pingce.explanations.ranking.listed import Listed, lists_of, said
from pingce.html.places import as_id, rows_of_each
from pingce.html.plain import both, number, readable
from pingce.inputs import Rows

if TYPE_CHECKING:
    from pingce.html.material import Material, RankingLists

SHOWN = 20
"Items of a list."
_MOST_ROWS = 24
"Of a table of a calculation."


class Details:
    """Reads the rows of each run once, sorted by query, and shows one query after another."""

    def __init__(self, material: Material, ids: Sequence[Any]) -> None:
        lists: RankingLists = material.lists  # type: ignore[assignment]
        self.material = material
        self.exclude = lists.exclude
        self._of: dict[str, tuple[Rows, Rows]] = {}
        self._places: dict[str, list[list[NDArray[np.intp]]]] = {}
        for name, run in lists.runs.items():
            self._of[name] = comparable_ids(lists.truth, run)
            self._places[name] = [rows_of_each(rows.query, ids) for rows in self._of[name]]
        self.ids = list(ids)
        scored: Any = material.scores
        self._scored = {name: {query: at for at, query in enumerate(s.queries)} for name, s in scored.items()}

    def of(self, at: int) -> Json:
        """One query: what is judged, and what each model shows and earns."""
        return {"models": [self._model(name, at) for name in self.material.models]}

    def _model(self, name: str, at: int) -> Json:
        from pingce.explanations.ranking.base import explain_place, score_column_of

        scores: Any = self.material.scores[name]
        truth, run = (_cut(rows, self._places[name][side][at]) for side, rows in enumerate(self._of[name]))
        value = next(iter(scores.values_by_name.values()))
        query = as_id(self.ids[at])
        lists = lists_of(query, truth, run, value.policies, self.exclude)
        place = self._scored[name].get(self.ids[at])
        worked = None
        left_out = place is None or (value.policies.missing == "skip" and not scores.facts.answered[place])
        if place is not None and not left_out:
            subject = Text(f"query '{self.ids[at]}'", f"查询 '{self.ids[at]}'")
            worked = _worked(
                explain_place(
                    scores, value.name, place, lists, score_column=score_column_of(run, lists), subject=subject
                )
            )
        return {
            "list": [_item(item) for item in lists.items[:SHOWN]],
            "returned": len(lists.items),
            "judged": [[readable(said(item)), number(grade)] for item, grade in lists.judged[:SHOWN]],
            "of": len(lists.judged),
            "worked": worked,
        }


def _cut(rows: Rows, places: NDArray[np.intp]) -> Rows:
    whole = None if rows.whole is None else rows.whole[places]
    return replace(
        rows, query=rows.query.take(places), item=rows.item.take(places), value=rows.value[places], whole=whole
    )


def _item(item: Listed) -> list[Any]:
    score = number(item.score) if isinstance(item.score, float) else item.score
    return [readable(said(item.item)), None if item.grade is None else number(item.grade), score, item.block > 1]


def _worked(it: Explanation) -> Json:
    return {
        "value": number(it.value),
        "steps": [_step(step) for step in it.steps],
        "notes": [both(n) for n in it.notes],
    }


def _step(step: Step) -> Json:
    if isinstance(step, Grid):
        return _table(step)
    if isinstance(step, Line):
        return _line(step)
    return {"text": both(step)}


def _line(step: Line) -> Json:
    return {
        "name": both(step.name),
        "template": both(step.template),
        "numbers": [number(value) for value in step.numbers],
        "value": number(step.value),
    }


def _table(grid: Grid) -> Json:
    """The rows that count come first where there are too many; numbers of the way are rounded, the value is not."""
    places = range(len(grid.rows))
    kept = sorted(sorted(places, key=lambda at: not grid.rows[at].counts)[:_MOST_ROWS])
    return {
        "title": both(grid.title),
        "columns": [[column.key, *both(column.title)] for column in grid.columns],
        "rows": [[grid.rows[at].counts, *map(_cell, grid.rows[at].cells)] for at in kept],
        "more": len(grid.rows) - len(kept),
        "note": None if grid.note is None else both(grid.note),
    }


def _cell(cell: Any) -> Any:
    if isinstance(cell, float):
        return number(float(f"{cell:.6g}")) if np.isfinite(cell) else str(cell)
    return readable(cell) if isinstance(cell, str) else cell
