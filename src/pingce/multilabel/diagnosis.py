"""Reading a multi-label model: averages that differ, labels that fail, and whether it predicts too many labels or too few."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.json import Json
from pingce.base.tables import finite
from pingce.base.text import Text
from pingce.diagnosis.points import Point, as_document
from pingce.multilabel.metrics import FMeasure

if TYPE_CHECKING:
    from pingce.multilabel.scores import MultilabelScores

FAR = 0.1
"From this difference on, two averages are far apart."
_MOST_NAMED = 5
_OFTEN = 1.25
"As many times more or fewer labels than rows have are worth a word."


def read(scores: MultilabelScores) -> Json:
    """Macro, micro and samples F1, the labels that pull macro down, and the number of labels per row."""
    view = scores.view
    macro, micro, samples = (FMeasure(average=name).value(view) for name in ("macro", "micro", "samples"))
    true, predicted = scores.counts["labels_per_row"], scores.counts["predicted_per_row"]
    failing = _failing(scores, micro)
    averages = Text(
        f"F1 over {len(scores.labels)} labels: macro {macro:.4f}, micro {micro:.4f}, by row (samples) {samples:.4f}.",
        f"共 {len(scores.labels)} 个标签，F1：宏平均 {macro:.4f}，微平均 {micro:.4f}，按行（samples）{samples:.4f}。",
    )
    points = [Point("averages", averages)]
    if micro - macro > FAR and failing:
        names = ", ".join(f"{each['label']} (F1 {each['f1']:.2f})" for each in failing)
        rare = Text(
            f"Macro is far below micro: rarer labels fail, above all {names}.",
            f"宏平均远低于微平均：较少见的标签没有学好，主要是 {names}。",
        )
        points.append(Point("rare_labels", rare))
    points += [Point("labels_per_row", words) for words in _labels_per_row(true, predicted)]
    figures = {"macro_f1": finite(macro), "micro_f1": finite(micro), "samples_f1": finite(samples), "failing": failing}
    return {**figures, **as_document(points)}


def _labels_per_row(true: float, predicted: float) -> Iterator[Text]:
    if true and predicted > _OFTEN * true:
        yield Text(
            f"It predicts {predicted:.3g} labels a row where rows have {true:.3g}: a higher threshold predicts fewer.",
            f"平均每行预测 {predicted:.3g} 个标签，而实有 {true:.3g} 个：提高阈值可少预测一些。",
        )
    elif true and predicted * _OFTEN < true:
        yield Text(
            f"It predicts {predicted:.3g} labels a row where rows have {true:.3g}: a lower threshold predicts more.",
            f"平均每行只预测 {predicted:.3g} 个标签，而实有 {true:.3g} 个：降低阈值可多预测一些。",
        )


def _failing(scores: MultilabelScores, micro: float) -> list[Json]:
    """Labels rarer than the mean that stay far below micro, worst first."""
    if math.isnan(micro):
        return []
    values, true = np.nan_to_num(FMeasure().by_label(scores.view)), scores.view.decisions.true
    rare = np.flatnonzero((true <= true.mean()) & (true > 0) & (values < micro - FAR))
    places = rare[np.argsort(values[rare], kind="stable")][:_MOST_NAMED].tolist()
    return [{"label": scores.labels[at], "f1": float(values[at]), "support": float(true[at])} for at in places]


def cautions(scores: MultilabelScores) -> tuple[Text, ...]:
    """Labels that never occur, of which an average has a part that nothing stands behind."""
    never = scores.counts["never_true"]
    policy = scores.policies.undefined_label
    macro = any(
        getattr(value.metric, "average", "") == "macro" and not getattr(value.metric, "label", None) and value.undefined
        for value in scores.values_by_name.values()
    )
    if not never or not macro:
        return ()
    return (
        Text(
            f"{never} labels never occur in the truth: in averages over labels a value that is undefined there counts as "
            f"undefined_label={policy} (areas: lacking=) says",
            f"有 {never} 个标签从未在真值中出现：对标签求平均时，其没有定义的值按 undefined_label={policy}（面积按 lacking=）处理",
        ),
    )
