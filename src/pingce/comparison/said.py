"""What is said beside the numbers of a comparison: how it was tested, what to beware of, what the curves show."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pingce.base.errors import InputError
from pingce.base.text import Text, counted
from pingce.comparison.paired import interval_method
from pingce.comparison.results import NO_SPREAD
from pingce.comparison.rows import has_groups
from pingce.stats.corrections import CORRECTIONS
from pingce.stats.means import METHODS, method_used

if TYPE_CHECKING:
    from pingce.comparison.result import Comparison
    from pingce.comparison.results import MeasuredMetric
    from pingce.curves.compare import CurveComparison


def how(found: Comparison) -> tuple[Text, ...]:
    """A line for tests, one for intervals, one for letters."""
    return (_tests(found), _meaning(found), _intervals(found), _letters(found))


def _tests(found: Comparison) -> Text:
    """Which test each metric got; once where all got the same."""
    by_test: dict[Text, list[str]] = {}
    for name, one in found.measured.items():
        if not one.is_tested:
            continue
        tests = [one.difference(model, found.baseline).test for model in found.others]
        for test in dict.fromkeys(test for test in tests if test != NO_SPREAD):
            by_test.setdefault(test, []).append(name)
    seed = found.settings.seed
    if not by_test:
        return Text("test: none", "检验：无")
    if found.task == "ranking":
        return _of_queries(found, list(by_test))
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


def _of_queries(found: Comparison, tests: list[Text]) -> Text:
    """One test for all, whose permutations are counted out where few pairs differ."""
    from pingce.stats.paired import test_name
    from pingce.stats.permutation import EXACT

    exact, seed = test_name(found.settings.test, 0), found.settings.seed
    sampled = [test for test in tests if test != exact]
    test = sampled[0] if sampled else exact
    few = Text("", "")
    if sampled and exact in tests:
        few = Text(f", exact where at most {EXACT} pairs differ", f"，至多 {EXACT} 对有差异时为精确检验")
    return Text(f"test: {test.en}{few.en}, two-sided, seed {seed}", f"检验：{test.zh}{few.zh}，双侧，种子 {seed}")


def _meaning(found: Comparison) -> Text:
    count = sum(one.is_tested for one in found.measured.values()) * len(found.others)
    correction = CORRECTIONS[found.settings.correction]
    over = Text(
        f"corrected by {correction.en} over the {count} comparisons with {found.baseline}",
        f"对与 {found.baseline} 的 {count} 次比较做 {correction.zh}",
    )
    if count == 0:
        over = Text("nothing was tested", "没有做检验")
    elif count == 1:
        over = Text("a single comparison needs no correction", "只有一次比较，无需校正")
    elif found.settings.correction == "none":
        over = Text("not corrected for the number of comparisons", "未按比较次数校正")
    return Text(
        f"p: how often chance alone would make a difference at least as large if the two were equally good; {over.en}",
        f"p：假如两者一样好，仅凭偶然就出现至少这么大差异的概率；{over.zh}",
    )


def _intervals(found: Comparison) -> Text:
    settings = found.settings
    percent = f"{100 * settings.confidence:g} %"
    if found.task != "ranking":
        area = Text("AUC by DeLong, ", "AUC 用 DeLong 方法，") if found.task == "binary" else Text("", "")
        unit = Text("", "")
        if any(has_groups(scores) for scores in found.scores.values()):
            unit = Text(
                "; the unit of values and differences is the group, not the row", "；数值与差值均以组（而非行）为单位"
            )
        return Text(
            f"{percent} intervals: {area.en}differences of means by their spread, all others by "
            f"{settings.cell_draws:,} bootstrap draws{unit.en}",
            f"{percent} 区间：{area.zh}均值之差按其离散程度，其余用 {settings.cell_draws:,} 次自助抽样{unit.zh}",
        )
    queries = max(
        (one.differences[pair].pairs for one in found.measured.values() for pair in one.differences), default=0
    )
    weighted = any("|query_weight:given" in text for one in found.measured.values() for text in one.signatures)
    method = method_used(interval_method(settings, weighted=weighted), queries)
    draws = Text("", "") if method == "t" else Text(f", {settings.draws:,} draws", f"，{settings.draws:,} 次")
    return Text(
        f"{percent} intervals: {METHODS[method].en}{draws.en}", f"{percent} 区间：{METHODS[method].zh}{draws.zh}"
    )


def _letters(found: Comparison) -> Text:
    pairs = sum(len(one.differences) for one in found.measured.values() if one.is_tested)
    level = f"p ≤ {found.settings.alpha:g}"
    if pairs > 1 and found.settings.correction != "none":
        over = Text(
            f"{level}, corrected over all {pairs} pairs of models and metrics",
            f"{level}，对全部 {pairs} 次两两比较校正",
        )
    else:
        over = Text(level, level)
    return Text(f"letters: significantly better than these models ({over.en})", f"字母：显著优于这些模型（{over.zh}）")


def warnings(found: Comparison) -> tuple[Text, ...]:
    """Each once."""
    said: dict[Text, None] = dict.fromkeys(found.notes)
    for one in found.measured.values():
        said |= dict.fromkeys(Text(f"{one.name}: {note.en}", f"{one.name}：{note.zh}") for note in one.notes)
        said |= dict.fromkeys(_of_pairs(found, one))
    said |= dict.fromkeys(_of_scores(found))
    if found.scores:
        said |= dict.fromkeys(next(iter(found.scores.values())).between(found.scores))
    return tuple(said)


def _of_scores(found: Comparison) -> list[Text]:
    """Warnings of single models; one that all of them have is said without a name."""
    by_text: dict[Text, list[str]] = {}
    for name, scores in found.scores.items():
        for text in scores.warnings:
            by_text.setdefault(text, []).append(name)
    return [
        text
        if len(names) == len(found.models)
        else Text(f"{', '.join(names)}: {text.en}", f"{'、'.join(names)}：{text.zh}")
        for text, names in by_text.items()
    ]


def _of_pairs(found: Comparison, one: MeasuredMetric) -> list[Text]:
    """Pairs that were left out, too few to test, or all alike."""
    said = []
    for model in found.others:
        gap = one.difference(model, found.baseline)
        whole = one.value(model) - one.value(found.baseline)
        if not one.is_tested and math.isnan(gap.value) and not math.isnan(whole):
            said.append(
                Text(
                    f"{one.name}: some queries have a value of only one of {model} and {found.baseline}, so that the two values "
                    "are of different queries and have no difference",
                    f"{one.name}：有的查询只有 {model} 或 {found.baseline} 其一的值；两个数值来自不同的查询，不给出差值",
                )
            )
        if not one.is_tested:
            continue
        if gap.left_out and gap.unit == "queries":
            said.append(
                Text(
                    f"{one.name}: {counted(gap.left_out, 'query has', 'queries have')} no value of both {model} and {found.baseline}, left out "
                    f"of the comparison, which stands on {gap.pairs}",
                    f"{one.name}：有 {gap.left_out} 个查询缺少 {model} 或 {found.baseline} 的值，不计入比较；比较基于 {gap.pairs} 个查询",
                )
            )
        if gap.unit == "queries" and gap.pairs < 2:
            said.append(
                Text(
                    f"{one.name}: {gap.pairs} pairs of {model} and {found.baseline} are too few for a test",
                    f"{one.name}：{model} 与 {found.baseline} 只有 {gap.pairs} 对值，不足以检验",
                )
            )
        if gap.test == NO_SPREAD:
            said.append(
                Text(
                    f"{one.name}: {model} differs from {found.baseline} by the same amount everywhere; without variance there is no "
                    "t-test and no effect size; choose test=permutation, wilcoxon or sign",
                    f"{one.name}：{model} 与 {found.baseline} 处处相差相同的量；方差为零，没有 t 检验与效应量；"
                    "请选择 test=permutation、wilcoxon 或 sign",
                )
            )
        elif gap.value and gap.effect != gap.effect and gap.pairs >= 2 and gap.wins is not None:
            said.append(
                Text(
                    f"{one.name}: {model} differs from {found.baseline} by the same amount everywhere; without variance there is no "
                    "effect size",
                    f"{one.name}：{model} 与 {found.baseline} 处处相差相同的量；方差为零，没有效应量",
                )
            )
    return said


def _ask_for_order(comparison: Comparison) -> bool:
    """Whether a metric stands on the order of scores, or on a cut through it: sums of losses have no curve."""
    needs = {getattr(each.metric, "needs", None) for each in comparison.measured.values()}
    return not needs.isdisjoint(("pairs", "thresholds", "groups", "cells"))


def curves(found: Comparison) -> tuple[CurveComparison, ...]:
    """ROC and PR curves of each model against the baseline's; nothing where there is no curve."""
    if found.baseline not in found.scores or not _ask_for_order(found):
        return ()
    from pingce.curves.compare import compare_curves

    drawn = []
    for kind in ("roc", "pr"):
        try:
            known = {name: scores.curve(kind, name=name) for name, scores in found.scores.items()}  # type: ignore[attr-defined]
        except InputError:
            continue
        drawn += [compare_curves(known[model], known[found.baseline]) for model in found.others]
    return tuple(drawn)
