"""Measures of ir_measures as metrics of pingce: what its convention says each of them means."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from ir_measures.providers.base import NOT_PROVIDED
from numpy.typing import NDArray

from pingce.base.records import dataclass
from pingce.conventions.resolve import asked_under, convention_named, entries_of
from pingce.metrics.grammar import MetricRequest

TOOL: Final = "ir_measures"
_AS_POLICIES: Final = ("rel", "judged_only", "gains")
"Parameters that are policies of pingce, or another grade of the same item, and not part of a spelling."
_WITH_LEVEL: Final = ("RBP", "NumRet")
"Measures that are others where no level is said."
_OTHERS: Final = ("Compat",)
"Measures whose own provider orders equal or negative scores in its ideal list as no definition says."
GDEVAL_PLACES: Final = 5
"Decimal places that gdeval prints."


@dataclass(frozen=True)
class Grades:
    """Which grades a measure sees."""

    intents: bool = False
    "Whether it looks at the subtopics of judgements."
    gains: tuple[tuple[float, float], ...] = ()
    "Grades that count as others."
    clipped: bool = False
    "Whether a negative grade counts as 0."

    def of(self, grades: NDArray[np.float64]) -> NDArray[np.float64]:
        """The grades of judgements as the measure sees them."""
        gains = grades.copy()
        for grade, gain in self.gains:
            gains[grades == grade] = gain
        return np.maximum(gains, 0.0) if self.clipped else gains


@dataclass(frozen=True)
class Question:
    """A measure of ir_measures in pingce's words."""

    request: MetricRequest
    grades: Grades
    places: int | None = None
    "Decimal places to which its provider rounds."
    filled: bool = True
    "Whether a query without an answer has the measure's default."
    undefined: float | None = None
    "What stands for a value that is undefined, where it is not the default."

    def value(self, number: float) -> float:
        """A number as the measure's provider gives it."""
        return number if self.places is None else float(f"{number:.{self.places}f}")


def question_of(measure: Any) -> Question | None:
    """What pingce must compute for a measure; None where it has no such metric, or not the same number."""
    policies = _policies(measure)
    text = _spelling(measure)
    entry = next((entry for entry in entries_of(convention_named(TOOL), "ranking") if entry.read(text)), None)
    if measure.NAME in _OTHERS or entry is None or policies is None:
        return None
    meaning = asked_under(text, TOOL, "ranking")[0]
    gains = _parameter(measure, "gains") or {}
    return Question(
        MetricRequest(str(measure), meaning.metric, {**meaning.policies, **policies}),
        Grades(meaning.metric.of_subtopics, tuple(sorted(gains.items())), clipped=measure.NAME == "Judged"),
        places=GDEVAL_PLACES if "gdeval" in entry.source else None,
        filled=entry.policies.get("missing") != "skip",
        undefined=math.nan if entry.policies.get("undefined") == "nan" else None,
    )


def _policies(measure: Any) -> dict[str, object] | None:
    """Its level and whether unjudged items are dropped, as policies; None of a level that pingce does not have."""
    level, judged_only = _parameter(measure, "rel"), _parameter(measure, "judged_only")
    if level is not None and level < 1:
        return None
    return {**({} if level is None else {"relevant": level}), **({"judged_only": "yes"} if judged_only else {})}


def _parameter(measure: Any, name: str) -> Any:
    """A parameter of a measure, or its default; None where there is neither."""
    declared = measure.SUPPORTED_PARAMS.get(name)
    value = None if declared is None else measure.params.get(name, declared.default)
    return None if value is NOT_PROVIDED else value


def _spelling(measure: Any) -> str:
    """The measure as the convention spells it: without what is a policy, parameters in the order of their declaration."""
    declared, at = measure.SUPPORTED_PARAMS, measure.AT_PARAM
    settings = {name: measure.params[name] for name in declared if name in measure.params and name != at}
    spelled = [
        f"{name}={value!r}"
        for name, value in settings.items()
        if name not in _AS_POLICIES and value != declared[name].default
    ]
    level = ["rel=1"] if measure.NAME in _WITH_LEVEL and "rel" in settings else []
    inside = ",".join([*spelled, *level])
    cut = f"@{measure.params[at]}" if at in measure.params else ""
    return f"{measure.NAME}({inside}){cut}" if inside else f"{measure.NAME}{cut}"
