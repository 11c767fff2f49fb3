"""Ask TensorFlow Ranking about every case: it knows only the rows it is given, so that no other item is judged.

Its package imports estimators, which TensorFlow no longer has; its metrics do not need them, and are imported alone.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from types import ModuleType

import tensorflow as tf
from peer_files import Answers, Case, read_cases
from recommended import CUTS, best_first

FOLDER = find_spec("tensorflow_ranking")
assert FOLDER is not None
for name, folder in ("tensorflow_ranking", ""), ("tensorflow_ranking.python", "/python"):
    sys.modules[name] = ModuleType(name)
    sys.modules[name].__path__ = [place + folder for place in FOLDER.submodule_search_locations or ()]

from tensorflow_ranking.python import metrics_impl as tfr  # noqa: E402

LEFT_OUT = {"deep", "ties", "float32", "negative"}
"Lists of 2500 add nothing; the order of equal scores is random; a negative label is a row that is not there."
PADDING = -1.0
"The label of a row that is not there."
KINDS = {
    "NDCGMetric": tfr.NDCGMetric,
    "DCGMetric": tfr.DCGMetric,
    "MRRMetric": tfr.MRRMetric,
    "MeanAveragePrecisionMetric": tfr.MeanAveragePrecisionMetric,
    "PrecisionMetric": tfr.PrecisionMetric,
    "RecallMetric": tfr.RecallMetric,
    "HitsMetric": tfr.HitsMetric,
}


def metrics() -> dict[str, tfr._RankingMetric]:
    """Each metric under the name that its settings give it."""
    cut = {f"{name}(topn={k})": kind(name, topn=k) for name, kind in KINDS.items() for k in CUTS}
    return {**cut, "ARPMetric": tfr.ARPMetric("ARPMetric")}


def ask(case: Case, answers: Answers) -> None:
    """The values of lists of one length, and their mean by the weights it gives them."""
    lists = best_first(case)
    queries = [query for query in sorted(case.qrels) if query in case.run]
    size = max(len(lists[query]) for query in queries)
    labels = [[float(max(case.qrels[query].get(item, 0), 0)) for item in lists[query]] for query in queries]
    labels = [row + [PADDING] * (size - len(row)) for row in labels]
    scores = [[-float(rank) for rank in range(len(row))] for row in labels]
    for name, metric in metrics().items():
        values, weights = metric.compute(tf.constant(labels), tf.constant(scores))
        value, weight = values.numpy()[:, 0].astype(float), weights.numpy()[:, 0].astype(float)
        per_query = {q: v for q, v, w in zip(queries, value, weight, strict=True) if w}
        answers.add(case, name, per_query, float((value * weight).sum() / weight.sum()))


def main() -> None:
    """Write tf_ranking.json."""
    answers = Answers("tf_ranking", "tensorflow-ranking")
    answers.note("in single precision", "")
    answers.note("a list is all that it knows: relevant items that were not returned do not exist", "")
    for case in read_cases():
        if case.name not in LEFT_OUT:
            ask(case, answers)
    answers.write()


if __name__ == "__main__":
    main()
