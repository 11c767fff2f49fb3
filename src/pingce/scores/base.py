"""Values, what was counted on the way, and how each value was defined."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from pingce.base import notebook as pages
from pingce.base import tables as formats
from pingce.base.errors import InputError, did_you_mean, one_line
from pingce.base.interval import Interval
from pingce.base.json import Json
from pingce.base.latex import latex_document, latex_notes
from pingce.base.lazy import cached_property, pa
from pingce.base.tables import Frames, Table, finite
from pingce.base.text import Language, Text
from pingce.scores.gaps import GapReading
from pingce.scores.slices import Slices
from pingce.scores.tables import count_line, data_table, definitions, document, reading_table
from pingce.scores.tracking import Tracked
from pingce.scores.values import Value, ends
from pingce.tasks import TASKS

if TYPE_CHECKING:
    import os

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class Scores(Mapping[str, float], Frames, Tracked):
    """The scores of one run or model: a mapping from each metric, as it was spelled, to its value.

    A look-up accepts any spelling of the same metric. `counts` says what the values stand on.
    """

    task: ClassVar[str]
    unit: ClassVar[str] = "rows"
    "What most values stand on."
    per: ClassVar[str] = ""
    "Of what there is a table besides: queries, groups or classes."
    slices: Slices | None = None
    "The same metrics for parts of the data, where `by=` asked for them."
    gaps: Mapping[str, GapReading] = MappingProxyType({})
    "What gaps between slices were read from, by the spelling asked for."
    slice_draws: Callable[..., Any] | None = None
    "Where there are gaps: what draws the rows or queries of a slice again and again (`slices.gaps.Draws`)."

    def __init__(
        self,
        values: Mapping[str, Value],
        policies: Any,
        *,
        notes: tuple[Text, ...] = (),
        cautions: tuple[Text, ...] = (),
        confidence: float | None = None,
    ) -> None:
        self.values_by_name: Mapping[str, Value] = dict(values)
        self.policies = policies
        self.notes = notes
        self.confidence = confidence
        self.cautions = cautions
        "What was seen while the data was read or measured; the diagnosis adds to it."

    @property
    def bins(self) -> int | None:
        """How many bins scores were put into; None where every score is its own."""
        return None

    def __getitem__(self, name: str) -> float:
        value: float = self.find(name).value
        return value

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

    def __str__(self) -> str:
        """What `print` shows: the table, what the values stand on, what to beware of, and the definitions."""
        lines = [*map(str, [count_line(self), *self.notes]), *self._beware(), *definitions({"": self})]
        table = formats.draw(reading_table({"": self}), 4, fancy=False)
        return "\n\n".join([table, "\n".join(map(one_line, lines))])

    def _beware(self) -> list[str]:
        return [str(Text(f"warning: {text.en}", f"注意：{text.zh}")) for text in self.warnings]

    def find(self, name: str) -> Any:
        """The value of a metric under any of its spellings."""
        if name in self.values_by_name:
            return self.values_by_name[name]
        from pingce.metrics.grammar import parse_metric

        try:
            wanted = parse_metric(name, task=self.task)
            for value in self.values_by_name.values():
                if value.metric == wanted.metric and value.policies == wanted.under(self.policies):
                    return value
        except InputError:
            pass
        hint = did_you_mean(str(name), self.values_by_name)
        raise KeyError(str(Text(f"'{name}' was not computed{hint.en}", f"没有计算 '{name}'{hint.zh}")))

    @property
    @abstractmethod
    def counts(self) -> Json:
        """What was counted on the way."""

    @abstractmethod
    def count_texts(self) -> list[Text]:
        """What the values stand on, in words."""

    def undefined(self) -> dict[str, int]:
        """Of each metric, the units for which it is undefined."""
        return {name: value.undefined for name, value in self.values_by_name.items()}

    def undefined_text(self) -> list[Text]:
        """Which values over all rows are undefined, and what stands for them."""
        names = ", ".join(
            name for name, value in self.values_by_name.items() if value.undefined and value.unit == "rows"
        )
        policy = self.policies.undefined
        return [Text(f"undefined: {names} ({policy})", f"没有定义：{names}（{policy}）")] if names else []

    @cached_property
    def warnings(self) -> tuple[Text, ...]:
        """Why these numbers may not mean what their reader thinks."""
        return (*self.cautions, *TASKS[self.task].load("diagnosis").cautions(self))

    @cached_property
    def diagnosis(self) -> Json:
        """What the numbers say, in words, and the figures that this stands on.

        `text` prints in the language in force, and has both under "en" and "zh".
        """
        figures: Json = TASKS[self.task].load("diagnosis").read(self)
        return figures

    @classmethod
    def between(cls, models: Mapping[str, Scores]) -> list[Text]:
        """What shows only between models of this task."""
        return []

    def interval(self, name: str) -> Interval | None:
        """The confidence interval of a value, where one was asked for."""
        interval: Interval | None = self.find(name).interval
        return interval

    def signature(self, name: str) -> str:
        """The full definition of a value as one line: parameters, policies, version. `from_signature` reads it back."""
        from pingce.scores.signature import written

        value = self.find(name)
        return written(value, self.signed(value))

    def differences(self, name: str) -> str:
        """The parts of a signature that are not at pingce's default; empty where all are."""
        from pingce.scores.signature import differences

        value = self.find(name)
        return differences(value, self.signed(value))

    @abstractmethod
    def signed(self, value: Any) -> list[tuple[str, str | None]]:
        """What a signature says of the data besides: what was given with the predictions; None is not said."""

    def unit_columns(self) -> dict[str, list[Any]]:
        """The table of queries, groups or classes, if there is one: ids first, then a column a number."""
        return {}

    def more_tables(self) -> list[Table]:
        """Tables for readers besides that of the values."""
        return []

    def to_dict(self, *, per_query: bool = False) -> Json:
        """Everything as plain Python: the document that `to_json` writes."""
        return document(self, per_query=per_query)

    def to_json(self, *, per_query: bool = False, indent: int | None = 2) -> str:
        """A stable document: keys sorted, full precision, nothing of time, place or machine."""
        return formats.to_json(self.to_dict(per_query=per_query), indent)

    def to_arrow(self) -> pa.Table:
        """One row a metric: name, id, value, what it stands on, undefined; its interval where one was asked for."""
        kinds = dict.fromkeys(("metric", "id", "unit", "method"), pa.string())
        kinds |= dict.fromkeys(("value", "low", "high", "bound"), pa.float64())
        rows = self.rows()
        schema = pa.schema([(name, kinds.get(name, pa.int64())) for name in rows[0]])
        return pa.Table.from_pylist(rows, schema=schema)

    def rows(self) -> list[Json]:
        """One dictionary a metric."""
        rows = []
        for value in self.values_by_name.values():
            row: Json = {"metric": value.name, "id": value.id, "value": finite(value.value)}
            if self.confidence is not None:
                row |= ends(value.interval) | {"method": value.method}
            if self.bins is not None:
                row |= {"bound": value.bound, "bins": None if value.bound is None else self.bins}
            row |= {"queries": value.count} if self.unit == "queries" else {"count": value.count, "unit": value.unit}
            rows.append(row | {"undefined": value.undefined})
        return rows

    def to_csv(self, *, per_query: bool = False, escape_formulas: bool = False, bom: bool = False) -> str:
        """Comma-separated, full precision; for spreadsheets see `export.delimited`."""
        table = data_table({"": self}, per_query=per_query)
        return formats.delimited(table, ",", escape_formulas=escape_formulas, bom=bom)

    def to_markdown(self, *, places: int = 4) -> str:
        """A Markdown table, with the definitions that are not the default below it."""
        return "\n\n".join(
            [formats.markdown(reading_table({"": self}), places), *map(formats.markdown_text, definitions({"": self}))]
        )

    def to_latex(self, *, places: int = 4) -> str:
        """A LaTeX table, with the definitions as a footnote, below a comment that says which packages it needs."""
        return latex_document(
            formats.latex(reading_table({"": self}), places), latex_notes(definitions({"": self}, full=True))
        )

    def plot(
        self,
        metrics: str | Sequence[str] | None = None,
        *,
        ax: Axes | None = None,
        path: str | os.PathLike[str] | None = None,
        language: Language | None = None,
    ) -> Figure:
        """Draw values as dots with their intervals (`ci=`), into `ax` or a new figure; `path` (.png or .svg) also saves it.

        Values between 0 and 1 share an axis, each of the others has its own.
        """
        names = [metrics] if isinstance(metrics, str) else list(self) if metrics is None else list(metrics)
        figure: Figure = TASKS[self.task].load("figure")(
            {name: self.find(name) for name in names}, self.confidence, ax=ax, path=path, language=language
        )
        return figure

    def _repr_html_(self) -> str:
        """The table and what to beware of; behind folds what the values stand on, slices, definitions and policies."""
        declared = self.policies.declarations()
        return pages.notebook(
            pages.long_table(reading_table({"": self}), 4),
            formats.html_lines(self._beware()),
            pages.folded_lines(pages.STANDS_ON, [*self.count_texts(), *self.notes]),
            "" if self.slices is None else pages.fold(Text("slices", "切片"), self.slices._repr_html_()),
            pages.folded_lines(pages.DEFINITIONS, definitions({"": self}, full=True)),
            pages.folded_settings(
                pages.POLICIES,
                {name: getattr(self.policies, name) for name in declared},
                {name: policy.meaning for name, policy in declared.items()},
            ),
        )


class RowScores(Scores):
    """The scores of one model, from the evidence of its rows."""

    def __init__(
        self, values: Mapping[str, Value], evidence: Any, policies: Any, *, confidence: float | None = None
    ) -> None:
        super().__init__(values, policies, notes=evidence.notes, confidence=confidence)
        self.evidence = evidence

    @property
    def paired_data(self) -> Any:
        """What intervals and paired tests read: the evidence with its rows."""
        return self.evidence

    @staticmethod
    @abstractmethod
    def signed_facts(evidence: Any) -> dict[str, str | None]:
        """What signatures say of the data behind evidence, by name; None for what it does not have."""

    def signed(self, value: Any) -> list[tuple[str, str | None]]:
        """What a signature says of the data besides."""
        return list(self.signed_facts(self.evidence).items())

    def _metric_with(self, name: str, trait: object) -> Any:
        """The first metric that has this trait; None where none has."""
        metrics = (value.metric for value in self.values_by_name.values())
        return next((metric for metric in metrics if getattr(metric, name) == trait), None)

    def weight_text(self) -> list[Text]:
        """The total weight, where rows have weights."""
        weight = self.counts["weight"]
        return [] if weight is None else [Text(f"total weight {weight:g}", f"总权重 {weight:g}")]
