"""Names that people give to the columns of rankings and of predictions."""

from __future__ import annotations

from collections.abc import Sequence

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


_ASKED: dict[Role, tuple[Text, str, Text, tuple[str, ...]]] = {
    "run": (
        Text("score", "分数"),
        "rank=order",
        Text("its rows are in order, best first", "各行已从好到差排列"),
        GRADE,
    ),
    "truth": (
        Text("grade", "等级"),
        "grade=none",
        Text("every row is relevant alike", "各行同样相关"),
        (*RANK, *SCORE),
    ),
}
"The number of a table, what to say where it has none, what that means, and names that the table of the other side has."


def refuse_unknown(role: Role, numbers: Sequence[str], where: Text) -> None:
    """Ask for the grades or scores where a column may hold them; times and ids of other things are no grades."""
    candidates = [name for name in numbers if role == "run" or not _is_time_or_id(name)]
    if role not in _ASKED or not candidates:
        return
    (part, none, when, others), first = _ASKED[role], candidates[0]
    names = Text(*(word.join(f"'{name}'" for name in candidates[:_FEW]) for word in (" or ", " 或 ")))
    key, _, word = none.partition("=")
    swapped = Text("; or are truth and run swapped? The truth comes first", "；真值与预测是否颠倒？应先给真值")
    swapped = swapped if match(candidates, others) is not None else Text("", "")
    raise InputError(
        f"{where.en} has no column that is known to hold {part.en}s: is {names.en} the {part.en}? say "
        f"columns={{'{part.en}': '{first}'}} (--columns {part.en}={first}), or columns={{'{key}': '{word}'}} (--columns {none}) if "
        f"{when.en}{swapped.en}",
        f"{where.zh} 没有已知的{part.zh}列：{names.zh} 是{part.zh}吗？请用 columns={{'{part.en}': '{first}'}}（--columns {part.en}={first}）指明；"
        f"若{when.zh}，请用 columns={{'{key}': '{word}'}}（--columns {none}）{swapped.zh}",
    )


_TIMES, _PLACES = ("time", "date", "day", "hour", "month", "year", "week"), ("ts", "index", "level_0", "row", "fold")


def _is_time_or_id(name: str) -> bool:
    """Whether a column is named as a time, an id, or an index that a data frame left behind."""
    plain = name.split(":", maxsplit=1)[0].strip().lower()
    words = plain.replace("-", "_").split("_")
    temporal = any(word in plain for word in _TIMES) or plain in _PLACES or {"id", "ts", "at", "idx"} & {*words}
    return bool(temporal) or plain.endswith("id") or plain.startswith(("unnamed", "__index"))
