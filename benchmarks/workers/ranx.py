"""ranx, from TREC files or from pandas frames with integer ids, which it wants as strings.

python -m workers.ranx WORK DATA CALLS
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from ranx import Qrels, Run, evaluate

from workers.clock import Values, say, timed

MEASURES = {
    "ndcg@10": "ndcg(gain=linear)@10",
    "map": "map",
    "mrr": "mrr",
    "recall@100": "recall@100",
    "precision@10": "precision@10",
    "hit_rate@10": "hit_rate@10",
}


def means(qrels: Qrels, run: Run) -> Values:
    """The means over queries."""
    found = evaluate(qrels, run, list(MEASURES))
    return {ours: float(found[theirs]) for theirs, ours in MEASURES.items()}


def from_files(data: Path) -> Values:
    """Parse and evaluate."""
    qrels = Qrels.from_file(str(data / "qrels.txt"), kind="trec")
    return means(qrels, Run.from_file(str(data / "run.txt"), kind="trec"))


def from_frames(truth: pd.DataFrame, run: pd.DataFrame) -> Values:
    """Convert and evaluate."""
    columns = {"q_id_col": "user_id", "doc_id_col": "item_id"}
    strings = {"user_id": str, "item_id": str}
    objects = {"user_id": object, "item_id": object}
    qrels = Qrels.from_df(truth.assign(score=1).astype(strings).astype(objects), **columns)
    return means(qrels, Run.from_df(run.astype(strings).astype(objects), **columns))


def main() -> None:
    """Print the figures of the work that the arguments name."""
    work, data, calls = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    if work == "text":
        result = timed(lambda: from_files(data), calls)
    else:
        truth, run = (pd.DataFrame(dict(np.load(data / f"{name}.npz"))) for name in ("truth", "run"))
        result = timed(lambda: from_frames(truth, run), calls)
    say(result, "ranx", "numba", "numpy", "pandas")


if __name__ == "__main__":
    main()
