"""A reader without a mouse, or without eyes, reaches and understands every control."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from .viewer import USUAL, Viewer

CONTROLS = "button, input, select, textarea, summary, a[href], [tabindex='0']"
MARK = f"""() => {{
    let count = 0;
    for (const element of document.querySelectorAll("{CONTROLS}"))
        if (element.checkVisibility() && !element.disabled) element.dataset.place = count++;
    window.reached = {{}};
    document.addEventListener('focusin', ({{ target }}) => {{
        const style = getComputedStyle(target);
        window.reached[target.dataset.place] = style.outlineStyle !== 'none' || style.boxShadow !== 'none';
    }});
    return count;
}}"""
NAMELESS = re.compile(
    r"^\s*- (?:button|slider|textbox|searchbox|combobox|spinbutton|link|checkbox|img)(?:\s*\[.*)?:?$", re.M
)
REPORTS = pytest.mark.parametrize("report", ["ranking_page", "click_page"])


@REPORTS
def test_every_control_is_reached_by_tab_and_seen_to_be(report: str, request: pytest.FixtureRequest) -> None:
    page: Viewer = request.getfixturevalue(report)
    count = page.page.evaluate(MARK)
    page.page.set_viewport_size({"width": 1280, "height": 120})  # less to paint at every step
    for _ in range(count):
        page.page.keyboard.press("Tab")
    reached = page.page.evaluate("window.reached")
    page.page.set_viewport_size(USUAL["viewport"])
    assert set(reached) == {str(place) for place in range(count)}
    assert [place for place, seen in reached.items() if not seen] == []


@REPORTS
def test_every_control_and_figure_has_a_name(report: str, request: pytest.FixtureRequest) -> None:
    page: Viewer = request.getfixturevalue(report)
    tree = page("body").aria_snapshot()
    assert "- button" in tree
    assert NAMELESS.findall(tree) == []


@REPORTS
def test_headings_make_an_outline(report: str, request: pytest.FixtureRequest) -> None:
    page: Viewer = request.getfixturevalue(report)
    levels = page.page.evaluate(
        "[...document.querySelectorAll('h1, h2, h3, h4')].filter(h => h.checkVisibility()).map(h => +h.tagName[1])"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))
