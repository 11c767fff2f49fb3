"""A report opens from the disk in silence, asks for nothing, and reads well without scripts, in the dark and on paper."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import pingce as pc

from .conftest import Opener
from .made import CLICK_METRICS, RANKING_METRICS, Clicks, Rankings
from .viewer import Viewer

LUMINANCE = """() => [document.body, document.body].map((element, which) => {
    const style = getComputedStyle(element);
    const root = getComputedStyle(document.documentElement);
    let colour = which ? style.color : style.backgroundColor;
    if (colour === 'rgba(0, 0, 0, 0)') colour = root.backgroundColor;
    const [red, green, blue] = colour.match(/[\\d.]+/g).map(Number);
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
})"""


def test_rankings_open_in_silence(ranking_page: Viewer) -> None:
    for name in ("summary", "health", "cutoffs", "queries", "pairs", "definitions"):
        assert ranking_page.section(name).is_visible(), name
    for name in ("threshold", "classes", "residuals"):
        assert ranking_page.section(name).count() == 0, name
    assert ranking_page("svg").count() >= 3


def test_clicks_open_in_silence(click_page: Viewer) -> None:
    for name in ("summary", "health", "threshold", "curves", "definitions"):
        assert click_page.section(name).is_visible(), name
    for name in ("cutoffs", "classes", "residuals"):
        assert click_page.section(name).count() == 0, name
    assert click_page('section[data-section="curves"] svg').count() >= 3


def test_one_model_of_numbers_opens_in_silence(opened: Opener, tmp_path: Path) -> None:
    random = np.random.default_rng(5)
    truth = random.normal(size=300)
    path = pc.report(
        truth, {"linear": truth + random.normal(size=300)}, task="regression", path=tmp_path / "numbers.html"
    )
    window = opened(path)
    assert window.section("residuals").is_visible()
    assert window('section[data-section="residuals"] svg').count() >= 1
    for name in ("pairs", "threshold", "curves", "queries", "cutoffs", "classes"):
        assert window.section(name).count() == 0, name
    assert (window.complaints, window.asked_elsewhere(), window.slips()) == ([], [], [])
    window.context.close()


def test_the_policy_stops_what_is_not_the_reports(opened: Opener, rankings: Rankings) -> None:
    html = rankings.path.read_text("utf-8")
    hostile = rankings.path.with_name("hostile.html")
    smuggled = (
        '<script>window.hacked = 1</script><img src="x" onerror="window.hacked = 2"><script src="evil.js"></script>'
    )
    hostile.write_text(html.replace("</body>", f"{smuggled}</body>") if "</body>" in html else html + smuggled, "utf-8")
    window = opened(hostile)
    window.page.evaluate(
        """async () => {
            const script = document.createElement('script');
            script.textContent = 'window.hacked = 3';
            document.body.append(script);
            document.body.setAttribute('onclick', 'window.hacked = 4');
            document.body.click();
            for (const sent of [() => fetch('https://example.org/'), () => new Image().src = 'https://example.org/x.png'])
                try { await sent(); } catch { }
        }"""
    )
    assert window.page.evaluate("window.hacked === undefined")
    assert sum("Content Security Policy" in text for text in window.complaints) >= 5
    assert sorted(window.refused) == sorted(f"csp: {url}" for url in window.asked_elsewhere())
    window.context.close()


def test_tables_are_readable_without_scripts(opened: Opener, rankings: Rankings, clicks: Clicks) -> None:
    window = opened(rankings.path, java_script_enabled=False)
    summary = window.section("summary").inner_text()
    for model, run in rankings.runs.items():
        scores = pc.evaluate_ranking(rankings.truth, run, RANKING_METRICS)
        assert model in summary
        assert [name for name in RANKING_METRICS if f"{scores[name]:.4f}" not in summary] == []
    for name in ("health", "cutoffs", "pairs", "definitions"):
        assert window.section(name).is_visible()
    assert window("#query-table tr[data-query] td").count() >= 10 * len(rankings.runs)
    assert re.search(r"[\u4e00-\u9fff]", window("main").inner_text()) is None
    window.open(clicks.path)
    summary = window.section("summary").inner_text()
    for model, column in clicks.models.items():
        values = pc.evaluate_binary(clicks.labels, column, CLICK_METRICS, group=clicks.users)
        assert [name for name in CLICK_METRICS if f"{values[name]:.4f}" not in summary] == [], model
    window.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_follows_the_systems_colours(opened: Opener, clicks: Clicks, scheme: str) -> None:
    window = opened(clicks.path, color_scheme=scheme)
    background, ink = window.page.evaluate(LUMINANCE)
    assert (background < 0.2 and ink > 0.75) if scheme == "dark" else (background > 0.9 and ink < 0.3)
    window.page.emulate_media(media="print")
    background, ink = window.page.evaluate(LUMINANCE)
    assert background > 0.95
    assert ink < 0.3
    window.context.close()


def test_prints_without_controls(click_page: Viewer) -> None:
    click_page.page.emulate_media(media="print")
    try:
        assert click_page("#lang").is_hidden()
        assert click_page("[data-copy]").first.is_hidden()
        assert click_page.section("summary").is_visible()
        paper = click_page.page.pdf(format="A4")
        assert len(re.findall(rb"/Type\s*/Page\b", paper)) in range(1, 30)
    finally:
        click_page.page.emulate_media(media="screen")


def test_a_telephone_does_not_scroll_sideways(opened: Opener, rankings: Rankings, clicks: Clicks) -> None:
    window = opened(rankings.path, viewport={"width": 390, "height": 844})
    wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert window.page.evaluate(wide) <= 0
    window.open(clicks.path)
    assert window.page.evaluate(wide) <= 0
    window.context.close()
