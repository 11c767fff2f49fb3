"""Runs to one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.core import native_core
from pingce.base.errors import InputError, did_you_mean
from pingce.base.records import dataclass
from pingce.base.text import Text, counted
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.aligned import (
    AlignedRuns,
    align_runs,
    columns_of,
    comparable_runs,
    order_places,
    refuse_faults,
    threads_for,
)
from pingce.fusion.methods import ALIASES, METHODS, TRAINED, Lists, Method, Parameters, points_of, values_of
from pingce.fusion.norms import NORM_NAMES
from pingce.fusion.result import FusedRun
from pingce.inputs.columns import Rows
from pingce.inputs.layouts import joined

if TYPE_CHECKING:
    from pingce._core import Core

_POINTS = 4096
"Ranks that are given points at first; a longer list asks again."
_POSITIVE = ("k", "gamma")


@dataclass(frozen=True)
class Fusion:
    """How runs become one: the method, the normalisation of scores before it, its numbers, and the policies of lists."""

    method: str
    norm: str
    parameters: Parameters
    policies: Policies

    @classmethod
    def of(cls, method: str, norm: str | None, parameters: Parameters, policies: Policies) -> Fusion:
        """What a caller wrote; what is unknown or does not go together is refused."""
        name = ALIASES.get(method, method)
        if name not in METHODS:
            raise _unknown("method", method, [*METHODS, *ALIASES])
        by_rank = METHODS[name].by_rank
        chosen = norm.replace("-", "_") if isinstance(norm, str) else norm
        if chosen is not None and chosen not in NORM_NAMES:
            raise _unknown("norm", str(norm), NORM_NAMES)
        if by_rank and chosen not in (None, "none"):
            raise InputError(
                f"norm={norm}: {name} looks at ranks and not at scores; leave norm out, or choose a method of scores, e.g. sum or wsum",
                f"norm={norm}：{name} 只看名次而不看分数；请去掉 norm，或选择基于分数的方法，例如 sum 或 wsum",
            )
        return cls(name, "none" if by_rank else chosen or "min_max", _checked(parameters), policies)

    @property
    def settings(self) -> dict[str, object]:
        """Everything that the result depends on, by name."""
        method = METHODS[self.method]
        numbers = {"rrf": ("k",), "rbc": ("phi",), "logn_isr": ("sigma",), "gmnz": ("gamma",)}.get(self.method, ())
        settings: dict[str, object] = {"method": self.method, "norm": self.norm}
        settings |= {name: getattr(self.parameters, name) for name in numbers}
        if method.weighs and self.parameters.weights:
            settings["weights"] = list(self.parameters.weights)
        return settings | {name: getattr(self.policies, name) for name in ("ties", "duplicates", "nan", "score_type")}


def _unknown(option: str, value: str, choices: Sequence[str]) -> InputError:
    hint = did_you_mean(value, choices)
    if value in TRAINED:
        return InputError(
            f"{option}={value}: methods that learn from judgements are not here; wsum or rrf with qrels= finds weights or k by a search",
            f"{option}={value}：此处没有需要用标注训练的方法；可用 wsum 或 rrf 加 qrels=，搜索权重或 k",
        )
    return InputError(
        f"{option}={value!r}: choose one of {', '.join(choices)}{hint.en}",
        f"{option}={value!r}：可选 {'、'.join(choices)}{hint.zh}",
    )


def _checked(parameters: Parameters) -> Parameters:
    """Numbers in their ranges, as floats."""
    for field in fields(Parameters):
        value = getattr(parameters, field.name)
        for number in value if field.name == "weights" else (value,):
            real = isinstance(number, (int, float, np.number)) and not isinstance(number, bool)
            low, high = (0.0, np.inf) if field.name in (*_POSITIVE, "weights") else (0.0, 1.0)
            if not real or not low <= float(number) <= high or float(number) == np.inf:
                raise InputError(
                    f"{field.name}={value!r}: a number {'from 0' if high == np.inf else 'from 0 to 1'} is needed",
                    f"{field.name}={value!r}：须为{'不小于 0 的数' if high == np.inf else '0 到 1 之间的数'}",
                )
    return replace(parameters, weights=tuple(map(float, parameters.weights)))


def named_runs(runs: Any) -> dict[str, Any]:
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
        refuse_faults(faults, rows, policies)
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

    def scores_by(self, method: Method) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """The score of each item."""
        with np.errstate(invalid="ignore", over="ignore"):
            return method.scores(self)


def lists_of(aligned: AlignedRuns, runs: Sequence[Rows], fusion: Fusion) -> Values:
    """Aligned runs with the points of their ranks, or with their scores, normalised."""
    method, parameters, ties = METHODS[fusion.method], fusion.parameters, fusion.policies.ties
    if method.by_rank:
        return Values(aligned, points_of(method, aligned, parameters), parameters, ties)
    with np.errstate(invalid="ignore", over="ignore"):
        values, everywhere = values_of(aligned, [rows.value for rows in runs], fusion.norm)
    return Values(aligned, values, parameters, ties, everywhere)


def refuse_few(runs: Sequence[Rows]) -> None:
    """Refuse fewer than two runs."""
    if len(runs) < 2:
        raise InputError(
            f"{counted(len(runs), 'run')} cannot be fused; give two or more",
            f"只有 {len(runs)} 份结果，无法融合；请给出两份或更多",
        )


def refuse_weights(fusion: Fusion, runs: int) -> None:
    """Refuse weights where a method has none, none where it needs them, and another number of them than of runs."""
    method, weights = METHODS[fusion.method], fusion.parameters.weights
    if weights and not method.weighs:
        raise InputError(
            f"weights: {fusion.method} has none; choose wsum, wmnz, mixed, w_bordafuse, w_condorcet, rrf or rbc, or leave them out",
            f"weights：{fusion.method} 不用权重；请改用 wsum、wmnz、mixed、w_bordafuse、w_condorcet、rrf 或 rbc，或去掉权重",
        )
    if method.needs_weights and not weights:
        raise InputError(
            f"{fusion.method} needs a weight for each of the {runs} runs: weights=[…] (--weights), or qrels= (--tune) to look for them",
            f"{fusion.method} 需要为 {runs} 份结果各给一个权重：weights=[…]（--weights），或用 qrels=（--tune）搜索",
        )
    if weights and len(weights) != runs:
        raise InputError(
            f"{counted(len(weights), 'weight')} for {counted(runs, 'run')}; give one for each",
            f"{runs} 份结果却有 {len(weights)} 个权重；请各给一个",
        )


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
