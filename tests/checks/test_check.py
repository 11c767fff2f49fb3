"""Gates: limits are compared as they are written, drops go by direction, what cannot be judged is not passed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.base.errors import InputError
from pingce.base.text import use_language
from pingce.stats.paired import paired_p

TRUTH = {f"q{i}": {"a": 1, "b": 1} for i in range(12)}
GOOD = {query: ["a", "b", "c"] for query in TRUTH}
WORSE = {query: ["c", "a", "b"] if i < 10 else ["a", "b"] for i, query in enumerate(TRUTH)}
A_LITTLE_WORSE = {query: ["c", "a", "b"] if i < 2 else ["a", "b"] for i, query in enumerate(TRUTH)}
METRICS = ["mrr", "ndcg@10", "hit_rate(mode=micro)@2", "num_ret"]


def scores(run: Any, metrics: Any = METRICS, **options: Any) -> pc.RankingScores:
    return pc.evaluate_ranking(TRUTH, run, metrics, **options)


def labels(scores: list[float], metrics: Any = ("auc", "logloss", "pcoc"), **options: Any) -> pc.BinaryScores:
    return pc.evaluate_binary([1, 0, 1, 0], scores, list(metrics), **options)


def only(result: pc.CheckResult) -> Any:
    (row,) = result.rows
    return row


def test_least_and_most() -> None:
    result = pc.check(scores(GOOD), min={"mrr": 1, "ndcg@10": 0.5}, max={"num_ret": 35})
    assert [(row.metric, row.kind, row.passed) for row in result.rows] == [
        ("mrr", "min", True),
        ("ndcg@10", "min", True),
        ("num_ret", "max", False),
    ]
    assert [row.margin for row in result.rows] == [0.0, 0.5, -1.0]
    assert (result.passed, result.judged, bool(result), result.exit_code) == (False, True, False, 1)
    assert pc.check(scores(GOOD), min={"mrr": 1}).exit_code == 0


@given(st.integers(1, 10**6), st.integers(1, 999))
def test_a_drop_of_just_the_allowed_share_passes(value: int, share: int) -> None:
    """Limits are decimals, as people write them: 1 % of 0.5 from 0.5 is 0.495, to the last digit."""
    before = json.loads(scores(GOOD, ["mrr"]).to_json())
    after = json.loads(scores(GOOD, ["mrr"]).to_json())
    before["metrics"][0]["value"] = value / 10**6
    exactly = value * (1000 - share) / 10**9
    after["metrics"][0]["value"] = exactly
    limit = f"{share / 10}%"
    assert pc.check(after, baseline=before, max_drop={"mrr": limit}).passed
    after["metrics"][0]["value"] = float(np.nextafter(exactly, 0))
    assert not pc.check(after, baseline=before, max_drop={"mrr": limit}).passed


def test_drops_in_itself_and_in_per_cent() -> None:
    new, old = scores(WORSE), scores(GOOD)
    drop = old["mrr"] - new["mrr"]
    assert pc.check(new, baseline=old, max_drop={"mrr": drop + 0.001}).passed
    assert not pc.check(new, baseline=old, max_drop={"mrr": drop - 0.001}).passed
    row = only(pc.check(new, baseline=old, max_drop={"mrr": "10%"}))
    assert (row.baseline, row.value, row.passed) == (1.0, new["mrr"], False)
    assert row.margin == pytest.approx(0.1 - drop)
    assert pc.check(old, baseline=new, max_drop={"mrr": 0}).passed  # a rise


def test_a_drop_of_a_loss_is_a_rise() -> None:
    good, bad = labels([0.9, 0.1, 0.8, 0.2]), labels([0.6, 0.4, 0.6, 0.4])
    assert not pc.check(bad, baseline=good, max_drop={"logloss": 0.01}).passed
    assert pc.check(good, baseline=bad, max_drop={"logloss": 0}).passed
    row = only(pc.check(bad, baseline=good, max_drop={"pcoc": 0.1}))
    assert row.passed is None
    assert "use min and max" in row.reason.en


def test_what_is_undefined_or_absent_is_not_judged() -> None:
    one_class = pc.evaluate_binary([1, 1], [0.2, 0.4], ["auc", "recall"], positive=1)
    result = pc.check(one_class, min={"auc": 0.5, "recall": 0})
    assert [row.passed for row in result.rows] == [None, True]
    assert result.rows[0].value is None
    assert (result.passed, result.judged, result.exit_code) == (False, False, 2)
    absent = only(pc.check(scores(GOOD), min={"ndgc@10": 0.5}))
    assert absent.reason.en.startswith("no such metric in these scores; there are mrr, ndcg@10, ")
    assert "did you mean 'ndcg@10'" in absent.reason.en
    without = only(pc.check(scores(GOOD), baseline=scores(GOOD, ["ndcg@10"]), max_drop={"mrr": 0.5}))
    assert (without.passed, without.value) == (None, 1.0)
    assert "; there are ndcg@10" in without.reason.en


def test_other_spellings_are_found() -> None:
    assert pc.check(scores(GOOD), min={"rr": 1, "recip_rank": 1}).passed


def test_definitions_must_agree() -> None:
    row = only(pc.check(scores(GOOD), baseline=scores(GOOD, ties="worst"), max_drop={"mrr": 1}))
    assert row.passed is None
    assert "ties:id" in row.reason.en
    assert "ties:worst" in row.reason.en
    older = json.loads(scores(GOOD).to_json().replace(f"pingce:{pc.__version__}", "pingce:0.0.9"))
    assert pc.check(scores(GOOD), baseline=older, max_drop={"mrr": 0}).passed


def test_a_significant_drop_fails_and_chance_does_not() -> None:
    old = scores(GOOD)
    row = only(pc.check(scores(WORSE), baseline=old, max_drop={"mrr": 0.01}, significant=True))
    differences = np.array([-0.5] * 10 + [0.0] * 2)
    assert row.passed is False
    assert row.p == paired_p(differences[:, None])[0] < 0.05
    assert "the drop is significant" in row.reason.en
    chance = only(pc.check(scores(A_LITTLE_WORSE), baseline=old, max_drop={"mrr": 0.01}, significant=True))
    assert (chance.passed, chance.p) == (True, 0.5)
    strict = only(pc.check(scores(A_LITTLE_WORSE), baseline=old, max_drop={"mrr": 0.01}, significant=True, alpha=0.6))
    assert strict.passed is False
    assert only(pc.check(scores(A_LITTLE_WORSE), baseline=old, max_drop={"mrr": 0.01})).passed is False


def test_queries_are_paired_by_id_and_left_out_where_one_lacks_them() -> None:
    old = json.loads(scores(GOOD).to_json(per_query=True))
    order = list(reversed(range(1, 12)))
    table = old["per_query"]
    table["query"] = [table["query"][i] for i in order]
    table["values"] = {name: [column[i] for i in order] for name, column in table["values"].items()}
    row = only(pc.check(scores(WORSE), baseline=old, max_drop={"mrr": 0}, significant=True))
    assert "q0" not in table["query"]  # one of the ten that are worse
    assert row.p == paired_p(np.array([-0.5] * 9 + [0.0] * 2)[:, None])[0]
    assert "11 queries, 1 in one of the two only" in row.reason.en


@pytest.mark.parametrize(
    ("baseline", "metric", "said"),
    [
        (json.loads(scores(GOOD).to_json()), "mrr", "pingce eval -q -f json"),
        (scores(GOOD), "hit_rate(mode=micro)@2", "no mean over queries"),
    ],
)
def test_what_cannot_be_tested_is_not_judged(baseline: Any, metric: str, said: str) -> None:
    row = only(
        pc.check(scores({q: ["c", "d"] for q in TRUTH}), baseline=baseline, max_drop={metric: 0}, significant=True)
    )
    assert row.passed is None
    assert said in row.reason.en
    # Without a drop there is nothing to test.
    assert pc.check(scores(GOOD), baseline=baseline, max_drop={metric: 0}, significant=True).passed


def test_gauc_is_tested_over_groups() -> None:
    users = np.repeat(np.arange(8), 4)
    truth = np.tile([1, 0, 1, 0], 8)
    good, bad = np.tile([0.9, 0.1, 0.8, 0.2], 8), np.tile([0.3, 0.5, 0.8, 0.2], 8)
    old, new = (pc.evaluate_binary(truth, score, ["gauc", "auc"], group=users) for score in (good, bad))
    result = pc.check(new, baseline=old, max_drop={"gauc": 0.01, "auc": 0}, significant=True)
    assert result.rows[0].p == paired_p(np.full((8, 1), -0.25))[0]
    assert result.rows[0].passed is False
    assert result.rows[1].passed is None


def test_gauc_without_its_groups_is_tested_by_the_saved_intervals() -> None:
    random = np.random.default_rng(3)
    users, truth = np.repeat(np.arange(20), 6), np.tile([1, 0, 1, 0, 1, 0], 20)
    sides = [truth * lift + random.random(120) for lift in (0.8, 0.5)]
    old, new = (pc.evaluate_binary(truth, side, ["gauc"], group=users, ci=0.95, samples=50) for side in sides)
    row = pc.check(new.to_dict(), baseline=old.to_dict(), max_drop={"gauc": 0}, significant=True).rows[0]
    assert row.p is not None and row.reason is not None and "saved intervals" in row.reason.en
    plain = [pc.evaluate_binary(truth, side, ["gauc"], group=users).to_dict() for side in sides]
    unjudged = pc.check(plain[1], baseline=plain[0], max_drop={"gauc": 0}, significant=True).rows[0]
    assert unjudged.passed is None


def test_saved_files_and_several_models(tmp_path: Path) -> None:
    path = tmp_path / "base.json"
    path.write_text(scores(GOOD).to_json(per_query=True))
    assert pc.check(path, min={"mrr": 1}, baseline=str(path), max_drop={"mrr": 0}).passed
    result = pc.check({"good": scores(GOOD), "worse": scores(WORSE)}, min={"mrr": 0.9})
    assert [(row.run, row.passed) for row in result.rows] == [("good", True), ("worse", False)]
    assert result.table().titles[0] == "run"


def test_a_file_of_checks(tmp_path: Path) -> None:
    (tmp_path / "base.json").write_text(scores(GOOD).to_json(per_query=True))
    file = tmp_path / "checks.toml"
    file.write_text(
        'baseline = "base.json"\nalpha = 0.6\n'
        '[[check]]\nmetric = "mrr"\nmin = 0.4\nmax = 0.99\n'
        '[[check]]\nmetric = "ndcg@10"\nmax_drop = "1%"\nsignificant = true\n'
    )
    result = pc.check(scores(A_LITTLE_WORSE), checks=file)
    assert [(row.metric, row.kind, row.limit, row.passed) for row in result.rows] == [
        ("mrr", "min", "0.4", True),
        ("mrr", "max", "0.99", True),
        ("ndcg@10", "max_drop", "1%", False),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no checks"),
        ("check = 3", "has no checks"),
        ("[[check]]\nmetric = 'mrr'", "check 1: needed are metric and one of min, max, max_drop"),
        ("[[check]]\nmetric = 'mrr'\nmin = 1\n[[check]]\nmetric = 'mrr'\nmni = 1", "check 2: unknown key 'mni'"),
        ("[[check]]\nmetric = 'mrr'\nmin = true", "check 1: True is no limit"),
        ("[[check]]\nmetric = 3\nmin = 1", "check 1: 3 is not the name of a metric"),
        ("[[check]]\nmetric = 'mrr'\nmin = '5%'", "check 1: '5%' is no limit"),
        ("[[check]]\nmetric = 'mrr'\nmax_drop = -1", "is a rise"),
        ("[[check]]\nmetric = 'mrr'\nmax_drop = 1\nsignificant = 1", "true or false"),
        ("[[check]]\nmetric = 'mrr'\nmax_drop = 1", "needs a baseline"),
        ("baseline = 3\n[[check]]\nmetric = 'mrr'\nmin = 1", "baseline is a path"),
        ("alpha = 2\n[[check]]\nmetric = 'mrr'\nmin = 1", "alpha=2"),
        ("chek = 1", "did you mean 'check'"),
        ("= =", "not TOML"),
    ],
)
def test_bad_files_of_checks_are_refused(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "checks.toml"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        pc.check(scores(GOOD), checks=file)
    assert said in caught.value.text.en
    assert caught.value.text.zh != caught.value.text.en


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "nothing to check"),
        ({"min": {"mrr": "high"}}, "min mrr: 'high' is no limit"),
        ({"min": {"mrr": float("nan")}}, "nan is no limit"),
        ({"min": ["mrr"]}, "give a dict"),
        ({"max_drop": {"mrr": 0.1}}, "needs a baseline"),
        ({"max_drop": {"mrr": 0.1}, "baseline": 3}, "path or a dictionary"),
        ({"max_drop": {"mrr": 0.1}, "baseline": labels([0.1, 0.2, 0.3, 0.4])}, "task binary, but ranking"),
        ({"min": {"mrr": 1}, "alpha": 1}, "alpha=1"),
    ],
)
def test_bad_rules_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        pc.check(scores(GOOD), **options)
    assert said in caught.value.text.en


def test_as_markdown_and_json_in_both_languages() -> None:
    def checked() -> pc.CheckResult:
        return pc.check(
            scores(WORSE), min={"mrr": 0.9}, max={"ndgc": 1}, baseline=scores(GOOD), max_drop={"mrr": "90%"}
        )

    result = checked()
    assert result.to_markdown().splitlines()[0] == "**1 of 3 checks failed; 1 of 3 could not be judged**"
    assert "| mrr | 0.5833 | 1.0000 | drop ≤ 90% | 0.4833 | passed |" in result.to_markdown()
    document = json.loads(result.to_json())
    assert [entry["passed"] for entry in document["checks"]] == [False, None, True]
    assert document["checks"][0]["signature"].startswith("rr|")
    assert "<table>" in result._repr_html_()
    use_language("zh")
    result = checked()
    assert result.to_markdown().splitlines()[0] == "**3 项检查中 1 项未通过；3 项中 1 项无法判断**"
    assert "| mrr | 0.5833 | 1.0000 | 下降 ≤ 90% | 0.4833 | 通过 |" in result.to_markdown()
