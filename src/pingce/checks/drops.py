"""Whether a drop is chance: tested unit by unit where units were saved, else by the intervals that were."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from pingce.base.erfc import erfc
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.checks.result import UnjudgedError
from pingce.metrics.grammar import parse_metric
from pingce.scores.saved import SavedMetric, SavedScores
from pingce.scores.signature import weighted_units

if TYPE_CHECKING:
    from pingce.base.exact import Floats, Places

Side: TypeAlias = tuple[SavedScores, SavedMetric]


@dataclass(frozen=True)
class Trial:
    """How drops are tested."""

    alpha: float = 0.05
    samples: int = 100_000
    seed: int = 0


class Units(NamedTuple):
    """The value of each query or group; groups count by their weights."""

    ids: Sequence[str | int]
    values: Floats
    weights: Floats | None = None

    def take(self, places: Places) -> Units:
        """Some of them, in this order."""
        weights = None if self.weights is None else self.weights[places]
        return Units([self.ids[at] for at in places], self.values[places], weights)

    @property
    def counted(self) -> Floats:
        """Each value as it counts in the mean."""
        counted: Floats = self.values if self.weights is None else self.values * self.weights / self.weights.mean()
        return counted

    @property
    def linear(self) -> Floats:
        """The weighted mean V and how each unit moves it: V + w·(v − V) / w̄. Without weights, the values."""
        if self.weights is None or not len(self.weights):
            return self.values
        mean = (self.values * self.weights).sum() / self.weights.sum()
        linear: Floats = mean + self.weights * (self.values - mean) / self.weights.mean()
        return linear


class UnitPairs(NamedTuple):
    """The differences of the units that both have, candidate less baseline, in the order of their ids."""

    differences: Floats
    "Of gauc, of each group's AUC as it counts in the value."
    linear: Floats
    "With the difference of the values as mean and its standard error as that of their mean; of queries, the differences."
    alone: int
    "Units that only one of the two has."
    unit: Text

    @property
    def only(self) -> Text:
        """How many are in one of the two only, as a clause."""
        alone = self.alone
        return Text(f", {alone} in one of the two only", f"，另有 {alone} 个只在其一") if alone else Text("", "")


def unit_pairs(candidate: Side, baseline: Side) -> UnitPairs:
    """The queries (for gauc: the groups) that both have; at least two."""
    import numpy as np

    new, old = _each(*candidate), _each(*baseline)
    ids = new.ids
    place = {unit_id: at for at, unit_id in enumerate(old.ids)}
    both = [(at, place[unit_id]) for at, unit_id in enumerate(ids) if unit_id in place]
    unit = Text("groups", "组") if candidate[1].unit == "groups" else Text("queries", "查询")
    if len(both) < 2:
        raise UnjudgedError(
            f"whether the drop is significant cannot be tested: {len(both)} {unit.en} are in both",
            f"无法检验下降是否显著：两者共有的{unit.zh}为 {len(both)} 个",
        )
    both.sort(key=lambda pair: (isinstance(ids[pair[0]], str), ids[pair[0]]))
    here, there = (np.array(side) for side in zip(*both, strict=True))
    with np.errstate(all="ignore"):
        differences = new.counted[here] - old.counted[there]
        defined = ~np.isnan(differences)
        linear = new.take(here[defined]).linear - old.take(there[defined]).linear
    return UnitPairs(differences, linear, len(ids) + len(old.ids) - 2 * len(both), unit)


def refuse_too_large(pairs: UnitPairs) -> None:
    """Refuse differences whose sum is beyond what a double holds."""
    import numpy as np

    with np.errstate(all="ignore"):
        total = np.nansum(np.abs(pairs.differences)) + np.nansum(np.abs(pairs.linear))
    if not math.isfinite(total):
        raise UnjudgedError(
            f"the drop cannot be tested: values of the {pairs.unit.en} are too large to be summed",
            f"无法检验下降：{pairs.unit.zh}的值过大，无法求和",
        )


def paired(candidate: Side, baseline: Side, trial: Trial, *, better: bool) -> tuple[float, Text]:
    """p of the paired permutation test over the queries (for gauc: the groups) that both have, and the test in words."""
    import numpy as np

    from pingce.stats.paired import paired_p

    pairs = unit_pairs(candidate, baseline)
    refuse_too_large(pairs)
    differences, unit, only = pairs.differences, pairs.unit, pairs.only
    count = int(np.count_nonzero(~np.isnan(differences)))
    p = float(paired_p(differences[:, None], samples=trial.samples, seed=trial.seed)[0])
    if math.isnan(p):
        raise UnjudgedError("the drop cannot be tested: no pair has two values", "无法检验下降：没有一对都有数值")
    if pairs.alone or count < len(differences) or p <= trial.alpha:
        _refuse_other_way(differences if better else -differences, unit)
    return p, Text(
        f"paired permutation test, {count} {unit.en}{only.en}", f"配对置换检验，{count} 个{unit.zh}{only.zh}"
    )


def _refuse_other_way(rises: Floats, unit: Text) -> None:
    """The drop is of all, the test of the pairs: a drop that the pairs do not show comes from what only one of them has."""
    defined = [rise for rise in rises.tolist() if not math.isnan(rise)]
    if math.fsum(defined) >= 0:
        raise UnjudgedError(
            f"the drop cannot be tested: on the {len(defined)} {unit.en} with a value in both it is not worse, so that the drop "
            f"comes from {unit.en} with a value in one of the two only; evaluate both on the same {unit.en}",
            f"无法检验下降：在两者都有数值的 {len(defined)} 个{unit.zh}上并未变差，下降来自只有其一有数值的{unit.zh}；请在相同的{unit.zh}上评测两者",
        )


def _each(document: SavedScores, metric: SavedMetric) -> Units:
    """The value of each query; of gauc, of each group with its weight."""
    table, source = document.per, document.source
    kind: Any = parse_metric(metric.id, task=document.task).metric
    if metric.unit == "groups" and table is not None and table.unit == "group":
        first = next(each for each in document.metrics.values() if each.unit == "groups")
        if first.definition != metric.definition:
            raise UnjudgedError(
                f"groups were saved with the weights of {first.name}, not of this; check it in a document of its own",
                f"保存的分组权重属于 {first.name}，而不是该指标；请单独保存后再检查",
            )
        if not {"auc", "weight"} <= set(table.columns):
            raise UnjudgedError(
                f"{source.en} lacks auc or weight of each group, so that the drop cannot be tested; save it anew",
                f"{source.zh} 缺少各组的 auc 或 weight，无法检验下降；请重新保存",
            )
        return Units(table.ids, table.values("auc"), table.values("weight"))
    if not getattr(kind, "is_mean", True):
        raise UnjudgedError(
            "it is no mean over queries, so that its drop cannot be tested", "该指标不是对查询的均值，无法检验其下降"
        )
    if (units := weighted_units(metric.signature)) is not None:
        raise UnjudgedError(
            f"in {source.en} {units.en} are weighted, but a document has no weights, so that the drop cannot be tested; "
            "use --max-drop alone, or pingce compare",
            f"{source.zh} 按{units.zh}加权，而文档中没有权重，无法检验下降；请只用 --max-drop，或用 pingce compare",
        )
    if table is None or metric.name not in table.columns:
        raise UnjudgedError(
            f"{source.en} has no value of each query, so that the drop cannot be tested; save it with "
            "pingce eval -q -f json, or to_json(per_query=True)",
            f"{source.zh} 没有每个查询的值，无法检验下降；请用 pingce eval -q -f json 或 to_json(per_query=True) 保存",
        )
    return Units(table.ids, table.values(metric.name))


def unpaired(candidate: Side, baseline: Side, *, better: bool) -> tuple[float, Text]:
    """p of the drop as if both were of other rows, which on the same rows is too large, and the test in words."""
    error, test = interval_error(candidate, baseline, below=not better)
    return erfc(abs(candidate[1].value - baseline[1].value) / error / math.sqrt(2)), test


def interval_error(candidate: Side, baseline: Side, *, below: bool) -> tuple[float, Text]:
    """The standard error of the difference as if both were of other rows, and the test by it in words.

    `below`: the candidate may truly be lower than it looks, and the baseline higher; else the other way round. The standard
    error of each is that half of its interval; where only one has one, it stands for both, as of so many rows.
    """
    new, old = candidate[1], baseline[1]
    now, before = _error(new, below=below), _error(old, below=not below)
    which = Text("one saved interval for both", "以一份保存的区间代表两者")
    if math.isnan(before) and math.isnan(now):
        raise _unsaved(*baseline)
    if math.isnan(now):
        now = before * math.sqrt(old.n / new.n) if new.n else before
    elif math.isnan(before):
        before = now * math.sqrt(new.n / old.n) if old.n else now
    else:
        which = Text("saved intervals", "保存的区间")
    error = math.hypot(now, before)
    if not error:
        raise UnjudgedError(
            "the drop cannot be tested: the saved intervals have no width", "无法检验下降：保存的区间宽度为零"
        )
    return error, Text(
        f"unpaired z test by {which.en}: cautious where both are of the same rows; pingce compare pairs them",
        f"按{which.zh}做不配对 z 检验：两者来自相同的行时偏保守；pingce compare 会配对",
    )


def _error(metric: SavedMetric, *, below: bool) -> float:
    """The standard error that an interval stands for, from the value to one of its ends; NaN without an interval."""
    if metric.interval is None or not metric.confidence or math.isnan(metric.interval[0]):
        return math.nan
    low, high = metric.interval
    half = metric.value - low if below else high - metric.value
    return half / NormalDist().inv_cdf((1 + metric.confidence) / 2)


def _unsaved(document: SavedScores, metric: SavedMetric) -> UnjudgedError:
    reason = parse_metric(metric.id, task=document.task).metric.no_interval
    if reason is not None:
        return UnjudgedError(
            f"whether the drop is significant cannot be tested: {metric.name} has no confidence interval ({reason.en}); use "
            "--max-drop alone",
            f"无法检验下降是否显著：{metric.name} 没有置信区间（{reason.zh}）；请只用 --max-drop",
        )
    return UnjudgedError(
        f"whether the drop of {metric.name} is significant cannot be tested: {document.source.en} has no confidence interval; save "
        "the baseline with pingce eval --ci 0.95 -f json (in Python ci=0.95, then to_json()), or use --max-drop alone",
        f"无法检验 {metric.name} 的下降是否显著：{document.source.zh} 没有置信区间；请用 pingce eval --ci 0.95 -f json 保存基线"
        "（Python 中为 ci=0.95 再 to_json()），或只用 --max-drop",
    )
