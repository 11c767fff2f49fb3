"""TOML from the standard library, or from its twin where Python is 3.10."""

from __future__ import annotations

import sys

from pingce.base.json import Json


def loads(text: str) -> Json:
    """A TOML document as plain Python."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    table: Json = tomllib.loads(text)
    return table
