"""What to do where data leaves a choice. Each policy is a parameter of the call, and is counted and printed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Final, Literal, TypeAlias, TypedDict, get_args

from pingce.base.errors import InputError, did_you_mean

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

CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "missing": get_args(Missing),
    "extra": get_args(Extra),
    "undefined": get_args(Undefined),
    "ties": get_args(Ties),
    "score_type": get_args(ScoreType),
    "duplicates": get_args(Duplicates),
    "nan": get_args(Nan),
    "judged_only": get_args(JudgedOnly),
    "identical": get_args(Identical),
    "summation": get_args(Summation),
}


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
    """The policies of one metric; the first value of each in `choices` is the default."""

    task: ClassVar[str]
    choices: ClassVar[dict[str, tuple[str, ...]]]
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

    def __post_init__(self) -> None:
        for name, choices in self.choices.items():
            value = getattr(self, name)
            if value not in choices:
                raise _bad_choice(name, value, choices)

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
        changed = {name: _plain(name, value) for name, value in changes.items() if value is not None}
        return replace(self, **changed).naming(self.explicit.union(changed))

    def naming(self, names: Iterable[str]) -> Self:
        """These policies, with the names of those that were chosen explicitly."""
        object.__setattr__(self, "explicit", frozenset(names))
        return self


@dataclass(frozen=True)
class Policies(PolicySet):
    """The policies of rankings."""

    task = "ranking"
    choices = CHOICES
    always = ("relevant", "ties", "missing", "undefined")
    short_names: ClassVar[Mapping[str, str]] = {"rel": "relevant"}
    keywords = RankingKeywords

    missing: str = "zero"
    extra: str = "ignore"
    undefined: str = "skip"
    ties: str = "id"
    score_type: str = "given"
    duplicates: str = "error"
    nan: str = "error"
    relevant: Relevant = 1
    judged_only: str = "no"
    identical: str = "keep"
    summation: str = "exact"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "relevant", relevant_from(self.relevant))

    @property
    def row_policies(self) -> tuple[str, ...]:
        """Those that concern rows and change the evidence itself; all others only change how it is read."""
        return self.score_type, self.duplicates, self.nan, self.extra, self.identical


UNDEFINED: Final = CHOICES["undefined"]


@dataclass(frozen=True)
class BinaryPolicies(PolicySet):
    """The policies of labels and scores: predicted positive if score ≥ threshold (`gt`: >)."""

    task = "binary"
    choices: ClassVar[dict[str, tuple[str, ...]]] = {"compare": get_args(Compare), "undefined": UNDEFINED}
    always = ("threshold", "compare", "undefined")

    threshold: float = 0.5
    compare: str = "ge"
    undefined: str = "skip"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "threshold", _threshold_from(self.threshold))


@dataclass(frozen=True)
class MulticlassPolicies(PolicySet):
    """The policies of classes: an undefined class counts 0 in an average, an undefined value is none."""

    task = "multiclass"
    choices: ClassVar[dict[str, tuple[str, ...]]] = {
        "undefined": UNDEFINED,
        "undefined_class": get_args(UndefinedClass),
    }
    always = ("undefined", "undefined_class")

    undefined: str = "skip"
    undefined_class: str = "zero"
    follows: ClassVar[Mapping[str, str]] = {"undefined_class": "undefined"}


@dataclass(frozen=True)
class RegressionPolicies(PolicySet):
    """The policies of numbers."""

    task = "regression"
    choices: ClassVar[dict[str, tuple[str, ...]]] = {"undefined": UNDEFINED}
    always = ("undefined",)

    undefined: str = "skip"


def _threshold_from(value: Any) -> float:
    try:
        number = float("nan") if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not abs(number) < float("inf"):
        raise InputError(
            f"threshold={value!r}: it is the score from which a row is predicted positive, a number",
            f"threshold={value!r}：应为数字（分数从该值起预测为正）",
        )
    return number


def _plain(name: str, value: Any) -> Any:
    if name == "relevant":
        return relevant_from(value)
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) and name == "judged_only" else value


def relevant_from(value: Any) -> Relevant:
    """The relevance threshold a caller wrote: a positive number or 'any'."""
    if value == "any":
        return "any"
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if isinstance(value, bool) or not 0 < number < float("inf"):
        raise InputError(
            f"relevant={value!r}: it is the grade from which an item is relevant, a number above 0, or 'any' for every judged item",
            f"relevant={value!r}：应为大于 0 的数（从该等级起算相关），或 'any'（凡标注者皆相关）",
        )
    return int(number) if number.is_integer() else number


def _bad_choice(name: str, value: Any, choices: tuple[str, ...]) -> InputError:
    hint = did_you_mean(str(value), choices)
    return InputError(
        f"{name}={value!r}: choose one of {', '.join(choices)}{hint.en}",
        f"{name}={value!r}：可选 {'、'.join(choices)}{hint.zh}",
    )
