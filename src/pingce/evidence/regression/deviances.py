"""What single rows add to sums that need logarithms and powers: by the C library, since NumPy's own have other bits on other CPUs."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.inputs.regression import NumberRows

_LN2 = math.log(2.0)


def log_cosh(error: Floats) -> Floats:
    """ln cosh e of each error: |e| + ln(1 + e^(−2|e|)) − ln 2, which no size is too large for."""
    if (core := native_core()) is not None:
        return core.log_cosh(np.ascontiguousarray(error), thread_count())
    return np.fromiter(map(log_cosh_of, error.tolist()), np.float64, len(error))


def log_cosh_of(error: float) -> float:
    """ln cosh e; of a small e by its series, where the logarithm of 2 would leave nothing of it."""
    size = abs(error)
    if size < 0.05:
        square = size * size
        return square * (1 / 2 - square * (1 / 12 - square * (1 / 45 - square * (17 / 2520 - square * 31 / 14175))))
    return size + math.log1p(math.exp(-2 * size)) - _LN2


def deviance_of(true: float, predicted: float, power: float) -> float:
    """The Tweedie deviance of one row."""
    if power == 0:
        return (predicted - true) * (predicted - true)
    if power == 1:
        return 2 * ((true * math.log(true / predicted) if true else 0.0) - true + predicted)
    if power == 2:
        return 2 * (math.log(predicted / true) + true / predicted - 1)
    truth_term = math.pow(max(true, 0.0), 2 - power) / ((1 - power) * (2 - power))
    rest = math.pow(predicted, 2 - power) / (2 - power) - true * math.pow(predicted, 1 - power) / (1 - power)
    return 2 * (truth_term + rest)


def deviances(rows: NumberRows, power: float) -> Floats:
    """The deviance of each row; never below 0, whatever was rounded."""
    if (core := native_core()) is not None:
        return core.deviances(*rows.in_memory_order(), power, thread_count())
    pairs = zip(rows.true.tolist(), rows.predicted.tolist(), strict=True)
    return np.fromiter((max(deviance_of(*pair, power), 0.0) for pair in pairs), np.float64, len(rows))


def checked_deviances(rows: NumberRows, power: float) -> Floats:
    """The deviance of each row; numbers that have none at this power are refused."""
    bad_true, bad_predicted = _refused(rows, power)
    row = next(iter(np.flatnonzero(bad_true | bad_predicted).tolist()), None)
    if row is not None:
        raise _no_deviance(rows, row, power, is_true=bool(bad_true[row]))
    try:
        values = deviances(rows, power)
    except (OverflowError, ValueError):  # of Python alone: the core gives no number
        values = np.full(1, np.inf)
    if not np.isfinite(values).all():
        raise InputError(
            f"tweedie(power={power:g}): a deviance is beyond the range of doubles; scale both columns, or use mae",
            f"tweedie(power={power:g})：有偏差超出双精度范围；请缩放两列，或改用 mae",
        )
    return values


def _refused(rows: NumberRows, power: float) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Rows whose true, and whose predicted, number has no deviance."""
    none = np.zeros(len(rows), bool)
    if power == 0:
        return none, none
    true = rows.true <= 0 if power >= 2 else rows.true < 0 if power >= 1 else none
    return true, rows.predicted <= 0


def _no_deviance(rows: NumberRows, row: int, power: float, *, is_true: bool) -> InputError:
    number = (rows.true if is_true else rows.predicted)[row]
    side = Text("true", "真实") if is_true else Text("predicted", "预测")
    least = Text("of 0 or more", "不小于 0") if is_true and power < 2 else Text("above 0", "大于 0")
    place = rows.place_of(row) if is_true else rows.predicted_place_of(row)
    return InputError(
        f"{place.en}: tweedie(power={power:g}) needs {side.en} numbers {least.en}, but this one is {number:g}; "
        "use power=0, mae or rmse, or leave such rows out",
        f"{place.zh}：tweedie(power={power:g}) 要求{side.zh}值{least.zh}，而此处为 {number:g}；"
        "请改用 power=0、mae 或 rmse，或去掉这些行",
    )
