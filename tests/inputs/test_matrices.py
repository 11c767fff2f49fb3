"""Lists, arrays, sparse matrices and tensors, with a row a query: the same as dictionaries with the same content."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

import pingce as pc
from pingce.inputs import read_run, read_truth

from .samples import columns_of, refused

METRICS = ["ap", "rr", "ndcg@3"]
RELEVANT = [[7, 2], [5], [9, 3, 1]]
RETURNED = [[2, 8, 7], [4, 6, 0], [3, 9, 8]]
GRADES = np.array([[0, 3, 1, 0], [1, 0, 0, 2], [0, 0, 2, 1]])
SCORES = np.array([[0.5, 0.25, 0.75, 0.125], [0.5, 0.5, -1.0, 2.0], [0.0, 3.0, 2.5, 2.5]])


def document(truth: Any, run: Any, **options: Any) -> str:
    return pc.evaluate_ranking(truth, run, METRICS, **options).to_json(per_query=True)


def by_number(matrix: Any) -> dict[int, dict[int, Any]]:
    """Row and column numbers as ids."""
    return {row: dict(enumerate(values)) for row, values in enumerate(np.asarray(matrix).tolist())}


def by_place(lists: Any) -> dict[int, Any]:
    return dict(enumerate(lists))


DENSE = document(by_number(GRADES), by_number(SCORES))
RANKED = document(by_place(RELEVANT), by_place(RETURNED))


def test_lists_of_lists(core: str) -> None:
    assert document(RELEVANT, RETURNED) == RANKED
    assert document(tuple(map(tuple, RELEVANT)), tuple(map(tuple, RETURNED))) == RANKED
    assert document([np.array(row) for row in RELEVANT], [np.array(row) for row in RETURNED]) == RANKED


def test_lists_of_sets_as_truth(core: str) -> None:
    assert document([set(row) for row in RELEVANT], RETURNED) == RANKED
    assert document([frozenset(row) for row in RELEVANT], RETURNED) == RANKED


def test_lists_of_dicts(core: str) -> None:
    truth, run = [{"甲": 2, "b": 1}, {"a": 1}], [{"b": 0.5, "甲": 0.25}, {"x": 1.0, "a": 0.5}]
    assert document(truth, run) == document(by_place(truth), by_place(run))


def test_lists_of_strings(core: str) -> None:
    truth, run = [["甲", "b"], ["a"]], [["b", "x", "甲"], ["x", "a", "y"]]
    for kind in (None, object, np.dtypes.StringDType()):
        assert document(truth, np.array(run, dtype=kind)) == document(by_place(truth), by_place(run))
    assert document(np.array([["甲"], ["a"]]), run) == document({0: ["甲"], 1: ["a"]}, by_place(run))


def test_a_query_is_known_by_its_place() -> None:
    rows = read_run([[5], [], [7, 8]])
    assert columns_of(rows) == ([0, 2, 2], [5, 7, 8], [-1.0, -1.0, -2.0])
    assert rows.ordered
    scores = pc.evaluate_ranking([[5], [6], []], [[5], [], [7, 8]], "rr")
    assert (scores["rr"], scores.counts["missing"], scores.counts["extra"]) == (0.5, 1, 1)


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.int64, np.uint8, np.uint64])
def test_arrays_of_ranked_ids(kind: Any, core: str) -> None:
    returned = np.array(RETURNED, kind)
    assert document(RELEVANT, returned) == RANKED
    assert document(RELEVANT, np.asfortranarray(returned)) == RANKED
    assert document(RELEVANT, np.repeat(returned, 2, axis=1)[:, ::2]) == RANKED


def test_negative_ids_mean_no_item(core: str) -> None:
    run = np.array([[2, -1, 7], [-1, -1, -1], [9, 3, -2]])
    scores = pc.evaluate_ranking(RELEVANT, run, METRICS)
    listed = {0: {2: -1, 7: -3}, 2: {9: -1, 3: -2}}
    assert scores.to_json(per_query=True) == document(by_place(RELEVANT), listed)
    assert scores.counts["missing"] == 1
    assert "run ndarray: 5 negative ids mean no item and are left out" in [note.en for note in scores.notes]
    assert "no item" in refused(read_run, np.full((2, 3), -1)).en


def test_ids_beyond_63_bits() -> None:
    refused(read_run, np.array([[1, 2**63]], np.uint64)).both_name("64")
    assert read_run(np.array([[1, 2**63 - 1]], np.uint64)).item.to_list() == [1, 2**63 - 1]


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16])
def test_dense_scores(kind: Any, core: str) -> None:
    assert document(GRADES, SCORES.astype(kind)) == DENSE
    assert document(GRADES.astype(kind), np.asfortranarray(SCORES.astype(kind))) == DENSE
    assert document(by_number(GRADES), SCORES.astype(kind)[::-1][::-1]) == DENSE


def test_dense_relevance_of_booleans(core: str) -> None:
    assert document(GRADES > 0, SCORES) == document(by_number(GRADES > 0), by_number(SCORES))


def test_lists_of_relevant_ids_against_dense_scores(core: str) -> None:
    truth = [[1, 2], [0, 3], [2]]
    assert document(truth, SCORES) == document(by_place(truth), by_number(SCORES))


def test_a_nan_is_found_with_its_cell() -> None:
    scores = SCORES.copy()
    scores[1, 2] = np.nan
    refused(pc.evaluate_ranking, GRADES, scores).both_name("[1, 2]", "nan=last")
    assert pc.evaluate_ranking(GRADES, scores, "rr", nan="drop").counts["nan"] == 1
    refused(pc.evaluate_ranking, np.where(scores > 2, np.nan, 1.0), SCORES).both_name("[2, 1]", "nan")


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil", "dok", "bsr"])
@pytest.mark.parametrize("make", [sparse.csr_array, sparse.csr_matrix], ids=["array", "matrix"])
def test_sparse_matrices(kind: str, make: Callable[..., Any], core: str) -> None:
    scores = np.where(SCORES > 0.3, SCORES, 0)
    listed = {
        row: {item: score for item, score in values.items() if score} for row, values in by_number(scores).items()
    }
    graded = {
        row: {item: grade for item, grade in values.items() if grade} for row, values in by_number(GRADES).items()
    }
    assert document(make(GRADES).asformat(kind), make(scores).asformat(kind)) == document(graded, listed)


def test_stored_zeros_count(core: str) -> None:
    run = sparse.csr_array(([0.0, 1.0], ([0, 0], [2, 3])), shape=(1, 5))
    truth = sparse.coo_array(([0, 1], ([0, 0], [3, 2])), shape=(1, 5))
    assert columns_of(read_run(run)) == ([0, 0], [2, 3], [0.0, 1.0])
    assert document(truth, run) == document({0: {3: 0, 2: 1}}, {0: {2: 0.0, 3: 1.0}})


TWICE: dict[str, Callable[[], Any]] = {
    "coo": lambda: sparse.coo_array(([1.0, 2.0, 3.0], ([0, 1, 1], [0, 2, 2])), shape=(2, 4)),
    "csr": lambda: sparse.csr_array(([1.0, 2.0, 3.0], [0, 2, 2], [0, 1, 3]), shape=(2, 4)),
    "csc": lambda: sparse.csc_array(([1.0, 2.0, 3.0], [0, 1, 1], [0, 1, 1, 3, 3]), shape=(2, 4)),
}


@pytest.mark.parametrize("kind", TWICE)
def test_a_cell_twice(kind: str, core: str) -> None:
    refused(pc.evaluate_ranking, [[0], [2]], TWICE[kind]()).both_name("[1, 2]", "duplicates=first")
    refused(pc.evaluate_ranking, TWICE[kind](), [[0], [2]]).both_name("[1, 2]", "duplicates=first")
    scores = pc.evaluate_ranking([[0], [2]], TWICE[kind](), "rr", duplicates="best")
    assert (scores["rr"], scores.counts["duplicates"]) == (1.0, 1)


@pytest.mark.parametrize("make", [sparse.coo_array, sparse.csr_array])
def test_sparse_rows_are_not_matrices(make: Callable[..., Any]) -> None:
    refused(read_run, make(np.array([0.5, 0.0, 1.0]))).both_name("3")


def test_a_sparse_matrix_without_numbers() -> None:
    assert "no items" in refused(read_run, sparse.csr_array((3, 4))).en


COMPLEX = np.array([[1j, 2.0]])


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (COMPLEX, "complex"),
        (sparse.csr_array(COMPLEX), "complex"),
        (np.array([["2020-01-01"]], "M8[D]"), "datetime64"),
        (np.array([[b"a"]]), "bytes"),
        (np.array([["a", None]], object), "None"),
        (np.array([["a", ""]]), "[0][1]"),
    ],
    ids=["complex", "sparse complex", "dates", "bytes", "None", "empty"],
)
def test_matrices_that_mean_nothing(data: Any, part: str) -> None:
    refused(read_run, data).both_name(part)


def test_masked_cells_are_not_read() -> None:
    """NumPy drops the mask in silence: a masked score must not become a score."""
    refused(read_run, np.ma.masked_array(SCORES, SCORES < 0.3))


@pytest.mark.parametrize("shape", [(), (3,), (0,), (0, 3), (3, 0), (1, 2, 3)], ids=str)
def test_shapes_that_are_no_matrix(shape: tuple[int, ...]) -> None:
    said = refused(read_run, np.zeros(shape))
    said.both_name("ndarray", " × ".join(map(str, shape)) or "()")
    refused(read_truth, np.zeros(shape, int)).both_name("ndarray")


@pytest.mark.parametrize("flat", [[1, 2], ["a", "b"], [0.5], [np.int64(3)], (1, 2)], ids=repr)
def test_a_flat_list(flat: Any) -> None:
    assert "flat" in refused(read_run, flat).en
    assert "flat" in refused(read_truth, flat).en


def test_scores_in_lists_are_not_ids() -> None:
    refused(read_run, SCORES.tolist()).both_name("[0][0]", "0.5", "float")


@pytest.mark.parametrize(
    ("truth", "run", "parts"),
    [
        (RELEVANT, RETURNED[:2], ("3", "2", "list")),
        (RELEVANT, np.array(RETURNED[:2]), ("3", "2", "ndarray")),
        (GRADES[:2], SCORES, ("2", "3")),
        (GRADES, SCORES[:, :3], ("4", "3")),
        (sparse.csr_array(GRADES), SCORES[:, :3], ("4", "3")),
        (GRADES, sparse.csr_array((np.ones(1), ([0], [8])), shape=(3, 9)), ("4", "9")),
    ],
    ids=["lists", "ids", "rows", "columns", "sparse truth", "sparse run"],
)
def test_shapes_that_differ(truth: Any, run: Any, parts: tuple[str, ...]) -> None:
    refused(pc.evaluate_ranking, truth, run).both_name(*parts)


@pytest.mark.parametrize("run", [RETURNED, np.array(RETURNED)], ids=["lists", "array"])
def test_a_truth_of_ids_is_not_taken_for_grades(run: Any) -> None:
    """A matrix of relevant ids would be read as grades of the items 0, 1, …"""
    said = refused(pc.evaluate_ranking, np.array([[7, 2], [5, 1], [9, 3]]), run)
    said.both_name("9", "2", "ndarray")
    assert "give it as a list of lists" in said.en


@given(
    st.integers(1, 4).flatmap(
        lambda items: st.lists(
            st.lists(st.tuples(st.integers(0, 3), st.integers(0, 4)), min_size=items, max_size=items),
            min_size=1,
            max_size=4,
        )
    )
)
def test_any_dense_matrix_is_its_dictionary(cells: list[list[tuple[int, int]]]) -> None:
    grades, scores = (np.array([[cell[at] for cell in row] for row in cells]) for at in (0, 1))
    expected = document(by_number(grades), by_number(scores / 4))
    assert document(grades, scores / 4) == expected
    assert document(grades.astype(float), scores / 4) == expected


@pytest.mark.deep("torch is large, and takes as long to import as a hundred tests")
class TestTensors:
    """The same from PyTorch, without a NumPy array made by the caller."""

    @pytest.fixture
    def torch(self) -> Any:
        return pytest.importorskip("torch", reason="PyTorch is not installed: tensors as input are NOT tested here")

    @pytest.mark.parametrize("kind", ["float16", "float32", "float64", "bfloat16"])
    def test_scores(self, torch: Any, kind: str, core: str) -> None:
        scores = torch.tensor(SCORES, dtype=getattr(torch, kind))  # every score is exact in each of these
        assert document(torch.tensor(GRADES), scores) == DENSE
        assert document(GRADES, scores.clone().requires_grad_()) == DENSE
        assert document(GRADES, scores.T.contiguous().T) == DENSE

    @pytest.mark.parametrize("kind", ["int8", "uint8", "int32", "int64", "float32", "bool"])
    def test_relevance(self, torch: Any, kind: str, core: str) -> None:
        grades = torch.tensor(GRADES, dtype=getattr(torch, kind))
        assert document(grades, SCORES) == document(by_number(grades.float().numpy()), by_number(SCORES))

    def test_ranked_ids(self, torch: Any, core: str) -> None:
        assert document(RELEVANT, torch.tensor(RETURNED)) == RANKED
        best = torch.tensor(SCORES[:1]).topk(3).indices
        assert document([[1, 2]], best) == document({0: [1, 2]}, {0: [2, 0, 1]})

    def test_lists_of_tensors_are_refused_by_name(self, torch: Any) -> None:
        refused(read_run, [torch.tensor(row) for row in RETURNED]).both_name("[0]", "Tensor")

    def test_what_cannot_be_read(self, torch: Any) -> None:
        scores = torch.tensor(SCORES)
        for odd in (scores.to_sparse(), scores.to("meta"), scores[0], scores[:0], scores.to(torch.complex64)):
            refused(pc.evaluate_ranking, GRADES, odd).both_name("Tensor")

    def test_the_tensor_stays_as_it_is(self, torch: Any) -> None:
        scores = torch.tensor(SCORES, requires_grad=True)
        document(GRADES, scores, score_type="float32")
        assert scores.requires_grad
        assert torch.equal(scores.detach(), torch.tensor(SCORES))


def test_ids_in_another_byte_order(core: str) -> None:
    run = np.array([[2, 1], [3, 4]])
    truth = [[1], [3]]
    assert document(truth, run.astype(">i4")) == document(truth, run)
