"""Pairs that no list may show: taken out of the run before it is ranked, as if those rows had never been there."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet
from scipy import sparse

import pingce as pc
from drawn import ALL, Case, cases
from pingce.base.core import native_core
from pingce.base.errors import InputError
from pingce.base.text import use_language
from pingce.cli import run as command

TRUTH = {"q1": {"a": 3, "b": 1, "c": 0}, "q2": {"a": 1}, "查询": {"文档": 2, "b": 1}}
RUN = {
    "q1": {"x": 5.0, "a": 4.0, "y": 3.0, "b": 2.0},
    "q2": {"x": 2.0, "a": 1.0},
    "查询": {"b": 3.0, "x": 2.0, "文档": 1.0},
    "extra": {"x": 1.0, "a": 0.5},
}
PAIRS = [("q1", "x"), ("q1", "b"), ("查询", "x"), ("extra", "x"), ("q2", "not returned"), ("unknown", "x")]
METRICS = ["ap", "rr", "ndcg@3", "p@2", "num_ret"]
SOME_METRICS = ALL[::15]
VALIDATOR = jsonschema.Draft202012Validator(
    json.loads((files("pingce") / "schema" / "scores.schema.json").read_text(encoding="utf-8"))
)


@pytest.fixture(params=["native", "reference"], autouse=True)
def core(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("PINGCE_NATIVE", "1" if request.param == "native" else "0")
    native_core.cache_clear()
    yield request.param
    native_core.cache_clear()


def without(run: dict[Any, dict[Any, float]], pairs: Any) -> dict[Any, dict[Any, float]]:
    """The run with these rows removed by hand."""
    gone = set(pairs)
    return {q: {i: s for i, s in listed.items() if (q, i) not in gone} for q, listed in run.items()}


def document(scores: pc.RankingScores) -> dict[str, Any]:
    """All that is said, less how many rows there were and that some were excluded."""
    found = scores.to_dict(per_query=True)
    found["counts"] = {name: count for name, count in found["counts"].items() if name not in ("run_rows", "excluded")}
    for entry in found["metrics"]:
        entry["signature"] = entry["signature"].replace("|exclude:given", "")
    return found


EXPECTED = document(pc.evaluate_ranking(TRUTH, without(RUN, PAIRS), METRICS))


def check(excluded: Any, **options: Any) -> None:
    scores = pc.evaluate_ranking(TRUTH, RUN, METRICS, exclude=excluded, **options)
    assert document(scores) == EXPECTED
    assert scores.counts["excluded"] == 3
    assert scores.counts["run_rows"] == 11


def by_query(kind: Callable[[list[str]], Any]) -> dict[str, Any]:
    return {query: kind([item for other, item in PAIRS if other == query]) for query, _ in PAIRS}


OBJECTS: dict[str, Callable[[], Any]] = {
    "dict of lists": lambda: by_query(list),
    "dict of tuples": lambda: by_query(tuple),
    "dict of sets": lambda: by_query(set),
    "dict of frozensets": lambda: by_query(frozenset),
    "dict of arrays": lambda: by_query(np.array),
    "dict of dicts": lambda: by_query(lambda items: dict.fromkeys(items, 1)),
    "list of pairs": lambda: PAIRS,
    "tuple of pairs": lambda: tuple(PAIRS),
    "set of pairs": lambda: set(PAIRS),
    "frozenset of pairs": lambda: frozenset(PAIRS),
    "pairs repeated": lambda: PAIRS + PAIRS[::-1],
    "Arrow": lambda: pa.table(dict(zip(("query", "item"), map(list, zip(*PAIRS, strict=True)), strict=True))),
    "pandas": lambda: pd.DataFrame(PAIRS, columns=["user_id", "item_id"]).astype("category"),
    "polars": lambda: pl.DataFrame(PAIRS, schema=["qid", "docid"], orient="row").with_columns(rating=5.0),
    "LazyFrame": lambda: pl.LazyFrame(PAIRS, schema=["qid", "docid"], orient="row"),
    "grades do not matter": lambda: pa.table({"qid": [q for q, _ in PAIRS], "docid": [i for _, i in PAIRS], "rel": [0] * 6}),
}  # fmt: skip


@pytest.mark.parametrize("form", OBJECTS)
def test_objects(form: str) -> None:
    check(OBJECTS[form]())


# A query called "q2" with an item "not returned" cannot stand in a file that is split at white space.
WORDS = [pair for pair in PAIRS if " " not in pair[1]]
FILES: dict[str, str] = {
    "seen.csv": "query,item\n" + "".join(f"{q},{i}\n" for q, i in PAIRS),
    "seen.tsv": "query\titem\n" + "".join(f"{q}\t{i}\n" for q, i in PAIRS),
    "seen.jsonl": "".join(json.dumps({"query": q, "item": i}) + "\n" for q, i in PAIRS),
    "seen.json": json.dumps(by_query(list)),
    "seen.qrels": "".join(f"{q} 0 {i} 1\n" for q, i in WORDS),
    "seen.txt": "".join(f"{q} {i} 5\n" for q, i in WORDS),
}


@pytest.mark.parametrize("name", FILES)
def test_files(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(FILES[name], encoding="utf-8")
    check(path)
    check(str(path), threads=2)


def test_a_folder_and_parquet(tmp_path: Path) -> None:
    for number, pairs in enumerate((PAIRS[:2], PAIRS[2:])):
        queries, items = (list(column) for column in zip(*pairs, strict=True))
        parquet.write_table(pa.table({"person": queries, "thing": items}), tmp_path / f"{number}.parquet")
    check(tmp_path, columns={"exclude.query": "person", "exclude.item": "thing"})


@pytest.mark.sweep
@given(data=st.data(), case=cases(), nan=st.booleans())
def test_the_same_as_removing_rows_by_hand(data: st.DataObject, case: Case, nan: bool) -> None:
    """Every list keeps one row: a list that is empty by hand would be no list."""
    rows = [(query, item) for query, listed in case.run.items() for item in list(listed)[1:]]
    pairs = {*data.draw(st.lists(st.sampled_from(rows), unique=True) if rows else st.just([])), ("no", "such pair")}
    run = {q: {i: float("nan") if nan and (q, i) in pairs else s for i, s in listed.items()} for q, listed in case.run.items()}  # fmt: skip
    scores = pc.evaluate_ranking(case.truth, run, SOME_METRICS, exclude=pairs)
    expected = pc.evaluate_ranking(case.truth, without(case.run, pairs), SOME_METRICS)
    assert document(scores) == document(expected)
    assert scores.counts["excluded"] == sum(query in case.truth for query, _ in pairs & set(rows))


@pytest.mark.parametrize("ties", ["id", "id_ascending", "order", "expected", "worst", "best"])
def test_ties_are_those_that_are_left(ties: str) -> None:
    truth, run = {"q": {"a": 1, "b": 0}}, {"q": {"c": 1.0, "a": 1.0, "b": 1.0, "d": 1.0}}
    pairs = [("q", "d"), ("q", "c")]
    scores = pc.evaluate_ranking(truth, run, METRICS[:2], exclude=pairs, ties=ties)  # type: ignore[arg-type]
    assert document(scores) == document(pc.evaluate_ranking(truth, without(run, pairs), METRICS[:2], ties=ties))  # type: ignore[arg-type]


def test_excluded_rows_are_not_judged_by_policies() -> None:
    """NaN or repeated: whoever excludes a row does not care."""
    run = pa.table({"qid": ["q"] * 4, "docid": ["x", "x", "y", "a"], "score": [9.0, 8.0, None, 1.0]})
    scores = pc.evaluate_ranking({"q": {"a": 1}}, run, "rr", exclude={"q": ["x", "y"]})
    assert scores["rr"] == 1.0
    assert {name: scores.counts[name] for name in ("excluded", "duplicates", "nan")} == {
        "excluded": 3,
        "duplicates": 0,
        "nan": 0,
    }
    with pytest.raises(InputError, match="stands again"):
        pc.evaluate_ranking({"q": {"a": 1}}, run, "rr", exclude={"q": ["y"]})
    with pytest.raises(InputError, match="not a number"):
        pc.evaluate_ranking({"q": {"a": 1}}, run, "rr", exclude={"q": ["x"]})


@pytest.mark.parametrize("missing", ["zero", "skip", "error"])
def test_a_list_excluded_whole_is_an_empty_answer(missing: str) -> None:
    scores = pc.evaluate_ranking(
        {"q": {"a": 1}, "p": {"a": 1}},
        {"q": ["a", "b"], "p": ["a"]},
        ["rr", "p@1", "num_ret"],
        exclude={"q": ["a", "b"]},
        missing=missing,  # type: ignore[arg-type]
    )
    assert dict(scores) == {"rr": 0.5, "p@1": 0.5, "num_ret": 1}
    assert (scores.counts["missing"], scores.counts["scored"], scores.counts["excluded"]) == (0, 2, 2)


def test_everything_excluded() -> None:
    scores = pc.evaluate_ranking({"q": {"a": 1}}, {"q": ["a"]}, ["rr", "ap"], exclude=[("q", "a")])
    assert dict(scores) == {"rr": 0.0, "ap": 0.0}


def test_relevant_items_stay_relevant() -> None:
    """Excluding takes rows out of the run, not out of the truth: who excludes a relevant item loses recall."""
    scores = pc.evaluate_ranking({"q": {"a": 1, "b": 1}}, {"q": ["a", "b"]}, ["recall"], exclude=[("q", "a")])
    assert scores["recall"] == 0.5


INT_TRUTH, INT_RUN = {1: {5: 1, 7: 0}, 20: {5: 1}}, {1: [6, 7, 5], 20: [6, 5]}


@pytest.mark.parametrize("text", ["1 0 6 1\n20 0 6 1\n", "1 6 1\n20 6 1\n"], ids=["qrels", "triples"])
def test_integers_in_text_against_integers(text: str, tmp_path: Path) -> None:
    path = tmp_path / "seen.txt"
    path.write_text(text)
    expected = pc.evaluate_ranking(INT_TRUTH, {1: [7, 5], 20: [5]}, METRICS)
    for excluded in (path, {1: [6], 20: [6]}, pa.table({"qid": pa.array([1, 20], pa.uint8()), "docid": [6, 6]})):
        assert document(pc.evaluate_ranking(INT_TRUTH, INT_RUN, METRICS, exclude=excluded)) == document(expected)


def test_integers_against_integers_in_text(tmp_path: Path) -> None:
    truth, run, seen = tmp_path / "t.qrels", tmp_path / "a.run", tmp_path / "seen.csv"
    truth.write_text("1 0 5 1\n1 0 7 0\n20 0 5 1\n")
    run.write_text("".join(f"{q} Q0 {i} 1 {-rank} t\n" for q, items in INT_RUN.items() for rank, i in enumerate(items)))
    seen.write_text("user_id,item_id\n1,6\n20,6\n")
    for excluded in (seen, {1: [6], 20: [6]}, {"1": {"6"}, "20": {"6"}}):
        scores = pc.evaluate_ranking(truth, run, METRICS, exclude=excluded)
        assert (scores.counts["excluded"], scores["rr"]) == (2, 0.75)


def test_ids_of_another_kind_are_refused() -> None:
    with pytest.raises(InputError, match="exclude dict: query ids are strings, but integers in the truth"):
        pc.evaluate_ranking(INT_TRUTH, INT_RUN, exclude={"1": ["6"]})
    use_language("zh")
    with pytest.raises(InputError, match="query 编号是字符串，而真值的是整数"):
        pc.evaluate_ranking(INT_TRUTH, INT_RUN, exclude={"1": ["6"]})


def outcome(truth: Any, run: Any, excluded: Any) -> tuple[int, float] | None:
    """How many rows were excluded, and rr; None where it was refused."""
    try:
        scores = pc.evaluate_ranking(truth, run, "rr", exclude=excluded)
    except InputError:
        return None
    return scores.counts["excluded"], scores["rr"]


def test_pairs_written_as_lists_are_not_silently_something_else() -> None:
    """JSON has no tuples."""
    assert outcome({"q": {"a": 1}}, {"q": ["x", "a"]}, [["q", "x"]]) in (None, (1, 1.0))


def test_a_run_as_excluded_pairs_is_not_silently_something_else(tmp_path: Path) -> None:
    """With numbers as ids each of its fields could be the item."""
    (tmp_path / "seen.run").write_text("1 Q0 6 1 0.5 t\n")
    assert outcome({1: {5: 1}}, {1: [6, 5]}, tmp_path / "seen.run") in (None, (1, 1.0))
    text = {"1": {"5": 1}}, {"1": ["6", "5"]}
    assert outcome(*text, tmp_path / "seen.run") in (None, (1, 1.0))


@pytest.mark.parametrize(
    "seen", [[[6], [6]], [{6}, {6}], np.array([[6], [6]]), np.array([[6, -1], [6, -1]])], ids=["lists", "sets", "ids", "padded"]
)  # fmt: skip
def test_items_by_the_place_of_the_query(seen: Any) -> None:
    assert outcome([[5], [5]], [[6, 7, 5], [6, 5]], seen) in (None, (2, 0.75))


SEEN = np.array([[True, False, False], [False, True, False]])


@pytest.mark.parametrize("seen", [SEEN, SEEN.astype(float), sparse.csr_array(SEEN)], ids=["bool", "float", "sparse"])
def test_a_mask_of_cells(seen: Any) -> None:
    scores = np.array([[0.9, 0.5, 0.1], [0.1, 0.9, 0.5]])
    assert outcome(np.array([[0, 1, 0], [0, 0, 1]]), scores, seen) in (None, (2, 1.0))


@pytest.fixture
def shell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, str]]:
    monkeypatch.setenv("PINGCE_LANG", "en")
    (tmp_path / "truth.json").write_text(json.dumps(TRUTH))
    (tmp_path / "run.json").write_text(json.dumps(RUN))

    def call(*words: str) -> tuple[int, str, str]:
        paths = [str(tmp_path / name) for name in ("truth.json", "run.json")]
        code = command(["eval", *paths, "-m", "rr,ap", "-f", "json", *words])
        return code, *capsys.readouterr()

    return call


@pytest.mark.parametrize("name", FILES)
def test_from_the_shell(name: str, tmp_path: Path, shell: Callable[..., tuple[int, str, str]]) -> None:
    (tmp_path / name).write_text(FILES[name], encoding="utf-8")
    code, out, err = shell("--exclude", str(tmp_path / name))
    found = json.loads(out)
    VALIDATOR.validate(found)
    expected = pc.evaluate_ranking(TRUTH, without(RUN, PAIRS), ["rr", "ap"])
    assert (code, {entry["name"]: entry["value"] for entry in found["metrics"]}) == (0, dict(expected))
    assert found["counts"]["excluded"] == 3
    assert all("|exclude:given|" in entry["signature"] for entry in found["metrics"])
    assert "3 rows excluded" in err


def test_what_the_shell_says_without_and_in_chinese(tmp_path: Path, shell: Callable[..., tuple[int, str, str]]) -> None:
    code, out, err = shell()
    assert (code, json.loads(out)["counts"]["excluded"]) == (0, 0)
    assert "excluded" not in err
    assert "exclude" not in json.loads(out)["metrics"][0]["signature"]
    (tmp_path / "seen.csv").write_text(FILES["seen.csv"], encoding="utf-8")
    assert "排除 3 行" in shell("--exclude", str(tmp_path / "seen.csv"), "--lang", "zh")[2]
    code, out, err = shell("--exclude", str(tmp_path / "sen.csv"))
    assert (code, out) == (2, "")
    assert "did you mean 'seen.csv'" in err


@pytest.mark.parametrize(
    "text",
    [
        "q1 x\nq2 x\n",
        "q1\tx\t5\t881250949\nq2\tx\t3\t881250950\nq2\t0\t3\t88\n",
        "q1 0 x 1\nq2 0 x 0\n",
        "q1 Q0 x 1 2 t\nq2 Q0 x 1 2 t\n",
    ],
    ids=["pairs", "ratings with time", "qrels", "run"],
)
def test_text_without_a_header(text: str, core: str, tmp_path: Path) -> None:
    path = tmp_path / "seen"
    path.write_text(text, encoding="utf-8")
    truth, run = {"q1": {"a": 1}, "q2": {"a": 1}}, {"q1": ["x", "a"], "q2": ["x", "a"]}
    scores = pc.evaluate_ranking(truth, run, "rr", exclude=path)
    assert (scores["rr"], scores.counts["excluded"]) == (1.0, 2)


def test_pairs_that_meet_nothing_are_told() -> None:
    scores = pc.evaluate_ranking({"q": {"a": 1}}, {"q": ["a"]}, "rr", exclude={"r": ["a"]})
    assert [note.en for note in scores.notes] == ["exclude dict: 0 rows of the run were taken out"]


@pytest.mark.parametrize("first", ["0", "9"])
def test_ratings_whose_first_item_looks_like_a_filler(first: str, tmp_path: Path) -> None:
    path = tmp_path / "u.data"
    path.write_text(f"1 {first} 5 88\n1 7 3 88\n2 7 1 88\n", encoding="utf-8")
    scores = pc.evaluate_ranking({1: {5: 1}, 2: {5: 1}}, {1: [7, 5], 2: [7, 5]}, "rr", exclude=path)
    assert (scores["rr"], scores.counts["excluded"]) == (1.0, 2)
    assert "exclude u.data: query item …" in [note.en for note in scores.notes]


def test_a_second_column_that_may_be_item_or_filler(tmp_path: Path) -> None:
    path = tmp_path / "seen"
    path.write_text("1 1 7 1\n2 1 7 1\n", encoding="utf-8")
    with pytest.raises(InputError, match="'1' stands second in every line"):
        pc.evaluate_ranking({1: {5: 1}}, {1: [7, 5]}, "rr", exclude=path)


SCORES = np.array([[0.1, 0.2, 0.3]])


@pytest.mark.parametrize(
    ("exclude", "said"),
    [
        (np.array([[0, 1, 0]]), "make it boolean"),
        (np.array([[True, False]]), "has 2, but a column is an item"),
        ([(5, 9)], "only 1 queries"),
    ],
    ids=["mask of integers", "mask of another width", "tuples by position"],
)
def test_what_is_not_meant_by_position(exclude: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        pc.evaluate_ranking([[0, 2]], SCORES, "rr", exclude=exclude)


@pytest.mark.parametrize(
    "nothing",
    [{}, [], set(), [[]], {0: []}, np.zeros((1, 3), bool), pd.DataFrame({"user": [], "item": []})],
    ids=["dict", "list", "set", "lists", "dict of lists", "mask", "frame"],
)
def test_nothing_to_exclude(nothing: Any) -> None:
    assert pc.evaluate_ranking([[0, 2]], SCORES, "rr", exclude=nothing)["rr"] == 1.0


def test_an_empty_file_is_a_mistake(tmp_path: Path) -> None:
    (tmp_path / "seen.csv").write_bytes(b"")
    with pytest.raises(InputError, match="the file is empty"):
        pc.evaluate_ranking(TRUTH, RUN, exclude=tmp_path / "seen.csv")


def test_where_all_judged_items_are_excluded_that_is_the_cause() -> None:
    scores = pc.evaluate_ranking({"q": {"a": 1}}, {"q": ["a", "b"]}, "rr", exclude={"q": ["a"]})
    assert "1 rows were excluded before" in scores.warnings[0].en
