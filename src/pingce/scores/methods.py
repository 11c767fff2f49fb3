"""How an interval was made, in words."""

from __future__ import annotations

from collections.abc import Iterable

from pingce.base.text import Text
from pingce.scores.values import Value

METHODS = {
    "delong": Text("DeLong's variance", "DeLong 方差"),
    "calibration": Text("bins, less their noise", "分箱并扣除噪声"),
    "wilson": Text("Wilson's score interval", "Wilson 得分区间"),
    "influence": Text("influence functions", "影响函数"),
    "order": Text("order statistics", "次序统计量"),
    "jeffreys": Text("Jeffreys' prior, few rows", "Jeffreys 先验（行数少）"),
    "bootstrap": Text("bootstrap", "自助法"),
    "t": Text("Student's t", "t 分布"),
}
"By the word that documents have."


def method_words(values: Iterable[Value], confidence: float | None) -> Text | None:
    """How the intervals of some values were made, in one sentence; None where there are none."""
    names: dict[str, list[str]] = {}
    for value in values:
        if value.method is not None:
            names.setdefault(value.method, []).append(value.name)
    if not names:
        return None
    percent = f"{100 * (confidence or 0):g} %"
    english = "; ".join(f"{', '.join(each)} by {METHODS[method].en}" for method, each in names.items())
    chinese = "；".join(f"{'、'.join(each)} 用{METHODS[method].zh}" for method, each in names.items())
    return Text(f"{percent} intervals: {english}", f"{percent} 区间：{chinese}")
