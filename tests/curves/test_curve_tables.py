"""Curves as text: every digit in data, few words for readers, and names that cannot break a line."""

from __future__ import annotations

import csv
import io
import json
import math

import numpy as np
import pytest

import pingce as pc
from pingce.base.tables import markdown, to_json
from pingce.base.text import use_language
from pingce.curves import tables
from pingce.curves.base import Curve

HOSTILE = 'a,"b"\t\n=1+1'


@pytest.fixture
def pair() -> list[Curve]:
    draw = np.random.default_rng(5)
    labels = draw.integers(0, 2, 40)
    return [pc.roc_curve(labels, draw.random(40), name=name, thresholds=[0.5]) for name in ("one", HOSTILE)]


@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_every_digit_comes_back(pair: list[Curve], delimiter: str) -> None:
    text = tables.delimited(pair, delimiter)
    head, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    assert head == ["model", "threshold", "fpr", "tpr"]
    expected = [
        [curve.model, *row.values()] for curve in pair for row in curve.table.to_pylist()
    ]  # fmt: skip
    assert [[name, *map(float, numbers)] for name, *numbers in rows] == expected


def test_counts_are_written_as_integers() -> None:
    text = tables.delimited([pc.confusion_at_thresholds([1, 0], [0.75, 0.25])], ",")
    assert text.splitlines() == [
        "model,threshold,tp,fp,tn,fn",
        "model,inf,0,0,1,1",
        "model,0.75,1,0,1,0",
        "model,0.25,1,1,0,0",
    ]


def test_thresholds_of_32_bits_are_written_as_what_they_are() -> None:
    score = np.array([0.1, 0.7], np.float32)
    rows = list(csv.reader(io.StringIO(tables.delimited([pc.roc_curve([0, 1], score)], ","))))
    assert [float(row[1]) for row in rows[2:]] == [float(score[1]), float(score[0])]


def test_the_document(pair: list[Curve]) -> None:
    compared = pc.compare_curves(*pair)
    found = json.loads(to_json(tables.document(pair, [compared])))
    assert (found["kind"], found["schema_version"]) == ("roc", 1)
    first = found["curves"][0]
    assert first["model"] == "one"
    assert first["columns"]["threshold"][0] is None, "above every score"
    assert first["columns"]["tpr"] == pair[0].columns["tpr"].tolist()
    assert first["summary"] == dict(pair[0].summary)
    assert first["marks"][0]["threshold"] == 0.5
    assert found["comparisons"][0]["where"] == list(compared.where)
    assert found["comparisons"][0]["text"]["zh"] == compared.text.zh
    assert "comparisons" not in tables.document(pair)
    counts = tables.document([pc.confusion_at_thresholds([1, 0], [0.75, 0.25])])["curves"][0]["columns"]
    assert counts["tp"] == [0, 1, 1]
    assert all(isinstance(count, int) for count in counts["tp"])


def test_undefined_figures_are_null() -> None:
    curve = pc.calibration_curve([0, 0], [0.2, 0.3])
    assert math.isnan(curve.summary["pcoc"])
    assert json.loads(to_json(tables.document([curve])))["curves"][0]["summary"]["pcoc"] is None


def test_for_readers(pair: list[Curve]) -> None:
    table = tables.reading_table(pair)
    assert table.titles == ["model", "threshold", "fpr", "tpr"]
    assert len(table.rows) == sum(map(len, pair))
    assert {row[0] for row in table.rows} == {"one", HOSTILE}
    marked = sorted(table.best)
    assert [column for _, column in marked] == [1, 1]
    assert table.rows[marked[0][0]][2] == pair[0].marks[0].row["fpr"]
    assert len(markdown(table, 4).splitlines()) == 2 + len(table.rows)
    use_language("zh")
    assert tables.reading_table(pair[:1]).titles == ["阈值", "fpr", "tpr"]
