"""Reading AUC and log loss together: is the order right, are the probabilities, and does the data mislead?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pingce.diagnosis.logits import improbable
from pingce.diagnosis.slope import calibration_slope
from pingce.evidence.pooling import pooled_loss
from pingce.language import Text
from pingce.metrics.binary.areas import PrAuc, area
from pingce.metrics.binary.decisions import Accuracy
from pingce.metrics.binary.probabilities import base_loss
from pingce.stats.intervals import NONE, delong

if TYPE_CHECKING:
    from pingce.scores.binary import BinaryScores

CONFIDENCE = 0.95
GOOD_ORDER = 0.7
"From here on an AUC is called good."
OFF = 0.05
"The share of the log loss that recalibration could remove before probabilities are called off."
_TOTAL = (0.95, 1.05)
_SLOPE = (0.9, 1.1)
"Between these, pcoc and the calibration slope are called right."
_UNEVEN = 0.6
"From this share of the larger class on, classes are called imbalanced."
_FEW = 10
"Rows of a class below which an interval is not to be trusted."
_RARE = 0.2
_APART = 0.05
"From this difference on, AUC is well above GAUC."
_FEW_LABELS = 2


def read(scores: BinaryScores) -> dict[str, Any]:
    """Figures and words: order, loss, balance, and what may mislead."""
    if (why := scores.evidence.undiagnosed) is not None:
        return {"order": None, "loss": None, "balance": None, "text": {"en": why.en, "zh": why.zh}}
    order, loss, balance = _order(scores), _loss(scores), _balance(scores)
    said = [_order_words(order)]
    if loss is not None:
        said += [_loss_words(loss), _case(order, loss, balance)]
    said += [*_balance_words(order, balance), *_hard_labels(scores), *map(_sentence, improbable(scores))]
    said += _group_words(scores)
    text = Text(" ".join(one.en for one in said), "".join(one.zh for one in said))
    return {"order": order, "loss": loss, "balance": balance, "text": {"en": text.en, "zh": text.zh}}


def _sentence(caution: Text) -> Text:
    return Text(f"{caution.en[:1].upper()}{caution.en[1:]}.", f"{caution.zh}。")


def _order(scores: BinaryScores) -> dict[str, Any]:
    evidence = scores.evidence
    auc = area(evidence.pairs)
    low, high = delong(evidence.thresholds, CONFIDENCE) if evidence.rows.weight is None else NONE
    if math.isnan(auc):
        verdict = "undefined"
    elif high < 0.5 or (math.isnan(high) and auc < 0.5):
        verdict = "inverted"
    elif low <= 0.5 <= high or (math.isnan(low) and auc <= 0.5):
        verdict = "none"
    else:
        verdict = "good" if auc >= GOOD_ORDER else "weak"
    pairs = evidence.pairs
    few = not math.isnan(low) and min(pairs.positives, pairs.negatives) < _FEW
    return {"auc": auc, "low": low, "high": high, "few": few, "verdict": verdict}


def _order_words(order: Mapping[str, Any]) -> Text:
    if order["verdict"] == "undefined":
        return Text("Only one class occurs: AUC is undefined.", "只有一个类别：AUC 没有定义。")
    between = Text("", "")
    if not math.isnan(order["low"]):
        between = Text(
            f" (95 % interval {order['low']:.4f} to {order['high']:.4f})",
            f"（95 % 区间 {order['low']:.4f} 至 {order['high']:.4f}）",
        )
    verdict = {
        "none": Text(
            "the interval holds 0.5, so the scores show no order",
            "区间包含 0.5，看不出排序能力",
        ),
        "inverted": Text(
            "below 0.5, so the scores are probably inverted (is a low score the positive side?)",
            "低于 0.5，分数很可能反了（是否分数越低越偏正类？）",
        ),
        "weak": Text("there is an order, but a weak one", "有排序能力，但较弱"),
        "good": Text("the order is good", "排序能力好"),
    }[order["verdict"]]
    if order["verdict"] == "none" and math.isnan(order["low"]):
        verdict = Text("the scores show no order", "看不出排序能力")
    if order["few"]:
        few = Text("; with so few rows of a class do not trust the interval", "；某一类的样本太少，区间不可信")
        verdict = Text(verdict.en + few.en, verdict.zh + few.zh)
    return Text(
        f"AUC {order['auc']:.4f}{between.en}: {verdict.en}.", f"AUC {order['auc']:.4f}{between.zh}：{verdict.zh}。"
    )


def _loss(scores: BinaryScores) -> dict[str, Any] | None:
    """L0 of the base rate, L itself, L* after the best monotone recalibration; None for other than probabilities."""
    evidence = scores.evidence
    if not evidence.rows.are_probabilities:
        return None
    sums = evidence.probability(None)
    if not 0 < sums.positives < sums.rows:
        return None
    loss, constant = float(sums.loss / sums.rows), base_loss(sums.positives, sums.rows)
    best = pooled_loss(evidence.thresholds)
    off = (loss - best) / loss if loss else 0.0
    verdict = "worse_than_constant" if loss >= constant else "off" if off > OFF else "good"
    return {
        "base": constant,
        "loss": loss,
        "recalibrated": best,
        "removable": off,
        "ne": loss / constant,
        "pcoc": float(sums.predicted / sums.positives),
        "slope": calibration_slope(evidence.thresholds, sums.epsilon),
        "verdict": verdict,
    }


def _loss_words(loss: Mapping[str, Any]) -> Text:
    return Text(
        f"Log loss {loss['loss']:.4f}; always predicting the base rate gives {loss['base']:.4f}; after the best monotone "
        f"recalibration {loss['recalibrated']:.4f} (a lower bound: it is fitted on this very data).",
        f"对数损失 {loss['loss']:.4f}；若一律预估为正例占比，损失为 {loss['base']:.4f}；经最优单调校准后，损失为 "
        f"{loss['recalibrated']:.4f}（这是下界：就在本数据上拟合）。",
    )


def _direction(loss: Mapping[str, Any]) -> Text:
    pcoc, slope = loss["pcoc"], loss["slope"]
    total = (
        Text(f"it over-estimates (pcoc {pcoc:.3f})", f"整体高估（pcoc {pcoc:.3f}）")
        if pcoc > _TOTAL[1]
        else Text(f"it under-estimates (pcoc {pcoc:.3f})", f"整体低估（pcoc {pcoc:.3f}）")
        if pcoc < _TOTAL[0]
        else Text(f"the total is right (pcoc {pcoc:.3f})", f"总量大致正确（pcoc {pcoc:.3f}）")
    )
    if slope is None or slope <= 0:
        return total
    shape = (
        Text(f"probabilities are too extreme (slope {slope:.2f})", f"概率过于极端（斜率 {slope:.2f}）")
        if slope < _SLOPE[0]
        else Text(f"probabilities are too timid (slope {slope:.2f})", f"概率过于保守（斜率 {slope:.2f}）")
        if slope > _SLOPE[1]
        else Text(f"slope {slope:.2f}", f"斜率 {slope:.2f}")
    )
    return Text(f"{total.en}, {shape.en}", f"{total.zh}，{shape.zh}")


def _case(order: Mapping[str, Any], loss: Mapping[str, Any], balance: Mapping[str, Any]) -> Text:
    """The four cases of order and loss."""
    ordered, direction = order["verdict"] == "good", _direction(loss)
    worse = loss["verdict"] == "worse_than_constant"
    off = f"{100 * loss['removable']:.1f} %"
    if loss["verdict"] == "good":
        if ordered and not _TOTAL[0] <= loss["pcoc"] <= _TOTAL[1]:
            return Text(
                f"The order is good, and recalibration could remove only {off} of the loss; yet {direction.en}: where the "
                "numbers themselves are used, e.g. for bids, recalibrate.",
                f"排序是好的，校准也只能去掉 {off} 的损失；但{direction.zh}：若直接使用概率（如出价），仍应校准。",
            )
        if ordered:
            return Text(f"Order and probabilities are both good: {direction.en}.", f"排序与概率都好：{direction.zh}。")
        if balance["base_rate"] >= _RARE:
            return Text(
                f"The probabilities fit, but the order is not good: {direction.en}; work on features, data and labels.",
                f"概率与实际相符，但排序不好：{direction.zh}；请改进特征、数据与标签。",
            )
        return Text(
            f"The loss looks low, but the order is not good: with a base rate of {balance['base_rate']:.4f} a low loss is "
            f"easy to get; look at ne, which is {loss['ne']:.4f}.",
            f"损失看似不大，但排序不好：正例占比只有 {balance['base_rate']:.4f}，损失小并不难；请看 ne，为 {loss['ne']:.4f}。",
        )
    right = _TOTAL[0] <= loss["pcoc"] <= _TOTAL[1] and _SLOPE[0] <= (loss["slope"] or 0) <= _SLOPE[1]
    optimism = (
        Text(" (less on other data: total and slope are right)", "（在其他数据上会少一些：总量与斜率是对的）")
        if right
        else Text("", "")
    )
    said = (
        Text("The probabilities are no better than a constant", "概率并不比一个常数好")
        if worse
        else Text(
            f"The probabilities are off: recalibration could remove {off} of the loss{optimism.en}",
            f"概率不准：校准可去掉 {off} 的损失{optimism.zh}",
        )
    )
    advice = (
        Text("the order is good, so recalibrate", "排序是好的，应做校准")
        if ordered
        else Text(
            "recalibrate, but the order needs work too: features, data, labels",
            "应做校准，但排序也要改进：特征、数据、标签",
        )
        if order["verdict"] == "weak"
        else Text("and the order is bad too: look at features, data and labels", "排序也不好：请检查特征、数据与标签")
    )
    return Text(f"{said.en}; {direction.en}; {advice.en}.", f"{said.zh}；{direction.zh}；{advice.zh}。")


def _balance(scores: BinaryScores) -> dict[str, Any]:
    total, positives = scores.evidence.totals
    rate = float(positives / total)
    # The rarer side first, so that nothing is lost in 1 - rate.
    constant = float(max(positives, total - positives) / total)
    pr_auc = PrAuc().value(scores.view)
    return {
        "base_rate": rate,
        "constant_accuracy": constant,
        "accuracy": Accuracy().value(scores.view),
        "pr_auc": pr_auc,
    }


def _balance_words(order: Mapping[str, Any], balance: Mapping[str, Any]) -> list[Text]:
    said = []
    if beaten := _beaten_by_constant(balance["accuracy"], balance["constant_accuracy"], balance["base_rate"]):
        said.append(beaten)
    rate, pr_auc, auc = balance["base_rate"], balance["pr_auc"], order["auc"]
    if auc >= 0.8 and rate < _RARE and pr_auc < 0.5:
        said.append(
            Text(
                f"ROC looks good (AUC {auc:.4f}) but PR does not: pr_auc is {pr_auc:.4f}, a random order has {rate:.4f}; "
                f"on average over all recall levels only {100 * pr_auc:.1f} % of what is called positive is.",
                f"ROC 看着好（AUC {auc:.4f}），PR 却不好：pr_auc 为 {pr_auc:.4f}，随机排序为 {rate:.4f}；"
                f"对各召回水平取平均，判为正的只有 {100 * pr_auc:.1f} % 真是正例。",
            )
        )
    return said


def _beaten_by_constant(accuracy: float, constant: float, rate: float) -> Text | None:
    if math.isnan(accuracy) or accuracy > constant or constant == 1:
        return None
    always = Text("negative", "负") if rate < 0.5 else Text("positive", "正")
    if constant < _UNEVEN:
        return Text(
            f"A constant prediction (always {always.en}) reaches an accuracy of {_digits(constant)}, this model only "
            f"{_digits(accuracy)} (share of positives {rate:.4g}).",
            f"一律判为{always.zh}的准确率就有 {_digits(constant)}，本模型只有 {_digits(accuracy)}（正例占 {rate:.4g}）。",
        )
    return Text(
        f"A constant prediction (always {always.en}) reaches an accuracy of {_digits(constant)}, this model {_digits(accuracy)}: "
        f"with a share of positives of {rate:.4g} accuracy says little.",
        f"一律判为{always.zh}的准确率就有 {_digits(constant)}，本模型为 {_digits(accuracy)}：正例占 {rate:.4g}，准确率说明不了什么。",
    )


def _digits(share: float) -> str:
    """Six of them; more where six would say 1 of what is less."""
    short = f"{share:.6g}"
    return f"{share:.12g}" if short == "1" else short


def _hard_labels(scores: BinaryScores) -> tuple[Text, ...]:
    """Scores with only two values are labels, not scores."""
    found = scores.evidence.few_scores
    if found is None or len(found) < _FEW_LABELS or len(scores.evidence.rows) <= _FEW_LABELS:
        return ()
    low, high = found
    return (
        Text(
            f"The scores have only the values {low:g} and {high:g}: these look like labels; AUC and curves need scores, "
            "e.g. predict_proba instead of predict.",
            f"分数只有 {low:g} 和 {high:g} 两个值：像是标签；AUC 与曲线需要分数，例如用 predict_proba 而不是 predict。",
        ),
    )


def _group_words(scores: BinaryScores) -> list[Text]:
    groups = scores.counts.get("groups")
    if not groups:
        return []
    dropped, of_all = groups["single_class"], groups["all"]
    share = groups["single_class_rows"] / scores.counts["rows"]
    said = []
    auc, gauc = area(scores.evidence.pairs), _of(scores, "gauc")
    if auc - gauc > _APART:
        said.append(
            Text(
                f"AUC {auc:.4f} is well above GAUC {gauc:.4f}: much of the order is between users, less within each.",
                f"AUC {auc:.4f} 明显高于 GAUC {gauc:.4f}：排序能力多来自区分不同用户，用户内部要弱一些。",
            )
        )
    if not dropped:
        return said
    return [
        *said,
        Text(
            f"GAUC stands on {groups['scored']} of {of_all} groups; {dropped} have one class only ({100 * share:.1f} % of the rows).",
            f"GAUC 基于 {of_all} 组中的 {groups['scored']} 组；{dropped} 组只有一个类别（占 {100 * share:.1f} % 的行）。",
        ),
    ]


def cautions(scores: BinaryScores) -> tuple[Text, ...]:
    """What must be said even if nobody asks: one class only, a constant as accurate, labels passed as scores."""
    said: list[Text] = []
    total, positives = scores.evidence.totals
    undefined = [
        name
        for name, value in scores.values_by_name.items()
        if value.unit == "rows" and value.undefined and not 0 < positives < total
    ]
    if undefined:
        shown = ", ".join(undefined[:4]) + (" …" if len(undefined) > 4 else "")
        said.append(
            Text(
                f"only one class occurs ({float(positives):g} of {float(total):g} positive): {shown} undefined",
                f"只有一个类别（{float(total):g} 中有 {float(positives):g} 个正例）：{shown} 没有定义",
            )
        )
    accuracy = next((v for v in scores.values_by_name.values() if v.metric.name == "accuracy"), None)
    if accuracy is not None:
        constant, rate = float(max(positives, total - positives) / total), float(positives / total)
        beaten = _beaten_by_constant(accuracy.value, constant, rate)
        said += [beaten] if beaten else []
    return (*said, *_hard_labels(scores), *improbable(scores))


def between(models: Mapping[str, BinaryScores]) -> list[Text]:
    """What only shows between models: AUC and GAUC that disagree."""
    said = []
    names = list(models)
    for i, one in enumerate(names):
        for other in names[i + 1 :]:
            found = [_of(models[name], metric) for metric in ("auc", "gauc") for name in (one, other)]
            if any(math.isnan(value) for value in found):
                continue
            auc, gauc = found[1] - found[0], found[3] - found[2]
            if auc * gauc < 0:
                better, worse = (one, other) if auc < 0 else (other, one)
                said.append(
                    Text(
                        f"AUC and GAUC disagree: {better} has the higher AUC, {worse} the higher GAUC. {better} tells users "
                        f"apart better, {worse} orders better within a user; for ranking one user's items GAUC counts.",
                        f"AUC 与 GAUC 方向相反：{better} 的 AUC 更高，{worse} 的 GAUC 更高。{better} 更会区分用户，"
                        f"{worse} 在用户内部排得更好；为单个用户排序应看 GAUC。",
                    )
                )
    return said


def _of(scores: BinaryScores, metric: str) -> float:
    return next((value.value for value in scores.values_by_name.values() if value.metric.name == metric), math.nan)
