"""WarpRec, transcribed from warprec/evaluation/metrics and base_metric.py.

It stands on no registry. Every entry of the target above 0 is relevant, and every user has a full list.
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
    precisions,
    shown_counts,
    spread,
)


def wanted(judged: Judged) -> list[str]:
    """The relevant items; the cases have none between 0 and 1 here."""
    return [item for item, grade in judged.items() if grade > 0]


def gain(judged: Judged, item: str) -> float:
    """2^(grade + 1) - 1 of a relevant item."""
    grade = judged.get(item, 0)
    return 2 ** (grade + 1) - 1 if grade > 0 else 0.0


def ndcg(ranked: list[str], judged: Judged, k: int) -> float:
    """Gains over those of the best order of all items."""
    best = sorted((gain(judged, item) for item in judged), reverse=True)
    return discounted(gain(judged, item) for item in ranked[:k]) / discounted(best[:k])


def binary_ndcg(ranked: list[str], judged: Judged, k: int) -> float:
    """The same with a gain of 1 for each relevant item."""
    relevant = wanted(judged)
    return discounted(float(item in relevant) for item in ranked[:k]) / discounted([1.0] * min(len(relevant), k))


def mar(ranked: list[str], judged: Judged, k: int) -> float:
    """Recall at each relevant item of the top k, over min(R, k)."""
    total, found = len(wanted(judged)), hits(ranked[:k], wanted(judged))
    return sum(count / total for count in range(1, found + 1)) / min(total, k)


FORMULAS: dict[str, Formula] = {
    "nDCG@{k}": ndcg,
    "nDCGRendle2020@{k}": binary_ndcg,
    "MAP@{k}": lambda ranked, judged, k: precisions(ranked[:k], wanted(judged)) / min(len(wanted(judged)), k),
    "MAR@{k}": mar,
    "MRR@{k}": lambda ranked, judged, k: first(ranked[:k], wanted(judged)),
    "HitRate@{k}": lambda ranked, judged, k: float(hits(ranked[:k], wanted(judged)) > 0),
    "Precision@{k}": lambda ranked, judged, k: hits(ranked[:k], wanted(judged)) / k,
    "Recall@{k}": lambda ranked, judged, k: hits(ranked[:k], wanted(judged)) / len(wanted(judged)),
}


def long_tail(case: ItemCase) -> set[str]:
    """All items but the head, which exceeds 0.8 of the interactions; equally popular ones by id."""
    counts, reached, head = past_counts(case), 0, set()
    for item in sorted(case.catalog, key=lambda item: (-counts[item], item)):
        head.add(item)
        reached += counts[item]
        if reached > 0.8 * counts.total():
            break
    return set(case.catalog) - head


def ask_items(case: ItemCase, answers: Answers, k: int) -> None:
    """What is shown, at a cut that every list reaches: its lists are always full."""
    lists, past, tail = [items[:k] for items in case.run.values()], past_counts(case), long_tail(case)
    users, counts, size = len({user for user, _ in case.train}), shown_counts(case, k), len(case.catalog)
    shares = [count / counts.total() for count in counts.values()]
    known = {item: max(past[item], 1) for item in case.catalog}
    of_users = {"EPC": lambda item: 1 - known[item] / users, "EFD": lambda item: math.log2(past.total() / known[item])}
    full = discounted([1.0] * k)
    values = {
        "ItemCoverage": len(counts),
        "Gini": spread(counts.values(), size) / (len(lists) * k) / (size - 1),
        "ShannonEntropy": -math.fsum(share * math.log(share) for share in shares),
        "ARP": mean(mean(known[item] for item in items) for items in lists),
        "APLT": mean(hits(items, tail) / k for items in lists),
        "ACLT": mean(hits(items, tail) for items in lists),
    }
    for name, novelty in of_users.items():
        values[name] = mean(discovered(case, user, k, novelty) / full for user in case.truth)
    for name, value in values.items():
        answers.add_items(case, f"{name}@{k}", value)
    for name, value in areas(case, k).items():
        answers.add_items(case, name, value)


def main() -> None:
    """Write warprec.json."""
    missing = "a user without a list scores 0; the tool itself scores all items for every user"
    answers = begin("warprec", "1.0.1", {"barren": MEMBERSHIP, "missing": missing})
    for case in wanted_cases():
        if case.whole:
            ask(case, answers, FORMULAS, truth(case))
        else:
            answers.skip("the convention has a table of gains for whole grades", case.name)
    ask_even(answers, ask_items, lambda case: range(2, min(3, *map(len, case.run.values())) + 1))
    answers.write()


if __name__ == "__main__":
    main()
