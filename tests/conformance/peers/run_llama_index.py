"""Ask LlamaIndex about every case: `compute` of its retrieval metrics, query by query."""

from __future__ import annotations

from llama_index.core.evaluation.retrieval.metrics import MRR, NDCG, AveragePrecision, HitRate, Precision, Recall
from peer_files import Answers, Case
from recommended import MEMBERSHIP, best_first, truth, wanted_cases

METRICS = {
    "hit_rate": HitRate(),
    "hit_rate(use_granular_hit_rate=True)": HitRate(use_granular_hit_rate=True),
    "mrr": MRR(),
    "mrr(use_granular_mrr=True)": MRR(use_granular_mrr=True),
    "precision": Precision(),
    "recall": Recall(),
    "ap": AveragePrecision(),
    "ndcg": NDCG(),
    "ndcg(mode='exponential')": NDCG(mode="exponential"),
}


def ask(case: Case, answers: Answers) -> None:
    """All metrics of one case; queries without anything expected or retrieved are an error, and not asked."""
    lists = best_first(case)
    asked = {query: items for query, items in truth(case).items() if query in lists}
    for name, metric in METRICS.items():
        scores = {
            query: float(metric.compute(expected_ids=items, retrieved_ids=lists[query]).score)
            for query, items in sorted(asked.items())
        }
        answers.add(case, name, scores, sum(scores.values()) / len(scores))


def main() -> None:
    """Write llama_index.json."""
    answers = Answers("llama_index", "llama-index-core")
    answers.note(MEMBERSHIP, "barren")
    answers.note("a query without retrieved ids is an error", "missing")
    answers.note("the lists of the file, best first: the order of equal scores is the file's", "ties")
    for case in wanted_cases():
        ask(case, answers)
    answers.write()


if __name__ == "__main__":
    main()
