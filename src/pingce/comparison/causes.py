"""Why two definitions give two values: choices that are switched one at a time, from the first value to the last."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from pingce.base.records import dataclass

Names = tuple[str, ...]
Values = Callable[[Sequence[Names]], list[float | None]]
"The value with each of some sets of choices switched; None where a set means nothing."


@dataclass(frozen=True)
class Step:
    """Choices that are switched together, most often a single one, and the value from then on."""

    names: Names
    value: float


def path(different: Sequence[str], values: Values, start: float, end: float) -> list[Step]:
    """Steps that change the value and end where all choices are switched; the largest effect first.

    Steps may cancel, so that the path ends where it began; it is empty where no choice changes anything.
    """
    alone = values([(name,) for name in different])
    effect = dict(zip(different, (_effect(value, start) for value in alone), strict=True))
    if same(start, end) and not any(0 < size < math.inf for size in effect.values()):
        return []
    order = sorted(different, key=lambda name: (effect[name] == math.inf, -effect[name]))
    steps = _in_order(order, values, start)
    return steps if _hold(steps, order, values) else _by_turns(order, values, start, end)


def same(first: float, second: float) -> bool:
    """Whether two values are equal, or both undefined."""
    return first == second or (math.isnan(first) and math.isnan(second))


def _effect(value: float | None, now: float) -> float:
    """How far a switch leads away; infinitely where the value, or the switch alone, means nothing."""
    if value is None:
        return math.inf
    if same(value, now):
        return 0.0
    return math.inf if math.isnan(value) or math.isnan(now) else abs(value - now)


def _in_order(order: Sequence[str], values: Values, start: float) -> list[Step]:
    """The steps of an order, without those that change nothing at their turn."""
    steps: list[Step] = []
    now, waiting = start, list[str]()
    for name, value in zip(order, values([tuple(order[: i + 1]) for i in range(len(order))]), strict=True):
        waiting.append(name)
        if value is None:
            continue
        if not same(value, now):
            steps.append(Step(tuple(waiting), value))
        now, waiting = value, []
    return steps


def _hold(steps: Sequence[Step], order: Sequence[str], values: Values) -> bool:
    """Whether the steps lead there by themselves: a choice that was left out may matter to a later one."""
    names = [step.names for step in steps]
    switched = [sum(names[: i + 1], ()) for i in range(len(names))]
    if not steps or switched[-1] == tuple(order[: len(switched[-1])]):
        return True
    again = values(switched)
    return all(value is not None and same(value, step.value) for value, step in zip(again, steps, strict=True))


def _by_turns(order: Sequence[str], values: Values, start: float, end: float) -> list[Step]:
    """Switch the choice with the largest effect at each turn; where none has one alone, the fewest that have together."""
    steps: list[Step] = []
    done: Names = ()
    left, now = list(order), start
    while left:
        tried = values([(*done, name) for name in left])
        able = {name: value for name, value in zip(left, tried, strict=True) if value is not None}
        best = max(able, key=lambda name: _effect(able[name], now), default=None)
        if best is not None and _effect(able[best], now):
            steps.append(Step((best,), able[best]))
        elif same(now, end):
            break
        else:
            steps.append(_together(left, done, values, now))
        done, now = (*done, *steps[-1].names), steps[-1].value
        left = [name for name in left if name not in done]
    return steps


def _together(left: Sequence[str], done: Names, values: Values, now: float) -> Step:
    """Choices that matter only together, without those of them that need not be there."""
    several = values([(*done, *left[: i + 1]) for i in range(len(left))])
    size, value = next(
        (i + 1, candidate) for i, candidate in enumerate(several) if candidate is not None and not same(candidate, now)
    )
    names = list(left[:size])
    for name in left[: size - 1]:
        fewer = [other for other in names if other != name]
        (without,) = values([(*done, *fewer)])
        if without is not None and same(without, value):
            names = fewer
    return Step(tuple(names), value)
