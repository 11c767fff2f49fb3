"""Evidence of labels and scores: native equals reference to the last bit, merges, goes through Arrow, and is exact."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from numpy.typing import NDArray

import pingce as pc
from drawn_labels import (
    ANY_SCORES,
    COUNTS,
    EXACT_WEIGHTS,
    FRACTIONS,
    PROBABILITIES,
    Table,
    tables,
    without_core,
)
from pingce.base import exact
from pingce.base.core import native_core
from pingce.base.errors import InputError
from pingce.evidence.binary.evidence import BinaryEvidence, TableEvidence
from pingce.evidence.binary.grouped import GroupEvidence, group_evidence
from pingce.evidence.binary.probability import ProbabilityEvidence, probability_evidence
from pingce.evidence.binary.score_tables import pooled_loss, pools, pools_by_reference
from pingce.evidence.binary.thresholds import Pairs, ThresholdEvidence, pair_evidence, threshold_evidence
from pingce.evidence.multiclass.confusion import ConfusionEvidence, confusion_evidence
from pingce.evidence.policies import BinaryPolicies, Compare
from pingce.inputs.binary import BinaryRows, binary_rows
from pingce.inputs.classes import common_classes
from pingce.inputs.vectors import vector
from pingce.metrics.binary import LabelledList
from pingce.metrics.binary.areas import Auc, PartialAuc, RankLoss, area
from pingce.metrics.binary.cuts import KolmogorovSmirnov, KsThreshold

needs_core = pytest.mark.skipif(native_core() is None, reason="THE NATIVE CORE IS NOT INSTALLED: nothing to compare")
EPSILON = 2.0**-40
COUNTED = ("rows", "positives", "twice_concordant")
SUMMED = ("positive_weight", "negative_weight", "concordant")
Floats = NDArray[np.float64]


def same_table(a: ThresholdEvidence, b: ThresholdEvidence) -> None:
    for name in ("score", "tp", "fp"):
        left, right = getattr(a, name), getattr(b, name)
        assert left.dtype == right.dtype, name
        assert left.tobytes() == right.tobytes(), (name, left, right)


def near_table(a: ThresholdEvidence, b: ThresholdEvidence) -> None:
    """The same scores; sums of weights as far as an order of additions changes them."""
    assert a.score.tobytes() == b.score.tobytes()
    for name in ("tp", "fp"):
        assert getattr(a, name).tolist() == pytest.approx(getattr(b, name).tolist(), rel=1e-13)


def same_groups(a: GroupEvidence, b: GroupEvidence, *, losses: bool = True) -> None:
    assert a.groups.integers == b.groups.integers
    assert a.groups.to_list() == b.groups.to_list()
    for name in (*COUNTED, *SUMMED):
        left, right = getattr(a, name), getattr(b, name)
        assert (left is None) == (right is None), name
        if left is not None:
            assert left.dtype == right.dtype, name
            assert left.tobytes() == right.tobytes(), (name, left, right)
    assert (a.loss is None) == (b.loss is None)
    if a.loss is not None and b.loss is not None:
        assert a.loss.tolist() == (b.loss.tolist() if losses else pytest.approx(b.loss.tolist(), rel=1e-15, abs=0))
    assert list(a.columns) == list(b.columns)
    for name, column in a.columns.items():
        assert column.tobytes() == b.columns[name].tobytes(), name


def same_sums(a: ProbabilityEvidence, b: ProbabilityEvidence) -> None:
    """Exact but for the logarithms, which may come from another library."""
    assert replace(a, loss=Fraction(0)) == replace(b, loss=Fraction(0))
    assert abs(a.loss - b.loss) <= Fraction(1, 10**15) * abs(b.loss)


def with_columns(table: Table) -> BinaryRows:
    """Two more columns to sum up by group."""
    size = len(table.labels)
    return table.rows(group_weight={"bid": [0.1 * (i + 1) for i in range(size)], "one": [1.0] * size})


# Native against reference.


@needs_core
@pytest.mark.parametrize("scores", [PROBABILITIES, ANY_SCORES], ids=["probabilities", "any scores"])
@given(data=st.data(), threads=st.sampled_from([1, 2, 7]))
def test_native_thresholds_and_pairs_equal_the_reference(
    scores: st.SearchStrategy[float], data: st.DataObject, threads: int
) -> None:
    rows = data.draw(tables(scores=scores, weights=FRACTIONS)).rows()
    table, pairs = threshold_evidence(rows, threads=threads), pair_evidence(rows, threads=threads)
    with without_core():
        same_table(table, threshold_evidence(rows))
        assert pairs == pair_evidence(rows)
    assert table.pairs() == pairs
    assert not np.signbit(table.score[table.score == 0]).any()


@needs_core
@pytest.mark.parametrize("weights", [COUNTS, FRACTIONS, EXACT_WEIGHTS], ids=["whole", "fractions", "dyadic"])
@given(data=st.data(), threads=st.sampled_from([1, 2, 7]), epsilon=st.sampled_from([None, EPSILON, 1e-3]))
def test_native_groups_equal_the_reference(
    weights: st.SearchStrategy[float], data: st.DataObject, threads: int, epsilon: float | None
) -> None:
    scores = ANY_SCORES if epsilon is None else PROBABILITIES
    rows = with_columns(data.draw(tables(scores=scores, weights=weights, groups=True)))
    columns = data.draw(st.sampled_from([(), ("bid",), ("bid", "one")]))
    found = group_evidence(rows, epsilon=epsilon, columns=columns, threads=threads)
    with without_core():
        same_groups(found, group_evidence(rows, epsilon=epsilon, columns=columns), losses=False)


@needs_core
@given(
    table=tables(weights=FRACTIONS),
    threads=st.sampled_from([1, 2, 7]),
    epsilon=st.sampled_from([None, EPSILON, 0.2]),
    bins=st.sampled_from([0, 1, 3, 15, 100]),
)
def test_native_sums_of_probabilities_equal_the_reference(
    table: Table, threads: int, epsilon: float | None, bins: int
) -> None:
    rows = table.rows()
    found = probability_evidence(rows, epsilon=epsilon, bins=bins, threads=threads)
    with without_core():
        same_sums(found, probability_evidence(rows, epsilon=epsilon, bins=bins))


@needs_core
@pytest.mark.parametrize(
    ("tiny", "weight"),
    [
        ([1e-60, 1e-160, 1e-200, 1e-300, 5e-324, 0.0], None),
        # Weighted squares keep their digits as long as the square itself is a double.
        ([1e-60, 1e-90, 1e-100, 1e-110, 1e-120, 0.0], [1.0, 3.0, 0.1, 7.0, 1e-50, 1e50]),
    ],
    ids=["plain", "weighted"],
)
@pytest.mark.parametrize("labels", [[0] * 6, [0, 1] * 3])
def test_vanishing_probabilities_keep_their_digits(
    labels: list[int], tiny: list[float], weight: list[float] | None
) -> None:
    """The square of 1e-200 is no double, yet it is in the sum."""
    rows = binary_rows(labels, tiny, weight=weight, positive=1)
    weights = [Fraction(w) for w in weight or [1.0] * 6]
    found = probability_evidence(rows, bins=2)
    squares = [Fraction(p - y) ** 2 for p, y in zip(tiny, labels, strict=True)]
    assert found.predicted == sum(w * Fraction(p) for w, p in zip(weights, tiny, strict=True))
    assert found.squared == sum(w * square for w, square in zip(weights, squares, strict=True))
    with without_core():
        same_sums(found, probability_evidence(rows, bins=2))


@pytest.mark.parametrize("native", [True, False])
@given(table=tables(weights=FRACTIONS), bins=st.sampled_from([1, 4, 15]))
def test_sums_of_probabilities_are_sums(native: bool, table: Table, bins: int) -> None:
    """Σ over rows in fractions, from the definition."""
    rows = table.rows()
    if native:
        found = probability_evidence(rows, bins=bins)
    else:
        with without_core():
            found = probability_evidence(rows, bins=bins)
    weights = [Fraction(w) for w in table.weights or (1.0,) * len(rows)]
    p = [Fraction(float(score)) for score in rows.scores]
    y = [Fraction(label) for label in table.labels]
    assert found.rows == sum(weights)
    assert found.positives == sum(w * label for w, label in zip(weights, y, strict=True))
    assert found.predicted == sum(w * one for w, one in zip(weights, p, strict=True))
    errors = [Fraction(float(score) - label) for score, label in zip(rows.scores, table.labels, strict=True)]
    assert found.squared == sum(w * error * error for w, error in zip(weights, errors, strict=True))
    low, high = found.epsilon, 1 - found.epsilon
    assert found.clipped == sum(not low <= float(score) <= high for score in rows.scores)
    for number, one in enumerate(found.bins):
        inside = [i for i, score in enumerate(rows.scores) if min(int(float(score) * bins), bins - 1) == number]
        assert one.rows == sum(weights[i] for i in inside)
        assert one.positives == sum(weights[i] * y[i] for i in inside)
        assert one.predicted == sum(weights[i] * p[i] for i in inside)
    kept = [min(max(float(score), low), high) for score in rows.scores]
    losses = [-math.log(one) if label else -math.log1p(-one) for one, label in zip(kept, table.labels, strict=True)]
    wanted = sum(w * Fraction(loss) for w, loss in zip(weights, losses, strict=True))
    assert float(found.loss) == pytest.approx(float(wanted), rel=1e-14)


# Larger: parts and threads.


def many(size: int, kind: str, *, tied: bool, weighted: bool, integers: bool, shuffled: bool) -> BinaryRows:
    rng = np.random.default_rng(size)
    scores = rng.integers(0, 500, size) / 500 if tied else rng.random(size)
    scores[rng.integers(0, size, 20)] = -0.0
    users = np.sort(rng.integers(-2000, 2000, size)) * 2**50
    users = rng.permutation(users) if shuffled else users
    return binary_rows(
        (rng.random(size) < 0.3).astype(np.int8),
        scores.astype(kind),
        group=users if integers else [f"用户{user}" for user in users.tolist()],
        weight=rng.integers(0, 40, size) / 10 if weighted else None,
        group_weight={"bid": rng.random(size)},
    )


CASES = {
    "few scores": ("float32", True, False, True, True),
    "continuous": ("float64", False, False, False, False),
    "weighted": ("float64", True, True, True, False),
    "weighted, shuffled": ("float32", False, True, False, True),
}


@needs_core
@pytest.mark.parametrize("size", [(1 << 14) + 1, pytest.param(120_000, marks=pytest.mark.sweep)])
@pytest.mark.parametrize("case", sorted(CASES))
def test_many_rows_are_the_same_for_any_thread_count(case: str, size: int) -> None:
    kind, tied, weighted, integers, shuffled = CASES[case]
    rows = many(size, kind, tied=tied, weighted=weighted, integers=integers, shuffled=shuffled)

    def everything(threads: int | None) -> tuple[ThresholdEvidence, Pairs, ProbabilityEvidence, GroupEvidence]:
        return (
            threshold_evidence(rows, threads=threads),
            pair_evidence(rows, threads=threads),
            probability_evidence(rows, bins=20, threads=threads),
            group_evidence(rows, epsilon=1e-7, columns=("bid",), threads=threads),
        )

    one = everything(1)
    for threads in (2, 7):
        other = everything(threads)
        same_table(one[0], other[0])
        assert one[1:3] == other[1:3]
        same_groups(one[3], other[3])
    with without_core():
        wanted = everything(None)
    same_table(one[0], wanted[0])
    assert one[1] == wanted[1]
    same_sums(one[2], wanted[2])
    same_groups(one[3], wanted[3], losses=False)
    assert int(one[3].rows.sum()) == size


@needs_core
@pytest.mark.parametrize("positives", [1, 70_000, 139_999])
@pytest.mark.parametrize("distinct", [1, 2, 65_537])
def test_parts_are_cut_between_scores_only(positives: int, distinct: int) -> None:
    """Blocks of equal scores longer than a part, and sides of very different lengths."""
    rng = np.random.default_rng(3)
    labels = (rng.permutation(140_000) < positives).astype(np.int8)
    rows = binary_rows(labels, rng.integers(0, distinct, 140_000).astype(np.float64) - distinct // 2)
    for threads in (1, 7):
        table, pairs = threshold_evidence(rows, threads=threads), pair_evidence(rows, threads=threads)
        with without_core():
            same_table(table, threshold_evidence(rows))
            assert pairs == pair_evidence(rows)
        assert table.pairs() == pairs


SPREADS: dict[str, Callable[[np.random.Generator, int], Floats]] = {
    "even": lambda rng, size: rng.random(size),
    "close together": lambda rng, size: 0.5 + 1e-9 * rng.random(size),
    "close together but one": lambda rng, size: np.concatenate([[1e30], 0.5 + 1e-9 * rng.random(size - 1)]),
    "over all exponents": lambda rng, size: rng.choice([-1.0, 1.0], size) * 2.0 ** rng.uniform(-140, 120, size),
    "many at one score": lambda rng, size: np.where(rng.random(size) < 0.8, 0.25, rng.random(size)),
    "zeros of both signs": lambda rng, size: np.where(rng.random(size) < 0.9, rng.choice([-0.0, 0.0], size), 1e-300),
    "ascending": lambda rng, size: np.sort(rng.standard_normal(size)),
    "smaller than any normal number": lambda rng, size: (rng.integers(-900, 900, size) * 5e-324).astype(np.float64),
    "late ones apart": lambda rng, size: np.concatenate([rng.random(size - 9), 7 + rng.random(9)]),
}


@needs_core
@pytest.mark.parametrize("kind", ["float32", "float64"])
@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
@pytest.mark.parametrize("spread", SPREADS)
def test_ranges_of_scores_are_sorted_however_they_lie(spread: str, weighted: bool, kind: str) -> None:
    """More than one range and one part; few sampled keys say where ranges end, and never what comes out."""
    rng, size = np.random.default_rng(8), 150_000
    scores = SPREADS[spread](rng, size).astype(kind)
    labels = (rng.random(size) < rng.choice([0.03, 0.5, 0.9])).astype(np.int8)
    weight = np.where(rng.random(size) < 0.1, 0.0, np.round(rng.random(size), 2)) if weighted else None
    rows = binary_rows(labels, scores, weight=weight)
    with without_core():
        wanted = threshold_evidence(rows), pair_evidence(rows)
    for threads in (1, 3):
        same_table(threshold_evidence(rows, threads=threads), wanted[0])
        assert pair_evidence(rows, threads=threads) == wanted[1]


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weighted"])
def test_a_table_in_blocks_is_the_table(weighted: bool) -> None:
    rng, size = np.random.default_rng(9), 150_000
    rows = binary_rows(rng.integers(0, 2, size), rng.random(size), weight=rng.random(size) if weighted else None)
    table = threshold_evidence(rows)
    blocks = list(table.blocks())
    assert len(blocks) == 3
    assert sum(blocks[0].above) == 0
    assert all(block.above == (before.tp[-1], before.fp[-1]) for before, block in pairwise(blocks))
    assert {(block.positives, block.negatives) for block in blocks} == {(table.positives, table.negatives)}
    for column, steps in enumerate(table.at):
        assert np.concatenate([block.at[column] for block in blocks]).tobytes() == steps.tobytes()
    positives, negatives = table.at
    twice = (positives * (2 * (table.negatives - table.fp) + negatives)).sum()
    assert table.pairs().twice_concordant == twice


# The order of rows, and merging.


def shuffled_places(size: int) -> st.SearchStrategy[list[int]]:
    return st.permutations(list(range(size)))


@given(data=st.data(), table=tables(weights=FRACTIONS, groups=True))
def test_row_order_changes_no_bit(data: st.DataObject, table: Table) -> None:
    other = table.at(data.draw(shuffled_places(len(table.labels))))
    one, two = table.rows(), other.rows()
    same_table(threshold_evidence(one), threshold_evidence(two))
    assert pair_evidence(one) == pair_evidence(two)
    assert probability_evidence(one, bins=7) == probability_evidence(two, bins=7)
    same_groups(group_evidence(one, epsilon=1e-9), group_evidence(two, epsilon=1e-9))


def split(draw: st.DataObject, table: Table) -> list[Table]:
    """One to three pieces, each with some row that weighs."""
    size = len(table.labels)
    piece = draw.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    pieces = [table.at([i for i in range(size) if piece[i] == number]) for number in range(3)]
    kept = [one for one in pieces if one.labels]
    return kept if all(one.weights is None or any(one.weights) for one in kept) else [table]


def merged(pieces: Sequence[Any]) -> Any:
    whole = pieces[0]
    for piece in pieces[1:]:
        whole = whole.merge(piece)
    return whole


@pytest.mark.parametrize("weights", [None, COUNTS, EXACT_WEIGHTS], ids=["none", "whole", "dyadic"])
@given(data=st.data())
def test_merged_thresholds_are_those_of_the_whole(
    weights: st.SearchStrategy[float] | None, data: st.DataObject
) -> None:
    table = data.draw(tables(scores=ANY_SCORES, weights=weights, unweighted=False))
    pieces = [threshold_evidence(piece.rows()) for piece in split(data, table)]
    whole = threshold_evidence(table.rows())
    for order in permutations(pieces):
        same_table(merged(order), whole)
    if len(pieces) == 3:
        same_table(pieces[0].merge(pieces[1].merge(pieces[2])), whole)


@given(data=st.data(), table=tables(weights=FRACTIONS, unweighted=False))
def test_thresholds_with_fractional_weights_merge_to_the_last_digits(data: st.DataObject, table: Table) -> None:
    pieces = [threshold_evidence(piece.rows()) for piece in split(data, table)]
    for order in permutations(pieces):
        near_table(merged(order), threshold_evidence(table.rows()))


@given(data=st.data(), table=tables(weights=FRACTIONS))
def test_merged_sums_of_probabilities_are_those_of_the_whole(data: st.DataObject, table: Table) -> None:
    pieces = [probability_evidence(piece.rows(), epsilon=1e-9, bins=6) for piece in split(data, table)]
    whole = probability_evidence(table.rows(), epsilon=1e-9, bins=6)
    assert all(merged(order) == whole for order in permutations(pieces))


@given(data=st.data(), table=tables(weights=FRACTIONS, groups=True))
def test_merged_groups_are_those_of_the_whole(data: st.DataObject, table: Table) -> None:
    rows = with_columns(table)
    whole = group_evidence(rows, epsilon=1e-9, columns=("bid", "one"))
    names = sorted(set(table.groups or ()), key=str)
    hand = {name: data.draw(st.integers(0, 2)) for name in names}
    pieces = []
    for number in range(3):
        chosen = np.array([hand[name] == number for name in whole.groups.to_list()])
        if chosen.any():
            pieces.append(whole.select(chosen))
    for order in permutations(pieces):
        same_groups(merged(order), whole)


@given(table=tables(groups=True), data=st.data())
def test_groups_of_separate_rows_merge_to_those_of_the_whole(table: Table, data: st.DataObject) -> None:
    groups = table.groups or ()
    first = data.draw(st.sets(st.sampled_from(sorted(set(groups), key=str)), min_size=1))
    places = [[i for i, name in enumerate(groups) if (name in first) == side] for side in (True, False)]
    pieces = [group_evidence(table.at(some).rows()) for some in places if some]
    same_groups(merged(pieces), group_evidence(table.rows()))
    same_groups(merged(pieces[::-1]), group_evidence(table.rows()))


LABELS: dict[str, list[Any]] = {"strings": ["b", "a", "类"], "integers": [-3, 0, 7]}


@given(data=st.data(), kind=st.sampled_from(sorted(LABELS)), weighted=st.booleans())
def test_merged_confusion_is_that_of_the_whole(data: st.DataObject, kind: str, weighted: bool) -> None:
    names = st.sampled_from(LABELS[kind])
    rows = data.draw(st.lists(st.tuples(names, names, EXACT_WEIGHTS, st.integers(0, 2)), min_size=1, max_size=20))

    def confusion(chosen: Sequence[Any]) -> ConfusionEvidence:
        true, predicted, weight, _ = zip(*chosen, strict=True)
        truth, said = common_classes(vector(list(true), "t"), vector(list(predicted), "p"), None)
        assert said is not None
        return confusion_evidence(truth, said, np.array(weight) if weighted else None)

    pieces = [confusion(piece) for number in range(3) if (piece := [row for row in rows if row[3] == number])]
    whole = confusion(rows)
    for order in permutations(pieces):
        found = merged(order)
        assert found.labels == whole.labels
        assert found.matrix.tolist() == whole.matrix.tolist()
        assert found.matrix.dtype == whole.matrix.dtype
    cells = {(t, p): sum(w if weighted else 1 for a, b, w, _ in rows if (a, b) == (t, p)) for t, p, _, _ in rows}
    for (t, p), count in cells.items():
        assert whole.matrix[whole.labels.index(t), whole.labels.index(p)] == count
    back = ConfusionEvidence.from_arrow(through_a_stream(whole.to_arrow()))
    assert (back.labels, back.matrix.tolist(), back.matrix.dtype) == (
        whole.labels,
        whole.matrix.tolist(),
        whole.matrix.dtype,
    )


def through_a_stream(table: pa.Table) -> pa.Table:
    """Written and read again, a row a chunk."""
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table, max_chunksize=1)
    return pa.ipc.open_stream(sink.getvalue()).read_all()


@given(table=tables(weights=FRACTIONS, groups=True))
def test_arrow_gives_the_same_evidence_back(table: Table) -> None:
    rows = with_columns(table)
    thresholds = threshold_evidence(rows)
    groups = group_evidence(rows, epsilon=1e-9, columns=("bid",))
    sums = probability_evidence(rows, bins=4)
    carriers: list[Callable[[pa.Table], pa.Table]] = [lambda given_table: given_table, through_a_stream]
    for carry in carriers:
        same_table(thresholds, ThresholdEvidence.from_arrow(carry(thresholds.to_arrow())))
        same_groups(groups, GroupEvidence.from_arrow(carry(groups.to_arrow())))
        assert sums == ProbabilityEvidence.from_arrow(carry(sums.to_arrow()))


def test_a_table_of_another_kind_is_refused() -> None:
    rows = Table((1, 0), (0.3, 0.2), groups=("u", "v")).rows()
    wrong = probability_evidence(rows).to_arrow()
    for kind in (ThresholdEvidence, GroupEvidence, ConfusionEvidence):
        with pytest.raises(InputError, match=r"this table is not .* evidence of version 1"):
            kind.from_arrow(wrong)
    with pytest.raises(InputError, match="not probability evidence"):
        ProbabilityEvidence.from_arrow(threshold_evidence(rows).to_arrow())


def test_pieces_that_do_not_belong_together_are_refused() -> None:
    one = Table((1, 0), (0.3, 0.2), groups=("u", "v"))
    with pytest.raises(InputError, match="float64 cannot be merged with scores of type float32"):
        threshold_evidence(one.rows()).merge(threshold_evidence(replace(one, kind="float32").rows()))
    with pytest.raises(InputError, match="another epsilon or other bins"):
        probability_evidence(one.rows(), bins=2).merge(probability_evidence(one.rows(), bins=3))
    with pytest.raises(InputError, match=r"2 groups stand in two batches or pieces \('u', 'v'\)"):
        group_evidence(one.rows()).merge(group_evidence(one.rows()))
    with pytest.raises(InputError, match="integer groups cannot be merged with evidence with string groups"):
        group_evidence(replace(one, groups=(1, 2)).rows()).merge(group_evidence(one.rows()))
    with pytest.raises(InputError, match="hold different columns"):
        group_evidence(one.rows()).merge(group_evidence(one.rows(), epsilon=1e-9))
    strings, integers = (ConfusionEvidence(names, np.zeros((1, 1))) for names in (["a"], [1]))
    with pytest.raises(InputError, match="string and integer labels"):
        strings.merge(integers)


# What is counted is what the definition says.


def pairs_one_by_one(table: Table) -> tuple[Fraction, Fraction, Fraction]:
    """Positives, negatives and 2 × concordant pairs, each pair by itself, weighted."""
    weights = [Fraction(weight) for weight in table.weights or (1.0,) * len(table.labels)]
    scores = np.array(table.scores, table.kind).tolist()
    rows = list(zip(table.labels, scores, weights, strict=True))
    twice = Fraction(0)
    for y, a, v in rows:
        for z, b, w in rows:
            if y == 1 and z == 0:
                twice += v * w * (2 if a > b else 1 if a == b else 0)
    return sum((w for y, _, w in rows if y), Fraction(0)), sum((w for y, _, w in rows if not y), Fraction(0)), twice


@given(table=tables(scores=ANY_SCORES, weights=EXACT_WEIGHTS))
def test_pairs_are_counted_as_defined(table: Table) -> None:
    found = pair_evidence(table.rows())
    counted = (Fraction(count) for count in (found.positives, found.negatives, found.twice_concordant))
    assert tuple(counted) == pairs_one_by_one(table)


@given(table=tables(scores=ANY_SCORES, weights=EXACT_WEIGHTS, groups=True))
def test_pairs_of_groups_are_counted_as_defined(table: Table) -> None:
    groups = table.groups or ()
    found = group_evidence(table.rows())
    assert found.groups.to_list() == sorted(
        set(groups), key=lambda name: name.encode() if isinstance(name, str) else name
    )
    for row, name in enumerate(found.groups.to_list()):
        own = table.at([i for i, group in enumerate(groups) if group == name])
        positives, negatives, twice = pairs_one_by_one(own)
        assert found.rows[row] == len(own.labels)
        assert found.positives[row] == sum(own.labels)
        assert found.twice_concordant[row] == pairs_one_by_one(replace(own, weights=None))[2]
        if found.positive_weight is not None and found.negative_weight is not None and found.concordant is not None:
            assert found.weights("impressions")[row] == positives + negatives
            assert found.weights("clicks")[row] == found.positive_weight[row] == positives
            assert found.negative_weight[row] == negatives
            assert found.concordant[row] == twice / 2
        auc = found.auc()[row]
        if positives and negatives:
            assert auc == pytest.approx(float(twice / (2 * positives * negatives)), rel=1e-15)
        else:
            assert math.isnan(auc)


def trapezoid(table: ThresholdEvidence) -> int:
    """Twice the area under the curve of counts."""
    tp, fp = ([0, *column.tolist()] for column in (table.tp, table.fp))
    return sum((fp[i] - fp[i - 1]) * (tp[i] + tp[i - 1]) for i in range(1, len(tp)))


@given(table=tables(scores=ANY_SCORES))
def test_trapezoid_is_pairs_is_one_minus_rank_loss(table: Table) -> None:
    rows = table.rows()
    pairs, thresholds = pair_evidence(rows), threshold_evidence(rows)
    assert trapezoid(thresholds) == pairs.twice_concordant == thresholds.pairs().twice_concordant
    view = BinaryEvidence(rows).view(BinaryPolicies())
    if 0 < sum(table.labels) < len(table.labels):
        share = Fraction(int(pairs.twice_concordant), int(2 * pairs.positives * pairs.negatives))
        assert Auc().value(view) == float(share)
        assert RankLoss().value(view) == float(1 - share)
    else:
        assert math.isnan(Auc().value(view))
        assert math.isnan(RankLoss().value(view))


HUGE = 5 * 10**9


def test_ten_billion_rows_do_not_overflow() -> None:
    """2 P N is 5e19, beyond 64 bits: evidence of many machines, merged."""
    piece = ThresholdEvidence(np.array([0.9, 0.5, 0.1]), np.array([HUGE - 1, HUGE, HUGE]), np.array([1, 2, HUGE]))
    one = ThresholdEvidence(np.array([0.7]), np.array([1]), np.array([1]))
    table = piece.merge(one)
    positives, negatives = HUGE + 1, HUGE + 1
    twice = (HUGE - 1) * (2 * HUGE + 1) + 1 * (2 * (HUGE - 1) + 1) + 1 * (2 * (HUGE - 2) + 1)
    assert table.pairs() == Pairs(positives, negatives, twice)
    assert trapezoid(table) == twice
    seen = TableEvidence(table, Table((1, 0), (0.9, 0.1)).rows()).view(BinaryPolicies())
    assert area(table.pairs()) == float(Fraction(twice, 2 * positives * negatives))
    assert RankLoss().value(seen) == float(1 - Fraction(twice, 2 * positives * negatives))
    best = max(
        Fraction(tp, positives) - Fraction(fp, negatives)
        for tp, fp in zip(table.tp.tolist(), table.fp.tolist(), strict=True)
    )
    assert KolmogorovSmirnov().value(seen) == float(best)
    assert KsThreshold().value(seen) == 0.9  # TPR − FPR is the same at 0.7: the highest counts
    assert PartialAuc(max_fpr=1).value(seen) == pytest.approx(1 - float(1 - Fraction(twice, 2 * positives * negatives)))


@given(
    table=tables(scores=ANY_SCORES, weights=EXACT_WEIGHTS), threshold=ANY_SCORES, compare=st.sampled_from(["ge", "gt"])
)
def test_the_table_and_the_rows_decide_alike(table: Table, threshold: float, compare: Compare) -> None:
    rows = table.rows()
    threshold = float(np.dtype(table.kind).type(threshold))
    cells = BinaryEvidence(rows).cells(threshold, compare)
    assert cells == TableEvidence(threshold_evidence(rows), rows).cells(threshold, compare)
    assert cells == table.listed(BinaryPolicies(threshold=threshold, compare=compare)).cells()


def test_extreme_scores_make_no_noise() -> None:
    """The difference of the largest scores of a type is beyond it: nothing subtracts them."""
    for kind in ("float32", "float64"):
        top = float(np.finfo(kind).max)
        table = Table((1, 0, 1, 0), (top, -top, -top, top), (1.0, 2.0, 3.0, 4.0), ("u",) * 4, kind)
        for rows in (table.rows(), replace(table, weights=None).rows()):
            found = group_evidence(rows), threshold_evidence(rows), pair_evidence(rows)
            with without_core():
                same_groups(found[0], group_evidence(rows))
                same_table(found[1], threshold_evidence(rows))
                assert found[2] == pair_evidence(rows)


WIDE = Table((1, 0, 1, 0), (0.9, 0.1, 0.3, 0.5), (1e9, 0.3, 1.0, 0.1), ("u", "u", "v", "v"))


def test_a_light_class_beside_a_heavy_one_keeps_its_digits() -> None:
    """AUC of the first group is 1 whatever its rows weigh."""
    assert group_evidence(WIDE.rows()).auc().tolist() == [1.0, 0.0]
    lost = replace(WIDE, weights=(1e17, 0.3, 1.0, 0.1))
    assert group_evidence(lost.rows()).both.tolist() == [True, True]


# Exact sums.

FINITE = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(
        [0.0, -0.0, 1.0, -1.0, 0.1, 1e300, -1e300, 1e-300, -1e-300, 5e-324, -5e-324, 2.0**-1022, 1.7e308, 1 + 2.0**-52]
    ),
)


def columns_of(*values: st.SearchStrategy[float], least: int = 0) -> st.SearchStrategy[list[Floats]]:
    rows = st.lists(st.tuples(*values), min_size=least, max_size=30)
    return rows.map(lambda drawn: [np.array([row[i] for row in drawn], np.float64) for i in range(len(values))])


def both_ways(compute: Callable[[], Any]) -> Any:
    """By the core and by the reference, which must agree."""
    found = compute()
    with without_core():
        assert compute() == found
    return found


@given(columns=columns_of(FINITE))
@example(columns=[np.array([5e-324] * 3)])
@example(columns=[np.array([1.7976931348623157e308] * 5 + [5e-324])])
def test_sums_are_exact(columns: list[Floats]) -> None:
    (values,) = columns
    wanted = sum(map(Fraction, values.tolist()), Fraction(0))
    assert both_ways(lambda: exact.exact_sum(values)) == wanted
    assert both_ways(lambda: exact.units(values)) == wanted * 2**exact.UNIT
    assert exact.units_by_reference(values) == wanted * 2**exact.UNIT
    if sum(map(abs, map(Fraction, values.tolist()))) < 1.7e308:  # beyond it fsum overflows on its way
        assert exact.rounded(exact.units(values)) == math.fsum(values.tolist())
    assert exact.exact_sum(values[::-1]) == exact.exact_sum(values[::2]) + exact.exact_sum(values[1::2])


@given(columns=columns_of(FINITE, FINITE))
def test_sums_of_products_are_exact(columns: list[Floats]) -> None:
    a, b = columns
    wanted = sum((Fraction(x) * Fraction(y) for x, y in zip(a.tolist(), b.tolist(), strict=True)), Fraction(0))
    assert both_ways(lambda: exact.exact_dot(a, b)) == wanted
    assert both_ways(lambda: exact.weighted_dot(a, b, None)) == wanted
    assert both_ways(lambda: exact.weighted_sum(a, b)) == wanted
    assert both_ways(lambda: exact.weighted_sum(a, None)) == sum(map(Fraction, a.tolist()), Fraction(0))


@given(columns=columns_of(FINITE, FINITE, FINITE))
def test_weighted_sums_of_products_are_exact(columns: list[Floats]) -> None:
    a, b, w = columns
    triples = zip(a.tolist(), b.tolist(), w.tolist(), strict=True)
    wanted = sum((Fraction(x) * Fraction(y) * Fraction(z) for x, y, z in triples), Fraction(0))
    assert both_ways(lambda: exact.weighted_dot(a, b, w)) == wanted


@pytest.mark.parametrize("size", [65_536, 65_537, 200_000])
def test_many_numbers_are_summed_alike_by_any_number_of_threads(size: int) -> None:
    rng = np.random.default_rng(size)
    a, b = (rng.standard_normal(size) * 10.0 ** rng.integers(-90, 90, size) for _ in range(2))
    wanted = exact.exact_sum(a, 1), exact.exact_dot(a, b, 1)
    for threads in (2, 7):
        assert (exact.exact_sum(a, threads), exact.exact_dot(a, b, threads)) == wanted
    with without_core():
        assert (exact.exact_sum(a), exact.exact_dot(a, b)) == wanted
    assert float(wanted[0]) == math.fsum(a.tolist())


@needs_core
@pytest.mark.parametrize("threads", [1, 3, 7])
def test_millions_of_the_longest_mantissas_do_not_overflow(threads: int) -> None:
    """2^53 − 1 as digits, in one exponent, as often as a part of the sum holds before it is carried on."""
    value = 2 - 2.0**-52
    values = np.full(threads * 31 * 65_536 if threads < 7 else 7 * 15 * 65_536, value)
    size = len(values)
    assert exact.exact_sum(values, threads) == size * Fraction(value)
    assert exact.exact_dot(values, values, threads) == size * Fraction(value) ** 2
    assert exact.exact_sum(-values, threads) == -size * Fraction(value)


# Pooling.


def isotonic(positives: Sequence[int], rows: Sequence[int]) -> list[Fraction]:
    """The fitted share at each score, from the highest down, by the formula of minima of maxima of means."""

    def share(first: int, last: int) -> Fraction:
        return Fraction(sum(positives[first : last + 1]), sum(rows[first : last + 1]))

    size = len(rows)
    return [min(max(share(s, t) for t in range(i, size)) for s in range(i + 1)) for i in range(size)]


def spread(pooled: tuple[Floats, Floats], rows: Sequence[float]) -> list[Fraction]:
    """The share of its pool for each score."""
    out: list[Fraction] = []
    place = iter(rows)
    for y, n in zip(pooled[0].tolist(), pooled[1].tolist(), strict=True):
        left = Fraction(n)
        while left > 0:
            left -= Fraction(next(place))
            out.append(Fraction(y) / Fraction(n))
        assert left == 0
    return out


@st.composite
def counts_by_score(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    blocks = draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)).filter(any), min_size=1, max_size=9))
    return [p for p, _ in blocks], [p + n for p, n in blocks]


@given(counts=counts_by_score())
def test_pools_are_the_isotonic_regression(counts: tuple[list[int], list[int]]) -> None:
    positives, rows = counts
    tp = np.cumsum(positives)
    table = ThresholdEvidence(np.arange(len(rows), 0, -1.0), tp, np.cumsum(rows) - tp)
    found = pools(table)
    reference = pools_by_reference(np.array(positives, float), np.array(rows, float))
    wanted = isotonic(positives, rows)
    assert spread(found, rows) == wanted
    assert spread(reference, rows) == wanted
    assert [column.tolist() for column in found] == [column.tolist() for column in reference]
    with without_core():
        assert [column.tolist() for column in pools(table)] == [column.tolist() for column in found]
    shares = [(float(share), y, n) for share, y, n in zip(wanted, positives, rows, strict=True)]
    loss = -sum((y * math.log(p) if y else 0.0) + ((n - y) * math.log1p(-p) if n - y else 0.0) for p, y, n in shares)
    assert pooled_loss(table) == pytest.approx(loss / sum(rows), rel=1e-13, abs=1e-15)


@pytest.mark.parametrize("epsilon", [1e-17, 1e-20, 1e-300])
def test_a_loss_means_its_epsilon_however_small(epsilon: float) -> None:
    """1 - ε is rounded to 1, but 1 - p is not 0."""
    labels, p, metrics = [0, 1, 0, 1], [1.0, 0.5, 0.5, 0.5], [f"{name}(eps={epsilon})" for name in ("logloss", "ne")]
    wanted = (3 * math.log(2) - math.log(epsilon)) / 4
    rows = binary_rows(*map(vector, (labels, p), ("y", "p")), group=vector([7, 7, 8, 8], "group"))
    for context in (nullcontext, without_core):
        with context():
            scores = pc.evaluate_binary(labels, p, metrics)
            assert [scores[name] for name in metrics] == pytest.approx([wanted, wanted / math.log(2)], rel=1e-15)
            losses = group_evidence(rows, epsilon=epsilon).loss
            assert losses == pytest.approx([math.log(2) - math.log(epsilon), 2 * math.log(2)], rel=1e-15)
        assert pc.explain(metrics[0], labels, p, task="binary").value == scores[metrics[0]]
        table = TableEvidence(threshold_evidence(rows), rows).probability(epsilon)
        assert float(table.loss) / 4 == pytest.approx(wanted, rel=1e-15) and table.clipped == 1
    definition = scores.values_by_name[metrics[0]].metric.define(LabelledList(tuple(labels), tuple(p)))
    assert definition == pytest.approx(wanted, rel=1e-15)


@given(table=tables(weights=EXACT_WEIGHTS))
def test_recalibration_never_loses_and_orders_alike(table: Table) -> None:
    """L* is at most L and at most L0: both predictions are monotone in the score."""
    rows = table.rows()
    sums = probability_evidence(rows)
    best = pooled_loss(threshold_evidence(rows))
    assert best <= float(sums.loss / sums.rows) + 1e-12
    rate = float(sums.positives / sums.rows)
    if 0 < rate < 1:
        assert best <= -(rate * math.log(rate) + (1 - rate) * math.log1p(-rate)) + 1e-12


def test_pools_of_rare_positives_keep_their_digits() -> None:
    """ln(1 − 1e-12) is −1e-12 and 5e-25 more; 1 − 1e-12 itself has lost the thirteenth digit of that."""
    few, many_rows = 1.0, 1e12
    table = ThresholdEvidence(np.array([0.5]), np.array([few]), np.array([many_rows - few]))
    rate = few / many_rows
    wanted = -(rate * math.log(rate) + (1 - rate) * (-rate - rate * rate / 2))
    assert pooled_loss(table) == pytest.approx(wanted, rel=1e-14)


# Everything at once, with the core off.


@pytest.mark.sweep
@given(table=tables(weights=FRACTIONS, groups=True))
def test_the_same_document_without_the_core(table: Table) -> None:
    metrics = ["auc", "gauc", "pr_auc", "bep", "ks", "f1", "brier", "ece", "ne", "logloss", "lift@0.1", "partial_auc"]

    def document() -> dict[str, Any]:
        rows = table.rows()
        return pc.evaluate_binary(
            rows.labels.positive,
            rows.scores,
            metrics,
            group=list(table.groups or ()),
            weight=rows.weight,
            positive=1,
        ).to_dict(per_query=True)

    found = document()
    with without_core():
        assert flat(document()) == pytest.approx(flat(found), rel=1e-14, nan_ok=True)


def flat(document: Any, path: str = "") -> dict[str, Any]:
    """Every number by where it stands; anything else by itself."""
    if isinstance(document, dict):
        return {
            key: value for name, inside in document.items() for key, value in flat(inside, f"{path}/{name}").items()
        }
    if isinstance(document, list):
        return {key: value for i, inside in enumerate(document) for key, value in flat(inside, f"{path}/{i}").items()}
    if isinstance(document, (int, float)):
        return {path: float(document)}
    return {f"{path}={document}": 0.0}


@pytest.mark.skipif(native_core() is None, reason="no native core in this install")
@pytest.mark.parametrize("seed", range(20))
def test_pools_of_fractional_weights_are_the_same_with_and_without_the_core(seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = rng.random(300) ** 3
    positives = rows * (rng.random(300) < np.linspace(0.2, 0.8, 300))
    native: Any = native_core()
    for one, other in zip(native.pool(positives, rows), pools_by_reference(positives, rows), strict=True):
        assert one.tobytes() == other.tobytes()
