"""Every metric says about itself what it must, in both languages, and its numbers hold."""

from __future__ import annotations

import re

import pytest

from pingce.catalogue import example_value, search
from pingce.errors import InputError
from pingce.language import Text, use_language
from pingce.metrics import RankingMetric, parse_metric, registry
from pingce.metrics.parameters import Choice, GainCheck
from pingce.metrics.references import REFERENCES

KINDS = list(registry().values())
CHINESE = re.compile("[\u4e00-\u9fff]")


def sentences(kind: type[RankingMetric]) -> list[Text]:
    about = kind.about
    said = [kind.title, about.question, about.use, about.blind, about.worked]
    for parameter in kind.parameters():
        said.append(parameter.metadata["help"])
    return said


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
class TestDeclaration:
    def test_both_languages_are_there(self, kind: type[RankingMetric]) -> None:
        for text in sentences(kind):
            assert text.en.strip()
            assert not CHINESE.search(text.en)
            assert CHINESE.search(text.zh)

    def test_docstring_has_meaning_formula_and_reference(self, kind: type[RankingMetric]) -> None:
        lines = (kind.__doc__ or "").strip().splitlines()
        assert lines[0].endswith((".", "?"))
        assert any("=" in line for line in lines[1:])
        assert f"[{kind.about.reference}]" in (kind.__doc__ or "")

    def test_names_it_refers_to_exist(self, kind: type[RankingMetric]) -> None:
        assert kind.about.reference in REFERENCES
        assert set(kind.about.pairs_with) <= set(registry())
        assert kind.about.pairs_with
        assert kind.name not in kind.about.pairs_with

    def test_the_worked_example_is_right(self, kind: type[RankingMetric]) -> None:
        written = f"{example_value(kind):.6f}".rstrip("0").rstrip(".")
        for text in kind.about.worked:
            assert re.search(rf"(?<![\d.]){re.escape(written)}(?!\d)", text), (written, text)

    def test_the_example_is_of_this_metric(self, kind: type[RankingMetric]) -> None:
        assert isinstance(parse_metric(kind.about.example[0]).metric, kind)

    def test_values_lie_in_the_declared_range(self, kind: type[RankingMetric]) -> None:
        low = float(kind.about.range.split("…")[0])
        assert example_value(kind) >= low

    def test_a_parameter_refuses_nonsense(self, kind: type[RankingMetric]) -> None:
        for parameter in kind.parameters():
            with pytest.raises(InputError, match=parameter.name):
                kind.make(k=None, **{parameter.name: "nonsense"})
            if isinstance(parameter.metadata["check"], (Choice, GainCheck)):
                close = next(iter(parameter.metadata["check"].words)) + "x"
                with pytest.raises(InputError, match="did you mean"):
                    kind.make(k=None, **{parameter.name: close})

    def test_an_unknown_parameter_is_named(self, kind: type[RankingMetric]) -> None:
        with pytest.raises(InputError, match="has no parameter 'colour'"):
            kind.make(colour="red")

    @pytest.mark.parametrize("k", [0, -1, 1.5, True, "3"])
    def test_k_is_a_whole_number_from_1(self, kind: type[RankingMetric], k: object) -> None:
        with pytest.raises(InputError, match="k"):
            kind.make(k=k)  # type: ignore[arg-type]

    def test_chinese_name_finds_it(self, kind: type[RankingMetric]) -> None:
        title = kind.title.zh.split("（")[0].strip()
        assert kind in search(title)


def test_no_two_metrics_share_a_name() -> None:
    names = [name for kind in KINDS for name in (kind.name, *kind.aliases)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("查准率", "precision"),
        ("准确率@K", "precision"),
        ("查全率", "recall"),
        ("命中率", "hit_rate"),
        ("MAP", "ap"),
        ("倒数排名", "rr"),
    ],
)
def test_words_people_use_are_found(words: str, name: str) -> None:
    assert [kind.name for kind in search(words)] == [name]


def test_error_texts_follow_the_language() -> None:
    use_language("zh")
    with pytest.raises(InputError) as caught:
        parse_metric("ndgc@10")
    assert "您是不是想写 'ndcg'" in str(caught.value)
    use_language("en")
    assert "did you mean 'ndcg'" in str(caught.value)
