"""A fuzz run: cases that a seed decides, in one process or several; what fails is made small and shown."""

from __future__ import annotations

import math
import multiprocessing as mp
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from random import Random
from typing import Any, NamedTuple

import pingce as pc

from .targets import Target

MOST_TRIES = 2000
PATIENCE = 120.0


@dataclass(frozen=True)
class Failure:
    """An input that a parser did not survive, as small as simple means make it."""

    target: str
    case: int
    problem: str
    text: bytes

    def __str__(self) -> str:
        return f"{self.target}, case {self.case}: {self.problem}\n    {self.text!r}"


@dataclass
class Outcome:
    """What a run of one target came to."""

    cases: int = 0
    seconds: float = 0.0
    failures: list[Failure] = field(default_factory=list)

    def __iadd__(self, other: Outcome) -> Outcome:
        self.cases += other.cases
        self.seconds += other.seconds
        self.failures += other.failures
        return self


def made(target: Target, seed: int, case: int) -> bytes:
    """The input of a case: seed, target and number decide it, not the process that comes to it."""
    return target.make(Random(f"{seed}/{target.name}/{case}"))


class Problem(NamedTuple):
    """What went wrong, and where in the code: two problems of one kind are told as one."""

    kind: str
    said: str


def problem_with(check: Callable[[bytes], None], text: bytes) -> Problem | None:
    """What escapes the parser that must not; a warning that is not pingce's own is a problem too."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", pc.PingceWarning)
        try:
            check(text)
        except Exception as problem:
            name, place = type(problem).__name__, traceback.extract_tb(problem.__traceback__)[-1]
            return Problem(f"{name} {place.filename}:{place.lineno}", f"{name}: {problem}"[:300])
    return None


def shrunk(check: Callable[[bytes], None], text: bytes, kind: str) -> bytes:
    """Chunks are taken away, large ones first, while it fails in the same way."""
    tries, size = 0, len(text) // 2
    while size and tries < MOST_TRIES:
        at, smaller = 0, False
        while at < len(text) and tries < MOST_TRIES:
            less = text[:at] + text[at + size :]
            found = problem_with(check, less)
            tries += 1
            if found is not None and found.kind == kind:
                text, smaller = less, True
            else:
                at += size
        size = size if smaller else size // 2
    return text


def run_cases(target: Target, seed: int, cases: Iterable[int], at: Any = None) -> Outcome:
    """Run some cases here; `at` is told each one before it begins, for those who watch."""
    outcome, begun, kinds = Outcome(), time.perf_counter(), set()
    for case in cases:
        if at is not None:
            at[1] = case
        text = made(target, seed, case)
        problem = problem_with(target.check, text)
        outcome.cases += target.cases
        if problem is not None and problem.kind not in kinds:
            kinds.add(problem.kind)
            outcome.failures.append(Failure(target.name, case, problem.said, shrunk(target.check, text, problem.kind)))
    outcome.seconds = time.perf_counter() - begun
    return outcome


def run_in_processes(targets: Sequence[Target], cases: int, workers: int, seed: int) -> dict[str, Outcome]:
    """Share the cases among processes; one that dies or hangs is a failure of the case it was at."""
    found = {target.name: Outcome() for target in targets}
    watches = [_Watch(targets, cases, (worker, workers), seed) for worker in range(workers)]
    while any(watch.look(found) for watch in watches):
        time.sleep(0.05)
    return found


class _Watch:
    """A worker process and what is known of it."""

    def __init__(self, targets: Sequence[Target], cases: int, turn: tuple[int, int], seed: int) -> None:
        context = mp.get_context("spawn")  # a fork may not follow threads, and Arrow has some
        self.targets, self.seed = targets, seed
        self.at = context.RawArray("q", (0, -1))  # target, case
        self.near, far = context.Pipe()
        self.process: BaseProcess = context.Process(target=_work, args=(targets, cases, turn, seed, self.at, far))
        self.process.start()
        far.close()
        self.seen, self.since = (0, -1), time.monotonic()

    def look(self, found: dict[str, Outcome]) -> bool:
        """Take what it has to tell; false when it has ended."""
        while True:
            alive = self.process.is_alive()
            try:
                if not self.near.poll():
                    break
                name, outcome = self.near.recv()
            except EOFError:
                break
            found[name] += outcome
        if not alive:
            if self.process.exitcode:
                self._blame(found, f"the process died ({self.process.exitcode})")
            return False
        now = (self.at[0], self.at[1])
        if now != self.seen or now[1] < 0:  # not begun: imports take their time
            self.seen, self.since = now, time.monotonic()
        elif time.monotonic() - self.since > PATIENCE:
            self.process.kill()
            self.process.join()
            self._blame(found, f"still at it after {PATIENCE:.0f} seconds")
            return False
        return True

    def _blame(self, found: dict[str, Outcome], problem: str) -> None:
        target, case = self.targets[self.at[0]], int(self.at[1])
        found[target.name].failures.append(Failure(target.name, case, problem, made(target, self.seed, case)))


def _work(
    targets: Sequence[Target], cases: int, turn: tuple[int, int], seed: int, at: Any, results: Connection
) -> None:
    first, step = turn
    for number, target in enumerate(targets):
        at[0] = number
        results.send((target.name, run_cases(target, seed, range(first, inputs(target, cases), step), at)))


def inputs(target: Target, cases: int) -> int:
    """How many inputs a target gets of so many cases in all; at least one."""
    return max(1, math.ceil(cases * target.share / 1_000_000 / target.cases))
