"""Names that people give to the columns of rankings and of predictions."""

from __future__ import annotations

from collections.abc import Sequence

from pingce.inputs.columns import Role

QUERY = ("query_id", "qid", "query", "user_id", "user", "uid", "userID", "q_id", "query-id")
ITEM = ("doc_id", "docno", "docid", "item_id", "item", "iid", "itemID", "corpus-id", "pid")
LABEL = ("label", "click", "clicked", "is_click", "y_true", "y", "target", "ground_truth", "true")
GRADE = ("relevance", "rel", "label", "grade", "rating", "relevant", "is_relevant", *LABEL[1:], "weight", "score")
PREDICTED_SCORE = (
    "score",
    "pctr",
    "prob",
    "probability",
    "y_score",
    "p_ctr",
    "pred_score",
    "prediction",
    "pred",
    "p",
    "logit",
    "logits",
)
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


def match(present: Sequence[str], known: Sequence[str]) -> str | None:
    """The first known name that is present; RecBole's `user_id:token` counts as `user_id`."""
    plain = {column.split(":")[0].strip().lower(): column for column in reversed(present)}
    for name in known:
        if name in present:
            return name
        if name.lower() in plain:
            return plain[name.lower()]
    return None
