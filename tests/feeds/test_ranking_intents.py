"""Subtopics of a truth that is streamed, in parts or straight: the same document as at once."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from feeds.rankings import ALL_DEALT, COARSE, DEALT, STRAIGHT, at_once, streamed
from pingce.run.memory import ListBudget

METRICS = ["alpha_ndcg@5", "err_ia@3", "nnrbp", "ap_ia", "subtopic_recall@2", "ndcg@5"]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    rng, folder = random.Random(17), tmp_path_factory.mktemp("intents")
    truth = [
        f"q{query} {subtopic} d{item} {rng.randrange(3)}\n"
        for query in range(40)
        for item in range(8)
        for subtopic in rng.sample(range(1, 6), rng.randrange(1, 4))
    ]
    run = [f"q{query} Q0 d{item} 0 {rng.random()} tag\n" for query in range(1, 43) for item in rng.sample(range(14), 9)]
    rng.shuffle(truth)
    rng.shuffle(run)
    qrels, listed = folder / "qrels.txt", folder / "a.run"
    qrels.write_text("".join(truth), encoding="utf-8")
    listed.write_text("".join(run), encoding="utf-8")
    return qrels, listed


@pytest.mark.parametrize("budget", [STRAIGHT, DEALT, ALL_DEALT, COARSE], ids=["straight", "run", "all", "coarse"])
def test_a_stream_gives_the_same_document(files: tuple[Path, Path], budget: ListBudget) -> None:
    whole = at_once(files, METRICS).to_json(per_query=True)
    assert streamed(files, METRICS, budget).to_json(per_query=True) == whole
