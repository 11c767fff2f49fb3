"""Reading a classifier: macro against micro, and which small classes fail."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.json import Json
from pingce.base.text import Text
from pingce.diagnosis.points import Point, as_document
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
    failing, confused = _failing(scores, micro), _confused(scores)
    averages = Text(
        f"Macro F1 {macro:.4f}, micro F1 {micro:.4f} over {len(confusion)} classes.",
        f"共 {len(confusion)} 个类别：宏平均 F1 {macro:.4f}，微平均 F1 {micro:.4f}。",
    )
    points = [Point("averages", averages)]
    if micro - macro > FAR:
        points.append(Point("small_classes", _below(failing, int(np.count_nonzero(confusion.true == 0)))))
    elif not math.isnan(macro):
        alike = abs(micro - macro) <= FAR
        points.append(Point("small_classes", _ALIKE if alike else _LARGE_WORSE))
    if confused is not None:
        words = Text(
            f"Most often confused: {confused['true']} predicted as {confused['predicted']} ({confused['rows']:g} rows).",
            f"最常混淆：{confused['true']} 被判为 {confused['predicted']}（{confused['rows']:g} 行）。",
        )
        points.append(Point("confusion", words))
    figures = {"macro_f1": macro, "micro_f1": micro, "failing": failing, "confused": confused}
    return {**figures, **as_document(points)}


_ALIKE = Text("Small classes do about as well as large ones.", "小类与大类的表现相近。")
_LARGE_WORSE = Text("The large classes do worse than the small ones.", "大类反而不如小类。")


def _below(failing: list[Json], never: int) -> Text:
    """Why macro is far below micro."""
    if not failing and not never:
        return Text("Macro is far below micro: look at each class.", "宏平均远低于微平均：请逐类查看。")
    if not failing:
        return Text(
            f"Macro is far below micro: {never} classes never occur in the truth and count 0.",
            f"宏平均远低于微平均：有 {never} 个类别在真值中没有出现，按 0 计入。",
        )
    figures = [(str(label["class"]), f"F1 {label['f1']:.2f}", f"{label['support']:g}") for label in failing]
    en = ", ".join(f"{name} ({f1}, {rows} rows)" for name, f1, rows in figures)
    zh = "、".join(f"{name}（{f1}，{rows} 行）" for name, f1, rows in figures)
    return Text(
        f"Macro is far below micro: small classes fail, above all {en}.",
        f"宏平均远低于微平均：小类没有学好，主要是 {zh}。",
    )


def _failing(scores: MulticlassScores, micro: float) -> list[Json]:
    """Classes smaller than the mean that stay far below micro, worst first."""
    f, true = np.nan_to_num(FMeasure().by_class(scores.evidence.view(scores.policies))), scores.confusion.true
    support = true.astype(float)
    small = np.flatnonzero((support <= support.mean()) & (support > 0) & (f < micro - FAR))
    places = small[np.argsort(f[small], kind="stable")][:_MOST_NAMED].tolist()
    return [{"class": scores.labels[i], "f1": float(f[i]), "support": true[i].item()} for i in places]


def _confused(scores: MulticlassScores) -> Json | None:
    wrong = scores.confusion.matrix.astype(float)
    np.fill_diagonal(wrong, 0)
    if not wrong.any():
        return None
    i, j = divmod(int(wrong.argmax()), len(scores.confusion))
    return {"true": scores.labels[i], "predicted": scores.labels[j], "rows": scores.confusion.matrix[i, j].item()}


def cautions(scores: MulticlassScores) -> Iterator[Text]:
    """What must be said even if nobody asks: classes that an average lacks, ties, a constant that is as accurate."""
    values, tied = scores.values_by_name.items(), scores.evidence.tied
    for name, value in values:
        if value.metric.name == "auc" and value.undefined:
            yield Text(
                f"{name}: {value.undefined} comparisons lack rows of a class and are left out",
                f"{name}：有 {value.undefined} 组比较缺少某一类的行，不计入",
            )
    if tied:
        yield Text(
            f"in {tied} rows several classes are equally probable; the first in the order of the labels counts as predicted",
            f"有 {tied} 行存在多个概率相等的最大类别；按类别顺序取排在前面的为预测",
        )
    for name, value in values:
        k = getattr(value.metric, "k", None)
        if isinstance(value.metric, TopKAccuracy) and (count := scores.evidence.undecided(int(k or 1))):
            yield Text(
                f"{name}: in {count} rows equal probabilities stand at the edge of the top {k}; the first in the order of the labels are in",
                f"{name}：有 {count} 行在前 {k} 的边界上概率相等；按类别顺序取排在前面的",
            )
    if any(value.metric.name == "accuracy" for _, value in values):
        yield from _no_better(scores)


def _no_better(scores: MulticlassScores) -> Iterator[Text]:
    confusion, view = scores.confusion, scores.evidence.view(scores.policies)
    largest = int(confusion.true.argmax())
    constant, accuracy = confusion.true[largest].item() / confusion.total, Accuracy().value(view)
    if len(confusion) < 2 or accuracy > constant or constant == 1:
        return
    label, recall = scores.labels[largest], Recall().value(view)
    yield Text(
        f"always predicting {label!s} reaches an accuracy of {constant:.6g}, this model {accuracy:.6g} "
        f"(balanced accuracy {recall:.6g})",
        f"一律判为 {label!s} 的准确率就有 {constant:.6g}，本模型为 {accuracy:.6g}（平衡准确率 {recall:.6g}）",
    )
