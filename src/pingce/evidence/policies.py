"""What to do where data leaves a choice. Each policy is a parameter of the call, and is counted and printed."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Final, TypeAlias

from pingce.errors import InputError, did_you_mean

Relevant: TypeAlias = "float | str"
"The grade from which an item is relevant, or 'any': every judged item."

CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "missing": ("zero", "skip", "error"),
    "extra": ("ignore", "error"),
    "undefined": ("skip", "zero", "one", "nan", "error"),
    "ties": ("id", "id_ascending", "order", "expected", "worst", "best"),
    "score_type": ("given", "float32", "float64"),
    "duplicates": ("error", "first", "last", "best"),
    "nan": ("error", "last", "first", "drop"),
    "judged_only": ("no", "yes"),
    "summation": ("exact", "sequential"),
}


@dataclass(frozen=True)
class Policies:
    """The policies of one metric; the first value of each in CHOICES is the default."""

    missing: str = "zero"
    extra: str = "ignore"
    undefined: str = "skip"
    ties: str = "id"
    score_type: str = "given"
    duplicates: str = "error"
    nan: str = "error"
    relevant: Relevant = 1
    judged_only: str = "no"
    summation: str = "exact"

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                raise _bad_choice(name, value, choices)
        object.__setattr__(self, "relevant", relevant_from(self.relevant))

    @staticmethod
    def of(**given: Any) -> Policies:
        """Policies from what a caller wrote: unset ones are default, yes and no may be booleans."""
        return Policies().but(**given)

    def but(self, **given: Any) -> Policies:
        """The same with some changed."""
        known = [field.name for field in fields(self)]
        for name in given:
            if name not in known:
                hint = did_you_mean(name, known)
                raise InputError(
                    f"unknown policy '{name}'; known are {', '.join(known)}{hint.en}",
                    f"未知的策略 '{name}'；可用 {'、'.join(known)}{hint.zh}",
                )
        return replace(self, **{name: _plain(name, value) for name, value in given.items() if value is not None})

    @property
    def of_evidence(self) -> tuple[str, ...]:
        """Those that concern rows and change the evidence itself; all others only change how it is read."""
        return self.score_type, self.duplicates, self.nan, self.extra


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
