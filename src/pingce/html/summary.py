"""What stands at the top: every metric of every model, what the numbers say in words, and what was counted on the way."""

from __future__ import annotations

from typing import Any

from pingce.base.json import Json
from pingce.base.text import Text
from pingce.html.material import Material
from pingce.html.plain import both, number, readable
from pingce.html.tasks import HealthCount
from pingce.scores.values import UNITS

_GROUPS = (
    HealthCount(Text("groups", "分组"), "all"),
    HealthCount(Text("groups scored", "计入的分组"), "scored"),
    HealthCount(
        Text("groups with one class only, left out of GAUC", "只有一个类别、不计入 GAUC 的分组"), "single_class"
    ),
    HealthCount(Text("rows of these groups", "这些分组的行数"), "single_class_rows"),
)


def summary_data(material: Material) -> Json:
    """Values and intervals, what they stand on, differences to the baseline, and the diagnosis."""
    return {
        "metrics": [_metric(material, name) for name in material.metrics],
        "diagnosis": [both(Text(**scores.diagnosis["text"])) for scores in material.scores.values()],
        "between": [both(text) for text in material.first.between(material.scores)],
        "said": [both(line) for line in (*material.remarks, *_how(material))],
        "legend": [] if material.comparison is None else _legend(material),
        "confidence": None if material.settings is None else material.settings.confidence,
    }


def _legend(material: Material) -> list[str]:
    """The letter by which each model is named where another is significantly better."""
    comparison: Any = material.comparison
    return [comparison.letter(model) for model in material.models]


def _how(material: Material) -> tuple[Text, ...]:
    if material.comparison is None:
        alone = len(material.scores) == 1 and material.settings is not None
        return material.page.interval_texts(material) if alone else ()
    elsewhere = {text.en for text in material.first.between(material.scores)}
    elsewhere |= {text.en for scores in material.scores.values() for text in scores.warnings}
    return (
        *material.comparison.how,
        *(
            text
            for text in material.comparison.warnings
            if not any(text.en == words or text.en.endswith(f": {words}") for words in elsewhere)
        ),
    )


def _metric(material: Material, name: str) -> Json:
    values = [scores.find(name) for scores in material.scores.values()]
    about = values[0].metric.about
    entry: Json = {
        "name": name,
        "title": both(values[0].metric.title),
        "higher": about.higher_is_better,
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
    return entry | {"intervals": [_ends(material.page.interval(value, material.settings)) for value in values]}


def _ends(interval: tuple[float, float] | None) -> list[Any] | None:
    ends = None if interval is None else [number(float(end)) for end in interval]
    return None if ends is None or None in ends else ends


def _compared(material: Material, name: str) -> Json:
    comparison: Any = material.comparison
    measured = comparison[name]
    baseline = comparison.baseline
    return {
        "intervals": [_ends(measured.intervals[measured.models.index(model)]) for model in material.models],
        "letters": [comparison.letters(name, model) for model in material.models],
        "best": [model in measured.best() for model in material.models],
        "differences": [
            None if model == baseline else _difference(comparison.difference(name, model)) for model in material.models
        ],
    }


def _difference(difference: Any) -> Json:
    return {
        "value": number(difference.value),
        "relative": number(difference.relative),
        "interval": _ends(difference.interval),
        "p": number(difference.p),
        "corrected": number(difference.corrected),
        "pairs": difference.pairs,
        "left_out": difference.left_out,
        "test": both(difference.test),
    }


def health_data(material: Material) -> Json:
    """A row a count, a column a model, with the policy that decided; then whatever was warned of and noted."""
    counts = [scores.counts for scores in material.scores.values()]
    rows = [_row(material, counts, count) for count in material.page.counts]
    if all("groups" in of_model for of_model in counts):
        rows += [_row(material, [of_model["groups"] for of_model in counts], count) for count in _GROUPS]
    rows += _shares(material, counts) + _clipped(counts) + _undefined(material)
    return {
        "rows": [row for row in rows if any(value is not None for value in row["values"])],
        "warnings": [[both(text) for text in scores.warnings] for scores in material.scores.values()],
        "notes": [
            list(pair) for pair in dict.fromkeys(tuple(both(n)) for s in material.scores.values() for n in s.notes)
        ],
    }


def _row(material: Material, counts: list[Json], count: HealthCount) -> Json:
    name = count.policy
    choices = [f"{name}={getattr(scores.policies, name)}" for scores in material.scores.values()] if name else []
    return {
        "title": both(count.title),
        "policy": ", ".join(dict.fromkeys(choices)),
        "key": count.key,
        "values": [number(of_model.get(count.key)) for of_model in counts],
    }


def _shares(material: Material, counts: list[Json]) -> list[Json]:
    """Ties and unjudged shares, by metric and by cut-off."""
    rows = []
    names = list(dict.fromkeys(name for of_model in counts for name in of_model.get("ties", {})))
    for name in names:
        title = Text(f"queries whose ties change {name}", f"并列会改变 {name} 的查询")
        values = [of_model["ties"].get(name, {}).get("queries", 0) for of_model in counts]
        policy = f"ties={material.first.find(name).policies.ties}"
        rows.append({"title": both(title), "policy": policy, "key": f"ties {name}", "values": values})
    for at in counts[0].get("unjudged", {}):
        title = Text(f"share of unjudged items in the top {at[1:]}", f"前 {at[1:]} 位中未标注条目的占比")
        values = [number(of_model["unjudged"][at]) for of_model in counts]
        policy = f"judged_only={material.first.policies.judged_only}"
        rows.append({"title": both(title), "policy": policy, "key": f"unjudged {at}", "values": values})
    return rows


def _clipped(counts: list[Json]) -> list[Json]:
    values = [max(of_model.get("clipped", {}).values(), default=None) for of_model in counts]
    title = Text("probabilities clipped for the logarithm", "取对数时截断的概率")
    return [{"title": both(title), "policy": "", "key": "clipped", "values": values}]


def _undefined(material: Material) -> list[Json]:
    rows = []
    for name in material.metrics:
        values = [scores.find(name) for scores in material.scores.values()]
        if any(value.undefined for value in values) and values[0].unit != "groups":
            unit = UNITS[material.page.undefined_unit or values[0].unit]
            title = Text(f"{unit.en} for which {name} is undefined", f"{name} 没有定义的{unit.zh}")
            policy = getattr(values[0].policies, "undefined_class", values[0].policies.undefined)
            numbers = [value.undefined for value in values]
            rows.append(
                {"title": both(title), "policy": f"undefined={policy}", "key": f"undefined {name}", "values": numbers}
            )
    return rows


def definition_data(material: Material) -> list[Json]:
    """How each number was defined: question, formula, blind spots, parameters, signatures."""
    return [_definition(material, name) for name in material.metrics]


def _definition(material: Material, name: str) -> Json:
    value = material.first.find(name)
    kind, about = value.metric, value.metric.about
    signed = {model: scores.signature(name) for model, scores in material.scores.items()}
    parameters = [
        [
            parameter.name,
            _shown(getattr(kind, parameter.name), value.resolved.get(parameter.name)),
            *both(parameter.metadata["help"]),
        ]
        for parameter in kind.parameters()
    ]
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
        "higher": about.higher_is_better,
        "parameters": parameters,
        "differences": material.first.differences(name),
        "signatures": [readable(line) for line in dict.fromkeys(signed.values())],
        "counts": [scores.find(name).count for scores in material.scores.values()],
    }


def _shown(value: Any, resolved: Any) -> str:
    from pingce.metrics.parameters import shown

    return shown(value if resolved is None else resolved) if not (value is None and resolved is None) else "–"
