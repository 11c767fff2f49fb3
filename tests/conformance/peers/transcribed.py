"""What the scripts of tools share that cannot be installed: their formulas, applied to every list of every case."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from peer_files import Answers, Case, ItemCase, read_item_cases
from recommended import CUTS, best_first, wanted_cases

Judged = Mapping[str, float]
Formula = Callable[[list[str], Judged, int], float]
"The value of a list, best first, with the grades of judged items, at a cut."


def discounted(gains: Iterable[float]) -> float:
    """The sum of gain / log2(rank + 1)."""
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def hits(ranked: list[str], wanted: Iterable[str]) -> int:
    """How many items of a list are wanted."""
    return len(set(ranked) & set(wanted))


def first(ranked: list[str], wanted: Iterable[str]) -> float:
    """1 / rank of the first item that is wanted."""
    return next((1 / rank for rank, item in enumerate(ranked, 1) if item in wanted), 0.0)


def precisions(ranked: list[str], wanted: Iterable[str]) -> float:
    """The sum of the precision at each item that is wanted."""
    found = [rank for rank, item in enumerate(ranked, 1) if item in wanted]
    return sum(count / rank for count, rank in enumerate(found, 1))


def begin(tool: str, version: str, notes: Mapping[str, str]) -> Answers:
    """The answers of a tool whose formulas of some version were transcribed, with what a reader must know by what it is about."""
    answers = Answers(tool, "", transcribed=version)
    answers.note("the lists of the file, best first: the order of equal scores is the file's", "ties")
    for about, fact in notes.items():
        answers.note(fact, about)
    return answers


def ask(case: Case, answers: Answers, formulas: Mapping[str, Formula], queries: Iterable[str]) -> None:
    """Every formula at every cut, for some queries, and the mean; NaN for one is NaN for all."""
    lists, asked = best_first(case), sorted(queries)
    for name, formula in formulas.items():
        for k in CUTS:
            values = {query: formula(lists.get(query, []), case.qrels[query], k) for query in asked}
            answers.add(case, name.format(k=k), values, math.fsum(values.values()) / len(values))


def ask_counted(answers: Answers, formulas: Mapping[str, Formula], reason: str) -> None:
    """Every judged query of the cases whose grades are counts, 0, 1, 2 …; the others are skipped for this reason."""
    for case in wanted_cases():
        if case.whole and all(grade >= 0 for grades in case.qrels.values() for grade in grades.values()):
            ask(case, answers, formulas, case.qrels)
        else:
            answers.skip(reason, case.name)


def ask_even(
    answers: Answers, ask_items: Callable[[ItemCase, Answers, int], None], cuts: Callable[[ItemCase], Iterable[int]]
) -> None:
    """What is shown, of every case of items in which every user has a list, truth and a past, at its cuts."""
    for case in read_item_cases():
        if case.is_even:
            for k in cuts(case):
                ask_items(case, answers, k)


def shown_counts(case: ItemCase, k: int) -> Counter[str]:
    """How often each item stands in the top k of a list."""
    return Counter(item for items in case.run.values() for item in items[:k])


def past_counts(case: ItemCase) -> Counter[str]:
    """How many users had each item: a pair counts once."""
    return Counter(item for _, item in set(case.train))


def spread(counts: Iterable[int], size: int) -> float:
    """The sum of (2 i - size - 1) c over all items of the catalogue, by ascending count."""
    ascending = sorted(counts)
    first = size - len(ascending) + 1
    return sum((2 * place - size - 1) * count for place, count in enumerate(ascending, first))


def discovered(case: ItemCase, user: str, k: int, novelty: Callable[[str], float]) -> float:
    """The sum over relevant items of the top k of what each is worth, discounted by rank."""
    worths = (novelty(item) if item in case.truth[user] else 0.0 for item in case.run[user][:k])
    return discounted(worths)


def shares_below(case: ItemCase, user: str, k: int | None) -> list[float]:
    """Of each relevant item in the top k, the share of other items below it, of which there is one too many."""
    past = {item for other, item in case.train if other == user}
    others = len(case.catalog) - len(past) - len(case.truth[user]) + 1
    places = [place for place, item in enumerate(case.run[user][:k]) if item in case.truth[user]]
    return [(others - place + before) / others for before, place in enumerate(places)]


def areas(case: ItemCase, k: int) -> dict[str, float]:
    """AUC, GAUC and LAUC at a cut, as Elliot and WarpRec have them."""
    users = [user for user in case.run if case.truth.get(user)]
    whole = {user: shares_below(case, user, None) for user in users}
    return {
        "AUC": mean(share for shares in whole.values() for share in shares),
        "GAUC": mean(sum(shares) / len(case.truth[user]) for user, shares in whole.items()),
        f"LAUC@{k}": mean(sum(shares_below(case, user, k)) / min(k, len(case.truth[user])) for user in users),
    }


def mean(values: Iterable[float]) -> float:
    """Of some numbers."""
    listed = list(values)
    return math.fsum(listed) / len(listed)
