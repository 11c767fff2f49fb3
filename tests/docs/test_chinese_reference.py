"""The reference in Chinese: every docstring that it shows has its text, none is left over, and none is of an older docstring."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from pingce.base.text import LANGUAGES, Language, use_language

ROOT = Path(__file__).parents[2]
CODE = re.compile(r"`[^`]+`")
LITERAL = re.compile(r"`[^`]+`|\{[^}]+\}")
CHINESE = "[\u4e00-\u9fff]"


def code(text: str) -> list[str]:
    """The names and commands of a text, wherever its lines end."""
    return sorted(set(CODE.findall(" ".join(text.split()))))


@pytest.fixture(scope="module")
def website() -> Iterator[SimpleNamespace]:
    """The generator's modules."""
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        from website import chinese, docstrings, reference

        yield SimpleNamespace(chinese=chinese, docstrings=docstrings, reference=reference)
    finally:
        sys.path.remove(str(ROOT / "scripts"))


def test_every_docstring_of_the_reference_is_said_in_chinese(website: SimpleNamespace) -> None:
    shown, texts = website.docstrings.shown_docstrings(), website.chinese.entries()
    assert website.chinese.problems(shown, texts) == []
    assert len(shown) > 600


def test_members_are_shown_wherever_a_class_has_them(website: SimpleNamespace) -> None:
    shown = website.docstrings.shown_docstrings()
    for name in (
        "pingce.api.evaluate_ranking",  # a function
        "pingce.metrics.ranking.base.RankingMetric.values",  # a method of a class that its package hands on
        "pingce.scores.ranking.RankingScores.excludes",  # an attribute without a type
        "pingce.scores.ranking.RankingScores.judged",  # one that __init__ sets
        "pingce.run.evaluators.rows.BinaryEvaluator.compute",  # a method for type checkers
        "pingce.keras.callback.Callback",  # of a module that is not imported here
    ):
        assert shown[name], name
    assert not any("._" in name for name in shown)
    assert set(map(website.docstrings.definition_of, website.reference.shown_names())) <= set(shown)


def test_chinese_names_the_same_code_and_keeps_the_examples(website: SimpleNamespace) -> None:
    for name, text in website.chinese.chinese_docstrings().items():
        english = website.docstrings.shown_docstrings()[name]
        assert code(text) == code(english), name
        examples, chinese = (
            [*filter(website.chinese.is_example, website.chinese.paragraphs(words))] for words in (english, text)
        )
        assert chinese == examples, name


def test_chinese_is_set_as_chinese(website: SimpleNamespace) -> None:
    for name, entry in website.chinese.entries().items():
        words = LITERAL.sub("", entry.text)
        assert re.search(CHINESE, words), name
        assert not re.search(rf"{CHINESE}[,;:?!(]|[,;)]{CHINESE}|{CHINESE} {CHINESE}|{CHINESE}\n{CHINESE}", words), name
        assert not re.search(rf"{CHINESE}`|`{CHINESE}", entry.text), name
        assert entry.text.strip().rstrip("）")[-1] in "。？]…", name


def test_each_kind_of_mistake_is_named(website: SimpleNamespace) -> None:
    chinese = website.chinese
    calls, scores = "docs/api/zh/calls.toml", "docs/api/zh/scores.toml"
    shown = {"pingce.api.f": "First.\n\n>>> 1\n1\n\nSecond.", "pingce.api.g": "Other.", "pingce.api.h": "Other."}
    first, other = chinese.digest(shown["pingce.api.f"]), chinese.digest("Other.")
    good = {
        "pingce.api.f": chinese.Entry(calls, first, "一。\n\n二。"),
        "pingce.api.g": chinese.Entry(calls, other, "三。"),
    }
    assert chinese.problems(shown, good) == []
    (missing,) = chinese.problems(shown | {"pingce.api.i": "New."}, good)
    assert missing == f'{calls}: pingce.api.i has no Chinese: write ["{chinese.digest("New.")}", "…"]'
    (left,) = chinese.problems(shown, good | {"pingce.api.j": chinese.Entry(calls, "0", "四。")})
    assert left == f"{calls}: pingce.api.j is not in the reference: take it out"
    (changed,) = chinese.problems(shown | {"pingce.api.f": "First!\n\nSecond."}, good)
    assert (
        f"see to its Chinese, then write {chinese.digest(chr(10).join(['First!', '', 'Second.']))} for {first}"
        in changed
    )
    (short,) = chinese.problems(shown, good | {"pingce.api.f": chinese.Entry(calls, first, "一。")})
    assert short.endswith("pingce.api.f has 1 paragraphs, its docstring 2")
    (place,) = chinese.problems(shown, good | {"pingce.api.g": chinese.Entry(scores, other, "三。")})
    assert place == f"{scores}: pingce.api.g belongs into {calls}"
    (twice,) = chinese.problems(shown, good | {"pingce.api.h": chinese.Entry(calls, other, "三。")})
    assert twice == f"{calls}: pingce.api.h says what pingce.api.g says: take it out"


def test_where_lines_end_does_not_matter_to_the_digest(website: SimpleNamespace) -> None:
    digest = website.chinese.digest
    assert digest("One two\nthree.\n\n>>> 1\n1") == digest("One\ntwo three.\n\n>>> 2\n2")
    assert digest("One.\n\nTwo.") != digest("One. Two.")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_index_says_what_each_name_is(website: SimpleNamespace, lang: Language) -> None:
    use_language(lang)
    lines = website.chinese.first_lines()
    assert set(lines) == set(website.reference.public_names())
    assert lines["mae"] == {"zh": "平均绝对误差。", "en": "Mean absolute error."}[lang]
    index = website.reference.reference_index(lines)
    assert index.count("\n| [`") == len(lines)
    row = next(line for line in index.splitlines() if "`wmape`" in line)
    assert len(re.findall(r"(?<!\\)\|", row)) == 3
