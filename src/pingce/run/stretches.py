"""Values of many queries, some queries after others: what metrics share of them is small, and is in the cache still."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from pingce.base.exact import Floats
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.evidence import HIT_COLUMNS, QUERY_COLUMNS, RankingEvidence
from pingce.metrics.ranking import RankingMetric

Entry: TypeAlias = tuple[RankingMetric, Policies]
"A metric, and the policies that it sees lists under."

_SIZE = 1 << 17
"Hits and judgements of queries that are looked at together."


def values_by_stretch(evidence: RankingEvidence, entries: Sequence[Entry]) -> dict[Entry, Floats]:
    """The values of all metrics; none where each of them had better look at all queries: few, or known with their items."""
    stretches = stretches_of(evidence, _SIZE)
    if len(stretches) < 2 or evidence.heads is not None:
        return {}
    columns = {entry: np.empty(len(evidence)) for entry in entries}
    for stretch in stretches:
        part = evidence_within(evidence, stretch)
        views = {key: part.view(ties=key[0], relevant=key[1]) for key in {(p.ties, p.relevant) for _, p in entries}}
        for (metric, policies), column in columns.items():
            column[stretch] = metric.values(views[policies.ties, policies.relevant])
    return columns


def stretches_of(evidence: RankingEvidence, size: int) -> list[slice]:
    """Queries that stand together, of about so many hits and judgements each."""
    ends = evidence.hit_begin + evidence.judged_begin
    borders = np.searchsorted(ends, np.arange(size, int(ends[-1]), size)).tolist()
    return [slice(*pair) for pair in pairwise(sorted({0, *borders, len(evidence)}))]


def evidence_within(evidence: RankingEvidence, queries: slice) -> RankingEvidence:
    """The evidence of queries that stand together, as it lies in memory."""
    begins = slice(queries.start, queries.stop + 1)
    hit_begin, judged_begin = evidence.hit_begin[begins], evidence.judged_begin[begins]
    hits, judged = (slice(int(begin[0]), int(begin[-1])) for begin in (hit_begin, judged_begin))
    return replace(
        evidence,
        queries=evidence.queries.within(queries),
        hit_begin=hit_begin - hit_begin[0],
        judged_begin=judged_begin - judged_begin[0],
        judged=evidence.judged[judged],
        intents=None if evidence.intents is None else evidence.intents.within(hits, judged),
        weights=None if evidence.weights is None else evidence.weights.select(hits, judged),
        heads=None if evidence.heads is None else evidence.heads.select(np.arange(queries.start, queries.stop)),
        **{name: getattr(evidence, name)[queries] for name in QUERY_COLUMNS},
        **{name: getattr(evidence, name)[hits] for name in HIT_COLUMNS},
    )
