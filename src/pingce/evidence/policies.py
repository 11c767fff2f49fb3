"""What to do where data leaves a choice. Each policy is a parameter of the call, and is counted and printed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Final, Literal, TypeAlias, TypedDict

from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.policy_set import Number, PolicySet, policy

Relevant: TypeAlias = "float | str"
"The grade from which an item is relevant, or 'any': every judged item."

Missing: TypeAlias = Literal["zero", "skip", "error"]
Extra: TypeAlias = Literal["ignore", "error"]
Undefined: TypeAlias = Literal["skip", "zero", "one", "nan", "error"]
UndefinedClass: TypeAlias = Literal["zero", "skip", "one", "nan", "error"]
Ties: TypeAlias = Literal["id", "id_ascending", "order", "expected", "worst", "best"]
ScoreType: TypeAlias = Literal["given", "float32", "float64"]
Duplicates: TypeAlias = Literal["error", "first", "last", "best"]
Nan: TypeAlias = Literal["error", "last", "first", "drop"]
JudgedOnly: TypeAlias = Literal["no", "yes"]
Unjudged: TypeAlias = Literal["zero", "worst", "best"]
Judged: TypeAlias = Literal["truth", "list"]
Corrected: TypeAlias = Literal["none", "plug_in", "bias_variance"]
Identical: TypeAlias = Literal["keep", "drop"]
Summation: TypeAlias = Literal["exact", "sequential"]
Compare: TypeAlias = Literal["ge", "gt"]
ORDERS: Final = ("id", "id_ascending", "order")
"Values of `ties` that give each item of a list one rank."


class RankingKeywords(TypedDict, total=False):
    """The policies of rankings as keywords of calls, in the order of their signatures."""

    relevant: float | str | None
    missing: Missing | None
    extra: Extra | None
    undefined: Undefined | None
    ties: Ties | None
    score_type: ScoreType | None
    duplicates: Duplicates | None
    nan: Nan | None
    judged_only: bool | JudgedOnly | None
    unjudged: Unjudged | None
    identical: Identical | None
    summation: Summation | None
    judged: Judged | None
    corrected: Corrected | None


class BinaryKeywords(TypedDict, total=False):
    """The policies of labels and scores as keywords."""

    threshold: float | None
    compare: Compare | None
    undefined: Undefined | None


class MulticlassKeywords(TypedDict, total=False):
    """The policies of classes as keywords."""

    undefined: Undefined | None
    undefined_class: UndefinedClass | None


class RegressionKeywords(TypedDict, total=False):
    """The policies of numbers as keywords."""

    undefined: Undefined | None


_UNDEFINED = Text("A query for which a metric is undefined.", "指标没有定义的查询。")


def _undefined_value() -> Any:
    """The policy of a value that is not defined, for every task of rows."""
    return policy(
        "skip",
        _UNDEFINED,
        Text(
            "a value that is not defined, such as AUC with one class: by default NaN, `null` in JSON, – in tables, and counted",
            "没有定义的值，例如只有一个类别时的 AUC：默认为 NaN，JSON 中为 `null`，表格中为 –，并计数",
        ),
    )


@dataclass(frozen=True)
class Policies(PolicySet):
    """The policies of rankings."""

    task = "ranking"
    always = ("relevant", "ties", "missing", "undefined")
    short_names: ClassVar[Mapping[str, str]] = {"rel": "relevant"}
    unwritten = ("judged", "corrected")
    younger = ("unjudged",)
    keywords = RankingKeywords

    missing: Missing = policy(
        "zero",
        Text("A judged query the run does not answer.", "预测没有回答的已标注查询。"),
        Text("a judged query of which the run has no row", "预测中没有任何行的已标注查询"),
    )
    extra: Extra = policy("ignore", Text("A query of the run without judgements.", "没有标注的预测查询。"))
    undefined: Undefined = policy(
        "skip",
        _UNDEFINED,
        Text(
            "a query for which a metric is undefined, mostly one without relevant items",
            "指标没有定义的查询，多为没有相关条目者",
        ),
    )
    ties: Ties = policy(
        "id",
        Text("Equal scores in a list.", "列表中的同分条目。"),
        Text(
            "equal scores: by id descending (as trec_eval), ascending, as given, the mean over all orders, lowest or highest grade first",
            "同分：按编号降序（同 trec_eval）、升序、按给定顺序、对所有排列求均值、最低或最高等级在前",
        ),
    )
    score_type: ScoreType = policy(
        "given",
        Text("Scores are rounded to this type before ties are looked for.", "判断并列之前，先把分数取为该类型。"),
        Text(
            "scores are rounded to this type before ties are looked for; text is read as float64",
            "判断并列之前，先把分数取为该类型；文本按 float64 读取",
        ),
    )
    duplicates: Duplicates = policy(
        "error",
        Text("An item twice in one query.", "同一查询中重复的条目。"),
        Text(
            "an item twice in one query; `best` keeps the highest score or grade",
            "同一查询中重复的条目；`best` 保留最高分或最高等级",
        ),
    )
    nan: Nan = policy("error", Text("A score that is not a number.", "不是数字的分数。"))
    relevant: Relevant = policy(
        1,
        Text("Grade from which an item is relevant, or any.", "从该等级起算相关，或 any（凡标注皆相关）。"),
        Text(
            "the grade from which an item is relevant; `any`: every judged item", "从该等级起算相关；`any`：凡已标注者"
        ),
        number=Number(above=0, words=("any",)),
        letter="l",
    )
    judged_only: JudgedOnly = policy(
        "no", Text("Drop unjudged items first (trec_eval -J).", "先去掉未标注的条目（trec_eval -J）。"), letter="J"
    )
    unjudged: Unjudged = policy(
        "zero",
        Text(
            "Items of the list without a judgement: worst and best are the ends of what they leave open.",
            "列表中没有标注的条目：worst 与 best 是其留下的两个极端。",
        ),
        Text(
            "items of a list without a judgement have grade 0; `worst`: as judged and not relevant, `best`: as judged, with the "
            "largest grade of the truth",
            "列表中没有标注的条目按等级 0 计；`worst`：视为已标注而不相关，`best`：视为已标注，等级取真值中的最大值",
        ),
    )
    identical: Identical = policy(
        "keep", Text("An item whose id is that of its query (BEIR drops it).", "编号与查询相同的条目（BEIR 会去掉）。")
    )
    summation: Summation = policy(
        "exact",
        Text("How the mean over queries is summed.", "对查询求和的方式。"),
        Text(
            "how the mean over queries is summed; sequential in query order, as trec_eval",
            "对查询求和的方式；sequential 按查询顺序，同 trec_eval",
        ),
    )
    judged: Judged = policy(
        "truth",
        Text(
            "Which judgements count: all of the truth, or those of returned items.",
            "计入哪些标注：真值中的全部，或只计返回的条目。",
        ),
        Text(
            "which judgements count; `list`: only those of returned items, as in tools that know nothing but the list",
            "计入哪些标注；`list`：只计返回条目的标注，同只知道列表的工具",
        ),
    )
    corrected: Corrected = policy(
        "none",
        Text(
            "Lists of one relevant item among drawn ones: estimate values over the whole catalogue; needs --catalog.",
            "列表由一个相关条目与抽取的条目组成时，估计全目录上的数值；需要 --catalog。",
        ),
        Text(
            "lists are one relevant item and m drawn ones: estimate what a metric is over the whole catalogue, at the rank that is "
            "expected there (`plug_in`), or with the least bias and variance (`bias_variance`)",
            "列表由一个相关条目与 m 个抽取的条目组成：估计指标在全目录上的值，按全目录上的期望名次（`plug_in`），"
            "或取偏差与方差之和最小者（`bias_variance`）",
        ),
    )

    def __post_init__(self) -> None:
        object.__setattr__(self, "relevant", relevant_from(self.relevant))
        super().__post_init__()

    @property
    def row_policies(self) -> tuple[str, ...]:
        """Those that concern rows and change the evidence itself; all others only change how it is read."""
        return self.score_type, self.duplicates, self.nan, self.extra, self.identical


@dataclass(frozen=True)
class BinaryPolicies(PolicySet):
    """The policies of labels and scores: predicted positive if score ≥ threshold (`gt`: >)."""

    task = "binary"
    always = ("threshold", "compare", "undefined")
    keywords = BinaryKeywords
    places: ClassVar[Mapping[str, tuple[str, ...]]] = {"undefined": ("positive", "group_weight")}

    threshold: float = policy(
        0.5,
        Text("Predicted positive if score ≥ this.", "分数 ≥ 该值即预测为正。"),
        Text(
            "predicted positive from this score on; first rounded to the type of the scores",
            "从该分数起预测为正；先取为分数的类型",
        ),
        number=Number(),
        group="predictions",
    )
    compare: Compare = policy("ge", Text("≥ or > the threshold.", "与阈值比较用 ≥ 还是 >。"), group="predictions")
    undefined: Undefined = _undefined_value()

    def __post_init__(self) -> None:
        super().__post_init__()
        number = _number(self.threshold)
        if not abs(number) < math.inf:
            raise InputError(
                f"threshold={self.threshold!r}: it is the score from which a row is predicted positive, a number",
                f"threshold={self.threshold!r}：应为数字（分数从该值起预测为正）",
            )
        object.__setattr__(self, "threshold", number)


@dataclass(frozen=True)
class MulticlassPolicies(PolicySet):
    """The policies of classes: an undefined class counts 0 in an average, an undefined value is none."""

    task = "multiclass"
    always = ("undefined", "undefined_class")
    keywords = MulticlassKeywords
    follows: ClassVar[Mapping[str, str]] = {"undefined_class": "undefined"}

    undefined: Undefined = _undefined_value()
    undefined_class: UndefinedClass = policy(
        "zero",
        Text(
            "A class for which a metric is undefined, in an average over classes; by default as --undefined says, else zero.",
            "对各类求平均时，指标没有定义的类别；默认随 --undefined，否则为 zero。",
        ),
        Text(
            "a class for which a metric is undefined, in an average over classes", "对各类求平均时，指标没有定义的类别"
        ),
    )


@dataclass(frozen=True)
class RegressionPolicies(PolicySet):
    """The policies of numbers."""

    task = "regression"
    always = ("undefined",)
    keywords = RegressionKeywords

    undefined: Undefined = _undefined_value()


def _number(value: Any) -> float:
    """A number that a caller wrote; NaN for anything else."""
    try:
        return math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        return math.nan


def relevant_from(value: Any) -> Relevant:
    """The relevance threshold a caller wrote: a positive number or 'any'."""
    if value == "any":
        return "any"
    number = _number(value)
    if not 0 < number < math.inf:
        raise InputError(
            f"relevant={value!r}: it is the grade from which an item is relevant, a number above 0, or 'any' for every judged item",
            f"relevant={value!r}：应为大于 0 的数（从该等级起算相关），或 'any'（凡标注者皆相关）",
        )
    return int(number) if number.is_integer() else number
