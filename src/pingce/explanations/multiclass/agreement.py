"""The whole matrix: accuracy, kappa and the correlation of classes."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.text import Text
from pingce.evidence.multiclass.confusion import ConfusionEvidence
from pingce.explanations.columns import Cells
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.multiclass.tables import WIDEST, largest_classes, margin_grid, matrix_grid
from pingce.explanations.numbers import number_line, numbers_in, plain, real
from pingce.explanations.registry import explains
from pingce.metrics.declared import NAN
from pingce.metrics.multiclass.agreement import Accuracy, Kappa, Matthews, correlation, margins

if TYPE_CHECKING:
    from pingce.evidence.multiclass.evidence import ClassView

_OVER_CLASSES = Text("the sum over all classes", "对全部类别求和")


@explains(Accuracy)
def accuracy(metric: Accuracy, view: ClassView) -> Derivation:
    """The diagonal over all rows."""
    confusion = view.confusion
    right, total = plain(confusion.all_right), plain(confusion.total)
    steps = [matrix_grid(confusion), *_totals(right, total)]
    return Derivation(steps, "{} / {}", (right, total), confusion.all_right / confusion.total)


def _totals(right: float, total: float) -> list[Step]:
    return [
        Line("right", Text("right Σ n_cc", "判对 Σ n_cc"), _OVER_CLASSES, (), right),
        number_line("rows", Text("rows n", "行数 n"), total),
    ]


def _margins(confusion: ConfusionEvidence, more: dict[str, tuple[str, Any]]) -> list[Step]:
    """The matrix, and what the formula needs of each class."""
    excerpt = largest_classes(confusion)
    columns: list[Cells] = [
        (key, Text(title, title), numbers_in(values[excerpt.places].tolist())) for key, (title, values) in more.items()
    ]
    matrix: list[Step] = [matrix_grid(confusion)] if len(confusion) <= WIDEST else []
    return [*matrix, margin_grid(confusion, excerpt, columns)]


@explains(Kappa)
def kappa(metric: Kappa, view: ClassView) -> Derivation:
    """Agreement, and that of chance."""
    confusion = view.confusion
    n, right, true, predicted = margins(confusion)
    both = confusion.true.astype(float) * confusion.predicted.astype(float)
    steps = _margins(confusion, {"product": ("t_c · p_c", both)})
    steps += _totals(plain(right), plain(n))
    chance = sum((t * p for t, p in zip(true, predicted, strict=True)), Fraction(0))
    observed, expected = real(right / n), real(chance / (n * n))
    steps += [
        Line("observed", "p_o", "{} / {}", (plain(right), plain(n)), observed),
        Line("products", "Σ t_c · p_c", _OVER_CLASSES, (), plain(chance)),
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
    steps = _margins(
        confusion,
        {"product": ("t_c · p_c", t * p), "true_squared": ("t_c²", t * t), "predicted_squared": ("p_c²", p * p)},
    )
    steps += _totals(plain(right), plain(n))
    products = sum((a * b for a, b in zip(true, predicted, strict=True)), Fraction(0))
    squares = [sum((count * count for count in side), Fraction(0)) for side in (predicted, true)]
    top = n * right - products
    steps += [
        Line("products", "Σ t_c · p_c", _OVER_CLASSES, (), plain(products)),
        Line("predicted_squares", "Σ p_c²", _OVER_CLASSES, (), plain(squares[0])),
        Line("true_squares", "Σ t_c²", _OVER_CLASSES, (), plain(squares[1])),
        Line("top", "n · Σ n_cc − Σ t_c · p_c", "{} · {} − {}", (plain(n), plain(right), plain(products)), plain(top)),
    ]
    value = correlation(n, right, true, predicted)
    if any(sum(count > 0 for count in side) < 2 for side in (true, predicted)):
        steps.append(
            Text(
                "Truth or prediction has one class only, so that the root is 0: mcc counts 0 by definition.",
                "真值或预测只有一类，根式为 0：按定义 mcc 取 0。",
            )
        )
        return Derivation(steps, "0", (), value)
    numbers = (plain(top), plain(n), plain(squares[0]), plain(n), plain(squares[1]))
    return Derivation(steps, "{} / √(({}² − {}) · ({}² − {}))", numbers, value)
