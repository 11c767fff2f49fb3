"""Elasticsearch's `_rank_eval`, transcribed from modules/rank-eval/…/rankeval: PrecisionAtK, RecallAtK,
MeanReciprocalRank, DiscountedCumulativeGain, ExpectedReciprocalRank, EvaluationMetric.

A request asks for k hits; the list of a case is cut at k as the search would do.
"""

from __future__ import annotations

from transcribed import Formula, Judged, ask_counted, begin, discounted, first, hits

THRESHOLD = 1


def wanted(judged: Judged) -> list[str]:
    """Documents rated at the threshold or above."""
    return [item for item, grade in judged.items() if grade >= THRESHOLD]


def share(part: int, whole: int) -> float:
    """A share; of nothing it is 0."""
    return part / whole if whole else 0.0


def dcg(ranked: list[str], judged: Judged, k: int) -> float:
    """Unrated documents keep their rank and gain nothing."""
    return discounted(2 ** judged.get(item, 0) - 1 for item in ranked[:k])


def ndcg(ranked: list[str], judged: Judged, k: int) -> float:
    """The ideal has as many ratings as there were hits."""
    best = sorted(judged.values(), reverse=True)[: len(ranked[:k])]
    ideal = discounted(2**grade - 1 for grade in best)
    return dcg(ranked, judged, k) / ideal if ideal else 0.0


def err(ranked: list[str], judged: Judged, k: int) -> float:
    """With a maximum_relevance of 4."""
    total, reading = 0.0, 1.0
    for rank, item in enumerate(ranked[:k], 1):
        if item in judged:
            satisfied = (2 ** judged[item] - 1) / 2**4
            total += reading * satisfied / rank
            reading *= 1 - satisfied
    return total


FORMULAS: dict[str, Formula] = {
    "precision(k={k})": lambda ranked, judged, k: share(hits(ranked[:k], wanted(judged)), len(ranked[:k])),
    "precision(k={k}, ignore_unlabeled=true)": lambda ranked, judged, k: share(
        hits(ranked[:k], wanted(judged)), hits(ranked[:k], judged)
    ),
    "recall(k={k})": lambda ranked, judged, k: share(hits(ranked[:k], wanted(judged)), len(wanted(judged))),
    "mean_reciprocal_rank(k={k})": lambda ranked, judged, k: first(ranked[:k], wanted(judged)),
    "dcg(k={k})": dcg,
    "dcg(k={k}, normalize=true)": ndcg,
    "expected_reciprocal_rank(k={k}, maximum_relevance=4)": err,
}


def main() -> None:
    """Write elasticsearch.json."""
    barren = "every rated request counts; without relevant documents, or without hits, it scores 0"
    answers = begin("elasticsearch", "commit d04e400", {"barren": barren})
    ask_counted(answers, FORMULAS, "ratings are whole and not negative")
    answers.write()


if __name__ == "__main__":
    main()
