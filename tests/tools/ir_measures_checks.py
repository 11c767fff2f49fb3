"""Run where ir_measures is: the provider has the numbers of ir_measures' own providers, and leaves to them what it lacks."""

from __future__ import annotations

import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ir_measures as ir
import pytest

import pingce.ir_measures

CASES = Path(__file__).parents[1] / "conformance" / "cases"
sys.path[:0] = [str(CASES.parent / "peers")]
from peer_files import read_cases, read_intent_cases  # noqa: E402
from run_ir_measures import (  # noqa: E402 - what was asked of ir_measures for the frozen numbers
    BY_NUMBER,
    binary_measures,
    by_number,
    graded_measures,
    intent_measures,
)

QRELS = """
Q0 0 D0 0
Q0 0 D1 1
Q1 0 D0 0
Q1 0 D3 2
"""
RUN = """
Q0 0 D0 0 0.8 run
Q0 0 D2 1 0.7 run
Q0 0 D1 2 0.3 run
Q1 0 D1 0 0.1 run
Q1 0 D3 1 0.2 run
Q1 0 D4 2 0.1 run
"""
"The example of ir_measures' documentation."
USUAL = ir.providers.FallbackProvider([each for each in ir.DefaultPipeline.providers if each.NAME != "pingce"])
ACCURACY = [ir.Accuracy, ir.Accuracy(rel=2) @ 5]
JUDGED_ONLY = [measure(judged_only=True) for measure in (ir.nDCG @ 5, ir.P @ 5, ir.AP, ir.R(rel=2) @ 10, ir.SetP)]


def same(ours: float, theirs: float) -> bool:
    return ours == theirs or (math.isnan(ours) and math.isnan(theirs)) or math.isclose(ours, theirs, rel_tol=1e-12)


def compare(measure: ir.Measure, qrels: Any, run: Any) -> None:
    usual, ours = USUAL.calc([measure], qrels, run), ir.pingce.calc([measure], qrels, run)
    theirs = {metric.query_id: metric.value for metric in usual.per_query}
    values = {metric.query_id: metric.value for metric in ours.per_query}
    assert {*values} == {*theirs}, measure
    wrong = {query: (values[query], theirs[query]) for query in theirs if not same(values[query], theirs[query])}
    assert not wrong, (measure, wrong)
    assert same(ours.aggregated[measure], usual.aggregated[measure]), measure


def asked(name: str) -> Iterator[ir.Measure]:
    for level in (1, 2):
        yield from binary_measures(level)
    yield from (measure for measure in graded_measures() if measure.NAME != "Compat")
    yield from JUDGED_ONLY
    yield from ACCURACY if name not in ("all_relevant", "single") else ()


@pytest.mark.parametrize("case", [case for case in read_cases() if case.whole], ids=lambda case: case.name)
def test_every_measure_of_every_case(case: Any) -> None:
    for measure in asked(case.name):
        if not ir.pingce.supports(measure):
            pytest.fail(f"{measure} is not answered")
        here = by_number(case)[0] if str(measure).partition("@")[0] in BY_NUMBER else case
        try:
            compare(measure, here.whole_qrels, here.run)
        except ZeroDivisionError:
            assert measure.NAME == "Accuracy"


@pytest.mark.parametrize("case", list(read_intent_cases()), ids=lambda case: case.name)
def test_measures_of_subtopics(case: Any) -> None:
    qrels = [ir.Qrel(query, item, grade, subtopic) for query, subtopic, item, grade in case.judgements]
    run = [ir.ScoredDoc(*row) for row in case.scores]
    for level in (1, 2):
        for measure in intent_measures(level):
            compare(measure, qrels, run)


def frames() -> tuple[Any, Any]:
    pd = pytest.importorskip("pandas")
    return pd.DataFrame(ir.read_trec_qrels(QRELS)), pd.DataFrame(ir.read_trec_run(RUN))


MEASURES = [ir.nDCG @ 10, ir.P @ 5, ir.P(rel=2) @ 5, ir.Judged @ 10, ir.nDCG(gains={1: 2, 2: 10}) @ 3, ir.AP, ir.RR]


def test_the_example_of_the_documentation_in_every_shape() -> None:
    usual = USUAL.calc_aggregate(MEASURES, list(ir.read_trec_qrels(QRELS)), list(ir.read_trec_run(RUN)))
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for each in ir.read_trec_qrels(QRELS):
        qrels.setdefault(each.query_id, {})[each.doc_id] = each.relevance
    for each in ir.read_trec_run(RUN):
        run.setdefault(each.query_id, {})[each.doc_id] = each.score
    shapes = [(qrels, run), frames(), (ir.read_trec_qrels(QRELS), ir.read_trec_run(RUN))]
    assert usual[ir.nDCG @ 10] == pytest.approx((0.5 + 1.0) / 2)
    for sides in shapes:
        assert ir.pingce.calc_aggregate(MEASURES, *sides) == usual
    assert ir.calc_aggregate(MEASURES, *shapes[0]) == usual


def test_it_stands_before_the_others_and_leaves_the_rest_to_them() -> None:
    first = ir.DefaultPipeline.providers[1]
    assert first.NAME == "pingce"
    assert ir.providers.registry["pingce"] is ir.pingce
    for measure in (ir.Compat, ir.ERR, ir.nDCG(dcg="exp-log2"), ir.P(rel=0) @ 5, ir.BPM(min_rel=1, max_rel=4) @ 5):
        assert not ir.pingce.supports(measure), measure
    assert ir.calc_aggregate([ir.Compat, ir.nDCG @ 5], ir.read_trec_qrels(QRELS), ir.read_trec_run(RUN)).keys() == {
        ir.Compat,
        ir.nDCG @ 5,
    }
    with pytest.raises(ValueError, match="unsupported measure Compat"):
        ir.pingce.evaluator([ir.Compat], {})
    pingce.ir_measures.provider.register()
    assert [each.NAME for each in ir.DefaultPipeline.providers if hasattr(each, "NAME")].count("pingce") == 1


def test_what_cwl_eval_answers_with_costs_stays_with_it() -> None:
    measure = ir.RBP(rel=1)
    assert ir.pingce.supports(measure)
    [*metrics] = ir.iter_calc([measure], ir.read_trec_qrels(QRELS), ir.read_trec_run(RUN))
    assert all(metric.expected_items > 0 for metric in metrics)


def test_an_evaluator_scores_several_runs() -> None:
    qrels, run = frames()
    evaluator = ir.evaluator([ir.P @ 1, ir.NumQ], qrels)
    assert evaluator.calc_aggregate(run) == {ir.P @ 1: 0.5, ir.NumQ: 2}
    assert evaluator.calc_aggregate(run[run.query_id == "Q0"]) == {ir.P @ 1: 0.0, ir.NumQ: 1}
    assert evaluator.calc_aggregate(run[:0]) == {ir.P @ 1: 0.0, ir.NumQ: 0}
    assert evaluator.calc_aggregate({"other": {"D0": 1.0}}) == {ir.P @ 1: 0.0, ir.NumQ: 0}


def test_a_run_of_another_shape_is_refused_as_ir_measures_does() -> None:
    with pytest.raises(ValueError, match="unexpected format"):
        ir.pingce.calc([ir.P @ 1], {"q": {"d": 1}}, 7)


@pytest.mark.parametrize("qrels", [[], {}, {"Q0": {}}], ids=str)
def test_judgements_without_rows_have_the_mean_of_the_usual_providers(qrels: Any) -> None:
    run = list(ir.read_trec_run(RUN))
    compare(ir.nDCG @ 10, qrels, run)
    compare(ir.NumRel, qrels, run)


def test_a_score_that_is_no_number_stands_last() -> None:
    qrels, run = (
        [ir.Qrel("q", "a", 1), ir.Qrel("q", "b", 0)],
        [ir.ScoredDoc("q", "b", 1.0), ir.ScoredDoc("q", "c", 0.5)],
    )
    for sides in (run, {"q": {each.doc_id: each.score for each in run}}):
        worst = (
            [*sides, ir.ScoredDoc("q", "a", math.nan)]
            if isinstance(sides, list)
            else {"q": {**sides["q"], "a": math.nan}}
        )
        with pytest.warns(UserWarning, match="1 scores of the run are NaN, which stand last here"):
            values = ir.pingce.calc_aggregate([ir.RR, ir.P @ 3], qrels, worst)
        assert values == {ir.RR: 1 / 3, ir.P @ 3: 1 / 3}


PROGRAM = """
import ir_measures as ir
qrels, run = ir.read_trec_qrels("a.qrels"), ir.read_trec_run("a.run")
print(ir.DefaultPipeline.providers[1].NAME, __name__, ir.calc_aggregate([ir.P @ 1], qrels, run))
"""


def test_a_program_and_the_command_of_ir_measures_run_without_a_change(tmp_path: Path) -> None:
    for name, text in (("a.qrels", QRELS), ("a.run", RUN), ("program.py", PROGRAM)):
        (tmp_path / name).write_text(text.lstrip())
    said = [
        subprocess.run(
            [sys.executable, "-m", "pingce.ir_measures", *words],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        for words in (["program.py"], ["a.qrels", "a.run", "P@1", "nDCG@10"])
    ]
    assert said[0] == ["pingce", "__main__", "{P@1:", "0.5}"]
    assert said[1] == ["P@1", "0.5000", "nDCG@10", "0.7500"]


def test_an_experiment_of_pyterrier_has_the_same_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    pt = pytest.importorskip("pyterrier")
    pd = pytest.importorskip("pandas")
    qrels, run = frames()
    qrels = qrels.rename(columns={"query_id": "qid", "doc_id": "docno", "relevance": "label"})
    results = run.rename(columns={"query_id": "qid", "doc_id": "docno"})
    results["rank"] = results.groupby("qid")["score"].rank(ascending=False, method="first").astype(int) - 1
    topics = pd.DataFrame({"qid": ["Q0", "Q1"], "query": ["a", "b"]})
    options = {"eval_metrics": [*MEASURES, ir.NumQ], "names": ["run"]}
    answered: list[str] = []
    inner = pingce.ir_measures.PingceProvider._evaluator

    def counted(self: Any, measures: Any, qrels: Any) -> Any:
        answered.extend(map(str, measures))
        return inner(self, measures, qrels)

    monkeypatch.setattr(pingce.ir_measures.PingceProvider, "_evaluator", counted)
    ours = pt.Experiment([results], topics, qrels, **options)
    assert {*answered} == {str(measure) for measure in options["eval_metrics"]}
    usual = USUAL.calc_aggregate(options["eval_metrics"], *frames())
    assert {name: float(ours[name].iloc[0]) for name in ours.columns[1:]} == {str(each): usual[each] for each in usual}
