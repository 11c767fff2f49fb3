"""pingce on what lists show.

python -m workers.pingce_items sixteen|personalization|shown CALLS USERS
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from item_data import MILLION, SHOWN, SIXTEEN, Shop

import pingce
from workers.clock import alternated, say, timed

ACCURACY = ("ndcg@10", "map@10", "mrr@10", "recall@10", "precision@10", "hit_rate@10")
ITEMS = (
    "coverage@10", "gini@10", "entropy@10", "personalization@10", "novelty@10",
    "popularity@10", "tail@10", "unseen@10", "user_coverage@10", "popularity(scale=share)@10",
)  # fmt: skip
SHARED = ("novelty@10", "popularity@10", "coverage(of=count)@10", "ild(distance=hamming,short=zero)@10")
"What RecTools has too: MIUF, ARP, coverage and ILD."


def sixteen(shop: Shop, calls: int) -> dict[str, Any]:
    """`ndcg@10` alone, and ten metrics of items beside six of accuracy, in turns."""
    truth, run, train = (pa.table(rows) for rows in (shop.truth(), shop.run(), shop.train()))
    catalog = np.arange(shop.items)
    works: dict[str, Callable[[], object]] = {
        "ndcg@10": lambda: pingce.evaluate_ranking(truth, run, ["ndcg@10"]),
        "sixteen": lambda: pingce.evaluate_ranking(truth, run, [*ACCURACY, *ITEMS], train=train, catalog=catalog),
    }
    return {"each_s": alternated(works, calls)}


def personalization(shop: Shop, calls: int) -> dict[str, Any]:
    """Lists of ten, and no truth."""
    run = pa.table(shop.run())
    return timed(lambda: dict(pingce.evaluate_ranking(None, run, ["personalization@10"])), calls)


def shown(shop: Shop, calls: int) -> dict[str, Any]:
    """From pandas frames, as RecTools has them."""
    import pandas as pd

    run, train = pd.DataFrame(shop.run()), pd.DataFrame(shop.train())
    items = (np.arange(shop.items), shop.features())
    return timed(lambda: dict(pingce.evaluate_ranking(None, run, SHARED, train=train, items=items)), calls)


WORKS = {"sixteen": (sixteen, SIXTEEN), "personalization": (personalization, MILLION), "shown": (shown, SHOWN)}


def main() -> None:
    """Print the figures of the work that the arguments name."""
    work, shop = WORKS[sys.argv[1]]
    say(work(replace(shop, users=int(sys.argv[3])), int(sys.argv[2])), "pingce", "numpy", "pyarrow", "pandas")


if __name__ == "__main__":
    main()
