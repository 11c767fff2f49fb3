"""The growing table of distinct scores: however it grows, it is the table of all rows."""

from __future__ import annotations

import random
from functools import reduce
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from drawn_labels import ANY_SCORES, COUNTS, Table, tables, without_core
from pingce.base.errors import EmptyInputError
from pingce.evidence.binary.score_tables import (
    Tables,
    binned,
    cells_of_scores,
    pairs_of_ranges,
    thinned,
)
from pingce.evidence.binary.thresholds import Pairs, ThresholdEvidence, join_counts, threshold_evidence

EXTREME = np.array(
    [-np.inf, -1.8e308, -3.5e38, -1e38, -1.0, -1e-45, -1e-320, 0.0, 1e-320, 1e-45, 0.1, 1.0, 1e38, 1e300]
)


def same(one: ThresholdEvidence, other: ThresholdEvidence) -> bool:
    columns = ("score", "tp", "fp")
    alike = all(getattr(one, name).dtype == getattr(other, name).dtype for name in columns)
    return alike and all(getattr(one, name).tobytes() == getattr(other, name).tobytes() for name in columns)


def table_of(rows: int, seed: int, kind: str = "float64", places: int = 3) -> ThresholdEvidence:
    drawn = np.random.default_rng(seed)
    score = drawn.random(rows).round(places)
    labels = tuple((drawn.random(rows) < 0.3).astype(int).tolist())
    return threshold_evidence(Table(labels, tuple(score.tolist()), kind=kind).rows())


@given(
    tables(scores=ANY_SCORES, weights=st.sampled_from([1.0, 2.0, 7.0]), most=20), st.integers(1, 19), st.integers(0, 99)
)
def test_parts_grow_to_the_table_of_all_rows(drawn: Table, size: int, seed: int) -> None:
    places = list(range(len(drawn.labels)))
    random.Random(seed).shuffle(places)
    parts = [threshold_evidence(drawn.at(places[at : at + size]).rows()) for at in range(0, len(places), size)]
    whole = threshold_evidence(drawn.rows())
    grown = Tables()
    for part in parts:
        grown.add(part)
    with without_core():
        by_reference = reduce(ThresholdEvidence.merge, parts)
    assert same(grown.whole(), whole)
    assert same(by_reference, whole)
    assert grown.pairs() == whole.pairs() == by_reference.pairs()


@pytest.mark.parametrize(("kind", "places"), [("float32", 3), ("float64", 3), ("float64", 9)])
def test_the_core_merges_long_tables_as_the_reference_does(kind: str, places: int) -> None:
    one, other = table_of(150_000, 1, kind, places), table_of(70_000, 2, kind, places)
    merged = one.merge(other)
    with without_core():
        reference = other.merge(one)
    assert same(merged, reference)
    assert merged.pairs() == reference.pairs()


def test_a_table_grows_by_few_merges() -> None:
    merged = []

    class Watched(Tables):
        def _join_last(self) -> None:
            merged.append(sum(map(len, self._held[-2:])))
            super()._join_last()

    grown = Watched()
    for at in range(256):
        grown.add(table_of(20, at, places=9))
    assert len(grown.whole()) == 256 * 20
    assert sum(merged) <= 256 * 20 * 9
    assert grown.nbytes == 256 * 20 * 24


def test_a_copy_does_not_see_what_comes_later() -> None:
    for grown in (Tables(), Tables(100)):
        grown.add(table_of(50, 1))
        before = grown.copy()
        grown.add(table_of(50, 2))
        assert [table.tp[-1] + table.fp[-1] for table in (before.whole(), grown.whole())] == [50, 100]
        assert not Tables(grown.bins)
        with pytest.raises(EmptyInputError, match="no table of scores"):
            Tables(grown.bins).whole()


@given(tables(scores=ANY_SCORES, weights=COUNTS, most=20), st.lists(st.integers(0, 20), max_size=4))
def test_pairs_of_ranges_are_those_of_the_whole(drawn: Table, cuts: list[int]) -> None:
    whole = threshold_evidence(drawn.rows())
    ends = sorted({0, len(whole), *(cut for cut in cuts if cut < len(whole))})
    positives, negatives = whole.at
    ranges = [
        ThresholdEvidence(whole.score[a:b], np.cumsum(positives[a:b]), np.cumsum(negatives[a:b]))
        for a, b in pairwise(ends)
    ]
    assert pairs_of_ranges(ranges) == whole.pairs()


@given(drawn=tables(), data=st.data())
def test_many_tables_joined_at_once_are_the_table_of_all_rows(drawn: Table, data: st.DataObject) -> None:
    part = data.draw(st.lists(st.integers(0, 5), min_size=len(drawn.labels), max_size=len(drawn.labels)))
    places = [[row for row, of in enumerate(part) if of == number] for number in range(6)]
    pieces = [threshold_evidence(drawn.at(rows).rows()).counts for rows in places if rows]
    whole = threshold_evidence(drawn.rows())
    for joined in (join_counts(pieces), join_counts([whole.counts])):
        for name in ("score", "tp", "fp"):
            assert getattr(joined, name).tobytes() == getattr(whole, name).tobytes(), name
        assert joined.pairs() == whole.pairs()


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_many_long_tables_are_joined_alike_by_core_and_reference(kind: str) -> None:
    rng = np.random.default_rng(4)
    scores = [np.unique(np.round(rng.standard_normal(40_000), 4).astype(kind))[::-1].copy() for _ in range(7)]
    pieces = [(score, *rng.integers(0, 200, (2, len(score)), np.uint8)) for score in scores]
    joined = join_counts(pieces)
    with without_core():
        wanted = join_counts(pieces)
    for name in ("score", "tp", "fp"):
        assert getattr(joined, name).tobytes() == getattr(wanted, name).tobytes(), name
    assert joined.pairs() == wanted.pairs()


def test_pairs_beyond_64_bits_are_exact() -> None:
    many = 3 * 10**9
    high = ThresholdEvidence(np.array([0.9]), np.array([many]), np.array([many]))
    low = ThresholdEvidence(np.array([0.1]), np.array([many]), np.array([many]))
    assert pairs_of_ranges([high, low]) == Pairs(2 * many, 2 * many, 2 * many**2 + 2 * many**2)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=20), st.integers(2, 1 << 24))
@example([0.0, -3.402823364973241e38], 2)
def test_cells_keep_the_order_of_scores(scores: list[float], bins: int) -> None:
    for ordered in (np.sort(np.array(scores)), np.sort(np.array([s for s in scores if abs(s) < 3e38], np.float32))):
        cells = cells_of_scores(ordered, bins)
        assert (np.diff(cells) >= 0).all()
        assert ((cells >= 0) & (cells < bins)).all()


def test_cells_of_extreme_scores() -> None:
    cells = cells_of_scores(EXTREME, 1 << 24)
    assert (np.diff(cells) >= 0).all()
    assert cells_of_scores(np.array([-0.0]), 77) == cells_of_scores(np.array([0.0]), 77)
    # A double and the single-precision number that it is go to one cell, whichever type scores have.
    some = np.random.default_rng(1).normal(size=1000).astype(np.float32)
    assert (cells_of_scores(some, 65536) == cells_of_scores(some.astype(np.float64), 65536)).all()


def test_rows_of_cells_are_rows_of_the_table() -> None:
    whole = table_of(5000, 3)
    some = binned(whole, 4096)
    rows = {tuple(row) for row in zip(whole.score.tolist(), whole.tp.tolist(), whole.fp.tolist(), strict=True)}
    assert {tuple(row) for row in zip(some.score.tolist(), some.tp.tolist(), some.fp.tolist(), strict=True)} < rows
    assert (some.positives, some.negatives) == (whole.positives, whole.negatives)
    few = thinned(whole, 7)
    assert len(few) == 7
    assert (few.score[0], few.score[-1]) == (whole.score[0], whole.score[-1])
    assert thinned(few, 100) is few
