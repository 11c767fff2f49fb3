"""The last section: how every number was defined."""

from __future__ import annotations

from pingce.base.json import Json
from pingce.base.text import Text
from pingce.html.markup import name_of, tag, text
from pingce.html.words import WORDS

_DIRECTION = {True: "higher", False: "lower", None: "neither"}
_HEADS = {
    "question": Text("question", "问题"),
    "formula": Text("formula", "公式"),
    "use": Text("use", "用途"),
    "blind": Text("blind spots", "盲点"),
    "pairs_with": Text("look at it with", "搭配"),
    "range": Text("range", "取值"),
    "parameters": Text("parameters", "参数"),
    "convention": Text("differs from the default in", "与默认不同之处"),
    "signatures": Text("signature", "签名"),
}


def definitions(data: Json) -> str:
    """A card a metric."""
    return tag("div", "".join(map(_card, data["definitions"])), class_="cards")


def _card(entry: Json) -> str:
    title = f"{name_of(entry['name'])} " + tag("small", text(entry["title"]))
    formula = [tag("code", text(entry["formula"]), class_="formula")]
    signatures = [tag("code", name_of(line), class_="signature") for line in entry["signatures"]]
    parts = {
        "question": text(entry["question"]),
        "formula": "".join(formula),
        "use": text(entry["use"]),
        "blind": text(entry["blind"]),
        "pairs_with": tag("code", ", ".join(entry["pairs_with"])),
        "range": f"{text(entry['range'])} · {text(WORDS[_DIRECTION[entry['higher']]])}",
        "parameters": "".join(map(_parameter, entry["parameters"])),
        "convention": tag("code", name_of(entry["differences"])) if entry["differences"] else "",
        "signatures": "".join(signatures),
    }
    rows = "".join(tag("dt", text(_HEADS[key])) + tag("dd", inside) for key, inside in parts.items() if inside)
    return tag("article", tag("h3", title) + tag("dl", rows))


def _parameter(parameter: list[str]) -> str:
    name, value, *helped = parameter
    return tag("div", tag("code", f"{name} = {value}") + " " + tag("small", text(helped)))
