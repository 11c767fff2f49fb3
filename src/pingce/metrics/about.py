"""What a metric says about itself in words: question, use, blind spots, a worked example; in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pingce.base.text import Text


@dataclass(frozen=True)
class About:
    """What a metric says about itself, beside its formula and parameters."""

    question: Text
    "The one sentence a person asks."
    use: Text
    "Where it is used."
    blind: Text
    "What it cannot see."
    pairs_with: tuple[str, ...]
    typical_k: str
    reference: str
    "A key of references.REFERENCES."
    worked: Text
    "A small calculation that ends in the value of `example`."
    example: tuple[str, tuple[Any, ...], tuple[Any, ...]]
    """Metric and data. Rankings: grades in ranked order, and grades of relevant items that were not returned.
    Binary: labels and scores. Multi-class: true and predicted labels. Numbers: true and predicted ones."""
    groups: tuple[Any, ...] = ()
    "Of the rows of the example, where the metric needs them."
    range: str = "0 … 1"
    higher_is_better: bool | None = True
    undefined: Text = Text("R = 0", "R = 0")
    "When there is no value; empty = never."
    also: tuple[str, ...] = ()
    "Other words, mostly Chinese, under which people look for it, right or wrong."


@dataclass(frozen=True)
class Declaring:
    """Makes declarations that share an example, and other settings, unless they have their own."""

    example: tuple[tuple[Any, ...], tuple[Any, ...]]
    settings: Mapping[str, Any]

    def __call__(  # noqa: PLR0917 - in the order in which they are read
        self,
        question: Text,
        use: Text,
        blind: Text,
        pairs_with: tuple[str, ...],
        reference: str,
        worked: Text,
        metric: str = "",
        **more: Any,
    ) -> About:
        """The declaration of a metric; its example is of itself, unless `metric` says more."""
        settings: dict[str, Any] = {"undefined": Text("", ""), **self.settings, **more}
        example = settings.pop("example", self.example)
        return About(question, use, blind, pairs_with, "–", reference, worked, (metric, *example), **settings)
