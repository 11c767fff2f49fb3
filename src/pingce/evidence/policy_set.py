"""What a policy is, and a set of them: declared once, with its values and words, from which everything else follows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import Field, field, fields, replace
from sys import modules
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, get_args, get_origin

from pingce.base.errors import InputError, did_you_mean
from pingce.base.records import dataclass
from pingce.base.text import Text

if TYPE_CHECKING:
    from typing_extensions import Self

    from pingce.base.json import Json

Stated: TypeAlias = "Mapping[str, object]"
"Policies by name, as a caller, a metric or a convention states them; None for one that is not stated."


@dataclass(frozen=True)
class Number:
    """The values of a policy that is a number."""

    above: float | None = None
    "What it must exceed."
    words: tuple[str, ...] = ()
    "Values that are words."


@dataclass(frozen=True)
class Declaration:
    """The words of one policy, and how a command line takes it."""

    help: Text
    "A sentence for the command line."
    meaning: Text
    "The same in a table of policies, with what each value does."
    number: Number | None = None
    "Where its values are not a few words."
    letter: str = ""
    "Of the short option."
    group: str = "policies"
    "Of options, under which the help shows it."


def policy(
    default: object,
    help: Text,
    meaning: Text | None = None,
    *,
    number: Number | None = None,
    letter: str = "",
    group: str = "policies",
) -> Any:
    """Declare a policy as a field of a set; a table of policies has its help where no meaning is written."""
    meaning = meaning or Text(help.en[0].lower() + help.en[1:].rstrip("."), help.zh.rstrip("。"))
    return field(default=default, metadata={"policy": Declaration(help, meaning, number, letter, group)})


@dataclass(frozen=True)
class PolicySet:
    """The policies of one metric: fields, of which those with a few values have the name of a `Literal` type."""

    task: ClassVar[str]
    choices: ClassVar[dict[str, tuple[str, ...]]]
    "The values of each, from the types of the fields."
    always: ClassVar[tuple[str, ...]] = ()
    "Those that a signature always says; the others only where they are not at their default."
    short_names: ClassVar[Mapping[str, str]] = {}
    "Shorter names that metrics and signatures may use."
    keywords: ClassVar[type[Any]]
    "The names and types of all, as keywords that calls have where they say `**policies`: after `convention`."
    places: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    "Keywords after which a signature has a policy instead."
    follows: ClassVar[Mapping[str, str]] = {}
    "Those that are as another one where a caller names only that."
    unwritten: ClassVar[tuple[str, ...]] = ()
    "Those that documents have only where they are not at their default: they are younger than the form of documents."
    younger: ClassVar[tuple[str, ...]] = ()
    "Those that documents always have now, and did not have at first: their schema does not demand them."
    explicit: ClassVar[frozenset[str]] = frozenset()
    "Those that a caller, a metric or a convention named; no part of what policies mean, so equal ones may differ in it."

    def __init_subclass__(cls) -> None:
        types = vars(modules[cls.__module__])
        kinds = {name: types.get(kind) for name, kind in vars(cls).get("__annotations__", {}).items()}
        choices = {name: get_args(kind) for name, kind in kinds.items() if get_origin(kind) is Literal}
        cls.choices = {**getattr(cls, "choices", {}), **choices}
        for name, declared in vars(cls).items():
            if isinstance(declared, Field) and not declared.metadata["policy"].number and name not in choices:
                raise TypeError(f"{name}: a policy has a number, or the name of a Literal type for its type")

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
    def declarations(cls) -> dict[str, Declaration]:
        """What is declared of each policy, in the order of documents."""
        return {each.name: each.metadata["policy"] for each in fields(cls)}

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
        """These policies with some of them changed; None leaves one as it is."""
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

    def to_json(self) -> Json:
        """The policies as documents have them."""
        default = type(self)()
        return {
            each.name: getattr(self, each.name)
            for each in fields(self)
            if each.name not in self.unwritten or getattr(self, each.name) != getattr(default, each.name)
        }

    def naming(self, names: Iterable[str]) -> Self:
        """These policies, with the names of those that were chosen explicitly."""
        object.__setattr__(self, "explicit", frozenset(names))
        return self
