"""What decisions cost: a false alarm and a miss have a price each."""

from __future__ import annotations

from typing import Any

import numpy as np

from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryView
from pingce.evidence.binary.stack import TableStack, quotients
from pingce.evidence.binary.thresholds import Cells, ThresholdEvidence
from pingce.evidence.policies import BinaryPolicies
from pingce.metrics.binary.base import BinaryMetric, LabelledList
from pingce.metrics.binary.decisions import Decision
from pingce.metrics.declared import NAN, About
from pingce.metrics.parameters import Number, parameter

_FP = Text("The cost of a false positive.", "一次误报的代价。")
_FN = Text("The cost of a false negative.", "一次漏报的代价。")


@dataclass(frozen=True, kw_only=True)
class Cost(Decision):
    """What the decision costs per row.

    cost = (c_fp · FP + c_fn · FN) / n                                                                   [elkan2001]
    """

    name = "cost"
    aliases = ("expected_cost",)
    title = Text("Expected cost", "期望代价")
    about = About(
        Text("What does a decision cost, on average?", "平均每次判断要付出多少代价？"),
        Text(
            "Where a false alarm and a miss have prices: fraud, medicine, moderation.",
            "误报与漏报各有代价：风控、医疗、审核。",
        ),
        Text("It is as right as the prices are.", "代价给得准，它才准。"),
        ("best_cost", "cost_threshold"),
        Text("FP 1, FN 0 of 4 rows, at 1 each: 1 / 4 = 0.25", "4 行中 FP 1、FN 0，代价各 1：1 / 4 = 0.25"),
        range="0 … ∞",
        higher_is_better=False,
        also=("代价", "成本", "代价敏感"),
    )

    fp: float = parameter(1, Number(least=0), _FP)
    fn: float = parameter(1, Number(least=0), _FN)

    def of(self, cells: Cells) -> float:
        return float((self.fp * cells.fp + self.fn * cells.fn) / cells.total)


def cost_curve(table: ThresholdEvidence, fp: float, fn: float) -> Floats:
    """The cost of all rows at each threshold, and first that of calling nothing positive."""
    costs = float(fp) * table.fp + float(fn) * (table.positives - table.tp)
    return np.concatenate([[float(fn) * float(table.positives)], costs])


@dataclass(frozen=True, kw_only=True)
class BestCost(BinaryMetric):
    """The least that any threshold costs per row; to call nothing positive is one of them.

    best_cost = min over thresholds (c_fp · FP + c_fn · FN) / n                                          [elkan2001]
    """

    name = "best_cost"
    title = Text("Least expected cost", "最低期望代价")
    formula_zh = "best_cost = 所有阈值下 (c_fp · FP + c_fn · FN) / n 的最小值"
    needs = "thresholds"
    no_interval = Text(
        "it is the least of many costs, too low on average, and drawing rows anew makes it lower",
        "它是许多代价中最低的一个，平均偏低，对行重新抽样会更低",
    )
    about = About(
        Text("How cheap can decisions be with the right threshold?", "阈值选得最好时，代价能低到多少？"),
        Text("Comparing models before a threshold is chosen.", "选定阈值之前比较模型。"),
        Text("A threshold chosen on the test data is too optimistic.", "在测试集上选阈值会偏乐观。"),
        ("cost", "cost_threshold"),
        Text("At 0.7: FP 1, FN 0: 1 / 4 = 0.25", "在 0.7 处：FP 1，FN 0：1 / 4 = 0.25"),
        range="0 … ∞",
        higher_is_better=False,
        also=("代价", "成本"),
    )

    fp: float = parameter(1, Number(least=0), _FP)
    fn: float = parameter(1, Number(least=0), _FN)

    def value(self, view: BinaryView) -> float:
        table = view.thresholds
        return float(cost_curve(table, self.fp, self.fn).min()) / float(table.positives + table.negatives)

    def values(self, stack: TableStack, policies: BinaryPolicies) -> Floats:
        costs = self.fp * stack.fp + self.fn * (stack.positives - stack.tp)
        least = np.minimum(costs.min(axis=1), self.fn * stack.positives[:, 0])
        return quotients(least, (stack.positives + stack.negatives)[:, 0])

    def costs(self, rows: LabelledList) -> list[tuple[float, float]]:
        """The cost at each threshold, from the highest; first that above all scores."""
        total, positives = rows.count(0) + rows.count(1), rows.count(1)
        decided = [((self.fp * cells.fp + self.fn * cells.fn) / total, score) for score, cells in rows.at_thresholds()]
        return [(self.fn * positives / total, NAN), *decided]

    def define(self, rows: LabelledList) -> float:
        return min(cost for cost, _ in self.costs(rows))


class CostThreshold(BestCost):
    """The threshold that costs least; of several the highest.

    cost_threshold = argmin over thresholds (c_fp · FP + c_fn · FN), the highest of several              [elkan2001]
    """

    name = "cost_threshold"
    title = Text("Threshold of the least cost", "最低代价的阈值")
    formula_zh = "cost_threshold = 使 c_fp · FP + c_fn · FN 最小的阈值；有多个时取最高者"
    uses = "scores"
    no_interval = Text(
        "where a curve is lowest jumps from sample to sample, and drawing rows anew does not show how far",
        "曲线最低处的位置会随样本跳动，对行重新抽样也显不出跳动的范围",
    )
    about = About(
        Text("Which threshold costs least?", "阈值取多少时代价最低？"),
        Text("Choosing a threshold by prices, on data apart from the test.", "按代价选阈值（在测试集之外的数据上）。"),
        Text("It is as right as the prices are.", "代价给得准，它才准。"),
        ("best_cost", "cost"),
        Text("0.25 at 0.9 and at 0.7: the highest is 0.9", "0.9 与 0.7 处都是 0.25：取较高者 0.9"),
        range="a score",
        undefined=Text("to call nothing positive costs no more than any threshold", "一律判为负的代价不高于任何阈值"),
        higher_is_better=None,
    )

    def place(self, table: ThresholdEvidence) -> int:
        """The place of the threshold in the curve of costs: 0 is above all scores."""
        curve: Any = cost_curve(table, self.fp, self.fn)
        return int(np.argmax(curve <= curve.min() * (1 + (1e-12 if table.weighted else 0.0))))

    def value(self, view: BinaryView) -> float:
        place = self.place(view.thresholds)
        return float(view.thresholds.score[place - 1]) if place else NAN

    def define(self, rows: LabelledList) -> float:
        costs = self.costs(rows)
        least = min(cost for cost, _ in costs)
        return next(score for cost, score in costs if cost == least)
