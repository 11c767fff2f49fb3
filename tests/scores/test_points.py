"""The diagnosis point by point: a label and a sentence each, in both languages, of every task."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

import pingce as pc
from pingce.base.text import paragraph, use_language
from pingce.diagnosis.points import LABELS, Point, Points, as_document

CHINESE = re.compile("[\u4e00-\u9fff]")
TRUTH, RUN = {"q": {"a": 2, "b": 1}, "r": {"c": 1}}, {"q": {"b": 1, "x": 1}, "r": {"x": 2}}
LABEL, SCORE, USER = [1, 0, 1, 0, 0, 1], [0.9, 0.8, 0.7, 0.1, 0.3, 0.3], ["u", "u", "v", "v", "w", "w"]


def scores_of_every_task() -> dict[str, Any]:
    rows = np.arange(40)
    return {
        "ranking": pc.evaluate_ranking(TRUTH, RUN, ["rr"]),
        "items": pc.evaluate_ranking(None, RUN, ["coverage@2"], catalog=10),
        "binary": pc.evaluate_binary(LABEL, SCORE, ["auc", "gauc", "accuracy"], group=USER),
        "logits": pc.evaluate_binary(LABEL, [9 * s - 4 for s in SCORE], ["auc", "f1"]),
        "multiclass": pc.evaluate_multiclass(list("aabc"), list("aabb")),
        "regression": pc.evaluate_regression([1.0, 2, 3, 9], [2.0, 3, 4, 20], ["rmse", "xauc"]),
        "multilabel": pc.evaluate_multilabel([[1, 0], [1, 1]], [[0.9, 0.8], [0.7, 0.6]]),
        "uplift": pc.evaluate_uplift(rows % 3 == 0, rows / 40, treatment=rows % 2),
        "offpolicy": pc.evaluate_offpolicy(rows % 2, np.full(40, 0.5), propensity=np.full(40, 0.4)),
    }


@pytest.mark.filterwarnings("ignore::pingce.PingceWarning")
def test_every_task_speaks_in_labelled_points() -> None:
    seen = set()
    for task, scores in scores_of_every_task().items():
        points = scores.diagnosis["points"].points()
        assert points, task
        assert dict(scores.diagnosis["text"]) == paragraph(point.text for point in points)._asdict(), task
        for point in points:
            assert CHINESE.search(point.text.zh), point
            assert not CHINESE.search(point.text.en), point
        seen |= {point.name for point in points}
        assert json.loads(scores.to_json())["diagnosis"]["points"] == scores.diagnosis["points"]
    assert {"stages", "order", "averages", "error", "effect", "value", "trust"} <= seen <= set(LABELS)


def test_labels_are_short_and_in_both_languages() -> None:
    for name, label in LABELS.items():
        assert CHINESE.search(label.zh), name
        assert label.en.isascii()
        assert len(label.en) <= 16, "they stand beside their sentences"
    assert len({label.en for label in LABELS.values()}) == len(LABELS)


def test_points_print_in_the_language_in_force() -> None:
    scores = pc.evaluate_ranking(TRUTH, RUN, ["rr"])
    points = scores.diagnosis["points"]
    assert str(points).splitlines() == [
        "Stages: First relevant item (2 queries): in the top 10 50.0 %; at 11–1000 0.0 %; not returned 50.0 %.",
        "Next step: Most of the loss is items never returned: work on the recall stage.",
    ]
    use_language("zh")
    try:
        assert str(points).splitlines()[1] == "下一步：损失主要来自没有返回的条目：应改进召回阶段。"
    finally:
        use_language(None)


def test_a_point_in_a_document_is_plain_and_comes_back() -> None:
    point = Point("order", LABELS["order"])
    document = as_document([point])
    assert document["points"] == [
        {"name": "order", "label": {"en": "Order", "zh": "排序"}, "text": {"en": "Order", "zh": "排序"}}
    ]
    assert isinstance(document["points"], Points)
    assert document["points"].points() == [point]
    assert as_document([]) == {"points": [], "text": {"en": "", "zh": ""}}


def test_documents_without_points_are_read_as_before(tmp_path: Path) -> None:
    """Those of 0.1 have the paragraph alone."""
    document = json.loads(pc.evaluate_ranking(TRUTH, RUN, ["rr"]).to_json(per_query=True))
    schema = json.loads((files("pingce") / "schema" / "scores.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    assert validator.is_valid(document)
    del document["diagnosis"]["points"]
    assert validator.is_valid(document)
    (tmp_path / "old.json").write_text(json.dumps(document), encoding="utf-8")
    assert pc.check(tmp_path / "old.json", min={"rr": 0.1}).passed
    document["diagnosis"]["points"] = [{"name": "order"}]
    assert not validator.is_valid(document)
