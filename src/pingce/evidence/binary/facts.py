"""What is known of rows by themselves: how many, which labels, what kind of scores. It adds up over batches."""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction
from typing import Any

from pingce.base.errors import InputError
from pingce.base.json import Json
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence import soundness as sound
from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.evidence.soundness import demand
from pingce.inputs.binary import BinaryRows, Improbable
from pingce.inputs.binary_batches import union

FLOATS = sound.Condition(("float16", "float32", "float64").__contains__)
_LABEL = (str, int, float, bool)
NAMES = sound.Condition(
    lambda names: (
        sound.fits(names, sound.LABELS) and sound.fits(names, [_LABEL]) and len(names) <= 2 and names == sorted(names)
    )
)
_SUMS = ("weight", "positive_weight", "squared_weight")
_ENDS = ("lowest", "highest")
FACTS_FORM = {
    **dict.fromkeys(("rows", "positives"), sound.WHOLE),
    "names": NAMES,
    "positive_name": _LABEL,
    "score_type": FLOATS,
    **dict.fromkeys(("weighted", "whole"), bool),
    **dict.fromkeys(_SUMS, sound.FRACTION),
    **dict.fromkeys(_ENDS, sound.HEXADECIMAL),
    "few": (None, sound.Condition(lambda few: sound.fits(few, [sound.HEXADECIMAL]) and len(few) <= 2)),
    "improbable": (None, sound.row_of(str, str, str, sound.WHOLE)),
    "notes": [sound.TEXTS],
    "idle": [str],
}
"What `Facts.to_json` gives."


@dataclass(frozen=True)
class Facts:
    """What is known of the rows by themselves; all of it adds up."""

    rows: int
    positives: int
    names: tuple[Any, ...]
    "The labels that occur, sorted."
    positive_name: Any
    score_type: str
    weighted: bool
    weight: Fraction
    positive_weight: Fraction
    lowest: float
    highest: float
    few: tuple[float, ...] | None
    "The distinct scores, if there are no more than two."
    improbable: Improbable | None
    notes: tuple[Text, ...]
    idle: tuple[str, ...] = ()
    "Columns of group weights that are 0 everywhere."
    whole: bool = True
    "Whether every weight is a whole number."
    squared_weight: Fraction = Fraction(0)
    "Σ of the squared weights."

    @staticmethod
    def of(rows: BinaryRows, names: tuple[Any, ...]) -> Facts:
        """The facts of rows whose labels are settled."""
        evidence = BinaryEvidence(rows)
        weight, positive_weight = evidence.totals
        low, high = (float(end + 0) for end in (rows.scores.min(), rows.scores.max()))
        return Facts(
            len(rows),
            rows.labels.count,
            names,
            rows.labels.positive_name,
            rows.score_type.name,
            rows.weight is not None,
            weight,
            positive_weight,
            low,
            high,
            evidence.few_scores,
            rows.improbable,
            rows.notes,
            tuple(name for name, column in rows.columns.items() if not column.any()),
            *evidence.squared_weights,
        )

    def to_json(self) -> Json:
        """The facts as JSON can hold them, to the last bit."""
        bad = self.improbable
        return {field.name: getattr(self, field.name) for field in fields(self)} | {
            **{name: str(getattr(self, name)) for name in _SUMS},
            **{name: getattr(self, name).hex() for name in _ENDS},
            "few": None if self.few is None else [score.hex() for score in self.few],
            "improbable": None if bad is None else [*bad.place, bad.score, bad.count],
        }

    @classmethod
    def from_json(cls, state: Any) -> Facts:
        """The facts that `to_json` gave; those that no rows have are refused."""
        few, bad = state["few"], state["improbable"]
        facts = cls(
            **{field.name: state[field.name] for field in fields(cls)}
            | {name: sound.checked_fraction(state[name], name) for name in _SUMS}
            | {name: float.fromhex(state[name]) for name in _ENDS}
            | {name: tuple(state[name]) for name in ("names", "idle")}
            | {"few": None if few is None else tuple(map(float.fromhex, few))}
            | {"improbable": None if bad is None else Improbable(Text(*bad[:2]), *bad[2:])}
            | {"notes": tuple(Text(*note) for note in state["notes"])}
        )
        facts._refuse_unsound()
        return facts

    def _refuse_unsound(self) -> None:
        """Refuse facts that no rows have."""
        demand(0 < self.rows >= self.positives, "more rows are positive than there are", "正例多于总行数")
        whole = self.weighted or (self.weight, self.positive_weight) == (Fraction(self.rows), Fraction(self.positives))
        few = self.positive_weight <= self.weight <= sound.LARGEST_SUM
        demand(whole and few, "weights do not fit the rows", "权重与行数不符")
        squares = (self.squared_weight > 0) == (self.weight > 0) and self.squared_weight <= sound.LARGEST_SUM**2
        demand(squares, "squares of weights do not fit the weights", "权重的平方与权重不符")
        probable = self.lowest >= 0 and self.highest <= 1
        fits = self.lowest <= self.highest and probable == (self.improbable is None)
        demand(fits, "scores are contradictory", "分数自相矛盾")
        ends = self.few is None or {*self.few} == {self.lowest, self.highest}
        demand(ends, "the only scores are not the lowest and the highest", "仅有的分数不是最低与最高者")
        names = len(self.names) == 1 + (0 < self.positives < self.rows) or len(self.names) == 2
        demand(names, "labels lack names", "标签缺少名称")

    def merge(self, other: Facts) -> Facts:
        """The facts of both sets of rows together."""
        if self.positive_name != other.positive_name:
            raise contradicted(self.positive_name, union(self.names, other.names))
        few = None if self.few is None or other.few is None else tuple(sorted({*self.few, *other.few}))
        bad = self.improbable or other.improbable
        if self.improbable and other.improbable:
            bad = replace(self.improbable, count=self.improbable.count + other.improbable.count)
        sums = {name: getattr(self, name) + getattr(other, name) for name in ("rows", "positives", *_SUMS)}
        return replace(
            self,
            names=union(self.names, other.names),
            lowest=min(self.lowest, other.lowest),
            highest=max(self.highest, other.highest),
            few=None if few is None or len(few) > 2 else few,
            improbable=bad,
            notes=tuple(dict.fromkeys((*self.notes, *other.notes))),
            idle=tuple(name for name in self.idle if name in other.idle),
            whole=self.whole and other.whole,
            **sums,
        )


def contradicted(assumed: Any, names: tuple[Any, ...]) -> InputError:
    """What to say where labels that came later do not fit what was made of the first ones."""
    listed = ", ".join(map(repr, names))
    return InputError(
        f"the first batches held one label only, and {assumed!r} was taken for the positive one; now there are {listed}: "
        "say which is positive with positive=",
        f"最初各批只有一种标签，已把 {assumed!r} 当作正类；现在有 {listed}：请用 positive= 说明哪个是正类",
    )
