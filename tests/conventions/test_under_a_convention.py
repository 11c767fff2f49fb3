"""`convention=`: what a metric means under a tool, which of its choices may be overridden, and what is refused."""

from __future__ import annotations

import re

import pytest

import pingce as pc
from pingce.conventions.declared import conventions
from pingce.conventions.resolve import asked_under, spelling_of, template

TRUTH = {"q": {"a": 3, "b": 1, "c": 0}, "empty": {"a": 0}, "unanswered": {"a": 2}}
RUN = {"q": {"b": 0.9, "x": 0.5, "a": 0.5}, "empty": {"a": 1.0}}
pytestmark = pytest.mark.filterwarnings("ignore")


NUMBERS = {("ranx", "p"): "85", ("torchmetrics", "n"): "10", ("sklearn", "power"): "1.5"}
"For the places of spellings that take no 0.5."


def signature(metric: str, tool: str, **policies: object) -> str:
    return pc.evaluate_ranking(TRUTH, RUN, metric, convention=tool, **policies).signature(metric)  # type: ignore[arg-type]


@pytest.mark.parametrize("tool", conventions())
def test_every_entry_is_found_by_its_own_spelling_and_called_so_again(tool: str) -> None:
    for entry in conventions()[tool].entries:
        spelled = entry.name.replace("{k}", "7")
        spelled = re.sub(r"\{(\w+)\}", lambda place: NUMBERS.get((tool, place[1]), "0.5"), spelled)
        (asked,) = asked_under([spelled], tool, entry.task)
        assert type(asked.metric) is template(entry).kind
        assert spelling_of(asked, tool) == spelled
        assert dict(asked.policies).items() >= dict(entry.policies).items()


def test_a_tool_sets_parameters_and_policies() -> None:
    said = signature("ndcg@10", "ranx")
    assert said.startswith("ndcg@10|gain:linear|gain_below:zero|")
    assert "|ties:order|missing:zero|undefined:zero|" in said


def test_a_policy_that_is_given_holds() -> None:
    assert "|rel:2|" in signature("ndcg@10", "ranx", relevant=2)
    assert "|undefined:skip|" in signature("ndcg@10", "ranx", undefined="skip")
    # ir_measures orders ties the other way round for RR@k alone.
    assert "|ties:id_ascending|" in signature("rr@10", "ir_measures")
    assert "|ties:worst|" in signature("rr@10", "ir_measures", ties="worst")
    assert "|ties:worst|" in signature("rr(ties=worst)@10", "ir_measures")


def test_a_parameter_chooses_among_the_tools_metrics() -> None:
    (burges,) = asked_under(["ndcg(gain=exp2)@10"], "ranx", "ranking")
    assert spelling_of(burges, "ranx") == "ndcg_burges@10"
    (rbp,) = asked_under(["rbp(p=0.95)"], "ranx", "ranking")
    assert (rbp.metric.p, spelling_of(rbp, "ranx")) == (0.95, "rbp.95")


@pytest.mark.parametrize(
    ("metric", "tool", "said"),
    [
        ("ndcg@10", "rankx", "unknown convention 'rankx'; did you mean 'ranx'? (known are"),
        ("err@10", "ranx", "ranx has no metric 'err@10' (it has ndcg@10, ndcg"),
        ("ndcgg@10", "ranx", "ranx has no metric 'ndcgg@10'"),
        (
            "ndcg(discount=zipf)@10",
            "ranx",
            "ranx has no 'ndcg(discount=zipf)@10'; its metrics of this kind are ndcg@10",
        ),
        ("rr@10", "trec_eval", "trec_eval 9 has no 'rr@10'; its metrics of this kind are recip_rank"),
        ("ndcg", "rectools", "RecTools has no 'ndcg'; its metrics of this kind are NDCG(k=10)"),
        ("ndcg(k=10)", "ranx", "ranx has no metric 'ndcg(k=10)'"),
    ],
)
def test_what_a_tool_does_not_have(metric: str, tool: str, said: str) -> None:
    with pytest.raises(pc.InputError) as problem:
        pc.evaluate_ranking(TRUTH, RUN, metric, convention=tool)
    assert problem.value.text.en.startswith(said)
    assert problem.value.text.zh != problem.value.text.en


def test_a_tool_without_the_task() -> None:
    with pytest.raises(pc.InputError, match=r"^RecTools has no metrics of numbers; it has metrics of rankings$"):
        pc.evaluate_regression([1, 2], [1, 2], "mae", convention="rectools")


def test_aliases_of_tools() -> None:
    assert signature("ndcg@10", "trec_eval") == signature("ndcg@10", "trec_eval_9")
    assert signature("ndcg@10", "scikit-learn") == signature("ndcg@10", "sklearn")


def test_defaults_are_those_that_the_tool_has() -> None:
    assert list(pc.evaluate_ranking(TRUTH, RUN, convention="ranx")) == list(pc.evaluate_ranking(TRUTH, RUN))
    assert list(pc.evaluate_ranking(TRUTH, RUN, convention="rectools")) == [
        "ndcg@10", "recall@100", "precision@10", "hit_rate@10",
    ]  # fmt: skip
    assert list(pc.evaluate_binary([1, 0], [0.7, 0.2], convention="fuxictr")) == ["auc", "logloss"]


# Spellings of one tool, without naming it.


@pytest.mark.parametrize(
    ("spelling", "task", "means"),
    [
        ("ndcg_cut_10", "ranking", "ndcg(gain=linear)@10"),
        ("P_5", "ranking", "precision@5"),
        ("ndcg_burges@10", "ranking", "ndcg(gain_below=zero)@10"),
        ("RetrievalMAP(top_k=10)", "ranking", "ap(norm=hits)@10"),
        ("ndcgAt(5)", "ranking", "ndcg(gain=binary)@5"),
        ("gAUC", "binary", "gauc"),
        ("avgAUC", "binary", "gauc(by=uniform)"),
        ("roc_auc_score", "binary", "auc"),
        ("f1_score(average='macro')", "multiclass", "f"),
        ("mean_absolute_error", "regression", "mae"),
        ("NDCG@10", "ranking", "ndcg@10"),
    ],
)
def test_a_spelling_of_one_tool_carries_its_definition(spelling: str, task: str, means: str) -> None:
    assert pc.parse_metric(spelling, task=task).id == means


@pytest.mark.parametrize("spelling", ["NDCG(k=5)", "iprec_at_recall_0.10", "11pt_avg"])
def test_a_spelling_with_two_meanings_is_refused_with_both(spelling: str) -> None:
    with pytest.raises(pc.InputError) as problem:
        pc.parse_metric(spelling)
    assert "means several things" in problem.value.text.en
    assert problem.value.text.en.count(" in ") >= 2
    assert "有多种含义" in problem.value.text.zh


def test_an_item_with_the_id_of_its_query_can_be_dropped() -> None:
    truth = {"d1": {"d2": 1}, "d3": {"d3": 1, "d4": 1}}
    run = {"d1": {"d1": 9.0, "d2": 1.0}, "d3": {"d3": 9.0, "d4": 1.0}}
    kept, dropped = (pc.evaluate_ranking(truth, run, ["rr", "num_ret"], identical=each) for each in ("keep", "drop"))
    assert (kept["rr"], kept["num_ret"]) == (0.75, 4)
    assert (dropped["rr"], dropped["num_ret"], dropped.counts["excluded"]) == (1.0, 2, 2)
    assert "|identical:drop|" in dropped.signature("rr")
    both = pc.evaluate_ranking(truth, run, ["num_ret"], identical="drop", exclude=[("d3", "d4")])
    assert both["num_ret"] == 1
    assert pc.evaluate_ranking({1: {"a": 1}}, {1: ["a"]}, "rr", identical="drop")["rr"] == 1.0


@pytest.mark.parametrize(("spelled", "value"), [("rbp.80-l2", 0.2 * 3 * 0.8), ("rbp.80", 0.2 * (1 + 3 * 0.8))])
def test_grades_below_the_level_of_ranx_gain_nothing(spelled: str, value: float) -> None:
    truth, run = {"q": {"a": 3, "b": 1}}, {"q": {"b": 2.0, "a": 1.0}}
    assert pc.evaluate_ranking(truth, run, spelled, convention="ranx")[spelled] == pytest.approx(value, rel=1e-14)
    assert pc.evaluate_ranking(truth, run, spelled)[spelled] == pytest.approx(value, rel=1e-14)
    if spelled == "rbp.80-l2":
        levelled = pc.evaluate_ranking(truth, run, "rbp.80", convention="ranx", relevant=2)
        assert levelled["rbp.80"] == pytest.approx(value, rel=1e-14)


@pytest.mark.parametrize("name", ["ndcg@10", "ndcg", "map@3", "mrr", "precision@2", "recall@2", "hit_rate@1", "bpref"])
def test_a_level_after_any_spelling_of_ranx(name: str) -> None:
    truth, run = {"q": {"a": 3, "b": 1, "c": 2}}, {"q": {"b": 2.0, "a": 1.0}}
    spelled = pc.evaluate_ranking(truth, run, f"{name}-l2", convention="ranx")[f"{name}-l2"]
    assert spelled == pc.evaluate_ranking(truth, run, name, convention="ranx", relevant=2)[name]
