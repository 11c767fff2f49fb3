"""Paired tests: could the differences between two runs on the same queries be chance?"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pingce.base.errors import InputError, refuse_other
from pingce.base.exact import Floats
from pingce.base.text import Text
from pingce.stats.grid import matrix, moved, paired
from pingce.stats.moments import moments
from pingce.stats.permutation import EXACT, MANY, permutation_p
from pingce.stats.wilcoxon import wilcoxon_p

TESTS = {
    "permutation": Text("paired permutation test", "配对置换检验"),
    "t": Text("paired t-test", "配对 t 检验"),
    "wilcoxon": Text("Wilcoxon signed-rank test", "Wilcoxon 符号秩检验"),
    "sign": Text("sign test", "符号检验"),
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
    if test == "t":
        return t_p(table)
    return wilcoxon_p(table) if test == "wilcoxon" else sign_p(table)


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
    if isinstance(samples, bool) or not isinstance(samples, (int, np.integer)) or not 100 <= samples <= 100_000_000:
        raise InputError(
            f"samples={samples}: the number of permutations must be a whole number from 100 to 100000000",
            f"samples={samples}：置换次数须为 100 到 100000000 的整数",
        )
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed < 0:
        raise InputError(
            f"seed={seed!r}: the seed must be a whole number from 0 up",
            f"seed={seed!r}：种子须为不小于 0 的整数",
        )


def t_p(differences: Floats) -> Floats:
    """Student's t of the mean difference; equal differences other than 0 leave no doubt at all, p = 0."""
    from scipy.special import stdtr

    p = np.full(differences.shape[1], np.nan)
    for column, (count, mean, deviation) in enumerate(moments(differences)):
        if count >= 2 and deviation:
            p[column] = 2 * float(stdtr(count - 1, -abs(mean) / (deviation / math.sqrt(count))))
        elif count >= 2:
            p[column] = 0.0 if mean else 1.0
    return p


def sign_p(differences: Floats) -> Floats:
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
