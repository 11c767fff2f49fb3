"""Evidence: native equals reference to the last bit, merges, goes through Arrow, and keeps its promises."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from drawn import Case, cases
from interrupts import interrupt
from pingce.base.core import native_core
from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.evidence.policies import Duplicates, Nan, Policies
from pingce.evidence.ranking import compute
from pingce.evidence.ranking.compute import ranking_evidence
from pingce.evidence.ranking.evidence import HIT_COLUMNS, QUERY_COLUMNS, RankingEvidence
from pingce.evidence.ranking.findings import Findings
from pingce.evidence.ranking.reference import reference_evidence
from pingce.inputs import IntIds, Rows, StringIds, read_run, read_truth
from pingce.inputs.columns import rows_of
from pingce.metrics.grammar import parse_metrics
from pingce.run.rankings import score_evidence

ARRAYS = (*QUERY_COLUMNS, "hit_begin", "judged_begin", "judged", *HIT_COLUMNS)
needs_core = pytest.mark.skipif(native_core() is None, reason="THE NATIVE CORE IS NOT INSTALLED: nothing to compare")


def same(a: RankingEvidence, b: RankingEvidence) -> None:
    assert a.queries.to_list() == b.queries.to_list()
    assert a.tally == b.tally
    assert a.top_grade == b.top_grade
    for name in ARRAYS:
        left, right = getattr(a, name), getattr(b, name)
        assert left.dtype == right.dtype, name
        assert left.tobytes() == right.tobytes(), name


NAN, INF = float("nan"), float("inf")
SCORES = st.sampled_from([NAN, -INF, INF, -0.0, 0.0, 1.0, 1.5, 1e300, -3.0])


@st.composite
def raw_rows(draw: st.DrawFn, role: str) -> Rows:
    """Rows in any order, with repeated pairs and scores of every kind."""
    size = draw(st.integers(1, 25))
    numbers = st.lists(
        SCORES if role == "run" else st.sampled_from([-1.0, 0.0, 1.0, 2.5]), min_size=size, max_size=size
    )
    queries = draw(st.lists(st.sampled_from(["q", "r", "é", "10", "9"]), min_size=size, max_size=size))
    items = draw(
        st.lists(
            st.sampled_from(["a", "b", "ab", "", "条", "𝄞", "~"]).map(lambda s: s or "e"), min_size=size, max_size=size
        )
    )
    return Rows(
        StringIds.from_strings(queries),
        StringIds.from_strings(items),
        np.array(draw(numbers)),
        rows_of(Text(role, role)),
    )


def by_core(truth: Rows, run: Rows, policies: Policies, threads: int, exclude: Rows | None = None) -> Findings:
    return compute._compute(truth, run, exclude, policies, depth=0, threads=threads)


@needs_core
@given(
    truth=raw_rows("truth"),
    run=raw_rows("run"),
    duplicates=st.sampled_from(["error", "first", "last", "best"]),
    nan=st.sampled_from(["error", "last", "first", "drop"]),
    threads=st.sampled_from([1, 2, 3]),
    exclude=st.none() | raw_rows("truth"),
)
def test_native_equals_reference_in_every_bit(
    truth: Rows, run: Rows, duplicates: Duplicates, nan: Nan, threads: int, exclude: Rows | None
) -> None:
    assert_same_bits(truth, run, duplicates, nan, threads, exclude)


@needs_core
@pytest.mark.parametrize("size", [1023, 1024, 65_535, 65_536, 70_000])
@pytest.mark.parametrize("duplicates", ["last", "best"])
def test_a_long_list_beside_short_ones(size: int, duplicates: Duplicates) -> None:
    """Tables of places around the powers of two, and used again by lists of other lengths; a tenth of the items is repeated."""
    random = np.random.default_rng(size)

    def rows(sizes: list[int], role: str) -> Rows:
        query = np.repeat(np.arange(len(sizes)), sizes)
        item = np.concatenate([random.integers(0, 5 * most, most) for most in sizes])
        return Rows(
            IntIds(query), IntIds(item), random.integers(0, 3, len(query)).astype(float), rows_of(Text(role, role))
        )

    sizes = [3, size, 1, size // 2 + 1]
    assert_same_bits(rows(sizes, "truth"), rows(sizes, "run"), duplicates, "error", 1, rows([0, 9, 0, size], "truth"))


def assert_same_bits(
    truth: Rows, run: Rows, duplicates: Duplicates, nan: Nan, threads: int, exclude: Rows | None
) -> None:
    found, faults, _ = by_core(truth, run, Policies(duplicates=duplicates, nan=nan), threads, exclude)
    wanted, wanted_faults, _ = reference_evidence(truth, run, duplicates, nan, exclude)
    assert faults == wanted_faults
    assert sorted(found) == sorted(wanted)
    assert sorted(found["extra_rows"].tolist()) == sorted(wanted["extra_rows"].tolist())
    assert truth.query.take(found["query_rows"]).to_list() == truth.query.take(wanted["query_rows"]).to_list()
    for name in ARRAYS:
        assert found[name].dtype == wanted[name].dtype, name
        assert found[name].tobytes() == wanted[name].tobytes(), name


def large(queries: int, depth: int, *, integers: bool, shuffled: bool) -> tuple[dict[str, Any], dict[str, Any]]:
    rng = np.random.default_rng(7)
    query = np.repeat(np.arange(queries), depth)
    item = np.concatenate([rng.choice(depth * 4, depth, replace=False) for _ in range(queries)])
    score = rng.integers(0, 50, queries * depth).astype(float)
    order = rng.permutation(len(query)) if shuffled else np.arange(len(query))
    keep = rng.random(len(query)) < 0.05
    grade = rng.integers(-1, 4, len(query)).astype(float)

    def ids(values: Any) -> Any:
        return values if integers else [f"id{value}" for value in values]

    run = {"query_id": ids(query[order]), "item_id": ids(item[order]), "score": score[order]}
    truth = {"query_id": ids(query[keep]), "item_id": ids(item[keep]), "relevance": grade[keep]}
    return truth, run


@needs_core
@pytest.mark.parametrize("integers", [False, True])
@pytest.mark.parametrize("shuffled", [False, True])
def test_many_queries_are_the_same_for_any_thread_count(integers: bool, shuffled: bool) -> None:
    truth_columns, run_columns = large(300, 120, integers=integers, shuffled=shuffled)
    truth, run = read_truth(pa.table(truth_columns)), read_run(pa.table(run_columns))
    one = ranking_evidence(truth, run, threads=1)
    for threads in (2, 5):
        same(one, ranking_evidence(truth, run, threads=threads))
    wanted = reference_evidence(truth, run, "error", "error").columns
    for name in HIT_COLUMNS:
        assert getattr(one, name).tobytes() == wanted[name].tobytes()


def evidence_of(case: Case) -> RankingEvidence:
    return ranking_evidence(read_truth(case.truth), read_run(case.run))


@given(case=cases())
def test_arrow_gives_the_same_evidence_back(case: Case) -> None:
    evidence = evidence_of(case)
    same(evidence, RankingEvidence.from_arrow(evidence.to_arrow()))
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, evidence.to_arrow().schema) as writer:
        writer.write_table(evidence.to_arrow(), max_chunksize=1)
    same(evidence, RankingEvidence.from_arrow(pa.ipc.open_stream(sink.getvalue()).read_all()))


def test_arrow_keeps_integer_ids() -> None:
    evidence = ranking_evidence(read_truth({7: {1: 1}, 30: {2: 1}}), read_run({7: {1: 0.5}, 30: {5: 0.5}}))
    assert evidence.to_arrow().column("query").type == pa.int64()
    same(evidence, RankingEvidence.from_arrow(evidence.to_arrow()))


def test_a_table_that_is_not_evidence_is_refused() -> None:
    with pytest.raises(InputError, match="not ranking evidence"):
        RankingEvidence.from_arrow(pa.table({"query": ["a"]}))


def test_a_query_answered_twice_cannot_be_merged() -> None:
    evidence = ranking_evidence(read_truth({"q": {"a": 1}}), read_run({"q": ["a"]}))
    with pytest.raises(InputError, match=r"1 queries were answered in both pieces \('q'\)"):
        evidence.merge(evidence)


def test_ids_of_two_kinds_cannot_be_merged() -> None:
    text = ranking_evidence(read_truth({"1": {"a": 1}}), read_run({"1": ["a"]}))
    number = ranking_evidence(read_truth({1: {"a": 1}}), read_run({1: ["a"]}))
    with pytest.raises(InputError, match="cannot be merged"):
        text.merge(number)


def test_merging_disjoint_truths_keeps_the_top_grade_and_adds_the_tally() -> None:
    one = ranking_evidence(read_truth({"a": {"x": 3}}), read_run({"a": ["x"], "extra": ["x"]}))
    two = ranking_evidence(read_truth({"b": {"x": 1}}), read_run({"b": ["y", "x"]}))
    merged = two.merge(one)
    assert merged.queries.to_list() == ["a", "b"]
    assert merged.top_grade == 3.0
    assert merged.tally._asdict() == {"extra_queries": 1, "extra_rows": 1}


def test_merging_counts_the_shared_truth_once() -> None:
    truth = read_truth(pa.table({"qid": ["a", "a", "b"], "docid": ["x", "x", "x"]}))
    policies = Policies(duplicates="first", nan="drop")
    runs = [{"a": {"x": 1.0, "y": NAN}}, {"b": {"x": 1.0}, "extra": {"x": 1.0}}]
    pieces = [ranking_evidence(truth, read_run(run), policies) for run in runs]
    whole = ranking_evidence(truth, read_run(runs[0] | runs[1]), policies)
    same(pieces[0].merge(pieces[1]), whole)
    same(pieces[1].merge(pieces[0]), whole)
    assert (int(whole.truth_repeats.sum()), int(whole.nan_rows.sum()), int(whole.given.sum())) == (1, 1, 3)


def test_pieces_with_other_judgements_cannot_be_merged() -> None:
    one = ranking_evidence(read_truth({"a": {"x": 1}, "b": {"y": 1}}), read_run({"a": ["x"]}))
    two = ranking_evidence(read_truth({"b": {"y": 1, "z": 5}, "c": {"x": 1}}), read_run({"c": ["x"]}))
    for a, b in ((one, two), (two, one)):
        with pytest.raises(InputError, match="different judgements"):
            a.merge(b)


def test_an_empty_piece_keeps_its_kind() -> None:
    evidence = ranking_evidence(read_truth({"a": {"x": 1}}), read_run({"a": ["x"]}))
    empty = RankingEvidence.from_arrow(evidence.to_arrow().slice(0, 0))
    assert isinstance(empty.queries, StringIds)
    assert evidence.merge(empty).queries.to_list() == ["a"]


@pytest.mark.sweep
@given(case=cases())
def test_condensed_lists_are_those_without_unjudged_items(case: Case) -> None:
    kept = {
        query: {item: score for item, score in rows.items() if case.truth.get(query, {}).get(item, -1) >= 0}
        for query, rows in case.run.items()
    }
    metrics = ["ndcg@3", "precision@3", "precision", "rr", "ap", "bpref", "judged@3", "num_ret", "err(max=3)"]
    for ties in ("id", "id_ascending", "order", "best", "worst"):
        condensed = case.evaluate(metrics, ties=ties, judged_only=True).per_query.to_pydict()
        if not any(kept.get(query) for query in case.truth):
            return
        assert condensed == Case(case.truth, kept).evaluate(metrics, ties=ties).per_query.to_pydict()


@given(case=cases(), depth=st.integers(1, 13))
def test_cut_lists_are_those_of_the_best_items(case: Case, depth: int) -> None:
    def best(rows: dict[str, float]) -> dict[str, float]:
        kept = sorted(rows, key=lambda item: (rows[item], item), reverse=True)[:depth]
        return {item: rows[item] for item in kept}

    truth, metrics = read_truth(case.truth), ["ndcg@3", "precision", "rr", "ap", "bpref", "judged@3", "num_ret"]
    cut = ranking_evidence(truth, read_run(case.run)).cut(depth)
    plain = ranking_evidence(truth, read_run({query: best(rows) for query, rows in case.run.items()}))
    scores = [
        score_evidence(Policies(), parse_metrics(metrics), lambda _, one=one: one).per_query.to_pydict()  # type: ignore[misc]
        for one in (cut, plain)
    ]
    assert scores[0] == scores[1]
    assert (cut.block == 1).all()
    same(cut.condensed().cut(depth), cut.condensed())


def test_a_cut_deeper_than_any_list_only_settles_ties() -> None:
    evidence = ranking_evidence(read_truth({"q": {"a": 1, "b": 2}}), read_run({"q": {"a": 1.0, "b": 1.0, "c": 1.0}}))
    cut = evidence.cut(2**31 - 1)
    assert (cut.returned.tolist(), cut.above.tolist(), cut.grade.tolist()) == ([3], [1, 2], [2.0, 1.0])


def test_ctrl_c_reaches_the_core() -> None:
    truth_columns, run_columns = large(20_000, 60, integers=True, shuffled=True)
    truth, run = read_truth(pa.table(truth_columns)), read_run(pa.table(run_columns))
    interrupt(lambda: pc.ranking_evidence(truth, run, threads=1))
