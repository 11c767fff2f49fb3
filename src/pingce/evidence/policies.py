"""What to do where data leaves a choice. Each policy is a parameter of the call, and is counted and printed."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, TypedDict, get_args, get_origin, get_type_hints

from pingce.base.errors import InputError, did_you_mean
from pingce.base.records import dataclass

if TYPE_CHECKING:
    from typing_extensions import Self

Relevant: TypeAlias = "float | str"
"The grade from which an item is relevant, or 'any': every judged item."

Missing: TypeAlias = Literal["zero", "skip", "error"]
Extra: TypeAlias = Literal["ignore", "error"]
Undefined: TypeAlias = Literal["skip", "zero", "one", "nan", "error"]
UndefinedClass: TypeAlias = Literal["zero", "skip", "one", "nan", "error"]
Ties: TypeAlias = Literal["id", "id_ascending", "order", "expected", "worst", "best"]
ScoreType: TypeAlias = Literal["given", "float32", "float64"]
Duplicates: TypeAlias = Literal["error", "first", "last", "best"]
Nan: TypeAlias = Literal["error", "last", "first", "drop"]
JudgedOnly: TypeAlias = Literal["no", "yes"]
Identical: TypeAlias = Literal["keep", "drop"]
Summation: TypeAlias = Literal["exact", "sequential"]
Compare: TypeAlias = Literal["ge", "gt"]
Stated: TypeAlias = "Mapping[str, object]"
"Policies by name, as a caller, a metric or a convention states them; None for one that is not stated."


class RankingKeywords(TypedDict, total=False):
    """The policies of rankings as keywords of calls, in the order of their signatures."""

    relevant: float | str | None
    missing: Missing | None
    extra: Extra | None
    undefined: Undefined | None
    ties: Ties | None
    score_type: ScoreType | None
    duplicates: Duplicates | None
    nan: Nan | None
    judged_only: bool | JudgedOnly | None
    identical: Identical | None
    summation: Summation | None


@dataclass(frozen=True)
class PolicySet:
    """The policies of one metric: fields, of which those with a few values have a `Literal` type."""

    task: ClassVar[str]
    choices: ClassVar[dict[str, tuple[str, ...]]]
    "The values of each, from the types of the fields."
    always: ClassVar[tuple[str, ...]] = ()
    "Those that a signature always says; the others only where they are not at their default."
    short_names: ClassVar[Mapping[str, str]] = {}
    "Shorter names that metrics and signatures may use."
    keywords: ClassVar[type[Any]]
    "The names and types of all, as keywords that calls have where they say `**policies`."
    follows: ClassVar[Mapping[str, str]] = {}
    "Those that are as another one where a caller names only that."
    explicit: ClassVar[frozenset[str]] = frozenset()
    "Those that a caller, a metric or a convention named; no part of what policies mean, so equal ones may differ in it."

    def __init_subclass__(cls) -> None:
        cls.choices = {
            name: get_args(kind) for name, kind in get_type_hints(cls).items() if get_origin(kind) is Literal
        }

    def __post_init__(self) -> None:
        for name, choices in self.choices.items():
            value = getattr(self, name)
            if value not in choices:
                hint = did_you_mean(str(value), choices)
                raise InputError(
                    f"{name}={value!r}: choose one of {', '.join(choices)}{hint.en}",
                    f"{name}={value!r}：可选 {'、'.join(choices)}{hint.zh}",
                )

    @classmethod
    def of(cls, **changes: Any) -> Self:
        """Policies from what a caller wrote: unset ones are default, yes and no may be booleans."""
        return cls().but(**changes)

    @classmethod
    def stated(cls, policies: Stated) -> Stated:
        """What a caller wrote, with each policy that follows another where only that was written."""
        follows = {name: policies.get(other) for name, other in cls.follows.items() if policies.get(name) is None}
        return {**policies, **follows}

    @classmethod
    def among(cls, arguments: Stated) -> Stated:
        """The policies among the arguments of a call, by name."""
        names = {field.name for field in fields(cls)}
        return {name: value for name, value in arguments.items() if name in names}

    def but(self, **changes: Any) -> Self:
        """The same with some changed."""
        names = [field.name for field in fields(self)]
        for name in changes:
            if name not in names:
                hint = did_you_mean(name, names)
                raise InputError(
                    f"unknown policy '{name}'; known are {', '.join(names)}{hint.en}",
                    f"未知的策略 '{name}'；可用 {'、'.join(names)}{hint.zh}",
                )
        changed = {name: value for name, value in changes.items() if value is not None}
        if not changed:
            return self
        if isinstance(changed.get("judged_only"), bool):
            changed["judged_only"] = "yes" if changed["judged_only"] else "no"
        return replace(self, **changed).naming(self.explicit.union(changed))

    def naming(self, names: Iterable[str]) -> Self:
        """These policies, with the names of those that were chosen explicitly."""
        object.__setattr__(self, "explicit", frozenset(names))
        return self


@dataclass(frozen=True)
class Policies(PolicySet):
    """The policies of rankings."""

    task = "ranking"
    always = ("relevant", "ties", "missing", "undefined")
    short_names: ClassVar[Mapping[str, str]] = {"rel": "relevant"}
    keywords = RankingKeywords

    missing: Missing = "zero"
    extra: Extra = "ignore"
    undefined: Undefined = "skip"
    ties: Ties = "id"
    score_type: ScoreType = "given"
    duplicates: Duplicates = "error"
    nan: Nan = "error"
    relevant: Relevant = 1
    judged_only: JudgedOnly = "no"
    identical: Identical = "keep"
    summation: Summation = "exact"

    def __post_init__(self) -> None:
        object.__setattr__(self, "relevant", relevant_from(self.relevant))
        super().__post_init__()

    @property
    def row_policies(self) -> tuple[str, ...]:
        """Those that concern rows and change the evidence itself; all others only change how it is read."""
        return self.score_type, self.duplicates, self.nan, self.extra, self.identical


@dataclass(frozen=True)
class BinaryPolicies(PolicySet):
    """The policies of labels and scores: predicted positive if score ≥ threshold (`gt`: >)."""

    task = "binary"
    always = ("threshold", "compare", "undefined")

    threshold: float = 0.5
    compare: Compare = "ge"
    undefined: Undefined = "skip"

    def __post_init__(self) -> None:
        super().__post_init__()
        number = _number(self.threshold)
        if not abs(number) < math.inf:
            raise InputError(
                f"threshold={self.threshold!r}: it is the score from which a row is predicted positive, a number",
                f"threshold={self.threshold!r}：应为数字（分数从该值起预测为正）",
            )
        object.__setattr__(self, "threshold", number)


@dataclass(frozen=True)
class MulticlassPolicies(PolicySet):
    """The policies of classes: an undefined class counts 0 in an average, an undefined value is none."""

    task = "multiclass"
    always = ("undefined", "undefined_class")

    undefined: Undefined = "skip"
    undefined_class: UndefinedClass = "zero"
    follows: ClassVar[Mapping[str, str]] = {"undefined_class": "undefined"}


@dataclass(frozen=True)
class RegressionPolicies(PolicySet):
    """The policies of numbers."""

    task = "regression"
    always = ("undefined",)

    undefined: Undefined = "skip"


def _number(value: Any) -> float:
    """A number that a caller wrote; NaN for anything else."""
    try:
        return math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        return math.nan


def relevant_from(value: Any) -> Relevant:
    """The relevance threshold a caller wrote: a positive number or 'any'."""
    if value == "any":
        return "any"
    number = _number(value)
    if not 0 < number < math.inf:
        raise InputError(
            f"relevant={value!r}: it is the grade from which an item is relevant, a number above 0, or 'any' for every judged item",
            f"relevant={value!r}：应为大于 0 的数（从该等级起算相关），或 'any'（凡标注者皆相关）",
        )
    return int(number) if number.is_integer() else number
