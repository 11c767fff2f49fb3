"""Reading AUC and log loss together: is the order right, are the probabilities, and does the data mislead?"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import combinations

from pingce.base.interval import NO_INTERVAL
from pingce.base.json import Json
from pingce.base.text import Text
from pingce.diagnosis.decisions import (
    crowded_bins,
    improbable,
    single_class_groups,
    unreached_thresholds,
    unread_weights,
)
from pingce.diagnosis.loss import RARE, loss_points, loss_reading
from pingce.diagnosis.points import Point, as_document
from pingce.diagnosis.slice_totals import off_slices
from pingce.metrics.binary.areas import PrAuc, area
from pingce.metrics.binary.decisions import Accuracy
from pingce.scores.binary import BinaryScores
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
        return {"order": None, "loss": None, "balance": None, **as_document([Point("none", why)])}
    order, loss, balance = _order(scores), loss_reading(scores), _balance(scores)
    points = [Point("order", _order_words(order))]
    if loss is not None:
        points += loss_points(order["verdict"], loss, balance["base_rate"], off_slices(scores))
    points += _data_points(scores, order["auc"], balance)
    figures = None if loss is None else loss.figures
    return {"order": order, "loss": figures, "balance": balance, **as_document(points)}


def _data_points(scores: BinaryScores, auc: float, balance: Json) -> Iterator[Point]:
    """What in the data, the scores, the bins or the groups may mislead."""
    readings = {
        "accuracy": _beaten_by_constant(balance["accuracy"], balance["base_rate"], balance["constant_accuracy"]),
        "imbalance": _rare_positives(auc, balance),
        "labels": _hard_labels(scores),
        "range": map(_sentence, improbable(scores)),
        "bins": map(_sentence, crowded_bins(scores)),
        "users": _between_users(scores),
        "groups": _lone_classes(scores),
    }
    return (Point(name, text) for name, texts in readings.items() for text in texts)


def _sentence(caution: Text) -> Text:
    """A caution as a sentence of its own."""
    return Text(f"{caution.en[:1].upper()}{caution.en[1:]}.", f"{caution.zh}。")


def _order(scores: BinaryScores) -> Json:
    evidence, pairs = scores.evidence, scores.evidence.pairs
    auc = area(pairs)
    low, high = delong(evidence.thresholds, CONFIDENCE) if evidence.rows.weight is None else NO_INTERVAL
    if math.isnan(auc):
        verdict = "undefined"
    elif high < 0.5 or (math.isnan(high) and auc < 0.5):
        verdict = "inverted"
    elif low <= 0.5 <= high or (math.isnan(low) and auc <= 0.5):
        verdict = "none"
    else:
        verdict = "good" if auc >= GOOD_ORDER else "weak"
    few = not math.isnan(low) and min(pairs.positives, pairs.negatives) < _FEW
    return {"auc": auc, "low": low, "high": high, "few": few, "verdict": verdict}


_ORDERS = {
    "none": Text("the interval holds 0.5, so the scores show no order", "区间包含 0.5，看不出排序能力"),
    "inverted": Text(
        "below 0.5, so the scores are probably inverted (is a low score the positive side?)",
        "低于 0.5，分数很可能反了（是否分数越低越偏正类？）",
    ),
    "weak": Text("there is an order, but a weak one", "有排序能力，但较弱"),
    "good": Text("the order is good", "排序能力好"),
}


def _order_words(order: Json) -> Text:
    auc, low, high = (f"{order[name]:.4f}" for name in ("auc", "low", "high"))
    if order["verdict"] == "undefined":
        return Text("Only one class occurs: AUC is undefined.", "只有一个类别：AUC 没有定义。")
    between, (en, zh) = (
        Text(f" (95 % interval {low} to {high})", f"（95 % 区间 {low} 至 {high}）"),
        _ORDERS[order["verdict"]],
    )
    if math.isnan(order["low"]):
        between = Text("", "")
        en, zh = ("the scores show no order", "看不出排序能力") if order["verdict"] == "none" else (en, zh)
    if order["few"]:
        en, zh = f"{en}; with so few rows of a class do not trust the interval", f"{zh}；某一类的样本太少，区间不可信"
    return Text(f"AUC {auc}{between.en}: {en}.", f"AUC {auc}{between.zh}：{zh}。")


def _shares(scores: BinaryScores) -> tuple[float, float]:
    """The share of positives, and the accuracy of a constant."""
    total, positives = scores.evidence.totals
    # The rarer side first, so that nothing is lost in 1 - rate.
    return float(positives / total), float(max(positives, total - positives) / total)


def _balance(scores: BinaryScores) -> Json:
    rate, constant = _shares(scores)
    accuracy, pr_auc = Accuracy().value(scores.view), PrAuc().value(scores.view)
    return {"base_rate": rate, "constant_accuracy": constant, "accuracy": accuracy, "pr_auc": pr_auc}


def _rare_positives(auc: float, balance: Json) -> Iterator[Text]:
    rate, pr_auc = balance["base_rate"], balance["pr_auc"]
    if auc >= 0.8 and rate < RARE and pr_auc < 0.5:
        yield Text(
            f"ROC looks good (AUC {auc:.4f}) but PR does not: pr_auc is {pr_auc:.4f}, a random order has {rate:.4f}; "
            f"on average over all recall levels only {100 * pr_auc:.1f} % of what is called positive is.",
            f"ROC 看着好（AUC {auc:.4f}），PR 却不好：pr_auc 为 {pr_auc:.4f}，随机排序为 {rate:.4f}；"
            f"对各召回水平取平均，判为正的只有 {100 * pr_auc:.1f} % 真是正例。",
        )


def _beaten_by_constant(accuracy: float, rate: float, constant: float) -> Iterator[Text]:
    if math.isnan(accuracy) or accuracy > constant or constant == 1:
        return
    always = Text("negative", "负") if rate < 0.5 else Text("positive", "正")
    model, other = _digits(accuracy), _digits(constant)
    en = f"A constant prediction (always {always.en}) reaches an accuracy of {other}, this model"
    zh = f"一律判为{always.zh}的准确率就有 {other}，本模型"
    if constant < _UNEVEN:
        yield Text(f"{en} only {model} (share of positives {rate:.4g}).", f"{zh}只有 {model}（正例占 {rate:.4g}）。")
    else:
        yield Text(
            f"{en} {model}: with a share of positives of {rate:.4g} accuracy says little.",
            f"{zh}为 {model}：正例占 {rate:.4g}，准确率说明不了什么。",
        )


def _digits(share: float) -> str:
    """Six of them; more where six would say 1 of what is less."""
    short = f"{share:.6g}"
    return f"{share:.12g}" if short == "1" else short


def _hard_labels(scores: BinaryScores) -> Iterator[Text]:
    """Scores with only two values are labels, not scores."""
    values = scores.evidence.few_scores
    if values is not None and len(values) >= _FEW_LABELS and len(scores.evidence.rows) > _FEW_LABELS:
        low, high = values
        yield Text(
            f"The scores have only the values {low:g} and {high:g}: these look like labels; AUC and curves need scores, "
            "e.g. predict_proba instead of predict.",
            f"分数只有 {low:g} 和 {high:g} 两个值：像是标签；AUC 与曲线需要分数，例如用 predict_proba 而不是 predict。",
        )


def _between_users(scores: BinaryScores) -> Iterator[Text]:
    auc, gauc = area(scores.evidence.pairs), _of(scores, "gauc")
    if scores.counts.get("groups") and auc - gauc > _APART:
        yield Text(
            f"AUC {auc:.4f} is well above GAUC {gauc:.4f}: much of the order is between users, less within each.",
            f"AUC {auc:.4f} 明显高于 GAUC {gauc:.4f}：排序能力多来自区分不同用户，用户内部要弱一些。",
        )


def _lone_classes(scores: BinaryScores) -> Iterator[Text]:
    groups = scores.counts.get("groups")
    if groups and (dropped := groups["single_class"]):
        of_all, share = groups["all"], f"{100 * (groups['single_class_rows'] / scores.counts['rows']):.1f} %"
        yield Text(
            f"GAUC stands on {groups['scored']} of {of_all} groups; {dropped} have one class only ({share} of the rows).",
            f"GAUC 基于 {of_all} 组中的 {groups['scored']} 组；{dropped} 组只有一个类别（占 {share} 的行）。",
        )


def cautions(scores: BinaryScores) -> Iterator[Text]:
    """What must be said even if nobody asks: one class only, a constant as accurate, labels passed as scores."""
    total, positives = scores.evidence.totals
    values = scores.values_by_name.items()
    undefined = [name for name, value in values if value.unit == "rows" and value.undefined]
    if undefined and not 0 < positives < total:
        names = ", ".join(undefined[:4]) + (" …" if len(undefined) > 4 else "")
        yield Text(
            f"only one class occurs ({float(positives):g} of {float(total):g} positive): {names} undefined",
            f"只有一个类别（{float(total):g} 中有 {float(positives):g} 个正例）：{names} 没有定义",
        )
    accuracy = _of(scores, "accuracy")
    if not math.isnan(accuracy):
        yield from _beaten_by_constant(accuracy, *_shares(scores))
    for caution in (
        _hard_labels,
        improbable,
        unreached_thresholds,
        single_class_groups,
        unread_weights,
        crowded_bins,
    ):
        yield from caution(scores)


def between(models: Mapping[str, BinaryScores]) -> list[Text]:
    """What only shows between models: AUC and GAUC that disagree."""
    texts = []
    for pair in combinations(models, 2):
        auc, gauc = ([_of(models[model], metric) for model in pair] for metric in ("auc", "gauc"))
        if (auc[1] - auc[0]) * (gauc[1] - gauc[0]) < 0:  # never where one of them is NaN
            better, worse = pair if auc[1] < auc[0] else pair[::-1]
            words = Text(
                f"AUC and GAUC disagree: {better} has the higher AUC, {worse} the higher GAUC. {better} tells users "
                f"apart better, {worse} orders better within a user; for ranking one user's items GAUC counts.",
                f"AUC 与 GAUC 方向相反：{better} 的 AUC 更高，{worse} 的 GAUC 更高。{better} 更会区分用户，"
                f"{worse} 在用户内部排得更好；为单个用户排序应看 GAUC。",
            )
            texts.append(words)
    return texts


def _of(scores: BinaryScores, metric: str) -> float:
    return next((value.value for value in scores.values_by_name.values() if value.metric.name == metric), math.nan)
