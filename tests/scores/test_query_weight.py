"""How much each query counts in a mean: matched by id, complete, and said in the signature."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pyarrow import parquet

import pingce as pc
from drawn import Case, cases
from pingce.base.errors import InputError
from pingce.base.text import use_language
from pingce.cli import run as command
from pingce.metrics.averages import mean_of

# By query: rr = 1, 1/2, undefined, 0 (not answered).
TRUTH = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"x": 0}, "四": {"c": 1}}
RUN = {"q1": ["a", "x"], "q2": ["x", "b"], "q3": ["x"]}
WEIGHTS = {"q1": 2.0, "q2": 4.0, "q3": 100.0, "四": 10.0}
METRICS = ["ap", "rr", "ndcg@3", "p@2", "recall@2"]
SCHEMA = json.loads((files("pingce") / "schema" / "scores.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def weighted(weights: Any = WEIGHTS, metrics: Any = "rr", **options: Any) -> pc.RankingScores:
    return pc.evaluate_ranking(TRUTH, RUN, metrics, query_weight=weights, **options)


def refusal(weights: Any, **options: Any) -> str:
    """What is said in English; the Chinese sentence must be there too."""
    with pytest.raises(InputError) as caught:
        weighted(weights, **options)
    english = str(caught.value)
    use_language("zh")
    assert any("\u4e00" <= letter <= "\u9fff" for letter in str(caught.value))
    use_language("en")
    assert len(english.splitlines()) == 1
    return english


COLUMNS = [list(column) for column in zip(*WEIGHTS.items(), strict=True)]
TABLE = pa.table(COLUMNS, ["query_id", "weight"])
OBJECTS: dict[str, Callable[[], Any]] = {
    "dict": lambda: WEIGHTS,
    "dict of integers": lambda: {query: int(weight) for query, weight in WEIGHTS.items()},
    "another order": lambda: dict(reversed(WEIGHTS.items())),
    "Arrow": lambda: TABLE,
    "pandas": lambda: TABLE.to_pandas().rename(columns={"weight": "w"}),
    "pandas category": lambda: pd.DataFrame({"qid": pd.Categorical(COLUMNS[0]), "query_weight": COLUMNS[1]}),
    "polars": lambda: pl.DataFrame(TABLE).with_columns(pl.col("weight").cast(pl.UInt8), note=pl.lit("unused")),
    "LazyFrame": lambda: pl.LazyFrame(TABLE),
}
FILES: dict[str, str] = {
    "w.csv": "qid,weight\n" + "".join(f"{query},{weight}\n" for query, weight in WEIGHTS.items()),
    "w.tsv": "user_id\tquery_weight\n" + "".join(f"{query}\t{weight}\n" for query, weight in WEIGHTS.items()),
    "plain.tsv": "".join(f"{query}\t{weight}\n" for query, weight in WEIGHTS.items()),
    "w.txt": "".join(f"{query} {weight}\n" for query, weight in WEIGHTS.items()),
    "w.jsonl": "".join(json.dumps({"query": query, "weight": weight}) + "\n" for query, weight in WEIGHTS.items()),
}
VALUE = (2 * 1 + 4 * 0.5 + 10 * 0) / 16


@pytest.mark.parametrize("form", OBJECTS)
def test_objects(form: str) -> None:
    assert weighted(OBJECTS[form]())["rr"] == VALUE


@pytest.mark.parametrize("name", FILES)
def test_files(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(FILES[name], encoding="utf-8")
    assert weighted(path)["rr"] == weighted(str(path), threads=2)["rr"] == VALUE


def test_parquet_with_names_of_its_own(tmp_path: Path) -> None:
    parquet.write_table(TABLE.rename_columns(["person", "importance"]), tmp_path / "w.parquet")
    columns = {"weights.query": "person", "weight": "importance"}
    assert weighted(tmp_path / "w.parquet", columns=columns)["rr"] == VALUE


def test_integer_queries(tmp_path: Path) -> None:
    (tmp_path / "w.txt").write_text("2 3\n10 1\n")
    truth, run = {10: {1: 1}, 2: {1: 1}}, {10: [1], 2: [5, 1]}
    for weights in ({10: 1, 2: 3}, tmp_path / "w.txt", pa.table({"qid": pa.array([2, 10], pa.int8()), "w": [3, 1]})):
        assert pc.evaluate_ranking(truth, run, "rr", query_weight=weights)["rr"] == 2.5 / 4
    lists = pc.evaluate_ranking([[1], [1]], [[1], [5, 1]], "rr", query_weight={0: 1, 1: 3})
    assert lists["rr"] == 2.5 / 4


POWERS = st.integers(-20, 20).map(lambda power: 2.0**power)
POSITIVE = st.floats(1e-3, 1e3)


def weights_of(case: Case, weights: st.SearchStrategy[float]) -> st.SearchStrategy[dict[str, float]]:
    return st.fixed_dictionaries(dict.fromkeys(case.truth, weights))


@given(data=st.data(), case=cases(), undefined=st.sampled_from(["skip", "zero", "one"]))
def test_the_mean_by_brute_force(data: st.DataObject, case: Case, undefined: str) -> None:
    weights = data.draw(weights_of(case, st.one_of(POSITIVE, st.just(0.0))))
    scores = case.evaluate(METRICS, query_weight=weights, undefined=undefined)
    columns = scores.per_query.to_pydict()
    for name in METRICS:
        pairs = [(weights[q], v) for q, v in zip(columns["query"], columns[name], strict=True) if v is not None]
        total = sum(Fraction(weight) for weight, _ in pairs)
        expected = float(sum(Fraction(w) * Fraction(v) for w, v in pairs) / total) if total else math.nan
        assert scores[name] == pytest.approx(expected, rel=1e-14, nan_ok=True)


@given(case=cases(), weight=POWERS)
def test_equal_weights_are_no_weights(case: Case, weight: float) -> None:
    """A power of two changes no digit."""
    plain, even = case.evaluate(METRICS), case.evaluate(METRICS, query_weight=dict.fromkeys(case.truth, weight))
    assert list(map(repr, even.values())) == list(map(repr, plain.values()))
    assert even.counts == plain.counts
    assert even.per_query.equals(plain.per_query)


@given(data=st.data(), case=cases())
def test_whole_weights_are_queries_repeated(data: st.DataObject, case: Case) -> None:
    weights = data.draw(weights_of(case, st.integers(0, 4).map(float)))
    names = {query: [f"{query} {copy}" for copy in range(int(weight))] for query, weight in weights.items()}
    assume(any(query in case.run for query, copies in names.items() if copies))
    repeated = Case(
        {copy: case.truth[query] for query in names for copy in names[query]},
        {copy: listed for query, listed in case.run.items() for copy in names.get(query, [query])},
    )
    expected = dict(repeated.evaluate(METRICS))
    assert dict(case.evaluate(METRICS, query_weight=weights)) == pytest.approx(expected, rel=0, abs=1e-15, nan_ok=True)


def test_the_order_of_queries_changes_no_digit() -> None:
    truth = {f"q{number:03}": {"a": 1} for number in range(200)}
    run = {query: ["x"] * 0 + [f"x{n}" for n in range(number % 7)] + ["a"] for number, query in enumerate(truth)}
    weights = {query: 1 / (number + 3) for number, query in enumerate(truth)}
    renamed = {query: f"p{999 - number}" for number, query in enumerate(truth)}
    again = ({renamed[key]: value for key, value in data.items()} for data in (truth, run, weights))
    expected = pc.evaluate_ranking(truth, run, METRICS, query_weight=weights)
    other_truth, other_run, other_weights = again
    assert dict(pc.evaluate_ranking(other_truth, other_run, METRICS, query_weight=other_weights)) == dict(expected)


def test_zero_weights() -> None:
    assert weighted({"q1": 0, "q2": 3, "q3": 0, "四": 0})["rr"] == 0.5
    scores = weighted(dict.fromkeys(TRUTH, 0))
    assert math.isnan(scores["rr"])
    assert json.loads(scores.to_json())["metrics"][0]["value"] is None


@pytest.mark.parametrize("weight", [1e308, 5e-324, 1e-310], ids=str)
def test_weights_at_the_edge_of_doubles(weight: float) -> None:
    """Only their ratios matter."""
    assert weighted(dict.fromkeys(TRUTH, weight))["rr"] == weighted(dict.fromkeys(TRUTH, 1))["rr"]


def test_an_undefined_query_is_skipped_with_its_weight() -> None:
    assert weighted()["rr"] == VALUE
    assert weighted(undefined="zero")["rr"] == (2 * 1 + 4 * 0.5) / 116
    assert weighted(undefined="one")["rr"] == (2 * 1 + 4 * 0.5 + 100) / 116
    assert math.isnan(weighted(undefined="nan")["rr"])
    assert weighted(missing="skip")["rr"] == (2 * 1 + 4 * 0.5) / 6


def test_sums_one_after_another() -> None:
    assert weighted(summation="sequential")["rr"] == VALUE


def test_counts_are_not_weighted() -> None:
    names = ["num_q", "num_ret", "num_rel", "num_rel_ret"]
    assert dict(weighted(metrics=names)) == dict(pc.evaluate_ranking(TRUTH, RUN, names))
    assert weighted(metrics=["rr", *names]).counts == pc.evaluate_ranking(TRUTH, RUN, ["rr", *names]).counts


def test_the_geometric_mean_is_weighted() -> None:
    expected = math.exp((2 * math.log(1) + 4 * math.log(0.5) + 10 * math.log(1e-5)) / 16)
    assert weighted(metrics="gm_ap")["gm_ap"] == pytest.approx(expected, rel=1e-14)


def test_values_of_queries_are_not_weighted() -> None:
    assert weighted().per_query.equals(pc.evaluate_ranking(TRUTH, RUN, "rr").per_query)


def test_the_spread_of_ties_is_weighted() -> None:
    truth, run = {"q": {"a": 1}, "p": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}, "p": {"a": 1.0}}
    scores = pc.evaluate_ranking(truth, run, "rr", query_weight={"q": 3, "p": 1})
    assert scores.counts["ties"]["rr"] == {"queries": 1, "worst": 2.5 / 4, "best": 1.0}


def test_a_missing_weight_names_its_queries() -> None:
    said = refusal({"q1": 1, "q3": 1, "unknown": 1})
    assert said == "query weights dict: 2 judged queries have no weight ('q2', '四'); give every query one, or 0"
    assert "'四'" in refusal({"q1": 1, "q2": 1, "q3": 1})


def test_queries_that_are_left_out_need_no_weight() -> None:
    scores = weighted({"q1": 1, "q2": 1, "q3": 1, "other": 1}, missing="skip")
    assert scores["rr"] == 0.75
    assert _note(scores).endswith("; 1 weights belong to no judged query")


def _note(scores: pc.RankingScores) -> str:
    return next(note.en for note in scores.notes if "weighted" in note.en)


@pytest.mark.parametrize("more", [0, 1, 3])
def test_weights_of_unknown_queries_are_counted(more: int) -> None:
    scores = weighted(WEIGHTS | {f"unknown {number}": 1.0 for number in range(more)})
    assert scores["rr"] == VALUE
    assert _note(scores) == (
        f"query weights dict: means over queries are weighted, counts are not; {more} weights belong to no judged query"
    )


BAD = [-1.0, -1e-300, math.nan, math.inf, -math.inf]


@pytest.mark.parametrize("weight", BAD, ids=str)
def test_weights_that_are_no_weights(weight: float, tmp_path: Path) -> None:
    frame = TABLE.set_column(1, "weight", [[2.0, 4.0, weight, 10.0]])
    said = refusal(frame)
    assert said.startswith("row 2 of query weights Table: the weight is ")
    assert said.endswith("weights must be numbers from 0 up")
    assert "row 2 of" in refusal(WEIGHTS | {"q3": weight})
    (tmp_path / "w.txt").write_text(f"q1 2\nq2 4\n\nq3 {weight}\n四 1\n", encoding="utf-8")
    assert refusal(tmp_path / "w.txt").startswith(f"{tmp_path / 'w.txt'}:4: the weight is ")
    (tmp_path / "w.csv").write_text(f"qid,weight\nq1,2\nq3,{weight}\n", encoding="utf-8")
    assert refusal(tmp_path / "w.csv").startswith(f"{tmp_path / 'w.csv'}:3: ")


def test_a_null_weight() -> None:
    assert "row 1 of query weights Table: column 'weight' is null" in refusal(
        pa.table({"qid": ["q1", "q2"], "weight": [1.0, None]})
    )


def test_a_weight_twice(tmp_path: Path) -> None:
    (tmp_path / "w.csv").write_text("qid,weight\nq1,2\nq2,1\nq3,1\n四,1\nq2,1\n", encoding="utf-8")
    assert refusal(tmp_path / "w.csv") == f"{tmp_path / 'w.csv'}:6: query 'q2' has a weight already; remove one"
    twice = pl.concat([pl.DataFrame(TABLE), pl.DataFrame(TABLE)])
    assert refusal(twice) == "row 4 of query weights DataFrame: query 'q1' has a weight already; remove one"


@pytest.mark.parametrize(
    "weights",
    [{}, {"q1": "2"}, {"q1": None}, {"q1": [1]}, {1: 1.0}, 3, [1.0, 2.0], [[5], [7], [1], [1]], pa.table({"qid": ["q1"]})],
    ids=repr,
)  # fmt: skip
def test_what_cannot_be_weights(weights: Any) -> None:
    refusal(weights)


def test_lists_of_lists_are_not_weights_of_one() -> None:
    with pytest.raises(InputError):
        pc.evaluate_ranking([[1], [1]], [[1], [5, 1]], "rr", query_weight=[[5], [7]])


def test_a_text_file_of_another_shape(tmp_path: Path) -> None:
    (tmp_path / "w.txt").write_text("q1 0 2\n")
    said = refusal(tmp_path / "w.txt")
    assert f"{tmp_path / 'w.txt'}:1: 3 columns, but query weights have 2 (query weight)" in said


def test_the_signature_says_so() -> None:
    assert "|query_weight:given|" in weighted().signature("rr")
    assert "query_weight" not in pc.evaluate_ranking(TRUTH, RUN, "rr").signature("rr")


def test_json_follows_its_schema() -> None:
    for weights in (WEIGHTS, dict.fromkeys(TRUTH, 0)):
        VALIDATOR.validate(json.loads(weighted(weights, METRICS).to_json(per_query=True)))


@pytest.mark.parametrize("name", FILES)
def test_from_the_shell(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINGCE_LANG", "en")
    for path, text in (("truth.json", json.dumps(TRUTH)), ("run.json", json.dumps(RUN)), (name, FILES[name])):
        (tmp_path / path).write_text(text, encoding="utf-8")
    words = ["eval", str(tmp_path / "truth.json"), str(tmp_path / "run.json"), "-m", "rr", "-f", "json"]
    assert command([*words, "--query-weight", str(tmp_path / name)]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)
    VALIDATOR.validate(found)
    assert found["metrics"][0]["value"] == VALUE
    assert "|query_weight:given|" in found["metrics"][0]["signature"]
    assert f"query weights {name}: means over queries are weighted" in err


def test_refused_in_the_shell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINGCE_LANG", "en")
    for path, text in (("truth.json", json.dumps(TRUTH)), ("run.json", json.dumps(RUN)), ("w.txt", "q1 1\n")):
        (tmp_path / path).write_text(text, encoding="utf-8")
    paths = [str(tmp_path / path) for path in ("truth.json", "run.json", "w.txt")]
    assert command(["eval", *paths[:2], "--query-weight", paths[2]]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "3 judged queries have no weight ('q2', 'q3', '四')" in err


def test_a_series_is_read_by_its_index() -> None:
    truth, run = {"a": ["x"], "b": ["y"]}, {"a": ["x"], "b": ["z"]}
    for weights in (pd.Series({"b": 1, "a": 3}), pd.Series([1, 3], index=["b", "a"])):
        assert pc.evaluate_ranking(truth, run, "rr", query_weight=weights)["rr"] == 0.75


@pytest.mark.parametrize(
    "weights",
    [[3, 1], (3.0, 1.0), pl.Series([3, 1]), pa.array([3, 1]), pa.chunked_array([[3], [1]])],
    ids=["list", "tuple", "polars", "arrow", "chunks"],
)
def test_numbers_by_position(weights: Any) -> None:
    assert pc.evaluate_ranking([["x"], ["y"]], [["x"], ["z"]], "rr", query_weight=weights)["rr"] == 0.75


@given(st.lists(st.tuples(st.integers(1, 12), st.integers(0, 2**40)), min_size=1, max_size=8))
def test_whole_weights_are_exact(drawn: list[tuple[int, int]]) -> None:
    values, weights = np.array([1 / place for place, _ in drawn]), np.array([float(w) for _, w in drawn])
    assume(weights.any())
    exact = sum((Fraction(v) * Fraction(w) for v, w in zip(values, weights, strict=True)), Fraction())
    assert mean_of(values, pc.Policies(), weights) == float(exact) / float(weights.sum())


def test_weights_from_json_are_text_like_those_of_csv(tmp_path: Path) -> None:
    (tmp_path / "w.json").write_text('{"1": 3, "2": 1}', encoding="utf-8")
    scores = pc.evaluate_ranking({1: ["x"], 2: ["y"]}, {1: ["x"], 2: ["z"]}, "rr", query_weight=tmp_path / "w.json")
    assert scores["rr"] == 0.75
    (tmp_path / "w.json").write_text('{"1": 3, "2": -1}', encoding="utf-8")
    with pytest.raises(InputError, match=r"w\.json: the weight is -1"):
        pc.evaluate_ranking({1: ["x"], 2: ["y"]}, {1: ["x"]}, "rr", query_weight=tmp_path / "w.json")


def test_only_means_are_signed_as_weighted() -> None:
    scores = weighted(metrics=["rr", "num_q", "hit_rate(mode=micro)"])
    assert ["query_weight" in scores.signature(name) for name in scores] == [True, False, False]
