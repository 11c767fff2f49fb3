"""What `pingce eval` has read and can score: the same shape for every task."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pingce.base.text import Text
from pingce.evaluate.definitions import Definitions

if TYPE_CHECKING:
    from pingce.evidence.policies import PolicySet
    from pingce.metrics.grammar import MetricRequest
    from pingce.scores import Scores


@dataclass(frozen=True)
class Job:
    """Runs or models that were read, by name, each as a function that scores it."""

    define: Definitions[Any]
    asked: list[MetricRequest]
    models: Mapping[str, Callable[[list[MetricRequest], Any], Scores]]
    said: str = ""
    "How the input was taken, for the notes."
    notes: list[Text] = field(default_factory=list)
    "What is found out while models are scored."

    def scores(self) -> dict[str, Scores]:
        """Every model scored."""
        return {name: score(self.asked, self.define.policies) for name, score in self.models.items()}


def definitions(kind: type[PolicySet], options: Mapping[str, Any], names: Sequence[str]) -> Definitions[Any]:
    """What the options say of policies and convention; a policy that was not said is None."""
    return Definitions(kind, options["convention"], {name: options[name] for name in names})
