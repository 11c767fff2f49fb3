"""The documents say what is true, and say the same in both languages."""

from __future__ import annotations

import dataclasses
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import pingce as pc
from pingce.evidence.policies import Policies
from pingce.tasks import TASKS

ROOT = Path(__file__).parents[2]
CHINESE = re.compile("[\u4e00-\u9fff]")


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_generated_parts_are_up_to_date(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    monkeypatch.setattr(sys, "argv", ["make_docs.py", "--check"])
    import make_docs

    assert make_docs.main() == 0, capsys.readouterr().out


def written_by_hand(text: str) -> str:
    """The text without its generated parts, which differ by language."""
    return re.sub(r"<!-- (\w+) -->.*?<!-- end -->", r"\1", text, flags=re.DOTALL)


def code_blocks(text: str) -> list[str]:
    """Code without comments."""
    return [re.sub(r" *#.*", "", block) for block in re.findall(r"```\w+\n(.*?)```", text, flags=re.DOTALL)]


def pairs() -> list[tuple[str, str]]:
    """Pages with a twin in the other language. Coverage is written by a benchmark, a table a language."""
    found = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").rglob("*.zh-CN.md"))]
    twins = [(name.replace(".zh-CN", ""), name) for name in found if "coverage" not in name]
    return [("README.md", "README.zh-CN.md"), *twins]


@pytest.mark.parametrize("names", pairs(), ids=lambda names: names[0])
def test_pages_begin_with_their_title(names: tuple[str, str]) -> None:
    assert [read(name).startswith("# ") for name in names] == [True, True]


@pytest.mark.parametrize("names", pairs(), ids=lambda names: names[0])
def test_pages_in_both_languages_have_the_same_shape(names: tuple[str, str]) -> None:
    english, chinese = (written_by_hand(read(name)) for name in names)
    assert code_blocks(english) == code_blocks(chinese)
    for pattern in (r"^#+ ", r"^- \*\*", r"^\| ", r"\]\([A-Za-z/.-]+\.md\)"):
        assert len(re.findall(pattern, english, re.MULTILINE)) == len(re.findall(pattern, chinese, re.MULTILINE)), (
            pattern
        )
    prose = [re.sub(r"```.*?```", "", text, flags=re.DOTALL) for text in (english, chinese)]
    numbers = [sorted(re.findall(r"\d[\d,.]*\d", text)) for text in prose]
    assert numbers[0] == numbers[1]
    assert numbers[0] or "<!-- names -->" in english


@pytest.mark.parametrize("name", ["README.zh-CN.md", "docs/engines.zh-CN.md"])
def test_what_stands_beside_a_figure_is_chinese_or_a_tool(name: str) -> None:
    rows = [line.split(" | ") for line in read(name).splitlines() if re.match(r"\| .*\| [\d.,]+ s \| ", line)]
    beside = [re.sub(r" [\d.,]+ s$", "", row[2]) for row in rows if row[2] != "–"]
    assert len(beside) > 5
    tools = {"pytrec_eval", "ranx", "rectools", "sklearn", "polars", "MLlib"}
    assert [words for words in beside if not CHINESE.search(words) and words not in tools] == []


def test_the_evaluators_on_the_page_of_engines_give_what_one_call_gives() -> None:
    names: dict[str, object] = {}
    exec(next(block for block in re.findall(r"```python\n(.*?)```", read("docs/engines.md"), flags=re.DOTALL)), names)
    run = {"q1": ["b", "x", "a"], "q2": ["x", "c"]}
    assert names["scores"] == pc.evaluate_ranking(names["qrels"], run, ["ndcg@10", "mrr"])
    rows = [1, 0, 1, 0, 0, 1], [0.9, 0.4, 0.6, 0.2, 0.7, 0.8]
    assert names["both"] == pc.evaluate_binary(*rows, ["auc", "logloss"])


def test_the_example_runs_and_gives_what_it_says() -> None:
    code = next(block for block in re.findall(r"```python\n(.*?)```", read("README.md"), flags=re.DOTALL))
    names: dict[str, object] = {}
    exec(code, names)
    scores = names["scores"]
    assert isinstance(scores, pc.RankingScores)
    said = re.search(r'scores\["ndcg@10"\] *# (\d\.\d+)\.\.\.', code)
    assert said is not None
    assert repr(scores["ndcg@10"]).startswith(said[1])


def rows(section: str) -> list[list[str]]:
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines[1:]]


def test_the_glossary_is_bilingual() -> None:
    words, policies = read("docs/glossary.md").split("## Policies")
    for row in rows(words):
        assert len(row) == 4, row
        assert not CHINESE.search(row[0] + row[2])
        assert CHINESE.search(row[1])
        assert CHINESE.search(row[3])
    for row in rows(policies):
        assert not CHINESE.search(row[2])
        assert CHINESE.search(row[3])


def policies_in(section: str) -> dict[str, list[str]]:
    return {row[0].strip("`"): re.findall(r"`([\w.]+)`", row[1]) for row in rows(section)}


def test_the_glossary_lists_every_policy_and_value() -> None:
    policies = read("docs/glossary.md").split("## Policies")[1].split("## Comparing")[0]
    of_rankings, of_labels = policies.split("## Labels")
    kinds = [task.load("policies") for task in TASKS.values() if task.of_rows]
    choices = {name: list(values) for kind in kinds for name, values in kind.choices.items()}
    assert policies_in(of_labels) == choices | {"threshold": ["0.5"]}
    found = policies_in(of_rankings)
    assert found.pop("relevant") == ["1", "any"]
    assert {name: tuple(values) for name, values in found.items()} == Policies.choices
    assert set(found) | {"relevant"} == {field.name for field in dataclasses.fields(Policies)}


def test_defaults_of_policies_are_the_first_choice() -> None:
    assert {name: getattr(Policies(), name) for name in Policies.choices} == {
        name: values[0] for name, values in Policies.choices.items()
    }


def test_the_numbers_of_sampled_candidates() -> None:
    """The page's example is run, and its table has what comes out."""
    text, names = read("docs/candidates.md"), dict[str, Any]()
    exec(next(block for block in re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)), names)
    for label, scores in (
        ("as it is", names["plain"]),
        ("`plug_in`", names["plug_in"]),
        ("`bias_variance`", names["squares"]),
    ):
        row = next(line for line in text.splitlines() if line.startswith(f"| {label} |"))
        for metric in ("hit_rate@10", "rr"):
            value = scores.find(metric)
            numbers = [value.value, *(value.interval or ())]
            assert all(f"{number:.4f}".replace("-", "−") in row for number in numbers), (row, numbers)
