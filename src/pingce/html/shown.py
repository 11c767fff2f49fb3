"""What lists show: who gets the places, how popular that was before, and what accuracy costs in coverage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pingce.base.errors import InputError
from pingce.base.json import Json
from pingce.base.lazy import cached_property
from pingce.base.text import Text
from pingce.curves.items import Lorenz, PopularityParts
from pingce.diagnosis.points import Point
from pingce.diagnosis.shown import is_accuracy, points, traded
from pingce.evidence.items.background import Background
from pingce.evidence.items.view import ItemView, item_view
from pingce.evidence.ranking.compute import ranking_evidence
from pingce.evidence.ranking.overlap import comparable_ids
from pingce.html.exposure import exposure_data, exposure_table, read_exposure
from pingce.html.markup import cell, head, model_names, name_of, note, num, readings, row, table, tag, text, title_cell
from pingce.html.material import Material, RankingLists
from pingce.html.plain import both, number, numbers, plain_points
from pingce.metrics.grammar import parse_metric
from pingce.run.rankings import score_views
from pingce.run.views import EvidenceViews
from pingce.scores.ranking import RankingScores

LADDER = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000)
_USUAL_K = 10
_POINTS = 100
"Of a curve, at most."
_KINDS: tuple[tuple[tuple[str, str], ...], ...] = (
    (("coverage", "catalog"), ("coverage(of=train)", "train")),
    (("gini", "catalog"), ("gini(items=shown)", "")),
    (("entropy", ""),),
    (("personalization", ""),),
    (("novelty", "train"),),
    (("unseen", "train"),),
    (("popularity", "train"),),
    (("tail", "train"),),
    (("category_diversity", "categories"),),
    (("ild", "categories"),),
)
"Metrics of the section with the table that each reads beside the lists; where that is absent the next of its kind stands in."


class ShownModel:
    """What one model shows, and the values of metrics that look at it."""

    def __init__(self, material: Material, name: str, lists: RankingLists, metrics: Sequence[str]) -> None:
        self._policies = policies = material.scores[name].policies
        every = [parse_metric(metric) for metric in metrics]
        truth, run = comparable_ids(lists.truth, lists.runs[name])
        depth = max(request.metric.k or 0 for request in every)
        evidence = ranking_evidence(truth, run, policies, exclude=lists.exclude, depth=depth)
        evidence = replace(evidence, background=lists.background.alike(run))
        self._views = EvidenceViews(policies, lambda _: evidence)
        self.scores: RankingScores = score_views(every, self._views)

    @cached_property
    def shown(self) -> ItemView:
        """The heads of all lists."""
        return item_view(self._views.view(self._policies, "all"))


def shown_data(material: Material) -> Json | None:
    """Curves and values of what is shown; None where nothing is known of items, a note where policies forbid to look."""
    lists = material.lists
    if lists is None or not lists.background.present:
        return None
    k, ladder = _cutoff(material), _ladder(material)
    kinds = list(_metrics(lists.background))
    coverage = next((kind for kind in kinds if kind.startswith("coverage")), None)
    requests = [f"{kind}@{k}" for kind in kinds] + [
        f"{coverage}@{depth}" for depth in ladder if coverage and depth != k
    ]
    try:
        models = {name: ShownModel(material, name, lists, requests) for name in material.models}
    except InputError as problem:  # such as ties=expected, which has no order to look at
        return {"note": both(problem.text)}
    names, coverage_at_k = requests[: len(kinds)], None if coverage is None else f"{coverage}@{k}"
    has_items = "items" in lists.background.present
    exposure = exposure_data([model.shown for model in models.values()], k) if has_items else None
    return {
        "note": None,
        "k": k,
        "lists": [len(model.shown) for model in models.values()],
        "metrics": [_metric(models, name) for name in names],
        "lorenz": _lorenz(models, next(name for name in names if name.startswith("gini")), k),
        "popularity": _popularity(models, k) if "train" in lists.background.present else None,
        "coverage": None if coverage is None else _coverage(models, coverage, ladder),
        "scatter": None if coverage_at_k is None else _scatter(material, models, coverage_at_k),
        "exposure": exposure,
        **_readings(material, models, names, coverage_at_k, exposure),
    }


def _cutoff(material: Material) -> int:
    """The depth that the call looks at: that of its first metric of items, or of its first metric that has one."""
    every = (material.first.values_by_name[name].metric for name in material.measured)
    metrics = [metric for metric in every if metric.k is not None]
    chosen = next((metric for metric in metrics if metric.of_items), metrics[0] if metrics else None)
    return _USUAL_K if chosen is None else int(chosen.k)


def _ladder(material: Material) -> list[int]:
    """Cut-offs up to the longest list."""
    longest = max(int(scores.evidence.returned.max(initial=0)) for scores in material.scores.values())  # type: ignore[attr-defined]
    return [k for k in LADDER if k <= max(longest, 1)]


def _metrics(background: Background) -> Iterator[str]:
    """The metrics that the tables allow, without a cut-off."""
    present = {"", *background.present}
    if background.items is not None and len(background.items.categories.row):
        present.add("categories")
    for kinds in _KINDS:
        yield from [name for name, needs in kinds if needs in present][:1]


def _metric(models: Mapping[str, ShownModel], name: str) -> Json:
    values = [model.scores.find(name) for model in models.values()]
    return {"name": name, "title": both(values[0].metric.title), "values": [number(value.value) for value in values]}


def _lorenz(models: Mapping[str, ShownModel], name: str, k: int) -> Json:
    """Shares of items and of places, the least shown first."""
    curves = []
    for model in models.values():
        counts, size = model.scores.find(name).metric.sizes(model.shown)
        curve = Lorenz.of(counts, size).thinned(_POINTS)
        items, places = max(int(curve.items[-1]), 1), max(int(curve.places[-1]), 1)
        curves.append({"items": numbers(curve.items / items), "places": numbers(curve.places / places)})
    return {"metric": name, "curves": curves, "k": k}


def _popularity(models: Mapping[str, ShownModel], k: int) -> Json:
    """Of each tenth of the items of the past, its share of the past and of the places of each model; then of new items."""
    parts = [PopularityParts.of(model.shown, k) for model in models.values()]
    total = [max(int(part.places.sum()) + part.cold, 1) for part in parts]
    return {
        "past": numbers(parts[0].past / max(int(parts[0].past.sum()), 1)),
        "models": [numbers(part.places / every) for part, every in zip(parts, total, strict=True)],
        "cold": [part.cold / every for part, every in zip(parts, total, strict=True)],
    }


def _coverage(models: Mapping[str, ShownModel], kind: str, ladder: Sequence[int]) -> Json:
    values = [[number(model.scores[f"{kind}@{k}"]) for k in ladder] for model in models.values()]
    return {"metric": kind, "k": list(ladder), "values": values}


def _scatter(material: Material, models: Mapping[str, ShownModel], coverage_at_k: str) -> Json | None:
    """What accuracy costs; one model has nothing beside it."""
    accuracies = [name for name, value in material.first.values_by_name.items() if is_accuracy(value.metric)]
    if len(models) < 2 or not accuracies:
        return None
    accuracy = {name: [number(scores[name]) for scores in material.scores.values()] for name in accuracies}
    return {
        "coverage": coverage_at_k,
        "values": [number(model.scores[coverage_at_k]) for model in models.values()],
        "accuracy": accuracy,
    }


def _readings(
    material: Material,
    models: Mapping[str, ShownModel],
    names: Sequence[str],
    coverage_at_k: str | None,
    exposure: Json | None,
) -> Json:
    """What the values say in words, unless the summary says it."""
    summaries = {name: scores.diagnosis["text"]["en"] for name, scores in material.scores.items()}
    by_model = [
        plain_points(
            point
            for point in [*points(model.scores, names), *read_exposure(exposure, at)]
            if point.text.en not in summaries[name]
        )
        for at, (name, model) in enumerate(models.items())
    ]
    accuracy = next((name for name, value in material.first.values_by_name.items() if is_accuracy(value.metric)), None)
    texts: list[Text] = []
    if accuracy is not None and coverage_at_k is not None:
        right = {name: scores[accuracy] for name, scores in material.scores.items()}
        shares = {name: model.scores[coverage_at_k] for name, model in models.items()}
        before = {words.en for words in material.first.between(material.scores)}
        texts = [words for words in traded(accuracy, right, coverage_at_k, shares) if words.en not in before]
    return {"readings": by_model, "between": plain_points(Point("between", words) for words in texts)}


def draw_shown(data: Json) -> str:
    """What stands there without a script: sentences, the values, and the figures behind the curves."""
    section, models = data["shown"], model_names(data)
    if section["note"] is not None:
        return note(section["note"])
    rows = [
        row(title_cell(name_of(metric["name"]) + tag("small", text(metric["title"]))), *map(num, metric["values"]))
        for metric in section["metrics"]
    ]
    return (
        readings(models, section["readings"], section["between"])
        + table("shown", [head("metric"), *models], rows)
        + _coverage_table(section["coverage"], models)
        + _popularity_table(section["popularity"], models)
        + exposure_table(section["exposure"], models)
    )


def _coverage_table(coverage: Json | None, models: list[str]) -> str:
    if coverage is None:
        return ""
    rows = [row(title_cell(model), *map(num, values)) for model, values in zip(models, coverage["values"], strict=True)]
    return table("shown-coverage", [name_of(coverage["metric"]), *(f"@{k}" for k in coverage["k"])], rows)


def _popularity_table(popularity: Json | None, models: list[str]) -> str:
    if popularity is None:
        return ""
    parts = [str(part) for part in range(1, len(popularity["past"]) + 1)]
    columns = [popularity["past"], *popularity["models"]]
    rows = [row(title_cell(part), *(num(column[at]) for column in columns)) for at, part in enumerate(parts)]
    rows.append(row(title_cell(head("cold")), cell("–", kind="num"), *map(num, popularity["cold"])))
    return table("shown-popularity", [head("decile"), head("past"), *models], rows)
