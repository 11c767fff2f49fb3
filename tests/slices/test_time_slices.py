"""Slices of time: the same buckets however times are written, in their order, for every task; what is no time is refused."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import csv

import pingce as pc
from pingce.base.errors import InputError
from pingce.base.text import use_language
from pingce.inputs.times import time_slicing

UTC = datetime.timezone.utc
RANDOM = np.random.default_rng(5)
SECONDS = 1_763_300_000 + RANDOM.integers(0, 5 * 86_400, 300)
LABELS, SCORES = RANDOM.integers(0, 2, 300), RANDOM.random(300)
MOMENTS = [datetime.datetime.fromtimestamp(second, UTC) for second in SECONDS.tolist()]
WRITTEN: dict[str, Any] = {
    "seconds": SECONDS,
    "fractions": SECONDS + 0.25,
    "milliseconds": SECONDS * 1000 + 7,
    "microseconds": SECONDS * 10**6,
    "nanoseconds": SECONDS * 10**9 + 999_999_999,
    "timestamps": pa.array(SECONDS * 1000).cast(pa.timestamp("ms")),
    "zoned": pa.array(SECONDS).cast(pa.timestamp("s", tz="Asia/Shanghai")),
    "pandas": pd.Series(pd.to_datetime(SECONDS, unit="s")),
    "datetimes": MOMENTS,
    "ISO": [moment.isoformat() for moment in MOMENTS],
    "shifted": [moment.astimezone(ZoneInfo("Asia/Shanghai")).isoformat(sep=" ") for moment in MOMENTS],
    "slashes": [moment.strftime("%Y/%m/%d %H:%M:%S.123456789") for moment in MOMENTS],
    "short zones": [moment.strftime("%Y-%m-%d %H:%M:%S +0000") for moment in MOMENTS],
    "numbers as text": [str(second) for second in SECONDS.tolist()],
}


def names(by: Any, **more: Any) -> list[str | None]:
    slices = pc.evaluate_regression(np.zeros(len(next(iter(by.values())))), by_zeros(by), ["mae"], by=by, **more).slices
    assert slices is not None
    return [part.name for part in slices.parts]


def by_zeros(by: Any) -> Any:
    return np.zeros(len(next(iter(by.values()))))


@pytest.mark.parametrize("kind", WRITTEN)
def test_however_times_are_written(kind: str) -> None:
    found = pc.evaluate_binary(LABELS, SCORES, ["auc", "pcoc"], by={"t:6h": WRITTEN[kind]}).slices
    plain = [
        (moment - datetime.timedelta(hours=moment.hour % 6)).strftime("%Y-%m-%dT%H:00") for moment in MOMENTS
    ]  # fmt: skip
    expected = pc.evaluate_binary(LABELS, SCORES, ["auc", "pcoc"], by={"t:6h": plain}).slices
    assert found is not None
    assert expected is not None
    assert found.to_dict() == expected.to_dict()
    assert [part.name for part in found.parts] == sorted({*plain})


def test_dates_are_days_in_every_zone() -> None:
    for day in ([datetime.date(2026, 11, 17)], ["2026-11-17"], ["2026/11/17"], [20261117], ["20261117"]):
        for zone in ("", "@America/New_York", "@Asia/Shanghai"):
            assert names({f"t:1d{zone}": day}) == ["2026-11-17"]
            assert names({f"t:1w{zone}": day}) == names({f"t:7d{zone}": day}) == ["2026-11-16"]


def test_zones_decide_when_a_day_begins() -> None:
    evening = ["2026-11-16T20:30:00Z"]
    assert names({"t:1d": evening}) == ["2026-11-16"]
    assert names({"t:1d@Asia/Shanghai": evening}) == names({"t:1d@+08:00": evening}) == ["2026-11-17"]
    assert names({"t:30min@Asia/Kolkata": evening}) == ["2026-11-17T02:00"]
    notes = pc.evaluate_regression([1], [1], ["mae"], by={"t:1d@+08:00": evening}).slices.notes  # type: ignore[union-attr]
    assert [note.en for note in notes] == [
        "t:1d@+08:00: slices of time, each named by its start, by the clock of +08:00"
    ]


@given(
    st.lists(
        st.integers(-2 * 10**9, 99_999_999_999).filter(lambda second: not 19_000_101 <= second <= 21_991_231),
        min_size=1,
        max_size=20,
    ),
    st.sampled_from(["1s", "90s", "5min", "1h", "7h", "1d", "3d", "1w", "2w"]),
    st.sampled_from(["UTC", "Asia/Shanghai", "America/New_York", "Asia/Kathmandu"]),
)
def test_buckets_against_datetime(seconds: list[int], width: str, zone: str) -> None:
    slicing = time_slicing(f"t:{width}@{zone}")
    assert slicing is not None
    starts = slicing.starts(seconds).values.to_pylist()
    monday = datetime.datetime(1970, 1, 5)
    for second, start in zip(seconds, starts, strict=True):
        moment = (datetime.datetime(1970, 1, 1, tzinfo=UTC) + datetime.timedelta(seconds=second)).astimezone(
            ZoneInfo(zone)
        )
        clock = moment.replace(tzinfo=None)
        begin = datetime.datetime.fromisoformat(start)
        if begin.tzinfo is not None:  # of two that the clock shows
            assert begin.utcoffset() == moment.utcoffset()
            begin = begin.replace(tzinfo=None)
        assert begin <= clock < begin + datetime.timedelta(seconds=slicing.width)
        assert (begin - monday) % datetime.timedelta(seconds=slicing.width) == datetime.timedelta(0)


@pytest.mark.parametrize(
    ("zone", "first", "second"),
    [
        ("Europe/Berlin", "2026-10-25T02:00+02:00", "2026-10-25T02:00+01:00"),
        ("America/New_York", "2026-11-01T01:00-04:00", "2026-11-01T01:00-05:00"),
    ],
)
def test_an_hour_that_comes_twice_is_two_slices(zone: str, first: str, second: str) -> None:
    times = [first, first[:-6] + "Z", second]
    names_of = time_slicing(f"t:1h@{zone}").starts(times).values.to_pylist()  # type: ignore[union-attr]
    assert (names_of[0], names_of[2]) == (first, second)
    assert "+" not in names_of[1]
    half = time_slicing(f"t:30min@{zone}").starts([first.replace(":00+", ":45+"), second])  # type: ignore[union-attr]
    assert half.values.to_pylist()[1] == second
    whole = time_slicing(f"t:2h@{zone}").starts([first, second]).values.to_pylist()  # type: ignore[union-attr]
    assert len(set(whole)) == 1
    assert time_slicing(f"t:1h@{zone}").starts([first[:10]]).values.to_pylist() == [f"{first[:10]}T00:00"]  # type: ignore[union-attr]


def test_rows_without_a_time_are_a_slice_of_their_own() -> None:
    for column in (
        ["2026-11-17", "", None],
        [1763300000.0, float("nan"), float("nan")],
        pa.array([20261117, None, None]),
    ):
        assert names({"t:1d": column})[1:] == [None]


def test_every_task_and_evaluators() -> None:
    times, plain = SECONDS, [moment.strftime("%Y-%m-%d") for moment in MOMENTS]
    numbers = np.round(SCORES * 3).astype(int)
    for name, arguments in (
        ("binary", (LABELS, SCORES)),
        ("multiclass", (LABELS, numbers % 2)),
        ("regression", (LABELS, SCORES)),
    ):
        whole = getattr(pc, f"evaluate_{name}")(*arguments, by={"t:1d": times})
        by_words = getattr(pc, f"evaluate_{name}")(*arguments, by={"t:1d": plain})
        assert whole.to_json() == by_words.to_json()
        evaluator = getattr(pc, f"{name.capitalize()}Evaluator")()
        for batch in np.array_split(np.arange(len(times)), 7):
            evaluator.update(*(column[batch] for column in arguments), by={"t:1d": times[batch]})
        assert type(evaluator).from_bytes(evaluator.to_bytes()).compute().to_json() == whole.to_json()


def test_queries_by_the_time_of_a_table(tmp_path: Path) -> None:
    qrels, run = {"a": {"x": 1}, "b": {"x": 1}, "c": {"x": 1}}, {q: {"x": 1.0, "y": 0.5} for q in "abc"}
    table = {"query": ["a", "b", "c"], "ts": ["2026-11-16T10:00", "2026-11-17T01:00", "2026-11-17T23:00"]}
    slices = pc.evaluate_ranking(qrels, run, ["mrr"], by=(table, "ts:1d")).slices
    assert slices is not None
    assert [(part.by, part.name, part.n) for part in slices.parts] == [
        ("ts:1d", "2026-11-16", 1),
        ("ts:1d", "2026-11-17", 2),
    ]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from pingce.cli import main

    table = pa.table({"label": LABELS, "score": SCORES, "time": WRITTEN["ISO"]})
    csv.write_csv(table, tmp_path / "clicks.csv")
    with pytest.raises(SystemExit) as end:
        main(["eval", str(tmp_path / "clicks.csv"), "-m", "auc", "--by", "time:1d", "--by", "time:1w", "-f", "csv"])
    assert not end.value.code
    lines = capsys.readouterr().out.splitlines()
    expected = pc.evaluate_binary("label", "score", ["auc"], data=table, by=["time:1d", "time:1w"]).slices
    assert expected is not None
    assert [line.split(",")[1:4] for line in lines[1:]] == [
        [str(row["by"]), str(row["slice"]), str(row["n"])] for row in expected.rows()
    ]


def test_the_report_draws_their_course(tmp_path: Path) -> None:
    table = {"click": LABELS, "pctr": SCORES, "t": WRITTEN["ISO"]}
    for metrics, drawn in (
        (["auc", "pcoc", "logloss"], '"times":["pcoc","auc"]'),
        (["logloss"], '"times":["logloss"]'),
    ):
        path = pc.report(
            "click", {"model": "pctr"}, metrics, task="binary", data=table, by="t:1d", path=tmp_path / "r.html"
        )
        page = Path(path).read_text("utf-8").replace(" ", "")
        assert drawn in page
        assert '"name":"2025-11-17"' in page
    plain = pc.report(
        "click",
        {"model": "pctr"},
        ["auc"],
        task="binary",
        data=table | {"t": ["x"] * 300},
        by="t",
        path=tmp_path / "r.html",
    )
    assert '"times":' not in Path(plain).read_text("utf-8").replace(" ", "")


BAD: dict[str, tuple[Any, str, str]] = {
    "words": (["2026-11-17", "yesterday"], "row 1 of by 't:1d': .* is 'yesterday', which cannot be read as a time; write", "无法读作时间；请按 ISO"),
    "no day": ([20261117, 20261399], "row 1 of by 't:1d': .* is 20261399, which looks like a day .* but is none of the calendar", "不在日历中"),
    "infinite": ([1.0, float("inf")], "row 1 of by 't:1d': .* is inf, which is no time; write seconds", "不是时间；请写自 1970"),
    "far": ([0, -62_135_596_801], "row 1 of by 't:1d': .* lies outside the years 1 to 9999; correct it", "超出公元 1 年至 9999 年"),
    "truth values": ([True, False], "by 't:1d' holds bool; slices of time go by timestamps", "的类型是 bool；按时间切片需要"),
    "of day": ([datetime.time(1), datetime.time(2)], r"by 't:1d' holds time64\[us\]; slices of time go by", "按时间切片需要"),
    "nothing": (["", None], "by 't:1d' has no value in any row", "没有任何值"),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_what_is_no_time(case: str) -> None:
    column, english, chinese = BAD[case]
    for lang, words in (("en", english), ("zh", chinese)):
        use_language(lang)  # type: ignore[arg-type]
        try:
            with pytest.raises(InputError, match=words):
                pc.evaluate_regression([1, 2], [1, 2], ["mae"], by={"t:1d": column})
        finally:
            use_language("en")


def test_widths_and_zones_that_are_none() -> None:
    table = {"y": [1, 2], "p": [1, 2], "t": ["2026-11-17", "2026-11-18T01:00"]}
    for by, words in (
        ("t:1m", "'1m' is no width of time; write a whole number from 1 up and s, min, h, d or w, e.g. t:1d"),
        ("t:0d", "'0d' is no width of time"),
        ("t:1d@Nowhere/City", "there is no time zone 'Nowhere/City' here; write one as Asia/Shanghai"),
        ("u:1d", "has no column 'u'"),
    ):
        with pytest.raises(InputError, match=words):
            pc.evaluate_regression("y", "p", ["mae"], data=table, by=by)
    many = np.arange(2000) * 3600
    with pytest.raises(
        InputError,
        match=r"there are 2000 slices of time, too many to read \(at most 1000\); make them longer, e.g. t:1d",
    ):
        pc.evaluate_regression(many, many, ["mae"], by={"t:1h": many + 10**9})
