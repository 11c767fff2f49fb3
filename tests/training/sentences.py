"""An evaluator of sentence-transformers on a tiny model, beside the library's own: `python -m tests.training.sentences` is silent if all agree."""

from __future__ import annotations

from typing import Any

import numpy as np
from sentence_transformers import SentenceTransformer
from sentence_transformers.evaluation import InformationRetrievalEvaluator
from sentence_transformers.models import StaticEmbedding
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

import pingce as pc
from pingce.sentence_transformers import Evaluator

WORDS = [f"w{number}" for number in range(60)]


def tiny_model() -> Any:
    """Vectors of words, and of texts as their means; nothing is downloaded."""
    tokenizer = Tokenizer(WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="w0"))
    tokenizer.pre_tokenizer = Whitespace()
    weights = np.random.default_rng(3).normal(size=(len(WORDS), 16)).astype(np.float32)
    return SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_weights=weights)], device="cpu")


def texts(kind: str, count: int, seed: int) -> dict[str, str]:
    """Texts of random words by id."""
    random = np.random.default_rng(seed)
    return {f"{kind}{number}": " ".join(random.choice(WORDS, 5)) for number in range(count)}


def main() -> None:
    """Compare the values with those of the full list, and with the library's."""
    model, queries, corpus = tiny_model(), texts("q", 20, 1), texts("d", 200, 2)
    random = np.random.default_rng(4)
    qrels = {query: set(random.choice(list(corpus), 6, replace=False).tolist()) for query in queries}
    evaluator = Evaluator(queries, corpus, qrels, ["ndcg(gain=binary)@10", "mrr@10", "recall@100"], name="dev")
    values = evaluator(model)
    assert evaluator.primary_metric == "dev_ndcg(gain=binary)@10"
    assert evaluator.scores is not None
    assert values == {f"dev_{name}": value for name, value in evaluator.scores.items()}
    users, items = (model.encode(list(side.values())) for side in (queries, corpus))
    same = pc.evaluate_factors(
        users, items, qrels, list(evaluator.scores), similarity="cosine", user_ids=list(queries), item_ids=list(corpus)
    )
    assert dict(same) == dict(evaluator.scores)
    own = InformationRetrievalEvaluator(
        queries, corpus, qrels, mrr_at_k=[10], ndcg_at_k=[10], precision_recall_at_k=[100]
    )
    theirs = own(model)
    pairs = {"ndcg@10": "ndcg(gain=binary)@10", "mrr@10": "mrr@10", "recall@100": "recall@100"}
    for name, ours in pairs.items():
        assert abs(theirs[f"cosine_{name}"] - values[f"dev_{ours}"]) < 1e-12, (name, theirs, values)


if __name__ == "__main__":
    main()
