"""Counting with plain torch, on any of its devices: blocks of a matrix product, and the prescribed order for what is near."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from pingce.factors.devices.moving import moved

if TYPE_CHECKING:
    from pingce.factors.device import Batch, Catalogue

_CELLS = 1 << 24
"Quick scores at a time."


class Blocks:
    """The candidates on a device."""

    def __init__(self, catalogue: Catalogue, device: torch.device) -> None:
        self._device, self._is_l2, self._rounds = device, catalogue.is_l2, catalogue.rounds
        self._items = moved(catalogue.vectors, device)
        self._quick_bias = moved(catalogue.quick_bias, device).to(self._items.dtype)
        self._bias, self._order = moved(catalogue.bias, device), moved(catalogue.order, device)

    def counts(self, batch: Batch) -> torch.Tensor:
        """How many candidates are above, equal, equal with a larger id, and equal in an earlier row, for every pair of a row."""
        device = self._device
        users, bias, row_user = (moved(each, device) for each in (batch.users, batch.bias, batch.row_user))
        shape = len(row_user), -1
        score, target, column = (moved(each, device).view(shape) for each in (batch.score, batch.target, batch.column))
        slack = moved(batch.slack, device)[:, None]
        low, high = (target - slack).to(users.dtype), (target + slack).to(users.dtype)
        beyond = ~torch.isfinite(target)  # of scores that are rounded to infinity all must be summed again
        low[beyond], high[beyond] = -torch.inf, torch.inf
        out = [torch.zeros(score.shape, dtype=torch.int64, device=device) for _ in range(4)]
        step = max(1, _CELLS // max(len(row_user), 1))
        left = (2 * users if self._is_l2 else users)[row_user]
        precision = torch.get_float32_matmul_precision()
        torch.set_float32_matmul_precision("highest")
        try:
            for begin in range(0, len(self._items), step):
                quick = torch.mm(left, self._items[begin : begin + step].T) + self._quick_bias[begin : begin + step]
                near = torch.zeros(quick.shape, dtype=torch.bool, device=device)
                for j in range(score.shape[1]):
                    near |= (quick >= low[:, j, None]) & (quick <= high[:, j, None])
                quick.masked_fill_(near, -torch.inf)
                for j in range(score.shape[1]):
                    out[0][:, j] += (quick > high[:, j, None]).sum(1)
                row, item = near.nonzero(as_tuple=True)
                item += begin
                exact = self._summed(users[row_user[row]], item, bias[row_user[row]])
                tie = exact[:, None] == score[row]
                later = self._order[item][:, None] > self._order[column[row]]
                which = (exact[:, None] > score[row], tie, tie & later, tie & (item[:, None] < column[row]))
                for total, each in zip(out, which, strict=True):
                    total.index_add_(0, row, each.to(torch.int64))
        finally:
            torch.set_float32_matmul_precision(precision)
        return torch.stack([each.flatten() for each in out])

    def _summed(self, users: torch.Tensor, item: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        """Scores of pairs, number by number: each product and each sum is rounded on its own."""
        total = torch.zeros(len(item), dtype=users.dtype, device=users.device)
        for d in range(users.shape[1]):
            a, b = users[:, d], self._items[item, d]
            product = (a - b) * (a - b) if self._is_l2 else a * b
            total = total + product
        total = (-total if self._is_l2 else total) + self._bias[item]
        total = total + bias
        return total.to(torch.float32) if self._rounds else total
