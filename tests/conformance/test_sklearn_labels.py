"""pingce against the frozen numbers of scikit-learn for labels, click predictions and numbers (SciPy: correlations)."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import pingce as pc

Case = dict[str, Any]

HERE = Path(__file__).parent
FROZEN = json.loads((HERE / "sklearn_labels.json").read_text(encoding="utf-8"))
CASES: list[Case] = FROZEN["cases"]
# How far scikit-learn is from double where it works in the type of the scores: in single precision by units of 1e-7; in
# half precision it rounds every term, and without weights the mean too, to units of 1e-3, of which two are forgiven
# (the largest difference here is half a unit).
OWN_TYPE = {"float32": 1e-6, "float16": 2e-3}


def weights(case: Case) -> list[float]:
    return case.get("weight") or [1.0] * len(case["truth"])


def counted(case: Case, column: str = "truth") -> list[Any]:
    """A column without the rows that have no weight."""
    return [value for value, weight in zip(case[column], weights(case), strict=True) if weight]


def labels_of(case: Case) -> list[Any]:
    named: list[Any] = case.get("settings", {}).get("labels", [])
    return named


def seen(case: Case) -> set[Any]:
    return {*case["truth"], *case.get("pred", [])}


def classes(case: Case) -> set[Any]:
    return set(labels_of(case)) or seen(case)


def positive(case: Case) -> Any:
    return case["settings"].get("positive", 1)


def tied_at_the_cut(case: Case, metric: str) -> bool:
    """Whether the order of equal probabilities decides if a true class stands in the top k."""
    k, labels = int(metric.split("@")[1]), labels_of(case) or sorted(classes(case))
    for row, label in zip(counted(case, "proba"), counted(case), strict=True):
        own = row[labels.index(label)]
        if sum(other > own for other in row) < k < sum(other >= own for other in row):
            return True
    return False


class Difference(NamedTuple):
    """Where scikit-learn means something else, and what pingce says there; None where the two are not compared."""

    task: str
    metric: str
    when: Callable[[Case, str], bool]
    ours: float | None
    why: str


DIFFERENCES = [
    Difference(
        "binary",
        r"balanced_accuracy",
        lambda case, _: len(set(counted(case))) == 1,
        math.nan,
        "scikit-learn takes the mean over the classes there are; without one of the two rates there is no mean",
    ),
    Difference(
        "binary",
        r"best_f.*",
        lambda case, _: positive(case) not in counted(case),
        None,
        "without positives every F is 0 by its formula, while the curve of recall is undefined",
    ),
    Difference(
        "multiclass",
        r"balanced_accuracy|auc\(.*",
        lambda case, _: set(counted(case)) != classes(case),
        None,
        "scikit-learn leaves a class without rows out, or says NaN; in pingce it counts 0, compared with undefined=skip",
    ),
    Difference(
        "multiclass",
        r"top_k_accuracy@\d",
        tied_at_the_cut,
        None,
        "scikit-learn prefers the later class among equal probabilities",
    ),
    Difference(
        "regression",
        r"r2|explained_variance",
        lambda case, _: len(set(counted(case))) == 1,
        math.nan,
        "scikit-learn says 1 for a perfect prediction of a constant truth and 0 for any other, or what rounding leaves",
    ),
    Difference(
        "regression",
        r"mape",
        lambda case, _: 0 in counted(case),
        math.nan,
        "scikit-learn divides by 2.2e-16 where the truth is 0",
    ),
]


def difference(case: Case, metric: str) -> Difference | None:
    for known in DIFFERENCES:
        if known.task == case["task"] and re.fullmatch(known.metric, metric) and known.when(case, metric):
            return known
    return None


def wanted(case: Case) -> dict[str, float]:
    """What pingce has to say: scikit-learn's numbers, NaN for null, and the known differences."""
    numbers = {}
    for metric, value in case["expected"].items():
        known = difference(case, metric)
        number = known.ours if known else math.nan if value is None else value
        if number is not None:
            numbers[metric] = number
    return numbers


def array(case: Case, column: str) -> Any:
    """A column as its users have it; scores and regression's numbers in the type of the case, labels as they are."""
    numbers = column in ("score", "proba") or (case["task"] == "regression" and column != "weight")
    return np.array(case[column], dtype=case["dtype"] if numbers else None) if column in case else None


def evaluated(case: Case, metrics: Iterable[str], **policies: Any) -> dict[str, float]:
    names, options = list(metrics), case.get("settings", {}) | policies | {"weight": array(case, "weight")}
    truth, pred = array(case, "truth"), array(case, "pred")
    found: Mapping[str, float]
    if case["task"] == "binary":
        found = pc.evaluate_binary(truth, array(case, "score"), names, **options)
    elif case["task"] == "multiclass":
        found = pc.evaluate_multiclass(truth, pred, names, proba=array(case, "proba"), **options)
    else:
        found = pc.evaluate_regression(truth, pred, names, **options)
    return {name: found[name] for name in names}


@cache
def numbers_of(number: int) -> dict[str, float]:
    return evaluated(CASES[number], CASES[number]["expected"])


def mismatches(
    ours: Mapping[str, float], theirs: Mapping[str, float], rel: float = 1e-12, absolute: float = 1e-12
) -> dict[str, tuple[float, float]]:
    """Every metric whose numbers are not equal: (pingce's, scikit-learn's)."""
    return {
        metric: (ours[metric], value)
        for metric, value in theirs.items()
        if ours[metric] != pytest.approx(value, rel=rel, abs=absolute, nan_ok=True)
    }


def numbered(predicate: Callable[[Case], Any]) -> list[Any]:
    return [pytest.param(i, id=case["id"]) for i, case in enumerate(CASES) if predicate(case)]


@pytest.mark.parametrize("number", numbered(lambda case: True))
def test_the_numbers_are_equal(number: int) -> None:
    assert mismatches(numbers_of(number), wanted(CASES[number])) == {}


@pytest.mark.parametrize("number", numbered(lambda case: "expected_skip" in case))
def test_undefined_classes_are_left_out_on_request(number: int) -> None:
    theirs = {m: math.nan if value is None else value for m, value in CASES[number]["expected_skip"].items()}
    assert mismatches(evaluated(CASES[number], theirs, undefined="skip"), theirs) == {}


@pytest.mark.parametrize("number", numbered(lambda case: case["task"] == "binary" and "reasons" in case))
def test_undefined_counts_zero_on_request(number: int) -> None:
    theirs = dict.fromkeys(CASES[number]["reasons"], 0.0)
    assert mismatches(evaluated(CASES[number], theirs, undefined="zero"), theirs) == {}


@pytest.mark.parametrize("number", numbered(lambda case: "own_type" in case))
def test_narrow_scores_as_scikit_learn_sums_them(number: int) -> None:
    tolerance = OWN_TYPE[CASES[number]["dtype"]]
    assert mismatches(numbers_of(number), CASES[number]["own_type"], tolerance, 0) == {}


def kinds_of_weight(case: Case) -> set[str]:
    if "weight" not in case:
        return {"none"}
    whole = all(isinstance(weight, int) for weight in case["weight"])
    return {"whole" if whole else "fractions"} | ({"zeros"} if 0 in case["weight"] else set())


def ties(case: Case) -> str:
    distinct = len(set(case["score"]))
    return "constant" if distinct == 1 else "none" if distinct == len(case["score"]) else "some"


def rounds_to_a_score(case: Case) -> bool:
    """Whether the threshold is a score in the type of the scores, and is none in double."""
    threshold, scores = case["settings"]["threshold"], array(case, "score")
    return scores.dtype.type(threshold) in scores and threshold not in scores.astype(np.float64)


def binary(predicate: Callable[[Case], bool]) -> Callable[[Case], bool]:
    return lambda case: case["task"] == "binary" and predicate(case)


def multiclass(predicate: Callable[[Case], bool]) -> Callable[[Case], bool]:
    return lambda case: case["task"] == "multiclass" and predicate(case)


def regression(predicate: Callable[[Case], bool]) -> Callable[[Case], bool]:
    return lambda case: case["task"] == "regression" and predicate(case)


def labels_are(*labels: Any) -> Callable[[Case], bool]:
    """Exactly these, so that True is not taken for 1."""
    return binary(lambda case: {repr(label) for label in case["truth"]} == {repr(label) for label in labels})


VARIATIONS: dict[str, tuple[int, Callable[[Case], bool]]] = {
    "the smallest": (8, lambda case: len(case["truth"]) == 2),
    "the largest": (8, lambda case: len(case["truth"]) == 60),
    "binary": (150, binary(lambda case: True)),
    "multiclass": (90, multiclass(lambda case: True)),
    "regression": (60, regression(lambda case: True)),
    "scores in double": (70, binary(lambda case: case["dtype"] == "float64")),
    "scores in single": (25, binary(lambda case: case["dtype"] == "float32")),
    "scores in half": (20, binary(lambda case: case["dtype"] == "float16")),
    "probabilities in single": (8, multiclass(lambda case: case.get("dtype") == "float32")),
    "probabilities in half": (8, multiclass(lambda case: case.get("dtype") == "float16")),
    "numbers in single": (10, regression(lambda case: case["dtype"] == "float32")),
    "without ties": (50, binary(lambda case: ties(case) == "none")),
    "with ties": (50, binary(lambda case: ties(case) == "some")),
    "few distinct scores": (50, binary(lambda case: 1 < 3 * len(set(case["score"])) <= len(case["score"]))),
    "constant scores": (20, binary(lambda case: ties(case) == "constant")),
    "zero with either sign": (8, binary(lambda case: {"0.0", "-0.0"} <= {repr(score) for score in case["score"]})),
    "no weights": (100, lambda case: kinds_of_weight(case) == {"none"}),
    "whole weights": (30, lambda case: kinds_of_weight(case) == {"whole"}),
    "whole weights and zeros": (40, lambda case: kinds_of_weight(case) == {"whole", "zeros"}),
    "fractional weights": (30, lambda case: kinds_of_weight(case) == {"fractions"}),
    "fractional weights and zeros": (35, lambda case: kinds_of_weight(case) == {"fractions", "zeros"}),
    "positive rows only": (5, binary(lambda case: set(case["truth"]) == {positive(case)})),
    "negative rows only": (3, binary(lambda case: positive(case) not in case["truth"])),
    "one class without weight": (5, binary(lambda case: len(set(case["truth"])) == 2 != len(set(counted(case))))),
    "labels 0 and 1": (20, labels_are(0, 1)),
    "labels False and True": (20, labels_are(False, True)),
    "labels -1 and 1": (20, labels_are(-1, 1)),
    "labels no and yes": (20, labels_are("no", "yes")),
    "the smaller label is the positive one": (20, labels_are(3, 7)),
    "scores that are probabilities": (100, binary(lambda case: case["kind"] == "probability")),
    "scores that are no probabilities": (50, binary(lambda case: case["kind"] == "real")),
    "exact 0": (15, binary(lambda case: case["kind"] == "probability" and 0.0 in case["score"])),
    "exact 1": (15, binary(lambda case: case["kind"] == "probability" and 1.0 in case["score"])),
    "threshold 0.5": (30, binary(lambda case: case["settings"]["threshold"] == 0.5)),
    "another threshold": (60, binary(lambda case: case["settings"]["threshold"] != 0.5)),
    "a score at the threshold": (50, binary(lambda case: case["settings"]["threshold"] in case["score"])),
    "a score at the rounded threshold alone": (15, binary(rounds_to_a_score)),
    "compare=gt": (20, binary(lambda case: case["settings"].get("compare") == "gt")),
    "words as classes": (30, multiclass(lambda case: isinstance(case["truth"][0], str))),
    "numbers as classes": (30, multiclass(lambda case: isinstance(case["truth"][0], int))),
    "a class never true": (30, multiclass(lambda case: classes(case) > set(case["truth"]))),
    "a class never predicted": (40, multiclass(lambda case: "pred" in case and classes(case) > set(case["pred"]))),
    "one true class": (5, multiclass(lambda case: len(set(case["truth"])) == 1)),
    "no labels named": (25, multiclass(lambda case: "settings" not in case)),
    "labels reordered": (15, multiclass(lambda case: (named := labels_of(case)) != sorted(named))),
    "more labels than occur": (15, multiclass(lambda case: set(labels_of(case)) > seen(case))),
    "predicted labels only": (30, multiclass(lambda case: "proba" not in case)),
    "probabilities only": (8, multiclass(lambda case: "pred" not in case)),
    "probabilities without labels": (8, multiclass(lambda case: "proba" in case and "settings" not in case)),
    "probabilities of a missing class": (
        15,
        multiclass(lambda case: "proba" in case and classes(case) > set(counted(case))),
    ),
    "certain probabilities": (8, multiclass(lambda case: any(1.0 in row for row in case.get("proba", [])))),
    "negative numbers": (20, regression(lambda case: min(case["truth"]) < 0)),
    "large offsets": (8, regression(lambda case: min(case["truth"]) > 9e5)),
    "constant truth": (8, regression(lambda case: len(set(case["truth"])) == 1)),
    "constant prediction": (8, regression(lambda case: len(set(case["pred"])) == 1)),
    "perfect prediction": (8, regression(lambda case: case["truth"] == case["pred"])),
    "zeros in the truth": (8, regression(lambda case: 0 in case["truth"])),
    "no number negative": (20, regression(lambda case: "msle" in case["expected"])),
}


def test_there_are_300_cases() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES) == 300
    count = sum(len(case["expected"]) for case in CASES)
    assert count > 6000
    assert f" {count:,}\n" in (HERE / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("variation", VARIATIONS)
def test_the_cases_vary(variation: str) -> None:
    minimum, holds = VARIATIONS[variation]
    assert sum(map(holds, CASES)) >= minimum


def test_sizes() -> None:
    sizes = {len(case["truth"]) for case in CASES}
    assert min(sizes) == 2
    assert max(sizes) == 60
    assert len(sizes) > 40


def test_every_null_has_its_reason() -> None:
    for case in CASES:
        nulls = {metric for metric, value in case["expected"].items() if value is None}
        assert nulls == set(case.get("reasons", {})), case["id"]
        assert all(FROZEN["reasons"][reason] for reason in case.get("reasons", {}).values())


@pytest.mark.parametrize("known", DIFFERENCES, ids=lambda known: known.metric)
def test_every_difference_is_met_and_is_the_exception(known: Difference) -> None:
    met = [
        difference(case, metric) is known
        for case in CASES
        if case["task"] == known.task
        for metric in case["expected"]
        if re.fullmatch(known.metric, metric)
    ]
    assert 0 < sum(met) < len(met) / 2
