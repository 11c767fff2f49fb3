"""`sample_weight=` is `weight=` under scikit-learn's name, wherever there is one."""

from __future__ import annotations

from inspect import signature
from typing import Any

import numpy as np
import pytest

import pingce as pc
from pingce.base.errors import InputError

TRUE, SCORES, CLASSES = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1], [1, 1, 1, 0]
WEIGHT = [1.0, 2.0, 3.0, 4.0]
WEIGHTED = sorted(
    name
    for name in pc.__all__
    if name != "evaluate_pairs"  # whose columns are named in pairs: tests/pairs
    and name[0].islower()
    and callable(getattr(pc, name))
    and "weight" in signature(getattr(pc, name)).parameters
)


def value(name: str, **options: Any) -> Any:
    call = getattr(pc, name)
    if name == "explain":
        return call("auc", labels=TRUE, scores=SCORES, **options).value
    second = CLASSES if "y_pred" in signature(call).parameters else SCORES
    needed: dict[str, dict[str, Any]] = {
        "gauc": {"group": ["u"] * 4},
        "fbeta": {"beta": 2.0},
        "evaluate_uplift": {"treatment": [1, 0, 0, 1]},
        "evaluate_offpolicy": {"propensity": [0.5, 0.25, 0.5, 0.5]},
        "evaluate_multilabel": {"row": [1, 2, 3, 4], "tag": ["a"] * 4},
    }
    more = needed.get(name, {})
    found = call(TRUE, second, **more, **options)
    for shown in ("to_json", "to_pydict", "table"):
        if hasattr(found, shown):
            return found.table if shown == "table" else getattr(found, shown)()
    return np.asarray(found).tolist()


def test_there_are_such_calls() -> None:
    assert {"auc", "mae", "f1", "roc_curve", "evaluate_binary", "explain", "confusion_matrix"} <= set(WEIGHTED)


@pytest.mark.parametrize("name", WEIGHTED)
def test_both_names_of_a_call_are_one(name: str) -> None:
    assert str(value(name, sample_weight=WEIGHT)) == str(value(name, weight=WEIGHT))
    with pytest.raises(InputError, match="two names for the same"):
        value(name, weight=WEIGHT, sample_weight=WEIGHT)


def test_both_names_in_tables_batches_and_comparisons() -> None:
    data = {"y": TRUE, "p": SCORES, "q": [0.2, 0.6, 0.4, 0.5], "c": CLASSES, "w": WEIGHT}
    found = pc.evaluate_binary("y", "p", ["auc", "f1"], data=data, sample_weight="w")
    assert found.to_json() == pc.evaluate_binary("y", "p", ["auc", "f1"], data=data, weight="w").to_json()
    evaluators: list[tuple[Any, list[Any]]] = [
        (pc.BinaryEvaluator(["auc"]), SCORES),
        (pc.MulticlassEvaluator(["accuracy"]), CLASSES),
        (pc.RegressionEvaluator(["mae"]), SCORES),
    ]
    for evaluator, predicted in evaluators:
        ours = evaluator.update(TRUE, predicted, sample_weight=WEIGHT).compute().to_json()
        assert ours == evaluator.reset().update(TRUE, predicted, weight=WEIGHT).compute().to_json()
        with pytest.raises(InputError, match="two names"):
            evaluator.update(TRUE, predicted, weight=WEIGHT, sample_weight=WEIGHT)
    both: list[dict[str, Any]] = [{"weight": "w"}, {"sample_weight": "w"}]
    options: dict[str, Any] = {"task": "binary", "data": data, "samples": 200}
    one, other = (pc.compare("y", ["p", "q"], ["auc"], **options, **named) for named in both)
    assert one.to_json() == other.to_json()
