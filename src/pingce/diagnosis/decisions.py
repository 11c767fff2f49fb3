"""Scores, thresholds, bins and groups that make numbers say nothing about the model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pingce.base.errors import did_you_mean
from pingce.base.text import Text, counted, listed
from pingce.evidence.policies import BinaryPolicies

if TYPE_CHECKING:
    from pingce.scores.binary import BinaryScores

_ROUNDING = 0.01
"Scores that are less far below 0 are probabilities gone astray, not logits."
_CROWDED = 0.8
"The share of rows in one bin from which on bins of equal width say little."


def improbable(scores: BinaryScores) -> Iterator[Text]:
    """Cautions where scores lie outside [0, 1]: a threshold of 0.5 that nobody chose, and usual metrics left out."""
    if scores.evidence.rows.are_probabilities:
        return
    about = _range(scores)
    deciding = [value for value in scores.values_by_name.values() if value.metric.needs == "cells"]
    values = [value for value in deciding if "threshold" not in value.policies.explicit]
    if values:
        cells = scores.evidence.view(values[0].policies).cells
        total, count = _number(cells.total), _number(cells.tp + cells.fp)
        unit = Text("rows", "行") if scores.evidence.rows.weight is None else Text("of the weight", "总权重")
        sign = "≥" if values[0].policies.compare == "ge" else ">"
        names, remedy = listed(value.name for value in values), _remedy(scores)
        yield Text(
            f"{about.en}, and {names.en} took the usual threshold: score {sign} 0.5 calls {count} of {total} {unit.en} "
            f"positive; {remedy.en}",
            f"{about.zh}，而 {names.zh} 用了通常的阈值：按分数 {sign} 0.5，{total} {unit.zh}中有 {count} 判为正；{remedy.zh}",
        )
    if scores.left_out:
        names = listed(scores.left_out)
        yield Text(
            f"left out of the usual metrics, since probabilities are needed: {names.en}; {about.en}: give probabilities (of "
            "logits, the sigmoid), or name the metrics",
            f"通常的指标中略去了 {names.zh}，因为需要概率；{about.zh}：请给出概率（若为 logit，取 sigmoid），或指明指标",
        )


def _range(scores: BinaryScores) -> Text:
    low, high = map(_score, scores.evidence.rows.score_range)
    kind = Text("no probabilities", "不是概率")
    if _look_like_logits(scores):
        kind = Text("no probabilities: they look like logits", "不是概率，像是 logit")
    return Text(f"the scores go from {low} to {high} ({kind.en})", f"分数从 {low} 到 {high}（{kind.zh}）")


def _look_like_logits(scores: BinaryScores) -> bool:
    return scores.evidence.rows.score_range[0] < -_ROUNDING


def _score(value: float) -> str:
    """Few digits; all of them where few would say a probability of what is none."""
    value += 0.0  # 0 has no sign here
    short = f"{value:g}"
    return repr(value) if 0 <= float(short) <= 1 and not 0 <= value <= 1 else short


def _remedy(scores: BinaryScores) -> Text:
    """Ways out: of logits the threshold that stands for one half is known."""
    if _look_like_logits(scores):
        return Text(
            "for logits say threshold=0 (--threshold 0), or give probabilities (their sigmoid)",
            "若为 logit，请用 threshold=0（--threshold 0），或给出概率（取 sigmoid）",
        )
    return Text(
        "say which threshold is meant with threshold= (--threshold), or give probabilities",
        "请用 threshold=（--threshold）指明阈值，或给出概率",
    )


def _number(count: Any) -> str:
    return f"{int(count)}" if int(count) == count else f"{float(count):g}"


def unreached_thresholds(scores: BinaryScores) -> Iterator[Text]:
    """A caution for each threshold that no score reaches; scores that are no probabilities have their own sentence."""
    names: dict[BinaryPolicies, list[str]] = {}
    for value in scores.values_by_name.values():
        explicit = "threshold" in value.policies.explicit
        if value.metric.needs == "cells" and (explicit or scores.evidence.rows.are_probabilities):
            names.setdefault(value.policies, []).append(value.name)
    for policies, metrics in names.items():
        cells, highest = scores.evidence.view(policies).cells, scores.evidence.rows.score_range[1]
        (en, zh), threshold = listed(metrics), policies.threshold
        if cells.tp + cells.fp == 0:
            yield Text(
                f"no row reaches the threshold {threshold:g} (the highest score is {highest:g}): every row is called negative, and "
                f"nothing of the model is left in {en}; choose threshold= (--threshold), or look at auc, pr_auc, best_f",
                f"没有一行达到阈值 {threshold:g}（最高分为 {highest:g}）：所有行都判为负，{zh} 说明不了模型；"
                "请用 threshold=（--threshold）选择阈值，或看 auc、pr_auc、best_f",
            )


def single_class_groups(scores: BinaryScores) -> Iterator[Text]:
    """That every group has one class only, where GAUC was to be computed."""
    values = scores.values_by_name.items()
    names = listed(name for name, value in values if value.unit == "groups" and not value.count)
    groups = scores.counts.get("groups")
    if names.en and groups and not groups["scored"]:
        count = groups["all"]
        yield Text(
            f"none of the {counted(count, 'group')} has both classes: {names.en} undefined; group= (--group) should be the user or the request, "
            "not the row",
            f"{count} 组中没有一组同时有两个类别：{names.zh} 没有定义；group=（--group）应为用户或请求，而不是行号",
        )


def unread_weights(scores: BinaryScores) -> Iterator[Text]:
    """A caution for each column of group_weight= that no metric names."""
    named = {name for value in scores.values_by_name.values() for name in value.metric.needed_columns()}
    for name in scores.weight_columns:
        if name not in named:
            hint = did_you_mean(name, sorted(named))
            yield Text(
                f"group_weight has a column '{name}' that no metric reads; write gauc(by={name}), or leave it out{hint.en}",
                f"group_weight 中的列 '{name}' 没有指标读取；请写 gauc(by={name})，或不给出该列{hint.zh}",
            )


def crowded_bins(scores: BinaryScores) -> Iterator[Text]:
    """A caution for each number of bins of which one holds nearly all rows: its share, its range, the other way to cut.

    ECE is then little more than the error of the total.
    """
    metrics: dict[int, list[str]] = {}
    for name, value in scores.values_by_name.items():
        cut = getattr(value.metric, "binning", None) == "width" and value.metric.bins > 1
        if cut and scores.evidence.few_scores is None:
            metrics.setdefault(int(value.metric.bins), []).append(name)
    for count, names in metrics.items():
        sums = scores.evidence.probability(None, count, loss=False)
        place, rows = max(enumerate(bin.rows for bin in sums.bins), key=lambda pair: pair[1])
        share, (en, zh) = float(rows / sums.rows), listed(names)
        low, high = f"{place / count:.3g}", f"{(place + 1) / count:.3g}"
        if share >= _CROWDED:
            yield Text(
                f"{en}: {100 * share:.1f} % of the rows lie in one of {count} bins of equal width ({low} to {high}), where errors "
                "cancel out unseen; binning=quantile cuts rows evenly, e.g. ece(binning=quantile)",
                f"{zh}：{100 * share:.1f} % 的行落在 {count} 个等宽箱中的一个（{low} 至 {high}），箱内的误差会相互抵消；"
                "用 binning=quantile 可均匀分箱，例如 ece(binning=quantile)",
            )
