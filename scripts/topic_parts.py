"""The pieces of a topic page: a worked calculation, several values side by side, values of several users, a slip."""

from __future__ import annotations

import math
import shlex
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pingce as pc
from pingce.base.tables import markdown_text
from pingce.base.text import Text
from pingce.explanations.derivation import Explanation

_ONE_VALUE = ("relevant", "threshold", "compare", "convention", "ties")
"Arguments of explain that take one value on the command line; the others take several, with commas."


def digits(value: float) -> str:
    """A value as pages give it: 13 digits, a dash where it is undefined."""
    return "–" if math.isnan(value) else f"{value:.13g}"


def quoted(words: Text) -> str:
    """A box."""
    return "\n".join(f"> {line}".rstrip() for line in str(words).splitlines())


def written(value: Any) -> str:
    """A value as it stands on the command line."""
    return "?" if value is None else format(value, ".15g") if isinstance(value, (int, float)) else str(value)


@dataclass(frozen=True)
class MetricRequest:
    """A metric of numbers that fit on a command line."""

    metric: str
    given: Mapping[str, Any]
    places: int = 4

    @property
    def command(self) -> str:
        """What a reader types."""
        words = ["pingce", "explain", self.metric]
        for name, value in self.given.items():
            single = name in _ONE_VALUE
            words += [f"--{name.replace('_', '-')}", written(value) if single else ",".join(map(written, value))]
        if self.places != 4:
            words += ["-p", str(self.places)]
        return shlex.join(words)

    def explained(self) -> Explanation:
        """The calculation."""
        return _explained(self)

    def __hash__(self) -> int:
        return hash(self.command)


@cache
def _explained(asked: MetricRequest) -> Explanation:
    found = pc.explain(asked.metric, **asked.given)
    assert isinstance(found, Explanation)
    return found


def asked(metric: str, **given: Any) -> MetricRequest:
    """A metric and its numbers, as `pingce.explain` takes them; `places` are the decimals to show."""
    places = given.pop("places", 4)
    return MetricRequest(metric, given, places)


def shell(several: Sequence[MetricRequest]) -> str:
    """Commands with their values behind them, below each other."""
    width = max(len(one.command) for one in several)
    lines = [f"{one.command:<{width}}  # {digits(one.explained().value)}" for one in several]
    return "\n".join(["```sh", *lines, "```"])


class Part(ABC):
    """A piece of the worked examples."""

    caption: Text
    lead: Text

    @abstractmethod
    def body(self, said: set[str]) -> str:
        """Everything below the caption; `said` are sentences that the page need not repeat."""

    def commands(self) -> tuple[MetricRequest, ...]:
        """What the page offers to try at its end."""
        return ()

    def markdown(self, said: set[str]) -> str:
        """The piece under its caption."""
        return "\n\n".join(filter(None, [f"### {self.caption}", str(self.lead), self.body(said)]))


@dataclass(frozen=True)
class Worked(Part):
    """A calculation in full, by `pingce.explain`."""

    caption: Text
    lead: Text
    asked: MetricRequest

    def body(self, said: set[str]) -> str:
        """The calculation without its title, and without a question or formula that was said before."""
        return without_what_was_said(self.asked.explained(), self.asked.places, said)

    def commands(self) -> tuple[MetricRequest, ...]:
        """This one."""
        return (self.asked,)


def without_what_was_said(found: Explanation, places: int, said: set[str]) -> str:
    """A calculation without its title, and without what the page has said before."""
    head, *rest = found.to_markdown(places).split("\n\n")
    assert head.startswith("### ")
    known = {markdown_text(str(words)) for words in (found.question, found.formula)} & said
    said |= {markdown_text(str(words)) for words in (found.question, found.formula)}
    return "\n\n".join([f"`{found.metric}`", *(piece for piece in rest if piece not in known)])


@dataclass(frozen=True)
class Compared(Part):
    """Values side by side, each with the command that explains it."""

    caption: Text
    lead: Text
    several: tuple[MetricRequest, ...]

    def body(self, said: set[str]) -> str:
        """The commands."""
        del said
        return shell(self.several)


@dataclass(frozen=True)
class Users(Part):
    """Values of a few users (queries): a table of them, and the code that gives them."""

    caption: Text
    lead: Text
    truth: Mapping[str, Any]
    run: Mapping[str, Any]
    calls: tuple[tuple[str, Mapping[str, Any]], ...]
    explained: tuple[str, Mapping[str, Any]] | None = None
    "A metric and policies to work out for the first user."

    def body(self, said: set[str]) -> str:
        """A table a query where there are several, then the code."""
        parts = [self._table() if len(self.truth) > 1 else "", self._code()]
        if self.explained is not None:
            metric, policies = self.explained
            found = pc.explain(metric, dict(self.truth), dict(self.run), query=next(iter(self.truth)), **policies)
            assert isinstance(found, Explanation)
            parts.append(without_what_was_said(found, 4, said))
        return "\n\n".join(filter(None, parts))

    def _table(self) -> str:
        metrics = list(dict.fromkeys(metric for metric, policies in self.calls if not policies))
        scores = pc.evaluate_ranking(dict(self.truth), dict(self.run), metrics)
        columns: dict[str, list[Any]] = scores.per_query.to_pydict()
        titles = [str(Text("user", "用户")), *(f"`{metric}`" for metric in metrics)]
        rows = [
            [query, *(_cell(columns[metric][at]) for metric in metrics)] for at, query in enumerate(columns["query"])
        ]
        rows.append([str(Text("together", "合计")), *(f"**{_cell(scores[metric])}**" for metric in metrics)])
        head = [_row(titles), _row(["---", *["---:"] * len(metrics)])]
        return "\n".join([*head, *map(_row, rows)])

    def _code(self) -> str:
        lines = ["import pingce as pc", "", f"truth = {source(self.truth)}", f"run = {source(self.run)}"]
        for metric, policies in self.calls:
            value = pc.evaluate_ranking(dict(self.truth), dict(self.run), metric, **policies)[metric]
            named = "".join(f', {name}="{choice}"' for name, choice in policies.items())
            lines.append(f'pc.evaluate_ranking(truth, run, "{metric}"{named})["{metric}"]  # {digits(value)}')
        return "\n".join(["```python", *lines, "```"])


def source(table: Any) -> str:
    """A table as Python writes it."""
    return repr(dict(table) if isinstance(table, Mapping) else table).replace("'", '"')


def _cell(value: float | None) -> str:
    return "–" if value is None or math.isnan(value) else f"{value:.4f}"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def per_user(**lists: Sequence[int]) -> tuple[dict[str, dict[str, int]], dict[str, list[str]]]:
    """Truth and run of users whose lists have these grades."""
    items = {user: {f"{user}{rank}": grade for rank, grade in enumerate(grades, 1)} for user, grades in lists.items()}
    truth = {user: {item: grade for item, grade in listed.items() if grade} for user, listed in items.items()}
    return truth, {user: list(listed) for user, listed in items.items()}


@dataclass(frozen=True)
class Slip:
    """A figure of a note, the right one, and where the two part."""

    note: str
    right: str
    why: Text

    def markdown(self) -> str:
        """The box."""
        head = Text(
            f"**A note prints {self.note}; it is {self.right}.**", f"**笔记写作 {self.note}；应为 {self.right}。**"
        )
        return f"{quoted(head)}\n>\n{quoted(self.why)}"


@dataclass(frozen=True)
class Topic:
    """A page."""

    file: str
    title: Text
    lead: Text
    metrics: tuple[tuple[str, str], ...] = ()
    "Task and name of each."
    parts: tuple[Part, ...] = ()
    slips: tuple[Slip, ...] = ()
    more: Text = field(default=Text("", ""))
    "What else is worth knowing, after the examples."
