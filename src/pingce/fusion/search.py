"""The numbers of a fusion looked for on a grid: chosen on some queries, told by the others."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.json import Json
from pingce.base.progress import part, stepwise
from pingce.base.records import dataclass
from pingce.base.tables import Table, finite
from pingce.base.text import Text, counted
from pingce.evidence.ranking.aligned import AlignedRuns, align_runs, comparable_runs
from pingce.fusion.call import fuse_runs, lists_of
from pingce.fusion.methods import METHODS, Parameters
from pingce.fusion.recipe import Fusion, refuse_few, refuse_nothing_to_tune
from pingce.fusion.result import FusedRun
from pingce.fusion.trained import Lesson, learn_lessons
from pingce.inputs.columns import Rows, rows_of
from pingce.inputs.ids import hashes
from pingce.inputs.layouts import CodedIds
from pingce.request import Request

_GRIDS: dict[str, tuple[float, ...]] = {
    "k": tuple(float(k) for k in range(10, 101, 10)),
    "phi": tuple(number / 10 for number in range(1, 10)),
    "sigma": tuple(number / 10 for number in range(11)),
    "gamma": tuple(number / 4 for number in range(1, 13)),
    "segments": tuple(range(1, 101)),
    "window": tuple(range(1, 101)),
}
Point: TypeAlias = "float | tuple[float, ...] | None"
"A value of what is looked for; None where there is nothing."
_STEPS = 10
"Weights are tenths that sum to 1."
_MOST = 5000
"Points of a grid; a search by hand is better beyond."


@dataclass(frozen=True)
class SearchSettings:
    """What is to be made as good as possible, and the share of queries that tells how good it is elsewhere."""

    metric: str = "ndcg@10"
    hold_out: float = 0.5

    def __post_init__(self) -> None:
        share = self.hold_out
        if isinstance(share, bool) or not isinstance(share, (int, float)) or not 0 <= share < 1:
            raise InputError(
                f"hold_out={share!r}: the share of queries that the search does not see, from 0 to below 1",
                f"hold_out={share!r}：搜索时不使用的查询比例，须不小于 0 且小于 1",
            )


@dataclass(frozen=True)
class FusionSearch:
    """Every point of the grid with its value on the queries that chose, and the best with that of the others.

    A method that learns does so from the queries that choose; without a number to look for there is no grid.
    """

    metric: str
    tuned: str
    "The parameter that was varied; empty where none was."
    best: Point
    train: float
    held_out: float | None
    "None where nothing was held out."
    queries: tuple[int, int]
    "Judged queries that chose, and that were held out."
    hold_out: float
    tried: tuple[tuple[Point, float], ...]

    @property
    def summary(self) -> Text:
        """One sentence."""
        best, (tuning, held_back) = _written(self.best), self.queries
        rest = Text("nothing was held out: expect less elsewhere", "没有留出查询：在别处的数值会更低")
        if self.held_out is not None:
            held = counted(held_back, "held-out query", "held-out queries")
            rest = Text(f"{self.held_out:.4f} on {held}", f"在留出的 {held_back} 个查询上为 {self.held_out:.4f}")
        origin = Text(f"learned from {counted(tuning, 'query', 'queries')}", f"从 {tuning} 个查询学得")
        if len(self.tried) > 1:
            number = len(self.tried)
            origin = Text(f"best of {number}: {self.tuned}={best}", f"{number} 种取值中最好的：{self.tuned}={best}")
        return Text(
            f"{origin.en}; {self.metric} {self.train:.4f} on {counted(tuning, 'query', 'queries')}, {rest.en}",
            f"{origin.zh}；{self.metric} 在 {tuning} 个查询上为 {self.train:.4f}，{rest.zh}",
        )

    def table(self) -> Table:
        """Every point that was tried."""
        return Table([self.tuned or "–", self.metric], [[_written(point), value] for point, value in self.tried])

    def to_dict(self) -> Json:
        """Plain Python, ready for JSON."""

        def plain(point: Point) -> float | list[float] | None:
            return list(point) if isinstance(point, tuple) else point

        return {
            "metric": self.metric,
            "tuned": self.tuned or None,
            "best": plain(self.best),
            "train": finite(self.train),
            "held_out": finite(self.held_out),
            "train_queries": self.queries[0],
            "held_out_queries": self.queries[1],
            "hold_out": self.hold_out,
            "tried": [{"value": plain(point), "train": finite(value)} for point, value in self.tried],
        }


def _written(point: Point) -> str:
    if point is None:
        return "–"
    return ",".join(f"{number:g}" for number in point) if isinstance(point, tuple) else f"{point:g}"


def search_fusion(
    truth: Rows, models: Mapping[str, Rows], fusion: Fusion, settings: SearchSettings, threads: int | None
) -> FusedRun:
    """The runs fused with the best numbers of the grid, and how they were found."""
    runs = list(models.values())
    refuse_few(runs)
    refuse_nothing_to_tune(fusion)
    policies = {name: getattr(fusion.policies, name) for name in ("ties", "score_type")}
    request = Request.of("ranking", [settings.metric], policies=policies, threads=threads)
    train, held_out = _split(truth, settings.hold_out)
    alike = comparable_runs(runs, fusion.policies)
    candidates = _candidates(fusion, len(runs), _lessons(train, alike, fusion, threads))
    score = _scorer(align_runs(alike, fusion.policies, threads), runs, fusion, request)
    with part(0, 0.9):
        tried = tuple((point, score(train, candidate)) for point, candidate in stepwise(candidates))
    worse = -1.0 if request.metrics and request.metrics[0].metric.about.higher_is_better is False else 1.0
    at = max(range(len(tried)), key=lambda at: -np.inf if np.isnan(tried[at][1]) else worse * tried[at][1])
    (best, value), chosen = tried[at], candidates[at][1]
    elsewhere = score(held_out, chosen) if held_out is not None else None
    counts = (_queries(train), 0 if held_out is None else _queries(held_out))
    tuned = METHODS[fusion.method].tunes
    search = FusionSearch(settings.metric, tuned, best, value, elsewhere, counts, settings.hold_out, tried)
    return replace(fuse_runs(models, chosen, threads), search=search)


def _lessons(truth: Rows, runs: Sequence[Rows], fusion: Fusion, threads: int | None) -> list[Lesson]:
    return [] if METHODS[fusion.method].learner is None else learn_lessons(truth, runs, fusion.policies, threads)


def _candidates(fusion: Fusion, runs: int, lessons: Sequence[Lesson]) -> list[tuple[Point, Fusion]]:
    """Every point of the grid, with the fusion by it; a method that learns has learned."""
    tuned, learner = METHODS[fusion.method].tunes, METHODS[fusion.method].learner
    stated = fusion.parameters.number(tuned) if learner else 0
    candidates: list[tuple[Point, Fusion]] = []
    for point in [stated] if stated else _grid(tuned, runs) if tuned else [None]:
        changed = fusion
        if point is not None:
            parameters: Parameters = replace(fusion.parameters, **{tuned: point})  # type: ignore[arg-type]
            changed = replace(fusion, parameters=parameters)
        if learner is not None:
            number = changed.parameters.number(tuned)
            changed = replace(changed, tables=tuple(learner.learn(lesson, number) for lesson in lessons))
        candidates.append((point, changed))
    return candidates


def _scorer(
    aligned: AlignedRuns, runs: Sequence[Rows], fusion: Fusion, request: Request
) -> Callable[[Rows, Fusion], float]:
    """Scores a fusion on a truth; lists, ids and normalised scores are made once."""
    from pingce.run.rankings import RankingInputs
    from pingce.run.score import score_rows

    query, item = CodedIds(aligned.query_of_place, aligned.queries), aligned.items.take(aligned.member)
    source, method = rows_of(Text("the fused run", "融合结果")), METHODS[fusion.method]
    (metric,) = request.metrics or ()
    name = metric.name
    of_scores = None if method.by_rank or method.learner else lists_of(aligned, runs, fusion)

    def score(truth: Rows, point: Fusion) -> float:
        lists = lists_of(aligned, runs, point) if of_scores is None else replace(of_scores, parameters=point.parameters)
        fused = Rows(query, item, lists.scores_by(method), source)
        scores = score_rows(request, RankingInputs(truth, fused))
        return float(scores[name])

    return score


def _split(truth: Rows, share: float) -> tuple[Rows, Rows | None]:
    """The judgements of the queries that choose and of those held out, by a hash of the query id."""
    if share == 0:
        return truth, None
    out = hashes(truth.query) < np.uint64(int(share * 2**32)) << np.uint64(32)
    if out.all() or not out.any():
        raise InputError(
            f"hold_out={share}: one of the two parts has no judged query; there are too few, choose another share, or 0 for none",
            f"hold_out={share}：两部分之一没有已标注的查询；查询太少，请换一个比例，或用 0 表示不留出",
        )
    return _rows(truth, np.flatnonzero(~out)), _rows(truth, np.flatnonzero(out))


def _rows(table: Rows, rows: NDArray[np.intp]) -> Rows:
    return replace(table, query=table.query.take(rows), item=table.item.take(rows), value=table.value[rows], whole=None)


def _queries(truth: Rows) -> int:
    return len(np.unique(hashes(truth.query)))


def _grid(tuned: str, runs: int) -> list[float] | list[tuple[float, ...]]:
    if tuned != "weights":
        return list(_GRIDS[tuned])
    shares = itertools.product(range(_STEPS + 1), repeat=runs - 1) if runs <= 6 else iter(())
    grid = [(*first, _STEPS - sum(first)) for first in shares if sum(first) <= _STEPS]
    if not grid or len(grid) > _MOST:
        raise InputError(
            f"weights of {runs} runs in steps of 0.1 are too many to try; fuse some of the runs first, or use rrf",
            f"{runs} 份结果、步长 0.1 的权重组合太多；请先融合其中一部分，或使用 rrf",
        )
    return [tuple(share / _STEPS for share in point) for point in grid]
