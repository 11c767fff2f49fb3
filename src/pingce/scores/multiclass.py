"""The scores of classes, with the report of each class and the confusion matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.base.json import Json
from pingce.base.lazy import cached_property, pa
from pingce.base.tables import Cell, Table, finite
from pingce.base.text import Text
from pingce.scores.base import RowScores
from pingce.scores.signature import labels_text
from pingce.scores.tables import UNIT_TITLES, arrow_table
from pingce.tasks import TASKS

if TYPE_CHECKING:
    from pingce.curves.matrix import ConfusionMatrix
    from pingce.evidence.multiclass.confusion import ConfusionEvidence
    from pingce.evidence.multiclass.evidence import MulticlassEvidence

MOST_SHOWN = 30
"Classes in a confusion matrix for readers; beyond it only the report is shown."


class MulticlassScores(RowScores):
    """The scores of one classifier; `per_class` has precision, recall, F1 and support of each class."""

    task = "multiclass"
    per = "class"
    evidence: MulticlassEvidence

    @property
    def labels(self) -> list[Any]:
        """All classes, in the order of the confusion matrix."""
        return self.evidence.labels

    @property
    def confusion(self) -> ConfusionEvidence:
        """Rows are true classes, columns predicted ones."""
        return self.evidence.confusion

    def confusion_matrix(self, model: str = "model") -> ConfusionMatrix:
        """The same as a thing to show: counts and shares, a table, a heat map (`.plot()`)."""
        matrix: ConfusionMatrix = TASKS[self.task].load("curves").of(self.confusion, model)
        return matrix

    @cached_property
    def counts(self) -> Json:
        """Rows, classes by fate, undefined classes of each metric."""
        evidence, confusion = self.evidence, self.confusion
        return {
            "rows": evidence.row_count,
            "weight": float(evidence.weight) if evidence.weighted else None,
            "classes": len(self.labels),
            "right": confusion.all_right,
            "never_true": int(np.count_nonzero(confusion.true == 0)),
            "never_predicted": int(np.count_nonzero(confusion.predicted == 0)),
            **({"tied": evidence.tied} if evidence.tied else {}),
            "undefined": self.undefined(),
        }

    def count_texts(self) -> list[Text]:
        """Rows, classes, and classes that never occur."""
        counts = self.counts
        texts = [
            Text(
                f"{counts['rows']} rows, {counts['classes']} classes, {counts['right']:g} right",
                f"{counts['rows']} 行，{counts['classes']} 个类别，判对 {counts['right']:g}",
            ),
            *self.weight_text(),
        ]
        if never := counts["never_true"]:
            texts.append(Text(f"{never} classes never true", f"{never} 个类别在真值中没有出现"))
        if never := counts["never_predicted"]:
            texts.append(Text(f"{never} classes never predicted", f"{never} 个类别从未被预测"))
        return texts

    @staticmethod
    def signed_facts(evidence: MulticlassEvidence) -> dict[str, str | None]:
        """Whether rows were weighted, and the classes that `labels=` named."""
        labels = labels_text(evidence.labels) if evidence.declared else None
        return {"weight": "given" if evidence.weighted else None, "labels": labels}

    def unit_columns(self) -> dict[str, list[Any]]:
        """Each class: precision, recall, F1, support, and how often it was predicted."""
        from pingce.metrics.multiclass.per_class import FMeasure, Precision, Recall

        view, confusion = self.evidence.view(self.policies), self.confusion
        columns: dict[str, list[Any]] = {"class": list(self.labels)}
        for name, metric in (("precision", Precision()), ("recall", Recall()), ("f1", FMeasure())):
            columns[name] = metric.by_class(view).tolist()
        return columns | {"support": confusion.true.tolist(), "predicted": confusion.predicted.tolist()}

    @cached_property
    def per_class(self) -> pa.Table:
        """An Arrow table: class, precision, recall, f1 (null where undefined), support, predicted."""
        return arrow_table(self.unit_columns())

    def more_tables(self) -> list[Table]:
        """The report of each class, and the confusion matrix where it is not too large to read."""
        columns = finite(self.unit_columns())
        columns["class"] = [str(label) for label in columns["class"]]
        report = Table(
            [str(UNIT_TITLES[name]) for name in columns], [list(row) for row in zip(*columns.values(), strict=True)]
        )
        if len(self.labels) > MOST_SHOWN:
            return [report]
        names = [str(label) for label in self.labels]
        rows: list[list[Cell]] = [[name, *row] for name, row in zip(names, self.confusion.matrix.tolist(), strict=True)]
        title = str(Text("true \\ predicted", "真值 \\ 预测"))
        return [report, Table([title, *names], rows)]
