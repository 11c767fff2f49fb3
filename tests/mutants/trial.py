"""A trial: the tests that run a line, on a copy of the package in which that line is changed."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from .made import ROOT, Mutant

HEAD = 100
"So many tests are tried before all others: most mutants do not outlive them."


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
            raise SystemExit(f"these fail without a mutant:\n{problem}")

    def survives(self, mutant: Mutant, tests: list[str]) -> bool:
        """Whether every one of these tests passes as if nothing were changed."""
        place = self.folder / mutant.path
        kept = place.read_bytes()
        self._write(place, mutant.code.encode())
        try:
            return not self.problem(tests[:HEAD]) and not self.problem(tests[HEAD:])
        finally:
            self._write(place, kept)

    def _write(self, place: Path, code: bytes) -> None:
        """Python compiles what has another time or size: two changes of a second may have neither."""
        place.write_bytes(code)
        self.time += 10
        os.utime(place, (self.time, self.time))

    def problem(self, tests: list[str]) -> str:
        """What the first of these tests that fails says, nothing if all pass; tests that never end fail."""
        if not tests:
            return ""
        names = self.folder / "tests.txt"
        names.write_text("\n".join(tests), encoding="utf-8")
        line = [self.python, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", f"@{names}"]
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
        paths = subprocess.run([self.python, "-c", find], cwd=self.folder, capture_output=True, text=True, check=True)
        for name in paths.stdout.split():
            shutil.copy(name, self.folder / "src" / "pingce")
