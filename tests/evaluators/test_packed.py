"""The bytes of an evaluator: read back whole, refused in every other case."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pytest

import pingce as pc
from pingce.evaluators.packed import pack, unpack


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
    monkeypatch.setattr(pc, "__version__", "0.0.9")
    with pytest.raises(pc.InputError, match=r"written by pingce 0\.1\.0, and this is pingce 0\.0\.9"):
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
