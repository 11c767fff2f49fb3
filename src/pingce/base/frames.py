"""Results that are tables: as an Arrow table, a pandas frame or a polars frame."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from pingce.base.lazy import pa

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


class Frames(ABC):
    """What a result offers once it has an Arrow table."""

    @abstractmethod
    def to_arrow(self) -> pa.Table:
        """The table."""

    def to_pandas(self) -> pd.DataFrame:
        """The same as a pandas frame."""
        return self.to_arrow().to_pandas()

    def to_polars(self) -> pl.DataFrame:
        """The same as a polars frame."""
        import polars as pl

        return pl.DataFrame(self.to_arrow())


class ArrowColumns(Frames):
    """A result with a `table` that other libraries may read by themselves."""

    table: Any

    @property
    def column_names(self) -> list[str]:
        """The columns of the table."""
        names: list[str] = self.table.column_names
        return names

    def to_arrow(self) -> pa.Table:
        """The table."""
        return self.table

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return self.table.__arrow_c_stream__(requested_schema)
