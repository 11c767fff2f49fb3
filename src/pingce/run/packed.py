"""The state of an evaluator as bytes: an Arrow IPC stream with its settings, its version and a table a piece. No pickle.

A digest stands behind the stream: Arrow may crash on damaged bytes, which must not come so far.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

from pingce import __version__
from pingce.base.errors import InputError
from pingce.base.json import Json
from pingce.base.lazy import pa
from pingce.base.records import dataclass

FORMAT = "1"
_DIGEST = 16
MOST_SAMPLES = 10_000_000
"That a state may ask for: more would never end."
_TASK, _FORMAT, _VERSION, _SETTINGS = (
    f"pingce.{name}".encode() for name in ("evaluator", "format", "version", "settings")
)


@dataclass(frozen=True)
class Packed:
    """What the bytes of an evaluator hold."""

    task: str
    version: str
    "Of the pingce that wrote them."
    settings: Json
    "How the evaluator was made: plain JSON."
    tables: dict[str, pa.Table]
    "What it has seen, by name; metadata of each table is kept."


def pack(task: str, settings: Json, tables: Mapping[str, pa.Table]) -> bytes:
    """The bytes of an evaluator."""
    metadata = {
        _TASK: task.encode(),
        _FORMAT: FORMAT.encode(),
        _VERSION: __version__.encode(),
        _SETTINGS: json.dumps(settings, sort_keys=True, ensure_ascii=False, default=_plain).encode(),
    }
    content = pa.table(
        {
            "name": pa.array(list(tables), pa.string()),
            "content": pa.array([bytes(table_to_stream(table)) for table in tables.values()], pa.large_binary()),
        }
    ).replace_schema_metadata(metadata)
    stream = table_to_stream(content)
    return b"".join((stream, _digest(stream)))


def _plain(value: Any) -> Any:
    """The number that a NumPy scalar holds; what JSON cannot hold is refused."""
    if hasattr(value, "item"):
        return value.item()
    raise InputError(
        f"a setting of this evaluator is {value!r} ({type(value).__name__}), which cannot be written; give a plain number, text or list",
        f"该评测器的一项设置为 {value!r}（{type(value).__name__}），无法写出；请用普通的数、字符串或列表",
    )


def table_to_stream(table: pa.Table) -> pa.Buffer:
    """A table as an Arrow IPC stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def _digest(stream: Any) -> bytes:
    return blake2b(stream, digest_size=_DIGEST).digest()


def table_from_stream(stream: Any) -> pa.Table:
    """The table that `table_to_stream` wrote."""
    table = pa.ipc.open_stream(pa.py_buffer(stream)).read_all()
    table.validate(full=True)  # its offsets come from outside
    return table


def checked_settings(settings: Any) -> Any:
    """The settings of a state, each of the kind that it has wherever it occurs."""
    from pingce.evidence.soundness import WHOLE, Condition, checked_value

    metric = {"name": str, "metric": str, "policies": {str: (str, float)}}
    few = Condition(lambda count: type(count) is int and 0 < count <= MOST_SAMPLES)
    forms = {
        "metrics": (None, [metric]),
        "policies": {str: (str, float)},
        "samples": few,
        "seed": WHOLE,
        "min_n": WHOLE,
        "ci": (None, float),
        "confidence": float,
        "bins": (None, WHOLE),
        "threads": (None, few),
        "gather": [str],
        "is_far": bool,
        "sliced": bool,
        "window": (None, WHOLE),
        "positive": (None, str, bool, float),
        "labels": (None, [str], [int], [bool]),
        "convention": (None, str),
        "given": (None, {str: (None, str, bool, float)}),
    }
    return checked_value(settings, {name: form for name, form in forms.items() if name in settings}, "settings")


def no_state() -> InputError:
    """What to say of bytes that are something else."""
    return InputError(
        "these bytes are not the state of an evaluator, or they are damaged; give what to_bytes() returned",
        "这些字节不是评测器的状态，或已损坏；请给出 to_bytes() 的返回值",
    )


EARLIER = ("0.1.0",)
"Versions whose states are read too; tests/evaluators/test_old_states.py holds it."


def unpack(data: bytes) -> Packed:
    """What `pack` wrote, in this version or one of the earlier ones that are read; anything else is refused."""
    try:
        stream, digest = memoryview(data)[:-_DIGEST], memoryview(data)[-_DIGEST:]
        if _digest(stream) != digest:
            raise ValueError("damaged")
        content = table_from_stream(stream)
        metadata = content.schema.metadata or {}
        pieces = zip(*(content.column(name).to_pylist() for name in ("name", "content")), strict=True)
        tables = {name: table_from_stream(piece) for name, piece in pieces}
        packed = Packed(metadata[_TASK].decode(), metadata[_VERSION].decode(), json.loads(metadata[_SETTINGS]), tables)
    except (pa.ArrowException, KeyError, ValueError, TypeError, OSError) as problem:
        raise no_state() from problem
    if metadata[_FORMAT].decode() != FORMAT or packed.version not in (*EARLIER, __version__):
        raise InputError(
            f"this state was written by pingce {packed.version}, and this is pingce {__version__}; use one version everywhere",
            f"该状态由 pingce {packed.version} 写出，而当前为 pingce {__version__}；请各处使用同一版本",
        )
    return packed
