"""`pingce sql`: the query goes to stdout or to a file, and what has none is refused with the sentence."""

from __future__ import annotations

from pathlib import Path

from pingce.sql import Names, query

from .conftest import Call


def test_the_query_of_the_call_is_printed(call: Call, tmp_path: Path) -> None:
    words = ["sql", "gauc(by=clicks)", "--dialect", "hive", "--table", "ads.log", "--label", "click", "--group", "uid"]
    done = call(*words)
    assert done.code == 0
    text = query("gauc(by=clicks)", dialect="hive", names=Names(table="ads.log", label="click", group="uid"))
    assert done.out == text
    assert "FROM `ads`.`log`" in text
    call(*words, "-o", tmp_path / "gauc.sql")
    assert (tmp_path / "gauc.sql").read_text() == text


def test_a_metric_without_a_query_is_refused(call: Call) -> None:
    done = call("sql", "spearman")
    assert done.code == 2
    assert "spearman has no exact query" in done.err
    assert "ranking precision" in call("sql", "precision", "--task", "ranking").out.replace(
        "pc_ranked", "ranking precision"
    )


def test_names_that_the_query_does_not_read_are_refused(call: Call) -> None:
    """`precision` without a cut-off is that of predictions: the tables of a ranking would be passed over in silence."""
    refusal = call("sql", "precision", "--qrels", "truth", "--run", "run_v2")
    assert refusal.code == 2
    assert "--qrels: the query of precision does not read it, but --table, --label, --score;" in refusal.err
    assert "--table：ndcg@10 的查询用不到它" in call("sql", "ndcg@10", "--table", "log", "--lang", "zh").err
    assert "--group: the query of auc" in call("sql", "auc", "--group", "uid").err
    assert 'FROM "truth"' in call("sql", "precision", "--task", "ranking", "--qrels", "truth").out
    assert call("sql", "gauc", "--group", "user_id").code == 0  # the usual name, said
