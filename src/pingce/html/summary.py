"""What stands at the top: every metric of every model, what the numbers say in words, and what was counted on the way."""

from __future__ import annotations

from typing import Any

from pingce.base.json import Json
from pingce.base.text import Text
from pingce.diagnosis.points import Point
from pingce.html.material import Material
from pingce.html.plain import both, each_once, ends, entries, number, plain_points, readable
from pingce.html.task import HealthCount
from pingce.metrics.parameters import shown
from pingce.scores.values import UNITS

_GROUPS = (
    HealthCount(Text("groups", "分组"), "all"),
    HealthCount(Text("groups scored", "计入的分组"), "scored"),
    HealthCount(Text("groups with one class only, left out of GAUC", "只有一个类别、不计入 GAUC 的分组"), "single_class"),
    HealthCount(Text("rows of these groups", "这些分组的行数"), "single_class_rows"),
)  # fmt: skip
_DIFFERENCE = ("value", "relative", "interval", "p", "corrected", "pairs", "left_out", "test")


def summary_data(material: Material) -> Json:
    """Values and intervals, what they stand on, differences to the baseline, and the diagnosis."""
    comparison, settings = material.comparison, material.settings
    return {
        "metrics": [_metric(material, name) for name in material.metrics],
        "diagnosis": [plain_points(scores.diagnosis["points"].points()) for scores in material.scores.values()],
        "between": plain_points(Point("between", text) for text in _between(material)),
        "said": [both(line) for line in (*material.remarks, *_how(material))],
        "legend": [] if comparison is None else [comparison.letter(model) for model in material.models],
        "confidence": None if settings is None else settings.confidence,
    }


def _between(material: Material) -> list[Text]:
    """What shows only between models that do the same task."""
    return material.first.between(material.scores) if material.are_rivals else []


def _how(material: Material) -> tuple[Text, ...]:
    """How values were compared, or a single model has its intervals; what stands elsewhere on the page is left out."""
    if material.comparison is None:
        alone = (len(material.scores) == 1 or not material.are_rivals) and material.settings is not None
        return material.page.interval_texts(material) if alone else ()
    elsewhere = {text.en for text in material.first.between(material.scores)}
    elsewhere |= {text.en for scores in material.scores.values() for text in scores.warnings}
    warnings = (
        text
        for text in material.comparison.warnings
        if not any(text.en == words or text.en.endswith(f": {words}") for words in elsewhere)
    )
    return (*material.comparison.how, *warnings)


def _metric(material: Material, name: str) -> Json:
    values = [scores.find(name) for scores in material.scores.values()]
    entry: Json = {
        "name": name,
        "title": both(values[0].metric.title),
        "higher": values[0].metric.higher_is_better,
        "unit": both(UNITS[values[0].unit]),
        "values": [number(value.value) for value in values],
        "counts": [value.count for value in values],
        "undefined": [value.undefined for value in values],
        "intervals": [],
        "letters": [""] * len(values),
        "best": [False] * len(values),
        "differences": [None] * len(values),
    }
    if material.comparison is not None:
        return entry | _compared(material, name)
    return entry | {"intervals": [ends(material.page.interval(value, material.settings)) for value in values]}


def _compared(material: Material, name: str) -> Json:
    comparison: Any = material.comparison
    measured, models = comparison[name], material.models
    differences = (None if model == comparison.baseline else comparison.difference(name, model) for model in models)
    return {
        "intervals": [ends(measured.intervals[measured.models.index(model)]) for model in models],
        "letters": [comparison.letters(name, model) for model in models],
        "best": [model in measured.best() for model in models],
        "differences": [None if each is None else entries(each, *_DIFFERENCE) for each in differences],
    }


def health_data(material: Material) -> Json:
    """A row per count, a column per model, with the policy that decided; then whatever was warned of and noted."""
    counts = [scores.counts for scores in material.scores.values()]
    rows = [_count(material, counts, count) for count in material.page.counts]
    if all("groups" in of_model for of_model in counts):
        rows += [_count(material, [of_model["groups"] for of_model in counts], count) for count in _GROUPS]
    clipped = [max(of_model.get("clipped", {}).values(), default=None) for of_model in counts]
    rows += _shares(material, counts)
    rows += [_row(Text("probabilities clipped for the logarithm", "取对数时截断的概率"), "", "clipped", clipped)]
    rows += _undefined(material)
    return {
        "rows": [row for row in rows if any(value is not None for value in row["values"])],
        "warnings": [[both(text) for text in scores.warnings] for scores in material.scores.values()],
        "notes": each_once(note for scores in material.scores.values() for note in scores.notes),
    }


def _row(title: Text, policy: str, key: str, values: list[Any]) -> Json:
    return {"title": both(title), "policy": policy, "key": key, "values": values}


def _count(material: Material, counts: list[Json], count: HealthCount) -> Json:
    name = count.policy
    choices = [f"{name}={getattr(scores.policies, name)}" for scores in material.scores.values()] if name else []
    values = [number(of_model.get(count.key)) for of_model in counts]
    return _row(count.title, ", ".join(dict.fromkeys(choices)), count.key, values)


def _shares(material: Material, counts: list[Json]) -> list[Json]:
    """Ties and unjudged shares, by metric and by cut-off."""
    rows = []
    for name in dict.fromkeys(name for of_model in counts for name in of_model.get("ties", {})):
        title = Text(f"queries whose ties change {name}", f"并列会改变 {name} 的查询")
        values = [of_model["ties"].get(name, {}).get("queries", 0) for of_model in counts]
        rows.append(_row(title, f"ties={material.first.find(name).policies.ties}", f"ties {name}", values))
    for at in counts[0].get("unjudged", {}):
        title = Text(f"share of unjudged items in the top {at[1:]}", f"前 {at[1:]} 位中未标注条目的占比")
        values = [number(of_model["unjudged"][at]) for of_model in counts]
        rows.append(_row(title, f"judged_only={material.first.policies.judged_only}", f"unjudged {at}", values))
    return rows


def _undefined(material: Material) -> list[Json]:
    rows = []
    for name in material.metrics:
        values = [scores.find(name) for scores in material.scores.values()]
        if any(value.undefined for value in values) and values[0].unit not in ("groups", "fields"):
            unit = UNITS[material.page.undefined_unit or values[0].unit]
            title = Text(f"{unit.en} for which {name} is undefined", f"{name} 没有定义的{unit.zh}")
            policy = getattr(values[0].policies, "undefined_class", values[0].policies.undefined)
            counts = [value.undefined for value in values]
            rows.append(_row(title, f"undefined={policy}", f"undefined {name}", counts))
    return rows


def definition_data(material: Material) -> list[Json]:
    """How each number was defined: question, formula, blind spots, parameters, signatures."""
    return [_definition(material, name) for name in material.metrics]


def _definition(material: Material, name: str) -> Json:
    value = material.first.find(name)
    kind, about = value.metric, value.metric.about
    signatures = dict.fromkeys(scores.signature(name) for scores in material.scores.values())
    resolved = {each.name: value.resolved.get(each.name) for each in kind.parameters()}
    values = {each: getattr(kind, each) if resolved[each] is None else resolved[each] for each in resolved}
    return {
        "name": name,
        "id": value.id,
        "title": both(kind.title),
        "question": both(about.question),
        "formula": both(kind.formula),
        "use": both(about.use),
        "blind": both(about.blind),
        "pairs_with": list(about.pairs_with),
        "range": about.range,
        "higher": value.metric.higher_is_better,
        "parameters": [
            [each.name, "–" if values[each.name] is None else shown(values[each.name]), *both(each.metadata["help"])]
            for each in kind.parameters()
        ],
        "differences": material.first.differences(name),
        "signatures": [readable(line) for line in signatures],
        "counts": [scores.find(name).count for scores in material.scores.values()],
    }
