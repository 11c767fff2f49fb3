"""The scores of predicted numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.json import Json
from pingce.base.lazy import cached_property, pa
from pingce.base.text import Text
from pingce.scores.base import RowScores
from pingce.scores.tables import arrow_table

if TYPE_CHECKING:
    from pingce.evidence.regression.evidence import ErrorEvidence
    from pingce.inputs.regression import NumberRows


class RegressionScores(RowScores):
    """The scores of one model; `per_group` has the pairs of each group, where a metric of groups was asked for."""

    task = "regression"
    per = "group"
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
        """Rows, their weight, undefined values, groups by fate."""
        counts: Json = {
            "rows": self.evidence.count,
            "weight": float(self.evidence.sums["weight"]) if self.evidence.weighted else None,
            "undefined": self.undefined(),
        }
        if (metric := self._metric_with("of_groups", True)) is not None:
            groups = self.evidence.groups(metric.needed_columns())
            scored = ~np.isnan(metric.areas(groups))
            counts["groups"] = {
                "all": len(groups),
                "scored": int(np.count_nonzero(scored)),
                "without_pairs": int(np.count_nonzero(~scored)),
                "without_pairs_rows": int(groups.rows[~scored].sum()),
            }
        return counts

    def count_texts(self) -> list[Text]:
        """Rows and their weight."""
        rows, groups = self.counts["rows"], self.counts.get("groups")
        texts = [Text(f"{rows} rows", f"{rows} 行"), *self.weight_text()]
        if groups is not None:
            left, size = groups["without_pairs"], groups["without_pairs_rows"]
            texts.append(
                Text(
                    f"{groups['scored']} of {groups['all']} groups scored, {left} without a pair that differs left out ({size} rows)",
                    f"{groups['all']} 组中 {groups['scored']} 组计入，{left} 组没有真值不同的两行、不计入（{size} 行）",
                )
            )
        return texts + self.undefined_text()

    @cached_property
    def per_group(self) -> pa.Table:
        """An Arrow table: group, n, pairs of its rows by kind, xauc (null without a pair), weight."""
        return arrow_table(self.unit_columns())

    def unit_columns(self) -> dict[str, list[Any]]:
        """Each group: rows, pairs in order, out of order and tied, value, weight."""
        metric = self._metric_with("of_groups", True)
        if metric is None:
            return {}
        groups = self.evidence.groups(metric.needed_columns())
        return {
            "group": list(groups.groups.to_list()),
            "n": groups.rows.tolist(),
            "concordant": groups.concordant.tolist(),
            "discordant": groups.discordant.tolist(),
            "tied": groups.tied_predicted.tolist(),
            "xauc": metric.areas(groups).tolist(),
            "weight": metric.weights(groups).tolist(),
        }

    @staticmethod
    def signed_facts(evidence: ErrorEvidence) -> dict[str, str | None]:
        """Whether rows were weighted."""
        return {"weight": "given" if evidence.weighted else None}
