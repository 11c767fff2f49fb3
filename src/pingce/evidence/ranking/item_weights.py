"""Weights of judged items in ranking evidence: how much each hit and each judged item weighs, such as by its inverse propensity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.evidence.ranking.findings import Findings
from pingce.evidence.ranking.intents import JudgedItems, judged_items
from pingce.inputs import IntIds, Rows

WEIGHT_COLUMNS = ("hit", "judged")


@dataclass(frozen=True, eq=False)
class ItemWeights:
    """What items weigh, in the order in which evidence has them; of equal grades the heavier item stands first among judged ones."""

    hit: Floats
    judged: Floats

    def of_hits(self, hits: NDArray[Any]) -> ItemWeights:
        """The same with some of the hits."""
        return ItemWeights(self.hit[hits], self.judged)

    def select(self, hits: NDArray[Any] | slice, judged: NDArray[Any] | slice) -> ItemWeights:
        """Some hits and judged items: those of whole queries."""
        return ItemWeights(self.hit[hits], self.judged[judged])

    @staticmethod
    def joined(pieces: Sequence[tuple[ItemWeights | None, int]]) -> ItemWeights | None:
        """Those of several pieces of evidence, one after another; each comes with the number of its judged items."""
        some = [weights for weights, _ in pieces if weights is not None]
        if not some:
            return None
        if any(weights is None and items for weights, items in pieces):
            raise InputError(
                "some judgements have weights of items and others do not; give all of them with weights, or none",
                "部分标注有条目权重，部分没有；请全部给出权重，或全部不给",
            )
        return ItemWeights(*(np.concatenate([getattr(each, name) for each in some]) for name in WEIGHT_COLUMNS))


def weighed_items(truth: Rows, duplicates: str) -> JudgedItems:
    """The items of a truth whose rows have weights, each once; a repeated judgement is settled by policy, with its weight."""
    return judged_items(truth, IntIds(np.zeros(len(truth), np.int64)), duplicates)


def resolve_weights(items: JudgedItems, parts: Findings) -> tuple[Findings, ItemWeights]:
    """What was computed with places for grades, with grades; and the weights of hits and of all judged items."""
    columns, faults, _ = parts
    begin, grade, weight = columns["judged_begin"], items.rows.value, items.rows.weight
    if weight is None:
        raise ValueError("no weights")
    row = columns["grade"].astype(np.int64)
    query = np.repeat(np.arange(len(begin) - 1), np.diff(begin))
    order = np.lexsort((-weight, -grade, query))
    graded = {
        "grade": grade[row],
        "judged": grade[order],
        "truth_repeats": columns["truth_repeats"] + items.repeats,
    }
    parts = parts._replace(columns=columns | graded, faults=faults._replace(truth_duplicate=items.duplicate))
    return parts, ItemWeights(weight[row], weight[order])
