"""The file: one, small, self-contained, safe whatever the ids hold, and whole or not there."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pingce as pc
from pingce.html.page import policy, script, style
from pingce.html.words import LEADS, SECTIONS, WORDS
from report_pages import clicks, data_of, runs, units_of

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "</script><script>alert(2)</script>",
    "\"' onmouseover=alert(3) x='",
    "a\u202eb",
    "line\u2028break\u2029here",
    "]]>--><!--",
    "x" * 10_000,
    "查询 \U0001f600 & co",
]


class _Outline(HTMLParser):
    """Every element with its attributes, and the text of scripts and styles."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, list[str]] = {"script": [], "style": []}
        self._open = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._open = tag
        if tag in self.inside:
            self.inside[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        self._open = ""

    def handle_data(self, data: str) -> None:
        if self._open in self.inside:
            self.inside[self._open][-1] += data


def outline(path: Path) -> _Outline:
    found = _Outline()
    found.feed(path.read_text("utf-8"))
    return found


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Queries, items and models with names that try to be something else."""
    items = {name: number % 3 for number, name in enumerate(HOSTILE)}
    truth = dict.fromkeys(HOSTILE, items)
    scores = np.random.default_rng(1).random((2, len(HOSTILE), len(HOSTILE)))
    named = {
        model: {query: dict(zip(HOSTILE, scores[at, row].tolist(), strict=True)) for row, query in enumerate(HOSTILE)}
        for at, model in enumerate(HOSTILE[:2])
    }
    return pc.report(
        truth, named, ["ndcg@5", "mrr"], path=tmp_path_factory.mktemp("hostile") / "r.html", title=HOSTILE[1]
    )


def test_hostile_names_are_text(hostile: Path) -> None:
    page = outline(hostile)
    assert {tag for tag, _ in page.elements} <= {
        *("html", "head", "meta", "title", "style", "body", "header", "main", "footer", "section", "nav", "article"),
        *("h1", "h2", "h3", "p", "a", "div", "span", "small", "b", "i", "sup", "bdi", "code", "button", "ul", "li"),
        *("table", "thead", "tbody", "tr", "th", "td", "caption", "dl", "dt", "dd", "script"),
    }
    assert not [key for _, attributes in page.elements for key in attributes if key.startswith("on") or key == "style"]
    assert len(page.inside["script"]) == 2
    assert page.inside["script"][1] == script()
    assert not re.search("[<>&\u2028\u2029]", page.inside["script"][0])
    assert data_of(hostile)["models"] == HOSTILE[:2]
    assert sorted(units_of(data_of(hostile))["ids"]) == sorted(HOSTILE)
    assert hostile.stat().st_size < 1_000_000


def test_the_policy_names_the_only_blocks_that_are_believed(hostile: Path) -> None:
    page = outline(hostile)
    said = next(a["content"] for tag, a in page.elements if tag == "meta" and a.get("http-equiv"))
    assert said == policy()
    for name, block in (("script-src", page.inside["script"][1]), ("style-src", page.inside["style"][0])):
        digest = base64.b64encode(hashlib.sha256(block.encode()).digest()).decode()
        assert f"{name} 'sha256-{digest}'" in policy()
    assert "default-src 'none'" in policy()
    assert "unsafe" not in policy()


def test_nothing_is_asked_of_anybody() -> None:
    for text in (script(), style()):
        assert not re.search(
            r"https?://(?!www\.w3\.org/2000/svg)|url\(|@import|\bimport\b\s*\(|fetch\(|XMLHttp|WebSocket", text
        )
        assert "innerHTML" not in text
    assert len((script() + style()).encode()) <= 120_000


def test_both_languages_have_every_word(hostile: Path) -> None:
    for key, said in {**WORDS, **SECTIONS, **LEADS}.items():
        assert said.en, key
        assert said.zh, key
    html = hostile.read_text("utf-8")
    assert html.count('<span lang="en">') == html.count('<span lang="zh">') > 50
    used = set(re.findall(r'(?:word|said)\("(\w+)"\)', script()))
    assert used <= set(WORDS)


@pytest.mark.parametrize(("lang", "tag"), [("en", "en"), ("zh", "zh-CN")])
def test_a_page_opens_in_a_language(tmp_path: Path, lang: Any, tag: str) -> None:
    truth, models = runs(3, 1)
    path = pc.report(truth, models, ["mrr"], path=tmp_path / "r.html", lang=lang)
    assert f'<html lang="{tag}" data-lang="{lang}">' in path.read_text("utf-8")


def test_the_same_data_gives_the_same_bytes(tmp_path: Path) -> None:
    truth, models = runs(30, 2)
    shuffled = {name: dict(reversed(run.items())) for name, run in models.items()}
    one = pc.report(truth, models, ["ndcg@5"], path=tmp_path / "a.html").read_bytes()
    assert pc.report(truth, shuffled, ["ndcg@5"], path=tmp_path / "b.html").read_bytes() == one


def test_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    truth, models = runs(4, 2)
    path = tmp_path / "r.html"
    path.write_text("old", "utf-8")
    with pytest.raises(pc.InputError, match="baseline 'nobody'"):
        pc.report(truth, models, ["mrr"], path=path, baseline="nobody")
    assert path.read_text("utf-8") == "old"
    with pytest.raises(pc.InputError, match="cannot be written"):
        pc.report(truth, models, ["mrr"], path=tmp_path / "none" / "r.html")
    assert [found.name for found in tmp_path.iterdir()] == ["r.html"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"task": "rankin"}, "did you mean 'ranking'"),
        ({"lang": "fr"}, "choose one of zh, en"),
        (
            {"tie": "id"},
            "tie= is no option of a report of ranking; give those of pc.evaluate_ranking; did you mean 'ties'",
        ),
        ({"test": "z"}, "test"),
        ({"by": "activty"}, "did you mean 'activity'"),
    ],
)
def test_wrong_options_are_refused(tmp_path: Path, options: dict[str, Any], says: str) -> None:
    truth, models = runs(4, 2)
    with pytest.raises(pc.InputError, match=says):
        pc.report(truth, models, ["mrr"], path=tmp_path / "r.html", **options)
    with pytest.raises(pc.InputError, match="no model"):
        pc.report(truth, {}, path=tmp_path / "r.html")
    assert list(tmp_path.iterdir()) == []


def test_sections_are_there_only_where_they_apply(tmp_path: Path) -> None:
    labels, models, users = clicks()
    always = {"summary", "health", "definitions"}

    def sections(path: Path) -> set[str | None]:
        return {a["data-section"] for tag, a in outline(path).elements if tag == "section"}

    truth, made = runs(5, 2)
    path = tmp_path / "r.html"
    ranking = sections(pc.report(truth, made, ["mrr"], path=path))
    assert ranking == always | {"cutoffs", "queries", "pairs"}
    grouped = sections(pc.report(labels, models, ["auc", "gauc"], task="binary", group=users, path=path))
    assert grouped == always | {"threshold", "curves", "fields", "queries", "pairs", "slices"}
    single = sections(pc.report(labels, {"fine": models["fine"]}, ["auc"], task="binary", path=path))
    assert single == always | {"threshold", "curves"}
    one_class = sections(pc.report([1, 1, 1], {"m": [0.1, 0.2, 0.3]}, ["f1"], task="binary", path=path))
    assert one_class == always
    classes = sections(pc.report(["a", "b", "b"], {"m": ["a", "b", "a"]}, ["accuracy"], task="multiclass", path=path))
    assert classes == always | {"classes"}
    numbers = sections(pc.report([1.0, 2.0, 4.0], {"m": [1.5, 2.0, 3.0]}, ["mae"], task="regression", path=path))
    assert numbers == always | {"residuals"}
