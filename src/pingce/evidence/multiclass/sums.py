"""What is left of the rows of classes when they are gone: sums that add up in any order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from pingce.base.errors import InputError
from pingce.base.lazy import cached_property, pa
from pingce.base.text import Text
from pingce.evidence.binary.probability import ProbabilityEvidence
from pingce.evidence.multiclass.confusion import CELLS, MOST_CLASSES, ConfusionEvidence
from pingce.evidence.multiclass.evidence import MulticlassEvidence
from pingce.evidence.soundness import (
    ASCENDING,
    COUNT,
    FRACTION,
    LABELS,
    WHOLE,
    Column,
    Condition,
    checked_columns,
    checked_fraction,
    checked_json,
    demand,
    fits,
    row_of,
)
from pingce.evidence.tables import checked_table, stamped
from pingce.inputs.classes import most_probable_note

ARROW_VERSION = "1"
_EPSILON = Condition(lambda eps: fits(eps, float) and 0 < eps < 0.5)
_ABOUT = {
    "given": WHOLE,
    "total": FRACTION,
    "weighted": bool,
    "among": [row_of(WHOLE, FRACTION)],
    "losses": [(None, _EPSILON)],
    "epsilon": (None, _EPSILON),
    "tied": (None, WHOLE),
}
Needs = Iterable[tuple[str, Any]]
_Key = TypeVar("_Key")
_Sum = TypeVar("_Sum")


@dataclass(frozen=True, eq=False)
class ClassSums:
    """The confusion matrix, and of the probabilities what some metrics read."""

    confusion: ConfusionEvidence
    count: int
    "Rows, also those of weight 0."
    total: Fraction
    "Rows, or Σ w."
    weighted: bool
    among: Mapping[int, Fraction]
    "By k: rows whose class is among the k most probable."
    losses: Mapping[float | None, ProbabilityEvidence]
    "By ε, None for that of the type."
    epsilon: float | None
    "Of the type of the probabilities."
    tied: int | None
    "Rows with several most probable classes, where these were taken for predictions."
    undecided: Mapping[int, int] = field(default_factory=dict)
    "By k: rows in which equal probabilities decide whether the class is among the k most probable."

    @staticmethod
    def of(evidence: MulticlassEvidence, needs: Needs) -> ClassSums:
        """The sums of rows; `needs` are sums of probabilities."""
        rows, needs = evidence.rows, list(needs)
        return ClassSums(
            confusion=evidence.confusion,
            count=rows.given,
            total=evidence.total,
            weighted=evidence.weighted,
            among={k: evidence.among(k) for name, k in needs if name == "among"},
            losses={eps: evidence.losses(eps) for name, eps in needs if name == "losses"},
            epsilon=None if rows.proba is None else evidence.epsilon,
            tied=rows.tied,
            undecided={k: evidence.undecided(k) for name, k in needs if name == "among"},
        )

    def merge(self, other: ClassSums) -> ClassSums:
        """The sums of both sets of rows together."""
        return ClassSums(
            confusion=self.confusion.merge(other.confusion),
            count=self.count + other.count,
            total=self.total + other.total,
            weighted=self.weighted,
            among={k: count + other.among[k] for k, count in self.among.items()},
            losses={eps: sums.merge(other.losses[eps]) for eps, sums in self.losses.items()},
            epsilon=self.epsilon,
            tied=None if self.tied is None or other.tied is None else self.tied + other.tied,
            undecided={k: self.undecided.get(k, 0) + other.undecided.get(k, 0) for k in self.among},
        )

    def to_tables(self) -> dict[str, pa.Table]:
        """As Arrow tables, by name; `from_tables` gives the same sums back."""
        about = {
            "given": self.count,
            "total": str(self.total),
            "weighted": self.weighted,
            "among": [[k, str(count)] for k, count in self.among.items()],
            "losses": list(self.losses),
            "epsilon": self.epsilon,
            "tied": self.tied,
            "undecided": [[k, count] for k, count in self.undecided.items()],
        }
        losses = {f"losses{place}": sums.to_arrow() for place, sums in enumerate(self.losses.values())}
        sums = stamped({}, "class_sums", ARROW_VERSION, about=json.dumps(about))
        return {"sums": sums, "confusion": _cells(self.confusion), **losses}

    @staticmethod
    def from_tables(tables: Mapping[str, pa.Table]) -> ClassSums:
        """The sums that `to_tables` wrote."""
        about = checked_json(checked_table(tables["sums"], "class_sums", ARROW_VERSION).get("about"), _ABOUT, "sums")
        losses = {
            eps: ProbabilityEvidence.from_arrow(tables[f"losses{place}"]) for place, eps in enumerate(about["losses"])
        }
        sums = ClassSums(
            confusion=_confusion(tables["confusion"]),
            count=about["given"],
            total=checked_fraction(about["total"], "total"),
            weighted=about["weighted"],
            among={k: checked_fraction(count, "among") for k, count in about["among"]},
            losses=losses,
            epsilon=about["epsilon"],
            tied=about["tied"],
            undecided=dict(about.get("undecided", ())),
        )
        sums._refuse_unsound()
        return sums

    def _refuse_unsound(self) -> None:
        """Refuse sums that contradict each other."""
        counted, total = self.confusion.total, self.total
        near = abs(Fraction(counted) - total) <= total / 10**9
        demand(
            near if self.weighted else counted == total,
            "the matrix does not add up to all rows",
            "矩阵之和不等于总行数",
        )
        demand(self.weighted or total <= self.count, "more rows are counted than there are", "计数多于行数")
        demand((self.tied or 0) <= self.count, "more rows are tied than there are", "并列的行多于总行数")
        demand(
            all(count <= total for count in self.among.values()), "more rows are counted than there are", "计数多于行数"
        )
        demand(all(sums.rows == total for sums in self.losses.values()), "losses are of other rows", "损失来自其他行")


def _cells(confusion: ConfusionEvidence) -> pa.Table:
    """The cells that are not 0: of many classes most are."""
    flat = confusion.matrix.reshape(-1)
    places = np.flatnonzero(flat)
    labels = json.dumps(confusion.labels, ensure_ascii=False)
    return stamped({"cell": places, "rows": flat[places]}, "confusion_cells", ARROW_VERSION, labels=labels)


def _confusion(table: pa.Table) -> ConfusionEvidence:
    labels = checked_json(checked_table(table, "confusion_cells", ARROW_VERSION).get("labels"), LABELS, "labels")
    demand(len(labels) <= MOST_CLASSES, "there are too many classes", "类别过多")
    columns = checked_columns(table, {"cell": Column("int64", (COUNT, ASCENDING)), "rows": CELLS})
    cells, rows = columns["cell"], columns["rows"]
    demand(not len(cells) or cells[-1] < len(labels) ** 2, "a cell lies outside the matrix", "有单元格在矩阵之外")
    flat = np.zeros(len(labels) ** 2, rows.dtype)
    flat[cells] = rows
    return ConfusionEvidence(labels, flat.reshape(len(labels), len(labels)))


class SummedClasses(MulticlassEvidence):
    """Evidence of rows that were not kept."""

    def __init__(self, sums: ClassSums, *, declared: bool = False, threads: int | None = None) -> None:
        super().__init__(None, threads=threads)
        self.sums = sums
        self._declared = declared

    @property
    def declared(self) -> bool:
        return self._declared

    @cached_property
    def confusion(self) -> ConfusionEvidence:
        return self.sums.confusion

    @property
    def labels(self) -> list[Any]:
        return self.sums.confusion.labels

    @property
    def row_count(self) -> int:
        return self.sums.count

    @property
    def weighted(self) -> bool:
        return self.sums.weighted

    @property
    def tied(self) -> int:
        return self.sums.tied or 0

    @property
    def notes(self) -> tuple[Text, ...]:
        return () if self.sums.tied is None else (most_probable_note(self.sums.tied),)

    @property
    def epsilon(self) -> float:
        return super().epsilon if self.sums.epsilon is None else self.sums.epsilon

    @cached_property
    def total(self) -> Fraction:
        return self.sums.total

    def undecided(self, k: int) -> int:
        return self.sums.undecided.get(k, 0)

    def among(self, k: int) -> Fraction:
        return _sums_at(self.sums.among, k)

    def losses(self, epsilon: float | None) -> ProbabilityEvidence:
        return _sums_at(self.sums.losses, epsilon)


def _sums_at(sums: Mapping[_Key, _Sum], key: _Key) -> _Sum:
    if key not in sums:
        raise InputError(
            "this sum was not gathered; ask for the metric when the evaluator is made",
            "没有累加这一项；请在创建评测器时指定该指标",
        )
    return sums[key]
