"""What a metric is: a value with parameters, a declaration in two languages, one function for speed, one as definition."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

import numpy as np

from pingce.errors import InputError, did_you_mean
from pingce.language import Text
from pingce.metrics.parameters import shown

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.evidence.view import RankingView

    Floats: TypeAlias = NDArray[np.float64]

Mean: TypeAlias = "Callable[[Floats], float]"
"The mean over queries under the policies in force."

NAN = float("nan")

DEEPEST = 2**31 - 1
"No list is longer."


@dataclass(frozen=True)
class About:
    """What a metric says about itself, beside its formula and parameters."""

    question: Text
    "The one sentence a person asks."
    use: Text
    "Where it is used."
    blind: Text
    "What it cannot see."
    pairs_with: tuple[str, ...]
    typical_k: str
    reference: str
    "A key of references.REFERENCES."
    worked: Text
    "A small calculation that ends in the value of `example`."
    example: tuple[str, tuple[float, ...], tuple[float, ...]]
    "Metric, grades in ranked order, and grades of relevant items that were not returned."
    range: str = "0 … 1"
    higher_is_better: bool | None = True
    undefined: Text = Text("R = 0", "R = 0")
    "When a query has no value; empty = never."
    also: tuple[str, ...] = ()
    "Other words, mostly Chinese, under which people look for it, right or wrong."


@dataclass(frozen=True)
class RankedList:
    """The raw rows of one query: grades in ranked order (None = not judged), and the grades of all its judged items."""

    grades: tuple[float | None, ...]
    judged: tuple[float, ...]
    relevant: float | str = 1
    top_grade: float = field(default=0.0)

    def is_relevant(self, grade: float | None) -> bool:
        """Whether an item with this grade is relevant."""
        return grade is not None and grade >= (0 if self.relevant == "any" else float(self.relevant))

    def top(self, k: int | None) -> tuple[float | None, ...]:
        """The first k grades; without k, all."""
        return self.grades if k is None else self.grades[:k]

    def hits(self, k: int | None) -> int:
        """h_k."""
        return sum(self.is_relevant(grade) for grade in self.top(k))

    def relevant_count(self) -> int:
        """R."""
        return sum(self.is_relevant(grade) for grade in self.judged)


_registry: dict[str, type[RankingMetric]] = {}


@dataclass(frozen=True, kw_only=True)
class RankingMetric:
    """Base of all ranking metrics. A subclass with a `name` is known to the grammar, the help and the catalogue tests."""

    name: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ()
    title: ClassVar[Text]
    formula: ClassVar[str | Text]
    about: ClassVar[About]
    takes_k: ClassVar[bool] = True
    counts: ClassVar[bool] = False
    "Whether the value is a whole number, summed over queries."
    uses: ClassVar[str] = "order"

    k: int | None = None

    def __init_subclass__(cls) -> None:
        if cls.name:
            _registry[cls.name] = cls

    def __post_init__(self) -> None:
        self._check_k()
        for parameter in self.parameters():
            value = parameter.metadata["check"].accept(parameter.name, getattr(self, parameter.name))
            object.__setattr__(self, parameter.name, value)
        self.check()

    def _check_k(self) -> None:
        if self.k is None:
            return
        if not self.takes_k:
            raise InputError(f"{self.name} takes no @k", f"{self.name} 不带 @k")
        if isinstance(self.k, bool) or not isinstance(self.k, (int, np.integer)) or not 1 <= self.k <= DEEPEST:
            raise InputError(
                f"{self.name}@{self.k}: k must be a whole number from 1 to {DEEPEST}",
                f"{self.name}@{self.k}：k 须为 1 到 {DEEPEST} 的整数",
            )
        object.__setattr__(self, "k", int(self.k))

    def check(self) -> None:
        """Refuse parameters that do not go together; nothing by default."""

    @classmethod
    @cache
    def parameters(cls) -> tuple[dataclasses.Field[Any], ...]:
        """The declared parameters, without k."""
        return tuple(f for f in dataclasses.fields(cls) if "check" in f.metadata)

    @classmethod
    def make(cls, k: int | None = None, **given: Any) -> RankingMetric:
        """The metric with these parameters; an unknown one gets a hint."""
        known = [parameter.name for parameter in cls.parameters()]
        for name in given:
            if name not in known:
                hint = did_you_mean(name, known)
                has = (
                    Text(f"it has {', '.join(known)}", f"可用 {'、'.join(known)}")
                    if known
                    else Text("it has none", "它没有参数")
                )
                raise InputError(
                    f"{cls.name} has no parameter '{name}'; {has.en}{hint.en}",
                    f"{cls.name} 没有参数 '{name}'；{has.zh}{hint.zh}",
                )
        return cls(k=k, **given)

    @cached_property
    def id(self) -> str:
        """The canonical name: parameters that are not at their default, in declared order."""
        changed = [p for p in self.parameters() if getattr(self, p.name) != p.default]
        inside = ",".join(f"{p.name}={shown(getattr(self, p.name))}" for p in changed)
        return self.name + (f"({inside})" if inside else "") + (f"@{self.k}" if self.k is not None else "")

    def __str__(self) -> str:
        return self.id

    def knows_expected(self) -> bool:
        """Whether a closed form of the mean over all orders of tied items is known."""
        return True

    def values(self, seen: RankingView) -> Floats:
        """One value a query; NaN = undefined, nothing else."""
        raise NotImplementedError

    def define(self, ranked: RankedList) -> float:
        """The definition, in plain Python over the raw rows of one query."""
        raise NotImplementedError

    def summarize(self, seen: RankingView, values: Floats, mean: Mean) -> float:
        """The one number of all queries: their mean, unless the metric says otherwise."""
        return mean(values)

    def resolved(self, seen: RankingView) -> dict[str, Any]:
        """Parameters whose default is taken from the data, with the value that was used; none by default."""
        return {}

    def remarks(self, seen: RankingView) -> tuple[Text, ...]:
        """What a reader must know about this number on this data; nothing by default."""
        return ()


def registry() -> dict[str, type[RankingMetric]]:
    """All metrics by name, in the order in which they were declared."""
    import pingce.metrics  # noqa: F401 - importing the package is what registers the metrics

    return dict(_registry)


def ratio(top: NDArray[Any], bottom: NDArray[Any], undefined: NDArray[np.bool_]) -> Floats:
    """top / bottom; 0 where the bottom is 0 (nothing returned, nothing found), NaN where undefined."""
    out = np.zeros(len(top))
    np.divide(top, bottom, out=out, where=bottom != 0)
    out[undefined] = NAN
    return out


def no_relevant(seen: RankingView) -> NDArray[np.bool_]:
    """Queries with R = 0."""
    empty: NDArray[np.bool_] = seen.relevant_count == 0
    return empty


def divide(top: float, bottom: float) -> float:
    """The same in plain Python."""
    return top / bottom if bottom else 0.0
