"""Evidence as Arrow tables: what kind it is and which version, written beside the columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pingce.base.errors import InputError
from pingce.base.lazy import pa

_KIND, _VERSION = b"pingce.evidence", b"pingce.version"


def stamped(columns: Mapping[str, Any], kind: str, version: str, **more: str) -> pa.Table:
    """A table that says what it is."""
    metadata = {_KIND: kind.encode(), _VERSION: version.encode()} | {
        f"pingce.{name}".encode(): text.encode() for name, text in more.items()
    }
    return pa.table(dict(columns)).replace_schema_metadata(metadata)


def checked_table(table: pa.Table, kind: str, version: str) -> dict[str, str]:
    """Refuse a table that is something else; what was written beside its columns."""
    metadata = table.schema.metadata or {}
    if metadata.get(_KIND) != kind.encode() or metadata.get(_VERSION) != version.encode():
        raise InputError(
            f"this table is not {kind} evidence of version {version}; write it with its to_arrow",
            f"此表不是版本 {version} 的 {kind} 证据；请用其 to_arrow 写出",
        )
    return {key.decode().removeprefix("pingce."): value.decode() for key, value in metadata.items()}
