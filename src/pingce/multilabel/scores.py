"""The scores of one model of several labels, with the report of each label."""

from __future__ import annotations

from typing import Any

import numpy as np

from pingce.base.json import Json
from pingce.base.lazy import cached_property, pa
from pingce.base.tables import Table, finite
from pingce.base.text import Text
from pingce.multilabel.evidence import LabelView, MultilabelEvidence
from pingce.multilabel.metrics import FMeasure, Precision, Recall
from pingce.scores.base import RowScores
from pingce.scores.signature import labels_text
from pingce.scores.tables import arrow_table

TITLES = {
    "label": Text("label", "标签"),
    "precision": Text("precision", "精确率"),
    "recall": Text("recall", "召回率"),
    "f1": Text("F1", "F1"),
    "support": Text("rows that have it", "有该标签的行数"),
    "predicted": Text("predicted", "预测数"),
}


class MultilabelScores(RowScores):
    """The scores of one model; `per_label` has precision, recall, F1 and support of each label."""

    task = "multilabel"
    evidence: MultilabelEvidence

    @property
    def labels(self) -> tuple[str, ...]:
        """All labels, in the order of the columns."""
        return self.evidence.labels

    @property
    def data(self) -> Any:
        """The rows, where they were kept."""
        return self.evidence.data

    @property
    def view(self) -> LabelView:
        """The evidence under the policies of the call."""
        return self.evidence.view(self.policies)

    @cached_property
    def counts(self) -> Json:
        """Rows, labels by fate, labels per row, undefined values."""
        decisions = self.view.decisions
        total = float(self.evidence.weight)
        empty = int(decisions.patterns.rows[decisions.patterns.true == 0].sum())
        return {
            "rows": self.evidence.count,
            "weight": total if self.evidence.weighted else None,
            "labels": len(self.labels),
            "labels_per_row": float(decisions.true.sum()) / total,
            "predicted_per_row": float(decisions.predicted.sum()) / total,
            "without_labels": empty,
            "never_true": int(np.count_nonzero(decisions.true == 0)),
            "never_predicted": int(np.count_nonzero(decisions.predicted == 0)),
            "undefined": self.undefined(),
        }

    def count_texts(self) -> list[Text]:
        """Rows, labels, and labels that never occur."""
        counts = self.counts
        true, predicted = counts["labels_per_row"], counts["predicted_per_row"]
        texts = [
            Text(
                f"{counts['rows']} rows, {counts['labels']} labels; {true:.3g} a row, {predicted:.3g} predicted",
                f"{counts['rows']} 行，{counts['labels']} 个标签；平均每行 {true:.3g} 个，预测 {predicted:.3g} 个",
            ),
            *self.weight_text(),
        ]
        if rows := counts["without_labels"]:
            texts.append(Text(f"{rows} rows without a label", f"{rows} 行没有任何标签"))
        if never := counts["never_true"]:
            texts.append(Text(f"{never} labels never true", f"{never} 个标签从未出现"))
        if never := counts["never_predicted"]:
            texts.append(Text(f"{never} labels never predicted", f"{never} 个标签从未被预测"))
        return texts

    @staticmethod
    def signed_facts(evidence: MultilabelEvidence) -> dict[str, str | None]:
        """Whether rows were weighted, and the labels that `labels=` named."""
        labels = labels_text(list(evidence.labels)) if evidence.declared else None
        return {"weight": "given" if evidence.weighted else None, "labels": labels}

    def label_columns(self) -> dict[str, list[Any]]:
        """Each label: precision, recall, F1, support, and how often it was predicted."""
        view, decisions = self.view, self.view.decisions
        columns: dict[str, list[Any]] = {"label": list(self.labels)}
        for name, metric in (("precision", Precision()), ("recall", Recall()), ("f1", FMeasure())):
            columns[name] = metric.by_label(view).tolist()
        for name, side in (("support", decisions.true), ("predicted", decisions.predicted)):
            columns[name] = side.tolist() if self.evidence.weighted else side.astype(np.int64).tolist()
        return columns

    @cached_property
    def per_label(self) -> pa.Table:
        """An Arrow table: label, precision, recall, f1 (null where undefined), support, predicted."""
        return arrow_table(self.label_columns())

    def more_tables(self) -> list[Table]:
        """The report of each label."""
        columns = finite(self.label_columns())
        rows = [list(row) for row in zip(*columns.values(), strict=True)]
        return [Table([str(TITLES[name]) for name in columns], rows)]
