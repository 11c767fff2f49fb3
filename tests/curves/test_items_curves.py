"""Curves of what lists show: exact counts whose area is Gini's coefficient, and tenths of the past."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from pingce.curves.items import Lorenz, PopularityParts
from pingce.evidence.items.background import Background
from pingce.evidence.items.heads import WHOLE
from pingce.evidence.items.view import ItemView, item_view
from pingce.evidence.ranking.compute import ranking_evidence
from pingce.inputs.columns import Reading
from pingce.metrics.ranking.concentration import fewest_items
from pingce.metrics.ranking.items import EXAMPLE

LISTS = {user: list(items) for user, items in EXAMPLE.lists.items()}
TRAIN: dict[str, list[str]] = {}
for _user, _item in EXAMPLE.train:
    TRAIN.setdefault(str(_user), []).append(str(_item))


def shown() -> ItemView:
    """What the four users of the example see."""
    reading = Reading()
    truth = reading.read({user: dict(items) for user, items in EXAMPLE.truth.items()}, "truth")
    evidence = ranking_evidence(truth, reading.read(LISTS, "run"), depth=WHOLE)
    background = Background(train=reading.read(TRAIN, "train"))
    return item_view(replace(evidence, background=background).view(ties="id", relevant=1))


def test_the_curve_of_the_example() -> None:
    curve = Lorenz.of(np.array([1, 4, 3, 2, 1]), 6)
    assert curve.items.tolist() == [0, 1, 3, 4, 5, 6]
    assert curve.places.tolist() == [0, 0, 2, 4, 7, 11]
    assert curve.gini == 9 / 22


@given(st.lists(st.integers(1, 50), min_size=1, max_size=60), st.integers(0, 40))
def test_twice_the_area_is_gini(counts: list[int], unshown: int) -> None:
    size = len(counts) + unshown
    curve = Lorenz.of(np.array(counts), size)
    every = sorted([0] * unshown + counts)
    exact = Fraction(sum((2 * at - size - 1) * count for at, count in enumerate(every, 1)), size * sum(every))
    assert curve.gini == float(exact)
    assert (curve.items[-1], curve.places[-1]) == (size, sum(counts))
    assert (np.diff(curve.items) > 0).all()
    slopes = np.diff(curve.places) / np.diff(curve.items)
    assert (np.diff(slopes) > 0).all()


def test_a_thinned_curve_keeps_its_ends() -> None:
    curve = Lorenz.of(np.arange(1, 1000), 2000)
    thin = curve.thinned(50)
    assert len(thin.items) <= 50
    assert [thin.items[0], thin.items[-1]] == [0, 2000]
    assert thin.places[-1] == curve.places[-1]
    assert curve.thinned(5000) is curve


@given(st.lists(st.integers(1, 50), min_size=1, max_size=60))
def test_as_few_items_as_have_most_places(counts: list[int]) -> None:
    few = fewest_items(np.array(sorted(counts)))
    ordered = sorted(counts, reverse=True)
    assert 5 * sum(ordered[:few]) >= 4 * sum(counts) > 5 * sum(ordered[: few - 1])


def test_tenths_of_the_past() -> None:
    parts = PopularityParts.of(shown(), 3)
    # a 4, b 2, c 1, d 1 of the past fall into tenths 1, 3, 6 and 8; e was never chosen
    assert parts.past.tolist() == [4, 0, 2, 0, 0, 1, 0, 1, 0, 0]
    assert parts.places.tolist() == [1, 0, 4, 0, 0, 3, 0, 2, 0, 0]
    assert parts.cold == 1


def test_metrics_count_what_words_are_made_of() -> None:
    scores = pc.evaluate_ranking(None, LISTS, ["gini@3", "gini(items=shown)@3", "tail@3"], train=TRAIN, catalog=6)
    shown_by = scores.counts["shown"]
    assert shown_by["gini@3"] == {"places": 11, "items": 5, "of": 6, "head": 3, "unknown": 0}
    assert shown_by["gini(items=shown)@3"] == {"places": 11, "items": 5, "of": 5, "head": 3}
    assert shown_by["tail@3"] == {"places": 11, "items": 5, "cold": 1, "past": 8, "tail": 1}
