"""Gaps between groups under several models: values as evaluated alone, draws that two models share, groups that are corrected."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pyarrow as pa
import pytest

import pingce as pc
from pingce.stats.means import drawn_means

RNG = np.random.default_rng(23)
ROWS = 240
SEX = RNG.choice(["f", "m", "x"], ROWS, p=[0.5, 0.45, 0.05])
CLICK = RNG.integers(0, 2, ROWS)
OLD = np.clip(CLICK * 0.3 + RNG.random(ROWS) * 0.7 + (SEX == "f") * 0.1, 0, 1)
NEW = np.clip(0.5 * OLD + 0.5 * RNG.random(ROWS), 0, 1)
TABLE = pa.table({"click": CLICK, "old": OLD, "new": NEW, "sex": SEX, "size": OLD * 3})
QRELS = {f"q{i:02}": {f"d{j}": int(RNG.integers(0, 3)) for j in range(6)} for i in range(60)}
RUNS = {
    "old": {query: {item: float(RNG.random()) for item in items} for query, items in QRELS.items()},
    "new": {
        query: {item: float(2 * RNG.random() + grade) for item, grade in items.items()}
        for query, items in QRELS.items()
    },
}
REGION = {query: ("east", "west", "north")[at % 3] for at, query in enumerate(QRELS)}
SOME = 200


@pytest.mark.parametrize("metric", ["ndcg@3", "gm_ap", "hit_rate(mode=micro)@1"])
def test_the_gap_of_each_run_is_that_of_the_run_alone(metric: str) -> None:
    name = f"gap(of={metric})"
    compared = pc.compare(QRELS, RUNS, [name, "mrr"], by=REGION, samples=SOME)
    assert compared.metrics == (metric, name, "mrr")
    for model, run in RUNS.items():
        alone = pc.evaluate_ranking(QRELS, run, [name], by=REGION, ci=0.95, samples=SOME)
        assert compared.value(name, model) == alone[name]
        assert compared.interval(name, model) == alone.interval(name)
    gap = compared.difference(name, "new")
    low, high = gap.interval
    assert low <= gap.value <= high
    assert 0 < gap.p <= gap.corrected <= 1
    assert (gap.unit, gap.pairs) == ("groups", 3)
    assert gap.test.en == "paired bootstrap of queries within groups"


def test_groups_are_drawn_alike_for_both_runs_and_corrected_over_the_groups() -> None:
    compared = pc.compare(QRELS, RUNS, ["gap(of=ndcg@3,correction=bonferroni)"], by=REGION, samples=SOME)
    (gap,) = compared.gaps.values()
    assert [group.group for group in gap.groups] == ["east", "north", "west"]
    columns = compared.per_query("ndcg@3").to_pydict()
    for place, group in enumerate(gap.groups):
        rows = [at for at, query in enumerate(columns["query"]) if REGION[query] == group.group]
        both = np.array([columns["new"], columns["old"]]).T[rows]
        assert group.values == pytest.approx(tuple(both.mean(axis=0)), abs=1e-15)
        apart = np.subtract(*drawn_means(both, SOME, (1 << 32) * (1 + place)).T)
        assert group.interval == pytest.approx(tuple(np.quantile(apart, [0.025, 0.975])), abs=1e-12)
        assert group.p == pytest.approx(math.erfc(abs(group.value) / apart.std(ddof=1) / math.sqrt(2)), rel=1e-9)
        assert group.corrected == pytest.approx(min(1.0, 3 * group.p))


@pytest.mark.parametrize(
    ("task", "truth", "metrics"),
    [
        ("binary", "click", ["gap(of=auc,by=sex)", "equalized_odds(by=sex)"]),
        ("regression", "click", ["gap(of=rmse,by=sex)", "gap(of=mae,by=sex,as=ratio)"]),
    ],
)
def test_gaps_of_rows(task: Any, truth: str, metrics: list[str]) -> None:
    options: dict[str, Any] = {"data": TABLE, "task": task, "samples": SOME}
    compared = pc.compare(truth, ["old", "new"], metrics, **options)
    evaluate = getattr(pc, f"evaluate_{task}")
    for name in metrics:
        for model in ("old", "new"):
            alone = evaluate(truth, model, [name], data=TABLE, ci=0.95, samples=SOME)
            assert compared.value(name, model) == alone[name]
            assert compared.interval(name, model) == alone.interval(name)
        gap = compared.difference(name, "new")
        assert gap.interval[0] <= gap.value <= gap.interval[1]
        assert gap.test.zh == "组内按行配对的自助抽样"
        assert {group.group for group in compared.gaps[name].groups} == {"f", "m"}
    shuffled = pc.compare(truth, ["old", "new"], metrics, **options | {"data": TABLE.take(RNG.permutation(ROWS))})
    assert shuffled.to_json() == compared.to_json()
    turned = pc.compare(truth, ["new", "old"], metrics, **options)
    for name in metrics:
        assert turned.difference(name, "old").interval == tuple(
            -end for end in compared.difference(name, "new").interval[::-1]
        )


def test_the_same_model_twice_differs_in_nothing() -> None:
    compared = pc.compare(QRELS, {"a": RUNS["old"], "b": RUNS["old"]}, ["gap(of=ndcg@3)"], by=REGION, samples=SOME)
    gap = compared.difference("gap(of=ndcg@3)", "b")
    assert (gap.value, gap.interval, gap.p) == (0, (0, 0), 1)
    assert {group.p for group in compared.gaps["gap(of=ndcg@3)"].groups} == {1.0}


def test_a_gap_that_one_model_widens_is_found() -> None:
    turned = {query: {item: -grade for item, grade in items.items()} for query, items in QRELS.items()}
    biased = {query: turned[query] if REGION[query] == "east" else items for query, items in RUNS["new"].items()}
    compared = pc.compare(QRELS, {"fair": RUNS["new"], "biased": biased}, ["gap(of=ndcg@3)"], by=REGION, samples=1000)
    gap = compared.difference("gap(of=ndcg@3)", "biased")
    assert gap.corrected < 0.05 < gap.interval[0]
    sure = [group.group for group in compared.gaps["gap(of=ndcg@3)"].groups if group.corrected < 0.05]
    assert sure == ["east"]


def test_queries_of_one_run_only_are_drawn_for_that_one_and_other_groups_are_told() -> None:
    fewer = {query: items for query, items in RUNS["new"].items() if query != "q00"}
    names = ["gap(of=ndcg@3)", "gap(of=gm_ap)"]
    compared = pc.compare(
        QRELS, {"old": RUNS["old"], "new": fewer}, names, by=REGION, missing="skip", samples=SOME, min_n=5
    )
    assert not math.isnan(compared.difference(names[0], "new").p)
    assert math.isnan(compared.difference(names[1], "new").p)
    assert compared.difference(names[1], "new").test.en.startswith("not tested: rows or queries that are drawn anew")
    far = {query: items for query, items in RUNS["new"].items() if REGION[query] != "east"}
    compared = pc.compare(QRELS, {"old": RUNS["old"], "new": far}, names[:1], by=REGION, missing="skip", samples=SOME)
    assert any("not the same groups count for old and new" in text.en for text in compared.warnings)
    assert any("计入的组不同" in text.zh for text in compared.warnings)


def test_quantiles_of_one_model_are_still_refused_and_saved_gaps_are_told(tmp_path: Path) -> None:
    with pytest.raises(
        pc.InputError, match="is read out of the queries of one model, and has no place in a comparison"
    ):
        pc.compare(QRELS, RUNS, ["median(of=mrr)"])
    for name, run in RUNS.items():
        scores = pc.evaluate_ranking(QRELS, run, ["gap(of=mrr)"], by=REGION)
        (tmp_path / f"{name}.json").write_text(scores.to_json(per_query=True))
    compared = pc.compare(None, [str(tmp_path / "old.json"), str(tmp_path / "new.json")], samples=SOME)
    assert compared.metrics == ("rr",)
    assert any("has the gap alone, and not the rows or queries of its groups" in text.en for text in compared.warnings)


def test_documents_tables_and_words_have_them() -> None:
    compared = pc.compare(QRELS, RUNS, ["gap(of=ndcg@3)"], by=REGION, samples=SOME)
    document = json.loads(compared.to_json())
    schema = json.loads((Path(pc.__file__).parent / "schema" / "comparison.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(document, schema)
    (gap,) = document["gaps"]
    assert gap["models"]["old"]["largest"]["group"] in set(REGION.values())
    assert [row["group"] for row in gap["groups"]] == ["east", "north", "west"]
    titles = compared.gaps["gap(of=ndcg@3)"].table().titles
    assert titles[:4] == ["by", "queries", "metric", "old"]
    assert "gaps: the queries of each group are drawn 200 times" in str(compared)
    assert "gap(of=ndcg@3)" not in {row["metric"] for row in compared.slices().to_pylist()}


@pytest.mark.parametrize("models", [["old", "new"], ["old"]])
def test_reports_have_a_table_of_groups_in_both_languages(models: list[str], tmp_path: Path) -> None:
    names = ["gap(of=ndcg@3)", "ndcg@3"]
    path = pc.report(
        QRELS, {name: RUNS[name] for name in models}, names, by=REGION, samples=SOME, path=tmp_path / "r.html"
    )
    page = path.read_text("utf-8")
    start = page.index('data-section="gaps"')
    section = page[start : page.index("</section>", start)]
    assert '<span lang="en">Gaps between groups</span><span lang="zh">组间差距</span>' in section
    assert all(f"<bdi>{region}</bdi>" in section for region in set(REGION.values()))
    assert ('data-table="gap-pairs-0"' in section) == (len(models) == 1)
    assert (section.count("Δ ") == 3) == (len(models) == 2)
    alone = pc.evaluate_ranking(QRELS, RUNS["old"], ["ndcg@3"], by=REGION)
    values = set(re.findall(r'data-value="([0-9.]+)"', section))
    assert {repr(part.values["ndcg@3"].value) for part in alone.slices.parts} <= values  # type: ignore[union-attr]


def test_reports_of_rows_have_them_too(tmp_path: Path) -> None:
    page = pc.report(
        "click",
        ["old", "new"],
        ["gap(of=auc,by=sex)"],
        data=TABLE,
        task="binary",
        samples=SOME,
        path=tmp_path / "r.html",
    ).read_text("utf-8")
    assert 'data-table="gaps-0"' in page
