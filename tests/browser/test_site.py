"""The documentation site is built without a warning, and read from the disk in chromium: both languages, light and dark, on a phone, searched."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
MKDOCS = ROOT / "build" / "site" / "venv" / "bin" / "python"
SEEN = ("index", "start/clicks", "guides/significance", "cookbook", "metrics", "metrics/ranking/ndcg", "metrics/binary/gauc", "api/calls", "migrate/ranx", "benchmarks", "how-it-works")  # fmt: skip
WIDTHS = {"desk": 1280, "phone": 390}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site, as `make site` builds it."""
    if not MKDOCS.exists():
        pytest.skip("NO SITE TESTS: make site installs mkdocs into build/site/venv")
    folder = tmp_path_factory.mktemp("site")
    paths = [*filter(None, [os.environ.get("PYTHONPATH")]), str(ROOT / "scripts")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "NO_MKDOCS_2_WARNING": "1"}
    subprocess.run([sys.executable, "-m", "website.build", str(folder)], env=environment, check=True)
    for lang in ("zh", "en"):
        command = [str(MKDOCS), "-m", "mkdocs", "build", "--quiet", "--config-file", str(folder / f"mkdocs.{lang}.yml")]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        assert "WARNING" not in done.stderr
    return folder / "html"


class Reader:
    """One window, and everything that its pages complained about or asked the network for."""

    def __init__(self, browser: Any, **context: Any) -> None:
        self.page = browser.new_context(**context).new_page()
        self.complaints: list[str] = []
        self.page.on("console", lambda message: self.complaints.extend([message.text] * (message.type == "error")))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.complaints.extend([request.url] * request.url.startswith("http")))

    def open(self, path: Path) -> None:
        """Open a file."""
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("article h1")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("device", WIDTHS)
@pytest.mark.parametrize("folder", ["", "en"])
def test_pages_open_in_silence_and_fit(site: Path, browser: Any, folder: str, device: str, scheme: Any) -> None:
    reader = Reader(browser, viewport={"width": WIDTHS[device], "height": 900}, color_scheme=scheme)
    for name in SEEN:
        reader.open(site / folder / f"{name}.html")
        wide = reader.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 1, (name, wide)
        shown = reader.page.evaluate("document.body.getAttribute('data-md-color-scheme')")
        assert shown == {"light": "default", "dark": "slate"}[scheme]
    assert reader.complaints == []


def test_formulas_are_typeset(site: Path, browser: Any) -> None:
    reader = Reader(browser)
    reader.open(site / "metrics" / "ranking" / "ndcg.html")
    above, under = reader.page.evaluate(
        "[...document.querySelector('mfrac').children].map(part => part.getBoundingClientRect().top)"
    )
    assert under > above


def test_commands_are_copied_without_their_prompt(site: Path, browser: Any) -> None:
    reader = Reader(browser, viewport={"width": 1280, "height": 900})
    reader.open(site / "en" / "start" / "clicks.html")
    reader.page.wait_for_selector(".md-code__button", state="attached")
    reader.page.evaluate(
        "document.addEventListener('copy', () => { window.copied = document.activeElement.value }, true)"
    )
    reader.page.locator(".md-code__button").first.click(force=True)
    reader.page.wait_for_function("window.copied")
    copied = reader.page.evaluate("window.copied").splitlines()
    assert copied[0] == "pingce demo --data demo"
    assert copied[1].startswith("pingce eval demo/ctr_log.parquet ")


@pytest.mark.parametrize("name", SEEN)
def test_the_switch_leads_to_the_same_page(site: Path, browser: Any, name: str) -> None:
    reader = Reader(browser)
    reader.open(site / f"{name}.html")
    reader.page.click("a.language")
    reader.page.wait_for_url((site / "en" / f"{name}.html").as_uri())
    reader.page.click("a.language")
    reader.page.wait_for_url((site / f"{name}.html").as_uri())


@pytest.mark.parametrize(
    ("folder", "words", "title"), [("", "并列", "并列"), ("", "置换检验", "差异"), ("en", "gauc", "GAUC")]
)
def test_search_works_from_the_disk(site: Path, browser: Any, folder: str, words: str, title: str) -> None:
    reader = Reader(browser, viewport={"width": 1280, "height": 900})
    reader.open(site / folder / "index.html")
    reader.page.focus(".md-search__input")  # the index is loaded when somebody wants to search
    ready = "['键入以开始搜索', 'Type to start searching'].includes(document.querySelector('.md-search-result__meta').textContent.trim())"
    reader.page.wait_for_function(ready, timeout=60_000)
    reader.page.fill(".md-search__input", words)
    reader.page.press(".md-search__input", "End")  # it listens to keys
    reader.page.wait_for_selector(".md-search-result__item", timeout=30_000)
    found = reader.page.locator(".md-search-result__item h1").all_inner_texts()
    assert any(title in text.replace("\u200b", "") for text in found)


@pytest.mark.parametrize("folder", ["", "en"])
def test_the_reference_speaks_the_language_of_its_pages(site: Path, browser: Any, folder: str) -> None:
    reader = Reader(browser)
    checked = 0
    for path in sorted((site / folder / "api").glob("*.html")):
        reader.open(path)
        for text in reader.page.locator(".doc-contents > p").all_inner_texts():
            assert bool(re.search("[\u4e00-\u9fff]", text)) == (folder == ""), (path.name, text)
            checked += 1
    assert checked > 600


def test_every_link_within_the_site_leads_somewhere(site: Path) -> None:
    checked = 0
    for path in site.rglob("*.html"):
        if path.name == "404.html":
            continue
        for target in re.findall(r'(?:href|src)="([^"#?:]+)["#?]', path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), (path.name, target)
            checked += 1
    assert checked > 10_000
