"""`-o`: the format follows the suffix, and the file is whole or not there."""

from __future__ import annotations

import os
import stat
from contextlib import nullcontext
from pathlib import Path
from threading import Thread

import pytest

import pingce as pc
from pingce import InputError

from .conftest import Call, Small, Write
from .shell import Word


@pytest.mark.parametrize(
    ("name", "out_format"),
    [
        ("x.json", "json"), ("x.jsonl", "jsonl"), ("x.csv", "csv"), ("x.tsv", "tsv"), ("x.md", "md"), ("x.tex", "latex"),
        ("x.txt", "table"), ("X.JSON", "json"), ("x", "table"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("flag", ["-o", "--output"])
def test_format_by_suffix(call: Call, small: Small, tmp_path: Path, flag: str, name: str, out_format: str) -> None:
    printed = call("eval", small.qrels, small.run, "-f", out_format).out
    done = call("eval", small.qrels, small.run, flag, tmp_path / name)
    assert (done.code, done.out) == (0, "")
    assert (tmp_path / name).read_text(encoding="utf-8") == printed


def test_a_format_asked_for_wins_over_the_suffix(call: Call, small: Small, tmp_path: Path) -> None:
    call("eval", small.qrels, small.run, "-o", tmp_path / "x.json", "-f", "md")
    assert (tmp_path / "x.json").read_text().startswith("| metric |")


_LABELS = ("--label", "y", "--score", "s")
_WRITING: dict[str, tuple[tuple[str, ...], str]] = {
    "eval": (("eval", "truth.qrels", "one.run"), ".json, .jsonl, .csv, .tsv, .md, .tex, .txt"),
    "eval of predictions": (("eval", "p.csv", *_LABELS), ".json, .jsonl, .csv, .tsv, .md, .tex, .txt"),
    "compare": (("compare", "truth.qrels", "one.run", "two.run"), ".json, .csv, .tsv, .md, .tex, .txt"),
    "check": (("check", "truth.qrels", "one.run", "--min", "mrr=0"), ".json, .md, .txt"),
    "curve": (("curve", "roc", "p.csv", *_LABELS), ".json, .csv, .tsv, .md, .png, .svg, .txt"),
    "explain": (("explain", "ndcg", "--grades", "1,0"), ".json, .md, .tex, .html, .htm, .txt"),
    "report": (("report", "truth.qrels", "one.run"), ".html, .htm"),
}


@pytest.mark.parametrize("suffix", [".xlsx", ".pdf", ".parquet", ".gz"])
@pytest.mark.parametrize("command", _WRITING)
def test_a_name_that_promises_another_format_is_refused_with_the_list(
    call: Call, small: Small, write: Write, monkeypatch: pytest.MonkeyPatch, command: str, suffix: str
) -> None:
    monkeypatch.chdir(write("p.csv", "y,s\n1,0.9\n0,0.1\n").parent)
    words, listed = _WRITING[command]
    done = call(*words, "-o", "x" + suffix)
    way = "" if command == "report" else ", or say the format with -f"
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        f"pingce: x{suffix}: {suffix} cannot be written here; give the file one of the endings {listed}{way}\n"
    )
    assert not Path("x" + suffix).exists()


@pytest.mark.parametrize("command", [name for name in _WRITING if name != "report"])
def test_a_name_without_a_suffix_gets_what_the_terminal_gets(
    call: Call, small: Small, write: Write, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.chdir(write("p.csv", "y,s\n1,0.9\n0,0.1\n").parent)
    words, _ = _WRITING[command]
    assert call(*words, "-o", "plain").code == 0
    assert Path("plain").read_text(encoding="utf-8") == call(*words).out


@pytest.mark.parametrize(("name", "is_report"), [("r.html", True), ("R.HTM", True), ("r", True), ("r.pdf", False)])
def test_a_report_is_html_by_name(tmp_path: Path, name: str, is_report: bool) -> None:
    outcome = nullcontext() if is_report else pytest.raises(InputError, match=r"r\.pdf: \.pdf cannot be written here")
    with outcome:
        pc.report({"q": {"a": 1}}, {"one": {"q": ["a"]}}, ["mrr"], path=tmp_path / name)
    assert (tmp_path / name).exists() == is_report


def test_an_existing_file_is_replaced_and_nothing_else_is_left(call: Call, small: Small, tmp_path: Path) -> None:
    target = tmp_path / "x.csv"
    target.write_text("old")
    before = set(tmp_path.iterdir())
    assert call("eval", small.qrels, small.run, "-o", target).code == 0
    assert target.read_text().startswith("run,metric")
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_the_file_has_the_permissions_of_any_new_file(call: Call, small: Small, tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        call("eval", small.qrels, small.run, "-o", tmp_path / "x.csv")
        assert os.umask(mask) == mask
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "x.csv").stat().st_mode) == 0o666 & ~mask


@pytest.mark.parametrize("trouble", ["no such run", "bad metric", "bad second run"])
def test_bad_input_leaves_the_file_as_it_was(call: Call, small: Small, tmp_path: Path, trouble: str) -> None:
    target = tmp_path / "x.json"
    target.write_text("old")
    bad = tmp_path / "bad.run"
    bad.write_text("q1 Q0 a\n")
    words: dict[str, list[Word]] = {
        "no such run": [small.qrels, tmp_path / "none.run"],
        "bad metric": [small.qrels, small.run, "-m", "ndgc"],
        "bad second run": [small.qrels, small.run, bad],
    }
    before = set(tmp_path.iterdir())
    assert call("eval", *words[trouble], "-o", target).code == 2
    assert target.read_text() == "old"
    assert set(tmp_path.iterdir()) == before


def test_a_failing_disk_leaves_the_file_as_it_was(
    call: Call, small: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    target = tmp_path / "x.json"
    target.write_text("old")
    before = set(tmp_path.iterdir())
    monkeypatch.setattr(Path, "replace", full)
    done = call("eval", small.qrels, small.run, "-o", target)
    assert done.code == 2
    assert done.err.splitlines()[-1] == f"pingce: {target}: cannot be written (No space left on device)"
    assert target.read_text() == "old"
    assert set(tmp_path.iterdir()) == before


def test_interrupted_while_writing_leaves_nothing(
    call: Call, small: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = set(tmp_path.iterdir())
    monkeypatch.setattr(Path, "replace", interrupt)
    assert call("eval", small.qrels, small.run, "-o", tmp_path / "x.json").code == 130
    assert set(tmp_path.iterdir()) == before


@pytest.mark.parametrize("target", ["none/x.json", "truth.qrels/x.json"])
def test_a_folder_that_cannot_be_written(call: Call, small: Small, tmp_path: Path, target: str) -> None:
    done = call("eval", small.qrels, small.run, "-o", tmp_path / target)
    assert (done.code, done.out) == (2, "")
    assert "cannot be written" in done.err.splitlines()[-1]
    assert str(tmp_path / target) in done.err


def test_a_folder_is_no_output_file(call: Call, small: Small, tmp_path: Path) -> None:
    done = call("eval", small.qrels, small.run, "-o", tmp_path)
    assert (done.code, done.out) == (2, "")
    assert "is a directory" in done.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder(call: Call, small: Small, tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o555)
    done = call("eval", small.qrels, small.run, "-o", folder / "x.json")
    assert (done.code, done.out) == (2, "")
    assert "Permission denied" in done.err


def test_a_pipe_with_a_name_is_written_to_and_not_replaced(call: Call, small: Small, tmp_path: Path) -> None:
    """As with `-o >(gzip > scores.gz)` or `-o /dev/null`."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    holder = os.open(pipe, os.O_RDWR)
    received: list[bytes] = []
    reader = Thread(target=lambda: received.append(os.read(holder, 1 << 16)), daemon=True)
    reader.start()
    try:
        assert call("eval", small.qrels, small.run, "-f", "csv", "-o", pipe).code == 0
        assert stat.S_ISFIFO(pipe.stat().st_mode)
        reader.join(10)
        assert received
        assert received[0].startswith(b"run,metric")
    finally:
        os.write(holder, b"\n")
        reader.join()
        os.close(holder)


def test_a_link_is_followed(call: Call, small: Small, tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("old")
    (tmp_path / "link.csv").symlink_to(tmp_path / "real.csv")
    assert call("eval", small.qrels, small.run, "-o", tmp_path / "link.csv").code == 0
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "real.csv").read_text().startswith("run,metric")


def test_the_mode_of_the_old_file_stays(small: Small, call: Call, tmp_path: Path) -> None:
    target = tmp_path / "x.json"
    target.write_text("old")
    target.chmod(0o600)
    assert call("eval", small.qrels, small.run, "-o", target).code == 0
    assert target.stat().st_mode & 0o777 == 0o600
