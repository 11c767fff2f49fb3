"""Ask Cornac about every case: `compute` of its metrics, user by user, as its evaluation calls it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from cornac.metrics import AUC, MAP, MRR, NCRR, NDCG, FMeasure, HitRatio, Precision, Recall
from cornac.metrics.ranking import RankingMetric
from peer_files import Answers, Case
from recommended import CUTS, MEMBERSHIP, best_first, columns, truth, wanted_cases

CUT = (NDCG, NCRR, HitRatio, Precision, Recall, FMeasure)
Lists = tuple[np.ndarray, np.ndarray]
NONE_FOUND = "asked without the users for whom nothing was found, so no mean: there it raises, or divides by zero"


def asked(case: Case) -> dict[str, Lists]:
    """The relevant items and the list of each user that has both, as its evaluation has them."""
    number, lists = columns(case, 0), best_first(case)
    return {
        user: (np.array([number[item] for item in items]), np.array([number[item] for item in lists[user]]))
        for user, items in truth(case).items()
        if user in lists
    }


def ask(case: Case, answers: Answers, name: str, value: Callable[[np.ndarray, np.ndarray], float]) -> None:
    """One metric of every user, and the mean."""
    per_user = {user: float(value(*lists)) for user, lists in sorted(asked(case).items())}
    answers.add(case, name, per_user, float(np.mean(list(per_user.values()))))


def ask_found(case: Case, answers: Answers, name: str, value: Callable[[np.ndarray, np.ndarray], float]) -> None:
    """One metric of the users for whom something was found."""
    hit = {user: lists for user, lists in sorted(asked(case).items()) if np.isin(*lists[::-1]).any()}
    per_user = {user: float(value(*lists)) for user, lists in hit.items()}
    whole = len(hit) == len(asked(case))
    if not whole:
        answers.skip(NONE_FOUND, case.name, name)
    answers.add(case, name, per_user, float(np.mean(list(per_user.values()))) if whole else None)


def computed(metric: RankingMetric, relevant: np.ndarray, ranked: np.ndarray) -> float:
    """What a metric says of a list."""
    return float(metric.compute(gt_pos=relevant, pd_rank=ranked))


def average_precision(relevant: np.ndarray, ranked: np.ndarray) -> float:
    """MAP takes the items with their scores."""
    scores = -np.arange(len(ranked), dtype=float)
    return float(MAP().compute(item_indices=ranked, pd_scores=scores, gt_pos=relevant))


def ask_area(case: Case, answers: Answers) -> None:
    """AUC of the users whose list has relevant items and others, with the scores of the file."""
    number = columns(case, 0)
    per_user = {}
    for user, (relevant, _) in sorted(asked(case).items()):
        items = np.array([number[item] for item in case.run[user]])
        shown = np.isin(items, relevant)
        if shown.any() and not shown.all():
            scores = np.array(list(case.run[user].values()))
            per_user[user] = float(AUC().compute(item_indices=items, pd_scores=scores, gt_pos=relevant))
    answers.add(case, "AUC", per_user, None)


def main() -> None:
    """Write cornac.json."""
    answers = Answers("cornac", "cornac")
    answers.note(MEMBERSHIP, "barren")
    answers.note("the lists of the file, best first: the order of equal scores is the file's", "ties")
    answers.note("users without a list are not asked: Cornac ranks the whole catalogue for every user", "missing")
    answers.note("asked only of users whose list has relevant items and others: elsewhere it divides by zero", "AUC")
    for case in wanted_cases():
        for kind in CUT:
            for k in (*CUTS, -1):
                metric = kind(k=k)
                ask(case, answers, metric.name, partial(computed, metric))
        ask_found(case, answers, "MRR", partial(computed, MRR()))
        ask_found(case, answers, "MAP", average_precision)
        ask_area(case, answers)
    answers.write()


if __name__ == "__main__":
    main()
