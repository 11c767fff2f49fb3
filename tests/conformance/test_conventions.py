"""Every tool's own numbers, by naming the tool: frozen answers against `convention=`, to 1e-9.

A number that is not reproduced stands in known_differences.toml with the reason, and must really differ.
"""

from __future__ import annotations

import json
import math
import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from known import known_differences

import pingce as pc
from pingce.conventions.declared import conventions, read_convention
from pingce.conventions.resolve import asked_under, policies_under
from pingce.metrics.declared import registry
from pingce.metrics.ranking.items import ItemMetric
from pingce.tasks import TASKS

HERE = Path(__file__).parent
# The printed outputs of trec_eval have a test of their own.
TOOLS = [tool for tool in conventions() if not tool.startswith("trec_eval")]
LEVEL = re.compile(r"(.*?)(?: -l |-l)(\d)$")
pytestmark = pytest.mark.filterwarnings("ignore")


@cache
def frozen(tool: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / f"{tool}.json").read_text(encoding="utf-8"))
    return found


@cache
def label_cases() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / "cases" / "labels.json").read_text(encoding="utf-8"))
    return found


@cache
def item_cases() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / "cases" / "items.json").read_text(encoding="utf-8"))
    return found


@cache
def uplift_cases() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / "cases" / "uplift.json").read_text(encoding="utf-8"))
    return found


@cache
def row_cases(task: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / "cases" / f"{task}.json").read_text(encoding="utf-8"))
    return found


def compare_rows(comparison: Comparison, tool: str, task: str, case: str, answers: dict[str, Any]) -> None:
    """Columns of a case, by the keywords of the task's call."""
    kind, columns = TASKS[task], row_cases(task)[case]
    sides, roles = (columns["y_true"], columns[kind.prediction_role]), kind.columns.among(columns)
    for measure, theirs in answers.items():
        scores = getattr(pc, f"evaluate_{task}")(*sides, [measure], convention=tool, **roles)
        comparison.add(f"{task}/{case}", measure, {"value": (scores[measure], theirs)})


@cache
def multilabel_cases() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((HERE / "cases" / "multilabel.json").read_text(encoding="utf-8"))
    return found


def level_of(measure: str) -> tuple[str, dict[str, Any]]:
    """The measure without its relevance level, which is pingce's `relevant`."""
    if found := LEVEL.fullmatch(measure):
        return found[1], {"relevant": int(found[2])}
    if found := re.search(r"\brel=(\d)", measure):
        if measure.startswith(("NumRet", "RBP")):
            return measure.replace(found[0], "rel=1"), {"relevant": int(found[1])}
        return re.sub(r"\(\)", "", re.sub(r"\brel=\d,?", "", measure)), {"relevant": int(found[1])}
    return measure, {}


def same(ours: float | None, theirs: float | None, tolerance: float) -> bool:
    """Equal to the tolerance; a null of theirs is no value of ours."""
    ours = None if ours is None or math.isnan(ours) else ours
    if ours is None or theirs is None:
        return ours is None and theirs is None
    return math.isclose(ours, theirs, rel_tol=tolerance, abs_tol=tolerance)


class Comparison:
    """Collects what is equal, what is not, and which known differences were met."""

    def __init__(self, tool: str) -> None:
        self.known = {one: 0 for one in known_differences() if one.tool == tool}
        self.problems: dict[str, Any] = {}
        self.equal = self.near = self.other = 0

    def add(self, case: str, measure: str, pairs: dict[str, tuple[float | None, float | None]]) -> None:
        known = next((one for one in self.known if one.is_about(case, measure)), None)
        tolerance = 1e-9 if known is None or known.tolerance is None else known.tolerance
        wrong = {key: pair for key, pair in pairs.items() if not same(*pair, tolerance)}
        apart = sum(not same(*pair, 1e-9) for pair in pairs.values())
        self.equal += len(pairs) - apart
        if known is not None and known.tolerance is not None:
            self.known[known] += apart
            self.near += apart
        elif known is not None:
            excused = {key for key in wrong if re.fullmatch(known.part, key)}
            self.known[known] += len(excused)
            self.other += len(excused)
            wrong = {key: pair for key, pair in wrong.items() if key not in excused}
        if wrong:
            self.problems[f"{case}/{measure}"] = dict(list(wrong.items())[:3])

    def conclude(self) -> None:
        """Everything is equal or known, and everything known really differs: no reason hides the next defect."""
        assert self.problems == {}
        assert [one for one, met in self.known.items() if not met] == []


@pytest.mark.parametrize("tool", TOOLS)
def test_every_number_of_the_tool(tool: str) -> None:
    compared(tool).conclude()


@cache
def compared(tool: str) -> Comparison:
    comparison = Comparison(tool)
    for case, answers in frozen(tool).get("cases", {}).items():
        compare_ranking(comparison, tool, case, answers)
    for case, answers in frozen(tool).get("label_cases", {}).items():
        for measure, theirs in answers.items():
            comparison.add(case, measure, {"value": (scored(tool, label_cases()[case], measure), theirs)})
    for case, answers in frozen(tool).get("item_cases", {}).items():
        compare_items(comparison, tool, case, answers)
    for case, answers in frozen(tool).get("uplift_cases", {}).items():
        columns = uplift_cases()[case]
        sides = columns["outcome"], columns["score"]
        for measure, theirs in answers.items():
            scores = pc.evaluate_uplift(*sides, [measure], treatment=columns["treatment"], convention=tool)
            comparison.add(f"uplift/{case}", measure, {"value": (scores[measure], theirs)})
    for task, cases in frozen(tool).get("row_cases", {}).items():
        for case, answers in cases.items():
            compare_rows(comparison, tool, task, case, answers)
    for case, answers in frozen(tool).get("multilabel_cases", {}).items():
        sides = multilabel_cases()[case]["truth"], multilabel_cases()[case]["score"]
        for measure, theirs in answers.items():
            value = pc.evaluate_multilabel(*sides, [measure], convention=tool)[measure]
            comparison.add(f"multilabel/{case}", measure, {"value": (value, theirs)})
    return comparison


def compare_items(comparison: Comparison, tool: str, name: str, answers: dict[str, float]) -> None:
    case = item_cases()[name]
    qrels = {query: dict.fromkeys(items, 1) for query, items in case["truth"].items()}
    tables = {
        "train": [tuple(row) for row in case["train"]],
        "catalog": case["catalog"],
        "items": {"item": list(case["vector"]), **{part: list(case[part].values()) for part in ("category", "vector")}},
        "reference": case["reference"],
    }
    for measure, theirs in answers.items():
        scores = pc.evaluate_ranking(qrels, case["run"], [measure], convention=tool, **tables)
        comparison.add(f"items/{name}", measure, {"value": (scores[measure], theirs)})


def compare_ranking(comparison: Comparison, tool: str, case: str, answers: dict[str, Any]) -> None:
    by_level: dict[tuple[Any, ...], dict[str, str]] = {}
    for measure in answers:
        name, extra = level_of(measure)
        by_level.setdefault(tuple(extra.items()), {})[measure] = name
    for level, names in by_level.items():
        qrels, run = (HERE / "cases" / f"{case}.{kind}" for kind in ("qrels", "run"))
        metrics = list(dict.fromkeys(names.values()))
        scores = pc.evaluate_ranking(qrels, run, metrics, convention=tool, **dict(level))
        table = scores.per_query.to_pydict()
        for measure, name in names.items():
            column = dict(zip(map(str, table["query"]), table[name], strict=True))
            theirs = answers[measure]
            pairs = {query: (column.get(query), value) for query, value in theirs["per_query"].items()}
            if theirs["mean"] is not None:
                pairs["mean"] = (scores[name], theirs["mean"])
            comparison.add(case, measure, pairs)


def scored(tool: str, case: dict[str, Any], measure: str) -> float | None:
    """pingce's number, None where it has none or refuses."""
    try:
        return evaluated(tool, case, measure)
    except pc.InputError as problem:
        assert "has no" not in str(problem), problem  # a spelling that the convention does not know
        return None


def evaluated(tool: str, case: dict[str, Any], measure: str) -> float:
    """pingce's number."""

    number = np.dtype(case.get("dtype", "float64"))
    if case["task"] == "binary":
        more = {"group": case["group"]} if "group" in case else {}
        score = np.array(case["y_score"], number)
        return pc.evaluate_binary(case["y_true"], score, [measure], convention=tool, **more)[measure]
    if case["task"] == "multiclass":
        (asked,) = asked_under(measure, tool, "multiclass")
        probable = asked.metric.uses == "probabilities"
        proba = np.array(case["proba"], number) if probable else None
        labels = range(proba.shape[1]) if proba is not None else None
        return pc.evaluate_multiclass(
            case["y_true"], None if probable else case["y_pred"], [measure], proba=proba, labels=labels, convention=tool
        )[measure]
    true, pred = (np.array(case[name], number) for name in ("y_true", "y_pred"))
    return pc.evaluate_regression(true, pred, [measure], convention=tool)[measure]


def test_how_many_numbers_there_are() -> None:
    """An empty comparison would pass; the READMEs say how many are equal, how many nearly so, how many are not."""
    found = [compared(tool) for tool in TOOLS]
    counts = [sum(getattr(one, name) for one in found) for name in ("equal", "near", "other")]
    for readme in ("README.md", "README.zh-CN.md"):
        text = (HERE.parents[1] / readme).read_text(encoding="utf-8")
        for count in (*counts, len(TOOLS), len(conventions())):
            assert re.search(rf"(?<![\d,]){count:,}(?![\d,])", text), (readme, count)


@pytest.mark.parametrize("tool", TOOLS)
def test_every_metric_of_a_convention_was_asked_of_the_tool(tool: str) -> None:
    """An entry without a number of the tool behind it would be a claim."""
    answers = frozen(tool)
    asked = {level_of(measure)[0] for case in answers.get("cases", {}).values() for measure in case}
    asked |= {measure for case in answers.get("label_cases", {}).values() for measure in case}
    asked |= {measure for case in answers.get("item_cases", {}).values() for measure in case}
    asked |= {measure for case in answers.get("uplift_cases", {}).values() for measure in case}
    asked |= {name for cases in answers.get("row_cases", {}).values() for case in cases.values() for name in case}
    asked |= {measure for case in answers.get("multilabel_cases", {}).values() for measure in case}
    entries = conventions()[tool].entries
    assert [entry.name for entry in entries if not any(entry.read(measure) for measure in asked)] == []


@pytest.mark.parametrize("tool", TOOLS)
def test_the_four_users_were_shown_to_every_tool_that_looks_at_items(tool: str) -> None:
    """The example of the documentation, `short`: each tool's own answers, which `test_every_number_of_the_tool` compares."""
    means = [entry.means for entry in conventions()[tool].entries if entry.task == "ranking"]
    looks = any(issubclass(registry()[re.split(r"\W", text)[0]], ItemMetric) for text in means)
    assert looks == ("item_cases" in frozen(tool))
    assert not looks or frozen(tool)["item_cases"].get("short")


@pytest.mark.parametrize("tool", conventions())
def test_the_file_says_what_was_checked(tool: str) -> None:
    convention = conventions()[tool]
    if tool in TOOLS:
        assert frozen(tool)["version"] == convention.version
    for text in (convention.about, *(defect.text for defect in convention.defects)):
        assert text.en and text.zh and text.en != text.zh
    for task in convention.tasks:
        assert policies_under(tool, task, {}) == dict(convention.policies.get(task, {}))


def test_files_are_read_whole() -> None:
    folder = Path(pc.__file__).parent / "conventions"
    assert {read_convention(path.read_text(encoding="utf-8")).tool for path in folder.glob("*.toml")} == set(
        conventions()
    )
    assert all(path.stem in conventions() for path in folder.glob("*.toml"))
