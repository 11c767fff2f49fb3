"""How often intervals hold the truth: `python benchmarks/coverage.py [--n 500 50000] [--replicates 1000] [--write]`.

Populations are drawn whose truth is known; a row per metric and population, a column per number of rows: the share of 95 %
intervals that hold it, and how they were made. A share outside 0.95 ± 0.015, by more than two standard errors of so many
replicates, is marked with `!`; where a metric offers no interval there is a dash, and where no more than some replicates
have one, their share in brackets. `--write` puts the table into `docs/coverage.md` and `docs/coverage.zh-CN.md`, keeping
the cells of populations, metrics and numbers of rows that were not asked for.
"""

from __future__ import annotations

import argparse
import math
import re
import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from coverage_policies import Logs, Trials
from numpy.typing import NDArray

import pingce as pc

Floats = NDArray[np.float64]
BAND = 0.015
SIZES = (500, 50_000)
UNKNOWN = "·"
"A cell that was not simulated."
DOCS = Path(__file__).resolve().parents[1] / "docs"
NODES = 1 << 20
"Points at which a population is looked at to know what is true of it."
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
    "fdr",
    "for",
    "informedness",
    "markedness",
    "lr_plus",
    "lr_minus",
    "dor",
    "fowlkes_mallows",
    "cost(fn=20)",
    "eer",
    "rig",
    "copc",
    "recall(at=precision>=0.5)",
    "precision(at=recall>=0.5)",
    "recall(at=fpr<=0.1)",
)
USERS = ("gauc", "gauc(by=uniform)", "gauc(by=clicks)")
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
    "ccc",
    "total_ratio",
    "mean_error",
    "pinball(alpha=0.9)",
    "xauc",
    "kendall",
    "normalized_gini",
)
LISTS = (
    "ndcg@5",
    "rr",
    "ap",
    "recall@3",
    "hit_rate@1",
    "precision@3",
    "f(of=means)@3",
    "hit_rate(mode=micro)@3",
    "gm_ap",
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
    weighted: bool = False
    "Whether rows have weights, exponential ones."

    def predictions(self, x: Floats) -> tuple[Floats, Floats]:
        """True and predicted probability of each row."""
        logit = self.shift + self.skill * x
        shown = self.tilt * logit + self.bias if self.skill else self.shift + 1.2 * x
        predicted = sigmoid(shown)
        return sigmoid(logit), np.round(predicted * self.steps) / self.steps if self.steps else predicted

    def score(self, random: np.random.Generator, n: int, options: dict[str, Any]) -> Any:
        """One sample with its intervals."""
        true, predicted = self.predictions(random.normal(size=n))
        labels = (random.random(n) < true).astype(np.int8)
        weight = random.exponential(size=n) if self.weighted else None
        return pc.evaluate_binary(labels, predicted, weight=weight, **options)

    def truth(self, metrics: Sequence[str]) -> Any:
        """Every row as a positive and as a negative one, weighted by their probabilities, at even steps: no noise at all."""
        true, predicted = self.predictions(even_normals(1)[0])
        labels = np.repeat(np.array([1, 0], np.int8), len(true))
        weight = np.concatenate([true, 1 - true])
        return pc.evaluate_binary(labels, np.tile(predicted, 2), metrics, weight=weight)


@dataclass(frozen=True)
class Users:
    """Users with ten rows on average, some with one; each likes more or less of all, and is understood more or less well."""

    rows: float = 10.0
    truth_rows = 1 << 23

    def sample(self, random: np.random.Generator, n: int) -> tuple[Any, Floats, Any]:
        """Labels, scores and users of about so many rows."""
        sizes = 1 + random.poisson(self.rows - 1, size=round(n / self.rows))
        users = np.repeat(np.arange(len(sizes)), sizes)
        x = random.normal(size=len(users))
        level, skill = random.normal(size=len(sizes)) - 1, random.gamma(4, 0.3, size=len(sizes))
        labels = random.random(len(users)) < sigmoid(level[users] + skill[users] * x)
        return labels.astype(np.int8), x, users

    def score(self, random: np.random.Generator, n: int, options: dict[str, Any]) -> Any:
        """One sample with its intervals."""
        labels, scores, users = self.sample(random, n)
        return pc.evaluate_binary(labels, scores, group=users, **options)

    def truth(self, metrics: Sequence[str]) -> Any:
        """One sample so large that its error is no more than a tenth of the shortest interval's."""
        labels, scores, users = self.sample(np.random.default_rng(1), self.truth_rows)
        return pc.evaluate_binary(labels, scores, metrics, group=users)


@dataclass(frozen=True)
class Classes:
    """Four classes, drawn by the predicted probabilities themselves, tilted."""

    weights: tuple[float, ...] = (0.4, 0.3, 0.2, 0.1)
    skill: float = 1.2

    def logits(self, normals: Floats) -> Floats:
        """Of each class, a row each."""
        logits: Floats = np.log(self.weights) + self.skill * normals
        return logits

    def score(self, random: np.random.Generator, n: int, options: dict[str, Any]) -> Any:
        """One sample with its intervals."""
        logits = self.logits(random.normal(size=(n, 4)))
        classes = np.argmax(logits + random.gumbel(size=(n, 4)), axis=1)
        return pc.evaluate_multiclass(classes, proba=shares(1.3 * logits), **options)

    def truth(self, metrics: Sequence[str]) -> Any:
        """Every row as one of each class, weighted by their probabilities."""
        logits = self.logits(even_normals(4).T[: NODES // 4])
        classes, weight = np.repeat(np.arange(4), len(logits)), shares(logits).T.ravel()
        proba = np.tile(shares(1.3 * logits), (4, 1))
        return pc.evaluate_multiclass(classes, proba=proba, metrics=list(metrics), weight=weight)


@dataclass(frozen=True)
class Numbers:
    """Positive numbers; errors that are normal and the same for all, or lognormal and in proportion."""

    spread: float = 0.4
    "Of the logarithm of what a number is more than predicted; 0 for normal errors."

    def pairs(self, gamma: Floats, normal: Floats) -> tuple[Floats, Floats]:
        """True and predicted numbers."""
        predicted = 2 * gamma + 1
        if self.spread:
            return predicted * np.exp(self.spread * normal), predicted
        return predicted + 3 + 0.5 * normal, predicted + 3

    def score(self, random: np.random.Generator, n: int, options: dict[str, Any]) -> Any:
        """One sample with its intervals."""
        return pc.evaluate_regression(*self.pairs(random.gamma(3, 1, n), random.normal(size=n)), **options)

    def truth(self, metrics: Sequence[str]) -> Any:
        """At even steps."""
        from scipy.special import gammaincinv, ndtr

        first, second = even_normals(2)
        return pc.evaluate_regression(*self.pairs(gammaincinv(3, ndtr(first)), second), metrics=list(metrics))


@dataclass(frozen=True)
class Lists:
    """Queries of six items and one more relevant item that is not returned; the item at rank i is relevant by chance, easier queries more often."""

    shift: float = 0.0
    "Log odds at the first rank of a query that is neither easy nor hard."
    spread: float = 1.0
    "How far queries differ."

    def chances(self, normals: Floats) -> Floats:
        """Of each item of each query, a row per query."""
        return sigmoid(self.shift + self.spread * normals[:, None] - 0.4 * np.arange(6))

    def patterns(self) -> tuple[NDArray[np.bool_], Floats]:
        """All lists that there may be, and how often each comes."""
        hits = (np.arange(64)[:, None] >> np.arange(6)) & 1 > 0
        from scipy.special import ndtri

        chances = self.chances(np.asarray(ndtri((np.arange(4096) + 0.5) / 4096)))
        often = [np.where(pattern, chances, 1 - chances).prod(axis=1).mean() for pattern in hits]
        return hits, np.array(often)

    def evaluate(self, hits: NDArray[np.bool_], **options: Any) -> Any:
        """Scores of lists whose hits are known."""
        count, (query, rank) = len(hits), np.nonzero(hits)
        run = {"query": np.repeat(np.arange(count), 6), "item": np.tile(np.arange(6), count)}
        run["score"] = -run["item"].astype(float)
        judged = np.concatenate([query, np.arange(count)]), np.concatenate([rank, np.full(count, 6)])
        truth = {"query": judged[0], "item": judged[1], "grade": np.ones(len(judged[0]))}
        return pc.evaluate_ranking(truth, run, **options)

    def score(self, random: np.random.Generator, n: int, options: dict[str, Any]) -> Any:
        """One sample with its intervals."""
        chances = self.chances(random.normal(size=n))
        return self.evaluate(random.random((n, 6)) < chances, **options)

    def truth(self, metrics: Sequence[str]) -> Any:
        """Every list once, weighted by how often it comes; sums over queries are not weighted, so that theirs are made here."""
        hits, often = self.patterns()
        weights = {query: float(share) for query, share in enumerate(often)}
        relevant = float(((hits.sum(axis=1) + 1) * often).sum())
        micro = {"hit_rate(mode=micro)@3": float((hits[:, :3].sum(axis=1) * often).sum()) / relevant}
        return dict(self.evaluate(hits, metrics=list(metrics), query_weight=weights)) | micro


def shares(logits: Floats) -> Floats:
    """Probabilities."""
    powers = np.exp(logits)
    out: Floats = powers / powers.sum(axis=1, keepdims=True)
    return out


def even_normals(columns: int) -> Floats:
    """Normal numbers that fill the space evenly: what is true of them is true of all, to more digits than samples show."""
    from scipy.special import ndtri
    from scipy.stats import qmc

    if columns == 1:
        return np.asarray(ndtri((np.arange(NODES) + 0.5) / NODES))[None, :]
    points = qmc.Sobol(columns, scramble=True, seed=1).random_base2(NODES.bit_length() - 1)
    return np.asarray(ndtri(points)).T


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
    "balanced, weighted rows": Labels(tilt=1.5, bias=0.3, weighted=True),
    "3 % positive, weighted rows": Labels(shift=RARE, tilt=1.2, bias=1.5, weighted=True),
    "users": Users(),
    "four classes": Classes(),
    "rare class": Classes((0.5, 0.3, 0.17, 0.03)),
    "four classes, nearly perfect": Classes(skill=8.0),
    "numbers, normal errors": Numbers(0.0),
    "numbers, heavy tails": Numbers(),
    "lists": Lists(),
    "lists, few hits": Lists(shift=-2.5, spread=1.5),
    "trial": Trials(),
    "log, near policy": Logs(),
    "log, far policy": Logs(2.0, 3.0),
}


def metrics_of(population: Any) -> Sequence[str]:
    """Those of its task."""
    kinds = {Labels: BINARY, Users: USERS, Classes: CLASSES, Numbers: NUMBERS, Lists: LISTS}
    return kinds.get(type(population)) or tuple(population.metrics)


@dataclass(frozen=True)
class Count:
    """Of one metric: replicates with an interval, those that hold the truth, and those that hold the estimate."""

    known: int = 0
    truth: int = 0
    own: int = 0
    width: float = 0.0
    methods: frozenset[str] = frozenset()

    def __add__(self, other: Count) -> Count:
        counts = self.known + other.known, self.truth + other.truth, self.own + other.own
        return Count(*counts, self.width + other.width, self.methods | other.methods)


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
    method = frozenset([scores.values_by_name[metric].method or ""])
    return Count(1, int(low - slack <= truth <= high + slack), int(own), high - low, method)


def truths(name: str, metrics: Sequence[str]) -> dict[str, float]:
    """What is true of a population."""
    scores = POPULATIONS[name].truth(list(metrics))
    return {metric: float(scores[metric]) for metric in metrics}


@dataclass(frozen=True)
class Line:
    """A metric of a population: by number of rows a cell, and how many samples it stands on."""

    population: str
    metric: str
    truth: str
    cells: dict[int, str]
    samples: dict[int, str]

    @staticmethod
    def read(text: str) -> Line:
        """A line of the documents."""
        population, metric, truth, *cells, samples = text.strip("| ").split(" | ")
        counts = dict(zip(SIZES, samples.split(" / "), strict=True))
        return Line(population, metric, truth, dict(zip(SIZES, cells, strict=True)), counts)

    def after(self, before: Line | None) -> Line:
        """The line with what another has beyond it."""
        if before is None:
            return self
        return replace(self, cells=before.cells | self.cells, samples=before.samples | self.samples)

    def __str__(self) -> str:
        cells = [self.cells.get(n, UNKNOWN) for n in SIZES]
        samples = " / ".join(self.samples.get(n, UNKNOWN) for n in SIZES)
        return "| " + " | ".join([self.population, self.metric, self.truth, *cells, samples]) + " |"


def table(name: str, sizes: Sequence[int], options: argparse.Namespace) -> Iterator[Line]:
    """A line per metric."""
    metrics = [metric for metric in metrics_of(POPULATIONS[name]) if not options.metrics or metric in options.metrics]
    if not metrics:
        return
    truth = truths(name, metrics)
    columns = {}
    with ProcessPoolExecutor(options.processes) as pool:
        for n in sizes:
            sample = partial(replicate, Sampling(name, n, options.samples, truth))
            counts = list(pool.map(sample, range(options.replicates), chunksize=4))
            columns[n] = [sum(each, Count()) for each in zip(*counts, strict=True)]
    for at, metric in enumerate(metrics):
        yield line(name, metric, truth[metric], {n: column[at] for n, column in columns.items()}, options.replicates)


def line(name: str, metric: str, truth: float, counts: dict[int, Count], replicates: int) -> Line:
    """What so many samples say of a metric."""
    cells = {n: _cell(count, replicates) for n, count in counts.items()}
    return Line(name, metric, f"{truth:.4f}", cells, dict.fromkeys(counts, f"{replicates:,}"))


def _cell(count: Count, replicates: int) -> str:
    if not count.known:
        return "–"
    share = count.truth / count.known
    noise = 2 * math.sqrt(0.95 * 0.05 / count.known)
    mark = "!" if abs(share - 0.95) > BAND + noise else ""
    outside = f", {count.known - count.own} without the estimate" if count.own < count.known else ""
    some = f" ({count.known / replicates:.2f} have one)" if count.known < replicates else ""
    methods = " ".join(sorted(count.methods))
    return f"{share:.3f}{mark} ± {count.width / count.known / 2:.2g} {methods}{outside}{some}"


HEADS = {
    "coverage.md": """# How often intervals of 95 % hold the truth

Written by `python benchmarks/coverage.py --write`, population by population, through the public calls with {samples:,} draws. The last
column says how many samples of 500 and of 50,000 rows a line stands on: of 1,000 a share is known to ± 0.007, of 400 to ± 0.011. What was
not simulated has a `{unknown}`. A cell names how its intervals were made:

- `influence`: by what each row (of `gauc`, each group) adds to the value, value ± t · √(n/(n−1) · Σ u²), further on the side that few rows
  pull it to (Hall): where both classes have at least 1,000 rows of one weight, of decisions 200 in each cell too; of `gauc`, 10 groups. Of
  fewer rows, 5 of the rarer class at least: `logloss`, `brier`, `ne`, `pcoc` on a scale of logarithms, value · e^(± t · s / value), s² larger
  by r / (r − 1), r the rows of the rarer class, of `ne`, and of `logloss` of weighted rows, t with r − 1 degrees of freedom; AUC of weighted rows as by `delong`.
- `delong`: `auc` and `rank_loss`, all areas θ with |θ − AUC| ≤ t · √V(θ): DeLong's variance, brought to θ by Newcombe's model of it, with 15
  rows of that model besides those of the rarer class.
- `calibration`: `ece`, all errors under which the estimate would be neither as large nor as small as it is but in 5 of 100 cases; what noise
  adds to it is counted out by binomial chances of each bin, along the calibration curve of the data with most of its noise taken out.
- `wilson`: shares (accuracy, precision, recall …), Wilson's score interval, where a cell has fewer rows than `influence` asks for; of up to
  three right or wrong rows by the Poisson distribution.
- `order`: `medae` of at least 1,000 rows, between two of the sorted errors.
- `jeffreys`: other decisions, and classes, of which a cell has fewer than 50 rows, by drawing the shares that may be behind the counts, half
  a row added to each.
- `bootstrap`: all else; rows are drawn, of rankings queries (n counts them).
- `t`: means over more than 200,000 queries, by Student's t.

Where samples differ in that, a cell names all of them. `!` marks a share that is outside 0.95 ± 0.015 by more than two standard errors: of
1,000 samples one up to 0.029 away from 0.95 is not marked, of 400 up to 0.037. A dash is a metric that offers no interval; ± is half the mean
width. Counts are whole numbers: where less than one or two rows of a kind are expected (a recall of 0.006 of 15 positives, precision where
hardly any row is called positive) no interval holds 95 of 100; these hold more.
""",
    "coverage.zh-CN.md": """# 95 % 区间实际包含真值的比例

由 `python benchmarks/coverage.py --write` 逐个总体写出，经公开接口计算，抽样 {samples:,} 次。末列为该行在 500 行与 50,000 行上各用了多少份样本：
1,000 份时比例的误差约 ± 0.007，400 份时约 ± 0.011。未模拟的格写作 `{unknown}`。每格写明区间的算法：

- `influence`：由各行（`gauc` 为各组）对数值的影响得出，数值 ± t · √(n/(n−1) · Σ u²)，少数行把它拉向一侧时该侧放宽（Hall）：两类各不少于 1,000 行
  （按等权行计；判定类指标还要求每格不少于 200 行），`gauc` 不少于 10 组。行数较少而稀有类不少于 5 行时：`logloss`、`brier`、`ne`、`pcoc` 用对数尺度，
  数值 · e^(± t · s / 数值)，s² 放大 r / (r − 1)，r 为稀有类行数，`ne` 与加权行的 `logloss`，t 自由度为 r − 1；加权行的 AUC 同 `delong`。
- `delong`：`auc` 与 `rank_loss`，取所有满足 |θ − AUC| ≤ t · √V(θ) 的面积 θ：DeLong 方差按 Newcombe 的模型换算到 θ，稀有类之外另加该模型的 15 行。
- `calibration`：`ece`，取所有使估计值在 100 次中除 5 次外既不会这么大也不会这么小的误差；噪声所加按各箱的二项概率精确算出，
  沿着去除大部分噪声后的数据校准曲线。
- `wilson`：比例（accuracy、precision、recall 等），某格行数不足 `influence` 所要求时用 Wilson 得分区间；正确或错误的行不超过三行时用泊松分布。
- `order`：不少于 1,000 行的 `medae`，取排序后的两个误差之间。
- `jeffreys`：其他判定类与多分类指标，某一格不足 50 行时，抽取计数背后可能的比例，每格另加半行。
- `bootstrap`：其余情形，对行抽样；排序则对查询抽样（n 为查询数）。
- `t`：超过 200,000 个查询的均值，用 t 分布。

各样本算法不同时，格内全部写出。`!` 表示超出 0.95 ± 0.015 两个标准误以上：1,000 份样本时与 0.95 相差不超过 0.029 的不标，400 份时为 0.037。
横线表示该指标没有区间；± 为平均半宽。计数是整数：某一类行预期不足一两行时（15 个正例中 0.006 的召回率、几乎没有行判为正时的精确率），
没有任何区间能恰好包含 95 %；此处的区间包含得更多。
""",
}


CHINESE = {
    "balanced, calibrated": "正负均衡，已校准",
    "balanced, miscalibrated": "正负均衡，未校准",
    "balanced, slightly miscalibrated": "正负均衡，略失校准",
    "balanced, ties": "正负均衡，分数并列",
    "no skill": "毫无区分力",
    "nearly perfect": "近乎完美",
    "3 % positive, calibrated": "3 % 正例，已校准",
    "3 % positive, miscalibrated": "3 % 正例，未校准",
    "balanced, weighted rows": "正负均衡，行加权",
    "3 % positive, weighted rows": "3 % 正例，行加权",
    "users": "按用户分组",
    "four classes": "四个类别",
    "rare class": "有稀有类别",
    "four classes, nearly perfect": "四个类别，近乎完美",
    "numbers, normal errors": "数值，正态误差",
    "numbers, heavy tails": "数值，厚尾误差",
    "lists": "列表",
    "lists, few hits": "列表，命中很少",
    "trial": "随机实验（增益）",
    "log, near policy": "日志，策略相近",
    "log, far policy": "日志，策略相差较大",
}
TITLES = {
    "coverage.md": ("population", "metric", "truth", "samples"),
    "coverage.zh-CN.md": ("总体", "指标", "真值", "样本数"),
}


def title(name: str) -> tuple[str, str]:
    """The first two lines of the table of a document."""
    *first, last = TITLES[name]
    words = [*first, *(f"n = {n:,}" for n in SIZES), last]
    return f"| {' | '.join(words)} |", "|" + "---|" * len(words)


def in_chinese(line: Line) -> str:
    """A line of the Chinese table."""
    text = str(replace(line, population=CHINESE[line.population]))
    text = re.sub(r", (\d+) without the estimate", r"，\1 份不含估计值", text)
    return re.sub(r" \(([\d.]+) have one\)", r"（\1 有区间）", text)


def write(lines: Sequence[Line], options: argparse.Namespace) -> None:
    """Put the table into the documents; cells of what was not asked for stay as the English one has them."""
    path = DOCS / "coverage.md"
    texts = [text for text in path.read_text().splitlines() if text.startswith("| ")][1:] if path.exists() else []
    rows = {(old.population, old.metric): old for old in map(Line.read, texts)}
    for new in lines:
        rows[new.population, new.metric] = new.after(rows.get((new.population, new.metric)))
    order = [(population, metric) for population, kind in POPULATIONS.items() for metric in metrics_of(kind)]
    ranked = [rows[key] for key in sorted(rows, key=order.index)]
    for name, head in HEADS.items():
        text = head.format(samples=options.samples, unknown=UNKNOWN)
        table_lines = map(in_chinese if "zh" in name else str, ranked)
        (DOCS / name).write_text("\n".join([text, *title(name), *table_lines]) + "\n")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, nargs="+", choices=SIZES, default=SIZES)
    parser.add_argument("--replicates", type=int, default=1000, help="samples of each population and number of rows")
    parser.add_argument("--samples", type=int, default=1000, help="bootstrap draws")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--world", nargs="+", default=list(POPULATIONS), help="names of populations")
    parser.add_argument("--metrics", nargs="+", default=[])
    parser.add_argument("--write", action="store_true", help="into docs/coverage.md")
    options = parser.parse_args()
    warnings.simplefilter("ignore", pc.PingceWarning)
    print(*title("coverage.md"), sep="\n")
    for name in options.world:
        lines = [*table(name, options.n, options)]
        print(*lines, sep="\n", flush=True)
        if options.write:
            write(lines, options)


if __name__ == "__main__":
    main()
