"""Two folders of documents: values byte for byte, and what SciPy's distributions give to eleven digits."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

STATISTICS = {"interval", "p", "corrected_p", "detectable"}
"What is made of quantiles and tails of Student's t and other distributions: SciPy has them by the processor."
NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?")


def compare(first: Path, second: Path) -> bool:
    """Print what differs; whether it is more than may."""
    names = sorted({file.name for folder in (first, second) for file in folder.iterdir()})
    same, wrong = 0, []
    for name in names:
        if (first / name).read_bytes() == (second / name).read_bytes():
            same += 1
            continue
        found = dict((documents if name.endswith(".json") else pages)(first / name, second / name))
        wrong += [f"{name}{place}: {numbers}" for place, numbers in found.items() if not allowed(place, *numbers)]
        most = max((apart(*numbers) for numbers in found.values()), default=0.0)
        print(f"{name}: {len(found)} numbers differ, by {most:.0e} at most")
    print(f"{same} of {len(names)} documents are the same, byte for byte")
    print("\n".join(wrong) or "no value differs: only intervals, p and what can be detected, by less than 1e-11")
    return bool(wrong)


def allowed(place: str, first: Any, second: Any) -> bool:
    """Whether two numbers may differ: in a page they are those of the documents, rounded."""
    return (place.startswith("#") or not STATISTICS.isdisjoint(place.split("/"))) and apart(first, second) < 1e-11


def apart(first: Any, second: Any) -> float:
    """The relative distance of two numbers; ends of intervals lie near 0, and are seen beside 1e-3."""
    if not (isinstance(first, float) and isinstance(second, float)):
        return math.inf
    return abs(first - second) / max(abs(first), abs(second), 1e-3)


def documents(first: Path, second: Path) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Every place where two documents differ, with both values."""
    one, other = (dict(leaves(json.loads(file.read_text("utf-8")))) for file in (first, second))
    for place in (*one, *(other.keys() - one.keys())):
        if one.get(place) != other.get(place):
            yield place, (one.get(place), other.get(place))


def pages(first: Path, second: Path) -> Iterator[tuple[str, tuple[Any, Any]]]:
    """The same of pages: their numbers in order; what stands between them is one place."""
    texts = [file.read_text("utf-8") for file in (first, second)]
    between = [NUMBER.sub("#", text) for text in texts]
    if between[0] != between[1]:
        yield "#words", (len(between[0]), len(between[1]))
        return
    for at, (one, other) in enumerate(zip(*map(NUMBER.findall, texts), strict=True)):
        if one != other:
            yield f"#{at}", (float(one), float(other))


def leaves(node: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Every value with its place; a metric is called by its name."""
    if isinstance(node, dict):
        for key, value in node.items():
            yield from leaves(value, f"{place}/{key}")
    elif isinstance(node, list):
        for at, value in enumerate(node):
            name = value.get("name", at) if isinstance(value, dict) else at
            yield from leaves(value, f"{place}/{name}")
    else:
        yield place, node
