"""The scores of one model of uplift."""

from __future__ import annotations

from typing import Any

from pingce.base.json import Json
from pingce.base.lazy import cached_property
from pingce.base.tables import Table
from pingce.base.text import Text
from pingce.scores.base import RowScores
from pingce.tasks import TASKS
from pingce.uplift.deciles import Decile, decile_table, deciles
from pingce.uplift.evidence import UpliftEvidence


class UpliftScores(RowScores):
    """The scores of one model."""

    task = "uplift"
    evidence: UpliftEvidence

    @property
    def data(self) -> Any:
        """The rows, where they were kept."""
        return self.evidence.data

    @cached_property
    def counts(self) -> Json:
        """Rows, treated and control ones, their weight, undefined values."""
        treated, control, _, _ = self.evidence.table.totals
        is_weighted = any(self.evidence.facts.values())
        return {
            "rows": self.evidence.count,
            "treated": float(treated) if is_weighted else int(treated),
            "control": float(control) if is_weighted else int(control),
            "weight": self.evidence.weight if is_weighted else None,
            "undefined": self.undefined(),
        }

    def count_texts(self) -> list[Text]:
        """Rows of both arms."""
        rows, treated, control = (self.counts[name] for name in ("rows", "treated", "control"))
        words = Text(
            f"{rows} rows: {treated:g} treated, {control:g} control", f"{rows} 行：干预 {treated:g}，对照 {control:g}"
        )
        return [words, *self.weight_text(), *self.undefined_text()]

    @cached_property
    def deciles(self) -> list[Decile]:
        """The effect by tenths of the rows, the highest scores first."""
        return deciles(self.evidence, 0.95 if self.confidence is None else self.confidence)

    def more_tables(self) -> list[Table]:
        """The tenths."""
        return [decile_table(self.deciles)]

    def curve(self, kind: str = "qini", *, name: str = "", thin: int | None = None) -> Any:
        """The Qini curve or the uplift curve ("uplift"), with that of the best order and of a random one beside it."""
        return TASKS[self.task].load("curves")(kind, self.evidence, name=name, thin=thin)

    @staticmethod
    def signed_facts(evidence: UpliftEvidence) -> dict[str, str | None]:
        """Whether rows were weighted, and propensities given."""
        return {name: "given" if evidence.facts.get(name) else None for name in ("weight", "propensity")}
