"""Ask Microsoft recommenders about every case: `python_evaluation` with frames, and deeprec's `cal_metric`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import isnan

import numpy as np
import pandas as pd
from peer_files import (
    Answers,
    Case,
    ItemCase,
    LabelCase,
    read_cases,
    read_fresh_case,
    read_item_cases,
    read_label_cases,
)
from recommended import CUTS, MEMBERSHIP, best_first, truth, wanted_cases
from recommenders.evaluation import python_evaluation as evaluation
from recommenders.models.deeprec.deeprec_utils import cal_metric

AT_K: dict[str, Callable[..., float]] = {
    "ndcg_at_k(k={k})": evaluation.ndcg_at_k,
    "ndcg_at_k(k={k}, score_type='raw')": partial(evaluation.ndcg_at_k, score_type="raw"),
    "ndcg_at_k(k={k}, score_type='exp')": partial(evaluation.ndcg_at_k, score_type="exp"),
    "map(k={k})": evaluation.map,
    "map_at_k(k={k})": evaluation.map_at_k,
    "precision_at_k(k={k})": evaluation.precision_at_k,
    "recall_at_k(k={k})": evaluation.recall_at_k,
}
R_PRECISION = "r_precision_at_k(k=100)"
OF_TASK = {
    "binary": ("auc", "logloss"),
    "regression": ("rmse", "mae", "rsquared", "exp_var"),
}
DEEPREC = "cal_metric."
ROUNDED = "rounded to 4 decimal places by the tool"
NAMES = ["userID", "itemID"]
SERENDIPITY = "serendipity(item_sim_measure='item_feature_vector', col_relevance='relevance')"
DIVERSITY = "diversity(item_sim_measure='item_feature_vector')"


def true_frame(case: Case) -> pd.DataFrame:
    """One row a relevant item, its grade as the rating."""
    rows = [(user, item, case.qrels[user][item]) for user, items in truth(case).items() for item in items]
    return pd.DataFrame(rows, columns=[*NAMES, "rating"])


def predicted_frame(case: Case) -> pd.DataFrame:
    """One row a returned item."""
    rows = [(user, item, score) for user, scores in case.run.items() for item, score in scores.items()]
    return pd.DataFrame(rows, columns=[*NAMES, "prediction"])


def ask(case: Case, answers: Answers) -> None:
    """The means over all users, and user by user."""
    true, predicted = true_frame(case), predicted_frame(case)
    users = [user for user in sorted(truth(case)) if user in case.run]
    alone = {user: (true[true.userID == user], predicted[predicted.userID == user]) for user in users}
    measures = {name.format(k=k): partial(function, k=k) for name, function in AT_K.items() for k in CUTS}
    for measure, function in measures.items():
        per_user = {user: float(function(*frames)) for user, frames in alone.items()}
        answers.add(case, measure, per_user, float(function(true, predicted)))
    r_precision = {user: float(evaluation.r_precision_at_k(*frames, k=100)) for user, frames in alone.items()}
    with_value = {user: found for user, found in r_precision.items() if not isnan(found)}
    answers.add(case, R_PRECISION, with_value, None)


def ask_deeprec(case: Case, answers: Answers) -> None:
    """Its metrics of lists: labels and scores of one list a query, nothing known beyond them."""
    users = [user for user in sorted(case.qrels) if user in case.run]
    ranked = best_first(case)
    labels = [np.array([max(case.qrels[user].get(item, 0), 0) for item in ranked[user]]) for user in users]
    scores = [np.array([case.run[user][item] for item in ranked[user]]) for user in users]
    asked = ["mean_mrr", *(f"{name}@{k}" for name in ("ndcg", "hit") for k in CUTS)]
    clicked = [(grades >= 1).astype(int) for grades in labels]
    for measure in asked:
        listed = labels if measure.startswith("ndcg") else clicked
        mean = cal_metric(listed, scores, [measure])[measure]
        alone = {user: cal_metric([listed[i]], [scores[i]], [measure])[measure] for i, user in enumerate(users)}
        answers.add(case, DEEPREC + measure, alone, mean)


def value(function: Callable[..., float], case: LabelCase) -> float | None:
    """One number from two frames of rows that belong together; none where the function refuses."""
    rows = range(len(case.columns["y_true"]))
    score = case.columns["y_score" if case.task == "binary" else "y_pred"]
    rating = case.columns["y_true"] if case.task == "binary" else np.array(case.columns["y_true"], dtype=case.dtype)
    true = pd.DataFrame({"userID": rows, "itemID": rows, "rating": rating})
    predicted = pd.DataFrame({"userID": rows, "itemID": rows, "prediction": np.array(score, dtype=case.dtype)})
    try:
        return float(function(true, predicted))
    except ValueError:
        return None


def ask_labels(case: LabelCase, answers: Answers) -> None:
    """The metrics of rows, and those of deeprec."""
    for name in OF_TASK.get(case.task, ()):
        answer = value(getattr(evaluation, name), case)
        if answer is None and name == "logloss":
            answers.skip("scikit-learn refuses a single class, and scores outside 0 and 1", case.name, name)
        else:
            answers.add_label(case, name, answer)
    if case.task == "binary":
        ask_deeprec_labels(case, answers)


def ask_deeprec_labels(case: LabelCase, answers: Answers) -> None:
    """Each of its metrics in a call of its own: `acc` and `f1` overwrite the scores they are given."""
    labels = case.columns["y_true"]
    for measure in ("auc", "logloss", "acc", "f1"):
        scores = np.array(case.columns["y_score"], dtype=case.dtype)
        if measure == "logloss" and not np.all((scores >= 0) & (scores <= 1)):
            answers.skip("it clips scores outside 0 and 1 without saying so", case.name, DEEPREC + measure)
            continue
        try:
            answers.add_label(case, DEEPREC + measure, cal_metric(labels, scores, [measure])[measure])
        except ValueError:
            answers.skip("scikit-learn refuses a single class", case.name, DEEPREC + measure)
    if "group" in case.columns:
        users = list(dict.fromkeys(case.columns["group"]))
        rows = [[row for row, owner in enumerate(case.columns["group"]) if owner == user] for user in users]
        groups = ([[column[row] for row in some] for some in rows] for column in (labels, case.columns["y_score"]))
        answers.add_label(case, DEEPREC + "group_auc", cal_metric(*groups, ["group_auc"])["group_auc"])


def ask_items(case: ItemCase, answers: Answers) -> None:
    """What is shown, from whole lists. Their users have other names than in the past: an item that its user had is refused."""
    past = pd.DataFrame(case.train, columns=NAMES)
    shown = pd.DataFrame([(f"now {user}", item) for user, items in case.run.items() for item in items], columns=NAMES)
    for name in ("catalog_coverage", "distributional_coverage", "novelty"):
        answers.add_items(case, name, float(getattr(evaluation, name)(past, shown)))
    vectors = [np.array(vector, float) for vector in case.vector.values()]
    features = pd.DataFrame({"itemID": list(case.vector), "features": vectors})
    answers.add_items(
        case, DIVERSITY, float(evaluation.diversity(past, shown, features, item_sim_measure="item_feature_vector"))
    )


def ask_serendipity(case: ItemCase, answers: Answers) -> None:
    """How unlike the past relevant items are, from whole lists that show nothing of it."""
    past = pd.DataFrame(case.train, columns=NAMES)
    rows = [(user, item, float(item in case.truth[user])) for user, items in case.run.items() for item in items]
    vectors = [np.array(vector, float) for vector in case.vector.values()]
    value = evaluation.serendipity(
        past,
        pd.DataFrame(rows, columns=[*NAMES, "relevance"]),
        pd.DataFrame({"itemID": list(case.vector), "features": vectors}),
        item_sim_measure="item_feature_vector",
        col_relevance="relevance",
    )
    answers.add_items(case, SERENDIPITY, float(value))


def main() -> None:
    """Write recommenders.json."""
    answers = Answers("recommenders", "recommenders")
    answers.note("no means: they leave out every user without a hit in the first R places", "r_precision_at_k")
    answers.note("ndcg_at_k counts judged users that were not run as 0, the others leave them out", "missing")
    answers.note(MEMBERSHIP, "barren")
    answers.note(ROUNDED, DEEPREC)
    for case in wanted_cases():
        ask(case, answers)
    for case in read_cases():
        if case.name in {"closed", "reversed"}:
            ask_deeprec(case, answers)
    for labels in read_label_cases():
        ask_labels(labels, answers)
    for items in read_item_cases():
        ask_items(items, answers)
    ask_serendipity(read_fresh_case(), answers)
    answers.write()


if __name__ == "__main__":
    main()
