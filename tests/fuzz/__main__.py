"""`python -m tests.fuzz --cases 1000000 --workers 2 --seed 1`, or `--seconds 60`: exit 1 if anything failed."""

from __future__ import annotations

import argparse
import secrets
import sys
import time

from .campaign import made, problem_with, run_in_processes
from .targets import TARGETS, Target

ROUND = 50_000


def main() -> int:
    """Fuzz, and say what came of it."""
    options = _options()
    seed = options.seed if options.seed is not None else secrets.randbelow(10**9)
    targets = [TARGETS[name] for name in options.target or TARGETS]
    if options.case is not None:
        text = made(targets[0], seed, options.case)
        problem = problem_with(targets[0].check, text)
        print(f"{text!r}\n{problem.said if problem else 'no problem'}")
        return int(problem is not None)
    if options.seconds is None:
        return int(_fuzz(targets, options.cases, options.workers, seed))
    end = time.monotonic() + options.seconds
    while time.monotonic() < end:
        if _fuzz(targets, ROUND, options.workers, seed):
            return 1
        seed += 1
    return 0


def _fuzz(targets: list[Target], cases: int, workers: int, seed: int) -> bool:
    """Run so many cases and print what came of them; true if anything failed."""
    print(f"seed {seed}", flush=True)
    begun = time.perf_counter()
    outcomes = run_in_processes(targets, cases, workers, seed)
    seconds, failures = time.perf_counter() - begun, [one for each in outcomes.values() for one in each.failures]
    for name, outcome in outcomes.items():
        print(f"{name:<18} {outcome.cases:>9} cases {outcome.seconds:8.1f} s {len(outcome.failures):>3} failures")
    total = sum(each.cases for each in outcomes.values())
    print(f"{total} cases, {seconds:.1f} s, {len(failures)} failures, seed {seed}")
    for failure in failures:
        print(
            f"\n{failure}\n    again: python -m tests.fuzz --seed {seed} --target '{failure.target}' --case {failure.case}"
        )
    return bool(failures)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--cases", type=int, default=1_000_000, help="cases in all, shared among the targets")
    parser.add_argument(
        "--seconds", type=float, help="instead of --cases: rounds with a seed each until the time is over"
    )
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--seed", type=int, help="decides every case; by default another one each time")
    parser.add_argument("--target", action="append", choices=tuple(TARGETS), help="only this one; may be repeated")
    parser.add_argument("--case", type=int, help="run only this case of the target, and show its input")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
