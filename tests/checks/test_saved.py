"""Documents read back: what was written, nothing newer, nothing else."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import pingce as pc
from pingce.base.errors import InputError
from pingce.scores.read import is_document, read_documents, read_scores
from pingce.scores.tables import documents

RANKING = pc.evaluate_ranking({"q1": {"a": 1}, "q2": {"b": 0}}, {"q1": ["b", "a"]}, ["mrr", "ndcg@10"])
BINARY = pc.evaluate_binary([1, 0, 1, 0], [0.9, 0.1, 0.4, 0.4], ["auc", "gauc"], group=[1, 1, 2, 2], ci=0.9, samples=10)
CLASSES = pc.evaluate_multiclass(["a", "b"], ["a", "a"])
NUMBERS = pc.evaluate_regression([1, 1], [1, 2], ["mae", "r2"])


@pytest.mark.parametrize("scores", [RANKING, BINARY, CLASSES, NUMBERS], ids=lambda scores: scores.task)
def test_what_was_written_comes_back(scores: Any, tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    path.write_text(scores.to_json(per_query=True), encoding="utf-8")
    for data in (path, str(path), scores.to_dict(per_query=True)):
        found = read_scores(data)
        assert found.task == scores.task
        assert list(found.metrics) == list(scores)
        for name, value in scores.values_by_name.items():
            saved = found.metrics[name]
            assert saved.value == value.value or (math.isnan(saved.value) and math.isnan(value.value))
            assert (saved.id, saved.n, saved.unit) == (value.id, value.count, value.unit)
            assert (saved.signature, saved.undefined) == (scores.signature(name), value.undefined)
            assert saved.interval == value.interval
        columns = scores.unit_columns()
        assert (found.per is None) == (not columns)
        if found.per is not None:
            assert list(found.per.ids) == columns[scores.per]
            for name in found.per.columns:
                assert found.per.values(name).tolist() == pytest.approx(columns[name], nan_ok=True)


def test_spellings_and_what_is_not_there() -> None:
    found = read_scores(RANKING.to_dict())
    rr = found.find("rr")
    assert rr is not None
    assert rr.name == "mrr"
    assert found.find("ap") is None
    assert found.find("no such metric") is None
    assert found.per_query is None
    assert read_scores(RANKING.to_dict(per_query=True)).per_query is not None


def test_of_several_runs_one_is_named(tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    path.write_text(json.dumps(documents({"one": RANKING, "two": RANKING})), encoding="utf-8-sig")
    assert [one.run for one in read_documents(path)] == ["one", "two"]
    assert read_scores(path, run="two").run == "two"
    with pytest.raises(InputError, match="holds 2 runs"):
        read_scores(path)
    with pytest.raises(InputError, match="did you mean 'two'"):
        read_scores(path, run="twoo")


def changed(**changes: Any) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(RANKING.to_json(per_query=True)) | changes
    return {name: value for name, value in document.items() if value is not ...}


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (changed(schema_version=2), "schema version 2, newer than the 1"),
        (changed(schema_version="1"), "no document"),
        (changed(schema_version=...), "no document"),
        (changed(task="cooking"), "no document"),
        (changed(metrics=...), "no document"),
        (changed(metrics=[{"name": "x"}]), "no document"),
        (changed(metrics=[{"name": "x", "id": "x", "value": "high", "signature": ""}]), "no document"),
        (changed(per_query={"query": ["q1"], "values": {"mrr": [1, 2]}}), "no document"),
        ({"schema_version": 1, "runs": []}, "no document"),
        ({"schema_version": 1, "runs": [changed(schema_version=7)]}, "newer"),
        ({"schema_version": 1, "runs": 3}, "no document"),
        ([1], "not JSON|no document|not list"),
    ],
)
def test_other_documents_are_refused(document: Any, said: str, tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    path.write_text(json.dumps(document))
    for data in (path, document):
        with pytest.raises(InputError, match=said) as caught:
            read_documents(data)
        assert caught.value.text.zh != caught.value.text.en


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"{", "line 1: this is not JSON"),
        (b"\xff\xfe", "no document"),
        (b'{"schema_version": NaN}', "no document"),
        (b"[" * 100_000, "no document|not JSON"),
        (b"", "not JSON"),
        (b'{"schema_version": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "no document"),
    ],
)
def test_other_files_are_refused(content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    path.write_bytes(content)
    assert not is_document(path)
    with pytest.raises(InputError, match=said):
        read_scores(path)


@pytest.mark.parametrize("number", ["1e400", "-1e999", "9" * 400])
def test_a_number_that_no_double_holds_is_named(number: str, tmp_path: Path) -> None:
    path = tmp_path / "scores.json"
    path.write_text(RANKING.to_json(per_query=True).replace("0.5", number, 1))
    assert is_document(path)
    with pytest.raises(InputError, match=f"scores.json: the number {number} is beyond what a double holds") as caught:
        read_scores(path)
    assert f"数字 {number} 超出双精度的范围" in caught.value.text.zh


HOSTILE: tuple[Any, ...] = (None, True, "x", "", [], {}, [[1]], {"a": {}}, -1, 10**400, math.inf, 1e308)


def leaves(value: Any) -> list[tuple[Any, ...]]:
    """The path to every place of a document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(), *((key, *rest) for key, part in inner for rest in leaves(part))]


def replaced(value: Any, path: tuple[Any, ...], by: Any) -> Any:
    """A copy with something else at that place."""
    if not path:
        return by
    copy = value.copy()
    copy[path[0]] = replaced(value[path[0]], path[1:], by)
    return copy


@pytest.mark.parametrize(("scores", "metric"), [(RANKING, "mrr"), (BINARY, "gauc")], ids=["ranking", "groups"])
def test_a_baseline_with_anything_anywhere_is_judged_or_refused(scores: Any, metric: str) -> None:
    """No exception but an InputError: a process that ends by another one would exit like a failed check."""
    document = json.loads(scores.to_json(per_query=True))
    for entry in document["metrics"]:
        entry["value"] = 2.0  # a drop, so that it is tested
    new = read_scores(scores.to_dict(per_query=True))
    places = [path for path in leaves(document) if path and path[0] not in ("diagnosis", "policies", "pingce_version")]
    cases = [replaced(document, path, hostile) for path in places for hostile in HOSTILE]
    refused = 0
    for baseline in cases:
        try:
            pc.check(new, baseline=baseline, max_drop={metric: 0}, significant=True, samples=10)
        except InputError:
            refused += 1
    assert len(cases) / 4 < refused < len(cases)


def test_files_that_are_not_there_or_no_documents(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_scores(tmp_path / "none.json")
    assert not is_document(tmp_path / "none.json")
    assert not is_document(tmp_path)
    run = tmp_path / "run.json"
    run.write_text('{"q1": {"a": 1}}')
    assert not is_document(run)
