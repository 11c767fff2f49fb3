"""Comparisons by slice: what each slice says alone, matched by query, and the whole as the comparison has it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pingce as pc
from pingce.stats.means import mean_intervals
from pingce.stats.resampling import Resampling

QUERIES = [f"q{i:02}" for i in range(60)]
TRUTH = {query: {"a": 1} for query in QUERIES}
RUNS = {
    "old": {query: ["x", "a"] for query in QUERIES},
    "new": {query: ["a"] if i % 3 else ["x", "y", "a"] for i, query in enumerate(QUERIES)},
}
LANGS = {query: "zh" if i < 25 else "en" for i, query in enumerate(QUERIES)}
SOME = 300


@pytest.fixture
def langs(tmp_path: Path) -> Path:
    path = tmp_path / "langs.csv"
    path.write_text("query,lang\n" + "".join(f"{query},{lang}\n" for query, lang in LANGS.items()))
    return path


def test_each_slice_is_what_its_queries_alone_give(langs: Path) -> None:
    found = pc.compare(TRUTH, RUNS, ["mrr", "gm_ap"], by=str(langs), samples=SOME)
    rows = {(row["slice"], row["metric"], row["model"]): row for row in found.slices().to_pylist()}
    assert len(rows) == 3 * 2 * 2
    for lang, n in (("zh", 25), ("en", 35)):
        part = {query: items for query, items in TRUTH.items() if LANGS[query] == lang}
        alone = {
            name: pc.evaluate_ranking(part, {query: run[query] for query in part}, ["mrr", "gm_ap"])
            for name, run in RUNS.items()
        }
        for name in RUNS:
            assert [rows[lang, metric, name]["value"] for metric in ("mrr", "gm_ap")] == list(alone[name].values())
            assert rows[lang, "mrr", name]["n"] == n
        apart = np.subtract(*(alone[name].per_query["mrr"].to_numpy() for name in ("new", "old")))
        row = rows[lang, "mrr", "new"]
        ends = mean_intervals(apart[:, None], resampling=Resampling(samples=SOME))[0]
        assert row["difference"] == pytest.approx(apart.mean(), abs=1e-15)
        assert (row["difference_low"], row["difference_high"]) == tuple(ends)
        assert rows[lang, "mrr", "old"]["difference"] is None
        odd = rows[lang, "gm_ap", "new"]
        assert odd["difference"] == odd["value"] - rows[lang, "gm_ap", "old"]["value"]
        assert odd["difference_low"] is None, "it is no mean over queries"
    gap, whole = found.difference("mrr", "new"), rows["all", "mrr", "new"]
    assert (whole["difference"], whole["difference_low"], whole["difference_high"]) == (gap.value, *gap.interval)


def test_small_slices_and_weighted_means_have_no_interval(langs: Path) -> None:
    rows = pc.compare(TRUTH, RUNS, "mrr", by=str(langs), min_n=30, samples=SOME).slices().to_pylist()
    lows = {row["slice"]: row["difference_low"] is None for row in rows if row["model"] == "new"}
    assert lows == {"zh": True, "en": False, "all": False}
    weights = {query: 1.0 + (query < "q10") for query in QUERIES}
    weighted = pc.compare(TRUTH, RUNS, "mrr", by=str(langs), query_weight=weights, samples=SOME).slices().to_pylist()
    zh = {row["model"]: row for row in weighted if row["slice"] == "zh"}
    assert zh["new"]["difference"] == zh["new"]["value"] - zh["old"]["value"]
    assert zh["new"]["difference_low"] is None


def test_queries_that_a_run_leaves_out_are_paired_by_id(langs: Path) -> None:
    fewer = {"old": RUNS["old"], "new": {query: items for query, items in RUNS["new"].items() if query != "q01"}}
    found = pc.compare(TRUTH, fewer, "mrr", by=str(langs), missing="skip", samples=SOME)
    rows = {(row["slice"], row["model"]): row for row in found.slices().to_pylist()}
    assert (rows["zh", "old"]["n"], rows["zh", "new"]["n"]) == (25, 24)
    columns = found.differences("mrr").to_pydict()
    pairs = [
        gap
        for query, gap in zip(columns["query"], columns["new"], strict=True)
        if LANGS[query] == "zh" and gap is not None
    ]
    assert len(pairs) == 24
    assert rows["zh", "new"]["difference"] == pytest.approx(math.fsum(pairs) / 24, abs=1e-15)


def test_rows_by_slice() -> None:
    rng = np.random.default_rng(0)
    y, by = rng.integers(0, 2, 200), np.where(np.arange(200) < 80, "a", "b")
    models = {name: y * skill + rng.random(200) for name, skill in (("old", 0.2), ("new", 0.8))}
    found = pc.compare(y, models, ["auc", "accuracy"], task="binary", by={"part": by}, samples=SOME, threshold=0.7)
    rows = {(row["slice"], row["metric"], row["model"]): row for row in found.slices().to_pylist()}
    for name, scores in models.items():
        assert rows["a", "auc", name]["value"] == pc.auc(y[:80], scores[:80])
    assert rows["a", "auc", "new"]["difference"] == rows["a", "auc", "new"]["value"] - rows["a", "auc", "old"]["value"]
    assert rows["a", "auc", "new"]["difference_low"] is None
    assert rows["all", "auc", "new"]["difference"] == found.difference("auc", "new").value


def test_the_document_has_slices_only_where_asked_for(langs: Path) -> None:
    plain = pc.compare(TRUTH, RUNS, "mrr", samples=SOME)
    sliced = pc.compare(TRUTH, RUNS, "mrr", by=str(langs), samples=SOME)
    document: dict[str, Any] = json.loads(sliced.to_json())
    assert document.pop("slices")["rows"] == sliced.slices().to_pylist()
    assert document == plain.to_dict()
    with pytest.raises(pc.InputError, match="no slices"):
        plain.slices()


def test_saved_scores_cannot_be_sliced() -> None:
    saved = {
        name: pc.read_scores(pc.evaluate_ranking(TRUTH, run, "mrr").to_dict(per_query=True))
        for name, run in RUNS.items()
    }
    with pytest.raises(pc.InputError, match="saved scores, which cannot be sliced") as caught:
        pc.compare(None, saved, by="activity")
    assert "无法切片" in caught.value.text.zh
