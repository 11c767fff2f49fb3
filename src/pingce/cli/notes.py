"""What is said beside the numbers, on stderr: how inputs were read, what was counted, what may mislead."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pingce.base.errors import one_line
from pingce.base.text import Text, headed
from pingce.base.text import counted as number_of

if TYPE_CHECKING:
    from pingce.scores import Scores


def say(
    scores: Mapping[str, Scores], warned: Sequence[str], notes: Sequence[str] = (), explained: Sequence[str] = ()
) -> None:
    """Each note once; counts and warnings a run; then whatever else was warned of, and what was explained."""
    lines = [*notes, *(str(note) for one in scores.values() for note in one.notes)]
    for name, one in scores.items():
        lines.append(headed(name, counted(one)))
        lines += [str(Text(f"{name}: warning: {text}", f"{name}：注意：{text}")) for text in one.warnings]
    of_runs = {str(text) for one in scores.values() for text in one.warnings}
    lines += [str(Text(f"warning: {text}", f"注意：{text}")) for text in warned if text not in of_runs]
    for line in dict.fromkeys([*lines, *explained]):
        sys.stderr.write(one_line(line) + "\n")


def counted(scores: Scores) -> str:
    """What the values stand on."""
    parts = {
        "ranking": _queries,
        "binary": _labels,
        "multiclass": _classes,
        "regression": _numbers,
    }[scores.task](scores)
    undefined = [name for name, value in scores.values_by_name.items() if value.undefined and value.unit == "rows"]
    if undefined and scores.task != "multiclass":
        shown = ", ".join(undefined)
        parts.append(
            Text(
                f"undefined: {shown} ({scores.policies.undefined})", f"没有定义：{shown}（{scores.policies.undefined}）"
            )
        )
    return str(Text("; ".join(part.en for part in parts), "；".join(part.zh for part in parts)))


def _weighed(counts: Mapping[str, Any]) -> list[Text]:
    weight = counts["weight"]
    return [] if weight is None else [Text(f"total weight {weight:g}", f"总权重 {weight:g}")]


def _labels(scores: Any) -> list[Text]:
    counts = scores.counts
    label = counts["positive_label"]
    parts = [
        Text(
            f"{counts['rows']} rows: {counts['positives']} positive (label {label!s}), {counts['negatives']} negative",
            f"{counts['rows']} 行：正例 {counts['positives']}（标签 {label!s}），负例 {counts['negatives']}",
        ),
        *_weighed(counts),
    ]
    if groups := counts.get("groups"):
        parts.append(
            Text(
                f"{groups['scored']} of {groups['all']} groups scored, {groups['single_class']} with one class only left out ({groups['single_class_rows']} rows)",
                f"{groups['all']} 组中 {groups['scored']} 组计入，{groups['single_class']} 组只有一个类别、不计入（{groups['single_class_rows']} 行）",
            )
        )
    if clipped := max(counts["clipped"].values(), default=None):
        parts.append(Text(f"{clipped} probabilities clipped for the logarithm", f"取对数时截断了 {clipped} 个概率"))
    return parts


def _classes(scores: Any) -> list[Text]:
    counts = scores.counts
    parts = [
        Text(
            f"{counts['rows']} rows, {counts['classes']} classes, {counts['right']:g} right",
            f"{counts['rows']} 行，{counts['classes']} 个类别，判对 {counts['right']:g}",
        ),
        *_weighed(counts),
    ]
    for key, said in (
        ("never_true", Text("classes never true", "个类别在真值中没有出现")),
        ("never_predicted", Text("classes never predicted", "个类别从未被预测")),
    ):
        if counts[key]:
            parts.append(Text(f"{counts[key]} {said.en}", f"{counts[key]} {said.zh}"))
    return parts


def _numbers(scores: Any) -> list[Text]:
    return [Text(f"{scores.counts['rows']} rows", f"{scores.counts['rows']} 行"), *_weighed(scores.counts)]


def _queries(scores: Any) -> list[Text]:
    """The queries by fate, and what policies removed."""
    counts = scores.counts
    missing = Text("scored 0", "记 0 分") if scores.policies.missing == "zero" else Text("left out", "不计入")
    parts = [
        Text(f"{number_of(counts['scored'], 'query', 'queries')} scored", f"已评测 {counts['scored']} 个查询"),
        Text(f"{counts['missing']} not answered ({missing.en})", f"{counts['missing']} 个未回答（{missing.zh}）"),
        Text(f"{counts['extra']} without judgements (ignored)", f"{counts['extra']} 个没有标注（忽略）"),
    ]
    if counts["without_relevant"]:
        found = counts["without_relevant"]
        parts.append(Text(f"{found} without relevant items", f"{found} 个没有相关条目"))
    if counts["excluded"]:
        found = counts["excluded"]
        parts.append(Text(f"{found} rows excluded", f"排除 {found} 行"))
    if counts["duplicates"]:
        found, policy = counts["duplicates"], scores.policies.duplicates
        parts.append(Text(f"{found} repeated rows removed ({policy})", f"去掉 {found} 行重复（{policy}）"))
    if counts["nan"]:
        found, policy = counts["nan"], scores.policies.nan
        parts.append(Text(f"{found} scores not a number ({policy})", f"{found} 个分数不是数字（{policy}）"))
    return parts
