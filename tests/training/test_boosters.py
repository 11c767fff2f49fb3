"""Metrics of boosters and scikit-learn by their protocols, without the libraries: tests/training/test_examples.py has those."""

from __future__ import annotations

import inspect
import pickle
import warnings
from typing import Any

import numpy as np
import pytest

import pingce as pc
from pingce.base.errors import InputError, PingceWarning
from pingce.training.measure import Measure
from pingce.training.scorer import ScoreFunction

RANDOM = np.random.default_rng(7)
ROWS = 60
LABELS, GRADES = RANDOM.integers(0, 2, ROWS).astype(np.float32), RANDOM.integers(0, 4, ROWS).astype(np.float32)
SCORES = RANDOM.random(ROWS).round(1)
USERS = RANDOM.integers(0, 8, ROWS)
SIZES = np.array([20, 5, 35])
WEIGHTS = RANDOM.integers(1, 4, ROWS).astype(np.float32)


class Data:
    """A data set as LightGBM and XGBoost have it."""

    def __init__(self, labels: Any, sizes: Any = None, weights: Any = None) -> None:
        self.labels, self.sizes, self.weights = labels, sizes, weights

    def get_label(self) -> Any:
        return self.labels

    def get_weight(self) -> Any:
        return self.weights

    def get_group(self) -> Any:
        return self.sizes

    def get_uint_info(self, name: str) -> Any:
        assert name == "group_ptr"
        sizes = () if self.sizes is None else self.sizes
        return np.array([0, *np.cumsum(sizes)] if len(sizes) else [], dtype=np.uint32)


def refusal(call: Any, *words: str) -> str:
    """What is refused, in both languages."""
    with pytest.raises(InputError) as problem:
        call()
    for word in words:
        assert word in problem.value.text.en
        assert word in problem.value.text.zh
    return problem.value.text.en


BINARY = dict(pc.evaluate_binary(LABELS, SCORES, ["gauc", "auc", "logloss"], group=USERS))
RANKING = dict(pc.evaluate_ranking(GRADES, SCORES, ["ndcg@10", "mrr"], sizes=SIZES, ties="expected"))


def test_lightgbm_has_the_numbers_of_one_call() -> None:
    metric = pc.lightgbm_metric(["gauc", "auc", "logloss"], group=USERS)
    expected = [(name, value, name != "logloss") for name, value in BINARY.items()]
    assert metric(SCORES, Data(LABELS)) == expected  # lightgbm.train
    assert metric(LABELS, SCORES, None, None) == expected  # its scikit-learn classes
    assert len(inspect.signature(metric).parameters) == 4  # so that they hand over weights and groups
    assert pc.lightgbm_metric("gauc", group=USERS)(SCORES, Data(LABELS)) == ("gauc", BINARY["gauc"], True)


def test_lightgbm_reads_the_groups_and_weights_of_the_data() -> None:
    metric = pc.lightgbm_metric(["ndcg@10", "mrr"])
    assert metric(SCORES, Data(GRADES, SIZES)) == [(name, value, True) for name, value in RANKING.items()]
    assert metric(GRADES, SCORES, None, SIZES) == metric(SCORES, Data(GRADES, SIZES))
    grouped = pc.evaluate_binary(LABELS, SCORES, "gauc", group=np.repeat([0, 1, 2], SIZES), weight=WEIGHTS)["gauc"]
    assert pc.lightgbm_metric("gauc")(SCORES, Data(LABELS, SIZES, WEIGHTS)) == ("gauc", grouped, True)
    with pytest.warns(PingceWarning, match="counts every query once"):
        metric(SCORES, Data(GRADES, SIZES, WEIGHTS))


def test_xgboost_has_the_numbers_of_one_call() -> None:
    metric = pc.xgboost_metric(["gauc", "logloss"], group=USERS)
    assert metric(SCORES, Data(LABELS, weights=np.zeros(0))) == [(n, BINARY[n]) for n in ("gauc", "logloss")]
    single = pc.xgboost_metric("ndcg@10")
    assert single(SCORES, Data(GRADES, SIZES, np.zeros(0))) == ("ndcg@10", RANKING["ndcg@10"])
    assert pc.xgboost_metric("auc")(LABELS, SCORES) == BINARY["auc"]  # an eval_metric of its classes
    weighed = pc.evaluate_binary(LABELS, SCORES, "auc", weight=WEIGHTS)["auc"]
    assert pc.xgboost_metric("auc")(LABELS, SCORES, sample_weight=WEIGHTS) == weighed
    assert single.__name__ == "ndcg@10"


def test_catboost_has_the_numbers_of_one_call() -> None:
    from scipy.special import expit

    raw = RANDOM.normal(size=ROWS)
    metric = pc.catboost_metric("gauc", group=USERS)
    value, weight = metric.evaluate([raw], LABELS, None)
    assert metric.get_final_error(value, weight) == pc.gauc(LABELS, raw, group=USERS)
    assert (metric.is_max_optimal(), type(metric).__name__) == (True, "gauc")
    loss = pc.catboost_metric("logloss")
    assert loss.evaluate([raw], LABELS, WEIGHTS)[0] == pc.logloss(LABELS, expit(raw), weight=WEIGHTS)
    assert not loss.is_max_optimal()
    assert pc.catboost_metric("rmse").evaluate([raw], LABELS, None)[0] == pc.rmse(LABELS, raw)
    assert "predict_proba" in refusal(lambda: metric.evaluate([raw, raw], LABELS, None), "2", "gauc")
    refusal(lambda: pc.catboost_metric(["auc", "gauc"]), "2", "auc,gauc")


def test_several_data_sets_are_told_apart() -> None:
    train, valid = Data(LABELS), Data(LABELS[:20])
    expected = [pc.gauc(LABELS, SCORES, group=USERS), pc.gauc(LABELS[:20], SCORES[:20], group=USERS[:20])]
    for group in ([USERS, USERS[:20]], {train: USERS, valid: USERS[:20]}):
        metric = pc.lightgbm_metric("gauc", group=group)
        assert [metric(SCORES, train)[1], metric(SCORES[:20], valid)[1]] == expected
    refusal(lambda: pc.lightgbm_metric("gauc", group=[USERS, USERS[::-1]]), "60")
    refusal(lambda: pc.lightgbm_metric("gauc", group=[USERS])(SCORES[:9], Data(LABELS[:9])), "60", "9")
    refusal(lambda: pc.lightgbm_metric("gauc", group={train: USERS})(SCORES[:9], Data(LABELS[:9])), "60", "9")


def test_objects_travel_to_other_processes() -> None:
    for make in (pc.lightgbm_metric, pc.xgboost_metric, pc.catboost_metric):
        metric: Any = pickle.loads(pickle.dumps(make("gauc", group=USERS)))
        assert repr(metric) == "<gauc: labels and scores, for a booster>"
        assert metric.evaluate_rows(LABELS, SCORES) == {"gauc": BINARY["gauc"]}


@pytest.mark.parametrize(
    ("metric", "task"),
    [
        *(
            ("recall", "binary"),
            ("recall@10", "ranking"),
            ("auc", "binary"),
            ("gauc", "binary"),
            ("ndcg@10", "ranking"),
        ),
        *(("rmse", "regression"), ("f1(average=macro)", "multiclass"), ("map", "ranking"), ("lift@0.1", "binary")),
    ],
)
def test_the_task_is_the_first_that_has_the_metric(metric: str, task: str) -> None:
    assert Measure.of(metric, None, {}, "here").request.task.name == task
    assert Measure.of("logloss", "multiclass", {}, "here").request.task.name == "multiclass"


def test_probabilities_of_classes_are_a_matrix() -> None:
    proba = RANDOM.dirichlet(np.ones(4), ROWS)
    name, value, _ = pc.lightgbm_metric("logloss", task="multiclass")(proba, Data(GRADES))
    expected = pc.evaluate_multiclass(GRADES.astype(int), None, "logloss", proba=proba, labels=range(4))
    assert (name, value) == ("logloss", expected["logloss"])


def test_options_are_those_of_the_call() -> None:
    assert (
        pc.lightgbm_metric("f1", threshold=0.7)(SCORES, Data(LABELS))[1]
        == (pc.evaluate_binary(LABELS, SCORES, "f1", threshold=0.7)["f1"])
    )
    worst = pc.lightgbm_metric("ndcg@10", ties="worst")(SCORES, Data(GRADES, SIZES))[1]
    assert worst == pc.evaluate_ranking(GRADES, SCORES, "ndcg@10", sizes=SIZES, ties="worst")["ndcg@10"]


def test_bad_input_is_refused_with_a_sentence() -> None:
    refusal(lambda: pc.lightgbm_metric("gaucc"), "gaucc", "gauc")
    refusal(lambda: pc.lightgbm_metric("gauc")(SCORES, Data(LABELS)), "gauc", "group=")
    refusal(lambda: pc.lightgbm_metric("ndcg@10")(SCORES, Data(GRADES)), "ndcg@10", "group=")
    refusal(lambda: pc.lightgbm_metric("ndcg@10")(SCORES, Data(GRADES, [20, 5])), "25", "60")
    refusal(lambda: pc.lightgbm_metric("gauc")(SCORES, Data(LABELS, [20, 5])), "25", "60")
    refusal(lambda: pc.lightgbm_metric("gauc", group=USERS[:3])(SCORES, Data(LABELS)), "3", "60")
    refusal(lambda: pc.lightgbm_metric("coverage@10"), "coverage@10", "pc.evaluate_ranking")
    refusal(lambda: pc.lightgbm_metric("bpref"), "ties='worst'")
    refusal(lambda: pc.lightgbm_metric("pcoc"), "pcoc", "higher_is_better=")
    assert pc.lightgbm_metric("pcoc", higher_is_better=False)(SCORES, Data(LABELS))[2] is False
    refusal(lambda: pc.lightgbm_metric("qini", task="uplift"), "treatment=", "pc.evaluate_uplift")
    refusal(lambda: pc.lightgbm_metric("auc", memory="1GB"), "memory=", "pc.evaluate_binary")
    refusal(lambda: pc.lightgbm_metric("auc", tresh=1), "tresh=")
    bad = SCORES.copy()
    bad[3] = np.nan
    refusal(lambda: pc.lightgbm_metric("auc")(bad, Data(LABELS)), "3", "nan")
    refusal(lambda: pc.lightgbm_metric("ndcg@3")(bad, Data(GRADES, SIZES)), "3", "nan=last")


def test_warnings_are_given_once() -> None:
    metric = pc.lightgbm_metric("ndcg@10")
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        metric(SCORES, Data(GRADES, SIZES))
        count = len(heard)
        metric(SCORES, Data(GRADES, SIZES))
    assert len(heard) == count == 1


def test_a_score_function_takes_what_scikit_learn_routes() -> None:
    function = ScoreFunction(Measure.of("gauc", None, {}, "pc.scorer"))
    assert function(LABELS, SCORES, group=USERS) == BINARY["gauc"]
    weighed = pc.evaluate_binary(LABELS, SCORES, "gauc", group=USERS, weight=WEIGHTS)["gauc"]
    assert function(LABELS, SCORES, group=USERS, sample_weight=WEIGHTS) == weighed
    methods = {
        name: ScoreFunction(Measure.of(name, None, {}, "pc.scorer")).response() for name in ("auc", "f1", "rmse")
    }
    assert methods == {"auc": ("predict_proba", "decision_function"), "f1": "predict_proba", "rmse": "predict"}


def test_every_call_that_takes_weights_takes_them_as_sample_weight() -> None:
    calls = {name: getattr(pc, name) for name in pc.__all__ if name != "__version__"}
    calls |= {f"{name}.update": call.update for name, call in calls.items() if hasattr(call, "update")}
    checked = 0
    for name, call in calls.items():
        try:
            parameters = inspect.signature(call).parameters
        except (TypeError, ValueError):
            continue
        if not inspect.isclass(call) and "weight" in parameters:
            assert "sample_weight" in parameters, name
            checked += 1
    assert checked > 40
    with pytest.raises(InputError, match="weight= and sample_weight= are two names for the same; give one of them"):
        pc.auc([1, 0], [0.5, 0.2], weight=[1, 1], sample_weight=[1, 1])
