"""Reading AUC and log loss together: is the order right, are the probabilities, and does the data mislead?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pingce.base.json import Json
from pingce.base.text import Text, Words
from pingce.diagnosis.alike import alike, unread_weights
from pingce.diagnosis.binning import crowded_bins
from pingce.diagnosis.logits import improbable
from pingce.diagnosis.loss import RARE, loss_reading, loss_words
from pingce.diagnosis.slice_totals import off_slices
from pingce.metrics.binary.areas import PrAuc, area
from pingce.metrics.binary.decisions import Accuracy
from pingce.scores.binary import BinaryScores
from pingce.scores.values import NO_INTERVAL
from pingce.stats.areas import delong

CONFIDENCE = 0.95
GOOD_ORDER = 0.7
"From here on an AUC is called good."
_UNEVEN = 0.6
"From this share of the larger class on, classes are called imbalanced."
_FEW = 10
"Rows of a class below which an interval is not to be trusted."
_APART = 0.05
"From this difference on, AUC is well above GAUC."
_FEW_LABELS = 2


def read(scores: BinaryScores) -> Json:
    """Figures and words: order, loss, balance, and what may mislead."""
    if (why := scores.evidence.undiagnosed) is not None:
        return {"order": None, "loss": None, "balance": None, "text": Words.of(why)}
    order, loss, balance = _order(scores), loss_reading(scores), _balance(scores)
    texts = [_order_words(order)]
    if loss is not None:
        texts += loss_words(order["verdict"], loss, balance["base_rate"], off_slices(scores))
    texts += [
        *_balance_words(order, balance),
        *_hard_labels(scores),
        *(
            Text(f"{text.en[:1].upper()}{text.en[1:]}.", f"{text.zh}。")
            for text in (*improbable(scores), *crowded_bins(scores))
        ),
    ]
    texts += _group_words(scores)
    text = Text(" ".join(part.en for part in texts), "".join(part.zh for part in texts))
    figures = None if loss is None else loss.figures
    return {"order": order, "loss": figures, "balance": balance, "text": Words.of(text)}


def _order(scores: BinaryScores) -> Json:
    evidence = scores.evidence
    auc = area(evidence.pairs)
    low, high = delong(evidence.thresholds, CONFIDENCE) if evidence.rows.weight is None else NO_INTERVAL
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


def _balance(scores: BinaryScores) -> Json:
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
    texts = []
    if beaten := _beaten_by_constant(balance["accuracy"], balance["constant_accuracy"], balance["base_rate"]):
        texts.append(beaten)
    rate, pr_auc, auc = balance["base_rate"], balance["pr_auc"], order["auc"]
    if auc >= 0.8 and rate < RARE and pr_auc < 0.5:
        texts.append(
            Text(
                f"ROC looks good (AUC {auc:.4f}) but PR does not: pr_auc is {pr_auc:.4f}, a random order has {rate:.4f}; "
                f"on average over all recall levels only {100 * pr_auc:.1f} % of what is called positive is.",
                f"ROC 看着好（AUC {auc:.4f}），PR 却不好：pr_auc 为 {pr_auc:.4f}，随机排序为 {rate:.4f}；"
                f"对各召回水平取平均，判为正的只有 {100 * pr_auc:.1f} % 真是正例。",
            )
        )
    return texts


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
    values = scores.evidence.few_scores
    if values is None or len(values) < _FEW_LABELS or len(scores.evidence.rows) <= _FEW_LABELS:
        return ()
    low, high = values
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
    texts = []
    auc, gauc = area(scores.evidence.pairs), _of(scores, "gauc")
    if auc - gauc > _APART:
        texts.append(
            Text(
                f"AUC {auc:.4f} is well above GAUC {gauc:.4f}: much of the order is between users, less within each.",
                f"AUC {auc:.4f} 明显高于 GAUC {gauc:.4f}：排序能力多来自区分不同用户，用户内部要弱一些。",
            )
        )
    if not dropped:
        return texts
    return [
        *texts,
        Text(
            f"GAUC stands on {groups['scored']} of {of_all} groups; {dropped} have one class only ({100 * share:.1f} % of the rows).",
            f"GAUC 基于 {of_all} 组中的 {groups['scored']} 组；{dropped} 组只有一个类别（占 {100 * share:.1f} % 的行）。",
        ),
    ]


def cautions(scores: BinaryScores) -> tuple[Text, ...]:
    """What must be said even if nobody asks: one class only, a constant as accurate, labels passed as scores."""
    texts: list[Text] = []
    total, positives = scores.evidence.totals
    undefined = [
        name
        for name, value in scores.values_by_name.items()
        if value.unit == "rows" and value.undefined and not 0 < positives < total
    ]
    if undefined:
        names = ", ".join(undefined[:4]) + (" …" if len(undefined) > 4 else "")
        texts.append(
            Text(
                f"only one class occurs ({float(positives):g} of {float(total):g} positive): {names} undefined",
                f"只有一个类别（{float(total):g} 中有 {float(positives):g} 个正例）：{names} 没有定义",
            )
        )
    accuracy = next((v for v in scores.values_by_name.values() if v.metric.name == "accuracy"), None)
    if accuracy is not None:
        constant, rate = float(max(positives, total - positives) / total), float(positives / total)
        beaten = _beaten_by_constant(accuracy.value, constant, rate)
        texts += [beaten] if beaten else []
    return (
        *texts,
        *_hard_labels(scores),
        *improbable(scores),
        *alike(scores),
        *unread_weights(scores),
        *crowded_bins(scores),
    )


def between(models: Mapping[str, BinaryScores]) -> list[Text]:
    """What only shows between models: AUC and GAUC that disagree."""
    texts = []
    names = list(models)
    for i, name in enumerate(names):
        for other_name in names[i + 1 :]:
            values = [_of(models[model], metric) for metric in ("auc", "gauc") for model in (name, other_name)]
            if any(math.isnan(value) for value in values):
                continue
            auc, gauc = values[1] - values[0], values[3] - values[2]
            if auc * gauc < 0:
                better, worse = (name, other_name) if auc < 0 else (other_name, name)
                texts.append(
                    Text(
                        f"AUC and GAUC disagree: {better} has the higher AUC, {worse} the higher GAUC. {better} tells users "
                        f"apart better, {worse} orders better within a user; for ranking one user's items GAUC counts.",
                        f"AUC 与 GAUC 方向相反：{better} 的 AUC 更高，{worse} 的 GAUC 更高。{better} 更会区分用户，"
                        f"{worse} 在用户内部排得更好；为单个用户排序应看 GAUC。",
                    )
                )
    return texts


def _of(scores: BinaryScores, metric: str) -> float:
    return next((value.value for value in scores.values_by_name.values() if value.metric.name == metric), math.nan)
