"""A metric says what it needs: no room outside `metrics/` decides by the name of a metric what to do with it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import pingce

ROOMS = ("base", "inputs", "evidence", "stats", "comparison", "scores", "slices", "run", "explanations")


def _is_metric_name(node: ast.expr) -> bool:
    """`metric.name`, or `value.metric.name`."""
    if not isinstance(node, ast.Attribute) or node.attr != "name":
        return False
    owner = node.value
    return owner.id == "metric" if isinstance(owner, ast.Name) else getattr(owner, "attr", "") == "metric"


@pytest.mark.parametrize("room", ROOMS)
def test_no_metric_is_known_by_its_name(room: str) -> None:
    root = Path(pingce.__file__).parent / room
    for path in root.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Compare):
                texts = [
                    part for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)
                ]
                named = any(_is_metric_name(side) for side in (node.left, *node.comparators))
                assert not (named and texts), f"{path}:{node.lineno}"
