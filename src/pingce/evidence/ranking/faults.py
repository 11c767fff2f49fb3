"""What is said of rows that no list can have, or that a policy does not let pass."""

from __future__ import annotations

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.inputs import Rows


def too_long(rows: Rows, row: int) -> InputError:
    """A query with more rows than a rank can count."""
    place = rows.describe(row)
    return InputError(
        f"{place.en}: this query has more than 2,147,483,647 rows, which one list cannot rank",
        f"{place.zh}：该查询超过 2,147,483,647 行，无法排入一个列表",
    )


def not_a_number(rows: Rows, row: int, count: int) -> InputError:
    """The first of so many scores that are not a number."""
    place = rows.describe(row)
    return InputError(
        f"{place.en}: the score is not a number ({count} {_of(rows).en}); correct it, or choose nan=last, first or drop",
        f"{place.zh}：分数不是数字（{_of(rows).zh} {count} 处）；请更正，或选择 nan=last、first、drop",
    )


def repeated(rows: Rows, pair: tuple[int, int], count: int) -> InputError:
    """The first of so many rows that repeat an item, and the row that it repeats."""
    first, again = rows.describe(pair[0]), rows.source.place(pair[1])
    return InputError(
        f"{first.en} stands again at {again.en} ({count} repeated rows {_of(rows).en}); "
        "remove one, or choose duplicates=first, last or best",
        f"{first.zh} 在 {again.zh} 重复出现（{_of(rows).zh} {count} 行重复）；请删除其一，或选择 duplicates=first、last、best",
    )


def _of(rows: Rows) -> Text:
    """Whether a count is of all rows: a stream has more than those that were looked at."""
    return Text("so far", "至此") if rows.source.absolute else Text("in all", "共")
