"""Arrow tables and frames: every type of id and number, however it is stored."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import pingce as pc
from pingce.inputs import IntIds, StringIds, read_run, read_truth
from pingce.inputs.frames import is_frame

from .samples import INT_RUN, INT_TRUTH, RUN, TRUTH, Stream, columns_of, refused, scored, table, triples

NAMES = ("qid", "docid", "value")
COLUMNS = {"grade": "value", "score": "value"}

STRINGS: dict[str, Callable[[pa.Array], pa.Array]] = {
    "string": lambda ids: ids.cast(pa.string()),
    "large_string": lambda ids: ids.cast(pa.large_string()),
    "string_view": lambda ids: ids.cast(pa.string_view()),
    "dictionary": lambda ids: ids.dictionary_encode(),
    "dictionary int8": lambda ids: ids.cast(pa.dictionary(pa.int8(), pa.string())),
    "dictionary of large_string": lambda ids: ids.cast(pa.large_string()).dictionary_encode(),
    "dictionary of string_view": lambda ids: pa.DictionaryArray.from_arrays(
        ids.dictionary_encode().indices, ids.dictionary_encode().dictionary.cast(pa.string_view())
    ),
}
INTEGERS = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()]

LAYOUTS: dict[str, Callable[[pa.Array], Any]] = {
    "whole": lambda array: array,
    "sliced": lambda array: pa.concat_arrays([array[:1], array, array[:1]])[1:-1],
    "chunked": lambda array: pa.chunked_array([array[:2], array[2:2], array[2:3], array[3:]]),
    "chunked and sliced": lambda array: pa.chunked_array([array, array]).slice(len(array)),
    "chunks of slices": lambda array: pa.chunked_array([array[1:][:0], array[:3], array[3:]], array.type),
}


def stored(
    rows: list[tuple[Any, Any, Any]], ids: Callable[[pa.Array], pa.Array], layout: Callable[[pa.Array], Any]
) -> pa.Table:
    query, item, value = (pa.array(column) for column in zip(*rows, strict=True))
    return pa.table([layout(ids(query)), layout(ids(item)), layout(value)], NAMES)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", STRINGS)
def test_strings_in_every_storage(kind: str, layout: str, core: str) -> None:
    truth, run = (stored(triples(data), STRINGS[kind], LAYOUTS[layout]) for data in (TRUTH, RUN))
    assert scored(truth, run, columns=COLUMNS) == scored(TRUTH, RUN)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", INTEGERS, ids=str)
def test_integers_in_every_storage(kind: pa.DataType, layout: str, core: str) -> None:
    truth, run = (stored(triples(data), lambda ids: ids.cast(kind), LAYOUTS[layout]) for data in (INT_TRUTH, INT_RUN))
    assert scored(truth, run, columns=COLUMNS) == scored(INT_TRUTH, INT_RUN)


@pytest.mark.parametrize("kind", [pa.int8(), pa.int64(), pa.uint32()], ids=str)
def test_integers_in_a_dictionary(kind: pa.DataType) -> None:
    truth, run = (
        stored(triples(data), lambda ids: ids.cast(kind).dictionary_encode(), LAYOUTS["chunked"])
        for data in (INT_TRUTH, INT_RUN)
    )
    assert scored(truth, run, columns=COLUMNS) == scored(INT_TRUTH, INT_RUN)


@pytest.mark.parametrize("kind", ["int8", "Int64", "UInt16", "int64[pyarrow]", "category"])
def test_integers_of_pandas(kind: str) -> None:
    truth, run = (
        pd.DataFrame(triples(data), columns=NAMES).astype({"qid": kind, "docid": kind}) for data in (INT_TRUTH, INT_RUN)
    )
    assert scored(truth, run, columns=COLUMNS) == scored(INT_TRUTH, INT_RUN)


def test_one_side_may_be_stored_otherwise() -> None:
    truth = stored(triples(TRUTH), STRINGS["string_view"], LAYOUTS["sliced"])
    run = stored(triples(RUN), STRINGS["dictionary"], LAYOUTS["chunked"])
    assert scored(truth, run, columns=COLUMNS) == scored(TRUTH, RUN)


@pytest.mark.parametrize(
    "values",
    [
        pa.array([1, 2], pa.int8()),
        pa.array([1, 2], pa.uint64()),
        pa.array([1, 2], pa.float32()),
        pa.array([1, 2], pa.float64()),
        pa.array(np.array([1, 2], np.float16)),
        pa.array([Decimal("1.0"), Decimal("2.0")]),
        pa.chunked_array([[1], [], [2]]),
    ],
    ids=lambda values: str(values.type),
)
def test_numbers_of_every_type(values: Any) -> None:
    rows = read_run(pa.table({"qid": ["q", "q"], "docid": ["a", "b"], "score": values}))
    assert rows.value.tolist() == [1.0, 2.0]


def test_truth_values_are_grades() -> None:
    rows = read_truth(pa.table({"qid": ["q", "q"], "docid": ["a", "b"], "label": [True, False]}))
    assert rows.value.tolist() == [1.0, 0.0]


def test_large_grades_stay_what_they_are() -> None:
    truth = pa.table({"qid": ["q", "q"], "docid": ["a", "b"], "rel": [2**60, 1]})
    assert read_truth(truth).value.tolist() == [2.0**60, 1.0]
    assert pc.evaluate_ranking(truth, {"q": ["b"]}, "recall")["recall"] == 0.5


def test_kinds_of_ids() -> None:
    data = pa.table({"qid": [1], "docid": ["a"], "rel": [1]})
    rows = read_truth(data)
    assert isinstance(rows.query, IntIds)
    assert isinstance(rows.item, StringIds)


@pytest.mark.parametrize("value", [2**63, 2**64 - 1])
def test_ids_beyond_64_bits(value: int) -> None:
    data = pa.table({"qid": pa.array([1, value], pa.uint64()), "docid": [1, 2], "rel": [1, 1]})
    refused(read_truth, data).both_name("'qid'", "64")


NULLS: dict[str, Any] = {
    "strings": ["q1", None],
    "integers": [1, None],
    "large_string": pa.array(["q1", None], pa.large_string()),
    "string_view": pa.array(["q1", None], pa.string_view()),
    "dictionary": pa.array(["q1", None]).dictionary_encode(),
    "null in the dictionary": pa.DictionaryArray.from_arrays([0, 1], pa.array(["q1", None])),
    "null integer in the dictionary": pa.DictionaryArray.from_arrays([0, 1], pa.array([1, None])),
    "second chunk": pa.chunked_array([["q1"], [None]], pa.string()),
    "nothing but null": pa.nulls(2),
}


@pytest.mark.parametrize("ids", NULLS.values(), ids=NULLS)
@pytest.mark.parametrize("column", ["qid", "docid"])
def test_null_ids(ids: Any, column: str) -> None:
    data = {"qid": ["q1", "q2"], "docid": ["a", "b"], "rel": [1, 1]} | {column: ids}
    said = refused(read_truth, pa.table(data))
    said.both_name(f"'{column}'")
    assert "null" in said.en


@pytest.mark.parametrize("frame", [pa.table, pl.DataFrame, pd.DataFrame], ids=["Table", "polars", "pandas"])
def test_the_row_of_a_null_is_named(frame: Callable[[Any], Any]) -> None:
    said = refused(read_truth, frame({"qid": ["a", "b", None, None], "docid": ["a"] * 4, "rel": [1] * 4}))
    said.both_name(" 2 ", "'qid'")
    assert "row 2" in said.en
    assert "2 in all" in said.en


def test_null_integers_of_pandas() -> None:
    for frame in (pd.DataFrame({"qid": [1, None]}), pd.DataFrame({"qid": pd.array([1, None], "Int64")})):
        said = refused(read_truth, frame.assign(docid="a", rel=1))
        said.both_name("'qid'")
        assert "row 1" in said.en


@pytest.mark.parametrize("grades", [[1, None], [1.5, None], pa.nulls(2)], ids=["int", "float", "all"])
def test_null_grades(grades: Any) -> None:
    data = pa.table({"qid": ["q1", "q1"], "docid": ["d1", "d2"], "rel": grades})
    said = refused(pc.evaluate_ranking, data, RUN, nan="drop")
    said.both_name("'rel'")
    assert "row" in said.en


def test_null_ranks() -> None:
    said = refused(read_run, pa.table({"qid": ["q1", "q1"], "docid": ["d1", "d2"], "rank": [1, None]}))
    said.both_name("'rank'", "1")
    assert "row 1" in said.en


@pytest.mark.parametrize("frame", [pa.table, pl.DataFrame, pd.DataFrame], ids=["Table", "polars", "pandas"])
@pytest.mark.parametrize("missing", [None, float("nan")], ids=["null", "nan"])
def test_null_scores_are_not_numbers(frame: Callable[[Any], Any], missing: float | None) -> None:
    data = frame({"qid": ["q1", "q1"], "docid": ["d1", "d4"], "score": [missing, 1.0]})
    said = refused(pc.evaluate_ranking, TRUTH, data)
    said.both_name(" 0 ", "'q1'", "'d1'", "nan=last", "first", "drop")
    assert "row 0" in said.en
    scores = pc.evaluate_ranking({"q1": {"d1": 1}}, data, "rr", nan="last")
    assert (scores["rr"], scores.counts["nan"]) == (0.5, 1)


@pytest.mark.parametrize("frame", [pa.table, pl.DataFrame, pd.DataFrame], ids=["Table", "polars", "pandas"])
@pytest.mark.parametrize("grade", ["high", "1"])
def test_text_grades(frame: Callable[[Any], Any], grade: str) -> None:
    said = refused(read_truth, frame({"qid": ["q"], "docid": ["d"], "rel": [grade]}))
    said.both_name("'rel'", f"'{grade}'", "columns=", "--columns")


@pytest.mark.parametrize(
    ("ids", "kind"),
    [
        ([1.0, 2.0], "double"),
        ([True, False], "bool"),
        ([b"a", b"b"], "binary"),
        ([["a"], ["b"]], "list"),
        (pa.array([1, 2], pa.timestamp("s")), "timestamp"),
    ],
    ids=["float", "bool", "bytes", "list", "time"],
)
def test_ids_of_other_types(ids: Any, kind: str) -> None:
    refused(read_truth, pa.table({"qid": ids, "docid": ["a", "b"], "rel": [1, 1]})).both_name("'qid'", kind)


def test_mixed_ids_of_pandas() -> None:
    frame = pd.DataFrame({"qid": ["a", 1], "docid": ["a", "b"], "rel": [1, 1]})
    refused(read_truth, frame).both_name("DataFrame", "qid")


@pytest.mark.parametrize(
    "ids", [["", ""], ["a", ""], pa.array(["a", ""]).dictionary_encode()], ids=["all", "one", "dictionary"]
)
def test_empty_ids(ids: Any) -> None:
    said = refused(read_truth, pa.table({"qid": ["q", "q"], "docid": ids, "rel": [1, 1]}))
    said.both_name("'docid'")
    assert "empty" in said.en


@pytest.mark.parametrize(
    "frame",
    [pd.DataFrame({"qid": [], "docid": [], "rel": []}), pl.DataFrame({"qid": [], "docid": []}), pa.schema([("qid", pa.string()), ("docid", pa.string())]).empty_table()],
    ids=["pandas", "polars", "pyarrow"],
)  # fmt: skip
def test_frames_without_rows(frame: Any) -> None:
    said = refused(pc.evaluate_ranking, frame, RUN)
    said.both_name(type(frame).__name__)
    assert "no rows" in said.en


def test_both_rows_of_a_duplicate(core: str) -> None:
    frame = pl.DataFrame({"qid": ["q1", "q1", "q2", "q1"], "docid": ["d2", "d1", "d1", "d1"], "rel": [1, 1, 1, 0]})
    said = refused(pc.evaluate_ranking, frame, RUN)
    said.both_name("'q1'", "'d1'", "1", "3", "duplicates=first", "last", "best")
    assert said.en.index("row 1 ") < said.en.index("row 3 ")


@pytest.mark.parametrize("frame", [pa.table, pd.DataFrame, pl.DataFrame], ids=["Table", "pandas", "polars"])
def test_what_was_given_is_not_changed(frame: Callable[[Any], Any]) -> None:
    given = frame({"qid": ["q", "q"], "docid": ["a", "b"], "score": [0.0, float("nan")]})
    before = str(given)
    pc.evaluate_ranking({"q": {"a": 1}}, given, "rr", nan="drop", score_type="float32")
    assert str(given) == before


def test_frames_that_only_narwhals_knows() -> None:
    class Old(pd.DataFrame):  # type: ignore[misc]
        """As frames were before they handed out Arrow data."""

        @property
        def __arrow_c_stream__(self) -> Any:
            raise AttributeError

    assert is_frame(Old())
    frames = (Old(pd.DataFrame(triples(data), columns=NAMES)) for data in (TRUTH, RUN))
    assert scored(*frames, columns=COLUMNS) == scored(TRUTH, RUN)


def test_a_stream_is_named_in_messages() -> None:
    refused(read_truth, Stream(table([("q", "d", "x")], ("qid", "docid", "rel")))).both_name("Stream", "'rel'", "'x'")


def test_columns_need_not_be_called_by_strings() -> None:
    frame = pd.DataFrame(triples(TRUTH))
    rows = read_truth(frame, columns={"query": "0", "item": "1", "grade": "2"})
    assert columns_of(rows) == columns_of(read_truth(TRUTH))


def test_a_column_twice() -> None:
    frame = pd.DataFrame([["q", "d", 1, 2]], columns=["qid", "docid", "rel", "rel"])
    refused(read_truth, frame).both_name("rel")
