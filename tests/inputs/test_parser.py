"""The native parser against the plain one: the same rows, the same faults, the same bits."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pingce.inputs.tables.shapes import QRELS, RUN, SHORT_RUN, Shape
from pingce.inputs.tables.trec import NOT_A_NUMBER, parse_reference

native = pytest.importorskip("pingce._core")

SHAPES = (QRELS, RUN, SHORT_RUN)
OFFSETS = ("query_start", "query_end", "item_start", "item_end")
BLANKS = (" ", "\t", "  ", " \t", "\v", "\f")
ENDS = ("\n", "\r\n", " \n", "\t\r\n", "\n\n", "\n \t\n", "\v\n\f\n")

words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters=" \t\n\v\f\r"), min_size=1, max_size=8)
numbers = st.floats().map(repr) | st.integers(-(10**20), 10**20).map(str)


def parse(text: bytes, shape: Shape, threads: int, within: bool = False) -> dict[str, Any]:
    """What the native parser finds."""
    places = shape.query, shape.item, shape.value, shape.fields, shape.exact
    found: dict[str, Any] = native.parse_text(np.frombuffer(text, np.uint8), *places, threads, within)
    return found


def bits(values: Any) -> list[int]:
    """Doubles as integers; every NaN is one NaN."""
    array = np.array(values, np.float64)
    array[np.isnan(array)] = np.nan
    found: list[int] = array.view(np.int64).tolist()
    return found


def assert_same(text: bytes, shape: Shape) -> None:
    """One and two threads find what the reference finds, at the beginning of a text and within it."""
    for threads, within in product((1, 2), (False, True)):
        plain = parse_reference(np.frombuffer(text, np.uint8), shape, within=within)
        found = parse(text, shape, threads, within)
        assert found["fault"] == plain["fault"]
        if plain["fault"]:
            assert found["fault_at"] == plain["fault_at"]
            continue
        assert found["comments"] == plain["comments"]
        assert bits(found["value"]) == bits(plain["value"])
        for name in OFFSETS:
            assert found[name].tolist() == np.asarray(plain[name]).tolist()


@st.composite
def texts(draw: st.DrawFn) -> tuple[Shape, bytes, list[tuple[str, str, float]]]:
    """Random rows, and one of the many ways to write them."""
    shape = draw(st.sampled_from(SHAPES))
    rows, written = [], [draw(st.sampled_from(("", *ENDS)))]
    for _ in range(draw(st.integers(0, 6))):
        more = 0 if shape.exact else draw(st.integers(0, 4))
        fields = [draw(words) for _ in range(shape.fields + more)]
        fields[0] = fields[0].lstrip("#") or "q"
        fields[shape.value] = draw(numbers)
        rows.append((fields[shape.query], fields[shape.item], float(fields[shape.value])))
        line = fields[0] + "".join(draw(st.sampled_from(BLANKS)) + field for field in fields[1:])
        written.append(draw(st.sampled_from(("", *BLANKS))) + line + draw(st.sampled_from(ENDS)))
    text = "".join(written)
    return shape, (text.rstrip("\n") if draw(st.booleans()) else text).encode(), rows


@given(texts())
def test_written_rows_come_back(case: tuple[Shape, bytes, list[tuple[str, str, float]]]) -> None:
    shape, text, rows = case
    assert_same(text, shape)
    found = parse(text, shape, 2)
    assert found["fault"] == 0
    assert bits(found["value"]) == bits([value for _, _, value in rows])
    for part, at in (("query", 0), ("item", 1)):
        spans = zip(found[f"{part}_start"], found[f"{part}_end"], strict=True)
        assert [text[start:end].decode() for start, end in spans] == [row[at] for row in rows]


@given(st.binary(max_size=60), st.sampled_from(SHAPES))
@example(b"", QRELS)
@example(b"\n", QRELS)
@example(b"\0 \0 \0 1", QRELS)
@example(b"a a a 1\x1c", QRELS)
@example(b"q 0 d 1\rq 0 e 2\n", QRELS)
def test_any_bytes(text: bytes, shape: Shape) -> None:
    assert_same(text, shape)


tokens = st.sampled_from(
    ["#", "#q", "q", "aa", "a", "1", "-2.5", "nan", "x", "1_0", " ", "  ", "\t", "\n", "\n", "\r\n", "\x85"]
)


@given(st.lists(tokens, max_size=40), st.sampled_from(SHAPES))
def test_lines_of_any_length(pieces: list[str], shape: Shape) -> None:
    assert_same(" ".join(pieces).encode(), shape)


digits = st.text("0123456789", max_size=25)
exponents = st.builds(
    lambda power, near: str(2**power + near), st.sampled_from((31, 32, 62, 63, 64)), st.integers(-9, 9)
)
decimals = st.builds(
    "{}{}{}{}{}".format,
    st.sampled_from(["", "", "+", "-", "+-", "--"]),
    digits,
    st.sampled_from(["", ".", ".", ".."]),
    digits,
    st.just("") | st.builds("{}{}{}".format, st.sampled_from("eE"), st.sampled_from(["", "+", "-"]), digits.map(lambda d: d[:4]) | exponents),
)  # fmt: skip
special = st.builds(
    "{}{}".format,
    st.sampled_from(["", "+", "-"]),
    st.sampled_from(
        ["inf", "Inf", "INFINITY", "infinit", "nan", "NaN", "nan()", "nan(1)", "na", "1_0", "1__0", "0x1p3"]
    ),
)
near_halves = st.builds(lambda f, n: f"{int(f)}{'' if n else '.5'}", st.floats(2.0**53, 2.0**70), st.booleans())
exact = st.floats().map(lambda f: f"{f:.60e}") | st.floats(-1e30, 1e30).map(lambda f: f"{f:.40f}")
junk = st.text("0123456789+-.eEinfatyINFATY_x()'\0", min_size=1, max_size=10)
any_number = st.one_of(decimals, numbers, special, near_halves, exact, junk).filter(bool)


def by_python(written: str) -> float | None:
    try:
        return None if "_" in written else float(written.encode())
    except ValueError:
        return None


@given(st.lists(any_number, min_size=1, max_size=20))
@example(["2.2250738585072011e-308", "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324"])
@example(["1.7976931348623158e308", "1.7976931348623159e308", "-1e999", "1e-999", "-1e-999", "0e999", "-0"])
@example(["9007199254740993", "9007199254740993.0000000000000000000000001", "0.000000000000001", "123456789012345.6"])
@example(["+", "-", ".", "+.", "e5", ".e5", "1e", "1e+", "+inf", "+nan", "-nan", "1_0", "٣", "１", "1\0", "(1)", "1)"])
def test_numbers_are_those_of_python_bit_for_bit(written: list[str]) -> None:
    for one in written:
        line = f"q 0 d {one}".encode()
        found, value = parse(line, QRELS, 1), by_python(one)
        if value is None:
            assert (found["fault"], found["fault_at"]) == (NOT_A_NUMBER, 0), one
        else:
            assert found["fault"] == 0, one
            assert bits(found["value"]) == bits([value]), one


@pytest.fixture(scope="module")
def long_text() -> bytes:
    """More than two chunks of a megabyte, with blank lines and a line that is longer than a chunk."""
    rows = [f"query{i // 50} 0 item{i % 50} {i % 7 / 8}\n" + "\n" * (i % 11 == 0) for i in range(60_000)]
    rows[30_000] = f"long 0 {'x' * 1_200_000} 1\n"
    return "".join(rows).encode()


def test_long_texts_in_parallel(long_text: bytes) -> None:
    assert len(long_text) > 2_500_000
    assert_same(long_text, QRELS)


@pytest.mark.parametrize("bad", [b"q 0 d x\n", b"q 0 d\n", b"q 0 d 1 1\n"], ids=["number", "few", "many"])
def test_the_first_of_many_faults_is_found_in_parallel(bad: bytes, long_text: bytes) -> None:
    first = long_text.index(b"\n", len(long_text) // 2) + 1
    text = long_text[:first] + bad + long_text[first:] + b"q\n" * 5
    assert_same(text, QRELS)
    assert parse(text, QRELS, 2)["fault_at"] == first


@pytest.mark.parametrize(
    "number",
    [
        "1e400",
        "-1e400",
        "1e-400",
        "-1e-400",
        "1" * 400,
        "0." + "0" * 400 + "1",
        "0." + "0" * 500 + "1e490",
        "1" * 500 + "e-600",
        "1" * 500 + "e-100",
        "1e" + "9" * 30,
        "1e-" + "9" * 30,
        "1e+" + "9" * 30,
        "0." + "0" * 500 + "1e900",
        "." + "0" * 330 + "1",
    ],
)
def test_numbers_beyond_doubles(number: str) -> None:
    text = np.frombuffer(f"q {number}\n".encode(), np.uint8)
    (found,) = native.parse_text(text, 0, 0, 1, 2, True, 1)["value"]
    assert (found, math.copysign(1, found)) == (float(number), math.copysign(1, float(number)))


@pytest.mark.parametrize("power", ["e", "e-", "e+"])
def test_exponents_at_the_end_of_an_integer(power: str) -> None:
    exponents = (2**31, 2**62, 2**63 - 1, 2**63, 2**64, 10**30)
    for sign, digits, exponent in product(("", "-"), ("1", "0.001", "1" + "0" * 30, "0.0"), exponents):
        word = f"{sign}{digits}{power}{exponent}"
        text = f"q 0 d {word}\n".encode()
        assert bits(parse(text, QRELS, 1)["value"]) == bits([float(word)]), word
        assert_same(text, QRELS)
