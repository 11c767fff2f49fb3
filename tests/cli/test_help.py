"""Help and language: everything is said in Chinese and in English, and the locale decides which."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import click
import pytest

from pingce.base.text import Language, use_language
from pingce.cli.group import COMMANDS, Command, Group, build

from .conftest import Call

CHINESE = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
PAGES = [[], *([name] for name in COMMANDS)]


def commands(lang: Language) -> Iterator[tuple[click.Command, click.Context]]:
    """The top and every command, built in a language."""
    use_language(lang)
    top = build()
    assert isinstance(top, Group)
    context = top.make_context("pingce", ["eval"], resilient_parsing=True)
    yield top, context
    for name in top.list_commands(context):
        command = top.get_command(context, name)
        assert command is not None
        yield command, click.Context(command, parent=context, info_name=name)


def options(lang: Language) -> dict[tuple[str | None, str], click.Option]:
    """Every option of every command, with help and version."""
    return {
        (command.name, parameter.opts[-1]): parameter
        for command, context in commands(lang)
        for parameter in command.get_params(context)
        if isinstance(parameter, click.Option)
    }


def test_every_option_has_a_help_text_in_both_languages() -> None:
    chinese, english = ({key: option.help for key, option in options(lang).items()} for lang in ("zh", "en"))
    assert chinese.keys() == english.keys()
    assert ("eval", "--metrics") in english
    assert [key for key, text in english.items() if not text or CHINESE.search(text)] == []
    assert [key for key, text in chinese.items() if not text or not CHINESE.search(text)] == []


def test_the_two_languages_have_the_same_parameters() -> None:
    def shape(lang: Language) -> list[tuple[object, ...]]:
        return [
            (command.name, parameter.name, tuple(parameter.opts), parameter.type.to_info_dict(), parameter.required)
            for command, context in commands(lang)
            for parameter in command.get_params(context)
        ]

    assert shape("zh") == shape("en")


def test_every_command_says_what_it_does_in_both_languages() -> None:
    for lang in ("zh", "en"):
        for command, _ in commands("zh" if lang == "zh" else "en"):
            assert command.help
            assert bool(CHINESE.search(command.help.replace("评测", ""))) == (lang == "zh"), command.name


@pytest.mark.parametrize("words", PAGES, ids=str)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_english_help_has_no_chinese(call: Call, words: list[str], flag: str) -> None:
    done = call(*words, flag, "--lang", "en")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("Usage: pingce")
    assert CHINESE.findall(done.out.replace("评测", "")) == []


@pytest.mark.parametrize("words", PAGES, ids=str)
def test_chinese_help_is_chinese(call: Call, words: list[str]) -> None:
    done = call(*words, "--help", "--lang", "zh")
    assert (done.code, done.err) == (0, "")
    assert re.match("用法[:\uff1a] ?pingce", done.out)
    for english in ("Usage", "Options:", "Commands:", "Show ", " and exit", "[default"):
        assert english not in done.out


@pytest.mark.parametrize(
    "words", [["--lang", "zh", "--help"], ["--lang=zh", "--help"], ["eval", "--help", "--lang", "zh"]]
)
def test_the_language_may_be_said_anywhere(call: Call, words: list[str]) -> None:
    assert call(*words).out.startswith("用法")


@pytest.mark.parametrize(
    ("env", "lang"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh"}, "zh"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_MESSAGES": "en_US.UTF-8"}, "en"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "zh_TW.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, "zh"),
        ({"LC_ALL": "zh_CN.UTF-8", "PINGCE_LANG": "en"}, "en"),
        ({"LC_ALL": "C", "PINGCE_LANG": "zh"}, "zh"),
    ],
)
def test_the_locale_decides(call: Call, monkeypatch: pytest.MonkeyPatch, env: dict[str, str], lang: str) -> None:
    for name in ("PINGCE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert call("--help").out.startswith("用法" if lang == "zh" else "Usage: ")
    assert call("--help", "--lang", "en").out.startswith("Usage: ")
    assert call("--help", "--lang", "zh").out.startswith("用法")


@pytest.mark.parametrize("words", [["eval"], ["eval", "a", "b", "--nope"], ["evil"], ["eval", "a", "b", "-k", "0"]])
def test_wrong_usage_is_said_in_chinese_too(call: Call, words: list[str]) -> None:
    done = call(*words, "--lang", "zh")
    assert (done.code, done.out) == (2, "")
    assert "Error" not in done.err
    assert CHINESE.search(done.err.splitlines()[-1])


def test_results_in_chinese(call: Call) -> None:
    done = call("demo", "--lang", "zh")
    sections = done.out.split("\n\n")
    assert sections[0].startswith("# 排序")
    assert sections[1].split()[0] == "指标"
    assert "首个相关条目" in done.out
    assert len(re.findall("^# [一-鿿]", done.out, re.MULTILINE)) == 5
    assert "已评测 200 个查询" in done.err


def test_every_command_has_examples_whose_options_it_has() -> None:
    texts: dict[Language, list[str]] = {"en": [], "zh": []}
    for lang in texts:
        built = {str(command.name): (command, context) for command, context in commands(lang)}
        for name, (command, context) in built.items():
            assert isinstance(command, Command)
            assert command.examples, name
            assert any(f"pingce {'' if name == 'pingce' else name}" in line for line in command.examples), name
            texts[lang] += command.examples
            for line in command.examples:
                _, _, words = line.partition("pingce ")
                called = built[words.split()[0].rstrip(")")][0]
                flags = {flag for parameter in called.get_params(context) for flag in parameter.opts}
                written = {word for word in shlex.split(words.split(" > ")[0].rstrip(")")) if word.startswith("-")}
                assert written <= flags, line
    assert [line for line in texts["en"] if CHINESE.search(line)] == []
    assert len(texts["en"]) == len(texts["zh"])
