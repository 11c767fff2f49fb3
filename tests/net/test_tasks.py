"""Where the parts of a task stand: in the rooms, or all in one folder."""

from __future__ import annotations

import inspect
from typing import Literal

import pytest

import pingce as pc
import pingce.spark
from pingce.base.text import Text
from pingce.evidence.policy_set import PolicySet, policy
from pingce.metrics.declared import Metric
from pingce.tasks import TASKS, Task

PARTS = [
    "policies",
    "metrics",
    "tool_spellings",
    "explain",
    "evaluate",
    "evaluator",
    "state",
    "scores",
    "diagnosis",
    "report",
    "spark",
]


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
@pytest.mark.parametrize("part", PARTS)
def test_every_part_of_every_task_is_where_the_task_says(task: Task, part: str) -> None:
    module, name = task.place(part)
    loaded = task.load(part)
    assert (loaded.__name__ if inspect.ismodule(loaded) else loaded.__module__) == module
    assert inspect.ismodule(loaded) or loaded.__name__ == name


def test_the_parts_of_a_task_in_a_folder_are_its_modules() -> None:
    words = Text("uplift", "增益")
    task = Task("uplift", words, words, words, in_folder=True, parts={"report": "html.binary:BinaryReport"})
    assert task.place("state") == ("pingce.uplift.state", "UpliftState")
    assert task.place("metrics") == ("pingce.uplift.metrics", "")
    assert task.place("evaluate") == ("pingce.uplift.evaluate", "evaluate_uplift")
    assert task.place("report") == ("pingce.html.binary", "BinaryReport")
    assert task.place("tool_spellings") == ("pingce.conventions.declared", "tool_spellings")


@pytest.mark.parametrize("task", TASKS)
def test_call_evaluator_scores_and_the_call_on_spark_are_public(task: str) -> None:
    for part in ("evaluate", "evaluator", "scores"):
        name = TASKS[task].place(part)[1]
        assert name in pc.__all__
        assert getattr(pc, name) is TASKS[task].load(part)
    assert getattr(pingce.spark, f"evaluate_{task}") is TASKS[task].load("spark")
    with pytest.raises(AttributeError, match=r"module 'pingce\.spark' has no attribute 'evaluate_nothing'"):
        _ = pingce.spark.evaluate_nothing  # type: ignore[attr-defined]


@pytest.mark.parametrize("task", TASKS)
def test_an_evaluator_has_the_defaults_of_the_call(task: str) -> None:
    call, evaluator = (
        inspect.signature(each).parameters for each in (getattr(pc, f"evaluate_{task}"), TASKS[task].load("evaluator"))
    )
    shared = [name for name in evaluator if name in call and name != "qrels"]
    assert {"metrics", "convention", "threads"} <= {*shared}
    assert {name: evaluator[name].default for name in shared} == {name: call[name].default for name in shared}


def test_a_metric_that_says_nothing_of_its_evidence_needs_none_and_no_rows() -> None:
    """What rooms ask of the metrics of every task has an answer in their base."""
    assert (Metric.needs, Metric.needs_rows.fget(Metric)) == ("", False)  # type: ignore[attr-defined]


def test_a_policy_has_a_number_or_words_that_are_known() -> None:
    """Words that nobody could check would be taken, whatever they are."""
    with pytest.raises(TypeError, match="shade: a policy has a number, or the name of a Literal type"):

        class Shades(PolicySet):
            shade: Literal["dark", "light"] = policy("dark", Text("How dark.", "深浅。"))
