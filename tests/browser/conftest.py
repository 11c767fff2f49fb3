"""One headless chromium for these tests, and reports opened in it as a reader would: files on the disk."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from . import made
from .made import Clicks, Rankings
from .viewer import Viewer

CHROMIUM = shutil.which("chromium")
ABSENT = "NO BROWSER TESTS: there is no chromium on this machine (as root: apt-get install chromium fonts-noto-cjk)"

Opener = Callable[..., Viewer]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what opens a browser."""
    for item in items:
        if item.nodeid.startswith("tests/browser/"):
            item.add_marker(pytest.mark.deep("opens pages in chromium"))


@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    """The one browser. It lives for this package only: while it runs, no other event loop can run in the same thread."""
    if CHROMIUM is None:
        pytest.skip(ABSENT)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="package")
def opened(browser: Any) -> Opener:
    """Open a file in the browser; what was opened closes with it."""

    def opener(path: Any, **context: Any) -> Viewer:
        return Viewer(browser, path, **context)

    return opener


@pytest.fixture(scope="package")
def rankings(tmp_path_factory: pytest.TempPathFactory) -> Rankings:
    """Three runs over eighty queries, and their report."""
    return made.rankings(tmp_path_factory.mktemp("rankings"))


@pytest.fixture(scope="package")
def clicks(tmp_path_factory: pytest.TempPathFactory) -> Clicks:
    """Two models of clicks, one with many ties, and their report."""
    return made.clicks(tmp_path_factory.mktemp("clicks"))


@pytest.fixture(scope="package")
def _ranking_window(opened: Opener, rankings: Rankings) -> Viewer:
    return opened(rankings.path)


@pytest.fixture(scope="package")
def _click_window(opened: Opener, clicks: Clicks) -> Viewer:
    return opened(clicks.path)


def _fresh(window: Viewer, path: Path) -> Iterator[Viewer]:
    """The page as it first opens; whatever a test does with it, nothing may complain or leave the file."""
    window.page.goto("about:blank")
    window.complaints.clear()
    window.requests.clear()
    window.open(path)
    yield window
    assert window.slips() == []
    assert window.complaints == []
    assert window.asked_elsewhere() == []


@pytest.fixture
def ranking_page(_ranking_window: Viewer, rankings: Rankings) -> Iterator[Viewer]:
    """The report of the rankings, freshly opened."""
    yield from _fresh(_ranking_window, rankings.path)


@pytest.fixture
def click_page(_click_window: Viewer, clicks: Clicks) -> Iterator[Viewer]:
    """The report of the clicks, freshly opened."""
    yield from _fresh(_click_window, clicks.path)
