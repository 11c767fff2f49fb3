"""pingce against the frozen numbers of real tools; `make conformance` makes them anew."""

from __future__ import annotations

import json
import math
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import pingce as pc

HERE = Path(__file__).parent
PEERS = ("pytrec_eval", "ranx", "ir_measures", "sklearn")


@cache
def frozen(peer: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / f"{peer}.json").read_text())
    return found


# A peer's spelling to a pingce metric and the policies under which the two mean the same.
PYTREC = {
    r"map": "ap",
    r"map_cut_(\d+)": "ap@{}",
    r"P_(\d+)": "precision@{}",
    r"recall_(\d+)": "recall@{}",
    r"success_(\d+)": "hit_rate@{}",
    r"ndcg": "ndcg(gain=linear)",
    r"ndcg_cut_(\d+)": "ndcg(gain=linear)@{}",
    r"recip_rank": "rr",
    r"Rprec": "r_precision",
    r"bpref": "bpref",
    r"11pt_avg": "ap11(rounding=trec9)",
    r"iprec_at_recall_(\d\.\d+)": "iprec(recall={},rounding=trec9)",
    r"set_P": "precision",
    r"set_recall": "recall",
    r"set_F": "f(squared=no)",
    r"set_F\.(\d\.\d)": "f(squared=no,beta={})",
    r"set_relative_P": "precision(over=min)",
    r"relative_P_(\d+)": "precision(over=min)@{}",
    r"num_(q|ret|rel|rel_ret)": "num_{}",
}
RANX = {
    r"hits(@\d+)?": "hits{}",
    r"hit_rate(@\d+)?": "hit_rate{}",
    r"precision(@\d+)?": "precision{}",
    r"recall(@\d+)?": "recall{}",
    r"f1(@\d+)?": "f{}",
    r"r-precision": "r_precision",
    r"mrr(@\d+)?": "rr{}",
    r"map(@\d+)?": "ap{}",
    r"ndcg(@\d+)?": "ndcg(gain=linear,gain_below=zero){}",
    r"ndcg_burges(@\d+)?": "ndcg(gain_below=zero){}",
    r"dcg(@\d+)?": "dcg(gain=linear,gain_below=zero){}",
    r"dcg_burges(@\d+)?": "dcg(gain_below=zero){}",
    r"bpref": "bpref",
    r"rbp\.80": "rbp",
}
IR_MEASURES = {
    r"AP(@\d+)?": "ap{}",
    r"nDCG(@\d+)?": "ndcg(gain=linear){}",
    r"nDCG\(gains=.2:3,3:7,4:15.\)(@\d+)?": "ndcg(gain={{1:1,2:3,3:7,4:15}}){}",
    r"nDCG\(dcg='exp-log2'\)@(\d+)": "ndcg(score_type=float64)@{}",
    r"ERR@(\d+)": "err(max=4,score_type=float64)@{}",
    r"Judged@(\d+)": "judged(ties=id_ascending,score_type=float64)@{}",
    r"P@(\d+)": "precision@{}",
    r"R@(\d+)": "recall@{}",
    r"RR": "rr",
    r"RR@(\d+)": "rr(ties=id_ascending,score_type=float64)@{}",
    r"Rprec": "r_precision",
    r"Bpref": "bpref",
    r"Success@(\d+)": "hit_rate@{}",
    r"SetP": "precision",
    r"SetR": "recall",
    r"SetP\(relative=True\)": "precision(over=min)",
    r"SetF": "f(squared=no)",
    r"SetF\(beta=(\d\.\d)\)": "f(squared=no,beta={})",
    r"RBP(?:\(rel=1\))?": "rbp(score_type=float64,ties=order)",
    r"IPrec@(\d\.\d+)": "iprec(recall={},rounding=trec9)",
    r"NumQ": "num_q",
    r"NumRet": "num_ret",
    r"NumRel": "num_rel",
    r"NumRet\(rel=[12]\)": "num_rel_ret",
}
SKLEARN = {
    r"ndcg_score\(k=(\d+), ignore_ties=False\)": "ndcg(gain=linear,ideal=list)@{}",
    r"ndcg_score\(k=None, ignore_ties=False\)": "ndcg(gain=linear,ideal=list)",
    r"dcg_score\(k=(\d+), ignore_ties=False\)": "dcg(gain=linear)@{}",
    r"dcg_score\(k=None, ignore_ties=False\)": "dcg(gain=linear)",
    r"ndcg_score\(k=(\d+), ignore_ties=True\)": "ndcg(gain=linear,ideal=list,ties=id)@{}",
    r"ndcg_score\(k=None, ignore_ties=True\)": "ndcg(gain=linear,ideal=list,ties=id)",
    r"dcg_score\(k=(\d+), ignore_ties=True\)": "dcg(gain=linear,ties=id)@{}",
    r"dcg_score\(k=None, ignore_ties=True\)": "dcg(gain=linear,ties=id)",
    r"average_precision_score": "ap(norm=hits,ties=id)",
}
MAPS = {"pytrec_eval": PYTREC, "ranx": RANX, "ir_measures": IR_MEASURES, "sklearn": SKLEARN}
POLICIES: dict[str, dict[str, Any]] = {
    "pytrec_eval": {"undefined": "zero", "missing": "skip", "score_type": "float32"},
    "ranx": {"undefined": "zero"},
    "ir_measures": {"undefined": "zero", "score_type": "float32"},
    "sklearn": {"undefined": "zero", "missing": "skip", "ties": "expected"},
}


def translated(peer: str, measure: str) -> tuple[str, dict[str, Any]] | None:
    """The pingce metric and extra policies of a peer's measure, or None where pingce has no counterpart."""
    name, extra = measure, {}
    if level := re.fullmatch(r"(.*?)(?: -l |-l)(\d)", measure):
        name, extra = level[1], {"relevant": int(level[2])}
    elif "rel=2" in measure:
        name, extra = measure.replace("(rel=2)", "").replace("rel=2,", ""), {"relevant": 2}
        name = measure if measure.startswith("NumRet") else name
    for pattern, meaning in MAPS[peer].items():
        if found := re.fullmatch(pattern, name):
            return meaning.format(*(group or "" for group in found.groups())), extra
    return None


def refused(peer: str, case: str, measure: str) -> str | None:
    """Why a peer's number is not comparable, in words; None where it must be equal."""
    name = re.sub(r"( -l |-l)\d$", "", measure)
    if peer == "ranx" and case == "ties":
        return "ranx leaves the order of ties open"
    if peer == "ranx" and name == "bpref":
        return "ranx counts negative grades as non-relevant, and fails without judged non-relevant items"
    if peer == "ranx" and name == "rbp.80" and case != "binary":
        return "ranx takes the grade itself as gain, which may exceed 1"
    if peer == "ir_measures" and name.startswith("Judged") and case == "negative":
        return "ir_measures counts a negative grade as judged"
    if peer == "ir_measures" and name in ("NumQ", "NumRel") and case == "missing":
        return "ir_measures counts 0 for a query that was not answered"
    if peer == "sklearn" and name == "average_precision_score" and case == "ties":
        return "scikit-learn takes a block of ties as one step"
    return None


COMPARED = [
    (peer, case, measure)
    for peer in PEERS
    for case, measures in frozen(peer)["cases"].items()
    for measure in measures
    if translated(peer, measure) is not None and refused(peer, case, measure) is None
]


@cache
def scores(peer: str, case: str, extra: tuple[tuple[str, Any], ...]) -> pc.RankingScores:
    wanted = [translated(peer, m) for p, c, m in COMPARED if (p, c) == (peer, case)]
    metrics = sorted({found[0] for found in wanted if found is not None and tuple(found[1].items()) == extra})
    folder = HERE / "cases"
    return pc.evaluate_ranking(
        folder / f"{case}.qrels", folder / f"{case}.run", metrics, **(POLICIES[peer] | dict(extra))
    )


@pytest.mark.parametrize(("peer", "case", "measure"), COMPARED, ids=str)
def test_the_numbers_are_equal(peer: str, case: str, measure: str) -> None:
    found = translated(peer, measure)
    assert found is not None
    metric, extra = found
    ours = scores(peer, case, tuple(extra.items()))
    column = dict(zip(ours.queries, ours.find(metric).per_query.tolist(), strict=True))
    theirs = {
        query: value for query, value in frozen(peer)["cases"][case][measure]["per_query"].items() if value is not None
    }
    assert theirs
    rounded = "exp-log2" in measure or measure.startswith("ERR")
    tolerance = 5.1e-6 if rounded else 1e-12
    assert {query: column[query] for query in theirs} == pytest.approx(theirs, rel=1e-12, abs=tolerance)


def test_the_mean_is_equal_where_the_queries_are() -> None:
    compared = 0
    for peer, case, measure in COMPARED:
        metric, extra = translated(peer, measure) or ("", {})
        frozen_measure = frozen(peer)["cases"][case][measure]
        ours = scores(peer, case, tuple(extra.items()))
        if (
            frozen_measure["mean"] is None
            or metric.startswith("num_")
            or set(frozen_measure["per_query"]) != set(ours.queries)
        ):
            continue
        tolerance = 5.1e-6 if "exp-log2" in measure or measure.startswith("ERR") else 1e-12
        assert ours[metric] == pytest.approx(frozen_measure["mean"], rel=1e-12, abs=tolerance), (peer, case, measure)
        compared += 1
    assert compared > 500


def test_geometric_mean() -> None:
    for case, measures in frozen("pytrec_eval")["cases"].items():
        logs = [value for value in measures["gm_map"]["per_query"].values() if value is not None]
        folder = HERE / "cases"
        ours = pc.evaluate_ranking(
            folder / f"{case}.qrels", folder / f"{case}.run", ["gm_ap"], **POLICIES["pytrec_eval"]
        )
        assert ours["gm_ap"] == pytest.approx(math.exp(math.fsum(logs) / len(logs)), rel=1e-12)


def test_every_measure_is_compared_or_named() -> None:
    """A measure without a counterpart must stand in this list, so that none is forgotten."""
    left = {
        (peer, re.sub(r"\d+(\.\d+)?", "#", measure))
        for peer in PEERS
        for measures in frozen(peer)["cases"].values()
        for measure in measures
        if translated(peer, measure) is None
    }
    assert sorted(left) == [("pytrec_eval", "gm_map"), ("pytrec_eval", "gm_map -l #")]
    assert len(COMPARED) > 1500
    for readme in ("README.md", "README.zh-CN.md"):
        assert f" {len(COMPARED):,} " in (HERE.parents[1] / readme).read_text(encoding="utf-8")
