"""Intervals of rows that were counted and not kept: those of the rows themselves, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.base.errors import InputError
from pingce.evidence.binary.pieced import PiecedEvidence
from pingce.inputs.data import RowData
from pingce.request import Request
from pingce.run.states.binary import BinaryState
from pingce.stats.intervals import label_intervals
from pingce.stats.resampling import Resampling

METRICS = ["auc", "pr_auc", "ks", "logloss", "brier", "pcoc", "ne", "ece", "accuracy", "f1", "precision"]


def counted(labels: list[int], scores: list[float]) -> PiecedEvidence:
    """Evidence from counts of distinct scores."""
    state = BinaryState(Request.of("binary", METRICS, positive=1))
    state.add(state.read(RowData(labels, np.array(scores))))
    pieces = state._counted_pieces(1)
    pieces.count(None)
    return PiecedEvidence(pieces, (1, 0), {"thresholds"})


@pytest.mark.sweep
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(1, 99)), min_size=4, max_size=60), st.integers(1, 40))
def test_intervals_are_those_of_the_rows(rows: list[tuple[int, int]], often: int) -> None:
    rows = [(0, 3), (1, 7), *rows] * often
    labels, scores = [label for label, _ in rows], [share / 100 for _, share in rows]
    expected = pc.evaluate_binary(labels, scores, METRICS, positive=1, ci=0.9, samples=20)
    plain = pc.evaluate_binary(labels, scores, METRICS, positive=1)
    found = label_intervals(plain.values_by_name, counted(labels, scores), Resampling(0.9, 20, 0))
    for name, value in expected.values_by_name.items():
        assert (found[name].interval, found[name].method) == (value.interval, value.method), name


def test_more_rows_than_may_be_made_again() -> None:
    evidence = counted([0, 1, 1, 0] * 10, [0.1, 0.9, 0.4, 0.6] * 10)
    values = pc.evaluate_binary([0, 1, 1, 0] * 10, [0.1, 0.9, 0.4, 0.6] * 10, ["brier"]).values_by_name
    evidence.pieces.tables.most_rows = 39
    with pytest.raises(InputError, match="needs labels and scores of all 40 rows on the driver, and collect=39"):
        label_intervals(values, evidence, Resampling(0.9, 20, 0))
