"""The measures of trec_eval: their names, default cut-offs, the order they are printed in, and which metric each is.

Facts of versions 9.0.8 and 10.0-rc3. No measure is computed here: each line to print names a metric in pingce's grammar.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from pingce.base.errors import InputError, did_you_mean
from pingce.base.records import dataclass
from pingce.base.text import Text

VERSIONS = ("9", "10")
_DEPTHS = ("5", "10", "15", "20", "30", "100", "200", "500", "1000")
_LEVELS = tuple(str(tenth / 10) for tenth in range(11))
_LEADING_DIGITS = re.compile(r"\s*\+?([0-9]{1,18})")


@dataclass(frozen=True)
class Line:
    """One line to print: its name and the metric it is."""

    name: str
    means: str
    "In pingce's grammar; empty for the run's tag. {rounding} is the version's."
    whole: bool = False
    "A count: printed without decimals."
    of_topics: bool = True
    "Printed for each topic too."
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
    "What may stand after the dot: depths, shares, points, a number, gains, worths, patience, or nothing."
    whole: bool = False
    of_topics: bool = True
    versions: tuple[str, ...] = VERSIONS

    def lines(self, text: str | None) -> list[Line]:
        """What it prints, with its own cut-offs or with those given."""
        plain = Line(self.name, self.means, self.whole, self.of_topics)
        if self.takes in ("depths", "shares"):
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
        words = [(self._depth if self.takes == "depths" else self._share)(word) for word in text.split(",")]
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
            return f"ndcg(gain={self._table([(grade, gain) for grade, _, gain in pairs])})"
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


MEASURES = (
    Measure("runid", "", of_topics=False),
    Measure("num_q", "num_q", whole=True, of_topics=False),
    Measure("num_ret", "num_ret", whole=True),
    Measure("num_rel", "num_rel", whole=True),
    Measure("num_rel_ret", "num_rel_ret", whole=True),
    Measure("map", "ap"),
    Measure("gm_map", "gm_ap", of_topics=False),
    Measure("Rprec", "r_precision"),
    Measure("bpref", "bpref"),
    Measure("recip_rank", "rr"),
    Measure("iprec_at_recall", "iprec(recall={},rounding={rounding})", _LEVELS, "shares"),
    Measure("P", "precision@{}", _DEPTHS, "depths"),
    Measure("recall", "recall@{}", _DEPTHS, "depths"),
    Measure("utility", "utility", takes="worths"),
    Measure("11pt_avg", "iprec(recall={},rounding={rounding})", _LEVELS, "points"),
    Measure("ndcg", "ndcg(gain=linear)", takes="gains"),
    Measure("ndcg_cut", "ndcg(gain=linear)@{}", _DEPTHS, "depths"),
    Measure("map_cut", "ap@{}", _DEPTHS, "depths"),
    Measure("relative_P", "precision(over=min)@{}", _DEPTHS, "depths"),
    Measure("success", "hit_rate@{}", ("1", "5", "10"), "depths"),
    Measure("set_P", "precision"),
    Measure("set_relative_P", "precision(over=min)"),
    Measure("set_recall", "recall"),
    Measure("set_map", "set_ap"),
    Measure("set_F", "f(squared=no)", takes="number"),
    Measure("num_nonrel_judged_ret", "num_nonrel_judged_ret", whole=True),
    Measure("rbp", "rbp(p=0.9,gain=linear,relevant=any)", takes="patience", versions=("10",)),
)
"In the order in which trec_eval prints them, however they are asked for."

_COUNTS = ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret")
_OF_LISTS = ("map", "gm_map", "Rprec", "bpref", "recip_rank", "iprec_at_recall", "P")
_ABSENT = ("relstring", "infAP", "gm_bpref", "Rprec_mult", "binG", "G", "ndcg_rel", "Rndcg")
_ABSENT_SINCE_10 = ("rbp_resid", "unj")
_NEVER = ("dcg", "ideal_dcg", "yaap", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg", "all_prefs", "prefs", "qrels_jg")


def _sets(version: str) -> dict[str, tuple[str, ...]]:
    """Names that stand for several measures."""
    ours = tuple(measure.name for measure in MEASURES if version in measure.versions)
    return {
        "official": (*_COUNTS, *_OF_LISTS),
        "set": (*_COUNTS, "utility", "set_P", "set_relative_P", "set_recall", "set_map", "set_F"),
        "all_trec": (*ours, *_ABSENT, *(_ABSENT_SINCE_10 if version == "10" else ())),
    }


@dataclass(frozen=True)
class Wanted:
    """The lines to print, in order, and the measures of a set that pingce does not have."""

    lines: tuple[Line, ...]
    absent: tuple[str, ...]


def wanted(words: Sequence[str], version: str) -> Wanted:
    """What `-m` words ask for. Of several cut-offs for one measure the first count, as in trec_eval."""
    parameters: dict[str, str | None] = {}
    absent: dict[str, None] = {}
    sets = _sets(version)
    for word in words or ("official",):
        name, dot, text = word.partition(".")
        for each in sets.get(name, (name,)):
            if name in sets and each in (*_ABSENT, *_ABSENT_SINCE_10):
                absent[each] = None
                continue
            _refuse_unknown(each, word, version)
            if name in sets and dot:
                raise Measure(name, "").refusal(text, Text("it stands for several measures", "它代表多个指标"))
            if dot and not text:
                raise Measure(name, "").refusal(text, Text("nothing stands after the dot", "点号之后没有内容"))
            parameters[each] = parameters.get(each) or text or None
    rounding = {"9": "trec9", "10": "nearest"}[version]
    measures = [measure for measure in MEASURES if measure.name in parameters]
    lines = [line for measure in measures for line in measure.lines(parameters[measure.name])]
    return Wanted(tuple(line.rounded(rounding) for line in lines), tuple(absent))


def _refuse_unknown(name: str, word: str, version: str) -> None:
    measures = {measure.name: measure for measure in MEASURES}
    if name in measures and version in measures[name].versions:
        return
    if name in measures:
        raise InputError(f"-m {word}: only version 10 has {name}", f"-m {word}：只有版本 10 有 {name}")
    if name in (*_ABSENT, *_ABSENT_SINCE_10, *_NEVER) or name.startswith("prefs_"):
        names = [measure.name for measure in MEASURES if version in measure.versions]
        raise InputError(
            f"-m {word}: trec_eval has {name}, pingce does not; it has {', '.join(names)}",
            f"-m {word}：trec_eval 有 {name}，pingce 没有；可用 {'、'.join(names)}",
        )
    family, _, cutoff = name.rpartition("_")
    hint = did_you_mean(name, (*measures, *_sets(version)))
    if family in measures and measures[family].defaults:  # P_10, as it is printed, is asked for as P.10
        hint = Text(f"; did you mean '{family}.{cutoff}'?", f"；您是不是想写 '{family}.{cutoff}'？")
    raise InputError(
        f"-m {word}: unknown measure{hint.en} (pingce trec_eval --help lists them)",
        f"-m {word}：未知的指标{hint.zh}（pingce trec_eval --help 列出全部）",
    )
