"""Commands over files that are elsewhere: what they print never has the secrets of an address."""

from __future__ import annotations

from pathlib import Path

import pytest

from inputs.samples import stand_in_for_elsewhere

from .conftest import Call

AT, TOKEN = "s3://key:SECRET@b/", "?session_token=HUSH/HUSH"


@pytest.fixture
def bucket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that stands for what is elsewhere."""
    monkeypatch.chdir(tmp_path)
    folder = stand_in_for_elsewhere(tmp_path, monkeypatch)
    (folder / "d").mkdir()
    (folder / "d" / "_SUCCESS").write_text("")
    (folder / "q.txt").write_text("1 0 a 1\n1 0 b 0\n2 0 a 1\n")
    for name in ("r.txt", "s.txt"):
        (folder / name).write_text("1 Q0 a 1 2 x\n1 Q0 b 2 1 x\n2 Q0 a 1 1 x\n")
    (folder / "x.csv").write_text("label,score,user\n1,zz,u\n0,0.5,u\n")
    (folder / "y.csv").write_text("label,score,user\n1,0.7,u\n0,0.5,u\n")
    (folder / "empty.csv").write_text("")
    return folder


ROWS = ("--label", "label", "--score", "score", "-m", "auc")
CALLS: list[tuple[int, tuple[str, ...]]] = [
    *((2, ("eval", f, *ROWS, *more)) for f in ("x.csv", "d", "empty.csv", "none.csv") for more in ((), ("--memory", "1G"))),
    (0, ("eval", "y.csv", *ROWS, "-f", "json")),
    (2, ("eval", "y.csv", "--label", "nope", "--score", "score")),
    (0, ("eval", "q.txt", "r.txt", "s.txt", "-m", "mrr")),
    (0, ("eval", "q.txt", "r.txt", "-m", "mrr", "-f", "json")),
    (0, ("compare", "q.txt", "r.txt", "s.txt", "-m", "mrr")),
    (0, ("explain", "mrr", "q.txt", "r.txt", "--query", "1")),
    (2, ("eval", "q.txt", "d", "-m", "mrr")),
    (2, ("eval", "q.txt", "r.txt", "-m", "mrr", "--query-weight", "none.txt")),
    (0, ("report", "q.txt", "r.txt", "s.txt", "-m", "mrr", "-o", "./report.html")),
    (2, ("check", "none.json", "--min", "mrr=1")),
    (0, ("trec_eval", "q.txt", "r.txt")),
    (2, ("check", "q.txt", "r.txt", "--checks", "none.toml")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "words"), CALLS, ids=lambda value: " ".join(value) if isinstance(value, tuple) else ""
)
def test_no_command_prints_a_secret(bucket: Path, call: Call, code: int, words: tuple[str, ...]) -> None:
    done = call(
        *(f"{AT}{word}{TOKEN}" if (bucket / word).exists() or word.startswith("none") else word for word in words)
    )
    assert done.code == code, done.err
    page = bucket.parent / "report.html"
    printed = done.out + done.err + (page.read_text(encoding="utf-8") if page.exists() else "")
    assert not any(secret in printed for secret in ("SECRET", "HUSH", "session_token", "pingce-remote"))


def test_saved_scores_that_are_elsewhere_are_checked_and_compared(bucket: Path, call: Call) -> None:
    for name in ("r", "s"):
        (bucket / f"{name}.json").write_text(
            call("eval", bucket / "q.txt", bucket / f"{name}.txt", "-m", "mrr", "-f", "json", "--per-query").out
        )
    assert call("check", f"{AT}r.json{TOKEN}", "--min", "mrr=1").code == 0
    assert call("check", f"{AT}r.json{TOKEN}", "--baseline", f"{AT}s.json", "--max-drop", "mrr=0.1").code == 0
    done = call("compare", f"{AT}r.json{TOKEN}", f"{AT}s.json")
    assert done.code == 0, done.err
    assert "HUSH" not in done.out + done.err
