"""The scores of labels and scores, and what they stand on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.json import Json
from pingce.base.lazy import cached_property, pa
from pingce.base.tables import Table
from pingce.base.text import Text
from pingce.scores.base import RowScores, Scores
from pingce.scores.tables import arrow_table
from pingce.tasks import TASKS

if TYPE_CHECKING:
    from pingce.curves.base import Curve
    from pingce.evidence.binary.evidence import BinaryEvidence, BinaryView
    from pingce.evidence.binary.fields import FieldEvidence


class BinaryScores(RowScores):
    """The scores of one model; `per_group` has the AUC of each group, where groups were given."""

    task = "binary"
    per = "group"
    evidence: BinaryEvidence
    left_out: tuple[str, ...] = ()
    "Usual metrics that need probabilities, where scores are none and nobody named metrics."
    weight_columns: tuple[str, ...] = ()
    "The names that group_weight= had."

    @property
    def bins(self) -> int | None:
        """How many bins scores were put into; None where every score is its own."""
        return self.evidence.bins

    @property
    def view(self) -> BinaryView:
        """The evidence under the policies of the call."""
        return self.evidence.view(self.policies)

    @staticmethod
    def signed_facts(evidence: BinaryEvidence) -> dict[str, str | None]:
        """Positive label, type of the scores, whether rows were weighted, bins."""
        rows = evidence.rows
        return {
            "positive": str(rows.labels.positive_name),
            "score_type": rows.score_type.name,
            "weight": None if rows.weight is None else "given",
            "bins": None if evidence.bins is None else str(evidence.bins),
        }

    @cached_property
    def counts(self) -> Json:
        """Rows by label, their weight, probabilities that were clipped, groups by fate, undefined values."""
        rows = self.evidence.rows
        total, positives = self.evidence.totals
        clipped = {
            name: self.evidence.probability(value.metric.eps).clipped
            for name, value in self.values_by_name.items()
            if hasattr(value.metric, "eps")
        }
        counts: Json = {
            "rows": len(rows),
            "positives": rows.labels.count,
            "negatives": len(rows) - rows.labels.count,
            "weight": None if rows.weight is None else float(total),
            "positive_weight": None if rows.weight is None else float(positives),
            "positive_label": rows.labels.positive_name,
            "negative_label": rows.labels.negative_name,
            "clipped": clipped,
            "undefined": self.undefined(),
        }
        if rows.group is not None and self._metric_with("of_groups", True):
            both = (groups := self.evidence.groups()).both
            scored = int(np.count_nonzero(both))
            counts["groups"] = {
                "all": len(groups),
                "scored": scored,
                "single_class": len(groups) - scored,
                "single_class_rows": int(np.where(both, 0, groups.rows).sum()),
            }
            left_out = {
                name: int(np.count_nonzero(both & ~value.metric.eligible(groups)))
                for name, value in self.values_by_name.items()
                if value.metric.needs == "groups" and not value.metric.counts_all
            }
            counts["groups"] |= {"left_out": left_out} if left_out else {}
        fields = {
            name: _field_counts(self.evidence.fields(value.metric.by))
            for name, value in self.values_by_name.items()
            if value.metric.needs == "fields"
        }
        return counts | ({"fields": fields} if fields else {})

    def count_texts(self) -> list[Text]:
        """Rows by label, groups by fate, and probabilities that were clipped."""
        counts = self.counts
        label = counts["positive_label"]
        texts = [
            Text(
                f"{counts['rows']} rows: {counts['positives']} positive (label {label!s}), {counts['negatives']} negative",
                f"{counts['rows']} 行：正例 {counts['positives']}（标签 {label!s}），负例 {counts['negatives']}",
            ),
            *self.weight_text(),
        ]
        if groups := counts.get("groups"):
            texts.append(
                Text(
                    f"{groups['scored']} of {groups['all']} groups scored, {groups['single_class']} with one class only left out ({groups['single_class_rows']} rows)",
                    f"{groups['all']} 组中 {groups['scored']} 组计入，{groups['single_class']} 组只有一个类别、不计入（{groups['single_class_rows']} 行）",
                )
            )
        for name, number in (groups or {}).get("left_out", {}).items():
            texts.append(
                Text(
                    f"{name}: {number} more groups left out: too few rows or positives, or scores that are all equal",
                    f"{name}：另有 {number} 组不计入：行数或正例过少，或分数全部相同",
                )
            )
        columns = {self.values_by_name[name].metric.by: counted for name, counted in counts.get("fields", {}).items()}
        for name, fields in columns.items():
            rows = f"{fields['without_positives_rows']:g}"
            texts.append(
                Text(
                    f"{name or 'group'}: {fields['all']} fields, {fields['without_positives']} of them without a positive row ({rows} rows)",
                    f"{name or '分组'}：{fields['all']} 个字段，其中 {fields['without_positives']} 个没有正例（{rows} 行）",
                )
            )
        if clipped := max(counts["clipped"].values(), default=None):
            texts.append(Text(f"{clipped} probabilities clipped for the logarithm", f"取对数时截断了 {clipped} 个概率"))
        return texts + self.undefined_text()

    @classmethod
    def between(cls, models: Mapping[str, Scores]) -> list[Text]:
        """Where AUC and GAUC disagree on which model is better."""
        texts: list[Text] = TASKS[cls.task].load("diagnosis").between(models)
        return texts

    def curve(self, kind: str, **options: Any) -> Curve:
        """A curve of the same rows: roc, pr, det, calibration, lift, gain, ks or confusion; options as `roc_curve` has them."""
        if "thresholds" in options:
            options.setdefault("compare", self.policies.compare)
        curve: Curve = TASKS[self.task].load("curves")(kind, self.evidence, **options)
        return curve

    def signed(self, value: Any) -> list[tuple[str, str | None]]:
        """The facts; bins only of what reads the table that they made."""
        return [part for part in super().signed(value) if part[0] != "bins" or value.metric.reads_table()]

    @cached_property
    def per_group(self) -> pa.Table:
        """An Arrow table: group, n, positives, auc (null with one class only), weight, and logloss where it was asked for."""
        return arrow_table(self.unit_columns())

    def unit_columns(self) -> dict[str, list[Any]]:
        """Each group: rows, positives, AUC, weight, log loss."""
        if self.evidence.rows.group is None:
            return {}
        gauc, loss = self._metric_with("of_groups", True), self._metric_with("of_each_group", True)
        epsilon = None if loss is None else loss.eps or self.evidence.rows.epsilon
        groups = self.evidence.groups(() if gauc is None else gauc.needed_columns(), epsilon)
        columns: dict[str, list[Any]] = {
            "group": list(groups.groups.to_list()),
            "n": groups.rows.tolist(),
            "positives": groups.positives.tolist(),
            "auc": groups.auc().tolist(),
            "weight": groups.weights("impressions" if gauc is None else gauc.by).tolist(),
        }
        if groups.loss is not None and loss is not None:
            total = groups.weights("impressions")
            columns["logloss"] = np.divide(
                groups.loss, total, out=np.full(len(total), np.nan), where=total > 0
            ).tolist()
        return columns

    def fields(self, by: str) -> pa.Table:
        """An Arrow table of the fields of a metric, the worst first: rows, positives, Σ p, PCOC, and rows × error.

        The error is the share by which clicks are off, |Σ (y − p)| / Σ y; null for a field without any.
        """
        counts, places, error = worst_fields(self.evidence.fields(by))
        columns = {
            "field": counts.names(places),
            "rows": counts.rows[places].tolist(),
            "positives": counts.positives[places].tolist(),
            "predicted": counts.predicted[places].tolist(),
            "pcoc": _quotients(counts.predicted, counts.positives)[places].tolist(),
            "error": error[places].tolist(),
            "rows_times_error": (counts.rows * error)[places].tolist(),
        }
        return arrow_table(columns)

    def more_tables(self) -> list[Table]:
        """The decision at the threshold, where a metric depends on it; the worst fields, where metrics are of fields."""
        return [*self._decision_tables(), *self._field_tables()]

    def _field_tables(self) -> list[Table]:
        metrics = (value.metric for value in self.values_by_name.values())
        names = dict.fromkeys(metric.by for metric in metrics if metric.needs == "fields")
        heads = [Text("rows", "行数"), Text("positives", "正例"), Text("Σ p", "Σ p"), Text("PCOC", "PCOC")]
        heads += [Text("error", "误差"), Text("rows × error", "行数 × 误差")]
        out = []
        for name in names:
            group = str(Text("group", "分组"))
            title = str(Text(f"worst {name or group}", f"最差的 {name or group}"))
            rows = [list(row.values()) for row in self.fields(name).slice(0, _WORST).to_pylist()]
            out.append(Table([title, *map(str, heads)], rows))
        return out

    def _decision_tables(self) -> list[Table]:
        if self._metric_with("needs", "cells") is None:
            return []
        cells, view = self.view.cells, self.view
        sign = "≥" if self.policies.compare == "ge" else ">"
        names = (self.evidence.rows.labels.positive_name, self.evidence.rows.labels.negative_name)
        labels = ["–" if name is None else str(name) for name in names]
        titles = [str(Text(f"predicted {label}", f"预测为 {label}")) for label in labels]
        title = str(Text(f"true \\ score {sign} {view.threshold:g}", f"真值 \\ 分数 {sign} {view.threshold:g}"))
        return [Table([title, *titles], [[labels[0], cells.tp, cells.fn], [labels[1], cells.fp, cells.tn]])]


_WORST = 10
"Fields that a reader is shown."


def _quotients(top: Any, bottom: Any) -> Any:
    return np.divide(top, bottom, out=np.full(len(top), np.nan), where=bottom > 0)


def worst_fields(fields: FieldEvidence) -> tuple[FieldEvidence, Any, Any]:
    """Fields by rows × error, largest first, those without clicks last; and the error of each."""
    error = _quotients(np.abs(fields.excess), fields.positives)
    return fields, np.argsort(-np.nan_to_num(fields.rows * error, nan=-1.0), kind="stable"), error


def _field_counts(fields: FieldEvidence) -> Json:
    bare = fields.positives == 0
    rows = fields.rows[bare].sum().item()
    return {"all": len(fields), "without_positives": int(np.count_nonzero(bare)), "without_positives_rows": rows}
