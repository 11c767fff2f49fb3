"""An evaluator of sentence-transformers over the embeddings of a model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sentence_transformers.evaluation import SentenceEvaluator

from pingce.api import evaluate_factors
from pingce.base.errors import InputError
from pingce.request import MetricNames, Request
from pingce.scores.ranking import RankingScores

_SIMILARITIES = {"cosine": "cosine", "dot": "dot", "euclidean": "l2"}
"What sentence-transformers calls the ways to compare vectors."
_NAMES = ("ndcg@10", "mrr@10", "map@100", "recall@100", "precision@10", "hit_rate@10")


class Evaluator(SentenceEvaluator):  # type: ignore[misc]
    """Evaluates retrieval by a model that is trained: all metrics at all cut-offs from the exact ranks of the relevant documents.

    `queries` and `corpus` are dicts from ids to texts, `qrels` says which documents are relevant, in every shape that `pc.evaluate_ranking` takes: ids
    per query, or grades. The first of `metrics` is the one by which the trainer chooses the best model. Vectors are compared as the model says
    (cosine, dot product or Euclidean distance), or by `similarity`; `options` are those of `pc.evaluate_factors`. `evaluator.scores` has the last
    scores, with the value of each query.
    """

    def __init__(
        self,
        queries: Mapping[Any, str],
        corpus: Mapping[Any, str],
        qrels: Any,
        metrics: MetricNames = _NAMES,
        *,
        name: str = "",
        similarity: str | None = None,
        batch_size: int = 32,
        show_progress_bar: bool = False,
        **options: Any,
    ) -> None:
        super().__init__()
        requests = Request.of("ranking", metrics, convention=options.get("convention")).metrics or ()
        self.queries, self.corpus, self.qrels = _texts(queries, "queries"), _texts(corpus, "corpus"), qrels
        self.scores: RankingScores | None = None
        self.name, self.primary_metric = name, requests[0].name
        self.greater_is_better = requests[0].metric.higher_is_better is not False
        self._metrics, self._similarity, self._options = [request.name for request in requests], similarity, options
        self._encoding = {"batch_size": batch_size, "show_progress_bar": show_progress_bar, "convert_to_numpy": True}

    def __call__(
        self, model: Any, output_path: str | None = None, epoch: int = -1, steps: int = -1
    ) -> dict[str, float]:
        """The value of each metric, under its name and that of the evaluator."""
        queries, corpus = (
            getattr(model, f"encode_{kind}", model.encode)(list(texts.values()), **self._encoding)
            for kind, texts in (("query", self.queries), ("document", self.corpus))
        )
        self.scores = evaluate_factors(
            queries,
            corpus,
            self.qrels,
            self._metrics,
            similarity=self._similarity or _similarity_of(model),
            user_ids=list(self.queries),
            item_ids=list(self.corpus),
            **self._options,
        )
        values: dict[str, float] = self.prefix_name_to_metrics(dict(self.scores), self.name)
        self.store_metrics_in_model_card_data(model, values, epoch, steps)
        return values


def _similarity_of(model: Any) -> str:
    """How the model compares vectors."""
    name = str(getattr(model, "similarity_fn_name", None) or "cosine")
    if name not in _SIMILARITIES:
        raise InputError(
            f"the model compares vectors by {name}, which pingce does not; say similarity='cosine', 'dot' or 'l2'",
            f"该模型用 {name} 比较向量，pingce 不支持；请指定 similarity='cosine'、'dot' 或 'l2'",
        )
    return _SIMILARITIES[name]


def _texts(texts: Any, keyword: str) -> dict[Any, str]:
    if not isinstance(texts, Mapping) or not texts:
        raise InputError(
            f"{keyword} is {type(texts).__name__} without texts; give a dict from ids to texts",
            f"{keyword} 的类型是 {type(texts).__name__}，没有文本；请给出从编号到文本的字典",
        )
    return dict(texts)
