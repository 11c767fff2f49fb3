"""WarpRec, transcribed from warprec/evaluation/metrics/accuracy and base_metric.py.

It stands on no registry. Every entry of the target above 0 is relevant, and every user has a full list.
"""

from __future__ import annotations

from peer_files import Answers
from recommended import CUTS, MEMBERSHIP, truth, wanted_cases
from transcribed import Formula, Judged, ask, discounted, first, hits, precisions


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


def main() -> None:
    """Write warprec.json."""
    answers = Answers("warprec", "", transcribed="1.0.1")
    answers.note(MEMBERSHIP, "barren")
    answers.note("the lists of the file, best first: the order of equal scores is the file's", "ties")
    answers.note("a user without a list scores 0; the tool itself scores all items for every user", "missing")
    for case in wanted_cases():
        if case.whole:
            ask(case, answers, FORMULAS, CUTS, truth(case))
        else:
            answers.skip("the convention has a table of gains for whole grades", case.name)
    answers.write()


if __name__ == "__main__":
    main()
