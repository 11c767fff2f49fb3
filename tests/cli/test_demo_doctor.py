"""`pingce demo` and `pingce doctor`."""

from __future__ import annotations

import platform
from importlib import metadata

import pytest

import pingce as pc
from pingce.core import REBUILD, native_core

from .conftest import Call
from .shell import shell


def test_demo(call: Call) -> None:
    done = call("demo", "--no-report")
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
        assert any(line.startswith(f"{name}: First relevant item") for line in lines)
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
    assert shell("demo", "--no-report", env={"PINGCE_NATIVE": "0"}).out == call("demo", "--no-report").out


@pytest.mark.parametrize(("lang", "loaded"), [("en", "native core: loaded"), ("zh", "已载入")])
def test_doctor(call: Call, lang: str, loaded: str) -> None:
    done = call("doctor", "--lang", lang)
    assert (done.code, done.err) == (0, "")
    assert f"pingce {pc.__version__}" in done.out
    assert platform.python_version() in done.out
    assert (loaded in done.out) == (native_core() is not None)
    for part in ("numpy", "pyarrow", "click", "rich"):
        assert f"{part} {metadata.version(part)}" in done.out


@pytest.mark.parametrize(("lang", "says"), [("en", "without its native core"), ("zh", "未能载入原生内核")])
def test_doctor_without_the_core_says_how_to_build_it(
    call: Call, monkeypatch: pytest.MonkeyPatch, lang: str, says: str
) -> None:
    monkeypatch.setattr("pingce.core.native_core", lambda: None)
    done = call("doctor", "--lang", lang)
    assert (done.code, done.err) == (0, "")
    assert says in done.out
    assert REBUILD in done.out
    assert "--force-reinstall --no-cache-dir --no-binary pingce" in REBUILD


@pytest.mark.parametrize(
    ("lang", "says"), [("en", "turned off by PINGCE_NATIVE=0"), ("zh", "已由 PINGCE_NATIVE=0 关闭")]
)
def test_doctor_knows_a_core_that_was_turned_off(lang: str, says: str) -> None:
    done = shell("doctor", "--lang", lang, env={"PINGCE_NATIVE": "0"})
    assert (done.code, done.err) == (0, "")
    assert says in done.out
    assert REBUILD not in done.out


def test_doctor_says_what_is_not_installed(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(_: str) -> str:
        raise metadata.PackageNotFoundError

    monkeypatch.setattr(metadata, "version", missing)
    assert "polars not installed" in call("doctor").out


def test_doctor_shows_threads(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINGCE_THREADS", "5")
    assert "threads: 5" in call("doctor").out.splitlines()
