"""Exposure by group of items: which share of attention each group gets, beside its share of the items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.json import Json
from pingce.base.text import Text
from pingce.diagnosis.points import Point
from pingce.diagnosis.shown import percent
from pingce.evidence.items.view import ItemView
from pingce.html.markup import cell, head, name_of, num, row, table, title_cell
from pingce.html.plain import number, numbers
from pingce.metrics.ranking.exposure import Exposure

_MOST = 12
"Groups of the chart; the others are one."
_LEAST = 1e-300
_WORTH = 0.05
"A difference of shares that is less is not worth a word."
Shares: TypeAlias = NDArray[np.float64]


def exposure_data(displays: Sequence[ItemView], k: int) -> Json | None:
    """Shares of the exposure and of the items, the group that the first model shows most first; None without groups."""
    metric, features = Exposure(k=k), displays[0].background.features
    if not features.group_names:
        return None
    try:
        items = features.group_sizes
        sums = [metric.sums(display) for display in displays]
    except InputError:  # an item in two groups: no share of exposure is its group's alone
        return None
    totals = [metric.total(by_group) for by_group in sums]
    weights = np.array([[by_group.get(group, 0.0) for group in range(len(items))] for by_group in sums])
    order = np.lexsort((np.arange(len(items)), -weights[0]))
    named, others = order[:_MOST], order[_MOST:]
    shares = [
        by_group / total if total else np.full(len(items), np.nan)
        for by_group, total in zip(weights, totals, strict=True)
    ]
    return {
        "metric": metric.id,
        "groups": [features.group_names[group] for group in named.tolist()],
        "others": len(others),
        "items": numbers(_folded(items / max(int(items.sum()), 1), named, others)),
        "unknown": [
            by_group.get(-1, 0.0) / max(by_group.get(-1, 0.0) + total, _LEAST)
            for by_group, total in zip(sums, totals, strict=True)
        ],
        "models": [
            [number(share) for share in _folded(model_shares, named, others).tolist()] for model_shares in shares
        ],
    }


def _folded(shares: Shares, named: NDArray[np.intp], others: NDArray[np.intp]) -> Shares:
    """The shares of the named groups, and of all others together."""
    return np.append(shares[named], [shares[others].sum()] if len(others) else [])


def read_exposure(exposure: Json | None, model: int) -> list[Point]:
    """The group whose share of the exposure lies farthest above its share of the items."""
    if exposure is None or len(exposure["groups"]) < 2 or exposure["models"][model][0] is None:
        return []
    places = range(len(exposure["groups"]))
    shares, items = exposure["models"][model], exposure["items"]
    most = max(places, key=lambda group: shares[group] - items[group])
    group, share, part = exposure["groups"][most], shares[most], items[most]
    if share - part < _WORTH:
        return []
    words = Text(
        f"{group} gets {percent(share)} of the exposure with {percent(part)} of the items ({exposure['metric']}).",
        f"{group} 以 {percent(part)} 的条目得到 {percent(share)} 的曝光（{exposure['metric']}）。",
    )
    return [Point("exposure", words)]


def exposure_table(exposure: Json | None, models: list[str]) -> str:
    """The shares without a script."""
    if exposure is None:
        return ""
    names = [name_of(group) for group in exposure["groups"]]
    names += [f"{exposure['others']} {head('other_groups')}"] if exposure["others"] else []
    columns = [exposure["items"], *exposure["models"]]
    rows = [row(title_cell(name), *(num(column[at]) for column in columns)) for at, name in enumerate(names)]
    if any(exposure["unknown"]):
        rows.append(row(title_cell(head("no_group")), cell("–", kind="num"), *map(num, exposure["unknown"])))
    return table("shown-exposure", [head("group"), head("part_of_items"), *models], rows)
