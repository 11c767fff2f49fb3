"""What trec_eval 9.0.8 and 10.0-rc3 printed, character for character.

The data folder holds six small inputs (CASE.qrels, CASE.run) and the program's outputs for seven sets of options, as
CASE.OPTIONS.VERSION.out. Every printed line of a measure that pingce has, summary or topic, must come out as the same
string.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import pingce as pc

# The inputs are full of what rightly warns: ties, topics without relevant documents, grades below the level.
pytestmark = pytest.mark.filterwarnings("ignore")

DATA = Path(__file__).parent / "data"
CASES = ("edges", "float32", "graded", "plain", "short", "ties")
VERSIONS = ("v9", "v10")

# What each set of options asks of evaluate_ranking; all of them have -c (a topic the run does not answer counts 0).
OPTIONS: dict[str, dict[str, Any]] = {
    "c_official": {},
    "c_q_all_trec": {},
    "c_q_l2": {"relevant": 2},
    "c_M10": {},
    "c_J": {"judged_only": "yes"},
    "c_set": {},
    "c_q_cut": {},
}

# trec_eval adds topics up in topic order, scores a topic without relevant documents 0, and orders equal scores by
# document id, descending. Version 9 keeps scores in single precision, version 10 rounds recall levels to the nearest.
POLICIES = {"missing": "zero", "undefined": "zero", "ties": "id", "summation": "sequential"}
SCORE_TYPE = {"v9": "float32", "v10": "float64"}
ROUNDING = {"v9": "trec9", "v10": "nearest"}

COUNTS = frozenset({"num_q", "num_ret", "num_rel", "num_rel_ret"})

PLAIN = {name: name for name in COUNTS} | {
    "map": "map",
    "gm_map": "gm_ap",
    "Rprec": "r_precision",
    "bpref": "bpref",
    "recip_rank": "rr",
    "ndcg": "ndcg(gain=linear)",
    "set_P": "precision(over=list)",
    "set_recall": "recall",
    "set_relative_P": "precision(over=min)",
    "set_F": "f(squared=no)",
    "rbp": "rbp(p=0.9,gain=linear)",
}

WITH_CUTOFF = {
    "P": "precision@{}",
    "recall": "recall@{}",
    "map_cut": "ap@{}",
    "ndcg_cut": "ndcg(gain=linear)@{}",
    "success": "hit_rate@{}",
    "relative_P": "precision(over=min)@{}",
}

# Measures without a counterpart.
NOT_OURS = frozenset(
    ["runid", "relstring", "infAP", "utility", "binG", "G", "ndcg_rel", "Rndcg", "set_map", "num_nonrel_judged_ret"]
    + ["gm_bpref", "rbp_resid", "unj_5", "unj_10", "unj_20"]
    + [f"Rprec_mult_{fifth / 5:.2f}" for fifth in range(1, 11)]
)

# With -J version 10 prints -nan here, and only here: the one case with topics that the run does not answer, which it
# seems to evaluate as an empty list, dividing 0 by 0 for the precision at recall 0.
NOT_A_NUMBER = ("edges", "c_J", "v10")

Key = tuple[str, str]
Run = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Output:
    """One file of printed lines: which input, which options, which version."""

    case: str
    options: str
    version: str

    def __str__(self) -> str:
        return f"{self.case}.{self.options}.{self.version}"

    @property
    def per_topic(self) -> bool:
        """With -q, the lines of each topic are printed too."""
        return "_q_" in self.options

    @property
    def summary(self) -> bool:
        """With -n, the lines over all topics are left out."""
        return self.options != "c_q_cut"

    def lines(self) -> dict[Key, str]:
        """{(measure, topic): value as printed}."""
        text = (DATA / f"{self}.out").read_text()
        rows = [line.split("\t") for line in text.splitlines()]
        return {(measure.strip(), topic): value for measure, topic, value in rows}


OUTPUTS = [Output(case, options, version) for case in CASES for options in OPTIONS for version in VERSIONS]


def metric_for(measure: str, version: str) -> str:
    """The pingce metric that a measure of trec_eval is; KeyError for a name nobody thought of."""
    rounding = ROUNDING[version]
    if measure == "11pt_avg":
        return f"ap11(rounding={rounding})"
    if level := re.fullmatch(r"iprec_at_recall_(\d\.\d\d)", measure):
        return f"iprec(recall={level[1]},rounding={rounding})"
    if cut := re.fullmatch(r"(\w+)_(\d+)", measure):
        return WITH_CUTOFF[cut[1]].format(cut[2])
    return PLAIN[measure]


@cache
def topics(path: Path) -> frozenset[str]:
    """The topics that a file of judgements or a run speaks of."""
    return frozenset(line.split()[0] for line in path.read_text().splitlines())


def single(score: float) -> float:
    """The score in single precision."""
    return float(struct.unpack("f", struct.pack("f", score))[0])


def best(run: Path, depth: int, score_type: str) -> Run:
    """What -M leaves: the best documents of each topic, in trec_eval's order."""
    rows: Run = {}
    for line in run.read_text().splitlines():
        topic, _, document, _, score, _ = line.split()
        rows.setdefault(topic, {})[document] = float(score)
    stored = single if score_type == "float32" else float

    def cut(scores: dict[str, float]) -> dict[str, float]:
        ranked = sorted(scores, key=lambda document: (stored(scores[document]), document), reverse=True)
        return {document: scores[document] for document in ranked[:depth]}

    return {topic: cut(scores) for topic, scores in rows.items()}


def evaluate(output: Output, metrics: list[str], **changed: Any) -> pc.RankingScores:
    """Evaluate as trec_eval would with these options."""
    run, score_type = DATA / f"{output.case}.run", SCORE_TYPE[output.version]
    given = best(run, 10, score_type) if output.options == "c_M10" else run
    policies = POLICIES | OPTIONS[output.options] | changed
    return pc.evaluate_ranking(DATA / f"{output.case}.qrels", given, metrics, score_type=score_type, **policies)


def printed(measure: str, value: float | None) -> str:
    """A value as trec_eval prints it."""
    assert value is not None, f"{measure} is undefined, although undefined='zero'"
    return str(int(value)) if measure in COUNTS else f"{value:6.4f}"


def all_graded(output: Output) -> float:
    """With -c the num_rel over all topics counts grades from 1 on, whatever -l says; that of a topic obeys -l."""
    return evaluate(output, ["num_rel"], relevant=1)["num_rel"]


def known_differences(output: Output) -> set[Key]:
    """The lines in which trec_eval prints something else than its definition says."""
    if (output.case, output.options, output.version) == NOT_A_NUMBER:
        return {("iprec_at_recall_0.00", "all")}
    return set()


def reproduce(output: Output, keys: set[Key]) -> dict[Key, str]:
    """These lines, from pingce."""
    names = {measure: metric_for(measure, output.version) for measure, _ in keys}
    scores = evaluate(output, sorted(set(names.values())))
    table = scores.per_query.to_pydict()
    row = {topic: index for index, topic in enumerate(table["query"])}

    def value(measure: str, topic: str) -> float | None:
        name = names[measure]
        if (measure, topic) == ("num_rel", "all"):
            return all_graded(output)
        return scores[name] if topic == "all" else table[name][row[topic]]

    return {(measure, topic): printed(measure, value(measure, topic)) for measure, topic in keys}


@pytest.mark.parametrize("output", OUTPUTS, ids=str)
def test_every_line_is_reproduced(output: Output) -> None:
    """Summary and topic lines are equal as strings, but for the known differences, which must differ."""
    lines = {key: value for key, value in output.lines().items() if key[0] not in NOT_OURS}
    assert lines
    ours = reproduce(output, set(lines))
    different = {key: (ours[key], value) for key, value in lines.items() if ours[key] != value}
    known = known_differences(output)
    assert {key: pair for key, pair in different.items() if key not in known} == {}
    assert set(different) == known


@pytest.mark.parametrize("output", OUTPUTS, ids=str)
def test_topics_printed(output: Output) -> None:
    """Version 10 prints a line for each judged topic; version 9 only for those the run answers, though all count."""
    judged, answered = topics(DATA / f"{output.case}.qrels"), topics(DATA / f"{output.case}.run")
    shown = judged & answered if output.version == "v9" else judged
    expected = (shown if output.per_topic else set()) | ({"all"} if output.summary else set())
    assert {topic for _, topic in output.lines()} == expected


def test_no_output_is_left_out() -> None:
    """The files in the folder are the ones compared, all 84 of them."""
    names = {f"{output}.out" for output in OUTPUTS}
    assert names == {path.name for path in DATA.glob("*.out")}
    assert len(names) == 84


def test_number_of_lines_compared() -> None:
    """An empty comparison would pass: these are the lines there are, and those that have a counterpart."""
    measures = [measure for output in OUTPUTS for measure, _ in output.lines()]
    assert (len(measures), sum(measure not in NOT_OURS for measure in measures)) == (30660, 25707)
    for readme in ("README.md", "README.zh-CN.md"):
        text = (Path(__file__).parents[2] / readme).read_text(encoding="utf-8")
        assert "25,707" in text
        assert "25,706" in text


def test_measures_left_out_are_really_printed() -> None:
    """A name in the list of measures without counterpart that trec_eval never prints would hide a typing mistake."""
    assert {measure for output in OUTPUTS for measure, _ in output.lines()} >= NOT_OURS


@pytest.mark.parametrize("name", ["P_10", "ndcg_cut_10", "recip_rank"])
def test_spellings_of_trec_eval(name: str) -> None:
    """A spelling that belongs to trec_eval carries its definition."""
    output = Output("graded", "c_q_all_trec", "v9")
    assert printed(name, evaluate(output, [name])[name]) == output.lines()[name, "all"]


def test_the_versions_differ() -> None:
    """Single precision makes ties: the two versions order the float32 case differently, and so must pingce."""
    nine, ten = (evaluate(Output("float32", "c_official", version), ["map"])["map"] for version in VERSIONS)
    assert nine != ten
