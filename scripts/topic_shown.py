"""The topic of what is shown: coverage, concentration, novelty and popularity, as each tool means them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from topic_parts import Part, Topic, digits, source, without_what_was_said

import pingce as pc
from pingce.base.text import Text
from pingce.explanations.derivation import Explanation
from pingce.metrics.ranking.items import EXAMPLE

_LISTS = {str(user): list(items) for user, items in EXAMPLE.lists.items()}
_TRUTH = {str(user): list(items) for user, items in EXAMPLE.truth.items()}
_TRAIN: dict[str, list[str]] = {}
for _user, _item in EXAMPLE.train:
    _TRAIN.setdefault(str(_user), []).append(str(_item))
_CATALOG = list("abcdef")
_TABLES: dict[str, Any] = {"train": _TRAIN, "catalog": _CATALOG}


@dataclass(frozen=True)
class Reading:
    """What some tools mean by a name, as a metric of pingce."""

    tools: Text
    metric: str
    catalog: int | None = None
    "Where a tool counts another number of items."
    reversed: bool = False
    "Whether the tool gives 1 − the value."

    def arguments(self) -> dict[str, Any]:
        """The tables that the metric reads."""
        names = pc.parse_metric(self.metric).metric.tables
        given = {name: _TABLES[name] for name in ("train", "catalog") if name in names}
        return given | ({} if self.catalog is None else {"catalog": self.catalog})

    @property
    def value(self) -> float:
        """What the tool gives, by pingce."""
        truth = _TRUTH if "qrels" in pc.parse_metric(self.metric).metric.tables else None
        value = pc.evaluate_ranking(truth, _LISTS, self.metric, **self.arguments())[self.metric]
        return 1 - value if self.reversed else value

    @property
    def code(self) -> str:
        """The call that gives it."""
        truth = "truth" if "qrels" in pc.parse_metric(self.metric).metric.tables else "None"
        named = "".join(
            f", {name}={name if self.catalog is None or name != 'catalog' else self.catalog}"
            for name in self.arguments()
        )
        call = f'pc.evaluate_ranking({truth}, run, "{self.metric}"{named})["{self.metric}"]'
        return f"1 - {call}" if self.reversed else call


@dataclass(frozen=True)
class ToolValues(Part):
    """One name, a row for each meaning that tools give it, on the lists of four users."""

    caption: Text
    lead: Text
    readings: tuple[Reading, ...]
    explained: str = ""
    "A metric whose calculation is worked out below the table."
    tables: Mapping[str, Any] = field(default_factory=dict)
    "What that reads; of a mean over lists, also whose list."

    def body(self, said: set[str]) -> str:
        """The table, the code, and the calculation."""
        parts = [self._table(), self._code()]
        if self.explained:
            found = pc.explain(self.explained, _TRUTH, _LISTS, **self.tables)
            assert isinstance(found, Explanation)
            parts.append(without_what_was_said(found, 4, said))
        return "\n\n".join(parts)

    def _table(self) -> str:
        titles = Text("tool|in pingce|value", "工具|在 pingce 中|数值")
        rows = ["| " + " | ".join(str(titles).split("|")) + " |", "| --- | --- | ---: |"]
        for reading in self.readings:
            spelled = f"`{reading.metric}`" + ("" if reading.catalog is None else f", `catalog={reading.catalog}`")
            spelled = f"1 − {spelled}" if reading.reversed else spelled
            rows.append(f"| {reading.tools} | {spelled} | {reading.value:.4f} |")
        return "\n".join(rows)

    def _code(self) -> str:
        tables = {name: None for reading in self.readings for name in reading.arguments() if reading.catalog is None}
        lines = ["import pingce as pc", "", f"run = {source(_LISTS)}"]
        if any("(truth," in reading.code for reading in self.readings):
            lines.append(f"truth = {source(_TRUTH)}")
        lines += [f"{name} = {source(_TABLES[name])}" for name in ("train", "catalog") if name in tables]
        claims = dict.fromkeys(f"{reading.code}  # {digits(reading.value)}" for reading in self.readings)
        return "\n".join(["```python", *lines, *claims, "```"])


def _same(*tools: str) -> Text:
    return Text(", ".join(tools), "、".join(tools))


SHOWN = Topic(
    "what-is-shown",
    Text("What is shown: coverage, Gini, novelty, popularity", "展示了什么：覆盖率、基尼系数、新颖度、流行度"),
    Text(
        "Accuracy asks whether lists are right. These metrics ask what lists show, right or not: how much of the catalogue, how evenly, how new, how "
        "popular. Tools agree on the names and on little else: on the four users below, coverage has five values, Gini five, novelty five. "
        "All values of this page stand on the same lists (k = 3): u1 sees c, d, b; u2 b, d, a; u3 c, e, b; u4 b, c. In the past, u1 had a and b, "
        "u2 a and c, u3 a, b and d, u4 a. The catalogue has the items a to f; e and f have no past.",
        "准确性问的是列表对不对；这些指标问的是列表展示了什么，不论对错：覆盖了目录的多少，分布是否均匀，有多新，有多热门。"
        "各工具只是名字相同：在下面四个用户的例子上，覆盖率有五个值，基尼系数有五个，新颖度有五个。"
        "本页所有数值都基于同一组列表（k = 3）：u1 看到 c、d、b；u2 看到 b、d、a；u3 看到 c、e、b；u4 看到 b、c。"
        "过去 u1 有 a、b，u2 有 a、c，u3 有 a、b、d，u4 有 a。目录有 a 到 f 六个条目；e、f 没有过去的交互。",
    ),
    tuple(
        ("ranking", name)
        for name in (
            "coverage",
            "user_coverage",
            "gini",
            "entropy",
            "novelty",
            "unseen",
            "popularity",
            "tail",
            "personalization",
        )
    ),
    (
        ToolValues(
            Text("Coverage: five values", "覆盖率：五个值"),
            Text(
                "Five different items are shown. What they are divided by is the whole difference: the catalogue, the items of train (then e, which "
                "has no past, may push the value above 1), the catalogue and one padding token, or nothing.",
                "共展示了五个不同的条目。差别全在除以什么：目录、训练集的条目（这时没有过去的 e 会使数值超过 1）、目录再加一个填充符，或者不除。",
            ),
            (
                Reading(_same("PyG", "torch-rechub", "LibRecommender"), "coverage@3"),
                Reading(_same("RecBole"), "coverage@3", catalog=7),
                Reading(_same("RePlay", "Evidently"), "coverage(of=train)@3"),
                Reading(_same("recommenders"), "coverage(of=train,unknown=count)@3"),
                Reading(_same("RecTools", "Elliot", "WarpRec", "LensKit"), "coverage(of=count)@3"),
            ),
            "coverage@3",
            {"catalog": _CATALOG},
        ),
        ToolValues(
            Text("Gini: five values, one of them reversed", "基尼系数：五个值，其中一个方向相反"),
            Text(
                "0 means that all items are shown alike, and one tool has it the other way round. Items that are never shown belong to it: leaving them out makes every "
                "list look fairer. Lists of RecBole are always full, and their places are counted as users × k; WarpRec does so too where lists are short.",
                "0 表示所有条目展示得一样多；有一个工具方向相反。从未展示的条目也要算在内：去掉它们，任何列表都会显得更公平。RecBole 的列表总是满的，位置数按用户数 × k 计；WarpRec 在列表不满时也这样计。",
            ),
            (
                Reading(_same("LensKit", "irspack"), "gini@3"),
                Reading(_same("RecBole"), "gini@3", catalog=7),
                Reading(_same("WarpRec"), "gini(over=n_minus_1,places=full)@3"),
                Reading(_same("Evidently"), "gini(over=n_minus_1,items=shown)@3"),
                Reading(_same("Elliot"), "gini(over=n_minus_1)@3", reversed=True),
            ),
            "gini@3",
            {"catalog": _CATALOG},
        ),
        ToolValues(
            Text("Entropy: bits, nats, or nats a distinct item", "熵：比特、奈特，或再除以条目数"),
            Text(
                "The same counts as Gini's. Its largest value is the logarithm of the number of items, so that catalogues of different size cannot be compared.",
                "与基尼系数使用同样的计数。最大值是条目数的对数，因此目录大小不同时不可比。",
            ),
            (
                Reading(_same("recommenders"), "entropy@3"),
                Reading(_same("irspack"), "entropy(base=e)@3"),
                Reading(_same("RecBole"), "entropy(base=e,over=distinct)@3"),
            ),
        ),
        ToolValues(
            Text("Novelty: five values", "新颖度：五个值"),
            Text(
                "An item is new to the degree that few had it before: −log2 of its share of users, or of interactions. What an item without a past counts "
                "is a choice, and so is what the sum is divided by: u4 has two items only. The last row is another question: how much of the list "
                "this very user did not have before.",
                "过去拥有某条目的人越少，它越新：取其用户占比（或交互占比）的 −log2。没有过去的条目怎么算，是一种选择；总和除以什么也是：u4 只有两个条目。"
                "最后一行问的是另一件事：列表中有多少是这个用户自己没有过的。",
            ),
            (
                Reading(_same("RecTools"), "novelty@3"),
                Reading(_same("Evidently"), "novelty(cold=drop)@3"),
                Reading(_same("recommenders"), "novelty(of=interactions,cold=zero,over=places)@3"),
                Reading(Text("RePlay (Surprisal)", "RePlay（Surprisal）"), "novelty(over=k,scale=unit)@3"),
                Reading(Text("RePlay (Novelty)", "RePlay（Novelty）"), "unseen@3"),
            ),
            "novelty@3",
            {"train": _TRAIN, "query": "u3"},
        ),
        ToolValues(
            Text("Popularity and the long tail", "流行度与长尾"),
            Text(
                "How often the items of a list were chosen before, and which share of the list is none of the popular ones. Where the tail begins moves the number more than "
                "most models do: the least popular share of items, or all items after those with 80 % of the interactions, with items that have no past or without.",
                "列表中的条目过去被选了多少次，以及列表中有多少不属于热门条目。长尾从哪里开始，对数值的影响往往大于模型之间的差别："
                "按条目数取最冷门的一部分，或是占 80 % 交互的热门条目之后的全部条目，没有历史的条目算或不算。",
            ),
            (
                Reading(_same("RecTools", "RecBole"), "popularity@3"),
                Reading(Text("RecTools (normalize)", "RecTools（normalize）"), "popularity(scale=share)@3"),
                Reading(_same("Evidently"), "popularity(cold=drop)@3"),
                Reading(Text("all places alike", "所有位置同等"), "popularity(over=places)@3"),
                Reading(_same("Elliot"), "tail@3"),
                Reading(_same("WarpRec"), "tail(cold=tail)@3"),
                Reading(_same("RecBole"), "tail(by=items,share=0.1)@3"),
            ),
        ),
        ToolValues(
            Text("Who is served, and whether everybody sees the same", "谁得到了推荐，大家看到的是否一样"),
            Text(
                "Each of the four users has a list, three of them a full one. Personalization is the mean distance of two lists; pingce gives it exactly, without making the pairs.",
                "四个用户都有列表，其中三个是满的。个性化是两两列表距离的均值；pingce 给出精确值，而不必列出每一对。",
            ),
            (
                Reading(_same("RecTools"), "user_coverage@3"),
                Reading(
                    Text("RecTools (SufficientReco)", "RecTools（SufficientReco）"),
                    "user_coverage(of=run,at_least=k)@3",
                ),
                Reading(
                    Text("RecTools (SufficientReco, deep=True)", "RecTools（SufficientReco，deep=True）"),
                    "user_coverage(of=run,unit=places)@3",
                ),
                Reading(_same("PyG"), "personalization@3"),
                Reading(_same("Evidently"), "personalization(distance=full)@3"),
                Reading(_same("jurity"), "personalization(distance=cosine)@3"),
                Reading(_same("–"), "personalization(distance=jaccard)@3"),
            ),
        ),
    ),
    more=Text(
        "Pitfalls. Say k: coverage@10 and coverage@100 of the same lists are two numbers. Say what the catalogue is: items that could not be shown do not belong there, and "
        "items of train are not all items. Coverage counts an item that is shown once like one that everybody sees; look at Gini beside it. Random lists look "
        "best on nearly all of these: read them beside accuracy, never alone. `pingce report QRELS RUN … --train PAST --catalog ITEMS` draws them beside accuracy, and "
        "the diagnosis says them in words.",
        "常见陷阱。要写明 k：同样的列表，coverage@10 与 coverage@100 是两个数。要写明目录是什么：不可能展示的条目不应算入，训练集的条目也不是全部条目。"
        "覆盖率把只展示一次的条目与人人可见的条目同样计数，应与基尼系数一起看。随机列表在这些指标上几乎都最好：要与准确性一起看，不能单独看。"
        "`pingce report QRELS RUN … --train PAST --catalog ITEMS` 把它们与准确性画在一起，诊断会用文字说出来。",
    ),
)
