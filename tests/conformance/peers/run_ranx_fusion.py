"""Ask ranx to fuse small runs, by every method and every normalisation; methods that learn do so from all queries."""

from __future__ import annotations

import json
import random
from importlib.metadata import version
from itertools import permutations
from pathlib import Path

from ranx import Qrels, Run, fuse, optimize_fusion
from ranx.fusion.probfuse import probfuse_train
from ranx.fusion.slidefuse import slidefuse_train

RANKED: dict[str, dict[str, object]] = {
    "rrf": {"k": 60},
    "rbc": {"phi": 0.8},
    "isr": {},
    "log_isr": {},
    "logn_isr": {"sigma": 0.01},
    "bordafuse": {},
    "w_bordafuse": {"weights": [0.2, 0.3, 0.5]},
}
SCORED: dict[str, dict[str, object]] = {
    "sum": {},
    "mnz": {},
    "anz": {},
    "gmnz": {"gamma": 1.5},
    "min": {},
    "max": {},
    "med": {},
    "wsum": {"weights": [0.2, 0.3, 0.5]},
    "wmnz": {"weights": [0.2, 0.3, 0.5]},
    "mixed": {"weights": [0.2, 0.3, 0.5]},
}
MAJORITIES: dict[str, dict[str, object]] = {"condorcet": {}, "w_condorcet": {"weights": [0.2, 0.25, 0.55]}}
LEARNING: tuple[tuple[str, str | None, dict[str, int]], ...] = (
    ("bayesfuse", None, {}),
    ("mapfuse", None, {}),
    ("posfuse", None, {}),
    *(("probfuse", None, {"segments": segments}) for segments in (1, 4, 7)),
    *(("segfuse", norm, {}) for norm in ("min-max", "max", "sum", "zmuv", "rank", None)),
    *(("slidefuse", None, {"window": window}) for window in (1, 3, 40)),
)
"Methods that learn, with normalisations and the numbers of pingce's names."
NORMS = ("min-max", "min-max-inverted", "max", "sum", "zmuv", "rank", "borda", None)
ITEMS = "abcdefghij"
Table = dict[str, dict[str, float]]


def make_runs(seed: int) -> list[Table]:
    """Three runs of six queries without equal scores; a list has one to ten items, and one has scores below 0."""
    chance = random.Random(seed)
    runs: list[Table] = []
    for shift in (0, 5, -30):
        run: Table = {}
        for query in ("1", "2", "q3", "q4", "长", "z"):
            items = chance.sample(ITEMS, chance.randint(1, len(ITEMS)))
            run[query] = {item: round(chance.random() * 20 + shift, 6) for item in items}
        runs.append(run)
    return runs


def agreed(runs: list[Table], weights: list[float]) -> bool:
    """Whether every pair has a majority and these do not go round: then there is one order only."""
    for query in runs[0]:
        wins = dict.fromkeys(runs[0][query], 0)
        for one, other in permutations(wins, 2):
            ahead = sum(w for w, run in zip(weights, runs, strict=True) if run[query][one] > run[query][other])
            if ahead * 2 == sum(weights):
                return False
            wins[one] += ahead * 2 > sum(weights)
        if sorted(wins.values()) != list(range(len(wins))):
            return False
    return True


def whole_runs() -> list[Table]:
    """Three runs with all items, whose majorities make one order, with weights and without."""
    for seed in range(10_000):
        chance = random.Random(seed)
        runs = [{q: {item: round(chance.random(), 6) for item in ITEMS[:5]} for q in "12"} for _ in range(3)]
        if agreed(runs, [1, 1, 1]) and agreed(runs, [0.2, 0.25, 0.55]):
            return runs
    raise SystemExit("no runs with one order")


def judged_runs() -> tuple[list[Table], dict[str, dict[str, int]]]:
    """Three runs of five queries with lists of 3 to 36 of 40 items, and judgements of grades 0 to 2."""
    chance = random.Random(23)
    items, queries = [f"d{number:02}" for number in range(40)], ("1", "2", "q3", "q4", "长")
    runs = [
        {
            query: {item: round(chance.random() * 9, 6) for item in chance.sample(items, chance.randint(3, 36))}
            for query in queries
        }
        for _ in range(3)
    ]
    truth = {query: {item: chance.randint(0, 2) for item in chance.sample(items, 12)} for query in queries}
    return runs, truth


def ask_learned(
    runs: list[Table], truth: dict[str, dict[str, int]], method: str, norm: str | None, numbers: dict[str, int]
) -> Table:
    """What ranx answers after it learned from the same runs."""
    qrels, held = Qrels(truth), [Run(run) for run in runs]
    if method == "probfuse":
        params = {"probs": probfuse_train(qrels, held, numbers["segments"])}
    elif method == "slidefuse":
        params = {"probs": slidefuse_train(qrels, held), "w": numbers["window"]}
    else:
        params = optimize_fusion(qrels, held, norm=norm, method=method)
    fused = fuse(held, norm=norm, method=method, params=params).to_dict()
    return {query: dict(sorted(items.items())) for query, items in sorted(fused.items())}


def ask(runs: list[Table], method: str, norm: str | None, params: dict[str, object]) -> Table:
    """What ranx answers, by query and item."""
    fused = fuse([Run(run) for run in runs], norm=norm, method=method, params=params).to_dict()
    return {query: dict(sorted(items.items())) for query, items in sorted(fused.items())}


def main() -> None:
    """Write ranx_fusion.json."""
    scattered, whole = make_runs(17), whole_runs()
    judged, truth = judged_runs()
    asked: list[tuple[str, list[Table], str, str | None, dict[str, object]]] = [
        ("scattered", scattered, method, None, params) for method, params in RANKED.items()
    ]
    asked += [("scattered", scattered, method, norm, params) for method, params in SCORED.items() for norm in NORMS]
    asked += [("whole", whole, method, None, params) for method, params in MAJORITIES.items()]
    answers: list[dict[str, object]] = [
        {"runs": name, "method": method, "norm": norm, "params": params, "fused": ask(runs, method, norm, params)}
        for name, runs, method, norm, params in asked
    ]
    answers += [
        {
            "runs": "judged",
            "method": method,
            "norm": norm,
            "params": numbers,
            "fused": ask_learned(judged, truth, method, norm, numbers),
        }
        for method, norm, numbers in LEARNING
    ]
    notes = {
        "condorcet": "ranx sorts a set by majorities: where these tie or go round, its answer follows the order of hashes, so only"
        " lists with one order are asked",
        "bayesfuse": "beyond rank 1000 ranx reads past the end of its table",
        "norm": "methods of ranks are asked without one",
    }
    document = {
        "tool": "ranx",
        "version": version("ranx"),
        "notes": notes,
        "runs": {"scattered": scattered, "whole": whole, "judged": judged},
        "truth": {"judged": truth},
        "answers": answers,
    }
    lines = json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True)
    (Path(__file__).parents[1] / "ranx_fusion.json").write_text(lines + "\n", "utf-8")


if __name__ == "__main__":
    main()
