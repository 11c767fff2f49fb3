"""Labels and scores to draw curves from, in plain Python and in many ties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

import pingce as pc
from pingce.curves.base import Curve

NOTE_17 = ([0, 1, 1, 1, 0, 0, 1], [0.9, 0.8, 0.7, 0.7, 0.7, 0.6, 0.5])
"Row 17: labels 0,1,(1,1,0),0,1 in descending score, brackets tied."


@dataclass(frozen=True)
class Labelled:
    """Labels and scores of two models."""

    labels: list[int]
    scores: list[float]
    others: list[float]

    def curve(self, kind: str, which: str = "scores", **options: Any) -> Curve:
        """A curve of one of the models."""
        found: Curve = getattr(pc, f"{kind}_curve")(self.labels, getattr(self, which), **options)
        return found


@st.composite
def labelled(draw: st.DrawFn, *, most: int = 14, levels: int = 6) -> Labelled:
    """At least one row of each class, few distinct scores."""
    labels = [*draw(st.lists(st.integers(0, 1), max_size=most - 2)), 0, 1]
    level = st.integers(0, levels).map(lambda number: number / levels)
    columns = [draw(st.lists(level, min_size=len(labels), max_size=len(labels))) for _ in range(2)]
    return Labelled(labels, *columns)


def counted(labels: Sequence[int], scores: Sequence[float]) -> list[tuple[float, int, int]]:
    """Threshold, TP and FP from the highest score down, the first with nothing predicted positive."""
    rows = list(zip(labels, scores, strict=True))
    steps = [(float("inf"), 0, 0)]
    for limit in sorted(set(scores), reverse=True):
        above = [label for label, score in rows if score >= limit]
        steps.append((limit, sum(above), len(above) - sum(above)))
    return steps


def roc_points(labels: Sequence[int], scores: Sequence[float]) -> list[tuple[Fraction, Fraction]]:
    """FPR and TPR, not rounded."""
    positives = sum(labels)
    negatives = len(labels) - positives
    return [(Fraction(fp, negatives), Fraction(tp, positives)) for _, tp, fp in counted(labels, scores)]


def pr_points(labels: Sequence[int], scores: Sequence[float]) -> list[tuple[Fraction, Fraction]]:
    """Recall and precision, not rounded, where recall is above 0."""
    return [(Fraction(tp, sum(labels)), Fraction(tp, tp + fp)) for _, tp, fp in counted(labels, scores) if tp]
