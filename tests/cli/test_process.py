"""What only a process can show: closed pipes, Ctrl-C, full disks, what is imported, the machine's encoding."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

import pingce
from pingce.cli import main

from .conftest import Small
from .shell import CASES, LIMIT, Word, command, environment, process, shell, terminal

Files = tuple[Path, Path]


def _ranking(folder: Path, queries: int, items: int) -> Files:
    truth, run = folder / "large.qrels", folder / "large.run"
    names = [f"query-{number}" for number in range(queries)]
    truth.write_text("".join(f"{name} 0 a 1\n" for name in names))
    run.write_text("".join(f"{name} Q0 d{item} 1 {60 - item} t\n" for name in names for item in range(items)))
    return truth, run


@pytest.fixture(scope="module")
def many_queries(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Three thousand queries of a row each: the output by query is far larger than a pipe holds."""
    return _ranking(tmp_path_factory.mktemp("many"), 3000, 1)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """So many rows that an evaluation is still at work when it is interrupted."""
    return _ranking(tmp_path_factory.mktemp("large"), 5000, 60)


@pytest.mark.parametrize("words", [["-q", "-f", "json"], ["-q", "-f", "csv"], ["-q"], []])
def test_a_pipe_that_closes_after_a_byte_is_silent(many_queries: Files, words: list[str]) -> None:
    line, buffered = command("eval", *many_queries, *words, "--quiet"), {"PYTHONUNBUFFERED": None}
    with process(line, out=subprocess.PIPE, env=buffered) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert len(os.read(running.stdout.fileno(), 1)) == 1
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(LIMIT) == 0


@pytest.mark.parametrize("unbuffered", [None, "1"])
@pytest.mark.parametrize("words", [["eval", "--quiet"], ["eval", "--quiet", "-q"], ["metrics"], ["--help"], ["doctor"]])
def test_a_pipe_that_was_never_read_is_silent(many_queries: Files, words: list[str], unbuffered: str | None) -> None:
    near, far = os.pipe()
    os.close(near)
    files = many_queries if words[0] == "eval" else ()
    try:
        with process(command(words[0], *files, *words[1:]), out=far, env={"PYTHONUNBUFFERED": unbuffered}) as running:
            assert running.stderr is not None
            assert running.stderr.read() == b""
            assert running.wait(LIMIT) == 0
    finally:
        os.close(far)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [["eval"], ["eval", "-q"], ["metrics"]])
def test_a_full_disk_behind_stdout(many_queries: Files, words: list[str]) -> None:
    files = many_queries if words[0] == "eval" else ()
    with Path("/dev/full").open("wb") as full, process(command(*words, *files), out=full) as running:
        assert running.stderr is not None
        said = running.stderr.read().decode()
        assert (running.wait(LIMIT), "Traceback" in said) == (2, False)
        assert "No space left" in said.splitlines()[-1]


def test_ctrl_c_while_waiting_for_a_file(small: Small, tmp_path: Path) -> None:
    """On a terminal: after a second it says what it does, Ctrl-C ends it, and no output file is there."""
    fifo = tmp_path / "slow.run"
    os.mkfifo(fifo)
    before = set(tmp_path.iterdir())
    begun = time.monotonic()
    line = command("eval", small.qrels, fifo, "-o", tmp_path / "scores.json")
    with terminal() as screen, process(line, err=screen.far) as running:
        screen.leave()
        screen.read_until(lambda seen: b"slow.run" in seen)
        assert time.monotonic() - begun >= 1.0
        running.send_signal(signal.SIGINT)
        screen.read_until(lambda _: False)
        assert running.wait(LIMIT) == 130
        assert re.search(r"\r\x1b\[2K\n*pingce: interrupted\n$", screen.text)
        assert "Traceback" not in screen.text
    assert set(tmp_path.iterdir()) == before


AT_WORK = "import sys; from pingce.cli import main, progress; progress._WAIT = 0.0; main(sys.argv[1:])"


@pytest.mark.parametrize("native", ["0", "1"])
def test_ctrl_c_while_at_work(large: Files, tmp_path: Path, native: str) -> None:
    before = set(tmp_path.iterdir())
    output = tmp_path / "scores.json"
    line = [sys.executable, "-c", AT_WORK, "eval", *map(str, large), "-o", str(output), "--threads", "1"]
    with terminal() as screen, process(line, err=screen.far, env={"PINGCE_NATIVE": native}) as running:
        screen.leave()
        screen.read_until(lambda seen: b"large" in seen)
        running.send_signal(signal.SIGINT)
        screen.read_until(lambda _: False)
        code = running.wait(LIMIT)
        assert "Traceback" not in screen.text
    assert code in (0, 130)
    if output.exists():  # the work was faster than the signal: then the output is whole
        assert json.loads(output.read_text())["run"] == "large"
    else:
        assert code == 130
        assert set(tmp_path.iterdir()) == before


INTERRUPTED_IMPORT = """
import sys

class Finder:
    def find_spec(self, name, *_):
        if name == "click":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Finder())
from pingce.cli import main
main(["doctor"])
"""


def test_ctrl_c_while_starting() -> None:
    with process([sys.executable, "-c", INTERRUPTED_IMPORT]) as running:
        assert running.stderr is not None
        assert "Traceback" not in running.stderr.read().decode()
        assert running.wait(LIMIT) == 130


def imported(*words: Word) -> set[str]:
    """The packages a command imports."""
    done = shell(*words, python=("-X", "importtime"))
    assert done.code == 0
    lines = [line.rsplit("|", 1)[1].strip() for line in done.err.splitlines() if line.startswith("import time:")]
    found = {name.split(".")[0] for name in lines}
    assert {"pingce", "click"} <= found
    return found


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["--help", "--lang", "zh"]])
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    assert not imported(*words) & {"numpy", "pyarrow", "rich", "pandas", "polars", "narwhals", "scipy"}


@pytest.mark.parametrize("out_format", ["json", "csv", "trec", "table"])
def test_a_small_trec_evaluation_imports_numpy_only(out_format: str) -> None:
    found = imported("eval", CASES / "graded.qrels", CASES / "graded.run", "-f", out_format, "-q")
    assert "numpy" in found
    assert not found & {"pyarrow", "pandas", "polars", "rich", "scipy", "narwhals"}


def test_a_parquet_file_is_read_without_pandas() -> None:
    """Which Arrow would import, a third of a second in which a Ctrl-C is lost."""
    log = Path(pingce.__file__).parent / "demo" / "ctr_log.parquet"
    found = imported("eval", log, "--label", "click", "--score", "pctr_a", "--group", "user_id", "-f", "json")
    assert "pyarrow" in found
    assert not found & {"pandas", "polars", "matplotlib", "pyspark"}


def test_rankings_in_parquet_are_read_without_pandas(tmp_path: Path) -> None:
    pairs: dict[str, list[Any]] = {"query": ["q", "q"], "item": ["a", "b"]}
    files = [tmp_path / "truth.parquet", tmp_path / "run.parquet"]
    numbers: list[dict[str, list[Any]]] = [{"grade": [1, 0]}, {"score": [0.5, 1.5]}]
    for path, column in zip(files, numbers, strict=True):
        parquet.write_table(pa.table(pairs | column), path)
    found = imported("eval", *files, "-f", "json")
    assert "pyarrow" in found
    assert not found & {"pandas", "polars", "narwhals", "scipy"}


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize(
    "words", [["metrics", "ndcg"], ["eval", "--help"], ["doctor"], ["demo"], ["eval", "none", "none"]]
)
def test_an_encoding_without_chinese_is_no_reason_to_fail(words: list[str], encoding: str) -> None:
    done = shell(*words, "--lang", "zh", env={"PYTHONIOENCODING": encoding})
    assert "Traceback" not in done.err
    assert done.code == (2 if "none" in words else 0)


def test_formulas_are_there_where_python_drops_docstrings() -> None:
    shown = [
        subprocess.run(
            [sys.executable, *flags, "-m", "pingce", "metrics", "ndcg"],
            env=environment(),
            capture_output=True,
            check=True,
        ).stdout
        for flags in ([], ["-OO"])
    ]
    assert b"DCG" in shown[0]
    assert shown[0] == shown[1]


def test_the_module_and_the_script_are_the_same_command() -> None:
    script = "import sys; from pingce.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", script, "--version"], env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout == shell("--version").out
    assert done.stdout.startswith("pingce ")


def test_the_run_may_come_through_a_pipe(small: Small) -> None:
    """As with `zcat run.gz | pingce eval qrels /dev/stdin`, or `<(…)`."""
    done = subprocess.run(
        command("eval", small.qrels, "/dev/stdin", "-m", "rr", "-f", "csv"),
        env=environment(), input=small.run.read_bytes(), capture_output=True, timeout=LIMIT, check=False,
    )  # fmt: skip
    assert done.returncode == 0 or b"pipe" in done.stderr, "read, or refused for what it is"
    assert done.returncode == 2 or done.stdout.splitlines()[1:] == [b"stdin,rr,rr,0.6666666666666666,3,0"]


def test_an_interrupt_that_python_wrapped(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a class is made, Python turns Ctrl-C into an error of its own."""

    def interrupted(_: list[str]) -> int:
        raise RuntimeError("Error calling __set_name__") from KeyboardInterrupt()

    monkeypatch.setattr("pingce.cli.run", interrupted)
    with pytest.raises(SystemExit) as ended:
        main(["doctor"])
    assert ended.value.code == 130
