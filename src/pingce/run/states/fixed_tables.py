"""What a ranking evaluator is given once: truth, excluded pairs, weights and slices; and how to know them again."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from pingce.base.errors import EmptyInputError, InputError
from pingce.base.json import Json
from pingce.base.lazy import cached_property
from pingce.evidence.items.background import Background, refuse_absent_table
from pingce.evidence.ranking.compute import comparable_exclude, refuse_bad_grades
from pingce.evidence.ranking.truth_index import IndexedRows
from pingce.inputs import Ids, IntIds, Rows
from pingce.inputs.catalog import read_catalog
from pingce.inputs.columns import Reading, cannot_be_read
from pingce.inputs.data import RankingData
from pingce.inputs.ids import hashes
from pingce.inputs.item_table import read_items
from pingce.request import gap_columns
from pingce.run.view_policies import tables_under
from pingce.tasks.ranking import BACKGROUND

if TYPE_CHECKING:
    from pingce.metrics.grammar import MetricRequest
    from pingce.request import Request
    from pingce.run.rankings import RankingInputs
    from pingce.slices.queries import QueryBy

_SEEDS = (1, 2, 3, 4)


class FixedTables:
    """The tables that come with an evaluator; one that was made from bytes knows only what they were like."""

    NAMES: ClassVar[tuple[str, ...]] = ("truth", "exclude", "query_weight", "by", *BACKGROUND)

    def __init__(
        self,
        truth: Rows | None = None,
        exclude: Rows | None = None,
        query_weight: Rows | None = None,
        by: tuple[QueryBy, ...] = (),
        *,
        background: Background | None = None,
        top_grade: float | None = None,
    ) -> None:
        self.truth, self.exclude, self.query_weight, self.by = truth, exclude, query_weight, by
        self.background = background or Background()
        "What is known of items beside the lists."
        self._prints: Json | None = None
        self.top_grade = top_grade
        "The largest grade of a truth that comes in parts, where it was found first."

    @classmethod
    def of_prints(cls, prints: Json, top_grade: float | None) -> FixedTables:
        """Tables that are elsewhere, known by their fingerprints."""
        tables = cls(top_grade=top_grade)
        tables._prints = prints
        return tables

    @cached_property
    def fingerprints(self) -> Json:
        """Equal for tables with the same rows in any order; None for one that was not given."""
        if self._prints is not None:
            return dict(self._prints)
        prints: Json = {
            name: None if (rows := getattr(self, name)) is None else _fingerprint(rows) for name in self.NAMES[:3]
        }
        return prints | {"by": [_slices_fingerprint(slicing) for slicing in self.by]} | _known_items(self.background)

    def has(self, name: str) -> bool:
        """Whether it was given, here or where this comes from."""
        return bool((self._prints or {}).get(name)) or self._has_here(name)

    def _has_here(self, name: str) -> bool:
        if name in BACKGROUND:
            return getattr(self.background, name) is not None
        return bool(self.by) if name == "by" else getattr(self, name) is not None

    @property
    def lacks(self) -> list[str]:
        """What was given where this comes from, and is not here."""
        return [name for name, each in (self._prints or {}).items() if each and not self._has_here(name)]

    def refuse_lacking(self, *names: str) -> None:
        """Say what is not here."""
        lacking = [name for name in self.lacks if name in names]
        if lacking:
            raise InputError(
                f"an evaluator that was made from bytes does not have the {lacking[0]} it was given before; merge it into one "
                "that has",
                f"由字节还原的评测器没有当初给出的 {lacking[0]}；请把它合并到有该数据的评测器中",
            )

    def inputs(self, run: Rows) -> RankingInputs:
        """A run with all tables beside it; a truth that nobody gave has no rows."""
        from pingce.run.rankings import RankingInputs
        from pingce.run.states.ranking_pieces import no_rows_like

        truth = no_rows_like(run) if self.truth is None else self.truth
        return RankingInputs(truth, run, self.exclude, self.query_weight, by=self.by, background=self.background)

    def borrow(self, background: Background) -> None:
        """Have tables of items that belong to the one this comes from, for as long as lists are counted here."""
        lent = {name: getattr(background, name) for name in self.lacks if name in background.present}
        self.background = replace(self.background, **lent)

    def take(self, other: FixedTables) -> None:
        """Have what another one has."""
        for name in self.lacks:
            if name in BACKGROUND:
                self.background = replace(self.background, **{name: getattr(other.background, name)})
            else:
                setattr(self, name, getattr(other, name))
        self._prints = self.fingerprints if self.lacks else None


class Judgements:
    """The truth and the excluded pairs of an evaluator, with ids as the run has them, to be asked query by query."""

    def __init__(self, truth: Rows, exclude: Rows | None) -> None:
        self.truth = IndexedRows(truth)
        self.exclude = None if exclude is None else IndexedRows(exclude)
        self._prepared = False

    def prepare(self, run: Rows) -> None:
        """Once: grades are numbers, and excluded pairs have ids as the truth has them."""
        if self._prepared:
            return
        refuse_bad_grades(self.truth.all)
        if self.exclude is not None:
            self.exclude = IndexedRows(comparable_exclude(self.exclude.all, self.truth.all, run))
        self._prepared = True

    def of(self, queries: Ids) -> tuple[Rows, Rows | None]:
        """The judgements and the excluded pairs of some queries."""
        return self.truth.of(queries), None if self.exclude is None else self.exclude.of(queries)


def _fingerprint(rows: Rows) -> Json:
    """Rows are hashed one by one and added up, so that their order does not matter."""
    both = hashes(rows.query, _SEEDS[0]) ^ _turned(hashes(rows.item, _SEEDS[1]))
    if rows.subtopic is not None:
        both = _turned(both) ^ hashes(rows.subtopic, _SEEDS[2])
    if rows.weight is not None:
        both = _turned(both) ^ hashes_of(rows.weight.view(np.int64), _SEEDS[2])
    each = hashes_of((both ^ hashes_of(rows.value.view(np.int64), _SEEDS[2])).view(np.int64), _SEEDS[3])
    sums = (int(values.sum(dtype=np.uint64)) for values in (each, each * each))
    return {"rows": len(rows), "hash": "".join(f"{total:016x}" for total in sums)}


def hashes_of(numbers: Any, seed: int) -> Any:
    """A hash of each integer."""
    return hashes(IntIds(np.ascontiguousarray(numbers)), seed)


def _turned(values: Any) -> Any:
    """The query 1 with the item 2 is not the query 2 with the item 1."""
    return (values << np.uint64(1)) | (values >> np.uint64(63))


def _slices_fingerprint(by: QueryBy) -> Json:
    from pingce.slices.queries import QueryTable

    if not isinstance(by, QueryTable):
        return {"by": by.by}
    rows = by.queries
    codes = hashes_of(hashes(rows.query, 0).view(np.int64) ^ _turned(hashes_of(by.slices.codes, 1)).view(np.int64), 2)
    return {
        "by": by.by,
        "rows": len(rows),
        "slices": [str(name) for name in by.slices.names],
        "hash": f"{int(codes.sum(dtype=np.uint64)):016x}",
    }


def read_tables(request: Request, data: RankingData) -> FixedTables:
    """The tables that come with an evaluator, read as the request says; absent ones stay absent."""
    reading = request.reading
    return FixedTables(
        None if data.truth is None else reading.read(data.truth, "truth"),
        None if data.exclude is None else read_pairs(data.exclude, request),
        None if data.query_weight is None else reading.read(data.query_weight, "weights"),
        read_slices(request, data.by),
        background=read_background(request, data),
    )


def read_background(request: Request, data: RankingData) -> Background:
    """What is known of items, read as the request says; a table that a metric needs and nobody gave is refused before anything is read."""
    present = [name for name in BACKGROUND if getattr(data, name) is not None]
    for metric in request.metrics or ():
        refuse_absent_table(metric.name, tables_under(metric, request.policies), present)
    return read_known_items(request.reading, data)


def read_known_items(reading: Reading, data: RankingData) -> Background:
    """What is known of items; absent tables stay absent."""
    return Background(
        None if data.train is None else reading.read(data.train, "train"),
        None if data.catalog is None else read_catalog(data.catalog, reading),
        None if data.items is None else read_items(data.items, reading),
        None if data.reference is None else reading.read(data.reference, "run"),
    )


def refuse_no_truth(metrics: Sequence[MetricRequest] | None) -> None:
    """Refuse to do without a truth where a metric looks at relevance."""
    if metrics is None:
        raise cannot_be_read(None, "truth")
    judging = next((metric.name for metric in metrics if "qrels" in metric.metric.tables), None)
    if judging is not None:
        raise InputError(
            f"qrels is None, but {judging} looks at what is relevant: give the truth, or ask only for metrics of items, such as coverage@10",
            f"qrels 为 None，而 {judging} 需要相关性标注：请给出真值，或只用看条目的指标，例如 coverage@10",
        )


def _known_items(background: Background) -> Json:
    """Fingerprints of tables of items; of those that were given."""
    prints: Json = {}
    if background.train is not None:
        prints["train"] = _fingerprint(background.train)
    if (catalog := background.catalog) is not None:
        prints["catalog"] = {"rows": catalog.size} if catalog.rows is None else _fingerprint(catalog.rows)
    if background.reference is not None:
        prints["reference"] = _fingerprint(background.reference)
    if (items := background.items) is not None:
        prints["items"] = _fingerprint(items.rows) | {"facts": items.digest()}
    return prints


def read_slices(request: Request, by: Any) -> tuple[QueryBy, ...]:
    """What queries are sliced by; nothing where `by` is None, or was read before."""
    absent = by is None or (isinstance(by, tuple) and not by)
    gaps = gap_columns(request)
    if absent and not gaps:
        return ()
    from pingce.slices.queries import BUILT_IN, read_query_slices

    reading = request.reading
    slices = [] if absent else read_query_slices(by, columns=reading.columns, encoding=reading.encoding)
    more = [name for name in gaps if name in BUILT_IN and name not in {each.by for each in slices}]
    return tuple(slices + (read_query_slices(more) if more else []))


def read_pairs(exclude: Any, request: Request) -> Rows | None:
    """The pairs to exclude; an object without any means none, an empty file is a mistake."""
    try:
        return request.reading.read(exclude, "exclude")
    except EmptyInputError:
        if isinstance(exclude, (str, os.PathLike)):
            raise
        return None
