"""Values against rules. Limits are compared exactly, as they are written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from pingce.base.errors import did_you_mean
from pingce.base.text import Text
from pingce.checks.result import CheckRow, UnjudgedError
from pingce.checks.rules import Rule
from pingce.scores.saved import SavedMetric, SavedScores

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Side = tuple[SavedScores, SavedMetric]


@dataclass(frozen=True)
class Trial:
    """How drops are tested."""

    alpha: float = 0.05
    samples: int = 100_000
    seed: int = 0


def judge(rules: Sequence[Rule], candidate: SavedScores, baseline: SavedScores | None, trial: Trial) -> list[CheckRow]:
    """Every rule on one run or model."""
    return [_judge(rule, candidate, baseline, trial) for rule in rules]


def _judge(rule: Rule, candidate: SavedScores, baseline: SavedScores | None, trial: Trial) -> CheckRow:
    row = CheckRow(rule.metric, str(rule.words), rule.kind, rule.written, value=None, passed=None, run=candidate.run)
    try:
        metric = _find(rule, candidate)
        value = metric.value if math.isfinite(metric.value) else None
        row = replace(row, value=value, signature=metric.signature)
        exact = _exact(metric, candidate)
        if rule.kind == "max_drop":
            return _judge_drop(row, rule, candidate, _baseline(baseline), trial)
        margin = exact - rule.limit if rule.kind == "min" else rule.limit - exact
        return replace(row, margin=float(margin), passed=margin >= 0)
    except UnjudgedError as problem:
        return replace(row, reason=problem.reason)


def _baseline(baseline: SavedScores | None) -> SavedScores:
    if baseline is None:
        raise UnjudgedError(
            "a drop needs a baseline; give one with baseline= or --baseline",
            "判断下降需要基线；请用 baseline= 或 --baseline 给出",
        )
    return baseline


def _find(rule: Rule, document: SavedScores) -> SavedMetric:
    metric = document.find(rule.metric)
    if metric is None:
        names = ", ".join(document.metrics)
        hint = did_you_mean(rule.metric, document.metrics)
        raise UnjudgedError(
            f"{document.source.en} does not have it; it has {names}{hint.en}",
            f"{document.source.zh} 中没有该指标；现有 {names}{hint.zh}",
        )
    return metric


def _exact(metric: SavedMetric, document: SavedScores) -> Fraction:
    if not math.isfinite(metric.value):
        word = Text("undefined", "没有定义") if math.isnan(metric.value) else Text("infinite", "无穷大")
        raise UnjudgedError(f"the value in {document.source.en} is {word.en}", f"{document.source.zh} 中该值{word.zh}")
    return Fraction(repr(metric.value))


def _judge_drop(row: CheckRow, rule: Rule, candidate: SavedScores, baseline: SavedScores, trial: Trial) -> CheckRow:
    """A drop is a change for the worse: of a loss, a rise."""
    new, old = _find(rule, candidate), _find(rule, baseline)
    if new.definition != old.definition:
        raise UnjudgedError(
            f"the definitions differ: here {new.signature}, in {baseline.source.en} {old.signature}; evaluate both alike",
            f"定义不同：此处为 {new.signature}，{baseline.source.zh} 中为 {old.signature}；请用相同的定义评测",
        )
    better = _direction(rule, candidate)
    value, before = _exact(new, candidate), _exact(old, baseline)
    drop = before - value if better else value - before
    allowed = abs(before) * rule.limit / 100 if rule.percent else rule.limit
    row = replace(row, baseline=old.value, margin=float(allowed - drop), passed=drop <= allowed)
    if row.passed or not rule.significant:
        return row
    sides = (candidate, new), (baseline, old)
    if _has_pairs(*sides):
        p, reason = _tested(rule, *sides, trial, better=better)
    else:
        from pingce.checks.unpaired import unpaired

        p, reason = unpaired(*sides, trial.alpha, better=better)
    return replace(row, p=p, passed=p > trial.alpha, reason=reason)


def _has_pairs(candidate: Side, baseline: Side) -> bool:
    """Whether the drop is tested unit by unit; of groups that were not saved, by the intervals that were."""
    sides = (candidate, baseline)
    if candidate[1].unit != "groups":
        return candidate[1].unit == "queries"
    are_saved = all(document.per is not None and document.per.unit == "group" for document, _ in sides)
    return are_saved or all(metric.interval is None for _, metric in sides)


def _direction(rule: Rule, document: SavedScores) -> bool:
    from pingce.metrics.grammar import parse_metric

    better = parse_metric(rule.metric, task=document.task).metric.about.higher_is_better
    if better is None:
        raise UnjudgedError(
            "neither more nor less of it is better, so that it cannot drop; use min and max",
            "该指标没有高低优劣之分，无所谓下降；请用 min 与 max",
        )
    return bool(better)


def _tested(rule: Rule, candidate: Side, baseline: Side, trial: Trial, *, better: bool) -> tuple[float, Text]:
    """p of the paired permutation test over the queries (for gauc: the groups) that both have, and how it was reached."""
    import numpy as np

    from pingce.stats.paired import paired_p

    ids, new = _each(rule, *candidate)
    others, old = _each(rule, *baseline)
    place = {unit_id: at for at, unit_id in enumerate(others)}
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
        differences = new[here] - old[there]
        total = np.nansum(np.abs(differences))
    if not math.isfinite(total):
        raise UnjudgedError(
            f"the drop cannot be tested: values of the {unit.en} are too large to be summed",
            f"无法检验下降：{unit.zh}的值过大，无法求和",
        )
    pairs = int(np.count_nonzero(~np.isnan(differences)))
    alone = len(ids) + len(others) - 2 * len(both)
    p = float(paired_p(differences[:, None], samples=trial.samples, seed=trial.seed)[0])
    if math.isnan(p):
        raise UnjudgedError("the drop cannot be tested: no pair has two values", "无法检验下降：没有一对都有数值")
    if alone or pairs < len(both) or p <= trial.alpha:
        _refuse_other_way(differences if better else -differences, unit)
    word = Text("significant", "显著") if p <= trial.alpha else Text("not significant", "不显著")
    only = Text(f", {alone} in one of the two only", f"，另有 {alone} 个只在其一") if alone else Text("", "")
    return p, Text(
        f"the drop is {word.en}: p = {p:.4g} against {trial.alpha:g} (paired permutation test, {pairs} {unit.en}{only.en})",
        f"下降{word.zh}：p = {p:.4g}，界限 {trial.alpha:g}（配对置换检验，{pairs} 个{unit.zh}{only.zh}）",
    )


def _refuse_other_way(rises: NDArray[np.float64], unit: Text) -> None:
    """The drop is of all, the test of the pairs: a drop that the pairs do not show comes from what only one of them has."""
    defined = [rise for rise in rises.tolist() if not math.isnan(rise)]
    if math.fsum(defined) >= 0:
        raise UnjudgedError(
            f"the drop cannot be tested: on the {len(defined)} {unit.en} with a value in both it is not worse, so that the drop "
            f"comes from {unit.en} with a value in one of the two only; evaluate both on the same {unit.en}",
            f"无法检验下降：在两者都有数值的 {len(defined)} 个{unit.zh}上并未变差，下降来自只有其一有数值的{unit.zh}；请在相同的{unit.zh}上评测两者",
        )


def _each(rule: Rule, document: SavedScores, metric: SavedMetric) -> tuple[Sequence[str | int], NDArray[np.float64]]:
    """The value of each query; of gauc, of each group as it counts in the value."""
    import numpy as np

    from pingce.metrics.grammar import parse_metric

    table = document.per
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
                f"{document.source.en} lacks auc or weight of each group, so that the drop cannot be tested; save it anew",
                f"{document.source.zh} 缺少各组的 auc 或 weight，无法检验下降；请重新保存",
            )
        weight = table.values("weight")
        with np.errstate(all="ignore"):
            return table.ids, table.values("auc") * weight / weight.mean()
    if not getattr(kind, "is_mean", True):
        raise UnjudgedError(
            "it is no mean over queries, so that its drop cannot be tested", "该指标不是对查询的均值，无法检验其下降"
        )
    if "query_weight:given" in metric.signature.split("|"):
        raise UnjudgedError(
            f"in {document.source.en} queries are weighted, but a document has no weights, so that the drop cannot be tested; "
            "use --max-drop alone, or pingce compare",
            f"{document.source.zh} 按查询加权，而文档中没有权重，无法检验下降；请只用 --max-drop，或用 pingce compare",
        )
    if table is None or metric.name not in table.columns:
        raise UnjudgedError(
            f"{document.source.en} has no value of each query, so that the drop cannot be tested; save it with "
            "pingce eval -q -f json, or to_json(per_query=True)",
            f"{document.source.zh} 没有每个查询的值，无法检验下降；请用 pingce eval -q -f json 或 to_json(per_query=True) 保存",
        )
    return table.ids, table.values(metric.name)
