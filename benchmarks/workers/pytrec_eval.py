"""pytrec_eval, from TREC files or from dicts of dicts that are ready.

python -m workers.pytrec_eval WORK DATA CALLS
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytrec_eval

from workers.clock import Values, say, timed

MEASURES = {
    "ndcg_cut_10": "ndcg(gain=linear)@10",
    "map": "map",
    "recip_rank": "mrr",
    "recall_100": "recall@100",
    "P_10": "precision@10",
    "success_10": "hit_rate@10",
}
Table = dict[str, dict[str, float]]


def parsed(data: Path) -> tuple[Table, Table]:
    """Truth and run as the tool's own parsers give them."""
    with (data / "qrels.txt").open() as qrels, (data / "run.txt").open() as run:
        return pytrec_eval.parse_qrel(qrels), pytrec_eval.parse_run(run)


def means(qrels: Table, run: Table) -> Values:
    """The means over queries."""
    found = pytrec_eval.RelevanceEvaluator(qrels, set(MEASURES)).evaluate(run)
    return {
        ours: float(pytrec_eval.compute_aggregated_measure(theirs, [query[theirs] for query in found.values()]))
        for theirs, ours in MEASURES.items()
    }


def main() -> None:
    """Print the figures of the work that the arguments name."""
    work, data, calls = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    if work == "text":
        result = timed(lambda: means(*parsed(data)), calls)
    else:
        qrels, run = parsed(data)
        result = timed(lambda: means(qrels, run), calls)
    say(result, "pytrec-eval-terrier", "numpy")


if __name__ == "__main__":
    main()
