"""Counting with Triton's kernels: what they are given, and how much at a time."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
import triton

from pingce.factors.devices import kernels
from pingce.factors.devices.moving import moved

if TYPE_CHECKING:
    from pingce.factors.device import Batch, Catalogue

_HALF = 4
"Marks within a rounding bound."
_ROWS, _TILES, _LANES, _WORDS = 64, 256, 32, 4096
_STEP = 64
"Numbers of vectors that are multiplied at a time."
INTERPRETED = os.environ.get("TRITON_INTERPRET") == "1"


class Tiles:
    """The candidates on a GPU, in float32."""

    def __init__(self, catalogue: Catalogue, device: torch.device) -> None:
        self._device, self._is_l2 = device, catalogue.is_l2
        self._width = catalogue.vectors.shape[1]
        self._step = min(_STEP, max(16, triton.next_power_of_2(self._width)))
        self._dim = -(-self._width // self._step) * self._step
        self._items = self._padded(catalogue.vectors)
        self._quick_bias = self._moved(catalogue.quick_bias.astype(np.float32))
        self._bias = self._moved(catalogue.bias)
        self._order = self._moved(catalogue.order.astype(np.int32))

    def counts(self, batch: Batch) -> torch.Tensor:
        """How many candidates are above, equal, equal with a larger id, and equal in an earlier row, for every pair of a row."""
        rows, words = len(batch.row_user), -(-len(self._order) // kernels.COLUMNS)
        users, row_user = self._padded(batch.users), self._moved(batch.row_user.astype(np.int32))
        scale, unit, offset, mark = map(self._moved, _thresholds(batch))
        out = torch.zeros((4, rows * kernels.THRESHOLDS), dtype=torch.int32, device=self._device)
        near = torch.empty((words, rows), dtype=torch.int64, device=self._device)
        kernels.filter_kernel[triton.cdiv(rows, _ROWS), triton.cdiv(words, _TILES)](
            2 * users if self._is_l2 else users,
            row_user, self._items, self._quick_bias, scale, unit, offset, mark, out[0], near, rows, len(self._order), _TILES,
            DIM=self._dim, STEP=self._step, ROWS=_ROWS, WIDTH=2 * (_HALF + 2), PRECISION="ieee" if INTERPRETED else "tf32x3",
            NATIVE=not INTERPRETED, num_warps=4, num_stages=3 if self._dim == self._step else 1,
        )  # fmt: skip
        kernels.settle_kernel[rows, triton.cdiv(words, _WORDS)](
            users, row_user, self._items, self._bias, self._moved(batch.bias), self._moved(batch.score),
            self._moved(batch.column.astype(np.int32)), self._order, near, *out, rows, words, _WORDS,
            DIM=self._dim, WIDTH=self._width, LANES=_LANES, L2=self._is_l2, num_warps=1, **_UNFUSED,
        )  # fmt: skip
        return out

    def _moved(self, array: Any) -> torch.Tensor:
        return moved(array, self._device)

    def _padded(self, vectors: Any) -> torch.Tensor:
        """Vectors with zeros behind them, so that tiles are whole."""
        if vectors.shape[1] == self._dim:
            return self._moved(vectors)
        out = torch.zeros((len(vectors), self._dim), dtype=torch.float32, device=self._device)
        out[:, : vectors.shape[1]] = self._moved(vectors)
        return out


_UNFUSED: dict[str, bool] = {} if INTERPRETED else {"enable_fp_fusion": False}
"The interpreter fuses nothing, and does not know the word."


def _thresholds(batch: Batch) -> tuple[Any, Any, Any, Any]:
    """What the filter compares quick scores with: scales and units of rows, offsets and marks of pairs."""
    target = batch.target.reshape(-1, kernels.THRESHOLDS)
    exponent = np.frexp(np.abs(target).max(axis=1))[1]
    scale = np.ldexp(1.0, np.minimum(110 - exponent, 126)).astype(np.float32)
    unit = (_HALF / batch.slack).astype(np.float32)
    mark = np.floor(target * unit.astype(np.float64)[:, None] + 0.5).astype(np.int64)
    offset = (-target * scale.astype(np.float64)[:, None]).astype(np.float32)
    return scale, unit, offset, ((_HALF + 2 - mark) & 65535).astype(np.int32)
