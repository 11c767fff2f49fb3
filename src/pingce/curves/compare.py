"""Two curves compared: one dominates, they are equal, or they cross and something else must decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from pingce.base.errors import InputError, one_line
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.curves.above import CONFIDENCE, Lead, above_pr, above_roc, leads
from pingce.curves.base import Curve, Steps, told_apart

Verdict: TypeAlias = Literal["dominates", "equal", "cross"]

_ABOVE = {"roc": above_roc, "pr": above_pr}
_TITLES = {"roc": "ROC", "pr": "PR"}
_AXES = {"roc": Text("FPR", " FPR"), "pr": Text("recall", "召回率")}
_BETTER = {
    "roc": Text("at every FPR its TPR is at least as high", "在任何 FPR 下，TPR 都不更低"),
    "pr": Text("at every recall its precision is at least as high", "在任何召回率下，精确率都不更低"),
}
_SHOWN = 3
"Crossings, or stretches, that a sentence names."
_TRIFLE = 0.1
"Of the longest stretch: shorter ones are not named."


@dataclass(frozen=True)
class CurveComparison:
    """One curve against another."""

    kind: str
    models: tuple[str, str]
    verdict: Verdict
    better: str | None
    "The model whose curve is nowhere below, where one dominates."
    where: tuple[float, ...]
    "Where they cross: FPR for ROC, recall for PR; each the nearest double of the exact place."
    text: Text
    leads: tuple[Lead, ...] = ()
    "Where either is above the other beyond chance: outside a joint 95 % band."

    @property
    def is_finding(self) -> bool:
        """Whether there is something to say: curves that cross do so beyond chance only where each leads somewhere."""
        return self.verdict != "cross" or len({lead.model for lead in self.leads}) == 2

    def __str__(self) -> str:
        return str(self.text)


def compare_curves(first: Curve, second: Curve) -> CurveComparison:
    """Whether one ROC or PR curve is on or above the other everywhere, or where they cross.

    ROC curves are joined by straight lines, PR curves are steps. All points count, also those that thinning left out.
    Where curves share a stretch before they part, they cross at its end. Curves of samples cross often by chance:
    `leads` has the stretches on which one is above the other by more than a joint 95 % band allows, and `is_finding`
    says whether both have one.
    """
    steps = _steps_of(first), _steps_of(second)
    if first.kind != second.kind:
        raise InputError(
            f"a {_TITLES[first.kind]} curve cannot be compared with a {_TITLES[second.kind]} curve",
            f"{_TITLES[first.kind]} 曲线不能与 {_TITLES[second.kind]} 曲线比较",
        )
    signs, where = _ABOVE[first.kind](*steps)
    name, other_name = told_apart([first.model, second.model])
    above, below = bool((signs > 0).any()), bool((signs < 0).any())
    verdict: Verdict = "cross" if above and below else "dominates" if above or below else "equal"
    better = None if above == below else name if above else other_name
    ahead = leads(first.kind, steps, (name, other_name)) if verdict == "cross" else ()
    if verdict == "cross":
        text = _crossing((first, second), (name, other_name), where, ahead)
    else:
        text = _verdict_text(verdict, first.kind, [name, other_name] if above or not below else [other_name, name])
    return CurveComparison(first.kind, (name, other_name), verdict, better, where, _with_data(text, *steps), ahead)


def _steps_of(curve: Curve) -> Steps:
    if not isinstance(curve, Curve) or curve.kind not in _ABOVE or curve.steps is None:
        kind = getattr(curve, "kind", type(curve).__name__)
        raise InputError(
            f"only ROC curves and PR curves can be compared, not {kind}",
            f"只能比较 ROC 曲线或 PR 曲线，不能比较 {kind}",
        )
    return curve.steps


def _verdict_text(verdict: Verdict, kind: str, names: Sequence[str]) -> Text:
    """The verdict as a sentence; of two that differ the better one is named first."""
    title, (name, other_name) = _TITLES[kind], map(one_line, names)
    if verdict == "equal":
        return Text(
            f"the {title} curves of {name} and {other_name} are the same",
            f"{name} 与 {other_name} 的 {title} 曲线完全相同",
        )
    return Text(
        f"the {title} curve of {name} is nowhere below that of {other_name}: {_BETTER[kind].en}",
        f"{name} 的 {title} 曲线处处不低于 {other_name}：{_BETTER[kind].zh}",
    )


def _crossing(curves: tuple[Curve, Curve], names: Sequence[str], where: Sequence[float], ahead: Sequence[Lead]) -> Text:
    """Curves that cross: beyond chance, with where each leads; or not, with the places if they are few."""
    kind, figures, (name, other_name) = curves[0].kind, _figures(curves), map(one_line, names)
    beyond, places = _beyond(kind, names, ahead), _listed(kind, where)
    band = Text(f"joint {100 * CONFIDENCE:g} % band", f"{100 * CONFIDENCE:g} % 联合置信带")
    if len(beyond) == 2:
        how = Text(
            f" beyond chance ({band.en}): {'; '.join(text.en for text in beyond)}",
            f"相交，且超出偶然（{band.zh}）：{'；'.join(text.zh for text in beyond)}",
        )
    elif beyond:
        how = Text(
            f"{places.en}, but beyond chance ({band.en}) only {beyond[0].en}",
            f"{places.zh}，但超出偶然（{band.zh}）的只有：{beyond[0].zh}",
        )
    else:
        how = Text(
            f"{places.en}, by no more than chance explains ({band.en})", f"{places.zh}，差异可由偶然解释（{band.zh}）"
        )
    return Text(
        f"the {_TITLES[kind]} curves of {name} and {other_name} cross{how.en}: neither is better everywhere, "
        f"the areas or the break-even point must decide ({figures.en})",
        f"{name} 与 {other_name} 的 {_TITLES[kind]} 曲线{how.zh}：谁也不是处处更优，应由曲线下面积或平衡点来判断（{figures.zh}）",
    )


def _beyond(kind: str, names: Sequence[str], ahead: Sequence[Lead]) -> list[Text]:
    """The longest stretches of each model that leads somewhere, and none that is a trifle beside them."""
    texts = []
    for name in names:
        stretches = sorted((lead for lead in ahead if lead.model == name), key=lambda lead: -lead.length)[:_SHOWN]
        long = [lead for lead in stretches if lead.length >= _TRIFLE * stretches[0].length]
        if stretches:
            spans = [(f"{lead.low:.3g}", f"{lead.high:.3g}") for lead in sorted(long, key=lambda lead: lead.low)]
            texts.append(
                Text(
                    f"{one_line(name)} is higher at {_AXES[kind].en} {', '.join(f'{a} to {b}' for a, b in spans)}",
                    f"{one_line(name)} 在{_AXES[kind].zh} {'、'.join(f'{a} 至 {b}' for a, b in spans)} 更高",
                )
            )
    return texts


def _listed(kind: str, where: Sequence[float]) -> Text:
    """The crossings, if they are few."""
    if len(where) > _SHOWN:
        return Text("", "相交")
    places = [f"{x:.4g}" for x in where]
    return Text(f" at {_AXES[kind].en} {', '.join(places)}", f"在{_AXES[kind].zh} = {'、'.join(places)} 处相交")


def _figures(curves: tuple[Curve, Curve]) -> Text:
    """Areas and break-even points of both."""
    pairs = [
        (title, *(curve.summary[name] for curve in curves))
        for name, title in (("auc", "AUC"), ("pr_auc", "PR AUC"), ("bep", "BEP"))
        if all(name in curve.summary for curve in curves)
    ]
    return Text(
        "; ".join(f"{title} {value:.4f} against {other_value:.4f}" for title, value, other_value in pairs),
        "；".join(f"{title} {value:.4f} 对 {other_value:.4f}" for title, value, other_value in pairs),
    )


def _with_data(text: Text, first: Steps, second: Steps) -> Text:
    """The sentence, and a caution where the curves cannot be of the same rows."""
    if (first.positives, first.negatives) == (second.positives, second.negatives):
        return text
    return Text(
        f"{text.en}; but they stand on different rows: {first.positives} positives and {first.negatives} negatives "
        f"against {second.positives} and {second.negatives}",
        f"{text.zh}；但两者的数据不同：正例 {first.positives}、负例 {first.negatives}，"
        f"对正例 {second.positives}、负例 {second.negatives}",
    )
