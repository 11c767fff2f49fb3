"""The scores of predicted numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pingce.base.json import Json
from pingce.base.lazy import cached_property
from pingce.base.text import Text
from pingce.evidence.policies import RegressionPolicies
from pingce.scores.base import Scores, weight_text
from pingce.scores.values import Value

if TYPE_CHECKING:
    from pingce.evidence.regression.evidence import ErrorEvidence
    from pingce.inputs.regression import NumberRows


class RegressionScores(Scores):
    """The scores of one model."""

    task = "regression"

    def __init__(
        self,
        values: Mapping[str, Value],
        evidence: ErrorEvidence,
        policies: RegressionPolicies,
        *,
        confidence: float | None = None,
    ) -> None:
        super().__init__(values, policies, confidence=confidence)
        self.evidence = evidence
        self.weighted = evidence.weighted
        "Whether rows were weighted."

    @property
    def data(self) -> NumberRows:
        """The rows, where they were kept."""
        return self.evidence.data

    @property
    def paired_data(self) -> NumberRows:
        """The rows: sums are no pairs."""
        return self.data

    @cached_property
    def counts(self) -> Json:
        """Rows, their weight, undefined values."""
        return {
            "rows": self.evidence.count,
            "weight": float(self.evidence.sums["weight"]) if self.weighted else None,
            "undefined": {name: value.undefined for name, value in self.values_by_name.items()},
        }

    def count_texts(self) -> list[Text]:
        """Rows and their weight."""
        rows = self.counts["rows"]
        return [Text(f"{rows} rows", f"{rows} 行"), *weight_text(self.counts), *self.undefined_text()]

    @staticmethod
    def signed_facts(evidence: ErrorEvidence) -> dict[str, str | None]:
        """Whether rows were weighted."""
        return {"weight": "given" if evidence.weighted else None}

    def signed(self, value: Any) -> list[tuple[str, Any]]:
        """Whether rows were weighted."""
        return super().signed(value) + ([("weight", "given")] if self.weighted else [])
