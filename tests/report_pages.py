"""What the reports of these tests are made of, and how their data is read back."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np

from pingce.html.plain import unpacked

Run = dict[str, dict[str, float]]


def runs(
    queries: int, models: int, depth: int = 12, *, seed: int = 5
) -> tuple[dict[str, dict[str, int]], dict[str, Run]]:
    """Graded items for each query, and lists of them by models of growing noise."""
    random = np.random.default_rng(seed)
    items = [f"d{number}" for number in range(depth)]
    grades = {f"q{number}": random.integers(0, 4, depth) for number in range(queries)}
    truth = {query: dict(zip(items, own.tolist(), strict=True)) for query, own in grades.items()}
    found: dict[str, Run] = {}
    for number in range(models):
        noise = {query: own + (1 + number) * random.normal(size=depth) for query, own in grades.items()}
        found[f"model{number}"] = {query: dict(zip(items, own.tolist(), strict=True)) for query, own in noise.items()}
    return truth, found


def clicks(rows: int = 600, *, seed: int = 3) -> tuple[Any, dict[str, Any], Any]:
    """Labels, scores of two models, users."""
    random = np.random.default_rng(seed)
    wish = random.normal(size=rows)
    labels = (random.random(rows) < 1 / (1 + np.exp(1 - wish))).astype(int)
    fine = 1 / (1 + np.exp(-(wish + random.normal(size=rows))))
    return labels, {"fine": fine, "coarse": np.round(fine, 1)}, random.integers(0, 25, rows)


def data_of(path: Path) -> dict[str, Any]:
    """What the script of a page reads."""
    found = re.search(r'<script type="application/json" id="pingce-data">(.*?)</script>', path.read_text("utf-8"), re.S)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def units_of(data: dict[str, Any]) -> dict[str, Any]:
    """The table of queries or groups."""
    found: dict[str, Any] = unpacked(data["bulk"])
    return found


def value_of(units: dict[str, Any], metric: str, model: int, row: int) -> float | None:
    """A value of the table, as the script decodes it."""
    own = units["values"][metric]
    code = own["codes"][model][row]
    if code < 0:
        return None
    found: float = own["levels"][code] if "levels" in own else own["low"] + code * own["step"]
    return found
