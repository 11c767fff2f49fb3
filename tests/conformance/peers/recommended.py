"""What the scripts of recommender libraries share: ground truth by membership, lists best first."""

from __future__ import annotations

from collections.abc import Iterator

from peer_files import Case, read_cases

CUTS = (3, 10)
LEFT_OUT = {"closed", "deep", "selfsame"}
"Cases that say nothing more about these tools, and much of it."
MEMBERSHIP = "the ground truth holds the items of grade 1 and more; a query without any is not part of it"


def wanted_cases() -> Iterator[Case]:
    """The cases that are asked."""
    return (case for case in read_cases() if case.name not in LEFT_OUT)


def truth(case: Case) -> dict[str, list[str]]:
    """The relevant items of each query that has some."""
    relevant = {query: [item for item, grade in grades.items() if grade >= 1] for query, grades in case.qrels.items()}
    return {query: items for query, items in relevant.items() if items}


def best_first(case: Case) -> dict[str, list[str]]:
    """The returned items of each query; equal scores keep the order of the file."""
    return {query: sorted(scores, key=lambda item: -scores[item]) for query, scores in case.run.items()}


def columns(case: Case, filler: int) -> dict[str, int]:
    """A number for each item, from 0 on; so many numbers before the first belong to items that nobody wants."""
    items = [item for table in (case.qrels, case.run) for row in table.values() for item in row]
    return {item: filler + place for place, item in enumerate(dict.fromkeys(items))}
