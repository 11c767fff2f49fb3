"""Paired tests: could the differences between two runs on the same queries be chance? And many of them at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pingce.base.erfc import erfc
from pingce.base.errors import InputError, is_whole, refuse_other
from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.stats.differences import matrix, moments, moved, paired
from pingce.stats.permutation import EXACT, MANY, permutation_p

TESTS = {
    "permutation": Text("paired permutation test", "配对置换检验"),
    "t": Text("paired t-test", "配对 t 检验"),
    "wilcoxon": Text("Wilcoxon signed-rank test", "Wilcoxon 符号秩检验"),
    "sign": Text("sign test", "符号检验"),
}
RANKED = 50
"Pairs up to which Wilcoxon's distribution is counted out, ties or not: 2^50 assignments are whole numbers of a double."
CORRECTIONS = {
    "holm": Text("Holm (family-wise error)", "Holm 校正（控制族错误率）"),
    "bonferroni": Text("Bonferroni (family-wise error)", "Bonferroni 校正（控制族错误率）"),
    "bh": Text("Benjamini–Hochberg (false discovery rate)", "Benjamini–Hochberg 校正（控制错误发现率）"),
    "none": Text("none", "不校正"),
}


def paired_p(differences: ArrayLike, *, test: str = "permutation", samples: int = 100_000, seed: int = 0) -> Floats:
    """Two-sided p of each column of differences; rows are queries (or groups) sorted by id, NaN leaves a pair out.

    permutation: exact for at most 20 pairs that differ, else p = (1 + b) / (1 + samples) with random signs, which all
    columns share; beyond 20,000 pairs that differ the normal limit of the same distribution. A difference below 2^-37
    is a tie. Without any difference p = 1; without any pair p is NaN.
    """
    table = matrix(differences)
    checked_test(test, samples, seed)
    if test == "permutation":
        return permutation_p(table, int(samples), int(seed))
    return {"t": _t_p, "wilcoxon": _wilcoxon_p, "sign": _sign_p}[test](table)


def test_name(test: str, pairs: int, samples: int = 100_000) -> Text:
    """The test in words, with how it was reached for so many pairs that differ."""
    name = TESTS[test]
    if test != "permutation":
        return name
    if pairs <= EXACT:
        how = Text("exact", "精确")
    elif pairs > MANY:
        how = Text("normal limit", "正态极限")
    else:
        how = Text(f"{samples:,} random assignments of signs", f"{samples:,} 次随机符号")
    return Text(f"{name.en} ({how.en})", f"{name.zh}（{how.zh}）")


def checked_test(test: str, samples: int, seed: int) -> None:
    """Refuse a test, a number of samples or a seed that makes no sense."""
    refuse_other("test", test, TESTS)
    if not is_whole(samples, 100, 100_000_000):
        raise InputError(
            f"samples={samples}: the number of permutations must be a whole number from 100 to 100000000",
            f"samples={samples}：置换次数须为 100 到 100000000 的整数",
        )
    if not is_whole(seed, 0):
        raise InputError(
            f"seed={seed!r}: the seed must be a whole number from 0 up", f"seed={seed!r}：种子须为不小于 0 的整数"
        )


def _t_p(differences: Floats) -> Floats:
    """Student's t of the mean difference; equal differences other than 0 leave no doubt at all, p = 0."""
    from scipy.special import stdtr

    p = np.full(differences.shape[1], np.nan)
    for column, (count, mean, deviation) in enumerate(moments(differences)):
        if count >= 2 and deviation:
            p[column] = 2 * float(stdtr(count - 1, -abs(mean) / (deviation / math.sqrt(count))))
        elif count >= 2:
            p[column] = 0.0 if mean else 1.0
    return p


def _sign_p(differences: Floats) -> Floats:
    """How often a fair coin falls as unevenly as wins and losses do; ties say nothing."""
    sign = np.sign(moved(differences))
    wins, losses = (np.count_nonzero(sign == side, axis=0) for side in (1, -1))
    p: Floats = np.where(paired(differences), coin_p(wins, losses), np.nan)
    return p


def coin_p(wins: NDArray[np.intp], losses: NDArray[np.intp]) -> Floats:
    """The exact two-sided binomial p of so many heads and tails; 1 without any."""
    from scipy.special import bdtr

    rarer: Floats = 2 * bdtr(np.minimum(wins, losses).astype(np.float64), (wins + losses).astype(np.int64), 0.5)
    return np.minimum(rarer, 1.0)


def _wilcoxon_p(differences: Floats) -> Floats:
    """Sizes of differences as ranks: exact for at most 50 pairs that differ, else normal, without continuity correction."""
    columns = zip(moved(differences).T, paired(differences).tolist(), strict=True)
    return np.array([_signed_rank_p(column[column != 0]) if has_pairs else math.nan for column, has_pairs in columns])


def _signed_rank_p(column: Floats) -> float:
    """Two-sided p of the differences that are not 0."""
    if not len(column):
        return 1.0
    _, place, often = np.unique(np.abs(column), return_inverse=True, return_counts=True)
    twice_rank = (2 * np.cumsum(often) - often + 1)[place.reshape(-1)]
    positive, count = int(twice_rank[column > 0].sum()), len(column)
    if count > RANKED:
        # Mean n(n+1)/4, variance n(n+1)(2n+1)/24 less Σ (t³ - t)/48 over blocks of t equal sizes.
        ties = sum(t**3 - t for t in often.tolist())
        variance = count * (count + 1) * (2 * count + 1) / 24 - ties / 48
        return erfc(abs(positive / 2 - count * (count + 1) / 4) / math.sqrt(variance) / math.sqrt(2))
    # How many assignments of signs reach each sum of positive ranks, by adding one rank after another.
    total = int(twice_rank.sum())
    ways = np.zeros(total + 1)
    ways[0] = 1.0
    for rank in twice_rank.tolist():
        ways[rank:] += ways[:-rank].copy()
    tail = ways[: min(positive, total - positive) + 1].sum()
    return min(1.0, 2 * float(tail) / 2.0**count)


_CORRECTIONS: dict[str, Callable[[Floats], Floats]] = {
    # The i-th smallest of m times m - i + 1, never less than the one before.
    "holm": lambda p: np.maximum.accumulate(p * np.arange(len(p), 0, -1)),
    "bonferroni": lambda p: p * len(p),
    # The i-th smallest of m times m / i, never more than the one after.
    "bh": lambda p: np.minimum.accumulate((p * (len(p) / np.arange(1, len(p) + 1)))[::-1])[::-1],
    "none": lambda p: p,
}


def corrected(p: Iterable[float], method: str) -> list[float]:
    """The p-values corrected over their family, in the order they came; NaN stays NaN and is not of the family.

    The more comparisons one looks at, the more will look real by chance.
    """
    refuse_other("correction", method, CORRECTIONS)
    values = np.array(list(p), np.float64)
    family = np.flatnonzero(~np.isnan(values))
    order = family[np.argsort(values[family], kind="stable")]
    out = np.full(len(values), np.nan)
    out[order] = np.minimum(_CORRECTIONS[method](values[order]), 1.0)
    return [float(value) for value in out]
