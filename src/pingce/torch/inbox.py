"""Batches as they come off a device: kept where they are, and copied to the host in large pieces, without waiting for the device."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import torch

from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.columns import Place, joined_place
from pingce.inputs.vectors import Vector

MOST_ROWS = 1 << 20
"Rows that wait on a device, before they are copied together."
Columns = dict[str, torch.Tensor]


@dataclass(frozen=True, eq=False)
class Piece:
    """Rows of several batches on the host, or on their way to it."""

    columns: Columns
    sizes: tuple[int, ...]
    "Rows of each batch."
    first: int
    "The number of the first of them, from 1."
    arrivals: tuple[Any, ...] = ()
    "Events of the devices, after which the rows are there."

    def vectors(self) -> dict[str, Vector]:
        """The columns as evaluators take them, once they have arrived; messages name batch and row."""
        for arrival in self.arrivals:
            arrival.synchronize()
        return {name: self._vector(name, column) for name, column in self.columns.items()}

    def _vector(self, name: str, column: torch.Tensor) -> Vector:
        column = column.float() if column.dtype == torch.bfloat16 else column  # NumPy has no such numbers
        places = [_place(name, self.first + at) for at in range(len(self.sizes))]
        return Vector(column.numpy(), Text(name, name), joined_place(places, self.sizes), name)


def _place(name: str, number: int) -> Place:
    def place(row: int) -> Text:
        return Text(f"row {row} of {name} in batch {number}", f"第 {number} 批的 {name} 第 {row} 行（从 0 起）")

    return place


class Inbox:
    """Batches in the order in which they came."""

    def __init__(self) -> None:
        self.count = 0
        "Batches so far."
        self._open: list[Columns] = []
        self._rows = 0
        self._kind: tuple[Any, ...] = ()
        self._pieces: list[Piece] = []
        "On the host, or on their way to it."

    def put(self, columns: Mapping[str, torch.Tensor]) -> None:
        """Keep a batch; its tensors may be written to afterwards, and nobody waits for the device."""
        batch = {name: column.detach().clone() for name, column in columns.items()}
        kind = tuple((name, column.device, column.dtype, _stream(column.device)) for name, column in batch.items())
        if self._rows and (kind != self._kind or self._rows >= MOST_ROWS):
            self._send()
        self._kind = kind
        self._open.append(batch)
        self._rows += len(next(iter(batch.values())))
        self.count += 1

    def _send(self) -> None:
        """Begin to copy what waits, on the streams on which it came."""
        columns: Columns = {}
        arrivals = []
        for name, _, _, stream in self._kind:
            parts = [batch[name] for batch in self._open]
            if stream is None:
                columns[name] = torch.cat(parts).cpu()
                continue
            with torch.cuda.stream(stream):
                columns[name] = torch.cat(parts).to("cpu", non_blocking=True)  # into pinned memory
                arrivals.append(torch.cuda.Event())
                arrivals[-1].record(stream)
        sizes = tuple(len(next(iter(batch.values()))) for batch in self._open)
        self._pieces.append(Piece(columns, sizes, self.count - len(sizes) + 1, tuple(arrivals)))
        self._open, self._rows = [], 0

    def first(self) -> Piece | None:
        """The oldest rows that are still here; None where there are none."""
        if not self._pieces and self._rows:
            self._send()
        return self._pieces[0] if self._pieces else None

    def drop(self) -> None:
        """Forget the oldest rows, which were read."""
        del self._pieces[0]


def _stream(device: torch.device) -> Any:
    """The stream on which a device works now; None for one that works at once."""
    return torch.cuda.current_stream(device) if device.type == "cuda" else None


def checked_tensor(data: Any, name: str) -> torch.Tensor:
    """A tensor that has values; lists and arrays become one."""
    tensor = data if isinstance(data, torch.Tensor) else torch.as_tensor(data)
    if tensor.device.type == "meta":
        raise InputError(
            f"{name} is on the device 'meta', which holds no values; give tensors of the CPU or of a GPU",
            f"{name} 在没有数值的设备 'meta' 上；请给出 CPU 或 GPU 上的张量",
        )
    if tensor.ndim == 2 and tensor.shape[1] == 1:
        tensor = tensor.reshape(-1)
    return tensor
