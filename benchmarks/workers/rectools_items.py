"""RecTools on what lists show, from pandas frames with integer ids.

python -m workers.rectools_items shown CALLS USERS
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pandas as pd
from item_data import SHOWN
from rectools.metrics import (
    AvgRecPopularity,
    CatalogCoverage,
    IntraListDiversity,
    MeanInvUserFreq,
    PairwiseHammingDistanceCalculator,
    calc_metrics,
)

from workers.clock import say, timed


def main() -> None:
    """Print the figures."""
    shop, calls = replace(SHOWN, users=int(sys.argv[3])), int(sys.argv[2])
    run, train = pd.DataFrame(shop.run()), pd.DataFrame(shop.train())
    run = run.sort_values(["user_id", "score"], ascending=[True, False], ignore_index=True)
    run["rank"] = run.groupby("user_id", sort=False).cumcount() + 1
    catalog, features = np.arange(shop.items), pd.DataFrame(shop.features())
    metrics = {
        "novelty@10": MeanInvUserFreq(k=10),
        "popularity@10": AvgRecPopularity(k=10),
        "coverage(of=count)@10": CatalogCoverage(k=10),
        "ild(distance=hamming,short=zero)@10": IntraListDiversity(10, PairwiseHammingDistanceCalculator(features)),
    }
    work = lambda: calc_metrics(metrics, run, prev_interactions=train, catalog=catalog)  # noqa: E731
    say(timed(work, calls), "rectools", "numpy", "pandas")


if __name__ == "__main__":
    main()
