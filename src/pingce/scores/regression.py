"""The scores of predicted numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pingce.base.json import Json
from pingce.base.lazy import cached_property
from pingce.base.text import Text
from pingce.scores.base import RowScores

if TYPE_CHECKING:
    from pingce.evidence.regression.evidence import ErrorEvidence
    from pingce.inputs.regression import NumberRows


class RegressionScores(RowScores):
    """The scores of one model."""

    task = "regression"
    evidence: ErrorEvidence

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
            "weight": float(self.evidence.sums["weight"]) if self.evidence.weighted else None,
            "undefined": self.undefined(),
        }

    def count_texts(self) -> list[Text]:
        """Rows and their weight."""
        rows = self.counts["rows"]
        return [Text(f"{rows} rows", f"{rows} 行"), *self.weight_text(), *self.undefined_text()]

    @staticmethod
    def signed_facts(evidence: ErrorEvidence) -> dict[str, str | None]:
        """Whether rows were weighted."""
        return {"weight": "given" if evidence.weighted else None}
