"""Ranks from factors beside a product of matrices, and beside what recommender libraries do: in one run, by turns.

    python benchmarks/factors.py [--users N] [--items N] [--width D] [--threads N] [--rounds N]
    python benchmarks/run.py --only factors

The second has implicit, RecTools and RecBole, each in an environment of its own. CPU seconds are those of the whole process, so that they tell the work apart from what else the machine does.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
import warnings
from collections.abc import Callable
from typing import Any

BLOCK, DEPTH = 256, 100


def work(options: argparse.Namespace) -> dict[str, Callable[[], Any]]:
    """What is measured, by name."""
    import numpy as np
    from factor_data import FactorData

    import pingce as pc

    data = FactorData.drawn(options.users, options.items, options.width)
    users, items, truth, train = data.users, data.items, data.truth, data.train
    metrics = ["ndcg@10", "recall@50", "mrr"]

    def blocks(use: Callable[[Any], Any] | None) -> None:
        out = np.empty((BLOCK, len(items)), np.float32)
        for begin in range(0, len(users), BLOCK):
            some = users[begin : begin + BLOCK]
            np.matmul(some, items.T, out=out[: len(some)])
            if use is not None:
                use(out[: len(some)])

    def evaluate(**more: Any) -> Any:
        return pc.evaluate_factors(users, items, truth, metrics, threads=options.threads, **more)

    return {
        "pingce, all ranks": evaluate,
        "GEMM alone": lambda: blocks(None),
        "pingce, 100 excluded a user": lambda: evaluate(exclude=train),
        "pingce, coverage@10 too": lambda: pc.evaluate_factors(
            users, items, truth, [*metrics, "coverage@10"], threads=options.threads
        ),
        "GEMM + argpartition(100)": lambda: blocks(lambda scores: np.argpartition(scores, -DEPTH, axis=1)),
    }


def main() -> None:
    """Measure everything by turns, and print the least of each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in (("users", 20_000), ("items", 100_000), ("width", 64), ("threads", 2), ("rounds", 3)):
        parser.add_argument(f"--{name}", type=int, default=default)
    options = parser.parse_args()
    os.environ["OPENBLAS_NUM_THREADS"] = f"{options.threads}"
    warnings.simplefilter("ignore")
    works, best = work(options), dict[str, tuple[float, float]]()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    grown: dict[str, int] = {}
    for _ in range(options.rounds):
        for name, call in works.items():
            start = time.perf_counter(), time.process_time()
            call()
            wall, cpu = time.perf_counter() - start[0], time.process_time() - start[1]
            least = best.get(name, (wall, cpu))
            best[name] = min(least[0], wall), min(least[1], cpu)
            grown.setdefault(name, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory) // 1024)
    print(f"{options.users:,} users x {options.items:,} items x {options.width}")
    for name, (wall, cpu) in best.items():
        share = cpu / best["GEMM alone"][1]
        print(f"{name:30} {wall:8.2f} s  {cpu:8.2f} CPU s  {share:6.2f} x GEMM  peak +{grown[name]} MB")


if __name__ == "__main__":
    main()
