"""Ask scikit-learn about 300 small sets of labels, scores and numbers, and SciPy about the correlations.

Every case is drawn from a generator seeded with its own id, through `random()` alone, the one method whose sequence
Python promises to keep. A metric has pingce's name and the tool's number; null where the tool raises, warns that the
value is undefined, or says NaN, and the case's `reasons` then point into the list of reasons.

What scikit-learn computes in the type of its input (log loss, Brier score, all of regression) it is asked about the
same numbers widened to float64, for the log loss after clipping them with the epsilon of their own type. What it says
about narrow scores as they are stands beside that in `own_type`.
"""

from __future__ import annotations

import json
import math
import platform
import random
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from peer_files import HERE
from scipy import stats
from sklearn import metrics as sk
from sklearn.exceptions import UndefinedMetricWarning

Array = NDArray[Any]
Case = dict[str, Any]
T = TypeVar("T")

SETS = {"binary": 150, "multiclass": 90, "regression": 60}
DTYPES = ["float64", "float64", "float64", "float32", "float16"]
BINARY_LABELS: list[tuple[Any, Any, dict[str, Any]]] = [
    (0, 1, {}),
    (False, True, {}),
    (-1, 1, {}),
    ("no", "yes", {"positive": "yes"}),
    (7, 3, {"positive": 3}),
]
"The negative label, the positive one, and the settings without which pingce could not tell which is which."
CLASSES: list[list[Any]] = [
    ["bird", "cat", "dog", "fish", "horse", "owl"],
    ["B", "a", "c", "é", "猫", "鸟"],
    [0, 1, 2, 3, 4, 5],
    [-3, 2, 10, 11, 42, 700],
]
AVERAGES = ("macro", "micro", "weighted")


class Draw:
    """Random choices for one case."""

    def __init__(self, name: str) -> None:
        self.random = random.Random(name).random

    def pick(self, options: Sequence[T]) -> T:
        """One of the options, each as likely as the others."""
        return options[int(self.random() * len(options))]

    def whole(self, low: int, high: int) -> int:
        """A whole number, both ends included."""
        return low + int(self.random() * (high - low + 1))

    def bell(self) -> float:
        """A number around 0, seldom beyond 1."""
        return self.random() + self.random() + self.random() + self.random() - 2

    def size(self, number: int) -> int:
        """How many rows: 2 to 60, the ends among them."""
        return {0: 2, 1: 60}.get(number % 30, self.whole(3, 60))

    def weights(self, n: int) -> list[float] | None:
        """Row weights of one of six kinds, none among them; the first row always counts."""
        makers: list[Callable[[], float] | None] = [
            None,
            None,
            lambda: self.whole(1, 5),
            lambda: self.whole(0, 3),
            lambda: round(0.05 + 3 * self.random(), 2),
            lambda: self.whole(0, 1) * self.random(),
        ]
        make = self.pick(makers)
        return make and [make() or (1 if i == 0 else 0) for i in range(n)]


def stored(values: Array) -> list[Any]:
    """Lists of the shortest decimals that come back as the same numbers of the same type."""
    numbers = [json.loads(str(value)) for value in values.ravel()]
    back = np.array(numbers, dtype=values.dtype)
    if back.tobytes() != values.tobytes():
        raise ValueError(f"{values.dtype} numbers do not come back")
    return list(np.array(numbers).reshape(values.shape).tolist())


def until_distinct(make: Callable[[], float], n: int, dtype: str) -> list[float]:
    """Numbers of which no two are equal in the type given."""
    taken: dict[float, float] = {}
    while len(taken) < n:
        number = make()
        taken.setdefault(float(np.dtype(dtype).type(number)), number)
    return list(taken.values())


def probabilities(draw: Draw, truth: list[bool], dtype: str) -> list[float]:
    """Scores between 0 and 1: free of ties, on five levels, with exact ends and numbers close to them, or constant."""
    shape = draw.pick(["distinct", "distinct", "levels", "levels", "ends", "constant"] if len(truth) > 2 else ["ends"])
    if shape == "distinct":
        digits = draw.pick([4, 4, 17])
        by_rank = sorted(until_distinct(lambda: round(draw.random(), digits), len(truth), dtype))
        order = sorted(range(len(truth)), key=lambda i: draw.bell() + 0.5 * truth[i])
        score = dict(zip(order, by_rank, strict=True))
        return [score[i] for i in range(len(truth))]
    if shape == "levels":
        return [draw.pick([0.1, 0.3, 0.5, 0.7] if not label else [0.3, 0.5, 0.7, 0.9]) for label in truth]
    if shape == "ends":
        ends = [0.0, 1.0, 1e-9, 1 - 1e-9, 2.0**-60, 1 - 2.0**-53]
        return [draw.pick(ends) if draw.random() < 0.4 else round(draw.random(), 3) for _ in truth]
    return [draw.pick([0.5, 0.37, 0.0])] * len(truth)


def reals(draw: Draw, truth: list[bool], dtype: str) -> list[float]:
    """Scores that are no probabilities: free of ties, on five levels (0 with either sign), far apart, or constant."""
    shape = draw.pick(["distinct", "levels", "far", "constant"])
    if shape == "distinct":
        return until_distinct(lambda: round(3 * draw.bell() + draw.random(), 5), len(truth), dtype)
    if shape == "levels":
        return [draw.pick([-0.0, 0.0, 1.0, 40.0] if label else [-2.5, -0.0, 0.0, 1.0]) for label in truth]
    if shape == "far":
        return [round(draw.bell(), 3) * 10.0 ** draw.whole(-3, 4) for _ in truth]
    return [draw.pick([-4.0, 0.0, 2.5])] * len(truth)


def drawn_truth(draw: Draw, number: int, n: int, named: bool) -> list[bool]:
    """Which rows are positive; in every twelfth case all or none (a positive label that was named always occurs)."""
    if number % 12 == 5:
        return [named or draw.random() < 0.5] * n
    share = draw.pick([0.5, 0.5, 0.2, 0.8])
    return [True, False] + [draw.random() < share for _ in range(n - 2)]


def binary_case(draw: Draw, number: int) -> Case:
    """Labels of two classes, scores, and how to cut them."""
    negative, positive, settings = BINARY_LABELS[number % 5]
    n, dtype = draw.size(number), draw.pick(DTYPES)
    truth = drawn_truth(draw, number, n, bool(settings))
    kind = "real" if number % 3 == 2 else "probability"
    score = np.array((reals if kind == "real" else probabilities)(draw, truth, dtype), dtype=dtype)
    weight = draw.weights(n)
    if number % 25 == 7:
        out = not settings and draw.random() < 0.5
        weight = [0 if label == out else draw.whole(1, 4) for label in truth]
    usual = [0.0, 1.0] if kind == "real" else [0.5, 0.5, 0.3, 0.7]
    # The decimals of a score, which in a narrow type are the score only after rounding to that type.
    settings = settings | {"threshold": draw.pick([*usual, draw.pick(stored(score)), draw.pick(stored(score))])}
    if draw.random() < 0.2:
        settings = settings | {"compare": "gt"}
    labels = [positive if label else negative for label in truth]
    case = {"dtype": dtype, "kind": kind, "truth": labels, "score": stored(score)}
    return case | {"weight": weight, "settings": settings}


def shares(draw: Draw, n: int, count: int, dtype: str) -> Array:
    """Rows of probabilities that sum to one, exactly so in float16, where only multiples of 1/1024 are drawn."""
    certain = draw.pick([0.0, 0.0, 0.15])
    total = 1024 if dtype == "float16" else draw.pick([20, 1000, 1000, 0])
    rows = []
    for _ in range(n):
        parts = [draw.random() ** 2 for _ in range(count)]
        if total == 0:
            rows.append([part / sum(parts) for part in parts])
            continue
        whole = [int(total * part / sum(parts)) for part in parts]
        whole[draw.whole(0, count - 1)] += total - sum(whole)
        if draw.random() < certain:
            whole = [total] + [0] * (count - 1)
        rows.append([part / total for part in whole])
    return np.array(rows, dtype=dtype)


def class_labels(draw: Draw, names: list[Any], complete: bool) -> dict[str, Any]:
    """The setting `labels`: the classes in order, in another order, or none where the rows show them all."""
    naming = draw.pick(["none", "none", "reordered", "superset"] if complete else ["reordered", "superset"])
    if naming == "none":
        return {}
    return {"labels": names if naming == "superset" else sorted(names, key=lambda _: draw.random())}


def multiclass_case(draw: Draw, number: int) -> Case:
    """Labels of several classes, and predicted labels, probabilities or both; every fifteenth truth has one class.

    Some classes never occur, some are never predicted. pingce takes a row without weight for no row: what only such
    rows show must be named.
    """
    n, mode = draw.size(number), draw.pick(["labels", "labels", "both", "both", "probabilities"])
    names = draw.pick(CLASSES)[: draw.whole(2 if mode == "labels" else 3, 6)]
    true, guessed = ([name for name in names if draw.random() < 0.75] or names for _ in range(2))
    truth = [draw.pick(true) for _ in range(n)]
    if number % 15 == 4:
        truth, guessed, mode = [names[0]] * n, names[: 1 + number % 2], "labels"
    elif draw.random() < 0.5:
        truth[: len(names)] = names[:n]
    pred = [label if label in guessed and draw.random() < 0.5 else draw.pick(guessed) for label in truth]
    weight = draw.weights(n) if mode == "labels" or draw.random() < 0.5 else None
    rows = [i for i in range(n) if weight is None or weight[i]]
    shown = {truth[i] for i in rows} | ({pred[i] for i in rows} if mode == "labels" else set())
    case: Case = {"dtype": None, "truth": truth, "weight": weight}
    case["settings"] = class_labels(draw, names, shown == ({*truth, *pred} if mode == "labels" else {*names}))
    if mode != "probabilities":
        case["pred"] = pred
    if mode != "labels":
        case["dtype"] = draw.pick(DTYPES[2:])
        case["proba"] = stored(shares(draw, n, len(names), case["dtype"]))
    return case


def regression_case(draw: Draw, number: int) -> Case:
    """True and predicted numbers of one of seven kinds."""
    kind = ["signed", "offset", "whole", "zeros", "constant truth", "constant prediction", "perfect"][number % 7]
    n, dtype = draw.size(number), draw.pick(["float64", "float64", "float64", "float32"])
    digits = draw.pick([1, 3, 16])
    noise = [round(draw.bell(), digits) for _ in range(n)]
    if kind == "whole":
        truth, pred = [[float(draw.whole(1, 9)) for _ in range(n)] for _ in range(2)]
    elif kind == "zeros":
        truth = [draw.pick([0.0, round(9 * draw.random(), digits)]) for _ in range(n)]
        pred = [draw.pick([t, round(9 * draw.random(), digits)]) for t in truth]
    else:
        center, spread = (1e6, 3) if kind == "offset" else (draw.pick([-5.0, 0.0, 4.0]), 10)
        truth = [0.1] * n if kind == "constant truth" else [center + round(spread * draw.bell(), digits) for _ in noise]
        pred = [t + e for t, e in zip(truth, noise, strict=True)]
    if kind == "constant prediction":
        pred = [draw.pick([0.1, 3.0])] * n
    if kind == "perfect" or (kind == "constant truth" and draw.random() < 0.3):
        pred = truth
    weight = draw.weights(n)
    numbers = (stored(np.array(values, dtype=dtype)) for values in (truth, pred))
    return {"dtype": dtype, "kind": kind} | dict(zip(("truth", "pred"), numbers, strict=True)) | {"weight": weight}


@dataclass
class Answers:
    """The numbers of one case, and why some are absent."""

    reasons: list[str]
    "Shared by all cases: a reason is written once."
    expected: dict[str, float | None] = field(default_factory=dict)
    because: dict[str, int] = field(default_factory=dict)

    def ask(self, metric: str, function: Callable[..., Any], *args: Any, **options: Any) -> None:
        """Keep what the tool answers; an error, a warning or a NaN becomes null and a reason."""
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            # The shape of a confusion matrix that nobody asked for; rows that summed to one before they were clipped.
            warnings.filterwarnings("ignore", "A single label was found")
            warnings.filterwarnings("ignore", "The y_prob values do not sum to one")
            try:
                self.keep(metric, float(function(*args, **options)), "the tool says NaN")
            except (ValueError, UserWarning, stats.ConstantInputWarning) as error:
                self.keep(metric, np.nan, str(error).split(". ")[0].rstrip("."))

    def keep(self, metric: str, value: float, reason: str) -> None:
        """Keep a number, or the reason if it is NaN."""
        self.expected[metric] = None if np.isnan(value) else value
        if np.isnan(value):
            if reason not in self.reasons:
                self.reasons.append(reason)
            self.because[metric] = self.reasons.index(reason)


def clipped(probability: Array) -> Array:
    """Probabilities clipped with the epsilon of their own type, then widened: the log loss in double."""
    eps = np.finfo(probability.dtype).eps
    return np.clip(probability, eps, 1 - eps).astype(np.float64)


def complement(function: Callable[..., float]) -> Callable[..., float]:
    """1 minus what a function says."""
    return lambda *args, **options: 1 - function(*args, **options)


def gaps(y: Array, score: Array, weight: Array | None) -> tuple[Array, Array]:
    """TPR − FPR at every threshold, highest first; infinity is the threshold nobody reaches."""
    fpr, tpr, thresholds = sk.roc_curve(y, score, sample_weight=weight, drop_intermediate=False)
    return tpr - fpr, thresholds


def f_values(y: Array, score: Array, weight: Array | None, beta: float) -> tuple[Array, Array]:
    """F at every threshold, highest first."""
    _, fp, fn, tp, thresholds = sk.confusion_matrix_at_thresholds(y, score, sample_weight=weight)
    return (1 + beta**2) * tp / ((1 + beta**2) * tp + beta**2 * fn + fp), thresholds


def largest(values: tuple[Array, Array]) -> float:
    """The largest of the values."""
    return float(values[0].max())


def where_largest(values: tuple[Array, Array]) -> list[float]:
    """Every threshold at which the largest value stands, rounding errors forgiven."""
    return [float(t) for t in values[1][values[0] > values[0].max() - 1e-12]]


def ask_cut(answers: Answers, y: Array, cut: Array, weight: Array | None) -> None:
    """The metrics that see which rows are predicted positive."""
    w: dict[str, Any] = {"sample_weight": weight}
    answers.ask("accuracy", sk.accuracy_score, y, cut, **w)
    answers.ask("precision", sk.precision_score, y, cut, **w)
    answers.ask("recall", sk.recall_score, y, cut, **w)
    answers.ask("f1", sk.f1_score, y, cut, **w)
    answers.ask("f(beta=2)", sk.fbeta_score, y, cut, beta=2, **w)
    answers.ask("specificity", sk.recall_score, y, cut, pos_label=0, **w)
    answers.ask("fpr", complement(sk.recall_score), y, cut, pos_label=0, **w)
    answers.ask("fnr", complement(sk.recall_score), y, cut, **w)
    answers.ask("npv", sk.precision_score, y, cut, pos_label=0, **w)
    answers.ask("balanced_accuracy", sk.balanced_accuracy_score, y, cut, **w)
    answers.ask("jaccard", sk.jaccard_score, y, cut, **w)
    answers.ask("mcc", sk.matthews_corrcoef, y, cut, **w)
    answers.ask("kappa", sk.cohen_kappa_score, y, cut, **w)
    answers.ask("lr_plus", lambda: likelihood_ratios(y, cut, weight)[0])
    answers.ask("lr_minus", lambda: likelihood_ratios(y, cut, weight)[1])


def likelihood_ratios(y: Array, cut: Array, weight: Array | None) -> tuple[float, float]:
    """Both ratios, NaN where the tool has none, which it warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ratios: tuple[float, float] = sk.class_likelihood_ratios(y, cut, labels=[0, 1], sample_weight=weight)
    return ratios


def pr_trapezoid(y: Array, score: Array, weight: Array | None) -> float:
    """The area under straight lines between the points of the precision-recall curve."""
    precision, recall, _ = sk.precision_recall_curve(y, score, sample_weight=weight)
    return float(sk.auc(recall, precision))


def ask_order(answers: Answers, y: Array, score: Array, weight: Array | None) -> None:
    """The metrics that see the order of the scores."""
    w: dict[str, Any] = {"sample_weight": weight}
    answers.ask("auc", sk.roc_auc_score, y, score, **w)
    answers.ask("rank_loss", complement(sk.roc_auc_score), y, score, **w)
    answers.ask("partial_auc(max_fpr=0.1)", sk.roc_auc_score, y, score, max_fpr=0.1, **w)
    answers.ask("partial_auc(max_fpr=0.5)", sk.roc_auc_score, y, score, max_fpr=0.5, **w)
    answers.ask("pr_auc", sk.average_precision_score, y, score, **w)
    answers.ask("pr_auc(interpolation=trapezoid)", pr_trapezoid, y, score, weight)
    answers.ask("ks", lambda: largest(gaps(y, score, weight)))
    answers.ask("best_f", lambda: largest(f_values(y, score, weight, 1)))
    answers.ask("best_f(beta=2)", lambda: largest(f_values(y, score, weight, 2)))


def ask_where(answers: Answers, y: Array, score: Array, weight: Array | None) -> None:
    """At which thresholds the best values stand; left out where that is no threshold or not the only one."""
    if answers.expected["ks"]:
        answers.keep("ks_threshold", where_largest(gaps(y, score, weight))[0], "")
    found = where_largest(f_values(y, score, weight, 1))
    if answers.expected["best_f"] and len(found) == 1:
        answers.keep("best_f_threshold", found[0], "")


def ask_binary(case: Case, answers: Answers) -> dict[str, Any]:
    """Every metric of a binary case; the normalised entropy only where both classes have weight."""
    settings, score = case["settings"], np.array(case["score"], dtype=case["dtype"])
    y = np.array([int(label == settings.get("positive", 1)) for label in case["truth"]])
    weight = None if case["weight"] is None else np.array(case["weight"])
    threshold = score.dtype.type(settings["threshold"])
    cut = score > threshold if settings.get("compare") == "gt" else score >= threshold
    ask_cut(answers, y, cut.astype(int), weight)
    ask_order(answers, y, score, weight)
    if "compare" not in settings:
        ask_where(answers, y, score, weight)
    w: dict[str, Any] = {"sample_weight": weight}
    if len(set(y.tolist())) == 2:  # one label alone the tool takes for the negative one, whatever labels= says
        answers.ask("hinge", sk.hinge_loss, y, score.astype(np.float64), labels=[0, 1], **w)
    if case["kind"] == "real":
        return {}
    answers.ask("logloss", sk.log_loss, y, clipped(score), labels=[0, 1], **w)
    answers.ask("brier", sk.brier_score_loss, y, score.astype(np.float64), pos_label=1, **w)
    if answers.expected["auc"] is not None:
        answers.ask("ne", complement(sk.d2_log_loss_score), y, clipped(score), labels=[0, 1], **w)
        answers.ask("rig", sk.d2_log_loss_score, y, clipped(score), labels=[0, 1], **w)
    own = Answers(answers.reasons)
    if case["dtype"] != "float64":
        own.ask("logloss", sk.log_loss, y, score, labels=[0, 1], **w)
        own.ask("brier", sk.brier_score_loss, y, score, pos_label=1, **w)
    return {"own_type": own.expected}


def quietly(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function without its warnings about undefined classes, for an average that leaves them out."""

    def call(*args: Any, **options: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UndefinedMetricWarning)
            warnings.filterwarnings("ignore", "y_pred contains classes not in y_true")
            return function(*args, **options)

    return call


def mean_of_defined(*args: Any, **options: Any) -> float:
    """The mean of the one-against-rest areas that are defined; NaN without any."""
    areas = quietly(sk.roc_auc_score)(*args, average=None, **options)
    return float(np.mean(areas[~np.isnan(areas)])) if not np.isnan(areas).all() else np.nan


def ask_classes(answers: Answers, case: Case, labels: list[Any], weight: Array | None, **division: Any) -> None:
    """Precision, recall and F, averaged over the classes of the label set."""
    for average in AVERAGES:
        options: dict[str, Any] = {"labels": labels, "average": average, "sample_weight": weight} | division
        for metric, function in (("precision", sk.precision_score), ("recall", sk.recall_score), ("f1", sk.f1_score)):
            answers.ask(f"{metric}(average={average})", function, case["truth"], case["pred"], **options)
        name = f"f(beta=0.5,average={average})"
        answers.ask(name, sk.fbeta_score, case["truth"], case["pred"], beta=0.5, **options)


def ask_predicted(case: Case, answers: Answers, skipping: Answers, labels: list[Any], weight: Array | None) -> None:
    """The metrics of predicted labels: an undefined class counts 0, or (skipping) is left out."""
    truth, pred = case["truth"], case["pred"]
    w: dict[str, Any] = {"sample_weight": weight}
    answers.ask("accuracy", sk.accuracy_score, truth, pred, **w)
    answers.ask("balanced_accuracy", sk.balanced_accuracy_score, truth, pred, **w)
    answers.ask("kappa", sk.cohen_kappa_score, truth, pred, **w)
    answers.ask("mcc", sk.matthews_corrcoef, truth, pred, **w)
    ask_classes(answers, case, labels, weight, zero_division=0)
    for average in AVERAGES:
        options: dict[str, Any] = {"labels": labels, "average": average, "zero_division": 0} | w
        answers.ask(f"jaccard(average={average})", sk.jaccard_score, truth, pred, **options)
    skipping.ask("balanced_accuracy", quietly(sk.balanced_accuracy_score), truth, pred, **w)
    ask_classes(skipping, case, labels, weight, zero_division=np.nan)


def ask_proba(case: Case, answers: Answers, skipping: Answers, weight: Array | None) -> dict[str, Any]:
    """The metrics of probabilities; scikit-learn wants the columns in the order of the sorted labels."""
    labels = case["settings"].get("labels") or sorted(set(case["truth"]))
    ordered = sorted(labels)
    proba = np.array(case["proba"], dtype=case["dtype"])[:, [labels.index(label) for label in ordered]]
    truth, options = np.array(case["truth"]), {"labels": ordered, "sample_weight": weight}
    for k in range(1, min(4, len(labels))):
        answers.ask(f"top_k_accuracy@{k}", sk.top_k_accuracy_score, truth, proba, k=k, **options)
    answers.ask("logloss", sk.log_loss, truth, clipped(proba), **options)
    area = quietly(sk.roc_auc_score)
    for who, average in ((answers, sk.roc_auc_score), (skipping, mean_of_defined)):
        who.ask("auc(multi=ovr,average=macro)", average, truth, proba, multi_class="ovr", **options)
    for who in (answers, skipping):
        who.ask("auc(multi=ovr,average=weighted)", area, truth, proba, multi_class="ovr", average="weighted", **options)
        if weight is None and len(set(case["truth"])) > 1:
            for by in ("macro", "weighted"):
                who.ask(f"auc(multi=ovo,average={by})", area, truth, proba, multi_class="ovo", average=by, **options)
    own = Answers(answers.reasons)
    if case["dtype"] != "float64":
        own.ask("logloss", sk.log_loss, truth, proba, **options)
    return {"own_type": own.expected}


def ask_multiclass(case: Case, answers: Answers) -> dict[str, Any]:
    """Every metric of a multi-class case; `expected_skip` where a class is missing from truth or prediction."""
    weight = None if case["weight"] is None else np.array(case["weight"])
    pred: list[Any] = case["pred"] if "pred" in case else case["truth"]
    labels = case["settings"].get("labels") or sorted({*case["truth"], *pred})
    counts = np.ones(len(pred)) if weight is None else weight
    seen = [{row for row, count in zip(rows, counts, strict=True) if count} for rows in (case["truth"], pred)]
    skipping, more = Answers(answers.reasons), {}
    if "pred" in case:
        ask_predicted(case, answers, skipping, labels, weight)
    if "proba" in case:
        more = ask_proba(case, answers, skipping, weight)
    return more | ({"expected_skip": skipping.expected} if any(set(labels) != side for side in seen) else {})


def halved(values: Array, weight: Array) -> bool:
    """Whether half of the weight, nearly, lies at or under one of the values: what the median is, rounding decides."""
    below = [math.fsum(weight[values <= value]) for value in values]
    return any(abs(part - math.fsum(weight) / 2) < 1e-9 for part in below)


def ask_regression(case: Case, answers: Answers) -> dict[str, Any]:
    """Every metric of a regression case; what takes no weights gets every row as often as a whole weight says."""
    truth, pred = (np.array(case[name], dtype=case["dtype"]).astype(np.float64) for name in ("truth", "pred"))
    weight = np.ones(len(truth), dtype=int) if case["weight"] is None else np.array(case["weight"])
    w: dict[str, Any] = {"sample_weight": None if case["weight"] is None else weight}
    whole, counted = weight.dtype == int, weight > 0
    answers.ask("mae", sk.mean_absolute_error, truth, pred, **w)
    answers.ask("mse", sk.mean_squared_error, truth, pred, **w)
    answers.ask("rmse", sk.root_mean_squared_error, truth, pred, **w)
    answers.ask("max_error", sk.max_error, truth[counted], pred[counted])
    answers.ask("r2", sk.r2_score, truth, pred, **w)
    answers.ask("explained_variance", sk.explained_variance_score, truth, pred, **w)
    answers.ask("mape", sk.mean_absolute_percentage_error, truth, pred, **w)
    if whole or not halved(np.abs(pred - truth), weight):
        answers.ask("medae", sk.median_absolute_error, truth, pred, **w)
    if truth.min() >= 0 and pred.min() >= 0:
        answers.ask("msle", sk.mean_squared_log_error, truth, pred, **w)
        answers.ask("rmsle", sk.root_mean_squared_log_error, truth, pred, **w)
    if whole:
        rows = np.repeat(truth, weight), np.repeat(pred, weight)
        answers.ask("pearson", lambda: stats.pearsonr(*rows).statistic)
        answers.ask("spearman", lambda: stats.spearmanr(*rows).statistic)
    return {}


TASKS: dict[str, tuple[Callable[[Draw, int], Case], Callable[[Case, Answers], dict[str, Any]]]] = {
    "binary": (binary_case, ask_binary),
    "multiclass": (multiclass_case, ask_multiclass),
    "regression": (regression_case, ask_regression),
}


def asked(task: str, number: int, reasons: list[str]) -> Case:
    """One case with its answers; what is empty is left out."""
    name, answers = f"{task}-{number:03}", Answers(reasons)
    draw_case, ask = TASKS[task]
    case = {"id": name, "task": task} | draw_case(Draw(name), number)
    more = ask(case, answers)
    return {
        key: value
        for key, value in (case | {"expected": answers.expected, "reasons": answers.because} | more).items()
        if value is not None and value != {}
    }


def main() -> None:
    """Write sklearn_labels.json: the head, then one line a case."""
    reasons: list[str] = []
    cases = [asked(task, number, reasons) for task, count in SETS.items() for number in range(count)]
    head = {
        "versions": {name: version(name) for name in ("scikit-learn", "numpy", "scipy")},
        "python": platform.python_version(),
        "made_by": "tests/conformance/peers/run_sklearn_labels.py",
        "reasons": reasons,
    }
    lines = [f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()]
    rows = [json.dumps(case, ensure_ascii=False, allow_nan=False, separators=(",", ":")) for case in cases]
    text = "{\n" + "".join(f"{line},\n" for line in lines) + '"cases": [\n' + ",\n".join(rows) + "\n]}\n"
    (HERE / "sklearn_labels.json").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
