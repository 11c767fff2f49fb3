"""Comparisons of several tasks as one: every p is corrected over all of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pingce.comparison.result import Comparison


def joined_comparisons(comparisons: Mapping[str, Comparison]) -> Comparison:
    """The same models on several tasks, by the name of each; metrics are called by their task too."""
    first = next(iter(comparisons.values()))
    measured = {
        f"{task} {name}": replace(metric, name=f"{task} {name}")
        for task, comparison in comparisons.items()
        for name, metric in comparison.measured.items()
    }
    gaps = {
        f"{task} {name}": replace(gap, name=f"{task} {name}")
        for task, comparison in comparisons.items()
        for name, gap in comparison.gaps.items()
    }
    notes = dict.fromkeys(note for comparison in comparisons.values() for note in comparison.notes)
    return replace(first, measured=measured, gaps=gaps, scores={}, notes=tuple(notes))
