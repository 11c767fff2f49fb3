"""The keywords of every task on Spark: the document of the local call, or the refusal that every call gives."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import pingce.spark
from net.data import Data, write_data
from net.entrances import CALLS, answer_in, answer_of, keywords, names_of
from net.keywords import CLASSES, COLUMNS, METRICS, REFUSED, TABLE, probabilities
from pingce.base.errors import InputError
from pingce.tasks import TASKS
from pingce.tasks.options import OptionError

from .made import frame

SPARK_CALLS = {task: getattr(pingce.spark, f"evaluate_{task}") for task in TASKS}
_ROLES = {task: ("label", "score" if "score" in names_of(call) else "prediction") for task, call in SPARK_CALLS.items()}
Evaluation = tuple[dict[str, Any], list[str] | None]
TOGETHER: dict[str, list[Evaluation]] = {
    "ranking": [
        ({"columns": TABLE["ranking"]["columns"].value}, None),
        ({"convention": "ranx", "ties": "id"}, None),
        ({name: TABLE["ranking"][name].value for name in ("exclude", "query_weight", "by", "min_n")}, None),
        ({"ci": 0.9, "samples": 20, "seed": 5}, None),
        ({"unjudged": "best"}, None),
        ({"item_weight": "ipw"}, ["ndcg@5", "mrr", "map", "dcg", "arp_grade(mode=micro)"]),
        ({name: TABLE["ranking"][name].value for name in ("train", "catalog", "items", "reference")}, ["ild@5", "overlap@3", "coverage@5", "novelty@5", "unseen@3", "entropy", "ndcg@5"]),
    ],
    "binary": [
        ({"group": "user", "weight": "weight", "threshold": 0.3, "compare": "gt", "positive": 0}, ["gauc", "auc", "f1"]),
        ({"convention": "sklearn", "undefined": "one", "threshold": 2.0}, ["precision", "f1"]),
        ({"bins": 4096, "sample_weight": "weight"}, ["auc", "ks"]),
        ({"by": "part", "min_n": 100}, ["auc", "logloss", "f1"]),
        ({"field": "part", "cost": "fp=1,fn=20"}, ["auc", "logloss"]),
        ({"ci": 0.9, "samples": 20, "seed": 5}, ["auc", "f1"]),
    ],
    "multiclass": [
        ({"undefined": "skip", "weight": "weight"}, None),
        ({"undefined_class": "one", "labels": ["eel", "dog", "cat"], "sample_weight": "weight"}, None),
        ({"proba": CLASSES, "labels": CLASSES, "convention": "sklearn"}, ["accuracy", "logloss"]),
        ({"by": "part", "min_n": 100, "ci": 0.9, "samples": 20, "seed": 5}, ["accuracy", "f1"]),
    ],
    "regression": [
        ({"weight": "weight", "undefined": "zero"}, ["mape", "rmse"]),
        ({"sample_weight": "weight", "convention": "sklearn"}, ["rmse", "mae"]),
        ({"group": "user"}, ["xgauc", "xauc"]),
        ({"by": "part", "min_n": 100, "ci": 0.9, "samples": 20, "seed": 5}, ["mae", "rmse"]),
    ],
    "uplift": [
        ({"treatment": "other_treatment", "propensity": "propensity", "weight": "weight"}, None),
        ({"sample_weight": "weight", "convention": "causalml", "by": "part", "min_n": 100}, ["qini", "auuc"]),
        ({"ci": 0.9, "samples": 20, "seed": 5}, None),
    ],
    "offpolicy": [
        ({"propensity": "other_propensity", "logged_estimate": "logged_estimate", "target_estimate": "target_estimate", "weight": "weight"}, ["ips", "dr", "sndr", "snips(switch=0.0001)"]),
        ({"sample_weight": "weight", "convention": "obp", "by": "part", "min_n": 100}, ["ips", "snips"]),
        ({"ci": 0.9, "samples": 20, "seed": 5}, None),
    ],
    "multilabel": [
        ({"row": "other_row", "tag": "part_tag", "compare": "gt"}, None),
        ({"weight": "row_weight"}, ["f1", "lrap"]),
        ({"sample_weight": "row_weight", "convention": "sklearn", "by": "row_part", "min_n": 100, "labels": ["dot", "cat", "bus", "art"]}, ["f1_score(average='macro')", "hamming_loss"]),
        ({"ci": 0.9, "samples": 20, "seed": 5}, None),
        ({"undefined": "one", "undefined_label": "one", "threshold": 2.0}, ["precision", "auc", "pr_auc(average=micro)"]),
    ],
}  # fmt: skip
"As few evaluations as have every keyword of every call: those of one evaluation do not hide each other."
ON_SPARK = {"extra", "data", "corrected"}
"Tried elsewhere: what executors refuse, what stands first here, and what needs lists of one relevant item (test_ranking.py)."


def _with_policies(task: str, together: list[Evaluation]) -> list[Evaluation]:
    """The evaluations of a task, of which the first also has the policies that none of the others tries."""
    (options, metrics), *others = together
    tried = ON_SPARK.union(*(each for each, _ in others))
    policies = {name: TABLE[task][name].value for name in TASKS[task].load("policies").declarations()}
    return [({name: value for name, value in policies.items() if name not in tried} | options, metrics), *others]


TOGETHER = {task: _with_policies(task, evaluations) for task, evaluations in TOGETHER.items()}
BESIDE = {
    "exclude": "exclude",
    "query_weight": "weights",
    "train": "train",
    "catalog": "catalog",
    "items": "items",
    "reference": "reference",
}
"Tables beside truth and run."


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Data:
    return write_data(tmp_path_factory.mktemp("net"))


def on_spark(spark: Any, data: Data, task: str, metrics: list[str], options: dict[str, Any]) -> Any:
    if task == "ranking":
        sides = [frame(spark, data.table(name)) for name in ("truth", "run")]
        frames = {name: frame(spark, data.table(BESIDE[name])) for name in BESIDE if name in options}
        return SPARK_CALLS[task](*sides, metrics, **options | frames)
    options = {role: role for role in TASKS[task].columns.required()} | options
    roles = dict(zip(_ROLES[task], COLUMNS[task], strict=True))
    if "proba" in options:
        del roles["prediction"]
    return SPARK_CALLS[task](frame(spark, data.table("predictions")), metrics, **roles, **options)


def at_home(data: Data, task: str, metrics: list[str], options: dict[str, Any]) -> Any:
    if task == "ranking":
        options = options | {name: data.path(BESIDE[name]) for name in BESIDE if name in options}
        return CALLS[task](data.path("truth"), data.path("run"), metrics, **options)
    true, predicted = COLUMNS[task]
    options = {role: role for role in TASKS[task].columns.required()} | options
    if "proba" in options:
        options = {**options, "proba": probabilities(data)}
    given = None if "proba" in options else predicted
    return CALLS[task](true, given, metrics, data=data.path("predictions"), **options)


@pytest.mark.parametrize("task", TASKS)
def test_every_keyword_is_tried(task: str) -> None:
    tried = {name for options, _ in TOGETHER[task] for name in options} | ON_SPARK
    assert tried >= set(keywords(task)) & names_of(SPARK_CALLS[task])


@pytest.mark.parametrize(("task", "at"), [(task, at) for task, uses in TOGETHER.items() for at in range(len(uses))])
def test_the_document_is_that_of_the_local_call(task: str, at: int, spark: Any, data: Data) -> None:
    options, metrics = TOGETHER[task][at]
    metrics = metrics or METRICS[task]
    found = answer_in(json.loads(on_spark(spark, data, task, metrics, options).to_json()))
    assert found.document == answer_of(at_home(data, task, metrics, options)).document


@pytest.mark.parametrize("task", TASKS)
def test_what_spark_does_not_offer_and_wrong_values_are_refused_in_the_same_words(
    task: str, spark: Any, data: Data
) -> None:
    for name in set(keywords(task)) - names_of(SPARK_CALLS[task]):
        with pytest.raises(OptionError) as refused:
            on_spark(spark, data, task, METRICS[task], {name: 1})
        way_out = rf"{name}= is no option of pingce\.spark\.evaluate_{task}; pc\.evaluate_{task} has it"
        assert re.fullmatch(way_out, refused.value.text.en)
        assert f"{name}= 不是 pingce.spark.evaluate_{task} 的选项；pc.evaluate_{task} 有该选项" == refused.value.text.zh
    for name, value in REFUSED[task].items():
        with pytest.raises(InputError) as here:
            at_home(data, task, METRICS[task], {name: value})
        with pytest.raises(InputError) as there:
            on_spark(spark, data, task, METRICS[task], {name: value})
        assert there.value.text == here.value.text


def test_a_side_that_was_named_is_not_taken_for_the_other(spark: Any, tmp_path: Path) -> None:
    """A truth with fractions and a run with small whole numbers look swapped, unless the grades are named."""
    import pyarrow as pa

    pairs = [(f"q{query}", f"d{item}") for query in range(30) for item in range(40)]
    queries, items = (pa.array([pair[side] for pair in pairs]) for side in (0, 1))
    truth = pa.table(
        {"query": queries, "item": items, "score": [0.001 * (place * 37 % 997) + 1e-4 for place in range(1200)]}
    )
    run = pa.table({"query": queries, "item": items, "rating": [place % 4 for place in range(1200)]})
    sides = frame(spark, truth), frame(spark, run)
    with pytest.raises(InputError, match="look swapped"):
        SPARK_CALLS["ranking"](*sides, ["ndcg@10"])
    named = {"truth.grade": "score"}
    assert SPARK_CALLS["ranking"](*sides, ["ndcg@10"], columns=named)["ndcg@10"] > 0
