"""Counting on a device: quick scores decide what they surely can, and the few others are summed again in the prescribed order.

So ranks are those of the processor, to the last one, whatever the device and its matrix units round.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from pingce.base.errors import InputError, warn_user
from pingce.base.lazy import cached_property
from pingce.base.text import Text
from pingce.evidence.ranking.truth_index import gathered, offsets
from pingce.factors.counting import Counter, Counts, Heads
from pingce.factors.margins import Margins, Numbers
from pingce.factors.model import Factors
from pingce.factors.pairs import PairLists, Places, Rows, Scores

GROUP = 16
"Pairs of a user that are counted in one row."
_BYTES = 1 << 30
"Of what a device works with at a time."


class Batch(NamedTuple):
    """Rows of up to sixteen pairs of a user; what a row lacks is filled with its first pair."""

    users: Scores
    "Vectors."
    bias: Scores
    "Of users."
    row_user: Rows
    "The place of each row's user."
    column: Rows
    "Of each pair among the candidates."
    score: Scores
    target: Numbers
    slack: Numbers
    "Of each row."


class Work(NamedTuple):
    """Pairs that a device counts."""

    listed: Rows
    "Where they are among all."
    at: Rows
    "Where they are in their rows."
    batch: Batch
    counts: Any = None
    "The four counts of each place of a row, on the device, which may still be at it."


class DeviceCounter:
    """Counts on a device of torch: by kernels of Triton where they are, else by blocks of a matrix product."""

    def __init__(self, factors: Factors, exact: Counter, device: Any) -> None:
        import torch

        self._factors, self._exact, self._torch = factors, exact, torch
        self.device = torch.device(device)
        self._size: int | None = None

    @property
    def precision(self) -> str:
        """That of the processor, whose ranks these are."""
        return self._exact.precision

    def scores(self, pairs: PairLists) -> Scores:
        """The score of each pair."""
        return self._exact.scores(pairs)

    def heads(self, users: Rows, depth: int, exclude: PairLists) -> Heads:
        """The best candidates of each user, found on the processor."""
        return self._exact.heads(users, depth, exclude)

    def counts(self, pairs: PairLists) -> Counts:
        """Where each pair stands among all candidates."""
        score = self.scores(pairs)
        columns = np.zeros((4, len(pairs)), np.int64)
        begin = 0
        pending: Work | None = None
        while begin < len(pairs.users):
            end = min(begin + self._rows, len(pairs.users))
            some, listed = _part(pairs, begin, end)
            work = self._prepared(some, listed, score[listed])
            counted = None if pending is None else pending.counts.cpu().numpy()
            try:
                started = work._replace(counts=self._tiles.counts(work.batch)) if len(listed) else None
            except self._torch.OutOfMemoryError:
                started, end = None, begin
                self._shrink()
            if pending is not None and counted is not None:
                columns[:, pending.listed] = counted[:, pending.at]
            begin, pending = end, started
        if pending is not None:
            columns[:, pending.listed] = pending.counts.cpu().numpy()[:, pending.at]
        return Counts(score, Places.of(*columns))

    def _prepared(self, pairs: PairLists, listed: Rows, score: Scores) -> Work:
        """Pairs in rows, while the device is at those before them."""
        groups = -(-pairs.sizes // GROUP)
        begin, place = offsets(groups), pairs.place
        inside = np.arange(len(pairs)) - pairs.begin[place]
        at = (begin[place] + inside // GROUP) * GROUP + inside % GROUP
        return Work(listed, at, self._batch(pairs, score, groups, at))

    def _batch(self, pairs: PairLists, score: Scores, groups: Rows, at: Rows) -> Batch:
        factors, margins = self._factors, self._margins
        vectors = factors.user_rows(pairs.users)
        row_user = np.repeat(np.arange(len(pairs.users)), groups)
        place = np.zeros(len(row_user) * GROUP, np.int64)
        filled = np.zeros(len(place), bool)
        place[at], filled[at] = np.arange(len(pairs)), True
        place = np.where(filled, place, np.repeat(place[::GROUP], GROUP))
        column = pairs.items if factors.candidates is None else np.searchsorted(factors.candidates, pairs.items)
        target = margins.targets(factors, pairs.users, vectors, pairs.place, score)
        slack = margins.slacks(factors, pairs.users, vectors)[row_user]
        bias = factors.user_biases(pairs.users)
        return Batch(vectors, bias, row_user, column[place], score[place], target[place], slack)

    @cached_property
    def _items(self) -> Scores:
        return self._factors.item_rows(self._factors.candidate_rows)

    @cached_property
    def _margins(self) -> Margins:
        return Margins.of(self._factors, self._items, self._factors.candidate_rows)

    @cached_property
    def _tiles(self) -> Any:
        """The candidates on the device, and how they are counted there."""
        factors, rows = self._factors, self._factors.candidate_rows
        catalogue = Catalogue(
            self._items,
            self._margins.bias,
            factors.item_biases(rows),
            factors.id_order[rows],
            factors.similarity == "l2",
            factors.rounds,
        )
        try:
            return _tiles(catalogue, self.device)
        except self._torch.OutOfMemoryError:
            raise InputError(
                f"the {len(rows)} vectors of candidates do not fit into the memory of {self.device}; say device='cpu'",
                f"{len(rows)} 个候选向量放不进 {self.device} 的显存；请用 device='cpu'",
            ) from None

    @property
    def _rows(self) -> int:
        """How many users are counted together."""
        if self._size is None:
            self._size = max(64, _BYTES // max(self._factors.candidate_count // 8, 1) // 64 * 64)
        return self._size

    def _shrink(self) -> None:
        """Half as many users from now on; said the first time."""
        self._torch.cuda.empty_cache()
        size = self._rows
        if size <= 1:
            raise InputError(
                f"the memory of {self.device} is not enough for one user; say device='cpu'",
                f"{self.device} 的显存连一个用户都放不下；请用 device='cpu'",
            )
        self._size = size // 2
        text = Text(
            f"the memory of {self.device} is not enough for {size} users at a time: from now on half as many are taken, with the same result",
            f"{self.device} 的显存不够一次处理 {size} 个用户：此后每次减半，结果不变",
        )
        if not self._told:
            warn_user(text)
        self._told = True

    _told = False


class Catalogue(NamedTuple):
    """The candidates as a device gets them."""

    vectors: Scores
    quick_bias: Numbers
    "What is added to quick scores."
    bias: Scores
    "Of items."
    order: Rows
    "The number of each candidate's id."
    is_l2: bool
    rounds: bool


def _tiles(catalogue: Catalogue, device: Any) -> Any:
    if device.type == "cuda" and catalogue.vectors.dtype == np.float32:
        try:
            from pingce.factors.devices.tiles import Tiles
        except ImportError:
            pass
        else:
            return Tiles(catalogue, device)
    from pingce.factors.devices.blocks import Blocks

    return Blocks(catalogue, device)


def _part(pairs: PairLists, begin: int, end: int) -> tuple[PairLists, Rows]:
    """The pairs of some users, and where they are among all."""
    listed, starts = gathered(pairs.begin, np.arange(begin, end))
    return PairLists(pairs.users[begin:end], starts, pairs.items[listed]), listed
