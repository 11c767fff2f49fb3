"""Reading a classifier: macro against micro, and which small classes fail."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.json import Json
from pingce.base.text import Text, Words
from pingce.metrics.multiclass.agreement import Accuracy
from pingce.metrics.multiclass.per_class import FMeasure, Recall
from pingce.metrics.multiclass.ranked import TopKAccuracy

if TYPE_CHECKING:
    from pingce.scores.multiclass import MulticlassScores

FAR = 0.1
"From this difference on, macro is far below micro."
_MOST_NAMED = 5


def read(scores: MulticlassScores) -> Json:
    """Macro and micro F1, the classes that pull macro down, the two that are confused most often."""
    view, confusion = scores.evidence.view(scores.policies), scores.confusion
    macro, micro = FMeasure().value(view), FMeasure(average="micro").value(view)
    failing = _failing(scores, micro)
    confused = _confused(scores)
    texts = [
        Text(
            f"Macro F1 {macro:.4f}, micro F1 {micro:.4f} over {len(confusion)} classes.",
            f"共 {len(confusion)} 个类别：宏平均 F1 {macro:.4f}，微平均 F1 {micro:.4f}。",
        )
    ]
    if micro - macro > FAR:
        texts.append(_below(failing, int(np.count_nonzero(confusion.true == 0))))
    elif not math.isnan(macro):
        texts.append(
            Text("Small classes do about as well as large ones.", "小类与大类的表现相近。")
            if abs(micro - macro) <= FAR
            else Text("The large classes do worse than the small ones.", "大类反而不如小类。")
        )
    if confused is not None:
        texts.append(
            Text(
                f"Most often confused: {confused['true']} predicted as {confused['predicted']} ({confused['rows']:g} rows).",
                f"最常混淆：{confused['true']} 被判为 {confused['predicted']}（{confused['rows']:g} 行）。",
            )
        )
    text = Text(" ".join(part.en for part in texts), "".join(part.zh for part in texts))
    return {
        "macro_f1": macro,
        "micro_f1": micro,
        "failing": failing,
        "confused": confused,
        "text": Words.of(text),
    }


def _below(failing: list[Json], never: int) -> Text:
    """Why macro is far below micro."""
    if not failing and not never:
        return Text("Macro is far below micro: look at each class.", "宏平均远低于微平均：请逐类查看。")
    if not failing:
        return Text(
            f"Macro is far below micro: {never} classes never occur in the truth and count 0.",
            f"宏平均远低于微平均：有 {never} 个类别在真值中没有出现，按 0 计入。",
        )
    names = ", ".join(f"{label['class']!s} (F1 {label['f1']:.2f}, {label['support']:g} rows)" for label in failing)
    chinese = "、".join(f"{label['class']!s}（F1 {label['f1']:.2f}，{label['support']:g} 行）" for label in failing)
    return Text(
        f"Macro is far below micro: small classes fail, above all {names}.",
        f"宏平均远低于微平均：小类没有学好，主要是 {chinese}。",
    )


def _failing(scores: MulticlassScores, micro: float) -> list[Json]:
    """Classes smaller than the mean that stay far below micro, worst first."""
    f = FMeasure().by_class(scores.evidence.view(scores.policies))
    support = scores.confusion.true.astype(float)
    small = (support <= support.mean()) & (support > 0) & (np.nan_to_num(f) < micro - FAR)
    places = sorted(np.flatnonzero(small).tolist(), key=lambda i: (float(np.nan_to_num(f)[i]), i))[:_MOST_NAMED]
    return [
        {"class": scores.labels[i], "f1": float(np.nan_to_num(f)[i]), "support": scores.confusion.true[i].item()}
        for i in places
    ]


def _confused(scores: MulticlassScores) -> Json | None:
    wrong = scores.confusion.matrix.astype(float)
    np.fill_diagonal(wrong, 0)
    if not wrong.any():
        return None
    i, j = divmod(int(wrong.argmax()), len(scores.confusion))
    return {"true": scores.labels[i], "predicted": scores.labels[j], "rows": scores.confusion.matrix[i, j].item()}


def cautions(scores: MulticlassScores) -> tuple[Text, ...]:
    """What must be said even if nobody asks: classes that an average lacks, a constant that is as accurate."""
    return (*_lacking(scores), *_tied(scores), *_no_better(scores))


def _tied(scores: MulticlassScores) -> tuple[Text, ...]:
    """Rows in which the order of the labels decided between equal probabilities."""
    cautions = []
    if scores.evidence.tied:
        cautions.append(
            Text(
                f"in {scores.evidence.tied} rows several classes are equally probable; the first in the order of the labels counts as predicted",
                f"有 {scores.evidence.tied} 行存在多个概率相等的最大类别；按类别顺序取排在前面的为预测",
            )
        )
    for name, value in scores.values_by_name.items():
        count = scores.evidence.undecided(int(value.metric.k or 1)) if isinstance(value.metric, TopKAccuracy) else 0
        if count:
            cautions.append(
                Text(
                    f"{name}: in {count} rows equal probabilities stand at the edge of the top {value.metric.k}; the first in the order of the labels are in",
                    f"{name}：有 {count} 行在前 {value.metric.k} 的边界上概率相等；按类别顺序取排在前面的",
                )
            )
    return tuple(cautions)


def _lacking(scores: MulticlassScores) -> tuple[Text, ...]:
    absent = [
        (name, value.undefined)
        for name, value in scores.values_by_name.items()
        if value.metric.name == "auc" and value.undefined
    ]
    return tuple(
        Text(
            f"{name}: {count} comparisons lack rows of a class and are left out",
            f"{name}：有 {count} 组比较缺少某一类的行，不计入",
        )
        for name, count in absent
    )


def _no_better(scores: MulticlassScores) -> tuple[Text, ...]:
    if not any(value.metric.name == "accuracy" for value in scores.values_by_name.values()):
        return ()
    confusion = scores.confusion
    largest = int(confusion.true.argmax())
    constant, accuracy = (
        confusion.true[largest].item() / confusion.total,
        Accuracy().value(scores.evidence.view(scores.policies)),
    )
    if len(confusion) < 2 or accuracy > constant or constant == 1:
        return ()
    recall = Recall().value(scores.evidence.view(scores.policies))
    return (
        Text(
            f"always predicting {scores.labels[largest]!s} reaches an accuracy of {constant:.6g}, this model {accuracy:.6g} "
            f"(balanced accuracy {recall:.6g})",
            f"一律判为 {scores.labels[largest]!s} 的准确率就有 {constant:.6g}，本模型为 {accuracy:.6g}（平衡准确率 {recall:.6g}）",
        ),
    )
