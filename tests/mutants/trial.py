"""A trial: the tests that cover a module, run on a copy of the package in which one thing is changed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from .made import ROOT, Mutant

COVERING = {
    "src/pingce/metrics/ranking": (
        "tests/golden", "tests/metrics/test_definitions.py", "tests/metrics/test_laws.py", "tests/metrics/test_tie_bounds.py",
        "tests/metrics/test_catalogue.py", "tests/metrics/test_extreme_parameters.py", "tests/conformance_trec_eval",
        "tests/explanations/test_ranking_explained.py", "tests/scores/test_averages.py",
    ),
    "src/pingce/metrics/binary": (
        "tests/golden/test_worked_examples_labels.py", "tests/metrics/test_binary_metrics.py", "tests/metrics/test_weights_as_rows.py",
        "tests/metrics/test_extreme_parameters.py", "tests/metrics/test_catalogue.py", "tests/scores/test_binary_scores.py",
        "tests/conformance/test_sklearn_labels.py", "tests/explanations/test_binary_explained.py",
    ),
    "src/pingce/metrics/multiclass": (
        "tests/golden/test_worked_examples_labels.py", "tests/metrics/test_multiclass_metrics.py", "tests/metrics/test_catalogue.py",
        "tests/scores/test_multiclass_scores.py", "tests/conformance/test_sklearn_labels.py",
        "tests/explanations/test_multiclass_explained.py",
    ),
    "src/pingce/metrics/regression": (
        "tests/golden/test_worked_examples_labels.py", "tests/metrics/test_regression.py", "tests/metrics/test_catalogue.py", "tests/stats",
        "tests/scores/test_regression_scores.py", "tests/conformance/test_sklearn_labels.py",
        "tests/explanations/test_regression_explained.py",
    ),
    "src/pingce/metrics": ("tests/metrics", "tests/golden", "tests/cli/test_catalogue.py", "tests/conventions", "tests/docs"),
    "src/pingce/base": (
        "tests/base", "tests/explanations/test_latex.py", "tests/net/test_matrix.py", "tests/scores", "tests/evidence", "tests/misuse",
        "tests/inputs", "tests/feeds", "tests/cli", "tests/install",
    ),
    "src/pingce/run": (
        "tests/net/test_matrix.py", "tests/evaluators", "tests/feeds", "tests/slices", "tests/scores", "tests/stats", "tests/evidence",
    ),
}  # fmt: skip
"Tests that run the code of a room, those that end soonest first; the longest path that fits a module counts."


def covering(path: str) -> list[str]:
    """The tests for a module, of those that are there."""
    room = max((room for room in COVERING if path.startswith(f"{room}/")), key=len)
    return [test for test in COVERING[room] if (ROOT / test).exists()]


class Bench:
    """A copy of everything, in which mutants are tried one after the other while the original may change."""

    def __init__(self, folder: Path, python: str, limit: float) -> None:
        self.folder, self.python, self.limit, self.time = folder, python, limit, 1_000_000_000
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(
            ROOT, folder, ignore=shutil.ignore_patterns("__pycache__", "build", ".*cache", ".git", ".venv*")
        )
        if not list(folder.glob("src/pingce/_core*.so")):
            self._take_core()

    def check(self, tests: list[str]) -> None:
        """Refuse tests that fail although nothing is changed: they would notice every mutant."""
        problem = self.problem(tests)
        if problem:
            raise SystemExit(f"these fail without a mutant: {' '.join(tests)}\n{problem}")

    def survives(self, mutant: Mutant) -> bool:
        """Whether every test that covers the module passes as if nothing were changed."""
        place = self.folder / mutant.path
        kept = place.read_bytes()
        self._write(place, mutant.code.encode())
        try:
            return not self.problem(covering(mutant.path))
        finally:
            self._write(place, kept)

    def _write(self, place: Path, code: bytes) -> None:
        """Python compiles what has another time or size: two changes of a second may have neither."""
        place.write_bytes(code)
        self.time += 10
        os.utime(place, (self.time, self.time))

    def problem(self, tests: list[str]) -> str:
        """What the first of these tests that fails says, nothing if all pass; one that never ends is one that fails."""
        line = [self.python, "-m", "pytest", "-x", "-q", "-m", "not deep", "-p", "no:cacheprovider", *tests]
        environment = os.environ | {"PYTHONPATH": str(self.folder / "src"), "PINGCE_REQUIRE_NATIVE": "1"}
        try:
            done = subprocess.run(
                line, cwd=self.folder, env=environment, capture_output=True, timeout=self.limit, check=False, text=True
            )
        except subprocess.TimeoutExpired:
            return f"no end after {self.limit:.0f} seconds"
        return (done.stdout + done.stderr)[-2000:] if done.returncode else ""

    def _take_core(self) -> None:
        """The compiled core is where pingce is installed."""
        find = "import pingce, pathlib; print(*pathlib.Path(pingce.__file__).parent.glob('_core*.so'))"
        found = subprocess.run([self.python, "-c", find], cwd=self.folder, capture_output=True, text=True, check=True)
        for name in found.stdout.split():
            shutil.copy(name, self.folder / "src" / "pingce")
