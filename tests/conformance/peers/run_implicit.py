"""Ask implicit about every case, through `ranking_metrics_at_k` and a model that recommends the lists of the case."""

from __future__ import annotations

import numpy as np
from implicit.evaluation import AUC_at_k, mean_average_precision_at_k, ndcg_at_k, precision_at_k
from peer_files import Answers, Case, ItemCase, read_item_cases
from recommended import CUTS, MEMBERSHIP, best_first, columns, truth, wanted_cases
from scipy.sparse import csr_matrix

METRICS = {
    "precision_at_k(K={k})": precision_at_k,
    "mean_average_precision_at_k(K={k})": mean_average_precision_at_k,
    "ndcg_at_k(K={k})": ndcg_at_k,
}


class Listed:
    """A model whose recommendations are known; places that a list does not fill hold no item."""

    def __init__(self, lists: list[list[int]]) -> None:
        self.lists = lists

    def recommend(self, users: np.ndarray, _: csr_matrix, N: int) -> tuple[np.ndarray, np.ndarray]:  # noqa: N803 (its name there)
        """The first N of each user's list."""
        ids = np.full((len(users), N), -1, np.int32)
        for row, user in enumerate(users):
            top = self.lists[user][:N]
            ids[row, : len(top)] = top
        return ids, np.zeros(ids.shape, np.float32)


def ask(case: Case, answers: Answers) -> None:
    """All metrics of one case; it has no values of users, so that each user is asked alone."""
    number, relevant, lists = columns(case, 0), truth(case), best_first(case)
    users = list(relevant)
    model = Listed([[number[item] for item in lists.get(user, [])] for user in users])
    rows = np.repeat(np.arange(len(users)), [len(relevant[user]) for user in users])
    wanted = [number[item] for user in users for item in relevant[user]]
    test = csr_matrix((np.ones(len(rows)), (rows, wanted)), shape=(len(users), len(number)))
    nothing = csr_matrix(test.shape)
    for name, metric in METRICS.items():
        for k in CUTS:
            per_user = {}
            for place, user in enumerate(users):
                alone = csr_matrix(test.multiply((np.arange(len(users)) == place)[:, None]))
                alone.eliminate_zeros()
                per_user[user] = metric(model, nothing, alone, K=k, show_progress=False)
            mean = metric(model, nothing, test, K=k, show_progress=False)
            answers.add(case, name.format(k=k), dict(sorted(per_user.items())), mean)


def ask_items(case: ItemCase, answers: Answers) -> None:
    """The area under the ROC curve of the catalogue, at cuts that every list reaches: its lists are always full."""
    number = {item: place for place, item in enumerate(case.catalog)}
    users = list(case.run)
    model = Listed([[number[item] for item in case.run[user]] for user in users])
    pairs = [(row, number[item]) for row, user in enumerate(users) for item in case.truth[user]]
    rows, items = zip(*pairs, strict=True)
    test = csr_matrix((np.ones(len(pairs)), (rows, items)), shape=(len(users), len(number)))
    for k in range(1, min(map(len, case.run.values())) + 1):
        value = AUC_at_k(model, csr_matrix(test.shape), test, K=k, show_progress=False)
        answers.add_items(case, f"AUC_at_k(K={k})", value)


def main() -> None:
    """Write implicit.json."""
    answers = Answers("implicit", "implicit")
    answers.note("hits of all users over what all users could reach, not a mean over users", "precision")
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
