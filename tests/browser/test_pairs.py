"""Run against run: p-values as `compare` gives them, under the correction that is chosen."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

import pingce as pc
from pingce.stats.paired import corrected

from .conftest import Opener
from .made import DRAWS, RANKING_METRICS, Rankings, drawn_runs
from .viewer import Viewer

MATRIX = """() => [...document.querySelectorAll('#p-matrix tbody tr')]
    .map(row => [...row.querySelectorAll('td')].map(cell => cell.dataset.value === undefined ? null : Number(cell.dataset.value)))"""

Matrix = list[list[float | None]]


@pytest.fixture(scope="module")
def uncorrected(rankings: Rankings) -> list[float]:
    """p of every metric and pair: the family that the page shows."""
    compared = pc.compare(rankings.truth, rankings.runs, RANKING_METRICS, samples=DRAWS)
    pairs = list(combinations(rankings.runs, 2))
    return [compared[metric].difference(*pair).p for metric in RANKING_METRICS for pair in pairs]


def test_every_correction_of_every_metric(ranking_page: Viewer, rankings: Rankings, uncorrected: list[float]) -> None:
    pairs = list(combinations(range(len(rankings.runs)), 2))
    seen = set()
    for method in ("holm", "bonferroni", "bh", "none"):
        ranking_page("#correction").select_option(method)
        expected = corrected(uncorrected, method)
        for place, metric in enumerate(RANKING_METRICS):
            ranking_page("#pair-metric").select_option(label=metric)
            matrix: Matrix = ranking_page.page.evaluate(MATRIX)
            own = expected[place * len(pairs) : (place + 1) * len(pairs)]
            for (one, other), p in zip(pairs, own, strict=True):
                assert matrix[one][other] == matrix[other][one] == pytest.approx(p, rel=1e-12)
            assert [matrix[at][at] for at in range(len(matrix))] == [None] * len(matrix)
            seen.add(str(matrix))
    assert len(seen) > len(RANKING_METRICS)


def test_opens_at_a_metric_that_was_tested(opened: Opener, rankings: Rankings, tmp_path: Path) -> None:
    path = pc.report(rankings.truth, rankings.runs, ["num_rel_ret", "rr"], samples=DRAWS, path=tmp_path / "r.html")
    window = opened(path)
    assert window("#pair-metric").input_value() == "1"
    assert window.complaints == []


def test_many_models_stand_against_the_baseline(opened: Opener, tmp_path: Path) -> None:
    truth, runs = drawn_runs(
        [f"Q{number}" for number in range(12)], {f"m{number}": 1.0 + number for number in range(11)}
    )
    window = opened(pc.report(truth, runs, ["rr"], baseline="m2", samples=DRAWS, path=tmp_path / "r.html"))
    (row,) = window.page.evaluate(MATRIX)
    assert [p is None for p in row] == [at == 2 for at in range(11)]
    window("#pair-other").select_option(label="m7")
    assert window("#pair-one").count() == 0
    assert window.complaints == []


def test_opens_with_the_correction_of_the_call(ranking_page: Viewer) -> None:
    assert ranking_page("#correction").input_value() == "holm"
