"""`pingce.torch.Metric`: with torchmetrics where it is installed, else with torch alone; the same bits as one call, on any number of processes."""

from __future__ import annotations

import copy
import json
import math
import os
import pickle
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.base.errors import InputError

torch = pytest.importorskip("torch")
from pingce.torch import Metric  # noqa: E402
from pingce.torch.inbox import Inbox  # noqa: E402

from .processes import NAMES, columns  # noqa: E402

ROOT = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.deep("torch is large, and takes as long to import as a hundred tests"),
    pytest.mark.filterwarnings("ignore:The ``compute`` method of metric:UserWarning"),
]


@cache
def expected(task: str) -> dict[str, str]:
    """What one call gives of all rows."""
    scores, truth, groups = columns(task)
    found: Any
    if task == "ranking":
        found = pc.evaluate_ranking(truth, scores, NAMES[task], queries=groups, ties="expected")
    elif task == "multiclass":
        found = pc.evaluate_multiclass(truth, None, NAMES[task], proba=scores)
    else:
        options = {"group": groups} if task == "binary" else {}
        found = getattr(pc, f"evaluate_{task}")(truth, scores, NAMES[task], **options)
    return {name: value.hex() for name, value in found.items()}


@pytest.mark.sweep
def test_gauc_is_the_same_on_one_and_eight_processes() -> None:
    """And so is everything else; of eight the last has no rows."""
    command = [sys.executable, "-W", "ignore", "-m", "tests.training.processes", "1", "2", "8"]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ | {"OMP_NUM_THREADS": "1"}
    )
    assert done.returncode == 0, done.stderr
    wanted = {task: expected(task) for task in NAMES}
    for count, documents in json.loads(done.stdout).items():
        assert len(documents) == int(count)
        assert all(document == wanted for document in documents), count


def tensors(*arrays: Any) -> list[Any]:
    return [torch.from_numpy(np.ascontiguousarray(array)) for array in arrays]


@pytest.mark.parametrize("task", NAMES)
@given(cuts=st.lists(st.integers(0, 1200), max_size=4))
def test_however_batches_are_cut_the_bits_are_those_of_one_call(task: str, cuts: list[int]) -> None:
    metric = Metric(NAMES[task], task=task)
    for rows in np.split(np.arange(1200), sorted(cuts)):
        metric.update(*tensors(*(column[rows] for column in columns(task))))
    assert {name: value.item().hex() for name, value in metric.compute().items()} == expected(task)


def test_a_single_name_gives_a_tensor_of_doubles() -> None:
    scores, labels, users = columns("binary")
    metric = Metric("gauc")
    metric.update(*tensors(scores, labels, users))
    value = metric.compute()
    assert (value.dtype, value.shape, metric.higher_is_better) == (torch.float64, (), True)
    assert value.item() == pc.gauc(labels, scores, group=users)
    assert Metric("logloss").higher_is_better is False
    assert set(Metric("auc, logloss")._measure.names) == {"auc", "logloss"}


def test_forward_gives_the_value_of_its_batch_and_keeps_it() -> None:
    scores, labels, users = tensors(*columns("binary"))
    metric = Metric("gauc")
    for rows in (slice(0, 500), slice(500, 1200)):
        value = metric(scores[rows], labels[rows], users[rows])
        assert value.item() == pc.gauc(labels[rows], scores[rows], group=users[rows])
    assert metric.compute().item() == pc.gauc(labels, scores, group=users)


def test_reset_forgets_and_merge_state_adds() -> None:
    scores, labels, users = tensors(*columns("binary"))
    first, second = Metric("gauc"), Metric("gauc")
    first.update(scores, labels, users)
    first.reset()
    for metric, rows in ((first, slice(0, 500)), (second, slice(500, 1200))):
        metric.update(scores[rows], labels[rows], users[rows])
    first.merge_state(second)
    assert first.compute().item() == pc.gauc(labels, scores, group=users)
    assert second.compute().item() == pc.gauc(labels[500:], scores[500:], group=users[500:])


@pytest.mark.parametrize("task", NAMES)
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda metric: pickle.loads(pickle.dumps(metric))])
def test_copies_have_seen_the_same_and_go_on_alone(task: str, copied: Any) -> None:
    metric = Metric(NAMES[task], task=task)
    batches = [tensors(*(column[rows] for column in columns(task))) for rows in np.split(np.arange(1200), [700])]
    metric.update(*batches[0])
    twin = copied(metric)
    assert twin.compute() == metric.compute()
    twin.update(*batches[1])
    assert {name: value.item().hex() for name, value in twin.compute().items()} == expected(task)
    assert twin.compute() != metric.compute()


def test_tensors_of_the_host_may_be_used_again() -> None:
    scores, labels, _ = tensors(*columns("binary"))
    metric, buffer = Metric("auc"), scores.clone()
    metric.update(buffer, labels)
    buffer.zero_()
    assert metric.compute().item() == pc.auc(labels, scores)


def test_gradients_and_short_floats_are_no_matter() -> None:
    scores, labels, users = tensors(*columns("binary"))
    metric = Metric("auc")
    metric.update(scores.bfloat16().requires_grad_() * 1, labels)
    assert metric.compute().item() == pc.auc(labels, scores.bfloat16().float())
    column = Metric("gauc")
    column.update(scores[:, None], labels[:, None], users[:, None])
    assert column.compute().item() == pc.gauc(labels, scores, group=users)


def test_weights_have_two_names() -> None:
    scores, labels, _ = tensors(*columns("binary"))
    weights = torch.arange(len(scores)) % 3 + 1
    values = set()
    for options in ({"weight": weights}, {"sample_weight": weights}):
        metric = Metric("auc")
        metric.update(scores, labels, **options)
        values.add(metric.compute().item())
    assert values == {pc.auc(labels, scores, weight=weights)}
    with pytest.raises(InputError, match="two names for the same"):
        Metric("auc").update(scores, labels, weight=weights, sample_weight=weights)


def test_items_order_equal_scores_where_they_are_given() -> None:
    metric = Metric("rr", ties="id")
    metric.update(
        torch.zeros(3), torch.tensor([0, 1, 0]), torch.zeros(3, dtype=torch.int64), items=torch.tensor([5, 9, 7])
    )
    assert metric.compute().item() == 1


def test_a_metric_that_says_how_ties_stand_needs_items_by_itself() -> None:
    rows = torch.zeros(3), torch.tensor([0, 1, 0]), torch.zeros(3, dtype=torch.int64)
    refusal(lambda: Metric("rr(ties=id)").update(*rows), "ties=id", "items=")
    refusal(lambda: Metric(["rr", "ndcg(ties=order)@3"]).update(*rows), "ties=order", "items=")


def test_torchmetrics_by_its_own_names() -> None:
    """Its NDCG shares the gains of equal scores, so that it needs no items; its mean over users counts each once."""
    users = torch.tensor([1, 1, 1, 2, 2, 3, 3, 3, 3])
    rows = torch.tensor([0.9, 0.95, 0.4, 0.2, 0.1, 0.7, 0.8, 0.2, 0.1]), torch.tensor([1, 0, 0, 1, 0, 1, 0, 0, 0])
    values = {}
    for name in ("RetrievalNormalizedDCG(top_k=10)", "RetrievalAUROC()"):
        metric = Metric(name, convention="torchmetrics")
        metric.update(*rows, users)
        values[name] = metric.compute().item()
    discounted = 1 / math.log2(3)
    assert values == pytest.approx(
        {
            "RetrievalNormalizedDCG(top_k=10)": (discounted + 1 + discounted) / 3,
            "RetrievalAUROC()": (1 / 2 + 1 + 2 / 3) / 3,
        }
    )


def refusal(call: Any, *words: str) -> None:
    with pytest.raises(InputError) as problem:
        call()
    for word in words:
        assert word in problem.value.text.en
        assert word in problem.value.text.zh


def test_bad_input_is_refused_with_a_sentence() -> None:
    scores, labels, users = tensors(*columns("binary"))
    refusal(lambda: Metric("gaucc"), "gaucc", "gauc")
    refusal(lambda: Metric("auc", tresh=1), "tresh=")
    refusal(lambda: Metric("gauc").update(scores, labels), "gauc", "indexes=")
    refusal(lambda: Metric("auc").update(scores, labels[:3]), "preds", "1200", "target", "3")
    refusal(lambda: Metric("auc").update(torch.empty(3, device="meta"), labels[:3]), "preds", "meta", "GPU")
    refusal(lambda: Metric("ndcg@3", ties="id").update(scores, labels, users), "ties=id", "items=")
    refusal(lambda: Metric("ndcg@3").update(scores, labels, users, weight=scores), "weight=", "ndcg@3")
    refusal(lambda: Metric("auc").compute(), "update()")
    metric = Metric("auc")
    metric.update(scores, labels)
    metric.update(torch.tensor([0.5, float("nan")]), labels[:2])
    for _ in range(2):  # it stays refused: no later number lacks the batch
        refusal(metric.compute, "preds", "nan", "2", "1")
    metric.reset()
    metric.update(scores, labels)
    metric.update(scores.double(), labels)
    refusal(metric.compute, "float32", "float64")


def test_items_are_of_all_rows_or_of_none() -> None:
    scores, grades, queries = (column[:6] for column in tensors(*columns("ranking")))
    with_items, without = Metric("ndcg@3"), Metric("ndcg@3")
    with_items.update(scores, grades, queries, items=torch.arange(6))
    without.update(scores, grades, queries)
    refusal(lambda: with_items.update(scores, grades, queries), "items")
    refusal(lambda: without.update(scores, grades, queries, items=torch.arange(6)), "items")
    refusal(lambda: with_items.merge_state(without), "items")
    empty = Metric("ndcg@3")
    empty.merge_state(copy.deepcopy(with_items))
    assert empty.compute() == with_items.compute()
    with_items.merge_state(Metric("ndcg@3"))


def test_shapes_and_strings_are_refused_with_a_sentence() -> None:
    scores, labels, _ = (column[:6] for column in tensors(*columns("binary")))
    refusal(lambda: Metric("auc").update(torch.zeros(6, 2, 2), labels), "preds", "6 × 2 × 2", "update()")
    refusal(lambda: Metric("auc").update(torch.zeros(6, 2), labels), "preds", "6 × 2")
    refusal(lambda: Metric("accuracy", task="multiclass").update(torch.zeros(6, 2, 2), labels), "preds", "6 × 2 × 2")
    refusal(lambda: Metric("auc").update(scores, torch.zeros(6, 2)), "target", "6 × 2")
    for ids in (list("abcdef"), np.array(list("abcdef"))):
        refusal(lambda ids=ids: Metric("gauc").update(scores, labels, ids), "indexes")
    metric = Metric("logloss", task="multiclass")
    metric.update(torch.full((6, 2), 0.5), labels + 5)
    refusal(metric.compute, "2", "labels=[…]")


def test_rows_of_a_query_name_their_process_in_messages() -> None:
    from pingce.torch.rows import SeenRows

    scores, labels, users = tensors(*columns("ranking"))
    metric = Metric("ndcg@3")
    metric.update(torch.where(torch.arange(1200) == 7, torch.nan, scores), labels, users)
    refusal(metric.compute, "preds", "7", "nan=last")
    seen = SeenRows.from_tensors(metric._seen.request, [torch.zeros(0, dtype=torch.uint8), metric._seen.to_tensor()])
    with pytest.raises(InputError, match="row 7 of preds in process 1"):
        seen.evaluator().compute()


def test_what_was_written_to_before_it_was_copied_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """As tensors of a GPU, which are kept without a copy."""
    monkeypatch.setattr("pingce.torch.inbox._kept", lambda column: column)
    inbox, column = Inbox(), torch.zeros(4)
    inbox.put({"preds": torch.zeros(2)})
    inbox.put({"preds": column})
    column += 1
    refusal(inbox.first, "preds", "2", "clone()")


def test_rows_wait_until_they_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pingce.torch.inbox.MOST_BYTES", 100)
    inbox, sizes = Inbox(), []
    for count in (10, 20, 1, 30):
        inbox.put({"preds": torch.zeros(count)})
    while (piece := inbox.first()) is not None:
        sizes.append(piece.sizes)
        assert str(piece.vectors()["preds"].place(0)).endswith(f"in batch {piece.first}")
        inbox.drop()
    assert sizes == [(10, 20), (1, 30)]


def test_names_are_imported_when_they_are_used() -> None:
    code = "import sys, pingce.torch, pingce.keras, pingce.sentence_transformers; print([name for name in ('torch', 'keras', 'sentence_transformers') if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
    with pytest.raises(AttributeError, match="no attribute 'Metrics'"):
        import pingce.torch

        pingce.torch.Metrics  # noqa: B018
