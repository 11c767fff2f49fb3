"""The numbers of a fusion looked for on a grid: chosen on some queries, told by the others."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.json import Json
from pingce.base.records import dataclass
from pingce.base.tables import Table, finite
from pingce.base.text import Text, counted
from pingce.evidence.ranking.aligned import AlignedRuns, align_runs, comparable_runs
from pingce.fusion.call import Fusion, fuse_runs, lists_of, refuse_few
from pingce.fusion.methods import METHODS, Parameters
from pingce.fusion.result import FusedRun
from pingce.inputs.columns import Rows, rows_of
from pingce.inputs.ids import hashes
from pingce.inputs.layouts import CodedIds
from pingce.request import Request

_GRIDS: dict[str, tuple[float, ...]] = {
    "k": tuple(float(k) for k in range(10, 101, 10)),
    "phi": tuple(number / 10 for number in range(1, 10)),
    "sigma": tuple(number / 10 for number in range(11)),
    "gamma": tuple(number / 4 for number in range(1, 13)),
}
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
    """Every point of the grid with its value on the queries that chose, and the best with that of the others."""

    metric: str
    tuned: str
    "The parameter that was varied."
    best: float | tuple[float, ...]
    train: float
    held_out: float | None
    "None where nothing was held out."
    queries: tuple[int, int]
    "Judged queries that chose, and that were held out."
    hold_out: float
    tried: tuple[tuple[float | tuple[float, ...], float], ...]

    @property
    def summary(self) -> Text:
        """One sentence."""
        best, (tuning, held_back) = _written(self.best), self.queries
        rest = Text("nothing was held out: expect less elsewhere", "没有留出查询：在别处的数值会更低")
        if self.held_out is not None:
            held = counted(held_back, "held-out query", "held-out queries")
            rest = Text(f"{self.held_out:.4f} on {held}", f"在留出的 {held_back} 个查询上为 {self.held_out:.4f}")
        return Text(
            f"best of {len(self.tried)}: {self.tuned}={best}; {self.metric} {self.train:.4f} on {counted(tuning, 'query', 'queries')}, {rest.en}",
            f"{len(self.tried)} 种取值中最好的：{self.tuned}={best}；{self.metric} 在 {tuning} 个查询上为 {self.train:.4f}，{rest.zh}",
        )

    def table(self) -> Table:
        """Every point that was tried."""
        return Table([self.tuned, self.metric], [[_written(point), value] for point, value in self.tried])

    def to_dict(self) -> Json:
        """Plain Python, ready for JSON."""

        def plain(point: float | tuple[float, ...]) -> float | list[float]:
            return list(point) if isinstance(point, tuple) else point

        return {
            "metric": self.metric,
            "tuned": self.tuned,
            "best": plain(self.best),
            "train": finite(self.train),
            "held_out": finite(self.held_out),
            "train_queries": self.queries[0],
            "held_out_queries": self.queries[1],
            "hold_out": self.hold_out,
            "tried": [{"value": plain(point), "train": finite(value)} for point, value in self.tried],
        }


def _written(point: float | tuple[float, ...]) -> str:
    return ",".join(f"{number:g}" for number in point) if isinstance(point, tuple) else f"{point:g}"


def search_fusion(
    truth: Rows, models: Mapping[str, Rows], fusion: Fusion, settings: SearchSettings, threads: int | None
) -> FusedRun:
    """The runs fused with the best numbers of the grid, and how they were found."""
    runs = list(models.values())
    refuse_few(runs)
    tuned = METHODS[fusion.method].tunes
    if not tuned:
        raise InputError(
            f"{fusion.method} has no number to look for; choose wsum, wmnz, mixed, w_bordafuse, w_condorcet, rrf, rbc, gmnz or logn_isr",
            f"{fusion.method} 没有可搜索的参数；请选择 wsum、wmnz、mixed、w_bordafuse、w_condorcet、rrf、rbc、gmnz 或 logn_isr",
        )
    policies = {name: getattr(fusion.policies, name) for name in ("ties", "score_type")}
    request = Request.of("ranking", [settings.metric], policies=policies, threads=threads)
    train, held_out = _split(truth, settings.hold_out)
    aligned = align_runs(comparable_runs(runs, fusion.policies), fusion.policies, threads)
    score = _scorer(aligned, runs, fusion, request)
    grid = _grid(tuned, len(runs))
    tried = tuple((point, score(train, _with(fusion, tuned, point))) for point in grid)
    worse = -1.0 if request.metrics and request.metrics[0].metric.about.higher_is_better is False else 1.0
    best, value = max(tried, key=lambda pair: -np.inf if np.isnan(pair[1]) else worse * pair[1])
    chosen = _with(fusion, tuned, best)
    elsewhere = score(held_out, chosen) if held_out is not None else None
    counts = (_queries(train), 0 if held_out is None else _queries(held_out))
    search = FusionSearch(settings.metric, tuned, best, value, elsewhere, counts, settings.hold_out, tried)
    return replace(fuse_runs(models, chosen, threads), search=search)


def _with(fusion: Fusion, tuned: str, point: float | tuple[float, ...]) -> Fusion:
    parameters: Parameters = replace(fusion.parameters, **{tuned: point})  # type: ignore[arg-type]
    return replace(fusion, parameters=parameters)


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
    of_scores = None if method.by_rank else lists_of(aligned, runs, fusion)

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
