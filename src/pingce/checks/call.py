"""`pingce.check(scores, min={…}, max={…}, baseline=…, max_drop={…})`: does a model pass? Limits are compared exactly."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from pingce.base.errors import InputError, did_you_mean
from pingce.base.progress import stepwise
from pingce.base.text import Text
from pingce.checks.changes import MetricChange, metric_changes
from pingce.checks.drops import Side, Trial, paired, unpaired
from pingce.checks.margins import judge_margin, paired_estimate, unpaired_estimate
from pingce.checks.result import CheckResult, CheckRow, UnjudgedError
from pingce.checks.rules import Rule, RuleFile
from pingce.metrics.grammar import parse_metric
from pingce.scores.base import Scores
from pingce.scores.read import read_documents, read_scores
from pingce.scores.saved import SavedMetric, SavedScores
from pingce.scores.signature import is_weighted


def check_scores(scores: Any, rules: RuleFile, baseline: Any, trial: Trial, *, changes: bool) -> CheckResult:
    """Judge scores by rules; the baseline that the call leaves open is as their file says."""
    baseline = rules.baseline if baseline is None else baseline
    documents = documents_of(scores, rules.rules, changes=changes)
    return check_documents(documents, rules.rules, baseline, trial, changes=changes)


def checked_alpha(alpha: Any) -> float:
    """The share of chance drops that may fail."""
    if isinstance(alpha, bool) or not isinstance(alpha, (int, float)) or not 0 < alpha < 1:
        raise InputError(
            f"alpha={alpha!r}: it is the p up to which a drop is significant, a number between 0 and 1 such as 0.05",
            f"alpha={alpha!r}：p 不大于该值即为显著，应介于 0 与 1 之间，例如 0.05",
        )
    return float(alpha)


def documents_of(scores: Any, rules: Sequence[Rule], *, changes: bool = False) -> list[SavedScores]:
    """Scores as documents; each query's value goes along only where a drop may be tested, or changes are listed."""
    per_query = changes or any(rule.is_tested for rule in rules)
    models = scores if isinstance(scores, Mapping) and scores and not isinstance(scores, Scores) else {None: scores}
    if all(isinstance(each, Scores) for each in models.values()):
        return [_document(each, name, per_query) for name, each in models.items()]
    if models is scores and all(isinstance(each, SavedScores) for each in models.values()):
        return [replace(each, run=str(name)) for name, each in models.items()]
    return read_documents(scores)


def _document(scores: Scores, name: str | None, per_query: bool) -> SavedScores:
    source = Text("these scores", "这些分数") if name is None else Text(f"'{name}'", f"'{name}'")
    return replace(read_scores(scores.to_dict(per_query=per_query)), source=source, run=name)


def check_documents(
    candidates: Sequence[SavedScores],
    rules: Sequence[Rule],
    baseline: Any,
    trial: Trial,
    *,
    changes: bool = False,
    may_lack: bool = False,
) -> CheckResult:
    """Every rule on every run or model; with `changes` also every metric that the baseline has too.

    With `may_lack`, rules that need a baseline where there is none are not judged.
    """
    if not rules:
        raise InputError(
            "there is nothing to check; give min, max, max_drop, non_inferior, equivalent or a checks file",
            "没有检查项；请给出 min、max、max_drop、non_inferior、equivalent 或检查文件",
        )
    drops = [rule.kind for rule in rules if rule.of_baseline]
    if drops and baseline is None and not may_lack:
        raise InputError(
            f"{drops[0]} needs a baseline; give one with baseline= or --baseline",
            f"{drops[0]} 需要基线；请用 baseline= 或 --baseline 给出",
        )
    needed = baseline is not None and (bool(drops) or changes)
    baselines = documents_of(baseline, rules, changes=changes) if needed else []
    rows: list[CheckRow] = []
    changed: list[MetricChange] = []
    for candidate in stepwise(candidates):
        base = _baseline_of(candidate, baselines) if baselines else None
        rows += [_judge(rule, candidate, base, trial) for rule in stepwise(rules)]
        changed += metric_changes(candidate, base) if changes and base is not None else ()
    return CheckResult(tuple(rows), tuple(changed))


def _baseline_of(candidate: SavedScores, baselines: Sequence[SavedScores]) -> SavedScores:
    """The only one, or of several the one of the same name; of another task none can be compared."""
    document = baselines[0]
    if len(baselines) > 1:
        names = [each.run for each in baselines]
        if candidate.run not in names:
            listed = ", ".join(f"'{name}'" for name in names)
            raise InputError(
                f"the baseline holds {len(baselines)} runs ({listed}), none of which is called '{candidate.run}'",
                f"基线含 {len(baselines)} 份预测（{listed}），其中没有 '{candidate.run}'",
            )
        document = baselines[names.index(candidate.run)]
    if document.task != candidate.task:
        raise InputError(
            f"{document.source.en} is of the task {document.task}, but {candidate.task} is checked",
            f"{document.source.zh} 的任务是 {document.task}，而检查的是 {candidate.task}",
        )
    return document


def _judge(rule: Rule, candidate: SavedScores, baseline: SavedScores | None, trial: Trial) -> CheckRow:
    """One rule on one run or model; the baseline matters to drops only."""
    row = CheckRow(rule.metric, str(rule.words), rule.kind, rule.written, value=None, passed=None, run=candidate.title)
    try:
        metric = _find(rule, candidate)
        value = metric.value if math.isfinite(metric.value) else None
        row = replace(row, value=value, signature=metric.signature, interval=_ends(metric))
        exact = _exact(metric, candidate)
        if rule.of_baseline:
            return _judge_drop(row, rule, (candidate, metric), baseline, trial)
        margin = exact - rule.limit if rule.kind == "min" else rule.limit - exact
        return replace(row, margin=float(margin), passed=margin >= 0)
    except UnjudgedError as problem:
        return replace(row, reason=problem.reason)


def _find(rule: Rule, document: SavedScores) -> SavedMetric:
    metric = document.find(rule.metric)
    if metric is None:
        names, hint = list(document.metrics), did_you_mean(rule.metric, document.metrics)
        raise UnjudgedError(
            f"no such metric in {document.source.en}; there are {', '.join(names)}{hint.en}",
            f"{document.source.zh}：没有该指标；现有 {'、'.join(names)}{hint.zh}",
        )
    return metric


def _ends(metric: SavedMetric) -> tuple[float, float] | None:
    return metric.interval if metric.interval is not None and not math.isnan(metric.interval[0]) else None


def _exact(metric: SavedMetric, document: SavedScores) -> Fraction:
    if not math.isfinite(metric.value):
        word = Text("undefined", "没有定义") if math.isnan(metric.value) else Text("infinite", "无穷大")
        raise UnjudgedError(f"the value in {document.source.en} is {word.en}", f"{document.source.zh} 中该值{word.zh}")
    return Fraction(repr(metric.value))


def _judge_drop(row: CheckRow, rule: Rule, candidate: Side, baseline: SavedScores | None, trial: Trial) -> CheckRow:
    """A drop is a change for the worse: of a loss, a rise."""
    if baseline is None:
        raise UnjudgedError("there is no baseline to compare with", "没有可供比较的基线")
    (document, new), old = candidate, _find(rule, baseline)
    if new.definition != old.definition:
        raise UnjudgedError(
            f"the definitions differ: here {new.signature}, in {baseline.source.en} {old.signature}; evaluate both alike",
            f"定义不同：此处为 {new.signature}，{baseline.source.zh} 中为 {old.signature}；请用相同的定义评测",
        )
    better = parse_metric(rule.metric, task=document.task).metric.higher_is_better
    if better is None:
        raise UnjudgedError(
            "neither more nor less of it is better, so that it cannot drop; use min and max",
            "该指标没有高低优劣之分，无所谓下降；请用 min 与 max",
        )
    value, before = _exact(new, document), _exact(old, baseline)
    drop = before - value if better else value - before
    allowed = abs(before) * rule.limit / 100 if rule.percent else rule.limit
    row = replace(row, baseline=old.value)
    sides = candidate, (baseline, old)
    if rule.kind != "max_drop":
        estimates = (paired_estimate if _has_pairs(*sides) else unpaired_estimate)(*sides, float(drop), better=better)
        return judge_margin(row, rule, estimates, allowed, trial)
    row = replace(row, margin=float(allowed - drop), passed=drop <= allowed)
    if row.passed or not rule.significant:
        return row
    p, test = paired(*sides, trial, better=better) if _has_pairs(*sides) else unpaired(*sides, better=better)
    word = Text("significant", "显著") if p <= trial.alpha else Text("not significant", "不显著")
    reason = Text(
        f"the drop is {word.en}: p = {p:.4g} against {trial.alpha:g} ({test.en})",
        f"下降{word.zh}：p = {p:.4g}，界限 {trial.alpha:g}（{test.zh}）",
    )
    return replace(row, p=p, passed=p > trial.alpha, reason=reason)


def _tells(document: SavedScores, metric: SavedMetric) -> bool:
    """Whether the values of single queries were saved, and the metric is their plain mean."""
    saved = document.per is not None and metric.name in document.per.columns
    return (
        saved and not is_weighted(metric.signature) and bool(parse_metric(metric.id, task=document.task).metric.is_mean)
    )


def _has_pairs(candidate: Side, baseline: Side) -> bool:
    """Whether the drop is tested unit by unit; of units that were not saved, or tell nothing of it, by the intervals that were."""
    sides = (candidate, baseline)
    if candidate[1].unit == "queries":
        has_interval = any(metric.interval is not None for _, metric in sides)
        return not has_interval or all(_tells(document, metric) for document, metric in sides)
    if candidate[1].unit != "groups":
        return False
    are_saved = all(document.per is not None and document.per.unit == "group" for document, _ in sides)
    return are_saved or all(metric.interval is None for _, metric in sides)
