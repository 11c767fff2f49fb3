"""What is compared: a document of every task, with each word of each parameter of each metric that the data can have."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import pingce as pc
from pingce.metrics.declared import registry
from pingce.metrics.parameters import Choice

from .data import predictions, rankings

RANKINGS = rankings()
TABLE = pa.table(predictions())
PROBA = np.stack([TABLE[name].to_numpy() for name in "abc"], axis=1)
TIES = ("id", "worst", "expected")
CURVES = ("roc", "pr", "det", "cost", "lift", "gain", "ks", "calibration")
INTERVAL = {"ci": 0.95, "samples": 200}
RUN = {
    "train": RANKINGS.train,
    "catalog": RANKINGS.catalog,
    "items": pa.table(RANKINGS.items),
    "reference": RANKINGS.runs["old"],
}


def rows_of(task: str) -> dict[str, Callable[..., Any]]:
    """The calls of a task of rows, by name."""
    both = {"logged_estimate": "logged_estimate", "target_estimate": "target_estimate"}
    calls: dict[str, tuple[str, str | None, dict[str, Any]]] = {
        "binary": ("click", "pctr", {"group": "user"}),
        "multiclass": ("species", None, {"proba": PROBA, "labels": list("abc")}),
        "regression": ("price", "forecast", {"group": "user"}),
        "uplift": ("click", "pctr", {"treatment": "treatment", "propensity": "propensity"}),
        "offpolicy": ("click", "pctr", {"propensity": "propensity", **both}),
        "multilabel": ("click", "pctr", {"row": "row", "tag": "tag"}),
    }
    true, predicted, options = calls[task]
    call = partial(getattr(pc, f"evaluate_{task}"), true, predicted, data=TABLE, **options)
    weighted = {} if task == "multilabel" else {"weighted": partial(call, weight="weight")}
    return {"plain": call, **weighted}


def calls_of(task: str) -> dict[str, Callable[..., Any]]:
    """The calls of a task, by name: each takes metrics and more keywords."""
    if task != "ranking":
        return rows_of(task)
    evaluate = partial(pc.evaluate_ranking, RANKINGS.truth, RANKINGS.runs["new"], **RUN)
    return {ties: partial(evaluate, ties=ties) for ties in TIES}


def spellings(task: str) -> Iterator[Any]:
    """Every metric of a task, and with each word of each parameter."""
    for kind in registry(task).values():
        yield kind.about.example[0]
        for parameter in kind.parameters():
            check = parameter.metadata["check"]
            for word in check.words if isinstance(check, Choice) else ():
                with suppress(pc.InputError):  # one that goes with another parameter only
                    yield kind.make(**{parameter.name: word})


def fitting(call: Callable[..., Any], metrics: list[Any]) -> list[Any]:
    """Those of the metrics that the call does not refuse, found by halves: most fit."""
    try:
        call(metrics)
    except pc.InputError:
        middle = len(metrics) // 2
        return [*fitting(call, metrics[:middle]), *fitting(call, metrics[middle:])] if middle else []
    return metrics


def evaluations(task: str) -> Iterator[tuple[str, str]]:
    """Documents of all metrics, and of the usual ones with intervals."""
    for name, call in calls_of(task).items():
        fit = fitting(call, list(spellings(task)))
        units = {"per_query": True} if task == "ranking" else {}
        yield f"{task}-{name}", call(fit).to_json(**units)
        yield f"{task}-{name}-intervals", call(None, **INTERVAL).to_json()


def comparisons() -> Iterator[tuple[str, str]]:
    """Two models against each other, by every test."""
    for test in ("permutation", "t", "wilcoxon"):
        compared = pc.compare(RANKINGS.truth, RANKINGS.runs, test=test, samples=500)
        yield f"compare-ranking-{test}", compared.to_json(per_query=True)
    models = {"old": "other", "new": "pctr"}
    yield "compare-binary", pc.compare("click", models, task="binary", data=TABLE, group="user").to_json()
    numbers = {"old": "pctr", "new": "forecast"}
    yield "compare-regression", pc.compare("price", numbers, task="regression", data=TABLE).to_json()


def curves() -> Iterator[tuple[str, str]]:
    """Every curve of labels and scores."""
    for kind in CURVES:
        curve = getattr(pc, f"{kind}_curve")("click", "pctr", data=TABLE)
        yield f"curve-{kind}", json.dumps(curve.table.to_pydict(), indent=1)


def reports(folder: Path) -> None:
    """Pages of rankings and of labels."""
    pc.report(RANKINGS.truth, RANKINGS.runs, path=folder / "report-ranking.html", samples=500)
    models = {"old": "other", "new": "pctr"}
    pc.report("click", models, task="binary", data=TABLE, group="user", path=folder / "report-binary.html")


def write_documents(folder: Path) -> int:
    """Write all of them; how many."""
    folder.mkdir(parents=True, exist_ok=True)
    for task in ("ranking", "binary", "multiclass", "regression", "uplift", "offpolicy", "multilabel"):
        for name, text in evaluations(task):
            (folder / f"{name}.json").write_text(text, "utf-8")
    for name, text in (*comparisons(), *curves()):
        (folder / f"{name}.json").write_text(text, "utf-8")
    reports(folder)
    return len(list(folder.iterdir()))
