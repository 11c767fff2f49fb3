"""The names of tables and columns."""

from __future__ import annotations

from pingce.base.records import dataclass


@dataclass(frozen=True, kw_only=True)
class Names:
    """Tables and columns as the database calls them; a dot separates a schema from its table."""

    table: str = "predictions"
    "Of predictions."
    label: str = "label"
    score: str = "score"
    group: str = "user_id"
    true: str = "y_true"
    pred: str = "y_pred"
    qrels: str = "qrels"
    run: str = "run"
    query: str = "query_id"
    item: str = "doc_id"
    grade: str = "relevance"
