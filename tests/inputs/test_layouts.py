"""Ids as Arrow, polars and pandas lay them out in memory: every layout gives the same document, byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pingce as pc
from pingce.inputs import read_run, read_truth

from .samples import INT_RUN, INT_TRUTH, RUN, TRUTH, Triples, refused, triples

METRICS = ["ap", "rr", "ndcg@3"]
Layout: TypeAlias = Callable[[pa.Array], pa.Array]

# Twelve bytes is the longest string that a view holds itself.
WORDS = ["a", "007", "七", "🙂", "twelve-bytes", "thirteen-byte", "四个汉字🙂", "https://例子.org/第一篇", "x" * 300]
NUMBERS = [0, 1, 2, 7, 12, 100, 127]


def document(truth: Any, run: Any, **options: Any) -> str:
    return pc.evaluate_ranking(truth, run, METRICS, **options).to_json(per_query=True)


def coded(codes: pa.DataType, values: pa.DataType) -> Layout:
    def make(ids: pa.Array) -> pa.Array:
        plain = ids.dictionary_encode()
        return pa.DictionaryArray.from_arrays(plain.indices.cast(codes), plain.dictionary.cast(values))

    return make


def one_buffer_each(ids: pa.Array) -> pa.Array:
    views = [pa.array([value], pa.string_view()) for value in ids.to_pylist()]
    return pa.concat_arrays(views) if views else ids.cast(pa.string_view())


STRINGS: dict[str, Layout] = {
    "string": lambda ids: ids,
    "large_string": lambda ids: ids.cast(pa.large_string()),
    "string_view": lambda ids: ids.cast(pa.string_view()),
    "string_view, many buffers": one_buffer_each,
    "int8 codes of string": coded(pa.int8(), pa.string()),
    "int32 codes of large_string": coded(pa.int32(), pa.large_string()),
    "uint32 codes of string_view": coded(pa.uint32(), pa.string_view()),
}
WIDTHS = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]
INTEGERS: dict[str, Layout] = {str(width): (lambda ids, width=width: ids.cast(width)) for width in WIDTHS} | {
    "int8 codes of int64": coded(pa.int8(), pa.int64()),
    "uint32 codes of uint8": coded(pa.uint32(), pa.uint8()),
}


class Stored(NamedTuple):
    """A column in chunks, each a slice of something longer."""

    layout: str
    cuts: list[int]
    margin: int

    def column(self, ids: Sequence[Any]) -> pa.ChunkedArray:
        layout = (STRINGS | INTEGERS)[self.layout]
        plain = pa.array(ids)
        margin = pa.array([ids[0]] * self.margin, plain.type)
        bounds = [0, *sorted(min(cut, len(ids)) for cut in self.cuts), len(ids)]
        longer = [pa.concat_arrays([margin, plain[begin:end], margin]) for begin, end in pairwise(bounds)]
        return pa.chunked_array([layout(piece)[self.margin : len(piece) - self.margin] for piece in longer])


def stored(kinds: dict[str, Layout]) -> st.SearchStrategy[Stored]:
    return st.builds(Stored, st.sampled_from(list(kinds)), st.lists(st.integers(0, 20), max_size=6), st.integers(0, 2))


class Case(NamedTuple):
    """Judged and returned rows, and how each of the four id columns lies in memory."""

    truth: dict[Any, dict[Any, int]]
    run: dict[Any, dict[Any, float]]
    columns: tuple[Stored, Stored, Stored, Stored]

    def tables(self) -> tuple[pa.Table, pa.Table]:
        truth, run = triples(self.truth), triples(self.run)
        return _table(truth, self.columns[:2], "rel"), _table(run, self.columns[2:], "score")


def _table(rows: Triples, columns: tuple[Stored, ...], number: str) -> pa.Table:
    query, item, value = zip(*rows, strict=True)
    return pa.table({"qid": columns[0].column(query), "docid": columns[1].column(item), number: list(value)})


IDS: st.SearchStrategy[list[Any]] = st.sampled_from([WORDS, NUMBERS])


@st.composite
def cases(draw: st.DrawFn) -> Case:
    queries, items = draw(IDS), draw(IDS)
    names: list[Any] = draw(st.lists(st.sampled_from(queries), min_size=1, max_size=4, unique=True))
    graded = st.dictionaries(st.sampled_from(items), st.integers(0, 3), min_size=1, max_size=6)
    listed = st.dictionaries(st.sampled_from(items), st.integers(0, 4).map(float), min_size=1, max_size=6)
    truth = {name: draw(graded) for name in names}
    run = {name: draw(listed) for name in [*names[:1], *draw(st.lists(st.sampled_from(queries), max_size=3))]}
    of_query, of_item = (stored(STRINGS if ids is WORDS else INTEGERS) for ids in (queries, items))
    return Case(truth, run, (draw(of_query), draw(of_item), draw(of_query), draw(of_item)))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(case=cases())
def test_any_layouts_side_by_side(core: str, case: Case) -> None:
    assert document(*case.tables()) == document(case.truth, case.run)


@pytest.mark.parametrize("layout", ["string_view", "int8 codes of string", "uint16"])
def test_hundreds_of_tiny_chunks(layout: str, core: str) -> None:
    """More rows than the core reads at a time; at both ends chunks of no row, one row and two."""
    number = layout in INTEGERS
    run: dict[Any, dict[Any, float]] = {
        (query if number else f"query {query:04}"): {
            (item if number else f"a long item {item:04}"): float((query * 7 + item * 31) % 11) for item in range(42)
        }
        for query in range(100)
    }
    truth: dict[Any, dict[Any, int]] = {
        query: {item: place % 3 for place, item in enumerate(list(listed)[::5])} for query, listed in run.items()
    }
    cuts = [row for row in [*range(600), *range(3900, 4200)] if row % 3] + list(range(0, 4200, 50))
    columns = Stored(layout, cuts, 0), Stored(layout, cuts, 1)
    assert document(*Case(truth, run, columns + columns).tables()) == document(truth, run)


def polars_frame(kind: Any) -> Callable[[dict[str, Any]], Any]:
    return lambda data: pl.DataFrame(data).with_columns(pl.col("qid", "docid").cast(kind))


def pandas_frame(kind: str) -> Callable[[dict[str, Any]], Any]:
    return lambda data: pd.DataFrame(data).astype({"qid": kind, "docid": kind})


FRAMES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "polars String": pl.DataFrame,
    "polars Categorical": polars_frame(pl.Categorical),
    "polars Enum": lambda data: pl.DataFrame(data).with_columns(
        pl.col(name).cast(pl.Enum(sorted(set(data[name]), reverse=True))) for name in ("qid", "docid")
    ),
    "pandas str": pd.DataFrame,
    "pandas category": pandas_frame("category"),
    "pandas object": pandas_frame("object"),
    "pandas of Arrow": pandas_frame("string[pyarrow]"),
}
POLARS_INTEGERS = [pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64]
PANDAS_INTEGERS = ["int8", "uint16", "int64", "uint64", "Int64", "UInt8", "category", "int32[pyarrow]"]


INT_FRAMES = {f"polars {kind}": polars_frame(kind) for kind in POLARS_INTEGERS} | {
    f"pandas {kind}": pandas_frame(kind) for kind in PANDAS_INTEGERS
}


def columns(data: dict[Any, dict[Any, Any]], number: str) -> dict[str, Any]:
    query, item, value = zip(*triples(data), strict=True)
    return {"qid": list(query), "docid": list(item), number: list(value)}


@pytest.mark.parametrize("of_run", FRAMES)
def test_strings_of_frames(of_run: str, core: str) -> None:
    run = FRAMES[of_run](columns(RUN, "score"))
    for of_truth in ("polars Enum", "pandas str", of_run):
        truth = FRAMES[of_truth](columns(TRUTH, "rel"))
        assert document(truth, run) == document(TRUTH, RUN)


@pytest.mark.parametrize("of_run", INT_FRAMES)
def test_integers_of_frames(of_run: str, core: str) -> None:
    run = INT_FRAMES[of_run](columns(INT_RUN, "score"))
    for of_truth in ("polars UInt8", "pandas int64", of_run):
        truth = INT_FRAMES[of_truth](columns(INT_TRUTH, "rel"))
        assert document(truth, run) == document(INT_TRUTH, INT_RUN)


@pytest.mark.parametrize("layout", ["int8", "int16", "int32", "int64", "int8 codes of int64"])
def test_negative_integers(layout: str, core: str) -> None:
    truth: dict[Any, dict[Any, int]] = {-128: {-1: 1, 0: 2}, 3: {-5: 1}}
    run: dict[Any, dict[Any, float]] = {-128: {0: 1.0, -1: 1.0, -7: 1.0}, 3: {-5: 0.5}, -3: {-5: 0.5}}
    column = Stored(layout, [1, 3], 1)
    assert document(*Case(truth, run, (column,) * 4).tables()) == document(truth, run)


@pytest.mark.parametrize("cut", [0, 1, 3, 4])
@pytest.mark.parametrize("layout", STRINGS | INTEGERS)
def test_the_row_of_a_null_whatever_the_layout(layout: str, cut: int) -> None:
    ids = [1, 2, 3, None, 5] if layout in INTEGERS else ["a", "b", "c", None, "e"]
    column = Stored(layout, [cut], 1).column(ids)
    said = refused(read_truth, pa.table({"qid": ["q"] * 5, "docid": column, "rel": [1] * 5}))
    said.both_name("'docid'", " 3 ")
    assert "row 3 of" in said.en


@pytest.mark.parametrize("values", [["a", None, "c"], [1, None, 3]], ids=["strings", "integers"])
def test_a_null_inside_a_dictionary(values: list[Any]) -> None:
    def table(codes: list[int]) -> pa.Table:
        halves = [pa.DictionaryArray.from_arrays(half, pa.array(values)) for half in (codes[:2], codes[2:])]
        return pa.table({"qid": ["q"] * 4, "docid": pa.chunked_array(halves), "rel": [1] * 4})

    said = refused(read_truth, table([0, 2, 0, 1]))
    said.both_name("'docid'", " 3 ")
    assert "null" in said.en
    assert read_truth(table([0, 2, 0, 2])).item.to_list() == [values[code] for code in (0, 2, 0, 2)]


@pytest.mark.parametrize("cut", [0, 1, 2, 3])
@pytest.mark.parametrize("layout", STRINGS)
def test_the_row_of_an_empty_id_whatever_the_layout(layout: str, cut: int) -> None:
    column = Stored(layout, [cut], 1).column(["a", "longer than a view", "", "d"])
    said = refused(read_run, pa.table({"qid": ["q"] * 4, "docid": column}))
    said.both_name("'docid'", " 2 ")
    assert "row 2 of" in said.en
    assert "empty" in said.en


@pytest.mark.parametrize("kind", [pa.string(), pa.string_view()], ids=str)
def test_an_empty_string_in_a_dictionary_that_no_row_uses(kind: pa.DataType, core: str) -> None:
    ids = pa.DictionaryArray.from_arrays([2, 0], pa.array(["a", "", "b"], kind))
    assert read_run(pa.table({"qid": ["q", "q"], "docid": ids})).item.to_list() == ["b", "a"]


@pytest.mark.parametrize("coding", [None, pa.int8()], ids=["plain", "dictionary"])
@pytest.mark.parametrize("value", [2**63, 2**64 - 1])
def test_unsigned_ids_beyond_63_bits(value: int, coding: pa.DataType | None) -> None:
    ids = pa.array([1, value], pa.uint64())
    column = ids if coding is None else coded(coding, pa.uint64())(ids)
    said = refused(read_run, pa.table({"qid": ["q", "q"], "docid": column}))
    said.both_name("'docid'", "64")
    assert read_run(pa.table({"qid": ["q"], "docid": ids[:1]})).item.to_list() == [1]


def test_the_largest_unsigned_id_is_itself(core: str) -> None:
    ids = pa.array([2**63 - 1, 0], pa.uint64())
    run = pa.table({"qid": ["q", "q"], "docid": ids})
    assert document({"q": {2**63 - 1: 1, 0: 0}}, run) == document({"q": {2**63 - 1: 1, 0: 0}}, {"q": [2**63 - 1, 0]})


SCORES = {"float16": pa.float16(), "float32": pa.float32(), "float64": pa.float64(), "int16": pa.int16()}


@pytest.mark.parametrize("kind", SCORES)
def test_scores_of_every_type(kind: str, core: str) -> None:
    scores = [3, 1, 2] if kind == "int16" else [0.5, 0.125, 0.25]
    column = pa.chunked_array([scores[:1], [], scores[1:]], SCORES[kind])
    run = pa.table({"qid": ["q"] * 3, "docid": ["a", "b", "c"], "score": column})
    assert document({"q": {"a": 1, "b": 3, "c": 0}}, run) == document(
        {"q": {"a": 1, "b": 3, "c": 0}}, {"q": list("acb")}
    )


@pytest.mark.parametrize("frame", [pa.table, pl.DataFrame, pa.Table.to_pandas], ids=["Table", "polars", "pandas"])
@pytest.mark.parametrize("kind", SCORES)
def test_a_null_score_is_not_a_number(frame: Callable[[Any], Any], kind: str, core: str) -> None:
    run = frame(pa.table({"qid": ["q"] * 3, "docid": ["a", "b", "c"], "score": pa.array([2, None, 1], SCORES[kind])}))
    truth = {"q": {"b": 1}}
    found = {nan: pc.evaluate_ranking(truth, run, "rr", nan=nan) for nan in ("first", "last", "drop")}
    assert {nan: scores["rr"] for nan, scores in found.items()} == {"first": 1.0, "last": 1 / 3, "drop": 0.0}
    assert {scores.counts["nan"] for scores in found.values()} == {1}
    refused(pc.evaluate_ranking, truth, run).both_name("'q'", "'b'", "nan=last", " 1 ")
