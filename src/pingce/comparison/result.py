"""The result of a comparison: values, differences, what is significant, and by which tests."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from pingce.base.errors import InputError, did_you_mean
from pingce.base.json import Json
from pingce.base.latex import latex_document, latex_notes
from pingce.base.lazy import cached_property, pa
from pingce.base.records import dataclass
from pingce.base.tables import Table, delimited, draw, latex, markdown, markdown_text, to_json
from pingce.base.text import Language, Text
from pingce.comparison import figures, summary, tables
from pingce.comparison.document import data_table, document, unit_data_table
from pingce.comparison.gap_results import ComparedGap
from pingce.comparison.results import Difference, MeasuredMetric
from pingce.comparison.settings import ComparisonSettings
from pingce.comparison.slices import slice_rows
from pingce.curves.compare import CurveComparison
from pingce.curves.values import plot_panels
from pingce.scores import Scores
from pingce.scores.saved import find_metric
from pingce.stats.paired import corrected

if TYPE_CHECKING:
    import os

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparison:
    """Several models by several metrics, each against the baseline and each against each."""

    task: str
    models: tuple[str, ...]
    baseline: str
    settings: ComparisonSettings
    measured: Mapping[str, MeasuredMetric]
    "By metric, as it was spelled."
    scores: Mapping[str, Scores] = field(default_factory=dict)
    "Of the models that were scored now, not read from a saved document."
    notes: tuple[Text, ...] = ()
    gaps: Mapping[str, ComparedGap] = field(default_factory=dict)
    "Gaps between groups, by their spelling: how models differ on each group."

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics, as they were spelled."""
        return tuple(self.measured)

    @property
    def others(self) -> tuple[str, ...]:
        """All models but the baseline."""
        return tuple(model for model in self.models if model != self.baseline)

    def __getitem__(self, metric: str) -> MeasuredMetric:
        """All that was found of a metric, under any of its spellings."""
        measured = find_metric(metric, self.measured, self.task)
        if measured is None:
            hint = did_you_mean(str(metric), self.measured)
            raise KeyError(str(Text(f"'{metric}' was not compared{hint.en}", f"没有比较 '{metric}'{hint.zh}")))
        return measured

    def value(self, metric: str, model: str) -> float:
        """The value of a model."""
        return self[metric].values[self._place(model)]

    def interval(self, metric: str, model: str) -> tuple[float, float]:
        """Its confidence interval; NaN where there is none."""
        return self[metric].intervals[self._place(model)]

    def difference(self, metric: str, model: str, against: str | None = None) -> Difference:
        """A model against the baseline, corrected over all comparisons with it; or against another, over all pairs."""
        name, family = self[metric].name, self._with_baseline if against is None else self._pairwise
        other = self.baseline if against is None else against
        if self._place(other) == self._place(model):
            raise InputError(
                f"'{model}' cannot be compared with itself; name two models",
                f"'{model}' 不能与自身比较；请给出两个模型",
            )
        gap = self[metric].difference(model, other)
        corrected = family.get((name, model, other), family.get((name, other, model), math.nan))
        return replace(gap, corrected=corrected, chance=self[metric].metric.chance)

    def _place(self, model: str) -> int:
        if model not in self.models:
            hint = did_you_mean(str(model), self.models)
            raise InputError(f"there is no model '{model}'{hint.en}", f"没有模型 '{model}'{hint.zh}")
        return self.models.index(model)

    @cached_property
    def _with_baseline(self) -> dict[tuple[str, str, str], float]:
        """Corrected p of what the table shows: every metric of every model against the baseline."""
        return self._corrected([(name, model, self.baseline) for name in self.metrics for model in self.others])

    @cached_property
    def _pairwise(self) -> dict[tuple[str, str, str], float]:
        """Corrected p of each two models by every metric: letters and matrices."""
        return self._corrected([(name, *pair) for name, metric in self.measured.items() for pair in metric.differences])

    def _corrected(
        self, family: list[tuple[str, str, str]], correction: str | None = None
    ) -> dict[tuple[str, str, str], float]:
        p = [self.measured[name].difference(model, against).p for name, model, against in family]
        return dict(zip(family, corrected(p, correction or self.settings.correction), strict=True))

    def letter(self, model: str) -> str:
        """The letter of a model: a, b … z, aa, ab …"""
        at, letters = self._place(model) + 1, ""
        while at:
            at, last = divmod(at - 1, len(_LETTERS))
            letters = _LETTERS[last] + letters
        return letters

    def beaten(self, metric: str, model: str) -> list[str]:
        """The models that a model is significantly better than, corrected over all pairs and metrics."""
        measured, place = self[metric], self._place(model)
        rivals = [other for at, other in enumerate(self.models) if at != place and measured.better(model, other)]
        return [other for other in rivals if self.difference(metric, model, other).corrected <= self.settings.alpha]

    def letters(self, metric: str, model: str) -> str:
        """The letters of those models; with a comma where letters are two."""
        beaten = [self.letter(other) for other in self.beaten(metric, model)]
        return ("," if len(self.models) > len(_LETTERS) else "").join(beaten)

    def best(self, metric: str) -> list[str]:
        """The models with the best value."""
        return self[metric].best()

    def signature(self, metric: str, model: str | None = None) -> str:
        """The full definition of a value as one line; of the baseline's, unless another model is named."""
        return self[metric].signatures[self._place(model or self.baseline)]

    @cached_property
    def how(self) -> tuple[Text, ...]:
        """Which tests, corrected over what, with which seed, and what p, intervals and letters mean."""
        return summary.how(self)

    @cached_property
    def warnings(self) -> tuple[Text, ...]:
        """Why these numbers may not mean what their reader thinks."""
        return summary.warnings(self)

    @cached_property
    def curves(self) -> tuple[CurveComparison, ...]:
        """Curves of labels and scores: whether one ROC or PR curve is nowhere below the baseline's, or where they cross."""
        return summary.curves(self)

    def pairwise(self, metric: str, *, correction: str | None = None) -> Table:
        """A matrix of p, each model against each, corrected over all pairs and metrics (`correction="none"`: as it is)."""
        family = self._pairwise if correction is None else self._corrected(list(self._pairwise), correction)
        return tables.pairwise(self, self[metric].name, family)

    def per_query(self, metric: str) -> pa.Table:
        """An Arrow table: the id of each query (or group), then its value under each model; null where undefined."""
        return tables.per_unit(self, self[metric])

    def differences(self, metric: str) -> pa.Table:
        """An Arrow table of differences to the baseline, a column for each other model."""
        return tables.per_unit(self, self[metric], less=self.baseline)

    def slices(self) -> pa.Table:
        """An Arrow table: every metric of every model on every slice (`by=`), with its difference to the baseline there."""
        kinds = {name: pa.string() for name in ("by", "slice", "metric", "model")} | {"n": pa.int64()}
        rows = slice_rows(self)
        return pa.Table.from_pylist(rows, schema=pa.schema([(name, kinds.get(name, pa.float64())) for name in rows[0]]))

    def table(self, *, places: int = 4, full: bool = False) -> Table:
        """For readers: one row per metric and model; `full` adds p as it is, pairs, effect size, detectable difference."""
        return tables.reading_table(self, places, full=full)

    def to_dict(self, *, per_query: bool = False) -> Json:
        """Everything as plain Python: the document that `to_json` writes."""
        return document(self, per_query=per_query)

    def to_json(self, *, per_query: bool = False, indent: int | None = 2) -> str:
        """A stable document: keys sorted, full precision, nothing of time, place or machine."""
        return to_json(self.to_dict(per_query=per_query), indent)

    def to_csv(self, *, per_query: bool = False, escape_formulas: bool = False, bom: bool = False) -> str:
        """Comma-separated, full precision, English titles: one row per metric and model; `per_query`: and query or group."""
        table = unit_data_table(self) if per_query else data_table(self)
        return delimited(table, ",", escape_formulas=escape_formulas, bom=bom)

    def to_markdown(self, *, places: int = 4) -> str:
        """A Markdown table, and below it how it was found."""
        return "\n\n".join([markdown(self.table(places=places), places), *map(markdown_text, tables.lines_below(self))])

    def to_latex(self, *, places: int = 4, full: bool = False) -> str:
        """A LaTeX table (booktabs) as papers have it: a row per model, a column per metric, letters raised; `full`: all columns."""
        table = latex(self.table(places=places, full=True), places) if full else tables.compact(self, places)
        return latex_document(table, latex_notes(tables.lines_below(self, full=True)))

    def plot(
        self,
        metrics: str | Sequence[str] | None = None,
        *,
        kind: str = "differences",
        ax: Axes | None = None,
        path: str | os.PathLike[str] | None = None,
        language: Language | None = None,
    ) -> Figure:
        """Draw the difference of each model to the baseline with its interval, an axis per metric; hollow dots are not significant.

        `kind="values"` draws the values of all models. `ax` takes one metric; `path` (.png or .svg) also saves the figure.
        """
        names = [metrics] if isinstance(metrics, str) else self.metrics if metrics is None else list(metrics)
        panels = figures.panels(self, [self[name].name for name in names], kind)
        return plot_panels(panels, ax=ax, path=path, language=language)

    def _repr_html_(self) -> str:
        return tables.notebook_page(self)

    def __str__(self) -> str:
        return "\n\n".join([draw(self.table(), 4, fancy=False), "\n".join(tables.lines_below(self))])

    def __repr__(self) -> str:
        return f"Comparison(models={list(self.models)!r}, metrics={list(self.metrics)!r}, baseline={self.baseline!r})"
