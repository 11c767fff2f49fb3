"""`pingce compare`: several runs or models on the same data, and which differences are real."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from pingce.base import tables as export
from pingce.base.errors import InputError
from pingce.base.latex import latex_document, latex_notes
from pingce.base.progress import part
from pingce.base.tables import Table
from pingce.base.text import Text, headed
from pingce.cli.jobs import reading_of
from pingce.cli.options import LISTS, are_rows, complete, refuse_out_of_place
from pingce.cli.output import Printout, Style, chosen_format, counts_of, tell, warning_line, write
from pingce.cli.progress import Progress, doing
from pingce.comparison.call import compare_scores, is_document, query_weights, refuse_saved_slices, restricted
from pingce.comparison.document import data_table, pair_table, unit_data_table
from pingce.comparison.result import Comparison
from pingce.comparison.settings import ComparisonSettings, chosen_baseline, named
from pingce.comparison.slices import is_sliced, slice_note, slice_reading_tables, slice_rows
from pingce.comparison.tables import compact, fitted, lines_below, unit_reading_table
from pingce.inputs.titles import plain_names, short_names
from pingce.request import Intervals
from pingce.scores import Scores
from pingce.scores.read import read_documents


def settings_of(options: Mapping[str, Any]) -> ComparisonSettings:
    """How models are compared; what makes no sense is refused before anything is read."""
    names = {"test": "test", "correction": "correction", "ci": "confidence", "samples": "samples", "seed": "seed"}
    return ComparisonSettings(**{names[name]: options[name] for name in names if options[name] is not None})


def compare(files: tuple[str, ...], **options: Any) -> Mapping[str, Scores]:
    """Read, score, compare, write; the scores of each run or model go back to the caller."""
    settings, saved = settings_of(options), all(map(is_document, files))
    chosen_format(options, "compare")
    # Intervals are those of differences.
    whole = complete(options) | {"files": files, "ci": None, "samples": None, "seed": None}
    rows = are_rows(options, "compare", alone=len(files) == 1 and not saved)
    refuse_out_of_place(options, "compare", rows=rows)
    if not rows:
        return _compare_runs(files, files if saved else files[1:], whole, settings)
    if options["pair"]:
        return _compare_pairs(files, whole, settings)
    from pingce.cli.prediction_jobs import open_predictions

    with open_predictions(files, whole | {"paired": True}) as job:
        chosen_baseline(options["baseline"], list(job.models))
        with part(0, 0.4):
            scores = job.scores()
        with part(0.4, 1):
            comparison = compare_scores(scores, baseline=options["baseline"], settings=settings, at=doing)
        _write(comparison, job.style, options, [*job.reading, *job.notes], job.warnings)
        return scores


def _compare_pairs(files: Sequence[str], options: dict[str, Any], settings: ComparisonSettings) -> Mapping[str, Scores]:
    """Several tasks (--pair) of a file per model, in one table: every p is corrected over all tasks and metrics."""
    from pingce.cli.prediction_jobs import open_predictions
    from pingce.comparison.joined import joined_comparisons

    if len(files) < 2:
        raise InputError(
            "--pair compares tasks of several models: give a file for each of them, with the same columns and rows",
            "--pair 比较多个模型的各任务：请为每个模型给出一个文件，列与行须一致",
        )
    names, comparisons = short_names(files), {}
    baseline = chosen_baseline(options["baseline"], list(names))
    for pair in dict.fromkeys(options["pair"]):
        with open_predictions(files, options | {"pair": (pair,), "paired": True}) as job:
            scores = dict(zip(names, job.scores().values(), strict=True))
            comparisons[pair] = compare_scores(scores, baseline=baseline, settings=settings, at=doing)
    _write(joined_comparisons(comparisons), job.style, options, [*job.notes], job.warnings)
    return {}


def _compare_runs(
    files: Sequence[str], runs: Sequence[str], options: dict[str, Any], settings: ComparisonSettings
) -> Mapping[str, Scores]:
    """Rankings: the first file is the truth, unless all are saved documents."""
    titles = zip(runs, plain_names(runs), strict=True)
    pairs = [(file, pair) for file, title in titles for pair in _named(file, title, options["metrics"])]
    models, renamed = named([pair for _, pair in pairs])
    of_baseline = [name for name, (file, _) in zip(models, pairs, strict=True) if file == options["baseline"]]
    if len(of_baseline) == 1:
        options["baseline"] = of_baseline[0]
    baseline = options["baseline"]
    chosen_baseline(baseline, list(models))
    if options["by"]:
        refuse_saved_slices(models)
    unscored = {name: model for name, model in models.items() if isinstance(model, str)}
    if not unscored:
        style = Style.of(options)
        with Progress(), part(0, 1):
            comparison = compare_scores(models, baseline=baseline, settings=settings, at=doing)
        _write(comparison, style, options, renamed)
        return {}
    from pingce.cli.rankings import open_runs

    slices = Intervals(settings.confidence, settings.draws, settings.seed)
    with open_runs((files[0], *unscored.values()), options, slices) as job:
        with part(0, 0.2):
            scores = dict(zip(unscored, job.scores().values(), strict=True))
        results: dict[str, Any] = {name: scores.get(name, model) for name, model in models.items()}
        weights = _weights(files[0], results, options) if options["query_weight"] else None
        with part(0.2, 1):
            comparison = compare_scores(results, baseline=baseline, settings=settings, weights=weights, at=doing)
        _write(comparison, job.style, options, renamed, job.warnings)
        return scores


def _named(file: str, name: str, metrics: Sequence[str]) -> list[tuple[str, Any]]:
    """A run by its short name, to be scored; or each run of a saved document, with the metrics that were named."""
    if not is_document(file):
        return [(name, file)]
    documents = [restricted(document, list(metrics) or None) for document in read_documents(file)]
    return [(each.run or name if len(documents) > 1 else name, each) for each in documents]


def _weights(qrels: str, models: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The weight of each query; the two small files are read once more."""
    weight = options["query_weight"]
    if "-" in (qrels, weight):
        raise InputError(
            "with --query-weight QRELS and weights must be files, not standard input",
            "使用 --query-weight 时，QRELS 与权重须为文件，不能是标准输入",
        )
    reading = reading_of(options, LISTS)
    return query_weights(reading.read(qrels, "truth"), models, reading.read(weight, "weights"))


def _write(
    comparison: Comparison, style: Style, options: Mapping[str, Any], notes: Sequence[Text], caught: Sequence[str] = ()
) -> None:
    """Results to stdout or a file, everything else to stderr."""
    text = _document(comparison, style, pairwise=options["pairwise"]).text(style)
    if not options["quiet"]:
        models = comparison.scores.values()
        of_models = [str(text) for scores in models for text in scores.warnings]
        lines = [*notes, *(note for scores in models for note in scores.notes)]
        lines += [note for scores in models if scores.slices is not None for note in scores.slices.notes]
        counts = [headed(name, counts_of(scores)) for name, scores in comparison.scores.items()]
        warnings = [*map(str, comparison.warnings), *(text for text in caught if text not in of_models)]
        tell(*lines, *counts, *map(warning_line, warnings))
    write(text, options["output"])


def _document(comparison: Comparison, style: Style, *, pairwise: bool) -> Printout:
    places, sliced, per_query = style.places, is_sliced(comparison), style.per_query
    first = [unit_reading_table(comparison)] if per_query else []
    last: list[Table] = [comparison.pairwise(metric) for metric in comparison.metrics] if pairwise else []
    last += [gap.table() for gap in comparison.gaps.values()]
    last += slice_reading_tables(comparison, places) if sliced else []
    narrow = style.fancy and style.out_format == "table" and not style.verbose
    room = shutil.get_terminal_size().columns if narrow else sys.maxsize

    def tables() -> list[Table]:
        return [*first, fitted(comparison.table(places=places, full=style.verbose), room), *last]

    def lines(full: bool) -> list[str]:
        notes = [str(slice_note(comparison))] if sliced else []
        return [*notes, *lines_below(comparison, full=full, warned=False)]

    def data() -> Table:
        if per_query:
            return unit_data_table(comparison)
        if pairwise:
            return pair_table(comparison)
        return Table.of_rows(slice_rows(comparison)) if sliced else data_table(comparison)

    def latex() -> str:
        blocks = [[export.latex(table, places) for table in part] for part in (first, last)]
        whole = compact(comparison, places)
        if style.verbose:
            whole = export.latex(comparison.table(places=places, full=True), places)
        return latex_document(*blocks[0], whole, *blocks[1], latex_notes(lines(True)))

    return Printout(tables, lines, data, {"json": lambda: comparison.to_json(per_query=per_query), "latex": latex})
