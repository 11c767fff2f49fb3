"""Tables of scores on disk are those in memory; sizes of memory, and the folder for temporary files."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from inputs.samples import refused
from pingce.base.memory import SMALLEST, available, human, size_of
from pingce.evidence.binary.score_tables import Tables
from pingce.evidence.binary.thresholds import ThresholdEvidence
from pingce.metrics.binary.areas import PrAuc
from pingce.metrics.binary.cuts import KolmogorovSmirnov
from pingce.run.spilled import SpilledTables
from pingce.run.temporary import Workspace

LARGE = 10**9


class _View(NamedTuple):
    """All that a metric of ranges reads."""

    tables: Tables

    def ranges(self) -> Iterator[ThresholdEvidence]:
        return self.tables.ranges()


def table(rng: np.random.Generator, kind: str, distinct: int, *, weighted: bool) -> ThresholdEvidence:
    """Of a few rows, their scores among so many; weights are whole numbers, so that sums are exact."""
    score = np.unique(rng.integers(-distinct, distinct, rng.integers(1, 60)))[::-1] / distinct
    tp, fp = (np.cumsum(rng.integers(0, 3, len(score))) for _ in range(2))
    whole = (tp, fp + 1) if not weighted else (tp.astype(float), fp + 1.0)
    return ThresholdEvidence(score.astype(kind), *whole)


@pytest.mark.sweep
@given(
    st.integers(0, 2**32 - 1),
    st.sampled_from(["float32", "float64"]),
    st.sampled_from([3, 500, 10**6]),
    st.integers(1, 20),
    st.booleans(),
)
def test_as_in_memory(
    tmp_path_factory: pytest.TempPathFactory, seed: int, kind: str, distinct: int, count: int, weighted: bool
) -> None:
    rng = np.random.default_rng(seed)
    with Workspace(tmp_path_factory.mktemp("tables")) as workspace:
        spilled, held = SpilledTables(workspace, 900, LARGE, LARGE, step=8), Tables()
        for number in range(count):
            some = table(rng, kind, distinct, weighted=weighted)
            spilled.add(some)
            held.add(some)
            if number == count // 2:
                half = spilled.copy(), sum(map(len, spilled.pieces()))
        whole = held.whole()
        assert spilled.pairs() == held.pairs()
        for name in ("score", "tp", "fp"):
            np.testing.assert_array_equal(getattr(spilled.whole(), name), getattr(whole, name))
        points = spilled.thinned(7)
        places = np.searchsorted(-whole.score, -points.score)
        assert (places[0], places[-1]) == (0, len(whole) - 1)
        assert len(points) <= max(7, 2)
        np.testing.assert_array_equal(points.tp, whole.tp[places])
        np.testing.assert_array_equal(points.fp, whole.fp[places])
        for metric in (PrAuc(), PrAuc(interpolation="trapezoid"), KolmogorovSmirnov()):
            found, wanted = (metric.value(_View(each)) for each in (spilled, held))  # type: ignore[arg-type]
            assert found == pytest.approx(wanted, rel=1e-12 if weighted else 0, abs=0, nan_ok=True)
        again = Tables()
        for piece in spilled.pieces():
            again.add(piece)
        np.testing.assert_array_equal(again.whole().tp, whole.tp)
        assert sum(map(len, half[0].pieces())) == half[1]
        assert bool(spilled)


def test_a_table_that_is_too_large_for_memory(tmp_path: Path) -> None:
    score = np.linspace(1, 0, 5000)
    counts = np.arange(1, 5001)
    with Workspace(tmp_path) as workspace:
        spilled = SpilledTables(workspace, 1000, 50_000, 110_000)
        spilled.add(ThresholdEvidence(score, counts, counts))
        assert not spilled.fits
        refused(spilled.whole).both_name("5,000", "120 kB", "110 kB", "--memory")
        assert spilled.pairs().positives == 5000
        assert (
            workspace.written == 10 * 5000
        )  # a score occurs twice: a byte for the positives, a byte for the negatives
        assert spilled.nbytes == 24 * 5000
        middling = SpilledTables(workspace, 1000, 50_000, 130_000)
        middling.add(ThresholdEvidence(score, counts, counts))
        assert not middling.fits
        assert len(middling.whole()) == 5000


@pytest.mark.parametrize(
    "said, size",
    [
        ("2GB", 2 * 10**9),
        ("512MiB", 512 << 20),
        ("1e9", 10**9),
        ("1.5 gib", 3 << 29),
        (" 64m ", 64 * 10**6),
        (10**8, 10**8),
        ("0.1tb", 10**11),
    ],
)
def test_sizes(said: str | int, size: int) -> None:
    assert size_of(said) == size


@pytest.mark.parametrize("said", ["", "much", "-2GB", "2GBs", "nan", "0", "1kB", "1e300", True, "2 G B"])
def test_sizes_that_are_none(said: str) -> None:
    refused(size_of, said).both_name(said, "2GB")


def test_a_quarter_of_what_there_is() -> None:
    assert SMALLEST <= size_of(None) <= available() // 4 + SMALLEST
    assert [human(size) for size in (999, 2_500_000, 12.3e9)] == ["999 B", "2.5 MB", "12.3 GB"]


def test_a_workspace_is_private_and_goes_away(tmp_path: Path) -> None:
    with Workspace(tmp_path) as workspace:
        assert list(tmp_path.iterdir()) == []  # nothing is made before it is needed
        (workspace.folder / "below").mkdir()
        (workspace.folder / "below" / "file").write_bytes(b"12345")
        assert stat.S_IMODE(workspace.folder.stat().st_mode) == 0o700
        assert workspace.written == 5
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(ZeroDivisionError), Workspace(tmp_path) as workspace:
        (workspace.folder / "file").write_bytes(b"12345")
        _ = 1 // 0
    assert list(tmp_path.iterdir()) == []


def test_a_workspace_where_none_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for place in ("file", "absent"):
        with Workspace(tmp_path / place) as workspace:
            refused(lambda: workspace.folder).both_name(tmp_path / place, "--tmpdir")


@pytest.mark.parametrize("tmpdir", ["", 5, b"/tmp"])
def test_a_workspace_needs_the_name_of_a_folder(tmpdir: Any) -> None:
    refused(Workspace, tmpdir).both_name("tmpdir", repr(tmpdir))


def test_pieces_of_a_spilled_table_are_the_whole_each_a_part_of_memory(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    with Workspace(tmp_path) as workspace:
        spilled, held, back = SpilledTables(workspace, 900, LARGE, LARGE, step=8), Tables(), Tables()
        for _ in range(9):
            some = table(rng, "float64", 10**6, weighted=False)
            spilled.add(some)
            held.add(some)
        pieces = list(spilled.pieces())
    for piece in pieces:
        back.add(piece)
    assert len(pieces) > 9
    assert max(piece.nbytes for piece in pieces[:-1]) <= 900 / 4 + 24
    for name in ("score", "tp", "fp"):
        np.testing.assert_array_equal(getattr(back.whole(), name), getattr(held.whole(), name))


@pytest.mark.parametrize("distinct", range(6, 14))
def test_points_of_a_spilled_table_hold_its_ends_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, distinct: int
) -> None:
    """Every second or third row passes, the last always: once, whether or not it is one of these."""
    monkeypatch.setattr("pingce.run.spilled._MANY_POINTS", 4)
    score = np.linspace(1, 0, distinct)
    whole = ThresholdEvidence(score, np.arange(1, distinct + 1), np.arange(distinct) * 2)
    with Workspace(tmp_path) as workspace:
        spilled = SpilledTables(workspace, 1, LARGE, LARGE, step=3)
        spilled.add(whole)
        points = spilled.thinned(distinct)
    apart = max(1, distinct // 4)
    places = sorted({*range(0, distinct, apart), distinct - 1})
    assert points.score.tolist() == score[places].tolist()
    assert points.tp.tolist() == whole.tp[places].tolist()
    assert points.fp.tolist() == whole.fp[places].tolist()
