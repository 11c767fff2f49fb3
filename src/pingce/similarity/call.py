"""Two runs to their similarity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.agreement import FORMS, Agreement
from pingce.evidence.ranking.aligned import AlignedRun, AlignedRuns, align_runs, comparable_runs
from pingce.inputs.columns import Rows
from pingce.similarity.result import Similarity


@dataclass(frozen=True)
class Depths:
    """Where lists are cut, and how fast rank-biased overlap forgets."""

    k: tuple[int, ...] = (10,)
    p: float = 0.9

    @classmethod
    def of(cls, k: int | Iterable[int], p: float) -> Depths:
        """The depths that a caller wrote; others than positive whole numbers, and a p outside 0 to 1, are refused."""
        cuts = (k,) if isinstance(k, (int, np.integer)) or not isinstance(k, Iterable) else tuple(k)
        for cut in cuts:
            if isinstance(cut, bool) or not isinstance(cut, (int, np.integer)) or cut < 1:
                raise InputError(
                    f"k={cut!r}: a cut-off is a whole number from 1", f"k={cut!r}：截断位置须为不小于 1 的整数"
                )
        if isinstance(p, bool) or not isinstance(p, (int, float)) or not 0 < p < 1:
            raise InputError(
                f"p={p!r}: the persistence of rank-biased overlap lies between 0 and 1, e.g. 0.9",
                f"p={p!r}：RBO 的 p 须在 0 与 1 之间，例如 0.9",
            )
        return cls(tuple(dict.fromkeys(int(cut) for cut in cuts)) or (10,), float(p))


def name_pair(names: Sequence[str]) -> tuple[str, str]:
    """The names of the two runs; refused where there are not two."""
    titles = [str(name) for name in names] if isinstance(names, Iterable) and not isinstance(names, str) else []
    if len(titles) != 2:
        raise InputError(
            f"names={names!r}: give two names, those of a and b, e.g. names=('old', 'new')",
            f"names={names!r}：请给出两个名称，即 a 与 b 的名称，例如 names=('old', 'new')",
        )
    return titles[0], titles[1]


def similarity(
    runs: tuple[Rows, Rows], names: tuple[str, str], depths: Depths, policies: Policies, threads: int | None = None
) -> Similarity:
    """The similarity of two runs that were read."""
    notes = tuple(note for rows in runs for note in rows.source.notes)
    aligned = align_runs(comparable_runs(runs, policies), policies, threads)
    answered = [lists.lengths > 0 for lists in aligned.runs]
    both = np.flatnonzero(answered[0] & answered[1])
    if not len(both):
        raise _nothing_common(aligned, names)
    first, second = (_chosen(lists, both) for lists in aligned.runs)
    agreement = Agreement.of(first, second, len(aligned.member))
    alone = (answered[0] & ~answered[1], answered[1] & ~answered[0])
    return Similarity(
        names=names,
        queries=aligned.queries.take(both),
        columns=_columns(agreement, depths, threads),
        alone=(aligned.queries.take(np.flatnonzero(alone[0])), aligned.queries.take(np.flatnonzero(alone[1]))),
        settings={name: getattr(policies, name) for name in ("ties", "duplicates", "nan", "score_type")}
        | {"p": depths.p},
        notes=notes,
    )


def _columns(agreement: Agreement, depths: Depths, threads: int | None) -> dict[str, NDArray[np.float64]]:
    columns = {"rbo" if form == FORMS[0] else f"rbo(form={form})": agreement.rbo(depths.p, form) for form in FORMS}
    for k in depths.k:
        columns |= {f"overlap@{k}": agreement.overlap(k), f"jaccard@{k}": agreement.jaccard(k)}
    return columns | {"kendall": agreement.kendall(threads)}


def _chosen(lists: AlignedRun, queries: NDArray[np.intp]) -> AlignedRun:
    """The lists of some queries."""
    lengths = lists.lengths
    if len(queries) == len(lengths):
        return lists
    keep = np.zeros(len(lengths), bool)
    keep[queries] = True
    rows = np.repeat(keep, lengths)
    return AlignedRun(np.concatenate([[0], np.cumsum(lengths[queries])]), lists.row[rows], lists.place[rows])


def _nothing_common(aligned: AlignedRuns, names: tuple[str, str]) -> InputError:
    """What to say of two runs that answer no query together."""
    few = []
    for lists in aligned.runs:
        some = np.flatnonzero(lists.lengths)[:3]
        few.append(", ".join(f"'{query}'" for query in aligned.queries.take(some).to_list()) or "–")
    text = Text(
        f"{names[0]} and {names[1]} have no query in common: the first has {few[0]}, the second has {few[1]}; give two runs of the same queries",
        f"{names[0]} 与 {names[1]} 没有共同的查询：前者如 {few[0]}，后者如 {few[1]}；请给出针对相同查询的两份结果",
    )
    return InputError(text.en, text.zh)
