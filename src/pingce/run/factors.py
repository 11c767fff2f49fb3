"""Vectors of users and items to scores: a feed of ranking evidence like any other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from pingce.base.errors import InputError, is_whole, refuse_other
from pingce.base.progress import advance
from pingce.base.records import dataclass
from pingce.base.text import Text, counted
from pingce.evidence.ranking.cautions import ScoreFacts
from pingce.evidence.ranking.compute import comparable_exclude, refuse_bad_grades
from pingce.evidence.ranking.overlap import comparable_ids, refuse_no_overlap
from pingce.evidence.ranking.truth_index import chosen_rows
from pingce.factors.choice import make_counter
from pingce.factors.evidence import FactorEvidence, Lists
from pingce.factors.model import SIMILARITIES, Factors, refuse_bad
from pingce.factors.names import RowNames
from pingce.factors.pairs import PairIndex
from pingce.factors.reading import read_bias, read_candidates, read_matrix
from pingce.inputs import Rows
from pingce.inputs.columns import Reading, kind_of, with_notes
from pingce.inputs.data import RankingData
from pingce.inputs.ids import StringIds, integers_or_none
from pingce.request import Request
from pingce.run.factor_ranks import FactorTally, JudgedRanks
from pingce.run.score_blocks import sample_of
from pingce.run.states.fixed_tables import read_tables, refuse_no_truth
from pingce.run.states.ranking import RankingState
from pingce.run.states.ranking_pieces import Piece, no_rows_like
from pingce.scores.ranking import RankingScores

OUTSIDE = ("count", "drop", "error")
"What becomes of judged items that are not in the catalogue: they count as not found, are left out of the truth, are refused."
_USERS = 8192
"Users whose evidence is made together."
_MANY_PAIRS = 1 << 23
"From so many judged pairs on only the values of a user are kept, and no evidence."


@dataclass(frozen=True, eq=False)
class FactorData:
    """Vectors, and what their ranks are counted with, as the caller has them."""

    users: Any
    items: Any
    tables: RankingData
    "Truth, pairs to exclude, and what is given beside; there is no run."
    user_ids: Any = None
    item_ids: Any = None
    item_bias: Any = None
    user_bias: Any = None
    similarity: str = "dot"
    candidates: Any = None
    "Items for everybody, or pairs (user, item)."
    outside: str = "count"
    batch: int | None = None
    "Users whose evidence is made together."
    device: Any = None


def evaluate_factors(request: Request, data: FactorData) -> RankingScores:
    """The scores of all users, with their warnings given to the caller."""
    from pingce.run.score import warn

    scores = FactorFeed(request, data).score()
    warn(scores)
    return scores


class FactorFeed:
    """Everything that was given, read and matched; evidence is made when scores are asked for."""

    def __init__(self, request: Request, data: FactorData) -> None:
        refuse_other("similarity", data.similarity, SIMILARITIES)
        refuse_other("outside", data.outside, OUTSIDE)
        if data.batch is not None and not is_whole(data.batch, 1):
            raise InputError(
                f"batch={data.batch!r}: it is how many users are taken together, a whole number from 1",
                f"batch={data.batch!r}：应为每批的用户数，从 1 起的整数",
            )
        self._data = data
        users, items = (
            read_matrix(getattr(data, side), side, getattr(data, f"{side[:-1]}_ids"), request.reading)
            for side in ("users", "items")
        )
        self.factors = Factors(users, items, data.similarity)
        precision = self.factors.precision
        self.factors = replace(
            self.factors,
            item_bias=read_bias(data.item_bias, len(items), "item_bias=", precision),
            user_bias=read_bias(data.user_bias, len(users), "user_bias=", precision),
        )
        refuse_bad(self.factors)
        self._users, self._items = (RowNames(len(matrix), matrix.ids) for matrix in (users, items))
        self._users.refuse_repeats(users.name)
        self._items.refuse_repeats(items.name)
        names = replace(request.reading, queries=users.ids, items=items.ids)
        self._request = replace(request, reading=names)
        self._run = sample_of(self._users, self._items)
        self._pair_notes: list[Text] = []
        self._match()

    def _match(self) -> None:
        """Find the rows of everything that is named by ids."""
        request, data = self._request, self._data
        if data.tables.truth is None:
            refuse_no_truth(request.metrics)
        self._refuse_other_shape(data.tables.truth, "qrels=")
        self._refuse_other_shape(data.tables.exclude, "exclude=")
        self._refuse_other_shape(data.candidates if hasattr(data.candidates, "tocsr") else None, "candidates=")
        self.factors = replace(self.factors, order=self._items.order)
        chosen, user_candidates = self._candidates(request.reading)
        mask = None
        if chosen is not None:
            self.factors = replace(self.factors, candidates=chosen)
            mask = np.zeros(len(self._items), bool)
            mask[chosen] = True
        catalog = self.factors.candidate_count if data.tables.catalog is None else data.tables.catalog
        tables = read_tables(request, replace(data.tables, catalog=catalog))
        truth = tables.truth
        if truth is None:
            truth = no_rows_like(self._run)
        else:
            self._refuse_weights(truth)
            self._refuse_numbers(truth)
            truth, self._run = comparable_ids(truth, self._run)
            self._refuse_numbers(truth)  # those of a text are numbers now
            refuse_bad_grades(truth)
            truth = self._inside(truth, mask)
            tables.truth = truth
        exclude = None
        if tables.exclude is not None:
            if self._users.ids is None:  # a row of a matrix is that of a user, which has no other name
                tables.exclude = replace(tables.exclude, shape=None)
            tables.exclude = comparable_exclude(tables.exclude, truth, self._run)
            exclude = Lists(self._users, self._items).pairs(tables.exclude)
            self._pair_notes += self._unknown_pairs(tables.exclude, "exclude=")
        self._tables, self._truth = tables, truth
        self._evidence = FactorEvidence(
            truth, Lists(self._users, self._items, mask, user_candidates, exclude), self._run
        )

    def _refuse_other_shape(self, table: Any, keyword: str) -> None:
        """Refuse a matrix that has not a row for each user, or, where its columns are items, not one for each item."""
        shape = getattr(table, "shape", ())
        if len(shape) != 2 or hasattr(table, "columns"):
            return
        sides = (("users", len(self._users)), ("items", len(self._items)))[: 2 if hasattr(table, "tocsr") else 1]
        for (side, count), size, part in zip(sides, shape, (_ROWS, _COLUMNS), strict=False):
            if size != count:
                raise InputError(
                    f"{keyword} is a matrix of {size} {part.en}, but {side}= has {count} vectors; give one for each, in their order, or name "
                    "pairs by ids: a dict or a table",
                    f"{keyword} 是 {size} {part.zh}的矩阵，而 {side}= 有 {count} 个向量；请按其顺序逐一给出，或用编号给出各对：字典或表",
                )

    def _candidates(self, reading: Reading) -> tuple[np.ndarray | None, PairIndex | None]:
        """Rows of items that are candidates for everybody, or the pairs of each user."""
        data = self._data.candidates
        if data is None:
            return None, None
        rows = read_candidates(data, len(self._items), reading)
        if isinstance(rows, np.ndarray):
            return rows, None
        if rows.query is not rows.item:
            if self._users.ids is None:
                rows = replace(rows, shape=None)
            rows = comparable_exclude(rows, no_rows_like(self._run), self._run)
            self._pair_notes += self._unknown_pairs(rows, "candidates=")
            return None, Lists(self._users, self._items).pairs(rows)
        rows = self._named_as_items(rows)
        places = self._items.find(rows.item)
        self._refuse_unknown(rows, places)
        return np.unique(places), None

    def _unknown_pairs(self, rows: Rows, keyword: str) -> list[Text]:
        """What to say of pairs of users or items that have no vector."""
        lacking = np.flatnonzero((self._users.find(rows.query) < 0) | (self._items.find(rows.item) < 0))
        if not len(lacking):
            return []
        pair = tuple(ids.take(lacking[:1]).to_list()[0] for ids in (rows.query, rows.item))
        return [
            Text(
                f"{keyword}: {len(lacking)} of {len(rows)} pairs are of users or items without a vector, such as {pair!r}: they were left out",
                f"{keyword}：{len(rows)} 对中有 {len(lacking)} 对的用户或条目没有向量，例如 {pair!r}：已不计入",
            )
        ]

    def _named_as_items(self, rows: Rows) -> Rows:
        """Candidates of everybody with ids of the kind that items have; lines of a text may be either."""
        ids, like = rows.item, self._run.item
        if ids.integers != like.integers:
            plain = ids.plain()
            numbers = integers_or_none(plain) if rows.source.untyped_ids and isinstance(plain, StringIds) else None
            if numbers is None:
                ours, theirs = kind_of(ids), kind_of(like)
                raise InputError(
                    f"candidates=: the ids are {ours.en}, but those of items= {theirs.en}; convert one side",
                    f"candidates=：其编号是{ours.zh}，而 items= 的是{theirs.zh}；请统一类型",
                )
            ids = numbers
        return replace(rows, query=ids, item=ids)

    def _refuse_unknown(self, rows: Rows, places: np.ndarray) -> None:
        lacking = np.flatnonzero(places < 0)
        if len(lacking):
            first = rows.item.take(lacking[:1]).to_list()[0]
            raise InputError(
                f"candidates=: {counted(len(lacking), 'item')} without a vector, such as {first!r}; name items of items= only",
                f"candidates=：有 {len(lacking)} 个条目没有向量，例如 {first!r}；请只给出 items= 中的条目",
            )

    def _refuse_weights(self, truth: Rows) -> None:
        if truth.weight is not None:
            raise InputError(
                "evaluate_factors takes no weights of items (item_weight); evaluate_ranking does, with a run of the best items of each user",
                "evaluate_factors 不接受条目权重（item_weight）；evaluate_ranking 可以，其预测为各用户的最佳条目",
            )

    def _refuse_numbers(self, truth: Rows) -> None:
        """Refuse ids that are no numbers of rows, where rows have no other names."""
        for part, names, side in (("query", self._users, "users"), ("item", self._items, "items")):
            ids = getattr(truth, part)
            if names.ids is not None or (not ids.integers and truth.source.untyped_ids):
                continue
            beyond = np.flatnonzero(names.find(ids) < 0) if ids.integers else np.zeros(1, np.int64)
            has_policy = part == "item" and ids.integers  # that of items which are not in the catalogue
            if len(beyond) and not has_policy:
                place = truth.describe(int(beyond[0]))
                raise InputError(
                    f"{place.en}: {side}= has no ids, so that its rows are called 0 to {len(names) - 1}, and the {part} is none of these; give "
                    f"{side[:-1]}_ids=[…] with an id for each row",
                    f"{place.zh}：{side}= 没有编号，其各行按 0 到 {len(names) - 1} 计，而该{_PARTS[part]}不在其中；请用 {side[:-1]}_ids=[…] "
                    "为每行给出编号",
                )

    def _inside(self, truth: Rows, mask: np.ndarray | None) -> Rows:
        """The truth under the policy for items that are not in the catalogue."""
        row = self._items.find(truth.item)
        outside = row < 0 if mask is None else ~np.append(mask, False)[row]
        where = np.flatnonzero(outside)
        if not len(where):
            return truth
        place, count, policy = truth.describe(int(where[0])), len(where), self._data.outside
        if policy == "error":
            raise InputError(
                f"{place.en}: the item is not in the catalogue, nor {'is that' if count == 2 else 'are those'} of {counted(count - 1, 'other judgement')}; outside='count' counts them as "
                "not found, outside='drop' leaves them out",
                f"{place.zh}：该条目不在目录中，另有 {count - 1} 条标注亦然；outside='count' 将其记为未找到，outside='drop' 则不计入",
            )
        if policy == "drop" and count == len(truth):
            raise InputError(
                f"{place.en}: the item is not in the catalogue, nor is any other judged one, and outside='drop' leaves them out: no judgement is "
                "left; are item_ids= those of the truth?",
                f"{place.zh}：该条目不在目录中，其他已标注条目亦然，而 outside='drop' 不计入它们：没有剩下任何标注；item_ids= 与真值的编号一致吗？",
            )
        if policy == "drop":
            note = Text(
                f"{counted(count, 'judgement')} of items that are not in the catalogue {'was' if count == 1 else 'were'} left out, such as {place.en}",
                f"有 {count} 条标注的条目不在目录中，已不计入，例如{place.zh}",
            )
            return with_notes(chosen_rows(truth, np.flatnonzero(~outside)), note)
        note = Text(
            f"{counted(count, 'judgement')} {'is' if count == 1 else 'are'} of items that are not in the catalogue, such as {place.en}: counted as not found "
            "(outside='drop' leaves them out)",
            f"有 {count} 条标注的条目不在目录中，例如{place.zh}：记为未找到（outside='drop' 则不计入）",
        )
        return with_notes(truth, note)

    def score(self) -> RankingScores:
        """The scores of all users."""
        many = len(self._truth) > _MANY_PAIRS
        state = RankingState(replace(self._request, split="never" if many else "allowed"), self._tables)
        ranks = None if many else JudgedRanks(self._items)
        tally = self._feed(state, ranks)
        scores = state.score()
        scores.notes += tuple(self._notes(scores, tally))
        scores.cautions += tally.cautions()
        by_user = self._evidence.lists.user_candidates is not None
        candidates = "own" if by_user else "all" if self.factors.candidates is None else "given"
        scores.rank_table = None if ranks is None else ranks.table
        scores.scoring = {
            "similarity": self.factors.similarity,
            "precision": tally.precision,
            "candidates": candidates,
        }
        return scores

    def _feed(self, state: RankingState, ranks: JudgedRanks | None) -> FactorTally:
        """Give a state the evidence of all users."""
        needs, data = state.needs, self._data
        if len(self._truth):
            refuse_no_overlap(self._truth, self._run, int(np.count_nonzero(self._evidence.judged)))
        rounding = {policies.score_type == "float32" for policies in needs.policies.values()}
        counters = {
            rounds: make_counter(replace(self.factors, rounds=rounds), self._request.threads, data.device)
            for rounds in rounding
        }
        tally = FactorTally(next(iter(counters.values())).precision)
        for part in self._evidence.parts(counters, needs.policies, needs.depth, data.batch or _USERS):
            tally.add(part)
            if ranks is not None:
                ranks.add(part)
            state.add_evidence(Piece(part.evidence, part.extra, ScoreFacts(small=False)), self._run)
            advance(part.done)
        return tally

    def _notes(self, scores: RankingScores, tally: FactorTally) -> Iterator[Text]:
        yield from self._pair_notes
        if tally.undecided:
            yield Text(
                f"{tally.undecided} comparisons of scores lie within the rounding of {tally.precision}: their order is undecided",
                f"有 {tally.undecided} 次分数比较落在 {tally.precision} 的舍入误差之内：其先后未定",
            )
        deep = [
            name
            for name, value in scores.values_by_name.items()
            if (value.metric.k or 0) > self.factors.candidate_count
        ]
        if deep:
            count = self.factors.candidate_count
            yield Text(
                f"{', '.join(deep)}: there are only {count} candidates, so that the cut is at the end of the list",
                f"{'、'.join(deep)}：候选条目只有 {count} 个，截断处即列表末尾",
            )


_ROWS, _COLUMNS = Text("rows", "行"), Text("columns", "列")
_PARTS = {"query": "用户", "item": "条目"}
