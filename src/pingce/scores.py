"""Values, what was counted on the way, and how each value was defined."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.diagnosis import data_warnings, first_relevant
from pingce.errors import InputError, did_you_mean
from pingce.language import Text

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa
    from numpy.typing import NDArray

    from pingce.evidence import Policies, RankingEvidence, RankingView
    from pingce.metrics import RankingMetric


@dataclass(frozen=True, eq=False)
class Value:
    """One metric on one run."""

    name: str
    "The spelling asked for."
    id: str
    "The canonical spelling."
    metric: RankingMetric
    policies: Policies
    value: float
    per_query: NDArray[np.float64]
    queries: int
    "How many queries the value is a mean (or sum) of."
    resolved: Mapping[str, Any]
    "Parameters that were taken from the data, such as the top grade."
    undefined: int
    "Queries for which the metric is undefined."
    weighted: bool
    "Whether query weights count in the value."
    spread: tuple[int, float, float] | None
    "Queries with ties that change the value; the value in the worst and in the best order of ties."

    def called(self, name: str, canonical: str) -> Value:
        """The same value under another spelling."""
        return replace(self, name=name, id=canonical)


class Scores(Mapping[str, float]):
    """The scores of one run: a mapping from each metric, as it was spelled, to its value.

    A look-up accepts any spelling of the same metric. `per_query` and `counts` say what the values stand on.
    """

    def __init__(
        self,
        values: Mapping[str, Value],
        evidence: RankingEvidence,
        policies: Policies,
        *,
        missing: int = 0,
        notes: tuple[Text, ...] = (),
        cautions: tuple[Text, ...] = (),
    ) -> None:
        self.values_by_name = dict(values)
        self.evidence = evidence
        self.policies = policies
        self.missing = missing
        self.notes = notes
        self._cautions = cautions

    def __getitem__(self, name: str) -> float:
        return self.find(name).value

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_by_name)

    def __len__(self) -> int:
        return len(self.values_by_name)

    def __contains__(self, name: object) -> bool:
        try:
            return isinstance(name, str) and bool(self.find(name))
        except KeyError:
            return False

    def __repr__(self) -> str:
        inside = ", ".join(f"{name!r}: {value!r}" for name, value in self.items())
        return f"Scores({{{inside}}})"

    def find(self, name: str) -> Value:
        """The value of a metric under any of its spellings."""
        if name in self.values_by_name:
            return self.values_by_name[name]
        from pingce.metrics import parse_metric

        try:
            wanted = parse_metric(name)
            same = [
                value
                for value in self.values_by_name.values()
                if value.metric == wanted.metric and value.policies == wanted.under(self.policies)
            ]
        except InputError:
            same = []
        if same:
            return same[0]
        hint = did_you_mean(str(name), self.values_by_name)
        raise KeyError(str(Text(f"'{name}' was not computed{hint.en}", f"没有计算 '{name}'{hint.zh}")))

    @cached_property
    def counts(self) -> dict[str, Any]:
        """What was counted: queries by fate, rows removed by policy, undefined values, ties that matter, unjudged shares."""
        evidence, tally = self.evidence, self.evidence.tally
        view = evidence.seen(relevant=self.policies.relevant)
        return {
            "scored": len(evidence),
            "missing": self.missing,
            "extra": tally.extra_queries,
            "without_relevant": int(np.count_nonzero(view.relevant_count == 0)),
            "run_rows": int(evidence.given.sum()) + tally.extra_rows,
            "duplicates": int(evidence.truth_repeats.sum() + evidence.run_repeats.sum()),
            "nan": int(evidence.nan_rows.sum()),
            "excluded": int(evidence.excluded.sum()),
            "queries": {name: value.queries for name, value in self.values_by_name.items()},
            "undefined": {name: value.undefined for name, value in self.values_by_name.items()},
            "ties": {
                name: {"queries": value.spread[0], "worst": value.spread[1], "best": value.spread[2]}
                for name, value in self.values_by_name.items()
                if value.spread
            },
            "unjudged": {f"@{k}": _unjudged_share(view, k) for k in self._cutoffs()},
        }

    def _cutoffs(self) -> list[int]:
        return sorted({value.metric.k for value in self.values_by_name.values() if value.metric.k is not None})

    @cached_property
    def warnings(self) -> tuple[Text, ...]:
        """Why these numbers may not mean what their reader thinks."""
        found = [*self._cautions, *data_warnings(self.evidence, self.policies)]
        tied = [value for value in self.values_by_name.values() if value.spread]
        if tied:
            most = max(tied, key=lambda value: abs(_spread(value)[2] - _spread(value)[1]))
            queries, worst, best = _spread(most)
            found.append(
                Text(
                    f"ties matter in {queries} queries: {most.name} lies between {worst:.6g} and {best:.6g} by their order "
                    f"(ties={most.policies.ties} gives {most.value:.6g})",
                    f"有 {queries} 个查询的并列会影响结果：{most.name} 随并列顺序在 {worst:.6g} 与 {best:.6g} 之间"
                    f"（ties={most.policies.ties} 得 {most.value:.6g}）",
                )
            )
        return tuple(found)

    @cached_property
    def diagnosis(self) -> dict[str, Any]:
        """Where the first relevant item stands, and in words which stage to work on."""
        return first_relevant(self.evidence.seen(ties=self._fixed_ties, relevant=self.policies.relevant))

    @property
    def _fixed_ties(self) -> str:
        return "id" if self.policies.ties == "expected" else self.policies.ties

    def signature(self, name: str) -> str:
        """The full definition of a value as one line: parameters, policies, version."""
        from pingce import __version__
        from pingce.metrics.parameters import shown

        value = self.find(name)
        metric = value.metric
        head = metric.name + (f"@{metric.k}" if metric.k is not None else "")
        parts = [(p.name, value.resolved.get(p.name, getattr(metric, p.name))) for p in metric.parameters()]
        parts += [(f.name, getattr(value.policies, f.name)) for f in dataclasses.fields(value.policies)]
        parts += [("exclude", "given")] if self.evidence.excluded.any() else []
        parts += [("query_weight", "given")] if value.weighted else []
        return "|".join(
            [head, *(f"{key}:{shown(part)}" for key, part in parts if part is not None), f"pingce:{__version__}"]
        )

    @property
    def queries(self) -> list[str] | list[int]:
        """The ids of the scored queries, sorted."""
        return self.evidence.queries.to_list()

    @cached_property
    def per_query(self) -> pa.Table:
        """An Arrow table: `query`, then one column a metric, null where undefined; sorted by query id."""
        import pyarrow as pa

        columns: dict[str, Any] = {"query": pa.array(self.queries)}
        for name, value in self.values_by_name.items():
            columns[name] = pa.array(value.per_query, mask=np.isnan(value.per_query))
        return pa.table(list(columns.values()), names=list(columns))

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """Everything as plain Python: the document that `to_json` writes."""
        from pingce.export import document

        return document(self, per_query=per_query)

    def to_json(self, *, per_query: bool = False, indent: int | None = 2) -> str:
        """A stable document: keys sorted, full precision, nothing of time, place or machine."""
        from pingce.export import to_json

        return to_json(self.to_dict(per_query=per_query), indent)

    def to_arrow(self) -> pa.Table:
        """One row a metric: name, id, value, queries, undefined."""
        import pyarrow as pa

        return pa.Table.from_pylist(self.rows(), schema=_schema())

    def to_pandas(self) -> pd.DataFrame:
        """The same as a pandas frame."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> pl.DataFrame:
        """The same as a polars frame."""
        import polars as pl

        return pl.DataFrame(self.to_arrow())

    def rows(self) -> list[dict[str, Any]]:
        """One dictionary a metric."""
        return [
            {
                "metric": value.name,
                "id": value.id,
                "value": None if math.isnan(value.value) else value.value,
                "queries": value.queries,
                "undefined": value.undefined,
            }
            for value in self.values_by_name.values()
        ]

    def to_csv(self, *, per_query: bool = False, escape_formulas: bool = False, bom: bool = False) -> str:
        """Comma-separated, full precision; for spreadsheets see `export.delimited`."""
        from pingce.export import data_table, delimited

        table = data_table({"": self}, per_query=per_query)
        return delimited(table, ",", escape_formulas=escape_formulas, bom=bom)

    def to_markdown(self, *, places: int = 4) -> str:
        """A Markdown table."""
        from pingce.export import markdown, reading_table

        return markdown(reading_table({"": self}), places)

    def to_latex(self, *, places: int = 4) -> str:
        """A LaTeX table (booktabs)."""
        from pingce.export import latex, reading_table

        return latex(reading_table({"": self}), places)

    def _repr_html_(self) -> str:
        from pingce.export import html, reading_table

        return html(reading_table({"": self}), 4)


def _unjudged_share(view: RankingView, k: int) -> float | None:
    """Of the items shown in the top k of all queries, the share without a judgement."""
    shown = int(view.depth(k).sum())
    judged = int(view.count((view.rank <= k) & (view.grade >= 0)).sum())
    return (shown - judged) / shown if shown else None


def _spread(value: Value) -> tuple[int, float, float]:
    return value.spread or (0, value.value, value.value)


def _schema() -> pa.Schema:
    import pyarrow as pa

    return pa.schema(
        [
            ("metric", pa.string()),
            ("id", pa.string()),
            ("value", pa.float64()),
            ("queries", pa.int64()),
            ("undefined", pa.int64()),
        ]
    )
