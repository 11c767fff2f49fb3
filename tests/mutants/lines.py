"""Which tests run a line, and how long each takes: one run of the suite that notes both."""

from __future__ import annotations

import ast
import os
import sqlite3
import subprocess
from collections import defaultdict
from functools import cached_property
from itertools import chain, zip_longest
from pathlib import Path
from xml.etree import ElementTree

from .made import ROOMS, ROOT


class Lines:
    """The tests of a line, by what one run of the suite noted."""

    def __init__(self, folder: Path, python: str) -> None:
        self.database, self.times, self.python = folder / "coverage.db", folder / "suite.xml", python
        if not self.times.exists():
            self._run_suite()

    def tests(self, path: str, line: int) -> list[str]:
        """Every test that runs the line, quick ones of each file first; of a line that is run on import, all that run a function."""
        bodies = _bodies(ROOT / path)
        lines = {line} & bodies or bodies
        mask = sum(1 << number for number in lines)
        tests = {
            name for name, bits in self._rows(path) if int.from_bytes(bits, "little") & mask
        } & self._seconds.keys()
        return _in_turn(sorted(tests, key=lambda test: (self._seconds[test], test)))

    def _rows(self, path: str) -> list[tuple[str, bytes]]:
        """Tests with the lines of a module that each ran, a bit a line."""
        query = """select context, numbits from line_bits join context on context.id = context_id join file on file.id = file_id
            where path like ?"""
        with sqlite3.connect(self.database) as database:
            return [(name.rpartition("|")[0], bits) for name, bits in database.execute(query, [f"%/{path}"])]

    @cached_property
    def _seconds(self) -> dict[str, float]:
        cases = ElementTree.parse(self.times).iter("testcase")
        return {_node(case.get("classname", ""), case.get("name", "")): float(case.get("time", "0")) for case in cases}

    def _run_suite(self) -> None:
        settings = self.database.with_suffix(".ini")
        settings.write_text("[run]\nsource =\n" + "".join(f"  {ROOT / room}\n" for room in ROOMS), encoding="utf-8")
        suite = ["-m", "pytest", "-q", "-n", "2", "-m", "not deep", f"--junitxml={self.times}"]
        counting = ["--cov", f"--cov-config={settings}", "--cov-context=test", "--cov-report="]
        environment = {
            "PYTHONPATH": str(ROOT / "src"), "PINGCE_REQUIRE_NATIVE": "1", "COVERAGE_FILE": str(self.database),
        }  # fmt: skip
        subprocess.run([self.python, *suite, *counting], cwd=ROOT, env=os.environ | environment, check=True)


def _bodies(path: Path) -> set[int]:
    """The lines of a module that are run when a function is called, not when the module is imported."""
    functions = (
        node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.FunctionDef)
    )
    return {line for node in functions for line in range(node.body[0].lineno, (node.end_lineno or 0) + 1)}


def _node(module: str, name: str) -> str:
    """What pytest calls a test of a report: the file, a class if it has one, the name."""
    parts = module.split(".")
    classes = parts[next((at for at, part in enumerate(parts, 1) if part.startswith("test_")), len(parts)) :]
    return "::".join(["/".join(parts[: len(parts) - len(classes)]) + ".py", *classes, name])


def _in_turn(tests: list[str]) -> list[str]:
    """The first of every file, then the second of every file, and so on: the tests of a file notice the same things."""
    files: defaultdict[str, list[str]] = defaultdict(list)
    for test in tests:
        files[test.partition("::")[0]].append(test)
    return [test for test in chain.from_iterable(zip_longest(*files.values())) if test]
