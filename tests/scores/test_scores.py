"""Scores: a mapping with its counts, warnings, diagnosis and exporters."""

from __future__ import annotations

import csv
import io
import json
import math
import warnings
from importlib.resources import files
from typing import Any

import jsonschema
import pyarrow as pa
import pytest
from hypothesis import given

import pingce as pc
from drawn import ALL, Case, cases
from pingce.base.errors import InputError, PingceWarning
from pingce.base.text import use_language
from pingce.scores.tables import documents

TRUTH = {
    "q1": {"a": 3.0, "b": 1.0, "c": 0.0},
    "q2": {"a": 2.0},
    "q3": {"x": 0.0},
    "q4": {"y": 1.0},
}
RUN = {"q1": {"a": 2.0, "b": 1.0, "z": 1.0, "c": 0.5}, "q2": {"z": 1.0}, "q3": {"x": 1.0}, "extra": {"a": 1.0}}
SCHEMA = json.loads((files("pingce") / "schema" / "scores.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
METRICS = ["ndcg@2", "map", "P_2", "num_q"]


def evaluated(metrics: list[str] | None = None, **policies: Any) -> pc.RankingScores:
    return pc.evaluate_ranking(TRUTH, RUN, METRICS if metrics is None else metrics, **policies)


def test_counts_tell_the_fate_of_every_query() -> None:
    counts = evaluated().counts
    assert {name: counts[name] for name in ("scored", "missing", "extra", "without_relevant", "run_rows")} == {
        "scored": 4,
        "missing": 1,
        "extra": 1,
        "without_relevant": 1,
        "run_rows": 7,
    }
    assert counts["undefined"] == {"ndcg@2": 1, "map": 1, "P_2": 1, "num_q": 0}
    assert counts["queries"] == {"ndcg@2": 3, "map": 3, "P_2": 3, "num_q": 4}
    assert counts["unjudged"] == {"@2": 2 / 4}
    assert set(counts["ties"]) == {"ndcg@2", "map", "P_2"}
    spread = counts["ties"]["map"]
    assert spread["queries"] == 1
    assert spread["worst"] < spread["best"]


@pytest.mark.parametrize(
    ("policies", "value", "queries"),
    [
        ({}, (1 / 2 + 0 + 0) / 3, 3),
        ({"missing": "skip"}, (1 / 2 + 0) / 2, 2),
        ({"undefined": "zero"}, (1 / 2 + 0 + 0 + 0) / 4, 4),
        ({"undefined": "one"}, (1 / 2 + 0 + 1 + 0) / 4, 4),
        ({"undefined": "nan"}, math.nan, 4),
        ({"undefined": "zero", "missing": "skip"}, (1 / 2 + 0 + 0) / 3, 3),
        ({"summation": "sequential"}, (1 / 2 + 0 + 0) / 3, 3),
    ],
)
def test_policies_decide_which_queries_count(policies: dict[str, str], value: float, queries: int) -> None:
    scores = evaluated(["precision@2"], ties="worst", **policies)
    assert scores["precision@2"] == pytest.approx(value, nan_ok=True)
    assert scores.find("precision@2").count == queries
    assert scores.counts["missing"] == 1


@pytest.mark.parametrize("missing", ["zero", "skip"])
def test_a_metric_may_have_its_own_policy_for_missing_queries(missing: str) -> None:
    names = ["precision(missing=skip,undefined=zero)@2", "precision(missing=zero)@2", "precision@2"]
    scores = evaluated(names, ties="worst", missing=missing)
    assert scores[names[0]] == pytest.approx((1 / 2 + 0 + 0) / 3)
    assert scores[names[1]] == pytest.approx((1 / 2 + 0 + 0) / 3)
    assert scores[names[2]] == scores[f"precision(missing={missing})@2"]
    assert [scores.find(name).count for name in names[:2]] == [3, 3]
    assert scores.per_query.to_pydict()[names[0]] == [0.5, 0.0, 0.0, None]
    assert scores.per_query.to_pydict()[names[1]] == [0.5, 0.0, None, 0.0]


@pytest.mark.parametrize(
    ("policies", "said"),
    [
        ({"missing": "error"}, r"does not answer 1 judged queries \('q4'\)"),
        ({"extra": "error"}, "1 queries of the run have no judgements"),
        ({"undefined": "error"}, r"undefined for 1 queries \('q3'\)"),
        ({"ties": "random"}, "ties='random'"),
        ({"relevant": 0}, "relevant=0"),
        ({"threads": 0}, "threads"),
    ],
)
def test_policies_that_refuse_say_why(policies: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        evaluated(**policies)


def test_a_look_up_accepts_any_spelling() -> None:
    scores = evaluated()
    assert scores["ap"] == scores["MAP"] == scores["map"] == scores["ap(norm=relevant)"]
    assert "precision@2" in scores
    assert "precision@3" not in scores
    assert "no such thing" not in scores
    with pytest.raises(KeyError, match="was not computed; did you mean 'ndcg@2'"):
        scores["ndcg@3"]


def test_it_is_a_mapping_in_the_order_asked() -> None:
    scores = evaluated()
    assert list(scores) == METRICS
    assert len(scores) == 4
    assert dict(scores)["num_q"] == 4
    assert isinstance(scores["num_q"], int)
    assert repr(scores).startswith("Scores({'ndcg@2': ")


def test_print_shows_the_table_and_what_it_stands_on() -> None:
    """As `pingce eval` does: intervals, what was left out, warnings and definitions stand below the values."""
    truth = {"q1": {"a": 1}, "q2": {"b": 1}, "q\x1b[1m": {"c": 1}}
    with pytest.warns(pc.PingceWarning, match="1 of 3 judged queries"):
        scores = pc.evaluate_ranking(truth, {"q1": ["a"], "q2": ["x", "b"]}, ["mrr", "ndcg(gain=linear)@2"], ci=0.9)
    table, below = str(scores).split("\n\n")
    assert table.splitlines()[0].split() == ["metric", "value", "90", "%", "from", "to", "queries"]
    assert table.splitlines()[2].split()[:2] == ["mrr", "0.5000"]
    lines = below.splitlines()
    assert lines[0] == "3 queries scored; 1 not answered (scored 0); 0 without judgements (ignored)"
    assert lines[1].startswith("warning: the run does not answer 1 of 3 judged queries")
    assert "beyond what the names say, all definitions are the defaults" in below
    assert "90 % intervals: " in lines[-1]
    assert "\x1b" not in below


def test_per_query_is_an_arrow_table_sorted_by_query() -> None:
    table = evaluated().per_query
    assert table.column_names == ["query", *METRICS]
    assert table.column("query").to_pylist() == ["q1", "q2", "q3", "q4"]
    assert table.column("map").to_pylist()[2] is None
    assert table.schema.field("map").type == pa.float64()


def test_integer_queries_sort_by_value() -> None:
    scores = pc.evaluate_ranking({10: {1: 1}, 9: {1: 1}, -3: {1: 1}}, {9: {1: 0.5}, 10: {2: 0.5}}, ["rr"])
    assert scores.per_query.to_pydict() == {"query": [-3, 9, 10], "rr": [0.0, 1.0, 0.0]}


@pytest.mark.sweep
@given(case=cases())
def test_json_follows_its_schema(case: Case) -> None:
    scores = case.evaluate(ALL[::9])
    for value in (scores.to_dict(), scores.to_dict(per_query=True), documents({"a": scores, "b": scores})):
        VALIDATOR.validate(json.loads(json.dumps(value, allow_nan=False)))


def test_json_has_both_names_and_every_digit() -> None:
    document = json.loads(evaluated().to_json())
    found = {entry["name"]: entry for entry in document["metrics"]}
    assert found["P_2"]["id"] == "precision@2"
    assert found["ndcg@2"]["value"] == evaluated()["ndcg@2"]
    assert evaluated().to_json() == evaluated().to_json()


def test_signature_pins_every_choice() -> None:
    line = evaluated(relevant=2).signature("ndcg@2")
    pinned = "gain:exp2|discount:log2|ideal:judged|rel:2|ties:id|missing:zero|undefined:skip"
    assert line == f"ndcg@2|{pinned}|pingce:{pc.__version__}"


def test_frames() -> None:
    scores = evaluated()
    assert scores.to_arrow().column_names == ["metric", "id", "value", "queries", "undefined"]
    assert scores.to_pandas()["value"].tolist() == [scores[name] for name in METRICS]
    assert scores.to_polars()["metric"].to_list() == METRICS


def test_csv_keeps_every_digit() -> None:
    scores = evaluated()
    rows = list(csv.DictReader(io.StringIO(scores.to_csv())))
    assert {row["metric"]: float(row["value"]) for row in rows} == dict(scores)
    by_query = list(csv.DictReader(io.StringIO(scores.to_csv(per_query=True))))
    assert [row["query"] for row in by_query] == ["q1", "q2", "q3", "q4"]
    assert by_query[2]["map"] == ""


def test_tables_for_readers() -> None:
    scores = pc.evaluate_ranking({"q": {"a": 0}}, {"q": ["a"]}, ["map", "judged@1"])
    assert "| map | – | 0 |" in scores.to_markdown()
    assert "map & -- & 0" in scores.to_latex()
    assert "<td>–</td>" in scores._repr_html_()
    assert "| judged@1 | 1.00 | 1 |" in scores.to_markdown(places=2)
    use_language("zh")
    assert scores.to_markdown().startswith("| 指标 | 数值 | 查询数 |")


def test_hostile_names_are_escaped_everywhere() -> None:
    scores = pc.evaluate_ranking({"<script>": {"a": 1}}, {"<script>": ["a"]}, ["rr"])
    assert scores.queries == ["<script>"]
    scores.values_by_name = {"<b>|&%_$": scores.values_by_name["rr"].called("<b>|&%_$", "rr")}
    assert "<b>" not in scores._repr_html_()
    assert "<b>" not in scores.to_markdown()
    assert r"\textless{}b\textgreater{}\textbar{}\&\%\_\$" in scores.to_latex()


def caught(truth: Any, run: Any, **policies: Any) -> list[str]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        pc.evaluate_ranking(truth, run, ["ndcg@2", "err@5"], **policies)
    assert all(issubclass(warning.category, PingceWarning) for warning in found)
    assert all(warning.filename == __file__ for warning in found)
    return [str(warning.message) for warning in found]


def test_warnings_say_what_may_mislead() -> None:
    ratings = {"q": {"a": 5, "b": 1}}
    assert any("every judged item is relevant" in text for text in caught(ratings, {"q": ["a"]}))
    assert not any("every judged" in text for text in caught(ratings, {"q": ["a"]}, relevant=4))
    assert any("no item is relevant" in text for text in caught({"q": {"a": 0.5}}, {"q": ["a"]}))
    tied = caught({"q": {"a": 1, "b": 0}}, {"q": {"a": 1, "b": 1}})
    assert any("ties matter in 1 queries: ndcg@2 lies between 0.63093 and 1" in text for text in tied)
    assert any("no judged item was returned" in text for text in caught({"q": {"a": 1, "b": 0}}, {"q": ["z"]}))


@pytest.mark.parametrize(
    ("item", "cause"),
    [("b", "the same items occur on both sides"), ("A", "differ only in case"), ("z", "same data set")],
)
def test_why_nothing_was_found_is_true(item: str, cause: str) -> None:
    truth = {"p": {"a": 1}, "q": {"b": 1}}
    (said,) = [text for text in caught(truth, {"p": [item], "q": ["y"]}) if "no judged item was returned" in text]
    assert cause in said


@pytest.mark.parametrize("missing", ["zero", "skip"])
@pytest.mark.parametrize(("answered", "said"), [(8, False), (7, True), (1, True)])
def test_a_run_that_answers_few_queries_is_said(answered: int, said: bool, missing: str) -> None:
    truth = {f"q{place}": {"a": 1} for place in range(10)}
    run = {f"q{place}": ["a"] for place in range(answered)} | {"x2": ["a"], "x1": ["a"]}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", PingceWarning)
        scores = pc.evaluate_ranking(truth, run, "mrr", missing=missing)  # type: ignore[arg-type]
    lacking = [text for text in scores.warnings if "does not answer" in text.en]
    assert len([one for one in caught if "does not answer" in str(one.message)]) == len(lacking) == said
    if said:
        count, share = 10 - answered, 10 * (10 - answered)
        for words in (f"{count} of 10", f"{share} %", f"'q{answered}'", "'x1'", "missing='skip'"):
            assert words in lacking[0].en
        assert f"{share} %" in lacking[0].zh
    evaluator = pc.RankingEvaluator(truth, "mrr", missing=missing, split="never")  # type: ignore[arg-type]
    for query in reversed(run):
        evaluator.update({query: run[query]})
    found = pc.RankingEvaluator(truth, "mrr", missing=missing, split="never")  # type: ignore[arg-type]
    found.merge(pc.RankingEvaluator.from_bytes(evaluator.to_bytes()))
    assert found.compute().warnings == evaluator.compute().warnings == scores.warnings


def test_an_advised_threshold_can_be_reached() -> None:
    for grades, advised in (((1, 3), 3), ((1, 2, 3), 3), ((1, 5), 4), ((2, 2.5), 2.5), ((1, 2), 2), ((5, 6, 9), 9)):
        truth = {"q": {f"d{place}": grade for place, grade in enumerate(grades)}}
        (said,) = pc.evaluate_ranking(truth, {"q": ["d0"]}, "mrr").warnings
        assert f"relevant={advised} " in said.en
        assert not pc.evaluate_ranking(truth, {"q": ["d0"]}, "mrr", relevant=advised).warnings


def test_a_guessed_scale_is_said() -> None:
    truth, run = {"q": {"a": 3, "b": 0}}, {"q": ["a"]}
    assert any("max=3" in text for text in caught(truth, run))
    scores = pc.evaluate_ranking(truth, run, ["err@5", "rbp(gain=linear)", "ndcg(ideal=full)@2", "rbp"])
    assert ["|max:3|" in scores.signature(name) for name in scores] == [True, True, True, False]


def test_row_policies_of_a_metric_are_its_own() -> None:
    truth, run = {"q": {"a": 1}, "p": {"a": 1}}, {"q": {"a": 1.0}, "extra": {"a": 1.0}}
    with pytest.raises(InputError, match="have no judgements"):
        pc.evaluate_ranking(truth, run, ["rr(extra=error)"])
    with pytest.raises(InputError, match="does not answer"):
        pc.evaluate_ranking(truth, run, ["rr(missing=skip)", "rr"], missing="error")
    assert pc.evaluate_ranking(truth, run, ["rr(missing=skip)"], missing="error")["rr(missing=skip)"] == 1.0
    twice = pa.table({"qid": ["q", "q"], "docid": ["a", "a"], "score": [1.0, 2.0]})
    assert pc.evaluate_ranking(truth, twice, ["rr(duplicates=first,missing=skip)"]).counts["duplicates"] == 1
    with pytest.raises(InputError, match="stands again"):
        pc.evaluate_ranking(truth, twice, ["rr(duplicates=first)", "rr"])


@pytest.mark.parametrize(
    ("ranks", "stage"),
    [
        ([1, 2], "Nothing is lost"),
        ([1, 500], "ranking stage"),
        ([3, None], "recall stage"),
        ([11, 2000, None], "ranking stage"),
    ],
)
def test_diagnosis_names_the_stage(ranks: list[int | None], stage: str) -> None:
    truth = {f"q{i}": {"hit": 1} for i in range(len(ranks))}
    run = {f"q{i}": [f"d{n}" for n in range(1, rank or 3)] + (["hit"] if rank else []) for i, rank in enumerate(ranks)}
    found = pc.evaluate_ranking(truth, run, ["rr"]).diagnosis
    assert stage in found["text"]["en"]
    assert sum(found["first_relevant"].values()) == pytest.approx(1.0)
    assert {"recall stage": "召回阶段", "ranking stage": "排序阶段"}.get(stage, "没有丢失") in found["text"]["zh"]


def test_diagnosis_without_relevant_items() -> None:
    found = pc.evaluate_ranking({"q": {"a": 0}}, {"q": ["a"]}, ["rr"]).diagnosis
    assert found["first_relevant"]["top_10"] is None


def test_exact_sums_do_not_depend_on_the_order_of_queries() -> None:
    truth = {f"q{i}": {f"d{j}": 1.0 for j in range(i % 7 + 1)} for i in range(300)}
    run = {f"q{i}": [f"d{j}" for j in range(0, 7, 2)] for i in range(300)}
    renamed = (
        {f"r{299 - i:03}": truth[f"q{i}"] for i in range(300)},
        {f"r{299 - i:03}": run[f"q{i}"] for i in range(300)},
    )
    assert dict(pc.evaluate_ranking(truth, run, ALL)) == pytest.approx(
        dict(pc.evaluate_ranking(*renamed, ALL)), rel=0, abs=0, nan_ok=True
    )


def test_a_second_call_gives_the_same_bytes() -> None:
    assert evaluated().to_json(per_query=True) == evaluated().to_json(per_query=True)


def test_public_names_are_all_there() -> None:
    assert sorted(pc.__all__) == sorted(dir(pc))
    for name in pc.__all__:
        assert getattr(pc, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        pc.nonsense  # type: ignore[attr-defined]  # noqa: B018
