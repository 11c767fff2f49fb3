"""Query weights: how much each query counts in a mean."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.evidence.ranking.facts import FactColumns
from pingce.evidence.ranking.overlap import match_queries
from pingce.inputs import Ids, Rows
from pingce.inputs.columns import ids_at


@dataclass(frozen=True)
class QueryWeights:
    """Weights by query id, as they were read; they are matched with queries by id, never by position."""

    rows: Rows
    untyped: bool = False
    "Whether the ids of the truth came from a text file."
    _matched: dict[Ids, NDArray[Any]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        value = self.rows.value
        bad = np.flatnonzero(~((value >= 0) & np.isfinite(value)))
        if len(bad):
            place, weight = self.rows.source.place(int(bad[0])), value[bad[0]]
            raise InputError(
                f"{place.en}: the weight is {weight:g}; weights must be numbers from 0 up",
                f"{place.zh}：权重为 {weight:g}；权重须为不小于 0 的数",
            )

    def of(self, queries: FactColumns) -> NDArray[np.float64]:
        """The weight of each query of the evidence; a query without one is refused."""
        place = self._places(queries)
        lacking = np.flatnonzero(place < 0)
        if len(lacking):
            examples = ", ".join(f"'{query}'" for query in queries.queries.take(lacking[:3]).to_list())
            name = self.rows.source.name
            raise InputError(
                f"{name.en}: {len(lacking)} judged queries have no weight ({examples}); give every query one, or 0",
                f"{name.zh}：有 {len(lacking)} 个已标注的查询没有权重（{examples}）；请为每个查询给出权重，可为 0",
            )
        weights: NDArray[np.float64] = self.rows.value[place]
        return weights

    def note(self, queries: FactColumns) -> Text:
        """What was done with the weights."""
        unused = len(self.rows) - int(np.count_nonzero(self._places(queries) >= 0))
        name = self.rows.source.name
        return Text(
            f"{name.en}: means over queries are weighted, counts are not; {unused} weights belong to no judged query",
            f"{name.zh}：对查询的均值已加权，计数不加权；{unused} 个权重不属于任何已标注的查询",
        )

    def _places(self, queries: FactColumns) -> NDArray[Any]:
        """The row of each query's weight, -1 where there is none; matched once for each set of queries."""
        if queries.queries not in self._matched:
            place, first = match_queries(self.rows, queries.queries, untyped=self.untyped)
            again = np.flatnonzero(first != np.arange(len(first)))
            if len(again):
                where, query = self.rows.source.place(int(again[0])), ids_at(self.rows.query, int(again[0]))
                raise InputError(
                    f"{where.en}: query '{query}' has a weight already; remove one",
                    f"{where.zh}：查询 '{query}' 已有权重；请删除其一",
                )
            self._matched[queries.queries] = place
        return self._matched[queries.queries]
