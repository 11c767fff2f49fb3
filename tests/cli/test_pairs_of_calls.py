"""`pc.evaluate_pairs`, `pairs=` of compare and report: what the command line gives, and what each task gives alone."""

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

PAIRS = ["click:pctr", "buy:pcvr@click=1", "buy:pctr*pcvr"]
METRICS = ["auc", "logloss", "pcoc"]


def table(noise: float = 0.3, rows: int = 400) -> dict[str, Any]:
    """Clicks, and buys of some of them; the labels are the same for every noise."""
    random = np.random.default_rng(3)
    wish, worth = random.normal(size=(2, rows)) - 0.5
    click = (random.random(rows) < 1 / (1 + np.exp(-wish))).astype(int)
    buy = click * (random.random(rows) < 1 / (1 + np.exp(-worth)))
    shift = noise * random.normal(size=(2, rows))
    pctr, pcvr = 1 / (1 + np.exp(-wish - shift[0])), 1 / (1 + np.exp(-worth - shift[1]))
    return {
        "click": click,
        "buy": buy,
        "pctr": pctr,
        "pcvr": pcvr,
        "user": np.arange(rows) % 20,
        "ad": np.arange(rows) % 3,
    }


def test_each_task_is_scored_as_if_it_were_alone() -> None:
    rows = table()
    scores = pc.evaluate_pairs(rows, PAIRS, METRICS, group="user", by="ad", ci=0.9, samples=100)
    clicked = rows["click"] == 1
    alone = {
        PAIRS[0]: (rows["click"], rows["pctr"], np.ones(len(clicked), bool)),
        PAIRS[1]: (rows["buy"], rows["pcvr"], clicked),
        PAIRS[2]: (rows["buy"], rows["pctr"] * rows["pcvr"], np.ones(len(clicked), bool)),
    }
    assert list(scores) == PAIRS
    for name, (truth, score, kept) in alone.items():
        wanted = pc.evaluate_binary(
            truth[kept],
            score[kept],
            METRICS,
            group=rows["user"][kept],
            by={"ad": rows["ad"][kept]},
            ci=0.9,
            samples=100,
        )
        assert scores[name].to_dict()["metrics"] == wanted.to_dict()["metrics"]
        assert scores[name].slices.to_dict() == wanted.slices.to_dict()  # type: ignore[union-attr]


def test_the_call_gives_the_document_of_the_command(call: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "m.parquet"
    pq.write_table(pa.table(table()), path)
    words = [word for pair in PAIRS for word in ("--pair", pair)]
    code, out, said = call("eval", str(path), *words, "--group", "user", "--field", "ad", "-f", "json")
    assert code == 0, said
    scores = pc.evaluate_pairs(path, PAIRS, group="user", field="ad")
    assert json.loads(scores.to_json()) == json.loads(out)


def test_one_table_for_all_tasks() -> None:
    scores = pc.evaluate_pairs(table(), PAIRS, METRICS)
    assert scores.table().titles[1:] == PAIRS
    assert not scores.table().best
    assert scores.to_pandas().shape[0] == len(PAIRS) * len(METRICS)
    assert scores.to_arrow()["run"].to_pylist() == [pair for pair in PAIRS for _ in METRICS]
    assert len(scores.to_csv().splitlines()) == 1 + len(PAIRS) * len(METRICS)
    assert all(text in scores.to_markdown() for text in ("auc", "buy:pcvr"))
    assert "buy:pcvr" in str(scores)
    assert "<table" in scores._repr_html_()
    assert repr(scores) == f"PairScores({PAIRS!r})"
    with pytest.raises(KeyError, match="did you mean 'click:pctr'"):
        scores["click:pct"]


def test_models_on_all_tasks_are_one_comparison(call: Callable[..., Any], tmp_path: Path) -> None:
    files = []
    for name, noise in (("old", 1.0), ("new", 0.2)):
        files.append(tmp_path / f"{name}.parquet")
        pq.write_table(pa.table(table(noise)), files[-1])
    found = pc.compare(None, {"old": files[0], "new": table(0.2)}, ["auc", "logloss"], pairs=PAIRS, samples=200)
    assert found.metrics == tuple(f"{pair} {metric}" for pair in PAIRS for metric in ("auc", "logloss"))
    words = [word for pair in PAIRS for word in ("--pair", pair)]
    code, out, said = call("compare", *map(str, files), *words, "-m", "auc,logloss", "-f", "json", "--samples", "200")
    assert code == 0, said
    assert json.loads(out)["metrics"] == json.loads(found.to_json())["metrics"]


def test_a_report_of_one_table_has_a_column_per_task_and_no_rivals(tmp_path: Path) -> None:
    path = pc.report(None, table(), METRICS, pairs=PAIRS, group="user", samples=100, path=tmp_path / "r.html")
    data = data_of(path)
    scores = pc.evaluate_pairs(table(), PAIRS, METRICS, group="user", by="activity", ci=0.95)
    assert data["models"] == PAIRS
    for entry in data["summary"]["metrics"]:
        assert entry["values"] == [scores[pair][entry["name"]] for pair in PAIRS]
        assert not any(entry["best"])
        assert None not in entry["intervals"]
    assert (data["summary"]["between"], data["curves"]["verdicts"]) == ([], [])
    assert "pairs" not in data
    assert "tasks" not in data
    clicked = int(table()["click"].sum())
    assert [row["values"] for row in data["health"]["rows"] if row["key"] == "rows"] == [[400, clicked, 400]]


def test_a_report_of_several_tables_compares_them_task_by_task(call: Callable[..., Any], tmp_path: Path) -> None:
    files = []
    for name, noise in (("old", 1.0), ("new", 0.2)):
        files.append(tmp_path / f"{name}.parquet")
        pq.write_table(pa.table(table(noise)), files[-1])
    models = dict(zip(("old", "new"), files, strict=True))
    data = data_of(pc.report(None, models, ["auc"], pairs=PAIRS[:2], samples=200, path=tmp_path / "r.html"))
    compared = pc.compare(None, models, ["auc"], pairs=PAIRS[:2], samples=200)
    assert data["models"] == [f"{model} {pair}" for model in models for pair in PAIRS[:2]]
    rows = data["tasks"]["rows"]
    assert [(row["name"], row["model"]) for row in rows] == [
        (f"{pair} auc", model) for pair in PAIRS[:2] for model in models
    ]
    for row in rows[1::2]:
        gap = compared.difference(row["name"], "new")
        assert (row["difference"]["value"], row["difference"]["corrected"]) == (gap.value, gap.corrected)
    words = [word for pair in PAIRS[:2] for word in ("--pair", pair)]
    target = tmp_path / "c.html"
    code, _, said = call("report", *map(str, files), *words, "-m", "auc", "--samples", "200", "-o", str(target))
    assert code == 0, said
    assert data_of(target)["tasks"] == data["tasks"]
    assert "各任务的模型对比" in target.read_text("utf-8")


def test_a_report_on_the_command_line_of_one_file(call: Callable[..., Any], tmp_path: Path) -> None:
    path, target = tmp_path / "m.parquet", tmp_path / "c.html"
    pq.write_table(pa.table(table()), path)
    words = [word for pair in PAIRS for word in ("--pair", pair)]
    code, _, said = call(
        "report", str(path), *words, "--group", "user", "-m", ",".join(METRICS), "-o", str(target), "--samples", "100"
    )
    assert code == 0, said
    wanted = data_of(pc.report(None, path, METRICS, pairs=PAIRS, group="user", samples=100, path=tmp_path / "r.html"))
    assert data_of(target)["summary"] == wanted["summary"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"pairs": []}, "there is no pair"),
        ({"pairs": ["click"]}, "write LABEL:SCORE"),
        ({"pairs": ["buy:pcvr@click=7"]}, "no row has click = 7"),
        ({"pairs": ["buy:pcv"]}, "did you mean 'pcvr'"),
        ({"group": np.arange(400)}, "group= must be the name of a column"),
        ({"by": {"ad": np.arange(400)}}, "by= must be the name of a column"),
        ({"labels": 1}, "labels= is no option of pc.evaluate_pairs"),
    ],
)
def test_what_is_no_pair_is_refused(options: dict[str, Any], sentence: str) -> None:
    keywords = {"pairs": PAIRS, **options}
    with pytest.raises(pc.InputError, match=sentence):
        pc.evaluate_pairs(table(), keywords.pop("pairs"), METRICS, **keywords)


@pytest.mark.parametrize("name", ["compare", "report"])
def test_pairs_have_their_own_truth_and_task(name: str, tmp_path: Path) -> None:
    call = getattr(pc, name)
    more = {"path": tmp_path / "r.html"} if name == "report" else {}
    with pytest.raises(pc.InputError, match="give None in place of the truth"):
        call("click", {"a": table()}, pairs=PAIRS, **more)
    with pytest.raises(pc.InputError, match="leave task='regression' out"):
        call(None, {"a": table()}, pairs=PAIRS, task="regression", **more)
    with pytest.raises(pc.InputError, match="leave group_weight= out"):
        call(None, {"a": table()}, pairs=PAIRS, group_weight={"w": np.ones(400)}, **more)


def test_one_table_is_no_comparison() -> None:
    with pytest.raises(pc.InputError, match="give a table for each of them"):
        pc.compare(None, {"a": table()}, pairs=PAIRS)


@pytest.mark.parametrize("value", ["9007199254740993", "9007199254740993.0"])
def test_long_ids_of_a_filter_keep_every_digit(value: str) -> None:
    """As doubles 2**53 and 2**53 + 1 are one number; what is written as one cannot be told apart."""
    ads = np.array([2**53, 2**53 + 1, 2**53])
    for column in (ads, pa.array(ads), ads.tolist()):
        scores = pc.evaluate_pairs({"y": [1, 0, 1], "s": [0.5, 0.2, 0.1], "ad": column}, [f"y:s@ad={value}"], ["pcoc"])
        rows = next(iter(scores.values())).counts["rows"]
        assert rows == (1 if "." not in value else 2)
