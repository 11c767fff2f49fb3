"""Ask pytrec_eval (the C code of trec_eval 9 behind a Python module) about every case."""

from __future__ import annotations

import pytrec_eval
from peer_files import Answers, Case, read_cases

CUTS = "5,10,100"
MEASURES = {
    *("map", "gm_map", "ndcg", "recip_rank", "Rprec", "bpref", "11pt_avg", "iprec_at_recall"),
    *("set_P", "set_recall", "set_F", "num_q", "num_ret", "num_rel", "num_rel_ret"),
    *("infAP", "gm_bpref", "Rprec_mult", "binG", "G", "ndcg_rel", "Rndcg"),
    *(f"{name}.{CUTS}" for name in ("map_cut", "P", "recall", "ndcg_cut", "relative_P")),
    "success.1,5,10",
}
SET_F = ("set_F.2.0", "set_F.0.5")
"MetricRequest one at a time: pytrec_eval hears the first parameter only, and answers under the name set_F."
SECOND_LEVEL = {"graded", "negative"}
INTERPOLATION = (
    "recall x is reached at int(x·R + 0.9) relevant items, in floating point: one fewer than ⌈xR⌉ at 0.70 for R = 3,"
    " 23, 33, 43, 53 … and at 0.30 for R = 57, 67 …"
)


def evaluate(case: Case, measures: set[str], level: int) -> dict[str, dict[str, float]]:
    """The values pytrec_eval returns, turned to measure → query → value."""
    evaluator = pytrec_eval.RelevanceEvaluator(case.whole_qrels, measures, relevance_level=level)
    by_measure: dict[str, dict[str, float]] = {}
    for query, values in evaluator.evaluate(case.run).items():
        for measure, value in values.items():
            by_measure.setdefault(measure, {})[query] = value
    return by_measure


def mean(measure: str, per_query: dict[str, float]) -> float:
    """The tool's own summary: a sum for num_*, exp of the mean for gm_*, else the mean over the queries it returned."""
    return float(pytrec_eval.compute_aggregated_measure(measure, list(per_query.values())))


def ask(case: Case, answers: Answers, level: int) -> None:
    """All measures of one case at one relevance level."""
    suffix = f" -l {level}" if level > 1 else ""
    found = evaluate(case, MEASURES, level)
    for name in SET_F:
        found[name] = evaluate(case, {name}, level)["set_F"]
    for measure, per_query in found.items():
        answers.add(case, measure + suffix, per_query, mean(measure, per_query))


def main() -> None:
    """Write pytrec_eval.json."""
    answers = Answers("pytrec_eval", "pytrec-eval-terrier")
    answers.note("equal scores stand in descending order of the item, by code point", "ties")
    answers.note("scores are compared in single precision, then as in `ties`", "float32")
    answers.note("judged queries that were not run are left out, of the means too", "missing")
    answers.note("per query the logarithm of AP, with a floor of 1e-5; the mean is taken back by exp", "gm_map")
    answers.note("per query the logarithm of bpref, with a floor of 1e-5; the mean is taken back by exp", "gm_bpref")
    answers.note("the mean is a sum", "num_")
    for measure in ("iprec_at_recall", "11pt_avg"):
        answers.note(INTERPOLATION, measure)
    for case in read_cases():
        if not case.whole:
            answers.skip("pytrec_eval takes whole grades only (TypeError)", case.name)
            continue
        for level in (1, 2) if case.name in SECOND_LEVEL else (1,):
            ask(case, answers, level)
    answers.write()


if __name__ == "__main__":
    main()
