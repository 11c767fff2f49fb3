"""Operating points: both rates at each threshold, where the condition holds, and the best there."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.explanations.binary.base import threshold_grid
from pingce.explanations.derivation import Derivation, Step
from pingce.explanations.tables import Cells, around, dashed, numbers_in
from pingce.metrics.binary.conditions import columns_of, condition, share

if TYPE_CHECKING:
    from pingce.metrics.binary.decisions import Operable


def operating_point(metric: Operable, view: BinaryView) -> Derivation:
    """The table of thresholds around the one that is chosen, which is said, and the division there."""
    counts, wanted = view.thresholds, condition(metric.at)
    cells = columns_of(counts.tp, counts.fp, counts.positives, counts.negatives)
    curve, value = metric.allowed(cells), metric.value(view)
    is_none = metric.of_none(counts.positives, counts.negatives) == value
    place = 0 if isnan(value) or is_none else int(np.flatnonzero(curve == value)[0])
    excerpt = around(len(counts), place)
    holds = wanted.holds(cells)
    columns: list[Cells] = [("fn", "FN", excerpt.of(cells.fn)), ("tn", "TN", excerpt.of(cells.tn))]
    columns.append(("condition", wanted.rate, dashed(share(wanted.division, cells)[excerpt.places])))
    if type(metric).name != wanted.rate:
        columns.append(("value", type(metric).name, dashed(share(type(metric).division, cells)[excerpt.places])))
    columns.append(("holds", wanted.words, ["✓" if held else "–" for held in holds[excerpt.places].tolist()]))
    steps: list[Step] = [threshold_grid(counts, excerpt, *columns)]
    if isnan(value):
        return Derivation(steps)
    if is_none:
        none = np.zeros(1, counts.tp.dtype)
        cells = columns_of(none, none, counts.positives, counts.negatives)
        steps.append(
            Text(
                f"A threshold above all scores predicts nothing positive; there {wanted.words}, and no other threshold with that has a better {type(metric).name}.",
                f"阈值高于一切分数时没有一行判为正：此处 {wanted.words}，且满足该条件的其他阈值都没有更好的 {type(metric).name}。",
            )
        )
        return _divided(metric, steps, cells, 0, value)
    score = float(counts.score[place])
    steps.append(
        Text(
            f"Of the {int(holds.sum())} thresholds with {wanted.words}, #{place + 1} ({score:.9g}) has the best {type(metric).name}; of several the highest is taken.",
            f"满足 {wanted.words} 的阈值有 {int(holds.sum())} 个，其中第 {place + 1} 个（{score:.9g}）的 {type(metric).name} 最好；有多个时取最高者。",
        )
    )
    return _divided(metric, steps, cells, place, value)


def _divided(metric: Operable, steps: list[Step], cells: Any, place: int, value: float) -> Derivation:
    """The division at one threshold."""
    top, bottom = (names.split() for names in type(metric).division)
    numbers = numbers_in(getattr(cells, name)[place] for name in (*top, *bottom))
    return Derivation(steps, f"{{}} / ({' + '.join(['{}'] * len(bottom))})", tuple(numbers), value)
