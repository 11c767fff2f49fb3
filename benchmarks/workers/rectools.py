"""RecTools, from pandas frames with integer ids.

python -m workers.rectools recommendation DATA CALLS
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from rectools.metrics import MAP, MRR, NDCG, HitRate, Precision, Recall, calc_metrics

from workers.clock import say, timed

METRICS = {
    "ndcg(ideal=full)@10": NDCG(k=10),
    "map": MAP(k=100),
    "mrr": MRR(k=100),
    "recall@100": Recall(k=100),
    "precision@10": Precision(k=10),
    "hit_rate@10": HitRate(k=10),
}
"Lists are 100 long: a cut-off of 100 is none. What RecTools calls ndcg divides by a list that is relevant throughout."


def main() -> None:
    """Print the figures."""
    data, calls = Path(sys.argv[2]), int(sys.argv[3])
    truth, run = (pd.DataFrame(dict(np.load(data / f"{name}.npz"))) for name in ("truth", "run"))
    run["rank"] = run.groupby("user_id", sort=False).cumcount() + 1
    say(timed(lambda: calc_metrics(METRICS, run, truth), calls), "rectools", "numpy", "pandas")


if __name__ == "__main__":
    main()
