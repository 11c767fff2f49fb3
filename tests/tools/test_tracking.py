"""What is logged of scores: legal names, intervals, signatures; by a writer and by stubs of the libraries, which are tried for real in *_checks.py."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import pingce as pc
from pingce.scores.tracking import legal_name, logged

QRELS = {f"q{i}": {"a": 1, "b": 2} for i in range(30)}
RUN = {f"q{i}": ["a", "x", "b"] if i % 3 else ["x", "b"] for i in range(30)}


def scores(*names: str, **options: Any) -> Any:
    return pc.evaluate_ranking(QRELS, RUN, list(names) or ["ndcg@10", "map"], **options)


@pytest.mark.parametrize(("name", "legal"), [
    ("ndcg@10", "ndcg_at_10"),
    ("ap(norm=min)@100", "ap_norm_min_at_100"),
    ("quantile(of=ndcg@10,q=0.5)", "quantile_of_ndcg_at_10_q_0.5"),
    ("f1(average=macro)", "f1_average_macro"),
    ("auc 用户", "auc_u7528u6237"),
    ("()", "_"),
])  # fmt: skip
def test_names_become_legal(name: str, legal: str) -> None:
    assert legal_name(name) == legal


@pytest.mark.parametrize(("prefix", "name"), [
    ("valid", "valid/map"),
    ("/a//b/", "a/b/map"),
    ("va lid@10/", "va_lid_at_10/map"),
    ("../x", "_/x/map"),
    ("验证", "u9a8cu8bc1/map"),
    ("/", "map"),
])  # fmt: skip
def test_prefixes_become_legal_in_each_part(prefix: str, name: str) -> None:
    assert [*logged(scores("map"), prefix).values] == [name]


class Client:
    """A client of MLflow that remembers."""

    def __init__(self) -> None:
        self.tags: dict[str, str] = {}
        self.paths: list[str] = []

    def log_batch(self, run: str, metrics: Any = (), tags: Any = ()) -> None:
        self.tags |= dict(tags)

    def log_text(self, run: str, text: str, path: str) -> None:
        self.paths.append(path)


def test_tags_of_one_prefix_leave_those_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Client()
    entities = SimpleNamespace(Metric=lambda *words: words, RunTag=lambda *words: words)
    clock = SimpleNamespace(time=SimpleNamespace(get_current_time_millis=lambda: 0))
    stub = SimpleNamespace(MlflowClient=lambda: client, entities=entities, utils=clock)
    monkeypatch.setitem(sys.modules, "mlflow", stub)
    scores("map").log_mlflow(run_id="r", prefix="va lid")
    pc.evaluate_binary([1, 1], [0.1, 0.2], ["auc"]).log_mlflow(run_id="r", prefix="test")
    pc.evaluate_binary([1, 1], [0.1, 0.2], ["recall", "auc"]).log_mlflow(run_id="r")
    assert {name: tag for name, tag in client.tags.items() if "signature" not in name} == {
        "pingce.version": pc.__version__,
        "pingce.task.va_lid": "ranking",
        "pingce.task.test": "binary",
        "pingce.undefined.test": "test/auc",
        "pingce.task": "binary",
        "pingce.undefined": "auc",
    }
    assert client.paths == ["pingce/va_lid/scores.json", "pingce/test/scores.json", "pingce/scores.json"]


def test_values_intervals_and_signatures() -> None:
    of = scores("ndcg@10", "map", ci=0.95)
    record = logged(of, "valid/")
    low, high = of.interval("ndcg@10")
    assert record.values["valid/ndcg_at_10"] == of["ndcg@10"]
    assert (record.values["valid/ndcg_at_10.low"], record.values["valid/ndcg_at_10.high"]) == (low, high)
    assert record.signatures == {"valid/ndcg_at_10": of.signature("ndcg@10"), "valid/map": of.signature("map")}


def test_names_that_become_one_are_numbered_and_undefined_values_are_listed() -> None:
    of = pc.evaluate_ranking(QRELS, RUN, ["rbp(p=0.5)", "map"])
    assert list(logged(of).signatures) == ["rbp_p_0.5", "map"]
    same = pc.evaluate_ranking(QRELS, RUN, ["ndcg@10", "ndcg @10"])
    assert list(logged(same).values) == ["ndcg_at_10", "ndcg_at_10.2"]
    nothing = pc.evaluate_binary([1, 1], [0.1, 0.2], ["auc", "logloss"])
    assert logged(nothing).undefined == ("auc",)
    assert list(logged(nothing).values) == ["logloss"]


class Writer:
    """A SummaryWriter that remembers."""

    def __init__(self) -> None:
        self.scalars: list[Any] = []
        self.texts: dict[str, str] = {}

    def add_scalar(self, name: str, value: float, step: int | None) -> None:
        self.scalars.append((name, value, step))

    def add_text(self, name: str, text: str, step: int | None) -> None:
        self.texts[name] = text


def test_a_summary_writer_gets_scalars_and_signatures() -> None:
    writer, of = Writer(), scores()
    of.log_tensorboard(writer, 7, prefix="valid")
    assert writer.scalars == [("valid/ndcg_at_10", of["ndcg@10"], 7), ("valid/map", of["map"], 7)]
    assert of.signature("map") in writer.texts["valid/pingce/signatures"]
    with pytest.raises(pc.InputError, match="writer is int, which has no add_scalar") as problem:
        of.log_tensorboard(3)
    assert "SummaryWriter" in problem.value.text.zh


@pytest.mark.parametrize("name", ["mlflow", "wandb"])
def test_a_library_that_is_missing_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "mlflow.metrics", None)
    with pytest.raises(pc.InputError, match=rf"{name} is not installed here: pip install 'pingce\[{name}\]'"):
        getattr(scores(), f"log_{name}")()
    with pytest.raises(pc.InputError, match="mlflow"):
        pc.mlflow_metric("auc")


def test_a_report_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "wandb", SimpleNamespace(run=None))
    with pytest.raises(pc.InputError, match="no such report; write it first"):
        scores().log_wandb(report=tmp_path / "none.html")
    with pytest.raises(pc.InputError, match=r"call wandb.init\(\) first"):
        scores().log_wandb()


def test_a_prefix_that_is_no_text_is_refused_before_anything_is_logged() -> None:
    rows: list[Any] = []
    writer = SimpleNamespace(add_scalar=lambda *row: rows.append(row), add_text=lambda *row: rows.append(row))
    with pytest.raises(pc.InputError, match="prefix=None: give the text"):
        scores().log_tensorboard(writer, 1, prefix=None)
    assert not rows


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"step": 2.5}, "step=2.5: give a whole number"),
        ({"step": "3"}, "step='3': give a whole number"),
        ({"run_id": SimpleNamespace()}, "run_id is SimpleNamespace; give the id of the run, run.info.run_id"),
    ],
)
def test_what_mlflow_would_misread_is_refused(
    options: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mlflow", SimpleNamespace())
    with pytest.raises(pc.InputError, match=re.escape(message)):
        scores().log_mlflow(**options)


def test_a_metric_of_mlflow_is_one_metric() -> None:
    with pytest.raises(pc.InputError, match="is one metric, not 2"):
        pc.mlflow_metric(["auc", "logloss"])
