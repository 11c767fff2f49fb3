"""Runs whose queries stand together are not moved, and the bytes are the same; where they do not, rows are moved."""

from __future__ import annotations

from typing import Any

import pingce as pc
from pingce.metrics.grammar import parse_metrics
from pingce.spark import evaluate_ranking
from pingce.spark.in_place import evaluated_in_place
from pingce.spark.ranking import Side

from .made import frame, rankings


def test_queries_that_stand_together(spark: Any) -> None:
    for strings in (False, True):
        truth, run = rankings(120, strings=strings)
        asked = [] if strings else ["ndcg@10", "ndcg_cut_10"]
        ordered = spark.createDataFrame(run.sort_by("user_id")).coalesce(2)
        found = evaluate_ranking(frame(spark, truth), ordered, asked or None, grouped=True)
        local = pc.evaluate_ranking(truth, run, asked or None)
        assert found.to_json(per_query=True) == local.to_json(per_query=True)
        sides = Side.of(frame(spark, truth), "truth", None), Side.of(ordered, "run", None)
        direct = evaluated_in_place(*sides, parse_metrics(["mrr"], task="ranking"), pc.Policies())
        assert direct is not None
        assert direct["mrr"] == pc.evaluate_ranking(truth, run, ["mrr"])["mrr"]


def test_queries_that_do_not(spark: Any) -> None:
    truth, run = rankings(60)
    mixed = frame(spark, run)
    assert (
        evaluate_ranking(frame(spark, truth), mixed, grouped=True).to_json()
        == pc.evaluate_ranking(truth, run).to_json()
    )
    sides = Side.of(frame(spark, truth), "truth", None), Side.of(mixed, "run", None)
    assert evaluated_in_place(*sides, parse_metrics(["mrr"], task="ranking"), pc.Policies()) is None
