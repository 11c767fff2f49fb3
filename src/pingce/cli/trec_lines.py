"""The lines that `pingce trec_eval` prints: a measure, a topic, a value; with -Z its distance from a mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import exp, isfinite, isnan, log
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.conventions.trec_measures import Line
from pingce.conventions.trec_quirks import empty_divisions
from pingce.evidence.ranking.evidence import RankingEvidence
from pingce.inputs.content import read_bytes
from pingce.metrics.ranking.average_precision import FLOOR
from pingce.scores.ranking import RankingScores

EVERY_RELEVANT = "num_rel(relevant=1)"
"With -c the number of relevant documents of all topics is counted from grade 1 on, whatever -l says."
MISSING = -1_000_000.0
"Printed by trec_eval where -Z has no mean, and where the deviation is 0 and the value another than the mean."


def metrics_of(line: Line) -> tuple[str, ...]:
    """The metrics that a line is, or is the mean of; none for the run's tag and for strings of grades."""
    return line.points or ((line.means,) if line.means else ())


class _Column(NamedTuple):
    """The values of one line."""

    line: Line
    topics: Sequence[float | str]
    summary: float | str


def printed_lines(scores: RankingScores, lines: tuple[Line, ...], tag: str, options: dict[str, Any]) -> list[str]:
    """Topic by topic, then the summary."""
    evidence = scores.evidence
    computed = evidence.answered if options["version"] == "9" else evidence.returned >= 0
    columns = [
        _column(scores, line, computed, options)
        if metrics_of(line)
        else _Column(line, grade_strings(evidence, line.length), tag)
        for line in lines
    ]
    out: list[str] = []
    topics = evidence.queries.to_list()
    if options["zscores"] is not None:
        judged = Topics([str(topic) for topic in topics], computed, options["complete"])
        columns = [_standardized(column, options["zscores"], judged) for column in columns]
    if options["topics"]:
        kept = [column for column in columns if column.line.of_topics]
        for place in computed.nonzero()[0].tolist():
            out += [_text(column.line, topics[place], column.topics[place]) for column in kept]
    if not options["no_summary"]:
        out += [_text(column.line, "all", column.summary) for column in columns if column.line.of_all]
    return out


def grade_strings(evidence: RankingEvidence, length: int) -> list[str]:
    """The grades of the first items of each list, a character each: - outside the pool, . not judged, > above 9."""
    view, length = evidence.view(), min(length, int(evidence.returned.max(initial=0)))
    letters = np.full((len(evidence), length), "-")
    near = view.rank <= length
    whole = np.clip(view.grade[near], -1, 10).astype(np.int64)
    letters[view.query[near], view.rank[near] - 1] = np.array([*"0123456789", ">", "."])[whole]
    sizes = np.minimum(evidence.returned, length).tolist()
    return ["'" + "".join(row[:size]) + "'" for row, size in zip(letters.tolist(), sizes, strict=True)]


def _column(scores: RankingScores, line: Line, computed: NDArray[np.bool_], options: dict[str, Any]) -> _Column:
    # An unjudged document stays in its list, as does the one that version 10 puts in for an unanswered topic.
    keeps_unjudged = not options["judged_only"] and options["depth"] != 0
    values, totals = [], []
    for metric in metrics_of(line):
        value = scores.values_by_name[metric]
        topics, total = value.per_query, float(value.value)
        view = scores.evidence.view(relevant=scores.policies.relevant)
        broken = empty_divisions(value.metric, view, computed, lists=not keeps_unjudged)
        if broken:
            topics, total = topics.copy(), float("nan")
            topics[broken] = float("nan")
        values.append(topics)
        totals.append(total)
    means: Floats = np.add.reduce(values) / len(values)
    summary = sum(totals) / len(totals)
    if line.means == "num_rel" and options["complete"]:
        summary = scores[EVERY_RELEVANT]
    if line.unanswered and options["version"] == "10" and options["complete"] and keeps_unjudged:
        missing = ~scores.evidence.answered
        means = means + missing * line.unanswered
        summary += float(missing.sum()) * line.unanswered / len(missing)
    return _Column(line, means.tolist(), summary)


def _text(line: Line, topic: str | int, value: float | str) -> str:
    if not isinstance(value, str):
        value = str(int(value)) if line.whole else "  -nan" if isnan(value) else f"{value:6.4f}"
    return f"{line.name:<22}\t{topic}\t{value}\n"


@dataclass(frozen=True)
class Topics:
    """The judged topics, and which of them trec_eval computes."""

    names: Sequence[str]
    computed: NDArray[np.bool_]
    complete: bool
    "Whether means are over all of them."

    def total(self, values: Floats) -> float:
        """The sum over the computed topics, added in their order."""
        return float(np.cumsum(values[self.computed])[-1])

    def mean(self, values: Floats, *, missing: float = 0.0) -> float:
        """The mean, with a value for topics that are not computed but count."""
        computed = int(self.computed.sum())
        count = len(self.names) if self.complete else computed
        return (self.total(values) + (count - computed) * missing) / count


Moments = dict[tuple[str, str], tuple[float, float]]
"Means and standard deviations, by topic and measure."


def _standardized(column: _Column, moments: Moments, topics: Topics) -> _Column:
    """The column as -Z prints it; the run's tag and the number of topics have no mean."""

    def distances(of: Floats) -> Floats:
        """How many standard deviations each topic's value lies from its mean."""
        pairs = [moments.get((topic, name), (np.nan, 0.0)) for topic in topics.names]
        mean, deviation = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
        at_mean = np.where(of == mean, 0.0, MISSING)
        return np.divide(of - mean, deviation, out=at_mean, where=deviation != 0)

    if not metrics_of(column.line):
        return column
    name, whole, values = column.line.name, column.line.whole, np.array(column.topics, dtype=np.float64)
    line = replace(column.line, name=f"Z{name:<22}", whole=False)
    if not line.of_topics and not whole:  # a geometric mean: its logarithms are what trec_eval looks up
        return _Column(line, [], exp(topics.mean(distances(np.log(np.maximum(values, FLOOR))), missing=log(FLOOR))))
    of_topics = distances(values)
    summary = topics.total(of_topics) if whole else topics.mean(of_topics)
    keeps = line.means == "num_q" or (line.means == "num_rel" and topics.complete)
    return _Column(line, of_topics.tolist(), column.summary if keeps else summary)


def read_moments(path: str) -> Moments:
    """Read lines of a topic, a measure, its mean and its standard deviation."""
    moments: Moments = {}
    lines = read_bytes(Path(path)).tobytes().decode("utf-8", "backslashreplace").splitlines()
    for number, line in enumerate(lines, start=1):
        topic, measure, mean, deviation = _fields(f"{path}:{number}", line)
        if (topic, measure) in moments:
            raise InputError(
                f"{path}:{number}: topic '{topic}' has {measure} twice; keep one of the lines",
                f"{path}:{number}：查询 '{topic}' 的 {measure} 出现两次；请只保留一行",
            )
        moments[topic, measure] = (mean, deviation)
    return moments


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
