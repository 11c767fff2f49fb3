"""`pingce demo` and `pingce doctor`."""

from __future__ import annotations

import json
import platform
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

import pingce as pc
from pingce.base.core import native_core
from pingce.cli import demo
from pingce.cli.doctor import REINSTALL

from .conftest import Call
from .shell import shell


def test_demo(call: Call) -> None:
    done = call("demo")
    assert done.code == 0
    ranking, *predictions = ["# " + section for section in done.out.removeprefix("# ").split("\n# ")]
    lines = ranking.splitlines()
    assert lines[0].startswith("# Ranking: ")
    assert lines[2].split() == ["metric", "pixels", "pca8"]
    rows = {line.split()[0]: line.split()[1:] for line in lines[4:10]}
    assert rows == {
        "ndcg@10": ["0.9636", "0.9175"], "map": ["0.4267", "0.4070"], "mrr": ["0.9950", "0.9675"],
        "recall@100": ["0.4590", "0.4495"], "precision@10": ["0.9555", "0.9080"], "hit_rate@10": ["1.0000", "0.9900"],
    }  # fmt: skip
    for name in ("pixels", "pca8"):
        assert lines[lines.index(name) + 1].startswith("  Stages     First relevant item (200 queries): ")
    assert "pixels: 200 queries scored; 0 not answered" in done.err
    assert done.err.count("$ pingce eval ") == 5
    assert [section.split()[1] for section in predictions] == ["Click", "Two", "Ten", "Numbers:"]
    clicks, _, classes, numbers = predictions
    assert "AUC and GAUC disagree: pctr_a has the higher AUC" in clicks
    assert "true \\ predicted" in classes
    assert "always predicting the mean" in numbers
    for task in ("binary", "multi-class", "regression"):
        assert f"task: {task} " in done.err


def test_demo_without_the_core_says_the_same(call: Call) -> None:
    assert shell("demo", env={"PINGCE_NATIVE": "0"}).out == call("demo").out


@pytest.mark.parametrize("words", [(), ("--no-report",)])
def test_the_demo_writes_nothing_unless_asked(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(demo, "SECTIONS", ())
    done = call("demo", *words)
    assert (done.code, done.out, done.err) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


def test_the_demo_leaves_its_files(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "SECTIONS", demo.SECTIONS[-1:])
    folder = tmp_path / "new" / "data"
    for _ in range(2):  # what is there already and the same is no obstacle
        done = call("demo", "--data", folder)
        assert done.code == 0, done.err
    bundled = Path(demo.__file__).parents[1] / "demo"
    names = {"pingce-demo.md" if path.name == "README.md" else path.name: path for path in bundled.iterdir()}
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == {
        name: path.read_bytes() for name, path in names.items()
    }
    line = next(line for line in done.err.splitlines() if line.startswith("$ pingce "))
    assert call(*line.removeprefix("$ pingce ").split()).out in done.out


@pytest.mark.parametrize("obstacle", ["file", "link", "dangling link", "folder"])
def test_the_demo_writes_over_nothing_of_yours(call: Call, tmp_path: Path, obstacle: str) -> None:
    other, target = tmp_path / "mine.csv", tmp_path / "data" / "diabetes.csv"
    other.write_text("mine")
    target.parent.mkdir()
    if "link" in obstacle:
        target.symlink_to(other if obstacle == "link" else tmp_path / "none")
    elif obstacle == "folder":
        target.mkdir()
    else:
        target.write_text("mine")
    done = call("demo", "--data", target.parent)
    assert (done.code, done.out) == (2, "")
    assert done.err == f"pingce: {target}: there is something else of this name; choose an empty folder\n"
    assert list(target.parent.iterdir()) == [target]
    assert other.read_text() == "mine"
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("aim", ["mine.html", "none.html"])
def test_the_demo_does_not_write_through_links(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, aim: str
) -> None:
    monkeypatch.setattr(demo, "SECTIONS", ())
    monkeypatch.setattr(demo, "_run", lambda *words: Path(words[-1][-2]).write_text("page"))
    (tmp_path / "mine.html").write_text("mine")
    folder = tmp_path / "reports"
    folder.mkdir()
    link = folder / "pingce-demo-report.html"
    link.symlink_to(tmp_path / aim)
    done = call("demo", "--report", folder)
    assert done.code == 2
    assert f"{link}: this is a link or no plain file, and is not written through" in done.err
    assert (tmp_path / "mine.html").read_text() == "mine"
    assert not (tmp_path / "none.html").exists()
    link.unlink()
    assert call("demo", "--report", folder).code == 0
    assert link.read_text() == "page"


@pytest.mark.parametrize("option", ["--report", "--data"])
def test_a_folder_that_cannot_be_made(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str) -> None:
    monkeypatch.setattr(demo, "SECTIONS", ())
    (tmp_path / "link").symlink_to(tmp_path / "none")
    done = call("demo", option, tmp_path / "link")
    assert (done.code, done.out) == (2, "")
    assert f"{tmp_path / 'link'}: cannot be made (File exists)" in done.err


@pytest.mark.parametrize(("lang", "loaded"), [("en", "native core: loaded"), ("zh", "已载入")])
def test_doctor(call: Call, lang: str, loaded: str) -> None:
    done = call("doctor", "--lang", lang)
    assert (done.code, done.err) == (0, "")
    assert f"pingce {pc.__version__}" in done.out
    assert platform.python_version() in done.out
    assert (loaded in done.out) == (native_core() is not None)
    for part in ("numpy", "pyarrow", "click", "rich"):
        assert f"{part} {metadata.version(part)}" in done.out


@pytest.mark.skipif(native_core() is None, reason="there are no loops without the core")
@pytest.mark.parametrize(
    ("lang", "plain", "title"),
    [("en", "vector path: none beyond the baseline", "vector path: "), ("zh", "向量指令：仅基线", "向量指令：")],
)
def test_doctor_says_which_vector_path_is_used(lang: str, plain: str, title: str) -> None:
    assert title in shell("doctor", "--lang", lang).out
    assert plain in shell("doctor", "--lang", lang, env={"PINGCE_VECTORS": "0"}).out


@pytest.mark.parametrize(("lang", "says"), [("en", "without its native core"), ("zh", "未能载入原生内核")])
def test_doctor_without_the_core_says_how_to_build_it(
    call: Call, monkeypatch: pytest.MonkeyPatch, lang: str, says: str
) -> None:
    monkeypatch.setattr("pingce.base.core.native_core", lambda: None)
    done = call("doctor", "--lang", lang)
    assert (done.code, done.err) == (0, "")
    assert says in done.out
    assert REINSTALL in done.out
    assert "C++20" in done.out


@pytest.mark.parametrize(
    ("noted", "origin"),
    [
        (None, "--no-binary pingce pingce"),
        ({"url": "file:///a%20b/pingce", "dir_info": {}}, "'/a b/pingce'"),
        ({"url": "file:///src/pingce", "dir_info": {"editable": True}}, "-e /src/pingce"),
        (
            {"url": "https://host/pingce.git", "vcs_info": {"vcs": "git", "commit_id": "ab12"}},
            "git+https://host/pingce.git@ab12",
        ),
        ({"url": "https://host/pingce-0.1.0.tar.gz", "archive_info": {}}, "https://host/pingce-0.1.0.tar.gz"),
    ],
)
def test_the_remedy_names_where_the_installation_came_from(
    call: Call, monkeypatch: pytest.MonkeyPatch, noted: dict[str, Any] | None, origin: str
) -> None:
    class Distribution:
        version = "0"

        def read_text(self, name: str) -> str | None:
            assert name == "direct_url.json"
            return None if noted is None else json.dumps(noted)

    monkeypatch.setattr("pingce.base.core.native_core", lambda: None)
    monkeypatch.setattr(metadata, "distribution", lambda _: Distribution())
    assert f"{REINSTALL} {origin}" in call("doctor").out.splitlines()[3]


@pytest.mark.parametrize("part", ["matplotlib", "duckdb", "torch", "pyspark", "pandas", "polars"])
def test_doctor_lists_what_is_good_to_have(call: Call, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    def version(name: str) -> str:
        if name == part:
            raise metadata.PackageNotFoundError
        return "9.8"

    monkeypatch.setattr(metadata, "version", version)
    lines = {line.split()[0]: line for line in call("doctor").out.splitlines()}
    assert {"matplotlib", "duckdb", "torch", "pyspark"} <= set(lines)
    assert all(
        line == f"{name} 9.8" for name, line in lines.items() if name in ("numpy", "rich", "duckdb") and name != part
    )
    assert lines[part].startswith(f"{part} not installed (")
    assert f": pip install {part}" in lines[part].replace("'", "")
    assert "未安装（" in next(line for line in call("doctor", "--lang", "zh").out.splitlines() if line.startswith(part))


@pytest.mark.parametrize(
    ("lang", "says"), [("en", "turned off by PINGCE_NATIVE=0"), ("zh", "已由 PINGCE_NATIVE=0 关闭")]
)
def test_doctor_knows_a_core_that_was_turned_off(lang: str, says: str) -> None:
    done = shell("doctor", "--lang", lang, env={"PINGCE_NATIVE": "0"})
    assert (done.code, done.err) == (0, "")
    assert says in done.out
    assert REINSTALL not in done.out


def test_doctor_says_what_is_not_installed(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> str:
        raise metadata.PackageNotFoundError

    monkeypatch.setattr(metadata, "version", missing)
    assert "polars not installed" in call("doctor").out


def test_doctor_shows_threads(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINGCE_THREADS", "5")
    assert "threads: 5" in call("doctor").out.splitlines()
