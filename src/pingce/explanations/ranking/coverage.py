"""Coverage of items and of users, worked."""

from __future__ import annotations

import numpy as np

from pingce.base.text import Text
from pingce.evidence.items.view import ItemView
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking.items import counts_grid
from pingce.metrics.ranking.coverage import Coverage, UserCoverage


@explains(Coverage)
def coverage(metric: Coverage, display: ItemView) -> Derivation:
    """Items that are shown, over all there are."""
    distinct = np.flatnonzero(display.counts(metric.k))
    value = metric.whole(display)
    if metric.of == "count":
        return Derivation(
            [counts_grid(display, metric.k)], Text("different items shown", "展示的不同条目数"), (), value
        )
    inside = metric.inside(display)
    title = Text("known", "已知")
    among = int(np.count_nonzero(inside[distinct])) if metric.unknown == "drop" else len(distinct)
    steps: list[Step] = [
        counts_grid(display, metric.k, ("known", title, inside.astype(np.int64))),
        Line("shown", Text("shown", "展示"), Text("different items shown that count", "计入的不同条目数"), (), among),
        Line("size", "I", Text("items there are", "条目总数"), (), metric.size(display)),
    ]
    return Derivation(steps, "{} / {}", (among, metric.size(display)), value)


@explains(UserCoverage)
def user_coverage(metric: UserCoverage, display: ItemView) -> Derivation:
    """Users with enough items, over all users."""
    enough, users = metric.users(display)
    if metric.unit == "places":
        filled = Line(
            "filled", Text("filled", "有条目"), Text("places that an item fills", "有条目的位置数"), (), enough
        )
        places = Line("places", Text("places", "位置"), Text("k for each user", "每个用户 k 个"), (), users)
        return Derivation([filled, places], "{} / {}", (enough, users), metric.whole(display))
    words = Text(f"users with at least {metric.least} items", f"至少有 {metric.least} 个条目的用户数")
    steps = [
        Line("enough", Text("enough", "足够"), words, (), enough),
        Line("users", Text("users", "用户"), Text("users asked about", "所看的用户数"), (), users),
    ]
    return Derivation(steps, "{} / {}", (enough, users), metric.whole(display))
