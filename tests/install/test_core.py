"""What the build of the native core and the Python beside it must agree on: flags, names, and the stub."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pingce.base.core import native_core
from pingce.evidence.policies import Policies
from pingce.inputs.tables import trec

ROOT = Path(__file__).resolve().parents[2]
STRICT = {
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Wconversion",
    "-Wsign-conversion",
    "-Wshadow",
    "-Wold-style-cast",
    "-Werror",
}

core = native_core()
needs_core = pytest.mark.skipif(core is None, reason="THE NATIVE CORE IS NOT INSTALLED: nothing to compare")


@needs_core
def test_the_stub_is_what_the_core_offers() -> None:
    command = [sys.executable, str(ROOT / "scripts" / "make_stub.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@needs_core
def test_policies_and_faults_have_one_name_on_both_sides() -> None:
    assert core is not None
    assert tuple(core.Duplicates.__members__) == Policies.choices["duplicates"]
    assert tuple(core.NotANumber.__members__) == Policies.choices["nan"]
    faults = {name.upper(): fault.value for name, fault in core.TextFault.__members__.items() if fault.value}
    assert faults == {name: getattr(trec, name, None) for name in faults}


def test_every_file_of_ours_is_compiled_with_the_strict_flags(tmp_path: Path) -> None:
    cmake = shutil.which("cmake", path=str(Path(sys.executable).parent)) or shutil.which("cmake")
    if cmake is None or shutil.which("c++") is None:
        pytest.skip("NO CMAKE OR NO COMPILER ON THIS MACHINE: the flags were NOT looked at")
    nanobind = subprocess.run(
        [sys.executable, "-m", "nanobind", "--cmake_dir"], capture_output=True, text=True, check=True
    ).stdout.strip()
    options = ["PINGCE_STRICT=ON", "CMAKE_EXPORT_COMPILE_COMMANDS=ON", f"nanobind_DIR={nanobind}"]
    options += [f"Python_EXECUTABLE={sys.executable}", "SKBUILD_SABI_VERSION="]
    command = [cmake, "-S", str(ROOT), "-B", str(tmp_path), *(f"-D{option}" for option in options)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    commands = json.loads((tmp_path / "compile_commands.json").read_text())
    flags = {Path(each["file"]): each["command"].split() for each in commands}
    ours = set((ROOT / "cpp").glob("*.cpp"))
    assert ours <= set(flags)
    for file in ours:
        assert set(flags[file]) >= STRICT, file.name
        headers = [flags[file][at + 1] for at, flag in enumerate(flags[file]) if flag == "-isystem"]
        assert any("nanobind" in folder for folder in headers) == file.name.startswith("bindings"), file.name
        assert not any(flag.startswith("-I") and "nanobind" in flag for flag in flags[file])
