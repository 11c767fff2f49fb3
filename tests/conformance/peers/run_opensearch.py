"""OpenSearch's search-relevance plugin, transcribed from …/metrics/calculator/Evaluation.java.

An experiment searches with the size k; the list of a case is cut at k as the search would do.
"""

from __future__ import annotations

import math

from transcribed import Formula, Judged, ask_counted, begin, discounted, hits, precisions


def rounded(value: float) -> float:
    """Every value is rounded to hundredths, halves up."""
    return math.floor(value * 100 + 0.5) / 100


def wanted(judged: Judged) -> list[str]:
    """Documents with a judgement above 0."""
    return [item for item, grade in judged.items() if grade > 0]


def precision(ranked: list[str], judged: Judged, k: int) -> float:
    """Hits over min(k, length of the list)."""
    return rounded(hits(ranked[:k], wanted(judged)) / min(k, len(ranked))) if ranked else 0.0


def average_precision(ranked: list[str], judged: Judged, k: int) -> float:
    """Precision at the hits over all relevant documents."""
    relevant = wanted(judged)
    return rounded(precisions(ranked[:k], relevant) / len(relevant)) if hits(ranked[:k], relevant) else 0.0


def ndcg(ranked: list[str], judged: Judged, k: int) -> float:
    """The ideal has as many judgements as documents came back."""
    best = sorted(judged.values(), reverse=True)[: len(ranked[:k])]
    ideal = discounted(2**grade - 1 for grade in best)
    return rounded(discounted(2 ** judged.get(item, 0) - 1 for item in ranked[:k]) / ideal) if ideal > 0 else 0.0


FORMULAS: dict[str, Formula] = {"Precision@{k}": precision, "MAP@{k}": average_precision, "NDCG@{k}": ndcg}


def main() -> None:
    """Write opensearch.json."""
    answers = begin("opensearch", "commit 1caa195", {"": "every value of a query is rounded to hundredths"})
    ask_counted(answers, FORMULAS, "negative judgements would gain less than nothing")
    answers.write()


if __name__ == "__main__":
    main()
