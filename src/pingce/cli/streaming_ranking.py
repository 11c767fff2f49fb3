"""`pingce eval QRELS RUN…` of rankings that are larger than memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pingce.cli.jobs import Job
from pingce.cli.progress import doing
from pingce.engines.opened import open_ranking
from pingce.inputs.titles import short_names

if TYPE_CHECKING:
    from pingce.evaluate.definitions import Definitions
    from pingce.evidence import Policies
    from pingce.metrics.grammar import MetricRequest
    from pingce.scores.ranking import RankingScores


def streamed_job(
    files: Sequence[str],
    options: Mapping[str, Any],
    define: Definitions[Policies],
    asked: list[MetricRequest],
    *,
    reading: Mapping[str, Any],
    sliced: Mapping[str, Any],
) -> Job | None:
    """The runs as streams; None where everything fits into memory, or is of a kind that is read at once."""
    qrels, *runs = files
    opened = open_ranking(
        qrels,
        runs,
        memory=options.get("memory"),
        reading=reading,
        **{name: options[name] or None for name in ("exclude", "query_weight")},
    )
    if opened is None:
        return None
    notes = [opened.reason]

    def score_of(run: str) -> Any:
        def score(asked: list[MetricRequest], policies: Policies) -> RankingScores:
            return opened.scores(
                run, asked, policies, tmpdir=options.get("tmpdir"), doing=doing, say=notes.append, **sliced
            )

        return score

    models = {name: score_of(run) for name, run in zip(short_names(runs), runs, strict=True)}
    return Job(define, asked, models, notes=notes)
