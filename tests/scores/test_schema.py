"""The JSON schema: documents of every task follow it, and what they must not be does not."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.evidence.policies import Policies
from pingce.metrics.declared import registry
from pingce.scores.tables import documents

SCHEMA = json.loads((files("pingce") / "schema" / "scores.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

Document = dict[str, Any]


def plain(document: Any) -> Any:
    """As it is written and read back: a value that JSON lacks would fail here."""
    return json.loads(json.dumps(document, allow_nan=False))


def valid(document: Any) -> bool:
    found: bool = VALIDATOR.is_valid(plain(document))
    return found


LABELS, SCORES, USERS = [1, 0, 1, 0, 0, 1], [0.9, 0.8, 0.7, 0.1, 0.3, 0.3], ["u", "u", "v", "v", "w", "w"]
BINARY = ["auc", "gauc", "logloss", "f1", "lift@0.5", "ks_threshold", "gauc(by=clicks)", "accuracy(threshold=0.9)"]
CLASSES = ["accuracy", "f1(average=macro)", "f1(average=none)", "kappa", "precision(average=micro)"]
PROBA = np.array([[0.7, 0.2, 0.1], [0.4, 0.35, 0.25], [0.2, 0.5, 0.3], [0.0, 0.0, 1.0]])


def ranking(metrics: Any = ("ndcg@10", "rr", "num_ret"), **more: Any) -> pc.RankingScores:
    truth, run = {"q": {"a": 2, "b": 1}, "r": {"c": 0}}, {"q": {"b": 1, "x": 1}}
    return pc.evaluate_ranking(truth, run, metrics, **more)


def binary(metrics: Any = None, **more: Any) -> pc.BinaryScores:
    return pc.evaluate_binary(LABELS, SCORES, metrics, **more)


def multiclass(metrics: Any = None, **more: Any) -> pc.MulticlassScores:
    return pc.evaluate_multiclass(["a", "b", "c", "c"], ["a", "a", "b", "c"], metrics, **more)


def regression(metrics: Any = None, **more: Any) -> pc.RegressionScores:
    return pc.evaluate_regression([3, -0.5, 2, 7], [2.5, 0.0, 2, 8], metrics, **more)


DOCUMENTS: dict[str, Document] = {
    "ranking": ranking().to_dict(),
    "ranking, each query": ranking().to_dict(per_query=True),
    "ranking, integer ids": pc.evaluate_ranking({1: {1: 1}}, {1: {1: 1.0}}, ["rr"]).to_dict(per_query=True),
    "ranking, intervals and gaps": ranking(
        ["gap(of=rr)", "median(of=rr)", "num_q"], by={"q": "a", "r": "b"}, min_n=0, ci=0.9, undefined="zero"
    ).to_dict(),
    "binary": binary().to_dict(),
    "binary, gaps": binary(["equalized_odds", "gap(of=auc)"], by={"part": list("aabbab")}, min_n=0, ci=0.9).to_dict(),
    "binary, no gap": binary(["equalized_odds"], by={"part": list("aabbab")}, ci=0.9).to_dict(),
    "binary, weights": binary(weight=[1, 2, 0, 0.5, 1, 1]).to_dict(),
    "binary, groups": binary(BINARY, group=USERS).to_dict(per_query=True),
    "binary, integer groups, weights": binary(BINARY, group=[1, 1, 2, 2, 3, -3], weight=[1, 2, 3, 4, 5, 0.5]).to_dict(
        per_query=True
    ),
    "binary, intervals": binary(BINARY, group=USERS, ci=0.9, samples=20).to_dict(),
    "binary, intervals without a value": pc.evaluate_binary([1, 1], [0.5, 0.6], ["auc", "f1"], ci=0.9).to_dict(),
    "binary, string labels": pc.evaluate_binary(["y", "n"], [0.9, 0.1], positive="y").to_dict(),
    "binary, truth values": pc.evaluate_binary([True, False], [0.9, 0.1]).to_dict(),
    "binary, one class only": pc.evaluate_binary([0, 0], [0.9, 0.1]).to_dict(),
    "binary, no probabilities": pc.evaluate_binary([1, 0], [3.5, -2], group=["u", "u"]).to_dict(per_query=True),
    "binary, equal scores": pc.evaluate_binary([1, 0, 1], [0.5, 0.5, 0.5]).to_dict(),
    "multiclass": multiclass().to_dict(),
    "multiclass, one value a class": multiclass(CLASSES).to_dict(per_query=True),
    "multiclass, weights": multiclass(CLASSES, weight=[1, 0.5, 0, 3]).to_dict(),
    "multiclass, probabilities": pc.evaluate_multiclass(["a", "b", "c", "c"], proba=PROBA).to_dict(),
    "multiclass, undefined": multiclass(labels=["a", "b", "c", "never"], undefined="nan").to_dict(),
    "multiclass, integers": pc.evaluate_multiclass([-1, 2**62], [-1, 5], ["kappa"]).to_dict(),
    "multiclass, truth values": pc.evaluate_multiclass([True, False], [True, True], labels=[False, True]).to_dict(),
    "multiclass, one class": pc.evaluate_multiclass(["a"], ["a"], ["kappa"]).to_dict(),
    "regression": regression().to_dict(),
    "regression, gaps": regression(["gap(of=mae)"], by={"part": list("aabb")}, min_n=0, ci=0.9).to_dict(),
    "regression, weights": regression(weight=[1, 2, 0, 0.5]).to_dict(),
    "regression, undefined": pc.evaluate_regression([1, 1], [1, 2], ["r2", "mape", "pearson"]).to_dict(),
}
OF_TASK = {task: DOCUMENTS[task] for task in ("ranking", "binary", "multiclass", "regression")}
each_document = pytest.mark.parametrize("name", DOCUMENTS)


def test_the_schema_is_a_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    """Every schema of an object within."""
    if isinstance(schema, dict):
        if "properties" in schema and "type" in schema:
            yield schema
        for inner in schema.values():
            yield from objects(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from objects(inner)


def test_nothing_else_is_allowed_anywhere() -> None:
    found = list(objects(SCHEMA))
    assert len(found) > 20
    assert all(schema["additionalProperties"] is False for schema in found)


@each_document
def test_documents_follow_it(name: str) -> None:
    VALIDATOR.validate(plain(DOCUMENTS[name]))


def test_undefined_values_are_null() -> None:
    assert [entry["value"] for entry in DOCUMENTS["regression, undefined"]["metrics"]] == [None, 0.5, None]
    intervals = [entry["interval"] for entry in DOCUMENTS["binary, intervals without a value"]["metrics"]]
    assert intervals[0] == {"confidence": 0.9, "low": None, "high": None}
    assert DOCUMENTS["multiclass, undefined"]["per_class"]["values"]["recall"][-1] is None


def test_several_models() -> None:
    for one in (ranking(), binary(group=USERS), multiclass(), regression()):
        for per_query in (False, True):
            document = documents({"one": one, "two": one}, per_query=per_query)
            assert set(document) == {"schema_version", "runs"}
            assert [run["run"] for run in document["runs"]] == ["one", "two"]
            VALIDATOR.validate(plain(document))
            assert valid(documents({"one": one}, per_query=per_query))
            assert not valid({"schema_version": 1, "runs": document["runs"][:1]})
            assert not valid(document | {"task": one.task})


# What documents must not be.

OPEN = ("undefined", "clipped", "queries", "ties", "unjudged")
"Counts by metric or cut-off: their keys are names."
OPTIONAL = {"run", "per_query", "per_group", "interval", "method", "logloss", "points"}
OPTIONAL_AT = {("counts", "groups"), *(("policies", name) for name in Policies.younger)}


def places(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where objects with known keys stand; in a list, the first of each shape."""
    if isinstance(document, dict):
        names = path[-2:-1] == ("counts",) and path[-1] in OPEN
        if not names and path[-2:] != ("per_query", "values"):
            yield path
        for key, inner in document.items():
            yield from places(inner, (*path, key))
    elif isinstance(document, list):
        shapes = {tuple(inner): i for i, inner in reversed(list(enumerate(document))) if isinstance(inner, dict)}
        for i in shapes.values():
            yield from places(document[i], (*path, i))


whole_documents = pytest.mark.parametrize(
    "name", ["ranking, each query", "binary, groups", "binary, intervals", "multiclass", "regression, weights"]
)


def at(document: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        document = document[key]
    return document


@pytest.mark.sweep
@whole_documents
def test_an_unknown_key_is_refused_wherever_it_stands(name: str) -> None:
    for path in places(DOCUMENTS[name]):
        wrong = copy.deepcopy(DOCUMENTS[name])
        at(wrong, path)["colour"] = 1
        assert not valid(wrong), path


@pytest.mark.sweep
@whole_documents
def test_a_missing_key_is_refused_wherever_it_was(name: str) -> None:
    for path in places(DOCUMENTS[name]):
        for key in at(DOCUMENTS[name], path):
            wrong = copy.deepcopy(DOCUMENTS[name])
            del at(wrong, path)[key]
            assert valid(wrong) == (key in OPTIONAL or (*path, key) in OPTIONAL_AT), (path, key)


@pytest.mark.parametrize("task", OF_TASK)
@pytest.mark.parametrize("other", [*OF_TASK, "anything"])
def test_the_task_decides_what_stands_there(task: str, other: str) -> None:
    assert valid(OF_TASK[task] | {"task": other}) == (task == other)
    if other in OF_TASK:
        for key in ("counts", "policies", "diagnosis"):
            assert valid(OF_TASK[task] | {key: OF_TASK[other][key]}) == (task == other), key


def changed(name: str, *path: Any, to: Any) -> Document:
    """A document with one value replaced."""
    found = copy.deepcopy(DOCUMENTS[name])
    at(found, path[:-1])[path[-1]] = to
    return found


@pytest.mark.parametrize(
    "wrong",
    [
        changed("binary", "schema_version", to=2),
        changed("binary", "metrics", to=[]),
        changed("binary", "metrics", 0, "value", to="0.5"),
        changed("binary", "metrics", 0, "rows", to=-1),
        changed("binary", "metrics", 0, "rows", to=1.5),
        changed("binary, intervals", "metrics", 0, "interval", "confidence", to=1),
        changed("binary, intervals", "metrics", 0, "interval", to=[0, 1]),
        changed("binary", "policies", "compare", to="lt"),
        changed("binary", "policies", "threshold", to="0.5"),
        changed("binary", "diagnosis", "order", "verdict", to="fine"),
        changed("binary", "diagnosis", "order", "auc", to=1.5),
        changed("binary", "diagnosis", "loss", to=0.5),
        changed("binary", "counts", "positive_label", to=[1]),
        changed("binary, groups", "per_group", "values", "n", 0, to=None),
        changed("binary, groups", "per_group", "group", 0, to=0.5),
        changed("multiclass", "policies", "undefined_class", to="drop"),
        changed("multiclass", "per_class", "values", "recall", 0, to=2),
        changed("multiclass", "per_class", "class", 0, to=None),
        changed("multiclass", "per_class", "class", to=[]),
        changed("multiclass", "diagnosis", "confused", to=[]),
        changed("multiclass", "counts", "right", to=-1),
        changed("regression", "diagnosis", "rmse", to=-1),
        changed("regression", "policies", "undefined", to="maybe"),
        changed("ranking", "policies", "relevant", to=0),
        changed("ranking, each query", "per_query", "query", 0, to=None),
        DOCUMENTS["ranking"] | {"per_group": DOCUMENTS["binary, groups"]["per_group"]},
        DOCUMENTS["binary"] | {"per_class": DOCUMENTS["multiclass"]["per_class"]},
        DOCUMENTS["regression"] | {"metrics": DOCUMENTS["binary, groups"]["metrics"]},
        DOCUMENTS["multiclass"] | {"metrics": DOCUMENTS["ranking"]["metrics"]},
        {},
        [],
        {"schema_version": 1, "runs": []},
    ],
    ids=range(32),
)
def test_what_is_wrong_is_refused(wrong: Any) -> None:
    assert not valid(wrong)


# Whatever the data.

EVERY = {task: list(registry(task)) for task in ("binary", "multiclass", "regression")}
WEIGHTS = st.sampled_from([0.0, 0.25, 0.5, 1.0, 2.0])


@st.composite
def columns(draw: st.DrawFn, *of: st.SearchStrategy[Any]) -> list[list[Any]]:
    """Columns of the same length, the last of them weights that are not all 0."""
    rows = draw(st.lists(st.tuples(*of, WEIGHTS), min_size=1, max_size=8))
    found = [list(column) for column in zip(*rows, strict=True)]
    found[-1][0] = 1.0
    return found


@pytest.mark.sweep
@given(columns(st.booleans(), st.sampled_from([0.0, 0.25, 0.5, 0.5, 1.0]), st.sampled_from("uvw")), st.booleans())
def test_binary_documents_follow_it(given_rows: list[list[Any]], weighted: bool) -> None:
    labels, scores, groups, weights = given_rows
    more = {"weight": weights if weighted else None, "group": groups, "ci": 0.9, "samples": 10}
    found = pc.evaluate_binary(labels, scores, EVERY["binary"], **more)  # type: ignore[arg-type]
    VALIDATOR.validate(plain(found.to_dict(per_query=True)))


@pytest.mark.sweep
@given(columns(st.sampled_from("abc"), st.sampled_from("abcd")), st.sampled_from(["skip", "zero", "one", "nan"]))
def test_multiclass_documents_follow_it(given_rows: list[list[Any]], undefined: str) -> None:
    true, predicted, weights = given_rows
    names = [name for name, kind in registry("multiclass").items() if kind.uses != "probabilities"]
    found = pc.evaluate_multiclass(true, predicted, [*names, "f(average=none)"], weight=weights, undefined=undefined)  # type: ignore[arg-type]
    VALIDATOR.validate(plain(found.to_dict()))


@pytest.mark.sweep
@given(columns(st.sampled_from([0.0, 1.0, 2.5, 1e9]), st.sampled_from([0.0, 1.0, -0.5, 1e9])))
def test_regression_documents_follow_it(given_rows: list[list[Any]]) -> None:
    true, predicted, weights = given_rows
    group = [row % 2 for row in range(len(true))]
    found = pc.evaluate_regression(true, predicted, EVERY["regression"], weight=weights, group=group)
    VALIDATOR.validate(plain(found.to_dict(per_query=True)))


def test_documents_of_metrics_of_items_are_valid() -> None:
    reference = {"q": {"a": float("nan"), "b": 1.0}}
    scores = pc.evaluate_ranking(
        {"q": {"a": 1}}, {"q": ["a", "b"]}, ["gini(items=shown)@2", "tail@2", "novelty@2", "coverage@2", "overlap@2"],
        train={"q": ["a"]}, catalog=["a", "c"], reference=reference, nan="drop",
    )  # fmt: skip
    assert valid(scores.to_dict())
