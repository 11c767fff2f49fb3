"""Ask RecTools about every case. It takes ranks, not scores, and knows interactions, not grades."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
from peer_files import Answers, Case
from recommended import CUTS, MEMBERSHIP, best_first, truth, wanted_cases
from rectools import Columns
from rectools.metrics import MAP, MRR, NDCG, F1Beta, HitRate, Precision, Recall

MEASURES: dict[str, Callable[[int], Any]] = {
    "NDCG(k={k})": lambda k: NDCG(k=k),
    "NDCG(k={k}, divide_by_achievable=True)": lambda k: NDCG(k=k, divide_by_achievable=True),
    "MAP(k={k})": lambda k: MAP(k=k),
    "MAP(k={k}, divide_by_k=True)": lambda k: MAP(k=k, divide_by_k=True),
    "MRR(k={k})": lambda k: MRR(k=k),
    "Precision(k={k})": lambda k: Precision(k=k),
    "Precision(k={k}, r_precision=True)": lambda k: Precision(k=k, r_precision=True),
    "Recall(k={k})": lambda k: Recall(k=k),
    "F1Beta(k={k})": lambda k: F1Beta(k=k),
    "F1Beta(k={k}, beta=2)": lambda k: F1Beta(k=k, beta=2),
    "HitRate(k={k})": lambda k: HitRate(k=k),
}


def recommendations(case: Case) -> pd.DataFrame:
    """One row an item, with its rank."""
    rows = [(user, item, rank) for user, items in best_first(case).items() for rank, item in enumerate(items, start=1)]
    return pd.DataFrame(rows, columns=[Columns.User, Columns.Item, Columns.Rank])


def interactions(case: Case) -> pd.DataFrame:
    """One row a relevant item."""
    rows = [(user, item) for user, items in truth(case).items() for item in items]
    return pd.DataFrame(rows, columns=[Columns.User, Columns.Item])


def main() -> None:
    """Write rectools.json."""
    answers = Answers("rectools", "rectools")
    answers.note("it takes ranks; the order of equal scores is that of the file, made before it is asked", "ties")
    answers.note("users with interactions and without recommendations score 0", "missing")
    answers.note(MEMBERSHIP, "barren")
    for case in wanted_cases():
        recommended, interacted = recommendations(case), interactions(case)
        for name, metric in MEASURES.items():
            for k in CUTS:
                per_user = metric(k).calc_per_user(recommended, interacted)
                mean = metric(k).calc(recommended, interacted)
                answers.add(case, name.format(k=k), dict(sorted(per_user.items())), mean)
    answers.write()


if __name__ == "__main__":
    main()
