"""Writes the pages and the settings of both languages into build/site: `python -m website.build`, then mkdocs makes the site of them."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

from pingce.base.text import LANGUAGES, Language, Text, use_language
from pingce.conventions.declared import conventions
from pingce.metrics.catalogue import heading
from pingce.tasks import TASKS
from website.bars import benchmark_page
from website.chinese import chinese_docstrings, first_lines
from website.commands import output
from website.metric_pages import kinds, metric_pages, metric_path, metric_tables, tool_pages, tool_table
from website.nav import DOCS, ROOT, Section, pages, sections
from website.reference import reference_index, reference_pages
from website.sources import Part, images, page_text, title

HERE = Path(__file__).resolve().parent
TWINS: dict[Language, tuple[Language, str, str]] = {"zh": ("en", "en/", "English"), "en": ("zh", "../", "中文")}
"The other language of each, the way to its pages, and its name."
TEXTS = "docstrings.zh.json"
"The Chinese docstrings of the reference, for mkdocs."
_WIDE = "---\nhide:\n  - navigation\n  - toc\n---\n"
NAME = Text("pingce: exact, explained, fast evaluation", "评测 pingce：精确、讲清楚、快")
ABOUT = Text(
    "Measure rankings, recommendations, click predictions, classifiers and numbers.",
    "衡量排序、推荐、点击预估、分类与数值预测的好坏。",
)


def parts(page: str) -> dict[str, Part]:
    """What fills the marked places of a page."""
    return {
        "metrics": lambda _: metric_tables(page),
        "tool": lambda name: tool_table(name, depth=1).split("\n", 1)[1],
        "names": lambda _: reference_index(first_lines()),
        "run": output,
    }


def write_pages(lang: Language, target: Path) -> None:
    """All pages of a language."""
    use_language(lang)
    shown: set[str] = set()
    for page in pages():
        text = page_text(page.source(lang), page.path, parts(page.path))
        _write(target / page.path, _WIDE + text if page.path == "index.md" else text)
        shown.update(images(text))
    for place, text in {
        **metric_pages(),
        **tool_pages(),
        **reference_pages(),
        "benchmarks.md": benchmark_page(),
    }.items():
        _write(target / place, text)
    for name in shown:
        (target / "images").mkdir(exist_ok=True)
        shutil.copy(DOCS / "images" / name, target / "images" / name)
    shutil.copytree(HERE / "theme" / "assets", target / "assets", dirs_exist_ok=True)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def navigation(lang: Language) -> list[Any]:
    """The tabs and their pages, as mkdocs wants them."""
    use_language(lang)
    return [_entry(section, lang) for section in sections()]


def _entry(section: Section, lang: Language) -> Any:
    listed: list[Any] = [{title(page.source(lang), lang): page.path} for page in section.pages]
    listed += [_entry(part, lang) for part in section.parts]
    listed += _generated(section.generated)
    first = next(iter(listed[0].values())) if isinstance(listed[0], dict) else listed[0]
    return {str(section.title): first if len(listed) == 1 else listed}


def _generated(name: str) -> list[Any]:
    if name == "metrics":
        return [{heading(task): [{kind.name: metric_path(kind)} for kind in kinds(task)]} for task in TASKS]
    if name == "tools":
        return [{tool.title: f"tools/{key}.md"} for key, tool in conventions().items()]
    if name == "api":
        return list(reference_pages())
    return ["benchmarks.md"] if name == "benchmarks" else []


def settings(lang: Language, folder: Path) -> dict[str, Any]:
    """What mkdocs is told; JSON is YAML too."""
    other, way, name = TWINS[lang]
    site = folder / "html" if lang == "zh" else folder / "html" / lang
    use_language(lang)
    return {
        "site_name": str(NAME),
        "site_description": str(ABOUT),
        "docs_dir": str(folder / "pages" / lang),
        "site_dir": str(site),
        "theme": {
            "name": "material",
            "custom_dir": str(HERE / "theme"),
            "language": lang,
            "font": False,
            "palette": [_palette("default", "slate"), _palette("slate", "default")],
            "features": ["navigation.tabs", "navigation.tabs.sticky", "navigation.prune", "navigation.top", "navigation.footer", "toc.follow", "content.code.copy", "search.highlight"],
            "icon": {"logo": "material/scale-balance"},
        },
        "extra": {"twin": way, "twin_lang": other, "twin_name": name, "alternate": True, "generator": False, "polyfills": ["assets/iframe-worker.js"]},
        "extra_css": ["assets/site.css"],
        "hooks": [str(HERE / "hooks.py")],
        "plugins": [
            {"search": {"lang": ["zh", "en"] if lang == "zh" else ["en"]}},
            "offline",
            {"mkdocstrings": {"handlers": {"python": _python(lang, folder)}}},
        ],
        "markdown_extensions": ["admonition", "attr_list", "md_in_html", "tables", {"toc": {"permalink": "¶"}}, {"pymdownx.highlight": {"pygments_lang_class": True}}, "pymdownx.superfences"],
        "nav": navigation(lang),
        "strict": True,
    }  # fmt: skip


def _palette(scheme: str, other: str) -> dict[str, Any]:
    dark = scheme == "slate"
    media = f"(prefers-color-scheme: {'dark' if dark else 'light'})"
    icon = "material/weather-sunny" if dark else "material/weather-night"
    words = {"slate": Text("dark", "深色"), "default": Text("light", "浅色")}
    toggle = {"icon": icon, "name": str(words[other])}
    return {"media": media, "scheme": scheme, "primary": "custom", "accent": "custom", "toggle": toggle}


def _python(lang: Language, folder: Path) -> dict[str, Any]:
    translation = {str(HERE / "translation.py"): {"texts": str(folder / TEXTS)}}
    options = {
        "docstring_style": None,
        "extensions": [*[translation] * (lang == "zh"), str(HERE / "doctests.py")],
        "heading_level": 2,
        "show_root_heading": True,
        "show_root_full_path": False,
        "show_source": False,
        "show_bases": False,
        "members_order": "source",
        "filters": ["!^_"],
        "separate_signature": True,
        "show_signature_annotations": True,
        "line_length": 96,
        "signature_crossrefs": False,
    }
    return {"paths": [str(ROOT / "src")], "options": options}


def main() -> int:
    """Write everything below the folder that is named, build/site by default."""
    folder = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else ROOT / "build" / "site"
    shutil.rmtree(folder / "pages", ignore_errors=True)
    _write(folder / TEXTS, json.dumps(chinese_docstrings(), ensure_ascii=False, indent=1))
    for lang in LANGUAGES:
        write_pages(lang, folder / "pages" / lang)
        text = json.dumps(settings(lang, folder), ensure_ascii=False, indent=1)
        _write(folder / f"mkdocs.{lang}.yml", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
