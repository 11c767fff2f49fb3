"""Ask PyTorch Geometric about every case: its link prediction metrics, with lists of the items of a user."""

from __future__ import annotations

import torch
from peer_files import Answers, Case, ItemCase, read_item_cases
from recommended import CUTS, MEMBERSHIP, best_first, columns, truth, wanted_cases
from torch_geometric.metrics import (
    LinkPredAveragePopularity,
    LinkPredCoverage,
    LinkPredF1,
    LinkPredHitRatio,
    LinkPredMAP,
    LinkPredMRR,
    LinkPredNDCG,
    LinkPredPersonalization,
    LinkPredPrecision,
    LinkPredRecall,
)

METRICS = (LinkPredPrecision, LinkPredRecall, LinkPredF1, LinkPredMAP, LinkPredNDCG, LinkPredMRR, LinkPredHitRatio)


def values(metric: torch.nn.Module, lists: torch.Tensor, edges: torch.Tensor, weights: torch.Tensor) -> float:
    """One metric of some users."""
    metric.reset()
    metric.update(lists, edges, weights if metric.weighted else None)
    return float(metric.compute())


def ask(case: Case, answers: Answers) -> None:
    """All metrics of one case, for all users and for each alone; a short list is filled with an item nobody wants."""
    number, relevant, lists = columns(case, 1), truth(case), best_first(case)
    users, width = list(relevant), max(CUTS)
    tops = [[number[item] for item in lists.get(user, [])[:width]] for user in users]
    table = torch.tensor([top + [0] * (width - len(top)) for top in tops])
    pairs = [(row, item) for row, user in enumerate(users) for item in relevant[user]]
    edges = torch.tensor([[row for row, _ in pairs], [number[item] for _, item in pairs]])
    grades = torch.tensor([float(case.qrels[users[row]][item]) for row, item in pairs], dtype=torch.float64)
    metrics = [kind(k=k) for k in CUTS for kind in METRICS]
    metrics += [LinkPredNDCG(k=k, weighted=True) for k in CUTS]
    for metric in metrics:
        per_user = {}
        for row, user in enumerate(users):
            own = edges[0] == row
            edge = torch.stack([torch.zeros(int(own.sum()), dtype=torch.long), edges[1][own]])
            per_user[user] = values(metric, table[[row]], edge, grades[own])
        answers.add(case, repr(metric), dict(sorted(per_user.items())), values(metric, table, edges, grades))


def ask_items(case: ItemCase, answers: Answers) -> None:
    """What is shown; lists must have one length, that of the shortest."""
    number = {item: place for place, item in enumerate(case.catalog)}
    length = min(map(len, case.run.values()))
    lists = torch.tensor([[number[item] for item in items[:length]] for items in case.run.values()])
    counts = torch.zeros(len(number))
    for _, item in case.train:
        counts[number[item]] += 1
    edges = torch.empty((2, 0), dtype=torch.long)
    for k in range(2, min(3, length) + 1):
        metrics = {
            f"LinkPredCoverage(k={k})": LinkPredCoverage(k, num_dst_nodes=len(number)),
            f"LinkPredPersonalization(k={k})": LinkPredPersonalization(k),
            f"LinkPredAveragePopularity(k={k})": LinkPredAveragePopularity(k, popularity=counts),
        }
        for name, metric in metrics.items():
            metric.update(lists, edges)
            answers.add_items(case, name, float(metric.compute()))


def main() -> None:
    """Write pyg.json."""
    torch.set_default_dtype(torch.float64)
    answers = Answers("pyg", "torch_geometric")
    answers.note(MEMBERSHIP, "barren")
    answers.note("the lists of the file, best first: the order of equal scores is the file's", "ties")
    answers.note("asked in double precision; by default it has single", "Link")
    for case in wanted_cases():
        ask(case, answers)
    for items in read_item_cases():
        if items.is_even:
            ask_items(items, answers)
    answers.write()


if __name__ == "__main__":
    main()
