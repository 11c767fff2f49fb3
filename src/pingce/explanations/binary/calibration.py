"""Bins and their squared errors; the running sum of errors, its range, and what chance makes of it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.tables import Cells, around, ends, numbers_in, plain, real
from pingce.metrics.binary import calibration


@explains(calibration.RootMeanSquaredCalibrationError, calibration.CalibrationN)
def squared_bins(
    metric: calibration.RootMeanSquaredCalibrationError | calibration.CalibrationN, view: BinaryView
) -> Derivation:
    """The bins that hold rows, what each adds, and the root."""
    bins = metric.bins_of(view)
    excerpt = ends(np.ones(len(bins), bool))
    chosen = [bins[at] for at in excerpt.places.tolist()]
    columns: list[Cells] = [
        ("bin", Text("bin", "箱"), (excerpt.places + 1).tolist()),
        ("rows", Text("rows n_b", "行数 n_b"), numbers_in(bin.rows for bin in chosen)),
        ("positives", "Σ y", numbers_in(bin.positives for bin in chosen)),
        ("predicted", "Σ p", [real(bin.predicted) for bin in chosen]),
    ]
    title = Text(
        f"The {len(bins)} bins that hold rows, of {metric.bins:g}", f"{metric.bins:g} 个分箱中的 {len(bins)} 个非空分箱"
    )
    unit = Text("bins", "个分箱")
    sentence = Text("the exact sum over all bins", "对全部分箱精确求和")
    if isinstance(metric, calibration.CalibrationN):
        if not all(bin.positives and bin.predicted for bin in bins):
            return Derivation([excerpt.table("bins", title, columns, unit)])
        columns.append(("pcoc", "PCOC_b", [float(bin.predicted / bin.positives) for bin in chosen]))
        columns.append(("error", "e_b", [float(metric.times(bin)) for bin in chosen]))
        top, count = sum((metric.times(bin) ** 2 for bin in bins), Fraction(0)), Fraction(len(bins))
        name = "Σ_b e_b²"
    else:
        columns.append(("gap", "ȳ_b − p̄_b", [float((bin.positives - bin.predicted) / bin.rows) for bin in chosen]))
        top = sum(((bin.positives - bin.predicted) ** 2 / bin.rows for bin in bins), Fraction(0))
        count, name = sum((bin.rows for bin in bins), Fraction(0)), "Σ_b n_b · (ȳ_b − p̄_b)²"
    grid = excerpt.table("bins", title, columns, unit)
    line = Line("sum", name, sentence, (), real(top))
    return Derivation([grid, line], "√({} / {})", (real(top), plain(count)), metric.of_probabilities(view))


@explains(calibration.CumulativeCalibrationError)
def cumulative(metric: calibration.CumulativeCalibrationError, view: BinaryView) -> Derivation:
    """The running sum at each score, where it is highest and lowest, and its size by chance."""
    table, rows = view.thresholds, float(view.evidence.totals[0])
    sums, (extent, sigma) = calibration.running(table), calibration.spread(table)
    positives, negatives = (column[::-1] for column in table.at)
    places = int(sums.argmax()), int(sums.argmin())
    excerpt = around(len(sums), places[0] if sums[places[0]] > -sums[places[1]] else places[1])
    columns: list[Cells] = [
        ("score", Text("score p", "分数 p"), table.score[::-1]),
        ("positives", Text("positives here", "此处正例"), excerpt.of(positives)),
        ("negatives", Text("negatives here", "此处负例"), excerpt.of(negatives)),
        ("sum", Text("Σ (y − p) so far", "累计 Σ (y − p)"), sums),
    ]
    title = Text(
        "Distinct scores, from the lowest, with the running sum of errors", "互不相同的分数，由低到高，及误差的累计和"
    )
    high, low = max(0.0, float(sums.max())), min(0.0, float(sums.min()))
    steps: list[Step] = [
        excerpt.table("running", title, columns, Text("scores", "个分数")),
        Line("extent", Text("range of the sums, 0 among them", "累计和的极差（含 0）"), "{} − {}", (high, low), extent),
        Line("count", Text("rows n", "行数 n"), "{}", (plain(rows),), plain(rows)),
    ]
    if metric.as_ == "range":
        return Derivation(steps, "{} / {}", (extent, plain(rows)), extent / rows)
    chance = Text("√(Σ p (1 − p)): its size where probabilities are right", "√(Σ p (1 − p))：概率正确时的大小")
    steps.append(Line("sigma", "σ", chance, (), sigma))
    if not sigma:
        return Derivation(steps)
    value = metric.written(extent, sigma, rows)
    if metric.as_ == "sigma":
        return Derivation(steps, "{} / {}", (extent, sigma), value)
    steps.append(Line("scaled", Text("range over σ", "极差 / σ"), "{} / {}", (extent, sigma), extent / sigma))
    words = Text(
        "how often the range of a Brownian motion over a unit of time is larger than {}",
        "单位时间布朗运动的极差大于 {} 的概率",
    )
    return Derivation(steps, words, (extent / sigma,), value)
