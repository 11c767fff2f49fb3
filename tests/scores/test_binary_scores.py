"""evaluate_binary: whatever holds the columns gives the same scores; counts, intervals, readings."""

from __future__ import annotations

import decimal
import gzip
import json
import math
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import feather, parquet

import pingce as pc
from drawn_labels import ALL, ANY_SCORES, COUNTS, FRACTIONS, KINDS, TIED, Table, tables
from pingce.base.errors import InputError, PingceWarning
from pingce.base.text import use_language
from pingce.diagnosis.binary import between
from pingce.evidence.binary.thresholds import threshold_evidence
from pingce.stats.areas import delong, delong_variance

Y = [1, 0, 1, 1, 0, 0, 1, 0]
S = [0.875, 0.75, 0.625, 0.5, 0.5, 0.25, 0.125, 0.0625]
"Exact in 16 bits."
U = [3, 3, 3, -1, -1, -1, 2**62, 2**62]
W = [1.0, 2.0, 1.0, 0.5, 1.0, 3.0, 1.0, 0.25]
METRICS = ["auc", "gauc", "pr_auc", "logloss", "brier", "f1", "accuracy", "bep", "ks", "lift@0.25", "ece", "pcoc"]


def known(scores: pc.BinaryScores) -> tuple[dict[str, float], dict[str, Any]]:
    """Values and counts, less what the labels are called."""
    counts = {name: count for name, count in scores.counts.items() if not name.endswith("_label")}
    return dict(scores), counts


def evaluate(y: Any, s: Any, **more: Any) -> pc.BinaryScores:
    settings_of_call: dict[str, Any] = {"group": U, "weight": W} | more
    return pc.evaluate_binary(y, s, METRICS, **settings_of_call)


@pytest.fixture(scope="module")
def wanted() -> tuple[dict[str, float], dict[str, Any]]:
    return known(evaluate(Y, S))


def test_a_person_computed_them() -> None:
    scores = pc.evaluate_binary(Y, S, METRICS, group=U)
    # Pairs: 0.875 beats 4; 0.625 beats 3; 0.5 beats 2 and ties 1; 0.125 beats 1: 10½ of 16.
    assert scores["auc"] == 10.5 / 16
    assert scores["pr_auc"] == pytest.approx((1 + 2 / 3 + 3 / 5 + 4 / 7) / 4, rel=1e-15)
    assert (scores["f1"], scores["accuracy"]) == (2 * 3 / (2 * 3 + 2 + 1), 5 / 8)
    # Four positives: the top three rows hold two, the tie of two at 0.5 one more, of which one row counts.
    assert scores["bep"] == (2 + 1 / 2) / 4
    assert scores["ks"] == 0.25
    # Users: 3 has pairs (0.875 > 0.75), (0.625 < 0.75): ½; −1 has 0.5 = 0.5, 0.5 > 0.25: ¾; 2^62 has 1.
    assert scores["gauc"] == pytest.approx((3 * 0.5 + 3 * 0.75 + 2 * 1) / 8, rel=1e-15)
    assert scores["brier"] == sum((p - y) ** 2 for p, y in zip(S, Y, strict=True)) / 8
    assert scores["pcoc"] == sum(S) / 4


# Any kind of column.


class Column:
    """A sequence that hands out Arrow data, as some library's series would."""

    def __init__(self, values: list[Any]) -> None:
        self.values = pa.chunked_array([values[:3], values[3:]])

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.values.__arrow_c_stream__(requested_schema)


def as_torch(values: list[Any], kind: str) -> Any:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed: tensors as input are NOT tested here")
    return torch.tensor(values, dtype=getattr(torch, kind), requires_grad=kind.startswith("float"))


Make = Callable[[list[Any]], Any]
COMMON: dict[str, Make] = {
    "list": list,
    "tuple": tuple,
    "generator": lambda v: (one for one in v),
    "dict values": lambda v: dict(enumerate(v)).values(),
    "numpy": np.array,
    "numpy objects": lambda v: np.array(v, object),
    "numpy column": lambda v: np.array(v).reshape(-1, 1),
    "numpy strided": lambda v: np.array([one for one in v for _ in range(2)])[::2],
    "numpy big-endian": lambda v: np.array(v).astype(np.array(v).dtype.newbyteorder(">")),
    "pandas": pd.Series,
    "pandas other index": lambda v: pd.Series(v, index=range(100, 108)),
    "pandas frame": lambda v: pd.DataFrame({"x": v}),
    "pandas objects": lambda v: pd.Series(v, dtype=object),
    "pandas categorical": lambda v: pd.Series(pd.Categorical(v)),
    "pandas index": pd.Index,
    "polars": pl.Series,
    "polars chunks": lambda v: pl.Series(v[:3]).append(pl.Series(v[3:])),
    "arrow": pa.array,
    "arrow chunks": lambda v: pa.chunked_array([v[:1], [], v[1:]], type=pa.array(v).type),
    "arrow dictionary": lambda v: pa.array(v).dictionary_encode(),
    "arrow slice": lambda v: pa.array([v[0], *v])[1:],
    "arrow stream": Column,
}
LABELS: dict[str, Make] = COMMON | {
    "bool list": lambda v: [bool(y) for y in v],
    "floats": lambda v: [float(y) for y in v],
    "decimals": lambda v: [decimal.Decimal(y) for y in v],
    "minus one": lambda v: [y or -1 for y in v],
    "two and five": lambda v: [5 if y else 2 for y in v],
    "halves": lambda v: [0.75 if y else 0.25 for y in v],
    **{f"numpy {kind}": partial(np.array, dtype=kind) for kind in ("bool", "int8", "uint64", "float16")},
    **{f"pandas {kind}": partial(pd.Series, dtype=kind) for kind in ("Int64", "UInt8", "Float32")},
    "pandas boolean": lambda v: pd.Series([bool(y) for y in v], dtype="boolean"),
    "pandas arrow": lambda v: pd.Series(v, dtype=pd.ArrowDtype(pa.int32())),
    "polars boolean": lambda v: pl.Series([bool(y) for y in v]),
    "polars decimal": lambda v: pl.Series(v).cast(pl.Decimal(10, 2)),
    "arrow bool": lambda v: pa.array([bool(y) for y in v]),
    "torch bool": lambda v: as_torch(v, "bool"),
    "torch int8": lambda v: as_torch(v, "int8"),
}
SCORES: dict[str, Make] = COMMON | {
    **{f"numpy {kind}": partial(np.array, dtype=kind) for kind in ("float16", "float32", "longdouble")},
    "decimals": lambda v: [decimal.Decimal(repr(s)) for s in v],
    "pandas Float64": lambda v: pd.Series(v, dtype="Float64"),
    "pandas arrow": lambda v: pd.Series(v, dtype=pd.ArrowDtype(pa.float32())),
    "polars Float32": lambda v: pl.Series(v, dtype=pl.Float32),
    "arrow float16": lambda v: pa.array(np.array(v, np.float16)),
    "torch float16": lambda v: as_torch(v, "float16"),
    "torch bfloat16": lambda v: as_torch(v, "bfloat16"),
    "torch float64": lambda v: as_torch(v, "float64"),
}
NAMED: dict[str, Make] = {
    "list": list,
    "numpy": np.array,
    "numpy objects": lambda v: np.array(v, object),
    "pandas": pd.Series,
    "pandas objects": lambda v: pd.Series(v, dtype=object),
    "pandas string": lambda v: pd.Series(v, dtype="string"),
    "pandas arrow": lambda v: pd.Series(v, dtype=pd.ArrowDtype(pa.large_string())),
    "pandas categorical": lambda v: pd.Series(v, dtype="category"),
    "polars": pl.Series,
    "polars categorical": lambda v: pl.Series(v, dtype=pl.Categorical),
    "polars enum": lambda v: pl.Series(v, dtype=pl.Enum(sorted(set(v)))),
    "arrow": pa.array,
    "arrow view": lambda v: pa.array(v).cast(pa.string_view()),
    "arrow dictionary": lambda v: pa.array(v).dictionary_encode(),
    "arrow chunks": lambda v: pa.chunked_array([v[:1], v[1:]]),
}


@pytest.mark.parametrize("kind", sorted(LABELS))
def test_labels_of_any_kind(kind: str, wanted: Any) -> None:
    assert known(evaluate(LABELS[kind](Y), S)) == wanted


@pytest.mark.parametrize("kind", sorted(SCORES))
def test_scores_of_any_kind(kind: str, wanted: Any) -> None:
    assert known(evaluate(Y, SCORES[kind](S))) == wanted


@pytest.mark.parametrize("kind", sorted(SCORES))
def test_weights_of_any_kind(kind: str, wanted: Any) -> None:
    assert known(evaluate(Y, S, weight=SCORES[kind](W))) == wanted


@pytest.mark.parametrize("kind", sorted(NAMED))
def test_labels_that_are_words(kind: str, wanted: Any) -> None:
    words = NAMED[kind](["点击" if y else "no" for y in Y])
    scores = evaluate(words, S, positive="点击")
    assert known(scores) == wanted
    assert (scores.counts["positive_label"], scores.counts["negative_label"]) == ("点击", "no")


@pytest.mark.parametrize("kind", sorted(COMMON))
def test_integer_groups_of_any_kind(kind: str, wanted: Any) -> None:
    scores = evaluate(Y, S, group=COMMON[kind](U))
    assert known(scores) == wanted
    assert scores.per_group.column("group").to_pylist() == [-1, 3, 2**62]


@pytest.mark.parametrize("kind", sorted(NAMED))
def test_string_groups_of_any_kind(kind: str, wanted: Any) -> None:
    scores = evaluate(Y, S, group=NAMED[kind]([f"用户{u}" for u in U]))
    assert known(scores) == wanted
    assert scores.per_group.column("group").to_pylist() == [f"用户{u}" for u in (-1, 3, 2**62)]


@pytest.mark.parametrize("kind", ["int8", "uint8", "int64", "uint64", "float32", "float64", "bool"])
def test_groups_of_any_number_type(kind: str) -> None:
    group = np.array([0, 0, 1, 1, 0, 1, 0, 1], kind)
    assert evaluate(Y, S, group=group)["gauc"] == evaluate(Y, S, group=group.astype(int))["gauc"]


def test_a_huge_integer_id_costs_no_memory() -> None:
    users = [2**63 - 1, -(2**63), 2**63 - 1, -(2**63), 0, 0, 2**53 + 1, 2**53]
    tracemalloc.start()
    try:
        scores = pc.evaluate_binary(Y, S, ["gauc"], group=np.array(users))
        assert tracemalloc.get_traced_memory()[1] < 20e6
    finally:
        tracemalloc.stop()
    assert scores.per_group.column("group").to_pylist() == sorted(set(users))
    assert scores.per_group.column("n").to_pylist() == [2, 2, 1, 1, 2]


@pytest.mark.parametrize("positive", [1, True, 1.0, np.int64(1), np.float32(1)])
def test_the_positive_label_may_be_any_number_that_equals_it(positive: Any, wanted: Any) -> None:
    scores = evaluate(Y, S, positive=positive)
    assert known(scores) == wanted
    assert json.loads(scores.to_json())["counts"]["positive_label"] == 1


def test_the_other_label_may_be_positive() -> None:
    scores = pc.evaluate_binary(Y, S, ["auc", "recall"], positive=0)
    assert scores["auc"] == 1 - 10.5 / 16
    assert scores["recall"] == 2 / 4
    assert scores.counts["positives"] == 4
    assert (scores.counts["positive_label"], scores.counts["negative_label"]) == (0, 1)


# Tables and files.

COLUMNS: dict[str, list[Any]] = {
    "click": Y,
    "pctr": S,
    "用户": [f"u{u}" for u in U],
    "weight": W,
    "other": list("abcdefgh"),
}
FRAMES: dict[str, Callable[[dict[str, list[Any]]], Any]] = {
    "dict": dict,
    "dict of arrays": lambda c: {name: np.array(column) for name, column in c.items()},
    "dict of series": lambda c: {name: pd.Series(column) for name, column in c.items()},
    "pandas": pd.DataFrame,
    "pandas nullable": lambda c: pd.DataFrame(c).convert_dtypes(),
    "pandas arrow": lambda c: pd.DataFrame(c).convert_dtypes(dtype_backend="pyarrow"),
    "pandas categories": lambda c: pd.DataFrame(c).astype({"用户": "category", "click": "category"}),
    "polars": pl.DataFrame,
    "polars lazy": lambda c: pl.LazyFrame(c).with_columns(pl.col("pctr") * 1.0),
    "arrow": pa.table,
    "arrow chunks": lambda c: pa.concat_tables([pa.table(c)[:3], pa.table(c)[3:]]),
    "arrow batch": pa.RecordBatch.from_pydict,
    "arrow reader": lambda c: pa.RecordBatchReader.from_batches(pa.table(c).schema, pa.table(c).to_batches()),
}
BY_NAME: dict[str, Any] = {"group": "用户", "weight": "weight"}


@pytest.mark.parametrize("kind", sorted(FRAMES))
def test_columns_of_a_table(kind: str, wanted: Any) -> None:
    assert known(evaluate("click", "pctr", data=FRAMES[kind](COLUMNS), **BY_NAME)) == wanted


def test_columns_of_a_table_and_arrays_may_be_mixed(wanted: Any) -> None:
    assert known(evaluate("click", np.array(S), data=pd.DataFrame(COLUMNS), group=U, weight="weight")) == wanted


def test_tensors_in_a_dict(wanted: Any) -> None:
    data = {"click": as_torch(Y, "int64"), "pctr": as_torch(S, "float32"), "w": as_torch(W, "float32")}
    assert known(evaluate("click", "pctr", data=data, weight="w", group=as_torch(U, "int64"))) == wanted


def written(folder: Path) -> dict[str, Path]:
    """The table in every format."""
    frame, table = pd.DataFrame(COLUMNS), pa.table(COLUMNS)
    paths = {
        name: folder / name for name in ("a.csv", "a.tsv", "a.jsonl", "a.parquet", "a.feather", "plain", "a.arrow")
    }
    frame.to_csv(paths["a.csv"], index=False)
    frame.to_csv(paths["plain"], index=False)
    frame.to_csv(paths["a.tsv"], index=False, sep="\t")
    frame.to_json(paths["a.jsonl"], orient="records", lines=True, force_ascii=False)
    parquet.write_table(table, paths["a.parquet"], row_group_size=3)
    feather.write_feather(table, paths["a.feather"])
    feather.write_feather(table, paths["a.arrow"], compression="uncompressed")
    for name in ("a.csv", "a.tsv", "a.jsonl", "a.parquet"):
        paths[f"{name}.gz"] = folder / f"{name}.gz"
        paths[f"{name}.gz"].write_bytes(gzip.compress(paths[name].read_bytes()))
    for kind in ("csv", "parquet", "jsonl"):
        parts = folder / f"parts.{kind}"
        parts.mkdir()
        for number, rows in enumerate((frame[:3], frame[3:4], frame[4:])):
            path = parts / f"part-{number}.{kind}"
            if kind == "csv":
                rows.to_csv(path, index=False)
            elif kind == "jsonl":
                rows.to_json(path, orient="records", lines=True, force_ascii=False)
            else:
                parquet.write_table(pa.Table.from_pandas(rows, preserve_index=False), path)
        paths[f"folder of {kind}"] = parts
        paths[f"pattern of {kind}"] = parts / f"part-*.{kind}"
    return paths


def test_files_of_every_format(tmp_path: Path, wanted: Any) -> None:
    for name, path in written(tmp_path).items():
        for given_path in (path, str(path)):
            assert known(evaluate("click", "pctr", data=given_path, **BY_NAME)) == wanted, name


def test_a_file_may_be_read_as_another_format(tmp_path: Path, wanted: Any) -> None:
    path = tmp_path / "table.txt"
    pd.DataFrame(COLUMNS).to_csv(path, index=False, sep="\t", encoding="gb18030")
    assert known(evaluate("click", "pctr", data=path, input_format="tsv", encoding="gb18030", **BY_NAME)) == wanted


def test_labels_of_a_file_may_be_words(tmp_path: Path, wanted: Any) -> None:
    path = tmp_path / "words.csv"
    pd.DataFrame(COLUMNS | {"click": ["yes" if y else "no" for y in Y]}).to_csv(path, index=False)
    assert known(evaluate("click", "pctr", data=path, positive="yes", **BY_NAME)) == wanted


def test_groups_of_a_file_are_text(tmp_path: Path) -> None:
    """007 is not 7, and 1e5 is not 100000."""
    path = tmp_path / "ids.csv"
    path.write_text("y,s,u\n1,0.9,007\n0,0.1,7\n1,0.8,1e5\n0,0.2,100000\n", encoding="utf-8")
    scores = pc.evaluate_binary("y", "s", ["gauc"], data=path, group="u")
    assert scores.per_group.column("group").to_pylist() == ["007", "100000", "1e5", "7"]


def test_the_data_is_left_alone() -> None:
    arrays = {"y": np.array(Y), "s": np.array(S), "w": np.array(W), "u": np.array(U)}
    for array in arrays.values():
        array.flags.writeable = False
    before = {name: array.tobytes() for name, array in arrays.items()}
    evaluate(arrays["y"], arrays["s"], weight=arrays["w"], group=arrays["u"])
    evaluate(arrays["y"], arrays["s"].astype(np.float32), weight=None, group=arrays["u"])
    assert {name: array.tobytes() for name, array in arrays.items()} == before


# What is counted and said.


def test_counts_and_per_group() -> None:
    users = ["a", "a", "a", "b", "b", "c", "d", "d"]
    scores = pc.evaluate_binary(Y, S, ["gauc", "logloss", "auc"], group=users)
    assert scores.counts == {
        "rows": 8,
        "positives": 4,
        "negatives": 4,
        "weight": None,
        "positive_weight": None,
        "positive_label": 1,
        "negative_label": 0,
        "clipped": {"logloss": 0},
        "undefined": {"gauc": 1, "logloss": 0, "auc": 0},
        "groups": {"all": 4, "scored": 3, "single_class": 1, "single_class_rows": 1},
    }
    table = scores.per_group.to_pydict()
    assert table["group"] == ["a", "b", "c", "d"]
    assert table["n"] == [3, 2, 1, 2]
    assert table["positives"] == [2, 1, 0, 1]
    assert table["auc"] == [0.5, 0.5, None, 1]
    assert table["weight"] == [3, 2, 1, 2]
    assert table["logloss"][2] == pytest.approx(-math.log(0.75), rel=1e-15)
    total = sum(n * loss for n, loss in zip(table["n"], table["logloss"], strict=True))
    assert total / 8 == pytest.approx(scores["logloss"], rel=1e-14)


def test_weights_are_counted() -> None:
    scores = pc.evaluate_binary(Y, S, ["gauc", "logloss(eps=0.1)"], group=["u"] * 8, weight=W)
    assert scores.counts["weight"] == sum(W)
    assert scores.counts["positive_weight"] == 3.5
    assert scores.counts["clipped"] == {"logloss(eps=0.1)": 1}
    table = scores.per_group.to_pydict()
    assert table["weight"] == [sum(W)]
    assert table["logloss"][0] == pytest.approx(scores["logloss(eps=0.1)"], rel=1e-14)


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ("auc", "auc|undefined:skip|positive:1|score_type:float64|pingce:"),
        ("f1", "f|beta:1|threshold:0.5|compare:ge|undefined:skip|positive:1|score_type:float64|pingce:"),
        ("lift@0.1", "lift@0.1|undefined:skip|positive:1|score_type:float64|pingce:"),
        ("gauc(by=clicks)", "gauc|by:clicks|undefined:skip|positive:1|score_type:float64|pingce:"),
        ("logloss", "logloss|eps:2.220446049250313e-16|undefined:skip|positive:1|score_type:float64|pingce:"),
    ],
)
def test_signatures_hold_what_matters(metric: str, said: str) -> None:
    assert pc.evaluate_binary(Y, S, [metric], group=U).signature(metric).startswith(said)
    weighted = pc.evaluate_binary(Y, S, [metric], group=U, weight=W).signature(metric)
    assert "|weight:given|pingce:" in weighted


def test_any_spelling_finds_a_value() -> None:
    scores = pc.evaluate_binary(Y, S, ["roc_auc", "f1", "precision(threshold=0.3)", "lift"])
    assert scores["auc"] == scores["AUC"] == scores["roc_auc"]
    assert scores["fbeta(beta=1)"] == scores["f"] == scores["f1"]
    assert scores["p(threshold=0.3)"] == 3 / 5
    assert scores["lift@0.1"] == scores["lift"]
    assert "auroc" in scores
    assert "precision" not in scores
    assert "ndcg@10" not in scores
    with pytest.raises(KeyError, match="'pr_auc' was not computed; did you mean 'roc_auc'"):
        scores["pr_auc"]
    assert list(scores) == ["roc_auc", "f1", "precision(threshold=0.3)", "lift"]


def test_two_spellings_are_one_computation_two_keys() -> None:
    scores = pc.evaluate_binary(Y, S, "f1, f, ap, pr_auc")
    assert list(scores) == ["f1", "f", "ap", "pr_auc"]
    assert scores["f1"] == scores["f"]
    assert scores["ap"] == scores["pr_auc"]


def test_without_metrics_a_sensible_set() -> None:
    assert list(pc.evaluate_binary(Y, S)) == ["auc", "pr_auc", "logloss", "accuracy", "precision", "recall", "f1"]
    assert "logloss" not in pc.evaluate_binary(Y, [10 * s for s in S])
    assert list(pc.evaluate_binary(Y, S, group=U))[:2] == ["auc", "gauc"]


def test_documents_and_tables_are_complete() -> None:
    scores = pc.evaluate_binary(Y, S, METRICS, group=U, weight=W, ci=0.9, samples=20)
    document = json.loads(scores.to_json(per_query=True))
    assert document["task"] == "binary"
    assert [entry["name"] for entry in document["metrics"]] == METRICS
    assert all(entry["interval"]["confidence"] == 0.9 for entry in document["metrics"])
    assert document["per_group"]["group"] == [-1, 3, 2**62]
    assert set(document["per_group"]["values"]) == {"n", "positives", "auc", "weight", "logloss"}
    assert document["diagnosis"]["text"]["zh"]
    rows = scores.to_arrow().to_pylist()
    assert [row["value"] for row in rows] == list(scores.values())
    assert [row["unit"] for row in rows] == ["groups" if m == "gauc" else "rows" for m in METRICS]
    assert scores.to_pandas()["metric"].tolist() == scores.to_polars()["metric"].to_list() == METRICS
    for text in (scores.to_csv(), scores.to_markdown(), scores.to_latex(), scores._repr_html_(), repr(scores)):
        assert "lift@0.25" in text
    assert scores.to_csv(per_query=True).splitlines()[0] == "group,n,positives,auc,weight,logloss"


def test_one_class_writes_null_and_a_dash() -> None:
    with pytest.warns(PingceWarning, match="only one class occurs"):
        scores = pc.evaluate_binary([1, 1, 1], [0.2, 0.3, 0.4], ["auc", "recall"])
    assert json.loads(scores.to_json())["metrics"][0]["value"] is None
    assert scores.to_arrow().column("value").to_pylist() == [None, 0]
    assert "–" in scores.to_markdown()
    assert scores.diagnosis["order"]["verdict"] == "undefined"
    assert "AUC is undefined" in scores.diagnosis["text"]["en"]


@pytest.mark.sweep
@given(table=tables(weights=FRACTIONS, groups=True), data=st.data())
def test_the_whole_document_does_not_depend_on_the_order_of_rows(table: Table, data: st.DataObject) -> None:
    """Values, counts, groups, diagnosis, and intervals with the same seed: the same bits."""

    def document(one: Table) -> str:
        rows = one.rows()
        return pc.evaluate_binary(
            rows.labels.positive,
            rows.scores,
            METRICS,
            group=list(one.groups or ()),
            weight=rows.weight,
            positive=1,
            ci=0.9,
            samples=10,
            seed=5,
        ).to_json(per_query=True)

    other = table.at(data.draw(st.permutations(list(range(len(table.labels))))))
    assert document(table) == document(other)


# Undefined values.

CASES_OF_NONE: dict[str, tuple[list[int], list[float], str]] = {
    "auc": ([1, 1, 1], [0.1, 0.2, 0.3], "one of the two classes does not occur"),
    "precision": ([1, 0, 1], [0.1, 0.2, 0.3], "no row is predicted positive"),
    "npv": ([1, 0, 1], [0.9, 0.8, 0.7], "no row is predicted negative"),
    "gauc": ([1, 0, 1], [0.9, 0.8, 0.7], "no group has both classes"),
    "pcoc": ([0, 0, 0], [0.9, 0.8, 0.7], "there is no positive row"),
}


@pytest.mark.parametrize("metric", sorted(CASES_OF_NONE))
def test_policies_for_undefined_values(metric: str) -> None:
    labels, scores, why = CASES_OF_NONE[metric]

    def call(undefined: str) -> pc.BinaryScores:
        return pc.evaluate_binary(labels, scores, [metric], group=[1, 2, 3], undefined=undefined)  # type: ignore[arg-type]

    for policy, value in (("skip", math.nan), ("nan", math.nan), ("zero", 0.0), ("one", 1.0)):
        found = call(policy)
        assert found[metric] == pytest.approx(value, nan_ok=True)
        assert found.find(metric).undefined == (3 if metric == "gauc" else 1)
        assert f"undefined:{policy}" in found.signature(metric)
    with pytest.raises(InputError, match=f"^{metric} is undefined here \\({why}\\); choose undefined=skip"):
        call("error")
    own = pc.evaluate_binary(labels, scores, [f"{metric}(undefined=zero)"], group=[1, 2, 3], undefined="error")
    assert own[f"{metric}(undefined=zero)"] == 0


def test_a_defined_value_is_not_touched_by_the_policy() -> None:
    for policy in ("skip", "zero", "one", "nan", "error"):
        assert pc.evaluate_binary(Y, S, ["auc"], undefined=policy)["auc"] == 10.5 / 16


# GAUC.


def test_gauc_by_a_column() -> None:
    """Bids of 1 and 3 in all for two users of AUC 1 and 0."""
    labels, scores, users, bids = [1, 0, 1, 0], [0.9, 0.1, 0.1, 0.9], [1, 1, 2, 2], [0.25, 0.75, 1.0, 2.0]
    found = pc.evaluate_binary(labels, scores, ["gauc(by=bid)"], group=users, group_weight={"bid": bids})
    assert found["gauc(by=bid)"] == 1 / 4
    assert found.per_group.column("weight").to_pylist() == [1, 3]
    table = pd.DataFrame({"y": labels, "s": scores, "u": users, "bid": bids})
    named = pc.evaluate_binary("y", "s", ["gauc(by=bid)", "gauc"], data=table, group="u")
    assert (named["gauc(by=bid)"], named["gauc"]) == (1 / 4, 1 / 2)
    twice = pc.evaluate_binary("y", "s", ["gauc(by=bid)"], data=table, group="u", weight=[2, 2, 1, 1])
    assert twice["gauc(by=bid)"] == 2 / 5


def test_gauc_by_several_columns_at_once() -> None:
    rng = np.random.default_rng(2)
    labels, scores, users = rng.integers(0, 2, 60), rng.random(60), rng.integers(0, 7, 60)
    columns = {"a": rng.random(60), "b": rng.random(60), "c": rng.integers(0, 3, 60)}
    names = [f"gauc(by={name})" for name in "abc"]
    together = pc.evaluate_binary(labels, scores, names, group=users, group_weight=columns)
    for name, column in zip(names, "abc", strict=True):
        alone = pc.evaluate_binary(labels, scores, [name], group=users, group_weight={column: columns[column]})
        assert together[name] == alone[name]


# Intervals.


def structural_variance(table: Table) -> Fraction:
    """DeLong's, from the components of every row: how many of the other class it beats, equal ones half."""
    scores = np.array(table.scores, table.kind).tolist()
    positives = [s for y, s in zip(table.labels, scores, strict=True) if y]
    negatives = [s for y, s in zip(table.labels, scores, strict=True) if not y]

    def beats(a: float, b: float) -> Fraction:
        return Fraction(1) if a > b else Fraction(1, 2) if a == b else Fraction(0)

    above = [sum((beats(p, n) for n in negatives), Fraction(0)) / len(negatives) for p in positives]
    below = [sum((beats(p, n) for p in positives), Fraction(0)) / len(positives) for n in negatives]

    def sample_variance(values: list[Fraction]) -> Fraction:
        mean = sum(values, Fraction(0)) / len(values)
        return sum(((value - mean) ** 2 for value in values), Fraction(0)) / (len(values) - 1)

    return sample_variance(above) / len(positives) + sample_variance(below) / len(negatives)


@given(table=st.one_of(tables(scores=TIED), tables(scores=ANY_SCORES, most=30)))
def test_the_variance_of_auc_is_that_of_its_structural_components(table: Table) -> None:
    thresholds = threshold_evidence(table.rows())
    found = delong_variance(thresholds)
    if min(sum(table.labels), len(table.labels) - sum(table.labels)) < 2:
        assert math.isnan(found)
        return
    wanted = float(structural_variance(table))
    assert found == pytest.approx(wanted, rel=1e-12, abs=1e-16)
    low, high = delong(thresholds, 0.9)
    area = float(thresholds.pairs().twice_concordant) / (2 * thresholds.positives * thresholds.negatives)
    assert 0 <= low <= area <= high <= 1 and low < high


def noisy(size: int, seed: int, *, order: bool = False) -> tuple[Any, Any, Any, Any]:
    """Labels drawn from their probabilities, weights, users."""
    rng = np.random.default_rng(seed)
    p = rng.beta(2, 5, size)
    y, w, u = (rng.random(size) < p).astype(int), rng.integers(1, 4, size), rng.integers(0, size // 10, size)
    place = rng.permutation(size) if order else np.arange(size)
    return y[place], p[place], w[place], u[place]


def test_the_same_seed_gives_the_same_bits_in_any_order_of_rows() -> None:
    metrics = [metric for metric in ALL if metric.needs != "groups"] + [KINDS["gauc"]()]
    order = np.random.default_rng(9).permutation(300)
    for weighted in (False, True):

        def call(place: Any, seed: int = 3, weighted: bool = weighted) -> pc.BinaryScores:
            y, p, w, u = (column[place] for column in noisy(300, 1))
            return pc.evaluate_binary(
                y, p, metrics, group=u, weight=w if weighted else None, ci=0.9, samples=15, seed=seed
            )

        one, other, reseeded = call(slice(None)), call(order), call(slice(None), 4)
        for name in one:
            assert one.interval(name) == other.interval(name), name
        drawn = [name for name in one if one.values_by_name[name].method in ("bootstrap", "jeffreys")]
        assert len(drawn) > 5 and all(one.interval(name) != reseeded.interval(name) for name in drawn)


@pytest.mark.parametrize("weighted", [False, True])
def test_intervals_hold_the_value(weighted: bool) -> None:
    y, p, w, u = noisy(400, 2)
    names = ["auc", "rank_loss", "gauc", "logloss", "f1", "brier", "pr_auc", "ks", "accuracy", "pcoc", "lift@0.1"]
    scores = pc.evaluate_binary(
        y, p, names, group=u, weight=w if weighted else None, ci=0.95, samples=200, threshold=0.3
    )
    for name in names:
        low, high = scores.interval(name) or (math.nan, math.nan)
        assert low < scores[name] < high, name
        assert high - low < 0.8 * max(1, scores[name]), name
    narrow = pc.evaluate_binary(
        y, p, names, group=u, weight=w if weighted else None, ci=0.5, samples=200, threshold=0.3
    )
    for name in names:
        (a, b), (c, d) = scores.interval(name) or (0, 0), narrow.interval(name) or (0, 0)
        assert a <= c < d <= b, name


def test_intervals_cover_as_often_as_they_say() -> None:
    """Of 60 draws of a population with AUC 0.7205 nearly all 95 % intervals hold it, by either method."""
    truth = 0.7205
    held = {"auc": 0, "auc, weighted": 0}
    for seed in range(60):
        y, p, _, _ = noisy(300, 100 + seed)
        plain = pc.evaluate_binary(y, p, ["auc"], ci=0.95).interval("auc") or (0, 0)
        drawn = pc.evaluate_binary(y, p, ["auc"], weight=np.ones(300), ci=0.95, samples=60).interval("auc") or (0, 0)
        held["auc"] += plain[0] <= truth <= plain[1]
        held["auc, weighted"] += drawn[0] <= truth <= drawn[1]
    assert all(count >= 50 for count in held.values()), held


@given(table=tables(weights=COUNTS, unweighted=False, groups=True))
def test_rows_without_weight_are_not_drawn(table: Table) -> None:
    kept = table.at([i for i, weight in enumerate(table.weights or ()) if weight])

    def intervals(one: Table) -> dict[str, Any]:
        rows = one.rows()
        names = ["auc", "f1", "brier", "gauc"]
        scores = pc.evaluate_binary(
            rows.labels.positive,
            rows.scores,
            names,
            weight=rows.weight,
            group=list(one.groups or ()),
            positive=1,
            ci=0.9,
            samples=10,
        )
        return {name: repr(scores.interval(name)) for name in names}

    assert intervals(table) == intervals(kept)


def test_settings_may_be_numbers_of_numpy() -> None:
    plain = pc.evaluate_binary(Y, S, ["f1"], ci=0.9, samples=20, seed=3, threshold=0.5)
    given_numbers: dict[str, Any] = {
        "ci": np.float64(0.9),
        "samples": np.int32(20),
        "seed": np.int64(3),
        "threshold": np.float32(0.5),
    }
    numpy = pc.evaluate_binary(Y, S, ["f1"], **given_numbers)
    assert plain.interval("f1") == numpy.interval("f1")
    assert plain.to_json() == numpy.to_json()


def test_an_interval_is_there_only_where_it_was_asked_for() -> None:
    scores = pc.evaluate_binary(Y, S, ["auc"])
    assert scores.interval("auc") is None
    assert "low" not in scores.to_arrow().column_names
    few = pc.evaluate_binary([1, 0, 0], [0.3, 0.2, 0.1], ["auc"], ci=0.95)
    assert all(math.isnan(end) for end in few.interval("auc") or ())
    assert few.to_arrow().column("low").to_pylist() == [None]


# Readings.


def reading(labels: Any, scores: Any, **more: Any) -> dict[str, Any]:
    found = pc.evaluate_binary(labels, scores, ["auc", "logloss", "accuracy"], **more).diagnosis
    for text in found["text"].values():
        assert text.strip()
        assert "nan" not in text
    assert any("\u4e00" <= letter <= "\u9fff" for letter in found["text"]["zh"])
    return found


def calibrated(size: int, a: float, b: float, seed: int = 0) -> tuple[Any, Any]:
    """Probabilities, and labels that happen exactly as often."""
    rng = np.random.default_rng(seed)
    p = np.sort(rng.beta(a, b, size))
    running = np.floor(np.cumsum(p) + 0.5)
    return np.diff(running, prepend=0).astype(int), p


def said(found: dict[str, Any], english: str, chinese: str) -> None:
    assert english in found["text"]["en"], found["text"]["en"]
    assert chinese in found["text"]["zh"], found["text"]["zh"]


def test_reading_no_order() -> None:
    """The interval holds 0.5."""
    found = reading([1, 0] * 20, [0.3, 0.3, 0.6, 0.6] * 10)
    assert found["order"]["auc"] == 0.5
    assert found["order"]["low"] <= 0.5 <= found["order"]["high"]
    assert found["order"]["verdict"] == "none"
    said(found, "the interval holds 0.5", "区间包含 0.5")


def test_reading_an_inverted_model() -> None:
    y, p = calibrated(500, 2, 5)
    found = reading(1 - y, p)
    assert found["order"]["high"] < 0.5
    assert found["order"]["verdict"] == "inverted"
    said(found, "probably inverted", "很可能反了")


def test_reading_order_and_loss_both_good() -> None:
    y, p = calibrated(4000, 1, 2)
    found = reading(y, p)
    assert (found["order"]["verdict"], found["loss"]["verdict"]) == ("good", "good")
    assert found["loss"]["recalibrated"] <= found["loss"]["loss"] < found["loss"]["base"]
    assert found["loss"]["slope"] == pytest.approx(1, abs=0.05)
    assert found["loss"]["pcoc"] == pytest.approx(1, abs=0.01)
    said(found, "Order and probabilities are both good", "排序与概率都好")


@pytest.mark.parametrize(
    ("power", "english", "chinese"),
    [(0.4, "it over-estimates (pcoc", "整体高估（pcoc"), (2.5, "it under-estimates (pcoc", "整体低估（pcoc")],
)
def test_reading_order_good_probabilities_off(power: float, english: str, chinese: str) -> None:
    """(L − L*) / L above 5 %: recalibrate, and in which direction."""
    y, p = calibrated(4000, 0.5, 1)
    found = reading(y, p**power)
    assert found["order"]["verdict"] == "good"
    assert found["loss"]["verdict"] == "off"
    assert found["loss"]["removable"] == pytest.approx(
        (found["loss"]["loss"] - found["loss"]["recalibrated"]) / found["loss"]["loss"], rel=1e-12
    )
    assert found["loss"]["removable"] > 0.05
    said(found, english, chinese)
    said(found, "recalibrate", "校准")


def test_reading_a_loss_above_that_of_a_constant() -> None:
    """L ≥ L0; the order is good, so it can be mended."""
    y, p = calibrated(2000, 1, 2)
    found = reading(y, p**0.1)
    assert found["loss"]["loss"] >= found["loss"]["base"]
    assert found["loss"]["verdict"] == "worse_than_constant"
    assert found["order"]["verdict"] == "good"
    said(found, "no better than a constant", "并不比一个常数好")
    said(found, "the order is good, so recalibrate", "排序是好的，应做校准")


def test_reading_both_bad() -> None:
    rng = np.random.default_rng(1)
    found = reading(np.arange(400) % 2, rng.random(400))
    assert found["order"]["verdict"] in ("none", "inverted")
    assert found["loss"]["verdict"] == "worse_than_constant"
    said(found, "look at features, data and labels", "请检查特征、数据与标签")


def test_reading_a_low_loss_that_comes_from_a_low_base_rate() -> None:
    y, p = calibrated(20_000, 30, 3000)
    found = reading(y, p)
    assert found["order"]["verdict"] in ("none", "weak")
    assert found["loss"]["verdict"] == "good"
    assert found["loss"]["loss"] < 0.1
    assert found["loss"]["ne"] > 0.98
    said(found, "look at ne, which is", "请看 ne，为")


def test_reading_a_weak_order_at_a_usual_base_rate_blames_no_base_rate() -> None:
    y, p = calibrated(5000, 15, 15)
    found = reading(y, p)
    assert (found["order"]["verdict"], found["loss"]["verdict"]) == ("weak", "good")
    said(found, "The probabilities fit, but the order is not good", "概率与实际相符，但排序不好")


def test_reading_example_22() -> None:
    found = reading([1, 0], [0.0, 0.0], weight=[19, 800_000_000 - 19])
    assert found["balance"]["base_rate"] == 19 / 800_000_000
    assert found["balance"]["constant_accuracy"] == found["balance"]["accuracy"] == 0.99999997625
    said(found, "A constant prediction (always negative) reaches an accuracy of 0.99999997625", "0.99999997625")


def test_reading_a_good_roc_and_a_bad_pr_curve() -> None:
    rng = np.random.default_rng(4)
    y = np.concatenate([np.ones(40, int), np.zeros(20_000, int)])
    scores = 1 / (1 + np.exp(-np.concatenate([rng.normal(1.5, 1, 40), rng.normal(0, 1, 20_000)])))
    found = reading(y, scores)
    assert found["order"]["auc"] > 0.8
    assert found["balance"]["pr_auc"] < 0.2
    said(found, "ROC looks good", "ROC 看着好")


def test_reading_hard_labels() -> None:
    said(reading([1, 0, 1, 0, 1], [1, 0, 1, 1, 0]), "only the values 0 and 1: these look like labels", "像是标签")
    with pytest.warns(PingceWarning, match="look like labels"):
        pc.evaluate_binary([1, 0, 1, 0, 1], [1, 0, 1, 1, 0], ["auc"])


def test_a_constant_score_is_not_called_a_label() -> None:
    scores = pc.evaluate_binary([1, 0, 1, 0], [0.4] * 4, ["auc"])
    assert not scores.warnings
    assert "labels" not in scores.diagnosis["text"]["en"].replace("data and labels", "")
    assert scores["auc"] == 0.5


def test_scores_that_are_no_probabilities_have_no_reading_of_a_loss() -> None:
    found = pc.evaluate_binary(Y, [10 * s for s in S], ["auc"]).diagnosis
    assert found["loss"] is None
    assert "Log loss" not in found["text"]["en"]


def test_reading_auc_far_above_gauc() -> None:
    """Users differ much, and within each the order is wrong."""
    users = np.repeat(np.arange(10), 10)
    y = (np.tile(np.arange(10), 10) < users).astype(int)
    p = users / 10 + np.tile(np.arange(10), 10) / 200 + 0.01
    scores = pc.evaluate_binary(y, p, ["auc", "gauc"], group=users)
    assert scores["gauc"] == 0
    assert scores["auc"] > 0.7
    said(scores.diagnosis, "well above GAUC", "明显高于 GAUC")
    said(
        scores.diagnosis, "GAUC stands on 9 of 10 groups; 1 have one class only (10.0 % of the rows)", "10 组中的 9 组"
    )


def test_auc_and_gauc_that_disagree_between_two_models() -> None:
    labels, users = [1, 0, 1, 0], ["a", "a", "b", "b"]
    apart = pc.evaluate_binary(labels, [0.8, 0.9, 0.1, 0.2], ["auc", "gauc"], group=users)
    within = pc.evaluate_binary(labels, [0.2, 0.1, 0.9, 0.8], ["auc", "gauc"], group=users)
    assert (apart["auc"], apart["gauc"]) == (0.25, 0)
    assert (within["auc"], within["gauc"]) == (0.75, 1)
    assert between({"a": apart, "b": within}) == []
    mixed = pc.evaluate_binary(
        [1, 0, 1, 0, 1, 0], [0.9, 0.1, 0.8, 0.85, 0.7, 0.75], ["auc", "gauc"], group=list("aabbcc")
    )
    other = pc.evaluate_binary(
        [1, 0, 1, 0, 1, 0], [0.9, 0.5, 0.2, 0.1, 0.3, 0.4], ["auc", "gauc"], group=list("aabbcc")
    )
    assert mixed["auc"] > other["auc"]
    assert mixed["gauc"] < other["gauc"]
    for models in ({"one": mixed, "two": other}, {"two": other, "one": mixed}):
        (text,) = between(models)
        assert "one has the higher AUC, two the higher GAUC" in text.en
        assert "one 的 AUC 更高，two 的 GAUC 更高" in text.zh


@given(table=tables(weights=FRACTIONS, groups=True))
def test_every_reading_has_both_languages(table: Table) -> None:
    rows = table.rows()
    for weight in (rows.weight, None):
        scores = pc.evaluate_binary(
            rows.labels.positive, rows.scores, None, weight=weight, group=list(table.groups or ()), positive=1
        )
        text = scores.diagnosis["text"]
        assert text["en"]
        assert text["zh"]
        assert "nan" not in text["en"]
        assert json.loads(scores.to_json())["diagnosis"]["text"] == text
        for warning in scores.warnings:
            assert warning.en
            assert warning.zh


def test_warnings_follow_the_language() -> None:
    use_language("zh")
    with pytest.warns(PingceWarning, match="只有一个类别"):
        pc.evaluate_binary([1, 1], [0.2, 0.3], ["auc"])


def test_threads_change_nothing() -> None:
    table = Table(tuple(Y), tuple(S), tuple(W), tuple(U))
    rows = replace(table, kind="float32").rows()
    found = [
        pc.evaluate_binary(rows.labels.positive, rows.scores, METRICS, group=U, weight=W, threads=threads).to_json()
        for threads in (1, 2, 7)
    ]
    assert len(set(found)) == 1
    with pytest.raises(InputError, match="threads must be a whole number"):
        pc.evaluate_binary(Y, S, ["auc"], threads=0)
