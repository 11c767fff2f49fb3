"""Ranks of the whole catalogue from factors, without what users had, then recall@50 and ndcg: pingce, and tools in their own ways.

python -m workers.factors pingce|implicit|rectools|recbole CALLS USERS

What the tools do is what is asked of them for tests/conformance, where their answers are compared with pingce's number by number.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # implicit has threads of its own, and warns of any others

from factor_data import FactorData

from workers.clock import say, timed

PEERS = Path(__file__).parents[2] / "tests/conformance/peers"
CUT = 50
NAMES: dict[str, dict[str, str]] = {
    "implicit": {"precision(over=min,mode=micro)@50": "precision_at_k(K=50)", "ndcg@50": "ndcg_at_k(K=50)"},
    "rectools": {"recall@50": "Recall(k=50)", "ndcg@50": "NDCG(k=50, divide_by_achievable=True)"},
    "recbole": {"recall@50": "recall@50", "ndcg@50": "ndcg@50"},
}
"pingce's spellings of what each of them is asked for; implicit has a precision that is nearly recall, and gives all it has."
ASKED: dict[str, tuple[Any, ...]] = {
    "implicit": (),
    "rectools": (("Recall(k={k})", "NDCG(k={k}, divide_by_achievable=True)"),),
    "recbole": (("Recall", "NDCG"),),
}


def peer(tool: str, data: FactorData) -> Callable[[], Mapping[str, float]]:
    """What a tool does, once it has its data."""
    sys.path.insert(0, f"{PEERS}")
    case = import_module("factor_cases").FactorCase("drawn", data.users, data.items, data.train, data.truth)
    evaluate = import_module(f"run_{tool}_factors").evaluation(case, (CUT,), *ASKED[tool])

    def values() -> Mapping[str, float]:
        found = evaluate()
        return {ours: float(found[theirs]) for ours, theirs in NAMES[tool].items()}

    return values


def pingce(data: FactorData) -> Callable[[], Mapping[str, float]]:
    """One call, with all that the others are asked for."""
    import pingce as pc

    metrics = list(dict.fromkeys(["ndcg@10", *(name for of in NAMES.values() for name in of)]))
    return lambda: dict(pc.evaluate_factors(data.users, data.items, data.truth, metrics, exclude=data.train, threads=2))


def main() -> None:
    """Print the figures."""
    tool, calls, users = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    data = FactorData.drawn(users)
    work = pingce(data) if tool == "pingce" else peer(tool, data)
    say(timed(work, calls), tool, "numpy", "scipy")


if __name__ == "__main__":
    main()
