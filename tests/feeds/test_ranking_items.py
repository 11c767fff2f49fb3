"""What lists show, of a run that is streamed, in parts or straight: the same document as at once."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from feeds.rankings import ALL_COARSE, ALL_DEALT, COARSE, DEALT, STRAIGHT, at_once, streamed
from pingce.run.memory import ListBudget

METRICS = [
    "coverage@3", "gini", "entropy@5", "personalization(distance=cosine)@5", "novelty@4", "unseen", "popularity(over=places)@3",
    "tail@5", "user_coverage(at_least=k)@9", "novelty(relevant_only=yes,lists=judged)@3", "ndcg@5", "map",
]  # fmt: skip
WITHOUT_TRUTH = METRICS[:8]
BUDGETS = pytest.mark.parametrize(
    "budget", [STRAIGHT, DEALT, ALL_DEALT, COARSE], ids=["straight", "run", "all", "coarse"]
)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    rng, folder = random.Random(17), tmp_path_factory.mktemp("items")
    truth = [f"q{query} 0 d{item} {rng.randrange(3)}\n" for query in range(40) for item in rng.sample(range(60), 6)]
    run = [
        f"q{query} Q0 d{item} 0 {rng.randrange(4)} tag\n" for query in range(1, 43) for item in rng.sample(range(60), 9)
    ]
    past = [f"q{rng.randrange(50)} d{rng.randrange(40)}\n" for _ in range(300)]
    rng.shuffle(truth)
    rng.shuffle(run)
    tables = {"truth": truth, "run": run, "train": past, "catalog": [f"d{item}\n" for item in range(70)]}
    for name, lines in tables.items():
        (folder / f"{name}.txt").write_text("".join(lines), encoding="utf-8")
    return {name: folder / f"{name}.txt" for name in tables}


@BUDGETS
def test_a_stream_gives_the_same_document(files: dict[str, Path], budget: ListBudget) -> None:
    tables: dict[str, Any] = {"train": files["train"], "catalog": files["catalog"]}
    both = files["truth"], files["run"]
    whole = at_once(both, METRICS, **tables).to_json(per_query=True)
    assert streamed(both, METRICS, budget, **tables).to_json(per_query=True) == whole


@BUDGETS
def test_a_stream_without_a_truth_does_too(files: dict[str, Path], budget: ListBudget) -> None:
    tables: dict[str, Any] = {"train": files["train"], "catalog": files["catalog"]}
    both = None, files["run"]
    whole = at_once(both, WITHOUT_TRUTH, **tables).to_json(per_query=True)
    assert streamed(both, WITHOUT_TRUTH, budget, **tables).to_json(per_query=True) == whole


@pytest.mark.parametrize("budget", [COARSE, ALL_COARSE], ids=["run", "all"])
def test_items_that_any_query_judged_are_those_of_the_whole_truth(files: dict[str, Path], budget: ListBudget) -> None:
    both, names = (files["truth"], files["run"]), ["unjudged(of=any)@5", "unjudged@5", "ndcg@5"]
    whole = at_once(both, names).to_json(per_query=True)
    assert streamed(both, names, budget).to_json(per_query=True) == whole
