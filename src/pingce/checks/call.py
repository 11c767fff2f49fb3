"""`pingce.check(scores, min={…}, max={…}, baseline=…, max_drop={…})`: does a model pass?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.checks.judge import Trial, judge
from pingce.checks.result import CheckResult
from pingce.checks.rules import Rule, RuleFile
from pingce.scores.base import Scores
from pingce.scores.read import read_documents, read_scores
from pingce.scores.saved import SavedScores


def check_scores(
    scores: Any, rules: RuleFile, baseline: Any, alpha: float | None, draws: tuple[int, int]
) -> CheckResult:
    """Judge scores by rules; what the call leaves open is as their file says. `draws`: how many, and the seed."""
    baseline = rules.baseline if baseline is None else baseline
    alpha = rules.alpha if alpha is None else alpha
    trial = Trial(checked_alpha(0.05 if alpha is None else alpha), *draws)
    return check_documents(documents_of(scores, rules.rules), rules.rules, baseline, trial)


def checked_alpha(alpha: Any) -> float:
    """The share of chance drops that may fail."""
    if isinstance(alpha, bool) or not isinstance(alpha, (int, float)) or not 0 < alpha < 1:
        raise InputError(
            f"alpha={alpha!r}: it is the p up to which a drop is significant, a number between 0 and 1 such as 0.05",
            f"alpha={alpha!r}：p 不大于该值即为显著，应介于 0 与 1 之间，例如 0.05",
        )
    return float(alpha)


def check_documents(
    candidates: Sequence[SavedScores], rules: Sequence[Rule], baseline: Any, trial: Trial
) -> CheckResult:
    """Every rule on every run or model."""
    if not rules:
        raise InputError(
            "there is nothing to check; give min, max, max_drop or a checks file",
            "没有检查项；请给出 min、max、max_drop 或检查文件",
        )
    drops = any(rule.kind == "max_drop" for rule in rules)
    if drops and baseline is None:
        raise InputError(
            "max_drop needs a baseline; give one with baseline= or --baseline",
            "max_drop 需要基线；请用 baseline= 或 --baseline 给出",
        )
    baselines = documents_of(baseline, rules) if drops else []
    rows = [
        row for candidate in candidates for row in judge(rules, candidate, _baseline_of(candidate, baselines), trial)
    ]
    return CheckResult(tuple(rows))


def _baseline_of(candidate: SavedScores, baselines: Sequence[SavedScores]) -> SavedScores | None:
    """The only one, or of several the one of the same name; of another task none can be compared."""
    if not baselines:
        return None
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


def documents_of(scores: Any, rules: Sequence[Rule]) -> list[SavedScores]:
    """Scores as documents; each query's value goes along only where a drop may be tested."""
    per_query = any(rule.significant for rule in rules)
    if isinstance(scores, Scores):
        return [_renamed(scores, None, per_query)]
    if isinstance(scores, Mapping) and scores and all(isinstance(each, Scores) for each in scores.values()):
        return [_renamed(each, name, per_query) for name, each in scores.items()]
    if isinstance(scores, Mapping) and scores and all(isinstance(each, SavedScores) for each in scores.values()):
        return [replace(each, run=str(name)) for name, each in scores.items()]
    return read_documents(scores)


def _renamed(scores: Scores, name: str | None, per_query: bool) -> SavedScores:
    source = Text("these scores", "这些分数") if name is None else Text(f"'{name}'", f"'{name}'")
    return replace(read_scores(scores.to_dict(per_query=per_query)), source=source, run=name)
