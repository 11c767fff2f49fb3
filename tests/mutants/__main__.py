"""`make mutants`, or `python -m tests.mutants --mutants 200 --only metrics/binary`: exit 1 if a survivor has no reason."""

from __future__ import annotations

import argparse
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from itertools import islice
from pathlib import Path
from queue import SimpleQueue
from random import Random

from .lines import Lines
from .made import ROOT, Mutant, modules, mutant_at, places_of
from .trial import HEAD, Bench

RESULTS = ROOT / "build" / "mutants"
REASONS = Path(__file__).with_name("survivors.json")
TRIED_BARE = 3
"The tests of so many mutants are run without one first: they must pass in a copy too."


def main() -> int:
    """Try a sample of all mutants, and list those that no test noticed."""
    options = _options()
    done = _Done(RESULTS / "results.jsonl")
    places = [place for path in modules() if options.only in str(path) for place in places_of(path)]
    Random(options.seed).shuffle(places)
    sample = list(islice(filter(None, map(mutant_at, places)), options.mutants))
    waiting = [mutant for mutant in sample if done.outcome(mutant) is None]
    print(
        f"{len(places)} places, a sample of {len(sample)} (seed {options.seed}), {len(waiting)} not yet tried",
        flush=True,
    )
    _try_all(waiting, done, options)
    tried = [mutant for mutant in sample if done.outcome(mutant) is not None]
    reasons: dict[str, str] = json.loads(REASONS.read_text(encoding="utf-8"))
    survivors = [mutant for mutant in tried if done.outcome(mutant)]
    for mutant in survivors:
        print(
            f"\n{mutant.path}:{mutant.line}\n  - {mutant.before}\n  + {mutant.after}\n  {reasons.get(mutant.key, 'NO REASON')}"
        )
    unknown = sum(mutant.key not in reasons for mutant in survivors)
    print(
        f"\n{len(tried)} tried, {len(tried) - len(survivors)} noticed, {len(survivors)} survived, {unknown} without a reason"
    )
    return int(unknown > 0)


class _Done:
    """What earlier runs found out, by the mutated program: it holds while neither module nor tests change."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self.survived: dict[str, bool] = dict(map(json.loads, lines))

    @staticmethod
    def _name(mutant: Mutant) -> str:
        return sha256(f"{mutant.path}\n{mutant.code}".encode()).hexdigest()

    def outcome(self, mutant: Mutant) -> bool | None:
        """Whether it survived; None if it was never tried."""
        return self.survived.get(self._name(mutant))

    def add(self, mutant: Mutant, survived: bool) -> None:
        """Keep it in memory and on the disk."""
        self.survived[self._name(mutant)] = survived
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([self._name(mutant), survived]) + "\n")


def _try_all(mutants: list[Mutant], done: _Done, options: argparse.Namespace) -> None:
    end = time.monotonic() + options.minutes * 60
    benches: SimpleQueue[Bench] = SimpleQueue()
    for number in range(options.workers):
        benches.put(bench := Bench(RESULTS / f"bench{number}", options.python, options.limit))
    lines = Lines(RESULTS, options.python)
    tests = {mutant: lines.tests(mutant.path, mutant.line) for mutant in mutants}
    bench.check(sorted({test for mutant in mutants[:TRIED_BARE] for test in tests[mutant][:HEAD]}))

    def attempt(mutant: Mutant) -> None:
        if time.monotonic() > end:
            return
        bench = benches.get()
        survived = bench.survives(mutant, tests[mutant])
        benches.put(bench)
        done.add(mutant, survived)
        print(f"{'SURVIVED' if survived else 'noticed '} {mutant.path}:{mutant.line}  {mutant.after}", flush=True)

    with ThreadPoolExecutor(options.workers) as pool:
        list(pool.map(attempt, mutants))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--mutants", type=int, default=200, help="how many of all, drawn at random")
    parser.add_argument("--seed", type=int, default=1, help="decides the sample")
    parser.add_argument("--only", default="", help="modules whose path contains this")
    parser.add_argument(
        "--minutes", type=float, default=600.0, help="no mutant is begun after this time; the next run goes on"
    )
    parser.add_argument(
        "--limit",
        type=float,
        default=900.0,
        help="seconds after which tests count as failed: a busy machine needs more",
    )
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that has the tests' tools")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
