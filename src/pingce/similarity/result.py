"""What two runs have in common, query by query and on average."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from pingce import __version__
from pingce.base.exact import exact_sum
from pingce.base.json import Json
from pingce.base.lazy import pa
from pingce.base.notebook import SETTINGS, fold, folded_lines, folded_settings, notebook
from pingce.base.records import dataclass
from pingce.base.tables import Cell, Frames, Table, finite, html, html_lines, markdown, markdown_text, to_json
from pingce.base.text import Text, counted, headed
from pingce.evidence.soundness import id_array
from pingce.inputs.ids import IntIds, StringIds

SHOWN = 10
"Queries that changed most, where nobody says how many."
_NAMED = 3
"Queries of only one run that a sentence names."


@dataclass(frozen=True, eq=False)
class Similarity(Frames):
    """Two runs side by side: means over the queries that both answer, and the value of each of these."""

    names: tuple[str, str]
    queries: IntIds | StringIds
    "Those that both runs answer, in the order of their ids."
    columns: Mapping[str, NDArray[np.float64]]
    "The value of each query, by measure; NaN where a measure is undefined."
    alone: tuple[IntIds | StringIds, IntIds | StringIds]
    "Queries that only the first and only the second run answers."
    settings: Mapping[str, str | float]
    "How ties, repeated items and scores were taken, and the p of rank-biased overlap."
    notes: tuple[Text, ...] = ()
    "How the runs were read."

    @property
    def measures(self) -> list[str]:
        """Their names."""
        return list(self.columns)

    def __getitem__(self, measure: str) -> float:
        return self.means[measure]

    def __repr__(self) -> str:
        means = ", ".join(f"{measure}={value:.4f}" for measure, value in self.means.items())
        return f"Similarity({list(self.names)!r}, queries={len(self.queries)}, {means})"

    @property
    def means(self) -> dict[str, float]:
        """The mean of each measure over the queries for which it is defined."""
        return {measure: _mean(values) for measure, values in self.columns.items()}

    def worst(self, count: int = SHOWN) -> list[str] | list[int]:
        """The queries that changed most: by rank-biased overlap, the lowest first; equal ones by their ids."""
        return self.queries.take(self._worst(count)).to_list()

    def _worst(self, count: int) -> NDArray[np.int64]:
        values = self.columns["rbo"]
        return np.argsort(np.where(np.isnan(values), np.inf, values), kind="stable")[: max(count, 0)].astype(np.int64)

    @property
    def count_texts(self) -> list[Text]:
        """What the means stand on: queries of both runs, of only one, and where a measure is undefined."""
        texts = [
            Text(
                f"{counted(len(self.queries), 'query', 'queries')} in both runs", f"两边共有 {len(self.queries)} 个查询"
            )
        ]
        for name, ids in zip(self.names, self.alone, strict=True):
            if len(ids):
                few = ", ".join(map(str, ids.take(np.arange(min(len(ids), _NAMED))).to_list()))
                more = ", …" if len(ids) > _NAMED else ""
                number = counted(len(ids), "query", "queries")
                texts.append(
                    Text(
                        f"{number} only in {name}, not counted: {few}{more}",
                        f"{len(ids)} 个查询只在 {name} 中，不计入：{few}{more}",
                    )
                )
        for measure, values in self.columns.items():
            undefined = int(np.isnan(values).sum())
            if undefined:
                texts.append(
                    Text(
                        f"{measure}: undefined for {counted(undefined, 'query', 'queries')}, left out of the mean",
                        f"{measure}：{undefined} 个查询没有定义，不计入均值",
                    )
                )
        return texts

    def table(self) -> Table:
        """The means, one row per measure."""
        titles = [str(Text("measure", "度量")), str(Text("mean", "均值")), str(Text("queries", "查询数"))]
        rows: list[list[Cell]] = []
        for measure, mean in self.means.items():
            rows.append([measure, _cell(mean), int((~np.isnan(self.columns[measure])).sum())])
        return Table(titles, rows)

    def worst_table(self, count: int = SHOWN) -> Table:
        """The queries that changed most, with all measures."""
        return self._query_table(self._worst(count), str(Text("changed most", "变化最大的查询")))

    def query_table(self) -> Table:
        """Every query that both runs answer."""
        return self._query_table(np.arange(len(self.queries)), "query")

    def _query_table(self, places: NDArray[np.int64], title: str) -> Table:
        ids = self.queries.take(places).to_list()
        columns = [[_cell(float(value)) for value in values[places]] for values in self.columns.values()]
        rows: list[list[Cell]] = [[str(query), *cells] for query, *cells in zip(ids, *columns, strict=True)]
        return Table([title, *self.columns], rows)

    def data_table(self) -> Table:
        """The means, for programs."""
        return Table.of_rows([
            {"measure": measure, "mean": _cell(mean), "queries": int((~np.isnan(self.columns[measure])).sum())}
            for measure, mean in self.means.items()
        ])  # fmt: skip

    def to_dict(self, *, per_query: bool = False, worst: int = SHOWN) -> Json:
        """Plain Python, ready for JSON."""
        document: Json = {
            "pingce_version": __version__,
            "runs": list(self.names),
            "settings": dict(self.settings),
            "means": finite(self.means),
            "queries": len(self.queries),
            "only_first": len(self.alone[0]),
            "only_second": len(self.alone[1]),
            "undefined": {measure: int(np.isnan(values).sum()) for measure, values in self.columns.items()},
            "changed_most": self.worst(worst),
        }
        if per_query:
            columns = {measure: finite(values.tolist()) for measure, values in self.columns.items()}
            document["per_query"] = {"query": self.queries.to_list(), **columns}
        return document

    def to_json(self, *, per_query: bool = False, worst: int = SHOWN, indent: int | None = 2) -> str:
        """The result as JSON."""
        return to_json(self.to_dict(per_query=per_query, worst=worst), indent)

    def to_markdown(self, *, places: int = 4, worst: int = SHOWN) -> str:
        """The means, the queries that changed most, and what the means stand on."""
        tables = [markdown(self.table(), places), markdown(self.worst_table(worst), places)]
        return "\n\n".join([*tables, *(markdown_text(str(text)) for text in self.count_texts)])

    def to_arrow(self) -> pa.Table:
        """One row per query that both runs answer."""
        return pa.table(
            {"query": id_array(self.queries), **{name: pa.array(col) for name, col in self.columns.items()}}
        )

    def __str__(self) -> str:
        from pingce.base.tables import draw

        lines = [headed(" / ".join(self.names), "; ".join(str(text) for text in self.count_texts))]
        return "\n".join([draw(self.table(), 4, fancy=False), *lines])

    def _repr_html_(self) -> str:
        return notebook(
            html(self.table(), 4),
            html_lines([str(text) for text in self.count_texts]),
            fold(Text("queries that changed most", "变化最大的查询"), html(self.worst_table(), 4)),
            folded_settings(SETTINGS, self.settings),
            folded_lines(Text("how the runs were read", "读取方式"), self.notes),
        )


def _mean(values: NDArray[np.float64]) -> float:
    """The mean of the defined values, summed exactly."""
    defined = values[~np.isnan(values)]
    return float(exact_sum(defined) / len(defined)) if len(defined) else float("nan")


def _cell(value: float) -> float | None:
    return None if np.isnan(value) else value
