"""Runs to one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.core import native_core
from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.ranking.aligned import (
    AlignedRuns,
    align_runs,
    columns_of,
    comparable_runs,
    order_places,
    refuse_faults,
    threads_for,
)
from pingce.evidence.ranking.aligned_reference import ListFaults
from pingce.fusion.methods import METHODS, Floats, Lists, Method, points_of, values_of
from pingce.fusion.recipe import Fusion, refuse_few, refuse_no_truth, refuse_weights
from pingce.fusion.result import FusedRun
from pingce.inputs.columns import Rows
from pingce.inputs.layouts import joined

if TYPE_CHECKING:
    from pingce._core import Core

_POINTS = 4096
"Ranks that are given points at first; a longer list asks again."


def named_runs(runs: Any) -> dict[str, object]:
    """The runs of a caller by name: a dict from names to runs, or a list of them, numbered from 1."""
    if isinstance(runs, Mapping):
        return {str(name): run for name, run in runs.items()}
    if not isinstance(runs, (list, tuple)):
        raise InputError(
            f"runs is {type(runs).__name__}; give a list of runs, or a dict from names to runs",
            f"runs 的类型是 {type(runs).__name__}；请给出结果的列表，或从名称到结果的字典",
        )
    return {str(at): run for at, run in enumerate(runs, 1)}


def fuse_runs(models: Mapping[str, Rows], fusion: Fusion, threads: int | None = None) -> FusedRun:
    """One run from several that were read."""
    runs = list(models.values())
    refuse_few(runs)
    refuse_weights(fusion, len(runs))
    comparable = comparable_runs(runs, fusion.policies)
    method = METHODS[fusion.method]
    if not fusion.tables:
        refuse_no_truth(fusion)
    core = native_core() if method.tunes in ("k", "phi") else None
    fused = (
        _by_lists(runs, comparable, fusion, threads) if core is None else _by_points(core, comparable, fusion, threads)
    )
    notes = [note for rows in runs for note in rows.source.notes]
    if not method.by_rank:
        notes += [_no_scores(name) for name, rows in models.items() if rows.ordered]
        refuse_undefined(fused)
    return replace(fused, names=tuple(models), notes=tuple(notes))


def _by_points(core: Core, runs: Sequence[Rows], fusion: Fusion, threads: int | None) -> FusedRun:
    """Methods that add points of ranks: the core does all of it, one query after another."""
    method, policies = METHODS[fusion.method], fusion.policies
    weights, longest = fusion.parameters.weights or (1.0,) * len(runs), _POINTS
    while True:
        table = method.rank_points(fusion.parameters, longest)
        parts = core.fuse_lists(
            *columns_of(runs),
            [table if weight == 1.0 else weight * table for weight in weights],
            core.Duplicates[policies.duplicates],
            core.NotANumber[policies.nan],
            core.TieOrder[policies.ties],
            threads_for(runs, threads),
        )
        if "score" in parts:
            break
        longest = parts["longest"]
    for rows, faults in zip(runs, parts["faults"], strict=True):
        refuse_faults(ListFaults(**faults), rows, policies)
    queries = joined([rows.query for rows in runs]).take(parts["query_rows"])
    items = joined([rows.item for rows in runs])
    return FusedRun(queries, parts["begin"], parts["member"], parts["score"], items, fusion.settings)


def _by_lists(sources: Sequence[Rows], runs: Sequence[Rows], fusion: Fusion, threads: int | None) -> FusedRun:
    """Any method: lists are aligned, their values combined, and the items of each query sorted."""
    aligned = align_runs(runs, fusion.policies, threads)
    scores = lists_of(aligned, sources, fusion).scores_by(METHODS[fusion.method])
    order = order_places(aligned, scores, fusion.policies.ties, threads)
    member = aligned.member[order]
    return FusedRun(aligned.queries, aligned.begin, member, scores[order], aligned.items, fusion.settings)


@dataclass(frozen=True)
class Values(Lists):
    """Lists with the values that a fusion gives them."""

    def scores_by(self, method: Method) -> Floats:
        """The score of each item."""
        with np.errstate(invalid="ignore", over="ignore"):
            return method.scores(self)


def lists_of(aligned: AlignedRuns, runs: Sequence[Rows], fusion: Fusion) -> Values:
    """Aligned runs with the points of their ranks, with what was learned of these, or with their scores, normalised."""
    method, parameters, ties = METHODS[fusion.method], fusion.parameters, fusion.policies.ties
    if method.learner is not None:
        worths = method.learner.values(fusion.tables, aligned, parameters.number(method.tunes))
        if method.learner.by_score:
            scores = _scores_of(aligned, runs, fusion.norm)[0]
            worths = [worth * (values + 1) for worth, values in zip(worths, scores, strict=True)]
        return Values(aligned, worths, parameters, ties, everywhere=method.learner.absent != 0)
    if method.by_rank:
        return Values(aligned, points_of(method, aligned, parameters), parameters, ties)
    values, everywhere = _scores_of(aligned, runs, fusion.norm)
    return Values(aligned, values, parameters, ties, everywhere)


def _scores_of(aligned: AlignedRuns, runs: Sequence[Rows], norm: str) -> tuple[list[Floats], bool]:
    with np.errstate(invalid="ignore", over="ignore"):
        return values_of(aligned, [rows.value for rows in runs], norm)


def refuse_undefined(fused: FusedRun) -> None:
    """Refuse a fused score that is not a number: scores that are infinite, or that are none. Points of ranks are neither."""
    wrong = np.flatnonzero(np.isnan(fused.score))
    if len(wrong):
        place = int(wrong[0])
        query = fused.queries.take(np.array([np.searchsorted(fused.begin, place, "right") - 1])).to_list()[0]
        item = fused.items.take(fused.member[[place]]).to_list()[0]
        raise InputError(
            f"query '{query}', item '{item}': the fused score is not a number, as a score of it is infinite or none; correct the scores, "
            "choose nan=drop, or a method of ranks, e.g. rrf",
            f"查询 '{query}'，条目 '{item}'：融合后的分数不是数字，因为其中有无穷或缺失的分数；请更正分数，选择 nan=drop，或使用基于名次的方法，例如 rrf",
        )


def _no_scores(name: str) -> Text:
    return Text(f"{name}: no scores were given, ranks stand for them", f"{name}：没有给出分数，以名次代替")
