"""From a metric and its data to an explanation, whose last line must have the very value of the evaluation."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from typing import Any, TypeAlias, TypeVar

from pingce.base.errors import PingceWarning
from pingce.base.text import Text
from pingce.evidence.policy_set import PolicySet
from pingce.explanations.derivation import Derivation, Explanation, Grid, Line, Step, whole
from pingce.metrics.declared import Metric
from pingce.metrics.grammar import MetricRequest
from pingce.run.score import resolve_undefined, score_metric
from pingce.scores.base import Scores
from pingce.scores.values import Value
from pingce.tasks import TASKS

Explainer: TypeAlias = "Callable[..., Derivation | None]"
_Function = TypeVar("_Function", bound=Explainer)
_EXPLAINERS: dict[type[Metric], Explainer] = {}


def explains(*kinds: type[Metric]) -> Callable[[_Function], _Function]:
    """Mark a function as the one that explains these metrics, and all that are made from them."""

    def register(explainer: _Function) -> _Function:
        _EXPLAINERS.update(dict.fromkeys(kinds, explainer))
        return explainer

    return register


_FOLDERS = tuple(f"pingce.{task.name}." for task in TASKS.values() if task.in_folder)
"Of tasks that have one, with all their parts."


def explainer_of(kind: type[Metric]) -> Explainer | None:
    """The function that explains a metric or the nearest metric it is made from; None where there is none.

    It stands in the module that mirrors the metric's.
    """
    for base in kind.__mro__:
        mirror = _mirror(base.__module__)
        if mirror != base.__module__ and find_spec(mirror) is not None:
            import_module(mirror)
        if base in _EXPLAINERS:
            return _EXPLAINERS[base]
    return None


def _mirror(module: str) -> str:
    """The module that explains the metrics of another: in the room of explanations, or beside it in the folder of a task."""
    if module.startswith(_FOLDERS):
        return f"{module.rpartition('.')[0]}.explain"
    return module.replace("pingce.metrics.", "pingce.explanations.", 1)


def is_declared_elsewhere(metric: Metric) -> bool:
    """Whether a caller declared it, so that it may compute something else than the metric it is made from."""
    return not type(metric).__module__.startswith(("pingce.metrics.", *_FOLDERS))


def derive(metric: Metric, bare: Callable[[], Derivation], *data: object) -> Derivation:
    """The steps by which a value follows from the data; `bare` are the rows and the value alone."""
    explainer = explainer_of(type(metric))
    derivation = None if explainer is None else explainer(metric, *data)
    if derivation is not None and not is_declared_elsewhere(metric):
        return derivation
    alone = bare()
    if derivation is not None and float(derivation.value).hex() == float(alone.value).hex():
        return derivation
    return alone


@contextmanager
def silently() -> Iterator[None]:
    """Warnings of an evaluation become notes of its explanation: they are not said twice."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PingceWarning)
        yield


def explain_rows(  # noqa: PLR0917 - in the order in which they are read
    request: MetricRequest,
    policies: PolicySet,
    rows: Any,
    subject: Text,
    grid: Callable[[Any], Grid],
    left_out: int = 0,
) -> Explanation:
    """The explanation of a value of all rows, with what the evaluation noted; `grid` shows the rows of a view."""
    with silently():
        scores = score_metric(request, policies, rows)
    metric, value = request.metric, scores.find(request.name)
    view = scores.evidence.view(request.under(policies))
    derivation = derive(metric, lambda: Derivation([grid(view)], value=metric.value(view)), view)
    steps, notes = list(derivation.steps), []
    if math.isnan(derivation.value):
        derivation = _undefined(request, steps, value.policies)
    if rows.weight is not None:
        subject = Text(f"{subject.en}, weighted", f"{subject.zh}，已加权")
        notes.append(_WEIGHTED)
    if left_out:
        en = f"{left_out} rows of weight 0 are left out, and are not counted in row numbers"
        notes.append(Text(en, f"{left_out} 行的权重为 0，未列出，也不计入行号"))
    if any(isinstance(step, Line) and step.value is not None and math.isinf(step.value) for step in steps):
        notes.append(_BEYOND)
    derivation = replace(derivation, steps=steps, notes=(*notes, *scores.notes, *scores.warnings))
    return finished(request, scores, subject, derivation, value.value, request.name)


def _undefined(request: MetricRequest, steps: list[Step], policies: Any) -> Derivation:
    """The reason, as a last step, and what the policy makes of it."""
    when, policy = request.metric.undefined_when, policies.undefined
    en, zh = (f": {when.en}", f"：{when.zh}") if when.en else ("", "")
    steps.append(Text(f"{request.name} is not defined here{en}.", f"{request.name} 在此没有定义{zh}。"))
    value, words = resolve_undefined(request, math.nan, policies)[0], Text("not defined", "没有定义")
    if not math.isnan(value):
        en, zh = f", counted as {value:g} (undefined={policy})", f"，计为 {value:g}（undefined={policy}）"
        words = Text(words.en + en, words.zh + zh)
    return Derivation(steps, words, value=value)


_WEIGHTED = Text(
    "Rows are weighted: every number of rows in the steps is a sum of weights", "各行有权重：步骤中的行数都是权重之和"
)
_BEYOND = Text(
    "Sums beyond the range of doubles are shown as ∞; the value is taken from the exact sums",
    "超出双精度范围的和显示为 ∞；结果由精确的和算出",
)


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
