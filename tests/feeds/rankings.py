"""Rankings in files, and how they are scored with next to no memory."""

from __future__ import annotations

import gzip
import itertools
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import strategies as st

import pingce as pc
from pingce.base.text import Text
from pingce.inputs.columns import Reading
from pingce.inputs.data import RankingData
from pingce.inputs.streams import open_rows
from pingce.request import Intervals, Limits, Request
from pingce.run.memory import ListBudget
from pingce.run.progress import Telling
from pingce.run.stream_ranking import OpenedRanking
from pingce.scores.ranking import RankingScores

LARGE = 10**9
STRAIGHT = ListBudget(chunk=150, part=LARGE, query=LARGE, whole=LARGE)
DEALT = ListBudget(chunk=300, part=400, query=LARGE, whole=LARGE, files=2)
ALL_DEALT = ListBudget(chunk=300, part=400, query=LARGE, whole=0, files=3)
COARSE = ListBudget(chunk=4000, part=4000, query=LARGE, whole=LARGE, files=4)
ALL_COARSE = ListBudget(chunk=4000, part=4000, query=LARGE, whole=0, files=4)

Row = tuple[int, int, float]


@dataclass(frozen=True)
class Written:
    """Where the tables of a ranking are."""

    truth: Path
    run: Path
    exclude: Path


@dataclass(frozen=True)
class Ranking:
    """Rows (query, item, grade or score) of a truth and a run, and pairs to exclude."""

    truth: list[Row]
    run: list[Row]
    exclude: list[Row]
    cuts: tuple[int, ...]
    "Where a file of the run ends and the next one begins."

    def write(self, folder: Path, kind: str) -> Written:
        """As files of a kind; the run in several where there may be several."""
        truth = write_table(folder / "truth", self.truth, kind, "grade")
        exclude = write_table(folder / "exclude", self.exclude or [(999, 999, 1.0)], kind, None)
        run = folder / "run"
        run.mkdir()
        for number, rows in enumerate(pieces(self.run, self.cuts)):
            write_table(run / f"part-{number}", rows, kind, "score")
        return Written(truth, run, exclude)


def pieces(rows: Sequence[Row], cuts: Sequence[int]) -> list[Sequence[Row]]:
    """The rows cut at some places; no piece is empty."""
    bounds = sorted({0, len(rows), *(cut % (len(rows) + 1) for cut in cuts)})
    return [rows[low:high] for low, high in itertools.pairwise(bounds)]


def write_table(path: Path, rows: Sequence[Row], kind: str, value: str | None) -> Path:
    """Rows as a file of a kind."""
    query, item = ([row[column] for row in rows] for column in (0, 1))
    numbers = [row[2] for row in rows]
    if kind == "trec.gz":
        return _write_trec(path.with_suffix(".txt.gz"), rows, value)
    columns: dict[str, Any] = {"query": query, "item": item}
    if kind != "parquet":
        columns = {"query": [f"q{each}" for each in query], "item": [f"条{each}" for each in item]}
    if value is not None:
        columns[value] = np.array(numbers)
    if kind == "csv":
        path = path.with_suffix(".csv")
        lines = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
        path.write_text("\n".join(lines) + "\n")
        return path
    path = path.with_suffix(".parquet")
    pq.write_table(pa.table(columns), path, row_group_size=7)
    return path


def _write_trec(path: Path, rows: Sequence[Row], value: str | None) -> Path:
    if value is None:  # a table of pairs
        lines = ["query\titem", *(f"{query}\t{item}" for query, item, _ in rows)]
        path = path.with_suffix("").with_suffix(".tsv")
        path.write_text("\n".join(lines) + "\n")
        return path
    form = "{0} 0 {1} {2:g}" if value == "grade" else "{0} Q0 {1} 1 {2:g} tag"
    path.write_bytes(gzip.compress("".join(form.format(*row) + "\n" for row in rows).encode(), mtime=0))
    return path


_SCORES, _GRADES, _ONES = st.integers(0, 4).map(float), st.sampled_from([0.0, 1.0, 2.0]), st.just(1.0)


@st.composite
def rankings(draw: st.DrawFn, *, grouped: bool, repeats: bool = False) -> Ranking:
    """A few queries; run and truth each know some that the other does not."""
    run = draw(_table(range(1, 9), _SCORES, repeats=repeats, least=1))
    known = sorted({row[0] for row in run})
    truth = draw(_table(range(9), _GRADES, repeats=repeats))
    truth = [*truth, (known[0], 12, 1.0)]
    exclude = draw(_table(range(9), _ONES, repeats=False))
    if grouped:
        order = draw(st.permutations(known))
        run = sorted(run, key=lambda row: order.index(row[0]))
    else:
        run, truth = draw(st.permutations(run)), draw(st.permutations(truth))
    return Ranking(truth, run, exclude, tuple(draw(st.lists(st.integers(1, 60), max_size=3))))


@cache
def _table(
    queries: range, values: st.SearchStrategy[float], *, repeats: bool, least: int = 0
) -> st.SearchStrategy[list[Row]]:
    pairs = st.tuples(st.sampled_from(queries), st.integers(0, 11))
    key = None if repeats else (lambda row: row[:2])
    return st.lists(
        st.tuples(pairs, values).map(lambda row: (*row[0], row[1])), min_size=least, max_size=60, unique_by=key
    )


def streamed(
    written: Written | tuple[Path | None, Path],
    metrics: Sequence[str],
    budget: ListBudget,
    *,
    exclude: Path | None = None,
    query_weight: Any = None,
    by: Any = None,
    train: Any = None,
    catalog: Any = None,
    said: list[Text] | None = None,
    tmpdir: Path | None = None,
    convention: str | None = None,
    columns: dict[str, str] | None = None,
    **policies: Any,
) -> RankingScores:
    """The scores of a stream of rows."""
    truth, run = (written.truth, written.run) if isinstance(written, Written) else written
    stream = open_rows(run, "run", Reading(columns))
    assert stream is not None
    request = Request.of(
        "ranking",
        metrics,
        convention=convention,
        policies=policies,
        intervals=Intervals(None, 10_000),
        reading=Reading(columns),
        limits=Limits(None, None if tmpdir is None else str(tmpdir)),
    )
    data = RankingData(truth, run, exclude, query_weight, by, train, catalog)
    opened = OpenedRanking(request, data, {"run": stream}, budget, Text("", ""))
    return opened.score(request, "run", Telling(say=(said if said is not None else []).append))


def at_once(written: Written | tuple[Path | None, Path], metrics: Sequence[str], **options: Any) -> RankingScores:
    """The scores of all rows in memory."""
    truth, run = (written.truth, written.run) if isinstance(written, Written) else written
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pc.evaluate_ranking(truth, run, metrics, **options)
