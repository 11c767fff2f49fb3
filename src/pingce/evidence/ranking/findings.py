"""What is found in the rows of rankings, by the core or by the reference."""

from __future__ import annotations

from typing import Any, NamedTuple

from numpy.typing import NDArray

Columns = dict[str, NDArray[Any]]


class Faults(NamedTuple):
    """The first rows that lists cannot have, or that a policy may not let pass; None where there are none."""

    nan_row: int | None = None
    long_query: int | None = None
    truth_duplicate: tuple[int, int] | None = None
    "A row, and the one that repeats it."
    run_duplicate: tuple[int, int] | None = None


class Findings(NamedTuple):
    """What the core or the reference finds in rows."""

    columns: Columns
    faults: Faults
    heads: Columns | None = None
    "The places of lists, where they were found on the way."
