"""Few bytes out of which very many come: they count by what comes out, and never take more than there is."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import pingce as pc
from pingce.base import memory
from pingce.inputs import read_run
from pingce.inputs.columns import Reading, Wanted
from pingce.inputs.data import RankingData
from pingce.inputs.streams import open_rows, open_table
from pingce.inputs.tables import columnar as parquet_tables
from pingce.inputs.tables import unpacked_size, unpacked_sizes
from pingce.request import Limits, Request
from pingce.run.memory import may_exceed
from pingce.run.stream_ranking import open_ranking

from .samples import refused, write

LINES = b"".join(b"q%d Q0 d 1 1 t\n" % query for query in range(1000))
TEXT = LINES + b"\n" * (3 << 20)


def zstd(text: bytes) -> bytes:
    return bytes(pa.compress(text, "zstd", asbytes=True))


def in_two(squeeze: Callable[[bytes], bytes]) -> Callable[[bytes], bytes]:
    """Two streams, of which the last is small: what stands at the end says little of the whole."""
    return lambda text: squeeze(text[:-5]) + squeeze(text[-5:])


PACKED: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "zst": zstd,
    "bz2": bz2.compress,
    "two.gz": in_two(gzip.compress),
    "two.bz2": in_two(bz2.compress),
    "two.zst": in_two(zstd),
}
HONEST = ("gz", "zst")


def rows_in_few_bytes(path: Path, rows: int) -> Path:
    column = pa.array(np.zeros(rows, np.int64))
    parquet.write_table(pa.table({"user_id": column, "item_id": np.arange(rows), "score": column}), path)
    return path


@pytest.mark.parametrize("suffix", HONEST)
def test_what_a_file_says_of_itself(suffix: str, tmp_path: Path) -> None:
    path = write(tmp_path, f"a.{suffix}", PACKED[suffix](TEXT))
    assert path.stat().st_size < len(TEXT) // 100
    assert unpacked_size(path) == len(TEXT)
    assert unpacked_sizes([path] * 1000) == 1000 * len(TEXT)


@pytest.mark.parametrize("length", [0, 1, 255, 256, 300, 65791, 65792, 1 << 20])
def test_the_size_in_a_frame_of_zstd(length: int, tmp_path: Path) -> None:
    path = write(tmp_path, "a.zst", zstd(b"x" * length))
    assert unpacked_size(path) == max(length, path.stat().st_size)


@pytest.mark.parametrize("content", [b"", b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1", b"PAR1PAR1", b"q 0 a 1\n"])
def test_what_says_nothing_has_its_own_size(content: bytes, tmp_path: Path) -> None:
    assert unpacked_size(write(tmp_path, "a", content)) == len(content)


def test_rows_of_parquet_count_though_they_are_few_bytes(tmp_path: Path) -> None:
    path = rows_in_few_bytes(tmp_path / "a.parquet", 100_000)
    assert unpacked_size(path) >= 2_400_000 > 2 * path.stat().st_size


def test_a_small_file_that_is_large_is_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, "a.gz", gzip.compress(b"\n" * (40 << 20), 1))
    monkeypatch.setattr(memory, "available", lambda: 1 << 30)
    assert may_exceed(None, path)
    assert not may_exceed(None, write(tmp_path, "b.gz", gzip.compress(LINES)))


@pytest.mark.parametrize("suffix", PACKED)
def test_a_named_limit_is_counted_against(suffix: str, tmp_path: Path) -> None:
    """Also where the file lies of its size, or begins with what hardly compresses."""
    path = write(tmp_path, f"a.run.{suffix}", PACKED[suffix](TEXT))
    stream = open_rows(path, "run", Reading(), 1 << 24)
    assert stream is not None
    assert stream.estimate >= len(TEXT)
    table = write(tmp_path, f"a.csv.{suffix}", PACKED[suffix](b"y,p\n1,0.5\n" + TEXT))
    predictions = open_table(table, Wanted(("y", "p")), Reading(), 1 << 24)
    assert predictions is not None
    assert predictions.estimate >= len(TEXT)


def test_a_limit_is_kept_by_streaming(tmp_path: Path) -> None:
    noise = np.random.default_rng(3).integers(33, 127, 1 << 21, dtype=np.uint8).tobytes()
    text = b"q Q0 a 1 1 " + noise + b"\n" + b"\n" * (40 << 20)
    path = write(tmp_path, "a.run.gz", gzip.compress(text, 1) + gzip.compress(b"\n"))
    data = RankingData({"q": ["a"]}, path)
    opened = open_ranking(Request.of("ranking", limits=Limits("64MiB")), data, [path])
    assert opened is not None
    assert "would exceed --memory 64MiB" in opened.reason.en
    assert open_ranking(Request.of("ranking", limits=Limits("2GB")), data, [path]) is None


@pytest.mark.parametrize("suffix", PACKED)
def test_no_more_comes_out_than_fits(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path, f"a.run.{suffix}", PACKED[suffix](TEXT))
    assert len(read_run(path)) == 1000
    monkeypatch.setattr(memory, "available", lambda: 1 << 21)
    refused(read_run, path).both_name(path, "1.05 MB", "--memory 16MiB", "memory=")
    assert len(read_run(write(tmp_path, f"b.run.{suffix}", PACKED[suffix](LINES)))) == 1000


def test_no_more_rows_of_parquet_than_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = rows_in_few_bytes(tmp_path / "a.parquet", 100_000)
    monkeypatch.setattr(parquet_tables, "_LARGE", 0)
    assert len(read_run(path)) == 100_000
    monkeypatch.setattr(memory, "available", lambda: 3_000_000)
    refused(read_run, path).both_name(path, "2.4 MB", "--memory 16MiB")
    refused(pc.evaluate_regression, "score", "item_id", ["mae"], data=path).both_name(path, "--memory 16MiB")


def test_long_values_below_short_ones(tmp_path: Path) -> None:
    """The first rows do not tell: the footer does."""
    items = pa.array([*map(str, range(5000)), *(f"{row:09000}" for row in range(100))])
    table = pa.table({"user_id": np.zeros(5100, np.int64), "item_id": items, "score": np.zeros(5100)})
    parquet.write_table(table, tmp_path / "a.parquet", use_dictionary=False)
    stream = open_rows(tmp_path / "a.parquet", "run", Reading())
    assert stream is not None
    assert stream.estimate > 900_000
