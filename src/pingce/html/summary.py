"""What stands at the top: every metric of every model, what the numbers say in words, and what was counted on the way."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from pingce.base.text import Text
from pingce.html.plain import both, number, readable
from pingce.scores.base import UNITS

if TYPE_CHECKING:
    from pingce.html.material import Material

_Count = tuple[Text, str, str]
"What is counted, the policy that decides about it (or none), and its key among the counts."
_RANKING: tuple[_Count, ...] = (
    (Text("queries scored", "计入的查询"), "", "scored"),
    (Text("judged queries that the run does not answer", "预测没有回答的已标注查询"), "missing", "missing"),
    (Text("queries of the run without judgements", "没有标注的预测查询"), "extra", "extra"),
    (Text("queries without a relevant item", "没有相关条目的查询"), "undefined", "without_relevant"),
    (Text("rows of the run", "预测的行数"), "", "run_rows"),
    (Text("repeated rows", "重复的行"), "duplicates", "duplicates"),
    (Text("scores that are not a number", "不是数字的分数"), "nan", "nan"),
    (Text("rows excluded before ranking", "排序前排除的行"), "identical", "excluded"),
)
_BINARY: tuple[_Count, ...] = (
    (Text("rows", "行数"), "", "rows"),
    (Text("positive rows", "正例"), "", "positives"),
    (Text("negative rows", "负例"), "", "negatives"),
    (Text("total weight", "总权重"), "", "weight"),
)
_GROUPS: tuple[_Count, ...] = (
    (Text("groups", "分组"), "", "all"),
    (Text("groups scored", "计入的分组"), "", "scored"),
    (Text("groups with one class only, left out of GAUC", "只有一个类别、不计入 GAUC 的分组"), "", "single_class"),
    (Text("rows of these groups", "这些分组的行数"), "", "single_class_rows"),
)
_CLASSES: tuple[_Count, ...] = (
    (Text("rows", "行数"), "", "rows"),
    (Text("total weight", "总权重"), "", "weight"),
    (Text("classes", "类别"), "", "classes"),
    (Text("rows predicted rightly", "预测正确的行"), "", "right"),
    (Text("classes that never occur", "从未出现的类别"), "undefined_class", "never_true"),
    (Text("classes that are never predicted", "从未被预测的类别"), "undefined_class", "never_predicted"),
)
_NUMBERS: tuple[_Count, ...] = ((Text("rows", "行数"), "", "rows"), (Text("total weight", "总权重"), "", "weight"))
_COUNTS = {"ranking": _RANKING, "binary": _BINARY, "multiclass": _CLASSES, "regression": _NUMBERS}


def summary_data(material: Material) -> dict[str, Any]:
    """Values and intervals, what they stand on, differences to the baseline, and the diagnosis."""
    return {
        "metrics": [_metric(material, name) for name in material.metrics],
        "diagnosis": [both(Text(**one.diagnosis["text"])) for one in material.scores.values()],
        "between": _between(material),
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
        from pingce.html.intervals import how_alone

        return how_alone(material)
    known = {tuple(pair) for pair in _between(material)} | {
        text for one in material.scores.values() for text in one.warnings
    }
    return (*material.comparison.how, *(one for one in material.comparison.warnings if not _is_said(one, known)))


def _is_said(one: Text, known: Collection[tuple[str, ...]]) -> bool:
    """Whether a warning stands elsewhere on the page already, perhaps without the model's name."""
    return any(one.en == text[0] or one.en.endswith(f": {text[0]}") for text in known)


def _metric(material: Material, name: str) -> dict[str, Any]:
    values = [one.find(name) for one in material.scores.values()]
    about = values[0].metric.about
    entry: dict[str, Any] = {
        "name": name,
        "title": both(values[0].metric.title),
        "higher": about.higher_is_better,
        "unit": both(UNITS[values[0].unit]),
        "values": [number(one.value) for one in values],
        "counts": [one.count for one in values],
        "undefined": [one.undefined for one in values],
        "intervals": [_ends(one.interval) for one in values],
        "letters": [""] * len(values),
        "best": [False] * len(values),
        "differences": [None] * len(values),
    }
    if material.comparison is not None:
        return entry | _compared(material, name)
    if material.task == "ranking":
        from pingce.html.intervals import mean_interval

        entry["intervals"] = [_ends(mean_interval(one, material.settings)) for one in values]
    return entry


def _ends(interval: tuple[float, float] | None) -> list[Any] | None:
    ends = None if interval is None else [number(float(end)) for end in interval]
    return None if ends is None or None in ends else ends


def _compared(material: Material, name: str) -> dict[str, Any]:
    comparison: Any = material.comparison
    found = comparison[name]
    baseline = comparison.baseline
    return {
        "intervals": [_ends(found.intervals[found.models.index(model)]) for model in material.models],
        "letters": [comparison.letters(name, model) for model in material.models],
        "best": [model in found.best() for model in material.models],
        "differences": [
            None if model == baseline else _difference(comparison.difference(name, model)) for model in material.models
        ],
    }


def _difference(one: Any) -> dict[str, Any]:
    return {
        "value": number(one.value),
        "relative": number(one.relative),
        "interval": _ends(one.interval),
        "p": number(one.p),
        "corrected": number(one.corrected),
        "pairs": one.pairs,
        "left_out": one.left_out,
        "test": both(one.test),
    }


def _between(material: Material) -> list[list[str]]:
    if material.task != "binary" or len(material.scores) < 2:
        return []
    from pingce.diagnosis.binary import between

    return [both(text) for text in between(material.scores)]  # type: ignore[arg-type]


def health_data(material: Material) -> dict[str, Any]:
    """A row a count, a column a model, with the policy that decided; then whatever was warned of and noted."""
    counts = [one.counts for one in material.scores.values()]
    rows = [_row(material, counts, one) for one in _COUNTS[material.task]]
    if all("groups" in own for own in counts):
        rows += [_row(material, [own["groups"] for own in counts], one) for one in _GROUPS]
    rows += _shares(material, counts) + _clipped(counts) + _undefined(material)
    return {
        "rows": [row for row in rows if any(value is not None for value in row["values"])],
        "warnings": [[both(text) for text in one.warnings] for one in material.scores.values()],
        "notes": [
            list(pair) for pair in dict.fromkeys(tuple(both(n)) for s in material.scores.values() for n in s.notes)
        ],
    }


def _row(material: Material, counts: list[dict[str, Any]], one: _Count) -> dict[str, Any]:
    title, policy, key = one
    chosen = [getattr(own.policies, policy) for own in material.scores.values()] if policy else []
    said = ", ".join(dict.fromkeys(f"{policy}={value}" for value in chosen))
    return {"title": both(title), "policy": said, "key": key, "values": [number(own.get(key)) for own in counts]}


def _shares(material: Material, counts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Ties and unjudged shares, by metric and by cut-off."""
    rows = []
    names = list(dict.fromkeys(name for own in counts for name in own.get("ties", {})))
    for name in names:
        title = Text(f"queries whose ties change {name}", f"并列会改变 {name} 的查询")
        found = [own["ties"].get(name, {}).get("queries", 0) for own in counts]
        policy = f"ties={material.first.find(name).policies.ties}"
        rows.append({"title": both(title), "policy": policy, "key": f"ties {name}", "values": found})
    for at in counts[0].get("unjudged", {}):
        title = Text(f"share of unjudged items in the top {at[1:]}", f"前 {at[1:]} 位中未标注条目的占比")
        found = [number(own["unjudged"][at]) for own in counts]
        policy = f"judged_only={material.first.policies.judged_only}"
        rows.append({"title": both(title), "policy": policy, "key": f"unjudged {at}", "values": found})
    return rows


def _clipped(counts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found = [max(own.get("clipped", {}).values(), default=None) for own in counts]
    title = Text("probabilities clipped for the logarithm", "取对数时截断的概率")
    return [{"title": both(title), "policy": "", "key": "clipped", "values": found}]


def _undefined(material: Material) -> list[dict[str, Any]]:
    rows = []
    for name in material.metrics:
        values = [one.find(name) for one in material.scores.values()]
        if any(one.undefined for one in values) and values[0].unit != "groups":
            unit = UNITS["classes" if material.task == "multiclass" else values[0].unit]
            title = Text(f"{unit.en} for which {name} is undefined", f"{name} 没有定义的{unit.zh}")
            policy = getattr(values[0].policies, "undefined_class", values[0].policies.undefined)
            found = [one.undefined for one in values]
            rows.append(
                {"title": both(title), "policy": f"undefined={policy}", "key": f"undefined {name}", "values": found}
            )
    return rows


def definition_data(material: Material) -> list[dict[str, Any]]:
    """How each number was defined: question, formula, blind spots, parameters, signatures."""
    return [_definition(material, name) for name in material.metrics]


def _definition(material: Material, name: str) -> dict[str, Any]:
    value = material.first.find(name)
    kind, about = value.metric, value.metric.about
    signed = {model: one.signature(name) for model, one in material.scores.items()}
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
        "counts": [one.find(name).count for one in material.scores.values()],
    }


def _shown(value: Any, resolved: Any) -> str:
    from pingce.metrics.parameters import shown

    return shown(value if resolved is None else resolved) if not (value is None and resolved is None) else "–"
