"""Installing from scratch: without a compiler, with the core required, and with every Python that is here."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from pingce.base.core import MISSING, native_core
from pingce.cli.doctor import REINSTALL

from .scratch import CASES, NO_COMPILER, ROOT, Installed, copy_of_repository, here, install, interpreter, once, run

pytestmark = pytest.mark.deep("builds and installs the package in environments of its own")

HEAVY = {"numpy", "pyarrow", "narwhals", "rich", "pandas", "polars", "scipy", "click"}
DEMO = {f"pingce/demo/{name}" for name in ("digits.qrels.gz", "pixels.run.gz", "pca8.run.gz", "README.md")}


@pytest.mark.parametrize("version", ["3.10", "3.13"])  # 3.12 and later share one wheel
def test_other_pythons(shared: Path, version: str) -> None:
    python = interpreter(version)
    if python is None:
        pytest.skip(f"NO WORKING PYTHON {version} ON THIS MACHINE: the build for it was NOT tested")
    built = once(shared, f"python{version}", lambda folder: install(python, folder, {"PINGCE_REQUIRE_NATIVE": "1"}))
    doctor = built.pingce("doctor").out
    assert f"Python {version}." in doctor
    assert "native core: loaded" in doctor.splitlines()
    tag = {"3.10": "cp310-cp310-"}.get(version, "cp312-abi3-")
    assert f"Tag: {tag}" in built.metadata("WHEEL")
    assert sum("_core" in name and not name.endswith(".pyi") for name in built.files) == 1
    assert sum(name.endswith("_core.pyi") for name in built.files) == 1
    demo, ours = built.pingce("demo"), here("demo")
    assert (demo.code, demo.out) == (0, ours.out)
    assert "0.9636" in demo.out
    holds_what_it_must(built)


def holds_what_it_must(built: Installed) -> None:
    """Types and data are in the wheel; tests, sources of the core and scripts are not."""
    assert built.files >= {"pingce/py.typed", "pingce/__init__.py", "pingce/cli/eval.py", *DEMO}
    for folder, suffix in (
        ("conventions", ".toml"),
        ("html/assets", ".js"),
        ("html/assets", ".css"),
        ("schema", ".json"),
    ):
        ours = {f"pingce/{folder}/{path.name}" for path in (ROOT / "src" / "pingce" / folder).glob(f"*{suffix}")}
        assert ours
        assert built.files >= ours
    assert any(name.endswith("licenses/LICENSE") for name in built.files)
    folders = {name.split("/")[0] for name in built.files if not name.startswith("..")}
    assert {folder for folder in folders if ".dist-info" not in folder} == {"pingce"}
    assert [
        name
        for name in built.files
        if name.endswith((".cpp", ".h", ".txt", ".sh", "pyproject.toml")) and "dist-info" not in name
    ] == []


@pytest.fixture(scope="session")
def pure(shared: Path) -> Installed:
    """pingce installed where no compiler works."""
    return once(shared, "pure", lambda folder: install(sys.executable, folder, NO_COMPILER))


def test_without_a_compiler_the_wheel_is_pure(pure: Installed) -> None:
    wheel = pure.metadata("WHEEL")
    assert "Root-Is-Purelib: true" in wheel
    assert "Tag: py3-none-any" in wheel
    assert not any("_core" in name and not name.endswith(".pyi") for name in pure.files)


def test_without_a_compiler_doctor_says_so(pure: Installed) -> None:
    done = pure.pingce("doctor")
    assert (done.code, done.err) == (0, "")
    assert MISSING.en in done.out.splitlines()
    assert any(REINSTALL in line for line in done.out.splitlines())


@pytest.mark.parametrize("case", ["graded", "ties"])
def test_without_a_compiler_the_numbers_are_the_same(pure: Installed, case: str) -> None:
    assert native_core() is not None, "the comparison would prove nothing"
    metrics = "ndcg(gain=linear)@10,map,p@10,recall@1000,rbp,err@10,bpref,gm_ap,ndcg(ties=expected)@5"
    words: list[str | Path] = [
        "eval",
        CASES / f"{case}.qrels",
        CASES / f"{case}.run",
        "-m",
        metrics,
        "-q",
        "-f",
        "json",
    ]
    theirs, ours = pure.pingce(*words), here(*words)
    assert theirs.code == ours.code == 0
    assert theirs.out == ours.out
    assert len(json.loads(ours.out)["metrics"]) == 9
    assert theirs.err.count(MISSING.en) == 1
    assert [line for line in theirs.err.splitlines() if MISSING.en not in line] == ours.err.splitlines()


@pytest.mark.parametrize("files", ["graded", "demo"])
def test_the_missing_core_is_said_once(pure: Installed, files: str) -> None:
    words = (
        ["demo"] if files == "demo" else ["eval", CASES / f"{files}.qrels", CASES / f"{files}.run", CASES / "ties.run"]
    )
    done = pure.pingce(*words)
    assert done.code == 0
    assert done.err.count("native core") == 1
    assert done.err.count("Warning") == 0


def test_where_the_core_is_required_a_missing_compiler_is_an_error(tmp_path: Path) -> None:
    source = copy_of_repository(tmp_path / "source")
    line: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "--no-deps",
        "--no-build-isolation",
        "-w",
        tmp_path / "dist",
        ".",
    ]
    done = run(line, NO_COMPILER | {"PINGCE_REQUIRE_NATIVE": "1"}, source)
    assert done.code != 0
    assert "/bin/false" in done.out + done.err
    assert "CMake configuration failed" in done.out + done.err
    assert not list((tmp_path / "dist").glob("*.whl"))


def test_the_wheel_holds_what_it_must(pure: Installed) -> None:
    holds_what_it_must(pure)


def test_the_installed_package_imports_nothing_heavy(pure: Installed) -> None:
    code = "import sys, pingce; print(*sorted({name.split('.')[0] for name in sys.modules}))"
    assert "pingce" in (found := set(pure.python(code).split()))
    assert not found & HEAVY


def test_the_script_and_the_module_are_one(pure: Installed) -> None:
    assert pure.pingce("--version") == run([pure.bin / "python", "-m", "pingce", "--version"])
    assert pure.pingce("--version").out.startswith("pingce ")
