"""The native core is there when it must be, and threads are counted as asked."""

from __future__ import annotations

import os
import sys
from typing import Any

import pytest

import pingce as pc
from pingce.base.core import native_core, thread_count


def test_the_core_is_loaded_where_it_is_required() -> None:
    if os.environ.get("PINGCE_REQUIRE_NATIVE", "0") in ("", "0"):
        pytest.skip("PINGCE_REQUIRE_NATIVE is not set: whether the core is there was NOT tested")
    core = native_core()
    assert core is not None
    assert core.__name__ == "pingce._core"


@pytest.fixture
def fresh_core() -> Any:
    """`native_core` decides anew, before and after."""
    native_core.cache_clear()
    yield native_core
    native_core.cache_clear()


def test_the_core_can_be_turned_off(fresh_core: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINGCE_NATIVE", "0")
    assert fresh_core() is None


def hide_core(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pingce._core", None)
    monkeypatch.delattr(pc, "_core", raising=False)
    monkeypatch.delenv("PINGCE_NATIVE", raising=False)


def test_a_missing_core_is_an_error_where_it_is_required(fresh_core: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    hide_core(monkeypatch)
    monkeypatch.setenv("PINGCE_REQUIRE_NATIVE", "1")
    with pytest.raises(ImportError, match="PINGCE_REQUIRE_NATIVE"):
        fresh_core()


@pytest.mark.parametrize("required", ["", "0", None])
def test_a_missing_core_is_said_once_elsewhere(
    fresh_core: Any, monkeypatch: pytest.MonkeyPatch, required: str | None
) -> None:
    hide_core(monkeypatch)
    if required is None:
        monkeypatch.delenv("PINGCE_REQUIRE_NATIVE", raising=False)
    else:
        monkeypatch.setenv("PINGCE_REQUIRE_NATIVE", required)
    with pytest.warns(pc.PingceWarning, match="pingce doctor says how to build it") as said:
        assert fresh_core() is None
        assert fresh_core() is None
    assert len(said) == 1


@pytest.mark.parametrize("count", [1, 2, 100])
def test_threads_as_asked(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINGCE_THREADS", "7")
    assert thread_count(count) == count


@pytest.mark.parametrize("count", ["1", "3", " 3 "])
def test_threads_from_the_environment(count: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINGCE_THREADS", count)
    assert thread_count() == int(count)


@pytest.mark.parametrize("unset", ["", None])
def test_threads_by_default(unset: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PINGCE_THREADS", raising=False)
    if unset is not None:
        monkeypatch.setenv("PINGCE_THREADS", unset)
    assert thread_count() == len(os.sched_getaffinity(0))


@pytest.mark.parametrize("bad", [0, -1, 1.5, 2.0, True, "two", "1.5", ""])
def test_bad_threads(bad: Any) -> None:
    with pytest.raises(pc.InputError, match="whole number from 1"):
        thread_count(bad)


@pytest.mark.parametrize("bad", ["0", "-2", "two", "1.5", "1e3", "nan"])
def test_bad_threads_in_the_environment(bad: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINGCE_THREADS", bad)
    with pytest.raises(pc.InputError, match="whole number from 1") as problem:
        pc.evaluate_ranking({"q": {"a": 1}}, {"q": ["a"]})
    assert repr(bad) in str(problem.value)
    assert repr(bad) in problem.value.text.zh


@pytest.mark.parametrize("bad", [0, -1, 1.5, True, "two"])
def test_bad_threads_of_a_call(bad: Any) -> None:
    with pytest.raises(pc.InputError, match="whole number from 1"):
        pc.evaluate_ranking({"q": {"a": 1}}, {"q": ["a"]}, threads=bad)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_change_nothing(threads: int) -> None:
    qrels = {f"q{i}": {f"d{j}": j % 3 for j in range(20)} for i in range(50)}
    run = {f"q{i}": {f"d{(i * j) % 37}": float(j) for j in range(30)} for i in range(50)}
    assert pc.evaluate_ranking(qrels, run, threads=threads).to_json() == pc.evaluate_ranking(qrels, run).to_json()
