"""Populations of trials and of logs, whose truth is known: for `coverage.py`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

import pingce as pc

Floats = NDArray[np.float64]
NODES = 1 << 17


def shares(logits: Floats) -> Floats:
    """Probabilities, a row each."""
    powers = np.exp(logits)
    out: Floats = powers / powers.sum(axis=1, keepdims=True)
    return out


def nodes() -> Floats:
    """Normal numbers at even steps."""
    return np.asarray(ndtri((np.arange(NODES) + 0.5) / NODES))


@dataclass(frozen=True)
class Logs:
    """A log of three actions that a policy chose by chance, and a target policy that prefers others."""

    apart: float = 0.7
    "How far the target policy is from the one that wrote the log."
    lean: float = 0.0
    "How much the log avoids what the target policy prefers."
    metrics: ClassVar[tuple[str, ...]] = (
        "logged_value",
        "ips",
        "ips(clip=3)",
        "snips",
        "dm",
        "dr",
        "dr(switch=3)",
        "sndr",
        "mean_weight",
    )

    def policies(self, x: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Of each action: both probabilities, the mean reward, and what a model expects, which is off."""
        slopes = np.array([0.0, 0.8, -0.5])
        logits = x[:, None] * slopes
        means = 1 / (1 + np.exp(1.5 - logits))
        liked = np.array([0.0, 0.4, 0.8])
        return (
            shares(0.3 * logits - self.lean * liked),
            shares(self.apart * (logits + liked)),
            means,
            0.8 * means + 0.05,
        )

    def score(self, random: np.random.Generator, n: int, options: dict[str, Any]) -> Any:
        """One sample with its intervals."""
        logging, target, means, estimates = self.policies(random.normal(size=n))
        action = (random.random(n)[:, None] > np.cumsum(logging, axis=1)[:, :2]).sum(axis=1)
        rows = np.arange(n)
        rewards = (random.random(n) < means[rows, action]).astype(np.float64)
        model: dict[str, Any] = {
            "logged_estimate": estimates[rows, action],
            "target_estimate": (target * estimates).sum(axis=1),
        }
        model["propensity"] = logging[rows, action]
        return pc.evaluate_offpolicy(rewards, target[rows, action], **model, **options)

    def truth(self, metrics: Sequence[str]) -> dict[str, float]:
        """Every action of every row by its probability; values whose weights are tamed have a truth of their own."""
        logging, target, means, estimates = self.policies(nodes())

        def mean(of_action: Floats) -> float:
            return float(of_action.sum(axis=1).mean())

        value, weights = mean(target * means), target / logging
        model, kept = mean(target * estimates), np.where(weights <= 3, target, 0.0)
        truths = dict.fromkeys(("ips", "snips", "dr", "sndr"), value) | {"dm": model, "mean_weight": 1.0}
        truths |= {"logged_value": mean(logging * means), "ips(clip=3)": mean(logging * np.minimum(weights, 3) * means)}
        truths["dr(switch=3)"] = model + mean(kept * (means - estimates))
        return {metric: truths[metric] for metric in metrics}


@dataclass(frozen=True)
class Trials:
    """A trial whose treatment helps some rows more than others; scores that know it somewhat."""

    metrics: ClassVar[tuple[str, ...]] = ("uplift", "uplift@0.3", "qini", "auuc", "qini(norm=end)")

    def chances(self, x: Floats) -> tuple[Floats, Floats]:
        """Of an outcome, without the treatment and with it; the score is x."""
        base = 1 / (1 + np.exp(1.2 - 0.3 * x))
        return base, base + 0.25 / (1 + np.exp(-1.5 * x))

    def score(self, random: np.random.Generator, n: int, options: dict[str, Any]) -> Any:
        """One sample with its intervals."""
        x, treated = random.normal(size=n), random.integers(0, 2, n)
        without, with_ = self.chances(x)
        outcome = (random.random(n) < np.where(treated == 1, with_, without)).astype(np.int64)
        return pc.evaluate_uplift(outcome, x, treatment=treated, **options)

    def truth(self, metrics: Sequence[str]) -> Any:
        """Every row in both arms and with both outcomes, weighted by their probabilities."""
        x = nodes()
        without, with_ = self.chances(x)
        sides = [(0, 0, 1 - without), (0, 1, without), (1, 0, 1 - with_), (1, 1, with_)]
        treated, outcome = (np.repeat([side[at] for side in sides], len(x)) for at in (0, 1))
        weight = np.concatenate([chance for _, _, chance in sides])
        return pc.evaluate_uplift(outcome, np.tile(x, 4), list(metrics), treatment=treated, weight=weight)
