"""Run where MLflow, Weights & Biases and TensorBoard are: what was logged is read back from their own stores."""

from __future__ import annotations

import json
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import pingce as pc

mlflow = pytest.importorskip("mlflow")
pytestmark = [pytest.mark.filterwarnings("ignore")]
QRELS = {f"q{i}": {"a": 1, "b": 2} for i in range(30)}
RUN = {f"q{i}": ["a", "x", "b"] if i % 3 else ["x", "b"] for i in range(30)}
NAMES = ["ndcg@10", "ap(norm=min)@100"]


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/mlflow.db")
        mlflow.create_experiment("pingce", artifact_location=str(tmp_path / "artifacts"))
        mlflow.set_experiment("pingce")
        yield tmp_path
        mlflow.end_run()


def scores() -> Any:
    return pc.evaluate_ranking(QRELS, RUN, NAMES, ci=0.95, samples=200)


def test_mlflow_has_values_intervals_signatures_document_and_report(store: Path) -> None:
    page, of = store / "report.html", scores()
    pc.report(QRELS, {"run": RUN}, ["ndcg@10"], path=page)
    with mlflow.start_run() as run:
        of.log_mlflow(prefix="valid", step=3, report=page)
    client = mlflow.MlflowClient()
    data = client.get_run(run.info.run_id).data
    low, high = of.interval("ndcg@10")
    assert data.metrics["valid/ndcg_at_10"] == of["ndcg@10"]
    assert (data.metrics["valid/ndcg_at_10.low"], data.metrics["valid/ndcg_at_10.high"]) == (low, high)
    assert data.tags["pingce.signature.valid/ap_norm_min_at_100"] == of.signature(NAMES[1])
    assert pc.from_signature(data.tags["pingce.signature.valid/ndcg_at_10"]).metric == of.find("ndcg@10").metric
    assert (data.tags["pingce.version"], data.tags["pingce.task.valid"]) == (pc.__version__, "ranking")
    assert [each.step for each in client.get_metric_history(run.info.run_id, "valid/ndcg_at_10")] == [3]
    folder = Path(mlflow.artifacts.download_artifacts(run_id=run.info.run_id, artifact_path="pingce/valid"))
    assert (folder / "scores.json").read_text(encoding="utf-8") == of.to_json()
    assert (folder / "report.html").read_bytes() == page.read_bytes()
    assert pc.read_scores(folder / "scores.json")["ndcg@10"] == of["ndcg@10"]


def test_mlflow_of_another_run_and_without_one(store: Path) -> None:
    with mlflow.start_run() as run:
        pass
    scores().log_mlflow(run_id=run.info.run_id)
    assert mlflow.active_run() is None
    assert "ndcg_at_10" in mlflow.get_run(run.info.run_id).data.metrics
    pc.evaluate_binary([1, 1], [0.1, 0.2], ["auc", "logloss"]).log_mlflow()
    fresh = mlflow.active_run().info.run_id
    data = mlflow.get_run(fresh).data
    assert (list(data.metrics), data.tags["pingce.undefined"]) == (["logloss"], "auc")


@pytest.mark.parametrize("prefix", ["va lid@10/", 'a:b"', "../x", "验证"])
def test_mlflow_takes_every_prefix(prefix: str, store: Path) -> None:
    with mlflow.start_run() as run:
        scores().log_mlflow(prefix=prefix)
    assert len(mlflow.get_run(run.info.run_id).data.metrics) == 6


def test_many_metrics_go_in_several_requests(store: Path) -> None:
    names = [f"precision@{k}" for k in range(1, 131)]
    with mlflow.start_run() as run:
        pc.evaluate_ranking(QRELS, RUN, names).log_mlflow()
    data = mlflow.get_run(run.info.run_id).data
    assert len(data.metrics) == 130
    assert sum(tag.startswith("pingce.signature.") for tag in data.tags) == 130


def test_metrics_of_mlflow_have_the_numbers_of_the_calls(store: Path) -> None:
    random = np.random.default_rng(3)
    frame = pd.DataFrame({
        "click": random.integers(0, 2, 200),
        "pctr": random.random(200).round(1),
        "user_id": random.integers(0, 20, 200),
    })  # fmt: skip
    extra = [pc.mlflow_metric("auc"), pc.mlflow_metric("gauc(by=clicks)"), pc.mlflow_metric("logloss")]
    assert [metric.greater_is_better for metric in extra] == [True, True, False]
    with mlflow.start_run():
        result = mlflow.models.evaluate(
            data=frame,
            targets="click",
            predictions="pctr",
            extra_metrics=extra,
            evaluator_config={"col_mapping": {"group": "user_id"}},
        )
    wanted = pc.evaluate_binary("click", "pctr", ["auc", "gauc(by=clicks)", "logloss"], data=frame, group="user_id")
    assert result.metrics == {
        "auc": wanted["auc"],
        "gauc_by_clicks": wanted["gauc(by=clicks)"],
        "logloss": wanted["logloss"],
    }


def test_wandb_offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wandb = pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_SILENT", "true")
    page = tmp_path / "report.html"
    page.write_text("<html></html>")
    run, of = wandb.init(project="pingce", dir=str(tmp_path), mode="offline"), scores()
    of.log_wandb(prefix="valid", report=page)
    assert run.summary["valid/ndcg_at_10"] == of["ndcg@10"]
    assert run.summary["valid/ndcg_at_10.low"] == of.interval("ndcg@10")[0]
    assert run.config["pingce"]["signatures"]["valid/ndcg_at_10"] == of.signature("ndcg@10")
    pc.evaluate_binary([0, 1], [0.1, 0.2], ["auc"]).log_wandb(run=run, step=9)
    assert {*run.config["pingce"]["signatures"]} == {"valid/ndcg_at_10", "valid/ap_norm_min_at_100", "auc"}
    run.finish()
    wanted, content = (b"valid/ndcg_at_10", b"scores.json", b"report.html"), b""
    for _ in range(300):  # a process of its own writes the file
        content = b"".join(path.read_bytes() for path in tmp_path.rglob("run-*.wandb"))
        if all(word in content for word in wanted):
            return
        time.sleep(0.1)
    pytest.fail(f"{len(content)} bytes were stored, and not all of {wanted}")


def test_tensorboard(tmp_path: Path) -> None:
    writers = pytest.importorskip("tensorboardX")
    events = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    of = scores()
    with writers.SummaryWriter(str(tmp_path)) as writer:
        of.log_tensorboard(writer, 5, prefix="valid")
    stored = events.EventAccumulator(str(tmp_path))
    stored.Reload()
    [scalar] = stored.Scalars("valid/ndcg_at_10")
    assert (scalar.step, scalar.value) == (5, pytest.approx(of["ndcg@10"], rel=1e-6))
    assert {"valid/ndcg_at_10.low", "valid/ndcg_at_10.high"} <= {*stored.Tags()["scalars"]}
    [text] = stored.Tensors("valid/pingce/signatures/text_summary")
    assert of.signature("ndcg@10").encode() in text.tensor_proto.string_val[0]


def test_the_document_is_json(store: Path) -> None:
    with mlflow.start_run() as run:
        scores().log_mlflow()
    text = mlflow.artifacts.load_text(f"{run.info.artifact_uri}/pingce/scores.json")
    assert json.loads(text)["schema_version"]
