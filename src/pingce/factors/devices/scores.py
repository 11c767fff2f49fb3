"""Counting in blocks of scores that lie on a device: nothing but counts leaves it."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from pingce.factors.counting import Counts, Heads
from pingce.factors.dense import DenseCounter, read_scores
from pingce.factors.devices.moving import moved
from pingce.factors.pairs import PairLists, Places, Rows, Scores


def is_on_device(data: Any) -> bool:
    """Whether data are a tensor outside of the memory of the processor."""
    return isinstance(data, torch.Tensor) and data.device.type != "cpu"


def checked_tensor(data: torch.Tensor) -> torch.Tensor:
    """A matrix of scores in float32 or float64; only one that has something wrong comes to the processor, to be refused there."""
    if data.ndim != 2 or not data.numel() or bool(torch.isnan(data).any()):
        read_scores(data)
    if data.dtype in {torch.float32, torch.float64}:
        return data
    return data.float() if data.is_floating_point() else data.double()


class DeviceScores:
    """A counter whose scores are a tensor; all columns are candidates."""

    def __init__(self, scores: torch.Tensor, order: Rows | None = None) -> None:
        self._scores, self._order = scores, order

    @property
    def precision(self) -> str:
        """The type of the numbers."""
        return str(self._scores.dtype).removeprefix("torch.")

    def scores(self, pairs: PairLists) -> Scores:
        """The score of each pair."""
        rows, items = self._moved(pairs.users[pairs.place]), self._moved(pairs.items)
        scores: Scores = self._scores[rows, items].cpu().numpy()
        return scores

    def counts(self, pairs: PairLists) -> Counts:
        """Where each pair stands among all columns: the first pair of every user, then the second, and so on."""
        score = self.scores(pairs)
        out = torch.zeros((4, len(pairs)), dtype=torch.int64, device=self._scores.device)
        column = torch.arange(self._scores.shape[1], device=self._scores.device)
        order = column if self._order is None else self._moved(self._order)
        for number in range(int(pairs.sizes.max(initial=0))):
            listed = pairs.begin[:-1][pairs.sizes > number] + number
            at, item = self._moved(listed), self._moved(pairs.items[listed])[:, None]
            rows = self._scores[self._moved(pairs.users[pairs.sizes > number])]
            threshold = self._moved(score[listed])[:, None]
            equal = rows == threshold
            which = (rows > threshold, equal, equal & (order > order[item]), equal & (column < item))
            out[:, at] = torch.stack([each.sum(1) for each in which])
        return Counts(score, Places.of(*out.cpu().numpy()))

    def heads(self, users: Rows, depth: int, exclude: PairLists) -> Heads:
        """The best columns of each row, and all that equal the last of them; only these rows leave the device."""
        rows = self._scores[self._moved(users)].cpu().numpy()
        place = np.arange(len(users))
        return DenseCounter(rows).heads(place, depth, exclude)

    def _moved(self, array: Any) -> torch.Tensor:
        return moved(array, self._scores.device)
