"""Models in tables of their own: rows matched by `id`, or taken one by one; the command line gives the same."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import pingce as pc
from report_pages import data_of

RANDOM = np.random.default_rng(5)
ROWS = 200
LABELS = RANDOM.integers(0, 2, ROWS)
SCORES = [np.clip(LABELS * share + RANDOM.random(ROWS) * (1 - share), 0, 1) for share in (0.2, 0.3)]
COLUMNS = {"y": LABELS, "user": np.arange(ROWS) % 11, "row": [f"r{i}" for i in range(ROWS)]}
OLD = pa.table({**COLUMNS, "p": SCORES[0]})
NEW = pa.table({**COLUMNS, "q": SCORES[1]})
SHUFFLED = NEW.take(RANDOM.permutation(ROWS))


def entries(comparison: pc.Comparison) -> Any:
    return json.loads(comparison.to_json())["metrics"]


def test_rows_are_matched_by_id() -> None:
    both = OLD.append_column("q", NEW["q"])
    wanted = pc.compare("y", ["p", "q"], ["auc", "gauc"], task="binary", data=both, group="user", samples=200)
    models = {"p": (OLD, "p"), "q": (SHUFFLED, "q")}
    found = pc.compare("y", models, ["auc", "gauc"], task="binary", group="user", id="row", samples=200)
    assert entries(found) == entries(wanted)
    assert found.notes[0].en == "200 rows matched by row"
    ordered = pc.compare(
        "y", {"p": (OLD, "p"), "q": (NEW, "q")}, ["auc", "gauc"], task="binary", group="user", samples=200
    )
    assert entries(ordered) == entries(wanted)


def test_the_command_line_gives_the_same(call: Callable[..., Any], tmp_path: Path) -> None:
    files = [tmp_path / "old.parquet", tmp_path / "new.parquet"]
    pq.write_table(OLD, files[0])
    pq.write_table(SHUFFLED.rename_columns(["y", "user", "row", "p"]).slice(0, 180), files[1])
    words = [
        "--label",
        "y",
        "--score",
        "p",
        "--id",
        "row",
        "--unmatched",
        "drop",
        "-m",
        "auc,logloss",
        "--samples",
        "200",
    ]
    code, out, said = call("compare", *map(str, files), *words, "-f", "json")
    assert code == 0, said
    models = {"old": (files[0], "p"), "new": (files[1], "p")}
    found = pc.compare("y", models, ["auc", "logloss"], task="binary", id="row", unmatched="drop", samples=200)
    assert entries(found) == json.loads(out)["metrics"]
    assert "20 of 200 ids" in found.notes[0].en


def test_numbers_and_classes_too() -> None:
    numbers = [table.set_column(0, "y", pa.array(np.asarray(table["y"]) * 2.5)) for table in (OLD, SHUFFLED)]
    found = pc.compare(
        "y", {"p": (numbers[0], "p"), "q": (numbers[1], "q")}, ["mae"], task="regression", id="row", samples=200
    )
    assert found.value("mae", "q") == pc.evaluate_regression(LABELS * 2.5, SCORES[1], ["mae"])["mae"]
    words = [
        table.append_column("guess", pa.array(np.where(np.asarray(table[name]) > 0.5, 1, 0)))
        for table, name in ((OLD, "p"), (SHUFFLED, "q"))
    ]
    found = pc.compare(
        "y",
        {"p": (words[0], "guess"), "q": (words[1], "guess")},
        ["accuracy"],
        task="multiclass",
        id="row",
        samples=200,
    )
    assert found.value("accuracy", "q") == ((SCORES[1] > 0.5) == LABELS).mean()


@pytest.mark.parametrize(
    ("models", "options", "sentence"),
    [
        ({"p": (OLD, "p"), "q": (SHUFFLED, "q")}, {}, "if rows only stand in another order, their --id"),
        ({"p": (OLD, "p"), "q": (NEW.slice(0, 9), "q")}, {"id": "row"}, "191 of 200 ids of p are not in q"),
        ({"p": (OLD, "p"), "q": (NEW, "q")}, {"id": "user"}, "an id names one row"),
        ({"p": (OLD, "p"), "q": (NEW, "q")}, {"id": "rows"}, "did you mean 'row'"),
        ({"p": (OLD, "p"), "q": (NEW, "q")}, {"id": 3}, "it is the name of the column that identifies rows"),
        ({"p": (OLD, "p"), "q": (NEW, "q")}, {"unmatched": "no"}, "unmatched"),
        ({"p": (OLD, "p"), "q": (NEW, "q")}, {"data": OLD}, "leave data= out"),
        ({"p": (OLD, "p"), "q": (NEW, "q")}, {"group": np.arange(ROWS)}, "group= must be the name of a column"),
    ],
)
def test_what_does_not_match_is_refused(models: Any, options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(pc.InputError, match=sentence):
        pc.compare("y", models, ["auc"], task="binary", **options)


def test_an_id_needs_tables() -> None:
    with pytest.raises(pc.InputError, match="give each model as \\(table, column\\)"):
        pc.compare("y", ["p"], ["auc"], task="binary", data=OLD, id="row")
    with pytest.raises(pc.InputError, match="id= matches rows of several tables"):
        pc.compare({"q": {"a": 1}}, {"x": {"q": ["a"]}, "y": {"q": ["a"]}}, ["mrr"], id="row")


def test_a_report_matches_rows_too(tmp_path: Path) -> None:
    models = {"p": (OLD, "p"), "q": (SHUFFLED, "q")}
    data = data_of(pc.report("y", models, ["auc"], task="binary", id="row", samples=200, path=tmp_path / "r.html"))
    found = pc.compare("y", models, ["auc"], task="binary", id="row", samples=200)
    assert data["summary"]["metrics"][0]["values"] == [found.value("auc", "p"), found.value("auc", "q")]
    assert data["summary"]["metrics"][0]["differences"][1]["p"] == found.difference("auc", "q").p
    assert ["200 rows matched by row", "按 row 对齐 200 行"] in data["summary"]["said"]
    with pytest.raises(pc.InputError, match="id= matches rows of several tables"):
        pc.report("y", ["p"], ["auc"], task="binary", data=OLD, id="row", path=tmp_path / "r.html")
