"""Models of the same rows: labels and scores, classes, numbers; the test each metric gets, groups, curves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import pingce as pc

RANDOM = np.random.default_rng(5)
N = 240
LABEL = (RANDOM.random(N) < 0.4).astype(int)
WEAK = np.clip(0.4 + 0.15 * (LABEL - 0.4) + 0.2 * RANDOM.normal(size=N), 0.01, 0.99).round(3)
STRONG = np.clip(0.4 + 0.5 * (LABEL - 0.4) + 0.2 * RANDOM.normal(size=N), 0.01, 0.99).round(3)
GROUP = RANDOM.integers(0, 12, N)
METRICS = ["auc", "gauc", "logloss", "brier", "accuracy", "f1"]
TRUE = RANDOM.integers(0, 3, N)
GUESSES = {
    name: np.where(RANDOM.random(N) < share, TRUE, RANDOM.integers(0, 3, N)) for name, share in (("x", 0.5), ("y", 0.8))
}
NUMBERS = RANDOM.normal(size=N).round(3)
FEW = 100


def binary(models: dict[str, Any] | None = None, metrics: Any = METRICS, **options: Any) -> pc.Comparison:
    models = models or {"weak": WEAK, "strong": STRONG}
    return pc.compare(options.pop("truth", LABEL), models, metrics, task="binary", samples=FEW, **options)


def test_every_metric_gets_its_own_test() -> None:
    found = binary(group=GROUP)
    tests = {metric: found.difference(metric, "strong").test.en for metric in METRICS}
    assert "DeLong" in tests["auc"]
    assert "permutation" in tests["gauc"]
    assert "permutation" in tests["logloss"]
    assert "bootstrap" in tests["f1"]
    assert found.difference("gauc", "strong").unit == "groups"
    rows = binary(metrics=["accuracy"]).difference("accuracy", "strong")
    assert "McNemar" in rows.test.en
    assert rows.unit == "rows"


def test_samples_are_those_of_every_test() -> None:
    found = binary(metrics=["logloss", "f1"])
    assert f"{FEW} " in found.difference("logloss", "strong").test.en
    assert found.to_dict()["settings"]["permutations"] == FEW
    usual = pc.compare(LABEL, {"weak": WEAK, "strong": STRONG}, ["logloss"], task="binary")
    assert usual.to_dict()["settings"]["permutations"] == 100_000


def test_values_are_those_of_evaluate() -> None:
    found = binary(group=GROUP)
    for model, scores in (("weak", WEAK), ("strong", STRONG)):
        alone = pc.evaluate_binary(LABEL, scores, METRICS, group=GROUP)
        assert {metric: found.value(metric, model) for metric in METRICS} == dict(alone)
        assert found.signature("auc", model) == alone.signature("auc")


def test_mcnemar_is_the_sign_test_of_rows_that_differ() -> None:
    found = binary(metrics=["accuracy"])
    gap = found.difference("accuracy", "strong")
    right = [(scores >= 0.5) == LABEL for scores in (STRONG, WEAK)]
    wins, losses = int((right[0] & ~right[1]).sum()), int((~right[0] & right[1]).sum())
    assert (gap.wins, gap.ties, gap.losses) == (wins, N - wins - losses, losses)
    few = sum(math.comb(wins + losses, i) for i in range(min(wins, losses) + 1)) / 2 ** (wins + losses)
    assert gap.p == pytest.approx(min(1, 2 * few), rel=1e-12)


def test_wins_of_a_loss_are_rows_with_the_smaller_loss() -> None:
    gap = binary(metrics=["brier"]).difference("brier", "strong")
    apart = (STRONG - LABEL) ** 2 - (WEAK - LABEL) ** 2
    assert gap.value < 0
    assert gap.wins == int((apart < -1e-11).sum())
    assert gap.effect == pytest.approx(apart.mean() / apart.std(ddof=1), rel=1e-9)


def test_groups_of_gauc_can_be_looked_at() -> None:
    found = binary(group=GROUP)
    table = found.per_query("gauc")
    assert table.column_names == ["group", "weak", "strong"]
    assert table.num_rows == len(set(GROUP.tolist()))
    alone = pc.evaluate_binary(LABEL, STRONG, ["gauc"], group=GROUP).per_group
    assert table.column("strong").to_pylist() == alone.column("auc").to_pylist()
    gap = found.difference("gauc", "strong")
    assert gap.wins == sum(one > 1e-11 for one in found.differences("gauc").column("strong").to_pylist())
    with pytest.raises(pc.InputError, match="one number of all rows"):
        found.per_query("auc")


def test_equal_models_give_p_1_no_letters_and_equal_curves() -> None:
    found = binary({"one": WEAK, "same": WEAK.copy()}, group=GROUP)
    for metric in METRICS:
        gap = found.difference(metric, "same")
        assert (gap.value, gap.p) == (0, 1)
        assert found.letters(metric, "same") == found.letters(metric, "one") == ""
    assert [curve.verdict for curve in found.curves] == ["equal", "equal"]


def test_rows_in_any_order_give_the_same_bytes() -> None:
    order = np.random.default_rng(1).permutation(N)
    found = binary(group=GROUP)
    mixed = binary({"weak": WEAK[order], "strong": STRONG[order]}, truth=LABEL[order], group=GROUP[order])
    assert mixed.to_json(per_query=True) == found.to_json(per_query=True)
    turned = binary({"strong": STRONG, "weak": WEAK}, group=GROUP, baseline="weak")
    for metric in METRICS:
        assert repr(turned.difference(metric, "strong")) == repr(found.difference(metric, "strong"))


def test_weighted_rows_in_any_order_give_the_same_bytes() -> None:
    order, weight = np.random.default_rng(2).permutation(N), np.arange(N) % 4 + 0.5
    metrics = ["auc", "logloss", "accuracy", "f1"]
    found = binary(metrics=metrics, weight=weight)
    models = {"weak": WEAK[order], "strong": STRONG[order]}
    assert binary(models, metrics, truth=LABEL[order], weight=weight[order]).to_json() == found.to_json()


def test_many_rows_are_drawn_as_means_with_the_same_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    few = binary(metrics=["brier"], seed=4)
    monkeypatch.setattr("pingce.comparison.rows._MANY", 10)
    many = binary(metrics=["brier"], seed=4)
    low, high = few.interval("brier", "weak")
    assert many.interval("brier", "weak") == pytest.approx((low, high), abs=(high - low) / 4)
    assert many.interval("brier", "weak") != (low, high), "other draws"
    assert repr(many.difference("brier", "strong")) == repr(few.difference("brier", "strong"))


def test_curves_say_which_dominates_or_where_they_cross() -> None:
    perfect = binary({"weak": WEAK, "perfect": LABEL * 0.8 + 0.1}, metrics=["auc"])
    assert [(curve.kind, curve.verdict, curve.better) for curve in perfect.curves] == [
        ("roc", "dominates", "perfect"),
        ("pr", "dominates", "perfect"),
    ]
    crossing = binary(
        {"one": [0.9, 0.8, 0.3, 0.2, 0.1], "two": [0.5, 0.1, 0.7, 0.9, 0.2]}, metrics=["auc"], truth=[1, 0, 0, 1, 0]
    )
    assert crossing.curves[0].kind == "roc"
    assert pc.compare(TRUE, GUESSES, ["accuracy"], task="multiclass", samples=FEW).curves == ()


def test_curves_that_cross_by_chance_are_not_said_and_losses_ask_for_none() -> None:
    draw = np.random.default_rng(3)
    labels = draw.integers(0, 2, 3000)
    models = {name: np.clip(labels * 0.3 + draw.random(3000) * 0.7, 0.01, 0.99) for name in ("one", "two")}
    found = binary(models, metrics=["auc"], truth=labels)
    assert [(curve.verdict, curve.is_finding) for curve in found.curves] == [("cross", False)] * 2
    for text in (found.to_markdown(), found._repr_html_(), found.to_latex()):
        assert "cross" not in text
    assert binary(models, metrics=["logloss"], truth=labels).curves == ()
    assert binary(models, metrics=["logloss", "brier", "ece"], truth=labels).curves == ()
    assert len(binary(models, metrics=["logloss", "auc"], truth=labels).curves) == 2


def test_columns_of_a_table_are_models() -> None:
    table = {"y": LABEL, "weak": WEAK, "strong": STRONG}
    named = pc.compare("y", ["weak", "strong"], ["auc"], task="binary", data=table)
    assert named.to_dict() == pc.compare(LABEL, {"weak": WEAK, "strong": STRONG}, ["auc"], task="binary").to_dict()


def test_classes_and_numbers_are_compared_too() -> None:
    classes = pc.compare(TRUE, GUESSES, ["accuracy", "f1(average=macro)"], task="multiclass", samples=FEW)
    assert "McNemar" in classes.difference("accuracy", "y").test.en
    assert classes.letters("accuracy", "y") == "a"
    assert classes.difference("f1(average=macro)", "y").interval[0] > 0
    models = {"near": NUMBERS + 0.1 * RANDOM.normal(size=N), "far": NUMBERS + 0.5 * RANDOM.normal(size=N)}
    numbers = pc.compare(NUMBERS, models, ["mae", "rmse"], task="regression", samples=FEW)
    assert numbers.letters("mae", "near") == "b"
    apart = np.abs(models["far"] - NUMBERS) - np.abs(models["near"] - NUMBERS)
    assert numbers.difference("mae", "far").value == pytest.approx(apart.mean(), rel=1e-9)
    assert numbers.difference("mae", "far").losses == int((apart > 1e-11).sum())


def test_probabilities_of_classes_are_models_too() -> None:
    sharp, flat = (np.full((N, 3), (1 - top) / 2) for top in (0.8, 0.5))
    sharp[np.arange(N), GUESSES["y"]] = 0.8
    flat[np.arange(N), GUESSES["y"]] = 0.5
    found = pc.compare(TRUE, {"sharp": sharp, "flat": flat}, ["logloss", "accuracy"], task="multiclass", samples=FEW)
    assert found.value("logloss", "sharp") == pc.evaluate_multiclass(TRUE, None, ["logloss"], proba=sharp)["logloss"]
    assert found.difference("accuracy", "flat").value == 0


def test_an_undefined_value_is_not_tested() -> None:
    found = binary({"never": LABEL * 0.1, "some": STRONG}, metrics=["precision", "recall"])
    gap = found.difference("precision", "some")
    assert math.isnan(gap.p)
    assert math.isnan(gap.value)
    assert found.letters("precision", "some") == ""
    assert found.to_dict()["metrics"][0]["models"][0]["value"] is None
    assert "–" in str(found)


@pytest.mark.parametrize(
    ("truth", "models", "options", "said"),
    [
        ([1, 0, 1], {"a": [0.1, 0.2, 0.3], "b": [0.1, 0.2]}, {}, "2"),
        ([1], {"a": [0.1], "b": [0.2]}, {}, "one row only"),
        ([1, 0], {"a": [0.1, 0.2], "b": [0.2, 0.1]}, {"test": "wilcoxon"}, "for means over queries"),
        ([1, 0], {"a": [0.1, 0.2]}, {}, "at least two"),
    ],
)
def test_bad_input_is_one_sentence(truth: Any, models: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(pc.InputError) as refused:
        pc.compare(truth, models, ["auc"], task="binary", **options)
    assert said in refused.value.text.en
    assert refused.value.text.zh != refused.value.text.en


def clustered(weight: Any = None, order: Any = slice(None), grouped: bool = True) -> pc.Comparison:
    """Users of ten rows each, whose rows are much alike."""
    random = np.random.default_rng(8)
    user = np.repeat(np.arange(40), 10)
    taste = random.normal(size=40)[user]
    label = (random.random(400) < 1 / (1 + np.exp(-2 * taste))).astype(int)
    models = {
        name: 1 / (1 + np.exp(-taste - noise * random.normal(size=400))) for name, noise in (("a", 0.5), ("b", 1))
    }
    return pc.compare(
        label[order],
        {name: scores[order] for name, scores in models.items()},
        ["auc", "rank_loss", "logloss", "accuracy", "ece", "f1", "pr_auc", "ks"],
        task="binary",
        samples=FEW,
        group=user[order] if grouped else None,
        weight=None if weight is None else weight[order],
    )


def test_the_group_is_the_unit_of_values_and_of_differences() -> None:
    rows, groups = clustered(grouped=False), clustered()
    for metric in groups.metrics:
        gap = groups.difference(metric, "b")
        assert (gap.unit, gap.pairs) == ("groups", 40)
        assert rows.difference(metric, "b").unit == "rows"
        wide, narrow = (high - low for low, high in (one.interval(metric, "a") for one in (groups, rows)))
        assert wide > 1.1 * narrow or metric == "ece", "ten rows of a user say less than ten rows of ten"
    assert "the unit of values and differences is the group" in groups.how[2].en
    assert "以组（而非行）为单位" in groups.how[2].zh
    assert "the unit" not in rows.how[2].en
    low, high = groups.interval("auc", "a")
    assert groups.interval("rank_loss", "a") == pytest.approx((1 - high, 1 - low))


@pytest.mark.parametrize("weight", [None, np.arange(400) % 4 + 0.5])
def test_grouped_rows_in_any_order_give_the_same_bytes(weight: Any) -> None:
    order = np.random.default_rng(2).permutation(400)
    assert clustered(weight, order).to_json() == clustered(weight).to_json()


def test_groups_of_one_row_are_rows() -> None:
    plain, alone = binary(metrics=["auc"]), binary(metrics=["auc"], group=np.arange(N))
    assert alone.interval("auc", "weak") == pytest.approx(plain.interval("auc", "weak"), abs=2e-3)
    assert alone.difference("auc", "strong").interval == pytest.approx(
        plain.difference("auc", "strong").interval, abs=2e-3
    )
