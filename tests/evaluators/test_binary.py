"""Labels and scores in batches give the numbers of one call."""

from __future__ import annotations

import json
import random
from importlib.resources import files
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.base.errors import EmptyInputError
from pingce.run.packed import pack
from pingce.run.states import binary as binary_state

from .splits import cuts, part, seen

SCHEMA = json.loads((files("pingce") / "schema" / "scores.schema.json").read_text(encoding="utf-8"))
pytestmark = pytest.mark.filterwarnings("ignore::pingce.PingceWarning")

LABELS: list[tuple[Any, ...]] = [
    (0, 1),
    (-1, 1),
    (3, 7),
    (1, 2),
    (-1, 0),
    (False, True),
    ("n", "y"),
    (0.0, 1.0),
    (7, 0),
]
ORDER = ["auc", "pr_auc", "ks", "bep", "best_f1", "rank_loss", "partial_auc", "lift@0.1", "ks_threshold"]
SUMS = ["logloss", "logloss(eps=1e-3)", "brier", "ece", "ece(bins=3)", "ece(binning=quantile)", "pcoc", "ne"]
DECIDED = ["f1", "accuracy(threshold=0.2)", "mcc(compare=gt)", "precision"]
GROUPED = ["gauc", "gauc(by=uniform)", "gauc(by=clicks)", "gauc(by=spent)"]
SOME: list[list[str] | None] = [["auc"], ORDER, SUMS, DECIDED, ["logloss", "auc", "f1"], None]


@st.composite
def tasks(draw: st.DrawFn) -> dict[str, Any]:
    """Columns and options of a call; groups are sorted, so that a cut can leave them whole."""
    n = draw(st.integers(1, 25))

    def column(values: Any) -> list[Any]:
        return draw(st.lists(values, min_size=n, max_size=n))

    labels = draw(st.sampled_from(LABELS))
    probable = draw(st.booleans())
    scores = st.sampled_from([0.0, 0.1, 0.2, 0.5, 0.9, 1.0]) | st.floats(0, 1, width=32)
    kind = draw(st.sampled_from(["float64", "float32", "float16"]))
    task: dict[str, Any] = {
        "y_true": np.array(column(st.sampled_from(labels)), dtype=object if isinstance(labels[0], str) else None),
        "y_score": np.array(column(scores if probable else scores | st.floats(-8, 8, width=16)), kind),
        "weight": draw(st.none() | st.just(0)),
        "metrics": draw(st.sampled_from(SOME)),
        "positive": labels[1] if isinstance(labels[0], str) or draw(st.booleans()) else None,
    }
    if task["weight"] is not None:
        task["weight"] = np.array(column(st.integers(0, 3)))
    if draw(st.booleans()):
        names = draw(st.sampled_from([("a", "b", "乙", ""), (1, 2, -5, 10**12)]))
        task["group"] = np.array(sorted(column(st.sampled_from(names))), dtype=object if "a" in names else None)
        task["group_weight"] = {"spent": np.array(column(st.integers(0, 3)), np.float64)}
        if task["metrics"] is not None:
            task["metrics"] = [*task["metrics"], *GROUPED]
    return task


def batch_of(task: dict[str, Any], rows: slice) -> dict[str, Any]:
    found = {name: part(task[name], rows) for name in ("y_true", "y_score", "weight")}
    if "group" in task:
        found |= {"group": task["group"][rows], "group_weight": {"spent": task["group_weight"]["spent"][rows]}}
    return found | ({"by": {name: column[rows] for name, column in task["by"].items()}} if "by" in task else {})


def whole_groups(task: dict[str, Any], batches: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Cuts moved to where a group begins."""
    if "group" not in task:
        return batches
    group = task["group"].tolist()
    begins = sorted({group.index(group[begin]) for begin, _ in batches})
    return list(zip(begins, [*begins[1:], len(group)], strict=True))


def found_in_batches(task: dict[str, Any], batches: list[tuple[int, int]], seed: int, **options: Any) -> Any:
    more = {name: task[name] for name in ("positive", "ci", "samples", "bins") if name in task}
    return seen(
        lambda: pc.BinaryEvaluator(task["metrics"], **more, **options),
        lambda evaluator, rows: evaluator.update(**batch_of(task, rows)),
        batches,
        random.Random(seed),
    ).compute()


def refused_alike(task: dict[str, Any], batches: list[tuple[int, int]], seed: int, **options: Any) -> None:
    """The document of one call, or an error from both."""
    try:
        expected = pc.evaluate_binary(**task).to_json(per_query=True)
    except pc.InputError:
        with pytest.raises(pc.InputError):
            found_in_batches(task, batches, seed, **options).to_json(per_query=True)
        return
    assert found_in_batches(task, batches, seed, **options).to_json(per_query=True) == expected


@pytest.mark.sweep
@given(tasks(), st.data())
def test_any_split_and_merge_gives_the_document_of_one_call(task: dict[str, Any], data: st.DataObject) -> None:
    refused_alike(task, data.draw(cuts(len(task["y_true"]))), data.draw(st.integers(0, 10**6)))


@given(tasks(), st.data())
def test_evidence_without_rows_gives_the_document_of_one_call(task: dict[str, Any], data: st.DataObject) -> None:
    """No row waits: all is counted at once, merged, and rows are gone."""
    labels = task["y_true"].tolist()
    if task["positive"] is None and set(labels) not in ({0}, {1}, {0, 1}, {-1, 1}):
        task["positive"] = max(labels)  # of other labels it is not known before all have come
    batches = whole_groups(task, data.draw(cuts(len(task["y_true"]))))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(binary_state, "MANY", 0)
        patch.setattr(binary_state, "ROOM", data.draw(st.sampled_from([0, 40])))
        refused_alike(task, batches, data.draw(st.integers(0, 10**6)), split="never")


@given(tasks(), st.data())
def test_what_needs_rows_keeps_them(task: dict[str, Any], data: st.DataObject) -> None:
    n = len(task["y_true"])
    if data.draw(st.booleans()):
        task |= {"ci": 0.9, "samples": 10}
    else:
        known: list[list[Any]] = [["x", "10", "9", ""], [1.5, 2.0, float("nan"), 10.0], [3, 11, -1, 0]]
        values = data.draw(st.sampled_from(known))
        task["by"] = {"city": np.array([values[data.draw(st.integers(0, 3))] for _ in range(n)])}
    refused_alike(task, data.draw(cuts(n)), data.draw(st.integers(0, 10**6)))


@pytest.mark.sweep
@given(tasks(), st.sampled_from([2, 3, 1000, 65536, 1 << 24]), st.data())
def test_bins_do_not_depend_on_batches_and_bounds_hold(task: dict[str, Any], bins: int, data: st.DataObject) -> None:
    metrics = ["auc", "rank_loss", "pr_auc", "pr_auc(interpolation=trapezoid)", "ks", "f1"]
    task |= {"metrics": metrics, "bins": bins}
    refused_alike(task, data.draw(cuts(len(task["y_true"]))), data.draw(st.integers(0, 10**6)))
    try:
        exact = pc.evaluate_binary(**(task | {"bins": None}))
    except pc.InputError:
        return
    binned = pc.evaluate_binary(**task)
    assert binned["f1"] == exact["f1"] or np.isnan(exact["f1"])
    for name in metrics[:-1]:
        bound = binned.find(name).bound
        assert (bound is None) == np.isnan(exact[name])
        assert bound is None or abs(binned[name] - exact[name]) <= bound


def many(rows: int = 3000) -> tuple[Any, Any, Any]:
    drawn = np.random.default_rng(1)
    score = drawn.random(rows)
    return (drawn.random(rows) < score).astype(np.int8), score, np.arange(rows) // 30


def batches_of(columns: tuple[Any, ...], size: int = 300) -> Any:
    return [tuple(column[at : at + size] for column in columns) for at in range(0, len(columns[0]), size)]


def test_rows_are_counted_and_no_longer_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary_state, "MANY", 500)
    monkeypatch.setattr(binary_state, "ROOM", 5000)
    columns = many()
    evaluator = pc.BinaryEvaluator(["auc", "gauc", "logloss"], split="never")
    for y, score, group in batches_of(columns):
        evaluator.update(y, score, group=group)
        assert evaluator._state._count <= 800
    assert evaluator.rows_seen == 3000
    scores = evaluator.compute()
    expected = pc.evaluate_binary(columns[0], columns[1], ["auc", "gauc", "logloss"], group=columns[2])
    assert scores.to_json(per_query=True) == expected.to_json(per_query=True)
    assert scores.curve("roc").table.equals(expected.curve("roc").table)
    assert scores.curve("calibration", bins=7).table.equals(expected.curve("calibration", bins=7).table)
    assert scores.per_group.equals(expected.per_group)
    with pytest.raises(pc.InputError, match="needs the rows"):
        _ = scores.evidence.rows.scores
    assert evaluator.compute().to_json() == scores.to_json()
    assert evaluator.reset().rows_seen == 0


def test_scores_stay_what_they_were_when_more_rows_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary_state, "MANY", 100)
    y, score, _ = many(900)
    evaluator = pc.BinaryEvaluator(["auc", "logloss"])
    for one, other in batches_of((y, score)):
        evaluator.update(one, other)
    before = evaluator.compute()
    evaluator.update(1 - y, score).compute()
    assert before.to_json() == pc.evaluate_binary(y, score, ["auc", "logloss"]).to_json()


def test_memory_of_the_caller_may_change() -> None:
    y, score, group = many(600)
    evaluator = pc.BinaryEvaluator(["gauc"])
    for one in batches_of((y, score, group)):
        mine = tuple(column.copy() for column in one)
        evaluator.update(mine[0], mine[1], group=mine[2])
        for column in mine:
            column[:] = 0
    assert evaluator.compute()["gauc"] == pc.evaluate_binary(y, score, ["gauc"], group=group)["gauc"]


def test_fractional_weights_agree_to_twelve_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary_state, "MANY", 100)
    monkeypatch.setattr(binary_state, "ROOM", 0)
    y, score, _ = many(900)
    weight = np.random.default_rng(2).random(900)
    names = ["auc", "pr_auc", "ks", "logloss", "f1", "brier"]
    evaluator = pc.BinaryEvaluator(names)
    for one, other, more in batches_of((y, score.round(1), weight)):
        evaluator.update(one, other, weight=more)
    found, expected = evaluator.compute(), pc.evaluate_binary(y, score.round(1), names, weight=weight)
    assert [found[name] for name in names] == pytest.approx([expected[name] for name in names], rel=1e-12)
    assert found["logloss"] == expected["logloss"]


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ({}, {"weight": [1.0, 2.0]}, "weights: given here, none there"),
        ({"group": [1, 1]}, {}, "groups: none here, integers there"),
        ({"group": [1, 1]}, {"group": ["a", "a"]}, "groups: strings here, integers there"),
        ({}, {"y_score": np.array([0.1, 0.2], np.float32)}, "scores: float32 here, float64 there"),
        ({}, {"y_true": [True, False]}, "labels: truth values here, numbers there"),
        ({"group": [1, 1], "group_weight": {"a": [1, 2]}}, {"group": [1, 1]}, "group weights: none here, a there"),
        ({"by": {"c": [1, 2]}}, {}, "columns to slice by: none here, c there"),
    ],
)
def test_other_columns_or_types_are_refused(first: dict[str, Any], second: dict[str, Any], said: str) -> None:
    usual: dict[str, Any] = {"y_true": [1, 0], "y_score": [0.9, 0.2]}
    evaluator = pc.BinaryEvaluator(["auc"]).update(**(usual | first))
    with pytest.raises(pc.InputError, match=said):
        evaluator.update(**(usual | second))
    with pytest.raises(pc.InputError, match=said):
        evaluator.merge(pc.BinaryEvaluator(["auc"]).update(**(usual | second)))
    assert evaluator.rows_seen == 2


def test_labels_are_settled_by_all_batches() -> None:
    evaluator = pc.BinaryEvaluator(["auc"]).update([3, 3], [0.1, 0.2])
    with pytest.raises(pc.InputError, match="y_true holds only the label 3; say which label is positive"):
        evaluator.compute()
    evaluator = type(evaluator).from_bytes(evaluator.to_bytes()).update([7], [0.3])
    assert evaluator.compute()["auc"] == 1
    with pytest.raises(pc.InputError, match="3 labels"):
        evaluator.update([5], [0.3])
    with pytest.raises(pc.InputError, match="say which is positive"):
        pc.BinaryEvaluator(["auc"]).update(["a"], [0.1])
    with pytest.raises(pc.InputError, match="no such label; it has 3"):
        pc.BinaryEvaluator(["auc"], positive=9).update([3], [0.1]).compute()


def test_labels_that_came_too_late_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary_state, "MANY", 1)
    evaluator = pc.BinaryEvaluator(["auc"]).update([1, 1], [0.1, 0.2]).update([1, 1], [0.1, 0.2])
    said = "1 was taken for the positive one; now there are 1, 2"
    with pytest.raises(pc.InputError, match=said):
        evaluator.update([2, 2], [0.1, 0.2])
    with pytest.raises(pc.InputError, match=said):
        evaluator.merge(pc.BinaryEvaluator(["auc"]).update([2], [0.1]))


@pytest.mark.parametrize("many", [1, 1 << 20])
def test_a_group_in_two_batches_is_refused(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary_state, "MANY", many)
    batch: dict[str, Any] = {"y_true": [1, 0], "y_score": [0.9, 0.2], "group": ["u", "v"]}
    evaluator = pc.BinaryEvaluator(["gauc"], split="never").update(**batch).update(**(batch | {"group": ["w", "v"]}))
    with pytest.raises(pc.InputError, match=r"1 groups stand in two batches or pieces \('v'\)"):
        evaluator.compute()
    with pytest.raises(pc.InputError, match=r"\('v'\)"):
        evaluator.to_bytes()
    other = pc.BinaryEvaluator(["gauc"], split="never").update(**batch)
    other = type(other).from_bytes(other.to_bytes())
    with pytest.raises(pc.InputError, match=r"\('u', 'v'\)"):
        other.merge(type(other).from_bytes(other.to_bytes())).compute()


def test_bytes_that_are_damaged_or_of_something_else_are_refused() -> None:
    evaluator = pc.BinaryEvaluator(["auc"]).update([1, 0], [0.9, 0.2])
    data = evaluator.to_bytes()
    for end in range(0, len(data), 211):
        with pytest.raises(pc.InputError, match="not the state of an evaluator"):
            pc.BinaryEvaluator.from_bytes(data[:end])
    with pytest.raises(pc.InputError, match="is damaged"):
        pc.BinaryEvaluator.from_bytes(pack("binary", evaluator.settings, {}))
    tables = evaluator._state.to_tables()
    tables["facts"] = tables["facts"].replace_schema_metadata({"pingce.said": "{}"})
    with pytest.raises(pc.InputError, match="is damaged"):
        pc.BinaryEvaluator.from_bytes(pack("binary", evaluator.settings, tables))
    with pytest.raises(pc.InputError, match="state of a BinaryEvaluator, not of a RegressionEvaluator"):
        pc.RegressionEvaluator.from_bytes(data)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(EmptyInputError, match="has seen no rows"):
        pc.BinaryEvaluator().compute()
    with pytest.raises(pc.InputError, match="differ in policies"):
        pc.BinaryEvaluator(threshold=0.3).merge(pc.BinaryEvaluator())
    with pytest.raises(pc.InputError, match="differ in metrics"):
        pc.BinaryEvaluator(["auc"]).merge(pc.BinaryEvaluator(["f1"]))
    with pytest.raises(pc.InputError, match="split='sometimes'"):
        pc.BinaryEvaluator(split="sometimes")
    for bins in (1, 0, -3, 1 << 25, 2.5, True, "many"):
        with pytest.raises(pc.InputError, match="scores are put into 2 to 16777216 bins"):
            pc.BinaryEvaluator(bins=bins)  # type: ignore[arg-type]
    for name in ("bep", "ece(binning=quantile)", "best_f1", "lift@0.1"):
        with pytest.raises(pc.InputError, match="needs every score"):
            pc.BinaryEvaluator([name], bins=100)
    with pytest.raises(pc.InputError, match="ci= needs every score"):
        pc.BinaryEvaluator(bins=100, ci=0.9)
    with pytest.raises(pc.InputError, match="gauc needs groups"):
        pc.BinaryEvaluator(["gauc"]).update([1], [0.4])
    with pytest.raises(pc.InputError, match="all weights are 0"):
        pc.BinaryEvaluator(["auc"]).update([1], [0.4], weight=[0]).update([0], [0.4], weight=[0]).compute()


def test_scores_that_are_no_probabilities_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(binary_state, "MANY", 1)
    evaluator = pc.BinaryEvaluator(["logloss"]).update([1, 0], [0.4, 0.5]).update([1, 0], [0.4, 3.5])
    with pytest.raises(pc.InputError, match=r"row 1 of y_score in batch 2: logloss needs .* 3.5 \(1 of 4 lie outside"):
        evaluator.compute()
    with pytest.raises(pc.InputError, match=r"\(1 of 6 lie outside"):
        evaluator.merge(pc.BinaryEvaluator(["logloss"]).update([1, 0], [0.4, 0.5])).compute()


@pytest.mark.parametrize("positives, negatives", [(5, 50), (50, 5)])
def test_the_bound_of_ks_holds_where_a_bin_has_all_rows(positives: int, negatives: int) -> None:
    y = np.repeat([1, 0], [positives, negatives])
    score = np.linspace(0.50001, 0.5, positives + negatives)
    assert pc.evaluate_binary(y, score, ["ks"])["ks"] == 1
    binned = pc.evaluate_binary(y, score, ["ks"], bins=64).find("ks")
    assert (binned.value, binned.bound) == (0, pytest.approx(1, abs=1e-9))


def test_bins_are_said_wherever_the_value_is() -> None:
    y, score, _ = many()
    scores = pc.evaluate_binary(y, score, ["auc", "logloss"], bins=1000)
    entry = scores.to_dict()["metrics"][0]
    assert entry["bins"] == 1000
    assert entry["bound"] == scores.find("auc").bound > 0
    assert "bound" not in scores.to_dict()["metrics"][1]
    jsonschema.validate(scores.to_dict(), SCHEMA)
    assert "|bins:1000|" in scores.signature("auc")
    assert "bins" not in scores.signature("logloss")
    assert "± 0.0" in scores.to_markdown()
    assert "(1000 bins)" in scores.to_markdown()
    assert r"$\pm $ 0.0" in scores.to_latex()
    assert "no diagnosis" in scores.diagnosis["text"]["en"]
    assert scores.to_arrow().column("bins").to_pylist() == [1000, None]
    again = pc.from_signature(scores.signature("auc"))
    assert pc.evaluate_binary(y, score, again, bins=1000)["auc"] == scores["auc"]
    with pytest.raises(pc.InputError, match="made with bins:1000, here it is bins:none"):
        pc.evaluate_binary(y, score, again)
    curve = scores.curve("roc")
    every = {tuple(point.values()) for point in pc.roc_curve(y, score).table.to_pylist()}
    assert {tuple(point.values()) for point in curve.table.to_pylist()} <= every
    with pytest.raises(pc.InputError, match="put into 1000 bins"):
        scores.curve("calibration")


def test_sums_of_fractional_weights_are_rounded_and_the_bound_knows_it() -> None:
    label, score = [0, 1, 0, 1], np.array([0.1, 0.2, 0.4, 0.8])  # one score a cell: nothing else is lost
    assert pc.evaluate_binary(label, score, ["auc"], bins=1 << 20).find("auc").bound == 0
    bound = pc.evaluate_binary(label, score, ["auc"], bins=1 << 20, weight=[0.1, 0.2, 0.3, 0.7]).find("auc").bound
    assert bound is not None and 0 < bound < 1e-11


@pytest.mark.parametrize("rows", [50, 70_000])
def test_a_loader_may_use_its_arrays_again(rows: int) -> None:
    """Whether a batch waits to be counted with others or is counted at once."""
    random = np.random.default_rng(rows)
    batches = [
        (random.integers(0, 2, rows), random.random(rows), np.sort(random.integers(1000 * at, 1000 * at + 50, rows)))
        for at in range(3)
    ]
    y, score, group = (np.empty_like(column) for column in batches[0])
    evaluator = pc.BinaryEvaluator(["auc", "gauc"], split="never")
    for batch in batches:
        y[:], score[:], group[:] = batch
        evaluator.update(y, score, group=group)
    y[:], score[:], group[:] = 0, 0, 0
    whole = [np.concatenate(column) for column in zip(*batches, strict=True)]
    expected = pc.evaluate_binary(whole[0], whole[1], ["auc", "gauc"], group=whole[2])
    assert evaluator.compute().to_json(per_query=True) == expected.to_json(per_query=True)
