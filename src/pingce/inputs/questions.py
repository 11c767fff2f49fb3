"""What a table without a known column of scores or grades is asked, while it has another column of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.inputs.columns import Role
from pingce.inputs.vocabulary import GRADE, RANK, SCORE, match

_FEW = 5
"Columns that a question names."


def _refuse_unknown_score(candidates: Sequence[str], where: Text) -> None:
    if not candidates:
        return
    names, first = _either(candidates), candidates[0]
    swapped = _swapped(candidates, GRADE)
    raise InputError(
        f"{where.en} has no column that is known to hold scores: is {names.en} the score? say columns={{'score': '{first}'}} "
        f"(--columns score={first}), or columns={{'rank': 'order'}} (--columns rank=order) if its rows are in order, best first"
        f"{swapped.en}",
        f"{where.zh} 没有已知的分数列：{names.zh} 是分数吗？请用 columns={{'score': '{first}'}}（--columns score={first}）指明；"
        f"若各行已从好到差排列，请用 columns={{'rank': 'order'}}（--columns rank=order）{swapped.zh}",
    )


def _refuse_unknown_grade(numbers: Sequence[str], where: Text) -> None:
    """Ask for the grades where a column may hold them; times and ids of other things do not."""
    candidates = [name for name in numbers if not _is_time_or_id(name)]
    if not candidates:
        return
    names, first = _either(candidates), candidates[0]
    swapped = _swapped(candidates, (*RANK, *SCORE))
    raise InputError(
        f"{where.en} has no column that is known to hold grades: is {names.en} the grade? say columns={{'grade': '{first}'}} "
        f"(--columns grade={first}), or columns={{'grade': 'none'}} (--columns grade=none) if every row is relevant alike{swapped.en}",
        f"{where.zh} 没有已知的等级列：{names.zh} 是等级吗？请用 columns={{'grade': '{first}'}}（--columns grade={first}）指明；"
        f"若各行同样相关，请用 columns={{'grade': 'none'}}（--columns grade=none）{swapped.zh}",
    )


def _either(names: Sequence[str]) -> Text:
    return Text(*(word.join(f"'{name}'" for name in names[:_FEW]) for word in (" or ", " 或 ")))


def _swapped(names: Sequence[str], others: Sequence[str]) -> Text:
    """A closing clause where a column has a name that the table of the other side usually has."""
    if match(names, others) is None:
        return Text("", "")
    return Text("; or are truth and run swapped? The truth comes first", "；真值与预测是否颠倒？应先给真值")


UNKNOWN: dict[Role, Callable[[Sequence[str], Text], None]] = {
    "run": _refuse_unknown_score,
    "truth": _refuse_unknown_grade,
}
_TIMES, _PLACES = ("time", "date", "day", "hour", "month", "year", "week"), ("ts", "index", "level_0", "row", "fold")


def _is_time_or_id(name: str) -> bool:
    """Whether a column is named as a time, an id, or an index that a data frame left behind."""
    plain = name.split(":", maxsplit=1)[0].strip().lower()
    words = plain.replace("-", "_").split("_")
    temporal = any(word in plain for word in _TIMES) or plain in _PLACES or {"id", "ts", "at", "idx"} & {*words}
    return bool(temporal) or plain.endswith("id") or plain.startswith(("unnamed", "__index"))
