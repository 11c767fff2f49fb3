"""The list of one query, row by row, from the rows that were given: in the order that the policies say."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from itertools import accumulate, count, groupby
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pingce.base.records import dataclass
from pingce.base.tables import Cell
from pingce.base.text import Text
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.completed import grade_of_unjudged
from pingce.evidence.ranking.compute import scores_as_compared
from pingce.evidence.ranking.intents import merged_subtopics
from pingce.evidence.ranking.overlap import named_alike
from pingce.evidence.ranking.truth_index import chosen_rows
from pingce.evidence.ranking.view import RankingView
from pingce.inputs import Rows
from pingce.inputs.ids import Ids, IntIds

Id: TypeAlias = "int | bytes"


class Listed(NamedTuple):
    """An item of the list: its rank without ties is above + 1."""

    item: Id
    score: Cell
    grade: float | None
    above: int = 0
    "Rows with a higher score."
    block: int = 1
    "Rows with this score."
    rank: int = 0
    "Its rank; under ties=expected one of those that it may have."
    hit: int | None = None
    "Its place among the judged items of the list."


@dataclass(frozen=True)
class Lists:
    """What one query has: the list, all judged items, and what was taken out before."""

    items: tuple[Listed, ...]
    judged: tuple[tuple[Id, float], ...]
    excluded: int
    unjudged: int
    "Without a judgement: taken out by judged_only, or still there."
    score: tuple[str, Text] | None = None
    "The column of what the run gave: scores, ranks, or nothing but the order."
    subtopics: Mapping[Id, Mapping[str, float]] = field(default_factory=dict)
    "The grades of each judged item by subtopic, where the truth tells them apart."
    weights: Mapping[Id, float] = field(default_factory=dict)
    "What each judged item weighs, where the truth says so."

    @staticmethod
    def subtopic_order(name: str) -> tuple[int, str]:
        """Shorter names first, so that numbers stand in their order."""
        return len(name.encode()), name


def id_text(item: Id) -> str:
    """An id as text, readable even where it is not UTF-8."""
    return str(item) if isinstance(item, int) else item.decode("utf-8", "backslashreplace")


def rows_with(ids: Ids, wanted: Id) -> NDArray[np.int64]:
    """The rows with this id: no Python object is made of the others."""
    plain = ids.plain()
    if isinstance(plain, IntIds):
        return np.flatnonzero(plain.values == wanted)
    letters: bytes = wanted  # type: ignore[assignment]
    rows = np.flatnonzero(plain.ends - plain.starts == len(letters))
    for at, letter in enumerate(letters):
        rows = rows[plain.data[plain.starts[rows] + at] == letter]
    return rows


def ids_of(ids: Ids, rows: NDArray[Any]) -> list[Id]:
    """Ids that compare as ids do: integers, or the bytes of strings."""
    if not len(rows):
        return []
    some = ids.take(rows).plain()
    return list(some.to_list()) if isinstance(some, IntIds) else list(some.to_bytes())


_LAST, _NUMBER, _FIRST = 0, 1, 2
_SCORES = {
    "given": ("score", Text("score", "分数")),
    "none": ("score", Text("score", "分数")),
    "rank": ("given_rank", Text("rank as given", "所给名次")),
}


class _Entry(NamedTuple):
    item: Id
    key: tuple[int, float]
    "What is compared: a number, or above or below all of them."
    row: int


def lists_of(
    query: Id, truth: Rows, run: Rows, policies: Policies, exclude: Rows | None = None, *, top_grade: float = 1.0
) -> Lists:
    """The list and the judgements of a query; `top_grade` is that of the whole truth."""
    subtopics = _subtopics(query, truth, policies.duplicates)
    truth = _merged(query, truth, policies.duplicates)
    judgements = _without_repeats(_entries(query, truth, truth.value), policies.duplicates)
    judged = {entry.item: entry.key[1] for entry in judgements}
    weights = {} if truth.weight is None else {entry.item: float(truth.weight[entry.row]) for entry in judgements}
    without = _excluded(query, truth, exclude)
    if policies.identical == "drop" and truth.query.integers == truth.item.integers:
        without.add(query)
    entries = _entries(query, run, scores_as_compared(run, policies.score_type), policies.nan)
    kept = [entry for entry in entries if entry.item not in without]
    excluded = len(entries) - len(kept)
    if policies.nan == "drop":
        kept = [entry for entry in kept if entry.key[0] == _NUMBER]
    kept = _without_repeats(kept, policies.duplicates)
    before = len(kept)
    if policies.judged_only == "yes":
        kept = [entry for entry in kept if judged.get(entry.item, -1.0) >= 0]
    unjudged = [entry.item for entry in kept if judged.get(entry.item, -1.0) < 0]
    if policies.unjudged != "zero":
        judged |= dict.fromkeys(unjudged, grade_of_unjudged(policies.unjudged, top_grade))
    items = _placed(_ordered(kept, judged, policies.ties, weights), run, judged, policies)
    if policies.judged == "list":
        listed = {entry.item for entry in kept}
        judged = {item: grade for item, grade in judged.items() if item in listed}
        subtopics = {item: grades for item, grades in subtopics.items() if item in listed}
    best_first = sorted(judged.items(), key=lambda pair: -pair[1])
    same_ranks = run.meaning == "rank" and all(row.score == row.rank for row in items)
    score = None if same_ranks else _SCORES.get(run.meaning)  # ranks that are the ranks anyway say nothing
    taken = before - len(kept) if policies.judged_only == "yes" else len(unjudged)
    return Lists(tuple(items), tuple(best_first), excluded, taken, score, subtopics, weights)


def _merged(query: Id, truth: Rows, duplicates: str) -> Rows:
    """The judgements of a query with the highest grade over subtopics; those of a truth without subtopics as they are."""
    if truth.subtopic is None:
        return truth
    return merged_subtopics(chosen_rows(truth, rows_with(truth.query, query)), duplicates)


def _subtopics(query: Id, truth: Rows, duplicates: str) -> dict[Id, dict[str, float]]:
    """The grades of each judged item by subtopic."""
    if truth.subtopic is None:
        return {}
    rows = rows_with(truth.query, query)
    names = [id_text(name) for name in ids_of(truth.subtopic, rows)]
    grades: dict[Id, dict[str, float]] = {}
    entries = zip(ids_of(truth.item, rows), names, truth.value[rows].tolist(), strict=True)
    for item, name, grade in sorted(entries, key=lambda entry: Lists.subtopic_order(entry[1])):
        of_item = grades.setdefault(item, {})
        if name not in of_item or duplicates == "last" or (duplicates == "best" and grade > of_item[name]):
            of_item[name] = grade
    return grades


def _entries(query: Id, table: Rows, values: NDArray[Any], nan: str = "last") -> list[_Entry]:
    """The rows of a query, with what each is compared by."""
    rows, other = rows_with(table.query, query), (_FIRST if nan == "first" else _LAST, 0.0)
    keys = (other if math.isnan(value) else (_NUMBER, value) for value in values[rows].tolist())
    return [*map(_Entry._make, zip(ids_of(table.item, rows), keys, rows.tolist(), strict=True))]


def _excluded(query: Id, truth: Rows, exclude: Rows | None) -> set[Id]:
    if exclude is None:
        return set()
    untyped = truth.source.untyped_ids
    rows = rows_with(named_alike(exclude, "query", truth.query, untyped=untyped), query)
    return set(ids_of(named_alike(exclude, "item", truth.item, untyped=untyped), rows))


def _without_repeats(entries: list[_Entry], policy: str) -> list[_Entry]:
    """One row an item, chosen by policy, in the order of rows."""
    if len({entry.item for entry in entries}) == len(entries):
        return entries
    chosen: dict[Id, _Entry] = {}
    for entry in entries:
        earlier = chosen.get(entry.item)
        if earlier is None or policy == "last" or (policy == "best" and entry.key > earlier.key):
            chosen[entry.item] = entry
    return sorted(chosen.values(), key=attrgetter("row"))


def _ordered(entries: list[_Entry], judged: dict[Id, float], ties: str, weights: Mapping[Id, float]) -> list[_Entry]:
    """By score; equal scores by policy, and where no order is meant by grade and weight. An unjudged item counts as grade 0, and as less than a judged one."""

    def merit(entry: _Entry) -> tuple[int, float, float]:
        grade = judged.get(entry.item)
        weight = weights.get(entry.item, 0.0) if ties == "expected" else 0.0
        return (1, 0.0, 0.0) if grade is None else (2, grade, weight) if grade >= 0 else (0, grade, weight)

    order = entries
    if ties != "order":
        order = sorted(order, key=attrgetter("item"), reverse=ties != "id_ascending")
    if ties in ("best", "worst", "expected"):
        order = sorted(order, key=merit, reverse=ties != "worst")
    return sorted(order, key=attrgetter("key"), reverse=True)


def _placed(entries: list[_Entry], run: Rows, judged: dict[Id, float], policies: Policies) -> list[Listed]:
    items, keys, rows = zip(*entries, strict=True) if entries else ((), (), ())
    scores, grades = _shown_scores(run, list(rows), policies.score_type), [judged.get(item) for item in items]
    sizes = [len([*tied]) for _, tied in groupby(keys)]
    block = [size for size in sizes for _ in range(size)]
    above = [start for start, size in zip(accumulate(sizes, initial=0), sizes, strict=False) for _ in range(size)]
    numbers = count()
    hits = [None if grade is None else next(numbers) for grade in grades]
    ranks = range(1, len(items) + 1)
    return [*map(Listed._make, zip(items, scores, grades, above, block, ranks, hits, strict=True))]


def _shown_scores(run: Rows, rows: list[int], score_type: str) -> list[Any]:
    """What the run gave for some rows, as it gave it."""
    if run.meaning == "order":
        return [None] * len(rows)
    if run.meaning == "rank":
        return [int(-value) for value in run.value[rows].tolist()]
    if run.whole is not None and score_type == "given":
        return [int(value) for value in run.whole[rows].tolist()]
    kind = np.float32 if score_type == "float32" else np.float64
    scores: list[Any] = run.value[rows].astype(kind).tolist()
    return scores


def refuse_other_evidence(lists: Lists, view: RankingView) -> None:
    """The rows shown must be those that were counted; if they are not, it is a mistake of pingce's."""
    hits = [row for row in lists.items if row.hit is not None]
    names = ("above", "block", "grade", *(() if view.expected else ("rank",)))
    same = all([getattr(row, name) for row in hits] == getattr(view, name).tolist() for name in names)
    same = same and len(lists.items) == int(view.returned[0])
    if not same or [grade for _, grade in lists.judged] != view.judged_grade.tolist():
        raise RuntimeError("the list that is shown is not the list that was evaluated")
