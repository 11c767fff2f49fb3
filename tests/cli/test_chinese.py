"""Chinese sentences have Chinese punctuation: in the sources, and in what commands print."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import pingce

from .conftest import Call, Small, Write

SOURCES = sorted(Path(pingce.__file__).parent.rglob("*.py"))
HAN = "[\u3400-\u9fff]"
HOLE = "\ufffc"
"Stands for what is put into an f-string."
_CODE = re.compile(r"`[^`]*`|\{(?:[^{}]|\{[^{}]*\})*\}|\w+=\([^()]*\)|\b[a-zA-Z_]+\([^()]*\)|\w+:值")
"Dicts, tuples, calls and signatures are written as Python reads them."
_HALF = re.compile(f"{HAN}[:,;!?]|[:,;]\\s?{HAN}|{HOLE}[:;!?](?:\\s|$|{HOLE}\\s?{HAN})")
"A place is written as file:line, and ends with a colon of its own."


_ENGLISH = re.compile(r"pingce \(评测\)|Zhou \(周志华\)")
"English sentences with a Chinese name in them."


def written(node: ast.expr) -> str | None:
    """A string as it stands in the source, with a mark where something is put in."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else HOLE for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Second arguments of calls with a first one in English, and every other string with a Chinese character."""
    nodes = list(ast.walk(tree))
    inner = {part for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    second = {
        node.args[1]
        for node in nodes
        if isinstance(node, ast.Call) and len(node.args) > 1 and getattr(node.func, "id", "") in ("Text", "InputError")
    }
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docs = {id(node.body[0].value) for node in nodes if isinstance(node, documented) and isinstance(node.body[0], ast.Expr)}  # fmt: skip
    for node in nodes:
        text = written(node) if isinstance(node, ast.expr) and node not in inner and id(node) not in docs else None
        if text is not None and (node in second or re.search(HAN, text)):
            yield node.lineno, text  # type: ignore[attr-defined]


def half_width(text: str) -> bool:
    return bool(re.search(HAN, text) or HOLE in text) and bool(_HALF.search(_CODE.sub("", text)))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("没有定义:缺少", True), ("甲,乙", True), (f"{HOLE}: {HOLE} 行", True), (f"{HOLE}: 注意：", True), (f"{HOLE}: {HOLE}", True), (f"{HOLE}:{HOLE}：不是数字", False), (f"{HOLE}:{HOLE} 编号", True),
        (f"{HOLE}：{HOLE} 行", False), ("给出字典 {指标: 界限}", False), ("上限为 1 / max(p, 正例比例)", False), ("12:30 开始", False),
        ("by=(表, 列名, …)：列名应为字符串", False),
    ],
)  # fmt: skip
def test_what_is_half_width(text: str, wrong: bool) -> None:
    assert half_width(text) == wrong


def test_no_chinese_sentence_has_half_width_punctuation() -> None:
    found = [
        f"{path.name}:{line}: {text}"
        for path in SOURCES
        for line, text in texts(ast.parse(path.read_text(encoding="utf-8")))
        if half_width(text) and not _ENGLISH.search(text)
    ]
    assert found == []


def test_commands_print_none(call: Call, small: Small, write: Write, tmp_path: Path) -> None:
    table = write("p.csv", "click,old,new,user\n1,0.9,0.8,a\n0,0.2,0.3,a\n1,0.4,0.6,b\n0,0.5,0.1,b\n0,0.1,0.2,b\n")
    labels = ("--label", "click", "--score", "old", "--score", "new")
    calls: list[tuple[str | Path, ...]] = [
        ("eval", small.qrels, small.run, small.other, "-q", "--explain-numbers", "--worst", "1"),
        ("eval", small.qrels, small.run, "-v", "--by", "activity"),
        ("eval", table, *labels, "--group", "user", "--explain-numbers", "--ci", "0.9"),
        ("eval", table, "--true", "user", "--pred", "user"),
        ("compare", small.qrels, small.run, small.other, "--by", "activity", "-q", "--samples", "200"),
        ("compare", table, *labels, "--group", "user", "--samples", "200"),
        ("check", small.qrels, small.run, "--min", "mrr=0.9", "--max", "map=0.1"),
        ("curve", "roc", table, *labels, "--threshold", "0.5"),
        ("explain", "ndcg@5", "--grades", "3,2,0"),
        ("report", small.qrels, small.run, "-o", tmp_path / "r.html"),
        ("metrics",), ("metrics", "ndcg"), ("metrics", "gauc"), ("metrics", "f1"),
        ("conventions",), ("conventions", "ranx"), ("conventions", "ndcg"), ("doctor",),
    ]  # fmt: skip
    wrong = []
    for words in calls:
        done = call(*words, "--lang", "zh")
        assert done.code in (0, 1), done.err
        lines = (done.out + done.err).splitlines()
        wrong += [
            f"{words[0]}: {line}" for line in lines if re.search(f"{HAN}[:,;]|[:;]\\s?{HAN}", _CODE.sub("", line))
        ]
    assert wrong == []
