"""Sums of probabilities by field: the same bits however rows are split, exact, and refused where damaged."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from drawn_labels import COUNTS, Table, tables
from pingce.base.errors import InputError
from pingce.evidence.binary.fields import FieldEvidence, column_of_fields, field_evidence


def evidence(table: Table) -> FieldEvidence:
    rows = table.rows()
    return field_evidence(rows, [column_of_fields(rows, "")])[0]


def columns(found: FieldEvidence) -> dict[str, Any]:
    names = list(found.fields.take(np.arange(len(found))).to_list())
    return {
        "fields": names,
        **{name: getattr(found, name).tolist() for name in ("rows", "positives", "excess", "predicted")},
    }


@given(table=tables(groups=True), data=st.data())
def test_pieces_join_to_the_whole(table: Table, data: st.DataObject) -> None:
    """A field may stand in both pieces, and no bit changes; it travels as a table."""
    size = len(table.labels)
    first = data.draw(st.sets(st.sampled_from(range(size)), max_size=size))
    pieces = [table.at([i for i in range(size) if (i in first) == side]) for side in (True, False)]
    parts = [evidence(piece) for piece in pieces if piece.labels]
    sent = [FieldEvidence.from_arrow(part.to_arrow()) for part in parts]
    assert columns(FieldEvidence.joined(sent)) == columns(evidence(table))


@given(table=tables(groups=True, weights=COUNTS))
def test_sums_are_those_of_fractions(table: Table) -> None:
    found = columns(evidence(table))
    weights = table.weights or (1.0,) * len(table.labels)
    scores = np.array(table.scores, table.kind).astype(float).tolist()
    rows = list(zip(table.groups or (), table.labels, scores, weights, strict=True))
    for at, name in enumerate(found["fields"]):
        inside = [(y, Fraction(p), Fraction(w)) for field, y, p, w in rows if field == name]
        off = sum((w * (y - p) for y, p, w in inside), Fraction(0))
        assert found["excess"][at] == pytest.approx(float(off), rel=1e-12, abs=1e-15)
        assert found["rows"][at] == sum(w for _, _, w in inside)
    assert len(found["fields"]) == len({field for field, _, _, w in rows if w})


def test_kinds_of_fields_do_not_mix() -> None:
    numbers, words = (evidence(Table((1, 0), (0.5, 0.25), groups=groups)) for groups in ((1, 2), ("a", "b")))
    with pytest.raises(InputError, match="integers in one batch and text in another"):
        FieldEvidence.joined([numbers, words])


def test_more_positives_than_rows_are_refused() -> None:
    table = evidence(Table((1, 0), (0.5, 0.25), groups=("a", "a"))).to_arrow()
    place = table.column_names.index("positives")
    with pytest.raises(InputError, match="more positives than rows"):
        FieldEvidence.from_arrow(table.set_column(place, "positives", [[3]]))
