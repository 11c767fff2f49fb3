"""Ids of the truth and of the run must mean the same things: made comparable where that is safe, refused where not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pingce.base.errors import InputError
from pingce.base.exact import Places
from pingce.base.text import Text
from pingce.evidence.ranking.cautions import other_places
from pingce.evidence.ranking.fact_sums import Facts
from pingce.inputs.columns import ROLE_NAMES, Role, Rows, kind_of, with_notes
from pingce.inputs.ids import Ids, IntIds, StringIds, concatenate, integers_or_none
from pingce.inputs.indices import SEVERAL, by_index

_SAMPLE = 1000
_MOST_ROWS = 2**32 - 2
"Queries are numbered with 32 bits, and each row may be a query of its own."


def refuse_too_many(rows: Rows) -> None:
    """To be asked before anything is read: only the length is looked at."""
    if len(rows) > _MOST_ROWS:
        raise InputError(
            f"{rows.source.name.en} has {len(rows)} rows, more than the {_MOST_ROWS} that one call can take; "
            "split it by query and merge the evidence",
            f"{rows.source.name.zh} 有 {len(rows)} 行，超过一次调用的上限 {_MOST_ROWS}；请按查询拆分，再合并证据",
        )


def comparable_ids(truth: Rows, run: Rows) -> tuple[Rows, Rows]:
    """Both sides with ids of one kind. Ids of text files are read as integers where the other side's are integers."""
    refuse_too_many(truth)
    refuse_too_many(run)
    refuse_other_shape(truth, run)
    if SEVERAL in (truth.source.index, run.source.index):
        truth, run = by_index(truth), by_index(run)
    for part in ("query", "item"):
        ours, theirs = getattr(truth, part), getattr(run, part)
        if ours.integers == theirs.integers:
            continue
        if theirs.integers and truth.source.untyped_ids:
            truth = _as_integers(truth, part)
        elif ours.integers and run.source.untyped_ids:
            run = _as_integers(run, part)
        if getattr(truth, part).integers != getattr(run, part).integers:
            raise _no_overlap(part, truth, run)
    return truth, run


def refuse_other_shape(truth: Rows, run: Rows) -> None:
    """Rows that are counted and not named belong together only if both sides count the same."""
    for rows, other in ((truth, run), (run, truth)):
        if rows.count is None:
            continue
        if other.count is None:
            _refuse_other_places(rows, other)
        elif other.count != rows.count:
            raise _other_length(truth, run)
    if truth.width is not None and run.width is not None and truth.width != run.width:
        raise _other_width(truth, run)
    for rows, other in ((truth, run), (run, truth)):
        if rows.width is not None and other.width is None:
            _refuse_beyond(rows.width, rows, other)


def _refuse_other_places(by_place: Rows, named: Rows) -> None:
    """Ids beside rows that are counted from 0 are such numbers; that all of them occur is seen when all rows are."""
    queries: Ids | None = named.query.plain()
    if isinstance(queries, StringIds):
        queries = integers_or_none(queries) if named.source.untyped_ids else None
    if not isinstance(queries, IntIds):
        raise other_places(by_place, named, Text(f"queries {_three(named.query)}", f"查询 {_three(named.query)}"))
    ids = queries.comparable()
    beyond = ids[(ids < 0) | (ids >= (by_place.count or 0))]
    if len(beyond):
        raise other_places(by_place, named, Text(f"query {beyond[0]}", f"查询 {beyond[0]}"))


def _other_length(ours: Rows, theirs: Rows) -> InputError:
    lengths = [rows.count or 0 for rows in (ours, theirs)]
    return InputError(
        f"{ours.source.name.en} has {lengths[0]} rows and {theirs.source.name.en} has {lengths[1]}, "
        "but rows are matched by position; give as many, or name the queries: (ids, matrix), a dict or a table",
        f"{ours.source.name.zh} 有 {lengths[0]} 行，{theirs.source.name.zh} 有 {lengths[1]} 行，而两者按位置对应；"
        "请使行数一致，或指明查询：（编号，矩阵）、字典或表",
    )


def _other_width(ours: Rows, theirs: Rows) -> InputError:
    widths = [rows.width for rows in (ours, theirs)]
    return InputError(
        f"{ours.source.name.en} has {widths[0]} columns and {theirs.source.name.en} has {widths[1]}, but a column is an item",
        f"{ours.source.name.zh} 有 {widths[0]} 列，{theirs.source.name.zh} 有 {widths[1]} 列，而每列是一个条目",
    )


def _refuse_beyond(columns: int, matrix: Rows, listed: Rows) -> None:
    """Ids beside a matrix are numbers of its columns: a larger one shows that the matrix holds ids too, or another catalogue."""
    largest = int(listed.item.plain().comparable().max()) if listed.item.integers else -1
    if largest >= columns:
        raise InputError(
            f"{listed.source.name.en} has item {largest}, but {matrix.source.name.en} has only {columns} columns, one an item; "
            "say which item each column is with items=[…], or, where it holds ids and not numbers, give it as a list of lists",
            f"{listed.source.name.zh} 含条目 {largest}，而 {matrix.source.name.zh} 只有 {columns} 列（每列一个条目）；"
            "请用 items=[…] 指明每列是哪个条目；若其中是编号而不是数值，请用列表的列表",
        )


def refuse_unplaced(rows: Rows, truth: Rows, run: Rows) -> None:
    """What is given by position needs queries that are known by their position."""
    by_place = truth if truth.count is not None else run
    if rows.count is None:  # names of queries that are known by their place are numbers below their count
        numbers = rows.query.plain().comparable() if by_place.count is not None and rows.query.integers else np.zeros(0)
        beyond = np.flatnonzero(numbers >= (by_place.count or 0))
        if len(beyond):
            row = rows.describe(int(beyond[0]))
            raise InputError(
                f"{row.en}: there are only {by_place.count} queries, known by their place; tuples are pairs (query, item), "
                "a list a query is written as lists",
                f"{row.zh}：只有 {by_place.count} 个查询，按位置识别；元组表示（查询，条目）对，每个查询一组请用列表",
            )
        return
    if by_place.count is None:
        raise InputError(
            f"{rows.source.name.en} is given by position, but queries have names; name them: a dict, a table, "
            "or tuples (query, item)",
            f"{rows.source.name.zh} 按位置给出，而查询有名称；请指明查询：字典、表，或元组（查询，条目）",
        )
    if by_place.count != rows.count:
        raise _other_length(by_place, rows)
    matrix = next((table for table in (truth, run) if table.width is not None), None)
    if rows.width is not None and matrix is not None and matrix.width != rows.width:
        raise _other_width(matrix, rows)


def named_alike(rows: Rows, part: str, like: Ids, *, untyped: bool, side: Role = "truth") -> Ids:
    """The query or item ids of rows as ids of the kind that `like` has, where one of the two came from a text file.

    `side` is what the others are ids of.
    """
    refuse_too_many(rows)
    ids: Ids = getattr(rows, part)
    if ids.integers == like.integers:
        return ids
    renamed: Ids | None = None
    if ids.integers and untyped:
        renamed = StringIds.from_bytes(ids.plain().comparable().astype("S").tolist())
    elif rows.source.untyped_ids:
        plain = ids.plain()
        renamed = integers_or_none(plain) if isinstance(plain, StringIds) else None
    if renamed is None:
        name, ours, theirs = rows.source.name, kind_of(ids), kind_of(like)
        raise InputError(
            f"{name.en}: {part} ids are {ours.en}, but {theirs.en} in the {ROLE_NAMES[side].en}; convert one side",
            f"{name.zh}：{part} 编号是{ours.zh}，而{ROLE_NAMES[side].zh}的是{theirs.zh}；请统一类型",
        )
    return renamed


def match_queries(rows: Rows, queries: Ids, *, untyped: bool) -> tuple[Places, Places]:
    """The first row of each query, -1 where it has none; and of each row the first one with its query."""
    both = concatenate([queries, named_alike(rows, "query", queries, untyped=untyped)]).comparable()
    code = np.unique(both, return_inverse=True)[1].reshape(-1)
    ours, theirs = code[: len(queries)], code[len(queries) :]
    place = np.full(int(code.max()) + 1, -1, np.intp)
    place[theirs[::-1]] = np.arange(len(theirs))[::-1]
    return place[ours], place[theirs]


def _as_integers(rows: Rows, part: str) -> Rows:
    numbers = integers_or_none(getattr(rows, part).plain())
    if numbers is None:
        return rows
    name = rows.source.name
    note = Text(
        f"{name.en}: {part} ids read as integers, as on the other side",
        f"{name.zh}：{part} 编号按整数读取，与另一方一致",
    )
    changed = replace(rows, query=numbers) if part == "query" else replace(rows, item=numbers)
    return with_notes(changed, note)


def refuse_no_overlap(truth: Rows, run: Rows, answered: int) -> None:
    """Truth and run without a query in common cannot be what the caller meant."""
    if not answered:
        raise _no_overlap("query", truth, run)


def no_item_in_common(truth: Rows, run: Rows, queries: Facts) -> tuple[Text, ...]:
    """What to say where queries are shared, but not one judged item was returned: a bad model, or ids that differ."""
    if queries.total("hits"):
        return ()
    excluded = queries.total("excluded")
    cause = _cause("item", truth.item, run.item)
    if excluded:
        cause = Text(f"; {excluded} rows were excluded before", f"；此前已排除 {excluded} 行")
    return (
        Text(
            f"no judged item was returned for any query: truth has items {_three(truth.item)}, the run has "
            f"{_three(run.item)}{cause.en}",
            f"没有任何查询返回了已标注的条目：真值的条目如 {_three(truth.item)}，预测的条目如 {_three(run.item)}{cause.zh}",
        ),
    )


def _no_overlap(part: str, truth: Rows, run: Rows) -> InputError:
    ours, theirs = getattr(truth, part), getattr(run, part)
    cause = _cause(part, ours, theirs)
    if part == "item" and (truth.width is None) != (run.width is None):
        cause = Text(
            "; the columns of a matrix are numbered: say which item each column is with items=[…]",
            "；矩阵的列只有序号：请用 items=[…] 指明每列是哪个条目",
        )
    name = Text(part, _PARTS[part])
    return InputError(
        f"truth and run have no {name.en} in common: truth has {_three(ours)}, the run has {_three(theirs)}{cause.en}",
        f"真值与预测没有共同的{name.zh}：真值如 {_three(ours)}，预测如 {_three(theirs)}{cause.zh}",
    )


def _three(ids: Ids) -> str:
    return ", ".join(str(value) if isinstance(value, int) else f"'{value}'" for value in _distinct(ids)[:3])


def _distinct(ids: Ids) -> list[int | str]:
    """Some ids in order of appearance, readable whatever their encoding."""
    some = ids.take(np.arange(min(len(ids), _SAMPLE)))
    if isinstance(some, IntIds):
        return list(dict.fromkeys(some.to_list()))
    return list(dict.fromkeys(piece.decode("utf-8", "backslashreplace") for piece in some.to_bytes()))


_PARTS = {"query": "查询", "item": "条目"}


def _cause(part: str, ours: Ids, theirs: Ids) -> Text:
    """The likely reason, as a closing clause."""
    if ours.integers != theirs.integers:
        a, b = kind_of(ours), kind_of(theirs)
        return Text(
            f"; {part} ids are {a.en} in the truth and {b.en} in the run: convert one side",
            f"；真值的编号是{a.zh}，预测的编号是{b.zh}：请统一类型",
        )
    left, right = ({str(value) for value in _distinct(ids)} for ids in (ours, theirs))
    if left & right:
        return Text(
            f"; the same {part}s occur on both sides, but never for the same query: the run finds nothing, or its queries are others",
            f"；两边有相同的{_PARTS[part]}，但从不属于同一查询：预测一无所获，或两边的查询编号含义不同",
        )
    if {value.strip().lower() for value in left} & {value.strip().lower() for value in right}:
        return Text("; they differ only in case or white space", "；两者仅大小写或空白不同")
    if ({_tail(value) for value in left} & {_tail(value) for value in right}) - {""}:
        return Text("; they look alike apart from a prefix or leading zeros", "；去掉前缀或前导零后两者相同")
    return Text(
        "; are these files of the same data set, and in the order truth, run?",
        "；两个文件是否属于同一数据集，且顺序为真值、预测？",
    )


def _tail(value: str) -> str:
    digits = value[len(value.rstrip("0123456789")) :]
    return digits.lstrip("0") if digits else value.lstrip("0123456789_-:/.")
