"""What every metric is: a value with parameters, and a declaration in two languages. One registry a task."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Iterable
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, Literal

import numpy as np

from pingce.base.docstrings import docstring_of
from pingce.base.errors import InputError, did_you_mean
from pingce.base.exact import Floats
from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.metrics.parameters import Parameters, shown, spelled
from pingce.tasks import TASKS

NAN = float("nan")

_FORMULA = re.compile(r"\n\s*\n *(.*?)\s*\[(\w+)\]\s*$", re.DOTALL)
"What stands under the first line of a docstring, and the key of its reference."

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
    worked: Text
    "A small calculation that ends in the value of `example`."
    example: tuple[Any, ...] = ("",)
    """Metric and data; without a metric it is of itself, without data of its task's. Rankings: grades in ranked order, and grades of
    relevant items that were not returned. Binary: labels and scores. Multi-class: true and predicted labels. Numbers: true and predicted ones."""
    groups: tuple[Any, ...] = ()
    "Of the rows of the example, where the metric needs them."
    typical_k: str = "–"
    range: str = "0 … 1"
    higher_is_better: bool | None = True
    undefined: Text = Text("", "")
    "When there is no value; empty = never."
    also: tuple[str, ...] = ()
    "Other words, mostly Chinese, under which people look for it, right or wrong."
    reference: str = ""
    "A key of references.REFERENCES; by default the one at the end of the metric's docstring."


@dataclass(frozen=True, eq=False)
class RowTerms:
    """What each row adds to a value that is a ratio of two sums over rows: Σ w top / Σ w bottom."""

    top: Floats
    bottom: Floats | None = None
    "None: 1 of each row, so that the value is a mean."
    complement: bool = False
    "Whether the value is 1 less the ratio."
    value: float | None = None
    "The value itself, where the top is what each row moves it by."


_registry: dict[str, dict[str, type[Metric]]] = {task: {} for task in TASKS}
_readings: dict[str, dict[str, type[Metric]]] = {task: {} for task in TASKS}


@dataclass(frozen=True)
class Basis:
    """What a value stands on."""

    count: int
    "Units: rows, groups or queries."
    unit: str = "rows"
    undefined: int = 0
    "Units for which the metric is undefined."
    resolved: Parameters = dataclasses.field(default_factory=dict)
    "Parameters that were taken from the data."
    bound: float | None = None
    "How far the exact value may be."


@dataclass(frozen=True, kw_only=True)
class Metric:
    """Base of all metrics. A subclass with a `name` is known to the grammar, the help and the catalogue tests."""

    task: ClassVar[str]
    name: ClassVar[str] = ""
    aliases: ClassVar[tuple[str, ...]] = ()
    title: ClassVar[Text]
    formula: ClassVar[str | Text] = ""
    "By default that of the docstring, with `formula_zh` beside it."
    formula_zh: ClassVar[str] = ""
    "Where the formula has words."
    symbols: ClassVar[Text]
    "What the letters of formulas mean."
    about: ClassVar[About]
    example_data: ClassVar[tuple[Any, ...]] = ((), ())
    "The data of examples that have none of their own."
    example_form: ClassVar[Text] = Text("{}; {}", "{}；{}")
    "How an example is written, with a place for each side of its data, and for its groups."
    takes: ClassVar[str] = ""
    "What may stand after @: `k`, a number of places; `p`, a share of the rows; nothing."
    counts: ClassVar[bool] = False
    "Whether the value is a whole number, summed over queries."
    uses: ClassVar[str] = "order"
    "What of the predictions matters: their order, the scores, probabilities, or labels."
    needs: ClassVar[str | tuple[str, ...]] = ""
    "Which evidence of its task it reads; nothing where all its metrics read the same."
    is_reading: ClassVar[bool] = False
    "Whether it is read out of what another metric says of slices or of queries, and looks at no row itself."
    of_subtopics: ClassVar[bool] = False
    "Whether it tells the subtopics of a query apart: then the truth is read with them."
    optimistic: ClassVar[bool] = False
    "Whether the value is the best of several, so that of a sample it is too good on average."
    no_interval: ClassVar[Text | None] = None
    "Why there is no confidence interval; None where there is one."
    chance: ClassVar[float | None] = None
    "The value of a random order, where comparisons say what share of the way from there a model has gained (RelaImpr)."
    paired_test: ClassVar[Literal["bootstrap", "permutation", "mcnemar", "groups", "delong", "calibration"]] = (
        "bootstrap"
    )
    """How two models of the same rows are compared: `permutation` where `row_losses` have a mean, `mcnemar` where they are
    1 and 0, `groups` where groups have a value each, else as the test is called."""
    scaled_mean: ClassVar[bool] = False
    "Whether the value is a multiple of the mean of its losses, the same multiple for all models."
    takes_logarithm: ClassVar[bool] = False
    "Whether probabilities are kept `eps` away from 0 and 1."
    log_scale: ClassVar[bool] = False
    "Whether the ends of an interval of few rows lie as many times above the value as below it."
    is_root: ClassVar[bool] = False
    "Whether the value is the root of what `row_terms` say."
    of_ranks: ClassVar[bool] = False
    "Whether ranks are all it knows: rows that are drawn twice share one."
    of_groups: ClassVar[bool] = False
    "Whether it is a mean over groups of rows, each of which has a value."
    decided_by_few: ClassVar[bool] = False
    "Whether it is a share that a few rows at the top decide."

    k: float | None = None

    def __init_subclass__(cls) -> None:
        if cls.name:
            (_readings if cls.is_reading else _registry)[cls.task][cls.name] = cls
        if "about" in vars(cls):
            written = _FORMULA.search(docstring_of(cls))
            formula, reference = written.groups() if written else ("", "")
            if "formula" not in vars(cls):
                cls.formula = Text(formula, cls.formula_zh) if "formula_zh" in vars(cls) else formula
            name, *data = cls.about.example
            example = name or cls.name, *(data or cls.example_data)
            cls.about = dataclasses.replace(cls.about, example=example, reference=cls.about.reference or reference)

    def __post_init__(self) -> None:
        if self.k is not None:
            object.__setattr__(self, "k", self.cutoff_of(self.k))
        for parameter in self.parameters():
            value = parameter.metadata["check"].accept(spelled(parameter.name), getattr(self, parameter.name))
            object.__setattr__(self, parameter.name, value)
        self.check()

    @classmethod
    def cutoff_of(cls, value: Any) -> float:
        """What stands after @, as a number."""
        if not cls.takes:
            raise InputError(f"{cls.name} takes no @k", f"{cls.name} 不带 @k")
        try:
            number = NAN if isinstance(value, bool) else float(value)
        except (TypeError, ValueError, OverflowError):
            number = NAN
        if cls.takes == "p":
            if 0 < number <= 1:
                return number
            raise InputError(
                f"{cls.name}@{value}: what stands after @ is a share of the rows, above 0 and up to 1, e.g. {cls.name}@0.1",
                f"{cls.name}@{value}：@ 之后是行数的占比，大于 0 且不超过 1，例如 {cls.name}@0.1",
            )
        if isinstance(value, (int, np.integer)) and 1 <= number <= DEEPEST:
            return int(number)
        raise InputError(
            f"{cls.name}@{value}: k must be a whole number from 1 to {DEEPEST}",
            f"{cls.name}@{value}：k 须为 1 到 {DEEPEST} 的整数",
        )

    def check(self) -> None:
        """Refuse parameters that do not go together; nothing by default."""

    @classmethod
    @cache
    def parameters(cls) -> tuple[dataclasses.Field[Any], ...]:
        """The declared parameters, without k."""
        return tuple(f for f in dataclasses.fields(cls) if "check" in f.metadata)

    @classmethod
    def make(cls, k: float | None = None, **parameters: Any) -> Any:
        """The metric with these parameters; an unknown one gets a hint."""
        cls.refuse_unknown(parameters)
        return cls(k=k, **parameters)

    @classmethod
    def refuse_unknown(cls, names: Iterable[str]) -> None:
        """Refuse parameters that the metric does not have."""
        declared = [spelled(parameter.name) for parameter in cls.parameters()]
        for name in map(spelled, names):
            if name not in declared:
                hint, some = (
                    did_you_mean(name, declared),
                    Text(f"it has {', '.join(declared)}", f"可用 {'、'.join(declared)}"),
                )
                has = some if declared else Text("it has none", "它没有参数")
                raise InputError(
                    f"{cls.name} has no parameter '{name}'; {has.en}{hint.en}",
                    f"{cls.name} 没有参数 '{name}'；{has.zh}{hint.zh}",
                )

    @classmethod
    def example_rows(cls) -> Any:
        """The data of its example, as `define` reads it."""
        raise NotImplementedError

    @classmethod
    def example_words(cls) -> Text:
        """The data of its example, in words."""
        sides = [listed(side) for side in (*cls.about.example[1:], cls.about.groups)]
        return Text(*(form.format(*sides) for form in cls.example_form))

    @classmethod
    def undefined_words(cls, when: Text) -> Text:
        """When there is no value, and what becomes of it."""
        return Text(
            f"where {when.en}; the value is NaN then, written null in JSON and – in tables, and counted (undefined=skip)",
            f"当{when.zh}时；数值为 NaN，在 JSON 中写作 null，在表格中写作 –，并如实计数（undefined=skip）",
        )

    @classmethod
    def threshold_words(cls) -> Text | None:
        """When a row is predicted positive, where that matters."""
        return None

    @classmethod
    def tie_words(cls) -> Text | None:
        """What ties of scores do, where there is a choice."""
        return None

    @property
    def needs_rows(self) -> bool:
        """Whether sums do not suffice: the rows are kept, and merged."""
        return False

    def row_losses(self, view: Any) -> Floats | None:
        """What each row adds to the mean that the value is, or is a multiple of; None where it is none, or cannot be had of these rows."""
        return None

    def row_terms(self, view: Any) -> RowTerms | None:
        """What each row adds to a ratio of sums: its loss, where the value is their mean; None where it is none."""
        losses = self.row_losses(view) if self.paired_test == "permutation" else None
        return None if losses is None else RowTerms(losses)

    def median_of(self, view: Any) -> Floats | None:
        """The column of rows whose median the value is; None where it is none."""
        return None

    def rows_for_interval(self) -> int:
        """Rows of each class without which there is no confidence interval."""
        return 0

    def requests(self, request: Any, evidence: Any) -> list[Any]:
        """What a request for this metric asks of some data: itself, or one metric per class or group."""
        return [request]

    @property
    def higher_is_better(self) -> bool | None:
        """Whether more of it is better; None where neither is. A parameter may turn it round."""
        return self.about.higher_is_better

    @property
    def undefined_when(self) -> Text:
        """When there is no value; empty = never. A parameter may change it."""
        return self.about.undefined

    def needed_columns(self) -> tuple[str, ...]:
        """Columns besides those of the task, by name; none by default."""
        return ()

    def field_columns(self) -> tuple[str, ...]:
        """Those of the needed columns whose values are names, not numbers; none by default."""
        return ()

    def is_within(self, evidence: Any) -> bool:
        """Whether a part of the data has what the metric is about, such as its class."""
        return True

    @classmethod
    def signed_policies(cls, always: tuple[str, ...], parameters: Collection[str] = ()) -> tuple[str, ...]:
        """Of the policies that signatures say, those that this metric depends on, where these parameters are said."""
        return always

    @cached_property
    def id(self) -> str:
        """The canonical name: parameters that are not at their default, in declared order."""
        changed = [p for p in self.parameters() if getattr(self, p.name) != p.default]
        inside = ",".join(f"{spelled(p.name)}={shown(getattr(self, p.name))}" for p in changed)
        return self.name + (f"({inside})" if inside else "") + (f"@{self.k}" if self.k is not None else "")

    def __str__(self) -> str:
        return self.id


def registry(task: str = "ranking") -> dict[str, type[Any]]:
    """All metrics of a task by name, in the order in which they were declared."""
    TASKS[task].load("metrics")  # importing the package of a task is what makes its metrics known
    return dict(_registry[task])


def readings(task: str = "ranking") -> dict[str, type[Any]]:
    """What can be read out of values of a task, by name."""
    import_module("pingce.metrics.gaps")
    return dict(_readings[task])


def listed(values: Iterable[Any]) -> str:
    """The values of an example in one line."""
    return ", ".join(f"{value:g}" if isinstance(value, (int, float)) else str(value) for value in values)


def divide(top: float, bottom: float) -> float:
    """top / bottom; 0 where the bottom is 0."""
    return top / bottom if bottom else 0.0
