"""The panel of costs and the calibration by part: every number is the one that metrics, curves and `fields` give."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

import pingce as pc
from pingce.html.binary import live
from pingce.html.fields import MOST_FIELDS, MOST_PARTS
from report_pages import clicks, data_of

PRICES = "cost(fp=1,fn=20)", "best_cost(fp=1,fn=20)", "cost_threshold(fp=1,fn=20)"


def page(folder: Path, metrics: list[str], **options: Any) -> tuple[dict[str, Any], str]:
    """The data of a report of clicks, and its text."""
    labels, models, users = clicks()
    table = {"y": labels, "user": users, "ad": [f"ad{user % 4}" for user in users.tolist()], **models}
    path = pc.report(
        "y", list(models), metrics, task="binary", data=table, samples=100, path=folder / "r.html", **options
    )
    return data_of(path), path.read_text("utf-8")


@pytest.mark.parametrize("compare", ["ge", "gt"])
def test_the_least_cost_is_that_of_the_metric_and_of_the_cells_there(
    tmp_path: Path, compare: Literal["ge", "gt"]
) -> None:
    data, text = page(tmp_path, ["auc", *PRICES], compare=compare, threshold=0.3)
    (price,), labels, models = data["threshold"]["costs"], *clicks()[:2]
    assert (price["name"], price["fp"], price["fn"]) == ("fp=1,fn=20", 1, 20)
    for place, (model, own) in enumerate(zip(models, price["models"], strict=True)):
        scores = pc.evaluate_binary(labels, models[model], PRICES, threshold=0.3, compare=compare)
        assert (own["least"], own["threshold"]) == (scores[PRICES[1]], scores[PRICES[2]])
        cells = live(data["threshold"]["models"][place], own["at"])
        assert (cells["fp"] + 20 * cells["fn"]) / len(labels) == own["least"]
        assert f'data-value="{scores[PRICES[0]]!r}"' in text


def test_where_calling_nothing_positive_is_cheapest_the_page_says_so(tmp_path: Path) -> None:
    data, text = page(tmp_path, ["best_cost(fp=1000,fn=1)"])
    assert [own["at"] is None for own in data["threshold"]["costs"][0]["models"]] == [False, True]
    assert "call nothing positive" in text
    assert "一律判为负" in text


def test_several_prices_stand_beside_each_other_and_none_without_a_metric(tmp_path: Path) -> None:
    data, _ = page(tmp_path, ["cost(fp=1,fn=5)", "best_cost(fp=1,fn=5)", "best_cost(fp=2,fn=1)"])
    assert [price["name"] for price in data["threshold"]["costs"]] == ["fp=1,fn=5", "fp=2,fn=1"]
    assert "costs" not in page(tmp_path, ["auc"])[0]["threshold"]


def test_fields_are_points_and_the_worst_are_those_of_the_scores(tmp_path: Path) -> None:
    data, text = page(tmp_path, ["auc", "field_rce(by=ad)", "field_ece(by=ad)", "field_rce(by=user)"])
    labels, models, users = clicks()
    ads = np.array([f"ad{user % 4}" for user in users.tolist()])
    assert [column["title"][0] for column in data["fields"]["columns"]] == ["ad", "user"]
    for model, own in zip(models.values(), data["fields"]["columns"][0]["models"], strict=True):
        expected = [
            [model[ads == ad].mean(), labels[ads == ad].mean(), (ads == ad).sum(), ad] for ad in np.unique(ads).tolist()
        ]
        for point, wanted in zip(own["points"], expected, strict=True):
            assert point[2:] == wanted[2:]
            assert point[:2] == pytest.approx(wanted[:2], rel=1e-12)
        scores = pc.evaluate_binary(labels, model, ["field_rce(by=ad)"], group_weight={"ad": ads})
        worst = [list(line.values()) for line in scores.fields("ad").to_pylist()]
        assert own["worst"] == worst[:10]
    assert text.count('data-table="worst-') == 4


def test_each_slice_has_a_reliability_curve(tmp_path: Path) -> None:
    data, text = page(tmp_path, ["auc"], by="ad")
    labels, models, users = clicks()
    ads = np.array([f"ad{user % 4}" for user in users.tolist()])
    (sliced,) = data["fields"]["slices"]
    assert [part["name"] for part in sliced["parts"]] == ["ad0", "ad1", "ad2", "ad3"]
    for part in sliced["parts"]:
        chosen = ads == part["name"]
        for own, scores in zip(part["models"], models.values(), strict=True):
            curve = pc.calibration_curve(labels[chosen], scores[chosen])
            for name, values in own["columns"].items():
                assert values == curve.table[name].to_pylist()
            assert own["rows"] == chosen.sum()
            assert own["means"] == pytest.approx([scores[chosen].mean(), labels[chosen].mean()], rel=1e-12)
            assert own["ece"] == curve.summary["ece"]
    assert 'data-table="reliability-0"' in text


def test_many_parts_are_cut_and_that_is_said(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    labels, scores = random.integers(0, 2, 900), random.random(900)
    fields = np.arange(900) % (MOST_FIELDS + 5)
    table = {"y": labels, "p": scores, "field": fields}
    path = pc.report(
        "y", "p", ["field_ece(by=field)"], task="binary", data=table, by="field", path=tmp_path / "r.html", min_n=1
    )
    data, text = data_of(path), path.read_text("utf-8")
    assert len(data["fields"]["columns"][0]["models"][0]["points"]) == MOST_FIELDS
    assert len(data["fields"]["slices"][0]["parts"]) == MOST_PARTS
    assert f"the {MOST_FIELDS} values with most rows of {MOST_FIELDS + 5}" in text
    assert f"{MOST_FIELDS + 5} 个切片中行数最多的 {MOST_PARTS} 个" in text


def test_scores_that_are_no_probabilities_have_no_calibration(tmp_path: Path) -> None:
    labels, models, _ = clicks()
    logits = np.log(models["fine"] / (1 - models["fine"]))
    path = pc.report(
        labels, logits, ["auc"], task="binary", by=np.arange(600) % 3, path=tmp_path / "r.html", samples=100
    )
    assert "fields" not in data_of(path)


def test_weighted_slices_without_weight_are_left_out(tmp_path: Path) -> None:
    labels, models, _ = clicks()
    part = np.arange(600) % 3
    path = pc.report(
        labels, models["fine"], ["auc"], task="binary", by=part, weight=(part != 1) * 2.0, path=tmp_path / "r.html"
    )
    parts = data_of(path)["fields"]["slices"][0]["parts"]
    assert [part["name"] for part in parts] == ["0", "2"]
