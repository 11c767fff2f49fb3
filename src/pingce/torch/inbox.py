"""Batches as they come off a device: kept where they are, and copied to the host in large pieces, without waiting for the device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.columns import Place, joined_place
from pingce.inputs.vectors import Vector

MOST_BYTES = 1 << 28
"What may wait on a device, before it is copied together: 16 million rows of a float, a label and an id."
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
        self._open: list[list[torch.Tensor]] = []
        self._versions: list[list[int]] = []
        "How often the tensors of a device had been written to when they came."
        self._bytes = 0
        self._kind: list[Any] = []
        "Names of the columns that wait; then of each the type, the number of its device, and the stream on which it came."
        self._pieces: list[Piece] = []
        "On the host, or on their way to it."

    def put(self, columns: Mapping[str, torch.Tensor]) -> None:
        """Keep a batch; nobody waits for the device, and nothing is copied there."""
        kind: list[Any] = [*columns]
        batch, versions, size = [], [], 0
        for column in columns.values():
            kept = _kept(column)
            device = kept.get_device()
            kind += kept.dtype, device, 0 if device < 0 else torch._C._cuda_getCurrentRawStream(device)
            batch.append(kept)
            versions.append(kept._version)
            size += kept.nbytes
        if self._open and (kind != self._kind or self._bytes >= MOST_BYTES):
            self._send()
        self._kind = kind
        self._open.append(batch)
        self._versions.append(versions)
        self._bytes += size
        self.count += 1

    def _send(self) -> None:
        """Begin to copy what waits to the host, on the streams on which it came."""
        first, columns, arrivals = self.count - len(self._open) + 1, dict[str, torch.Tensor](), list[Any]()
        width = len(self._open[0])
        streams = self._kind[width + 2 :: 3]
        for name, stream, parts in zip(self._kind[:width], streams, zip(*self._open, strict=True), strict=True):
            self._refuse_written(len(columns), name, parts, first)
            device = parts[0].device
            if device.type != "cuda":
                columns[name] = torch.cat(parts).cpu()
                continue
            with torch.cuda.stream(torch.cuda.ExternalStream(stream, device)):
                columns[name] = torch.cat(parts).to("cpu", non_blocking=True)  # into pinned memory
                arrivals.append(torch.cuda.Event())
                arrivals[-1].record()
        sizes = tuple(len(batch[0]) for batch in self._open)
        self._pieces.append(Piece(columns, sizes, first, tuple(arrivals)))
        self._open, self._versions, self._bytes = [], [], 0

    def _refuse_written(self, at: int, name: str, parts: Sequence[torch.Tensor], first: int) -> None:
        """Refuse tensors that were written to since they came: they are the caller's own."""
        for number, (part, versions) in enumerate(zip(parts, self._versions, strict=True), first):
            if part._version != versions[at]:
                raise InputError(
                    f"{name} of batch {number} was written to after update(), before it was copied from {part.device}; give update() a "
                    f"clone: {name}.clone()",
                    f"第 {number} 批的 {name} 在 update() 之后、从 {part.device} 复制之前被改写；请把副本交给 update()：{name}.clone()",
                )

    def first(self) -> Piece | None:
        """The oldest rows that are still here; None where there are none."""
        if not self._pieces and self._open:
            self._send()
        return self._pieces[0] if self._pieces else None

    def drop(self) -> None:
        """Forget the oldest rows, which were read."""
        del self._pieces[0]


def _kept(column: torch.Tensor) -> torch.Tensor:
    """A tensor without its history: of a GPU as it is, unless it would keep a larger one alive; else a copy."""
    is_whole = not column._is_view() or column.untyped_storage().nbytes() <= 2 * column.nbytes
    kept = column.detach() if column.requires_grad else column
    return kept if column.is_cuda and is_whole else kept.clone()


def checked_tensor(data: Any, name: str, dimensions: int = 1) -> torch.Tensor:
    """A tensor that has values, and no more dimensions than these; lists and arrays become one."""
    tensor = data if isinstance(data, torch.Tensor) else _tensor(data, name)
    if tensor.is_meta:
        raise InputError(
            f"{name} is on the device 'meta', which holds no values; give tensors of the CPU or of a GPU",
            f"{name} 在没有数值的设备 'meta' 上；请给出 CPU 或 GPU 上的张量",
        )
    if tensor.ndim == 1:
        return tensor
    if tensor.ndim == 0 or tensor.shape[1:].numel() == 1:
        return tensor.reshape(-1)
    if tensor.ndim > dimensions:
        shape = " × ".join(map(str, tensor.shape))
        needed = Text("", "") if dimensions == 1 else Text(", or a line of probabilities", "，或一行概率")
        raise InputError(
            f"{name} has the shape {shape}; give one value a row{needed.en}: reshape or flatten it before update()",
            f"{name} 的形状为 {shape}；请每行给一个值{needed.zh}：在 update() 之前改变形状或展平",
        )
    return tensor


def _tensor(data: Any, name: str) -> torch.Tensor:
    try:
        return torch.as_tensor(data)
    except (TypeError, ValueError, RuntimeError):
        raise InputError(
            f"{name} does not become a tensor: tensors hold numbers, a row each; instead of strings give whole numbers, the same for an id in every batch",
            f"{name} 无法成为张量：张量只含数字，每行一个；请用整数代替字符串，同一编号在各批中用同一个整数",
        ) from None
