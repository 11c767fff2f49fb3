"""Dictionaries of dictionaries and of lists."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

import pingce as pc
from pingce.inputs import read_run, read_truth

from .samples import RUN, TRUTH, columns_of, refused


def test_a_dict_of_dicts() -> None:
    rows = read_run({"q": {"b": 2, "a": 1.5}, "p": {"b": -1}})
    assert columns_of(rows) == (["q", "q", "p"], ["b", "a", "b"], [2.0, 1.5, -1.0])
    assert not rows.ordered


def test_lists_of_a_run_are_ranked() -> None:
    rows = read_run({"q": ["b", "a", "c"], "p": ["a"]})
    assert columns_of(rows) == (["q", "q", "q", "p"], ["b", "a", "c", "a"], [-1.0, -2.0, -3.0, -1.0])
    assert rows.ordered


@pytest.mark.parametrize("kind", [list, tuple, set, frozenset, np.array])
def test_collections_of_the_truth_are_relevant(kind: Any) -> None:
    queries, items, grades = columns_of(read_truth({"q": kind(["b", "a"])}))
    assert (queries, sorted(items), grades) == (["q", "q"], ["a", "b"], [1.0, 1.0])


@pytest.mark.parametrize("kind", [set, frozenset])
def test_a_set_has_no_order(kind: Any) -> None:
    """Which item comes first in a set of strings changes from process to process."""
    refused(read_run, {"q": kind(["b", "a"])}).both_name("'q'", kind.__name__)


def test_any_mapping() -> None:
    assert columns_of(read_truth(MappingProxyType({"q": MappingProxyType({"a": 1})}))) == (["q"], ["a"], [1.0])


@pytest.mark.parametrize("kind", [int, np.int8, np.int64, np.uint32])
def test_integer_ids(kind: Any) -> None:
    rows = read_truth({kind(7): {kind(1): 3, kind(2): 0}})
    assert rows.query.integers
    assert columns_of(rows) == ([7, 7], [1, 2], [3.0, 0.0])


def test_string_ids_of_numpy() -> None:
    rows = read_truth({np.str_("007"): {np.str_("a"): 1}})
    assert not rows.query.integers
    assert columns_of(rows) == (["007"], ["a"], [1.0])


@pytest.mark.parametrize("value", [1, 1.0, True, np.float32(1), np.int8(1), np.bool_(True), np.array(1.0)[()]])
def test_numbers_of_every_kind(value: Any) -> None:
    assert read_truth({"q": {"a": value}}).value.tolist() == [1.0]


def test_queries_without_items_are_noted_and_not_lost_as_missing() -> None:
    scores = pc.evaluate_ranking({"q": {"a": 1}, "p": {"a": 1}}, {"q": {"a": 1.0}, "p": {}}, "rr")
    assert (scores["rr"], scores.counts["missing"]) == (0.5, 1)
    assert [str(note) for note in scores.notes] == ["run dict: 1 queries have no items"]


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        ({}, ()),
        ({"q": {}}, ()),
        ({"q": []}, ()),
        ({"q": 3}, ("['q']", "int", "{")),
        ({"q": "abc"}, ("['q']", "str", "{")),
        ({"q": None}, ("['q']", "NoneType", "{")),
        ({"q": {"a": 1}, "p": ["a"]}, ("{", "[")),
        ({"q": {"a": 1}, 7: {"a": 1}}, ("7", "int")),
        ({"q": {"a": 1, 7: 1}}, ("['q']", "7", "int")),
        ({7: {"a": 1}, "q": {"a": 1}}, ("'q'", "str")),
        ({"q": ["a", None]}, ("None", "NoneType")),
        ({True: {"a": 1}}, ("True", "bool")),
        ({1: {"a": 1}, True + 1: {True: 1}}, ("True",)),
        ({1.0: {"a": 1}}, ("1.0", "float")),
        ({"q": {2.5: 1}}, ("['q']", "2.5", "float")),
        ({None: {"a": 1}}, ("None",)),
        ({("q", 1): {"a": 1}}, ("tuple",)),
        ({b"q": {"a": 1}}, ("b'q'", "bytes")),
        ({"": {"a": 1}}, ("['']",)),
        ({"q": {"": 1}}, ("['q']",)),
        ({2**63: {1: 1}}, ("64",)),
        ({1: {-(2**63) - 1: 1}}, ("64",)),
        ({np.uint64(2**63): {1: 1}}, ("64",)),
        ({"\ud800": {"a": 1}}, ()),
        ({"q": {"a": "high"}}, ("['q']['a']", "'high'")),
        ({"q": {"a": 1, "b": "2"}}, ("['q']['b']", "'2'")),
        ({"q": {"a": None}}, ("['q']['a']", "None")),
        ({"q": {"a": [1]}}, ("['q']['a']", "[1]")),
        ({"q": {"a": [1], "b": [1, 2]}}, ("['q']['a']", "[1]")),
        ({"q": {"a": 1, "b": [1, 2]}}, ("['q']['b']", "[1, 2]")),
        ({"q": {"a": 1j}}, ("['q']['a']", "1j")),
        ({"q": {"a": 10**400}}, ("['q']['a']",)),
        ({"q": np.array([["a", "b"], ["c", "d"]] * 40)}, ("'q'",)),
    ],
    ids=lambda given: repr(given)[:40],
)
@pytest.mark.parametrize("role", ["truth", "run"])
def test_dicts_that_mean_nothing(data: Any, parts: tuple[str, ...], role: str) -> None:
    said = refused(read_truth if role == "truth" else read_run, data)
    said.both_name(*parts)
    assert role in said.en
    assert ("真值" if role == "truth" else "预测") in said.zh


def test_an_item_twice_in_a_list() -> None:
    said = refused(pc.evaluate_ranking, TRUTH, {"q1": ["d1", "d2", "d1"]})
    said.both_name("'q1'", "'d1'", "duplicates=first", "last", "best")


@pytest.mark.parametrize("value", [float("nan"), np.float32("nan")])
def test_nan_is_found_with_its_keys(value: float) -> None:
    said = refused(pc.evaluate_ranking, TRUTH, {"q1": {"d1": 1.0, "d4": value}})
    said.both_name("['q1']['d4']", "nan=last", "first", "drop")
    refused(pc.evaluate_ranking, {"q1": {"d1": value}}, RUN).both_name("['q1']['d1']", "nan")
    refused(pc.evaluate_ranking, {"q1": {"d1": float("-inf")}}, RUN).both_name("['q1']['d1']", "-inf")


@pytest.mark.parametrize(
    "scores",
    [{"a": 2**64 + 1, "z": 2**64}, {"a": 2**63 + 1, "z": 2**63, "n": -1}, {"a": 2**53 + 1, "z": 2**53}],
    ids=["beyond 64 bits", "both ends", "53 bits"],
)
def test_integers_that_no_double_tells_apart(scores: dict[str, int]) -> None:
    assert pc.evaluate_ranking({"q": {"a": 1}}, {"q": scores}, "rr")["rr"] == 1


def test_large_integers_among_fractions() -> None:
    refused(read_run, {"q": {"a": 2**53 + 1, "z": 2.0**53}}).both_name("['q']['a']", "2^53")


@pytest.mark.parametrize("kind", [set, frozenset])
def test_items_of_a_set_are_sorted(kind: type) -> None:
    names = [f"i{number}" for number in (9, 1, 10, 5)]
    truth = read_truth({"q": kind(names), "r": {"b"}})
    assert truth.item.to_list() == [*sorted(names), "b"]
    numbers = read_truth({"q": kind([300, -1, 7])})
    assert numbers.item.to_list() == [-1, 7, 300]
