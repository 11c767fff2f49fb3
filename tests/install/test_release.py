"""The files of a release: what is built here installs into an empty environment without a compiler, and what is written agrees."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

import pingce as pc
from pingce.base.json import load_toml

from .scratch import ROOT, interpreter, run

VERSION = pc.__version__


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@pytest.mark.deep("builds wheels for several interpreters and installs each from scratch")
@pytest.mark.skipif(
    "PINGCE_TEST_WHEELS" not in os.environ, reason="NO WHEELS WERE BUILT: make outside, or make wheels, does so"
)
def test_every_wheel_runs_the_demo_where_there_is_no_compiler(tmp_path: Path) -> None:
    pythons = [path for version in ("3.10", "3.12", "3.13") if (path := interpreter(version)) is not None]
    if not pythons:
        pytest.skip("NO WORKING PYTHON 3.10, 3.12 OR 3.13 ON THIS MACHINE: no wheel was built")
    done = run(["scripts/build_wheels.sh"], {"DIST": str(tmp_path), "PYTHONS": " ".join(pythons)}, ROOT)
    assert done.code == 0, done.out + done.err
    names = sorted(path.name for path in tmp_path.iterdir())
    assert f"pingce-{VERSION}.tar.gz" in names
    assert f"pingce-{VERSION}-py3-none-any.whl" in names
    assert all("manylinux" in name for name in names if "-cp3" in name)
    assert sum("-abi3-" in name for name in names) == any(
        "3.1" in python and "3.10" not in python for python in pythons
    )
    assert done.out.count("native core: loaded, the demo runs") == len(pythons)
    assert "py3-none-any.whl on " in done.out


def test_what_is_released_is_said_everywhere() -> None:
    assert f"\n## {VERSION}\n" in text_of("CHANGELOG.md")
    assert f"\nversion: {VERSION}\n" in text_of("CITATION.cff")
    for page in ("docs/gates.md", "docs/gates.zh-CN.md"):
        assert f"pingce@v{VERSION}" in text_of(page)


def test_wheels_are_built_for_what_is_supported() -> None:
    project = text_of("pyproject.toml")
    versions = re.findall(r'"Programming Language :: Python :: 3\.(\d+)"', project)
    (build,) = re.findall(r'^build = "(.*)"$', project, re.MULTILINE)
    own = [minor for minor in versions if int(minor) < 12]
    assert build.split() == [f"cp3{minor}-*" for minor in (*own, "12")]
    assert 'wheel.py-api = "cp312"' in project


def test_a_release_has_the_addresses_of_the_repository_that_builds_it(tmp_path: Path) -> None:
    for part in ("pyproject.toml", "scripts/name_home.py", "src/pingce/__init__.py"):
        (tmp_path / part).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / part).write_text(text_of(part), encoding="utf-8")
    name_home = [sys.executable, "scripts/name_home.py"]
    assert run([*name_home, "https://example.org/team/pingce/"], {}, tmp_path).code == 0
    urls = load_toml((tmp_path / "pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]
    assert urls["Homepage"] == "https://example.org/team/pingce"
    assert urls["Changelog"] == f"https://example.org/team/pingce/blob/v{VERSION}/CHANGELOG.md"
    linked = re.findall(rf"/blob/v{re.escape(VERSION)}/(\S+)", " ".join(urls.values()))
    assert all((ROOT / page).is_file() for page in linked)
    assert len(linked) == 3
    assert "has [project.urls] already" in run([*name_home, "https://example.org/team/pingce"], {}, tmp_path).err
    assert "is no address of a repository" in run([*name_home, "pingce"], {}, tmp_path).err
    workflow = text_of(".github/workflows/release.yml")
    assert workflow.count("python3 scripts/name_home.py") == len(
        re.findall(r"pypa/cibuildwheel@|python -m build --sdist", workflow)
    )


EXTENSIONS = re.compile(
    r"__builtin_|\[\[gnu::|__attribute__|__int128|__extension__|__GNUC__|_MSC_VER|#pragma (?!once)|std::jthread|\bpread\b"
)


def test_what_is_no_standard_stands_in_one_header() -> None:
    """And what is of one system, in files.cpp and, for large pages, in buffer.h."""
    files = [path for path in (ROOT / "cpp").iterdir() if path.name not in ("portable.h", "files.cpp")]
    assert len(files) > 100
    assert {path.name: found for path in files if (found := EXTENSIONS.findall(path.read_text("utf-8")))} == {}
