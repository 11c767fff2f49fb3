"""Elliot 0.3.1, transcribed from elliot/evaluation/metrics/accuracy and elliot/evaluation/relevance/relevance.py.

It stands on no registry, and asks for packages that no longer install. Its relevance threshold is 1 here.
"""

from __future__ import annotations

import math

from peer_files import Answers
from recommended import CUTS, MEMBERSHIP, truth, wanted_cases
from transcribed import Formula, Judged, ask, discounted, first, hits

THRESHOLD = 1


def wanted(judged: Judged) -> list[str]:
    """The relevant items."""
    return [item for item, grade in judged.items() if grade >= THRESHOLD]


def gain(judged: Judged, item: str) -> float:
    """2^(grade - threshold + 1) - 1 of a relevant item."""
    grade = judged.get(item, -math.inf)
    return 2 ** (grade - THRESHOLD + 1) - 1 if grade >= THRESHOLD else 0.0


def ndcg(ranked: list[str], judged: Judged, k: int) -> float:
    """Gains over those of the best order of all relevant items."""
    best = sorted((gain(judged, item) for item in wanted(judged)), reverse=True)
    return discounted(gain(judged, item) for item in ranked[:k]) / discounted(best[:k])


def binary_ndcg(ranked: list[str], judged: Judged, k: int) -> float:
    """The same with a gain of 1 for each relevant item."""
    relevant = wanted(judged)
    return discounted(float(item in relevant) for item in ranked[:k]) / discounted([1.0] * min(len(relevant), k))


def f1(ranked: list[str], judged: Judged, k: int) -> float:
    """The harmonic mean of precision and recall."""
    p, r = precision(ranked, judged, k), recall(ranked, judged, k)
    return 2 * p * r / (p + r) if p + r else 0.0


def precision(ranked: list[str], judged: Judged, k: int) -> float:
    """Hits over k."""
    return hits(ranked[:k], wanted(judged)) / k


def recall(ranked: list[str], judged: Judged, k: int) -> float:
    """Hits over all relevant items."""
    return hits(ranked[:k], wanted(judged)) / len(wanted(judged))


FORMULAS: dict[str, Formula] = {
    "nDCG@{k}": ndcg,
    "nDCGRendle2020@{k}": binary_ndcg,
    "MAP@{k}": lambda ranked, judged, k: sum(precision(ranked, judged, n) for n in range(1, k + 1)) / k,
    "MAR@{k}": lambda ranked, judged, k: sum(recall(ranked, judged, n) for n in range(1, k + 1)) / k,
    "MRR@{k}": lambda ranked, judged, k: first(ranked[:k], wanted(judged)),
    "HR@{k}": lambda ranked, judged, k: float(hits(ranked[:k], wanted(judged)) > 0),
    "Precision@{k}": precision,
    "Recall@{k}": recall,
    "F1@{k}": f1,
}


def main() -> None:
    """Write elliot.json."""
    answers = Answers("elliot", "", transcribed="0.3.1")
    answers.note(MEMBERSHIP, "barren")
    answers.note("users without recommendations are not evaluated", "missing")
    answers.note("the lists of the file, best first: the order of equal scores is the file's", "ties")
    for case in wanted_cases():
        ask(case, answers, FORMULAS, CUTS, truth(case).keys() & case.run.keys())
    answers.write()


if __name__ == "__main__":
    main()
