"""Documents of search engines and of Quepid: ratings as a truth, hits as a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import pingce as pc
from pingce.inputs.tables import BY_NAME

from .samples import refused

REQUEST: dict[str, Any] = {
    "requests": [
        {
            "id": "amsterdam_query",
            "request": {"query": {"match": {"text": "amsterdam"}}},
            "ratings": [
                {"_index": "places", "_id": "doc1", "rating": 0},
                {"_index": "places", "_id": "doc2", "rating": 3},
                {"_index": "places", "_id": "doc3", "rating": 1},
            ],
        },
        {
            "id": "berlin_query",
            "request": {"query": {"match": {"text": "berlin"}}},
            "ratings": [{"_index": "places", "_id": "doc1", "rating": 1}],
        },
        {"id": "paris_query", "request": {}, "ratings": []},
    ],
    "metric": {"dcg": {"k": 20, "normalize": True}},
}
RESPONSE: dict[str, Any] = {
    "metric_score": 0.4,
    "details": {
        "amsterdam_query": {
            "metric_score": 0.6,
            "unrated_docs": [{"_index": "places", "_id": "doc9"}],
            "hits": [
                {"hit": {"_index": "places", "_id": "doc9", "_score": 7.05}, "rating": None},
                {"hit": {"_index": "places", "_id": "doc2", "_score": 7.05}, "rating": 3},
            ],
            "metric_details": {"dcg": {"dcg": 1.0}},
        },
        "berlin_query": {"metric_score": 0.2, "unrated_docs": [], "hits": []},
    },
    "failures": {"paris_query": {"error": {"type": "parsing_exception"}}},
}
JUDGMENTS: dict[str, Any] = {
    "name": "Imported",
    "type": "IMPORT_JUDGMENT",
    "judgmentRatings": [
        {
            "query": "red dress",
            "ratings": [{"docId": "B077ZJXCTS", "rating": "3.000"}, {"docId": "B071S6LTJJ", "rating": "0.000"}],
            "failures": [{"docId": "B01IDSPDJI"}],
        },
        {"query": "blue jeans", "ratings": [{"docId": "B07L9V4Y98", "rating": 1.5}]},
    ],
}
RESULTS: dict[str, Any] = {
    "hits": {
        "hits": [
            {"_source": {"searchText": "red dress", "documentIds": ["B071S6LTJJ", "B077ZJXCTS"]}},
            {"_source": {"searchText": "blue jeans", "documentIds": ["B07L9V4Y98"]}},
        ]
    }
}
RATINGS = 'query,docid,rating\n"shoes, red",doc-1,3\n"shoes, red",doc-2,\nboots,doc-2,0\nhats\nboots,doc-3,1\n'
SNAPSHOT = (
    "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position,title\r\n"
    '(3/5/26) Weekly,2026-03-05T12:00:00Z,8,"shoes, red",doc-2,1,"Great, dog"\r\n'
    '(3/5/26) Weekly,2026-03-05T12:00:00Z,8,"shoes, red",doc-1,2,\r\n'
    "(3/5/26) Weekly,2026-03-05T12:00:00Z,8,boots,doc-3,1,\r\n"
)


def written(folder: Path, name: str, content: Any) -> Path:
    path = folder / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_a_request_of_rank_eval_is_a_truth_and_its_response_a_run(tmp_path: Path) -> None:
    qrels, run = written(tmp_path, "request.json", REQUEST), written(tmp_path, "response.json", RESPONSE)
    grades = {"amsterdam_query": {"doc1": 0, "doc2": 3, "doc3": 1}, "berlin_query": {"doc1": 1}}
    names = ["dcg(k=10, normalize=true)", "mean_reciprocal_rank(k=10)"]
    scores = pc.evaluate_ranking(qrels, run, names, convention="elasticsearch")
    plain = pc.evaluate_ranking(grades, {"amsterdam_query": ["doc9", "doc2"]}, names, convention="elasticsearch")
    assert dict(scores) == dict(plain)
    assert scores["mean_reciprocal_rank(k=10)"] == (0.5 + 0.0) / 2
    notes = " ".join(map(str, scores.notes))
    assert "1 of 3 requests have no ratings" in notes
    assert "1 requests failed" in notes
    nested = written(tmp_path, "older.json", {"rank_eval": RESPONSE})
    assert dict(pc.evaluate_ranking(qrels, nested, names, convention="elasticsearch")) == dict(plain)


def test_documents_of_several_indices_are_told_apart(tmp_path: Path) -> None:
    ratings = [{"_index": index, "_id": "1", "rating": grade} for index, grade in (("a", 0), ("b", 1))]
    qrels = written(tmp_path, "q.json", {"requests": [{"id": "q", "ratings": ratings}]})
    hits = [{"hit": {"_index": index, "_id": "1"}} for index in ("a", "b")]
    run = written(tmp_path, "r.json", {"metric_score": 1, "details": {"q": {"hits": hits}}})
    scores = pc.evaluate_ranking(qrels, run, ["mrr"])
    assert scores["mrr"] == 0.5
    assert "documents of several indices (a, b) are called index/id" in " ".join(map(str, scores.notes))


def test_judgments_and_results_of_the_workbench(tmp_path: Path) -> None:
    run = written(tmp_path, "results.json", RESULTS)
    for name, content in (("sent.json", JUDGMENTS), ("stored.json", {"hits": {"hits": [{"_source": JUDGMENTS}]}})):
        scores = pc.evaluate_ranking(written(tmp_path, name, content), run, ["mrr", "dcg(gain=linear)@1"])
        assert dict(scores) == {"mrr": 0.75, "dcg(gain=linear)@1": 0.75}
        assert "1 documents could not be rated" in " ".join(map(str, scores.notes))
    alone = written(tmp_path, "alone.json", RESULTS["hits"]["hits"][0]["_source"])
    assert pc.read_run(alone).value.tolist() == [-1.0, -2.0]


def test_ratings_and_snapshots_of_quepid(tmp_path: Path) -> None:
    qrels, run = written(tmp_path, "ratings.csv", RATINGS), written(tmp_path, "snapshot.csv", SNAPSHOT)
    scores = pc.evaluate_ranking(pc.read_truth(qrels, input_format="quepid"), run, ["mrr", "judged@10"])
    assert dict(scores) == {"mrr": 0.75, "judged@10": 0.75}
    assert "2 rows without a rating or a document left out" in " ".join(map(str, scores.notes))
    assert len(pc.read_run(run, input_format="quepid")) == len(pc.read_run(run)) == 3


@pytest.mark.parametrize("column", ["Rating", "rating", "score", "prediction"])
@pytest.mark.parametrize("input_format", [None, "quepid"])
def test_a_snapshot_is_ordered_by_its_positions(tmp_path: Path, column: str, input_format: str | None) -> None:
    rows = "s,1,tv,2,1,\ns,1,tv,1,2,3\ns,1,tv,9,3,7\n" if "rating" in column.lower() else "s,1,tv,2,1,1\ns,1,tv,1,2,3\n"
    run = written(tmp_path, "s.csv", f"Snapshot Name,Case ID,Query Text,Doc ID,Doc Position,{column}\n{rows}")
    read = pc.read_run(run, input_format=input_format)
    assert (read.meaning, len(read)) == ("rank", rows.count("\n"))
    assert pc.evaluate_ranking({"tv": {"1": 3}}, run, ["mrr"], input_format=input_format)["mrr"] == 0.5


def changed(document: dict[str, Any], *path: Any, to: Any) -> dict[str, Any]:
    copy: dict[str, Any] = json.loads(json.dumps(document))
    inner: Any = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = to
    return copy


def rank_eval(folder: Path, ratings: str, hits: str) -> tuple[Path, Path]:
    """A request and a response for documents such as a/1."""
    rated = [dict(zip(("_index", "_id"), each.split("/"), strict=True), rating=1) for each in ratings.split()]
    returned = [{"hit": dict(zip(("_index", "_id"), each.split("/"), strict=True))} for each in hits.split()]
    return (
        written(folder, "q.json", {"requests": [{"id": "q", "ratings": rated}]}),
        written(folder, "r.json", {"metric_score": 1, "details": {"q": {"hits": returned}}}),
    )


@pytest.mark.parametrize(
    ("ratings", "hits", "mrr"),
    [
        ("a/1 b/2", "a/9 a/1", 0.5),
        ("a/1", "b/1 a/1", 0.5),
        ("a/1 b/2", "b/1 b/2", 0.5),
        ("alias/1", "alias-000001/1", 1.0),
    ],
)
def test_documents_are_called_alike_on_both_sides(tmp_path: Path, ratings: str, hits: str, mrr: float) -> None:
    request, response = rank_eval(tmp_path, ratings, hits)
    assert pc.evaluate_ranking(request, response, ["mrr"])["mrr"] == mrr
    assert pc.evaluate_ranking(pc.read_truth(request), pc.read_run(response), ["mrr"])["mrr"] == mrr
    assert pc.explain("mrr", request, response).value == mrr


def test_documents_of_a_folder_are_called_alike(tmp_path: Path) -> None:
    request, _ = rank_eval(tmp_path, "b/1", "a/1 b/1")
    for at, hits in enumerate((("a/1", "q"), ("b/1", "p"), ("a/2 b/3", "o"))):
        returned = [{"hit": dict(zip(("_index", "_id"), each.split("/"), strict=True))} for each in hits[0].split()]
        (tmp_path / "runs").mkdir(exist_ok=True)
        written(tmp_path / "runs", f"{at}.json", {"metric_score": 1, "details": {hits[1]: {"hits": returned}}})
    run = pc.read_run(tmp_path / "runs")
    assert run.item.to_list() == ["a/1", "b/1", "a/2", "b/3"]
    assert pc.evaluate_ranking(request, tmp_path / "runs", ["mrr"])["mrr"] == 0.0


def test_a_search_that_gave_fewer_than_it_found_is_said(tmp_path: Path) -> None:
    for total in (500, {"value": 500, "relation": "eq"}):
        path = written(tmp_path, "j.json", {"hits": {"total": total, "hits": [{"_source": JUDGMENTS}]}})
        notes = " ".join(str(note) for note in pc.read_truth(path).source.notes)
        assert "the search found 500 documents and gave 1; ask it for all of them with size" in notes
    assert [
        *pc.read_run(written(tmp_path, "e.json", {"searchText": "tv", "documentIds": [2, "1"]})).item.to_list()
    ] == ["2", "1"]


BAD = [
    ("truth", RESPONSE, "a response of _rank_eval has ratings of its hits only; give the request"),
    ("run", REQUEST, "a request of _rank_eval returns no documents; give its response"),
    ("exclude", REQUEST, "_rank_eval holds ratings and hits"),
    ("run", JUDGMENTS, "there is no documentIds in it"),
    ("truth", RESULTS, "there is no judgmentRatings in it"),
    ("truth", changed(REQUEST, "requests", 0, "ratings", 1, "_id", to=7), "requests[0].ratings[1]._id is 7, not a string"),
    ("truth", changed(REQUEST, "requests", 0, "ratings", 1, "rating", to="x"), 'requests[0].ratings[1].rating is "x", not a number'),
    ("truth", changed(REQUEST, "requests", 0, "ratings", 1, "rating", to=True), "ratings[1].rating is true, not a number"),
    ("run", changed(RESPONSE, "details", "berlin_query", "hits", to=None), "details.berlin_query.hits is null, not a list"),
    ("truth", changed(JUDGMENTS, "judgmentRatings", 1, "query", to=None), "judgmentRatings[1].query is null, not a string"),
    ("run", changed(RESPONSE, "failures", to=3), "response.failures is 3, not an object"),
    ("truth", changed(JUDGMENTS, "judgmentRatings", 0, "failures", to=3), "judgmentRatings[0].failures is 3, not a list"),
    ("run", {"searchText": "tv", "documentIds": [2, None]}, "document.documentIds[1] is null, not the id of a document"),
    ("run", {"searchText": "tv", "documentIds": [{"a": 1}]}, 'documentIds[0] is {"a": 1}, not the id of a document'),
    ("truth", changed(REQUEST, "requests", 0, "ratings", 1, "_index", to={}), "ratings[1]._index is {}, not a string"),
    ("truth", changed(REQUEST, "requests", to=[{"id": "q", "ratings": []}]), "has no documents"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("role", "document", "sentence"), BAD, ids=lambda value: value if isinstance(value, str) else ""
)
def test_what_is_not_there_is_said(tmp_path: Path, role: str, document: Any, sentence: str) -> None:
    path = written(tmp_path, "a.json", document)
    read = {"truth": pc.read_truth, "run": pc.read_run, "exclude": pc.read_excluded}[role]
    with pytest.raises(pc.InputError) as problem:
        read(path)
    assert sentence in problem.value.text.en
    assert problem.value.text.zh


def test_a_word_among_ratings_of_quepid_is_refused_with_its_line(tmp_path: Path) -> None:
    path = written(tmp_path, "r.csv", "query,docid,rating\nq,a,1\nq,b,good\n")
    assert "r.csv:3: rating is 'good', not a number" in refused(lambda: pc.read_truth(path, input_format="quepid")).en
    empty = written(tmp_path, "e.csv", "query,docid,rating\nq\n")
    assert "has no rows" in refused(lambda: pc.read_truth(empty, input_format="quepid")).en


@pytest.mark.parametrize(
    "content", [{"requests": {"a": 1}}, {"details": {"a": 1}, "hits": {"b": 2}}, {"requests": ["a"]}]
)
def test_queries_that_are_called_like_a_key_are_queries(tmp_path: Path, content: Any) -> None:
    assert len(pc.read_truth(written(tmp_path, "a.json", content))) == len(content)


def test_each_format_can_be_said(tmp_path: Path) -> None:
    path = written(tmp_path, "a.txt", JUDGMENTS)
    assert len(pc.read_truth(path, input_format="workbench")) == 3
    broken = written(tmp_path, "b.txt", '{"requests": [')
    assert "JSON" in refused(lambda: pc.read_truth(broken, input_format="rank_eval")).en
    listed = written(tmp_path, "c.txt", [1])
    assert "one JSON object" in refused(lambda: pc.read_truth(listed, input_format="rank_eval")).en
    assert not any(BY_NAME[name].delimiter for name in ("rank_eval", "workbench", "quepid"))
