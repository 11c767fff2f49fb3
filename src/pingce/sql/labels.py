"""Queries of labels and scores: pairs are counted as whole numbers, so that only one division rounds."""

from __future__ import annotations

from pingce.metrics.binary.areas import Auc, PrAuc
from pingce.metrics.binary.cuts import KolmogorovSmirnov
from pingce.metrics.binary.decisions import (
    Accuracy,
    FalseNegativeRate,
    FalsePositiveRate,
    FMeasure,
    Jaccard,
    NegativePredictiveValue,
    PositiveRate,
    Precision,
    Recall,
    Specificity,
)
from pingce.metrics.binary.grouped import Gauc
from pingce.metrics.binary.probabilities import Brier, LogLoss, ObservedOverPredicted, PredictedOverObserved
from pingce.sql.draft import Draft, Step, double, writes
from pingce.sql.rows import result, whole_rows

_EPSILON, _SINGLE_EPSILON = double(2.0**-52), double(2.0**-23)
"The machine epsilon of double and of single precision."
_UPWARD = "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"


def _rows(draft: Draft, *, grouped: bool = False, epsilon: str = "") -> list[Step]:
    """The rows that are whole, and how many are not; a label that is neither 0 nor 1 is a negative, and counted."""
    read = {"pc_label": draft.column("label"), "pc_score": f"CAST({draft.column('score')} AS DOUBLE)"}
    read |= {"pc_group": draft.column("group")} if grouped else {}
    read |= {"pc_epsilon": epsilon} if epsilon else {}
    more = (", pc_group AS grp" if grouped else "") + (", pc_epsilon" if epsilon else "")
    rows = f"CASE WHEN pc_label = 1 THEN 1 ELSE 0 END AS positive, pc_score AS score{more}"
    return whole_rows(draft, read, ["pc_score"], rows, usual="pc_label = 0 OR pc_label = 1")


def _result(value: str, table: str, *counts: str) -> Step:
    return result(value, table, counts, ("c.odd_labels",))


def _scores(group: str = "") -> list[Step]:
    """Positives and negatives of each distinct score, and the negatives below it."""
    by, part = (f"{group}, ", f"PARTITION BY {group} ") if group else ("", "")
    return [
        Step(
            "pc_scores",
            f"SELECT {by}score, SUM(positive) AS p, SUM(1 - positive) AS n\nFROM pc_rows\nGROUP BY {by}score",
        ),
        Step("pc_below", f"SELECT {by}p, n, SUM(n) OVER ({part}ORDER BY score {_UPWARD}) - n AS below\nFROM pc_scores"),
    ]


_PAIRS = "SUM(p) AS positives, SUM(n) AS negatives, SUM(p * (2 * below + n)) AS pairs"
_AREA = "CAST(pairs AS DOUBLE) / (2 * CAST(positives AS DOUBLE) * negatives)"


@writes(Auc)
def area(draft: Draft) -> list[Step]:
    """Pairs of a positive and a negative in the right order, ties half."""
    value = f"CASE WHEN positives > 0 AND negatives > 0 THEN {_AREA} END"
    return [*_rows(draft), *_scores(), Step("pc_pairs", f"SELECT {_PAIRS}\nFROM pc_below"), _result(value, "pc_pairs")]


_WEIGHTS = {"impressions": "positives + negatives", "clicks": "positives", "uniform": "1"}


@writes(Gauc, parameters="by")
def grouped_area(draft: Draft) -> list[Step]:
    """The same of each group, weighted; groups of one class are left out and counted."""
    from pingce.base.errors import InputError

    weight = _WEIGHTS.get(draft.metric.by)
    if weight is None:
        raise InputError(
            f"{draft.request.name}: there is no query for groups weighted by a column; by= is one of {', '.join(_WEIGHTS)}",
            f"{draft.request.name}：没有按列加权的查询；by= 可为 {'、'.join(_WEIGHTS)}",
        )
    both = "positives > 0 AND negatives > 0"
    return [
        *_rows(draft, grouped=True),
        *_scores("grp"),
        Step("pc_groups", f"SELECT grp, {_PAIRS}\nFROM pc_below\nGROUP BY grp"),
        Step(
            "pc_mean",
            f"SELECT\n  SUM(CASE WHEN {both} THEN ({weight}) * ({_AREA}) END) AS total,\n"
            f"  SUM(CASE WHEN {both} THEN CAST({weight} AS DOUBLE) END) AS weight,\n"
            f"  SUM(CASE WHEN {both} THEN 1 ELSE 0 END) AS groups_counted,\n"
            f"  SUM(CASE WHEN {both} THEN 0 ELSE 1 END) AS groups_left_out\nFROM pc_groups",
        ),
        _result("total / weight", "pc_mean", "groups_counted", "groups_left_out"),
    ]


def _downward() -> list[Step]:
    """At each distinct score the positives and negatives from it upward."""
    over = f"OVER (ORDER BY score DESC {_UPWARD})"
    return [
        _scores()[0],
        Step("pc_above", f"SELECT p, SUM(p) {over} AS tp, SUM(n) {over} AS fp\nFROM pc_scores"),
        Step("pc_totals", "SELECT SUM(positive) AS positives, SUM(1 - positive) AS negatives\nFROM pc_rows"),
    ]


@writes(KolmogorovSmirnov)
def greatest_gap(draft: Draft) -> list[Step]:
    """The greatest gap between two rates, counted as whole numbers."""
    gap = "MAX(a.tp * t.negatives - a.fp * t.positives) AS gap, MAX(t.positives) AS positives, MAX(t.negatives) AS negatives"
    value = "CASE WHEN positives > 0 AND negatives > 0 THEN CAST(gap AS DOUBLE) / (CAST(positives AS DOUBLE) * negatives) END"
    return [
        *_rows(draft),
        *_downward(),
        Step("pc_gap", f"SELECT {gap}\nFROM pc_above a CROSS JOIN pc_totals t"),
        _result(value, "pc_gap"),
    ]


@writes(PrAuc)
def precision_recall_area(draft: Draft) -> list[Step]:
    """The precision at each distinct score, by the recall that it adds."""
    sums = "SUM(a.p * CAST(a.tp AS DOUBLE) / (a.tp + a.fp)) AS total, MAX(t.positives) AS positives"
    return [
        *_rows(draft),
        *_downward(),
        Step("pc_area", f"SELECT {sums}\nFROM pc_above a CROSS JOIN pc_totals t"),
        _result("CASE WHEN positives > 0 THEN total / positives END", "pc_area"),
    ]


def _mean(draft: Draft, select: str, value: str, *, epsilon: str = "") -> list[Step]:
    """A value of sums over the rows; scores that are no probabilities have none."""
    ends = "MIN(score) AS lowest, MAX(score) AS highest"
    within = f"CASE WHEN lowest >= 0 AND highest <= 1 THEN {value} END"
    return [
        *_rows(draft, epsilon=epsilon),
        Step("pc_sums", f"SELECT {select}, {ends}\nFROM pc_rows"),
        _result(within, "pc_sums"),
    ]


@writes(LogLoss, parameters="eps")
def log_loss(draft: Draft) -> list[Step]:
    """The mean logarithm of the probability that was given to what happened."""
    kept = "LEAST(GREATEST(score, pc_epsilon), 1 - pc_epsilon)"
    loss = f"AVG(-LN(CASE WHEN positive = 1 THEN {kept} ELSE 1 - {kept} END)) AS loss"
    return _mean(draft, loss, "loss", epsilon=_epsilon(draft))


def _epsilon(draft: Draft) -> str:
    """How near 0 and 1 a probability may come: what was asked, else the machine epsilon of the column's type."""
    if draft.metric.eps is not None:
        return double(draft.metric.eps)
    if not draft.dialect.single:
        return _EPSILON
    return f"CASE WHEN {draft.dialect.single.format(draft.column('score'))} THEN {_SINGLE_EPSILON} ELSE {_EPSILON} END"


@writes(Brier)
def brier(draft: Draft) -> list[Step]:
    """The mean squared distance."""
    return _mean(draft, "AVG((score - positive) * (score - positive)) AS loss", "loss")


def _clicks(draft: Draft, top: str, bottom: str) -> list[Step]:
    """One of the clicks that were predicted and those that happened by the other."""
    sums = "SUM(score) AS predicted, SUM(positive) AS observed"
    return _mean(draft, sums, f"CASE WHEN {bottom} > 0 THEN {top} / {bottom} END")


@writes(PredictedOverObserved)
def predicted_over_observed(draft: Draft) -> list[Step]:
    """Clicks that were predicted by those that happened."""
    return _clicks(draft, "predicted", "observed")


@writes(ObservedOverPredicted)
def observed_over_predicted(draft: Draft) -> list[Step]:
    """Clicks that happened by those that were predicted."""
    return _clicks(draft, "observed", "predicted")


def _cells(draft: Draft) -> list[Step]:
    """The four cells at the threshold."""
    threshold = float(draft.policy("threshold", 0.5))
    sign = {"ge": ">=", "gt": ">"}[draft.policy("compare", "ge")]
    chosen = f"score {sign} {double(threshold)}"
    cells = {"tp": f"{chosen} AND positive = 1", "fp": f"{chosen} AND positive = 0"}
    cells |= {"tn": f"NOT ({chosen}) AND positive = 0", "fn": f"NOT ({chosen}) AND positive = 1"}
    counted = ",\n  ".join(f"SUM(CASE WHEN {when} THEN 1 ELSE 0 END) AS {name}" for name, when in cells.items())
    return [*_rows(draft), Step("pc_cells", f"SELECT\n  {counted}\nFROM pc_rows")]


def _division(top: str, bottom: str) -> Step:
    return _result(f"CASE WHEN {bottom} > 0 THEN CAST({top} AS DOUBLE) / ({bottom}) END", "pc_cells")


@writes(
    Accuracy,
    FalseNegativeRate,
    FalsePositiveRate,
    Jaccard,
    NegativePredictiveValue,
    PositiveRate,
    Precision,
    Recall,
    Specificity,
    policies="threshold compare",
)
def decision(draft: Draft) -> list[Step]:
    """One division of cells, as the metric declares it."""
    top, bottom = (" + ".join(cells.split()) for cells in type(draft.metric).division)
    return [*_cells(draft), _division(top, bottom)]


@writes(FMeasure, parameters="beta", policies="threshold compare")
def f_measure(draft: Draft) -> list[Step]:
    """The mean of precision and recall."""
    square = double(float(draft.metric.beta) ** 2)
    return [*_cells(draft), _division(f"(1 + {square}) * tp", f"(1 + {square}) * tp + {square} * fn + fp")]
