"""Names that people give to the columns of rankings and of predictions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.inputs.columns import Role

QUERY = ("query_id", "qid", "query", "user_id", "user", "uid", "userID", "q_id", "query-id")
ITEM = ("doc_id", "docno", "docid", "item_id", "item", "iid", "itemID", "corpus-id", "pid")
LABEL = ("label", "click", "clicked", "is_click", "y_true", "y", "target", "ground_truth", "true")
GRADE = ("relevance", "rel", "label", "grade", "rating", "relevant", "is_relevant", *LABEL[1:], "weight", "score")
_PROBABILITY = ("pctr", "prob", "probability", "y_score", "p_ctr", "pred_score")
PREDICTED_SCORE = ("score", *_PROBABILITY, "prediction", "pred", "p", "logit", "logits")
PREDICTED_VALUE = ("pred", "prediction", "predicted", "y_pred", "yhat", "y_hat")
"Of tables of predictions: labels, scores, and classes or numbers."
SCORE = tuple(dict.fromkeys(("score", "prediction", *PREDICTED_SCORE, *PREDICTED_VALUE, "rating")))
RANK = ("rank",)
GIVEN_ORDER = "order"
"Said instead of the column of ranks: the rows of a query are in their order."
NO_GRADE = "none"
"Said instead of the column of grades: every row is relevant alike."
WEIGHT = ("weight", "query_weight", "w")

KNOWN: dict[Role, dict[str, tuple[str, ...]]] = {
    "truth": {"query": QUERY, "item": ITEM, "grade": GRADE},
    "run": {"query": QUERY, "item": ITEM, "score": SCORE, "rank": RANK},
    "exclude": {"query": QUERY, "item": ITEM},
    "weights": {"query": QUERY, "weight": WEIGHT},
}


def match(present: Sequence[str], names: Sequence[str]) -> str | None:
    """The first known name that is present; RecBole's `user_id:token` counts as `user_id`."""
    plain = {column.split(":")[0].strip().lower(): column for column in reversed(present)}
    for name in names:
        if name in present:
            return name
        if name.lower() in plain:
            return plain[name.lower()]
    return None


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
