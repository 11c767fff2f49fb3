"""Columns as models give them, through the adapters of scikit-learn, Keras and boosters, whose libraries are stubs here."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import pingce as pc
from pingce.base.errors import PingceWarning
from pingce.training.measure import Measure
from pingce.training.scorer import ScoreFunction

from .test_boosters import GRADES, LABELS, RANKING, ROWS, SCORES, SIZES, USERS, WEIGHTS, Data, refusal

RANDOM = np.random.default_rng(11)
QUERIES = np.repeat(np.arange(len(SIZES)), SIZES)


class Stub(ModuleType):
    """A module that has what it is given."""

    def __init__(self, name: str, **names: Any) -> None:
        super().__init__(name)
        vars(self).update(names)


class PlainScorer:
    """What scikit-learn's own scorer does, in short."""

    def __init__(self, function: Any, *, greater_is_better: bool, response_method: Any, **options: Any) -> None:
        self.function, self.sign, self.method, self.options = (
            function,
            greater_is_better or -1,
            response_method,
            options,
        )
        self.requests = dict[str, Any]()

    def __call__(self, estimator: Any, X: Any, y_true: Any, **columns: Any) -> float:  # noqa: N803
        predicted = getattr(estimator, self.method)(X)
        return float(self.sign * self.function(y_true, predicted, **self.options, **columns))

    def set_score_request(self, **requests: Any) -> None:
        self.requests |= requests

    def get_metadata_routing(self) -> dict[str, Any]:
        return self.requests


def proba(columns: int) -> Any:
    return RANDOM.dirichlet(np.ones(columns), ROWS)


def log_loss(classes: Any, **options: Any) -> ScoreFunction:
    return ScoreFunction(Measure.of("logloss", "multiclass", options, "pc.scorer"), classes)


def expected(truth: Any, matrix: Any, labels: Any) -> float:
    return pc.evaluate_multiclass(truth, None, "logloss", proba=matrix, labels=labels)["logloss"]


def test_a_scorer_names_columns_as_the_model_does() -> None:
    matrix, grades = proba(3), RANDOM.integers(0, 3, ROWS)
    odd = 2 * grades + 5
    assert log_loss(np.array([5, 7, 9]))(odd, matrix) == expected(grades, matrix, range(3))
    fold, pair = 2 * RANDOM.integers(0, 2, ROWS), proba(2)  # 1 is missing where the model was trained
    assert log_loss(np.array([0, 2]))(fold, pair) == expected(fold // 2, pair, range(2))
    names = np.array(["a", "b", "c"])
    assert log_loss(names)(names[grades], matrix) == expected(grades, matrix, range(3))
    refusal(lambda: log_loss(np.array([0, 2]))(grades.clip(0, 1), pair), "1", "labels=[0, 2]")


def test_labels_of_a_scorer_place_the_columns_of_the_model() -> None:
    pair, grades = proba(2), 2 * RANDOM.integers(0, 2, ROWS)
    wide = np.stack([pair[:, 1], np.zeros(ROWS), pair[:, 0]], axis=1)
    assert log_loss([0, 2], labels=[2, 1, 0])(grades, pair) == expected(grades, wide, [2, 1, 0])
    refusal(lambda: log_loss([0, 2], labels=[0, 1])(grades, pair), "2", "labels=[0, 1]")
    refusal(lambda: log_loss([0, 2], labels=3)(grades, pair), "labels=", "int")


@pytest.fixture
def scikit_learn(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Stubs of what is imported from it; with them goes the module that imports them."""
    stubs = {
        "sklearn": Stub("sklearn", get_config=lambda: {"enable_metadata_routing": True}),
        "sklearn.metrics": Stub("sklearn.metrics", make_scorer=PlainScorer),
    }
    for name, module in stubs.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "pingce.training.classes", raising=False)
    yield
    sys.modules.pop("pingce.training.classes", None)


@pytest.mark.usefixtures("scikit_learn")
def test_a_scorer_asks_the_model_for_its_classes() -> None:
    matrix, truth = proba(2), 5 + 2 * RANDOM.integers(0, 2, ROWS)
    model = SimpleNamespace(classes_=np.array([5, 7]), predict_proba=lambda _: matrix)
    scorer = pc.scorer("logloss", task="multiclass")
    assert scorer(model, None, truth) == -expected(truth, matrix, [5, 7])
    assert scorer.set_score_request(sample_weight=True) is scorer
    assert scorer.get_metadata_routing() == {"group": False, "sample_weight": True}
    weighed = pc.evaluate_multiclass(truth, None, "logloss", proba=matrix, labels=[5, 7], weight=WEIGHTS)["logloss"]
    assert scorer(model, None, truth, sample_weight=WEIGHTS) == -weighed


@pytest.mark.usefixtures("scikit_learn")
def test_a_scorer_of_single_values_is_what_make_scorer_makes() -> None:
    scorer = pc.scorer("gauc", positive="yes")
    assert type(scorer) is PlainScorer
    assert scorer.method == ("predict_proba", "decision_function")
    assert (scorer.sign, scorer.options, scorer.requests) == (True, {"pos_label": "yes"}, {"group": True})
    assert pc.scorer("rmse").sign == -1


def test_boosters_refuse_labels_that_are_no_numbers_of_columns() -> None:
    matrix, odd = proba(4), GRADES + 5
    metric = pc.lightgbm_metric("logloss", task="multiclass")
    assert "labels=[…]" in refusal(lambda: metric(matrix, Data(odd)), "4", "0", "3", "labels=[…]")
    refusal(lambda: metric(matrix, Data(GRADES - 1)), "-1", "labels=[…]")
    stated = pc.lightgbm_metric("logloss", task="multiclass", labels=[5, 6, 7, 8])
    assert stated(matrix, Data(odd))[1] == metric(matrix, Data(GRADES))[1]
    padded, weights = np.where(np.arange(ROWS) < 5, -1, GRADES), np.where(np.arange(ROWS) < 5, 0, 1)
    assert metric(matrix, Data(padded, weights=weights))[1] == expected(GRADES[5:], matrix[5:], range(4))


def test_rankings_take_columns_that_are_matrices() -> None:
    value = RANKING["ndcg@10"]
    metric = pc.lightgbm_metric("ndcg@10")
    assert metric(SCORES[:, None], Data(GRADES[:, None], SIZES))[1] == value
    named = pc.lightgbm_metric("ndcg@10", group=QUERIES[:, None])
    assert named(SCORES[:, None], Data(GRADES))[1] == value


def test_each_metric_of_lightgbm_has_a_direction_of_its_own() -> None:
    refusal(lambda: pc.lightgbm_metric(["auc", "pcoc"]), "pcoc", "higher_is_better=")
    for better in (True, False):
        metric = pc.lightgbm_metric(["auc", "logloss", "pcoc"], higher_is_better=better)
        assert [each for _, _, each in metric(SCORES, Data(LABELS))] == [True, False, better]
    assert pc.lightgbm_metric("auc", higher_is_better=False)(SCORES, Data(LABELS))[2] is False


def test_the_classes_of_xgboost_take_one_metric() -> None:
    metric = pc.xgboost_metric(["auc", "logloss"])
    refusal(lambda: metric(LABELS, SCORES), "2", "auc,logloss", "eval_metric=", "XGBoost")
    assert len(metric(SCORES, Data(LABELS, weights=np.zeros(0)))) == 2


def test_a_scorer_says_that_rankings_have_no_weights() -> None:
    function = ScoreFunction(Measure.of("ndcg@10", None, {}, "pc.scorer"))
    with pytest.warns(
        PingceWarning, match="ndcg@10 counts every query once: the weights of the data's rows are not used"
    ):
        assert function(GRADES, SCORES, group=QUERIES, sample_weight=WEIGHTS) == RANKING["ndcg@10"]


def test_the_callback_of_keras(monkeypatch: pytest.MonkeyPatch) -> None:
    base = Stub("keras", callbacks=SimpleNamespace(Callback=type("Callback", (), {})))
    monkeypatch.setitem(sys.modules, "keras", base)
    monkeypatch.delitem(sys.modules, "pingce.keras.callback", raising=False)
    from pingce.keras.callback import Callback

    callback: Any = Callback((None, GRADES[:, None]), "ndcg@10", group=QUERIES)
    callback.model, logs = SimpleNamespace(predict=lambda *_, **__: SCORES[:, None]), dict[str, float]()
    callback.on_epoch_end(0, logs)
    assert logs == {"val_ndcg@10": RANKING["ndcg@10"]}
    refusal(lambda: Callback((None, GRADES), "ndcg@10", group=QUERIES, weight=WEIGHTS), "weight=", "ndcg@10")
    Callback((None, LABELS), "gauc", group=USERS, weight=WEIGHTS)
    monkeypatch.delitem(sys.modules, "pingce.keras.callback")
