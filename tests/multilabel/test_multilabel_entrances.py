"""Several labels per row through comparison, intervals, report, slices, streamed files and the command line."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import pingce as pc
from pingce.cli import run as run_command

LABELS = ("art", "bus", "cat", "dot", "eel")
METRICS = ["f1(average=macro)", "f1(average=samples)", "hamming", "exact_match", "lrap", "auc"]


def matrices(count: int, seed: int = 0) -> dict[str, Any]:
    """Which labels rows have, and two models that know it well and badly."""
    random = np.random.default_rng(seed)
    chance = random.random((count, len(LABELS))) * np.linspace(0.9, 0.3, len(LABELS))
    return {
        "truth": (random.random(chance.shape) < chance).astype(np.int64),
        "good": np.round(np.clip(chance + random.normal(0, 0.1, chance.shape), 0, 1), 3),
        "bad": np.round(random.random(chance.shape), 3),
    }


def lines(rows: dict[str, Any], order: Any = None) -> pa.Table:
    """The same, a line per row and label."""
    count = len(rows["truth"])
    table = pa.table(
        {
            **{name: matrix.reshape(-1) for name, matrix in rows.items()},
            "row": np.repeat(np.arange(count), len(LABELS)),
            "tag": np.tile(np.array(LABELS), count),
            "site": np.repeat(np.where(np.arange(count) % 2, "a", "b"), len(LABELS)),
        }
    )
    return table if order is None else table.take(order)


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("multilabel") / "lines.parquet"
    parquet.write_table(lines(matrices(400)), path)
    return path


def call(*words: str) -> tuple[int, str]:
    text = io.StringIO()
    with redirect_stdout(text), redirect_stderr(text):
        code = run_command(list(words))
    return code, text.getvalue()


def test_two_models_are_compared_on_the_same_draws() -> None:
    rows = matrices(400)
    models = {name: rows[name] for name in ("good", "bad")}
    comparison = pc.compare(rows["truth"], models, METRICS, task="multilabel", samples=200)
    for metric in METRICS[2:]:
        gap = comparison.difference(metric, "bad")
        assert (gap.value > 0) == (metric == "hamming")
        assert gap.p < 0.05
        low, high = gap.interval
        assert low < gap.value < high
    same = pc.compare(
        rows["truth"], {"one": rows["good"], "two": rows["good"]}, ["lrap"], task="multilabel", samples=100
    )
    assert same.difference("lrap", "two").p == 1


@pytest.mark.parametrize("weighted", [False, True])
def test_intervals_do_not_depend_on_the_order_of_rows(weighted: bool) -> None:
    rows, order = matrices(60), np.random.default_rng(0).permutation(60)
    weight = np.arange(60) % 3 if weighted else np.ones(60)
    options: dict[str, Any] = {"ci": 0.9, "samples": 50}
    ours = pc.evaluate_multilabel(rows["truth"], rows["good"], METRICS, weight=weight, **options)
    theirs = pc.evaluate_multilabel(rows["truth"][order], rows["good"][order], METRICS, weight=weight[order], **options)
    assert ours.to_json() == theirs.to_json()
    for metric in METRICS:
        low, high = ours.interval(metric) or (1, 0)
        assert low < ours[metric] < high


@pytest.mark.deep("draws forty samples, each with its intervals")
def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """By simulation: the values of an endless population."""
    big = matrices(200_000, 99)
    truth = pc.evaluate_multilabel(big["truth"], big["good"], METRICS)
    held = dict.fromkeys(METRICS, 0)
    for seed in range(40):
        rows = matrices(300, seed)
        scores = pc.evaluate_multilabel(rows["truth"], rows["good"], METRICS, ci=0.9, samples=200)
        for name in METRICS:
            low, high = scores.interval(name) or (1, 0)
            held[name] += low <= truth[name] <= high
    assert all(times >= 30 for times in held.values()), held


def test_draws_of_many_scores_are_near_those_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = matrices(300)
    ends = []
    for blocks in (1000, 50):
        monkeypatch.setattr("pingce.stats.blocks.BLOCKS", blocks)
        scores = pc.evaluate_multilabel(rows["truth"], rows["good"], ["auc", "pr_auc"], ci=0.9, samples=100)
        ends.append([*(scores.interval("auc") or ()), *(scores.interval("pr_auc") or ())])
    assert ends[0] == pytest.approx(ends[1], abs=0.01)


def test_slices_have_the_numbers_of_their_rows(file: Path) -> None:
    scores = pc.evaluate_multilabel("truth", "good", METRICS, data=file, row="row", tag="tag", by="site")
    rows = matrices(400)
    alone = pc.evaluate_multilabel(rows["truth"][1::2], rows["good"][1::2], METRICS)
    assert scores.slices is not None
    (part,) = [part for part in scores.slices.parts if part.name == "a"]
    assert part.n == 200
    assert {name: value.value for name, value in part.values.items()} == dict(alone)


@pytest.mark.parametrize("scattered", [False, True])
def test_files_are_streamed_row_by_row_whole(scattered: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pingce.base.memory.SMALLEST", 1)
    rows = matrices(400)
    order = np.random.default_rng(0).permutation(2000) if scattered else None
    path = tmp_path / "lines.parquet"
    parquet.write_table(lines(rows, order), path, row_group_size=300)
    options: dict[str, Any] = {"data": path, "row": "row", "tag": "tag"}
    whole = pc.evaluate_multilabel("truth", "good", METRICS, **options).to_json()
    assert pc.evaluate_multilabel("truth", "good", METRICS, memory=20_000, **options).to_json() == whole
    twice = tmp_path / "twice.parquet"
    parquet.write_table(pa.concat_tables([lines(rows, order), lines(rows).slice(7, 1)]), twice)
    with pytest.raises(pc.InputError, match=r"row '1' has label 'cat' twice"):
        pc.evaluate_multilabel("truth", "good", METRICS, memory=20_000, **options | {"data": twice})


def test_the_report_has_each_label_and_the_numbers_of_labels(file: Path, tmp_path: Path) -> None:
    models = {"good": "good", "bad": "bad"}
    options: dict[str, Any] = {"task": "multilabel", "data": file, "row": "row", "tag": "tag", "samples": 100}
    path = pc.report("truth", models, path=tmp_path / "report.html", **options)
    page = path.read_text(encoding="utf-8")
    assert 'data-section="multilabel_labels"' in page
    assert 'data-table="labels-1"' in page
    assert 'data-table="sizes-0"' in page
    assert "Labels per row" in page and "每行的标签数" in page
    assert "cat" in page


def test_the_command_line_infers_the_task_and_guesses_columns(file: Path, tmp_path: Path) -> None:
    target = tmp_path / "scores.json"
    words = [str(file), "--label", "truth", "--score", "good"]
    code, text = call("eval", *words, "--row", "row", "--tag", "tag", "-f", "json", "-o", str(target))
    assert code == 0, text
    assert "task: multi-label (a line per row and label)" in text
    document = json.loads(target.read_text())
    assert document["task"] == "multilabel"
    assert document["counts"]["labels"] == 5
    read = pc.read_scores(target)
    assert read["lrap"] == next(each["value"] for each in document["metrics"] if each["name"] == "lrap")
    code, text = call("eval", *words, "--task", "multilabel", "-m", "f1,hamming")
    assert code == 0, text
    assert "art" in text


def test_the_command_line_explains_compares_and_checks(file: Path) -> None:
    words = [str(file), "--label", "truth", "--task", "multilabel"]
    code, text = call("compare", *words, "--score", "good", "--score", "bad", "-m", "lrap", "--samples", "100")
    assert code == 0, text
    code, text = call("check", *words, "--score", "good", "--min", "lrap=0.999")
    assert code == 1, text
    code, text = call("explain", "f1(average=samples)", *words, "--score", "good")
    assert code == 0, text
    assert "|T ∩ P|" in text
    values = ["--labels", "1,0,0,1", "--scores", ".9,.2,.1,.8", "--row", "r1,r1,r2,r2", "--tag", "a,b,a,b"]
    code, text = call("explain", "exact_match", *values)
    assert code == 0, text
    assert "exact_match = 2 / 2 = 1" in text
    code, text = call("conventions", "exact_match")
    assert code == 0, text
    assert "accuracy_score" in text


def test_conventions_stand_side_by_side() -> None:
    rows = matrices(30)
    tools = pc.compare_conventions(rows["truth"], rows["good"], ["auc"], ["sklearn", "torchmetrics"], task="multilabel")
    assert {row.tool for row in tools.rows} >= {"sklearn", "torchmetrics"}


def test_matrices_tell_the_task_of_an_explanation() -> None:
    rows = matrices(5)
    explanation = pc.explain("hamming", rows["truth"], rows["good"])
    assert explanation.value == pc.evaluate_multilabel(rows["truth"], rows["good"], ["hamming"])["hamming"]
    assert "Jaccard index" in pc.explain("jaccard", rows["truth"], rows["good"]).to_text()
    with pytest.raises(pc.InputError, match=r"f1\(average=none\) has one value for each label; choose one: label="):
        pc.explain("f1(average=none)", rows["truth"], rows["good"], task="multilabel")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_is_said_is_said_in_both_languages(language: str) -> None:
    scores = pc.evaluate_multilabel([[1, 0], [0, 0]], [[0.9, 0.8], [0.1, 0.9]], ["f1"])
    text = scores.diagnosis["text"][language]
    assert ("提高阈值" if language == "zh" else "a higher threshold predicts fewer") in text
    assert "1 rows without a label" in " ".join(each.en for each in scores.count_texts())
    assert "1 行没有任何标签" in " ".join(each.zh for each in scores.count_texts())


TENSOR = pytest.param(
    "tensor", marks=pytest.mark.deep("torch is large, and takes as long to import as a hundred tests")
)


@pytest.mark.parametrize("kind", [TENSOR, "sparse", "polars", "pandas", "lists"])
def test_matrices_come_in_many_forms(kind: str) -> None:
    rows = matrices(20)
    whole = dict(pc.evaluate_multilabel(rows["truth"], rows["good"], METRICS))
    truth, score = rows["truth"], rows["good"]
    if kind == "tensor":
        torch = pytest.importorskip("torch")
        truth, score = torch.tensor(truth), torch.tensor(score)
    elif kind == "sparse":
        truth = pytest.importorskip("scipy.sparse").csr_matrix(truth)
    elif kind == "lists":
        truth, score = truth.tolist(), score.tolist()
    else:
        module = pytest.importorskip(kind)
        truth, score = (
            module.DataFrame({name: side[:, at] for at, name in enumerate(LABELS)}) for side in (truth, score)
        )
    assert dict(pc.evaluate_multilabel(truth, score, METRICS)) == whole


def test_batches_of_fractional_weights_give_the_same_bits() -> None:
    random = np.random.default_rng(11)
    truth, scores = random.integers(0, 2, (90, 4)), random.random((90, 4)).round(1)
    weight = random.random(90) * 10.0 ** random.integers(-9, 9, 90)
    wanted = pc.evaluate_multilabel(truth, scores, METRICS, weight=weight).to_json()
    for sizes in ([1] * 90, [40, 50], [7, 80, 3]):
        evaluator = pc.MultilabelEvaluator(METRICS)
        for part in np.split(np.arange(90), np.cumsum(sizes)[:-1]):
            other = pc.MultilabelEvaluator(METRICS)
            other.update(truth[part], scores[part], weight=weight[part])
            evaluator.merge(pc.MultilabelEvaluator.from_bytes(other.to_bytes()) if len(part) > 1 else other)
        assert evaluator.compute().to_json() == wanted
