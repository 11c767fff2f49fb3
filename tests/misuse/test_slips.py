"""No slip of a newcomer gives a wrong number without a word, or a traceback; each sentence says what, where and the way out."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import pingce as pc
from pingce.base.text import LANGUAGES, Language, use_language
from pingce.cli import run

from .slips import COMMANDS, SLIPS, Slip


def heard(slip: Slip, folder: Path) -> tuple[str, list[str], object]:
    """What happened, every sentence about it, and the result."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            result = slip.make(folder)
        except pc.InputError as problem:
            return "refused", [str(problem)], None
    alarms = [str(alarm.message) for alarm in caught if issubclass(alarm.category, pc.PingceWarning)]
    assert len(alarms) == len(caught), "only pingce speaks here"
    if slip.outcome in ("refused", "warned"):
        return ("warned" if alarms else "silent"), alarms, result
    return slip.outcome, [*alarms, *(str(note) for note in getattr(result, "notes", ()))], result


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("slip", SLIPS, ids=[slip.title for slip in SLIPS])
def test_a_slip_is_answered(slip: Slip, lang: Language, tmp_path: Path) -> None:
    use_language(lang)
    outcome, sentences, result = heard(slip, tmp_path)
    assert outcome == slip.outcome, sentences
    if slip.names:
        assert any(all(name in sentence for name in slip.names) for sentence in sentences), sentences
    if outcome != "right":
        assert all("\n" not in sentence for sentence in sentences)
        assert lang == "en" or any("\u4e00" <= letter <= "\u9fff" for letter in "".join(sentences))
    if slip.value is not None:
        assert isinstance(result, pc.Scores)
        assert list(result.values()) == [pytest.approx(slip.value, rel=1e-12, abs=0)]


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Small files, by what a command line calls them."""
    monkeypatch.chdir(tmp_path)
    files = {
        "QRELS": ("t.qrels", "q1 0 a 1\nq2 0 b 1\n"),
        "RUN": ("r.run", "q1 Q0 a 1 0.9 r\nq1 Q0 x 2 0.8 r\nq2 Q0 x 1 0.9 r\nq2 Q0 b 2 0.5 r\n"),
        "PREDICTIONS": ("p.csv", "click,pctr,user\n1,0.9,u\n0,0.3,u\n1,0.6,v\n0,0.7,v\n"),
    }
    for name, text in files.values():
        Path(name).write_text(text)
    return {role: name for role, (name, _) in files.items()}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("line", "names"), COMMANDS, ids=[line for line, _ in COMMANDS])
def test_a_command_is_refused(
    line: str,
    names: tuple[str, ...],
    lang: Language,
    places: dict[str, str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PINGCE_LANG", lang)
    before = sorted(Path().iterdir())
    code = run([places.get(word, word) for word in line.split()])
    out, err = capsys.readouterr()
    assert code == 2, err
    assert out == ""
    assert all(name in err for name in names), err
    assert err.count("\n") == 1
    assert lang == "en" or any("\u4e00" <= letter <= "\u9fff" for letter in err)
    assert sorted(Path().iterdir()) == before, "nothing is written"


def test_there_are_as_many_slips_as_a_newcomer_makes() -> None:
    assert len(SLIPS) + len(COMMANDS) >= 62
    assert len({slip.title for slip in SLIPS}) == len(SLIPS)
