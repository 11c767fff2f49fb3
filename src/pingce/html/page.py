"""The file: static sections, data, style and script in one page that asks nobody for anything."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from pingce.base.json import Json
from pingce.base.text import Text
from pingce.html.markup import model_name, name_of, tag, text
from pingce.html.plain import both, for_script, readable
from pingce.html.sections import BUILDERS
from pingce.html.task import Section
from pingce.html.words import LEADS, NAMES, OTHER_LANGUAGE, SECTIONS, WORDS
from pingce.tasks import TASKS

SCRIPTS = (
    "base",
    "charts",
    "summary",
    "threshold",
    "curves",
    "fields",
    "shown",
    "queries",
    "detail",
    "pairs",
    "parts",
    "start",
)
"One after the other they are the script."


@cache
def style() -> str:
    """The stylesheet."""
    return (files("pingce.html") / "assets" / "report.css").read_text("utf-8")


@cache
def script() -> str:
    """The script: its files, in order, in one scope."""
    pieces = ((files("pingce.html") / "assets" / f"{name}.js").read_text("utf-8") for name in SCRIPTS)
    return '"use strict";\n(() => {\n' + "\n".join(pieces) + "\n})();\n"


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def policy() -> str:
    """The Content-Security-Policy: nothing is loaded, and only these two blocks are believed."""
    return (
        f"default-src 'none'; script-src {_hash(script())}; style-src {_hash(style())}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def page(data: Json) -> str:
    """The whole file."""
    lang = data["lang"]
    task_sections = {each.key: each for each in TASKS[data["task"]].load("report").pages if each.key in data}
    shared = [key for key in BUILDERS if key in data]
    sections = [*shared[:1], *task_sections, *shared[1:]]
    head = (
        '<meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy()}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        '<meta name="referrer" content="no-referrer">'
        + tag("title", text(data["title"][lang == "zh"]))
        + f"<style>{style()}</style>"
    )
    body = (
        _banner(data, sections, task_sections)
        + tag("main", "".join(_section(key, data, task_sections.get(key)) for key in sections))
        + _footer(data)
    )
    words = {key: both(phrase) for key, phrase in WORDS.items()}
    words |= {f"section_{key}": both(phrase) for key, phrase in SECTIONS.items()}
    names = {key: both(phrase) for key, phrase in NAMES.items()}
    script_data = for_script({**data, "words": words, "names": names})
    carried = tag("script", script_data, type="application/json", id="pingce-data")
    return (
        "<!DOCTYPE html>\n"
        f'<html lang="{"zh-CN" if lang == "zh" else "en"}" data-lang="{lang}">'
        + tag("head", head)
        + tag("body", body + carried + f"<script>{script()}</script>")
        + "</html>\n"
    )


def _banner(data: Json, sections: list[str], task_sections: Mapping[str, Section]) -> str:
    links = "".join(tag("a", text(_titled(key, data, task_sections.get(key))), href=f"#{key}") for key in sections)
    models = "".join(model_name(name, at) for at, name in enumerate(data["models"]))
    switch = tag("button", text(OTHER_LANGUAGE), id="lang", type="button")
    facts = tag("p", f"{text(TASKS[data['task']].load('report').kind)} · {text(data['size'])}", class_="facts")
    title = tag("h1", text(data["title"]))
    return tag(
        "header",
        tag("div", title + switch, class_="top") + facts + tag("div", models, class_="models") + tag("nav", links),
    )


def _titled(key: str, data: Json, section: Section | None) -> Text:
    if section is not None:
        return section.title
    if key == "queries" and data["queries"]["per"] == "group":
        return Text("Groups", "逐个分组")
    return SECTIONS[key]


def _section(key: str, data: Json, section: Section | None) -> str:
    lead_key = "groups" if key == "queries" and data["queries"]["per"] == "group" else key
    words = LEADS.get(lead_key) if section is None else section.lead
    lead = tag("p", text(words), class_="lead") if words is not None else ""
    inside = (
        tag("h2", text(_titled(key, data, section)), id=f"{key}-title")
        + lead
        + tag("div", "", class_="live")
        + (BUILDERS[key] if section is None else section.draw)(data)
    )
    return tag("section", inside, data_section=key, id=key, aria_labelledby=f"{key}-title")


def _footer(data: Json) -> str:
    words = Text(
        "Everything on this page is in this file: it asks no network for anything. Numbers are exact; each has its signature above.",
        "本页的一切都在这个文件里，不访问网络。数字均为精确值，签名见上文。",
    )
    version = tag("code", name_of(f"pingce {readable(data['version'])}"))
    return tag("footer", tag("p", f"{version} · {text(words)}"))
