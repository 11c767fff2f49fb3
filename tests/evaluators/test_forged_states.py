"""States whose digest is right and whose meaning is not: each is refused before anything is computed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import pingce as pc
from pingce.evidence.binary.thresholds import ThresholdEvidence
from pingce.run.packed import pack, unpack

Tables = dict[str, pa.Table]


def binary() -> pc.Evaluator:
    label, score = np.arange(200) % 2, np.linspace(0, 1, 200)
    one = pc.BinaryEvaluator(["auc", "logloss", "gauc"], split="never")
    return one.update(label, score, group=np.arange(200) // 10)


def calibrated() -> pc.Evaluator:
    return pc.BinaryEvaluator(["ece"]).update([1, 0, 1], [0.9, 0.2, 0.4])


def ranking() -> pc.Evaluator:
    truth = {f"q{i}": {"a": 2, "b": 1} for i in range(9)}
    return pc.RankingEvaluator(truth, ["ndcg@3"], split="never").update({q: {"a": 1.0, "x": 0.5} for q in truth})


def lists() -> pc.Evaluator:
    """Without the whole truth, `err` has evidence kept."""
    truth = {f"q{i}": {"a": 2, "b": 1} for i in range(9)}
    return pc.RankingEvaluator(None, ["err@3"], split="never").update(
        {q: {"a": 1.0, "x": 0.5} for q in truth}, qrels=truth
    )


def classes() -> pc.Evaluator:
    return pc.MulticlassEvaluator(["accuracy", "f1"]).update(["a", "b", "a"], ["a", "b", "b"])


def numbers() -> pc.Evaluator:
    return pc.RegressionEvaluator(["mae", "r2"]).update([1.0, 2.0, 4.0], [1.5, 2.0, 3.0])


def column(table: str, name: str, change: Callable[[Any], Any]) -> Callable[[Tables], Tables]:
    """A forgery of one column."""

    def forge(tables: Tables) -> Tables:
        old = tables[table]
        values = pa.array(change(old.column(name).to_pylist()), old.schema.field(name).type)
        new = old.set_column(old.column_names.index(name), name, values)
        return {**tables, table: new.replace_schema_metadata(old.schema.metadata)}

    return forge


def beside(table: str, key: str, change: Callable[[Any], Any]) -> Callable[[Tables], Tables]:
    """A forgery of what is written beside a table."""

    def forge(tables: Tables) -> Tables:
        metadata = dict(tables[table].schema.metadata)
        metadata[key.encode()] = json.dumps(change(json.loads(metadata[key.encode()]))).encode()
        return {**tables, table: tables[table].replace_schema_metadata(metadata)}

    return forge


FORGERIES: dict[str, tuple[Callable[[], pc.Evaluator], Callable[[Tables], Tables], str]] = {
    "scores that ascend": (binary, column("scores 0", "score", lambda v: v[::-1]), "'score' does not hold numbers that strictly descend"),
    "a score that is not a number": (binary, column("scores 0", "score", lambda v: [*v[:9], float("nan"), *v[10:]]), "'score' does not hold finite"),
    "counts that fall": (binary, column("scores 0", "tp", lambda v: v[::-1]), "'tp' does not hold running sums"),
    "counts below 0": (binary, column("scores 0", "fp", lambda v: [-5, *v[1:]]), "'fp' does not hold numbers between 0"),
    "counts of other rows": (binary, column("scores 0", "tp", lambda v: [n + 1 for n in v]), "scores are counted for other rows"),
    "a group twice": (binary, column("groups", "group", lambda v: [v[0], *v[:-1]]), "'group' is not sorted, or holds an id twice"),
    "more pairs than rows": (binary, column("groups", "twice_concordant", lambda v: [1 << 60, *v[1:]]), "more positives or pairs"),
    "a sum that would take for ever": (binary, beside("facts", "pingce.said", lambda v: v | {"weight": "1e999999999"}), "'facts' is not"),
    "squares of other weights": (binary, beside("facts", "pingce.said", lambda v: v | {"squared_weight": "0"}), "squares of weights"),
    "more positives than rows": (binary, beside("facts", "pingce.said", lambda v: v | {"positives": 999}), "more rows are positive"),
    "fewer bins": (calibrated, lambda t: {**t, "probability 0": t["probability 0"].slice(0, 15)}, "bins or epsilon are others"),
    "another epsilon": (calibrated, beside("probability 0", "pingce.said", lambda v: v | {"key": [0.25, 15]}), "sums were not asked for"),
    "a hit below its list": (lists, column("evidence 0", "above", lambda v: [[99], *v[1:]]), "a hit stands outside its list"),
    "a grade without end": (lists, column("evidence 0", "judged", lambda v: [[float("inf"), 1.0], *v[1:]]), "'judged' does not hold finite"),
    "queries in no order": (lists, column("evidence 0", "query", lambda v: v[::-1]), "'query' is not sorted"),
    "tallied queries in no order": (ranking, column("tally", "query", lambda v: v[::-1]), "'query' is not sorted"),
    "a stage that is none": (ranking, column("tally", "stage", lambda v: [9, *v[1:]]), "a stage is none of those known"),
    "a value that is lacking": (ranking, lambda t: {**t, "tally": t["tally"].drop_columns(["0"])}, "column '0' is missing"),
    "a value without end": (ranking, column("tally", "0", lambda v: [float("inf"), *v[1:]]), "'0' does not hold numbers that are not infinite"),
    "grades that fall": (ranking, column("grades", "grade", lambda v: v[::-1]), "grades are not in order"),
    "ties of nobody": (
        ranking,
        lambda t: {**t, "ties": pa.table({"column": [0], "place": [9], "value": [1.0]}, schema=t["ties"].schema)},
        "ties change a query that is not there",
    ),
    "a cell outside the matrix": (classes, column("confusion", "cell", lambda v: [*v[:-1], 1 << 40]), "a cell lies outside the matrix"),
    "a negative count of a class": (classes, column("confusion", "rows", lambda v: [-1, *v[1:]]), "'rows' does not hold"),
    "a matrix of other rows": (classes, column("confusion", "rows", lambda v: [7, *v[1:]]), "does not add up to all rows"),
    "squares below 0": (numbers, column("sums", "value", lambda v: ["-1"] * len(v)), "is negative"),
    "a sum that is lacking": (numbers, lambda t: {**t, "sums": pa.concat_tables([t["sums"].slice(0, 1), t["sums"].slice(2)])}, "the sums are not those that the metrics need"),
    "a fraction over 0": (numbers, column("sums", "value", lambda v: ["1/0", *v[1:]]), "'sums' is not what it should be"),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_state_is_refused_and_says_why(name: str) -> None:
    make, forge, reason = FORGERIES[name]
    state = unpack(make().to_bytes())
    data = pack(state.task, state.settings, forge(dict(state.tables)))
    with pytest.raises(pc.InputError, match=f"damaged or was not written by pingce: .*{reason}") as refusal:
        pc.Evaluator.from_bytes(data)
    assert refusal.value.text.zh.startswith("该状态已损坏，或不是由 pingce 写出的：")


def test_evidence_is_checked_where_it_is_read_by_itself() -> None:
    table = ThresholdEvidence(np.array([0.9, 0.5]), np.array([1, 1]), np.array([0, 1])).to_arrow()
    assert len(ThresholdEvidence.from_arrow(table)) == 2
    with pytest.raises(pc.InputError, match="strictly descend"):
        ThresholdEvidence.from_arrow(table.take(pa.array([1, 0])))


@pytest.mark.parametrize(
    ("name", "value"), [("samples", 10**12), ("threads", "two"), ("seed", -1), ("metrics", [{"name": 1}])]
)
def test_settings_that_make_no_sense_are_refused(name: str, value: Any) -> None:
    state = unpack(numbers().to_bytes())
    with pytest.raises(pc.InputError, match="'settings' is not what it should be"):
        pc.Evaluator.from_bytes(pack(state.task, {**state.settings, name: value}, state.tables))
