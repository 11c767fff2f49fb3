"""Rankings that are streamed have the scores of rankings that are read at once, to the last byte."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from feeds.rankings import (
    ALL_COARSE,
    ALL_DEALT,
    COARSE,
    DEALT,
    LARGE,
    STRAIGHT,
    Ranking,
    at_once,
    rankings,
    streamed,
    write_table,
)
from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.run.memory import ListBudget


@pytest.fixture(autouse=True, scope="module")
def _evidence_of_few_rows() -> Iterator[None]:
    """Rows become evidence as soon as there are some, as they do in large runs."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pingce.run.states.ranking._MOST_PENDING", 15)
        yield


METRICS = ["ndcg@3", "map", "mrr", "recall@5", "ndcg(gain=linear)", "bpref", "err"]
KINDS = st.sampled_from(["parquet", "strings.parquet", "csv", "trec.gz"])
POLICIES: list[dict[str, Any]] = [
    {},
    {"missing": "skip", "ties": "order"},
    {"ties": "expected", "judged_only": True},
    {"duplicates": "first", "identical": "drop"},
    {"duplicates": "last", "score_type": "float32"},
    {"convention": "trec_eval"},
]


def agree(ranking: Ranking, kind: str, budget: ListBudget, options: dict[str, Any], *, excluding: bool) -> list[Text]:
    said: list[Text] = []
    with TemporaryDirectory() as folder:
        written = ranking.write(Path(folder), kind)
        if excluding:
            options = options | {"exclude": written.exclude}
        expected, problem = None, None
        try:
            expected = at_once(written, METRICS, **options).to_json(per_query=True)
        except InputError as found:
            problem = found
        if problem is None:
            assert streamed(written, METRICS, budget, said=said, **options).to_json(per_query=True) == expected
        else:
            with pytest.raises(type(problem)):
                streamed(written, METRICS, budget, said=said, **options)
    return said


@given(rankings(grouped=True), KINDS, st.sampled_from(POLICIES), st.booleans())
def test_queries_in_one_piece_go_straight_through(
    ranking: Ranking, kind: str, options: dict[str, Any], excluding: bool
) -> None:
    assert agree(ranking, kind, STRAIGHT, options, excluding=excluding) == []


@given(rankings(grouped=False), KINDS, st.sampled_from(POLICIES), st.booleans())
def test_scattered_queries_are_dealt_to_files(
    ranking: Ranking, kind: str, options: dict[str, Any], excluding: bool
) -> None:
    queries = [row[0] for row in ranking.run]
    stretches = 1 + sum(one != other for one, other in itertools.pairwise(queries))
    said = agree(ranking, kind, DEALT, options, excluding=excluding)
    assert bool(said) <= (stretches > len(set(queries)))


@pytest.mark.sweep
@given(rankings(grouped=False), KINDS, st.sampled_from(POLICIES), st.booleans())
@example(Ranking([(2, 12, 1.0)], [(2, 2, 0.0)], [], ()), "parquet", {"duplicates": "first", "identical": "drop"}, True)
def test_a_large_truth_is_dealt_too(ranking: Ranking, kind: str, options: dict[str, Any], excluding: bool) -> None:
    agree(ranking, kind, ALL_DEALT, options, excluding=excluding)


@given(
    rankings(grouped=False, repeats=True),
    st.sampled_from([DEALT, ALL_DEALT]),
    st.sampled_from(["first", "last", "best"]),
)
def test_repeated_items_are_settled_in_the_order_of_the_files(
    ranking: Ranking, budget: ListBudget, duplicates: str
) -> None:
    agree(ranking, "parquet", budget, {"duplicates": duplicates, "ties": "order"}, excluding=False)


@pytest.fixture(scope="module")
def shuffled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Forty queries of about thirty rows, in random order."""
    rng = np.random.default_rng(3)
    pairs = rng.permutation(40 * 60)[: 40 * 30]
    folder = tmp_path_factory.mktemp("shuffled")
    run = [(int(pair) // 60, int(pair) % 60, float(rng.integers(0, 50))) for pair in pairs]
    truth = [(query, int(item), 1.0) for query in range(42) for item in rng.permutation(60)[:5]]
    (folder / "run").mkdir()
    for number in range(3):
        write_table(folder / "run" / f"{number}", run[number::3], "parquet", "score")
    return write_table(folder / "truth", truth, "parquet", "grade"), folder / "run"


WEIGHTS = {query: 1 + query % 3 for query in range(60)}
PARITY = {query: "odd" if query % 2 else "even" for query in range(60)}


@pytest.mark.parametrize("budget", [COARSE, ALL_COARSE], ids=["run", "all"])
@pytest.mark.parametrize(
    "options",
    [{"query_weight": WEIGHTS}, {"by": PARITY}, {"by": "activity"}, {"ties": "worst", "query_weight": WEIGHTS}],
    ids="+".join,
)
def test_weights_and_slices(shuffled: tuple[Path, Path], budget: ListBudget, options: dict[str, Any]) -> None:
    one, other = at_once(shuffled, METRICS, **options), streamed(shuffled, METRICS, budget, **options)
    assert other.to_json(per_query=True) == one.to_json(per_query=True)
    assert str(other.slices) == str(one.slices)


def test_a_top_grade_is_found_while_rows_are_dealt_so_that_no_lists_are_kept(shuffled: tuple[Path, Path]) -> None:
    scores = streamed(shuffled, ["err", "ndcg@3"], ALL_COARSE)
    assert scores.to_json(per_query=True) == at_once(shuffled, ["err", "ndcg@3"]).to_json(per_query=True)
    with pytest.raises(InputError, match="only its values were kept"):
        scores.evidence  # noqa: B018 - a property that refuses


def test_popularity_needs_the_truth(shuffled: tuple[Path, Path]) -> None:
    expected = at_once(shuffled, ["mrr"], by="popularity").slices
    assert str(streamed(shuffled, ["mrr"], COARSE, by="popularity").slices) == str(expected)
    with pytest.raises(InputError, match=r"popularity need the whole truth .* give more --memory"):
        streamed(shuffled, ["mrr"], ALL_COARSE, by="popularity")


def test_what_is_said_when_rows_are_dealt(shuffled: tuple[Path, Path]) -> None:
    said: list[Text] = []
    streamed(shuffled, ["mrr"], COARSE, said=said)
    assert len(said) == 1
    assert "comes again after others" in said[0].en
    assert "再次出现" in said[0].zh


def test_a_query_comes_again_much_later(tmp_path: Path) -> None:
    rows = [(query, item, float(item)) for query in range(200) for item in range(3)]
    truth = write_table(tmp_path / "truth", rows[::2], "parquet", "grade")
    run = write_table(tmp_path / "run", [*rows, (0, 7, 9.0)], "parquet", "score")
    said: list[Text] = []
    found = streamed((truth, run), METRICS, STRAIGHT, said=said).to_json(per_query=True)
    assert found == at_once((truth, run), METRICS).to_json(per_query=True)
    assert "row 600: query '0' comes again" in said[0].en


@pytest.mark.parametrize("budget", [STRAIGHT, DEALT, ALL_DEALT], ids=["straight", "run", "all"])
@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_bad_rows_are_named_with_file_and_place(tmp_path: Path, budget: ListBudget, kind: str) -> None:
    rows: list[tuple[int, int, float]] = [(query, item, float(item)) for query in range(50) for item in range(4)]
    if budget is not STRAIGHT:
        rows = [rows[at] for at in np.random.default_rng(1).permutation(200)]
    truth = write_table(tmp_path / "truth", [(query, 1, 1.0) for query in range(50)], kind, "grade")
    folder = tmp_path / "run"
    folder.mkdir()
    write_table(folder / "a", rows[:120], kind, "score")
    bad = rows[170]
    rows[170] = (*bad[:2], float("nan"))
    write_table(folder / "b", rows[120:], kind, "score")
    place = "b.parquet: row 50" if kind == "parquet" else "b.csv:52"
    query = bad[0] if kind == "parquet" else f"q{bad[0]}"
    with pytest.raises(InputError, match=f"{place} \\(query '{query}'.*not a number"):
        streamed((truth, folder), ["mrr"], budget)
    write_table(folder / "b", [*rows[120:170], bad, *rows[171:], rows[3]], kind, "score")
    place = "b.parquet: row 80" if kind == "parquet" else "b.csv:82"
    with pytest.raises(InputError, match=f"{place} \\(\\d+ repeated rows"):
        streamed((truth, folder), ["mrr"], budget)


@pytest.mark.parametrize("scattered, queries", [(False, 30), (True, 30), (False, 16)])
def test_one_query_that_does_not_fit(tmp_path: Path, scattered: bool, queries: int) -> None:
    rows = [(query, item, float(item)) for query in range(queries) for item in range(4)]
    huge = [(77, item, float(item)) for item in range(900)]
    run = [*rows[:60], *huge, *rows[60:]]
    if scattered:
        run = [run[at] for at in np.random.default_rng(1).permutation(len(run))]
    truth = write_table(tmp_path / "truth", rows, "parquet", "grade")
    path = write_table(tmp_path / "run", run, "parquet", "score")
    small = ListBudget(chunk=900, part=2000, query=8000, whole=LARGE, files=4)
    with pytest.raises(InputError, match=r"query '77' alone has 900 rows, which need about 86.4 kB .* --memory 1MB"):
        streamed((truth, path), ["mrr"], small)
    enough = ListBudget(chunk=900, part=2000, query=30_000, whole=LARGE, files=4)
    found = streamed((truth, path), METRICS, enough).to_json(per_query=True)
    assert found == at_once((truth, path), METRICS).to_json(per_query=True)


def test_a_truncated_file_in_the_middle_of_a_folder(shuffled: tuple[Path, Path], tmp_path: Path) -> None:
    truth, run = shuffled
    for file in run.iterdir():
        content = file.read_bytes()
        (tmp_path / file.name).write_bytes(content[: len(content) // 2] if file.name.startswith("1") else content)
    with pytest.raises(InputError, match=r"1\.parquet: not readable as Parquet"):
        streamed((truth, tmp_path), ["mrr"], COARSE)


@pytest.mark.parametrize("budget", [STRAIGHT, DEALT, ALL_DEALT], ids=["straight", "run", "all"])
@pytest.mark.parametrize("large", [np.uint64(2**60), np.uint64(2**63)])
def test_large_integers_as_scores(tmp_path: Path, budget: ListBudget, large: np.uint64) -> None:
    query = np.repeat(np.arange(20), 5)
    score = np.arange(100, dtype=np.uint64) * np.uint64(7) % np.uint64(50) + np.where(query < 10, np.uint64(0), large)
    order = np.arange(100) if budget is STRAIGHT else np.random.default_rng(2).permutation(100)
    columns = {"query": query[order], "item": (np.arange(100) % 5)[order], "score": score[order]}
    pq.write_table(pa.table(columns), tmp_path / "run.parquet", row_group_size=8)
    truth = write_table(tmp_path / "truth", [(q, i, 1.0) for q in range(20) for i in (1, 3)], "parquet", "grade")
    both = (truth, tmp_path / "run.parquet")
    found = streamed(both, METRICS, budget).to_json(per_query=True)
    assert found == at_once(both, METRICS).to_json(per_query=True)


@pytest.mark.parametrize("budget", [DEALT, ALL_DEALT], ids=["run", "all"])
def test_a_run_without_scores_keeps_its_order(tmp_path: Path, budget: ListBudget) -> None:
    order = np.random.default_rng(5).permutation(200)
    pairs = [(int(at) % 20, int(at) // 20, 0.0) for at in order]
    run = write_table(tmp_path / "run", pairs, "csv", None)
    truth = write_table(tmp_path / "truth", [(q, i, 1.0) for q in range(22) for i in (1, 3)], "csv", "grade")
    found = streamed((truth, run), METRICS, budget).to_json(per_query=True)
    assert found == at_once((truth, run), METRICS).to_json(per_query=True)


@pytest.mark.parametrize("budget", [STRAIGHT, DEALT, ALL_DEALT], ids=["straight", "run", "all"])
@pytest.mark.parametrize("text", ["truth", "run"])
def test_ids_of_a_text_file_beside_integers(tmp_path: Path, budget: ListBudget, text: str) -> None:
    rows = [(q, i, float(i)) for q in range(15) for i in range(4)]
    rows = rows if budget is STRAIGHT else [rows[at] for at in np.random.default_rng(1).permutation(60)]
    judged = [(q, i, 1.0) for q in range(16) for i in (1, 3)]
    truth = write_table(tmp_path / "truth", judged, "trec.gz" if text == "truth" else "parquet", "grade")
    run = write_table(tmp_path / "run", rows, "trec.gz" if text == "run" else "parquet", "score")
    one = at_once((truth, run), METRICS)
    assert any("read as integers" in note.en for note in one.notes)
    assert streamed((truth, run), METRICS, budget).to_json(per_query=True) == one.to_json(per_query=True)


@pytest.mark.parametrize("budget", [STRAIGHT, DEALT, ALL_DEALT], ids=["straight", "run", "all"])
def test_no_query_in_common(tmp_path: Path, budget: ListBudget) -> None:
    truth = write_table(tmp_path / "truth", [(q, 1, 1.0) for q in range(30)], "parquet", "grade")
    run = write_table(tmp_path / "run", [(q + 100, i, 1.0) for i in range(4) for q in range(30)], "parquet", "score")
    with pytest.raises(InputError, match="no query in common"):
        streamed((truth, run), ["mrr"], budget)


@pytest.mark.parametrize("budget", [STRAIGHT, DEALT, ALL_DEALT], ids=["straight", "run", "all"])
def test_truth_and_run_swapped(tmp_path: Path, budget: ListBudget) -> None:
    many = [(q, i, float(np.sin(q + 30 * i))) for q in range(30) for i in range(9)]
    run = write_table(tmp_path / "run", many, "parquet", "rating")
    few = write_table(
        tmp_path / "few", [(q, i, float(q % 3)) for i in range(2) for q in range(30)], "parquet", "rating"
    )
    with pytest.raises(InputError, match="look swapped"):
        streamed((run, few), ["mrr"], budget)
    assert streamed((run, few), ["mrr"], budget, columns={"truth.grade": "rating"}).counts["scored"] == 30


@pytest.mark.parametrize("budget", [COARSE, ALL_COARSE], ids=["run", "all"])
def test_nothing_is_left_behind(shuffled: tuple[Path, Path], tmp_path: Path, budget: ListBudget) -> None:
    streamed(shuffled, ["mrr"], budget, tmpdir=tmp_path)
    assert not list(tmp_path.iterdir())
    with pytest.raises(InputError, match="no folder for temporary files"):
        streamed(shuffled, ["mrr"], budget, tmpdir=tmp_path / "absent")
