"""Documents as Python holds them: JSON, and TOML from the standard library or from its twin where Python is 3.10."""

from __future__ import annotations

import sys
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]
"An object of a document: plain keys, plain values."


def load_toml(text: str) -> Json:
    """A TOML document as plain Python."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    table: Json = tomllib.loads(text)
    return table
