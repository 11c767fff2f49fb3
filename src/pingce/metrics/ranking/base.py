"""Ranking metrics: one function over evidence for speed, one over the rows of a query as definition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import partial
from itertools import repeat
from math import isfinite, isnan
from typing import Any, ClassVar, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.ranking.view import RankingView
from pingce.metrics.declared import NAN, About, Metric, divide, listed
from pingce.metrics.parameters import Parameters

__all__ = ["NAN", "RankedList", "RankingMetric", "Sum", "about", "divide", "no_relevant", "ratio"]

about = partial(About, undefined=Text("R = 0", "R = 0"))


class Sum(Protocol):
    """One column of numbers added up over queries, under the policies in force."""

    @property
    def mean(self) -> float:
        """Over the queries that count; NaN where there is none."""

    @property
    def total(self) -> float:
        """The sum, rounded once."""


class ColumnSum(Sum, Protocol):
    """The same with the numbers themselves at hand."""

    def quantile(self, level: float) -> float:
        """Over the queries that count, by weight where they have one; NaN where there is none."""


Add: TypeAlias = Callable[["Floats"], ColumnSum]


@dataclass(frozen=True)
class RankedList:
    """The raw rows of one query: grades in ranked order (None = not judged), and the grades of all its judged items."""

    grades: tuple[float | None, ...]
    judged: tuple[float, ...]
    relevant: float | str = 1
    top_grade: float = field(default=0.0)
    subtopics: tuple[Mapping[Any, float], ...] = ()
    "Of each item of the list: its grade for each subtopic that it is judged for. None given: all items are of one subtopic."
    judged_subtopics: tuple[Mapping[Any, float], ...] = ()
    "The same of all judged items, by id, descending."
    weights: tuple[float, ...] = ()
    "What each item of the list weighs; one that is not judged anything. None given: all weigh 1."
    judged_weights: tuple[float, ...] = ()
    "The same of all judged items, in the order of their grades."
    judged_anywhere: tuple[bool, ...] = ()
    "Of each item of the list: whether any query has judged it. None given: there is no other query."

    def is_relevant(self, grade: float | None) -> bool:
        """Whether an item with this grade is relevant."""
        return grade is not None and grade >= (0 if self.relevant == "any" else float(self.relevant))

    def top(self, k: int | None) -> tuple[float | None, ...]:
        """The first k grades; without k, all."""
        return self.grades if k is None else self.grades[:k]

    def items(self, k: int | None) -> list[tuple[float | None, float]]:
        """The first k grades, each with what the item weighs."""
        return list(zip(self.top(k), self.weights or repeat(1.0), strict=False))

    def judged_items(self) -> list[tuple[float, float]]:
        """The grades of all judged items, each with what the item weighs."""
        return list(zip(self.judged, self.judged_weights or repeat(1.0), strict=False))

    def top_judged(self, k: int | None, *, anywhere: bool = False) -> tuple[bool, ...]:
        """Whether each of the first k items is judged, for this query or for any; a negative grade is no judgement."""
        here = tuple(grade is not None and grade >= 0 for grade in self.grades)
        return (self.judged_anywhere or here if anywhere else here)[:k]

    def intents(self, k: int | None) -> list[set[Any]]:
        """The subtopics that each of the first k items is relevant to."""
        of_items = self.subtopics or [{} if grade is None else {0: grade} for grade in self.grades]
        return [{each for each, grade in item.items() if self.is_relevant(grade)} for item in of_items[:k]]

    def judged_intents(self) -> list[set[Any]]:
        """The subtopics that each judged item is relevant to."""
        of_items = self.judged_subtopics or [{0: grade} for grade in self.judged]
        return [{each for each, grade in item.items() if self.is_relevant(grade)} for item in of_items]

    def hits(self, k: int | None) -> int:
        """h_k."""
        return sum(self.is_relevant(grade) for grade in self.top(k))

    def relevant_count(self) -> int:
        """R."""
        return sum(self.is_relevant(grade) for grade in self.judged)


def plain_grades(
    grades: Sequence[float | None], judged: Sequence[float] | None = None
) -> tuple[list[float | None], list[float]]:
    """Grades in ranked order as a caller wrote them (None = not judged), and those of all judged items."""
    ranked = _numbers(grades, "grades")
    returned = [grade for grade in ranked if grade is not None]
    every = returned if judged is None else [grade for grade in _numbers(judged, "judged") if grade is not None]
    if Counter(grade for grade in returned if grade > 0) - Counter(every):
        raise InputError(
            "judged must hold the grades of all judged items, those of the ranked list among them",
            "judged 须包含全部已标注条目的等级，排序列表中的也在内",
        )
    return ranked, every


def _numbers(values: Sequence[float | None], what: str) -> list[float | None]:
    try:
        grades = [None if value is None else float(value) for value in values]
    except (TypeError, ValueError):
        grades = [NAN]
    if isinstance(values, (str, bytes)) or not all(value is None or isfinite(value) for value in grades):
        raise InputError(f"{what} must be a list of numbers, not {values!r}", f"{what} 须为数字列表，而不是 {values!r}")
    return grades


@dataclass(frozen=True, kw_only=True)
class RankingMetric(Metric):
    """Base of all ranking metrics."""

    task = "ranking"
    symbols = Text(
        "n: items returned · g_i: grade at rank i · rel_i: 1 if relevant, else 0 · h_k: relevant items in the top k · R: relevant items in the truth",
        "n：返回的条目数 · g_i：第 i 位的等级 · rel_i：相关为 1，否则为 0 · h_k：前 k 中的相关条目数 · R：真值中的相关条目数",
    )
    example_data = ((1, 0, 1, 0), (1,))
    "Grades in ranked order, and those of relevant items that were not returned."
    takes: ClassVar[str] = "k"
    follows_grades: ClassVar[bool] = False
    "Whether a better grade further up never changes the value for the worse."
    closed_form: ClassVar[bool] = True
    "Whether the mean over all orders of tied items has one, whatever the parameters."
    of_rank: ClassVar[bool] = False
    "Whether the value of a list with one relevant item follows from its rank, which may lie between two: then candidates can be corrected."
    weighs_items: ClassVar[bool] = False
    "Whether weights of items stand inside its sums; with others they say only how much each list counts in the mean."
    is_whole: ClassVar[bool] = False
    "Whether it is one value of the run, and no list has one."
    k: int | None = None

    @property
    def of_items(self) -> bool:
        """Whether it looks at which items lists show: then the first places of all lists are kept."""
        return False

    @property
    def needs_judged_items(self) -> bool:
        """Whether the value of a query depends on which items any query has judged."""
        return False

    @property
    def tables(self) -> tuple[str, ...]:
        """What it reads beside the run: `qrels`, or tables of items."""
        return ("qrels",)

    @property
    def counting_tables(self) -> tuple[str, ...]:
        """Tables of items that must be at hand when lists are counted; none by default."""
        return ()

    @property
    def scope(self) -> str:
        """Whose lists it looks at: `truth`, judged queries under the policy `missing`; `judged`, all of them; `all`, those of the run."""
        return "truth"

    @property
    def is_mean(self) -> bool:
        """Whether the value of all queries is the mean of their values: then it can be tested query by query."""
        modes = getattr(self, "mode", None), getattr(self, "of", None)
        return not self.counts and (self.is_plain_mean() or "query" in modes)

    @classmethod
    def is_plain_mean(cls) -> bool:
        """Whether nothing but a mean is made of the values of queries."""
        plain = cls.combine is RankingMetric.combine and cls.level is RankingMetric.level
        return plain and not cls.counts and cls.is_of_columns()

    @classmethod
    def is_of_columns(cls) -> bool:
        """Whether the value of all queries follows from numbers of each of them, and not from their lists."""
        return cls.summarize is RankingMetric.summarize

    @property
    def takes_item_weight(self) -> bool:
        """Whether it is known what weights of judged items do to it: one that is no mean over lists of judged items refuses them."""
        return self.is_mean and not self.of_items and not self.of_subtopics

    def judged_worth(self, view: RankingView) -> Floats:
        """What each judged item is worth to a list, where weights of items become that of the list: 1 if it is relevant."""
        return view.is_relevant(view.judged_grade).astype(np.float64)

    def list_weights(self, view: RankingView) -> Floats:
        """How much each list counts in the mean, by its judged items: Σ weight · worth / Σ worth.

        NaN where no item is worth anything, 0 where there are items and none weighs anything.
        """
        worth = self.judged_worth(view)
        whole, ones = view.sum_judged(worth), np.ones(len(worth))
        weights = ratio(view.sum_judged(view.weighed_judged(worth)), whole, whole == 0)
        weights[(view.sum_judged(ones) > 0) & (view.sum_judged(view.weighed_judged(ones)) == 0)] = 0.0
        return weights

    @property
    def level(self) -> float | None:
        """The share of queries that do not exceed the value, where that is a quantile of their values: ½ is the median."""
        return None

    @property
    def needs_top_grade(self) -> bool:
        """Whether the value of a query depends on the largest grade of the whole truth; `view.top_grade` is read by no other."""
        return False

    @property
    def needs_lists(self) -> bool:
        """Whether the one number of all queries needs more than `values` and `parts`: then all evidence is kept until the end."""
        kind, base = type(self), RankingMetric
        if self.needs_judged_items:  # which a batch to come may judge
            return True
        says_more = kind.resolved is not base.resolved or kind.remarks is not base.remarks
        of_top_grade = kind.needs_top_grade is not base.needs_top_grade
        return kind.summarize is not base.summarize or (says_more and not of_top_grade)

    @classmethod
    def example_rows(cls) -> RankedList:
        """One list; the grades of relevant items that were not returned come after it."""
        _, grades, absent = cls.about.example
        ranked = tuple(None if isnan(grade) else grade for grade in grades)
        judged = (*(grade for grade in ranked if grade is not None), *absent)
        return RankedList(ranked, judged, 1, max(judged))

    @classmethod
    def example_words(cls) -> Text:
        _, grades, absent = cls.about.example
        ranked, missed = listed("?" if isnan(grade) else grade for grade in grades), listed(absent)
        more = Text(f"; relevant but not returned {missed}", f"；相关但未返回 {missed}") if absent else Text("", "")
        return Text(f"grades in ranked order {ranked}{more.en}", f"按名次的等级 {ranked}{more.zh}")

    @classmethod
    def undefined_words(cls, when: Text) -> Text:
        """A mean over queries can do without some."""
        return Text(
            f"where {when.en}; by default such queries are left out and counted (undefined=skip)",
            f"当 {when.zh} 时；默认不计入并如实计数（undefined=skip）",
        )

    @classmethod
    def tie_words(cls) -> Text:
        """The policies of ties that it can be computed under."""
        if cls.counts:
            return Text("do not matter", "没有影响")
        from pingce.metrics.grammar import parse_metric

        if parse_metric(cls.about.example[0]).metric.knows_expected():
            return Text(
                "id, id_ascending, order, worst, best, and expected: the exact mean over all orders of tied items",
                "id、id_ascending、order、worst、best，以及 expected：对并列条目所有排列的精确均值",
            )
        return Text(
            "id, id_ascending, order, worst, best; no closed form for expected",
            "id、id_ascending、order、worst、best；expected 没有闭式解",
        )

    def knows_expected(self) -> bool:
        """Whether a closed form of the mean over all orders of tied items is known; here `closed_form` says so."""
        return self.closed_form

    def is_bounded_by_grades(self) -> bool:
        """Whether the value under any order of tied items lies between those under `ties=worst` and `ties=best`."""
        return self.follows_grades

    def tied_worth(self, view: RankingView) -> Floats:
        """Worth of each hit: tied items of equal worth may change places without a change of the value. Unjudged items have 0."""
        return np.maximum(view.grade, 0.0)

    def values(self, view: RankingView) -> Floats:
        """One value a query; NaN = undefined, nothing else."""
        raise NotImplementedError

    def define(self, ranked: Any) -> float:
        """The definition, in plain Python over the raw rows of one query (a `RankedList`), or, of items, of all."""
        raise NotImplementedError

    def parts(self, view: RankingView) -> tuple[Floats, ...]:
        """Numbers of each query, beside its value, that the one number of all queries is made of; none by default."""
        return ()

    def summands(self, values: Floats, parts: tuple[Floats, ...]) -> tuple[Floats, ...]:
        """The columns that are added up over queries: the parts, or else the values."""
        return parts or (values,)

    def combine(self, *sums: Sum) -> float:
        """The one number of all queries: their mean, unless the metric says otherwise."""
        return sums[0].mean

    def summarize(self, view: RankingView, values: Floats, add: Add) -> float:
        """The same from their lists. A metric that overrides this one has all evidence kept until the end."""
        return self.summary(*map(add, self.summands(values, self.parts(view))))

    def summary(self, *columns: ColumnSum) -> float:
        """The one number of columns whose numbers are all there: a quantile, or what their sums give."""
        return self.combine(*columns) if self.level is None else columns[0].quantile(self.level)

    def resolved(self, view: RankingView) -> Parameters:
        """Parameters whose default is taken from the data, with the value that was used; none by default."""
        return {}

    def item_counts(self, view: RankingView) -> Mapping[str, int]:
        """Of metrics of items: what they looked at, and what their tables do not know; nothing by default."""
        return {}

    def remarks(self, view: RankingView) -> tuple[Text, ...]:
        """What a reader must know about this number on this data; nothing by default."""
        return ()


def ratio(top: NDArray[Any], bottom: NDArray[Any], undefined: NDArray[np.bool_]) -> Floats:
    """top / bottom; 0 where the bottom is 0 (nothing returned, nothing found), NaN where undefined."""
    out = np.zeros(len(top))
    np.divide(top, bottom, out=out, where=bottom != 0)
    out[undefined] = NAN
    return out


def no_relevant(view: RankingView) -> NDArray[np.bool_]:
    """Queries with R = 0."""
    empty: NDArray[np.bool_] = view.relevant_count == 0
    return empty
