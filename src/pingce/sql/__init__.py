"""Metrics as queries of a database: `pingce.sql.query("gauc", dialect="hive")` is the exact computation, ties included, as text."""

from typing import TYPE_CHECKING

from pingce.base.lazy import importer

if TYPE_CHECKING:
    from pingce.sql.call import query
    from pingce.sql.dialects import DIALECTS
    from pingce.sql.names import Names

__all__ = ["DIALECTS", "Names", "query"]

__getattr__ = importer(__name__, {"query": "call", "DIALECTS": "dialects", "Names": "names"})
