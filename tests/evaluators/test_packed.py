"""The bytes of an evaluator: read back whole, refused in every other case."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import pingce as pc
from pingce.run.packed import pack, unpack


def states() -> list[bytes]:
    true, said = np.random.default_rng(1).normal(size=(2, 50))
    numbers = pc.RegressionEvaluator(["mae", "r2"]).update(true, said)
    kept = pc.RegressionEvaluator(["medae"]).update(true, said, by={"x": np.arange(50) % 3})
    classes = pc.MulticlassEvaluator(["accuracy", "logloss"], labels=["a", "b"])
    classes.update(["a", "b"], proba=np.array([[0.2, 0.8], [0.5, 0.5]]))
    return [one.to_bytes() for one in (numbers, kept, classes)]


@pytest.mark.parametrize("state", states(), ids=["sums", "rows", "classes"])
def test_a_state_is_read_back_whole_and_a_damaged_one_is_refused(state: bytes) -> None:
    again = pc.Evaluator.from_bytes(state)
    assert again.to_bytes() == state
    for end in range(0, len(state), 97):
        with pytest.raises(pc.InputError):
            pc.Evaluator.from_bytes(state[:end])


@pytest.mark.parametrize("state", states(), ids=["sums", "rows", "classes"])
def test_a_changed_byte_is_found(state: bytes) -> None:
    for place in range(5, len(state), 61):
        changed = bytearray(state)
        changed[place] ^= 0xFF
        with pytest.raises(pc.InputError, match="damaged"):
            pc.Evaluator.from_bytes(bytes(changed))


@pytest.mark.parametrize("data", [b"", b"\x80\x04pickle", b"ARROW1" * 20, "text", None, 7])
def test_foreign_bytes(data: bytes) -> None:
    with pytest.raises(pc.InputError, match="not the state of an evaluator"):
        pc.Evaluator.from_bytes(data)


def test_an_arrow_file_of_something_else() -> None:
    sink = pa.BufferOutputStream()
    table = pa.table({"a": [1]})
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    with pytest.raises(pc.InputError, match="not the state of an evaluator"):
        pc.Evaluator.from_bytes(bytes(sink.getvalue()))


def test_another_version(monkeypatch: pytest.MonkeyPatch) -> None:
    state = states()[0]
    monkeypatch.setattr("pingce.run.packed.__version__", "0.0.9")
    with pytest.raises(pc.InputError, match=rf"written by pingce {pc.__version__}, and this is pingce 0\.0\.9"):
        pc.Evaluator.from_bytes(state)


def test_the_kind_is_found_and_another_one_is_refused() -> None:
    numbers, _, classes = states()
    assert type(pc.Evaluator.from_bytes(numbers)) is pc.RegressionEvaluator
    assert type(pc.Evaluator.from_bytes(classes)) is pc.MulticlassEvaluator
    with pytest.raises(pc.InputError, match="the state of a MulticlassEvaluator, not of a RegressionEvaluator"):
        pc.RegressionEvaluator.from_bytes(classes)
    with pytest.raises(pc.InputError, match="no evaluator of 'weather'"):
        pc.Evaluator.from_bytes(pack("weather", {}, {}))


def test_tables_and_their_metadata_come_back() -> None:
    table = pa.table({"x": pa.array(["a", None])}).replace_schema_metadata({"k": "v"})
    found = unpack(pack("regression", {"名": [1, None]}, {"one": table, "two": table.slice(1)}))
    assert found.settings == json.loads('{"名": [1, null]}')
    assert list(found.tables) == ["one", "two"]
    assert found.tables["one"].equals(table, check_metadata=True)
    assert found.tables["two"].to_pydict() == {"x": [None]}


@pytest.mark.parametrize("settings", [{}, {"metrics": [{"name": "mae"}]}, {"metrics": 7}])
def test_settings_that_are_no_settings(settings: dict[str, object]) -> None:
    with pytest.raises(pc.InputError):
        pc.Evaluator.from_bytes(pack("regression", settings, {}))


@pytest.mark.parametrize("name", ["seen", "sums", "rows", "confusion"])
def test_tables_that_are_others(name: str) -> None:
    for state in states():
        found = unpack(state)
        if name in found.tables:
            tables = found.tables | {name: pa.table({"a": [1]})}
            with pytest.raises(pc.InputError):
                pc.Evaluator.from_bytes(pack(found.task, found.settings, tables))


def evaluators() -> dict[str, pc.Evaluator]:
    binary = pc.BinaryEvaluator(["auc", "gauc"], split="never").update([1, 0], [0.9, 0.1], group=["a", "a"])
    classes = pc.MulticlassEvaluator(["accuracy"]).update(["a", "b"], ["a", "a"])
    numbers = pc.RegressionEvaluator(["mae", "medae"]).update([1.0, 2.0], [1.5, 2.5])
    ranking = pc.RankingEvaluator({"q": {"a": 1}, "r": {"b": 1}}, ["mrr"], split="never").update({"q": ["x", "a"]})
    return {"binary": binary, "multiclass": classes, "regression": numbers, "ranking": ranking}


_MORE: dict[str, Callable[[pc.Evaluator], pc.Evaluator]] = {
    "binary": lambda one: one.update([1, 0], [0.2, 0.3], group=["b", "b"]),
    "multiclass": lambda one: one.update(["b"], ["b"]),
    "regression": lambda one: one.update([5.0], [1.0]),
    "ranking": lambda one: one.update({"r": ["b"]}),
}


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
@pytest.mark.parametrize("task", _MORE)
def test_a_copy_has_seen_the_same_and_goes_its_own_way(
    task: str, copied: Callable[[pc.Evaluator], pc.Evaluator]
) -> None:
    one = evaluators()[task]
    before = one.compute().to_json()
    other = copied(one)
    assert other.compute().to_json() == before
    whole = _MORE[task](evaluators()[task]).compute().to_json()
    assert _MORE[task](other).compute().to_json() == whole != before
    assert one.compute().to_json() == before
    assert _MORE[task](one).compute().to_json() == whole


@pytest.mark.parametrize("task", _MORE)
def test_a_pool_of_processes_may_send_evaluators(task: str) -> None:
    one = evaluators()[task]
    came = pickle.loads(pickle.dumps(one))
    assert came.to_bytes() == one.to_bytes()
    assert one.reset().merge(came).compute().to_json() == evaluators()[task].compute().to_json()


def test_settings_may_be_numpy_numbers() -> None:
    asked: dict[str, Any] = {"seed": np.int64(3), "samples": np.int32(20), "min_n": np.int16(2), "threads": np.int8(1)}
    one = pc.RegressionEvaluator(["mae"], **asked).update([1.0], [2.0])
    assert one.merge(pc.RegressionEvaluator.from_bytes(one.to_bytes())).compute()["mae"] == 1.0
    odd = pc.MulticlassEvaluator(["accuracy"], labels={"a", "b"})
    with pytest.raises(pc.InputError, match="cannot be written"):
        odd.to_bytes()


def test_the_difference_is_named_and_not_what_is_the_same() -> None:
    one = pc.BinaryEvaluator(["auc", "f1"])
    with pytest.raises(pc.InputError, match=r"metrics: \['auc', 'f1'\] here, \['auc'\] there"):
        one.merge(pc.BinaryEvaluator(["auc"]))
    with pytest.raises(pc.InputError, match=r"policies: {'threshold': 0.5} here, {'threshold': 0.1} there"):
        one.merge(pc.BinaryEvaluator(["auc", "f1"], threshold=0.1))
