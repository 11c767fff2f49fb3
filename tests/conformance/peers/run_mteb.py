"""Ask MTEB about every case: `calculate_retrieval_scores`, and the scores of its task from it."""

from __future__ import annotations

from mteb._evaluators.retrieval_metrics import calculate_retrieval_scores, make_score_dict, mrr
from peer_files import Answers, Case, read_cases

CUTS = (1, 3, 10)
LEFT_OUT = {"closed", "deep", "perfect"}
TREC = {
    "ndcg_at_{k}": "ndcg_cut_{k}",
    "map_at_{k}": "map_cut_{k}",
    "recall_at_{k}": "recall_{k}",
    "precision_at_{k}": "P_{k}",
    "hit_rate_at_{k}": "success_{k}",
}


def ask(case: Case, answers: Answers) -> None:
    """The means, and the values of the queries from which they are made."""
    qrels = case.whole_qrels
    run = {query: scores for query, scores in case.run.items() if query in qrels}
    result = calculate_retrieval_scores(run, qrels, CUTS)
    means = make_score_dict(
        ndcg=result.ndcg,
        _map=result.map,
        recall=result.recall,
        precision=result.precision,
        mrr=result.mrr,
        naucs={},
        naucs_mrr={},
        hit_rate=result.hit_rate,
        task_scores={},
    )
    for k in CUTS:
        for name, trec in TREC.items():
            values = {query: scores[trec.format(k=k)] for query, scores in sorted(result.all_scores.items())}
            answers.add(case, name.format(k=k), values, means[name.format(k=k)])
        first = dict(sorted(zip(run, mrr(qrels, run, CUTS)[f"MRR@{k}"], strict=True)))
        answers.add(case, f"mrr_at_{k}", first, means[f"mrr_at_{k}"])


def main() -> None:
    """Write mteb.json."""
    answers = Answers("mteb", "mteb")
    answers.note("means of all but mrr are rounded to 5 decimal places by the tool", "")
    answers.note("judged queries that were not run are left out", "missing")
    answers.note("mrr compares scores in double precision, the others in single", "float32")
    for case in read_cases():
        if not case.whole:
            answers.skip("it takes whole grades only", case.name)
        elif case.name not in LEFT_OUT:
            ask(case, answers)
    answers.write()


if __name__ == "__main__":
    main()
