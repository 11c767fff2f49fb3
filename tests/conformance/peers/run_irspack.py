"""Ask irspack about every case, through the core of its `Evaluator`; items that a list does not hold score -inf."""

from __future__ import annotations

import numpy as np
from irspack.evaluation import EvaluatorCore
from peer_files import Answers, Case, ItemCase, read_item_cases
from recommended import CUTS, MEMBERSHIP, best_first, columns, truth, wanted_cases
from scipy.sparse import csr_matrix

MEASURES = ("hit", "ndcg", "recall", "map", "precision")
CAPPED = "recall@{k}(recall_with_cutoff=True)"


def scores(case: Case, users: list[str]) -> tuple[dict[str, int], np.ndarray]:
    """The number of each item, and a score for each user and item."""
    number = columns(case, max(CUTS))  # irspack wants no fewer items than k
    table = np.full((len(users), max(CUTS) + len(number)), -np.inf)
    for row, user in enumerate(users):
        for rank, item in enumerate(best_first(case).get(user, [])):
            table[row, number[item]] = -rank
    return number, table


def ask(case: Case, answers: Answers) -> None:
    """All metrics of one case; it has no values of users, so that each user is asked alone."""
    relevant = truth(case)
    users = list(relevant)
    number, table = scores(case, users)
    rows = np.repeat(np.arange(len(users)), [len(relevant[user]) for user in users])
    wanted = [number[item] for user in users for item in relevant[user]]
    core = EvaluatorCore(csr_matrix((np.ones(len(rows)), (rows, wanted)), shape=table.shape), [])
    core.cache_X_as_set(1)
    for k in CUTS:
        for capped in (False, True):
            alone = [core.get_metrics_f64(table[[i]], k, i, 1, capped).as_dict() for i in range(len(users))]
            whole = core.get_metrics_f64(table, k, 0, 1, capped).as_dict()
            for measure in ("recall",) if capped else MEASURES:
                name = CAPPED.format(k=k) if capped else f"{measure}@{k}"
                values = {user: found[measure] for user, found in zip(users, alone, strict=True)}
                answers.add(case, name, dict(sorted(values.items())), whole[measure])


def ask_items(case: ItemCase, answers: Answers) -> None:
    """What is shown, over all users."""
    number = {item: place for place, item in enumerate(case.catalog)}
    users = list(case.run)
    table = np.full((len(users), len(number)), -np.inf)
    truth_rows = [(row, number[item]) for row, user in enumerate(users) for item in case.truth[user]]
    for row, user in enumerate(users):
        table[row, [number[item] for item in case.run[user]]] = -np.arange(len(case.run[user]), dtype=float)
    wanted = csr_matrix((np.ones(len(truth_rows)), tuple(zip(*truth_rows, strict=True))), shape=table.shape)
    core = EvaluatorCore(wanted, [])
    core.cache_X_as_set(1)
    for k in (2, 3):
        scores = core.get_metrics_f64(table, k, 0, 1, False).as_dict()
        for measure in ("appeared_item", "entropy", "gini_index"):
            answers.add_items(case, f"{measure}@{k}", scores[measure])


def main() -> None:
    """Write irspack.json."""
    answers = Answers("irspack", "irspack")
    answers.note(MEMBERSHIP, "barren")
    answers.note("the lists of the file, best first: the order of equal scores is the file's", "ties")
    for case in wanted_cases():
        ask(case, answers)
    for items in read_item_cases():
        if items.is_even:
            ask_items(items, answers)
    answers.write()


if __name__ == "__main__":
    main()
