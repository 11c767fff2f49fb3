"""Ids of the truth and of the run must mean the same things: made comparable where that is safe, refused where not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pingce.errors import InputError
from pingce.inputs.columns import Rows, kind_of, with_notes
from pingce.inputs.ids import Ids, IntIds, integers_or_none
from pingce.language import Text

if TYPE_CHECKING:
    from pingce.evidence.ranking import RankingEvidence

_SAMPLE = 1000


def comparable_ids(truth: Rows, run: Rows) -> tuple[Rows, Rows]:
    """Both sides with ids of one kind. Ids of text files are read as integers where the other side's are integers."""
    for part in ("query", "item"):
        ours, theirs = getattr(truth, part), getattr(run, part)
        if ours.integers == theirs.integers:
            continue
        if theirs.integers and truth.source.untyped_ids:
            truth = _as_integers(truth, part)
        elif ours.integers and run.source.untyped_ids:
            run = _as_integers(run, part)
        if getattr(truth, part).integers != getattr(run, part).integers:
            raise _no_overlap(part, getattr(truth, part), getattr(run, part))
    return truth, run


def _as_integers(rows: Rows, part: str) -> Rows:
    numbers = integers_or_none(getattr(rows, part).plain())
    if numbers is None:
        return rows
    name = rows.source.name
    note = Text(
        f"{name.en}: {part} ids read as integers, as on the other side",
        f"{name.zh}:{part} 编号按整数读取，与另一方一致",
    )
    changed = replace(rows, query=numbers) if part == "query" else replace(rows, item=numbers)
    return with_notes(changed, note)


def refuse_no_overlap(truth: Rows, run: Rows, evidence: RankingEvidence) -> None:
    """Truth and run without a query in common cannot be what the caller meant."""
    if not evidence.answered.any():
        raise _no_overlap("query", truth.query, run.query)


def no_item_in_common(truth: Rows, run: Rows, evidence: RankingEvidence) -> tuple[Text, ...]:
    """What to say where queries are shared, but not one judged item was returned: a bad model, or ids that differ."""
    if len(evidence.grade):
        return ()
    cause = _cause("item", truth.item, run.item)
    return (
        Text(
            f"no judged item was returned for any query: truth has items {_three(truth.item)}, the run has "
            f"{_three(run.item)}{cause.en}",
            f"没有任何查询返回了已标注的条目：真值的条目如 {_three(truth.item)}，预测的条目如 {_three(run.item)}{cause.zh}",
        ),
    )


def _no_overlap(part: str, ours: Ids, theirs: Ids) -> InputError:
    cause = _cause(part, ours, theirs)
    name = Text(part, "查询" if part == "query" else "条目")
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


def _cause(part: str, ours: Ids, theirs: Ids) -> Text:
    """The likely reason, as a closing clause."""
    if ours.integers != theirs.integers:
        a, b = kind_of(ours), kind_of(theirs)
        return Text(
            f"; {part} ids are {a.en} in the truth and {b.en} in the run: convert one side",
            f"；真值的编号是{a.zh}，预测的编号是{b.zh}：请统一类型",
        )
    left, right = {str(value) for value in _distinct(ours)}, {str(value) for value in _distinct(theirs)}
    if {value.strip().lower() for value in left} & {value.strip().lower() for value in right}:
        return Text("; they differ only in case or white space", "；两者仅大小写或空白不同")
    if ({_tail(value) for value in left} & {_tail(value) for value in right}) - {""}:
        return Text("; they look alike apart from a prefix or leading zeros", "；去掉前缀或前导零后两者相同")
    return Text(
        "; are these files of the same data set, and in the order truth, run?",
        "；两个文件是否属于同一数据集，且顺序为真值、预测？",
    )


def _tail(value: str) -> str:
    return value.lstrip("0123456789_-:/.") if not value[-1:].isdigit() else _digits_at_end(value).lstrip("0")


def _digits_at_end(value: str) -> str:
    return value[len(value.rstrip("0123456789")) :]
