"""Tables and progress on a terminal, and plain text where there is none."""

from __future__ import annotations

import io
import json
import re
import sys
import time
from itertools import pairwise

import pytest
from rich.cells import cell_len

from pingce.base import progress as work
from pingce.base.tables import width
from pingce.base.text import Text
from pingce.cli import progress
from pingce.cli.progress import Progress

from .conftest import Call, Small, Write
from .shell import Terminal, Word, shown_on_terminal, terminal

COLOUR = re.compile(r"\x1b\[([0-9;]*)m")
XTERM = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
TEXTS = [
    "ndcg@10",
    "查询",
    "归一化折损累计增益",
    "ﾊﾝｶｸ",
    "全角A",
    "e\u0301",
    "한국어",
    "😀",
    "mixed 中文 text",
    "“”…–·",
]


@pytest.mark.parametrize("text", TEXTS)
def test_width(text: str) -> None:
    assert width(text) == cell_len(text)


def cut(line: str, spans: list[tuple[int, int]]) -> list[str]:
    """The cells of a line whose columns begin and end at these places of the screen."""
    screen: list[str] = []
    for letter in line:
        places = cell_len(letter)
        if places == 0:
            screen[-1] += letter
        else:
            screen += [letter, *[""] * (places - 1)]
    screen += [" "] * (spans[-1][1] - len(screen))
    gaps = [" ".join("".join(screen[end:start])) for (_, end), (start, _) in pairwise(spans)]
    assert all(not gap.strip() for gap in gaps), line
    return ["".join(screen[start:end]) for start, end in spans]


def spans_of(rule: str) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer("-+", rule)]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_columns_of_the_plain_table_align(call: Call, write: Write, lang: str) -> None:
    ids = ["q1", "很长的中文查询编号", "ﾊﾝｶｸ", "短", "e\u0301", "😀"]
    truth = write("truth.json", json.dumps({id: {"a": 1} for id in ids}))
    run = write("预测.json", json.dumps({id: {"b": 2, "a": 1} for id in ids}))
    other = write("two.json", json.dumps({id: {"a": 1} for id in ids}))
    out = call("eval", truth, run, other, "-q", "-m", "rr,ndcg@10", "--lang", lang).out
    for part in out.split("\n\n")[:-1]:
        head, rule, *lines = part.split("\n")
        cells = [cut(line, spans_of(rule)) for line in (head, *lines)]
        assert all(line == line.rstrip() for line in (head, *lines))
        numbers = [row[-1] for row in cells[1:]]
        assert {number.strip() for number in numbers} <= {"0.5000", "0.6309", "1.0000"}
        assert not any(number.endswith(" ") for number in numbers)
        assert not any(row[0].startswith(" ") for row in cells)
    assert ("指标" in out) == (lang == "zh")


def test_a_terminal_gets_the_rich_table(small: Small) -> None:
    words: list[Word] = ["eval", small.qrels, small.run, small.other, "-m", "rr,p@1"]
    shown = shown_on_terminal(*words, env=XTERM)
    assert (shown.code, "scored" in shown.err) == (0, True)
    assert "─────" in shown.out
    assert re.search(r"\x1b\[1m0\.8333\x1b\[0m", shown.out), "the better value is bold"
    assert not re.search(r"\x1b\[1m0\.6667", shown.out)


def test_no_color(small: Small) -> None:
    shown = shown_on_terminal("eval", small.qrels, small.run, small.other, env=XTERM | {"NO_COLOR": "1"})
    assert "─────" in shown.out
    assert {code for codes in COLOUR.findall(shown.out) for code in codes.split(";")} <= {"", "0", "1"}


def test_a_dumb_terminal_gets_no_codes(small: Small) -> None:
    shown = shown_on_terminal("eval", small.qrels, small.run, small.other, env={"TERM": "dumb"})
    assert "0.8333" in shown.out
    assert "\x1b" not in shown.out


def test_rich_columns_align_with_chinese_ids(write: Write) -> None:
    ids = ["q1", "很长的中文查询编号", "短"]
    truth = write("truth.json", json.dumps({id: {"a": 1} for id in ids}))
    shown = shown_on_terminal("eval", truth, truth, "-q", "-m", "rr", "--lang", "zh", env={"TERM": "dumb"})
    lines = [line.rstrip() for line in shown.out.split("\n") if "1.0000" in line][: len(ids)]
    assert len(lines) == len(ids)
    assert len({cell_len(line) for line in lines}) == 1


def test_hostile_ids_on_a_terminal(write: Write) -> None:
    truth = write("truth.json", json.dumps({"\x1b[31mred": {"a": 1}, "[bold]x[/bold]": {"a": 1}, "\x9b2J": {"a": 1}}))
    shown = shown_on_terminal("eval", truth, truth, "-q", "-m", "rr", env=XTERM)
    assert "\x1b[31m" not in shown.out
    assert "\x9b" not in shown.out
    assert r"\x1b[31mred" in shown.out
    assert "[bold]x[/bold]" in shown.out


@pytest.mark.parametrize("out_format", ["json", "csv", "md", "latex", "trec"])
def test_other_formats_are_the_same_on_a_terminal(call: Call, small: Small, out_format: str) -> None:
    words: list[Word] = ["eval", small.qrels, small.run, "-f", out_format]
    assert shown_on_terminal(*words, env=XTERM).out == call(*words).out


@pytest.mark.parametrize(("lang", "label"), [("en", "Next step"), ("zh", "下一步")])
def test_points_stand_beside_their_labels_and_fold_within_their_column(small: Small, lang: str, label: str) -> None:
    words: list[Word] = ["eval", small.qrels, small.run, small.other, "-m", "rr", "--explain-numbers", "--lang", lang]
    shown = shown_on_terminal(*words, env=XTERM, columns=50)
    lines = COLOUR.sub("", shown.out).split("\n")
    first = next(at for at, line in enumerate(lines) if line.startswith(label))
    room = cell_len(lines[first]) - cell_len(lines[first].removeprefix(label).lstrip())
    assert lines[first + 1].startswith(" " * room)
    assert lines[first + 1].strip()
    assert max(map(cell_len, lines[first - 3 :])) <= 50
    assert [line.strip() for line in lines if line.strip() in ("one", "two")] == ["one", "two"]


def stderr_is(screen: Terminal, monkeypatch: pytest.MonkeyPatch) -> io.TextIOWrapper:
    stream = open(screen.far, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - closed by its owner
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


def test_progress_says_what_is_done_and_goes_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_WAIT", 0.05)
    monkeypatch.setattr(progress, "_TICK", 0.05)
    with terminal() as screen, stderr_is(screen, monkeypatch):
        with Progress() as working:
            working.at(Text("reading x.run", "正在读取 x.run"))
            screen.read_until(lambda seen: seen.count(b"reading x.run") >= 2)
        screen.read_until(lambda seen: seen.endswith(b"\r\x1b[2K"))
        assert re.search(r"reading x\.run … 0\.\d s", screen.text)
        assert "\n" not in screen.text


def test_progress_tells_the_time_left_where_the_share_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_WAIT", 0.05)
    monkeypatch.setattr(progress, "_TICK", 0.05)
    with terminal() as screen, stderr_is(screen, monkeypatch), Progress() as working:
        working.at(Text("comparing", "正在比较"))
        work.advance(0.5)
        screen.read_until(lambda seen: seen.count(b"comparing") >= 2)
        assert "left" not in screen.text
        with work.part(0.2, 0.6), work.part(0.5, 1):
            work.advance(0.5)
            assert working.watch.share == pytest.approx(0.5)
            work.advance(0.1)
            assert working.watch.share == pytest.approx(0.5)
            screen.read_until(lambda seen: b" s, 0 s left" in seen)
        assert working.watch.share == pytest.approx(0.6)


def test_short_work_shows_no_progress(monkeypatch: pytest.MonkeyPatch, call: Call, small: Small) -> None:
    monkeypatch.setattr(progress, "_WAIT", 60.0)
    begun = time.monotonic()
    with terminal() as screen, stderr_is(screen, monkeypatch):
        assert call("eval", small.qrels, small.run, "--quiet").code == 0
        assert screen.read_ready(0.05) == b""
    assert time.monotonic() - begun < 30


def test_no_progress_where_stderr_is_no_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "_WAIT", 0.0)
    with Progress() as working:
        working.at(Text("reading", "正在读取"))
        time.sleep(0.05)
    assert capsys.readouterr().err == ""


def test_a_second_is_waited_by_default() -> None:
    assert progress._WAIT == 1.0
