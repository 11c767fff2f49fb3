"""The lines that `pingce trec_eval` prints: a measure, a topic, a value."""

from __future__ import annotations

from dataclasses import replace
from math import isnan
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pingce.cli.trec_zscores import Reference, Topics
    from pingce.conventions.trec_measures import Line
    from pingce.scores.ranking import RankingScores

EVERY_RELEVANT = "num_rel(relevant=1)"
"With -c the number of relevant documents of all topics is counted from grade 1 on, whatever -l says."


def relevant_level(options: dict[str, Any]) -> int | str:
    """The grade from which a document is relevant; at level 0 every judged one is."""
    return options["level"] or "any"


def metrics_of(line: Line) -> tuple[str, ...]:
    """The metrics that a line is, or is the mean of; none for the run's tag."""
    return line.points or ((line.means,) if line.means else ())


class _Column(NamedTuple):
    """The values of one line."""

    line: Line
    topics: list[float]
    summary: float | str


def printed_lines(scores: RankingScores, lines: tuple[Line, ...], tag: str, options: dict[str, Any]) -> list[str]:
    """Topic by topic, then the summary."""
    evidence = scores.evidence
    computed = evidence.answered if options["version"] == "9" else evidence.returned >= 0
    columns = [
        _column(scores, line, computed, options) if metrics_of(line) else _Column(line, [], tag) for line in lines
    ]
    out: list[str] = []
    topics = evidence.queries.to_list()
    if options["zscores"]:
        from pingce.cli.trec_zscores import Topics

        judged = Topics([str(topic) for topic in topics], computed, options["complete"])
        columns = [_standardized(column, options["zscores"], judged) for column in columns]
    if options["topics"]:
        kept = [column for column in columns if column.line.of_topics]
        for place in computed.nonzero()[0].tolist():
            out += [_text(column.line, topics[place], column.topics[place]) for column in kept]
    if not options["no_summary"]:
        out += [_text(column.line, "all", column.summary) for column in columns]
    return out


def _standardized(column: _Column, reference: Reference, topics: Topics) -> _Column:
    """The column as -Z prints it; the run's tag and the number of topics have no mean."""
    import numpy as np

    from pingce.cli.trec_zscores import geometric

    name = column.line.name
    line = replace(column.line, name=f"Z{name:<22}", whole=False)
    if isinstance(column.summary, str):
        return column
    values = np.array(column.topics)
    if line.means == "gm_ap":
        return _Column(line, [], geometric(reference, name, topics, values))
    distances = reference.distances(name, topics.names, values)
    summary = topics.total(distances) if column.line.whole else topics.mean(distances)
    keeps = line.means == "num_q" or (line.means == "num_rel" and topics.complete)
    return _Column(line, distances.tolist(), column.summary if keeps else summary)


def _column(scores: RankingScores, line: Line, computed: NDArray[np.bool_], options: dict[str, Any]) -> _Column:
    import numpy as np

    pairs = [_values(scores, metric, computed, options) for metric in metrics_of(line)]
    topics: NDArray[np.float64] = np.add.reduce([values for values, _ in pairs]) / len(pairs)
    summary = sum(value for _, value in pairs) / len(pairs)
    if line.means == "num_rel" and options["complete"]:
        summary = scores[EVERY_RELEVANT]
    if line.unanswered and options["version"] == "10" and options["complete"] and _keeps_unjudged(options):
        missing = ~scores.evidence.answered
        topics = topics + missing * line.unanswered
        summary += float(missing.sum()) * line.unanswered / len(missing)
    return _Column(line, topics.tolist(), summary)


def _values(
    scores: RankingScores, metric: str, computed: NDArray[np.bool_], options: dict[str, Any]
) -> tuple[NDArray[np.float64], float]:
    """The value of each topic, and that of all."""
    value = scores.values_by_name[metric]
    if _keeps_unjudged(options):
        return value.per_query, float(value.value)
    from pingce.conventions.trec_quirks import empty_divisions

    view = scores.evidence.view(relevant=relevant_level(options))
    broken = empty_divisions(value.metric, view, computed)
    if not broken:
        return value.per_query, float(value.value)
    topics = value.per_query.copy()
    topics[broken] = float("nan")
    return topics, float("nan")


def _keeps_unjudged(options: dict[str, Any]) -> bool:
    """Whether an unjudged document stays in its list, as does the one that version 10 puts in for an unanswered topic."""
    return not options["judged_only"] and options["depth"] != 0


def _text(line: Line, topic: str | int, value: float | str) -> str:
    if isinstance(value, str):
        number = value
    elif line.whole:
        number = str(int(value))
    else:
        number = "  -nan" if isnan(value) else f"{value:6.4f}"
    return f"{line.name:<22}\t{topic}\t{number}\n"
