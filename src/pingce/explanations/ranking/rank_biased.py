"""Rank-biased overlap with a reference, worked."""

from __future__ import annotations

import math

import numpy as np

from pingce.base.text import Text
from pingce.evidence.items.view import item_view
from pingce.evidence.ranking.agreement import Agreement, powers_of
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking.lesson import Lesson, so_far, sum_line
from pingce.explanations.tables import MOST, Cells, table
from pingce.metrics.ranking.rank_biased import RankBiasedOverlap


@explains(RankBiasedOverlap)
def rbo(metric: RankBiasedOverlap, lesson: Lesson) -> Derivation:
    """Agreement at each depth, weighed, and what is said of places below the end."""
    both = metric.agreement(item_view(lesson.view))
    powers = powers_of(metric.p, int(both.depth[0]))
    common = both.by_depth.tolist()
    terms = (powers[:-1] * (both.by_depth / np.arange(1, len(powers)))).tolist()
    left = max(0, len(common) - MOST)
    columns: list[Cells] = [
        ("depth", Text("depth d", "深度 d"), list(range(1, len(common) + 1))[:MOST]),
        ("common", Text("X: in both", "X：两者都有"), common[:MOST]),
        ("share", "X / d", [each / depth for depth, each in enumerate(common[:MOST], 1)]),
        ("weight", "p^(d−1)", powers[:-1].tolist()[:MOST]),
        so_far(terms[:MOST]),
    ]
    note = Text(f"{left} more depths follow.", f"其后还有 {left} 个深度。") if left else None
    summed = float(both.weighed(powers)[0])
    steps: list[Step] = [
        table("depths", Text("Both lists, from the top", "两个列表，从第 1 位起"), columns, note=note),
        sum_line("sum", "Σ", terms, summed),
    ]
    return _end(metric, both, steps, summed)


def _end(metric: RankBiasedOverlap, both: Agreement, steps: list[Step], summed: float) -> Derivation:
    p, deep, value = metric.p, int(both.depth[0]), float(both.rbo(metric.p, metric.form)[0])
    powers = powers_of(p, deep)
    if metric.form == "truncated":
        weights = float(np.cumsum(powers[:-1])[-1])
        steps.append(
            Line(
                "weights",
                Text("weights", "权重"),
                Text("Σ p^(d−1) down to the end", "到末尾为止的 Σ p^(d−1)"),
                (),
                weights,
            )
        )
        return Derivation(steps, "{} / {}", (summed, weights), value)
    if metric.form == "ext":
        unseen, reached = float(both.unseen(powers)[0]), float(both.reached()[0])
        steps.append(
            Line(
                "unseen",
                Text("below the shorter list", "较短列表以下"),
                Text("as it would go on", "按其外推"),
                (),
                unseen,
            )
        )
        steps.append(
            Line("reached", Text("reached", "已达到"), Text("agreement at the end", "末尾的一致度"), (), reached)
        )
        words = "(1 − {}) · ({} + {}) + {} · {}"
        return Derivation(steps, words, (p, summed, unseen, reached, float(powers[deep])), value)
    overlap = int(both.common(both.depth)[0])
    harmonic = float(np.cumsum(powers[1:] / np.arange(1, deep + 1))[-1])
    steps.append(Line("overlap", "X", Text("items that both have", "两者都有的条目"), (), overlap))
    steps.append(Line("harmonic", "H", Text("Σ p^d / d down to the end", "到末尾为止的 Σ p^d / d"), (), harmonic))
    words = "(1 − {}) / {} · ({} · {} − {} · {} − {} · {})"
    return Derivation(steps, words, (p, p, summed, p, overlap, harmonic, overlap, math.log(1 - p)), value)
