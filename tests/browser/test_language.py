"""One page, two languages: the switch changes every text, and leaves nothing of the other behind but names."""

from __future__ import annotations

import re
from typing import NamedTuple

import pytest

from .viewer import Viewer

TEXTS = """() => {
    const texts = [document.title];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const element = walk.currentNode.parentElement, text = walk.currentNode.textContent.trim();
        if (text && element.checkVisibility({ visibilityProperty: true }) && !element.closest('#lang, script, style, code, bdi, [translate="no"]')) texts.push(text);
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder]'))
        if (element.checkVisibility() && !element.closest('#lang, [translate="no"]'))
            for (const name of ['aria-label', 'title', 'placeholder'])
                if (element.getAttribute(name)) texts.push(element.getAttribute(name));
    for (const option of document.querySelectorAll('option')) texts.push(option.label);
    return texts;
}"""
CHINESE = re.compile(r"[\u3400-\u9fff\u3000-\u303f\uff01-\uff5e]")
WORD = re.compile(r"(?<![\w@(=])[a-z]{4,}(?![\w@(=])")
NAMES = {"bm25", "dense", "fused", "fine", "coarse", "gauc", "recall", "ndcg"}


class Spoken(NamedTuple):
    """The language the page says it is in, and every text it shows or reads aloud."""

    lang: str
    texts: list[str]


def spoken(page: Viewer) -> Spoken:
    """What the page says now."""
    return Spoken(page("html").get_attribute("lang") or "", page.page.evaluate(TEXTS))


def left_in_english(chinese: Spoken) -> list[str]:
    """Texts of the Chinese page with English words in them and no Chinese beside: names of models and metrics may stay."""
    return [text for text in chinese.texts if not CHINESE.search(text) and set(WORD.findall(text)) - NAMES]


def switched(page: Viewer) -> tuple[Spoken, Spoken]:
    """English and Chinese, by the switch."""
    first = spoken(page)
    page("#lang").click()
    second = spoken(page)
    assert {first.lang[:2], second.lang[:2]} == {"en", "zh"}
    return (first, second) if first.lang.startswith("en") else (second, first)


@pytest.mark.parametrize("report", ["ranking_page", "click_page"])
def test_the_switch_leaves_nothing_of_the_other_language(report: str, request: pytest.FixtureRequest) -> None:
    page: Viewer = request.getfixturevalue(report)
    english, chinese = switched(page)
    assert [text for text in english.texts if CHINESE.search(text)] == []
    assert left_in_english(chinese) == []
    assert sum(bool(CHINESE.search(text)) for text in chinese.texts) > 40
    numbers = [sorted(re.findall(r"\d+\.\d{3,}", " ".join(said.texts))) for said in (english, chinese)]
    assert numbers[0] == numbers[1]


def test_the_switch_goes_back(ranking_page: Viewer) -> None:
    before = spoken(ranking_page)
    ranking_page("#lang").click()
    assert spoken(ranking_page).texts != before.texts
    ranking_page("#lang").click()
    assert spoken(ranking_page) == before


def test_the_working_follows_the_language(ranking_page: Viewer) -> None:
    ranking_page("tr[data-query]").first.click()
    english, chinese = switched(ranking_page)
    assert ranking_page("#query-detail").is_visible()
    assert [text for text in english.texts if CHINESE.search(text)] == []
    assert left_in_english(chinese) == []
