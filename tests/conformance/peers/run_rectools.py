"""Ask RecTools about every case. It takes ranks, not scores, and knows interactions, not grades."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pandas as pd
from peer_files import Answers, Case, ItemCase, read_item_cases
from recommended import CUTS, MEMBERSHIP, best_first, truth, wanted_cases
from rectools import Columns
from rectools.metrics import (
    MAP,
    MRR,
    NDCG,
    PAP,
    AvgRecPopularity,
    CatalogCoverage,
    CoveredUsers,
    F1Beta,
    HitRate,
    Intersection,
    IntraListDiversity,
    MeanInvUserFreq,
    PairwiseHammingDistanceCalculator,
    PartialAUC,
    Precision,
    Recall,
    Serendipity,
    SufficientReco,
)

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
    "PartialAUC(k={k})": lambda k: PartialAUC(k=k),
    "PAP(k={k})": lambda k: PAP(k=k),
}
HAMMING = "distance_calculator=PairwiseHammingDistanceCalculator(item_features_df)"


def recommendations(lists: Mapping[str, list[str]]) -> pd.DataFrame:
    """One row an item, with its rank."""
    rows = [(user, item, rank) for user, items in lists.items() for rank, item in enumerate(items, start=1)]
    return pd.DataFrame(rows, columns=[Columns.User, Columns.Item, Columns.Rank])


def interactions(relevant: Mapping[str, list[str]]) -> pd.DataFrame:
    """One row a relevant item."""
    return pairs((user, item) for user, items in relevant.items() for item in items)


def pairs(rows: Iterable[tuple[str, str]]) -> pd.DataFrame:
    """A user and an item a row."""
    return pd.DataFrame(rows, columns=[Columns.User, Columns.Item])


def ask(case: Case, answers: Answers) -> None:
    """The means over all users, and user by user."""
    recommended, interacted = recommendations(best_first(case)), interactions(truth(case))
    for name, metric in MEASURES.items():
        for k in CUTS:
            per_user = metric(k).calc_per_user(recommended, interacted)
            mean = metric(k).calc(recommended, interacted)
            answers.add(case, name.format(k=k), dict(sorted(per_user.items())), mean)


def ask_items(case: ItemCase, answers: Answers) -> None:
    """What is shown, over all users."""
    shown, wanted, past = recommendations(case.run), interactions(case.truth), pairs(case.train)
    features = PairwiseHammingDistanceCalculator(pd.DataFrame.from_dict(case.vector, orient="index"))
    for k in (2, 3):
        values = {
            f"CatalogCoverage(k={k})": CatalogCoverage(k).calc(shown, case.catalog),
            f"CatalogCoverage(k={k}, normalize=True)": CatalogCoverage(k, normalize=True).calc(shown, case.catalog),
            f"CoveredUsers(k={k})": CoveredUsers(k).calc(shown, wanted),
            f"SufficientReco(k={k})": SufficientReco(k).calc(shown),
            f"SufficientReco(k={k}, deep=True)": SufficientReco(k, deep=True).calc(shown),
            f"MeanInvUserFreq(k={k})": MeanInvUserFreq(k).calc(shown, past),
            f"AvgRecPopularity(k={k})": AvgRecPopularity(k).calc(shown, past),
            f"AvgRecPopularity(k={k}, normalize=True)": AvgRecPopularity(k, normalize=True).calc(shown, past),
            f"Serendipity(k={k})": Serendipity(k).calc(shown, wanted, past, case.catalog),
            f"Intersection(k={k})": Intersection(k).calc(shown, recommendations(case.reference)),
            f"IntraListDiversity(k={k}, {HAMMING})": IntraListDiversity(k, features).calc(shown),
        }
        for name, value in values.items():
            answers.add_items(case, name, float(value))


def main() -> None:
    """Write rectools.json."""
    answers = Answers("rectools", "rectools")
    answers.note("it takes ranks; the order of equal scores is that of the file, made before it is asked", "ties")
    answers.note("users with interactions and without recommendations score 0", "missing")
    answers.note(MEMBERSHIP, "barren")
    for case in wanted_cases():
        ask(case, answers)
    for items in read_item_cases():
        ask_items(items, answers)
    answers.write()


if __name__ == "__main__":
    main()
