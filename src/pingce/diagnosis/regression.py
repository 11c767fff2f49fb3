"""Reading errors: how large beside the truth's own spread, and whether they lean to one side."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from pingce.base.exact import root
from pingce.base.json import Json
from pingce.base.text import Text, Words, paragraph
from pingce.evidence.regression.evidence import DIAGNOSIS_SUMS, error_evidence

if TYPE_CHECKING:
    from pingce.scores.regression import RegressionScores

_LEANS = 0.1
"From this share of the error on, a bias is worth a word."


def read(scores: RegressionScores) -> Json:
    """Root mean squared error beside that of always predicting the mean, and the mean error."""
    sums = scores.evidence.sums
    if not sums.keys() >= set(DIAGNOSIS_SUMS):
        sums = error_evidence(scores.data, DIAGNOSIS_SUMS).sums
    n: Fraction = sums["weight"]
    rmse, spread = root(sums["squared"], n), root(sums["true_squared"] / n - (sums["true"] / n) ** 2, Fraction(1))
    bias = float(sums["error"] / n)
    en, zh = ("better", "优于") if rmse < spread else ("no better", "并不优于")
    texts = [
        Text(
            f"RMSE {rmse:.6g}; always predicting the mean gives {spread:.6g}: {en} than always predicting the mean.",
            f"RMSE {rmse:.6g}；一律预测均值时 RMSE 为 {spread:.6g}：{zh}一律预测均值。",
        )
    ]
    if rmse and abs(bias) > _LEANS * rmse:
        en, zh = ("high", "高") if bias > 0 else ("low", "低")
        words = Text(f"Predictions are too {en} by {abs(bias):.6g} on average.", f"预测平均偏{zh} {abs(bias):.6g}。")
        texts.append(words)
    return {"rmse": rmse, "rmse_of_mean": spread, "bias": bias, "text": Words.of(paragraph(texts))}


def cautions(scores: RegressionScores) -> tuple[Text, ...]:
    """Nothing: numbers mislead less than ranks and labels."""
    return ()
