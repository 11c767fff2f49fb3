"""What `pingce trec_eval -Z` prints: each value as its distance from a mean, in standard deviations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, isfinite, log
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.inputs.content import read_bytes
from pingce.metrics.ranking.average_precision import FLOOR

MISSING = -1_000_000.0
"Printed by trec_eval where the file has no mean, and where the deviation is 0 and the value another than the mean."


@dataclass(frozen=True)
class Reference:
    """Means and standard deviations, by topic and measure."""

    moments: dict[tuple[str, str], tuple[float, float]]

    def distances(self, measure: str, topics: Sequence[str], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """How many standard deviations each topic's value lies from its mean."""
        pairs = [self.moments.get((topic, measure), (np.nan, 0.0)) for topic in topics]
        mean, deviation = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
        at_mean = np.where(values == mean, 0.0, MISSING)
        return np.divide(values - mean, deviation, out=at_mean, where=deviation != 0)


@dataclass(frozen=True)
class Topics:
    """The judged topics, and which of them trec_eval computes."""

    names: Sequence[str]
    computed: NDArray[np.bool_]
    complete: bool
    "Whether means are over all of them."

    def total(self, values: NDArray[np.float64]) -> float:
        """The sum over the computed topics, added in their order."""
        return float(np.cumsum(values[self.computed])[-1])

    def mean(self, values: NDArray[np.float64], *, missing: float = 0.0) -> float:
        """The mean, with a value for topics that are not computed but count."""
        computed = int(self.computed.sum())
        count = len(self.names) if self.complete else computed
        return (self.total(values) + (count - computed) * missing) / count


def geometric(reference: Reference, measure: str, topics: Topics, values: NDArray[np.float64]) -> float:
    """The summary of a geometric mean: its logarithms are what trec_eval looks up."""
    logarithms = np.log(np.maximum(values, FLOOR))
    return exp(topics.mean(reference.distances(measure, topics.names, logarithms), missing=log(FLOOR)))


def read_reference(path: str) -> Reference:
    """Read lines of a topic, a measure, its mean and its standard deviation."""
    lines = read_bytes(Path(path)).tobytes().decode("utf-8", "backslashreplace").splitlines()
    moments: dict[tuple[str, str], tuple[float, float]] = {}
    for number, line in enumerate(lines, start=1):
        topic, measure, mean, deviation = _fields(f"{path}:{number}", line)
        if (topic, measure) in moments:
            raise InputError(
                f"{path}:{number}: topic '{topic}' has {measure} twice; keep one of the lines",
                f"{path}:{number}：查询 '{topic}' 的 {measure} 出现两次；请只保留一行",
            )
        moments[topic, measure] = (mean, deviation)
    return Reference(moments)


def _fields(place: str, line: str) -> tuple[str, str, float, float]:
    try:
        topic, measure, *numbers = line.split()
        mean, deviation = map(float, numbers)
        if isfinite(mean) and isfinite(deviation):
            return topic, measure, mean, deviation
    except ValueError:
        pass
    raise InputError(
        f"{place}: '{line.strip()}' is not a topic, a measure, a mean and a standard deviation, as -Z needs",
        f"{place}：'{line.strip()}' 不是 -Z 所需的查询、指标、均值与标准差",
    )
