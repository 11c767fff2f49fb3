"""Elliot 0.3.1, transcribed from elliot/evaluation/metrics, relevance/relevance.py and popularity_utils/popularity.py.

It stands on no registry, and asks for packages that no longer install. Its relevance threshold is 1 here.
"""

from __future__ import annotations

import math

from peer_files import Answers, ItemCase
from recommended import MEMBERSHIP, truth, wanted_cases
from transcribed import (
    Formula,
    Judged,
    areas,
    ask,
    ask_even,
    begin,
    discounted,
    discovered,
    first,
    hits,
    mean,
    past_counts,
    shown_counts,
    spread,
)

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


def long_tail(case: ItemCase) -> set[str]:
    """All items of the past but the head, which reaches 0.8 of the interactions; equally popular ones by id."""
    counts, head = past_counts(case), set()
    limit = 0.8 * counts.total()
    for item in sorted(counts, key=lambda item: (-counts[item], item)):
        head.add(item)
        limit -= counts[item]
        if limit <= 0:
            break
    return set(counts) - head


def ask_items(case: ItemCase, answers: Answers, k: int) -> None:
    """What is shown, at a cut."""
    lists, past, tail = [items[:k] for items in case.run.values()], past_counts(case), long_tail(case)
    users, counts, size = len({user for user, _ in case.train}), shown_counts(case, k), len(case.catalog)
    rarest = min(past.values())
    of_users = {
        "EPC": lambda item: 1 - past[item] / users,
        "EFD": lambda item: math.log2(past.total() / (past[item] or rarest)),
    }
    values = {
        "ItemCoverage": len(counts),
        "Gini": 1 - spread(counts.values(), size) / counts.total() / (size - 1),
        "SEntropy": mean(mean(math.log2(counts.total() / counts[item]) for item in items) for items in lists),
        "ARP": mean(mean(past[item] for item in items) for items in lists),
        "APLT": mean(hits(items, tail) / len(items) for items in lists),
        "ACLT": mean(hits(items, tail) for items in lists),
    }
    for name, novelty in of_users.items():
        judged = [user for user in case.run if case.truth.get(user)]
        full = {user: discounted([1.0] * len(case.run[user][:k])) for user in judged}
        values[name] = mean(discovered(case, user, k, novelty) / full[user] for user in judged)
    for name, value in values.items():
        answers.add_items(case, f"{name}@{k}", value)
    for name, value in areas(case, k).items():
        answers.add_items(case, name, value)


def main() -> None:
    """Write elliot.json."""
    missing = "users without recommendations are not evaluated"
    answers = begin("elliot", "0.3.1", {"barren": MEMBERSHIP, "missing": missing})
    for case in wanted_cases():
        ask(case, answers, FORMULAS, truth(case).keys() & case.run.keys())
    ask_even(answers, ask_items, lambda _: (2, 3))
    answers.write()


if __name__ == "__main__":
    main()
