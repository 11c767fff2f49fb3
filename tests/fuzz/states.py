"""Forged states of evaluators: what `to_bytes` wrote, with numbers, types, lengths or words changed and the digest made anew."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, Final

import numpy as np
import pyarrow as pa

import pingce as pc
from pingce.run.packed import Packed, pack, unpack

ODD: Final = (
    0,
    -1,
    1,
    2,
    1 << 31,
    -(1 << 31),
    1 << 53,
    (1 << 63) - 1,
    -(1 << 63),
    0.5,
    -0.0,
    1.5,
    1e308,
    -1e308,
    5e-324,
)
ODD_FLOATS: Final = (*map(float, ODD), float("nan"), float("inf"), -float("inf"))
ODD_WORDS: Final = (
    "",
    "x",
    "nan",
    "1/0",
    "-1",
    "-1/3",
    "1e999999999",
    "9" * 5000,
    "0x1p99999",
    "inf",
    "0",
    "1",
    "7/2",
    "zz\0",
    "null",
)
ODD_JSON: Final[tuple[Any, ...]] = (
    None,
    True,
    "",
    "x",
    0,
    -1,
    0.5,
    1e308,
    1 << 70,
    float("nan"),
    [],
    {},
    [1],
    {"a": 1},
    "float16",
    "int8",
    "1e999",
)


@cache
def seeds() -> tuple[bytes, ...]:
    """States of all four evaluators: with rows, with sums, with tables and groups, with weights and slices."""
    rng = np.random.default_rng(1)
    return tuple(one.to_bytes() for one in (*_binary(rng), *_numbers(rng), *_classes(rng), *_rankings()))


def _binary(rng: np.random.Generator) -> list[pc.Evaluator]:
    label, score, group = rng.integers(0, 2, 40), rng.random(40).round(1), np.arange(40) // 4
    label[:2] = 0, 1
    weight = rng.random(40)
    metrics = ["auc", "pr_auc", "logloss", "ece", "f1", "ks", "lift@0.2", "best_f"]
    plain = pc.BinaryEvaluator(metrics).update(label, score)
    more = pc.BinaryEvaluator(metrics).update(label, score.astype(np.float32)).update(label, score.astype(np.float32))
    groups = pc.BinaryEvaluator([*metrics, "gauc", "gauc(by=c)"], split="never")
    groups.update(label, score, group=group, group_weight={"c": weight})
    heavy = pc.BinaryEvaluator([*metrics, "gauc"], split="never").update(
        label, score, group=group.astype(str), weight=weight
    )
    logits = pc.BinaryEvaluator(["auc"], bins=64).update(label, score * 20 - 7)
    rows = pc.BinaryEvaluator(metrics, ci=0.9, samples=20).update(label, score, weight=weight, by={"s": group % 3})
    usual = pc.BinaryEvaluator(positive="yes").update(np.where(label, "yes", "no"), score, group=group)
    return [plain, more, groups, heavy, logits, rows, usual]


def _numbers(rng: np.random.Generator) -> list[pc.Evaluator]:
    true, said, weight = rng.normal(size=(3, 30))
    every = ["mae", "rmse", "r2", "mape", "smape", "pearson", "wmape"]
    return [
        pc.RegressionEvaluator(every).update(true, said),
        pc.RegressionEvaluator(every).update(true, said, weight=np.abs(weight)),
        pc.RegressionEvaluator(["medae", "spearman"]).update(true, said, by={"x": np.arange(30) % 3}),
    ]


def _classes(rng: np.random.Generator) -> list[pc.Evaluator]:
    true, said = (np.array(["a", "b", "c"])[rng.integers(0, 3, 30)] for _ in range(2))
    true[:3] = said[:3] = "a", "b", "c"
    proba = rng.random((30, 3))
    proba /= proba.sum(axis=1, keepdims=True)
    weight = rng.random(30)
    weight[5] = 0
    return [
        pc.MulticlassEvaluator(["accuracy", "f1", "mcc", "kappa"]).update(true, said),
        pc.MulticlassEvaluator(["accuracy", "logloss", "top_k_accuracy@2"], labels=["a", "b", "c"]).update(
            true, proba=proba, weight=weight
        ),
        pc.MulticlassEvaluator().update(true, said, proba=proba, weight=weight, by={"s": np.arange(30) % 2}),
    ]


TRUTH: Final = {f"q{i}": {f"d{j}": (i * j) % 4 for j in range(5)} for i in range(6)}
RUN: Final = {f"q{i}": {f"d{j}": float((i + 3 * j) % 5) for j in range(8)} for i in range(5)}


def ranking(split: str) -> pc.RankingEvaluator:
    """An evaluator that has the truth of the states, and has seen nothing."""
    return pc.RankingEvaluator(
        TRUTH, ["ndcg@5", "map", "mrr", "bpref", "rr(ties=expected)@3", "p(nan=last)@3"], split=split
    )


def _rankings() -> list[pc.Evaluator]:
    own = pc.RankingEvaluator(None, ["ndcg@5", "recall@3"], split="never")
    own.update({"q1": {"a": 1.0, "b": 1.0}, "x": {"a": 1.0}}, qrels={"q1": {"a": 2, "c": 1}})
    return [ranking("never").update(RUN), ranking("allowed").update(RUN), own]


def forged(rng: Random) -> bytes:
    """A state of which one thing, or a few, are not what they were."""
    state = unpack(rng.choice(seeds()))
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        state = rng.choice(FORGERIES)(rng, state)
    try:
        return pack(state.task, state.settings, state.tables)
    except (pa.ArrowException, ValueError, TypeError, OverflowError):
        return forged(rng)


def _in_a_table(change: Callable[[Random, pa.Table], pa.Table]) -> Callable[[Random, Packed], Packed]:
    def in_one(rng: Random, state: Packed) -> Packed:
        names = [name for name, table in state.tables.items() if table.num_columns]
        if not names:
            return state
        name = rng.choice(names)
        return replace(state, tables=state.tables | {name: change(rng, state.tables[name])})

    return in_one


def _columns(table: pa.Table, columns: dict[str, Any]) -> pa.Table:
    return pa.table(columns).replace_schema_metadata(table.schema.metadata)


def _another_number(rng: Random, table: pa.Table) -> pa.Table:
    """A number or a word of one column, also inside its lists."""
    name = rng.choice(table.column_names)
    column = table.column(name).combine_chunks()
    column = column.chunk(0) if isinstance(column, pa.ChunkedArray) and column.num_chunks else column
    return _columns(table, {**dict(zip(table.column_names, table.columns, strict=True)), name: _changed(rng, column)})


def _changed(rng: Random, column: Any) -> Any:
    kind = column.type
    if pa.types.is_dictionary(kind):
        return pa.DictionaryArray.from_arrays(column.indices, _changed(rng, column.dictionary))
    if pa.types.is_fixed_size_list(kind):
        return pa.FixedSizeListArray.from_arrays(_changed(rng, column.flatten()), kind.list_size)
    if pa.types.is_large_list(kind):
        if rng.random() < 0.5:
            return pa.LargeListArray.from_arrays(column.offsets, _changed(rng, column.values))
        lists = column.to_pylist()
        rng.shuffle(lists)
        return pa.array(lists, kind)
    values = column.to_pylist()
    if not values:
        return column
    if rng.random() < 0.3:
        rng.shuffle(values)
    odd: Any = ODD_WORDS if pa.types.is_string(kind) or pa.types.is_large_string(kind) else ODD
    odd = ODD_FLOATS if pa.types.is_floating(kind) else odd
    for _ in range(rng.choice((0, 1, 1, 2, 9))):
        at, near = rng.randrange(len(values)), values[rng.randrange(len(values))]
        values[at] = rng.choice((rng.choice(odd), near, None if rng.random() < 0.1 else near))
        if pa.types.is_boolean(kind):
            values[at] = rng.random() < 0.5
    try:
        return pa.array(values, kind)
    except (pa.ArrowException, OverflowError, TypeError):
        return column


def _another_type(rng: Random, table: pa.Table) -> pa.Table:
    name = rng.choice(table.column_names)
    kinds = (
        pa.float32(),
        pa.float64(),
        pa.int8(),
        pa.int64(),
        pa.uint64(),
        pa.string(),
        pa.bool_(),
        pa.float16(),
        pa.timestamp("s"),
    )
    columns: dict[str, Any] = dict(zip(table.column_names, table.columns, strict=True))
    try:
        columns[name] = columns[name].cast(rng.choice(kinds), safe=False)
    except (pa.ArrowException, NotImplementedError):
        columns[name] = pa.nulls(len(table))
    return _columns(table, columns)


def _other_rows(rng: Random, table: pa.Table) -> pa.Table:
    """Rows cut, repeated, reversed, or none at all."""
    places = list(range(len(table)))
    changed = rng.choice((places[:-1], [], places[::-1], places * 2, places[1:], places[:1] * 3 + places))
    try:
        return table.take(pa.array(changed, pa.int64()))
    except pa.ArrowException:
        return table.slice(0, max(0, len(table) - 1))


def _other_columns(rng: Random, table: pa.Table) -> pa.Table:
    names = list(table.column_names)
    columns: dict[str, Any] = dict(zip(names, table.columns, strict=True))
    one, other = rng.choice(names), rng.choice(names)
    if rng.random() < 0.5 and len(names) > 1:
        del columns[one]
    else:
        columns[one], columns[other] = columns[other], columns[one]
    return _columns(table, columns)


def _other_words(rng: Random, state: Packed) -> Packed:
    """What is written beside the columns of a table."""
    named = [name for name, table in state.tables.items() if table.schema.metadata]
    if not named:
        return state
    name = rng.choice(named)
    table = state.tables[name]
    metadata = dict(table.schema.metadata)
    key = rng.choice(sorted(metadata))
    try:
        found = json.loads(metadata[key])
    except ValueError:
        found = None
    if isinstance(found, (dict, list)):
        metadata[key] = json.dumps(_other_json(rng, found)).encode()
    else:
        metadata[key] = rng.choice(ODD_WORDS).encode()
    return replace(state, tables=state.tables | {name: table.replace_schema_metadata(metadata)})


def _other_json(rng: Random, value: Any) -> Any:
    """One of the values in it is another, or lacks."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(sorted(value))
        if rng.random() < 0.1:
            return {name: one for name, one in value.items() if name != key}
        return value | {key: _other_json(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        return [*value[:at], _other_json(rng, value[at]), *value[at + 1 :]]
    return rng.choice(ODD_WORDS if isinstance(value, str) and rng.random() < 0.7 else ODD_JSON)


def _other_settings(rng: Random, state: Packed) -> Packed:
    return replace(state, settings=_other_json(rng, state.settings))


def _other_tables(rng: Random, state: Packed) -> Packed:
    """A table of another name, of another state, or none."""
    tables = dict(state.tables)
    if not tables:
        return state
    name = rng.choice(sorted(tables))
    kind = rng.randrange(3)
    if kind == 0:
        del tables[name]
    elif kind == 1:
        tables[rng.choice(sorted(tables))] = tables[name]
    else:
        other = unpack(rng.choice(seeds())).tables
        tables[name] = other.get(name, next(iter(other.values()), tables[name]))
    return replace(state, tables=tables)


FORGERIES: Final[tuple[Callable[[Random, Packed], Packed], ...]] = (
    *(_in_a_table(_another_number),) * 6,
    _in_a_table(_another_type),
    _in_a_table(_other_rows),
    _in_a_table(_other_columns),
    *(_other_words,) * 3,
    _other_settings,
    _other_tables,
)


def check_state(state: bytes) -> None:
    """A state gives scores, alone and merged with itself, and can be written again; or it is refused in one sentence."""
    from .targets import assert_is_a_sentence

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pc.PingceWarning)
            one, other = pc.Evaluator.from_bytes(state), pc.Evaluator.from_bytes(state)
            if isinstance(one, pc.RankingEvaluator) and isinstance(other, pc.RankingEvaluator):
                one = ranking(one.settings["split"]).merge(other)
            one.to_bytes()
            assert one.compute().to_json()
            if not isinstance(one, pc.RankingEvaluator):
                assert one.merge(other).compute().to_json()
    except pc.InputError as refusal:
        assert_is_a_sentence(refusal)
