"""LaTeX that compiles: every sign of every metric is one that pdfLaTeX sets, and a comment says what is needed."""

from __future__ import annotations

import unicodedata
from math import isnan
from typing import Any

import numpy as np
import pytest

import pingce as pc
from pingce.base.latex import is_plain, latex_document, latex_notes, latex_text
from pingce.base.text import use_language
from pingce.metrics.declared import registry
from pingce.metrics.ranking.items import EXAMPLE, ItemMetric
from pingce.tasks import TASKS

KINDS = [(task, kind) for task in TASKS for kind in registry(task).values()]


def explained_items(kind: Any) -> Any:
    """The lists of all users, beside which there are tables."""
    run = {user: list(items) for user, items in EXAMPLE.lists.items()}
    query = None if kind.is_whole else "u1"
    tables: dict[str, Any] = {"train": list(EXAMPLE.train), "catalog": 6}
    tables["items"] = {"item": list(EXAMPLE.categories), "category": list(EXAMPLE.categories.values())}
    tables["reference"] = {user: list(items) for user, items in EXAMPLE.reference.items()}
    return pc.explain(kind.about.example[0], dict(EXAMPLE.truth), run, query=query, **tables)


def explained(task: str, kind: Any) -> Any:
    """The example that a metric declares, worked out."""
    if task == "ranking" and issubclass(kind, ItemMetric):
        return explained_items(kind)
    spec, truth, predicted, *columns = kind.about.example
    if task == "ranking":
        grades = [None if isnan(grade) else grade for grade in truth]
        return pc.explain(spec, grades=grades, judged=[*(grade for grade in grades if grade is not None), *predicted])
    if task == "multiclass" and isinstance(predicted[0], tuple):
        return pc.explain(spec, list(truth), None, task=task, proba=np.array(predicted))
    groups = getattr(kind.about, "groups", ())
    more: dict[str, Any] = {"group": list(groups)} if groups else {}
    roles = () if TASKS[task].of_matrices else TASKS[task].columns
    more |= dict(zip((role.name for role in roles), map(list, columns), strict=False))
    return pc.explain(spec, list(truth), list(predicted), task=task, **more)


@pytest.mark.parametrize(("task", "kind"), KINDS, ids=[f"{task}-{kind.name}" for task, kind in KINDS])
def test_every_metric_is_written_in_signs_that_pdflatex_has(task: str, kind: Any) -> None:
    text = explained(task, kind).to_latex()
    assert {letter for letter in text if not is_plain(letter)} == set()
    assert text.splitlines()[0] == r"% needs \usepackage{booktabs}"
    assert text.replace(r"\$", "").count("$") % 2 == 0


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("ρ", r"$\rho $"), ("p̄ − ȳ", r"\={p} $-$ $\bar y $"), ("∫ x₁²", r"$\int $ x$_1$$^2$"), ("*x", "{*}x"),
        ("naïve Å", "naïve Å"), ("n̂̄", "\\^{n}\u0304"), ("a_b|c", r"a\_b\textbar{}c"),
    ],
)  # fmt: skip
def test_signs(text: str, written: str) -> None:
    assert latex_text(text) == written


@pytest.mark.parametrize("text", ["中", "😀", "\u0304", "д", "ǯ", "₿"])
def test_what_pdflatex_lacks_is_named_with_the_engine(text: str) -> None:
    assert not is_plain(text)
    document = latex_document(latex_text(f"id {text}"))
    assert document.splitlines()[0] == (
        rf"% needs \usepackage{{booktabs}}; for {text} XeLaTeX or LuaLaTeX, with \usepackage{{ctex}} for Chinese"
    )
    use_language("zh")
    assert f"；含 {text} 等字符，须用 XeLaTeX" in latex_document(latex_text(text))


def test_plain_letters_are_those_of_latin_alphabets() -> None:
    plain = [chr(code) for code in range(0xA0, 0x2000) if is_plain(chr(code))]
    assert all(unicodedata.category(letter) in ("Ll", "Lu", "Lo", "Po", "Sc", "So") for letter in plain)
    assert max(plain) < "\u0180"


def test_notes_wrap() -> None:
    """Left-aligned, with a place to break after each part of a signature."""
    scores = pc.evaluate_ranking({"q": {"a": 1}}, {"q": ["a"]}, ["ndcg@10"])
    note = scores.to_latex().split("\n\n")[1]
    assert note.startswith(r"\par{\footnotesize\raggedright ndcg@10: ndcg@10\textbar{}\allowbreak{}gain:exp2")
    assert note.endswith(r"\par}")
    assert latex_notes(["a", "b|c"]) == r"\par{\footnotesize\raggedright a \\ b\textbar{}\allowbreak{}c\par}"


def test_a_table_does_not_lose_a_star_or_a_bracket() -> None:
    """LaTeX takes a star or a bracket after the end of a row for an option."""
    truth = {"*q": {"a": 1}, "[q]": {"a": 1}}
    text = pc.compare(truth, {"*one": truth, "[two]": {"*q": ["x"], "[q]": ["a"]}}, "mrr", samples=200).to_latex()
    assert "{*}one" in text
    assert "{[}two{]}" in text
