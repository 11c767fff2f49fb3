"""The scores of one target policy."""

from __future__ import annotations

from typing import Any

from pingce.base.json import Json
from pingce.base.lazy import cached_property
from pingce.base.text import Text
from pingce.offpolicy.evidence import OffpolicyEvidence
from pingce.offpolicy.tails import WeightBand, bands_of
from pingce.scores.base import RowScores


class OffpolicyScores(RowScores):
    """The scores of one target policy."""

    task = "offpolicy"
    evidence: OffpolicyEvidence

    @property
    def data(self) -> Any:
        """The rows, where they were kept."""
        return self.evidence.data

    @cached_property
    def counts(self) -> Json:
        """Rows, those that the target policy would never have, their weight, undefined values."""
        zeros = self.evidence.total("zero")
        return {
            "rows": self.evidence.count,
            "zero_weights": float(zeros) if self.evidence.is_weighted else int(zeros),
            "weight": float(self.evidence.weight) if self.evidence.is_weighted else None,
            "undefined": self.undefined(),
        }

    def count_texts(self) -> list[Text]:
        """Rows, and those without weight."""
        rows, zeros = self.counts["rows"], self.counts["zero_weights"]
        words = Text(
            f"{rows} rows, {zeros:g} of them with what the target policy never does",
            f"{rows} 行，其中 {zeros:g} 行是目标策略从不选的动作",
        )
        return [words, *self.weight_text(), *self.undefined_text()]

    @cached_property
    def bands(self) -> list[WeightBand]:
        """Rows by the size of their importance weights: how many, what share of all weight, and what they add to ips."""
        return bands_of(self.evidence)

    @staticmethod
    def signed_facts(evidence: OffpolicyEvidence) -> dict[str, str | None]:
        """Whether rows were weighted."""
        return {"weight": "given" if evidence.is_weighted else None}
