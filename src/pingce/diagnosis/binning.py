"""Bins of equal width of which one holds nearly all rows: then ECE is little more than the error of the total."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pingce.base.text import Text

if TYPE_CHECKING:
    from pingce.scores.binary import BinaryScores

CROWDED = 0.8
"The share of rows in one bin from which on bins of equal width say little."


def crowded_bins(scores: BinaryScores) -> tuple[Text, ...]:
    """A caution for each number of bins: the share of the fullest, its range, and the other way to cut."""
    metrics: dict[int, list[str]] = {}
    for name, value in scores.values_by_name.items():
        if getattr(value.metric, "binning", None) == "width" and scores.evidence.few_scores is None:
            metrics.setdefault(int(value.metric.bins), []).append(name)
    cautions = (_caution(scores.evidence, bins, names) for bins, names in metrics.items() if bins > 1)
    return tuple(text for text in cautions if text is not None)


def _caution(evidence: Any, count: int, names: list[str]) -> Text | None:
    sums = evidence.probability(None, count)
    place = max(range(count), key=lambda at: sums.bins[at].rows)
    share = float(sums.bins[place].rows / sums.rows)
    if share < CROWDED:
        return None
    ends = f"{place / count:.3g}", f"{(place + 1) / count:.3g}"
    which = Text(f"one of {count} bins of equal width", f"{count} 个等宽箱中的一个")
    return Text(
        f"{', '.join(names)}: {100 * share:.1f} % of the rows lie in {which.en} ({ends[0]} to {ends[1]}), where errors "
        "cancel out unseen; binning=quantile cuts rows evenly, e.g. ece(binning=quantile)",
        f"{'、'.join(names)}：{100 * share:.1f} % 的行落在 {which.zh}（{ends[0]} 至 {ends[1]}），箱内的误差会相互抵消；"
        "用 binning=quantile 可均匀分箱，例如 ece(binning=quantile)",
    )
