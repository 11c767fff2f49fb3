"""Labels and scores: pairs, thresholds, cells, groups and contributions, down to the value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pingce.base.text import Text
from pingce.evaluate.binary import score_binary
from pingce.explanations.binary.areas import ordered_pairs, partial, precision_recall
from pingce.explanations.binary.cuts import best_f, break_even, distance, share
from pingce.explanations.binary.decisions import decision
from pingce.explanations.binary.grouped import grouped
from pingce.explanations.binary.probabilities import brier, calibration, entropy, log_loss, predicted_over_observed
from pingce.explanations.derivation import Explanation
from pingce.explanations.parts import Worked, explained, silently, weight_note, worked_kind
from pingce.metrics.binary import BinaryMetric, areas, cuts, probabilities
from pingce.metrics.binary.decisions import Decision
from pingce.metrics.binary.grouped import Gauc

if TYPE_CHECKING:
    from pingce.evidence.binary.evidence import BinaryView
    from pingce.evidence.policies import BinaryPolicies
    from pingce.inputs.binary import BinaryRows
    from pingce.metrics.grammar import MetricRequest

_WORKED: dict[type[BinaryMetric], Callable[[Any, BinaryView], Worked]] = {
    Decision: decision,
    areas.Auc: ordered_pairs,
    areas.RankLoss: ordered_pairs,
    areas.PartialAuc: partial,
    areas.PrAuc: precision_recall,
    cuts.BreakEvenPoint: break_even,
    cuts.KolmogorovSmirnov: distance,
    cuts.KsThreshold: distance,
    cuts.BestF: best_f,
    cuts.Share: share,
    Gauc: grouped,
    probabilities.LogLoss: log_loss,
    probabilities.NormalizedEntropy: entropy,
    probabilities.Brier: brier,
    probabilities.Calibration: calibration,
    probabilities.PredictedOverObserved: predicted_over_observed,
}
"How each kind of metric is worked out, and all kinds made from it."


def explain_binary(rows: BinaryRows, asked: MetricRequest, policies: BinaryPolicies) -> Explanation:
    """The worked calculation of one metric of labels and scores."""
    with silently():
        scores = score_binary(rows, [asked], policies)
    seen = scores.evidence.seen(asked.under(policies))
    kind = worked_kind(asked, _WORKED)
    worked = replace(_WORKED[kind](asked.metric, seen), notes=weight_note(rows.weight is not None))
    return explained(asked, scores, _subject(rows), worked)


def _subject(rows: BinaryRows) -> Text:
    size, positives = len(rows), rows.labels.count
    weighted = Text(", weighted", "，已加权") if rows.weight is not None else Text("", "")
    return Text(
        f"{size} rows: {positives} positive, {size - positives} negative{weighted.en}",
        f"{size} 行：正例 {positives}，负例 {size - positives}{weighted.zh}",
    )
