"""What explanations of labels, classes and numbers share: tables by columns, long ones cut short, and the last line."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from pingce.base.errors import PingceWarning
from pingce.base.text import Text
from pingce.explanations.derivation import Cell, Column, Derivation, Explanation, Grid, Line, Row, Step
from pingce.run.score import resolve_undefined

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.metrics.grammar import MetricRequest
    from pingce.scores.base import Scores
    from pingce.scores.values import Value

    Floats = NDArray[np.float64]

MOST = 20
"Rows that are chosen from a table that is too long to be written whole."
MOST_WRITTEN = 40
"Rows of a table that are written whole."
_HEAD, _TAIL = 14, 6
_EXACT = ("score", "threshold", "probability", "true", "predicted")
"Columns of what was given: different numbers must look different."

Number: TypeAlias = "int | float"
Cells: TypeAlias = "tuple[str, Text, Sequence[Cell]]"
"A column: key, title, and what stands in it."


def plain(value: Any) -> Number:
    """A number of Python; whole ones as integers, so that counts read as counts."""
    number = value.item() if hasattr(value, "item") else value
    if isinstance(number, int) or (abs(number) < 2**53 and number == int(number)):
        return int(number)
    return real(number)


def numbers_in(values: Iterable[Any]) -> list[Number]:
    """Numbers of Python, as cells hold them."""
    return [plain(value) for value in values]


def real(value: Fraction | float) -> float:
    """A sum as a double; one beyond their range is shown as infinite."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def whole(text: str | Text) -> Text:
    """The same in both languages where there is only one."""
    return text if isinstance(text, Text) else Text(text, text)


def label_cell(label: Any) -> Cell:
    """A label in a cell."""
    return (
        label if label is None or (isinstance(label, (str, int, float)) and not isinstance(label, bool)) else str(label)
    )


def table(
    key: str, title: Text, columns: Iterable[Cells], counts: Sequence[bool] | None = None, note: Text | None = None
) -> Grid:
    """A table by columns."""
    columns = list(columns)
    rows = list(zip(*(cells for _, _, cells in columns), strict=True))
    kept = counts if counts is not None else [True] * len(rows)
    heads = tuple(Column(name, heading, exact=name in _EXACT) for name, heading, _ in columns)
    return Grid(key, title, heads, tuple(Row(row, counting) for row, counting in zip(rows, kept, strict=True)), note)


@dataclass(frozen=True)
class Excerpt:
    """Which places of a long table are written, and which of them count."""

    places: NDArray[np.intp]
    counts: list[bool]
    size: int
    summed: bool = True

    def of(self, column: NDArray[Any]) -> list[Cell]:
        """A column at these places, as numbers of Python; whole sums as integers."""
        return [plain(value) for value in column[self.places].tolist()]

    def exactly(self, column: NDArray[Any]) -> list[Cell]:
        """The same, but a double stays one."""
        cells: list[Cell] = column[self.places].tolist()
        return cells

    def note(self, of: Text) -> Text | None:
        """That not all are written."""
        if len(self.places) == self.size:
            return None
        written = Text(
            f"{len(self.places)} of {self.size} {of.en} are written here",
            f"{self.size} {of.zh}中只列出 {len(self.places)} {of.zh[:1]}",
        )
        if not self.summed:
            return written
        return Text(f"{written.en}; sums are over all of them", f"{written.zh}；求和包含全部")


def around(size: int, keep: int) -> Excerpt:
    """Of a table in which one place decides: that one counts; of a long table its neighbours and the ends besides."""
    places = np.arange(size)
    if size > MOST_WRITTEN:
        near = {at for at in range(keep - 2, keep + 3) if 0 <= at < size}
        places = np.array(sorted({*range(_HEAD // 2), *range(size - _TAIL // 2, size), *near}))
    return Excerpt(places, [place == keep for place in places.tolist()], size, summed=False)


def ends(size: int, matters: NDArray[np.bool_]) -> Excerpt:
    """Of a table that is summed up: all of a short one, the beginning and the end of a long one."""
    places = np.arange(size)
    if size > MOST_WRITTEN:
        places = np.concatenate([places[:_HEAD], places[-_TAIL:]])
    return Excerpt(places, matters[places].tolist(), size)


def largest(terms: Floats) -> Excerpt:
    """Of what is summed up the largest first, of equal ones the first; a term of 0 does not count."""
    size = len(terms)
    if size > MOST_WRITTEN:
        least = np.partition(terms, size - MOST)[size - MOST]
        chosen = np.flatnonzero(terms >= least)
        places = chosen[np.argsort(-terms[chosen], kind="stable")][:MOST]
    else:
        places = np.argsort(-terms, kind="stable")
    return Excerpt(places, (terms[places] != 0).tolist(), size)


ROWS = Text("rows", "行")
ROW_NUMBER = Text("row (from 0)", "行（从 0 起）")
WEIGHT = Text("weight w", "权重 w")


def row_numbers(excerpt: Excerpt) -> Cells:
    """The column that says which rows these are."""
    return "row", ROW_NUMBER, excerpt.places.tolist()


def weight_column(excerpt: Excerpt, weight: Floats | None) -> list[Cells]:
    """The weight of each row; nothing where rows are not weighted."""
    return [] if weight is None else [("weight", WEIGHT, excerpt.of(weight))]


def weighted_terms(excerpt: Excerpt, terms: Floats, weight: Floats | None, title: str | Text) -> list[Cells]:
    """The weight, and the weighted term; nothing where rows are not weighted."""
    if weight is None:
        return []
    with np.errstate(over="ignore"):
        products = (weight[excerpt.places] * terms[excerpt.places]).tolist()
    cells = [None if math.isnan(product) else product for product in products]
    return [
        ("weight", WEIGHT, excerpt.of(weight)),
        ("weighted", Text(*(f"w · {product}" for product in whole(title))), cells),
    ]


def exact_sum_line(key: str, name: str | Text, total: Fraction, weighted: bool) -> Line:
    """A sum that was not rounded on the way."""
    sign = "Σ w · " if weighted else "Σ "
    names = (f"({word})" if " / " in word else word for word in whole(name))
    words = Text(*(f"{sign}{word}" for word in names))
    return Line(key, words, Text("the exact sum over all rows", "对全部行精确求和"), (), real(total))


def number_line(key: str, name: str | Text, value: Any) -> Line:
    """A number that is there to begin with."""
    number = plain(value)
    return Line(key, name, "{}", (number,), number)


def count_line(total: Fraction, weighted: bool) -> Line:
    """What a mean is divided by."""
    return number_line("rows", Text("Σ w", "Σ w") if weighted else Text("rows n", "行数 n"), total)


def weight_note(weighted: bool) -> tuple[Text, ...]:
    """What numbers of rows mean where rows are weighted."""
    if not weighted:
        return ()
    return (
        Text(
            "Rows are weighted: every number of rows in the steps is a sum of weights",
            "各行有权重：步骤中的行数都是权重之和",
        ),
    )


def numbering_note(left_out: int) -> tuple[Text, ...]:
    """Rows of weight 0 were left out before they could be numbered."""
    if not left_out:
        return ()
    return (
        Text(
            f"{left_out} rows of weight 0 are left out, and are not counted in row numbers",
            f"{left_out} 行的权重为 0，未列出，也不计入行号",
        ),
    )


@contextmanager
def silently() -> Iterator[None]:
    """Warnings of an evaluation become notes of its explanation: they are not said twice."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PingceWarning)
        yield


def explained(request: MetricRequest, scores: Scores, subject: Text, derivation: Derivation) -> Explanation:
    """The explanation of a value of all rows, with what the evaluation noted."""
    evaluated, steps = scores.find(request.name), list(derivation.steps)
    if math.isnan(derivation.value):
        steps.append(_undefined(request))
        value, policy = (
            resolve_undefined(request, derivation.value, evaluated.policies)[0],
            evaluated.policies.undefined,
        )
        derivation = replace(derivation, value=value, template=_instead(policy), numbers=())
    notes = (*derivation.notes, *_beyond(steps), *scores.notes, *scores.warnings)
    derivation = replace(derivation, steps=steps, notes=notes)
    return finished(request, scores, subject, derivation, evaluated.value, request.name)


def finished(  # noqa: PLR0917 - in the order in which they are read
    request: MetricRequest | Value, scores: Scores, subject: Text, derivation: Derivation, value: float, name: str
) -> Explanation:
    """The explanation, whose last line must have the very value of the evaluation."""
    if float(derivation.value).hex() != float(value).hex():
        raise RuntimeError(f"{request.id}: the steps end in {derivation.value!r}, the evaluation in {value!r}")
    metric: Any = request.metric
    return Explanation(
        metric=request.name,
        id=request.id,
        signature=scores.signature(request.name),
        title=metric.title,
        question=metric.about.question,
        formula=whole(metric.formula),
        subject=subject,
        steps=(*derivation.steps, Line("value", name, derivation.template, derivation.numbers, float(value))),
        value=float(value),
        notes=derivation.notes,
    )


def _beyond(steps: Sequence[Step]) -> list[Text]:
    """A sum may be too large to be shown, while the value that follows from it is not."""
    if not any(isinstance(step, Line) and step.value is not None and math.isinf(step.value) for step in steps):
        return []
    return [
        Text(
            "Sums beyond the range of doubles are shown as ∞; the value is taken from the exact sums",
            "超出双精度范围的和显示为 ∞；结果由精确的和算出",
        )
    ]


def _undefined(asked: MetricRequest) -> Text:
    when = asked.metric.about.undefined
    en, zh = (f": {when.en}", f"：{when.zh}") if when.en else ("", "")
    return Text(f"{asked.name} is not defined here{en}.", f"{asked.name} 在此没有定义{zh}。")


def _instead(policy: str) -> Text:
    number = {"zero": "0", "one": "1"}.get(policy)
    if number is None:
        return Text("not defined", "没有定义")
    return Text(
        f"not defined, counted as {number} (undefined={policy})", f"没有定义，计为 {number}（undefined={policy}）"
    )
