"""Rows split at random, merged as a random tree, some of it by way of bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from hypothesis import strategies as st

from pingce import Evaluator

Made = TypeVar("Made", bound=Evaluator)


@st.composite
def cuts(draw: st.DrawFn, rows: int) -> list[tuple[int, int]]:
    """Begin and end of each batch."""
    inside = draw(st.lists(st.integers(1, max(1, rows - 1)), max_size=5))
    ends = sorted({0, rows, *(cut for cut in inside if cut < rows)})
    return list(pairwise(ends))


def seen(
    make: Callable[[], Made], update: Callable[[Made, slice], Any], batches: Sequence[tuple[int, int]], random: Any
) -> Made:
    """An evaluator that has seen all batches, in any order, by any tree of merges."""
    order = list(batches)
    random.shuffle(order)
    living = [make()]
    for begin, end in order:
        if random.random() < 0.4:
            living.append(make())
        one = random.randrange(len(living))
        update(living[one], slice(begin, end))
        if random.random() < 0.3:
            living[one] = type(living[one]).from_bytes(living[one].to_bytes())
        if len(living) > 1 and random.random() < 0.4:
            other = living.pop(random.randrange(len(living)))
            living[random.randrange(len(living))].merge(other)
    while len(living) > 1:
        living[0].merge(living.pop(random.randrange(1, len(living))))
    if random.random() < 0.5:
        living[0].compute()
    return living[0]


def part(column: Any, rows: slice) -> Any:
    """Some rows of a column that may not be there."""
    return None if column is None else np.asarray(column)[rows]
