"""`pingce` alone: one screen of what it can do, whose commands are real."""

from __future__ import annotations

import re
import shlex

import pytest
from rich.cells import cell_len

from pingce.cli.group import COMMANDS
from pingce.cli.options import OPTIONS

from .conftest import Call


@pytest.mark.parametrize(("words", "chinese"), [([], False), (["--lang", "zh"], True), (["--lang=zh"], True)])
def test_without_a_command_it_says_what_it_can_do(call: Call, words: list[str], chinese: bool) -> None:
    done = call(*words)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert len(lines) <= 24, "a screen"
    assert max(map(cell_len, lines)) <= 96
    assert bool(re.search("打分|比较", done.out)) == chinese
    for line in lines:
        if line.startswith("  pingce "):
            name, *rest = shlex.split(re.split(" {2,}", line.strip())[0])[1:]
            assert name in COMMANDS
            flags = {flag for option in OPTIONS if name in option.commands for flag in option.flags.split()}
            assert {word for word in rest if word.startswith("-")} <= flags


def test_what_is_no_command_is_still_refused(call: Call) -> None:
    done = call("evil")
    assert (done.code, done.out) == (2, "")
    assert "No such command 'evil'" in done.err
