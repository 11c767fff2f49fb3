"""Values that rows which are not there would decide have no interval, and a sentence."""

from __future__ import annotations

import numpy as np

import pingce as pc
from pingce.base.text import LANGUAGES, use_language


def test_a_logarithm_of_0_has_no_interval() -> None:
    random = np.random.Generator(np.random.PCG64(5))
    p = random.uniform(0.05, 0.95, 400)
    labels = (random.random(400) < p).astype(int)
    metrics = ["logloss", "ne", "brier"]
    assert all(pc.evaluate_binary(labels, p, metrics, ci=0.95).interval(name) is not None for name in metrics)
    p[labels == 0] = np.where(p[labels == 0] < 0.3, 0.0, p[labels == 0])
    scores = pc.evaluate_binary(labels, p, metrics, ci=0.95)
    assert [scores.interval(name) is None for name in metrics] == [True, True, False]
    for lang in LANGUAGES:
        use_language(lang)
        assert [note for note in map(str, scores.notes) if note.startswith("logloss") and "0" in note]
    bounded = pc.evaluate_binary(labels, p, ["logloss(eps=0.1)"], ci=0.95)
    assert bounded.interval("logloss(eps=0.1)") is not None


def test_a_share_of_true_numbers_near_0_has_no_interval() -> None:
    scores = pc.evaluate_regression(np.arange(1.0, 60.0), np.arange(1.5, 60.5), ["mape", "wmape"], ci=0.95)
    assert scores.interval("mape") is None
    assert scores.interval("wmape") is not None
    assert any("wmape has one" in note.en for note in scores.notes)
