"""Pairs of rows of any two classes from counts of ranges: those of all rows together."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.base.errors import InputError
from pingce.evidence.multiclass.evidence import MulticlassEvidence
from pingce.inputs.classes import Classes
from pingce.inputs.multiclass import ClassRows
from pingce.spark import evaluate_multiclass
from pingce.spark.classes import joined_counts, range_counts

from .made import classes, frame

SCORES = st.sampled_from([0.0, 5e-324, 0.25, 0.5, 0.5 + 2**-53, 1.0])
LABELS = ["cat", "dog", "eel"]


@given(
    st.lists(st.tuples(st.integers(0, 2), SCORES, SCORES, SCORES), min_size=1, max_size=30),
    st.lists(SCORES, max_size=3),
)
def test_pairs_are_those_of_all_rows(rows: list[tuple[int, float, float, float]], cuts: list[float]) -> None:
    codes, proba = np.array([row[0] for row in rows]), np.array([row[1:] for row in rows])
    part = np.searchsorted(np.unique(cuts), proba, side="right")
    ranges = []
    every = [(place, column) for column in range(3) for place in np.unique(part[:, column])]
    for place, name in every:
        kept = part[:, name] == place
        columns = {"class": np.full(kept.sum(), name, np.int32), "score": proba[kept, name], "code": codes[kept]}
        ranges.append(json.loads(json.dumps(range_counts(pa.table(columns), 3))))
    wins = joined_counts(ranges, 3)
    evidence = MulticlassEvidence(ClassRows(Classes(codes, LABELS), None, None, proba))
    for a in range(3):
        for b in range(3):
            if a != b and (codes == a).any() and (codes == b).any():
                assert wins[a][b] == evidence.pairs(a, b).twice_concordant


@pytest.mark.parametrize("labels", [None, LABELS])
@pytest.mark.parametrize("proba", ["proba", ["p0", "p1", "p2"]])
def test_no_row_comes_to_the_driver(spark: Any, proba: str | list[str], labels: list[str] | None) -> None:
    table = classes()
    matrix = np.stack([table.column(f"p{place}").to_numpy() for place in range(3)], axis=1)
    metrics = ["auc", "auc(multi=ovo)", "auc(multi=ovo,average=weighted)", "logloss"]
    found = evaluate_multiclass(frame(spark, table), metrics, label="true", proba=proba, labels=labels)
    local = pc.evaluate_multiclass("true", None, metrics, data=table, proba=matrix, labels=labels)
    assert found.to_json() == local.to_json()
    with pytest.raises(InputError, match="they were added up"):
        _ = found.evidence.rows
