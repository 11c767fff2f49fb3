"""A signature is one line that pins every choice: read back, it is the same evaluation, to the last bit."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import drawn
import drawn_labels
import pingce as pc
from pingce.evidence.policies import Policies
from pingce.metrics.declared import registry

pytestmark = pytest.mark.filterwarnings("ignore")
EXAMPLE = (
    f"ndcg@10|gain:exp2|discount:log2|ideal:judged|rel:1|ties:id|missing:zero|undefined:skip|pingce:{pc.__version__}"
)
POLICIES = st.fixed_dictionaries(
    {
        "ties": st.sampled_from([ties for ties in Policies.choices["ties"] if ties != "expected"]),
        "missing": st.sampled_from(["zero", "skip"]),
        "undefined": st.sampled_from(["skip", "zero", "one", "nan"]),
        "relevant": st.sampled_from([1, 2, 0.5, "any"]),
        "judged_only": st.sampled_from(["no", "yes"]),
        "score_type": st.sampled_from(Policies.choices["score_type"]),
        "identical": st.sampled_from(Policies.choices["identical"]),
        "summation": st.sampled_from(Policies.choices["summation"]),
    }
)


def same(one: float, other: float) -> bool:
    return one == other or (math.isnan(one) and math.isnan(other))


@pytest.mark.sweep
@given(case=drawn.cases(), metrics=drawn.SOME, policies=POLICIES, other=POLICIES)
def test_rankings_come_back(
    case: drawn.Case, metrics: list[Any], policies: dict[str, Any], other: dict[str, Any]
) -> None:
    condensed = policies["judged_only"] == "yes"  # refused for what looks at all that lists show
    scores = case.evaluate([metric for metric in metrics if not (condensed and metric.of_items)], **policies)
    read = {name: pc.from_signature(scores.signature(name)) for name in scores}
    again = case.evaluate(list(read.values()), **other)
    for name, signed in read.items():
        assert same(scores[name], again[signed.name])
        assert again.signature(signed.name) == scores.signature(name)
        assert "\n" not in scores.signature(name)


@pytest.mark.sweep
@given(
    table=drawn_labels.tables(groups=True),
    threshold=st.sampled_from([0.25, 0.5]),
    compare=st.sampled_from(["ge", "gt"]),
    undefined=st.sampled_from(["skip", "zero", "nan"]),
)
def test_labels_come_back(table: Any, threshold: float, compare: str, undefined: str) -> None:
    metrics = [metric for metric in drawn_labels.ALL if metric.uses != "probabilities"]
    data: dict[str, Any] = {"group": table.groups, "weight": table.weights, "positive": 1}
    scores = pc.evaluate_binary(
        table.labels,
        table.scores,
        metrics,
        threshold=threshold,
        compare=compare,  # type: ignore[arg-type]
        undefined=undefined,  # type: ignore[arg-type]
        **data,
    )
    read = {name: pc.from_signature(scores.signature(name)) for name in scores}
    again = pc.evaluate_binary(table.labels, table.scores, list(read.values()), **data)
    for name, signed in read.items():
        assert same(scores[name], again[signed.name])
        assert again.signature(signed.name) == scores.signature(name)


@pytest.mark.parametrize("task", ["multiclass", "regression"])
def test_classes_and_numbers_come_back(task: str) -> None:
    proba = [[0.7, 0.2, 0.1], [0.1, 0.2, 0.7], [0.2, 0.5, 0.3], [0.3, 0.4, 0.3]]
    for name, kind in registry(task).items():
        spelled = kind.about.example[0]
        if task == "regression":
            numbers, users = ([3, 0.5, 2, 7], [2.5, 0.1, 2, 8]), [*"uuvv"]
            scores: Any = pc.evaluate_regression(*numbers, [spelled], undefined="zero", group=users)
            again: Any = pc.evaluate_regression(*numbers, pc.from_signature(scores.signature(spelled)), group=users)
        else:
            data: dict[str, Any] = {"proba": proba, "labels": ["a", "b|c", "d"]}
            true = ["a", "d", "b|c", "a"]
            scores = pc.evaluate_multiclass(true, None, [spelled], undefined="zero", **data)
            again = pc.evaluate_multiclass(true, None, pc.from_signature(scores.signature(spelled)), **data)
        assert same(next(iter(scores.values())), next(iter(again.values()))), name


def test_the_line() -> None:
    scores = pc.evaluate_ranking({"q": {"a": 1}}, {"q": ["a"]}, "ndcg@10")
    assert scores.signature("ndcg@10") == EXAMPLE
    assert scores.differences("ndcg@10") == ""
    read = pc.from_signature(EXAMPLE)
    assert (read.name, read.id, read.task, read.version) == ("ndcg@10", "ndcg@10", "ranking", pc.__version__)


def test_every_choice_of_the_call_gives_way() -> None:
    truth, run = {"q": {"a": 2, "b": 1}, "r": {"a": 1}}, {"q": {"b": 1, "a": 1}}
    pinned = pc.from_signature(pc.evaluate_ranking(truth, run, "rr", ties="worst", missing="skip").signature("rr"))
    calls: tuple[dict[str, Any], ...] = ({}, {"ties": "best"}, {"missing": "zero", "relevant": 2})
    for call in calls:
        assert pc.evaluate_ranking(truth, run, pinned, **call)["rr"] == 1.0


def test_names_of_classes_and_columns_are_untrusted() -> None:
    labels, scores = ["是|a\n", "否:b%", "是|a\n"], [0.2, 0.4, 0.9]
    line = pc.evaluate_binary(labels, scores, "f1", positive="是|a\n").signature("f1")
    assert "positive:是%7Ca%0A" in line
    assert pc.from_signature(line).given["positive"] == "是|a\n"
    users, amounts = ["u", "u", "u"], [1.0, 2.0, 3.0]
    scored = pc.evaluate_binary([1, 0, 1], scores, "gauc(by=a|b)", group=users, group_weight={"a|b": amounts})
    signed = pc.from_signature(scored.signature("gauc(by=a|b)"))
    assert signed.metric.by == "a|b"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ndcg@10", "'ndcg@10' is no signature"),
        ("", "'' is no signature"),
        (None, "None is no signature"),
        (EXAMPLE.rpartition("|")[0], f"does not end with the version (pingce:{pc.__version__}): is it cut off?"),
        (
            EXAMPLE.replace(pc.__version__, "0.99.0"),
            f"of pingce 0.99.0, newer than this pingce {pc.__version__}; upgrade to read it",
        ),
        (EXAMPLE.replace(pc.__version__, "10.0"), "of pingce 10.0, newer than this"),
        (EXAMPLE.replace(pc.__version__, "new"), "does not end with the version"),
        (EXAMPLE.replace("ndcg", "ndgc"), "unknown metric 'ndgc'; did you mean 'ndcg'?"),
        (EXAMPLE.replace("|ties:id", ""), "it does not say ties"),
        (EXAMPLE.replace("ideal", "idea"), "it does not say ideal"),
        (EXAMPLE.replace("|rel:1", "|rel:1|x:2"), "it says x"),
        (EXAMPLE.replace("|rel:1", "|rel:1|rel:1"), "a choice is said twice"),
        (EXAMPLE.replace("|rel:1", "|rel"), "cannot read 'rel'"),
        (EXAMPLE.replace("ties:id", "ties:idd"), "ties='idd': choose one of"),
        (EXAMPLE.replace("gain:exp2", "gain:exp3"), "gain=exp3: choose one of"),
        (EXAMPLE.replace("@10", "@ten"), "k must be a whole number"),
    ],
)
def test_what_is_no_signature(line: Any, said: str) -> None:
    with pytest.raises(pc.InputError) as problem:
        pc.from_signature(line)
    assert said in problem.value.text.en


def test_data_that_is_not_what_the_signature_says() -> None:
    line = pc.evaluate_binary([1, 0], [0.9, 0.2], "auc").signature("auc")
    signed = pc.from_signature(line)
    with pytest.raises(pc.InputError, match=r"made with weight:none, here it is weight:given"):
        pc.evaluate_binary([1, 0], [0.9, 0.2], signed, weight=[1, 2])
    with pytest.raises(pc.InputError, match=r"made with positive:1, here it is positive:2; say the same positive="):
        pc.evaluate_binary([2, 1], [0.9, 0.2], signed)
    import numpy as np

    with pytest.raises(pc.InputError, match=r"score_type:float64, here it is score_type:float32"):
        pc.evaluate_binary([1, 0], np.array([0.9, 0.2], np.float32), signed)
    truth, run = {"q": {"a": 1}}, {"q": ["b", "a"]}
    excluded = pc.from_signature(pc.evaluate_ranking(truth, run, "rr", exclude=[("q", "b")]).signature("rr"))
    with pytest.raises(pc.InputError, match=r"exclude:given, here it is exclude:none"):
        pc.evaluate_ranking(truth, run, excluded)
    with pytest.raises(pc.InputError, match="is a metric of rankings, not of numbers"):
        pc.evaluate_regression([1, 2], [1, 2], excluded)


@pytest.mark.parametrize("version", ["0.98.0rc1", "0.98.0.dev3", "1.0"])
def test_versions_before_a_release(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    monkeypatch.setattr("pingce.scores.signature.__version__", version)
    line = pc.evaluate_ranking({"q": {"a": 1}}, {"q": ["a"]}, "ndcg@10").signature("ndcg@10")
    assert pc.from_signature(line).version == version
    assert pc.from_signature(EXAMPLE).version == pc.__version__
    monkeypatch.undo()
    with pytest.raises(pc.InputError, match="newer than this pingce"):
        pc.from_signature(line)
    with pytest.raises(pc.InputError, match="does not end with the version"):
        pc.from_signature(EXAMPLE.replace(pc.__version__, "٠.١.٠"))


def test_a_signature_is_a_name_of_a_metric() -> None:
    truth, run = {"q": {"a": 3, "b": 1}}, {"q": ["b", "a"]}
    line = pc.evaluate_ranking(truth, run, "dcg(gain={1:1,3:5})@10", ties="worst").signature("dcg(gain={1:1,3:5})@10")
    scores = pc.evaluate_ranking(truth, run, [line, "rr"])
    assert list(scores) == ["dcg(gain={1:1,3:5})@10", "rr"]
    assert scores.signature("dcg(gain={1:1,3:5})@10") == line
    assert pc.explain(line, truth, run).value == scores["dcg(gain={1:1,3:5})@10"]


def test_versions_have_a_longest_one() -> None:
    """What is tried against a bounded pattern takes no longer however long it is."""
    longest = ".".join(["9" * 9] * 10) + "a" * 99
    with pytest.raises(pc.InputError, match="newer than this pingce"):
        pc.from_signature(f"ndcg@10|gain:exp2|pingce:{longest}")
    for version in (longest + "a", "1" * 120_000 + "!", "1." * 60_000 + "!", "0.1.0" + "a" * 120_000 + "!"):
        with pytest.raises(pc.InputError, match="is it cut off"):
            pc.from_signature(f"ndcg@10|gain:exp2|pingce:{version}")


def test_what_hardly_anyone_changes_is_said_where_it_is_changed() -> None:
    names = {"r_precision": "r_precision|rel:1", "r_precision(times=2)": "r_precision|times:2|rel:1"}
    scores = pc.evaluate_ranking({"q": {"a": 1}}, {"q": {"a": 1.0}}, list(names))
    assert [scores.signature(name).partition("|ties")[0] for name in names] == list(names.values())
