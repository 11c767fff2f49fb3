"""Files that are damaged, endless or full of odd letters, disks that are full, and Ctrl-C at any moment."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest

from pingce.cli import output as cli_output

from .conftest import Call, Small, Write, values
from .shell import LIMIT, Word, command, environment, shell
from .test_hostile import LATEX, LATEX_TOKEN, harmless, looks_like

SANITIZED = "asan" in os.environ.get("LD_PRELOAD", "")
LONG = 10_000_000
BARE: dict[str, str | None] = {"COVERAGE_PROCESS_CONFIG": None, "COVERAGE_PROCESS_START": None}
"A process in which nothing but pingce writes files and waits for the end."

PACKED: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "zst": lambda data: bytes(pa.compress(data, "zstd", asbytes=True)),
}


def refused(call: Call, *words: Word) -> str:
    """The one short line on stderr, and nothing else anywhere."""
    done = call("eval", *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.endswith("\n")
    harmless(done.err[:-1])
    assert len(done.err) < 2000, f"{len(done.err)} letters are no sentence"
    return done.err


@pytest.mark.parametrize("suffix", PACKED)
def test_compressed_files_cut_anywhere(call: Call, small: Small, tmp_path: Path, suffix: str) -> None:
    """Never half of the rows: a cut file is refused, wherever it was cut."""
    whole = PACKED[suffix](b"".join(b"q1 Q0 d%d 1 %d t\n" % (i, i) for i in range(1000)))
    cut, target = tmp_path / f"cut.run.{suffix}", tmp_path / "old.json"
    target.write_text("old")
    for size in {0, 1, 4, 11, len(whole) // 2, len(whole) - 9, len(whole) - 4, len(whole) - 1}:
        cut.write_bytes(whole[:size])
        said = refused(call, small.qrels, cut, "-o", target)
        assert f"cut.run.{suffix}" in said
        assert "damaged or cut short" in said or size <= 4
    assert target.read_text() == "old"


ENDLESS: dict[str, Callable[[str], str]] = {
    "run": lambda id: f"q1 Q0 {id} 1 9 t\nq1 Q0 a 2 8 t\n",
    "csv": lambda id: f"query,item,score\nq1,{id},9\nq1,a,8\n",
    "tsv": lambda id: f"query\titem\tscore\nq1\t{id}\t9\nq1\ta\t8\n",
    "jsonl": lambda id: "".join(json.dumps({"query": "q1", "item": i, "score": s}) + "\n" for i, s in ((id, 9), ("a", 8))),
    "json": lambda id: json.dumps({"q1": {id: 9, "a": 8}}),
}  # fmt: skip


@pytest.mark.parametrize("suffix", ENDLESS)
def test_an_id_of_ten_million_letters(call: Call, write: Write, suffix: str) -> None:
    truth = write("truth.qrels", f"q1 0 a 1\nq1 0 {'x' * LONG} 0\n")
    run = write(f"endless.{suffix}", ENDLESS[suffix]("x" * LONG))
    done = call("eval", truth, run, "-m", "rr,judged@2", "-f", "json")
    assert done.code == 0, done.err[:500]
    assert values(json.loads(done.out)) == {"rr": 0.5, "judged@2": 1.0}


def test_a_query_of_ten_million_letters(call: Call, write: Write) -> None:
    long = "y" * LONG
    truth, run = write("truth.qrels", f"{long} 0 a 1\n"), write("one.run", f"{long} Q0 a 1 9 t\n")
    done = call("eval", truth, run, "-m", "rr", "-f", "json", "-q")
    assert json.loads(done.out)["per_query"]["query"] == [long]


@pytest.mark.deep("ten million rows")
def test_ten_million_blanks(call: Call, small: Small, write: Write) -> None:
    blanks = " \t" * (LONG // 2)
    run = write("blank.run", f"{blanks}\nq1{blanks}Q0 x 1 9 t\n{blanks}q1 Q0 a 2 8 t{blanks}\n{blanks}")
    done = call("eval", small.qrels, run, "-m", "rr", "--missing", "skip", "-f", "json")
    assert values(json.loads(done.out)) == {"rr": 0.5}
    assert "the file is empty" in refused(call, small.qrels, write("only.run", blanks))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("number.run", f"q1 Q0 a 1 {'9' * LONG}x t\n"),
        ("fields.run", f"q1 Q0 a 1 9 t\nq1 {'z' * LONG}\n"),
        ("twice.run", f"q1 Q0 {'d' * LONG} 1 9 t\n" * 2),
        ("nan.run", f"q1 Q0 {'d' * LONG} 1 nan t\n"),
        ("other.run", f"{'d' * LONG} Q0 a 1 9 t\n"),
        ("number.jsonl", '{"query": "q1", "item": "a", "score": 1}\n{"query": "q1", "item": "b", "score": "%s"}' % ("9" * LONG)),
        ("object.jsonl", '{"query": "q1", "item": "a", "score": 1}\n' + "9" * LONG),
        ("number.json", json.dumps({"q1": {"a": "9" * LONG}})),
        ("number.csv", f"query,item,score\nq1,a,{'x' * 100_000}\n"),
        ("fields.csv", f"query,item,score\nq1,a,{'x,' * 100_000}\n"),
        ("header.csv", f"query,{'x' * 100_000}\nq1,a\n"),
    ],
    ids=lambda value: value if len(value) < 20 else "endless",
)  # fmt: skip
def test_a_refusal_is_a_sentence_however_long_the_line(
    call: Call, small: Small, write: Write, name: str, text: str
) -> None:
    refused(call, small.qrels, write(name, text))


def test_zero_bytes_are_letters_of_an_id(score: Callable[..., Any], write: Write) -> None:
    truth = write("zero.qrels", "q\0 0 a\0b 1\nq 0 a 1\n")
    run = write("zero.run", "q\0 Q0 a 1 9 t\nq\0 Q0 a\0b 2 8 t\nq Q0 a 1 9 t\n")
    found = score(truth, run, "-m", "rr", "-q")
    assert found["per_query"] == {"query": ["q", "q\0"], "values": {"rr": [1.0, 0.5]}}


def test_zero_bytes_do_not_part_fields(call: Call, small: Small, write: Write) -> None:
    said = refused(call, small.qrels, write("zero.run", "q1\0Q0\0a\0001\0009\0t\n"))
    assert r"zero.run:1: 1 columns" in said
    assert r"q1\x00Q0\x00a" in said


ODD = [
    "a b", " led and followed ", "tab\tbed", "line\nfeed", "both\r\nends", "lone\rreturn", "a\0b", "zero\u200bwidth", "join\u2060ed",
    "\u202eevil", "\u2066isolated\u2069", "\ufeffmarked", "\x1b[2J\x1b]0;title\x07", "\x9b5m", "\x85next", "\u2029paragraph",
    "<script>alert('x')</script>", "<img src=x onerror=alert(1)>", "&lt;b&gt;", 'say "hi", twice', "'", '"', ",", "|", "\\", "\\\\|", "a\\",
    "[a](javascript:alert(1))", "`x`", "$\\input{passwd}$", "%", "a_b^c~d#e{f}", "\\end{tabular}", "=1+1", "e\u0301", "𝕏😀", "q" * 10_000,
    "\u202e" * 300,
]  # fmt: skip


@pytest.fixture(params=["csv", "json"])
def odd(write: Write, request: pytest.FixtureRequest) -> list[Path]:
    """Qrels and a run in which every id is odd, as a table and as an object."""
    if request.param == "json":
        text = json.dumps({name: {name: 1} for name in ODD}, ensure_ascii=False)
        return [write("truth.json", text), write("found.json", text)]
    out = io.StringIO(newline="")
    csv.writer(out).writerows([["query", "item", "score"], *([name, name, 1] for name in ODD)])
    return [write("truth.csv", out.getvalue()), write("found.csv", out.getvalue())]


@pytest.fixture
def written(call: Call, odd: list[Path]) -> Callable[[str], str]:
    def evaluate(out_format: str) -> str:
        done = call("eval", *odd, "-m", "rr", "-q", "-f", out_format, "--quiet")
        assert (done.code, done.err) == (0, "")
        return done.out

    return evaluate


def shows(cells: list[str]) -> None:
    """Every id has its cell, in the order of the ids."""
    assert len(cells) == len(ODD)
    for cell, original in zip(cells, sorted(ODD), strict=True):
        assert looks_like(cell.strip(" "), original.strip(" ")), (cell[:80], original[:80])


def body(text: str, before: int) -> list[str]:
    """The rows of the table of queries, each of them harmless."""
    for line in text.split("\n"):
        harmless(line.replace("\t", ""))
    return text.split("\n\n", maxsplit=1)[0].split("\n")[before:]


def test_json_round_trip(written: Callable[[str], str]) -> None:
    assert json.loads(written("json"))["per_query"]["query"] == sorted(ODD)


@pytest.mark.parametrize(("out_format", "delimiter"), [("csv", ","), ("tsv", "\t")])
def test_delimited_round_trip(written: Callable[[str], str], out_format: str, delimiter: str) -> None:
    text = written(out_format)
    assert [row["query"] for row in csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)] == sorted(ODD)
    frame = pd.read_csv(io.BytesIO(text.encode()), sep=delimiter, dtype={"query": str}, keep_default_na=False)
    assert frame["query"].tolist() == sorted(ODD)
    assert frame["rr"].tolist() == [1.0] * len(ODD)


def test_markdown_is_a_line_a_row_without_html(written: Callable[[str], str]) -> None:
    lines = body(written("md"), 2)
    assert not any(letter in line for line in lines for letter in "<>")
    cells = [re.fullmatch(r"\| (.*) \| 1\.0000 \|", line) for line in lines]
    plain = [re.sub(r"\\([\\|`*_\[\]#~$])", r"\1", cell[1]) for cell in cells if cell]
    assert not any(re.search(r"(?<!\\)(?:\\\\)*[|`\[\]]", cell[1]) for cell in cells if cell)
    shows([cell.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") for cell in plain])


def test_latex_is_escaped_and_balanced(written: Callable[[str], str]) -> None:
    text = written("latex")
    cells = []
    for line in body(text, 5)[:-2]:
        found = re.fullmatch(r"(.*) & 1\.0000 \\\\", line)
        assert found, line
        assert not set(LATEX_TOKEN.sub("", found[1])) & set("\\&%$#_{}~^<>")
        cells.append(LATEX_TOKEN.sub(lambda token: LATEX[token[0]], found[1]))
    shows(cells)
    for command_ in ("begin", "end"):
        assert len(re.findall(rf"\\{command_}\{{tabular\}}", text)) == 2
    assert "input{" not in text


def test_terminal_table_is_a_line_a_row(written: Callable[[str], str]) -> None:
    shows([line.rsplit(maxsplit=1)[0] for line in body(written("table"), 2)])


def test_trec_lines_are_three_fields_a_line(written: Callable[[str], str]) -> None:
    lines = body(written("trec").rstrip("\n"), 0)
    fields = [line.split("\t") for line in lines]
    assert all(re.fullmatch(r"rr {20}", name) and value == "1.0000" for name, _, value in fields)
    assert not any(re.search(r"\s", query) for _, query, _ in fields)
    assert fields[-1][1] == "all"
    shows([query.replace("\\x20", " ") for _, query, _ in fields[:-1]])


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_device(call: Call, small: Small) -> None:
    said = refused(call, small.qrels, small.run, "-o", "/dev/full", "--quiet")
    assert said == "pingce: /dev/full: cannot be written (No space left on device)\n"
    assert Path("/dev/full").is_char_device()


@pytest.mark.parametrize("room", [0, 1, 700])
def test_a_disk_that_fills_up_while_writing(small: Small, tmp_path: Path, room: int) -> None:
    """A limit on the size of files stands for the disk: the first bytes are written, the rest is not."""
    target = tmp_path / "x.json"
    target.write_text("old")
    before = set(tmp_path.iterdir())
    done = subprocess.run(
        command("eval", small.qrels, small.run, "-o", target, "--quiet"),
        env=environment({**BARE, "PYTHONDONTWRITEBYTECODE": "1"}), capture_output=True, text=True, timeout=LIMIT, check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"pingce: {target}: cannot be written (File too large)\n"
    assert target.read_text() == "old"
    assert set(tmp_path.iterdir()) == before


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="this system has no /proc")
def test_a_folder_in_which_nobody_may_write(call: Call, small: Small) -> None:
    """Root may write nearly everywhere, but not here."""
    said = refused(call, small.qrels, small.run, "-o", "/proc/self/x.json", "--quiet")
    assert said.startswith("pingce: /proc/self/x.json: cannot be written (")


class Interruption:
    """Ctrl-C when the nth line of the module that writes, or of what it calls, is about to run."""

    def __init__(self, number: int) -> None:
        self.left = number

    def __call__(self, frame: FrameType, event: str, _: object) -> Interruption | None:
        if event == "line":
            self.left -= 1
            if self.left == 0:
                sys.settrace(None)
                raise KeyboardInterrupt
        return self


def interrupted_write(target: Path, number: int) -> bool:
    """Write with an interruption; false when the writing was over before it came."""
    watch, before = Interruption(number), sys.gettrace()
    sys.settrace(watch)
    try:
        cli_output.write("new", target)
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_ctrl_c_at_every_line_of_writing(tmp_path: Path) -> None:
    """The old file or the new one, whole, and nothing beside it."""
    target, number = tmp_path / "x.txt", 0
    leftovers, torn = [], []
    while True:
        number += 1
        target.write_text("old")
        more = interrupted_write(target, number)
        leftovers += [(number, path.name) for path in tmp_path.iterdir() if path != target]
        torn += [number] if target.read_text() not in ("old", "new\n") else []
        for path in tmp_path.iterdir():
            path.unlink()
        if not more:
            break
    assert number > 5
    assert (leftovers, torn) == ([], [])


READY = """
import sys
from pingce import cli

real = cli.run


def told(words):
    print(flush=True)
    return real(words)


cli.run = told
cli.main(sys.argv[1:])
"""
"Says that it is ready from within `main`: what comes before is Python's own, tracebacks included."


@pytest.fixture(scope="module")
def heavy(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A run of thirty megabytes, and the words that score it."""
    folder, queries = tmp_path_factory.mktemp("heavy"), 500 if SANITIZED else 5000
    truth, run = folder / "truth.qrels", folder / "heavy.run"
    truth.write_text("".join(f"query{q} 0 d{7 * i} {i % 3}\n" for q in range(queries) for i in range(10)))
    run.write_text("".join(f"query{q} Q0 d{i} {i + 1} {200 - i} tag\n" for q in range(queries) for i in range(200)))
    return ["eval", str(truth), str(run), "-q", "--quiet", "-o"]


def started(heavy: list[str], target: Path) -> subprocess.Popen[bytes]:
    """A process at the very beginning of its work: what comes before is Python's own."""
    line = [sys.executable, "-c", READY, *heavy, str(target)]
    running = subprocess.Popen(line, env=environment(BARE), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert running.stdout is not None
    assert running.stdout.readline() == b"\n"
    return running


@pytest.mark.deep("a process a moment")
@pytest.mark.parametrize("moments", [8, 25])
def test_ctrl_c_at_any_moment(heavy: list[str], tmp_path: Path, moments: int) -> None:
    """Exit 130, or a complete run; the old file or the new one, whole; nothing beside it, and no traceback."""
    target = tmp_path / "x.json"
    begun = time.monotonic()
    with started(heavy, target) as running:
        begun = time.monotonic()
        assert running.wait(LIMIT) == 0
    seconds, whole = time.monotonic() - begun, target.read_bytes()
    codes = []
    for moment in range(moments):
        target.write_text("old")
        with started(heavy, target) as running:
            time.sleep(seconds * moment / moments)
            running.send_signal(signal.SIGINT)
            _, said = running.communicate(timeout=LIMIT)
        codes.append(running.returncode)
        found = target.read_bytes()
        assert b"Traceback" not in said, said.decode()
        assert [path.name for path in tmp_path.iterdir()] == ["x.json"]
        if running.returncode == 130:
            assert said in (b"", b"pingce: interrupted\n"), "at the very beginning there are no words yet"
            assert found in (b"old", whole)
        else:  # Python ends by the signal when it comes while it shuts down
            assert running.returncode in (0, -signal.SIGINT)
            assert found == whole
    assert 130 in codes


def test_the_name_of_the_output_may_be_as_long_as_the_system_allows(small: Small, tmp_path: Path) -> None:
    """The temporary file beside it must not need a longer name."""
    target = tmp_path / ("x" * 250 + ".json")
    done = shell("eval", small.qrels, small.run, "-o", target, "--quiet")
    assert (done.code, done.err) == (0, "")
    assert [path for path in tmp_path.iterdir() if path.suffix == ".json"] == [target]
