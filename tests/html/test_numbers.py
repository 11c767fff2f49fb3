"""Every number of the page is the one that `evaluate`, `compare` and `explain` give."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pingce as pc
import report_pages as made
from pingce.html.binary import live
from pingce.html.queries import coded, sampled, telling
from pingce.html.write import LARGEST
from report_pages import clicks, data_of, runs, value_of

METRICS = ["ndcg@5", "map", "mrr@10"]
BINARY = ["auc", "gauc", "logloss", "f1"]


@pytest.fixture(scope="module")
def ranking(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any, Path]:
    """Three runs over sixty queries; the second leaves five of them out."""
    truth, models = runs(60, 3)
    for query in list(models["model1"])[:5]:
        del models["model1"][query]
    return (
        truth,
        models,
        pc.report(truth, models, METRICS, samples=500, path=tmp_path_factory.mktemp("ranking") / "r.html"),
    )


@pytest.fixture(scope="module")
def binary(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any, Any, Path]:
    """Two models of clicks."""
    labels, models, users = clicks()
    path = tmp_path_factory.mktemp("binary") / "r.html"
    return labels, models, users, pc.report(labels, models, BINARY, task="binary", group=users, samples=100, path=path)


def test_the_summary_is_that_of_compare(ranking: tuple[Any, Any, Path]) -> None:
    truth, models, path = ranking
    data, compared = data_of(path), pc.compare(truth, models, METRICS, samples=500)
    for entry in data["summary"]["metrics"]:
        name = entry["name"]
        for at, model in enumerate(models):
            assert entry["values"][at] == pc.evaluate_ranking(truth, models[model], METRICS)[name]
            assert entry["intervals"][at] == list(compared.interval(name, model))
            assert entry["letters"][at] == compared.letters(name, model)
            assert entry["best"][at] == (model in compared.best(name))
            if at:
                found = compared.difference(name, model)
                assert entry["differences"][at]["value"] == found.value
                assert entry["differences"][at]["corrected"] == found.corrected
    static = path.read_text("utf-8")
    assert all(f'data-value="{value!r}"' in static for entry in data["summary"]["metrics"] for value in entry["values"])


def test_pairs_are_those_of_compare(ranking: tuple[Any, Any, Path]) -> None:
    truth, models, path = ranking
    compared, names = pc.compare(truth, models, METRICS, samples=500), list(models)
    for metric in data_of(path)["pairs"]["metrics"]:
        for pair in metric["pairs"]:
            found = compared[metric["name"]].difference(*(names[at] for at in pair["pair"]))
            assert (pair["value"], pair["p"]) == (found.value, found.p)
            assert (pair["wins"], pair["ties"], pair["losses"]) == (found.wins, found.ties, found.losses)
            assert pair["pairs"] == found.pairs == 60


def test_health_counts_what_policies_decided(ranking: tuple[Any, Any, Path], binary: Any) -> None:
    truth, models, path = ranking
    rows = {row["key"]: row for row in data_of(path)["health"]["rows"]}
    assert rows["missing"]["values"] == [0, 5, 0]
    assert rows["missing"]["policy"] == "missing=zero"
    scores = pc.evaluate_ranking(truth, models["model1"], METRICS)
    for key in ("scored", "extra", "run_rows", "duplicates", "nan", "excluded"):
        assert rows[key]["values"][1] == scores.counts[key]
    skipped = pc.report(truth, models, METRICS, missing="skip", samples=100, path=path.with_name("skip.html"))
    rows = {row["key"]: row for row in data_of(skipped)["health"]["rows"]}
    assert (rows["scored"]["values"], rows["missing"]["policy"]) == ([60, 55, 60], "missing=skip")
    found = {row["key"]: row["values"] for row in data_of(binary[3])["health"]["rows"]}
    counts = pc.evaluate_binary(binary[0], binary[1]["fine"], BINARY, group=binary[2]).counts
    assert [found[key][0] for key in ("rows", "positives", "single_class")] == [
        counts["rows"],
        counts["positives"],
        counts["groups"]["single_class"],
    ]


def test_values_of_queries_and_their_calculations(ranking: tuple[Any, Any, Path]) -> None:
    truth, models, path = ranking
    units = made.units_of(data_of(path))
    for at, run in enumerate(models.values()):
        table = pc.evaluate_ranking(truth, run, METRICS).per_query.to_pydict()
        for row, query in enumerate(units["ids"]):
            for name in METRICS:
                assert value_of(units, name, at, row) == table[name][table["query"].index(query)]
    assert len(units["details"]) == 60
    row = units["ids"].index("q7")
    for at, run in enumerate(models.values()):
        shown = units["details"][str(row)]["models"][at]
        explained = pc.explain("ndcg@5", truth, run, query="q7")
        assert shown["worked"]["value"] == explained.value == shown["worked"]["steps"][-1]["value"]
        ranked = sorted(run["q7"].items(), key=lambda pair: -pair[1])
        assert [[item, grade] for item, grade, _, _ in shown["list"]] == [
            [item, truth["q7"][item]] for item, _ in ranked
        ]


@pytest.mark.parametrize("policies", [{}, {"missing": "skip", "relevant": 2, "ties": "worst"}])
def test_cutoffs_are_evaluated(ranking: tuple[Any, Any, Path], policies: dict[str, Any]) -> None:
    truth, models, path = ranking
    path = pc.report(truth, models, METRICS, samples=100, path=path.with_name("k.html"), **policies)
    found = data_of(path)["cutoffs"]
    assert [metric["name"] for metric in found["metrics"]] == ["ndcg", "ap", "rr", "recall"]
    for metric in found["metrics"]:
        asked = [f"{metric['name']}@{k}" for k in found["k"]]
        for values, run in zip(metric["values"], models.values(), strict=True):
            assert values == list(pc.evaluate_ranking(truth, run, asked, **policies).values())


def test_every_threshold_is_exact_for_every_model(binary: tuple[Any, Any, Any, Path]) -> None:
    labels, models, _, path = binary
    panel = data_of(path)["threshold"]
    assert 0.5 in panel["thresholds"]
    assert panel["thresholds"] == sorted(panel["thresholds"], reverse=True)
    assert len(panel["thresholds"]) <= 1000
    for at in {0, len(panel["thresholds"]) - 1, panel["start"], *range(3, len(panel["thresholds"]), 61)}:
        for own, scores in zip(panel["models"], models.values(), strict=True):
            threshold = panel["thresholds"][at]
            names = ("accuracy", "precision", "recall", "f1", "fpr")
            found, wanted = live(own, at), pc.evaluate_binary(labels, scores, names, threshold=threshold)
            assert [found[name] for name in names] == [None if math.isnan(v) else v for v in wanted.values()]
            assert found["tp"] == int(((scores >= threshold) & (labels == 1)).sum())


@pytest.mark.parametrize("compare", ["ge", "gt"])
def test_presets_are_the_best_thresholds(tmp_path: Path, compare: str) -> None:
    labels, models, _ = clicks()
    models["all"] = np.where(labels == 1, 0.25, 0.75).astype(np.float32)  # best is to call every row positive
    options: dict[str, Any] = {"task": "binary", "compare": compare, "samples": 100}
    panel = data_of(pc.report(labels, models, ["f1"], path=tmp_path / "r.html", **options))["threshold"]
    for own, scores in zip(panel["models"], models.values(), strict=True):
        best = pc.evaluate_binary(labels, scores, ["best_f", "ks", "ks_threshold"])
        assert live(own, own["presets"]["max_f1"])["f1"] == best["best_f"]
        if compare == "ge":
            assert panel["thresholds"][own["presets"]["ks"]] == best["ks_threshold"]
        called = [live(own, at)["tp"] + live(own, at)["fp"] for at in range(len(panel["thresholds"]))]
        assert abs(called[own["presets"]["bep"]] - own["positives"]) == min(
            abs(n - own["positives"]) for n in called if n
        )
        at_ks = live(own, own["presets"]["ks"])
        assert at_ks["recall"] - at_ks["fpr"] == pytest.approx(best["ks"], rel=1e-12)


@pytest.mark.parametrize("compare", ["ge", "gt"])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_thresholds_under_other_policies(tmp_path: Path, compare: str, kind: Any) -> None:
    labels, models, _ = clicks(200)
    scores = models["coarse"].astype(kind)
    options: dict[str, Any] = {"task": "binary", "threshold": 0.3, "compare": compare}
    panel = data_of(pc.report(labels, {"m": scores}, ["f1"], path=tmp_path / "r.html", **options))["threshold"]
    for at, threshold in enumerate(panel["thresholds"]):
        wanted = pc.evaluate_binary(labels, scores, ["f1"], threshold=threshold, compare=compare)["f1"]  # type: ignore[arg-type]
        assert live(panel["models"][0], at)["f1"] == wanted


def test_groups_and_slices(binary: tuple[Any, Any, Any, Path]) -> None:
    labels, models, users, path = binary
    data = data_of(path)
    units = made.units_of(data)
    scores = pc.evaluate_binary(labels, models["fine"], BINARY, group=users, by="activity")
    table, parts = scores.per_group.to_pydict(), scores.slices.parts if scores.slices else ()
    for row, group in enumerate(units["ids"]):
        assert value_of(units, "auc", 0, row) == table["auc"][list(map(str, table["group"])).index(group)]
    (sliced,) = data["slices"]["tables"]
    assert [row["name"] for row in sliced["rows"]] == [part.name for part in parts]
    for row, part in zip(sliced["rows"], parts, strict=True):
        found = row["values"]["gauc"][0][0]
        assert found == part.values["gauc"].value or (found is None and math.isnan(part.values["gauc"].value))


def test_classes_and_residuals(tmp_path: Path) -> None:
    random = np.random.default_rng(2)
    true, predicted = random.choice(list("abc"), 90), random.choice(list("abc"), 90)
    path = pc.report(true, {"m": predicted}, ["accuracy"], task="multiclass", path=tmp_path / "c.html")
    (own,) = data_of(path)["classes"]["models"]
    scores = pc.evaluate_multiclass(true, predicted, ["accuracy"])
    assert own["matrix"] == scores.confusion.matrix.tolist()
    assert own["columns"]["f1"] == scores.per_class.to_pydict()["f1"]
    assert len(re.findall('class="heat h', path.read_text("utf-8"))) == 9
    truth, guess = random.normal(size=50), random.normal(size=50)
    path = pc.report(truth, {"m": guess}, ["mae"], task="regression", path=tmp_path / "n.html")
    (own,) = data_of(path)["residuals"]["models"]
    assert sum(n for _, _, n in own["cells"]) == sum(own["histogram"]) == 50
    assert own["mean"] == pytest.approx(float((guess - truth).mean()), rel=1e-12)


def test_every_number_has_a_signature(ranking: tuple[Any, Any, Path]) -> None:
    truth, models, path = ranking
    for entry in data_of(path)["definitions"]:
        wanted = {pc.evaluate_ranking(truth, run, METRICS).signature(entry["name"]) for run in models.values()}
        assert set(entry["signatures"]) == wanted
        assert all(signature in path.read_text("utf-8").replace("&amp;", "&") for signature in wanted)


def test_a_single_query_is_no_reason_to_fail(tmp_path: Path) -> None:
    truth, models = runs(1, 2)
    data = data_of(pc.report(truth, models, ["mrr"], path=tmp_path / "r.html"))
    assert "pairs" not in data
    assert data["summary"]["metrics"][0]["intervals"] == [None, None]
    assert data["summary"]["said"]


@pytest.mark.sweep
def test_a_large_report_is_small(tmp_path: Path) -> None:
    import pyarrow as pa

    random = np.random.default_rng(9)
    queries, depth = 5_000, 20
    ids = pa.array([f"query-{number}" for number in range(queries)]).take(
        pa.array(np.repeat(np.arange(queries), depth))
    )
    items = [np.argsort(random.random((queries, depth * 2)), axis=1)[:, :depth].ravel() for _ in range(4)]
    tables = {
        f"model{at}": pa.table({"query": ids, "item": own, "score": random.random(queries * depth)})
        for at, own in enumerate(items)
    }
    truth = pa.table({"query": ids, "item": items[0], "grade": random.integers(0, 4, queries * depth)})
    path = pc.report(truth, tables, ["ndcg@10", "map", "mrr"], samples=200, path=tmp_path / "r.html")
    assert path.stat().st_size <= LARGEST
    data = data_of(path)
    assert data["queries"]["all"] == data["queries"]["kept"] == queries
    assert data["queries"]["detailed"] >= 100


@pytest.mark.sweep
def test_what_does_not_fit_is_left_out_visibly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    truth, models = runs(90, 2)
    whole = pc.report(truth, models, ["ndcg@5"], samples=100, path=tmp_path / "r.html").stat().st_size
    monkeypatch.setattr("pingce.html.write.LARGEST", whole - 5_000)
    path = pc.report(truth, models, ["ndcg@5"], samples=100, path=tmp_path / "r.html")
    data = data_of(path)
    assert path.stat().st_size <= whole - 5_000
    assert data["queries"]["detailed"] < 90
    monkeypatch.setattr("pingce.html.write.LARGEST", 1_000)
    with pytest.raises(pc.InputError, match="more than 1,000"):
        pc.report(truth, models, ["ndcg@5"], samples=100, path=tmp_path / "s.html")


def test_quantised_values_are_near_and_few_are_exact() -> None:
    few = np.array([[0.1, np.nan], [0.3, 0.1]])
    found = coded(few)
    assert found == {"levels": [0.1, 0.3], "codes": [[0, 1], [-1, 0]]}
    many = np.random.default_rng(4).random((3000, 2))
    many[5, 1] = np.nan
    found = coded(many)
    back = found["low"] + np.array(found["codes"]) * found["step"]
    assert np.abs(back.T - many)[~np.isnan(many)].max() <= 1e-5
    assert found["codes"][1][5] == -1


def test_a_sample_has_both_ends_and_the_telling_ones(ranking: tuple[Any, Any, Path]) -> None:
    from pingce.html.material import Material

    truth, models, _ = ranking
    scores = {name: pc.evaluate_ranking(truth, run, METRICS) for name, run in models.items()}
    material = Material("ranking", scores)
    units = material.page.units(material)
    assert units is not None
    means = units.values["ndcg@5"].mean(axis=1)
    kept = sampled(units, 10, "ndcg@5")
    assert len(kept) == 10
    assert {int(means.argmin()), int(means.argmax())} <= set(kept.tolist())
    spread = units.values["ndcg@5"].max(axis=1) - units.values["ndcg@5"].min(axis=1)
    first = telling(units, "ndcg@5", 6).tolist()
    assert {int(means.argmin()), int(means.argmax()), int(spread.argmax())} <= set(first)
