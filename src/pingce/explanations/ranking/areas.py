"""Areas under the ROC curve of a list, worked: how many other items stand above each relevant one."""

from __future__ import annotations

from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Line, Step
from pingce.explanations.frame import explains
from pingce.explanations.ranking import tied
from pingce.explanations.ranking.lesson import Lesson, so_far, sum_line, top_words
from pingce.explanations.ranking.precision_recall import fraction, relevant_line
from pingce.metrics.ranking.areas import ListArea, PartialArea, others_above, wrong_pairs

ABOVE = Text("others above", "之前的其他条目")


@explains(ListArea)
def list_area(metric: ListArea, lesson: Lesson) -> Derivation:
    """Pairs in the wrong order, of all pairs."""
    view, top, part = lesson.view, lesson.top(metric.k), top_words(metric.k)
    hits, others, wrong = (float(count[0]) for count in metric.pairs(view))
    steps: list[Step] = []
    if view.expected:
        steps += tied.block_steps(lesson, None, wrong_pairs, ("wrong", Text("mean wrong pairs", "错误对数的均值")))[0]
    else:
        above = top.where_relevant(top.cells(others_above(view), 0.0))
        steps.append(top.grid(("above", ABOVE, above), so_far([count or 0.0 for count in above])))
    relevant = Text(f"relevant items of {part.en}", f"{part.zh}中的相关条目数")
    rest = Text(f"other items of {part.en}", f"{part.zh}中的其他条目数")
    steps += [
        Line("hits", "h", relevant, (), int(hits)),
        Line("others", "w", rest, (), int(others)),
        Line("wrong", Text("wrong", "错误"), Text("pairs in the wrong order", "顺序错误的对数"), (), wrong),
    ]
    if not hits * others:
        return Derivation(
            steps, Text("one kind of items only (single=ends)", "只有一类条目（single=ends）"), (), float(hits > 0)
        )
    pairs = hits * others
    steps.append(Line("pairs", Text("pairs", "对数"), "{} · {}", (hits, others), pairs))
    return Derivation(steps, "({} − {}) / {}", (pairs, wrong, pairs), (pairs - wrong) / pairs)


@explains(PartialArea)
def partial_area(metric: PartialArea, lesson: Lesson) -> Derivation:
    """Of each relevant item, how many of the first wrong ones stand below it."""
    view, top = lesson.view, lesson.top(None)
    gains = metric.gains(view)
    terms, total, most = top.cells(gains, 0.0), float(view.sum(gains)[0]), float(metric.most(view)[0])
    grid = top.grid(
        ("above", ABOVE, top.where_relevant(top.cells(others_above(view), 0.0))),
        ("below", Text("of the first wrong below", "其后的前几个错误条目"), top.where_relevant(terms)),
        so_far(terms),
    )
    words = Text("w · R", "w · R") if metric.of == "all" else Text("w · min(R, w)", "w · min(R, w)")
    steps: list[Step] = [grid, sum_line("sum", "Σ", top.at_hits(terms), total), relevant_line(lesson)]
    return fraction([*steps, Line("pairs", Text("pairs", "对数"), words, (), most)], total, most)
