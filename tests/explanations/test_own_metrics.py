"""Every metric has an explanation beside it; one that a caller declares is shown with its rows and its value."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

import pingce as pc
from explained_steps import last_line
from pingce.base.text import Text
from pingce.explanations.derivation import Grid
from pingce.explanations.frame import explainer_of
from pingce.metrics import declared
from pingce.metrics.binary.decisions import Accuracy as Decided
from pingce.metrics.binary.decisions import Decision
from pingce.metrics.multiclass.per_class import PerClass, Recall
from pingce.metrics.regression.errors import MeanAbsoluteError, RowMean
from pingce.tasks import TASKS

LABELS, SCORES = [1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]
TRUE, PREDICTED = ["a", "b", "b", "c"], ["a", "b", "c", "c"]


@pytest.fixture(autouse=True)
def _registries() -> Iterator[None]:
    """What a test declares is forgotten after it."""
    before = {task: dict(declared.registry(task)) for task in TASKS}
    yield
    for task, kinds in before.items():
        declared._registry[task] = kinds


@pytest.mark.parametrize("task", TASKS)
def test_every_metric_has_an_explanation_in_the_module_that_mirrors_its_own(task: str) -> None:
    for kind in declared.registry(task).values():
        explainer = explainer_of(kind)
        assert explainer is not None, kind
        if getattr(kind, "division", ()):
            continue  # explained as what it is: one division
        mirror = kind.__module__.replace("pingce.metrics", "pingce.explanations")
        assert explainer.__module__ == (f"pingce.{task}.explain" if TASKS[task].in_folder else mirror), kind


def _shown(explanation: Any, value: float) -> list[str]:
    last = last_line(explanation).value
    assert last is not None
    assert explanation.value.hex() == float(last).hex() == float(value).hex()
    return [step.key for step in explanation.steps if isinstance(step, Grid)]


def _declared(base: type[Any], **parts: Any) -> Any:
    """A metric called `mine`, made from another in place."""
    names = {"name": "mine", "title": Text("Mine", "自定"), "formula": "mine = ?"} | parts
    kind: Any = dataclass(frozen=True, kw_only=True)(type("Mine", (base,), {"__module__": __name__, **names}))
    return kind()


def test_a_metric_of_labels_without_a_base_that_is_explained_shows_its_rows() -> None:
    metric = _declared(
        pc.BinaryMetric, about=Decided.about, value=lambda self, view: float(view.evidence.rows.scores.max())
    )
    explanation = pc.explain(metric, labels=LABELS, scores=SCORES, group=["u", "u", "v", "v"], weight=[1, 2, 1, 1])
    assert _shown(explanation, 0.9) == ["rows"]
    assert "group" in str(explanation)
    many = pc.explain(metric, labels=LABELS * 50, scores=SCORES * 50)
    assert "20 of 200 rows are written here" in str(many)
    assert "sums" not in str(many)


@pytest.mark.parametrize(
    ("base", "keys"), [(Decision, ["rows", "confusion"]), (Decided, ["rows"]), (pc.BinaryMetric, ["rows"])]
)
def test_a_metric_made_from_another_shows_what_both_share(base: type[Any], keys: list[str]) -> None:
    parts: dict[str, Any] = {
        "of": lambda self, cells: cells.tp + 0.25,
        "value": lambda self, view: view.cells.tp + 0.25,
    }
    if base is Decided:
        parts = {"value": lambda self, view: 0.125}
    metric = _declared(base, about=Decided.about, **parts)
    explanation = pc.explain(metric, labels=LABELS, scores=SCORES)
    assert _shown(explanation, 0.125 if base is Decided else 2.25) == keys


def test_metrics_of_classes_and_numbers_too() -> None:
    metric = _declared(pc.MulticlassMetric, about=Recall.about, value=lambda self, view: 0.5)
    assert _shown(pc.explain(metric, true=TRUE, pred=PREDICTED), 0.5) == ["rows"]
    proba = [[0.7, 0.2, 0.1]] * 4
    assert _shown(pc.explain(metric, true=TRUE, proba=proba, classes=["a", "b", "c"]), 0.5) == ["rows"]
    pooled = _declared(PerClass, about=Recall.about, formula_of=lambda self, cells: cells.tp / cells.tp)
    assert _shown(pc.explain(pooled, true=TRUE, pred=PREDICTED), 1.0) == ["classes"]
    metric = _declared(pc.RegressionMetric, about=MeanAbsoluteError.about, value=lambda self, evidence: 0.5)
    assert _shown(pc.explain(metric, true=[1, 2], pred=[1, 3]), 0.5) == ["rows"]
    mean = _declared(RowMean, about=MeanAbsoluteError.about, value=lambda self, evidence: math.nan)
    assert math.isnan(pc.explain(mean, true=[1, 2], pred=[1, 3]).value)


def test_a_metric_of_rankings_made_from_another_shows_its_list() -> None:
    from pingce.metrics.ranking.precision_recall import Precision

    metric = _declared(Precision, about=Precision.about, values=lambda self, view: view.relevant_count * 0.5)
    assert _shown(pc.explain(metric, grades=[1, 0, 1]), 1.0) == ["list"]
