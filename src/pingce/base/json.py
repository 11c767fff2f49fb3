"""JSON as Python holds it."""

from __future__ import annotations

from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]
"An object of a document: plain keys, plain values."
