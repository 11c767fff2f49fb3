"""Sentences beside the numbers of a comparison: how it was tested, what to beware of, what the curves show."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pingce.base.errors import InputError
from pingce.base.text import Text, counted
from pingce.comparison.paired import interval_method
from pingce.comparison.results import NO_SPREAD, MeasuredMetric
from pingce.comparison.rows import has_groups
from pingce.curves.compare import CurveComparison, compare_curves
from pingce.metrics.declared import registry
from pingce.scores.signature import is_weighted
from pingce.stats.means import METHODS, method_used
from pingce.stats.paired import CORRECTIONS, test_name
from pingce.stats.permutation import EXACT
from pingce.tasks import TASKS

if TYPE_CHECKING:
    from pingce.comparison.result import Comparison


def how(comparison: Comparison) -> tuple[Text, ...]:
    """A line for tests, one for intervals, one for letters."""
    return (
        _tests(comparison),
        *_gaps(comparison),
        _meaning(comparison),
        _intervals(comparison),
        _letters(comparison),
    )


def _gaps(comparison: Comparison) -> list[Text]:
    """How gaps between groups were tested, and their groups."""
    if not comparison.gaps:
        return []
    gap = next(iter(comparison.gaps.values())).first
    draws = comparison.settings.cell_draws if TASKS[comparison.task].of_rows else comparison.settings.draws
    correction, zh = CORRECTIONS[gap.correction], {"queries": "查询", "rows": "行"}[gap.unit]
    return [
        Text(
            f"gaps: the {gap.unit} of each group are drawn {draws:,} times, the same for both models; differences on single "
            f"groups: {correction.en}, over the groups of a gap",
            f"差距：各组内的{zh}重新抽样 {draws:,} 次，两个模型抽到的相同；单个组上的差异：{correction.zh}，按该差距的各组",
        )
    ]


def _tests(comparison: Comparison) -> Text:
    """Which test each metric got; once where all got the same."""
    by_test: dict[Text, list[str]] = {}
    for name, metric in comparison.measured.items():
        if not metric.is_tested or metric.metric.is_reading:
            continue
        tests = [metric.difference(model, comparison.baseline).test for model in comparison.others]
        for test in dict.fromkeys(test for test in tests if test != NO_SPREAD):
            by_test.setdefault(test, []).append(name)
    seed = comparison.settings.seed
    if not by_test:
        return Text("test: none", "检验：无")
    if not TASKS[comparison.task].of_rows:
        return _query_test(comparison, list(by_test))
    if len(by_test) == 1:
        (test,) = by_test
        return Text(f"test: {test.en}, two-sided, seed {seed}", f"检验：{test.zh}，双侧，种子 {seed}")
    return Text(
        "tests: "
        + "; ".join(f"{', '.join(names)}: {test.en}" for test, names in by_test.items())
        + f"; two-sided, seed {seed}",
        "检验："
        + "；".join(f"{'、'.join(names)}：{test.zh}" for test, names in by_test.items())
        + f"；双侧，种子 {seed}",
    )


def _query_test(comparison: Comparison, tests: list[Text]) -> Text:
    """One test for all, whose permutations are counted out where few pairs differ."""
    exact, seed = test_name(comparison.settings.test, 0), comparison.settings.seed
    sampled = [test for test in tests if test != exact]
    test = sampled[0] if sampled else exact
    few = Text("", "")
    if sampled and exact in tests:
        few = Text(f", exact where at most {EXACT} pairs differ", f"，至多 {EXACT} 对有差异时为精确检验")
    return Text(f"test: {test.en}{few.en}, two-sided, seed {seed}", f"检验：{test.zh}{few.zh}，双侧，种子 {seed}")


def _meaning(comparison: Comparison) -> Text:
    count = sum(metric.is_tested for metric in comparison.measured.values()) * len(comparison.others)
    correction = CORRECTIONS[comparison.settings.correction]
    over = Text(
        f"corrected by {correction.en} over the {count} comparisons with {comparison.baseline}",
        f"对与 {comparison.baseline} 的 {count} 次比较做 {correction.zh}",
    )
    if count == 0:
        over = Text("nothing was tested", "没有做检验")
    elif count == 1:
        over = Text("a single comparison needs no correction", "只有一次比较，无需校正")
    elif comparison.settings.correction == "none":
        over = Text("not corrected for the number of comparisons", "未按比较次数校正")
    return Text(
        f"p: how often chance alone would make a difference at least as large if the two were equally good; {over.en}",
        f"p：假如两者一样好，仅凭偶然就出现至少这么大差异的概率；{over.zh}",
    )


def _intervals(comparison: Comparison) -> Text:
    settings = comparison.settings
    percent = f"{100 * settings.confidence:g} %"
    if TASKS[comparison.task].of_rows:
        has_areas = any(kind.paired_test == "delong" for kind in registry(comparison.task).values())
        area = Text("AUC by DeLong, ", "AUC 用 DeLong 方法，") if has_areas else Text("", "")
        unit = Text("", "")
        if any(has_groups(scores) for scores in comparison.scores.values()):
            unit = Text(
                "; the unit of values and differences is the group, not the row", "；数值与差值均以组（而非行）为单位"
            )
        return Text(
            f"{percent} intervals: {area.en}differences of means by their spread, all others by influence functions where "
            f"rows are many, else by {settings.cell_draws:,} bootstrap draws{unit.en}",
            f"{percent} 区间：{area.zh}均值之差按其离散程度，其余行数多时用影响函数，否则用 {settings.cell_draws:,} 次自助抽样{unit.zh}",
        )
    queries = max(
        (metric.differences[pair].pairs for metric in comparison.measured.values() for pair in metric.differences),
        default=0,
    )
    weighted = any(is_weighted(text) for metric in comparison.measured.values() for text in metric.signatures)
    method = method_used(interval_method(settings, weighted=weighted), queries)
    draws = Text("", "") if method == "t" else Text(f", {settings.draws:,} draws", f"，{settings.draws:,} 次")
    return Text(
        f"{percent} intervals: {METHODS[method].en}{draws.en}", f"{percent} 区间：{METHODS[method].zh}{draws.zh}"
    )


def _letters(comparison: Comparison) -> Text:
    pairs = sum(len(metric.differences) for metric in comparison.measured.values() if metric.is_tested)
    level, over = f"p ≤ {comparison.settings.alpha:g}", Text("", "")
    if pairs > 1 and comparison.settings.correction != "none":
        over = Text(f", corrected over all {pairs} pairs of models and metrics", f"，对全部 {pairs} 次两两比较校正")
    return Text(
        f"letters: significantly better than these models ({level}{over.en})",
        f"字母：显著优于这些模型（{level}{over.zh}）",
    )


def warnings(comparison: Comparison) -> tuple[Text, ...]:
    """What to beware of, each sentence once."""
    texts: dict[Text, None] = dict.fromkeys(comparison.notes)
    for metric in comparison.measured.values():
        texts |= dict.fromkeys(Text(f"{metric.name}: {note.en}", f"{metric.name}：{note.zh}") for note in metric.notes)
        texts |= dict.fromkeys(_pair_warnings(comparison, metric))
    texts |= dict.fromkeys(_score_warnings(comparison))
    if comparison.scores:
        texts |= dict.fromkeys(next(iter(comparison.scores.values())).between(comparison.scores))
    return tuple(texts)


def _score_warnings(comparison: Comparison) -> list[Text]:
    """Warnings of single models; one that all of them have is said without a name."""
    by_text: dict[Text, list[str]] = {}
    for name, scores in comparison.scores.items():
        for text in scores.warnings:
            by_text.setdefault(text, []).append(name)
    return [
        text
        if len(names) == len(comparison.models)
        else Text(f"{', '.join(names)}: {text.en}", f"{'、'.join(names)}：{text.zh}")
        for text, names in by_text.items()
    ]


def _pair_warnings(comparison: Comparison, metric: MeasuredMetric) -> Iterator[Text]:
    """Pairs that were left out, too few to test, or all alike."""
    name, baseline = metric.name, comparison.baseline
    for model in comparison.others:
        gap = metric.difference(model, baseline)
        if not metric.is_tested:
            whole = metric.value(model) - metric.value(baseline)
            if math.isnan(gap.value) and not math.isnan(whole):
                yield Text(
                    f"{name}: some queries have a value of only one of {model} and {baseline}, so that the two values "
                    "are of different queries and have no difference",
                    f"{name}：有的查询只有 {model} 或 {baseline} 其一的值；两个数值来自不同的查询，不给出差值",
                )
            continue
        if gap.left_out and gap.unit == "queries":
            yield Text(
                f"{name}: {counted(gap.left_out, 'query has', 'queries have')} no value of both {model} and {baseline}, left out "
                f"of the comparison, which stands on {gap.pairs}",
                f"{name}：有 {gap.left_out} 个查询缺少 {model} 或 {baseline} 的值，不计入比较；比较基于 {gap.pairs} 个查询",
            )
        if gap.unit == "queries" and gap.pairs < 2:
            yield Text(
                f"{name}: {gap.pairs} pairs of {model} and {baseline} are too few for a test",
                f"{name}：{model} 与 {baseline} 只有 {gap.pairs} 对值，不足以检验",
            )
        is_constant = bool(gap.value) and math.isnan(gap.effect) and gap.pairs >= 2 and gap.wins is not None
        if gap.test == NO_SPREAD or is_constant:
            lacking = Text("effect size", "没有效应量")
            if gap.test == NO_SPREAD:
                lacking = Text(
                    "t-test and no effect size; choose test=permutation, wilcoxon or sign",
                    "没有 t 检验与效应量；请选择 test=permutation、wilcoxon 或 sign",
                )
            yield Text(
                f"{name}: {model} differs from {baseline} by the same amount everywhere; without variance there is no {lacking.en}",
                f"{name}：{model} 与 {baseline} 处处相差相同的量；方差为零，{lacking.zh}",
            )


def curves(comparison: Comparison) -> tuple[CurveComparison, ...]:
    """ROC and PR curves of each model against the baseline's; nothing where there is no curve.

    Only where a metric stands on the order of scores, or on a cut through it: sums of losses have no curve.
    """
    needs = {getattr(metric.metric, "needs", None) for metric in comparison.measured.values()}
    if comparison.baseline not in comparison.scores or needs.isdisjoint(("pairs", "thresholds", "groups", "cells")):
        return ()
    comparisons = []
    for kind in ("roc", "pr"):
        try:
            curves_by_model = {name: scores.curve(kind, name=name) for name, scores in comparison.scores.items()}  # type: ignore[attr-defined]
        except InputError:
            continue
        comparisons += [
            compare_curves(curves_by_model[model], curves_by_model[comparison.baseline]) for model in comparison.others
        ]
    return tuple(comparisons)
