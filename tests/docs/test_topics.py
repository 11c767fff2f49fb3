"""The topic pages: up to date, the same in both languages, and every number on them is what the command gives."""

from __future__ import annotations

import json
import math
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import pytest

import pingce as pc
from pingce.cli import run

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
CHINESE = re.compile("[\u4e00-\u9fff]")
NAMES = sorted(path.name for path in (DOCS / "en").glob("*.md"))
TOPICS = [name for name in NAMES if name not in ("index.md", "conventions.md")]

# Worked examples of the notes: what each page must work out. Fractions are exact, other figures have 13 digits.
WORKED = {
    "ndcg": "9 12.77964206795 0.9574784666413 0.9723642841729 0.8183541904923 0.9608081943361 0.7812708867825 "
    "0.8645478846265 7 4.416508275 3.5",
    "precision-recall": "3/5 1/5 2/5",
    "map": "93/112 34/45 7993/10080 2/3 13/60 13/40 1/2 61/90",
    "mrr": "17/40 11/18 1/3",
    "hit-rate": "2/3 1/2 1",
    "auc": "5/12 7/12",
    "logloss": "0.6733445532638 0.0100503358535 6.907755278982 0.3080930697119 1.3",
    "imbalance": "0.99999997625 0 –",
    "f1": "85/126 5/7 107/147 12/17",
    "regression": "1/2 0.6123724356958",
    "gauc": "11/15 1/2 2/3",
    "pr-bep": "2/3 0.325 1/2",
    "watch-time": "9/10 4/5 2/3 1 3/5 9/20 3/4 37/38 113/120",
    "uplift": "-0.4393939393939 -0.8231292517007 0.1921296296296 -0.3240740740741 -0.3333333333333 0",
    "off-policy": "31/20 31/35 4/5 3/8 249/200 1221/1400 1.831091180867 5 5/7 7/4",
    "multilabel": "7/9 4/5 5/6 2/3 2/9 5/2 5/12 1/3 1 3",
    "intents": "0.6460139440383 0.8488398459141 0.6208651399491 61/73 37/64 37/47 5/12 41/72 2/3 2",
    "what-is-shown": "5/6 1 5/4 5 5/7 9/22 4/11 2.118078209350 1.468139939016 0.2936279878032 35/24 17/12 24/11 2/3 3/4 37/24 37/192 5/3 "
    "17/11 1/6 7/24 4/9 193/360 0.3820153135023",
}


def page(name: str, lang: str) -> str:
    return (DOCS / lang / name).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def topics() -> Iterator[ModuleType]:
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        import topics

        yield topics
    finally:
        sys.path.remove(str(ROOT / "scripts"))


def test_pages_are_up_to_date_and_a_stale_one_is_found(topics: ModuleType, tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    for lang in ("zh", "en"):
        shutil.copytree(DOCS / lang, docs / lang)
    (docs / "en" / "map.md").write_text("something else", encoding="utf-8")
    (docs / "zh" / "mrr.md").unlink()
    (docs / "zh" / "old.md").write_text("no longer a topic", encoding="utf-8")
    assert sorted(topics.outdated(docs, rewrite=True)) == ["en/map.md", "zh/mrr.md", "zh/old.md"]
    for lang in ("zh", "en"):
        made = {path.name: path.read_bytes() for path in (docs / lang).iterdir()}
        assert made == {path.name: path.read_bytes() for path in (DOCS / lang).iterdir()}


def numbers(text: str) -> list[str]:
    """Of two digits or more, outside the lists of what metrics say about themselves: words say small ones."""
    kept = "\n".join(line for line in text.splitlines() if not line.startswith("- "))
    found = re.findall(r"\d+(?:[.,]\d+)*(?:e-\d+)?", kept)
    return sorted(number for number in found if len(number) > 1)


def blocks(text: str) -> list[str]:
    return re.findall(r"```\w+\n.*?```", text, flags=re.DOTALL)


def outline(text: str) -> list[str]:
    """Headings, table rows, list items and boxes, each by its kind."""
    kinds = ("# ", "## ", "### ", "| ", "- ", "> ", "**", "*")
    found = (next((kind for kind in kinds if line.startswith(kind)), "") for line in text.splitlines())
    return [kind for kind in found if kind]


def test_both_languages_have_the_same_pages() -> None:
    assert sorted(path.name for path in (DOCS / "zh").glob("*.md")) == NAMES
    assert len(TOPICS) >= 17
    assert {name.removesuffix(".md") for name in TOPICS} >= set(WORKED)


@pytest.mark.parametrize("name", NAMES)
def test_both_languages_have_the_same_shape(name: str) -> None:
    english, chinese = page(name, "en"), page(name, "zh")
    assert blocks(english) == blocks(chinese)
    assert outline(english) == outline(chinese)
    if name != "conventions.md":  # there notes of the tools are worded freely
        assert numbers(english) == numbers(chinese)


def prose(text: str) -> str:
    """Without code, comments, links to the other language, and names with a bracket or an underscore."""
    for pattern in (r"```.*?```", r"`[^`]*`", r"<!--.*?-->", r"\[(English|中文)\]\([^)]*\)", r"\]\([^)]*\)"):
        text = re.sub(pattern, " ", text, flags=re.DOTALL)
    return text


@pytest.mark.parametrize("name", NAMES)
def test_each_page_speaks_one_language(name: str) -> None:
    assert CHINESE.findall(prose(page(name, "en"))) == []
    assert re.findall(r"[A-Za-z]+(?: [a-z]+){3,}", prose(page(name, "zh"))) == []


def test_every_link_leads_somewhere() -> None:
    for lang in ("en", "zh"):
        for name in NAMES:
            for link in re.findall(r"\]\(([^)]+\.md)\)", page(name, lang)):
                assert (DOCS / lang / link).exists(), (lang, name, link)
    listed = {lang: re.findall(r"\]\(([a-z0-9-]+\.md)\)", page("index.md", lang)) for lang in ("en", "zh")}
    assert sorted(listed["zh"]) == sorted(listed["en"]) == [name for name in NAMES if name != "index.md"]


def same(shown: str, value: float | None) -> bool:
    if value is None or math.isnan(value):
        return shown == "–"
    return shown == f"{value:.13g}"


def commands(text: str) -> list[tuple[str, str]]:
    shell = "\n".join(block for block in blocks(text) if block.startswith("```sh"))
    return [(line, shown) for line, shown in re.findall(r"^(pingce .*?) +# (\S+)$", shell, flags=re.MULTILINE)]


@pytest.mark.parametrize("name", TOPICS)
def test_every_command_gives_the_number_behind_it(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    text = page(name, "en")
    found = commands(text)
    lines = [line for block in blocks(text) if block.startswith("```sh") for line in block.splitlines()[1:-1]]
    assert len(found) == len(lines)
    assert found or "```python" in text
    for line, shown in dict.fromkeys(found):
        assert run([*shlex.split(line)[1:], "-f", "json"]) == 0
        value = json.loads(capsys.readouterr().out)["value"]
        assert same(shown, value), (line, shown, value)


@pytest.mark.parametrize("name", TOPICS)
@pytest.mark.filterwarnings("ignore")
def test_every_line_of_code_gives_the_number_behind_it(name: str) -> None:
    for block in blocks(page(name, "en")):
        if not block.startswith("```python"):
            continue
        names: dict[str, object] = {}
        lines = block.splitlines()[1:-1]
        exec("\n".join(line for line in lines if "#" not in line), names)
        claims = [line.split("  # ") for line in lines if "#" in line]
        assert claims
        for call, shown in claims:
            assert same(shown, eval(call, names)), call


@pytest.mark.parametrize("name", sorted(WORKED))
def test_the_worked_examples_of_the_notes_are_there(name: str) -> None:
    found = {shown for _, shown in commands(page(f"{name}.md", "en"))}
    found |= set(re.findall(r"  # (\S+)$", page(f"{name}.md", "en"), flags=re.MULTILINE))
    for figure in WORKED[name].split():
        assert figure in found or f"{float(Fraction(figure)):.13g}" in found, figure


def slips() -> list[list[str]]:
    lines = (DOCS / "slips.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines if line.startswith("| ")]
    return rows[1:]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_slip_is_explained_on_the_page_it_links_to(lang: str) -> None:
    assert len(slips()) == 6
    for _, note, right, _, links in slips():
        link = next(link for link in re.findall(r"\(([^)]+)\)", links) if link.startswith(lang))
        boxes = [line for line in (DOCS / link).read_text(encoding="utf-8").splitlines() if line.startswith("> **")]
        assert any(f" {note}" in box and f" {right}" in box for box in boxes), (note, right)


def test_no_page_has_a_slip_that_is_not_listed() -> None:
    boxes = [line for name in NAMES for line in page(name, "en").splitlines() if line.startswith("> **")]
    assert len(boxes) == len(slips())


NUMBER = r"\d+(?:\.\d+)?(?:e-\d+)?"
SUM = re.compile(rf"((?:{NUMBER} \+ )+{NUMBER}) = ({NUMBER})")
RATIO = re.compile(rf"(?<![\d.])({NUMBER}) / ({NUMBER}) = ({NUMBER})")


def within(shown: str, value: float, slack: float = 0.0) -> bool:
    """Whether a printed number is the value, rounded; `slack` is what rounded terms may add."""
    places = len(shown.partition(".")[2])
    unit = 10.0**-places if "e" not in shown else value * 1e-3
    return abs(float(shown) - value) <= unit * (0.5 + slack) + 1e-12


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_arithmetic_in_the_boxes_is_right(lang: str) -> None:
    text = "\n".join(line for name in NAMES for line in page(name, lang).splitlines() if line.startswith("> "))
    sums, ratios = SUM.findall(text), RATIO.findall(text)
    assert len(sums) >= 6
    assert len(ratios) >= 9
    for terms, total in sums:
        parts = [float(term) for term in terms.split(" + ")]
        exact = len(total.partition(".")[2]) == 2  # terms of the notes; others are shown rounded to four decimals
        assert within(total, sum(parts), slack=0 if exact else len(parts) / 2), (terms, total)
    for above, below, shown in ratios:
        assert within(shown, float(above) / float(below), slack=0.5), (above, below, shown)


def slipped(logarithms: Callable[[int], float], ideal: Callable[[int], float]) -> float:
    ratings = [4, 5, 2, 3, 1]
    best = sorted(ratings, reverse=True)
    gained = math.fsum((2.0**grade - 1) / logarithms(rank + 1) for rank, grade in enumerate(ratings, 1))
    return gained / math.fsum((2.0**grade - 1) / ideal(rank + 1) for rank, grade in enumerate(best, 1))


def test_the_logarithms_of_the_ratings() -> None:
    """Rounded ones do not give the note's 0.861; one that is wrong does."""
    assert slipped(math.log2, math.log2) == pytest.approx(0.8645478846265, rel=1e-12)
    rounded = [round(slipped(by, by), 3) for by in (lambda i: round(math.log2(i), 2), lambda i: round(math.log2(i), 1))]
    assert 0.861 not in rounded
    assert round(slipped(lambda i: 1.6 if i == 3 else math.log2(i), math.log2), 3) == 0.861


def test_the_same_list_under_every_tool() -> None:
    """The figures that were worked out by hand from the tools' formulas stand on the conventions page."""
    text = page("conventions.md", "en")
    tables = dict(re.findall(r"^### (\S+)\n\n(.*?)(?=^##)", text, re.MULTILINE | re.DOTALL))
    for metric, tool, value in (
        ("ndcg@10", "ranx", "0.5965"),
        ("ndcg@10", "recbole", "0.5654"),
        ("ndcg@10", "rectools", "0.3188"),
        ("ndcg@10", "lenskit", "0.6166"),
        ("ndcg@10", "sklearn", "0.6504"),
        ("ndcg@10", "fuxictr", "0.6396"),
        ("ndcg@3", "rectools", "0.2961"),
        ("ap@3", "recbole", "0.1667"),
        ("ap@10", "torchmetrics", "0.5333"),
        ("precision@10", "lenskit", "0.6000"),
        ("recall@3", "lenskit", "0.3333"),
    ):
        row = next(line for line in tables[metric].splitlines() if line.startswith(f"| {tool} "))
        assert f" {value} |" in row, row
    assert {tool.replace("_", r"\_") for tool in pc.conventions.declared.conventions()} <= set(
        re.findall(r"^\| (\S+) \|", text, re.MULTILINE)
    )
