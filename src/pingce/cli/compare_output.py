"""What `pingce compare` does with runs and models that were read: compares them, and writes the result."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pingce.base import tables as export
from pingce.base.errors import InputError
from pingce.base.latex import latex_document, latex_notes
from pingce.base.tables import Table
from pingce.base.terminal import draw
from pingce.base.text import Text, headed
from pingce.cli.jobs import Job, reading_of
from pingce.cli.options import FORMATS, LISTS
from pingce.cli.output import Style, chosen_format, write
from pingce.cli.progress import doing
from pingce.comparison.call import is_document, query_weights, refuse_saved_slices, restricted
from pingce.comparison.latex import compact
from pingce.comparison.names import named
from pingce.comparison.result import Comparison
from pingce.comparison.scored import compare_scores
from pingce.comparison.settings import ComparisonSettings, chosen_baseline
from pingce.comparison.slices import is_sliced, slice_data_table, slice_note, slice_reading_tables
from pingce.comparison.tables import data_table, fitted, lines_below, pair_table
from pingce.comparison.units import unit_data_table, unit_reading_table
from pingce.inputs.titles import plain_names
from pingce.request import Intervals
from pingce.scores import Scores
from pingce.scores.read import read_documents


@dataclass(frozen=True)
class Comparing:
    """One call of the command."""

    settings: ComparisonSettings
    options: dict[str, Any]

    def __post_init__(self) -> None:
        """Refuse what cannot be written, before any work."""
        chosen_format(self.options["out_format"], self.options["output"], FORMATS["compare"])

    @staticmethod
    def saved(files: Sequence[str]) -> bool:
        """Whether all files are saved documents of scores."""
        return all(is_document(file) for file in files)

    def runs(self, files: Sequence[str]) -> Mapping[str, Scores]:
        """Rankings: the first file is the truth, unless all are saved documents."""
        from pingce.cli.present import style_of
        from pingce.cli.rankings import score_runs

        runs = files if self.saved(files) else files[1:]
        titles = zip(runs, plain_names(runs), strict=True)
        models, renamed = named([pair for file, title in titles for pair in self._named(file, title)])
        if self.options["baseline"] in runs:
            self.options["baseline"] = next(name for name in models if models[name] == self.options["baseline"])
        chosen_baseline(self.options["baseline"], list(models))
        if self.options["by"]:
            refuse_saved_slices(models)
        scored = [model for model in models.values() if isinstance(model, str)]
        if not scored:
            self.finish(models, style_of(self.options), renamed)
            return {}

        def present(job: Job, options: Mapping[str, Any], style: Style, caught: Sequence[Any], *notes: Text) -> Any:
            scores = iter(job.scores().values())
            results = {name: next(scores) if isinstance(model, str) else model for name, model in models.items()}
            weights = self._weights(files[0], results) if options["query_weight"] else None
            self.finish(results, style, (*notes, *renamed), caught, weights)
            return {name: results[name] for name in models if isinstance(models[name], str)}

        settings = self.settings
        resampling = Intervals(settings.confidence, settings.draws, settings.seed)
        done: Mapping[str, Scores] = score_runs((files[0], *scored), self.options, present, resampling)
        return done

    def _named(self, file: str, name: str) -> list[tuple[str, Any]]:
        """A run by its short name, to be scored; or each run of a saved document, with the metrics that were named."""
        if not is_document(file):
            return [(name, file)]
        metrics = list(self.options["metrics"]) or None
        documents = [restricted(document, metrics) for document in read_documents(file)]
        return [(each.run or name if len(documents) > 1 else name, each) for each in documents]

    def _weights(self, qrels: str, models: Mapping[str, Any]) -> dict[str, Any]:
        """The weight of each query; the two small files are read once more."""
        weight = self.options["query_weight"]
        if "-" in (qrels, weight):
            raise InputError(
                "with --query-weight QRELS and weights must be files, not standard input",
                "使用 --query-weight 时，QRELS 与权重须为文件，不能是标准输入",
            )
        reading = reading_of(self.options, LISTS)
        return query_weights(reading.read(qrels, "truth"), models, reading.read(weight, "weights"))

    def models(
        self, job: Job, options: Mapping[str, Any], style: Style, caught: Sequence[Any], *notes: Text
    ) -> Mapping[str, Scores]:
        """Predictions: score every model and compare."""
        chosen_baseline(options["baseline"], list(job.models))
        scores = job.scores()
        self.finish(scores, style, (*notes, *job.notes), caught)
        return scores

    def finish(
        self,
        models: Mapping[str, Any],
        style: Style,
        notes: Sequence[Text],
        caught: Sequence[Any] = (),
        weights: Mapping[str, Any] | None = None,
    ) -> None:
        """Compare and write: results to stdout or a file, everything else to stderr."""
        comparison = compare_scores(
            models, baseline=self.options["baseline"], settings=self.settings, weights=weights, at=doing
        )
        text = render(comparison, style, pairwise=self.options["pairwise"])
        if not self.options["quiet"]:
            _say(comparison, notes, [str(warning.message) for warning in caught])
        write(text, self.options["output"])


def _say(comparison: Comparison, notes: Sequence[Text], warned: Sequence[str]) -> None:
    from pingce.cli.notes import counted, tell, warning_line

    models = comparison.scores.values()
    of_models = [str(text) for scores in models for text in scores.warnings]
    lines = [*map(str, notes), *(str(note) for scores in models for note in scores.notes)]
    lines += [str(note) for scores in models if scores.slices is not None for note in scores.slices.notes]
    lines += [headed(name, counted(scores)) for name, scores in comparison.scores.items()]
    warnings = [*map(str, comparison.warnings), *(text for text in warned if text not in of_models)]
    tell(*lines, *map(warning_line, warnings))


def render(comparison: Comparison, style: Style, *, pairwise: bool) -> str:
    """The comparison in one of the formats."""
    places, sliced = style.places, is_sliced(comparison)
    first: list[Table] = [unit_reading_table(comparison)] if style.per_query else []
    matrices: list[Table] = [comparison.pairwise(metric) for metric in comparison.metrics] if pairwise else []
    matrices += slice_reading_tables(comparison, places) if sliced else []
    notes = [str(slice_note(comparison))] if sliced else []
    below = [*notes, *lines_below(comparison, full=style.verbose, warned=False)]

    def delimited(delimiter: str) -> str:
        table = _data(comparison, per_query=style.per_query, pairwise=pairwise)
        return export.delimited(table, delimiter, escape_formulas=style.escape_formulas, bom=style.bom)

    def drawings(draw_table: Callable[[Table], str]) -> list[str]:
        table = comparison.table(places=places, full=style.verbose)
        return [*map(draw_table, first), draw_table(fitted(table, room)), *map(draw_table, matrices)]

    fancy = style.terminal and sys.stdout.isatty()
    narrow = fancy and style.out_format == "table" and not style.verbose
    room = shutil.get_terminal_size().columns if narrow else sys.maxsize
    formats: dict[str, Callable[[], str]] = {
        "json": lambda: comparison.to_json(per_query=style.per_query),
        "csv": lambda: delimited(","),
        "tsv": lambda: delimited("\t"),
        "md": lambda: "\n\n".join(
            [*drawings(lambda table: export.markdown(table, places)), *map(export.markdown_text, below)]
        ),
        "latex": lambda: latex_document(
            *(export.latex(table, places) for table in first),
            export.latex(comparison.table(places=places, full=True), places)
            if style.verbose
            else compact(comparison, places),
            *(export.latex(table, places) for table in matrices),
            latex_notes([*notes, *lines_below(comparison, full=True, warned=False)]),
        ),
        "table": lambda: "\n\n".join([*drawings(lambda table: draw(table, places, fancy=fancy)), "\n".join(below)]),
    }
    return formats[style.out_format]()


def _data(comparison: Comparison, *, per_query: bool, pairwise: bool) -> Table:
    """The one table of a data format: single queries, pairs of models, slices, or models."""
    if per_query:
        return unit_data_table(comparison)
    if pairwise:
        return pair_table(comparison)
    return slice_data_table(comparison) if is_sliced(comparison) else data_table(comparison)
