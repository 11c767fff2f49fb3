"""The scores of a ranking: means over queries, and what became of each query."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.json import Json
from pingce.base.lazy import cached_property, pa
from pingce.base.records import dataclass
from pingce.base.text import Text, counted
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.evidence import QUERY_COLUMNS, RankingEvidence
from pingce.evidence.ranking.fact_sums import Facts
from pingce.evidence.ranking.facts import FactColumns
from pingce.metrics.averages import Column, settled_weights
from pingce.metrics.readings import refuse_no_query_values
from pingce.scores.base import Scores
from pingce.scores.tables import arrow_table
from pingce.scores.values import Value
from pingce.tasks import TASKS


def refuse_single_queries() -> NoReturn:
    """Refuse what needs the value of each query where they were added up elsewhere."""
    raise InputError(
        "values were added up where the queries are, and those of each query stayed there",
        "数值已在查询所在之处合计，各查询的值未被收集",
    )


class TieSpread(NamedTuple):
    """Queries with ties that change a value, and the value in the worst and in the best order of grades."""

    queries: int
    worst: float
    best: float
    mean: float | None = None
    "Over all orders, where the two ends do not bound the value and a closed form is known."

    def told(self, *, bounded: bool) -> Text:
        """Where the value lies by the order of ties; without bounds only what is true."""
        low, high = sorted((self.worst, self.best))
        if bounded:
            return Text(
                f"lies between {low:.6g} and {high:.6g} by their order", f"随并列顺序在 {low:.6g} 与 {high:.6g} 之间"
            )
        mean = (
            Text("", "")
            if self.mean is None
            else Text(f", {self.mean:.6g} on average over all orders", f"，所有顺序平均为 {self.mean:.6g}")
        )
        return Text(
            f"is {self.worst:.6g} with the lowest grades first among equals and {self.best:.6g} with the highest first"
            f"{mean.en}; other orders may lie outside",
            f"在并列中低等级在前时为 {self.worst:.6g}，高等级在前时为 {self.best:.6g}{mean.zh}；其他顺序可能在此之外",
        )


@dataclass(frozen=True, eq=False)
class Held:
    """A column that is here, and travels with its value."""

    values: NDArray[np.float64]

    def __call__(self) -> NDArray[np.float64]:
        """The column itself."""
        return self.values


@dataclass(frozen=True, eq=False, kw_only=True)
class RankingValue(Value):
    """One metric on one run."""

    column: Callable[[], NDArray[np.float64]]
    "The value of each query of the per-query table, made or fetched when it is asked for."
    weighted: bool
    "Whether query weights count in the value."
    spread: TieSpread | None
    "What the order of ties does to the value; None where it does nothing."
    list_weights: NDArray[np.float64] | None = None
    "How much each query of that table counts in the value by the weights of its items, where these have a say; NaN: as others do on average."
    item_counts: Mapping[str, int] = field(default_factory=dict)
    "Places and items that a metric of items looked at, and items that its tables do not know."

    @cached_property
    def per_query(self) -> NDArray[np.float64]:
        """The value of each query; NaN where it is undefined."""
        return self.column()

    @property
    def is_weighted(self) -> bool:
        """Whether queries count differently in the value."""
        return self.weighted or self.list_weights is not None

    def weights_with(
        self, of_queries: NDArray[np.float64] | None, places: NDArray[Any] | None = None
    ) -> NDArray[np.float64] | None:
        """How much each query counts, or some of them, as if there were no others: by its own weight where that has a say, times that by items."""
        chosen: Any = slice(None) if places is None else places
        by_query = of_queries[chosen] if self.weighted and of_queries is not None else None
        if self.list_weights is None:
            return by_query
        by_items = settled_weights(self.list_weights[chosen])
        return by_items if by_query is None else by_items * by_query


class RankingScores(Scores):
    """The scores of one run; `per_query` has the value of each query."""

    task = "ranking"
    unit = "queries"
    per = "query"
    values_by_name: Mapping[str, RankingValue]
    excludes = False
    "Whether pairs to exclude were given; rows that `identical=drop` took out are not."
    rank_table: Callable[[], pa.Table] | None = None
    "Makes the table of ranks, where they were counted here and kept."
    scoring: Mapping[str, str] = MappingProxyType({})
    "How scores were computed, where that was done here: similarity, precision, candidates."

    weighs_items = False
    "Whether the truth says how much its items weigh."
    catalog_size: int | None = None
    "How many items could be shown, where values are corrected to them."

    def __init__(
        self,
        values: Mapping[str, RankingValue],
        facts: Facts,
        policies: Policies,
        *,
        missing: int = 0,
        cautions: tuple[Text, ...] = (),
        judged: Facts | None = None,
    ) -> None:
        super().__init__(values, policies, cautions=cautions)
        self.facts = facts
        self.judged = facts if judged is None else judged
        "The queries that metrics of relevance look at; metrics of items may look at other lists too."
        self.missing = missing

    @property
    def evidence(self) -> RankingEvidence:
        """The lists that values follow from; refused where nothing but the values of each query was kept."""
        evidence: RankingEvidence | None = getattr(self.facts, "evidence", None)
        if evidence is None:
            raise InputError(
                "rows came in parts, and of each query only its values were kept, not its list; what needs the lists needs all "
                'rows at once: leave memory= and split="never" out',
                '数据分批给出，每个查询只保留了各指标的值，没有保留列表；需要列表的功能须一次读入全部数据：请不要用 memory= 和 split="never"',
            )
        return evidence

    @cached_property
    def counts(self) -> Json:
        """What was counted: queries by fate, rows removed by policy, undefined values, ties that matter, unjudged shares."""
        facts, tally = self.judged, self.judged.tally
        sums = {name: facts.total(name) for name in QUERY_COLUMNS[2:]}
        by_name = {name: dict(value.item_counts) for name, value in self.values_by_name.items() if value.item_counts}
        cutoffs = sorted({value.metric.k for value in self.values_by_name.values() if value.metric.k is not None})
        return {
            "scored": len(facts),
            "missing": self.missing,
            "extra": tally.extra_queries,
            "without_relevant": facts.zeros("relevant") if self.has_truth else 0,
            "run_rows": sums["given"] + tally.extra_rows,
            "duplicates": sums["truth_repeats"] + sums["run_repeats"],
            "nan": sums["nan_rows"],
            "excluded": sums["excluded"],
            "queries": {name: value.count for name, value in self.values_by_name.items() if value.unit == "queries"},
            "undefined": self.undefined(),
            "ties": {
                name: {"queries": value.spread.queries, "worst": value.spread.worst, "best": value.spread.best}
                for name, value in self.values_by_name.items()
                if value.spread
            },
            "unjudged": {f"@{k}": _unjudged_share(facts, k) for k in cutoffs if self.has_truth},
            **({"lists": len(self.facts), "shown": by_name} if by_name else {}),
        }

    @property
    def has_truth(self) -> bool:
        """Whether any query is judged: metrics of items need no truth."""
        of_items = any(value.item_counts for value in self.values_by_name.values())
        return not of_items or bool(self.judged.total("judgements"))

    @classmethod
    def between(cls, models: Mapping[str, Scores]) -> list[Text]:
        """Where one model is more accurate and shows fewer items."""
        texts: list[Text] = TASKS[cls.task].load("diagnosis").between(models)
        return texts

    def count_texts(self) -> list[Text]:
        """Queries by fate, and what policies removed."""
        counts, policies = self.counts, self.policies
        if not self.has_truth:
            return [self._list_text(), *self._removed_texts(), *self.undefined_text()]
        measured = (value.metric for value in self.values_by_name.values() if not value.metric.is_reading)
        scopes = {metric.scope for metric in measured}
        missing = _unanswered_words(scopes, policies)
        extra = Text("for metrics of items only", "仅用于看条目的指标") if "all" in scopes else Text("ignored", "忽略")
        texts = [
            Text(f"{counted(counts['scored'], 'query', 'queries')} scored", f"已评测 {counts['scored']} 个查询"),
            Text(f"{counts['missing']} not answered ({missing.en})", f"{counts['missing']} 个未回答（{missing.zh}）"),
            Text(f"{counts['extra']} without judgements ({extra.en})", f"{counts['extra']} 个没有标注（{extra.zh}）"),
        ]
        if count := counts["without_relevant"]:
            texts.append(Text(f"{count} without relevant items", f"{count} 个没有相关条目"))
        return [*texts, *self._removed_texts(), *self.undefined_text()]

    def _list_text(self) -> Text:
        count = len(self.facts)
        return Text(f"{counted(count, 'list')} looked at, without a truth", f"查看了 {count} 个列表，没有真值")

    def _removed_texts(self) -> list[Text]:
        """What policies removed, and what tables of items do not know."""
        counts, policies, texts = self.counts, self.policies, list[Text]()
        if count := counts["excluded"]:
            texts.append(Text(f"{count} rows excluded", f"排除 {count} 行"))
        if count := counts["duplicates"]:
            policy = policies.duplicates
            texts.append(Text(f"{count} repeated rows removed ({policy})", f"去掉 {count} 行重复（{policy}）"))
        if count := counts["nan"]:
            texts.append(
                Text(f"{count} scores not a number ({policies.nan})", f"{count} 个分数不是数字（{policies.nan}）")
            )
        by_name = counts.get("shown", {}).values()
        if count := max((each.get("reference_removed", 0) for each in by_name), default=0):
            words, rules = counted(count, "row"), f"duplicates={policies.duplicates}, nan={policies.nan}"
            texts.append(
                Text(f"{words} of the reference taken out ({rules})", f"从参照预测中去掉 {count} 行（{rules}）")
            )
        if count := max((each.get("cold", 0) for each in by_name), default=0):
            texts.append(Text(f"{counted(count, 'item')} shown not in train", f"展示的条目中 {count} 个不在训练集中"))
        if count := max((each.get("unknown", 0) for each in by_name), default=0):
            words = counted(count, "item")
            en, zh = "shown that a table of items does not know", "个不在条目的表中"
            texts.append(Text(f"{words} {en}", f"展示的条目中 {count} {zh}"))
        return texts

    def signed(self, value: Any) -> list[tuple[str, str | None]]:
        """Whether pairs were excluded, or queries or items weighted; of how many items candidates were drawn; and how scores were computed."""
        excluded = self.excludes and self.counts["excluded"]
        size = None if value.policies.corrected == "none" else self.catalog_size
        return [
            ("exclude", "given" if excluded else None),
            ("query_weight", "given" if value.weighted else None),
            ("item_weight", "given" if self.weighs_items else None),
            ("catalog", None if size is None else str(size)),
            *self.scoring.items(),
        ]

    @cached_property
    def ranks(self) -> pa.Table:
        """An Arrow table of judged items: `query`, `item`, `grade`, and the `best` and `worst` rank, which differ where scores are equal."""
        if self.rank_table is None:
            raise InputError(
                "ranks of single items are kept by evaluate_factors, of up to 8,388,608 judged pairs; of a run explain shows those of a query",
                "只有 evaluate_factors 保留各条目的名次（至多 8,388,608 个已标注对）；对预测，explain 可显示某个查询的名次",
            )
        return self.rank_table()

    @property
    def queries(self) -> list[str] | list[int]:
        """The ids of the scored queries, sorted."""
        return self.facts.queries.to_list() if isinstance(self.facts, FactColumns) else refuse_single_queries()

    @cached_property
    def per_query(self) -> pa.Table:
        """An Arrow table: `query`, then one column a metric, null where undefined; sorted by query id."""
        columns = {name: value.per_query for name, value in self._measured()}
        return arrow_table({"query": self.queries, **columns})

    def unit_columns(self) -> dict[str, list[Any]]:
        """The value of each query."""
        columns: dict[str, list[Any]] = {"query": list(self.queries)}
        return columns | {name: value.per_query.tolist() for name, value in self._measured()}

    def _measured(self) -> list[tuple[str, RankingValue]]:
        """The values of metrics that queries have; what is read out of them is none."""
        return [(name, value) for name, value in self.values_by_name.items() if not value.metric.is_reading]

    def quantiles(self, name: str, levels: Sequence[float] = (0.1, 0.25, 0.5, 0.75, 0.9)) -> dict[float, float]:
        """The values of a metric that such shares of the queries do not exceed; 0.5 is the median.

        Queries without a value are left out, and all count alike: where they have weights, ask for `quantile(of=…,q=…)`.
        """
        value = self.find(name)
        if not value.metric.is_reading:
            refuse_no_query_values(value.metric, name)
        if value.is_weighted:
            raise InputError(
                f"{name}: queries are weighted; ask for the metric quantile(of={name},q=…), which knows the weights",
                f"{name}：查询有权重；请使用指标 quantile(of={name},q=…)，它会计入权重",
            )
        column = Column(value.per_query[~np.isnan(value.per_query)], value.policies)
        return {level: column.quantile(_level(level)) for level in levels}


def _level(level: float) -> float:
    if not isinstance(level, (int, float)) or not 0 < level < 1:
        raise InputError(
            f"{level!r} is no share of the queries; give numbers between 0 and 1 such as 0.5",
            f"{level!r} 不是查询的比例；请给出 0 与 1 之间的数，例如 0.5",
        )
    return float(level)


def _unanswered_words(scopes: Collection[str], policies: Policies) -> Text:
    """What becomes of judged queries without a list: metrics of items look at lists, and there is none."""
    scored = Text("scored 0", "记 0 分") if policies.missing == "zero" else Text("left out", "不计入")
    if policies.missing == "zero" and policies.judged == "list":  # of nothing returned nothing is judged
        choice = f"judged=list, undefined={policies.undefined}"
        scored = Text(f"without judgements: {choice}", f"没有标注：{choice}")
    words = [scored] if "truth" in scopes or not scopes else []
    if "all" in scopes and (not words or policies.missing == "zero"):
        words.append(
            Text("left out by metrics of items", "看条目的指标不计入") if words else Text("left out", "不计入")
        )
    if "judged" in scopes:
        words.append(Text("empty lists with lists=judged", "lists=judged 时视为空列表"))
    return Text("; ".join(each.en for each in words), "；".join(each.zh for each in words))


def _unjudged_share(facts: Facts, k: int) -> float | None:
    """Of the items shown in the top k of all queries, the share without a judgement."""
    returned, judged = (facts.total(f"{kind}@{k}") for kind in ("depth", "judged"))
    return (returned - judged) / returned if returned else None
