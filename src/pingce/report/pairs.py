"""Model against model: p of every pair, how often which wins, and how large differences must be to be seen."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from pingce.report.plain import both, number

if TYPE_CHECKING:
    from pingce.report.material import Material


def pair_data(material: Material) -> dict[str, Any] | None:
    """By metric: each pair once, not yet corrected; corrections are made over the matrix that is shown."""
    comparison: Any = material.comparison
    if comparison is None:
        return None
    return {
        "correction": comparison.settings.correction,
        "alpha": comparison.settings.alpha,
        "baseline": material.baseline,
        "metrics": [_metric(material, name) for name in material.metrics],
    }


def _metric(material: Material, name: str) -> dict[str, Any]:
    found = material.comparison[name]  # type: ignore[index]
    pairs = [
        {"pair": [later, earlier], **_pair(found.difference(material.models[later], material.models[earlier]))}
        for earlier, later in combinations(range(len(material.models)), 2)
    ]
    return {"name": name, "pairs": pairs, "notes": [both(note) for note in found.notes]}


def _pair(one: Any) -> dict[str, Any]:
    low, high = (number(float(end)) for end in one.interval)
    return {
        "value": number(one.value),
        "relative": number(one.relative),
        "interval": None if low is None or high is None else [low, high],
        "p": number(one.p),
        "test": both(one.test),
        "pairs": one.pairs,
        "left_out": one.left_out,
        "wins": one.wins,
        "ties": one.ties,
        "losses": one.losses,
        "effect": number(one.effect),
        "detectable": number(one.detectable),
    }
