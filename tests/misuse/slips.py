"""What newcomers do wrong, a line each: how the slip is made, what must happen, and what the sentence must name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd

import pingce as pc

from .data import (
    A_FIFTH,
    CHANCES,
    CLASS_CHANCES,
    CLASSES,
    ESTIMATES,
    FEW_ITEMS,
    GRADES,
    GROUPS,
    GUESSES,
    LABELS,
    LOGITS,
    MANY_ITEMS,
    NUMBERS,
    ONE_EACH,
    SCORES,
    TOP_ITEMS,
    binary,
    long,
    ndcg,
    numbered,
    run,
    table,
    truth,
)

Outcome = Literal["refused", "warned", "noted", "right"]


@dataclass(frozen=True)
class Slip:
    """One mistake. `names` stand in the sentence in either language; `value` is the number where there is one."""

    title: str
    make: Callable[[Path], Any]
    outcome: Outcome
    names: tuple[str, ...] = ()
    value: float | None = None


RIGHT = ndcg(GRADES, SCORES)["ndcg@10"]
"What every ranking slip that can be understood must give."

INDEXED = pd.Series(CHANCES, index=range(len(CHANCES) - 1, -1, -1))
CLICKS = pd.DataFrame({"click": LABELS, "pctr": CHANCES, "user": GROUPS})


def refused(title: str, make: Callable[[Path], Any], *names: str) -> Slip:
    """A slip with two likely readings, or none."""
    return Slip(title, make, "refused", names)


def warned(title: str, make: Callable[[Path], Any], *names: str) -> Slip:
    """A slip that gives a right number which its reader may take for another."""
    return Slip(title, make, "warned", names)


def noted(title: str, make: Callable[[Path], Any], *names: str, value: float | None = None) -> Slip:
    """A slip that is understood, and said."""
    return Slip(title, make, "noted", names, value)


def right(title: str, make: Callable[[Path], Any], value: float = RIGHT) -> Slip:
    """A slip that changes nothing."""
    return Slip(title, make, "right", (), value)


ARGUMENTS = [
    refused(
        "queries of rows beside sizes",
        lambda _: pc.evaluate_ranking([1, 0, 1], [3, 2, 1], "ndcg@3", queries=[1, 1, 2], sizes=[2, 1]),
        "queries=",
        "sizes=",
    ),
    noted(
        "a group of no rows",
        lambda _: pc.evaluate_ranking([1, 0, 1, 0], [4, 3, 2, 1], "ndcg@3", sizes=[2, 0, 2]),
        "sizes=",
        value=1,
    ),
    right(
        "items by the name of a column",
        lambda _: pc.evaluate_ranking(
            "y", "s", "ndcg@3", data={"q": [1, 1], "it": [1, 2], "y": [1, 0], "s": [2, 1]}, queries="q", items="it"
        ),
        value=1,
    ),
    refused("costs as a dict", lambda _: binary(LABELS, CHANCES, cost={"fp": 1, "fn": 20}), "cost=", "'fp=1,fn=20'"),
    refused("a field of values", lambda _: binary(LABELS, CHANCES, field=list(LABELS)), "field=", "data="),
    refused("a field of no table", lambda _: binary(LABELS, CHANCES, field=["x"]), "'x'", "data=", "field="),
    refused(
        "a metric of several labels",
        lambda _: pc.evaluate_ranking(GRADES, SCORES, "lrap"),
        "evaluate_multilabel",
        "row=",
    ),
]
SIDES = [
    refused("dicts swapped", lambda _: ndcg(MANY_ITEMS, FEW_ITEMS)),
    refused("frames swapped", lambda _: ndcg(long(MANY_ITEMS), long(FEW_ITEMS, "rating"))),
    refused(
        "files swapped",
        lambda f: ndcg(table(f, "r.csv", long(MANY_ITEMS)), table(f, "q.csv", long(FEW_ITEMS, "rating"))),
        "r.csv",
    ),
    refused("small frames swapped", lambda _: ndcg(run(), truth())),
    refused(
        "integers against strings",
        lambda _: ndcg(numbered(GRADES), {str(u): v for u, v in numbered(SCORES).items()}),
        "1",
        "'1'",
    ),
    refused(
        "leading zeros", lambda _: ndcg(numbered(GRADES), {f"{u:03}": v for u, v in numbered(SCORES).items()}), "'001'"
    ),
    refused(
        "ids turned into floats",
        lambda _: ndcg(long(numbered(GRADES), "grade"), long(numbered(SCORES)).astype({"user_id": float})),
        "'user_id'",
        "double",
    ),
    refused(
        "ids with a space behind", lambda _: ndcg(GRADES, {f"{u} ": v for u, v in SCORES.items()}), "'u1'", "'u1 '"
    ),
    refused("ids in capitals", lambda _: ndcg(GRADES, {u.upper(): v for u, v in SCORES.items()}), "'u1'", "'U1'"),
    refused("ids as bytes", lambda _: ndcg({u.encode(): v for u, v in GRADES.items()}, SCORES), "b'u1'"),
    warned(
        "items of another catalogue",
        lambda _: ndcg(GRADES, {u: {f"{i}!": s for i, s in v.items()} for u, v in SCORES.items()}),
        "'a'",
        "'a!'",
    ),
    warned("most users missing", lambda _: ndcg(ONE_EACH, A_FIFTH), "32", "40", "missing="),
    refused("no run", lambda _: ndcg(GRADES, None), "NoneType"),
    refused("an empty run", lambda _: ndcg(truth(), run()[:0]), "DataFrame"),
    refused("an empty truth", lambda _: ndcg(truth()[:0], run()), "DataFrame"),
    refused("an empty dict", lambda _: ndcg(GRADES, {}), "dict"),
    warned("ratings of which all count as relevant", lambda _: ndcg(FEW_ITEMS, MANY_ITEMS, "map"), "relevant="),
    warned("a grade that nothing reaches", lambda _: ndcg(FEW_ITEMS, MANY_ITEMS, "map", relevant=6), "relevant=6", "5"),
    warned("a truth of zeros", lambda _: ndcg({u: dict.fromkeys(v, 0) for u, v in GRADES.items()}, SCORES), "0"),
]

SHAPES = [
    right("rows in any order", lambda _: ndcg(truth(), run().sample(frac=1, random_state=1))),
    right("lists, best first", lambda _: ndcg(GRADES, {u: list(v) for u, v in SCORES.items()})),
    refused(
        "pairs in lists", lambda _: ndcg(GRADES, {u: list(v.items()) for u, v in SCORES.items()}), "'u1'", "('x', 0.91)"
    ),
    refused("sets, which have no order", lambda _: ndcg(GRADES, {u: set(v) for u, v in SCORES.items()}), "'u1'", "set"),
    refused("a flat dict", lambda _: ndcg({"a": 1, "b": 0}, {"a": 0.9, "b": 0.1}), "'a'", "int"),
    refused("lists by position against ids", lambda _: ndcg(GRADES, [list(v) for v in SCORES.values()]), "'u1'"),
    refused("a matrix against names", lambda _: ndcg(GRADES, TOP_ITEMS), "'u1'"),
    refused("a matrix against ids from 1", lambda _: ndcg({1: [4], 2: [3], 3: [0]}, TOP_ITEMS), "queries="),
    refused("a matrix against other ids", lambda _: ndcg({10: [4], 20: [3], 30: [0]}, TOP_ITEMS), "10"),
    refused("a matrix with other rows", lambda _: ndcg([[4], [3]], TOP_ITEMS), "2", "3"),
    refused(
        "a wide frame", lambda _: ndcg(truth(), run().pivot(index="user_id", columns="item_id", values="score")), "'x'"
    ),
    refused("a series", lambda _: ndcg(truth(), run().score), "Series"),
    refused(
        "an item twice", lambda _: ndcg(truth(), pd.concat([run(), run()[:1]])), "'u1'", "'x'", "40", "duplicates="
    ),
    refused(
        "a judgement twice", lambda _: ndcg(pd.concat([truth(), truth()[:1]]), run()), "'u1'", "'a'", "duplicates="
    ),
    refused(
        "a score that is not a number",
        lambda _: ndcg(truth(), run().assign(score=run().score.where(run().index != 3))),
        "'u1'",
        "'b'",
        "nan=",
    ),
    refused(
        "an id that is null",
        lambda _: ndcg(truth(), run().assign(item_id=run().item_id.where(run().index != 3, None))),
        "3",
        "'item_id'",
    ),
    refused("scores as text", lambda _: ndcg(truth(), run().astype({"score": str})), "'score'", "'0.91'"),
    refused(
        "dates as ids",
        lambda _: ndcg(truth(), run().assign(user_id=pd.Timestamp("2024-01-01"))),
        "'user_id'",
        "timestamp",
    ),
    right("a column of the index left in the file", lambda f: ndcg(truth(), table(f, "r.csv", run().reset_index()))),
    right(
        "ranks from 0",
        lambda _: ndcg(truth(), run().assign(rank=run().groupby("user_id").cumcount()).drop(columns="score")),
    ),
    noted(
        "score and rank disagree",
        lambda _: ndcg(truth(), run().assign(rank=9 - run().groupby("user_id").cumcount())),
        "score=score",
        value=RIGHT,
    ),
]

COLUMNS = [
    right("a score called prob", lambda _: ndcg(truth(), run("prob").sample(frac=1, random_state=1))),
    refused("a score of an unknown name", lambda _: ndcg(truth(), run("my_model")), "'my_model'", "columns="),
    refused("a distance, where less is more", lambda _: ndcg(truth(), run("distance")), "'distance'", "columns="),
    refused(
        "two columns that may be the score",
        lambda _: ndcg(truth(), run("m1").assign(m2=1.0)),
        "'m1'",
        "'m2'",
        "columns=",
    ),
    refused(
        "no item column", lambda _: ndcg(truth(), run().drop(columns="item_id")), "'user_id'", "'score'", "columns="
    ),
    refused(
        "a column that is not there", lambda _: ndcg(truth(), run(), columns={"query": "uid"}), "'uid'", "'user_id'"
    ),
    refused(
        "a role that is not there", lambda _: ndcg(truth(), run(), columns={"querry": "user_id"}), "'querry'", "'query'"
    ),
    refused("a file that is not there", lambda f: ndcg(f / "no.csv", run()), "no.csv"),
    refused("an empty folder", lambda f: ndcg(f, run())),
    refused("semicolons", lambda f: ndcg(truth(), table(f, "r.csv", run(), sep=";")), "r.csv", "';'"),
    refused("tabs in a .csv", lambda f: ndcg(truth(), table(f, "r.csv", run(), sep="\t")), "r.csv"),
    refused("no header in a .csv", lambda f: ndcg(truth(), table(f, "r.csv", run(), header=False)), "r.csv", "'u1'"),
    refused("a header without rows", lambda f: ndcg(truth(), table(f, "r.csv", run()[:0])), "r.csv"),
    noted(
        "user item score without a header",
        lambda f: ndcg(truth(), table(f, "r.txt", run(), header=False, sep=" ")),
        "r.txt",
        value=RIGHT,
    ),
    refused("decimal commas", lambda f: ndcg(truth(), table(f, "r.csv", run(), sep=";", decimal=",")), "r.csv"),
]

NAMES = [
    refused("k of 0", lambda _: ndcg(GRADES, SCORES, "ndcg@0"), "ndcg@0"),
    refused("k below 0", lambda _: ndcg(GRADES, SCORES, "ndcg@-5"), "'-5'"),
    refused("half a k", lambda _: ndcg(GRADES, SCORES, "ndcg@1.5"), "'1.5'"),
    refused("k in words", lambda _: ndcg(GRADES, SCORES, "ndcg@ten"), "'ten'"),
    refused("a slip of the pen", lambda _: ndcg(GRADES, SCORES, "ndgc@10"), "'ndgc'", "'ndcg'"),
    refused("no @", lambda _: ndcg(GRADES, SCORES, "NDCG10"), "'NDCG10'", "'ndcg'"),
    refused("a metric of another task", lambda _: ndcg(GRADES, SCORES, "auc"), "'auc'"),
    refused("a ranking metric for clicks", lambda _: binary(LABELS, CHANCES, "ndcg@10"), "'ndcg'"),
    refused("k as a parameter", lambda _: ndcg(GRADES, SCORES, "precision(k=10)"), "'k'"),
    refused("an unknown choice", lambda _: ndcg(GRADES, SCORES, "ndcg(gain=expo)@10"), "gain=expo", "exp2"),
    refused("blanks between metrics", lambda _: ndcg(GRADES, SCORES, "recall@20 ndcg@10"), "recall@20 ndcg@10"),
    refused("another tool's capitals", lambda _: ndcg(GRADES, SCORES, "nDCG@10"), "nDCG@10", "ir_measures"),
    refused("no metrics", lambda _: ndcg(GRADES, SCORES, [])),
    refused("a dict of metrics", lambda _: ndcg(GRADES, SCORES, {"ndcg": 10}), "'ndcg'", "'ndcg@10'"),
    refused("a function for a metric", lambda _: ndcg(GRADES, SCORES, pc.ndcg_at_k), "ndcg_at_k"),
    refused("a policy misspelt", lambda _: ndcg(GRADES, SCORES, ties="expectd"), "'expectd'", "'expected'"),
    refused("relevant in words", lambda _: ndcg(GRADES, SCORES, relevant="two"), "'two'"),
    refused("a convention misspelt", lambda _: ndcg(GRADES, SCORES, convention="ranks"), "'ranks'", "ranx"),
]

CLICK_MODELS = [
    refused("labels and scores swapped", lambda _: binary(CHANCES, LABELS, "auc"), "0.05"),
    warned("logits under a threshold of 0.5", lambda _: binary(LABELS, LOGITS, ["f1", "accuracy"]), "threshold="),
    warned("logits and the default metrics", lambda _: binary(LABELS, LOGITS), "logloss"),
    refused("logits for a log loss", lambda _: binary(LABELS, LOGITS, "logloss"), "logloss"),
    warned(
        "per cent under a threshold of 0.5", lambda _: binary(LABELS, [100 * p for p in CHANCES], "f1"), "threshold="
    ),
    noted("labels 1 and 2", lambda _: binary([y + 1 for y in LABELS], CHANCES, "auc"), "2", "positive=", value=23 / 24),
    noted(
        "labels -1 and 1",
        lambda _: binary([2 * y - 1 for y in LABELS], CHANCES, "auc"),
        "-1",
        "positive=",
        value=23 / 24,
    ),
    noted(
        "labels 0 and 0.7",
        lambda _: binary([0.7 * y for y in LABELS], CHANCES, "auc"),
        "0.7",
        "positive=",
        value=23 / 24,
    ),
    refused(
        "labels in words",
        lambda _: binary(["yes" if y else "no" for y in LABELS], CHANCES, "auc"),
        "'yes'",
        "positive=",
    ),
    refused("three labels", lambda _: binary([0, 1, 2] * 3 + [0], CHANCES, "auc"), "0, 1, 2", "evaluate_multiclass"),
    refused("one row too few", lambda _: binary(LABELS[:-1], CHANCES, "auc"), "9", "10"),
    refused("a score of nan", lambda _: binary(LABELS, [float("nan"), *CHANCES[1:]], "auc"), "y_score", "nan"),
    refused("a label of nan", lambda _: binary([float("nan"), *LABELS[1:]], CHANCES, "auc"), "y_true", "nan"),
    refused(
        "both columns of predict_proba",
        lambda _: binary(LABELS, np.array([[1 - p, p] for p in CHANCES]), "auc"),
        "10 × 2",
    ),
    right("a column vector", lambda _: binary(np.array(LABELS)[:, None], np.array(CHANCES)[:, None], "auc"), 23 / 24),
    warned(
        "predict for predict_proba", lambda _: binary(LABELS, [int(p > 0.5) for p in CHANCES], "auc"), "predict_proba"
    ),
    warned("one class only", lambda _: binary([1] * 10, CHANCES, "auc"), "auc", "10"),
    refused("gauc without groups", lambda _: binary(LABELS, CHANCES, "gauc"), "group="),
    refused("groups of another length", lambda _: binary(LABELS, CHANCES, "gauc", group=GROUPS[:-1]), "9", "10"),
    refused("a group of null", lambda _: binary(LABELS, CHANCES, "gauc", group=[None, *GROUPS[1:]]), "group", "0"),
    warned("the row's id as group", lambda _: binary(LABELS, CHANCES, "gauc", group=list(range(10))), "gauc", "10"),
    warned("a threshold that nothing reaches", lambda _: binary(LABELS, CHANCES, "f1", threshold=50), "50", "0.9"),
    refused("a weight below 0", lambda _: binary(LABELS, CHANCES, "auc", weight=[-1] + [1] * 9), "weight", "-1"),
    refused("weights of 0", lambda _: binary(LABELS, CHANCES, "auc", weight=[0] * 10), "weight"),
    refused("no rows", lambda _: binary([], [], "auc"), "y_true"),
    refused("a column misspelt", lambda _: binary("clik", "pctr", "auc", data=CLICKS), "'clik'", "'click'"),
    refused("columns without a table", lambda _: binary("click", "pctr", "auc"), "'click'", "data="),
    refused("series in another order", lambda _: binary(pd.Series(LABELS), INDEXED, "auc"), "'0'", "'9'", "reindex"),
    refused("chances as text", lambda _: binary(LABELS, [str(p) for p in CHANCES], "auc"), "y_score", "'0.9'"),
]

CLASSES_AND_NUMBERS = [
    refused("probabilities for labels", lambda _: pc.evaluate_multiclass(CLASSES, CLASS_CHANCES, "accuracy"), "6 × 3"),
    refused(
        "names against numbers", lambda _: pc.evaluate_multiclass(CLASSES, [0, 1, 1, 0, 2, 2], "accuracy"), "'a'", "0"
    ),
    refused(
        "a class that labels= leaves out",
        lambda _: pc.evaluate_multiclass(CLASSES, GUESSES, "accuracy", labels=["a", "b"]),
        "'c'",
        "labels=",
    ),
    refused(
        "a column too few",
        lambda _: pc.evaluate_multiclass(CLASSES, None, "logloss", proba=CLASS_CHANCES[:, :2]),
        "0.9",
        "2",
    ),
    refused(
        "logits of classes",
        lambda _: pc.evaluate_multiclass(CLASSES, None, "logloss", proba=CLASS_CHANCES * 5 - 3),
        "softmax",
    ),
    refused(
        "halves of classes",
        lambda _: pc.evaluate_multiclass([0.0, 1.0], [0.0, 1.5], "accuracy"),
        "1.5",
        "evaluate_regression",
    ),
    refused(
        "a number that is missing",
        lambda _: pc.evaluate_regression(NUMBERS, [float("nan"), *ESTIMATES[1:]], "mae"),
        "y_pred",
        "nan",
    ),
    refused("numbers of another length", lambda _: pc.evaluate_regression(NUMBERS, ESTIMATES[:-1], "mae"), "4", "3"),
    refused("words for numbers", lambda _: pc.evaluate_regression(NUMBERS, ["a"] * 4, "mae"), "y_pred", "'a'"),
    refused(
        "a logarithm of less than nothing", lambda _: pc.evaluate_regression([-1.0, 2], [1.0, 2], "msle"), "msle", "-1"
    ),
    refused("a table of numbers", lambda _: pc.evaluate_regression(np.ones((4, 2)), np.ones((4, 2)), "mae"), "4 × 2"),
    refused("a comparison of one", lambda _: pc.compare(GRADES, {"a": SCORES}, "ndcg@10"), "1"),
    refused("a comparison without names", lambda _: pc.compare(GRADES, [SCORES, SCORES], "ndcg@10"), "dict"),
    refused(
        "an unknown baseline",
        lambda _: pc.compare(GRADES, {"a": SCORES, "b": SCORES}, "ndcg@10", baseline="c"),
        "'c'",
        "'a'",
    ),
    refused("labels compared as rankings", lambda _: pc.compare(LABELS, {"a": CHANCES, "b": CHANCES}, "auc"), "task="),
    refused("a query that is not there", lambda _: pc.explain("ndcg@10", GRADES, SCORES, query="v9"), "'v9'", "'u1'"),
    refused("which query to explain", lambda _: pc.explain("ndcg@10", GRADES, SCORES), "'u1'", "query="),
    refused("a keyword of check", lambda _: pc.check({}, mni={"mrr": 1}), "mni=", "pc.check", "'min'"),  # type: ignore[call-arg]
    refused("a keyword of read_scores", lambda _: pc.read_scores({}, foo=1), "foo=", "pc.read_scores", "path"),  # type: ignore[call-arg]
    refused("k before the grades", lambda _: pc.ndcg_at_k(5, [3, 2, 1]), "5"),  # type: ignore[arg-type]
    refused("ids for grades", lambda _: pc.ndcg_at_k(["a", "b"], 2), "'a'"),  # type: ignore[list-item]
    refused("the truth before the list", lambda _: pc.average_precision({"a"}, ["b", "a"]), "set"),  # type: ignore[arg-type]
]

SLIPS = [*ARGUMENTS, *SIDES, *SHAPES, *COLUMNS, *NAMES, *CLICK_MODELS, *CLASSES_AND_NUMBERS]

COMMANDS: list[tuple[str, tuple[str, ...]]] = [
    ("eval RUN QRELS", ("r.run", "1")),
    ("eval QRELS", ("t.qrels", "--label")),
    ("eval QRELS no.run", ("no.run",)),
    ("eval QRELS RUN -m ndgc@10", ("'ndgc'", "'ndcg'")),
    ("eval QRELS RUN -m ndcg@0", ("ndcg@0",)),
    ("eval QRELS RUN -m nDCG@10", ("nDCG@10", "ir_measures")),
    ("eval QRELS RUN -m auc", ("'auc'",)),
    ("eval QRELS RUN --ci 95", ("ci=95.0", "0.95")),
    ("eval QRELS RUN -o x.xlsx", ("x.xlsx", ".csv")),
    ("eval QRELS RUN -f yaml", ("yaml",)),
    ("eval QRELS RUN --relevant two", ("'two'",)),
    ("eval QRELS RUN --convention trec_evall", ("'trec_evall'", "'trec_eval'")),
    ("eval QRELS RUN --memory lots", ("'lots'", "2GB")),
    ("eval QRELS /dev/null", ("/dev/null",)),
    ("eval PREDICTIONS --label clik --score pctr", ("'clik'", "'click'")),
    ("eval PREDICTIONS --label pctr --score click", ("'pctr'", "0.3")),
    ("eval PREDICTIONS --label click --score pctr -m ndcg@10", ("'ndcg'",)),
    ("eval PREDICTIONS --label click --score pctr -m gauc", ("--group",)),
    ("evaluate QRELS RUN", ("pingce eval",)),
    ("report QRELS RUN -o r.pdf", ("r.pdf", ".html")),
    ("compare QRELS RUN", ("1", "pingce eval")),
    ("check QRELS RUN", ("--min",)),
    ("check QRELS RUN --min ndcg@10", ("ndcg@10=0.4",)),
    ("check QRELS RUN --min ndcg@10=abc", ("'abc'",)),
    ("explain ndcg@10 QRELS RUN --query q9", ("'q9'", "'q1'")),
    ("explain ndcg@5 --grades 3,x", ("'x'",)),
    ("curve rok PREDICTIONS --label click --score pctr", ("'rok'",)),
    ("curve roc QRELS", ("--label",)),
    ("metrics ndgc", ("'ndgc'", "'ndcg'")),
    ("conventions ranks", ("'ranks'", "ranx")),
]
"Command lines that must be refused with exit 2, and what the sentence names in either language."
