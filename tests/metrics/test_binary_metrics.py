"""Metrics of labels and scores: value = definition = an oracle, declarations, and the laws."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pingce as pc
from drawn_labels import ALL, COUNTS, EXACT_WEIGHTS, FRACTIONS, KINDS, TIED, Table, tables
from pingce.base.errors import InputError
from pingce.base.text import Text
from pingce.evidence.binary.evidence import BinaryEvidence, TableEvidence
from pingce.evidence.binary.grouped import group_evidence
from pingce.evidence.binary.thresholds import Cells, threshold_evidence
from pingce.evidence.policies import BinaryPolicies
from pingce.metrics.binary import BinaryMetric, LabelledList
from pingce.metrics.binary.calibration import range_p
from pingce.metrics.binary.decisions import Decision
from pingce.metrics.binary.probabilities import base_loss
from pingce.metrics.grammar import parse_metric, parse_metrics
from pingce.metrics.parameters import Choice, spelled
from pingce.metrics.references import REFERENCES
from pingce.request import Request
from pingce.run.score import score_metric, score_rows
from pingce.tasks import TASKS

CHINESE = re.compile("[\u4e00-\u9fff]")
DEFAULT = BinaryPolicies()
POLICIES = st.builds(
    BinaryPolicies, threshold=st.sampled_from([0.5, 0.1, 0.7, 0.0, 1.0, 0.3]), compare=st.sampled_from(["ge", "gt"])
)
UNGROUPED = [metric for metric in ALL if metric.needs not in ("groups", "fields")]
# A jump where one sum of fractional weights is a hair larger than another: the place of a maximum or of a bin, or
# whether rows are whole.
JUMPING = ("ks_threshold", "best_f_threshold", "cost_threshold", "lift", "gain")
SMOOTH = [
    m for m in ALL if m.name not in JUMPING and getattr(m, "binning", "") != "quantile" and not getattr(m, "at", "")
]

every_kind = pytest.mark.parametrize("kind", list(KINDS.values()), ids=list(KINDS))


def evidence(table: Table) -> BinaryEvidence:
    return BinaryEvidence(table.rows())


def counted(metric: BinaryMetric, rows: BinaryEvidence, policies: BinaryPolicies = DEFAULT) -> float:
    return metric.value(rows.view(policies))


def value(metric: BinaryMetric, table: Table, policies: BinaryPolicies = DEFAULT) -> float:
    return counted(metric, evidence(table), policies)


def values(table: Table, policies: BinaryPolicies = DEFAULT) -> dict[str, float]:
    """Of every metric."""
    rows = evidence(table)
    return {metric.id: counted(metric, rows, policies) for metric in ALL}


def bits(found: dict[str, float]) -> dict[str, str]:
    return {name: one.hex() for name, one in found.items()}


def tabled(table: Table) -> TableEvidence:
    rows = table.rows()
    return TableEvidence(threshold_evidence(rows), rows)


def near(wanted: float, rel: float = 1e-12) -> Any:
    return pytest.approx(wanted, rel=rel, abs=1e-14, nan_ok=True)


# Value, table and definition.


@given(table=tables(weights=EXACT_WEIGHTS, groups=True), policies=POLICIES)
def test_each_metric_equals_its_definition(table: Table, policies: BinaryPolicies) -> None:
    """Over the rows, from the table of thresholds, and row by row."""
    rows, counts, whole = evidence(table), tabled(table), table.listed(policies)
    for metric in ALL:
        wanted = metric.define(whole)
        assert counted(metric, rows, policies) == near(wanted), metric.id
        if metric in UNGROUPED:
            assert counted(metric, counts, policies) == near(wanted), metric.id


@given(table=tables(weights=FRACTIONS, unweighted=False, groups=True), policies=POLICIES)
def test_fractional_weights_agree_with_the_definition(table: Table, policies: BinaryPolicies) -> None:
    rows, whole = evidence(table), table.listed(policies)
    for metric in SMOOTH:
        assert counted(metric, rows, policies) == near(metric.define(whole)), metric.id


@pytest.mark.sweep
@given(data=st.data(), table=tables(weights=FRACTIONS, groups=True))
def test_a_metric_does_not_depend_on_its_company(data: st.DataObject, table: Table) -> None:
    """Evidence is shared: bins, epsilons and columns of one metric must not leak into another."""
    rows = table.rows(group_weight={"bid": [0.5 + i for i in range(len(table.labels))]})
    more = ["gauc(by=bid)", "ece(bins=7)", "mce(bins=3)", "f1(threshold=0.3)", "logloss(eps=0.2)"]
    asked = parse_metrics(data.draw(st.permutations([metric.id for metric in ALL] + more)), task="binary")
    together = score_rows(Request(task=TASKS["binary"], policies=DEFAULT, metrics=tuple(asked)), rows)
    _ = together.per_group, together.counts, together.diagnosis
    again = score_rows(Request(task=TASKS["binary"], policies=DEFAULT, metrics=tuple(asked)), rows)
    for one in data.draw(st.permutations(asked))[:20]:
        alone = score_metric(one, DEFAULT, rows)[one.name]
        assert alone.hex() == together[one.name].hex() == again[one.name].hex(), one.name


# Oracles that share nothing with the metrics: fractions, from the cells or the rows.


def share(top: Fraction, bottom: Fraction) -> float:
    return float(top / bottom) if bottom else math.nan


def correlation(tp: Fraction, fp: Fraction, tn: Fraction, fn: Fraction) -> float:
    """Pearson's, of label and decision as columns of 0 and 1."""
    n = tp + fp + tn + fn
    mean_label, mean_said = (tp + fn) / n, (tp + fp) / n
    covariance = tp / n - mean_label * mean_said
    spread = mean_label * (1 - mean_label) * mean_said * (1 - mean_said)
    return float(covariance) / math.sqrt(spread) if spread else 0.0


def agreement(tp: Fraction, fp: Fraction, tn: Fraction, fn: Fraction) -> float:
    n = tp + fp + tn + fn
    observed = (tp + tn) / n
    chance = (tp + fp) / n * (tp + fn) / n + (tn + fn) / n * (tn + fp) / n
    return share(observed - chance, 1 - chance)


def f_of(beta: float) -> Callable[[Fraction, Fraction, Fraction, Fraction], float]:
    def harmonic(tp: Fraction, fp: Fraction, tn: Fraction, fn: Fraction) -> float:
        """(1 + β²) P R / (β² P + R), where precision and recall are known and not both 0."""
        if not tp:
            return 0.0 if fp + fn else math.nan
        precision, recall, square = tp / (tp + fp), tp / (tp + fn), Fraction(beta) ** 2
        return float((1 + square) * precision * recall / (square * precision + recall))

    return harmonic


DECISIONS: dict[str, Callable[[Fraction, Fraction, Fraction, Fraction], float]] = {
    "accuracy": lambda tp, fp, tn, fn: share(tp + tn, tp + fp + tn + fn),
    "precision": lambda tp, fp, tn, fn: share(tp, tp + fp),
    "recall": lambda tp, fp, tn, fn: share(tp, tp + fn),
    "f": f_of(1),
    "f(beta=0.5)": f_of(0.5),
    "f(beta=2)": f_of(2),
    "specificity": lambda tp, fp, tn, fn: share(tn, tn + fp),
    "fpr": lambda tp, fp, tn, fn: share(fp, tn + fp),
    "positive_rate": lambda tp, fp, tn, fn: share(tp + fp, tp + fp + tn + fn),
    "fnr": lambda tp, fp, tn, fn: share(fn, tp + fn),
    "npv": lambda tp, fp, tn, fn: share(tn, tn + fn),
    "balanced_accuracy": lambda tp, fp, tn, fn: (share(tp, tp + fn) + share(tn, tn + fp)) / 2,
    "jaccard": lambda tp, fp, tn, fn: share(tp, tp + fp + fn),
    "mcc": correlation,
    "kappa": agreement,
    "fdr": lambda tp, fp, tn, fn: share(fp, tp + fp),
    "for": lambda tp, fp, tn, fn: share(fn, tn + fn),
    "informedness": lambda tp, fp, tn, fn: (
        float(tp / (tp + fn) + tn / (tn + fp) - 1) if (tp + fn) * (tn + fp) else math.nan
    ),
    "markedness": lambda tp, fp, tn, fn: (
        float(tp / (tp + fp) + tn / (tn + fn) - 1) if (tp + fp) * (tn + fn) else math.nan
    ),
    "lr_plus": lambda tp, fp, tn, fn: float(tp / (tp + fn) / (fp / (tn + fp))) if (tp + fn) * fp else math.nan,
    "lr_minus": lambda tp, fp, tn, fn: float(fn / (tp + fn) / (tn / (tn + fp))) if (tp + fn) * tn else math.nan,
    "cost": lambda tp, fp, tn, fn: share(fp + fn, tp + fp + tn + fn),
    "cost(fp=0.5)": lambda tp, fp, tn, fn: share(fp / 2 + fn, tp + fp + tn + fn),
    "cost(fn=20)": lambda tp, fp, tn, fn: share(fp + 20 * fn, tp + fp + tn + fn),
    "dor": lambda tp, fp, tn, fn: share(tp * tn, fp * fn),
    "fowlkes_mallows": lambda tp, fp, tn, fn: (
        math.sqrt(tp / (tp + fp) * (tp / (tp + fn))) if (tp + fp) * (tp + fn) else math.nan
    ),
}


def test_every_decision_has_an_oracle() -> None:
    assert {metric.id for metric in ALL if isinstance(metric, Decision) and metric.needs == "cells"} == set(DECISIONS)


SIZES = st.one_of(st.integers(0, 5), st.integers(0, 10**10), st.sampled_from([0.0, 0.1, 0.7, 1 / 3]))


@pytest.mark.sweep
@pytest.mark.parametrize("name", sorted(DECISIONS))
@given(sizes=st.tuples(SIZES, SIZES, SIZES, SIZES).filter(any))
def test_decisions_from_the_four_cells(name: str, sizes: tuple[float, float, float, float]) -> None:
    """Ten billion rows or a tenth of one."""
    metric = parse_metric(name, task="binary").metric
    tp, fp, tn, fn = map(Fraction, sizes)
    assert metric.of(Cells(*sizes)) == pytest.approx(
        DECISIONS[name](tp, fp, tn, fn), rel=1e-12, abs=1e-15 if name in ("mcc", "kappa") else 0, nan_ok=True
    )


def rows_of(table: Table) -> list[tuple[int, float, Fraction]]:
    scores = np.array(table.scores, table.kind).astype(float).tolist()
    weights = table.weights or (1.0,) * len(scores)
    return [(y, s, Fraction(w)) for y, s, w in zip(table.labels, scores, weights, strict=True) if w]


def counts_above(table: Table) -> list[tuple[float, Fraction, Fraction]]:
    """Each distinct score from the highest, with positives and negatives down to it."""
    rows = rows_of(table)
    return [
        (
            limit,
            sum((w for y, s, w in rows if y and s >= limit), Fraction(0)),
            sum((w for y, s, w in rows if not y and s >= limit), Fraction(0)),
        )
        for limit in sorted({s for _, s, _ in rows}, reverse=True)
    ]


def partial_area(table: Table, most: Fraction) -> float:
    """Under the ROC curve, by cutting every segment at `most`."""
    counts = counts_above(table)
    positives, negatives = counts[-1][1], counts[-1][2]
    points = [(Fraction(0), Fraction(0)), *((fp / negatives, tp / positives) for _, tp, fp in counts)]
    covered = Fraction(0)
    for (x0, y0), (x1, y1) in pairwise(points):
        end = min(x1, most)
        if end > x0:
            height = y0 + (y1 - y0) * (end - x0) / (x1 - x0)
            covered += (end - x0) * (y0 + height) / 2
    least = most * most / 2
    return float((1 + (covered - least) / (most - least)) / 2)


def found_in_the_top(table: Table, shown: Fraction) -> Fraction:
    """Positives among the top rows, a cut block by its share: rows dealt out one weight after another."""
    before = Fraction(0)
    found = last_tp = Fraction(0)
    for _, tp, fp in counts_above(table):
        size, positives = tp + fp - before, tp - last_tp
        taken = min(size, max(shown - before, Fraction(0)))
        found += positives * taken / size
        before, last_tp = tp + fp, tp
    return found


@given(table=tables(scores=TIED, weights=COUNTS, most=14))
def test_curves_and_cuts_against_fractions(table: Table) -> None:
    counts = counts_above(table)
    positives, negatives = counts[-1][1], counts[-1][2]
    total = positives + negatives
    seen = evidence(table).view(DEFAULT)

    def of(name: str) -> float:
        found: float = parse_metric(name, task="binary").metric.value(seen)
        return found

    if not positives:
        names = ("pr_auc", "bep", "best_f", "best_f_threshold", "lift@0.3", "gain@0.3")
        assert all(math.isnan(of(name)) for name in names)
        return
    recalls = [Fraction(0)] + [tp / positives for _, tp, _ in counts]
    precisions = [Fraction(1)] + [tp / (tp + fp) for _, tp, fp in counts]
    steps = range(1, len(recalls))
    assert of("pr_auc") == near(float(sum((recalls[i] - recalls[i - 1]) * precisions[i] for i in steps)))
    lines = sum((recalls[i] - recalls[i - 1]) * (precisions[i] + precisions[i - 1]) / 2 for i in steps)
    assert of("pr_auc(interpolation=trapezoid)") == near(float(lines))
    assert of("bep") == near(float(found_in_the_top(table, positives) / positives))
    f = [(2 * tp / (tp + fp + positives), limit) for limit, tp, fp in counts]
    best = max(one for one, _ in f)
    assert of("best_f") == near(float(best))
    assert of("best_f_threshold") == max(limit for one, limit in f if one == best)
    for p in (Fraction(1, 10), Fraction(3, 10), Fraction(1)):
        shown = Fraction(math.ceil(p * total))
        found = found_in_the_top(table, shown)
        assert of(f"gain@{float(p)}") == near(float(found / positives))
        assert of(f"lift@{float(p)}") == near(float((found / shown) / (positives / total)))
    if negatives:
        apart = [(tp / positives - fp / negatives, limit) for limit, tp, fp in counts]
        furthest = max(one for one, _ in apart)
        assert of("ks") == near(float(furthest))
        assert of("ks_threshold") == max(limit for one, limit in apart if one == furthest)
        for most in (Fraction(1, 8), Fraction(1, 2), Fraction(1)):
            assert of(f"partial_auc(max_fpr={float(most)})") == near(partial_area(table, most))
        assert of("partial_auc(max_fpr=1)") == near(of("auc"))


def bins_of(table: Table, count: int, binning: str) -> list[tuple[Fraction, Fraction, Fraction]]:
    rows = sorted(rows_of(table), key=lambda row: row[1])
    total, below = sum(w for _, _, w in rows), Fraction(0)
    places: dict[float, int] = {}
    for _, score, weight in rows:
        places.setdefault(
            score, min(int(score * count) if binning == "width" else int(below * count / total), count - 1)
        )
        below += weight
    found: dict[int, list[Fraction]] = {}
    for y, score, weight in rows:
        inside = found.setdefault(places[score], [Fraction(0)] * 3)
        inside[0], inside[1], inside[2] = (
            inside[0] + weight,
            inside[1] + weight * y,
            inside[2] + weight * Fraction(score),
        )
    return [(n, y, p) for n, y, p in found.values()]


@given(table=tables(weights=COUNTS, most=14), count=st.sampled_from([1, 2, 5, 15, 100]))
def test_calibration_against_fractions(table: Table, count: int) -> None:
    seen = evidence(table).view(DEFAULT)
    for binning in ("width", "quantile"):
        bins = bins_of(table, count, binning)
        total = sum((n for n, _, _ in bins), Fraction(0))
        ece, mce = (
            parse_metric(f"{name}(bins={count},binning={binning})", task="binary").metric for name in ("ece", "mce")
        )
        assert ece.value(seen) == near(float(sum((abs(y - p) for _, y, p in bins), Fraction(0)) / total))
        assert mce.value(seen) == near(float(max(abs(y - p) / n for n, y, p in bins)))


@pytest.mark.parametrize(("positives", "rows"), [(19, 800_000_000), (1, 10**12), (10**12 - 1, 10**12), (3, 10)])
def test_the_loss_of_a_rare_base_rate_keeps_its_digits(positives: int, rows: int) -> None:
    """−(r ln r + q ln q) in series: ln(1 − r) = −r − r²/2 − r³/3 …"""
    rarer = Fraction(min(positives, rows - positives), rows)
    logarithm = -sum(rarer**i / i for i in range(1, 60))
    wanted = -(float(rarer) * math.log(rarer) + float((1 - rarer) * logarithm))
    assert base_loss(Fraction(positives), Fraction(rows)) == pytest.approx(wanted, rel=1e-15)


@pytest.mark.parametrize("kind", ["float16", "float32", "float64"])
def test_the_default_epsilon_is_that_of_the_scores(kind: str) -> None:
    """An impossible click costs −ln ε; p itself is not clipped for anything else."""
    epsilon = float(np.finfo(kind).eps)
    scores = pc.evaluate_binary([1, 0], np.array([0, 1], kind), ["logloss", "brier", "pcoc", "logloss(eps=0.1)"])
    assert scores["logloss"] == pytest.approx(-(math.log(epsilon) + math.log1p(-(1 - epsilon))) / 2, rel=1e-12)
    assert scores["brier"] == 1
    assert scores["pcoc"] == 1
    assert scores["logloss(eps=0.1)"] == pytest.approx(-math.log(0.1), rel=1e-12)
    assert scores.counts["clipped"] == {"logloss": 2, "logloss(eps=0.1)": 2}
    assert f"eps:{epsilon}" in scores.signature("logloss")


# Declarations.


def sentences(kind: type[BinaryMetric]) -> list[Text]:
    about = kind.about
    said = [kind.title, about.question, about.use, about.blind, about.worked]
    said += [about.undefined] if about.undefined.en or about.undefined.zh else []
    for parameter in kind.parameters():
        check = parameter.metadata["check"]
        said.append(parameter.metadata["help"])
        said += check.words.values() if hasattr(check, "words") else []
    return said


def example(kind: type[BinaryMetric]) -> tuple[BinaryMetric, Table]:
    name, labels, scores = kind.about.example
    metric: BinaryMetric = parse_metric(name, task="binary").metric
    return metric, Table(tuple(labels), tuple(scores), groups=tuple(kind.about.groups) or None)


@every_kind
class TestDeclaration:
    def test_both_languages_are_there(self, kind: type[BinaryMetric]) -> None:
        for text in sentences(kind):
            assert text.en.strip()
            assert not CHINESE.search(text.en)
            bare = text.zh.replace("，", ", ").replace("：", ": ")
            assert CHINESE.search(text.zh) or (bare == text.en and "=" in bare), text.zh

    def test_docstring_has_meaning_formula_and_reference(self, kind: type[BinaryMetric]) -> None:
        lines = (kind.__doc__ or "").strip().splitlines()
        assert lines[0].endswith((".", "?"))
        assert any("=" in line for line in lines[1:])
        assert f"[{kind.about.reference}]" in (kind.__doc__ or "")
        assert kind.about.reference in REFERENCES
        assert "=" in str(kind.formula)

    def test_names_it_refers_to_exist(self, kind: type[BinaryMetric]) -> None:
        assert set(kind.about.pairs_with) <= set(KINDS)
        assert kind.about.pairs_with
        assert kind.name not in kind.about.pairs_with
        assert kind.uses in ("order", "scores", "probabilities")
        assert kind.needs in ("cells", "pairs", "thresholds", "probability", "groups", "fields")

    def test_the_worked_example_ends_in_its_value(self, kind: type[BinaryMetric]) -> None:
        metric, table = example(kind)
        assert isinstance(metric, kind)
        wanted = metric.define(table.listed(DEFAULT))
        assert value(metric, table) == pytest.approx(wanted, rel=1e-12)
        written = f"{wanted:.6f}".rstrip("0").rstrip(".")
        for text in kind.about.worked:
            assert re.findall(r"-?\d+(?:\.\d+)?", text)[-1] == written, text

    def test_names_and_aliases_parse_and_print(self, kind: type[BinaryMetric]) -> None:
        for name in (kind.name, *kind.aliases, kind.name.upper()):
            assert isinstance(parse_metric(name, task="binary").metric, kind)
        for metric in ALL:
            if isinstance(metric, kind):
                assert parse_metric(metric.id, task="binary").metric == metric

    def test_a_parameter_refuses_nonsense(self, kind: type[BinaryMetric]) -> None:
        for parameter in kind.parameters():
            check = parameter.metadata["check"]
            with pytest.raises(InputError, match=spelled(parameter.name)):
                kind.make(**{parameter.name: -1.5})
            if isinstance(check, Choice):
                close: dict[str, Any] = {parameter.name: next(iter(check.words)) + "x"}
                with pytest.raises(InputError, match="did you mean"):
                    kind.make(**close)

    def test_an_unknown_parameter_or_cut_off_is_named(self, kind: type[BinaryMetric]) -> None:
        with pytest.raises(InputError, match="has no parameter 'colour'"):
            kind.make(colour="red")
        if not kind.takes:
            with pytest.raises(InputError, match="takes no @k"):
                kind.make(k=10)

    def test_policies_may_stand_in_the_name(self, kind: type[BinaryMetric]) -> None:
        asked = parse_metric(f"{kind.name}(threshold=0.3,undefined=zero)", task="binary")
        assert asked.under(DEFAULT) == BinaryPolicies(threshold=0.3, undefined="zero")


def test_no_two_metrics_share_a_name() -> None:
    names = [name for kind in KINDS.values() for name in (kind.name, *kind.aliases)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("written", ["lift@0", "lift@1.5", "gain@10", "lift@-0.1", "gain@x", "lift@"])
def test_a_share_lies_between_0_and_1(written: str) -> None:
    with pytest.raises(InputError, match="a share of the rows"):
        parse_metric(written, task="binary")


# Laws.


@given(data=st.data(), table=tables(weights=FRACTIONS, groups=True))
def test_row_order_never_matters(data: st.DataObject, table: Table) -> None:
    other = table.at(data.draw(st.permutations(list(range(len(table.labels))))))
    assert bits(values(table)) == bits(values(other))


ORDER = [metric for metric in ALL if metric.uses == "order"]


def test_metrics_of_order_are_those_that_should_be() -> None:
    names = "auc best_cost rank_loss partial_auc pr_auc bep ks best_f lift gain eer gauc"
    assert {metric.name for metric in ORDER} == set(names.split())


@given(data=st.data(), table=tables(weights=FRACTIONS, groups=True))
def test_an_increasing_function_of_the_scores_changes_nothing(data: st.DataObject, table: Table) -> None:
    """Distinct scores are given new ones in the same order, of any size and sign."""
    given_scores = np.array(table.scores, table.kind).tolist()
    known = sorted(set(given_scores))
    grown = sorted(
        data.draw(st.lists(st.integers(-(2**20), 2**20), min_size=len(known), max_size=len(known), unique=True))
    )
    new = {score + 0.0: float(to) for score, to in zip(known, grown, strict=True)}
    one, other = evidence(table), evidence(replace(table, scores=tuple(new[score + 0.0] for score in given_scores)))
    for metric in ORDER:
        assert counted(metric, one).hex() == counted(metric, other).hex(), metric.id


@given(table=tables(weights=COUNTS, unweighted=False, groups=True), policies=POLICIES)
def test_weight_2_is_the_row_twice_and_weight_0_no_row(table: Table, policies: BinaryPolicies) -> None:
    """Exactly, but for the last digit of a sum of shares."""
    repeated = values(table.repeated(), policies)
    assert values(table, policies) == pytest.approx(repeated, rel=1e-14, abs=1e-15, nan_ok=True)


@given(table=tables(weights=COUNTS, unweighted=False, groups=True))
def test_a_column_of_group_weights_is_weighted_as_its_rows_are(table: Table) -> None:
    """gauc(by=column): a row of weight 2 brings its number twice, one of weight 0 not at all."""
    metric = parse_metric("gauc(by=bid)", task="binary").metric
    bids = tuple(0.25 * (i % 5) + 0.25 for i in range(len(table.labels)))
    again = [bids[i] for i, weight in enumerate(table.weights or ()) for _ in range(int(weight))]
    one = BinaryEvidence(table.rows(group_weight={"bid": list(bids)}))
    other = BinaryEvidence(table.repeated().rows(group_weight={"bid": again}))
    assert counted(metric, one) == near(counted(metric, other))


@given(table=tables(groups=True), scale=st.sampled_from([1.0, 4.0]))
def test_weight_1_is_none_and_an_equal_weight_cancels(table: Table, scale: float) -> None:
    """But for the top ⌈p · n⌉ of four times as many rows, and for groups of so many."""
    wanted, found = values(table), values(replace(table, weights=(scale,) * len(table.labels)))
    counting = [m for m in ALL if m.takes or any(getattr(m, name, None) for name in ("min_rows", "min_positives"))]
    counting += [m for m in ALL if getattr(m, "as_", "range") != "range"]
    counts = {metric.id for metric in counting if scale != 1}
    for name in wanted.keys() - counts:
        assert found[name] == pytest.approx(wanted[name], rel=1e-14, abs=1e-15, nan_ok=True), name


@given(table=tables(weights=FRACTIONS, groups=True), policies=POLICIES)
def test_values_lie_in_their_range(table: Table, policies: BinaryPolicies) -> None:
    rows = evidence(table)
    for metric in ALL:
        found = counted(metric, rows, policies)
        if math.isnan(found):
            continue
        if metric.about.range == "a score":
            assert found in np.array(table.scores, table.kind).astype(float), metric.id
            continue
        low, _, high = metric.about.range.partition(",")[0].partition(" … ")
        least, most = (float(end.replace("−", "-").replace("∞", "inf")) for end in (low, high))
        assert least - 1e-12 <= found <= most + 1e-12, metric.id


@pytest.mark.sweep
@given(data=st.data(), table=tables(weights=COUNTS))
def test_splitting_and_merging_changes_no_bit(data: st.DataObject, table: Table) -> None:
    size = len(table.labels)
    first = data.draw(st.sets(st.sampled_from(range(size)), max_size=size))
    pieces = [table.at([i for i in range(size) if (i in first) == side]) for side in (True, False)]
    pieces = [piece for piece in pieces if piece.labels and (piece.weights is None or any(piece.weights))]
    if sum(len(piece.labels) for piece in pieces) < size:
        return
    parts = [threshold_evidence(piece.rows()) for piece in pieces]
    merged = parts[0] if len(parts) == 1 else parts[0].merge(parts[1])
    one, other = TableEvidence(merged, table.rows()), tabled(table)
    for metric in UNGROUPED:
        assert repr(counted(metric, one)) == repr(counted(metric, other)), metric.id


def both_classes(cells: Cells) -> bool:
    return bool(cells.positives and cells.negatives)


UNDEFINED: dict[str, Callable[[Cells], bool]] = {
    "": lambda cells: False,
    "one of the two classes does not occur": lambda cells: not both_classes(cells),
    "there is no positive row": lambda cells: not cells.positives,
    "there is no negative row": lambda cells: not cells.negatives,
    "no row is predicted positive": lambda cells: not cells.tp + cells.fp,
    "no row is predicted negative": lambda cells: not cells.tn + cells.fn,
    "TP, FP and FN are all 0": lambda cells: not cells.tp + cells.fp + cells.fn,
    "all rows are predicted alike": lambda cells: not cells.tp + cells.fp or not cells.tn + cells.fn,
    "there is no positive row, or FP is 0": lambda cells: not cells.positives or not cells.fp,
    "there is no positive row, or TN is 0": lambda cells: not cells.positives or not cells.tn,
    "FP or FN is 0": lambda cells: not cells.fp or not cells.fn,
    "there is no positive row, or none is predicted positive": lambda cells: (
        not cells.positives or not cells.tp + cells.fp
    ),
    "p_e = 1: only one class in truth and decision": lambda cells: cells.total in (cells.tp, cells.tn),
}


def no_group_has_both_classes(table: Table) -> bool:
    groups, weights = table.groups or (), table.weights or (1.0,) * len(table.labels)
    rows = [(g, y) for g, y, w in zip(groups, table.labels, weights, strict=True) if w]
    return all({y for other, y in rows if other == g} != {0, 1} for g, _ in rows)


def a_group_has_one_class(table: Table) -> bool:
    groups, weights = table.groups or (), table.weights or (1.0,) * len(table.labels)
    rows = [(g, y) for g, y, w in zip(groups, table.labels, weights, strict=True) if w]
    return not rows or any({y for other, y in rows if other == g} != {0, 1} for g, _ in rows)


def no_row_counts(table: Table) -> bool:
    return not any(table.weights or (1.0,) * len(table.labels))


def counts_in(metric: Any, table: Table, group: Any) -> bool:
    """Whether a group has both classes, and is not left out."""
    weights = table.weights or (1.0,) * len(table.labels)
    columns = zip(table.groups or (), table.labels, np.array(table.scores, table.kind).tolist(), weights, strict=True)
    rows = [(y, score, weight) for g, y, score, weight in columns if g == group and weight]
    positives, total = sum(w for y, _, w in rows if y), sum(w for _, _, w in rows)
    alike = metric.constant == "drop" and len({score for _, score, _ in rows}) == 1
    return 0 < positives < total and not alike and total >= metric.min_rows and positives >= metric.min_positives


def gauc_is_undefined(metric: Any, table: Table) -> bool:
    """By default where no group has both classes, or where those that have weigh nothing."""
    if metric.constant == "drop" or metric.min_rows or metric.min_positives:
        return not any(counts_in(metric, table, group) for group in {*(table.groups or ())})
    if metric.single == "nan":
        return a_group_has_one_class(table)
    if metric.single == "drop":
        return no_group_has_both_classes(table)
    return no_row_counts(table) or (metric.by == "clicks" and not any(table.listed(BinaryPolicies()).labels))


RATES_OF_POINTS: dict[str, Callable[[Fraction, Fraction, Fraction, Fraction], float]] = {
    "precision": lambda tp, fp, p, n: share(tp, tp + fp),
    "recall": lambda tp, fp, p, n: share(tp, p),
    "specificity": lambda tp, fp, p, n: share(n - fp, n),
    "fpr": lambda tp, fp, p, n: share(fp, n),
}


def reached(metric: Any, table: Table) -> list[float]:
    """The metric at every threshold at which its condition holds."""
    found = re.fullmatch(r"(\w+)(>=|<=)(.*)", metric.at)
    assert found
    name, sign, limit = found.groups()
    counts = counts_above(table)
    positives, negatives = counts[-1][1], counts[-1][2]
    points = [(Fraction(0), Fraction(0), positives, negatives)]
    points += [(tp, fp, positives, negatives) for _, tp, fp in counts]
    held = [
        point
        for point in points
        if (
            RATES_OF_POINTS[name](*point) >= float(limit)
            if sign == ">="
            else RATES_OF_POINTS[name](*point) <= float(limit)
        )
    ]
    values = [RATES_OF_POINTS[metric.name](*point) for point in held]
    return [one for one in values if not math.isnan(one)]


POINTS = [metric for metric in ALL if getattr(metric, "at", None)]


@given(table=tables(weights=COUNTS, most=14))
def test_operating_points_against_fractions(table: Table) -> None:
    rows = evidence(table)
    for metric in POINTS:
        assert counted(metric, rows) == near(max(reached(metric, table), default=math.nan)), metric.id


def nothing_is_cheapest(metric: Any, table: Table) -> bool:
    counts = counts_above(table)
    positives = counts[-1][1]
    costs = [Fraction(metric.fp) * fp + Fraction(metric.fn) * (positives - tp) for _, tp, fp in counts]
    return min(costs) >= Fraction(metric.fn) * positives


BY_ROWS: dict[str, Callable[[Any, Table], bool]] = {
    "cost_threshold": nothing_is_cheapest,
    "cal_n": lambda metric, table: not all(y and p for _, y, p in bins_of(table, int(metric.bins), metric.binning)),
    "ecce": lambda metric, table: metric.as_ != "range" and all(score in (0, 1) for _, score, _ in rows_of(table)),
    "field_rce": lambda metric, table: not any(y for y, _, _ in rows_of(table)),
    "copc": lambda metric, table: not any(score for _, score, _ in rows_of(table)),
}
"Where metrics are undefined by more than the cells."


@given(table=tables(weights=COUNTS, groups=True, most=6), policies=POLICIES)
def test_it_is_undefined_where_it_says_so_and_nowhere_else(table: Table, policies: BinaryPolicies) -> None:
    cells, found = table.listed(policies).cells(), values(table, policies)
    for metric in ALL:
        if metric.name == "gauc":
            wanted = gauc_is_undefined(metric, table)
        elif metric.name in BY_ROWS:
            wanted = BY_ROWS[metric.name](metric, table)
        elif metric in POINTS:
            wanted = not reached(metric, table)
        else:
            wanted = UNDEFINED[metric.undefined_when.en](cells)
        assert math.isnan(found[metric.id]) == wanted, metric.id


PERFECT = {
    "auc": 1, "rank_loss": 0, "partial_auc": 1, "pr_auc": 1, "bep": 1, "ks": 1, "best_f": 1, "gauc": 1,
    "accuracy": 1, "precision": 1, "recall": 1, "f": 1, "specificity": 1, "fpr": 0, "fnr": 0, "npv": 1,
    "balanced_accuracy": 1, "jaccard": 1, "mcc": 1, "kappa": 1, "fdr": 0, "for": 0, "informedness": 1, "markedness": 1,
    "lr_minus": 0, "fowlkes_mallows": 1, "eer": 0, "cost": 0, "best_cost": 0,
}  # fmt: skip
CERTAIN = {"rmsce": 0, "field_ece": 0, "field_rce": 0, "brier": 0, "ece": 0, "mce": 0, "pcoc": 1, "copc": 1}


@given(table=tables(weights=FRACTIONS), data=st.data())
def test_a_perfect_ranking_reaches_the_maximum(table: Table, data: st.DataObject) -> None:
    weighs = [bool(w) for w in table.weights or (1.0,) * len(table.labels)]
    if {y for y, one in zip(table.labels, weighs, strict=True) if one} != {0, 1}:
        return
    ranks = data.draw(st.lists(st.integers(0, 5), min_size=len(weighs), max_size=len(weighs)))
    scores = tuple(0.05 * rank + 0.6 * y for rank, y in zip(ranks, table.labels, strict=True))
    perfect = replace(table, scores=scores, groups=("u",) * len(weighs), kind="float64")
    certain = replace(perfect, scores=tuple(float(y) for y in table.labels))
    best, sure = values(perfect), values(certain)
    for metric in ALL:
        leaves_out = getattr(metric, "min_rows", 0) or getattr(metric, "min_positives", 0)
        if metric.name in PERFECT and not leaves_out:
            assert best[metric.id] == near(PERFECT[metric.name]), metric.id
        if metric.name in CERTAIN:
            assert sure[metric.id] == near(CERTAIN[metric.name]), metric.id
        if metric.name == "rig":
            assert 1 - 4000 * (getattr(metric, "eps", None) or 1e-15) <= sure[metric.id] <= 1, metric.id
        if metric.name in ("logloss", "ne"):
            assert 0 <= sure[metric.id] <= 4000 * (getattr(metric, "eps", None) or 1e-15), metric.id
    whole = perfect.repeated() if all(w == int(w) for w in table.weights or ()) else replace(perfect, weights=None)
    total, positives = len(whole.labels), sum(whole.labels)
    for p in (0.1, 0.5, 1):
        shown = math.ceil(Fraction(repr(p)) * total)
        assert value(KINDS["gain"].make(k=p), whole) == near(min(1, shown / positives))
        assert value(KINDS["lift"].make(k=p), whole) == near(min(total / positives, total / shown))


@given(
    cells=st.tuples(st.integers(1, 10**9), st.integers(0, 10**9), st.integers(0, 10**9), st.integers(0, 10**9)).filter(
        lambda cells: cells[1] + cells[2] > 0
    )
)
def test_from_a_pr_point_and_the_class_counts_the_cells_come_back(cells: tuple[int, int, int, int]) -> None:
    """TP = R · P⁺, FP = TP / precision − TP: one table serves both curves."""
    tp, fp, tn, fn = cells
    precision, recall = (KINDS[name]().of(Cells(*cells)) for name in ("precision", "recall"))  # type: ignore[attr-defined]
    positives, negatives = tp + fn, fp + tn
    back_tp = round(recall * positives)
    back_fp = round(back_tp / precision - back_tp)
    assert (back_tp, back_fp, negatives - back_fp, positives - back_tp) == cells


@given(table=tables(weights=EXACT_WEIGHTS, groups=True))
def test_gauc_of_one_group_is_auc(table: Table) -> None:
    one = replace(table, groups=(7,) * len(table.labels))
    for by in ("impressions", "clicks", "uniform"):
        metric = KINDS["gauc"].make(by=by)
        assert value(metric, one) == near(value(KINDS["auc"](), one))
    assert group_evidence(one.rows()).auc()[0] == near(value(KINDS["auc"](), one))


# The threshold.


@pytest.mark.parametrize("kind", ["float16", "float32", "float64"])
@pytest.mark.parametrize("t", [0.1, 0.3, 0.7, 1 / 3])
def test_the_threshold_is_rounded_to_the_type_of_the_scores(kind: str, t: float) -> None:
    """0.1 as a 32-bit score is 0.10000000149: it equals the threshold 0.1 and is not above it."""
    scores = np.array([t, t / 2], kind)
    for compare, predicted in (("ge", 1), ("gt", 0)):
        found = pc.evaluate_binary([1, 0], scores, ["recall", "accuracy"], threshold=t, compare=compare)  # type: ignore[arg-type]
        assert found["recall"] == predicted
        assert found["accuracy"] == (1 + predicted) / 2


def test_a_wide_score_is_compared_with_the_wide_threshold() -> None:
    """The same number in 64 bits lies above 0.1."""
    wide = np.array([np.float32(0.1), 0.0], np.float64)
    assert pc.evaluate_binary([1, 0], wide, ["recall"], threshold=0.1, compare="gt")["recall"] == 1


@pytest.mark.parametrize(("kind", "far"), [("float16", 1e6), ("float32", 1e300), ("float64", 1.7e308)])
def test_a_threshold_beyond_the_type_is_reached_by_no_score(kind: str, far: float) -> None:
    scores = np.array([np.finfo(kind).max, 0.0], kind)
    with np.errstate(all="raise"):
        above = pc.evaluate_binary([1, 0], scores, ["recall"], threshold=far)
        below = pc.evaluate_binary([1, 0], scores, ["recall"], threshold=-far)
    assert above["recall"] == (1 if kind == "float64" and far <= np.finfo(kind).max else 0)
    assert below["recall"] == 1


@given(table=tables(scores=TIED, weights=COUNTS), t=TIED, compare=st.sampled_from(["ge", "gt"]))
def test_the_threshold_of_the_call_and_of_the_metric_are_one(table: Table, t: float, compare: str) -> None:
    rows = table.rows()
    settings_of_call: dict[str, Any] = {"weight": rows.weight, "positive": 1}
    name = f"f1(threshold={t},compare={compare})"
    inside = pc.evaluate_binary(rows.labels.positive, rows.scores, [name], **settings_of_call)
    outside = pc.evaluate_binary(
        rows.labels.positive,
        rows.scores,
        ["f1"],
        threshold=t,
        compare=compare,  # type: ignore[arg-type]
        **settings_of_call,
    )
    assert repr(inside[name]) == repr(outside["f1"])


def test_metrics_are_values() -> None:
    """They parse, print, hash; two spellings are one."""
    asked = parse_metrics(["f1", "f", "fbeta(beta=1)", "pr_auc", "ap", "lift", "lift@0.1"], task="binary")
    assert len({one.metric for one in asked}) == 3
    assert [one.id for one in asked] == ["f", "f", "f", "pr_auc", "pr_auc", "lift@0.1", "lift@0.1"]
    assert LabelledList((1,), (0.5,)).rows() == [(1, 0.5, 1)]


@pytest.mark.parametrize("x", [1.51, 1.7, 2.0, 2.5, 3.0])
def test_the_range_of_a_brownian_motion_is_that_of_its_other_series(x: float) -> None:
    """Feller's density integrated term by term, which the tails are not computed from."""
    odd = [(2 * k - 1) ** 2 * math.pi**2 for k in range(1, 60)]
    below = math.fsum(8 * (1 / x**2 + 1 / each) * math.exp(-each / (2 * x * x)) for each in odd)
    assert range_p(x) == pytest.approx(1 - below, rel=1e-9)


@pytest.mark.parametrize("x", [0.7, 1.0, 1.3, 1.5])
def test_where_the_range_is_short_the_series_of_its_tails_says_the_same(x: float) -> None:
    above = 4 * math.fsum((-1) ** (k + 1) * k * math.erfc(k * x / math.sqrt(2)) for k in range(1, 60))
    assert range_p(x) == pytest.approx(above, rel=1e-9)


@pytest.mark.parametrize("name", ["cost(fp=-0.5)", "cost(fn=-0.5)", "best_cost(fp=-0.5)", "best_cost(fn=-0.5)"])
def test_no_error_is_worth_less_than_nothing(name: str) -> None:
    with pytest.raises(pc.InputError, match=r"f[pn]=-0\.5: must be a number, ≥ 0"):
        pc.evaluate_binary([0, 1], [0.2, 0.7], [name])
