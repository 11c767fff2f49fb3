"""Ids, names and labels are untrusted: whatever they hold, they are shown as text and never run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pingce as pc

from .conftest import Opener
from .hostile import BACKWARDS, IMAGE, LONG, NAMES, QUOTES, SCRIPT
from .made import DRAWS, RANKING_METRICS, drawn_runs
from .viewer import Viewer

TITLES = {"ranking": SCRIPT + IMAGE, "clicks": QUOTES, "classes": BACKWARDS}
INTRUDERS = "document.querySelectorAll('img, iframe, object, embed, base, [onerror], [onmouseover]').length"


def ranking(path: Path) -> None:
    """Queries, items and models with hostile names."""
    truth, runs = drawn_runs([*NAMES, "q1", "q2"], {IMAGE: 2.0, SCRIPT: 1.0, QUOTES: 0.5}, depth=len(NAMES))
    renamed = dict(zip((f"d{number}" for number in range(len(NAMES))), NAMES, strict=True))
    truth = {query: {renamed[item]: grade for item, grade in items.items()} for query, items in truth.items()}
    runs = {
        model: {query: {renamed[item]: score for item, score in items.items()} for query, items in run.items()}
        for model, run in runs.items()
    }
    train = {query: list(NAMES[:4]) for query in NAMES}
    items: dict[str, Any] = {"train": train, "catalog": list(NAMES)}
    pc.report(truth, runs, RANKING_METRICS, path=path, title=TITLES["ranking"], samples=DRAWS, **items)


def clicks(path: Path) -> None:
    """Models and users with hostile names."""
    random = np.random.default_rng(3)
    labels = random.integers(0, 2, 200)
    models = {name: random.random(200) for name in (IMAGE, SCRIPT, QUOTES)}
    pc.report(
        labels,
        models,
        ["auc", "gauc"],
        task="binary",
        group=random.choice(NAMES, 200),
        path=path,
        title=TITLES["clicks"],
        samples=DRAWS,
    )


def classes(path: Path) -> None:
    """Classes and models with hostile names."""
    random = np.random.default_rng(4)
    labels = random.choice(NAMES, 200)
    models = {
        name: np.where(random.random(200) < 0.6, labels, random.choice(NAMES, 200)) for name in (IMAGE, BACKWARDS)
    }
    pc.report(
        labels,
        models,
        ["accuracy", "f1(average=macro)"],
        task="multiclass",
        path=path,
        title=TITLES["classes"],
        samples=DRAWS,
    )


SHOWN = "() => [...document.querySelectorAll('tr[data-query]')].map(row => row.dataset.query)"


def use_everything(window: Viewer) -> None:
    """Press what can be pressed."""
    for selector in ("#lang", "#lang", "[data-copy]", "th button", "[data-preset]"):
        for element in window(selector).all()[:6]:
            if element.is_visible():
                element.click()
    if window("#threshold-slider").count():
        window("#threshold-slider").press("End")


def find_and_open_each(window: Viewer) -> None:
    """Search for hostile queries by their whole names, and open them."""
    assert set(NAMES) <= set(window.page.evaluate(SHOWN))
    for name in (IMAGE, SCRIPT, BACKWARDS, LONG):
        window("#query-search").fill(name)
        searched = window("#query-search").input_value()
        assert window.page.evaluate(SHOWN) == [name], searched
        window("tr[data-query]").click()
        assert window("#query-detail").get_attribute("data-query") == name
        assert name[:30] in (window("#query-detail h3").text_content() or "")
    window("#query-search").fill("")


@pytest.mark.parametrize("write", [ranking, clicks, classes])
def test_hostile_names_stay_text(opened: Opener, tmp_path: Path, write: Callable[[Path], None]) -> None:
    path = tmp_path / "hostile.html"
    write(path)
    window = opened(path)
    use_everything(window)
    if write is ranking:
        find_and_open_each(window)
    assert window.complaints == []
    assert window.asked_elsewhere() == []
    assert window.page.evaluate("window.hacked === undefined")
    assert window.page.evaluate(INTRUDERS) == 0
    assert window("script").count() == 2
    assert window.page.title() == TITLES[write.__name__]
    assert IMAGE in window("main").inner_text()
    assert window.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    window.context.close()
