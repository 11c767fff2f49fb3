"""Columns to evidence: the few numbers that decide every metric of a task. No metric and no file is known here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pingce.base.lazy import importer
from pingce.evidence.policies import Policies

_MODULE_OF = {
    "Policies": "policies",
    "RankingEvidence": "ranking.evidence",
    "RankingView": "ranking.view",
    "comparable_ids": "ranking.overlap",
    "no_item_in_common": "ranking.overlap",
    "ranking_evidence": "ranking.compute",
    "refuse_unplaced": "ranking.overlap",
}
__all__ = [
    "Policies",
    "RankingEvidence",
    "RankingView",
    "comparable_ids",
    "no_item_in_common",
    "ranking_evidence",
    "refuse_unplaced",
]

if TYPE_CHECKING:
    from pingce.evidence.ranking.compute import ranking_evidence
    from pingce.evidence.ranking.evidence import RankingEvidence
    from pingce.evidence.ranking.overlap import comparable_ids, no_item_in_common, refuse_unplaced
    from pingce.evidence.ranking.view import RankingView

# The command line knows the policies before NumPy is there.
__getattr__ = importer(__name__, _MODULE_OF)
