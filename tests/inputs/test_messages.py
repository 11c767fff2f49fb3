"""Truth and run that do not belong together: three ids of each side, and the likely cause."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import pingce as pc
from pingce.base.errors import PingceWarning
from pingce.base.text import Language, use_language

from .samples import RUN, TRUTH, refused, write

pytestmark = pytest.mark.usefixtures("core")


def queries(*names: Any) -> dict[Any, dict[str, int]]:
    return {name: {"d": 1} for name in names}


def items(*names: Any) -> dict[str, dict[Any, int]]:
    return {"q": dict.fromkeys(names, 1)}


CAUSES: list[tuple[list[Any], list[Any], str, str]] = [
    ([1, 2, 3, 4], ["1", "2", "3", "4"], "integers in the truth and strings in the run", "整数"),
    (["1", "2", "3", "4"], [1, 2, 3, 4], "strings in the truth and integers in the run", "整数"),
    (["q1", "q2", "q3", "q4"], ["query-1", "query-2", "query-3", "query-4"], "prefix", "前缀"),
    (["1", "2", "3", "4"], ["q1", "q2", "q3", "q4"], "prefix", "前缀"),
    (["7", "8", "9", "10"], ["007", "008", "009", "010"], "zeros", "零"),
    (["Q1", "Q2", "Q3", "Q4"], ["q1", "q2", "q3", "q4"], "case", "大小写"),
    (["ab", "cd", "ef", "gh"], [" ab", "cd ", "ef ", "gh "], "white space", "空白"),
    (["ab", "cd", "ef", "gh"], ["uv", "wx", "yz", "st"], "same data set", "同一数据集"),
    ([101, 102, 103, 104], [951, 962, 973, 984], "same data set", "同一数据集"),
]


@pytest.mark.parametrize(("ours", "theirs", "cause", "zh"), CAUSES)
def test_no_query_in_common(ours: list[Any], theirs: list[Any], cause: str, zh: str) -> None:
    said = refused(pc.evaluate_ranking, queries(*ours), queries(*theirs))
    said.both_name(*(repr(one) for one in ours[:3] + theirs[:3]))
    assert cause in said.en
    assert zh in said.zh


@pytest.mark.parametrize(
    ("ours", "theirs", "cause", "zh"), [case for case in CAUSES if type(case[0][0]) is type(case[1][0])]
)
def test_no_item_in_common(ours: list[Any], theirs: list[Any], cause: str, zh: str) -> None:
    """Nothing found is a result, not an error; but it is said."""
    languages: dict[Language, str] = {"en": cause, "zh": zh}
    for lang, why in languages.items():
        use_language(lang)
        with pytest.warns(PingceWarning) as caught:
            scores = pc.evaluate_ranking(items(*ours), items(*theirs), "rr")
        assert scores["rr"] == 0
        (said,) = [str(one.message) for one in caught if why in str(one.message)]
        assert said.splitlines() == [said]
        for one in (*ours[:3], *theirs[:3]):
            assert repr(one) in said


def test_three_ids_are_three_different_ids(tmp_path: Path) -> None:
    truth = write(tmp_path, "t", "".join(f"q{i // 4} 0 d{i} 1\n" for i in range(40)))
    said = refused(pc.evaluate_ranking, truth, {"x": ["d1"]})
    said.both_name("'q0', 'q1', 'q2'", "'x'")
    assert "'q3'" not in said.en


def test_files_of_other_ids(tmp_path: Path) -> None:
    truth = write(tmp_path, "t", "301 0 FBIS3-1 1\n302 0 FBIS3-2 1\n303 0 FBIS3-3 1\n")
    run = write(tmp_path, "r", "q-301 Q0 FBIS3-1 1 1 t\nq-302 Q0 FBIS3-2 1 1 t\nq-303 Q0 FBIS3-3 1 1 t\n")
    said = refused(pc.evaluate_ranking, truth, run)
    said.both_name("'301', '302', '303'", "'q-301', 'q-302', 'q-303'")
    assert "prefix" in said.en


def test_a_query_without_judgements_may_be_an_error() -> None:
    assert pc.evaluate_ranking(TRUTH, RUN, "rr").counts["extra"] == 1
    refused(pc.evaluate_ranking, TRUTH, RUN, extra="error").both_name("'q9'", "'d1'", "extra=ignore", "1 ")


def test_a_query_without_an_answer_may_be_an_error() -> None:
    said = refused(pc.evaluate_ranking, TRUTH, RUN, missing="error")
    said.both_name("'q3'", "missing=zero", "missing=skip", "1 ")


def test_errors_are_value_errors_with_both_sentences() -> None:
    with pytest.raises(ValueError, match="empty") as caught:
        pc.evaluate_ranking({}, RUN)
    assert isinstance(caught.value, pc.InputError)
    assert caught.value.text.en == "truth dict is empty"
    assert caught.value.text.zh == "真值 dict 是空的"
