"""The policies of several labels per row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, TypedDict

from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.policies import BinaryPolicies, Compare, Undefined, UndefinedClass
from pingce.evidence.policy_set import policy


class MultilabelKeywords(TypedDict, total=False):
    """The policies of several labels as keywords."""

    threshold: float | None
    compare: Compare | None
    undefined: Undefined | None
    undefined_label: UndefinedClass | None


@dataclass(frozen=True)
class MultilabelPolicies(BinaryPolicies):
    """Those of two labels for each label, and what an undefined part does to an average."""

    task = "multilabel"
    always = (*BinaryPolicies.always, "undefined_label")  # type: ignore[assignment]
    keywords = MultilabelKeywords
    places: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    follows: ClassVar[Mapping[str, str]] = {"undefined_label": "undefined"}

    undefined_label: UndefinedClass = policy(
        "zero",
        Text(
            "A label, or with average=samples a row, for which a metric is undefined, in an average; by default as --undefined says, else zero.",
            "求平均时，指标没有定义的标签（average=samples 时为行）；默认随 --undefined，否则为 zero。",
        ),
        Text(
            "a label (with `average=samples` a row) for which a metric is undefined, in an average; areas are then left out by default",
            "求平均时，指标没有定义的标签（`average=samples` 时为行）；曲线下面积默认不计入",
        ),
    )
