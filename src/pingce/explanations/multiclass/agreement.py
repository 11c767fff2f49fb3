"""The whole matrix: accuracy, kappa and the correlation of classes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import mul
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.multiclass.base import OVER_CLASSES, WIDEST, largest_classes, margin_grid, matrix_grid
from pingce.explanations.tables import number_line, numbers_in, plain, real
from pingce.metrics.declared import NAN
from pingce.metrics.multiclass.agreement import Accuracy, Kappa, Matthews, correlation, margins

if TYPE_CHECKING:
    from pingce.evidence.multiclass.confusion import ConfusionEvidence
    from pingce.evidence.multiclass.evidence import ClassView


def _totals(right: object, total: object) -> list[Step]:
    return [
        Line("right", Text("right Σ n_cc", "判对 Σ n_cc"), OVER_CLASSES, (), plain(right)),
        number_line("rows", Text("rows n", "行数 n"), total),
    ]


@explains(Accuracy)
def accuracy(metric: Accuracy, view: ClassView) -> Derivation:
    """The diagonal over all rows."""
    right, total = view.confusion.all_right, view.confusion.total
    steps = [matrix_grid(view.confusion), *_totals(right, total)]
    return Derivation(steps, "{} / {}", (plain(right), plain(total)), right / total)


def _margins(confusion: ConfusionEvidence, *more: tuple[str, str, Floats]) -> list[Step]:
    """The matrix, what the formula needs of each class, and the sums that every formula needs."""
    excerpt = largest_classes(confusion)
    columns = [(key, title, excerpt.of(values)) for key, title, values in more]
    matrix = [matrix_grid(confusion)] if len(confusion) <= WIDEST else []
    n, right, _, _ = margins(confusion)
    return [*matrix, margin_grid(confusion, excerpt, columns), *_totals(right, n)]


def _products(first: Sequence[Fraction], second: Sequence[Fraction]) -> Fraction:
    return sum(map(mul, first, second), Fraction(0))


@explains(Kappa)
def kappa(metric: Kappa, view: ClassView) -> Derivation:
    """Agreement, and that of chance."""
    confusion = view.confusion
    n, right, true, predicted = margins(confusion)
    chance = _products(true, predicted)
    observed, expected = real(right / n), real(chance / (n * n))
    steps = [
        *_margins(
            confusion, ("product", "t_c · p_c", confusion.true.astype(float) * confusion.predicted.astype(float))
        ),
        Line("observed", "p_o", "{} / {}", (plain(right), plain(n)), observed),
        Line("products", "Σ t_c · p_c", OVER_CLASSES, (), plain(chance)),
        Line("expected", "p_e", "{} / {}²", (plain(chance), plain(n)), expected),
    ]
    one_class = np.count_nonzero(confusion.present) == 1
    value = NAN if one_class else float((n * right - chance) / (n * n - chance))
    return Derivation(steps, "({} − {}) / (1 − {})", (observed, expected, expected), value)


@explains(Matthews)
def matthews(metric: Matthews, view: ClassView) -> Derivation:
    """The correlation, from the margins."""
    confusion = view.confusion
    n, right, true, predicted = margins(confusion)
    t, p = confusion.true.astype(float), confusion.predicted.astype(float)
    columns = ("product", "t_c · p_c", t * p), ("true_squared", "t_c²", t * t), ("predicted_squared", "p_c²", p * p)
    together, squares = _products(true, predicted), [_products(side, side) for side in (predicted, true)]
    top = n * right - together
    steps = [
        *_margins(confusion, *columns),
        Line("products", "Σ t_c · p_c", OVER_CLASSES, (), plain(together)),
        Line("predicted_squares", "Σ p_c²", OVER_CLASSES, (), plain(squares[0])),
        Line("true_squares", "Σ t_c²", OVER_CLASSES, (), plain(squares[1])),
        Line("top", "n · Σ n_cc − Σ t_c · p_c", "{} · {} − {}", (plain(n), plain(right), plain(together)), plain(top)),
    ]
    value = correlation(n, right, true, predicted)
    if any(sum(count > 0 for count in side) < 2 for side in (true, predicted)):
        words = Text(
            "Truth or prediction has one class only, so that the root is 0: mcc counts 0 by definition.",
            "真值或预测只有一类，根式为 0：按定义 mcc 取 0。",
        )
        return Derivation([*steps, words], "0", (), value)
    numbers = tuple(numbers_in((top, n, squares[0], n, squares[1])))
    return Derivation(steps, "{} / √(({}² − {}) · ({}² − {}))", numbers, value)
