"""The documentation site, before mkdocs: no page is missing, no link is dead, every name and metric has its place, formulas lose nothing."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

import pingce as pc
from pingce.base.text import LANGUAGES, use_language
from pingce.tasks import TASKS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
LINK = re.compile(r"\]\(([^)\s]+)\)|<img src=\"([^\"]+)\"")


@pytest.fixture(scope="module")
def website() -> Iterator[SimpleNamespace]:
    """The generator's modules."""
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        from website import bars, build, chinese, commands, figures, formula, metric_pages, nav, reference, sources

        yield SimpleNamespace(
            bars=bars, build=build, chinese=chinese, commands=commands, figures=figures, formula=formula, metrics=metric_pages, nav=nav, reference=reference, sources=sources
        )  # fmt: skip
    finally:
        sys.path.remove(str(ROOT / "scripts"))


def test_every_page_is_in_the_navigation_once(website: SimpleNamespace) -> None:
    listed = [page.source(lang) for page in website.nav.pages() for lang in LANGUAGES]
    assert sorted(set(listed)) == website.sources.written_pages()
    paths = [page.path for page in website.nav.pages()]
    assert len(set(paths)) == len(paths)


def test_pages_without_a_twin_hold_both_languages(website: SimpleNamespace) -> None:
    both = [page.name for page in website.nav.pages() if len({page.source(lang) for lang in LANGUAGES}) == 1]
    assert both == ["glossary.md", "slips.md"]


def without_code(text: str) -> str:
    return re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)


def anchors(path: Path) -> set[str]:
    heads = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def test_every_link_of_every_page_leads_somewhere() -> None:
    pages = [*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "README.zh-CN.md", ROOT / "CONTRIBUTING.md"]
    checked = 0
    for page in pages:
        for groups in LINK.findall(without_code(page.read_text(encoding="utf-8"))):
            file, _, anchor = "".join(groups).partition("#")
            if re.match(r"https?:|mailto:", file):
                continue
            target = (page.parent / file).resolve() if file else page
            assert target.exists(), (page.name, file)
            assert not anchor or anchor in anchors(target), (page.name, file, anchor)
            checked += 1
    assert checked > 400


@pytest.mark.parametrize("lang", LANGUAGES)
def test_links_within_the_site_stay_in_the_language(website: SimpleNamespace, lang: Any) -> None:
    """Pages of a language link to pages of the same language, also where they stand beside each other in docs/."""
    here = {page.source(lang) for page in website.nav.pages()}
    for page in sorted(here):
        text = re.sub(r"^\[(中文|English)\].*$", "", without_code(page.read_text(encoding="utf-8")), flags=re.MULTILINE)
        if page.name in ("glossary.md", "slips.md"):
            continue
        for groups in LINK.findall(text):
            target = (page.parent / "".join(groups).partition("#")[0]).resolve()
            assert target.suffix != ".md" or target in here or DOCS not in target.parents, (page.name, groups)


def test_a_page_for_its_place(website: SimpleNamespace, tmp_path: Path) -> None:
    source = DOCS / "guides" / "made-up.md"
    written = tmp_path / "page.md"
    written.write_text(
        "# Title\n\n[中文](made-up.zh-CN.md)\n\n[a](../engines.md#batches) [b](../en/ndcg.md) [c](../../CONTRIBUTING.md)\n"
        "```\n[d](../engines.md)\n```\n<!-- words one two -->\nold\n<!-- end -->\n<!-- other -->\n",
        encoding="utf-8",
    )

    class At(type(source)):  # type: ignore[misc]
        def read_text(self, encoding: str = "utf-8") -> str:
            return written.read_text(encoding=encoding)

    text = website.sources.page_text(At(source), "guides/made-up.md", {"words": lambda given: f"new {given}"})
    assert text == (
        "# Title\n\n[a](../engines.md#batches) [b](../topics/ndcg.md) c\n```\n[d](../engines.md)\n```\nnew one two\n<!-- other -->\n"
    )


def test_generated_tables_keep_their_links(website: SimpleNamespace) -> None:
    tables = {
        "metrics": lambda _: website.metrics.metric_tables("metrics.md"),
        "names": lambda _: website.reference.reference_index(website.chinese.first_lines()),
    }
    text = website.sources.page_text(DOCS / "metrics.md", "metrics.md", tables)
    assert "| [`ndcg@k`](metrics/ranking/ndcg.md) |" in text
    text = website.sources.page_text(DOCS / "api" / "index.md", "api/index.md", tables)
    assert "| [`evaluate_ranking`](calls.md#pingce.api.evaluate_ranking) |" in text


def test_drawings_stand_within_pages(website: SimpleNamespace) -> None:
    text = website.sources.page_text(DOCS / "how-it-works.md", "how-it-works.md", {})
    assert text.count("<svg ") == 3
    assert "<style>" not in text
    for lang in LANGUAGES:
        for name in website.figures.FIGURES:
            ElementTree.fromstring((DOCS / "images" / f"{name}.{lang}.svg").read_text(encoding="utf-8"))


def test_every_public_name_is_in_the_reference(website: SimpleNamespace) -> None:
    names = website.reference.public_names()
    assert set(names) | {"__version__"} == set(dir(pc))
    pages = "\n".join(website.reference.reference_pages().values())
    index = website.reference.reference_index(website.chinese.first_lines())
    for name, module in names.items():
        assert pages.count(f"::: {module}.{name}\n") == 1, name
        assert f"[`{name}`](" in index
        assert website.reference.room_of(module) is not website.reference.OTHER, module


def test_names_of_other_modules_are_where_the_reference_looks_for_them(website: SimpleNamespace) -> None:
    for path in website.reference._ELSEWHERE:
        module, _, name = path.rpartition(".")
        text = (ROOT / "src" / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
        assert re.search(rf"^(def|class) {name}\b", text, flags=re.MULTILINE), path


@pytest.mark.parametrize("lang", LANGUAGES)
def test_formulas_lose_no_sign(website: SimpleNamespace, lang: Any) -> None:
    """Brackets and slashes become fractions, signs below and above the line; everything else is there, in its order."""
    use_language(lang)
    signs = str.maketrans({"²": "2", "⁺": "+", "⁻": "−", **dict.fromkeys(" \n(){}/^_,，;；√\xa0")})
    for task in TASKS:
        for kind in website.metrics.kinds(task):
            lines = website.formula.formula_lines(str(kind.formula), website.metrics.names())
            for line in lines:
                ElementTree.fromstring(f"<p>{line}</p>")
            shown = unescape(re.sub(r"<[^>]+>", "", "".join(lines)))
            assert shown.translate(signs) == str(kind.formula).translate(signs), kind.name


@pytest.mark.parametrize(
    ("formula", "fraction"),
    [
        ("a = b / c", ("<mi>b</mi>", "<mi>c</mi>")),
        ("a = Σ_i b_i / c", ("<munder>", "<mi>c</mi>")),
        ("a = Σ_i b / i", ("<mi>b</mi>", "<mi>i</mi>")),
        ("a = Σ_b n / m · d", ("<mi>n</mi>", "<mi>m</mi>")),
        ("a = (b + c) / min(n, k)", ("<mi>b</mi><mo>+</mo><mi>c</mi>", "min")),
    ],
)
def test_how_far_a_fraction_reaches(website: SimpleNamespace, formula: str, fraction: tuple[str, str]) -> None:
    (line,) = website.formula.formula_lines(formula, frozenset())
    top, bottom = ElementTree.fromstring(line).iter("{http://www.w3.org/1998/Math/MathML}mfrac").__next__()
    for part, begin in zip((top, bottom), fraction, strict=True):
        text = ElementTree.tostring(part, encoding="unicode", default_namespace=None)
        assert re.sub(r"</?(ns0:)?mrow[^>]*>|ns0:| xmlns[^>]*(?=>)", "", text).startswith(begin) or begin in text, text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_metric_page_says_all_that_its_declaration_says(website: SimpleNamespace, lang: Any) -> None:
    use_language(lang)
    for task, name in (
        ("ranking", "ndcg"),
        ("binary", "gauc"),
        ("regression", "mape"),
        ("ranking", "coverage"),
        ("binary", "gap"),
    ):
        kind = next(kind for kind in website.metrics.kinds(task) if kind.name == name)
        page = website.metrics.metric_page(kind)
        for words in (kind.about.question, kind.about.blind, kind.title):
            assert website.metrics.markdown_text(str(words)) in page
        assert "<math " in page
        assert all(f"`{alias}`" in page for alias in kind.aliases)
    page = website.metrics.metric_page(website.metrics.registry("ranking")["ndcg"])
    assert "0.957478" in page
    assert "| [ranx](../../tools/ranx.md) | `ndcg@{k}` |" in page


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_row_of_the_benchmarks_is_on_the_page(website: SimpleNamespace, lang: Any) -> None:
    use_language(lang)
    page = website.bars.benchmark_page()
    assert page.count("\n| ") > 100
    drawing = re.search(r"<svg .*?</svg>", page, flags=re.DOTALL)
    assert drawing is not None
    ElementTree.fromstring(drawing[0])


def leaves(entries: Any) -> list[str]:
    """The paths of a navigation, in order."""
    if isinstance(entries, str):
        return [entries]
    nested = entries.values() if isinstance(entries, dict) else entries
    return [path for entry in nested for path in leaves(entry)]


def test_both_languages_have_the_same_pages_in_the_same_order(website: SimpleNamespace, tmp_path: Path) -> None:
    chinese, english = (website.build.settings(lang, tmp_path) for lang in ("zh", "en"))
    paths = leaves(chinese["nav"])
    assert paths == leaves(english["nav"])
    assert len(set(paths)) == len(paths)
    assert {page.path for page in website.nav.pages()} <= set(paths)
    assert {website.metrics.metric_path(kind) for task in TASKS for kind in website.metrics.kinds(task)} <= set(paths)


def test_nothing_of_the_site_comes_from_elsewhere(website: SimpleNamespace, tmp_path: Path) -> None:
    for lang in LANGUAGES:
        settings = website.build.settings(lang, tmp_path)
        assert settings["strict"]
        assert settings["theme"]["font"] is False
        assert "http" not in json.dumps(settings)
    assets = ROOT / "scripts" / "website" / "theme"
    assert not any("http" in path.read_text(encoding="utf-8") for path in assets.rglob("*") if path.is_file())


def test_long_sentences_of_outputs_are_folded(website: SimpleNamespace) -> None:
    use_language("zh")
    shown = website.commands.output("pingce explain ndcg@5 --grades 3,2,3,0,1")
    assert shown.startswith("```text\nndcg@5 · 归一化")
    fold = website.commands._folded
    assert fold("a  row of  a table " * 20) == "a  row of  a table " * 20
    assert max(map(len, fold("word " * 60).splitlines())) <= website.commands.WIDEST
    assert max(map(len, fold("一句很长的话，" * 30).splitlines())) <= website.commands.WIDEST // 2 + 1
    assert fold("一句很长的话，" * 30).replace("\n", "") == "一句很长的话，" * 30
    first, *others = fold("  Between models  " + "word " * 60 + "end.").splitlines()
    assert first.startswith("  Between models  word word")
    assert {len(line) - len(line.lstrip()) for line in others} == {18}
    assert max(map(len, [first, *others])) <= website.commands.WIDEST
    assert len(others) > 3
