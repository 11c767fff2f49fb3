"""The table of the net: a value for every keyword of every task's call, and values that every call refuses."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from pingce.tasks import TASKS

from .data import Data

METRICS = {
    "ranking": ["ndcg@5", "mrr", "map"],
    "binary": ["auc", "f1", "logloss"],
    "multiclass": ["accuracy", "f1(average=macro)", "precision(average=macro)"],
    "regression": ["rmse", "mae"],
    "uplift": ["qini", "auuc", "uplift@0.3"],
    "offpolicy": ["ips", "snips(clip=2)", "ess"],
    "multilabel": ["f1", "f1(average=samples)", "lrap", "hamming"],
}
COLUMNS = {
    "binary": ("click", "pctr"),
    "multiclass": ("species", "guess"),
    "regression": ("price", "forecast"),
    "uplift": ("click", "pctr"),
    "offpolicy": ("click", "pctr"),
    "multilabel": ("click", "pctr"),
}


class Use(NamedTuple):
    """How a keyword is tried: with a value, beside which other keywords, and by which metrics."""

    value: Any
    beside: Mapping[str, Any] = MappingProxyType({})
    metrics: list[str] | None = None

    def options(self, keyword: str, data: Data) -> dict[str, Any]:
        """The keywords of the call; values that are functions are made of the data."""
        return {
            name: value(data) if callable(value) else value
            for name, value in {keyword: self.value, **self.beside}.items()
        }


CLASSES = ["cat", "dog", "eel"]


def probabilities(data: Data) -> Any:
    """A row for each row of the predictions, a column for each class."""
    table = data.table("predictions")
    return np.stack([table[name].to_numpy() for name in CLASSES], axis=1)


def revenue(data: Data) -> Any:
    """A column by which groups are weighed."""
    return {"revenue": data.table("predictions")["weight"].to_numpy()}


def _policies(task: str) -> dict[str, Use]:
    """Every policy with its second value, where it has a few; others stand in the table."""
    return {name: Use(values[1]) for name, values in TASKS[task].load("policies").choices.items()}


_COMMON: dict[str, Use] = {
    "weight": Use("weight"),
    "sample_weight": Use("weight"),
    "convention": Use("sklearn"),
    "ci": Use(0.9, {"samples": 20}),
    "samples": Use(30, {"ci": 0.9}),
    "seed": Use(5, {"ci": 0.9, "samples": 20}),
    "by": Use("part"),
    "min_n": Use(100, {"by": "part"}),
    "data": Use(lambda data: data.path("predictions")),
    "input_format": Use("parquet"),
    "encoding": Use("utf-8"),
    "memory": Use("1GB"),
    "tmpdir": Use(lambda data: data.folder),
    "threads": Use(1),
}
TABLE: dict[str, dict[str, Use]] = {
    "ranking": {
        "convention": Use("ranx"),
        **_policies("ranking"),
        "relevant": Use(2),
        "ties": Use("worst"),
        "duplicates": Use("best"),
        "judged_only": Use(value=True),
        "unjudged": Use("best"),
        "exclude": Use(lambda data: data.path("exclude")),
        "query_weight": Use(lambda data: data.path("weights")),
        "item_weight": Use("ipw", metrics=["ndcg@5", "mrr", "map", "recall@3", "arp_grade(mode=micro)"]),
        "ci": Use(0.9, {"samples": 20}),
        "samples": Use(30, {"ci": 0.9}),
        "seed": Use(5, {"ci": 0.9, "samples": 20}),
        "train": Use(lambda data: data.path("train"), metrics=["novelty@5", "unseen@3", "ndcg@5"]),
        "catalog": Use(lambda data: data.path("catalog"), metrics=["coverage@5", "gini@3", "ndcg@5"]),
        "reference": Use(lambda data: data.path("reference"), metrics=["overlap@5", "jaccard@3", "ndcg@5"]),
        "by": Use("activity"),
        "min_n": Use(1, {"by": "activity"}),
        "data": Use(None),
        "sizes": Use(None),
        "queries": Use(None),
        "items": Use(lambda data: data.path("items"), metrics=["ild@5", "category_diversity@3", "ndcg@5"]),
        "columns": Use({"truth.grade": "grade", "run.score": "score"}),
        "input_format": Use("parquet"),
        "encoding": Use("utf-8"),
        "threads": Use(1),
        "memory": Use("1GB"),
        "tmpdir": Use(lambda data: data.folder),
    },
    "binary": {
        **_COMMON,
        **_policies("binary"),
        "group": Use("user", metrics=["gauc", "auc"]),
        "group_weight": Use(revenue, {"group": "user"}, ["gauc(by=revenue)"]),
        "threshold": Use(0.3),
        "compare": Use("gt", {"threshold": 0.5}),
        "positive": Use(0),
        "undefined": Use("one", {"threshold": 2.0}, ["precision", "f1"]),
        "field": Use("part"),
        "cost": Use("fp=1,fn=20"),
        "bins": Use(4096, metrics=["auc", "ks"]),
    },
    "multiclass": {
        **_COMMON,
        **_policies("multiclass"),
        "proba": Use(probabilities, {"labels": CLASSES}, metrics=["accuracy", "logloss"]),
        "undefined": Use("skip"),
        "labels": Use(["eel", "dog", "cat"]),
        "undefined_class": Use("one"),
    },
    "regression": {
        **_COMMON,
        **_policies("regression"),
        "group": Use("user", metrics=["xgauc", "mae"]),
        "group_weight": Use(revenue, {"group": "user"}, ["xgauc(by=revenue)"]),
        "undefined": Use("zero", metrics=["mape"]),
    },
    "uplift": {
        **_COMMON,
        **_policies("uplift"),
        "convention": Use("causalml", metrics=["qini", "auuc"]),
        "treatment": Use("other_treatment"),
        "propensity": Use("propensity"),
        "undefined": Use("zero", metrics=["uplift(by=arm,cut=floor)@0.0001", "qini"]),
    },
    "offpolicy": {
        **_COMMON,
        **_policies("offpolicy"),
        "convention": Use("obp", metrics=["ips", "snips"]),
        "propensity": Use("other_propensity"),
        "logged_estimate": Use("logged_estimate", {"target_estimate": "target_estimate"}, ["dr", "sndr"]),
        "target_estimate": Use("target_estimate", {"logged_estimate": "logged_estimate"}, ["dm", "dr(shrink=3)"]),
        "undefined": Use("one", metrics=["snips(switch=0.0001)", "ips"]),
    },
    "multilabel": {
        **_COMMON,
        **_policies("multilabel"),
        "row": Use("other_row", {"tag": "part_tag"}),
        "tag": Use("other_tag", metrics=["f1(label=art)", "lrap"]),
        "labels": Use(["dot", "cat", "bus", "art"]),
        "weight": Use("row_weight"),
        "sample_weight": Use("row_weight"),
        "by": Use("row_part"),
        "min_n": Use(100, {"by": "row_part"}),
        "threshold": Use(0.3),
        "compare": Use("gt", {"threshold": 0.5}),
        "undefined": Use("one", {"threshold": 2.0}, ["precision(average=micro)", "f1"]),
        "undefined_label": Use("one", {"threshold": 2.0}, ["precision"]),
    },
}
REFUSED: dict[str, dict[str, Any]] = {
    name: dict.fromkeys((*task.load("policies").declarations(), "convention"), "wrong") for name, task in TASKS.items()
}
REFUSED["ranking"]["relevant"] = -1
