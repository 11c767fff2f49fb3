"""What ndeval 4.5 printed, byte for byte: `make_ndeval_outputs.py` asked it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pingce.cli import run

HERE = Path(__file__).resolve().parent
CASES, OUTPUTS = HERE / "cases" / "intents", HERE / "ndeval"
OPTIONS = {
    "plain": "",
    "complete": "-c",
    "traditional": "-traditional",
    "patient": "-alpha 0.3 -beta 0.8",
    "cut": "-traditional -c -M 3 -alpha 1 -beta 0.2",
    "kind": "-alpha 0 -beta 0",
}
FILES = sorted(OUTPUTS.glob("*.out"))


def test_there_are_outputs_of_every_case_and_option() -> None:
    assert len(FILES) == len(OPTIONS) * len(list(CASES.glob("*.qrels"))) == 30


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_same_bytes(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case, name, _ = path.name.split(".")
    files = [str(CASES / f"{case}.{kind}") for kind in ("qrels", "run")]
    assert run(["ndeval", *OPTIONS[name].split(), *files]) == 0
    assert capsys.readouterr().out == path.read_text(encoding="utf-8")
