"""Vectors, truth, exclusions and candidates in all shapes give the same scores."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import pingce as pc

pytestmark = pytest.mark.filterwarnings("ignore::pingce.PingceWarning")
RNG = np.random.default_rng(4)
USERS, ITEMS = RNG.standard_normal((20, 8)).astype(np.float32), RNG.standard_normal((60, 8)).astype(np.float32)
PAIRS = [(int(user), int(item)) for user, item in zip(np.repeat(np.arange(20), 3), RNG.permutation(60), strict=True)]
SEEN = [(user, (item + 7) % 60) for user, item in PAIRS]
METRICS = ["ndcg@5", "map", "mean_rank"]
NAMES = [f"u{user:03}" for user in range(20)], [f"i{item:03}" for item in range(60)]


def listed(pairs: list[tuple[int, int]]) -> dict[int, list[int]]:
    return {user: [item for other, item in pairs if other == user] for user in range(20)}


def score(users: Any = USERS, items: Any = ITEMS, **options: Any) -> dict[str, float]:
    options = {"truth": listed(PAIRS), "exclude": listed(SEEN)} | options
    return dict(pc.evaluate_factors(users, items, options.pop("truth"), METRICS, **options))


WANTED = score()


def safetensors(path: Path, matrices: dict[str, NDArray[Any]], kind: str = "F32") -> Path:
    header, body = {}, b""
    for name, matrix in matrices.items():
        header[name] = {"dtype": kind, "shape": matrix.shape, "data_offsets": [len(body), len(body) + matrix.nbytes]}
        body += matrix.tobytes()
    text = json.dumps(header | {"__metadata__": {"format": "pt"}}).encode()
    path.write_bytes(len(text).to_bytes(8, "little") + text + body)
    return path


def test_matrices_in_memory() -> None:
    pa = pytest.importorskip("pyarrow")
    fixed = pa.FixedSizeListArray.from_arrays(pa.array(USERS.reshape(-1)), 8)
    assert score(users=fixed) == WANTED
    assert score(users=pa.chunked_array([fixed[:5], fixed[5:]])) == WANTED
    assert score(users=pa.table({"user_id": np.arange(20), "factor": fixed})) == WANTED
    assert score(
        users={"user_id": np.arange(20), "factor": USERS.tolist()}, items=ITEMS.astype(np.float64)
    ) == pytest.approx(WANTED)
    assert score(users=np.asfortranarray(USERS), items=np.asfortranarray(ITEMS)) == WANTED
    assert score(users=USERS[::-1], user_ids=np.arange(20)[::-1]) == WANTED
    assert score(users=(np.arange(20), USERS)) == WANTED
    assert score(users=USERS.astype(">f4")) == WANTED


@pytest.mark.deep("torch is large, and takes as long to import as a hundred tests")
def test_tensors() -> None:
    torch = pytest.importorskip("torch")
    assert score(torch.from_numpy(USERS).requires_grad_(), torch.from_numpy(ITEMS)) == WANTED
    half = torch.from_numpy(USERS).bfloat16()
    assert score(half) == score(half.float().numpy())


def test_files(tmp_path: Path) -> None:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    np.save(tmp_path / "users.npy", USERS)
    np.save(tmp_path / "items.npy", np.asfortranarray(ITEMS))
    assert score(tmp_path / "users.npy", str(tmp_path / "items.npy")) == WANTED
    path = safetensors(tmp_path / "model.safetensors", {"users": USERS, "items": ITEMS})
    assert score(f"{path}#users", f"{path}#items") == WANTED
    assert score(items=safetensors(tmp_path / "items.safetensors", {"weight": ITEMS})) == WANTED
    parquet.write_table(pa.table({"item_id": np.arange(60), "vector": ITEMS.tolist()}), tmp_path / "items.parquet")
    assert score(items=tmp_path / "items.parquet") == pytest.approx(WANTED)


def test_brain_floats_of_a_file_are_those_of_memory(tmp_path: Path) -> None:
    bits = (USERS.view(np.uint32) >> np.uint32(16)).astype(np.uint16)
    rounded = (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)
    assert score(safetensors(tmp_path / "users.safetensors", {"users": bits}, "BF16")) == score(rounded)
    assert score(USERS.astype(np.float16)) == score(USERS.astype(np.float16).astype(np.float32))


@pytest.mark.parametrize("shape", ["pairs", "frame", "csr"])
def test_truth_and_exclusions(shape: str) -> None:
    def made(pairs: list[tuple[int, int]]) -> Any:
        user, item = np.array(pairs).T
        if shape == "csr":
            sparse = pytest.importorskip("scipy.sparse")
            return sparse.csr_matrix((np.ones(len(pairs)), (user, item)), shape=(20, 60))
        if shape == "frame":
            return pytest.importorskip("pandas").DataFrame({"user_id": user, "item_id": item})
        return pairs

    truth = listed(PAIRS) if shape == "pairs" else made(PAIRS)
    assert score(truth=truth, exclude=made(SEEN)) == WANTED


def test_ids_name_rows_of_vectors_and_of_sparse_matrices(tmp_path: Path) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    truth, seen = (
        {NAMES[0][user]: [NAMES[1][item] for item in items] for user, items in listed(pairs).items()}
        for pairs in (PAIRS, SEEN)
    )
    named: dict[str, Any] = {"user_ids": NAMES[0], "item_ids": NAMES[1]}
    assert score(truth=truth, exclude=seen, **named) == WANTED
    user, item = np.array(SEEN).T
    matrix = sparse.csr_matrix((np.ones(len(user)), (user, item)), shape=(20, 60))
    assert score(truth=truth, exclude=matrix, **named) == WANTED
    (tmp_path / "users.txt").write_text("\n".join(NAMES[0]))
    np.save(tmp_path / "items.npy", np.array(NAMES[1]))
    assert score(truth=truth, exclude=seen, user_ids=tmp_path / "users.txt", item_ids=tmp_path / "items.npy") == WANTED


def test_candidates_for_everybody_are_a_smaller_catalogue() -> None:
    rows = np.sort(RNG.choice(60, 30, replace=False))
    mask = np.zeros(60, bool)
    mask[rows] = True
    run = {
        user: {int(item): float(USERS[user].astype(np.float64) @ ITEMS[item]) for item in rows} for user in range(20)
    }
    wanted = pc.evaluate_ranking(listed(PAIRS), run, METRICS, exclude=listed(SEEN))
    for candidates in (
        rows,
        mask,
        rows.tolist(),
        {user: rows.tolist() for user in range(20)},
        [(user, int(item)) for user in range(20) for item in rows],
    ):
        assert score(candidates=candidates) == pytest.approx(dict(wanted))


def test_candidates_of_each_user_are_ranked_alone() -> None:
    own = {user: [int(item) for item in RNG.choice(60, 25, replace=False)] for user in range(20)}
    run = {
        user: {item: float(USERS[user].astype(np.float64) @ ITEMS[item]) for item in items}
        for user, items in own.items()
    }
    metrics = [*METRICS, "coverage@3"]
    wanted = pc.evaluate_ranking(listed(PAIRS), run, metrics, exclude=listed(SEEN), catalog=60)
    counted = pc.evaluate_factors(USERS, ITEMS, listed(PAIRS), metrics, exclude=listed(SEEN), candidates=own)
    assert dict(counted) == pytest.approx(dict(wanted))
    assert counted.counts == wanted.counts


def test_the_signature_says_how_scores_were_computed() -> None:
    scores = pc.evaluate_factors(
        USERS, ITEMS, listed(PAIRS), ["ndcg@5"], similarity="cosine", candidates=list(range(60))
    )
    signature = scores.signature("ndcg@5")
    assert "|similarity:cosine|precision:float32|candidates:given|" in signature
    again = pc.evaluate_factors(USERS, ITEMS, listed(PAIRS), pc.from_signature(signature), similarity="cosine")
    assert list(again.values()) == list(scores.values())


def test_items_whose_id_is_the_query_are_dropped_as_from_a_run() -> None:
    corpus = RNG.integers(-1, 2, (12, 3)).astype(np.float32)
    truth = {row: [(row + 1) % 12] for row in range(12)}
    counted = pc.evaluate_factors(corpus, corpus, truth, METRICS, identical="drop")
    wanted = pc.evaluate_ranking(truth, corpus @ corpus.T, METRICS, queries=range(12), identical="drop")
    assert dict(counted) == dict(wanted)
    assert counted.counts == wanted.counts


def test_what_follows_from_scores_follows_from_these() -> None:
    counted = pc.evaluate_factors(
        USERS,
        ITEMS,
        listed(PAIRS),
        METRICS,
        by="activity",
        ci=0.9,
        samples=50,
        query_weight=dict.fromkeys(range(20), 2.0),
    )
    wanted = pc.evaluate_ranking(
        listed(PAIRS),
        USERS @ ITEMS.T,
        METRICS,
        by="activity",
        ci=0.9,
        samples=50,
        query_weight=dict.fromkeys(range(20), 2.0),
    )
    assert {**counted.to_dict(), "signatures": None}.keys() == {**wanted.to_dict(), "signatures": None}.keys()
    assert counted.slices is not None
    assert counted.to_pandas().shape == wanted.to_pandas().shape


def test_without_a_compiler_the_scores_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from pingce.factors import choice

    monkeypatch.setattr(choice, "native_core", lambda: None)
    assert score() == WANTED


def test_the_rank_of_every_judged_item_is_there() -> None:
    users, items = np.array([[1.0], [2.0]]), np.array([[1.0], [3.0], [1.0], [2.0]])
    scores = pc.evaluate_factors(users, items, {1: {2: 1, 1: 3}, 0: {3: 2}}, ["mrr", "coverage@1"], exclude={1: [3]})
    assert scores.ranks.to_pylist() == [
        {"query": 0, "item": 3, "grade": 2.0, "best": 2, "worst": 2},
        {"query": 1, "item": 1, "grade": 3.0, "best": 1, "worst": 1},
        {"query": 1, "item": 2, "grade": 1.0, "best": 2, "worst": 3},
    ]
    with pytest.raises(pc.InputError, match="ranks of single items are kept by evaluate_factors"):
        _ = pc.evaluate_ranking({0: [1]}, {0: [1]}, ["mrr"]).ranks
