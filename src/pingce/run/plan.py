"""Which columns are kept of whole queries, and what is counted of their lists."""

from __future__ import annotations

from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.evidence.items.counters import Counting
from pingce.evidence.policies import Policies
from pingce.metrics.grammar import MetricRequest
from pingce.metrics.ranking import RankingMetric
from pingce.metrics.ranking.items import ItemMetric
from pingce.run.states.ranking_pieces import Key
from pingce.run.view_policies import of_all, table_policies, with_ties

TIE_ENDS = ("worst", "best", "expected")


@dataclass(frozen=True)
class Plan:
    """Which columns are kept: `0` has the values of the first metric, `0.1` its second part, `0 worst` them under other ties."""

    metrics: tuple[MetricRequest, ...]
    policies: Policies
    keys: tuple[Key, ...]
    "Combinations of policies that concern rows."

    @cached_property
    def entries(self) -> list[tuple[RankingMetric, Policies]]:
        """Each metric once for each way in which it sees lists; that of unanswered queries is kept too."""
        both = ((metric.metric, of_all(metric.under(self.policies))) for metric in self.metrics)
        return [
            (metric, policies)
            for metric, policies in dict.fromkeys(both)
            if policies.ties != "expected" or metric.knows_expected()
        ]

    def names(self) -> dict[tuple[RankingMetric, Policies], str]:
        """The name of the column for a metric under policies."""
        names = {entry: str(place) for place, entry in enumerate(self.entries)}
        for place, (metric, policies) in enumerate(self.entries):
            for ties in ends_of(metric):
                names.setdefault((metric, with_ties(policies, ties)), f"{place} {ties}")
        return names

    def keyed(self) -> list[Policies]:
        """Policies of a metric for each of the combinations."""
        every = {
            policies.row_policies: policies for policies in (metric.under(self.policies) for metric in self.metrics)
        }
        return [every[key] for key in self.keys]

    @property
    def is_summable(self) -> bool:
        """Whether values may be added up in any order, where they are; who refuses queries names those of the whole."""
        each = (metric.under(self.policies) for metric in self.metrics)
        if self.of_items or any(metric.metric.level is not None for metric in self.metrics):
            return False
        return all(
            policies.summation == "exact" and "error" not in (policies.missing, policies.undefined) for policies in each
        )

    @property
    def of_items(self) -> bool:
        """Whether a metric looks at which items lists show: then lists without judgements have rows too."""
        return any(metric.metric.of_items for metric in self.metrics)

    @property
    def corrects(self) -> bool:
        """Whether a value is over a catalogue from which the items of lists were drawn, so that its size must be known."""
        return any(metric.under(self.policies).corrected != "none" for metric in self.metrics)

    @cached_property
    def displays(self) -> dict[tuple[Policies, str], Counting]:
        """The ways in which metrics look at items, by the policies and the scope of lists, and what is counted of each."""
        asked: dict[tuple[Policies, str], list[tuple[str, int | None]]] = {}
        for metric, policies in self.entries:
            if isinstance(metric, ItemMetric):
                asked.setdefault((policies, metric.scope), []).extend((kind, metric.k) for kind in metric.counters)
        return {key: Counting.of(each) for key, each in asked.items()}

    @property
    def cutoffs(self) -> tuple[int, ...]:
        """The k of all metrics."""
        return tuple(sorted({metric.metric.k for metric in self.metrics if metric.metric.k is not None}))

    @cached_property
    def table(self) -> Policies:
        """Policies of the per-query table."""
        return table_policies(self.metrics, self.policies)


def ends_of(metric: RankingMetric) -> tuple[str, ...]:
    """Orders of ties whose values are kept beside the one that counts."""
    if metric.counts or metric.of_items:
        return ()
    return TIE_ENDS if not metric.is_bounded_by_grades() and metric.knows_expected() else TIE_ENDS[:2]
