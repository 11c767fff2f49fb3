"""Names of metrics: they parse, print, and come back; mistakes get a hint."""

from __future__ import annotations

import pytest

import pingce as pc
from drawn import ALL
from pingce.base.errors import InputError
from pingce.metrics.grammar import parse_metric, parse_metrics, split_names


def test_a_name_comes_back_as_the_same_metric() -> None:
    for metric in ALL:
        again = parse_metric(metric.id)
        assert again.metric == metric
        assert hash(again.metric) == hash(metric)
        assert again.id == str(metric) == metric.id


@pytest.mark.parametrize(
    ("spelling", "wanted"),
    [
        ("map", "ap"),
        ("MAP@10", "ap@10"),
        ("mrr", "rr"),
        ("recip_rank", "rr"),
        ("hr@5", "hit_rate@5"),
        ("hit@5", "hit_rate@5"),
        ("success@5", "hit_rate@5"),
        ("p@3", "precision@3"),
        ("P_10", "precision@10"),
        ("P.10", "precision@10"),
        ("r@3", "recall@3"),
        ("recall_100", "recall@100"),
        ("f1@10", "f@10"),
        ("R-Precision", "r_precision"),
        ("Rprec", "r_precision"),
        ("NDCG@10", "ndcg@10"),
        ("ndcg_cut_10", "ndcg(gain=linear)@10"),
        ("ndcg_cut.10", "ndcg(gain=linear)@10"),
        ("map_cut_10", "ap@10"),
        ("success_1", "hit_rate@1"),
        ("relative_P_5", "precision(over=min)@5"),
        ("gm_map", "gm_ap"),
        ("set_P", "precision"),
        ("set_F", "f(squared=no)"),
        ("ndcg( gain = linear , discount=zipf )@10", "ndcg(gain=linear,discount=zipf)@10"),
        ("ndcg(discount=zipf,gain=linear)@10", "ndcg(gain=linear,discount=zipf)@10"),
        ("ndcg(gain=exp2)@10", "ndcg@10"),
        ("ndcg(gain={2:3,1:1})@10", "ndcg(gain={1:1,2:3})@10"),
        ("precision(rel=2)@5", "precision(relevant=2)@5"),
        ("precision(relevant=2.0)@5", "precision(relevant=2)@5"),
        ("f(beta=2)@5", "f(beta=2)@5"),
    ],
)
def test_spellings(spelling: str, wanted: str) -> None:
    assert parse_metric(spelling).id == parse_metric(wanted).id
    assert parse_metric(spelling).name == spelling


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("ndgc@10", "did you mean 'ndcg'"),
        ("ndcg@0", "whole number from 1 to 2147483647, not '0'"),
        ("ndcg@-3", "whole number"),
        ("ndcg@ten", "whole number"),
        ("ndcg@1.5", "whole number"),
        ("ndcg@", "whole number"),
        ("ndcg(gian=linear)", "did you mean 'gain'"),
        ("ndcg(gain=lineer)", "did you mean 'linear'"),
        ("ndcg(gain)", "cannot read"),
        ("ndcg(gain=linear", "cannot read"),
        ("ndcg(gain={1:1,2})", "cannot read"),
        ("ndcg(gain={1:1", "cannot read"),
        ("ndcg(gain={0:1})", "table of gains"),
        ("ndcg(gain={1:-1})", "table of gains"),
        ("ndcg)@3", "unknown metric"),
        ("bpref@10", "takes no @k"),
        ("rbp(p=1.5)", "p=1.5"),
        ("iprec(recall=2)", "recall=2"),
        ("f(beta=0)", "beta=0"),
        ("fallout@10", "catalogue"),
        ("fallout(over=list,catalog=9)@10", "catalog= changes nothing with over=list"),
        ("ndcg(ideal=full)", "needs @k"),
        ("precision(ties=luck)@3", "ties='luck'"),
        ("precision(relevant=none)@3", "relevant='none'"),
        ("", "not the name"),
    ],
)
def test_mistakes_are_explained(wrong: str, said: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_metric(wrong)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_names_are_split_outside_brackets() -> None:
    assert split_names("ndcg(gain={1:1,2:3},discount=zipf)@10, map ,,p@3") == [
        "ndcg(gain={1:1,2:3},discount=zipf)@10",
        "map",
        "p@3",
    ]


def test_a_default_k_is_for_names_that_take_one() -> None:
    asked = parse_metrics(["ndcg", "bpref", "p@3"], default_k=10)
    assert [metric.id for metric in asked] == ["ndcg@10", "bpref", "precision@3"]


def test_no_metric_is_an_error() -> None:
    with pytest.raises(InputError, match="no metric"):
        parse_metrics([])


def test_metric_policies_override_those_of_the_call() -> None:
    truth, run = {"q": {"a": 1, "b": 2}}, {"q": ["a", "b"]}
    scores = pc.evaluate_ranking(truth, run, ["precision@2", "precision(relevant=2)@2", "rr(relevant=2)"], relevant=1)
    assert dict(scores) == {"precision@2": 1.0, "precision(relevant=2)@2": 0.5, "rr(relevant=2)": 0.5}


def test_two_spellings_are_one_metric_and_two_keys() -> None:
    scores = pc.evaluate_ranking({"q": {"a": 1}}, {"q": ["a"]}, ["map", "ap", "average_precision"])
    assert list(scores) == ["map", "ap", "average_precision"]
    assert scores.find("map").per_query is scores.find("ap").per_query
    assert scores["MAP"] == 1.0


@pytest.mark.parametrize("text", ["nDCG@10", "nDCG", " nDCG(rel=2)@3"])
def test_capitals_of_tools_are_refused_with_all_meanings(text: str) -> None:
    with pytest.raises(InputError) as problem:
        parse_metric(text)
    k = text.partition("@")[2]
    at = f"@{k}" if k else ""
    tools = [f"ndcg(gain=linear){at} in ir_measures"]
    if k:
        tools.insert(0, f"ndcg(gain_below=zero){at} in elliot")
        tools += [f"ndcg(ideal=uncut){at} in quepid", f"ndcg(gain={{1:3,2:7,3:15,4:31,5:63}}){at} in warprec"]
    assert f"'{text.strip()}' means several things: {'; '.join(tools)}; ndcg{at} in pingce; " in problem.value.text.en
    assert f"name the tool (convention={'elliot' if k else 'ir_measures'})" in problem.value.text.en
    assert "在 ir_measures 中是 ndcg(gain=linear)" in problem.value.text.zh


def test_capitals_that_leave_no_choice() -> None:
    same = {"NDCG@10": "ndcg@10", "nDCG(gain=exp2)@10": "ndcg@10", "nDCG(dcg='exp-log2')@10": "ndcg@10"}
    same |= {"Precision@10": "precision@10", "Ndcg@10": "ndcg@10", "nDCG(gain=linear)": "ndcg(gain=linear)"}
    assert {text: parse_metric(text).metric.id for text in same} == same
    truth, run = {"q": {"a": 3, "b": 1}}, {"q": ["b", "a"]}
    for tool in ("ir_measures", "ranx"):
        scores = pc.evaluate_ranking(truth, run, "nDCG@10", convention=tool)
        assert scores["nDCG@10"] == pc.evaluate_ranking(truth, run, "ndcg(gain=linear)@10")["ndcg(gain=linear)@10"]


def test_a_table_of_gains_of_rbp_stays_within_its_range() -> None:
    assert parse_metric("rbp(gain={1:0.4,2:1})").metric.gain == ((1.0, 0.4), (2.0, 1.0))
    with pytest.raises(InputError, match="a table of gains from 0 to 1 for grades > 0"):
        parse_metric("rbp(gain={1:1,2:3})")
