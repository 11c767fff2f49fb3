"""`pingce ndeval`: what it refuses. tests/conformance compares whole outputs with those of the program itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from pingce.cli import run

QRELS = "1 1 a 1\n1 2 b 1\n"
RUN = "wt09-1 Q0 a 1 2.0 tag\n01 Q0 b 2 1.0 tag\n"


@pytest.mark.parametrize(
    ("qrels", "lines", "options", "words"),
    [
        ("1 1 a -2\n", RUN, [], "the judgment is -2, but ndeval reads whole numbers from 0 on"),
        ("q 1 a 1\n", RUN, [], "ndeval reads topics and subtopics as numbers"),
        (QRELS, "1 Q0 a 1 2.0 t\n1 Q0 b 1 1.0 t\n", [], "another document of this topic has the same rank"),
        (QRELS, RUN, ["-baseline", "x.run"], "ndeval has this option, pingce ndeval does not"),
    ],
)
def test_refusals(
    qrels: str, lines: str, options: list[str], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    truth, listed = tmp_path / "qrels.txt", tmp_path / "a.run"
    truth.write_text(qrels, encoding="utf-8")
    listed.write_text(lines, encoding="utf-8")
    assert run(["ndeval", *options, str(truth), str(listed), "--lang", "en"]) != 0
    assert words in capsys.readouterr().err


def test_topics_are_numbers_whatever_stands_before_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truth, listed = tmp_path / "qrels.txt", tmp_path / "a.run"
    truth.write_text(QRELS, encoding="utf-8")
    listed.write_text(RUN, encoding="utf-8")
    assert run(["ndeval", str(truth), str(listed)]) == 0
    header, topic, mean = capsys.readouterr().out.splitlines()
    assert header.startswith("runid,topic,ERR-IA@5,")
    assert topic.startswith("tag,1,")
    assert mean.removeprefix("tag,amean,") == topic.removeprefix("tag,1,")
