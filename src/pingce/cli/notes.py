"""What is said beside the numbers, on stderr: how inputs were read, what was counted, what may mislead."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pingce.errors import one_line
from pingce.language import Text

if TYPE_CHECKING:
    from pingce.scores import Scores


def say(scores: Mapping[str, Scores], warned: Sequence[str]) -> None:
    """Each note once; counts and warnings a run; then whatever else was warned of."""
    lines = [str(note) for one in scores.values() for note in one.notes]
    for name, one in scores.items():
        lines.append(f"{name}: {counted(one)}")
        lines += [str(Text(f"{name}: warning: {text}", f"{name}: 注意：{text}")) for text in one.warnings]
    of_runs = {str(text) for one in scores.values() for text in one.warnings}
    lines += [str(Text(f"warning: {text}", f"注意：{text}")) for text in warned if text not in of_runs]
    for line in dict.fromkeys(lines):
        sys.stderr.write(one_line(line) + "\n")


def counted(scores: Scores) -> str:
    """The queries by fate, and what policies removed."""
    counts = scores.counts
    missing = Text("scored 0", "记 0 分") if scores.policies.missing == "zero" else Text("left out", "不计入")
    parts = [
        Text(f"{counts['scored']} queries scored", f"已评测 {counts['scored']} 个查询"),
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
    return str(Text("; ".join(part.en for part in parts), "；".join(part.zh for part in parts)))
