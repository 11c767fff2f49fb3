"""Metrics of subtopics: the worked example, values against definitions, and every way in."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from drawn import at_least
from drawn_labels import without_core
from pingce.evidence.ranking.compute import ranking_evidence
from pingce.evidence.ranking.evidence import RankingEvidence
from pingce.inputs import read_run, read_truth
from pingce.metrics.grammar import known_names, parse_metric
from pingce.metrics.ranking import RankedList
from pingce.metrics.ranking.intent_base import IntentMetric

Nested = dict[str, dict[str, dict[str, float]]]
Run = dict[str, dict[str, float]]

EXAMPLE: Nested = {"q": {"d1": {"1": 1, "2": 1}, "d2": {"1": 1}, "d3": {"2": 1, "3": 1}, "d4": {"3": 1}}}
LIST = {"q": ["d1", "x", "d2", "d3"]}
GOLDEN = {
    "alpha_dcg@4": 0.6460139440383,
    "alpha_ndcg@4": 0.8488398459141,
    "err_ia@4": 0.6208651399491,
    "nerr_ia@4": 61 / 73,
    "nrbp": 37 / 64,
    "nnrbp": 37 / 47,
    "p_ia@4": 5 / 12,
    "ap_ia": 41 / 72,
    "subtopic_recall@2": 2 / 3,
    "alpha_dcg@1": 2 / 3,
    "alpha_dcg(over=ndeval)@1": 2.0,
    "err_ia(over=ndeval)@1": 2.0,
    "alpha_dcg(over=none)@4": 2.25 + 1.5 / math.log2(5),
}
KINDS = [kind for kind in dict.fromkeys(known_names("ranking").values()) if issubclass(kind, IntentMetric)]
MORE = (
    "alpha_dcg(alpha=0.3)@3",
    "alpha_ndcg(alpha=1)@5",
    "alpha_ndcg(alpha=0)",
    "nnrbp(alpha=0.9,beta=0.8)@4",
    "err_ia(over=ndeval)@1",
)
ALL = [*(name for kind in KINDS for name in (kind.name, f"{kind.name}@1", f"{kind.name}@3", f"{kind.name}@20")), *MORE]
QRELS = "".join(
    f"{q} {s} {d} {int(g)}\n" for q, items in EXAMPLE.items() for d, of in items.items() for s, g in of.items()
)


def test_there_are_nine() -> None:
    assert len(KINDS) == 9


@pytest.mark.parametrize("name", GOLDEN)
def test_the_worked_example(name: str) -> None:
    assert pc.evaluate_ranking(EXAMPLE, LIST, [name])[name] == pytest.approx(GOLDEN[name], rel=1e-12)
    metric = parse_metric(name).metric
    assert metric.define(metric.example_rows()) == pytest.approx(GOLDEN[name], rel=1e-12)


_SUBTOPICS = [str(number) for number in (1, 2, 3, 10, 11)]
_ITEMS = [f"d{number}" for number in range(9)]
_GRADES = st.dictionaries(st.sampled_from(_SUBTOPICS), st.sampled_from([0.0, 1.0, 1.0, 2.0]), min_size=1, max_size=4)


_NAMES = st.lists(st.sampled_from(["1", "2", "10", "九"]), min_size=1, max_size=3, unique=True)
_JUDGED = st.dictionaries(st.sampled_from(_ITEMS), _GRADES, min_size=1, max_size=7)
_LISTED = st.dictionaries(st.sampled_from([*_ITEMS, "x", "y"]), st.integers(0, 5).map(float), min_size=1, max_size=8)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Nested, Run]:
    names = draw(_NAMES)
    truth = {name: draw(_JUDGED) for name in names}
    run = {name: draw(_LISTED) for name in names if name == names[0] or draw(st.booleans())}
    return truth, run


def ranked(truth: Nested, run: Run, query: str, relevant: float) -> RankedList:
    """The list of a query in plain Python, ties by id, descending."""
    judged, listed = truth[query], run.get(query, {})
    items = sorted(sorted(listed, reverse=True), key=lambda item: -listed[item])
    by_id = sorted(judged, key=lambda item: item.encode(), reverse=True)
    grades = [max(judged[item].values()) if item in judged else None for item in items]
    return RankedList(
        tuple(grades),
        tuple(max(of.values()) for of in judged.values()),
        relevant,
        2.0,
        tuple(judged.get(item, {}) for item in items),
        tuple(judged[item] for item in by_id),
    )


@pytest.mark.sweep
@at_least(60)
@given(case=cases(), relevant=st.sampled_from([1, 2, 0.5]))
def test_values_equal_the_definition(case: tuple[Nested, Run], relevant: float) -> None:
    truth, run = case
    table = pc.evaluate_ranking(truth, run, ALL, relevant=relevant).per_query.to_pydict()
    for row, query in enumerate(table["query"]):
        listed = ranked(truth, run, query, relevant)
        for name in ALL:
            value, wanted = table[name][row], parse_metric(name).metric.define(listed)
            if math.isnan(wanted):
                assert value is None, name
            elif not (("alpha=0.3" in name or "alpha=0.9" in name) and name.startswith(("alpha_n", "nn"))):
                assert value == pytest.approx(wanted, rel=1e-13, abs=1e-15), name


def bits(scores: pc.RankingScores) -> dict[str, list[str | None]]:
    table = scores.per_query.to_pydict()
    return {name: [None if value is None else float(value).hex() for value in table[name]] for name in ALL}


@pytest.mark.sweep
@given(case=cases())
def test_the_reference_has_the_same_bits(case: tuple[Nested, Run]) -> None:
    native = pc.evaluate_ranking(*case, ALL)
    with without_core():
        assert bits(pc.evaluate_ranking(*case, ALL)) == bits(native)


@given(case=cases())
def test_without_grades_above_0_nothing_is_lost_in_arrow(case: tuple[Nested, Run]) -> None:
    evidence = ranking_evidence(read_truth(case[0]), read_run(case[1]))
    again = RankingEvidence.from_arrow(evidence.to_arrow())
    assert evidence.intents is not None
    assert again.intents is not None
    assert evidence.intents.same_judgements(again.intents)
    assert again.intents.item.tolist() == evidence.intents.item.tolist()


BIG: Nested = {
    f"q{query}": {
        f"d{item}": {str(subtopic): float((query * item + subtopic) % 3) for subtopic in range(1 + (item + query) % 4)}
        for item in range(1 + query % 9)
    }
    for query in range(60)
}
BIG_RUN: Run = {
    f"q{query}": {f"d{item}": float((item * 7 + query) % 11) for item in range(12)} for query in range(60) if query % 7
}


def as_table(truth: Nested) -> pa.Table:
    rows = [(q, d, s, g) for q, items in truth.items() for d, of in items.items() for s, g in of.items()]
    return pa.table(dict(zip(("query", "item", "intent", "grade"), zip(*rows, strict=True), strict=True)))


def as_lines(truth: Nested) -> str:
    table = as_table(truth).to_pylist()
    return "".join(f"{row['query']} {row['intent']} {row['item']} {int(row['grade'])}\n" for row in table)


def as_run(run: Run) -> str:
    return "".join(f"{q} Q0 {d} 0 {score} tag\n" for q, items in run.items() for d, score in items.items())


@pytest.fixture(scope="module")
def wanted() -> dict[str, list[str | None]]:
    return bits(pc.evaluate_ranking(BIG, BIG_RUN, ALL))


def test_tables_and_files_give_the_same(wanted: dict[str, list[str | None]], tmp_path: Path) -> None:
    assert bits(pc.evaluate_ranking(as_table(BIG), BIG_RUN, ALL)) == wanted
    assert bits(pc.evaluate_ranking(as_table(BIG).to_pandas(), BIG_RUN, ALL)) == wanted
    qrels, run = tmp_path / "qrels.txt", tmp_path / "a.run"
    qrels.write_text(as_lines(BIG), encoding="utf-8")
    run.write_text(as_run(BIG_RUN), encoding="utf-8")
    assert bits(pc.evaluate_ranking(qrels, run, ALL)) == wanted


@pytest.mark.parametrize("split", ["never", "allowed"])
@pytest.mark.parametrize("also", [(), ("ndcg(ideal=full)@5",)])
def test_batches_give_the_same(wanted: dict[str, list[str | None]], split: str, also: tuple[str, ...]) -> None:
    names, queries = [*ALL, *also], list(BIG_RUN)
    parts = [{query: BIG_RUN[query] for query in queries[begin::3]} for begin in range(3)]
    evaluator = pc.RankingEvaluator(BIG, names, split=split)
    for part in parts:
        evaluator.update(part)
    assert bits(evaluator.compute()) == wanted
    pieces = [pc.RankingEvaluator(BIG, names, split=split).update(part) for part in parts]
    travelled = [pc.RankingEvaluator.from_bytes(piece.to_bytes()) for piece in pieces]
    merged = pc.RankingEvaluator(BIG, names, split=split)
    for piece in travelled:
        merged.merge(piece)
    assert bits(merged.compute()) == wanted


@pytest.mark.parametrize("size", [5, 40, 300])
def test_queries_that_are_looked_at_one_after_another(
    wanted: dict[str, list[str | None]], size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pingce.run.stretches._SIZE", size)
    assert bits(pc.evaluate_ranking(BIG, BIG_RUN, ALL)) == wanted


def test_judgements_that_stand_together(wanted: dict[str, list[str | None]]) -> None:
    """Batches of neighbouring queries take their judgements as they lie."""
    table, queries = as_table(BIG), list(BIG)
    evaluator = pc.RankingEvaluator(table, ALL, split="never")
    for begin in range(0, len(queries), 20):
        evaluator.update({query: BIG_RUN[query] for query in queries[begin : begin + 20] if query in BIG_RUN})
        evaluator.to_bytes()
    assert bits(evaluator.compute()) == wanted


def test_judgements_that_come_with_batches(wanted: dict[str, list[str | None]]) -> None:
    evaluator = pc.RankingEvaluator(metrics=ALL, split="never")
    for query in BIG:
        evaluator.update({query: BIG_RUN[query]} if query in BIG_RUN else {}, qrels={query: BIG[query]})
    assert bits(evaluator.compute()) == wanted


def test_other_metrics_take_the_highest_grade_and_say_so() -> None:
    highest = {query: {item: max(of.values()) for item, of in items.items()} for query, items in BIG.items()}
    scores = pc.evaluate_ranking(BIG, BIG_RUN, ["ndcg@5", "ap", "bpref", "subtopic_recall@5"])
    plain = pc.evaluate_ranking(highest, BIG_RUN, ["ndcg@5", "ap", "bpref"])
    assert all(scores[name] == plain[name] for name in ("ndcg@5", "ap", "bpref"))
    assert any("its highest over them" in note.en for note in scores.notes)


def test_a_truth_without_subtopics_is_of_one_and_that_is_said() -> None:
    with pytest.warns(pc.PingceWarning, match=r"alpha_ndcg@4: the truth tells no subtopics apart"):
        scores = pc.evaluate_ranking(
            {"q": {"a": 1, "b": 1}}, {"q": ["b", "x", "a"]}, ["alpha_ndcg@4", "subtopic_recall@1"]
        )
    assert scores["subtopic_recall@1"] == 1.0


@pytest.mark.parametrize(
    ("truth", "words"),
    [
        ({"q": {"a": {"1": 1}, "b": 1}}, r"truth dict\['q'\]\['b'\] has no subtopic, while other rows have one"),
        ({"q": {"a": {"1": 1}}, "r": ["a"]}, r"truth dict\['r'\] has no subtopic"),
        (
            {"query": ["q", "q"], "item": ["a", "b"], "subtopic": ["1", None], "grade": [1, 1]},
            "row 1 of truth dict has no subtopic",
        ),
        (
            {"query": ["q", "q"], "item": ["a", "b"], "subtopic": ["", "1"], "grade": [1, 1]},
            "row 0 of truth dict has no subtopic",
        ),
        (
            {"query": ["q", "q"], "item": ["a", "b"], "subtopic": [1.0, math.nan], "grade": [1, 1]},
            "row 1 of truth dict has no subtopic",
        ),
    ],
)
def test_subtopics_in_some_rows_only_are_refused(truth: Any, words: str) -> None:
    with pytest.raises(pc.InputError, match=words) as refusal:
        pc.evaluate_ranking(truth, {"q": ["a"]}, ["alpha_ndcg@4"])
    assert "give every judgement its subtopic, or leave subtopics out" in refusal.value.text.en


def test_a_repeated_judgement_is_settled_by_policy() -> None:
    rows = {"query": ["q"] * 3, "item": ["a", "a", "b"], "subtopic": ["1", "1", "2"], "grade": [0, 1, 1]}
    with pytest.raises(pc.InputError, match="stands again at row 1"):
        pc.evaluate_ranking(rows, {"q": ["a"]}, ["subtopic_recall"])
    found = {
        policy: pc.evaluate_ranking(rows, {"q": ["a"]}, ["p_ia"], duplicates=policy)["p_ia"]
        for policy in ("first", "last", "best")
    }
    assert found == {"first": 0.0, "last": 0.5, "best": 0.5}


def test_the_mean_over_orders_of_ties_is_refused() -> None:
    with pytest.raises(pc.InputError, match="the mean over all orders of tied items has no closed form here"):
        pc.evaluate_ranking(EXAMPLE, {"q": {"d1": 1.0, "d2": 1.0}}, ["alpha_ndcg@4"], ties="expected")


def test_ties_of_items_with_other_subtopics_matter() -> None:
    truth = {"q": {"a": {"1": 1}, "b": {"1": 1}, "c": {"2": 1}}}
    alike = pc.evaluate_ranking(truth, {"q": {"a": 1.0, "b": 1.0, "c": 0.5}}, ["alpha_ndcg"])
    other = pc.evaluate_ranking(truth, {"q": {"a": 1.0, "c": 1.0, "b": 1.0}}, ["alpha_ndcg"])
    assert alike.find("alpha_ndcg").spread is None
    assert other.find("alpha_ndcg").spread is not None


@pytest.mark.parametrize("name", ALL)
def test_explanations_end_in_the_value(name: str) -> None:
    """pc.explain itself refuses another last line."""
    for query in ("q2", "q7", "q8", "q23"):
        text = str(pc.explain(name, BIG, BIG_RUN, query=query))
        assert name.partition("(")[0].partition("@")[0] in text


def test_an_ideal_of_many_queries_is_found_at_once() -> None:
    rng = np.random.default_rng(3)
    size, items = 3000, 8
    table = {
        "query": np.repeat(np.arange(size), items * 2),
        "item": np.tile(np.repeat(np.arange(items), 2), size),
        "subtopic": np.tile([1, 2], size * items),
        "grade": rng.integers(0, 2, size * items * 2),
    }
    run = {
        "query": np.repeat(np.arange(size), items),
        "item": np.tile(np.arange(items), size),
        "score": rng.random(size * items),
    }
    together = pc.evaluate_ranking(table, run, ["alpha_ndcg@5"]).per_query["alpha_ndcg@5"].to_pylist()
    for query in (0, 17, size - 1):
        mine = {name: column[table["query"] == query] for name, column in table.items()}
        theirs = {name: column[run["query"] == query] for name, column in run.items()}
        assert pc.evaluate_ranking(mine, theirs, ["alpha_ndcg@5"]).per_query["alpha_ndcg@5"].to_pylist() == [
            together[query]
        ]
