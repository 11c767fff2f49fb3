"""Ask BEIR about every case: `evaluate`, and after it `evaluate_custom` on the same results, as its examples do."""

from __future__ import annotations

import copy

from beir.retrieval.evaluation import EvaluateRetrieval
from peer_files import Answers, Case, Table, read_cases
from recommended import CUTS

CUSTOM = ("mrr", "recall_cap", "accuracy")
Qrels = dict[str, dict[str, int]]
LEFT_OUT = {"closed", "deep", "perfect"}
BARREN = "R_cap divides by zero where a query has no relevant item, and stops"


def judged_part(case: Case) -> Table:
    """The run without queries that were never judged: `evaluate` passes over them, `evaluate_custom` stops."""
    return {query: dict(scores) for query, scores in case.run.items() if query in case.qrels}


def scores(qrels: Qrels, run: Table) -> dict[str, float]:
    """Every measure that does not stop; the run loses the items that are their own query."""
    results = copy.deepcopy(run)
    found: dict[str, float] = {}
    for part in EvaluateRetrieval.evaluate(qrels, results, list(CUTS)):
        found.update(part)
    for metric in CUSTOM:
        try:
            found.update(EvaluateRetrieval.evaluate_custom(qrels, results, list(CUTS), metric))
        except ZeroDivisionError:
            continue
    return found | holes(qrels, results)


def holes(judged: Qrels, results: Table) -> dict[str, float]:
    """The share of the top that no query has judged; queries of the results are judged."""
    found: dict[str, float] = EvaluateRetrieval.evaluate_custom(judged, results, list(CUTS), "hole")
    return found


def ask(case: Case, answers: Answers) -> None:
    """The means, and query by query."""
    qrels, run = case.whole_qrels, judged_part(case)
    means = scores(qrels, run)
    alone = {query: scores({query: qrels[query]}, {query: run[query]}) for query in sorted(run)}
    every = {item: 1 for graded in qrels.values() for item in graded}
    for query, found in alone.items():  # whose holes were those of its own judgements
        kept = {item: score for item, score in run[query].items() if item != query}
        found.update(holes({query: every}, {query: kept}))
    for measure in sorted({measure for found in alone.values() for measure in found}):
        per_query = {query: found[measure] for query, found in alone.items() if measure in found}
        answers.add(case, measure, per_query, means.get(measure))
        if len(per_query) < len(alone):
            answers.skip(BARREN, case.name, measure)


def main() -> None:
    """Write beir.json."""
    answers = Answers("beir", "beir")
    answers.note("rounded to 5 decimal places by the tool", "")
    answers.note("MRR, R_cap, Accuracy and Hole keep the order of equal scores, the others that of trec_eval", "ties")
    answers.note(
        "MRR, R_cap, Accuracy and Hole count judged queries that were not run as 0, the others leave them out",
        "missing",
    )
    answers.note("an item that is its own query is removed", "selfsame")
    for case in read_cases():
        if not case.whole:
            answers.skip("it takes whole grades only", case.name)
        elif case.name not in LEFT_OUT:
            ask(case, answers)
    answers.write()


if __name__ == "__main__":
    main()
