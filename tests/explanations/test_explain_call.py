"""`pingce.explain` as it is called: which task is meant, what is refused, and two definitions against each other."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import pingce as pc
from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.explanations.contrast import Contrast, first_difference
from pingce.explanations.derivation import Column, Explanation, Grid, Line, Place, Row, Step

NAME = Text("name", "名称")


def explanation(*steps: Step) -> Explanation:
    return Explanation("m", "m", "m|pingce", NAME, NAME, NAME, NAME, steps, 1.0)


def table(rows: list[Row], *columns: Column) -> Grid:
    named = columns or (Column("rank", NAME), Column("item", NAME))
    return Grid("list", Text("The list", "列表"), named, tuple(rows))


# Two calculations: the first line that differs is marked in both.


def test_the_first_row_that_differs_is_marked() -> None:
    found = pc.explain("ndcg@5", grades=[3, 2, 3, 0, 1], against="ranx")
    assert isinstance(found, Contrast)
    assert found.value == found.first.value != found.second.value
    text = found.to_text()
    assert [line.split()[:3] for line in text.splitlines() if line.lstrip().startswith("▶")] == [["▶", "1", "3"]] * 2
    assert text.rstrip().endswith("rank 1, gain 7 against 3.")
    document = json.loads(found.to_json())
    assert document["differs"] == [{"key": "list", "row": 0, "step": step} for step in (2, 3)]
    assert [one["value"] for one in document["explanations"]] == [found.first.value, found.second.value]
    assert found.to_html().count('class="differs"') == 2
    assert found.to_latex().count(r"\textbf{$\triangleright $ 1} & \textbf{3}") == 2
    assert found.to_markdown().count("| **▶ 1** | **3** |") == 2


def test_a_convention_is_that_of_the_evaluation() -> None:
    truth, run = {"q": {"a": 3, "b": 1}, "p": {"c": 1}}, {"q": {"b": 2.0, "a": 1.0}}
    for query in ("q", "p"):
        scores = pc.evaluate_ranking(truth, run, ["ndcg@5"], convention="ranx")
        found = pc.explain("ndcg@5", truth, run, query=query, convention="ranx")
        assert found.value == dict(zip(scores.queries, scores.per_query["ndcg@5"].to_pylist(), strict=True))[query]


def test_equal_calculations_are_said_to_be_equal() -> None:
    found = pc.explain("rr", grades=[0, 1], against="ranx")
    assert "calculate the same" in found.to_text()
    assert "▶" not in found.to_text()
    assert json.loads(found.to_json())["differs"] == [None, None]


LINE, OTHER = Line("v", "x", "{}", (1,), 1.0), Line("v", "x", "{}", (2,), 2.0)
SHORT, LONG = table([Row((1, "a"))]), table([Row((1, "a")), Row((2, "b"))])
MORE = table([Row((1, "a", 5))], Column("rank", NAME), Column("item", NAME), Column("gain", NAME))


@pytest.mark.parametrize(
    ("one", "other", "places"),
    [
        ((LINE,), (LINE,), (None, None)),
        ((LINE,), (OTHER,), (Place(0), Place(0))),
        ((Text("a", "a"), LINE), (OTHER,), (Place(1), Place(0))),
        ((SHORT, LINE), (LONG, LINE), (None, Place(0, 1))),
        ((SHORT, LINE), (MORE, OTHER), (Place(1), Place(1))),
        ((SHORT, LINE), (LINE,), (Place(0), None)),
        ((LINE,), (SHORT, LINE), (None, Place(0))),
        ((SHORT,), (Line("list", "x", "", (), 1.0),), (Place(0), Place(0))),
    ],
)
def test_the_first_difference(one: tuple[Step, ...], other: tuple[Step, ...], places: Any) -> None:
    assert first_difference(explanation(*one), explanation(*other)) == places
    names = (Text("a", "a"), Text("b", "b"))
    contrast = Contrast(explanation(*one), explanation(*other), names)
    marks = sum(place is not None for place in places)
    assert contrast.to_text().count("▶") == marks + bool(marks)


# The call: which task is meant, and what is refused.


@pytest.mark.parametrize(
    ("metric", "given", "options", "value"),
    [
        ("auc", ([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]), {}, 0.75),
        ("auc", (), {"labels": [1, 0], "scores": [0.9, 0.8]}, 1.0),
        ("precision", ([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1]), {}, 2 / 3),
        ("precision", (["a", "b"], ["a", "b"]), {}, 1.0),
        ("precision", ({"q": {"a": 1}}, {"q": ["a", "b"]}), {}, 0.5),
        ("precision", ([1, 0], [1, 1]), {"task": "multiclass"}, 0.25),
        ("accuracy", ("y", "p"), {"data": {"y": [1, 0], "p": [0.9, 0.1]}, "threshold": 0.95}, 0.5),
        ("gauc", ([1, 0], [0.9, 0.8]), {"group": ["u", "u"]}, 1.0),
        ("auc", ([1, 0, 0], [0.9, 0.8, 1.0]), {"group": ["u", "u", "v"], "of_group": "u"}, 1.0),
        ("mae", ([1, 2], [1, 4]), {}, 1.0),
        ("mae", (), {"true": [1, 2], "pred": [1, 4]}, 1.0),
        ("recall", (["a", "b", "b"], ["a", "b", "a"]), {"of_class": "b"}, 0.5),
    ],
)
def test_the_task_is_found(metric: str, given: tuple[Any, ...], options: dict[str, Any], value: float) -> None:
    assert pc.explain(metric, *given, **options).value == value


@pytest.mark.parametrize(
    ("metric", "given", "options", "said"),
    [
        ("precision", ([1, 0], [1, 1]), {}, "is a metric of several tasks; say which one you mean with task="),
        ("precision", ([1, 0], [1, 1]), {"task": "rank"}, "task='rank': choose one of ranking, binary"),
        ("ndcg@5", (), {}, "explain needs data: qrels, a run and query="),
        ("mae", ([1],), {}, "explain needs data: what is true and what was predicted"),
        ("ndgc@5", (), {"grades": [1]}, "unknown metric 'ndgc'; did you mean 'ndcg'"),
        ("mae", (), {"grades": [1]}, "grades= (--grades) does not go with 'mae', which is a metric of numbers"),
        ("ndcg@5", (), {"grades": []}, "grades must hold at least one number"),
        ("ndcg@5", (), {"grades": "3,2"}, "grades must be a list of numbers"),
        ("ndcg@5", (), {"grades": [3], "judged": [1]}, "judged must hold the grades of all judged items"),
        ("auc", ([1],), {"labels": [1]}, "truth and labels are two names for the same"),
        ("auc", ([1, 0], [1, 0]), {"of_group": "u"}, "of_group= needs the groups"),
        ("auc", ([1, 0], [1, 0]), {"of_group": "u", "group": ["v1", "v2"]}, "there is no group 'u'"),
        (
            "ndcg@5",
            (),
            {"grades": [1], "tie": "id"},
            "tie= is no option of explaining ranking; give those of pc.evaluate_ranking; did you mean 'ties'?",
        ),
        ("ndcg@5", (), {"grades": [1], "convention": "rankx"}, "unknown convention 'rankx'"),
        ("ndcg@5, ap", (), {"grades": [1]}, "names 2 metrics; explain one at a time"),
        ("err", ({"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.0}}), {"ties": "expected"}, "no closed form"),
    ],
)
def test_what_cannot_be_explained_is_said(
    metric: str, given: tuple[Any, ...], options: dict[str, Any], said: str
) -> None:
    with pytest.raises(InputError) as caught:
        pc.explain(metric, *given, **options)
    assert said in caught.value.text.en
    assert re.search("[\u4e00-\u9fff]", caught.value.text.zh)


def test_explain_is_one_thing_whatever_was_imported_first() -> None:
    import subprocess
    import sys

    first = "import pingce.explanations.derivation, pingce as pc; print(pc.explain('rr', grades=[0, 1]).value)"
    second = "import pingce as pc; pc.explain; import pingce.explanations.derivation as w; print(w.Line.__name__)"
    third = "import inspect, pingce as pc; print(list(inspect.signature(pc.explain).parameters)[0])"
    for code, wanted in ((first, "0.5"), (second, "Line"), (third, "metric")):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == wanted


@pytest.mark.parametrize("thing", [3, None, ["ndcg"], b"map"])
def test_what_is_no_metric_is_refused(thing: Any) -> None:
    with pytest.raises(pc.InputError, match="is not the name of a metric"):
        pc.explain(thing)
