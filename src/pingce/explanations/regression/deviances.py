"""Losses of quantiles and of counts: each row's, largest first, the sum, and the best constant beside it."""

from __future__ import annotations

from fractions import Fraction

from pingce.base.text import Text
from pingce.evidence.regression.deviances import deviances as deviances_of
from pingce.evidence.regression.evidence import ErrorEvidence
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.regression.errors import contributions, term_grid
from pingce.explanations.tables import mean_steps, plain, real
from pingce.metrics.regression import deviances


def _pinball_steps(view: ErrorEvidence, alpha: float) -> tuple[list[Step], Fraction]:
    rows, sums, total = view.data.counted(), view.sums, deviances.Pinball(alpha=alpha).total(view)
    name = f"max({alpha:g} · (y − ŷ), {alpha - 1:g} · (y − ŷ))"
    grid = term_grid(rows, "pinball", name, deviances.Pinball(alpha=alpha).row_losses(rows))
    return mean_steps(grid, name, total, sums["weight"], weighted=view.weighted), total


@explains(deviances.Pinball)
def pinball(metric: deviances.Pinball, view: ErrorEvidence) -> Derivation:
    """The mean of what each row adds."""
    steps, total = _pinball_steps(view, metric.alpha)
    numbers = real(total), plain(view.sums["weight"])
    return Derivation(steps, "{} / {}", numbers, metric.value(view))


@explains(deviances.PinballShare)
def pinball_share(metric: deviances.PinballShare, view: ErrorEvidence) -> Derivation:
    """The mean loss beside that of the quantile."""
    rows = view.rows_for(metric.name)
    if not len(rows):
        return Derivation([])
    steps, _ = _pinball_steps(view, metric.alpha)
    loss, best = deviances.Pinball(alpha=metric.alpha).value(view), real(metric.constant_loss(rows))
    words = Text("the quantile of the truth", "真值的分位数")
    steps += [
        Line("loss", "pinball(ŷ)", Text("the mean of these", "以上各项的平均"), (), loss),
        Line("constant", "q", words, (), metric.constant(rows)),
        Line("best", "pinball(q)", Text("the same of always predicting q", "一律预测 q 时的同一损失"), (), best),
    ]
    return Derivation(steps, "1 − {} / {}", (loss, best), metric.value(view))


def _deviance_steps(view: ErrorEvidence, name: str, power: float) -> list[Step]:
    rows, title = view.data.counted(), f"d(y, ŷ), p = {power:g}"
    is_square = power == 0
    grid = (
        contributions(rows, "squared") if is_square else term_grid(rows, "deviance", title, deviances_of(rows, power))
    )
    return mean_steps(grid, title, view.sums[name], view.sums["weight"], weighted=view.weighted)


@explains(deviances.Tweedie)
def deviance(metric: deviances.Tweedie, view: ErrorEvidence) -> Derivation:
    """The mean of the deviances."""
    top, bottom = view.sums[metric.needs[0]], view.sums["weight"]
    steps = _deviance_steps(view, metric.needs[0], metric.power)
    return Derivation(steps, "{} / {}", (real(top), plain(bottom)), metric.quotient(top, bottom))


@explains(deviances.TweedieShare)
def deviance_share(metric: deviances.TweedieShare, view: ErrorEvidence) -> Derivation:
    """The sum of the deviances beside that of the mean."""
    top, best = view.sums[metric.needs[0]], metric.constant_deviance(view.rows_for(metric.name))
    words = Text("the sum of always predicting the mean of y", "一律预测 y 的平均时之和")
    steps = [*_deviance_steps(view, metric.needs[0], metric.power), Line("best", "Σ d(y, ȳ)", words, (), real(best))]
    return Derivation(steps, "1 − {} / {}", (real(top), real(best)), metric.value(view))
