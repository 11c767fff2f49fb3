"""Two curves compared: one dominates, they are equal, or they cross and something else must decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from pingce.curves.above import above_pr, above_roc
from pingce.curves.base import Curve, Steps, told_apart
from pingce.errors import InputError, one_line
from pingce.language import Text

Verdict: TypeAlias = Literal["dominates", "equal", "cross"]

_ABOVE = {"roc": above_roc, "pr": above_pr}
_TITLES = {"roc": "ROC", "pr": "PR"}
_AXES = {"roc": Text("FPR", " FPR"), "pr": Text("recall", "召回率")}
_BETTER = {
    "roc": Text("at every FPR its TPR is at least as high", "在任何 FPR 下，TPR 都不更低"),
    "pr": Text("at every recall its precision is at least as high", "在任何召回率下，精确率都不更低"),
}
_SHOWN = 3
"Crossings that the sentence names."


@dataclass(frozen=True)
class Comparison:
    """One curve against another."""

    kind: str
    models: tuple[str, str]
    verdict: Verdict
    better: str | None
    "The model whose curve is nowhere below, where one dominates."
    where: tuple[float, ...]
    "Where they cross: FPR for ROC, recall for PR; each the nearest double of the exact place."
    text: Text

    def __str__(self) -> str:
        return str(self.text)


def compare_curves(first: Curve, second: Curve) -> Comparison:
    """Whether one ROC or PR curve is on or above the other everywhere, or where they cross.

    ROC curves are joined by straight lines, PR curves are steps. All points count, also those that thinning left out.
    Where curves share a stretch before they part, they cross at its end.
    """
    steps = _steps_of(first), _steps_of(second)
    if first.kind != second.kind:
        raise InputError(
            f"a {_TITLES[first.kind]} curve cannot be compared with a {_TITLES[second.kind]} curve",
            f"{_TITLES[first.kind]} 曲线不能与 {_TITLES[second.kind]} 曲线比较",
        )
    signs, where = _ABOVE[first.kind](*steps)
    one, other = told_apart([first.model, second.model])
    above, below = bool((signs > 0).any()), bool((signs < 0).any())
    verdict: Verdict = "cross" if above and below else "dominates" if above or below else "equal"
    better = None if above == below else one if above else other
    said = _said(verdict, (first, second), [one, other] if above or not below else [other, one], where)
    return Comparison(first.kind, (one, other), verdict, better, where, _with_data(said, *steps))


def _steps_of(curve: Curve) -> Steps:
    if not isinstance(curve, Curve) or curve.kind not in _ABOVE or curve.steps is None:
        kind = getattr(curve, "kind", type(curve).__name__)
        raise InputError(
            f"only ROC curves and PR curves can be compared, not {kind}",
            f"只能比较 ROC 曲线或 PR 曲线，不能比较 {kind}",
        )
    return curve.steps


def _said(verdict: Verdict, curves: tuple[Curve, Curve], names: Sequence[str], where: Sequence[float]) -> Text:
    """The verdict as a sentence; of two that differ the better one is named first."""
    kind = curves[0].kind
    title, (one, other) = _TITLES[kind], map(one_line, names)
    if verdict == "equal":
        return Text(
            f"the {title} curves of {one} and {other} are the same", f"{one} 与 {other} 的 {title} 曲线完全相同"
        )
    if verdict == "dominates":
        return Text(
            f"the {title} curve of {one} is nowhere below that of {other}: {_BETTER[kind].en}",
            f"{one} 的 {title} 曲线处处不低于 {other}：{_BETTER[kind].zh}",
        )
    figures = _figures(curves)
    return Text(
        f"the {title} curves of {one} and {other} cross at {_listed(kind, where).en}: neither is better everywhere, "
        f"the areas or the break-even point must decide ({figures.en})",
        f"{one} 与 {other} 的 {title} 曲线在{_listed(kind, where).zh}相交：谁也不是处处更优，"
        f"应由曲线下面积或平衡点来判断（{figures.zh}）",
    )


def _listed(kind: str, where: Sequence[float]) -> Text:
    """The first crossings, and how many there are."""
    shown = [f"{x:.4g}" for x in where[:_SHOWN]]
    more = Text(f" … ({len(where)} crossings)", f" 等 {len(where)} 处") if len(where) > _SHOWN else Text("", " 处")
    return Text(
        f"{_AXES[kind].en} {', '.join(shown)}{more.en}",
        f"{_AXES[kind].zh} = {'、'.join(shown)}{more.zh}",
    )


def _figures(curves: tuple[Curve, Curve]) -> Text:
    """Areas and break-even points of both."""
    pairs = [
        (title, *(curve.summary[name] for curve in curves))
        for name, title in (("auc", "AUC"), ("pr_auc", "PR AUC"), ("bep", "BEP"))
        if all(name in curve.summary for curve in curves)
    ]
    return Text(
        "; ".join(f"{title} {one:.4f} against {other:.4f}" for title, one, other in pairs),
        "；".join(f"{title} {one:.4f} 对 {other:.4f}" for title, one, other in pairs),
    )


def _with_data(said: Text, one: Steps, other: Steps) -> Text:
    """The sentence, and a caution where the curves cannot be of the same rows."""
    if (one.positives, one.negatives) == (other.positives, other.negatives):
        return said
    return Text(
        f"{said.en}; but they stand on different rows: {one.positives} positives and {one.negatives} negatives "
        f"against {other.positives} and {other.negatives}",
        f"{said.zh}；但两者的数据不同：正例 {one.positives}、负例 {one.negatives}，"
        f"对正例 {other.positives}、负例 {other.negatives}",
    )
