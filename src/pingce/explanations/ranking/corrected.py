"""Values over the whole catalogue, worked: from the rank among drawn items to the estimate."""

from __future__ import annotations

from math import fsum

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.ranking.lesson import Lesson, at
from pingce.explanations.tables import MOST, Cells, table
from pingce.metrics.ranking import RankingMetric
from pingce.metrics.ranking.corrected import GAMMA, Design, estimates

_TABLE = Text("Estimates over the whole catalogue, by the rank in the list", "按列表中的名次，全目录上的估计值")
_SQUARES = Text(
    f"The estimates are those whose squared bias and {GAMMA} times whose variance, over all ranks of the catalogue alike, add up to the least.",
    f"估计值取使偏差的平方与 {GAMMA} 倍方差之和（对目录中所有名次一视同仁）最小者。",
)


def corrected(metric: RankingMetric, lesson: Lesson) -> Derivation:
    """The rank among drawn items, and the estimate that belongs to it."""
    view, policies = lesson.view, lesson.policies
    hit = view.relevant.argmax().item()
    background = view.evidence.background
    items = 0 if background is None else background.catalog_size
    design = Design(items, lesson.n - 1, float(view.grade[hit]), view.threshold, view.top_grade)
    above, block = int(view.above[hit]), int(view.block[hit])
    first, last = (above + 1, above + block) if view.expected else (int(view.rank[hit]),) * 2
    every = estimates(metric, policies.corrected, design).tolist()
    steps: list[Step] = [lesson.top(None).grid(), _drawn(design)]
    steps += _estimate_steps(design, every, (first, last), policies.corrected)
    name, value = f"{metric.name}{at(metric.k)}", fsum(every[first - 1 : last]) / (last - first + 1)
    words = Text(f"the estimate of {name} at rank {first}", f"第 {first} 位 {name} 的估计值")
    if first != last:
        en, zh = (
            f"the mean estimate of {name} at ranks {first} to {last}",
            f"第 {first} 至 {last} 位 {name} 估计值的平均",
        )
        words = Text(en, zh)
    return Derivation(steps, words, (), value)


def _drawn(design: Design) -> Text:
    m, others = design.draws, design.items - 1
    return Text(
        f"One relevant item stands among m = {m} that were drawn from the {others} others of the catalogue, N = {design.items}.",
        f"一个相关条目与 m = {m} 个从目录其余 {others} 个条目中抽取的条目在一起，N = {design.items}。",
    )


def _estimate_steps(design: Design, every: list[float], ranks: tuple[int, int], method: str) -> list[Step]:
    """How the estimates of some ranks come about, and those of the first ranks."""
    table_ranks = sorted(
        {*range(1, min(MOST // 2, len(every)) + 1), *range(ranks[0], min(ranks[1], ranks[0] + MOST) + 1)}
    )
    columns: list[Cells] = [("rank", Text("rank in the list", "列表中的名次"), table_ranks)]
    steps: list[Step] = [_SQUARES]
    if method == "plug_in":
        expected = design.expected_ranks().tolist()
        columns.append(
            ("expected", Text("expected among all", "全目录上的期望名次"), [expected[rank - 1] for rank in table_ranks])
        )
        template, numbers = "1 + ({} − 1) · ({} − 1) / {}", (design.items, ranks[0], design.draws)
        steps = [Line("expected", Text("rank among all", "全目录上的名次"), template, numbers, expected[ranks[0] - 1])]
    columns.append(("estimate", Text("estimate", "估计值"), [every[rank - 1] for rank in table_ranks]))
    marked = [ranks[0] <= rank <= ranks[1] for rank in table_ranks]
    return [*steps, table("estimates", _TABLE, columns, marked)]
