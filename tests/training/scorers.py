"""Scorers in scikit-learn's own hands, of whatever version is there: `python -m tests.training.scorers` is silent if all agree."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import sklearn
from sklearn.base import clone
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV, GroupKFold, KFold, cross_val_score, cross_validate

import pingce as pc

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(600, 5))
USERS = RANDOM.integers(0, 40, 600)
LABELS = (X[:, 0] + RANDOM.normal(size=600) > 0).astype(int)
CLASSES = np.array(["a", "b", "c"])[np.clip(X[:, 1] + 1.5, 0, 2).astype(int)]
WEIGHTS = RANDOM.integers(1, 4, 600)
FOLDS = KFold(3)


def fitted(truth: Any) -> list[tuple[Any, Any]]:
    """The rows of each fold, and a model that was trained on the others."""
    return [(rows, LogisticRegression().fit(X[others], truth[others])) for others, rows in FOLDS.split(X)]


def binary() -> None:
    """GAUC and log loss, alone and together, with groups and weights."""
    gauc = [pc.gauc(LABELS[at], model.predict_proba(X[at])[:, 1], group=USERS[at]) for at, model in fitted(LABELS)]
    found = cross_validate(
        LogisticRegression(), X, LABELS, cv=FOLDS, scoring=pc.scorer("gauc"), params={"group": USERS}
    )
    assert found["test_score"].tolist() == gauc
    weighed = pc.scorer("logloss").set_score_request(sample_weight="weights")
    both = cross_validate(
        LogisticRegression(),
        X,
        LABELS,
        cv=FOLDS,
        scoring={"gauc": pc.scorer("gauc"), "loss": weighed},
        params={"group": USERS, "weights": WEIGHTS},
        n_jobs=2,
    )
    loss = [
        -pc.logloss(LABELS[at], model.predict_proba(X[at])[:, 1], weight=WEIGHTS[at]) for at, model in fitted(LABELS)
    ]
    assert (both["test_gauc"].tolist(), both["test_loss"].tolist()) == (gauc, loss)
    by_user = pc.scorer("gauc").set_score_request(group="groups")
    search = GridSearchCV(LogisticRegression(), {"C": [0.01, 1]}, scoring=by_user, cv=GroupKFold(3))
    search = clone(search).fit(X, LABELS, groups=USERS)
    assert search.score(X, LABELS, groups=USERS) == pc.gauc(LABELS, search.predict_proba(X)[:, 1], group=USERS)
    positive = pc.scorer("f1", positive="no", threshold=0.3)
    names = np.where(LABELS == 1, "no", "yes")
    model = LogisticRegression().fit(X, names)
    expected = pc.evaluate_binary(names, model.predict_proba(X)[:, 0], "f1", positive="no", threshold=0.3)["f1"]
    assert positive(model, X, names) == expected


def classes() -> None:
    """Classes by name, of which a fold has not met all; alone, together, searched for, copied."""
    loss = pc.scorer("logloss", task="multiclass", labels=["c", "b", "a"])
    expected = [
        -pc.evaluate_multiclass(
            CLASSES[at], None, "logloss", proba=model.predict_proba(X[at]), labels=list(model.classes_)
        )["logloss"]
        for at, model in fitted(CLASSES)
    ]
    plain = pc.scorer("logloss", task="multiclass")
    for scorer in (loss, plain, pickle.loads(pickle.dumps(loss)), clone(loss, safe=False)):
        np.testing.assert_allclose(
            cross_val_score(LogisticRegression(), X, CLASSES, cv=FOLDS, scoring=scorer), expected
        )
    model, heavy = LogisticRegression().fit(X, CLASSES), np.arange(len(X)) + 1.0
    assert plain(model, X, CLASSES, heavy) == plain(model, X, CLASSES, sample_weight=heavy) != plain(model, X, CLASSES)
    together = {"loss": loss, "accuracy": pc.scorer("accuracy", task="multiclass")}
    found = cross_validate(LogisticRegression(), X, CLASSES, cv=FOLDS, scoring=together, n_jobs=2)
    np.testing.assert_allclose(found["test_loss"], expected)
    search = GridSearchCV(LogisticRegression(), {"C": [0.01, 1]}, scoring=together, refit="loss").fit(X, CLASSES)
    assert 0.5 < search.cv_results_["mean_test_accuracy"].max() < 1
    assert search.score(X, CLASSES) == loss(search.best_estimator_, X, CLASSES)
    others = CLASSES != "b"
    model = LogisticRegression().fit(X[others], CLASSES[others])
    matrix = np.insert(model.predict_proba(X), 1, 0, axis=1)  # of a class that the model has not met
    wide = pc.evaluate_multiclass(CLASSES, None, "logloss", proba=matrix, labels=["a", "b", "c"])["logloss"]
    assert loss(model, X, CLASSES) == -wide


def weights_of_classes() -> None:
    """Metadata under another name, alone and beside a scorer that asks for none."""
    weighed = pc.scorer("logloss", task="multiclass").set_score_request(sample_weight="weights")
    by_hand = [weighed(model, X[at], CLASSES[at], sample_weight=WEIGHTS[at]) for at, model in fitted(CLASSES)]
    plain = pc.scorer("logloss", task="multiclass")
    found = cross_validate(
        LogisticRegression(),
        X,
        CLASSES,
        cv=FOLDS,
        scoring={"weighed": weighed, "plain": plain},
        params={"weights": WEIGHTS},
    )
    assert found["test_weighed"].tolist() == by_hand
    assert found["test_plain"].tolist() == [plain(model, X[at], CLASSES[at]) for at, model in fitted(CLASSES)]
    assert not np.allclose(by_hand, found["test_plain"])


def numbers() -> None:
    """A loss has its sign turned."""
    found = cross_val_score(LinearRegression(), X, X[:, 0] * 2 + USERS, cv=FOLDS, scoring=pc.scorer("rmse"))
    assert (found < 0).all()


def main() -> None:
    """Everything, with metadata routing; what needs none also without."""
    for routing in (False, True):
        sklearn.set_config(enable_metadata_routing=routing)
        numbers()
        classes()
    binary()
    weights_of_classes()


if __name__ == "__main__":
    main()
