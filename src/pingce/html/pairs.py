"""Model against model: p of every pair, how often which wins, and how large differences must be to be seen."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

from pingce.base.json import Json
from pingce.base.text import Text
from pingce.html.plain import both, number

if TYPE_CHECKING:
    from pingce.html.material import Material


MOST_MODELS = 10
"Beyond, only pairs with the baseline are shown: all pairs grow with the square of the models."


def pair_data(material: Material) -> Json | None:
    """By metric: each pair once, not yet corrected; corrections are made over the pairs that are shown."""
    comparison: Any = material.comparison
    if comparison is None:
        return None
    return {
        "correction": comparison.settings.correction,
        "alpha": comparison.settings.alpha,
        "baseline": material.baseline,
        "only_baseline": len(material.models) > MOST_MODELS,
        "note": both(_left_out(material)) if len(material.models) > MOST_MODELS else None,
        "metrics": [_metric(material, name) for name in material.metrics],
    }


def _left_out(material: Material) -> Text:
    models, baseline = len(material.models), material.models[material.baseline]
    return Text(
        f"Of {models} models only the pairs with the baseline {baseline} are shown, and p is corrected over these; "
        "pingce.compare has all pairs, and another baseline= shows others.",
        f"共 {models} 个模型，仅列出与基线 {baseline} 的配对，p 也只对这些配对校正；全部配对见 pingce.compare，换用其他 baseline= 可查看其他配对。",
    )


def _shown(material: Material) -> list[tuple[int, int]]:
    """Places of the earlier and the later model of each pair."""
    every = list(combinations(range(len(material.models)), 2))
    return every if len(material.models) <= MOST_MODELS else [pair for pair in every if material.baseline in pair]


def _metric(material: Material, name: str) -> Json:
    measured = material.comparison[name]  # type: ignore[index]
    pairs = [
        {"pair": [later, earlier], **_pair(measured.difference(material.models[later], material.models[earlier]))}
        for earlier, later in _shown(material)
    ]
    return {"name": name, "pairs": pairs, "notes": [both(note) for note in measured.notes]}


def _pair(difference: Any) -> Json:
    low, high = (number(float(end)) for end in difference.interval)
    return {
        "value": number(difference.value),
        "relative": number(difference.relative),
        "interval": None if low is None or high is None else [low, high],
        "p": number(difference.p),
        "test": both(difference.test),
        "pairs": difference.pairs,
        "left_out": difference.left_out,
        "wins": difference.wins,
        "ties": difference.ties,
        "losses": difference.losses,
        "effect": number(difference.effect),
        "detectable": number(difference.detectable),
    }
