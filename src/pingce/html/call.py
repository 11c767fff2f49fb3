"""`pingce.report`: read, score, compare, and write the page."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pingce.base.errors import InputError, PingceWarning, did_you_mean
from pingce.base.text import LANGUAGES, Language, Text
from pingce.html.material import Material, RankingLists
from pingce.tasks import TASKS
from pingce.tasks.options import no_option_here, refuse_options

if TYPE_CHECKING:
    from pingce.comparison.settings import ComparisonSettings
    from pingce.request import Request
    from pingce.run.data import RankingData
    from pingce.scores import Scores

_READING = ("columns", "input_format", "encoding", "threads", "queries", "items")
_OF_SIDES = ("exclude", "query_weight")


def report(
    truth: Any,
    models: Any,
    metrics: Iterable[Any] | str | None = None,
    *,
    task: str = "ranking",
    path: str | os.PathLike[str] = "report.html",
    title: str | None = None,
    lang: Language | None = None,
    baseline: str | None = None,
    test: str = "permutation",
    correction: str = "holm",
    confidence: float = 0.95,
    samples: int | None = None,
    seed: int = 0,
    by: Any = None,
    min_n: int = 20,
    **options: Any,
) -> Path:
    """Write one HTML file about one or several models: interactive, offline, at most 1 MB; its path comes back.

    `models` are runs or predictions by name, {"bm25": run, "dense": other}, a list of paths or of pairs (name, model), or a
    single one. With `task="binary"`,
    "multiclass" or "regression" they are scores, classes or numbers, or with `data=` names of its columns. `baseline`,
    `test`, `correction`, `confidence`, `samples` and `seed` are those of `compare`; `by` and `min_n` add slices; the other
    keywords are those of the task's evaluate call; for predictions `ci=0.95` also gives slices intervals, which take
    longer; but files of more than `memory` are refused, since all rows are read at once. The page is in both languages; `lang` is the one it opens in.

    >>> import pingce as pc, tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "report.html")
    >>> pc.report({"q": {"a": 1}}, {"one": {"q": ["a", "b"]}}, ["mrr"], path=path).name
    'report.html'
    """
    from pingce.comparison.settings import ComparisonSettings
    from pingce.html.write import report_path, write_report
    from pingce.run.memory import refuse_larger

    _check(task, lang)
    _refuse_unfit(task, options)
    files = (
        models.values() if isinstance(models, Mapping) else models if isinstance(models, (list, tuple)) else [models]
    )
    refuse_larger(options.pop("memory", None), (truth, *files, options.get("data")), "report")
    output = report_path(path)
    settings = ComparisonSettings(test, correction, confidence, samples, seed)
    of_rows = TASKS[task].of_rows
    by_name, notes = named(models, columns=of_rows, labels=of_rows and options.get("data") is None)
    read = _predictions if of_rows else _lists
    with quietly():
        material = read(ReportInputs(task, truth, by_name, metrics, settings, {"by": by, "min_n": min_n, **options}))
        material = replace(material, remarks=notes)
        return write_report(compared(material, baseline, settings, title), output, lang=lang)


@contextmanager
def quietly() -> Iterator[None]:
    """Warnings are not sent: the page says them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PingceWarning)
        yield


@dataclass(frozen=True)
class ReportInputs:
    """What a report is asked about: data, metrics, how models are compared, and the keywords of the evaluate call."""

    task: str
    truth: Any
    models: Mapping[str, Any]
    metrics: Any
    settings: ComparisonSettings
    keywords: Mapping[str, Any]


def slice_draws(settings: ComparisonSettings) -> dict[str, Any]:
    """How intervals of means over queries are made."""
    return {"confidence": settings.confidence, "samples": settings.draws, "seed": settings.seed}


def _check(task: str, lang: str | None) -> None:
    for name, value, choices in (("task", task, TASKS), ("lang", lang, (*LANGUAGES, None))):
        if value not in choices:
            words = [choice for choice in choices if choice is not None]
            hint = did_you_mean(str(value), words)
            raise InputError(
                f"{name}={value!r}: choose one of {', '.join(words)}{hint.en}",
                f"{name}={value!r}：可选 {'、'.join(words)}{hint.zh}",
            )


def named(models: Any, *, columns: bool = False, labels: bool = False) -> tuple[dict[str, Any], tuple[Text, ...]]:
    """Models by name, and what was renamed; a single one without a name is called by its file, or `model`."""
    if isinstance(models, Mapping) and not models:
        raise InputError("there is no model to report on", "没有可写入报告的模型")
    if isinstance(models, Mapping) or _are_several(models, labels):
        from pingce.comparison.names import named as each_named

        return each_named(models, columns=columns)
    if isinstance(models, (str, os.PathLike)):
        from pingce.inputs.titles import short_names

        return {short_names([os.fspath(models)])[0]: models}, ()
    return {"model": models}, ()


def _are_several(models: Any, labels: bool) -> bool:
    """Whether a list has paths, columns or pairs (name, model), and is not itself a model, such as a list of labels."""
    if not isinstance(models, (list, tuple)) or not models:
        return False
    if all(isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[0], str) for entry in models):
        return True
    return not labels and all(isinstance(entry, (str, os.PathLike)) for entry in models)


def compared(
    material: Material, baseline: str | None, settings: ComparisonSettings, title: str | None = None
) -> Material:
    """The same with every model against every other, where there are several."""
    from pingce.comparison.settings import chosen_baseline

    material = replace(material, title=title if title is not None else material.title, settings=settings)
    if len(material.scores) < 2 and baseline in (None, *material.scores):
        return material
    from pingce.comparison import compare_scores

    baseline = chosen_baseline(baseline, material.models)
    try:
        comparison = compare_scores(material.scores, baseline=baseline, settings=settings, weights=_weights(material))
    except InputError as problem:  # such as a single query: the values are worth showing all the same
        return replace(material, remarks=(*material.remarks, problem.text))
    return replace(material, comparison=comparison)


def _weights(material: Material) -> dict[str, Any]:
    """How much each query counts, by model."""
    from pingce.evidence.ranking.weights import QueryWeights

    lists = material.lists
    if lists is None or lists.query_weight is None:
        return {}
    weights = QueryWeights(lists.query_weight, lists.truth.source.untyped_ids)
    scores: Any = material.scores
    return {name: weights.of(run.evidence) for name, run in scores.items()}


def _lists(inputs: ReportInputs) -> Material:
    from pingce.inputs.columns import Reading
    from pingce.request import Intervals, Request
    from pingce.run.data import RankingData
    from pingce.run.states.ranking import USUAL

    keywords, settings = inputs.keywords, inputs.settings
    tables = {name: keywords.get(name) for name in _OF_SIDES}
    others = (*_READING, *_OF_SIDES, "by", "min_n", "convention", "tmpdir")
    request = Request.of(
        "ranking",
        inputs.metrics,
        convention=keywords.get("convention"),
        policies={name: value for name, value in keywords.items() if name not in others},
        intervals=Intervals(settings.confidence, settings.draws, settings.seed),
        min_n=keywords["min_n"],
        reading=Reading(**{name: keywords.get(name) for name in _READING}),  # type: ignore[arg-type]
        threads=keywords.get("threads"),
    ).with_usual(USUAL)
    return rankings(request, RankingData(inputs.truth, None, **tables, by=keywords["by"]), inputs.models)


def _refuse_unfit(task: str, options: Mapping[str, Any]) -> None:
    from inspect import signature

    place = Text(f"a report of {task}", f"{task} 报告")
    refuse_options(options, place, task, signature(report).parameters)
    if options.get("tmpdir") is not None:
        raise no_option_here("tmpdir", place, task)


def rankings(request: Request, data: RankingData, models: Mapping[str, Any]) -> Material:
    """Runs that are read and scored; their rows stay, for the lists."""
    from pingce.comparison.call import is_document
    from pingce.inputs import read_run
    from pingce.run.local import score_rows
    from pingce.run.rankings import RankingInputs
    from pingce.run.states.fixed_tables import read_tables

    for name, run in models.items():
        if is_document(run):
            raise InputError(
                f"'{name}' has saved scores, and a report shows the lists behind them: give the run itself "
                "(saved scores can be compared with pingce compare)",
                f"'{name}' 是已保存的分数，而报告要展示其背后的列表：请给出排序结果本身（已保存的分数可用 pingce compare 比较）",
            )
    tables = read_tables(request, data.truth, data.exclude, data.query_weight, data.by)
    runs = {name: read_run(run, **request.reading.options()) for name, run in models.items()}
    sides: dict[str, Any] = {"exclude": tables.exclude, "query_weight": tables.query_weight}
    truth: Any = tables.truth
    scores: dict[str, Scores] = {
        name: score_rows(request, RankingInputs(truth, run, **sides, by=tables.by)) for name, run in runs.items()
    }
    files = [data.truth, *models.values()]
    sources = [os.fspath(file) for file in files] if all(isinstance(f, (str, os.PathLike)) for f in files) else []
    return Material("ranking", scores, lists=RankingLists(truth, runs, **sides), sources=sources)


def _predictions(inputs: ReportInputs) -> Material:
    """Of a single model the intervals come with its scores, of several with their comparison."""
    keywords: dict[str, Any] = {"samples": inputs.settings.cell_draws, "seed": inputs.settings.seed}
    if len(inputs.models) == 1:
        keywords["ci"] = inputs.settings.confidence
    keywords |= inputs.keywords
    if keywords["by"] is None and keywords.get("group") is not None:
        keywords["by"] = "activity"
    evaluate = TASKS[inputs.task].load("evaluate")
    scores: dict[str, Scores] = {
        name: evaluate(inputs.truth, model, inputs.metrics, **keywords) for name, model in inputs.models.items()
    }
    data = keywords.get("data")
    return Material(inputs.task, scores, sources=[os.fspath(data)] if isinstance(data, (str, os.PathLike)) else [])
