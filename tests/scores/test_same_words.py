"""One word means one thing in every call: `undefined=`, `memory=`, and metrics that a user declared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

import pingce as pc
from pingce.base.errors import InputError, PingceWarning

TRUE, PREDICTED = ["a", "a", "b", "c"], ["a", "b", "b", "a"]


def test_undefined_classes_are_skipped_wherever_it_is_said() -> None:
    """Class b is predicted but class c never: its precision is undefined."""
    metric = "precision(average=macro)"
    for words in (
        {"undefined": "skip"},
        {"undefined": "skip", "undefined_class": "zero"},
        {"undefined_class": "skip"},
        {},
    ):
        options: dict[str, Any] = words
        value = pc.evaluate_multiclass(TRUE, PREDICTED, [metric], **options)[metric]
        found = pc.compare_conventions(TRUE, PREDICTED, [metric], ["sklearn"], task="multiclass", **options)
        assert found.reference[metric] == value
        assert pc.explain(metric, true=TRUE, pred=PREDICTED, **options).value == value
        assert pc.MulticlassEvaluator([metric], **options).update(TRUE, PREDICTED).compute()[metric] == value
    skipped = pc.evaluate_multiclass(TRUE, PREDICTED, [metric], undefined="skip")[metric]
    assert skipped > pc.evaluate_multiclass(TRUE, PREDICTED, [metric])[metric]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A run that would take more than 16 MiB if its rows were read at once, and its truth."""
    rows = 400_000
    run = pa.table(
        {
            "query": pa.array(range(rows)).cast(pa.string()),
            "item": pa.array(range(rows)).cast(pa.string()),
            "score": [0.5] * rows,
        }
    )
    parquet.write_table(run, tmp_path / "run.parquet", compression="none", use_dictionary=False)
    truth = run.slice(0, 2000).drop_columns(["score"]).append_column("grade", [[1] * 2000])
    parquet.write_table(truth, tmp_path / "truth.parquet")
    return tmp_path / "truth.parquet", tmp_path / "run.parquet"


@pytest.mark.sweep
def test_what_exceeds_the_memory_is_streamed_or_refused(files: tuple[Path, Path], tmp_path: Path) -> None:
    truth, run = files
    limited: dict[str, Any] = {"memory": "16MiB"}
    expected = pc.evaluate_ranking(truth, run, ["mrr"])["mrr"]
    assert pc.evaluate_ranking(truth, run, ["mrr"], **limited)["mrr"] == expected
    for options in ({}, limited):
        assert pc.compare_conventions(truth, run, ["mrr"], ["ranx"], **options).reference["mrr"] == expected
    for call in (
        lambda **more: pc.report(truth, {"one": run}, ["mrr"], path=tmp_path / "page.html", **more),
        lambda **more: pc.explain("mrr", truth, run, query="7", **more),
    ):
        with pytest.raises(
            InputError, match=r"would exceed memory=16MiB, and (report|explain) .* cannot stream"
        ) as said:
            call(**limited)
        assert "不能流式读取" in said.value.text.zh
        call(memory="1GB")


def test_predictions_are_streamed_from_a_quarter_of_the_memory_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = 300_000
    table = pa.table({"y": [0, 1] * (rows // 2), "p": [place / rows for place in range(rows)]})
    path = tmp_path / "predictions.parquet"
    parquet.write_table(table, path, compression="none", use_dictionary=False)
    calls: list[tuple[Any, dict[str, Any]]] = [
        (pc.evaluate_binary, {"metrics": ["auc"]}),
        (pc.evaluate_regression, {"metrics": ["mae"]}),
    ]
    for call, options in calls:
        whole = call("y", "p", data=path, **options)
        with monkeypatch.context() as patch:
            patch.setattr("pingce.base.memory._LARGE", 1)
            patch.setattr("pingce.base.memory._MOST_MEMORY", 10**9)
            patch.setattr("pingce.base.memory.available", lambda: 4)
            patch.setattr("pingce.base.memory.SMALLEST", 1 << 12)
            patch.setattr("pingce.run.feed.size_of", lambda _: 1 << 20)
            streamed = call("y", "p", data=path, **options)
            assert dict(streamed) == dict(whole)
            assert dict(call("y", "p", data=path, by="y", **options)) == dict(whole)
            with pytest.warns(PingceWarning, match="needs all rows at once"):
                assert dict(call("y", "p", data=path, ci=0.9, samples=10, **options)) == dict(whole)
            if call is pc.evaluate_regression:
                with pytest.warns(PingceWarning, match="metrics= needs all rows at once"):
                    assert "medae" in call("y", "p", ["mae", "medae"], data=path)
