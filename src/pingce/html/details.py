"""The queries that are shown in full: each model's list side by side, and the worked calculation of the first metric."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pingce.base.exact import Places
from pingce.base.json import Json
from pingce.base.text import Text
from pingce.evidence.ranking.overlap import comparable_ids
from pingce.explanations.derivation import Explanation, Grid, Line, Step
from pingce.explanations.ranking.listed import Listed, id_text, lists_of
from pingce.html.material import Material, RankingLists
from pingce.html.places import as_id, rows_of_each
from pingce.html.plain import both, number, numbers, readable
from pingce.inputs import Rows

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
        self._of = {name: comparable_ids(lists.truth, run) for name, run in lists.runs.items()}
        self._places = {name: [rows_of_each(rows.query, ids) for rows in sides] for name, sides in self._of.items()}
        self.ids = list(ids)
        scored: Any = material.scores
        self._scored = {name: {query: at for at, query in enumerate(s.queries)} for name, s in scored.items()}

    def of(self, at: int) -> Json:
        """One query: what is judged, and what each model shows and earns."""
        return {"models": [self._model(name, at) for name in self.material.models]}

    def _model(self, name: str, at: int) -> Json:
        from pingce.explanations.ranking.base import explain_place

        scores: Any = self.material.scores[name]
        truth, run = (_cut(rows, self._places[name][side][at]) for side, rows in enumerate(self._of[name]))
        value, query = scores.values_by_name[self.material.measured[0]], self.ids[at]
        lists = lists_of(as_id(query), truth, run, value.policies, self.exclude, top_grade=scores.evidence.top_grade)
        place, worked = self._scored[name].get(query), None
        if place is not None and (value.policies.missing != "skip" or scores.facts.answered[place]):
            subject = Text(f"query '{query}'", f"查询 '{query}'")
            worked = _worked(explain_place(scores, value.name, place, lists, subject))
        return {
            "list": [_item(item) for item in lists.items[:SHOWN]],
            "returned": len(lists.items),
            "judged": [[readable(id_text(item)), number(grade)] for item, grade in lists.judged[:SHOWN]],
            "of": len(lists.judged),
            "worked": worked,
        }


def _cut(rows: Rows, places: Places) -> Rows:
    whole = None if rows.whole is None else rows.whole[places]
    subtopic = None if rows.subtopic is None else rows.subtopic.take(places)
    query, item = rows.query.take(places), rows.item.take(places)
    weight = None if rows.weight is None else rows.weight[places]
    value = rows.value[places]
    return replace(rows, query=query, item=item, value=value, whole=whole, subtopic=subtopic, weight=weight)


def _item(item: Listed) -> list[Any]:
    score = number(item.score) if isinstance(item.score, float) else item.score
    return [readable(id_text(item.item)), None if item.grade is None else number(item.grade), score, item.block > 1]


def _worked(explanation: Explanation) -> Json:
    return {
        "value": number(explanation.value),
        "steps": [_step(step) for step in explanation.steps],
        "notes": [both(note) for note in explanation.notes],
    }


def _step(step: Step) -> Json:
    if isinstance(step, Grid):
        return _table(step)
    if isinstance(step, Line):
        texts = {"name": both(step.name), "template": both(step.template)}
        return texts | {"numbers": numbers(step.numbers), "value": number(step.value)}
    return {"text": both(step)}


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
        return float(f"{cell:.6g}") if math.isfinite(cell) else str(cell)
    return readable(cell) if isinstance(cell, str) else cell
