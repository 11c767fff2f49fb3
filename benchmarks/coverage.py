"""How often intervals hold the truth: `python benchmarks/coverage.py [--n 200 1000] [--replicates 60] [--samples 100]`.

Worlds are drawn whose truth is known; a row per metric and world, a column per number of rows: the share of 95 %
intervals that hold it. Below 0.93 (less two standard errors of so many replicates) the share is marked with `!`; where a
metric offers no interval there is a dash, and where no more than some replicates have one, their share in brackets.
It takes about three minutes on two cores; `coverage.md` is what it printed last.
"""

from __future__ import annotations

import argparse
import math
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pingce as pc

Floats = NDArray[np.float64]
LEAST = 0.93
BINARY = (
    "auc",
    "rank_loss",
    "partial_auc",
    "pr_auc",
    "ks",
    "ks_threshold",
    "best_f",
    "best_f_threshold",
    "bep",
    "lift@0.1",
    "gain@0.1",
    "logloss",
    "ne",
    "brier",
    "ece",
    "ece(binning=quantile)",
    "mce",
    "pcoc",
    "accuracy",
    "precision",
    "recall",
    "f1",
    "specificity",
    "fpr",
    "fnr",
    "npv",
    "balanced_accuracy",
    "jaccard",
    "mcc",
    "kappa",
)
CLASSES = (
    "accuracy",
    "balanced_accuracy",
    "precision",
    "recall",
    "f1",
    "f1(average=weighted)",
    "f1(average=micro)",
    "jaccard",
    "kappa",
    "mcc",
    "logloss",
    "top_k_accuracy@2",
    "auc",
)
NUMBERS = (
    "mae",
    "mse",
    "rmse",
    "max_error",
    "mape",
    "smape",
    "wmape",
    "msle",
    "rmsle",
    "medae",
    "r2",
    "explained_variance",
    "pearson",
    "spearman",
)


def sigmoid(x: Floats) -> Floats:
    """1 / (1 + e^-x)."""
    found: Floats = 1 / (1 + np.exp(-x))
    return found


@dataclass(frozen=True)
class Labels:
    """Labels of probability sigmoid(shift + skill · x), predicted as sigmoid(tilt · logit + bias)."""

    shift: float = 0.0
    skill: float = 1.2
    tilt: float = 1.0
    bias: float = 0.0
    steps: int = 0
    "Round predictions to so many steps: ties."

    def rows(self, random: np.random.Generator, n: int) -> tuple[Floats, Floats]:
        """True and predicted probability of each row."""
        x = random.normal(size=n)
        logit = self.shift + self.skill * x
        shown = self.tilt * logit + self.bias if self.skill else self.shift + 1.2 * x
        predicted = sigmoid(shown)
        return sigmoid(logit), np.round(predicted * self.steps) / self.steps if self.steps else predicted

    def score(self, random: np.random.Generator, n: int, options: dict[str, Any]) -> Any:
        """One sample with its intervals."""
        true, predicted = self.rows(random, n)
        labels = (random.random(n) < true).astype(np.int8)
        return pc.evaluate_binary(labels, predicted, **options)

    def truth(self, random: np.random.Generator, metrics: Sequence[str]) -> Any:
        """Every row as a positive and as a negative one, weighted by their probabilities: no noise of labels."""
        true, predicted = self.rows(random, 1_000_000)
        labels = np.repeat(np.array([1, 0], np.int8), len(true))
        weight = np.concatenate([true, 1 - true])
        return pc.evaluate_binary(labels, np.tile(predicted, 2), metrics, weight=weight)


@dataclass(frozen=True)
class Classes:
    """Four classes, drawn by the predicted probabilities themselves, tilted."""

    weights: tuple[float, ...] = (0.4, 0.3, 0.2, 0.1)
    skill: float = 1.2

    def score(self, random: np.random.Generator, n: int, options: dict[str, Any]) -> Any:
        """One sample with its intervals."""
        logits = np.log(self.weights) + self.skill * random.normal(size=(n, 4))
        drawn = np.argmax(logits + random.gumbel(size=(n, 4)), axis=1)
        proba = np.exp(1.3 * logits)
        return pc.evaluate_multiclass(drawn, proba=proba / proba.sum(axis=1, keepdims=True), **options)

    def truth(self, random: np.random.Generator, metrics: Sequence[str]) -> Any:
        """A large sample."""
        return self.score(random, 1_000_000, {"metrics": metrics})


@dataclass(frozen=True)
class Numbers:
    """Positive numbers; errors that are normal and the same for all, or lognormal and in proportion."""

    spread: float = 0.4
    "Of the logarithm of what a number is more than predicted; 0 for normal errors."

    def score(self, random: np.random.Generator, n: int, options: dict[str, Any]) -> Any:
        """One sample with its intervals."""
        predicted = random.gamma(3, 2, n) + 1
        if self.spread:
            return pc.evaluate_regression(predicted * random.lognormal(0, self.spread, n), predicted, **options)
        return pc.evaluate_regression(predicted + 3 + random.normal(0, 0.5, n), predicted + 3, **options)

    def truth(self, random: np.random.Generator, metrics: Sequence[str]) -> Any:
        """A large sample."""
        return self.score(random, 2_000_000, {"metrics": metrics})


RARE = -4.1
"Log odds that give about 3 % positives."
POPULATIONS: dict[str, Any] = {
    "balanced, calibrated": Labels(),
    "balanced, miscalibrated": Labels(tilt=1.5, bias=0.3),
    "balanced, slightly miscalibrated": Labels(tilt=1.1),
    "balanced, ties": Labels(tilt=1.2, steps=20),
    "no skill": Labels(skill=0.0),
    "nearly perfect": Labels(skill=6.0),
    "3 % positive, calibrated": Labels(shift=RARE),
    "3 % positive, miscalibrated": Labels(shift=RARE, tilt=1.2, bias=1.5),
    "four classes": Classes(),
    "rare class": Classes((0.5, 0.3, 0.17, 0.03)),
    "four classes, nearly perfect": Classes(skill=8.0),
    "numbers, normal errors": Numbers(0.0),
    "numbers, heavy tails": Numbers(),
}


def metrics_of(population: Any) -> Sequence[str]:
    """Those of its task."""
    return {Labels: BINARY, Classes: CLASSES, Numbers: NUMBERS}[type(population)]


@dataclass(frozen=True)
class Count:
    """Of one metric: replicates with an interval, those that hold the truth, and those that hold the estimate."""

    known: int = 0
    truth: int = 0
    own: int = 0
    width: float = 0.0

    def __add__(self, other: Count) -> Count:
        return Count(self.known + other.known, self.truth + other.truth, self.own + other.own, self.width + other.width)


@dataclass(frozen=True)
class Sampling:
    """Which samples are drawn, and what is true of their population."""

    name: str
    n: int
    samples: int
    truth: dict[str, float]


def replicate(sampling: Sampling, seed: int) -> list[Count]:
    """One sample of a population: which intervals hold."""
    random = np.random.default_rng([seed, sampling.n])
    options = {"metrics": list(sampling.truth), "ci": 0.95, "samples": sampling.samples, "seed": seed}
    scores = POPULATIONS[sampling.name].score(random, sampling.n, options)
    return [_held(scores, metric, truth) for metric, truth in sampling.truth.items()]


def _held(scores: Any, metric: str, truth: float) -> Count:
    low, high = scores.interval(metric) or (math.nan, math.nan)
    if math.isnan(low):
        return Count()
    slack = 1e-9
    own = low - slack <= scores[metric] <= high + slack
    return Count(1, int(low - slack <= truth <= high + slack), int(own), high - low)


def truths(name: str, metrics: Sequence[str]) -> dict[str, float]:
    """What is true of a population."""
    found = POPULATIONS[name].truth(np.random.default_rng(0), list(metrics))
    return {metric: float(found[metric]) for metric in metrics}


def table(name: str, sizes: Sequence[int], options: argparse.Namespace) -> Iterator[str]:
    """A line per metric."""
    metrics = [metric for metric in metrics_of(POPULATIONS[name]) if not options.metrics or metric in options.metrics]
    if not metrics:
        return
    truth = truths(name, metrics)
    columns = []
    with ProcessPoolExecutor(options.processes) as pool:
        for n in sizes:
            one = partial(replicate, Sampling(name, n, options.samples, truth))
            counts = list(pool.map(one, range(options.replicates), chunksize=4))
            columns.append([sum(each, Count()) for each in zip(*counts, strict=True)])
    for at, metric in enumerate(metrics):
        cells = [_cell(column[at], options.replicates) for column in columns]
        yield f"| {name} | {metric} | {truth[metric]:.4f} | " + " | ".join(cells) + " |"


def _cell(count: Count, replicates: int) -> str:
    if not count.known:
        return "–"
    share = count.truth / count.known
    mark = "!" if share < LEAST - 2 * math.sqrt(LEAST * (1 - LEAST) / count.known) else ""
    outside = f", {count.known - count.own} without the estimate" if count.own < count.known else ""
    some = f" ({count.known / replicates:.2f} have one)" if count.known < replicates else ""
    return f"{share:.3f}{mark} ± {count.width / count.known / 2:.2g}{outside}{some}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, nargs="+", default=[200, 1000])
    parser.add_argument("--replicates", type=int, default=60)
    parser.add_argument("--samples", type=int, default=100, help="bootstrap draws")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--world", nargs="+", default=list(POPULATIONS), help="names of populations")
    parser.add_argument("--metrics", nargs="+", default=[])
    options = parser.parse_args()
    warnings.simplefilter("ignore", pc.PingceWarning)
    noise = math.sqrt(0.95 * 0.05 / options.replicates)
    print(
        f"{options.replicates} samples of each size, {options.samples} draws an interval of 95 %; a share is known to ± {noise:.3f}.\n"
    )
    print("| population | metric | truth | " + " | ".join(f"n = {n:,}" for n in options.n) + " |")
    print("|---|---|---|" + "---|" * len(options.n))
    for name in options.world:
        for line in table(name, options.n, options):
            print(line, flush=True)


if __name__ == "__main__":
    main()
