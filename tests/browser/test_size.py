"""A large report stays small: 5,000 queries by four models in a megabyte, and it still opens."""

from __future__ import annotations

from pathlib import Path

import pingce as pc

from .conftest import Opener
from .made import DRAWS, drawn_runs

MEGABYTE = 1_000_000
QUERIES = 5_000


def test_five_thousand_queries_in_a_megabyte(opened: Opener, tmp_path: Path) -> None:
    queries = [str(1_000_003 * number % 9_999_991) for number in range(QUERIES)]
    truth, runs = drawn_runs(queries, {"bm25": 3.0, "dense": 2.5, "fused": 1.5, "reranked": 1.0}, depth=12)
    path = tmp_path / "large.html"
    pc.report(truth, runs, ["ndcg@10", "ap", "rr@10", "recall@10"], path=path, samples=DRAWS)
    assert path.stat().st_size <= MEGABYTE
    window = opened(path)
    window("#query-search").fill(queries[-1])
    assert queries[-1] in window("#query-table").inner_text()
    assert window.complaints == []
    window.context.close()
