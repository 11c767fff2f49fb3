"""Reading errors: how large beside the truth's own spread, whether they lean to one side; and where order is asked for, order and size apart."""

from __future__ import annotations

from fractions import Fraction
from math import isnan
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.exact import root, weighted_sum
from pingce.base.json import Json
from pingce.base.text import Text
from pingce.diagnosis.points import Point, as_document
from pingce.evidence.regression.evidence import DIAGNOSIS_SUMS, error_evidence
from pingce.metrics.regression.pairs import PairRules, Xauc

if TYPE_CHECKING:
    from pingce.inputs.regression import NumberRows
    from pingce.scores.regression import RegressionScores

_LEANS = 0.1
"From this share of the error on, a bias is worth a word."
TENTHS = 10
_OFF = 0.1
"From this share of its total on, what a tenth of the rows is off by is worth a word."
_VERDICTS = (
    (0.7, "good", Text("orders well", "排序较好")),
    (0.55, "fair", Text("orders somewhat", "排序一般")),
    (0.45, "none", Text("hardly orders at all", "几乎没有排序能力")),
    (0.0, "inverted", Text("orders the wrong way round: is the prediction inverted?", "次序相反：预测是否反了？")),
)
"From which share of pairs in order on, a name, and words."


def read(scores: RegressionScores) -> Json:
    """Root mean squared error beside that of always predicting the mean, and the mean error."""
    sums = scores.evidence.sums
    if not sums.keys() >= set(DIAGNOSIS_SUMS):
        sums = error_evidence(scores.data, DIAGNOSIS_SUMS).sums
    n: Fraction = sums["weight"]
    rmse, spread = root(sums["squared"], n), root(sums["true_squared"] / n - (sums["true"] / n) ** 2, Fraction(1))
    bias = float(sums["error"] / n)
    en, zh = ("better", "优于") if rmse < spread else ("no better", "并不优于")
    error = Text(
        f"RMSE {rmse:.6g}; always predicting the mean gives {spread:.6g}: {en} than always predicting the mean.",
        f"RMSE {rmse:.6g}；一律预测均值时 RMSE 为 {spread:.6g}：{zh}一律预测均值。",
    )
    points = [Point("error", error)]
    if rmse and abs(bias) > _LEANS * rmse:
        en, zh = ("high", "高") if bias > 0 else ("low", "低")
        words = Text(f"Predictions are too {en} by {abs(bias):.6g} on average.", f"预测平均偏{zh} {abs(bias):.6g}。")
        points.append(Point("bias", words))
    more, of_order = _order_and_size(scores)
    return {"rmse": rmse, "rmse_of_mean": spread, "bias": bias, **more, **as_document([*points, *of_order])}


def _order_and_size(scores: RegressionScores) -> tuple[Json, list[Point]]:
    """Whether predictions order well, and where they are too high or too low; where a metric of pairs was asked for."""
    ordered = [value for value in scores.values_by_name.values() if isinstance(value.metric, PairRules)]
    sizes = any(isinstance(value.metric, Xauc) for value in ordered)
    defined = [value for value in ordered if not isnan(value.value)]
    if not defined:
        return {}, []
    value = defined[0]
    _, verdict, words = next(each for each in _VERDICTS if value.value >= each[0])
    name, share = value.name, f"{value.value:.4g}"
    order = Text(f"By {name} ({share}) the model {words.en}.", f"按 {name}（{share}），模型{words.zh}。")
    points = [Point("order", order)]
    figures: Json = {"order": {"metric": name, "value": value.value, "verdict": verdict}}
    if sizes:  # it had all rows, or counts of them; a metric of groups may have none
        counted, table = scores.evidence.distinct, scores.evidence.table
        tenths = tenths_of(counted, repeated=True) if counted is not None else []
        tenths = tenths_of(table.counted()) if counted is None and table is not None else tenths
        figures["tenths"] = tenths
        points += _size_points(tenths, verdict)
    return figures, points


def tenths_of(rows: NumberRows, *, repeated: bool = False) -> list[Json]:
    """The rows by tenths of the truth, equal numbers in one: how many, from where to where, Σ ŷ / Σ y and the mean error.

    Where rows are `repeated`, their weights say how many they are.
    """
    order = np.argsort(rows.true, kind="stable")
    true = rows.true[order]
    weights = np.ones(len(true)) if rows.weight is None else rows.weight[order]
    first = np.flatnonzero(np.append(True, true[1:] != true[:-1]))
    reached = np.cumsum(np.add.reduceat(weights, first))
    part = np.minimum((TENTHS * (reached - np.add.reduceat(weights, first)) / reached[-1]).astype(int), TENTHS - 1)
    place = np.repeat(part, np.diff(first, append=len(true)))
    return [_tenth(rows.select(order[place == number]), repeated) for number in np.unique(part).tolist()]


def _tenth(rows: NumberRows, repeated: bool) -> Json:
    true, predicted = (weighted_sum(side, rows.weight) for side in (rows.true, rows.predicted))
    weight = Fraction(len(rows)) if rows.weight is None else weighted_sum(np.ones(len(rows)), rows.weight)
    return {
        "rows": int(weight) if repeated else len(rows),
        "from": float(rows.true.min()),
        "to": float(rows.true.max()),
        "ratio": float(predicted / true) if true > 0 and rows.true.min() >= 0 else None,
        "mean_error": float((predicted - true) / weight),
    }


def _size_points(tenths: list[Json], verdict: str) -> list[Point]:
    """What the ends of the truth are off by, and what that and the order together mean."""
    if len(tenths) < 2:
        return []
    ends = ((tenths[-1], Text("largest", "最大")), (tenths[0], Text("smallest", "最小")))
    words = [_off(tenth, name) for tenth, name in ends if tenth["ratio"] is not None]
    off = [Point("sizes", each) for each in words if each is not None]
    if off and verdict == "good":
        advice = Text(
            "The order is good and the sizes are not: recalibrate the predictions, e.g. by a monotone fit.",
            "次序好而大小不准：请校准预测值，例如用单调回归。",
        )
        return [*off, Point("next", advice)]
    return off


def _off(tenth: Json, name: Text) -> Text | None:
    share = tenth["ratio"] - 1
    if abs(share) < _OFF:
        return None
    en, zh = ("over", "高估") if share > 0 else ("under", "低估")
    low, high = (f"{tenth[end]:.4g}" for end in ("from", "to"))
    return Text(
        f"The {name.en} true numbers ({low} to {high}) are {en}-estimated by {abs(share):.0%}.",
        f"真值{name.zh}的一段（{low} 到 {high}）被{zh} {abs(share):.0%}。",
    )


def cautions(scores: RegressionScores) -> tuple[Text, ...]:
    """Nothing: numbers mislead less than ranks and labels."""
    return ()
