"""Parameters at the ends of what can be written: a number or a sentence, and neither a traceback nor a wrong number."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pytest

import pingce as pc
from pingce.metrics.grammar import known_names
from pingce.metrics.parameters import GainCheck, Number

EXTREMES = (1e155, 1e308, 1e100, 1e20, 2**62, 1e-308, 5e-324, 0, -1, float("inf"), float("nan"))
RNG = np.random.default_rng(0)
LABEL, SCORE, OTHER = np.arange(24) % 2, RNG.random(24), RNG.random(24)
CLASSES = np.array(["a", "b", "c"])[np.arange(24) % 3]
PROBA = RNG.dirichlet([1, 1, 1], 24)
TRUTH = {"q": {"a": 3, "b": 1, "c": 0}, "r": {"a": 1}}
RUN = {"q": {"a": 0.5, "b": 0.5, "x": 0.7}, "r": {"y": 1.0, "a": 0.2}}
CALLS: dict[str, Callable[[str], Mapping[str, float]]] = {
    "ranking": lambda metric: pc.evaluate_ranking(TRUTH, RUN, [metric]),
    "binary": lambda metric: pc.evaluate_binary(LABEL, SCORE, [metric], group=np.arange(24) // 6, weight=OTHER),
    "multiclass": lambda metric: pc.evaluate_multiclass(CLASSES, CLASSES[::-1], [metric], proba=PROBA),
    "regression": lambda metric: pc.evaluate_regression(SCORE, OTHER, [metric]),
}


def spellings(task: str) -> Iterator[str]:
    for kind in dict.fromkeys(known_names(task).values()):
        for one in kind.parameters():
            if isinstance(one.metadata["check"], Number):
                yield from (f"{kind.name}({one.name}={value!r})" for value in EXTREMES)
            if isinstance(one.metadata["check"], GainCheck):
                yield from (f"{kind.name}({one.name}={{1:{value!r},2:3}})" for value in EXTREMES)


@pytest.mark.parametrize("task", CALLS)
def test_extreme_parameters_give_a_number_or_a_sentence(task: str) -> None:
    tried = 0
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        warnings.simplefilter("ignore", pc.PingceWarning)
        for metric in spellings(task):
            tried += 1
            try:
                CALLS[task](metric)
            except pc.InputError as refusal:
                assert all(refusal.text), metric
    assert tried or task == "regression"


@pytest.mark.parametrize("call", ["f(beta=1e155)", "best_f(beta=1e200)"])
def test_a_parameter_whose_square_is_no_double_is_refused(call: str) -> None:
    with pytest.raises(pc.InputError, match=r"beta=1e\+\d+: must be a number of at most 1e\+100"):
        pc.evaluate_binary([1, 0], [0.2, 0.3], [call])


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("ndcg(gain={1:-1})@5", "a table of gains ≥ 0 .* such as {1:1,2:3}"),
        ("rbp(gain={1:2})@5", "gains from 0 to 1 .* such as {1:0.5,2:1}"),
    ],
)
def test_a_table_that_is_no_gain_is_refused_with_one_that_is(call: str, words: str) -> None:
    with pytest.raises(pc.InputError, match=words):
        pc.evaluate_ranking({"q": {"a": 1}}, {"q": ["a"]}, [call])


def test_a_large_beta_does_not_leave_64_bits() -> None:
    """β² · TP is beyond 2^63, where whole numbers of NumPy begin anew below 0."""
    rows = 40
    scores = pc.evaluate_binary([1] * rows, [0.9] * rows, ["best_f(beta=3000000000)", "f(beta=3000000000)"])
    assert set(scores.values()) == {1.0}
    classes = pc.evaluate_multiclass(["a", "b"] * rows, ["a", "b"] * rows, ["f(beta=3000000000)"])
    assert list(classes.values()) == [1.0]


@pytest.mark.parametrize("options", [{"threads": float("inf")}, {"ci": 0.9999999999999999}, {"ci": 5e-324}])
def test_extreme_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(pc.InputError):
        pc.evaluate_binary(LABEL, SCORE, ["auc"], **options)
