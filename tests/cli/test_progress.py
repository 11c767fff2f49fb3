"""Progress: which commands tell their share of the work, the bar that shows it, and pipes that see nothing of it."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from types import TracebackType

import numpy as np
import pytest
from rich.cells import cell_len

from pingce.base.progress import Watch, advance, doing, part, stepwise, watched
from pingce.base.text import Text
from pingce.cli.progress import Progress

from .conftest import Call, Small, Write
from .shell import Terminal, Word, command, process, terminal


class Told(Progress):
    """One that remembers how far the work had come at its end, and on the way."""

    shares: list[float] = []  # noqa: RUF012 - of one test

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shares.append(self.watch.share)
        super().__exit__(kind, problem, trace)


@pytest.fixture
def shares(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How far each piece of work had come when it was done."""
    monkeypatch.setattr(Told, "shares", [])
    for module in ("jobs", "compare", "report", "check"):
        monkeypatch.setattr(f"pingce.cli.{module}.Progress", Told)
    return Told.shares


@pytest.fixture
def rows(write: Write) -> Path:
    lines = [f"{i % 2},{(i * 7) % 10 / 10},{(i * 3) % 10 / 10},{i % 3}" for i in range(40)]
    return write("rows.csv", "click,a,b,user\n" + "\n".join(lines) + "\n")


@pytest.fixture
def lines_of(small: Small, rows: Path, write: Write, tmp_path: Path, call: Call) -> dict[str, list[Word]]:
    """A command line of each kind of work that may take longer than a second."""
    np.save(tmp_path / "users.npy", np.eye(3))
    np.save(tmp_path / "items.npy", np.eye(3))
    base = write("base.json", call("eval", small.qrels, small.other, "-q", "-f", "json", "-m", "rr").out)
    clicks: list[Word] = [rows, "--label", "click"]
    both: list[Word] = [*clicks, "--score", "a", "--score", "b"]
    parts = write("parts.csv", "query,part\nq1,x\nq2,y\nq3,y\n")
    drop: list[Word] = ["--baseline", base, "--max-drop", "rr=0", "--significant", "--samples", "100"]
    log = write("log.csv", "user,item,time\n" + "".join(f"u{i % 3},i{i},{i}\n" for i in range(12)))
    return {
        "runs": ["eval", small.qrels, small.run, small.other, "--ci", "0.9"],
        "slices of runs": ["eval", small.qrels, small.run, "--by", f"{parts}:part", "--min-n", "0"],
        "rows": ["eval", *clicks, "--score", "a", "--ci", "0.9", "--samples", "20"],
        "slices of rows": ["eval", *clicks, "--score", "a", "--ci", "0.9", "--samples", "20", "--by", "user", "--min-n", "0"],
        "compared runs": ["compare", small.qrels, small.run, small.other, "--samples", "100"],
        "compared rows": ["compare", *both, "--samples", "100", "-m", "auc,f1"],
        "report": ["report", small.qrels, small.run, small.other, "-o", tmp_path / "x.html", "--samples", "100"],
        "tuned": ["fuse", small.run, small.other, "--tune", small.qrels, "--hold-out", "0", "-o", tmp_path / "x.run"],
        "split": ["split", log, "--how", "last", "-o", tmp_path / "parts"],
        "check": ["check", small.qrels, small.run, *drop],
        "factors": ["eval-factors", tmp_path / "users.npy", tmp_path / "items.npy", "--truth", write("t.csv", "query,item,grade\n0,1,1\n2,2,1\n")],
    }  # fmt: skip


@pytest.mark.filterwarnings("ignore::pingce.PingceWarning")
def test_every_long_command_tells_its_share(lines_of: dict[str, list[Word]], call: Call, shares: list[float]) -> None:
    for name, words in lines_of.items():
        shares.clear()
        done = call(*words, "--quiet")
        assert done.code in (0, 1), (name, done.err)
        assert "\r" not in done.err
        assert shares, name
        assert max(shares) >= 0.9, name


def test_who_looks_last_is_told_what_is_done() -> None:
    outer, inner = Watch(), Watch()
    doing(Text("nobody looks", "无人"))
    with watched(outer):
        doing(Text("reading", "读取"))
        with watched(inner):
            doing(Text("scoring", "评测"))
    assert (outer.text, inner.text) == ("reading", "scoring")


def test_steps_share_the_work_around_them() -> None:
    watch, told = Watch(), []
    with watched(watch), part(0.5, 1):
        for item in stepwise("ab"):
            told.append((item, watch.share))
            advance(0.5)
            told.append((item, watch.share))
    assert told == [("a", 0.0), ("a", 0.625), ("b", 0.75), ("b", 0.875)]
    assert watch.share == 1.0
    assert list(stepwise([])) == []
    assert list(stepwise("xy")) == ["x", "y"], "where nobody looks"


def on(screen: Terminal, monkeypatch: pytest.MonkeyPatch, encoding: str = "utf-8") -> io.TextIOWrapper:
    stream = open(screen.far, "w", encoding=encoding, closefd=False)  # noqa: SIM115 - closed by its owner
    monkeypatch.setattr(sys, "stderr", stream)
    return stream


@pytest.mark.parametrize(("encoding", "full", "empty"), [("utf-8", "━", "─"), ("ascii", "#", "-")])
def test_the_bar(monkeypatch: pytest.MonkeyPatch, encoding: str, full: str, empty: str) -> None:
    with terminal(60) as screen, on(screen, monkeypatch, encoding), Progress() as working:
        working.at(Text("comparing", "正在比较"))
        assert working._line(2.0) == "comparing … 2.0 s"
        with part(0, 1):
            advance(0.25)
        working.watch.share = 0.25
        assert working._line(2.0) == f"comparing {full * 5}{empty * 15}  25% … 2.0 s, 6 s left"
        working.watch.share = 0.01
        assert working._line(2.0) == f"comparing {empty * 20}   1% … 2.0 s"
        working.watch.share = 1.0
        assert working._line(9.5) == f"comparing {full * 20} 100% … 9.5 s, 0 s left"


@pytest.mark.parametrize("text", ["reading " + "x" * 300, "正在读取" * 80])
def test_the_line_never_wraps(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    for columns in (40, 60, 200):
        with terminal(columns) as screen, on(screen, monkeypatch), Progress() as working:
            working.watch.text, working.watch.share = text, 0.5
            line = working._line(100.0)
            assert cell_len(line) < max(columns, 50)
            assert "…" in line


@pytest.mark.deep("a process that works for seconds")
def test_a_process_shows_the_bar_on_a_terminal_and_nothing_in_a_pipe(write: Write) -> None:
    truth = {f"q{i}": {"a": 1, f"b{i % 7}": 1} for i in range(3000)}
    runs = [{query: {"a": (at + i) % 3, f"b{i % 5}": 1} for i, query in enumerate(truth)} for at in range(2)]
    files = [write(f"{at}.json", json.dumps(each)) for at, each in enumerate((truth, *runs))]
    words: list[Word] = ["compare", *files, "--samples", "60000", "-m", "rr,ndcg@10,map", "--lang", "zh"]
    with terminal(120) as screen, process(command(*words), err=screen.far) as running:
        screen.leave()
        screen.read_until(lambda _: False)
        assert running.wait() == 0
    frames = screen.text.split("\r\x1b[2K")
    assert any(re.search(r"━+─* +\d+% … \d+\.\d s，还需 \d+ (秒|分钟)", frame) for frame in frames), frames
    shares = [int(match[1]) for frame in frames if (match := re.search(r"(\d+)%", frame))]
    assert shares == sorted(shares)
    with process(command(*words)) as piped:
        assert piped.stderr is not None
        said = piped.stderr.read().decode()
        assert piped.wait() == 0
    assert "\r" not in said
    assert "━" not in said
