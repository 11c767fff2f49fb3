"""Slices of rankings: each is what its queries alone give, they add up, and bad tables are refused."""

from __future__ import annotations

import json
import math
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from drawn import OF_EACH_QUERY, Case, cases
from pingce.base.errors import InputError
from pingce.base.text import use_language
from pingce.scores.slices import Slices
from pingce.stats.means import mean_intervals

TRUTH = {f"q{i}": {f"d{j}": 1 + (i + j) % 3 for j in range(1 + i % 7)} for i in range(60)}
RUN = {query: {f"d{j}": float((i * j) % 11) for j in range(9)} for i, query in enumerate(TRUTH)}
COUNTRY = {query: ("CN", "US", "DE")[i % 3] for i, query in enumerate(TRUTH)}


def sliced(by: Any, metrics: Any = ("ndcg@5", "mrr"), **more: Any) -> Slices:
    found = pc.evaluate_ranking(TRUTH, RUN, list(metrics), by=by, **more).slices
    assert found is not None
    return found


def same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


def assert_each_is_what_it_is_alone(case: Case, scores: pc.RankingScores, members: dict[str | None, set[str]]) -> None:
    assert scores.slices is not None
    pinned = [pc.from_signature(scores.signature(name)) for name in scores]
    for part in scores.slices.parts:
        truth = {query: graded for query, graded in case.truth.items() if query in members[part.name]}
        run = {query: listed for query, listed in case.run.items() if query in truth}
        if not run:
            continue  # without an answer it cannot be evaluated alone
        alone = pc.evaluate_ranking(truth, run, pinned)
        assert part.n == alone.counts["scored"]
        for name, one in zip(scores, pinned, strict=True):
            assert same(part.values[name].value, alone[one.name]), (part.name, name)
            assert part.values[name].count == alone.find(one.name).count
            assert part.values[name].undefined == alone.find(one.name).undefined


@pytest.mark.sweep
@given(cases(), OF_EACH_QUERY, st.data())
def test_a_slice_is_what_its_queries_alone_give(case: Case, metrics: list[Any], data: st.DataObject) -> None:
    missing = data.draw(st.sampled_from(["zero", "skip"]))
    values = {query: data.draw(st.sampled_from(["a", "b", None])) for query in case.truth}
    if not any(values.values()):
        values[next(iter(values))] = "a"
    given_values = {query: value for query, value in values.items() if value is not None or data.draw(st.booleans())}
    undefined = data.draw(st.sampled_from(["skip", "zero", "one", "nan"]))
    scores = case.evaluate(metrics, by=given_values, missing=missing, undefined=undefined, min_n=1000)
    slices = scores.slices
    assert slices is not None
    assert sum(part.n for part in slices.parts) == slices.overall.n == scores.counts["scored"]
    members = {name: {query for query, value in values.items() if value == name} for name in ("a", "b", None)}
    assert_each_is_what_it_is_alone(case, scores, members)


def test_rows_in_any_order_and_threads_give_the_same_bits() -> None:
    backwards = {query: dict(reversed(RUN[query].items())) for query in reversed(RUN)}
    one = pc.evaluate_ranking(TRUTH, RUN, ["ndcg@5"], by=[COUNTRY, "activity", "popularity"], min_n=2, threads=1)
    other = pc.evaluate_ranking(
        dict(reversed(TRUTH.items())),
        backwards,
        ["ndcg@5"],
        by=[dict(reversed(COUNTRY.items())), "activity", "popularity"],
        min_n=2,
        threads=2,
    )
    assert one.slices is not None
    assert other.slices is not None
    assert one.slices.to_json() == other.slices.to_json()


def test_intervals_are_those_of_the_means() -> None:
    slices = sliced(COUNTRY, ["ndcg@5", "num_rel", "hit_rate(mode=micro)@2"])
    scores = pc.evaluate_ranking(TRUTH, RUN, ["ndcg@5"])
    each = scores.per_query.to_pandas().set_index("query")["ndcg@5"]
    for part in slices.parts:
        own = np.array([each[query] for query in sorted(TRUTH) if COUNTRY[query] == part.name])
        assert part.values["ndcg@5"].interval == tuple(mean_intervals(own[:, None])[0])
        assert part.values["num_rel"].interval is None
        assert part.values["hit_rate(mode=micro)@2"].interval is None
    assert slices.overall.values["ndcg@5"].interval is not None


def test_small_slices_have_no_interval_and_that_is_said() -> None:
    values = {query: "few" if i < 5 else "many" for i, query in enumerate(TRUTH)}
    slices = sliced(values)
    few, many = slices.parts
    assert (few.n, many.n) == (5, 55)
    assert few.values["mrr"].interval is None
    assert many.values["mrr"].interval is not None
    assert any("1 of 2 slices have fewer than 20 queries" in note.en for note in slices.notes)
    assert sliced(values, min_n=5).parts[0].values["mrr"].interval is not None


def test_many_queries_get_student_s_t(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pingce.slices.measured.MOST_DRAWN", 59)
    slices = sliced(COUNTRY)
    assert "Student's t over queries" in slices.notes[-1].en
    each = pc.evaluate_ranking(TRUTH, RUN, ["mrr"]).per_query["mrr"].to_numpy()
    assert slices.overall.values["mrr"].interval == tuple(mean_intervals(each[:, None], method="t")[0])


def test_activity_is_the_number_of_relevant_items_in_deciles_with_ties_together() -> None:
    slices = sliced("activity", ["num_rel"])
    sizes = sorted(len(graded) for graded in TRUTH.values())
    expected: dict[int, list[int]] = {}
    for size in sizes:
        expected.setdefault(10 * sum(other < size for other in sizes) // len(sizes), []).append(size)
    names = [
        f"{decile + 1} ({found[0]}–{found[-1]})" if found[0] != found[-1] else f"{decile + 1} ({found[0]})"
        for decile, found in sorted(expected.items())
    ]
    assert [part.name for part in slices.parts] == names
    assert [part.n for part in slices.parts] == [len(found) for _, found in sorted(expected.items())]
    assert "equal numbers stay together" in slices.notes[0].en


def test_activity_counts_what_is_relevant() -> None:
    slices = sliced("activity", ["num_rel"], relevant=3)
    assert slices.parts[0].name is not None
    assert slices.parts[0].name.startswith("1 (0")


def test_popularity_is_how_often_relevant_items_occur() -> None:
    truth = {"a": {"x": 1, "y": 0}, "b": {"x": 1, "z": 1}, "c": {"y": 0}, "d": {"x": 2}}
    run = {query: ["x", "y"] for query in truth}
    slices = pc.evaluate_ranking(truth, run, ["num_rel"], by="popularity").slices
    assert slices is not None
    # x is relevant to three queries, z to one: b has 2 on average, a and d have 3, c has none.
    assert [(part.name, part.n) for part in slices.parts] == [("1 (2)", 1), ("4 (3)", 2), (None, 1)]
    numbers = {int(query[1:]) + 1: {int(item[1:]): grade for item, grade in of.items()} for query, of in TRUTH.items()}
    ranked = {int(query[1:]) + 1: {int(item[1:]): s for item, s in of.items()} for query, of in RUN.items()}
    integers = pc.evaluate_ranking(numbers, ranked, ["num_rel"], by="popularity").slices
    assert integers is not None
    assert [(part.name, part.n) for part in integers.parts] == [
        (part.name, part.n) for part in sliced("popularity", ["num_rel"]).parts
    ]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "users.csv"
    rows = [f"{query},{country},{i % 12}" for i, (query, country) in enumerate(COUNTRY.items())]
    path.write_text("\n".join(["user_id,country,hour", *rows]))
    return path


def test_tables_of_every_kind_say_the_same(table: Path) -> None:
    frame = pd.read_csv(table)
    columns = {name: frame[name].tolist() for name in frame}
    expected = [(part.name, part.n, part.values["mrr"].value) for part in sliced(COUNTRY).parts]
    for source in (str(table), table, frame, pa.Table.from_pandas(frame), columns):
        slices = sliced((source, "country"))
        assert [(part.name, part.n, part.values["mrr"].value) for part in slices.parts] == expected
        assert {part.by for part in slices.parts} == {"country"}
    series = pd.Series(COUNTRY)
    assert [(part.name, part.n, part.values["mrr"].value) for part in sliced(series).parts] == expected


def test_several_columns_stand_one_after_the_other_and_numbers_by_size(table: Path) -> None:
    slices = sliced([str(table), "activity"])
    assert slices.names == ["country", "hour", "activity"]
    assert [part.name for part in slices.by("hour")] == [str(hour) for hour in range(12)]
    for name in slices.names:
        assert sum(part.n for part in slices.by(name)) == len(TRUTH)


def test_queries_that_a_table_lacks_are_a_slice_of_their_own_and_counted() -> None:
    some = {query: country for query, country in COUNTRY.items() if query not in ("q1", "q2")} | {"other": "FR"}
    slices = sliced(some | {"q5": None})
    assert slices.parts[-1].name is None
    assert slices.parts[-1].n == 3
    assert any("2 of 60 judged queries are not there" in note.en for note in slices.notes)
    assert any("1 values belong to no judged query ('FR')" in note.en for note in slices.notes)
    assert "| (none) | 3 |" in slices.to_markdown()
    use_language("zh")
    assert "| （无） | 3 |" in slices.to_markdown()


def test_query_weights_count_and_leave_no_interval() -> None:
    weights = {query: 1.0 + i % 2 for i, query in enumerate(TRUTH)}
    part = sliced(COUNTRY, ["mrr"], query_weight=weights).parts[0]
    own = {query: TRUTH[query] for query in TRUTH if COUNTRY[query] == part.name}
    alone = pc.evaluate_ranking(own, RUN, ["mrr"], query_weight=weights)
    assert part.values["mrr"].value == alone["mrr"]
    assert part.values["mrr"].interval is None


def test_as_tables_and_documents() -> None:
    scores = pc.evaluate_ranking(TRUTH, RUN, ["mrr"], by={**COUNTRY, "q0": None})
    slices = scores.slices
    assert slices is not None
    arrow = slices.to_arrow()
    assert arrow.column_names == ["by", "slice", "n", "mrr", "mrr.low", "mrr.high"]
    assert arrow["slice"].to_pylist() == ["CN", "DE", "US", None, "all"]
    assert arrow["n"].to_pylist() == [19, 20, 20, 1, 60]
    assert slices.to_pandas()["mrr"].iloc[-1] == scores["mrr"]
    assert slices.to_polars().shape == (5, 6)
    assert slices.to_csv().splitlines()[0] == "by,slice,n,mrr,mrr.low,mrr.high"
    assert "<table>" in slices._repr_html_()
    document = json.loads(scores.to_json())
    schema = json.loads((files("pingce") / "schema" / "scores.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(document)
    assert [part["n"] for part in document["slices"]["slices"]] == [19, 20, 20, 1]
    assert pc.evaluate_ranking(TRUTH, RUN, ["mrr"]).slices is None


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ("activty", "did you mean 'activity'"),
        ({}, "empty dict"),
        ([], "by is empty"),
        ({"other": 1}, "none of the judged queries"),
        (dict.fromkeys(TRUTH), "no value in any row"),
        (({"q": ["q1"], "country": ["CN"]}, "country"), "no query column; it has 'q', 'country'"),
        (
            ({"query": ["q1"], "country": ["CN"]}, "contry"),
            "no column 'contry'; it has 'query', 'country'; did you mean",
        ),
        (({"query": ["q1"]},), "the query column 'query' only"),
        (({"query": ["q1", "q2", "q1"], "c": ["CN", "CN", "US"]}, "c"), "'q1' has c 'US', but 'CN' before"),
        (({"query": list(TRUTH), "c": [[1]] * 60}, "c"), "holds list"),
        (("users.csv", 3), "names of columns are strings"),
        (3, "int is no table"),
        (["activity", "activity"], "by names 'activity' twice"),
        (dict.fromkeys(range(3), 1), "query ids are integers, but strings in the truth"),
    ],
)
def test_what_cannot_be_sliced_by_is_refused(by: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        sliced(by)
    assert said in caught.value.text.en
    assert caught.value.text.zh != caught.value.text.en


@pytest.mark.parametrize("by", ["activity", "popularity"])
def test_without_a_truth_no_query_is_active_or_popular(by: str) -> None:
    with pytest.raises(InputError, match=f"by='{by}' looks at the relevant items of each query, and qrels is None"):
        pc.evaluate_ranking(None, {"q": ["a"], "p": ["b"]}, ["coverage@1"], catalog=3, by=by)


def test_too_many_slices_are_refused() -> None:
    truth = {f"q{i}": {"a": 1} for i in range(1001)}
    with pytest.raises(InputError, match="1001 different values, too many"):
        pc.evaluate_ranking(truth, {"q1": ["a"]}, ["mrr"], by={query: query for query in truth})


def test_a_query_may_stand_twice_with_one_value() -> None:
    twice = {"query": [*TRUTH, "q1"], "c": [*COUNTRY.values(), COUNTRY["q1"]]}
    assert [part.n for part in sliced((twice, "c")).parts] == [20, 20, 20]


@pytest.mark.parametrize("min_n", [-1, 2.5, True, "20"])
def test_min_n_is_a_whole_number(min_n: Any) -> None:
    with pytest.raises(InputError, match="min_n"):
        sliced(COUNTRY, min_n=min_n)
