"""Completion: what a shell is told at the tab key, and the three shells themselves."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pingce.checks.rules import KINDS
from pingce.cli.completion import SHELLS

from .conftest import Call, Write
from .shell import Terminal, environment, terminal

BREAKS = " \t\n\"'@><=;|&(:"
"COMP_WORDBREAKS, as bash has it."
Ask = Callable[..., list[list[str]]]


@pytest.fixture
def ask(call: Call, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """What pingce answers a shell: a kind, a text and its meaning, for each that may stand at the cursor."""

    def answer(line: str, shell: str = "zsh") -> list[list[str]]:
        monkeypatch.setenv("_PINGCE_COMPLETE", shell)
        monkeypatch.setenv("_PINGCE_LINE", line)
        monkeypatch.setenv("_PINGCE_BREAKS", BREAKS)
        done = call()
        assert (done.code, done.err) == (0, "")
        return [row.split("\t") for row in done.out.splitlines()]

    return answer


def texts(rows: list[list[str]]) -> list[str]:
    return [text for _, text, _ in rows]


def test_commands_and_options(ask: Ask) -> None:
    assert ask("pingce ev") == [
        ["plain", "eval", "Score rankings, click predictions, classes or numbers."],
        ["plain", "eval-factors", "Score a model by its vectors, over the whole catalogue."],
    ]
    assert "completion" in texts(ask("pingce "))
    assert ask("pingce eval --lab") == [["plain", "--label", "Labels of two kinds, e.g. click."]]
    assert ask("pingce --lang zh eval --lab") == [["plain", "--label", "两种取值的标签列，例如 click。"]]
    assert texts(ask("pingce --ver")) == ["--version"]


def test_values_of_options(ask: Ask) -> None:
    assert texts(ask("pingce eval q r --ties ")) == ["id", "id_ascending", "order", "expected", "worst", "best"]
    assert texts(ask("pingce curve r")) == ["roc"]
    assert texts(ask("pingce completion ")) == list(SHELLS)
    assert ask("pingce eval q r --convention skl") == [["plain", "sklearn", ""]]
    assert ask("pingce eval q r --conventions ranx,skl") == [["open", "ranx,sklearn", ""]]
    assert ask("pingce eval q r --memory ") == []


def test_metrics_by_comma(ask: Ask) -> None:
    assert ["open", "ndcg", "Normalized discounted cumulated gain"] in ask("pingce eval q r -m nd")
    assert "ndcg@10,recall" in texts(ask("pingce eval q r -m ndcg@10,rec"))
    assert "map" in texts(ask("pingce metrics ma"))
    assert texts(ask("pingce metrics --task regression rms"))[0].startswith("rms")
    assert "ndcg=" in texts(ask("pingce check q r --min nd"))
    for kind in KINDS:
        assert ["open", "ndcg=", "Normalized discounted cumulated gain"] in ask(
            f"pingce check q r --{kind.replace('_', '-')} nd"
        )
    assert "gauc" in texts(ask("pingce sql ga"))
    assert "rbo" not in texts(ask("pingce sql rb"))
    assert {"ranx", "ndcg"} <= set(texts(ask("pingce conventions ")))


def test_measures_of_trec_eval(ask: Ask) -> None:
    assert ask("pingce trec_eval -m ndcg_c") == [["open", "ndcg_cut", "Normalized discounted cumulated gain"]]
    assert {"official", "all_trec", "P", "map", "Rprec"} <= set(texts(ask("pingce trec_eval -c -m ")))
    assert texts(ask("pingce trec_eval -m map --measure=gm_m")) == ["gm_map"]
    assert "rbp" not in texts(ask("pingce trec_eval -m rb"))
    assert texts(ask("pingce trec_eval --version 10 -m rb")) == ["rbp", "rbp_resid"]
    for line in ("pingce trec_eval -Z ", "pingce trec_eval -m map ", "pingce trec_eval -m map q"):
        assert ask(line) == [["file", "", ""]], line


def test_files_and_folders_are_the_shells_own_work(ask: Ask) -> None:
    for line in (
        "pingce eval ",
        "pingce eval q",
        "pingce eval q r --exclude ",
        "pingce leak ",
        "pingce fuse a b --tune ",
    ):
        assert ask(line) == [["file", "", ""]], line
    assert ask("pingce split x -o ") == [["folder", "", ""]]
    assert [row[0] for row in ask("pingce eval q r -o ")] == ["file"]


def test_columns_of_the_table_on_the_line(ask: Ask, write: Write) -> None:
    file = write("two words.csv", "click,p ctr,user\n1,0.5,u\n")
    assert texts(ask(f"pingce eval '{file}' --label ")) == ["click", "p ctr", "user"]
    assert texts(ask(f"pingce eval new='{file}' --label click --score p")) == ["p ctr"]
    assert texts(ask(f"pingce eval '{file}' --score p", "bash")) == ["p\\ ctr"]
    assert texts(ask(f"pingce eval '{file}' --score 'p", "bash")) == ["p ctr"]
    hostile = write("hostile.csv", '"a$(touch x)","a`b""c\\","a!","a\'b","a\nplain\tb","a\x1b[31m"\n1,1,1,1,1,1\n')
    assert texts(ask(f'pingce eval {hostile} --score "a', "bash")) == ["a\\$(touch x)", 'a\\`b\\"c\\\\', "a'b"]
    assert texts(ask(f"pingce eval {hostile} --score 'a", "bash")) == ["a$(touch x)", 'a`b"c\\', "a!"]
    assert texts(ask(f"pingce eval {hostile} --score a", "bash"))[0] == "a\\$\\(touch\\ x\\)"
    assert texts(ask(f"pingce eval {hostile} --score a")) == ["a$(touch x)", 'a`b"c\\', "a!", "a'b"]
    write("no.csv", "")
    assert ask("pingce eval no.csv --label ") == ask("pingce eval absent.csv --label ") == []


def test_bash_replaces_what_follows_its_last_break(ask: Ask) -> None:
    assert "ndcg,recall" in texts(ask("pingce eval q r -m ndcg,rec", "bash"))
    assert "@10,recall" in texts(ask("pingce eval q r -m ndcg@10,rec", "bash"))
    assert "ndcg@10,recall" in texts(ask("pingce eval q r -m 'ndcg@10,rec", "bash"))


@pytest.mark.parametrize(
    "line", ["", "pingce", "pingce nope ", "pingce eval --nope ", "pingce eval '", "pingce eval \\"]
)
def test_what_makes_no_sense_is_no_error(ask: Ask, line: str) -> None:
    ask(line)


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_each_shell(call: Call, shell: str) -> None:
    done = call("completion", shell)
    assert (done.code, done.err) == (0, "")
    assert f"_PINGCE_COMPLETE={shell}" in done.out
    assert f"pingce completion {shell}" in done.out, "it says how it is installed"
    assert call("completion", "csh").code == 2
    assert "Choose from: bash, zsh, fish (see pingce completion --help)" in call("completion").err


STARTS = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], "source <(pingce completion bash)"),
    "zsh": (["zsh", "-f", "-i"], "autoload -Uz compinit; compinit -u; source <(pingce completion zsh)"),
    "fish": (["fish", "--no-config", "-i"], "pingce completion fish | source"),
}
TYPED = {
    "pingce conv": "pingce conventions",
    "pingce eval clic": "pingce eval clicks.csv",
    "pingce eval clicks.csv --sco": "pingce eval clicks.csv --score",
    "pingce eval clicks.csv --score chan": "pingce eval clicks.csv --score chance_of_click",
    "pingce eval a b -m ndcg@10,gau": "pingce eval a b -m ndcg@10,gauc",
    "pingce eval a b --ties exp": "pingce eval a b --ties expected",
    "pingce trec_eval -m iprec": "pingce trec_eval -m iprec_at_recall",
}
"What stands on the line before the tab key, and after it."


@contextmanager
def at_terminal(words: list[str], screen: Terminal, changes: dict[str, str]) -> Iterator[None]:
    """A shell that has the terminal to itself."""

    def take() -> None:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    far = screen.far
    running = subprocess.Popen(
        words,
        stdin=far,
        stdout=far,
        stderr=far,
        env=environment(changes),
        start_new_session=True,
        preexec_fn=take,  # noqa: PLW1509 - no threads here
    )
    try:
        yield
    finally:
        running.kill()
        running.wait()


def shows(line: str) -> Callable[[bytes], bool]:
    """Whether a terminal shows a line."""
    return lambda seen: line.encode() in seen


@pytest.mark.deep("starts a shell, and pingce at every press of the tab key")
@pytest.mark.parametrize("shell", SHELLS)
def test_a_real_shell_completes(shell: str, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed here: apt-get install {shell}")
    program = write("bin/pingce", f'#!/bin/sh\nexec {sys.executable} -m pingce "$@"\n')
    program.chmod(0o755)
    write("clicks.csv", "click,chance_of_click,user\n1,0.5,u\n")
    monkeypatch.chdir(tmp_path)
    words, first = STARTS[shell]
    changes = {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path), "TERM": "xterm"}
    with terminal(200) as screen, at_terminal(words, screen, changes):
        os.write(screen.near, f"{first}; echo 'rea''dy'\n".encode())
        screen.read_until(shows("ready\r"))
        for before, after in TYPED.items():
            to_beginning, tab = "\x01", "\t"
            os.write(screen.near, f"{before}{tab}{to_beginning}echo 'GO''T' \n".encode())
            screen.read_until(shows(f"GOT {after}\r"))
