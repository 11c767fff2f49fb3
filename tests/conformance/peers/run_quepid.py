"""Quepid's scorers, transcribed from db/scorers: p@10.js, rr@10.js, ap@10.js, dcg@10.js, ndcg@10.js, err@10.js."""

from __future__ import annotations

import math

from transcribed import Formula, Judged, ask_counted, begin, discounted, first, hits, precisions


def wanted(judged: Judged) -> list[str]:
    """Documents with a rating above 0."""
    return [item for item, grade in judged.items() if grade > 0]


def dcg(ranked: list[str], judged: Judged, k: int) -> float:
    """A document without a rating has the rating 0."""
    return discounted(2 ** judged.get(item, 0) - 1 for item in ranked[:k])


def ndcg(ranked: list[str], judged: Judged, k: int) -> float:
    """The ideal has all ratings of the query, whatever k."""
    ideal = discounted(2**grade - 1 for grade in sorted(judged.values(), reverse=True))
    return dcg(ranked, judged, k) / ideal if ideal else 0.0


def average_precision(ranked: list[str], judged: Judged, k: int) -> float:
    """Nothing over nothing is NaN."""
    relevant = wanted(judged)
    return precisions(ranked[:k], relevant) / len(relevant) if relevant else math.nan


def err(ranked: list[str], judged: Judged, k: int) -> float:
    """On a scale up to 4."""
    total, trust = 0.0, 1.0
    for rank, item in enumerate(ranked[:k], 1):
        useful = (2 ** judged.get(item, 0) - 1) / 2**4
        total += trust * useful / rank
        trust *= 1 - useful
    return total


FORMULAS: dict[str, Formula] = {
    "P@{k}": lambda ranked, judged, k: hits(ranked[:k], wanted(judged)) / len(ranked[:k]) if ranked else 0.0,
    "RR@{k}": lambda ranked, judged, k: first(ranked[:k], wanted(judged)),
    "AP@{k}": average_precision,
    "DCG@{k}": dcg,
    "nDCG@{k}": ndcg,
    "ERR@{k}(max=4)": err,
}


def main() -> None:
    """Write quepid.json."""
    barren = "AP has no value where nothing is relevant; the others score 0"
    answers = begin("quepid", "commit 218dcdd", {"barren": barren})
    ask_counted(answers, FORMULAS, "ratings are whole and not negative")
    answers.write()


if __name__ == "__main__":
    main()
