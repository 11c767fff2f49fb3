"""What a release signs and saves, frozen, so that later ones are held to read it: python scripts/freeze_release.py FILE.json.

Run it with the release itself on the path. It uses public names only, and data that is written here.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path
from typing import Any

import pingce as pc

TRUTH = {"q1": {"a": 3, "b": 1, "c": 0}, "q2": {"d": 2, "e": 1}, "q3": {"f": 1}}
RUN = {"q1": {"a": 9.0, "x": 8.0, "b": 7.0}, "q2": {"e": 5.0, "d": 5.0}, "q9": {"d": 4.0}}
LABELS, SCORES = [1, 0, 1, 0, 0, 1, 0, 1], [0.9, 0.2, 0.4, 0.5, 0.1, 0.8, 0.4, 0.3]
GROUPS = ["u", "u", "u", "v", "v", "v", "w", "w"]
CLASSES = (["cat", "dog", "eel", "cat", "dog", "eel"], ["cat", "dog", "cat", "cat", "eel", "eel"])
NUMBERS = ([3.0, 0.5, 2.0, 7.0, 1.5], [2.5, 0.25, 2.0, 8.0, 1.0])


def names_of(task: str) -> list[str]:
    """The example of each metric, as its documentation spells it."""
    return [kind.about.example[0] for kind in pc.registry(task).values()]


def evaluations(task: str) -> list[tuple[dict[str, Any], Any]]:
    """Options of several calls of a task, with the function that makes the scores of some metrics."""
    if task == "ranking":
        choices: list[dict[str, Any]] = [{}, {"ties": "worst", "missing": "skip", "relevant": 2}, {"undefined": "zero"}]
        return [(each, lambda names, each=each: pc.evaluate_ranking(TRUTH, RUN, names, **each)) for each in choices]
    if task == "binary":
        choices = [{"group": GROUPS}, {"group": GROUPS, "threshold": 0.4, "compare": "gt"}]
        return [(each, lambda names, each=each: pc.evaluate_binary(LABELS, SCORES, names, **each)) for each in choices]
    if task == "multiclass":
        return [({}, lambda names: pc.evaluate_multiclass(*CLASSES, names))]
    return [({}, lambda names: pc.evaluate_regression(*NUMBERS, names))]


def frozen(task: str) -> dict[str, Any]:
    """Signatures of every metric that this data can have, and a document of each call with the value of each unit."""
    signatures: dict[str, float | None] = {}
    documents = []
    for _, evaluate in evaluations(task):
        names = []
        for name in names_of(task):
            try:
                evaluate([name])
            except pc.InputError:  # it needs tables, probabilities or columns that are not here
                continue
            names.append(name)
        document = json.loads(
            evaluate(names).to_json(per_query=True) if task == "ranking" else evaluate(names).to_json()
        )
        signatures |= {metric["signature"]: metric["value"] for metric in document["metrics"]}
        documents.append(document)
    return {"signatures": signatures, "documents": documents}


def main() -> None:
    """Write the file."""
    warnings.simplefilter("ignore")
    tasks = {task: frozen(task) for task in ("ranking", "binary", "multiclass", "regression")}
    text = json.dumps(
        {"version": pc.__version__, "tasks": tasks}, ensure_ascii=False, sort_keys=True, separators=(",", ":")
    )
    Path(sys.argv[1]).write_text(text + "\n", encoding="utf-8")
    print({task: (len(each["signatures"]), len(each["documents"])) for task, each in tasks.items()})


if __name__ == "__main__":
    main()
