"""Columns to evidence: the few numbers that decide every metric of a task. No metric and no file is known here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pingce.lazily import importer

_MODULE_OF = {
    "Policies": "policies",
    "RankingEvidence": "ranking",
    "RankingView": "view",
    "comparable_ids": "overlap",
    "no_item_in_common": "overlap",
    "ranking_evidence": "compute",
    "refuse_unplaced": "overlap",
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
    from pingce.evidence.compute import ranking_evidence
    from pingce.evidence.overlap import comparable_ids, no_item_in_common, refuse_unplaced
    from pingce.evidence.policies import Policies
    from pingce.evidence.ranking import RankingEvidence
    from pingce.evidence.view import RankingView

# The command line knows the policies before NumPy is there.
__getattr__ = importer(__name__, _MODULE_OF)
