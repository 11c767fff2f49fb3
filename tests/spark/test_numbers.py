"""Middle errors and ranks from counts and sums of parts: those of all rows together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.base.errors import InputError
from pingce.evidence.regression.evidence import error_evidence
from pingce.evidence.regression.ranks import mid_ranks, rank_rows
from pingce.inputs.regression import NumberRows
from pingce.metrics.regression.explained import Pearson
from pingce.spark import evaluate_regression
from pingce.spark.numbers import BitCounts, FarNumbers, error_counts, joined_sums, range_sums

from .made import classes, frame

NUMBERS = st.sampled_from([0.0, -0.0, 1.0, -1.0, 5e-324, 2.0**-1022, 1e300, -1e300, 0.1, 1 + 2**-52, 3.5, 7.0])
ROWS = st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=40)


@dataclass(frozen=True)
class NearNumbers(FarNumbers):
    """The same with tables here."""

    pieces: Sequence[pa.Table] = ()

    def _counts(self, known: int, shift: int, prefixes: list[int]) -> BitCounts:
        bits = np.array(prefixes, np.uint64), known, shift
        sent = (error_counts(piece.to_batches(), ("y", "p"), bits) for piece in self.pieces)
        return BitCounts.joined([BitCounts.from_bytes(data) for data in sent if data])


@given(ROWS, st.integers(1, 4), st.sampled_from([0, 1, 3, 1 << 20]))
def test_middle_errors_are_those_of_sorted_rows(rows: list[tuple[float, float]], parts: int, few: int) -> None:
    true, predicted = (np.array([row[side] for row in rows]) for side in (0, 1))
    pieces = [pa.table({"y": true[part::parts], "p": predicted[part::parts]}) for part in range(parts)]
    sizes = np.sort(np.abs(predicted - true))
    middle = NearNumbers(None, "y", "p", few, pieces=pieces).middle_errors()
    assert middle == (sizes[(len(sizes) - 1) // 2], sizes[len(sizes) // 2])


def test_data_that_change_are_refused() -> None:
    with pytest.raises(InputError, match="changed between two passes"):
        BitCounts.joined([]).place(0)


@given(ROWS, st.lists(NUMBERS, max_size=3), st.lists(NUMBERS, max_size=3))
def test_sums_over_ranks_are_those_of_all_rows(
    rows: list[tuple[float, float]], cuts: list[float], others: list[float]
) -> None:
    one, other = (np.array([row[side] for row in rows]) + 0.0 for side in (0, 1))
    part, there = (
        np.searchsorted(np.unique(cuts), one, side="right"),
        np.searchsorted(np.unique(others), other, side="right"),
    )
    rank = np.empty(len(one))
    for place in np.unique(part):
        rank[part == place] = mid_ranks(one[part == place])
    ranges = []
    for place in np.unique(there):
        kept = there == place
        table = pa.table({"other": other[kept], "part": part[kept].astype(np.int32), "rank": rank[kept]})
        ranges.append(range_sums(table))
    sums: dict[str, Fraction] = joined_sums(ranges)
    every = error_evidence(rank_rows(NumberRows(one, other)), Pearson.needs).sums
    assert {name: sums[name] for name in every} == dict(every)


@pytest.mark.parametrize("weight", [None, "weight"])
def test_no_row_comes_to_the_driver_without_weights(spark: Any, weight: str | None) -> None:
    table = classes()
    metrics = ["medae", "spearman", "mae"]
    found = evaluate_regression(frame(spark, table), metrics, label="y", prediction="y_pred", weight=weight)
    local = pc.evaluate_regression("y", "y_pred", metrics, data=table, weight=weight)
    assert found.to_json() == local.to_json()
    assert (found.evidence.rows is None) == (weight is None)
