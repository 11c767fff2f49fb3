"""Ask RePlay about every case, with pandas frames."""

from __future__ import annotations

import pandas as pd
from peer_files import Answers, Case, ItemCase, read_item_cases
from recommended import CUTS, MEMBERSHIP, truth, wanted_cases
from replay.metrics import (
    MAP,
    MRR,
    NDCG,
    CategoricalDiversity,
    Coverage,
    HitRate,
    Novelty,
    PerUser,
    Precision,
    Recall,
    RocAuc,
    Surprisal,
    Unexpectedness,
)

METRICS = (NDCG, MAP, MRR, Precision, Recall, HitRate, RocAuc)


def recommendations(case: Case) -> pd.DataFrame:
    """One row an item, with its score."""
    rows = [(user, item, score) for user, scores in case.run.items() for item, score in scores.items()]
    return pd.DataFrame(rows, columns=["query_id", "item_id", "rating"])


def ground_truth(case: Case) -> pd.DataFrame:
    """One row a relevant item."""
    rows = [(user, item) for user, items in truth(case).items() for item in items]
    return pd.DataFrame(rows, columns=["query_id", "item_id"])


def ask_items(case: ItemCase, answers: Answers) -> None:
    """What is shown, over all users."""
    lists, base = (
        [(user, item, -float(rank)) for user, items in run.items() for rank, item in enumerate(items)]
        for run in (case.run, case.reference)
    )
    shown, reference = (pd.DataFrame(rows, columns=["query_id", "item_id", "rating"]) for rows in (lists, base))
    past = pd.DataFrame(case.train, columns=["query_id", "item_id"])
    categories = shown.assign(category_id=shown.item_id.map(case.category)).dropna()
    cuts = [2, 3]
    found = {
        **Coverage(cuts)(shown, past),
        **Novelty(cuts)(shown, past),
        **Surprisal(cuts)(shown, past),
        **CategoricalDiversity(cuts)(categories),
        **Unexpectedness(cuts)(shown, reference),
    }
    for name, value in found.items():
        answers.add_items(case, name, float(value))


def main() -> None:
    """Write replay.json."""
    answers = Answers("replay", "replay-rec")
    answers.note("equal scores in descending order of the item, as pandas, Polars and Spark frames have it", "ties")
    answers.note("users of the ground truth without recommendations score 0", "missing")
    answers.note(MEMBERSHIP, "barren")
    for case in wanted_cases():
        recommended, true = recommendations(case), ground_truth(case)
        for metric in METRICS:
            per_user = metric(list(CUTS), mode=PerUser())(recommended, true)
            for measure, mean in metric(list(CUTS))(recommended, true).items():
                values = per_user[measure.replace("@", "-PerUser@")]
                answers.add(case, measure, dict(sorted(values.items())), mean)
    for items in read_item_cases():
        ask_items(items, answers)
    answers.write()


if __name__ == "__main__":
    main()
