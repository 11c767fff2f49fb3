"""What is left of the rows of classes when they are gone: sums that add up in any order."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from typing import Any, Protocol, TypeVar

from pingce.base.errors import InputError
from pingce.base.lazy import cached_property, pa
from pingce.base.records import dataclass
from pingce.evidence import soundness as sound
from pingce.evidence.binary.probability import ProbabilityEvidence
from pingce.evidence.binary.thresholds import Pairs
from pingce.evidence.multiclass.confusion import ConfusionEvidence
from pingce.evidence.multiclass.evidence import MulticlassEvidence
from pingce.evidence.soundness import demand
from pingce.inputs.classes import most_probable_note

_EPSILON = sound.Condition(lambda eps: sound.fits(eps, float) and 0 < eps < 0.5)
_ABOUT = {
    "given": sound.WHOLE,
    "total": sound.FRACTION,
    "weighted": bool,
    "among": [sound.row_of(sound.WHOLE, sound.FRACTION)],
    "losses": [(None, _EPSILON)],
    "epsilon": (None, _EPSILON),
    "tied": (None, sound.WHOLE),
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
            total=evidence.weight,
            weighted=evidence.weighted,
            among={k: evidence.among(k) for name, k in needs if name == "among"},
            losses={eps: evidence.losses(eps) for name, eps in needs if name == "losses"},
            epsilon=None if rows.proba is None else evidence.epsilon,
            tied=rows.tied,
            undecided={k: evidence.undecided(k) for name, k in needs if name == "among"},
        )

    def merge(self, other: ClassSums) -> ClassSums:
        """The sums of both sets of rows together."""
        return replace(
            self,
            confusion=self.confusion.merge(other.confusion),
            count=self.count + other.count,
            total=self.total + other.total,
            among={k: count + other.among[k] for k, count in self.among.items()},
            losses={eps: sums.merge(other.losses[eps]) for eps, sums in self.losses.items()},
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
        sums = sound.stamped({}, "class_sums", about=json.dumps(about))
        return {"sums": sums, "confusion": self.confusion.to_arrow(), **losses}

    @staticmethod
    def from_tables(tables: Mapping[str, pa.Table]) -> ClassSums:
        """The sums that `to_tables` wrote."""
        about = sound.checked_json(sound.checked_table(tables["sums"], "class_sums").get("about"), _ABOUT, "sums")
        losses = (ProbabilityEvidence.from_arrow(tables[f"losses{place}"]) for place in range(len(about["losses"])))
        sums = ClassSums(
            confusion=ConfusionEvidence.from_arrow(tables["confusion"]),
            count=about["given"],
            total=sound.checked_fraction(about["total"], "total"),
            weighted=about["weighted"],
            among={k: sound.checked_fraction(count, "among") for k, count in about["among"]},
            losses=dict(zip(about["losses"], losses, strict=True)),
            epsilon=about["epsilon"],
            tied=about["tied"],
            undecided=dict(about.get("undecided", ())),
        )
        sums._refuse_unsound()
        return sums

    def _refuse_unsound(self) -> None:
        """Refuse sums that contradict each other."""
        counted, total = self.confusion.total, self.total
        near = abs(Fraction(counted) - total) <= total / 10**9 if self.weighted else counted == total
        demand(near, "the matrix does not add up to all rows", "矩阵之和不等于总行数")
        few = (self.weighted or total <= self.count) and all(count <= total for count in self.among.values())
        demand(few, "more rows are counted than there are", "计数多于行数")
        demand((self.tied or 0) <= self.count, "more rows are tied than there are", "并列的行多于总行数")
        demand(all(sums.rows == total for sums in self.losses.values()), "losses are of other rows", "损失来自其他行")


class FarClasses(Protocol):
    """Rows without weights that lie elsewhere, where their pairs are counted."""

    def twice_concordant(self, labels: Sequence[Any]) -> list[list[int]]:
        """For each class a and b: pairs of their rows of which that of a has more of its probability, twice; equal ones once."""


class SummedClasses(MulticlassEvidence):
    """Evidence of rows that were not kept; pairs of them are counted where they are, if they are anywhere."""

    def __init__(
        self, sums: ClassSums, *, declared: bool = False, threads: int | None = None, far: FarClasses | None = None
    ) -> None:
        super().__init__(None, threads=threads)
        self.far = far
        self.sums, self.declared, self.weighted = sums, declared, sums.weighted
        self.confusion, self.labels = sums.confusion, sums.confusion.labels
        self.row_count, self.weight, self.tied = sums.count, sums.total, sums.tied or 0
        self.notes = () if sums.tied is None else (most_probable_note(sums.tied),)
        if sums.epsilon is not None:
            self.epsilon = sums.epsilon

    @cached_property
    def _wins(self) -> list[list[int]] | None:
        return None if self.far is None else self.far.twice_concordant(self.labels)

    def supports(self) -> list[float]:
        return [float(rows) for rows in self.confusion.true.tolist()]

    def pairs(self, positive: int, negative: int | None = None) -> Pairs:
        if self._wins is None:
            return super().pairs(positive, negative)
        rows, wins = self.confusion.true.tolist(), self._wins[positive]
        others = [c for c in range(len(rows)) if c != positive] if negative is None else [negative]
        below = sum(rows[c] for c in others)
        return (
            Pairs(rows[positive], below, sum(wins[c] for c in others)) if rows[positive] and below else Pairs(0, 0, 0)
        )

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
