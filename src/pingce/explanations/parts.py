"""What explanations share: notes, and the last line, which must have the very value of the evaluation."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from pingce.base.errors import PingceWarning
from pingce.base.text import Text
from pingce.explanations.derivation import Derivation, Explanation, Line, Step
from pingce.explanations.numbers import whole
from pingce.metrics.grammar import MetricRequest
from pingce.run.score import resolve_undefined
from pingce.scores.base import Scores
from pingce.scores.values import Value


def weight_note(weighted: bool) -> tuple[Text, ...]:
    """What numbers of rows mean where rows are weighted."""
    if not weighted:
        return ()
    return (
        Text(
            "Rows are weighted: every number of rows in the steps is a sum of weights",
            "各行有权重：步骤中的行数都是权重之和",
        ),
    )


def numbering_note(left_out: int) -> tuple[Text, ...]:
    """Rows of weight 0 were left out before they could be numbered."""
    if not left_out:
        return ()
    return (
        Text(
            f"{left_out} rows of weight 0 are left out, and are not counted in row numbers",
            f"{left_out} 行的权重为 0，未列出，也不计入行号",
        ),
    )


@contextmanager
def silently() -> Iterator[None]:
    """Warnings of an evaluation become notes of its explanation: they are not said twice."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PingceWarning)
        yield


def explained(request: MetricRequest, scores: Scores, subject: Text, derivation: Derivation) -> Explanation:
    """The explanation of a value of all rows, with what the evaluation noted."""
    evaluated, steps = scores.find(request.name), list(derivation.steps)
    if math.isnan(derivation.value):
        steps.append(_undefined(request))
        value, policy = (
            resolve_undefined(request, derivation.value, evaluated.policies)[0],
            evaluated.policies.undefined,
        )
        derivation = replace(derivation, value=value, template=_instead(policy), numbers=())
    notes = (*derivation.notes, *_beyond(steps), *scores.notes, *scores.warnings)
    derivation = replace(derivation, steps=steps, notes=notes)
    return finished(request, scores, subject, derivation, evaluated.value, request.name)


def finished(  # noqa: PLR0917 - in the order in which they are read
    request: MetricRequest | Value, scores: Scores, subject: Text, derivation: Derivation, value: float, name: str
) -> Explanation:
    """The explanation, whose last line must have the very value of the evaluation."""
    if float(derivation.value).hex() != float(value).hex():
        raise RuntimeError(f"{request.id}: the steps end in {derivation.value!r}, the evaluation in {value!r}")
    metric: Any = request.metric
    return Explanation(
        metric=request.name,
        id=request.id,
        signature=scores.signature(request.name),
        title=metric.title,
        question=metric.about.question,
        formula=whole(metric.formula),
        subject=subject,
        steps=(*derivation.steps, Line("value", name, derivation.template, derivation.numbers, float(value))),
        value=float(value),
        notes=derivation.notes,
    )


def _beyond(steps: Sequence[Step]) -> list[Text]:
    """A sum may be too large to be shown, while the value that follows from it is not."""
    if not any(isinstance(step, Line) and step.value is not None and math.isinf(step.value) for step in steps):
        return []
    return [
        Text(
            "Sums beyond the range of doubles are shown as ∞; the value is taken from the exact sums",
            "超出双精度范围的和显示为 ∞；结果由精确的和算出",
        )
    ]


def _undefined(request: MetricRequest) -> Text:
    when = request.metric.about.undefined
    en, zh = (f": {when.en}", f"：{when.zh}") if when.en else ("", "")
    return Text(f"{request.name} is not defined here{en}.", f"{request.name} 在此没有定义{zh}。")


def _instead(policy: str) -> Text:
    number = {"zero": "0", "one": "1"}.get(policy)
    if number is None:
        return Text("not defined", "没有定义")
    return Text(
        f"not defined, counted as {number} (undefined={policy})", f"没有定义，计为 {number}（undefined={policy}）"
    )
