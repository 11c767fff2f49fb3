"""What a measure of trec_eval prints: its lines, with its own cut-offs or with those asked for.

No measure is computed here: each line to print names a metric in pingce's grammar.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.base.text import Text

VERSIONS = ("9", "10")
_LEADING_DIGITS = re.compile(r"\s*\+?([0-9]{1,18})")


@dataclass(frozen=True)
class Line:
    """One line to print: its name and the metric it is."""

    name: str
    means: str
    "In pingce's grammar; empty for the run's tag and for a string of grades. {rounding} is the version's."
    whole: bool = False
    "A count: printed without decimals."
    of_topics: bool = True
    "Printed for each topic too."
    of_all: bool = True
    "Printed for all topics together."
    length: int = 0
    "Characters of a string with one for each grade."
    points: tuple[str, ...] = ()
    "Metrics whose mean it is, instead of one metric."
    unanswered: float = 0.0
    "What version 10 prints with -c for a topic that the run does not answer."

    def rounded(self, rounding: str) -> Line:
        """The line with its version's way of rounding recall levels."""
        means, *points = (text.replace("{rounding}", rounding) for text in (self.means, *self.points))
        return replace(self, means=means, points=tuple(points))


@dataclass(frozen=True)
class Measure:
    """A measure, or a family of them at several cut-offs."""

    name: str
    means: str
    "With a place {} for the cut-off."
    defaults: tuple[str, ...] = ()
    "Cut-offs unless others are asked for; none: it takes none."
    takes: str = ""
    "What may stand after the dot: depths, shares, multiples, points, a number, gains, worths, patience, a length, or nothing."
    whole: bool = False
    of_topics: bool = True
    versions: tuple[str, ...] = VERSIONS

    def lines(self, text: str | None) -> list[Line]:
        """What it prints, with its own cut-offs or with those given."""
        plain = Line(self.name, self.means, self.whole, self.of_topics)
        if self.takes == "length":
            digits = self.defaults[0] if text is None else self._number(text)
            name = self.name if text is None else f"{self.name}_{text}"
            return [replace(plain, name=name, of_all=False, length=max(int(float(digits)), 0))]
        if self.takes in ("depths", "shares", "multiples"):
            return [self._at(cutoff) for cutoff in (self.defaults if text is None else self._cutoffs(text))]
        if text is None:
            return [replace(plain, means="ap11(rounding={rounding})") if self.takes == "points" else plain]
        named = replace(plain, name=f"{self.name}_{text}")
        if self.takes == "points":
            points = tuple(self.means.format(share, rounding="{rounding}") for share in self._cutoffs(text, twice=True))
            return [replace(named, points=points)]
        unanswered = float(text.split(",")[1]) if self.takes == "worths" and text.count(",") == 3 else 0.0
        return [replace(named, means=self._with_parameters(text), unanswered=unanswered)]

    def _at(self, cutoff: str) -> Line:
        digits = cutoff if self.takes == "depths" else f"{float(cutoff):.2f}"
        return Line(f"{self.name}_{digits}", self.means.format(cutoff, rounding="{rounding}"))

    def _cutoffs(self, text: str, *, twice: bool = False) -> list[str]:
        """Cut-offs in ascending order, as trec_eval sorts them; `twice` where one may stand there again."""
        read = {"depths": self._depth, "multiples": self._multiple}.get(self.takes, self._share)
        words = [read(word) for word in text.split(",")]
        numbers = sorted(words)
        if twice and words != numbers:
            raise self.refusal(
                text,
                Text("the points must ascend, for trec_eval does not sort these", "须按升序给出，trec_eval 不为其排序"),
            )
        for number, other in () if twice else pairwise(numbers):
            if number == other:
                raise self.refusal(text, Text(f"{number} stands twice", f"{number} 出现两次"))
        return [str(number) for number in numbers]

    def _with_parameters(self, text: str) -> str:
        """A measure whose parameters change its definition and are printed with its name."""
        if self.takes == "number":
            return f"f(beta={self._number(text)},squared=no)"
        if self.takes == "worths":
            worths = [self._number(word) for word in text.split(",")]
            if len(worths) != 4 or float(worths[2]) or float(worths[3]):
                raise self.refusal(text, Text("four numbers, the last two 0, are needed", "须为四个数，后两个为 0"))
            return f"utility(a={worths[0]},b={worths[1]})"
        if self.takes not in ("gains", "patience"):
            raise self.refusal(text, Text("it takes no parameters here", "此处不带参数"))
        pairs = [word.partition("=") for word in text.split(",")]
        if any("=" in value or not sign for _, sign, value in pairs):
            raise self.refusal(text, Text("pairs grade=gain are needed", "须为 等级=增益"))
        if self.takes == "gains":
            table = self._table([(grade, gain) for grade, _, gain in pairs])
            return self.means.replace("gain=linear", f"gain={table}")
        # Gains from 0 to 1, for trec_eval scales others by numbers it never set.
        patience = [number for name, _, number in pairs if name == "p"] or ["0.9"]
        gains = [(grade, gain) for grade, _, gain in pairs if grade != "p"]
        if not 0 < float(self._number(patience[-1])) < 1:
            raise self.refusal(text, Text("p=, a number between 0 and 1, is needed", "须为 p= 与 0 到 1 之间的数"))
        table = self._table(gains)
        if any(not 0 <= float(gain) <= 1 for _, gain in gains):
            raise self.refusal(text, Text("gains from 0 to 1 are needed", "增益须为 0 到 1"))
        means = self.means.replace("p=0.9", f"p={patience[-1].strip()}")
        return means.replace("gain=linear", f"gain={table}") if gains else means

    def _table(self, pairs: Sequence[tuple[str, str]]) -> str:
        """A table of gains in pingce's grammar."""
        return "{" + ",".join(f"{self._grade(grade)}:{self._number(gain)}" for grade, gain in pairs) + "}"

    def _depth(self, word: str) -> int:
        """A depth as trec_eval reads it: the digits in front, whatever follows (23.4 is 23, 1=2 is 1)."""
        digits = _LEADING_DIGITS.match(word)
        return self._grade(digits[1] if digits else word)

    def _grade(self, word: str) -> int:
        if word.isascii() and word.isdigit() and int(word) > 0:
            return int(word)
        raise self.refusal(word, Text("whole numbers from 1 are needed", "须为不小于 1 的整数"))

    def _share(self, word: str) -> float:
        number = float(self._number(word))
        if 0 <= number <= 1:
            return number
        raise self.refusal(word, Text("shares from 0 to 1 are needed", "须为 0 到 1 的份额"))

    def _multiple(self, word: str) -> float:
        number = float(self._number(word))
        if number > 0:
            return number
        raise self.refusal(word, Text("numbers above 0 are needed", "须为大于 0 的数"))

    def _number(self, word: str) -> str:
        try:
            if abs(float(word)) < float("inf") and "_" not in word:
                return word.strip()
        except ValueError:
            pass
        raise self.refusal(word, Text(f"'{word}' is not a number", f"'{word}' 不是数字"))

    def refusal(self, text: str, why: Text) -> InputError:
        """What to say of what stands after the dot."""
        return InputError(
            f"-m {self.name}.{text}: {why.en}; write e.g. P.5,10, iprec_at_recall.0.1, set_F.2 or ndcg.1=3,2=9",
            f"-m {self.name}.{text}：{why.zh}；写法如 P.5,10、iprec_at_recall.0.1、set_F.2、ndcg.1=3,2=9",
        )
