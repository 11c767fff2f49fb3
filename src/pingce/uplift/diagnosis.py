"""Reading uplift: what treating everybody brings, whom to treat first, and whether the trial looks like one."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

import numpy as np

from pingce.base.json import Json
from pingce.base.tables import finite
from pingce.base.text import Text
from pingce.diagnosis.points import Point, as_document
from pingce.uplift.curve_values import qini_points

if TYPE_CHECKING:
    from pingce.uplift.scores import UpliftScores

_APART = 5.0
"Standard errors by which the share of treated rows may differ between the halves before it is worth a word."


def read(scores: UpliftScores) -> Json:
    """The effect on all rows and on the first tenth, where the Qini curve is highest, and tenths that are harmed for certain."""
    treated, control, gained, lost = scores.evidence.table.totals
    means = gained / treated, lost / control
    effect, parts = means[0] - means[1], scores.deciles
    curve = qini_points(scores.evidence.table, "zero")
    share = float(curve.x[int(np.argmax(curve.y))] / curve.x[-1])
    harmed = [part.number for part in parts if part.high < 0]
    everybody = Text(
        f"Treated rows have a mean outcome of {means[0]:.6g}, control rows {means[1]:.6g}: treating everybody changes it by {effect:+.6g} per row.",
        f"干预组平均结果为 {means[0]:.6g}，对照组为 {means[1]:.6g}：全部干预时平均每行变化 {effect:+.6g}。",
    )
    highest = Text(
        f"The Qini curve is highest where the first {100 * share:.3g} % of the rows are treated.",
        f"干预前 {100 * share:.3g} % 的行时，Qini 曲线最高。",
    )
    points = [Point("effect", everybody), Point("whom", highest)]
    first = parts[0]
    if first.uplift == first.uplift:  # not NaN: the tenth has rows of both arms
        top = Text(
            f"Among the tenth with the highest scores it is {first.uplift:+.6g} ({first.low:+.6g} to {first.high:+.6g}).",
            f"得分最高的十分之一为 {first.uplift:+.6g}（{first.low:+.6g} 到 {first.high:+.6g}）。",
        )
        points.insert(1, Point("top_tenth", top))
    if harmed:
        listed = ", ".join(map(str, harmed))
        harm = Text(
            f"The treatment does harm in tenth {listed} (interval below 0): leave such rows untreated.",
            f"第 {listed} 个十分位中干预有害（区间低于 0）：这些行不宜干预。",
        )
        points.append(Point("harm", harm))
    return {
        "treated_mean": means[0],
        "control_mean": means[1],
        "effect": effect,
        "top_uplift": finite(parts[0].uplift),
        "best_share": share,
        "harmed": harmed,
        **as_document(points),
    }


def cautions(scores: UpliftScores) -> tuple[Text, ...]:
    """Scores that are all the same, and treatments that go along with the scores."""
    table = scores.evidence.table
    if len(table) == 1:
        return (
            Text(
                "all scores are the same: every order is as good, so that qini and auuc are those of a random one",
                "所有分数都相同：任何排序都一样好，qini 与 auuc 等同于随机排序",
            ),
        )
    treated, control, _, _ = table.totals
    if scores.evidence.facts.get("propensity"):
        return ()
    half = bisect_left(range(len(table)), (treated + control) / 2, key=table.rows)
    sizes = [(float(table.treated[half]), table.rows(half))]
    sizes.append((float(treated) - sizes[0][0], float(treated + control) - sizes[0][1]))
    if not all(size for _, size in sizes):
        return ()
    shares, overall = [count / size for count, size in sizes], treated / (treated + control)
    spread = (overall * (1 - overall) * sum(1 / size for _, size in sizes)) ** 0.5
    if not spread or abs(shares[0] - shares[1]) <= _APART * spread:
        return ()
    return (
        Text(
            f"{100 * shares[0]:.3g} % of the upper half by score were treated, but {100 * shares[1]:.3g} % of the lower half: rows do not look "
            "as if they had been treated at random; give propensity=, or the difference of the arms may be another's work",
            f"得分较高的一半中有 {100 * shares[0]:.3g} % 受到干预，较低的一半为 {100 * shares[1]:.3g} %：看来干预不是随机分配的；"
            "请给出 propensity=，否则两组之差可能另有原因",
        ),
    )
