"""Counted ranks to ranking evidence: the same as that of all scores handed over as a run, some users at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.evidence.items.compute import RunLists
from pingce.evidence.items.heads import ListHeads
from pingce.evidence.policies import Policies
from pingce.evidence.ranking.compute import evidence_piece, with_heads
from pingce.evidence.ranking.evidence import RankingEvidence, Tally, no_evidence
from pingce.evidence.ranking.findings import Faults
from pingce.evidence.ranking.reference import Pairs, ranked_rows
from pingce.evidence.ranking.truth_index import chosen_rows, gathered, offsets
from pingce.factors.counting import Counter, Heads
from pingce.factors.names import RowNames
from pingce.factors.pairs import PairIndex, PairLists, Places, Rows, Scores, count_listed, distinct
from pingce.inputs.columns import Rows as Table
from pingce.inputs.ids import Ids

Key = tuple[str, ...]


class Part(NamedTuple):
    """The evidence of some users, by the policies that concern rows."""

    evidence: Mapping[Key, RankingEvidence]
    extra: Ids
    "Users without judgements."
    items: Rows
    "The item of each hit, under the first of these policies."
    undecided: int = 0
    "Comparisons that rounding may have turned."
    done: float = 1.0
    "The share of all users that have had their turn."


class Lists(NamedTuple):
    """Which items whom is ranked among."""

    users: RowNames
    items: RowNames
    candidates: NDArray[np.bool_] | None = None
    "Items that are candidates for everybody; None: all of them."
    user_candidates: PairIndex | None = None
    "Candidates of each user, where they differ."
    exclude: PairIndex | None = None

    def pairs(self, rows: Table) -> PairIndex:
        """Pairs by their rows; those of users or items that have none are left out."""
        user, item = self.users.find(rows.query), self.items.find(rows.item)
        matches = (user >= 0) & (item >= 0)
        return PairIndex(user[matches], item[matches], (len(self.users), len(self.items)))

    def sizes(self, users: Rows) -> Rows:
        """How many candidates some users have, excluded ones among them."""
        if self.user_candidates is not None:
            return self.user_candidates.of(users).sizes
        count = len(self.items) if self.candidates is None else int(np.count_nonzero(self.candidates))
        return np.full(len(users), count)

    def within(self, pairs: PairLists) -> PairLists:
        """Those pairs whose item is a candidate."""
        if self.user_candidates is None:
            return pairs if self.candidates is None else pairs.where(self.candidates[pairs.items])
        width = len(self.items)
        return pairs.where(np.isin(pairs.keys(width), self.user_candidates.of(pairs.users).keys(width)))

    def without(self, users: Rows, policies: Policies) -> PairLists:
        """The candidates of some users that are excluded."""
        pairs = PairLists(users, np.zeros(len(users) + 1, np.int64), np.zeros(0, np.int64))
        if self.exclude is not None:
            pairs = self.exclude.of(users)
        names = self.users.take(users)
        if policies.identical == "drop" and names.integers == self.items.take(np.zeros(1, np.int64)).integers:
            item, width = self.items.find(names), len(self.items)
            keys = np.flatnonzero(item >= 0) * width + item[item >= 0]
            pairs = PairLists.of_keys(users, np.union1d(pairs.keys(width), keys), width)
        return self.within(pairs)


class FactorEvidence:
    """Judgements and lists of users, to become evidence."""

    def __init__(self, truth: Table, lists: Lists, run: Table) -> None:
        self._truth, self.lists, self._run = truth, lists, run
        user = lists.users.find(truth.query)
        judged_rows = np.flatnonzero(user >= 0)
        self._rows = judged_rows[np.argsort(user[judged_rows], kind="stable")]
        "Judgements of users that have a vector, user by user."
        self._begin = offsets(np.bincount(user[judged_rows], minlength=len(lists.users)))
        self._item = lists.items.find(truth.item)

    @property
    def judged(self) -> NDArray[np.bool_]:
        """Which users have judgements."""
        return np.diff(self._begin) > 0

    def parts(
        self, counters: Mapping[bool, Counter], policies: Mapping[Key, Policies], depth: int, size: int
    ) -> Iterator[Part]:
        """The evidence of `size` users at a time: of all where lists are looked at, else of those with judgements."""
        judged = self.judged
        users = np.arange(len(judged)) if depth else np.flatnonzero(judged)
        others = np.flatnonzero(~judged)
        others = others[self.lists.sizes(others) > 0]
        for each in policies.values():
            self._refuse_extra(others, each)
        for begin in range(0, max(len(users), 1), size):  # nobody is judged, but counted
            some = users[begin : begin + size]
            extra = others[np.isin(others, some)] if depth else others[: 0 if begin else None]
            work = Work(self, some, counters)
            evidence = {key: work.evidence(each, depth, extra) for key, each in reversed(list(policies.items()))}
            evidence = {key: evidence[key] for key in policies}
            done = min(1.0, (begin + size) / max(len(users), 1))
            yield Part(evidence, self.lists.users.take(extra), work.items, work.undecided, done)

    def _refuse_extra(self, others: Rows, policies: Policies) -> None:
        if policies.extra == "error" and len(others):
            first = self.lists.users.take(others[:1]).to_list()[0]
            raise InputError(
                f"{len(others)} users have no judgements, such as {first!r}; extra=ignore leaves them out",
                f"有 {len(others)} 个用户没有标注，例如 {first!r}；extra=ignore 可忽略它们",
            )

    def judgements(self, users: Rows) -> tuple[Table, PairLists]:
        """The judgements of some users, and the candidates among their items."""
        places, begin = gathered(self._begin, users)
        rows = self._rows[places]
        place, item = np.repeat(np.arange(len(users)), np.diff(begin)), self._item[rows]
        keys = distinct((place * len(self.lists.items) + item)[item >= 0])
        pairs = self.lists.within(PairLists.of_keys(users, keys, len(self.lists.items)))
        return chosen_rows(self._truth, rows), pairs

    def run(self, pairs: PairLists, score: Scores) -> Table:
        """Pairs as rows of a run."""
        lists = self.lists
        query, item = lists.users.take(pairs.users[pairs.place]), lists.items.take(pairs.items)
        return replace(self._run, query=query, item=item, value=score.astype(np.float64))


class Work:
    """Some users at a time: their pairs are counted once, and read under any policies."""

    def __init__(self, source: FactorEvidence, users: Rows, counters: Mapping[bool, Counter]) -> None:
        self._source, self._lists, self._users, self._counters = source, source.lists, users, counters
        self._truth, self._pairs = source.judgements(users)
        self._counted: dict[bool, tuple[Scores, Places]] = {}
        self.items = np.zeros(0, np.int64)
        "Of the hits, under the policies that were asked for last."
        self.undecided = 0

    def evidence(self, policies: Policies, depth: int, extra: Rows) -> RankingEvidence:
        """The evidence of these users; with a depth also what their lists show, of those without judgements too."""
        rounds = policies.score_type == "float32"
        counter = self._counters[rounds]
        exclude = self._lists.without(self._users, policies)
        sizes = self._lists.sizes(self._users)
        columns = {"given": sizes, "excluded": exclude.sizes, "returned": sizes - exclude.sizes}
        evidence = no_evidence(self._lists.users.take(self._users[:0]), Tally())
        if len(self._truth):
            evidence = self._judged(policies, exclude, rounds=rounds)
            at = np.searchsorted(self._users, self._lists.users.find(evidence.queries))
            listed, excluded, returned = (columns[name][at] for name in ("given", "excluded", "returned"))
            evidence = replace(evidence, answered=listed > 0, given=listed, excluded=excluded, returned=returned)
        tally = Tally(len(extra), int(self._lists.sizes(extra).sum()))
        if depth:
            evidence = with_heads(evidence, self._shown(counter, exclude, depth, columns))
        return replace(evidence, tally=tally)

    def _judged(self, policies: Policies, exclude: PairLists, *, rounds: bool) -> RankingEvidence:
        """The evidence of judged pairs: grades and order by way of a run of nothing else, places as counted."""
        pairs = self._pairs
        score, places = self._count(rounds)
        width, order = len(self._lists.items), self._order
        user_candidates = self._lists.user_candidates
        rivals = exclude if user_candidates is None else user_candidates.of(self._users)
        if user_candidates is not None and len(exclude):
            rivals = rivals.where(~np.isin(rivals.keys(width), exclude.keys(width), assume_unique=True))
        if len(rivals) or user_candidates is not None:
            among = count_listed(pairs, score, rivals, self._counters[rounds].scores(rivals), order)
            places = among if user_candidates is not None else places.less(among)
        kept = ~np.isin(pairs.keys(width), exclude.keys(width), assume_unique=True)
        hits, score = pairs.where(kept), score[kept]
        evidence, _ = evidence_piece(self._truth, self._source.run(hits, score), policies)
        at = np.empty(len(self._users), np.int64)
        at[np.searchsorted(self._users, self._lists.users.find(evidence.queries))] = np.arange(len(evidence))
        by_rank = np.lexsort((-order[hits.items], -score, at[hits.place]))
        self.items = hits.items[by_rank]
        return replace(evidence, **Places(*(column[kept][by_rank] for column in places))._asdict())

    def _count(self, rounds: bool) -> tuple[Scores, Places]:
        """The score of each judged pair, and its place among candidates for everybody."""
        if rounds not in self._counted:
            counter = self._counters[rounds]
            if self._lists.user_candidates is None:
                counts = counter.counts(self._pairs)
                self._counted[rounds] = counts.score, counts.places
                self.undecided += counts.undecided
            else:
                nothing = np.zeros((4, len(self._pairs)))
                self._counted[rounds] = counter.scores(self._pairs), Places.of(*nothing)
        return self._counted[rounds]

    @property
    def _order(self) -> Rows:
        order = self._lists.items.order
        return np.arange(len(self._lists.items)) if order is None else order

    def _shown(self, counter: Counter, exclude: PairLists, depth: int, columns: Mapping[str, Rows]) -> RunLists:
        """What the lists of these users show."""
        user_candidates = self._lists.user_candidates
        if user_candidates is None:
            heads = counter.heads(self._users, depth, exclude)
        else:
            pairs = user_candidates.of(self._users)
            pairs = pairs.where(~np.isin(pairs.keys(len(self._lists.items)), exclude.keys(len(self._lists.items))))
            heads = Heads(pairs.begin, pairs.items, counter.scores(pairs))
        listed = np.flatnonzero(columns["given"] > 0)
        nothing = np.zeros(len(listed), np.int64)
        facts = {name: column[listed] for name, column in columns.items()}
        lists = self._in_order(heads, depth)
        return RunLists(
            self._lists.users.take(self._users[listed]),
            lists.select(listed) if len(listed) < len(self._users) else lists,
            {**facts, "run_repeats": nothing, "nan_rows": nothing},
            Faults(),
            listed,
        )

    def _in_order(self, heads: Heads, depth: int) -> ListHeads:
        """Heads in rank order, ties by id descending, cut at the depth and the end of its block."""
        place = np.repeat(np.arange(len(heads.begin) - 1), np.diff(heads.begin))
        codes = np.unique(heads.score, return_inverse=True)[1].reshape(-1).astype(np.float64)
        listed = Pairs(place, self._order[heads.item], codes, heads.item)
        ranked, columns = ranked_rows(listed)
        kept = columns["above"] < depth
        places = {name: column[kept].astype(np.int32) for name, column in columns.items()}
        number, item = np.unique(ranked.item[kept], return_inverse=True)
        rows = np.argsort(self._order)[number] if self._lists.items.order is not None else number
        sizes = np.bincount(ranked.query[kept], minlength=len(heads.begin) - 1)
        numbers: NDArray[Any] = item.reshape(-1).astype(np.int32)
        return ListHeads(begin=offsets(sizes), items=self._lists.items.take(rows), item=numbers, depth=depth, **places)
