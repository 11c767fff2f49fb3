"""Every metric of every task says about itself what it must, in both languages, and its numbers hold."""

from __future__ import annotations

import re

import pytest

from pingce.base.errors import InputError
from pingce.base.text import Text, use_language
from pingce.metrics.catalogue import example_value, search
from pingce.metrics.declared import Metric, registry
from pingce.metrics.grammar import parse_metric
from pingce.metrics.parameters import Choice, GainCheck, spelled
from pingce.metrics.references import REFERENCES
from pingce.tasks import TASKS

KINDS = [kind for task in TASKS for kind in registry(task).values()]
CHINESE = re.compile("[\u4e00-\u9fff]")
NUMBER = re.compile(r"−?\d+(?:\.\d+)?")
FREE = {
    ("gauc", "by"),
    ("xgauc", "by"),
    *((name, "label") for name in ("precision", "recall", "f", "jaccard", "accuracy", "specificity", "auc", "pr_auc")),
    ("exposure", "group"),
    ("field_ece", "by"),
    ("field_rce", "by"),
}
"Parameters that take any word: columns, classes and groups."
HALF_WIDTH = re.compile("[\u4e00-\u9fff][,;:?!]|[,;:?!][\u4e00-\u9fff]")


def sentences(kind: type[Metric]) -> list[Text]:
    about = kind.about
    said = [kind.title, about.question, about.use, about.blind]
    for parameter in kind.parameters():
        said += [parameter.metadata["help"], *getattr(parameter.metadata["check"], "words", {}).values()]
    return said


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: f"{kind.task}-{kind.name}")
class TestDeclaration:
    def test_both_languages_are_there(self, kind: type[Metric]) -> None:
        about = kind.about
        for text in (*sentences(kind), about.worked):
            assert text.en.strip()
            assert not CHINESE.search(text.en)
        for text in (kind.title, about.question, about.use, about.blind):
            assert CHINESE.search(text.zh)
        assert bool(about.undefined.en) == bool(about.undefined.zh)
        assert not CHINESE.search(about.undefined.en)

    def test_chinese_has_its_own_punctuation(self, kind: type[Metric]) -> None:
        for text in (*sentences(kind), kind.about.worked, kind.about.undefined):
            assert not HALF_WIDTH.search(text.zh), text.zh
        if isinstance(kind.formula, Text):
            assert not HALF_WIDTH.search(kind.formula.zh)
            assert not CHINESE.search(kind.formula.en)

    def test_docstring_has_meaning_formula_and_reference(self, kind: type[Metric]) -> None:
        lines = (kind.__doc__ or "").strip().splitlines()
        assert lines[0].endswith((".", "?"))
        assert any("=" in line or ":" in line for line in lines[1:])
        assert f"[{kind.about.reference}]" in (kind.__doc__ or "")

    def test_names_it_refers_to_exist(self, kind: type[Metric]) -> None:
        assert kind.about.reference in REFERENCES
        assert set(kind.about.pairs_with) <= set(registry(kind.task))
        assert kind.about.pairs_with
        assert kind.name not in kind.about.pairs_with

    def test_the_worked_example_is_right(self, kind: type[Metric]) -> None:
        value = example_value(kind)
        rounded = f"{value:.6f}".rstrip("0").rstrip(".") if abs(value) >= 0.1 else f"{value:.6g}"
        written = rounded.replace("-", "−")
        for text in kind.about.worked:
            assert NUMBER.findall(text)[-1] == written or kind.task == "ranking", (written, text)
            assert re.search(rf"(?<![\d.]){re.escape(written)}(?!\d)", text), (written, text)

    def test_the_example_is_of_this_metric(self, kind: type[Metric]) -> None:
        assert isinstance(parse_metric(kind.about.example[0], task=kind.task).metric, kind)

    def test_values_lie_in_the_declared_range(self, kind: type[Metric]) -> None:
        if "…" not in kind.about.range:
            assert kind.about.range == "a score"
            return
        low = float(kind.about.range.split("…")[0].replace("−", "-").replace("∞", "inf"))
        assert example_value(kind) >= low

    def test_a_parameter_refuses_nonsense(self, kind: type[Metric]) -> None:
        for parameter in kind.parameters():
            if (kind.name, parameter.name) in FREE:
                continue
            with pytest.raises(InputError, match=spelled(parameter.name)):
                kind.make(k=None, **{parameter.name: "nonsense"})
            if isinstance(parameter.metadata["check"], (Choice, GainCheck)):
                close = next(iter(parameter.metadata["check"].words)) + "x"
                with pytest.raises(InputError, match="did you mean"):
                    kind.make(k=None, **{parameter.name: close})

    def test_an_unknown_parameter_is_named(self, kind: type[Metric]) -> None:
        with pytest.raises(InputError, match="has no parameter 'colour'"):
            kind.make(colour="red")

    def test_what_stands_after_at(self, kind: type[Metric]) -> None:
        """A whole number from 1 up, a share of the rows, or nothing."""
        for k in (0, -1, 1.5, True, "3"):
            with pytest.raises(InputError, match="share" if kind.takes == "p" else "k"):
                kind.make(k=k)  # type: ignore[arg-type]

    def test_chinese_name_finds_it(self, kind: type[Metric]) -> None:
        title = kind.title.zh.split("（")[0].strip()
        assert kind in search(title, kind.task)
        assert kind in search(kind.title.zh)


@pytest.mark.parametrize("task", TASKS)
def test_no_two_metrics_share_a_name(task: str) -> None:
    names = [name for kind in registry(task).values() for name in (kind.name, *kind.aliases)]
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
    assert [kind.name for kind in search(words, "ranking")] == [name]
    assert name in [kind.name for kind in search(words)]


@pytest.mark.parametrize(
    ("words", "name", "task"),
    [
        ("准确率", "accuracy", "binary"),
        ("召回率", "recall", "binary"),
        ("排序损失", "rank_loss", "binary"),
        ("平衡点", "bep", "binary"),
        ("提升度", "lift", "binary"),
        ("分组AUC", "gauc", "binary"),
        ("对数损失", "logloss", "binary"),
        ("归一化熵", "ne", "binary"),
        ("宏平均", "f", "multiclass"),
        ("准确率", "accuracy", "multiclass"),
        ("均方根误差", "rmse", "regression"),
        ("决定系数", "r2", "regression"),
    ],
)
def test_words_people_use_for_predictions_are_found(words: str, name: str, task: str) -> None:
    assert [kind.name for kind in search(words, task)] == [name]


def test_error_texts_follow_the_language() -> None:
    use_language("zh")
    with pytest.raises(InputError) as caught:
        parse_metric("ndgc@10")
    assert "您是不是想写 'ndcg'" in str(caught.value)
    use_language("en")
    assert "did you mean 'ndcg'" in str(caught.value)


def test_an_example_names_relevant_items_that_were_not_returned() -> None:
    ranking = registry("ranking")
    assert ranking["ap"].example_words().en == "grades in ranked order 1, 0, 1, 0; relevant but not returned 1"
    assert ranking["ap"].example_words().zh == "按名次的等级 1, 0, 1, 0；相关但未返回 1"
    assert ranking["rr"].example_words().en == "grades in ranked order 0, 0, 1, 1"
