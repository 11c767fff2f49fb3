"""Scratch copies of the repository, and environments into which they are installed as a user would."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "conformance" / "cases"
LIMIT = 600.0
NO_COMPILER = {"CXX": "/bin/false", "CC": "/bin/false"}
OURS = (
    "PINGCE_",
    "PYTHON",
    "COVERAGE",
    "COV_",
    "CXX",
    "CC",
    "CFLAGS",
    "LD_PRELOAD",
    "PYTEST_",
    "VIRTUAL_ENV",
    "LC_",
    "LANG",
)


class Done(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


def run(line: list[str | Path], env: dict[str, str] | None = None, cwd: Path | None = None) -> Done:
    """Run a command in an environment that has nothing of the tests' own."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(OURS)} | {"LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        list(map(str, line)),
        env=clean | (env or {}), cwd=cwd, capture_output=True, encoding="utf-8", timeout=LIMIT, check=False,
    )  # fmt: skip
    return Done(done.returncode, done.stdout, done.stderr)


def here(*words: str | Path) -> Done:
    """The pingce that is being tested."""
    path = os.pathsep.join(
        str(Path(part).absolute()) for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part
    )
    return run([sys.executable, "-m", "pingce", *words], {"PYTHONPATH": path})


def copy_of_repository(target: Path) -> Path:
    """All files that are, or would be, under version control."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, target / name)
    assert (target / "pyproject.toml").exists()
    return target


class Installed(NamedTuple):
    """An environment with pingce in it."""

    folder: Path

    @property
    def bin(self) -> Path:
        return self.folder / "bin"

    def pingce(self, *words: str | Path) -> Done:
        return run([self.bin / "pingce", *words])

    def python(self, code: str) -> str:
        done = run([self.bin / "python", "-c", code])
        assert done.code == 0, done.err
        return done.out

    def metadata(self, name: str) -> str:
        """A file of the wheel's metadata."""
        (found,) = self.folder.glob(f"lib/python*/site-packages/pingce-*.dist-info/{name}")
        return found.read_text(encoding="utf-8")

    @property
    def files(self) -> set[str]:
        """What the wheel contained."""
        return {line.split(",")[0] for line in self.metadata("RECORD").splitlines()}


def install(python: str, folder: Path, env: dict[str, str] | None = None) -> Installed:
    """A new environment of this interpreter with a scratch copy installed."""
    source = copy_of_repository(folder / "source")
    make: list[str | Path] = [python, "-m", "venv", folder / "venv"]
    fill: list[str | Path] = [folder / "venv/bin/pip", "install", "--no-cache-dir", "--no-compile", "."]
    for line in (make, fill):
        done = run(line, env, source)
        if done.code != 0:
            if line is fill and not _packages_come(folder):
                pytest.skip("NO PACKAGES CAN BE INSTALLED HERE (no network?): the install from scratch was NOT tested")
            pytest.fail(f"{' '.join(map(str, line))}\n{done.out[-3000:]}\n{done.err[-3000:]}")
    return Installed(folder / "venv")


def _packages_come(folder: Path) -> bool:
    """Whether pip gets a package that is none of ours."""
    into: list[str | Path] = ["--no-cache-dir", "--no-deps", "--dest", folder / "tried"]
    return run([folder / "venv/bin/pip", "download", *into, "click"]).code == 0


def once(shared: Path, name: str, make: Callable[[Path], Installed]) -> Installed:
    """Make it unless another process of this test run did."""
    folder = shared / name
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            (folder / "made").touch()
    return Installed(folder / "venv")


def interpreter(version: str) -> str | None:
    """A working interpreter of this version; a pyenv shim may stand there without one behind it."""
    found = shutil.which(f"python{version}")
    elsewhere = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}"))
    for candidate in filter(None, (found, *map(str, elsewhere))):
        asked = run([str(candidate), "-c", "import ensurepip, sys, venv; print('%d.%d' % sys.version_info[:2])"])
        if asked.out.strip() == version:
            return candidate
    return None
