"""Columns to evidence: the few numbers that decide every metric of a task. No metric and no file is known here."""

from pingce.evidence.compute import ranking_evidence
from pingce.evidence.overlap import comparable_ids, no_item_in_common, refuse_unplaced
from pingce.evidence.policies import Policies
from pingce.evidence.ranking import RankingEvidence
from pingce.evidence.view import RankingView

__all__ = [
    "Policies",
    "RankingEvidence",
    "RankingView",
    "comparable_ids",
    "no_item_in_common",
    "ranking_evidence",
    "refuse_unplaced",
]
