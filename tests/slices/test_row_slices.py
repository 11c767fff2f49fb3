"""Slices of predictions: each is what its rows alone give, they add up, and bad columns are refused."""

from __future__ import annotations

import datetime
import json
import math
from importlib.resources import files
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from drawn_labels import ALL, COUNTS, Table, tables
from pingce.base.errors import InputError
from pingce.scores.slices import Slices

N = 200
RANDOM = np.random.Generator(np.random.PCG64(7))
LABELS, SCORES = RANDOM.integers(0, 2, N), RANDOM.random(N)
USERS, DEVICE = RANDOM.integers(0, 30, N), np.array(["web", "app", "tv"])[RANDOM.integers(0, 3, N)]
LEAST = sorted(np.unique(DEVICE, return_counts=True)[1].tolist())[1]
DATA = {"click": LABELS, "pctr": SCORES, "user": USERS, "device": DEVICE.tolist()}


def same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


def part_named(slices: Slices | None, name: str | None) -> Any:
    assert slices is not None
    return next(part for part in slices.parts if part.name == name)


@pytest.mark.sweep
@given(
    tables(weights=COUNTS, groups=True), st.lists(st.sampled_from(ALL), min_size=8, max_size=8, unique=True), st.data()
)
def test_a_slice_is_what_its_rows_alone_give(table: Table, metrics: list[Any], data: st.DataObject) -> None:
    metrics = [metric for metric in metrics if not metric.needed_columns()]
    size = len(table.labels)
    values = data.draw(st.lists(st.sampled_from(["a", "b", None]), min_size=size, max_size=size))
    values[0] = values[0] or "a"

    def evaluate(table: Table, **more: Any) -> pc.BinaryScores:
        given_columns: dict[str, Any] = {"group": table.groups, "weight": table.weights}
        scores = np.array(table.scores, table.kind)
        return pc.evaluate_binary(table.labels, scores, ["pcoc", *metrics], positive=1, **given_columns, **more)

    found = evaluate(table, by=values)
    assert found.slices is not None
    assert sum(part.n for part in found.slices.parts) == size
    for part in found.slices.parts:
        places = [i for i, value in enumerate(values) if value == part.name]
        own = table.at(places)
        assert part.n == len(places)
        if own.weights is not None and not any(own.weights):
            assert all(math.isnan(one.value) for one in part.values.values())
            continue
        alone = evaluate(own)
        for name in found:
            assert same(part.values[name].value, alone[name]), (part.name, name)
            assert part.values[name].count == alone.find(name).count


CLASSES = st.lists(
    st.tuples(*[st.sampled_from("abcd")] * 2, st.sampled_from([0.0, 1.0, 2.0]), st.sampled_from(["x", "y", None])),
    min_size=1,
    max_size=15,
)


@given(CLASSES)
def test_classes_of_a_slice_are_those_that_occur_in_it(rows: list[tuple[str, str, float, str | None]]) -> None:
    rows = [("a", "a", 1.0, "x"), *rows]
    true, predicted, weights, by = (list(column) for column in zip(*rows, strict=True))
    metrics = ["accuracy", "f1(average=macro)", "f1(average=weighted)", "precision(label=a)", "kappa"]
    found = pc.evaluate_multiclass(true, predicted, metrics, weight=weights, by={"part": by})
    assert found.slices is not None
    assert sum(part.n for part in found.slices.parts) == len(rows) == found.slices.overall.n
    for part in found.slices.parts:
        own = [row for row in rows if row[3] == part.name]
        assert part.n == len(own)
        if not any(row[2] for row in own):
            assert all(math.isnan(one.value) for one in part.values.values())
            continue
        columns = [list(column) for column in zip(*own, strict=True)]
        has_a = any(row[2] and "a" in row[:2] for row in own)
        asked = metrics if has_a else [name for name in metrics if "label" not in name]
        alone = pc.evaluate_multiclass(columns[0], columns[1], asked, weight=columns[2])
        assert all(same(part.values[name].value, alone[name]) for name in asked)
        assert has_a or math.isnan(part.values["precision(label=a)"].value)


def test_given_classes_stay_in_every_slice() -> None:
    true, predicted, by = ["a", "b", "b", "a"], ["a", "b", "a", "a"], [1, 1, 2, 2]
    found = pc.evaluate_multiclass(true, predicted, ["f1(average=macro)"], labels=["a", "b", "c"], by=by)
    alone = pc.evaluate_multiclass(["b", "a"], ["a", "a"], ["f1(average=macro)"], labels=["a", "b", "c"])
    assert part_named(found.slices, "2").values["f1(average=macro)"].value == alone["f1(average=macro)"]
    proba = np.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4], [0.7, 0.3]])
    likely = pc.evaluate_multiclass(true, None, ["logloss", "accuracy"], proba=proba, by=by)
    only = pc.evaluate_multiclass(true[2:], None, ["logloss", "accuracy"], proba=proba[2:], labels=["a", "b"])
    assert part_named(likely.slices, "2").values["logloss"].value == only["logloss"]


def test_numbers() -> None:
    weight = RANDOM.integers(0, 3, N)
    found = pc.evaluate_regression(SCORES, SCORES[::-1], weight=weight, by={"device": DEVICE})
    assert found.slices is not None
    assert [part.name for part in found.slices.parts] == ["app", "tv", "web"]
    for part in found.slices.parts:
        own = np.asarray(part.name == DEVICE)
        alone = pc.evaluate_regression(SCORES[own], SCORES[::-1][own], weight=weight[own])
        assert part.n == own.sum()
        assert {name: one.value for name, one in part.values.items()} == dict(alone)


def test_intervals_are_those_of_the_rows_alone_from_min_n_up() -> None:
    options: dict[str, Any] = {"ci": 0.9, "samples": 20, "seed": 3}
    found = pc.evaluate_binary(LABELS, SCORES, ["auc", "f1"], by=DEVICE, min_n=LEAST, **options)
    assert found.slices is not None
    for part in found.slices.parts:
        own = np.asarray(part.name == DEVICE)
        alone = pc.evaluate_binary(LABELS[own], SCORES[own], ["auc", "f1"], **options)
        for name in alone:
            assert part.values[name].interval == (alone.interval(name) if part.n >= LEAST else None)
    assert {part.n >= LEAST for part in found.slices.parts} == {True, False}
    assert found.slices.confidence == 0.9
    assert f"fewer than {LEAST} rows" in found.slices.notes[-1].en
    plain = pc.evaluate_binary(LABELS, SCORES, ["auc"], by=DEVICE).slices
    assert plain is not None
    assert (plain.confidence, plain.notes) == (None, ())


def test_activity_goes_by_the_rows_of_groups() -> None:
    found = pc.evaluate_binary(LABELS, SCORES, ["auc"], group=USERS, by="activity").slices
    assert found is not None
    sizes = np.bincount(USERS)
    decile = np.array([10 * np.count_nonzero(sizes < size) // len(sizes) for size in sizes])[USERS]
    assert [part.n for part in found.parts] == [np.count_nonzero(decile == one) for one in np.unique(decile)]
    words = pc.evaluate_binary(LABELS, SCORES, ["auc"], group=[f"u{user}" for user in USERS], by="activity").slices
    assert words is not None
    assert words.to_json() == found.to_json()


def test_columns_by_name_and_by_themselves() -> None:
    expected = pc.evaluate_binary(LABELS, SCORES, ["auc"], by={"device": DEVICE}).slices
    for by in ("device", ["device"], {"device": "device"}, {"device": DEVICE}, pd.Series(DEVICE, name="device")):
        for data in (DATA, pd.DataFrame(DATA)):
            found = pc.evaluate_binary("click", "pctr", ["auc"], data=data, by=by).slices
            assert found == expected
    both = pc.evaluate_binary(
        "click", "pctr", ["auc"], data=DATA, group="user", by=["device", "user", "activity"]
    ).slices
    assert both is not None
    assert both.names == ["device", "user", "activity"]
    label = pc.evaluate_binary("click", "pctr", ["pcoc"], data=DATA, by="click").slices
    assert label is not None
    assert [part.n for part in label.parts] == np.bincount(LABELS).tolist()


@pytest.mark.parametrize(
    ("values", "names"),
    [
        ([True, False, None], ["false", "true", None]),
        ([2.0, math.nan, 10.0], ["2", "10", None]),
        ([0.5, 0.25, None], ["0.25", "0.5", None]),
        (["10", "9", ""], ["9", "10", None]),
        (["b", "10", "B"], ["10", "B", "b"]),
        ([datetime.date(2024, 5, 1), None, datetime.date(2023, 1, 1)], ["2023-01-01", "2024-05-01", None]),
        (pd.Categorical(["x", "y", "x"], categories=["y", "x", "never"]), ["x", "y"]),
        (np.array([1, 0, 1], bool), ["false", "true"]),
    ],
)
def test_values_of_every_type(values: Any, names: list[str | None]) -> None:
    found = pc.evaluate_regression([1, 2, 3], [1, 2, 4], ["mae"], by={"part": values}).slices
    assert found is not None
    assert [part.name for part in found.parts] == names


def test_documents_follow_the_schema() -> None:
    schema = json.loads((files("pingce") / "schema" / "scores.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    for scores in (
        pc.evaluate_binary(LABELS, SCORES, by=DEVICE, group=USERS, ci=0.9, samples=10),
        pc.evaluate_multiclass(DEVICE, DEVICE[::-1], by=LABELS),
        pc.evaluate_regression(SCORES, SCORES[::-1], by=LABELS),
    ):
        validator.validate(json.loads(scores.to_json()))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"by": "device"}, "by='device' is the name of a column: give the table too"),
        ({"by": DEVICE[:3]}, "has 200 rows, but by 'by' has 3"),
        ({"by": [None] * N}, "no value in any row"),
        ({"by": "activity"}, "say which column or array holds the groups"),
        ({"by": np.arange(0, 10 * N, 10.0), "min_n": -3}, "min_n=-3"),
        (
            {"by": "devise", "data": DATA},
            "no column 'devise'; it has 'click', 'pctr', 'user', 'device'; did you mean 'device'",
        ),
        ({"by": ["device", "device"], "data": DATA}, "names a column twice"),
        ({"by": DEVICE, "undefined": "error", "metrics": ["recall"], "labels": [1] + [0] * (N - 1)}, "slice by = "),
    ],
)
def test_what_cannot_be_sliced_by_is_refused(options: dict[str, Any], said: str) -> None:
    named = "data" in options
    labels = options.pop("labels", "click" if named else LABELS)
    metrics = options.pop("metrics", ["auc"])
    with pytest.raises(InputError) as caught:
        pc.evaluate_binary(labels, "pctr" if named else SCORES, metrics, **options)
    assert said in caught.value.text.en
    assert caught.value.text.zh != caught.value.text.en
