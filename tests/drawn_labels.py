"""Random labels and scores, every binary metric with every parameter, and a switch for the native core."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from pingce.base.core import native_core
from pingce.evidence.policies import BinaryPolicies
from pingce.inputs.binary import BinaryRows, binary_rows
from pingce.metrics.binary import BinaryMetric, LabelledList
from pingce.metrics.binary.grouped import GroupWeight
from pingce.metrics.declared import registry
from pingce.metrics.parameters import Choice

NUMBERS: dict[str, tuple[Any, ...]] = {
    "at": ("precision>=0.6", "recall>=0.5", "fpr<=0.3"),
    "beta": (0.5, 2),
    "by": (),
    "bins": (1, 4, 40),
    "eps": (1e-3, 1e-9),
    "fn": (20,),
    "fp": (0.5,),
    "max_fpr": (0.35, 1),
    "min_rows": (3,),
    "min_positives": (2,),
}
SHARES = (None, 0.05, 0.5, 1)


def variants(kind: type[BinaryMetric]) -> Iterator[BinaryMetric]:
    """The metric at its defaults, and with each parameter in turn at each of its other values, at several shares."""
    for options in ({}, *_deviations(kind)):
        for k in SHARES if kind.takes else (None,):
            yield kind.make(k=k, **options)


def _deviations(kind: type[BinaryMetric]) -> Iterator[dict[str, Any]]:
    for parameter in kind.parameters():
        check = parameter.metadata["check"]
        words = check.words if isinstance(check, (Choice, GroupWeight)) else None
        values: Sequence[Any] = NUMBERS[parameter.name] if words is None else list(words)
        yield from ({parameter.name: value} for value in values if value != parameter.default)


KINDS: dict[str, type[BinaryMetric]] = registry("binary")
ALL = [metric for kind in KINDS.values() for metric in variants(kind)]


@dataclass(frozen=True)
class Table:
    """Rows, as a person would write them."""

    labels: tuple[int, ...]
    scores: tuple[float, ...]
    weights: tuple[float, ...] | None = None
    groups: tuple[Any, ...] | None = None
    kind: str = "float64"

    def rows(self, **more: Any) -> BinaryRows:
        """As evidence is made from them."""
        return binary_rows(
            np.array(self.labels, np.int8),
            np.array(self.scores, self.kind),
            weight=None if self.weights is None else np.array(self.weights),
            group=None if self.groups is None else list(self.groups),
            positive=1,
            **more,
        )

    def listed(self, policies: BinaryPolicies) -> LabelledList:
        """As definitions read them: the scores as doubles, the threshold in the type of the scores."""
        kind = np.dtype(self.kind)
        return LabelledList(
            self.labels,
            tuple(np.array(self.scores, kind).astype(float).tolist()),
            self.weights,
            self.groups,
            float(kind.type(policies.threshold)),
            policies.compare,
            float(np.finfo(kind).eps),
        )

    def at(self, places: Sequence[int]) -> Table:
        """Some rows, perhaps more than once."""
        columns = (self.labels, self.scores, self.weights, self.groups)
        chosen: list[Any] = [None if column is None else tuple(column[i] for i in places) for column in columns]
        return Table(chosen[0], chosen[1], chosen[2], chosen[3], self.kind)

    def repeated(self) -> Table:
        """Each row as often as its weight says, without weights."""
        weights = self.weights or (1.0,) * len(self.labels)
        places = [i for i, weight in enumerate(weights) for _ in range(int(weight))]
        return replace(self.at(places), weights=None)


TIED = st.sampled_from([0.0, -0.0, 0.1, 0.25, 0.5, 0.5, 0.7, 1.0])
PROBABILITIES = st.one_of(
    TIED, st.floats(0, 1, width=32), st.sampled_from([1e-30, 2.0**-30, 1e-9, 0.3, 1 - 2.0**-20, 1 - 2.0**-40])
)
ANY_SCORES = st.one_of(
    TIED,
    st.floats(-(2.0**100), 2.0**100, width=32),
    st.sampled_from([-1e38, 1e38, 2.0**-140, -(2.0**-140), 1e-45, 3.0, -3.0]),
)
COUNTS = st.sampled_from([0.0, 1.0, 1.0, 2.0, 3.0, 10.0])
EXACT_WEIGHTS = st.sampled_from([0.0, 0.5, 0.125, 1.0, 2.75, 8.0])
FRACTIONS = st.sampled_from([0.0, 0.1, 0.3, 1 / 3, 0.7, 1.0, 2.5, 1e3])
GROUP_IDS = {
    "integers": st.sampled_from([-(2**63), -5, 0, 1, 2, 7, 2**31, 2**53 + 1, 2**63 - 1]),
    "strings": st.sampled_from(["u", "U", "u1", "10", "9", "用户", "é", "a" * 40]),
}


@st.composite
def tables(
    draw: st.DrawFn,
    *,
    scores: st.SearchStrategy[float] = PROBABILITIES,
    weights: st.SearchStrategy[float] | None = None,
    unweighted: bool = True,
    groups: bool = False,
    kinds: Sequence[str] = ("float64", "float32"),
    most: int = 16,
) -> Table:
    """Up to `most` rows: one class or two, ties, weights or none, groups in any order or none."""
    size = draw(st.integers(1, most))

    def column(values: st.SearchStrategy[Any]) -> tuple[Any, ...]:
        return tuple(draw(st.lists(values, min_size=size, max_size=size)))

    labels = column(draw(st.sampled_from([st.integers(0, 1), st.integers(0, 1), st.just(0), st.just(1)])))
    drawn = None
    if weights is not None and not (unweighted and draw(st.booleans())):
        drawn = column(weights)
        drawn = drawn if any(drawn) else (1.0, *drawn[1:])
    ids = column(GROUP_IDS[draw(st.sampled_from(sorted(GROUP_IDS)))]) if groups else None
    if ids is not None and draw(st.booleans()):
        ids = tuple(sorted(ids))
    return Table(labels, column(scores), drawn, ids, draw(st.sampled_from(list(kinds))))


@contextmanager
def without_core() -> Iterator[None]:
    """PINGCE_NATIVE=0 for a while."""
    before = os.environ.get("PINGCE_NATIVE")
    os.environ["PINGCE_NATIVE"] = "0"
    native_core.cache_clear()
    try:
        yield
    finally:
        if before is None:
            del os.environ["PINGCE_NATIVE"]
        else:
            os.environ["PINGCE_NATIVE"] = before
        native_core.cache_clear()
