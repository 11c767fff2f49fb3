"""The last section: how every number was defined."""

from __future__ import annotations

from typing import Any

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


def definitions(data: dict[str, Any]) -> str:
    """A card a metric."""
    return tag("div", "".join(map(_card, data["definitions"])), class_="cards")


def _card(one: dict[str, Any]) -> str:
    title = f"{name_of(one['name'])} " + tag("small", text(one["title"]))
    formula = [tag("code", text(one["formula"]), class_="formula")]
    signatures = [tag("code", name_of(line), class_="signature") for line in one["signatures"]]
    parts = {
        "question": text(one["question"]),
        "formula": "".join(formula),
        "use": text(one["use"]),
        "blind": text(one["blind"]),
        "pairs_with": tag("code", ", ".join(one["pairs_with"])),
        "range": f"{text(one['range'])} · {text(WORDS[_DIRECTION[one['higher']]])}",
        "parameters": "".join(map(_parameter, one["parameters"])),
        "convention": tag("code", name_of(one["differences"])) if one["differences"] else "",
        "signatures": "".join(signatures),
    }
    rows = "".join(tag("dt", text(_HEADS[key])) + tag("dd", inside) for key, inside in parts.items() if inside)
    return tag("article", tag("h3", title) + tag("dl", rows))


def _parameter(one: list[str]) -> str:
    name, value, *helped = one
    return tag("div", tag("code", f"{name} = {value}") + " " + tag("small", text(helped)))
