"""What a value must satisfy: at least, at most, no worse than a baseline by more than so much, or surely no worse."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

from pingce.base.errors import InputError, did_you_mean
from pingce.base.records import dataclass
from pingce.base.text import Text

KINDS = ("min", "max", "max_drop", "non_inferior", "equivalent")
OF_BASELINE = KINDS[2:]
"Those that need a baseline; their limits may be in per cent of its value."
MARGINS = KINDS[3:]
"Those that are tested whatever the values are."
_KEYS = ("metric", *KINDS, "significant")
_TOP = ("check", "baseline", "alpha")
Limits: TypeAlias = "Mapping[str, float | str]"
"By metric; of drops also in per cent."


@dataclass(frozen=True)
class Rule:
    """One demand on one metric. Limits are compared as they are written: 0.1 is a tenth."""

    metric: str
    kind: str
    limit: Fraction
    percent: bool = False
    "Of a drop: a share of the baseline's value."
    significant: bool = False
    "Of max_drop: it fails only if it is not chance, too."
    place: Text | None = None
    "Where it was written, for messages."

    @property
    def written(self) -> str:
        """The limit as it was given."""
        return f"{float(self.limit):.12g}{'%' if self.percent else ''}"

    @property
    def of_baseline(self) -> bool:
        """Whether it compares with a baseline."""
        return self.kind in OF_BASELINE

    @property
    def is_tested(self) -> bool:
        """Whether a test may decide, which needs the values of single queries or an interval."""
        return self.significant or self.kind in MARGINS

    @property
    def words(self) -> Text:
        """The demand, for readers."""
        if self.kind in MARGINS:
            name = Text("equivalent", "等效") if self.kind == "equivalent" else Text("non-inferior", "非劣效")
            return Text(f"{name.en}, margin {self.written}", f"{name.zh}，界值 {self.written}")
        if not self.of_baseline:
            limit = f"{'≥' if self.kind == 'min' else '≤'} {self.written}"
            return Text(limit, limit)
        chance = Text(", or not significant", "，或不显著") if self.significant else Text("", "")
        return Text(f"drop ≤ {self.written}{chance.en}", f"下降 ≤ {self.written}{chance.zh}")


@dataclass(frozen=True)
class RuleFile:
    """What a checks file says."""

    rules: tuple[Rule, ...]
    baseline: Path | None = None
    alpha: float | None = None


def number(value: Any, place: Text, *, percent: bool = False) -> tuple[Fraction, bool]:
    """A limit as it is written, and whether it is in per cent."""
    text = value.strip() if isinstance(value, str) else value
    is_share = isinstance(text, str) and text.endswith("%")
    digits = str(text[:-1]).strip() if is_share else str(text)
    try:
        if isinstance(value, bool) or (is_share and not percent) or not math.isfinite(float(digits)):
            raise ValueError
        return Fraction(repr(float(digits))), is_share
    except (TypeError, ValueError):
        needed = Text("a number, or one in per cent such as 0.5%", "数字，或百分数，例如 0.5%")
        needed = needed if percent else Text("a number", "数字")
        raise InputError(
            f"{place.en}: {value!r} is no limit; needed is {needed.en}",
            f"{place.zh}：{value!r} 不是界限；应为{needed.zh}",
        ) from None


def rule(metric: Any, kind: str, value: Any, place: Text, *, significant: bool = False) -> Rule:
    """One rule, its limit checked."""
    if not isinstance(metric, str) or not metric.strip():
        raise InputError(f"{place.en}: {metric!r} is not the name of a metric", f"{place.zh}：{metric!r} 不是指标名称")
    limit, percent = number(value, place, percent=kind in OF_BASELINE)
    if kind == "max_drop" and limit < 0:
        raise InputError(
            f"{place.en}: a drop of {value} is a rise; give a number from 0 up",
            f"{place.zh}：下降 {value} 即为上升；请给出不小于 0 的数",
        )
    if kind in MARGINS and limit <= 0:
        raise InputError(
            f"{place.en}: no test shows that nothing at all was lost; give a margin above 0, such as 0.002",
            f"{place.zh}：没有检验能证明毫无损失；请给出大于 0 的界值，例如 0.002",
        )
    return Rule(metric.strip(), kind, limit, percent, significant and kind == "max_drop", place)


def rules_of(kind: str, limits: Limits | None, *, significant: bool = False) -> list[Rule]:
    """The rules of one keyword, such as `min=` or `max_drop=`."""
    if limits is not None and not isinstance(limits, Mapping):
        raise InputError(
            f"{kind} is {type(limits).__name__}; give a dict {{metric: limit}}",
            f"{kind} 是 {type(limits).__name__}；请给出字典 {{指标: 界限}}",
        )
    return [
        rule(metric, kind, value, Text(f"{kind} {metric}", f"{kind} {metric}"), significant=significant)
        for metric, value in (limits or {}).items()
    ]


def every_rule(
    limits: Mapping[str, Limits | None], checks: str | os.PathLike[str] | None, *, significant: bool
) -> RuleFile:
    """The rules of keywords by their kind, and those of a file."""
    rules = [rule for kind, of_kind in limits.items() for rule in rules_of(kind, of_kind, significant=significant)]
    file = RuleFile(()) if checks is None else read_rules(os.fspath(checks), significant=significant)
    return RuleFile((*rules, *file.rules), file.baseline, file.alpha)


def rules_from_words(kind: str, words: Iterable[str], *, significant: bool = False) -> list[Rule]:
    """The rules of `--min METRIC=LIMIT`; a metric may have = within its brackets."""
    option = "--" + kind.replace("_", "-")
    rules = []
    for word in words:
        metric, equals, value = word.rpartition("=")
        place = Text(f"{option} {word}", f"{option} {word}")
        if not equals or not metric or ")" in value:
            raise InputError(
                f"{place.en}: write METRIC=LIMIT, e.g. ndcg@10=0.4", f"{place.zh}：应写作 指标=界限，例如 ndcg@10=0.4"
            )
        rules.append(rule(metric, kind, value, place, significant=significant))
    return rules


def read_rules(path: str | Path, *, significant: bool = False) -> RuleFile:
    """The rules of a TOML file: [[check]] with a metric and min, max, or one of those that need a baseline."""
    from pingce.base.json import load_toml

    path = Path(path)
    try:
        table = load_toml(path.read_bytes().decode("utf-8-sig"))
    except OSError as problem:
        why = problem.strerror or str(problem)
        raise InputError(f"{path}: cannot be read ({why})", f"{path}：无法读取（{why}）") from None
    except RecursionError:
        raise InputError(
            f"{path}: its values are nested too deeply; a check is [[check]] with metric and min, max or max_drop",
            f"{path}：嵌套过深；检查项应写作 [[check]]，其下 metric 以及 min、max 或 max_drop",
        ) from None
    except ValueError as problem:  # TOML and UTF-8 errors
        raise InputError(f"{path}: this is not TOML ({problem})", f"{path}：不是 TOML（{problem}）") from None
    _refuse_unknown(table, _TOP, Text(str(path), str(path)))
    entries = table.get("check", [])
    if not isinstance(entries, list) or not entries or not all(isinstance(entry, dict) for entry in entries):
        raise InputError(
            f'{path} has no checks; write [[check]] with metric = "ndcg@10" and min = 0.4',
            f'{path} 中没有检查项；请写 [[check]]，其下 metric = "ndcg@10"、min = 0.4',
        )
    rules = [each for at, entry in enumerate(entries, 1) for each in _entry(entry, path, at, significant)]
    baseline, alpha = table.get("baseline"), table.get("alpha")
    if baseline is not None and not isinstance(baseline, str):
        raise InputError(
            f"{path}: baseline is a path, not {baseline!r}", f"{path}：baseline 应为路径，而不是 {baseline!r}"
        )
    return RuleFile(tuple(rules), None if baseline is None else path.parent / baseline, alpha)


def _entry(entry: Mapping[str, object], path: Path, at: int, significant: bool) -> list[Rule]:
    place = Text(f"{path}, check {at}", f"{path} 第 {at} 个检查项")
    _refuse_unknown(entry, _KEYS, place)
    kinds = [kind for kind in KINDS if kind in entry]
    if "metric" not in entry or not kinds:
        raise InputError(
            f"{place.en}: needed are metric and one of {', '.join(KINDS)}",
            f"{place.zh}：需要 metric 以及 {'、'.join(KINDS)} 之一",
        )
    sure = entry.get("significant", significant)
    if not isinstance(sure, bool):
        raise InputError(
            f"{place.en}: significant is true or false, not {sure!r}",
            f"{place.zh}：significant 应为 true 或 false，而不是 {sure!r}",
        )
    return [rule(entry["metric"], kind, entry[kind], place, significant=sure) for kind in kinds]


def _refuse_unknown(table: Mapping[str, object], keys: Sequence[str], place: Text) -> None:
    for key in table:
        if key not in keys:
            hint = did_you_mean(key, keys)
            raise InputError(
                f"{place.en}: unknown key '{key}'; known are {', '.join(keys)}{hint.en}",
                f"{place.zh}：未知的键 '{key}'；可用 {'、'.join(keys)}{hint.zh}",
            )


def refuse_unknown_metrics(rules: Iterable[Rule], tasks: Iterable[str]) -> None:
    """Refuse a metric that none of the tasks has; the message names the rule, and the nearest name."""
    from pingce.metrics.grammar import parse_metric

    names = list(tasks)
    for each in rules:
        problems: list[InputError] = []
        for task in names:
            try:
                parse_metric(each.metric, task=task)
            except InputError as problem:
                problems.append(problem)
        if problems and len(problems) == len(names):
            place, text = each.place or Text(each.metric, each.metric), problems[0].text
            raise InputError(f"{place.en}: {text.en}", f"{place.zh}：{text.zh}")
