"""A short fuzz run of every parser, what longer ones have found, and the fuzzer itself put to the test."""

from __future__ import annotations

import os
import time
from functools import partial
from random import Random
from typing import Final

import pytest

from pingce.base.core import native_core

from . import campaign
from .campaign import inputs, made, problem_with, run_cases, run_in_processes
from .targets import TARGETS, Target

SEED = 1
CASES = 20_000

pytestmark = pytest.mark.skipif(native_core() is None, reason="no native core in this install")


@pytest.mark.parametrize("name", TARGETS)
def test_nothing_but_rows_or_refusals(name: str) -> None:
    target = TARGETS[name]
    outcome = run_cases(target, SEED, range(inputs(target, CASES)))
    assert outcome.cases == inputs(target, CASES) * target.cases
    assert not outcome.failures, "\n".join(map(str, outcome.failures))


JSON_LINE = b'{"query": "q", "item": "a", "score": 1}'
FOUND: Final[dict[str, tuple[str, bytes]]] = {
    "two objects in a line": ("jsonl as run", JSON_LINE + b"\n" + JSON_LINE + JSON_LINE),
    "a column named by half a character": ("jsonl as run", b'{"query:\\ud800": "q", "item": "a", "score": 1}'),
    "a cut-off of 5000 digits": ("metrics", b"ndcg@" + b"9" * 5000),
    "a spelling with 5000 digits": ("metrics", b"P_" + b"9" * 5000),
    "a gain of more than six digits": ("metrics", b"ndcg(gain={1:1.23456789})@10"),
    "a gain that is no number": ("metrics", b"ndcg(gain={1:nan})"),
    "two gains for a grade": ("metrics", b"ndcg(gain={1:1,1.0:2})"),
}


@pytest.mark.parametrize("name", FOUND)
def test_found_before(name: str) -> None:
    target, text = FOUND[name]
    assert problem_with(TARGETS[target].check, text) is None


def noise(rng: Random) -> bytes:
    return rng.randbytes(40)


def fail_on_zero(text: bytes) -> None:
    assert b"\0" not in text, "a zero"


def die_on_zero(text: bytes) -> None:
    if b"\0" in text:
        os._exit(99)


def hang_on_zero(text: bytes) -> None:
    time.sleep(600 if b"\0" in text else 0)


def first_with_a_zero(target: Target) -> int:
    return next(case for case in range(1000) if b"\0" in made(target, SEED, case))


def test_a_failure_is_found_once_and_made_small() -> None:
    planted = Target("planted", 1_000_000, noise, fail_on_zero)
    (failure,) = run_cases(planted, SEED, range(500)).failures
    assert (failure.case, failure.text) == (first_with_a_zero(planted), b"\0")
    assert "a zero" in str(failure)


def test_other_seeds_are_other_cases() -> None:
    target = TARGETS["qrels"]
    texts = [[made(target, seed, case) for case in range(50)] for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.parametrize(("check", "said"), [(die_on_zero, "died (99)"), (hang_on_zero, "still at it")])
def test_a_process_that_dies_or_hangs_is_told_with_its_case(
    check: partial[None], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(campaign, "PATIENCE", 1.0)
    planted = Target("planted", 1_000_000, noise, check)
    (failure,) = run_in_processes([planted], 500, 1, SEED)["planted"].failures
    assert failure.case == first_with_a_zero(planted)
    assert said in failure.problem
    assert failure.text == made(planted, SEED, failure.case)
