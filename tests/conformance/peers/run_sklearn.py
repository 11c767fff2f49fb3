"""Ask scikit-learn about every case.

It knows no qrels: for each query that was both judged and run it gets the returned list alone, unjudged items with
grade 0, columns in ascending order of the item. A mean is scikit-learn's own, over one matrix, where all lists are
equally long; elsewhere it has none. Cases of labels are asked of one function each; null where it raises or warns that the
value is not defined.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from peer_files import (
    Answers,
    Case,
    LabelCase,
    MultilabelCase,
    read_cases,
    read_label_cases,
    read_multilabel_cases,
)
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import average_precision_score, dcg_score, ndcg_score

Row = list[float]
Rows = dict[str, tuple[Row, Row]]
Measure = Callable[[list[Row], list[Row]], float]


def spelled(name: str, k: int | None, ignore_ties: bool) -> str:
    """The call as its user writes it."""
    said = ([f"k={k}"] if k else []) + (["ignore_ties=True"] if ignore_ties else [])
    return name + (f"({', '.join(said)})" if said else "")


GAIN_MEASURES: dict[str, Measure] = {
    spelled(function.__name__, k, ignore): partial(function, k=k, ignore_ties=ignore)
    for function in (ndcg_score, dcg_score)
    for k in (5, 10, None)
    for ignore in (False, True)
}
UNSTABLE = "scikit-learn leaves the order of equal scores to an unstable sort"
NEGATIVE = "ndcg_score refuses negative grades; dcg_score subtracts them, which is no gain"


def rows_of(case: Case) -> Rows:
    """Grades and scores of each list."""
    rows: Rows = {}
    for query in (query for query in case.qrels if query in case.run):
        items = sorted(case.run[query])
        grades = [case.qrels[query].get(item, 0.0) for item in items]
        rows[query] = grades, [case.run[query][item] for item in items]
    return rows


def mean_of(measure: Measure, rows: Rows) -> float | None:
    """The measure over all lists at once, where they form a matrix."""
    if len({len(grades) for grades, _ in rows.values()}) != 1:
        return None
    return measure([grades for grades, _ in rows.values()], [scores for _, scores in rows.values()])


def ask_gains(case: Case, answers: Answers, name: str) -> None:
    """One of the measures that see the grades."""
    measure, rows = GAIN_MEASURES[name], rows_of(case)
    per_query: dict[str, float] = {}
    refused: dict[str, list[str]] = {}
    for query, (grades, scores) in rows.items():
        try:
            per_query[query] = measure([grades], [scores])
        except ValueError as error:
            refused.setdefault(str(error), []).append(query)
    if refused:
        reasons = (f"queries {', '.join(queries)}: {message}" for message, queries in refused.items())
        answers.skip("; ".join(reasons), case.name, name)
    answers.add(case, name, per_query, None if refused else mean_of(measure, rows))


def ask_average_precision(case: Case, answers: Answers) -> None:
    """Average precision of each list; relevant is a grade of 1 or more. Without any, scikit-learn warns and says 0."""
    per_query = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        for query, (grades, scores) in rows_of(case).items():
            per_query[query] = average_precision_score([grade >= 1 for grade in grades], scores)
    answers.add(case, "average_precision_score", per_query, None)


def ask(case: Case, answers: Answers) -> None:
    """All measures of one case."""
    ask_average_precision(case, answers)
    if any(grade < 0 for grades in case.qrels.values() for grade in grades.values()):
        answers.skip(NEGATIVE, case.name, "ndcg_score, dcg_score")
        return
    for name in GAIN_MEASURES:
        if case.name == "ties" and "ignore_ties=True" in name:
            answers.skip(UNSTABLE, case.name, name)
        else:
            ask_gains(case, answers, name)


OF_SCORES = {
    "roc_auc_score": metrics.roc_auc_score,
    "roc_auc_score(max_fpr=0.3)": partial(metrics.roc_auc_score, max_fpr=0.3),
    "average_precision_score": average_precision_score,
}
OF_PROBABILITIES = {
    "log_loss": partial(metrics.log_loss, labels=[0, 1]),
    "brier_score_loss": metrics.brier_score_loss,
}
OF_DECISIONS = {
    name: getattr(metrics, name)
    for name in (
        "accuracy_score",
        "precision_score",
        "recall_score",
        "f1_score",
        "jaccard_score",
        "balanced_accuracy_score",
        "matthews_corrcoef",
        "cohen_kappa_score",
    )
} | {"fbeta_score(beta=2)": partial(metrics.fbeta_score, beta=2)}
OF_CLASSES = {
    f"{name}_score(average='{average}')": partial(getattr(metrics, f"{name}_score"), average=average)
    for name in ("precision", "recall", "f1")
    for average in ("macro", "micro", "weighted")
} | {
    name: getattr(metrics, name)
    for name in ("accuracy_score", "balanced_accuracy_score", "matthews_corrcoef", "cohen_kappa_score")
}
OF_NUMBERS = {
    name: getattr(metrics, name)
    for name in (
        "mean_absolute_error",
        "mean_squared_error",
        "root_mean_squared_error",
        "max_error",
        "r2_score",
        "explained_variance_score",
        "mean_absolute_percentage_error",
        "median_absolute_error",
        "mean_squared_log_error",
        "root_mean_squared_log_error",
        "mean_pinball_loss",
        "mean_poisson_deviance",
        "mean_gamma_deviance",
        "d2_absolute_error_score",
        "d2_pinball_score",
        "d2_tweedie_score",
    )
} | {
    "mean_pinball_loss(alpha=0.9)": partial(metrics.mean_pinball_loss, alpha=0.9),
    "mean_tweedie_deviance(power=1.5)": partial(metrics.mean_tweedie_deviance, power=1.5),
    "d2_pinball_score(alpha=0.9)": partial(metrics.d2_pinball_score, alpha=0.9),
    "d2_tweedie_score(power=1)": partial(metrics.d2_tweedie_score, power=1),
}


_AVERAGES = ("macro", "micro", "weighted", "samples")
OF_SEVERAL_LABELS = (
    {
        f"{name}_score(average='{average}')": partial(getattr(metrics, f"{name}_score"), average=average)
        for name in ("precision", "recall", "f1", "jaccard")
        for average in _AVERAGES
    }
    | {
        f"fbeta_score(beta=2, average='{average}')": partial(metrics.fbeta_score, beta=2, average=average)
        for average in _AVERAGES
    }
    | {"accuracy_score": metrics.accuracy_score, "hamming_loss": metrics.hamming_loss}
)
OF_LABEL_SCORES = {
    f"{name}(average='{average}')": partial(getattr(metrics, name), average=average)
    for name in ("roc_auc_score", "average_precision_score")
    for average in _AVERAGES
} | {
    name: getattr(metrics, name)
    for name in ("coverage_error", "label_ranking_average_precision_score", "label_ranking_loss")
}


def number(function: Any, *columns: Any, **more: Any) -> float | None:
    """One number; None where scikit-learn raises, or warns that the value is not defined."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", RuntimeWarning)
        try:
            return float(function(*columns, **more))
        except (ValueError, RuntimeWarning, ZeroDivisionError):
            return None


def of_probabilities(columns: Any, proba: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Measures of a matrix of probabilities, as calls without arguments."""
    labels = list(range(proba.shape[1]))
    rows = (columns["y_true"], proba)
    return {
        "log_loss": partial(metrics.log_loss, *rows, labels=labels),
        "top_k_accuracy_score(k=2)": partial(metrics.top_k_accuracy_score, *rows, k=2, labels=labels),
        "roc_auc_score(multi_class='ovr')": partial(metrics.roc_auc_score, *rows, multi_class="ovr", labels=labels),
        "roc_auc_score(multi_class='ovo')": partial(metrics.roc_auc_score, *rows, multi_class="ovo", labels=labels),
    }


def ask_labels(case: LabelCase, answers: Answers) -> None:
    """All functions that suit the task."""
    columns = case.columns
    if case.task == "binary":
        score = np.array(columns["y_score"], case.dtype)
        for name, function in OF_SCORES.items():
            answers.add_label(case, name, number(function, columns["y_true"], score))
        if score.min() >= 0 and score.max() <= 1:
            for name, function in OF_PROBABILITIES.items():
                answers.add_label(case, name, number(function, columns["y_true"], score))
        for name, function in OF_DECISIONS.items():
            answers.add_label(case, name, number(function, columns["y_true"], (score >= 0.5).astype(int)))
    elif case.task == "multiclass":
        for name, function in OF_CLASSES.items():
            answers.add_label(case, name, number(function, columns["y_true"], columns["y_pred"]))
        for name, call in of_probabilities(columns, np.array(columns["proba"], case.dtype)).items():
            answers.add_label(case, name, number(call))
    else:
        true, pred = (np.array(columns[name], case.dtype).astype(float) for name in ("y_true", "y_pred"))
        for name, function in OF_NUMBERS.items():
            answers.add_label(case, name, number(function, true, pred))


def ask_several_labels(case: MultilabelCase, answers: Answers) -> None:
    """All functions of several labels; a label is predicted from 0.5 on."""
    truth, score = np.array(case.truth), np.array(case.score)
    for name, function in OF_SEVERAL_LABELS.items():
        answers.add_multilabel(case, name, number(function, truth, (score >= 0.5).astype(int)))
    for name, function in OF_LABEL_SCORES.items():
        answers.add_multilabel(case, name, number(function, truth, score))


def main() -> None:
    """Write sklearn.json."""
    answers = Answers("sklearn", "scikit-learn")
    answers.note("with ignore_ties=False the mean over all orders of equal scores", "ties")
    answers.note("only queries both judged and run", "missing")
    answers.note("equal scores form one step; 0 where the list has no relevant item", "average_precision_score")
    for case in read_cases():
        ask(case, answers)
    for labelled in read_label_cases():
        ask_labels(labelled, answers)
    for case_of_several in read_multilabel_cases():
        ask_several_labels(case_of_several, answers)
    answers.write()


if __name__ == "__main__":
    main()
