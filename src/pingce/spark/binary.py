"""Labels and scores in a data frame of Spark."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pingce.evaluate.definitions import Definitions
from pingce.evidence.policies import BinaryPolicies
from pingce.inputs.aliases import one_weight
from pingce.inputs.predictions import LABEL, SCORE
from pingce.spark.dealt import dealt
from pingce.spark.frames import chosen, refuse_other
from pingce.spark.jobs import evaluated
from pingce.spark.predictions import NAME, Plan
from pingce.spark.problems import spoken
from pingce.spark.scores import SparkBinaryScores
from pingce.spark.tables import SparkTables, counted_scores
from pingce.tasks.options import checked_options

if TYPE_CHECKING:
    from pingce.evidence.binary.facts import Facts
    from pingce.metrics.binary import BinaryMetric
    from pingce.metrics.grammar import MetricRequest

MOST_DISTINCT = 10_000_000
"Distinct scores that are collected on the driver: some 250 MB."
_KEYWORDS = {"label": "y_true", "score": "y_score", "group": "group", "weight": "weight"}


@checked_options("binary")
def evaluate_binary(
    data: Any,
    metrics: Iterable[str | BinaryMetric | MetricRequest] | str | MetricRequest | None = None,
    *,
    label: str | None = None,
    score: str | None = None,
    group: str | None = None,
    weight: str | None = None,
    sample_weight: str | None = None,
    convention: str | None = None,
    threshold: float | None = None,
    compare: str | None = None,
    positive: Any = None,
    undefined: str | None = None,
    bins: int | None = None,
    distinct: int = MOST_DISTINCT,
    partitions: int | None = None,
) -> SparkBinaryScores:
    """Score a model whose labels and scores stand in a Spark data frame.

    `label`, `score`, `group` and `weight` are names of columns; `gauc(by=…)` may name others. Keywords and numbers are
    those of `pingce.evaluate_binary`. Sums are made where the rows are; rows of a group meet on one executor, in
    `partitions` parts (by default as many as `spark.sql.shuffle.partitions` says). For AUC and curves Spark counts the distinct scores: up to
    `distinct` of them go to the driver, and everything works as on one machine; of more, AUC is still exact, curves have
    at most 1000 points, each of them exact, and what else needs every score is refused. `bins` avoids that count at the
    price of a bound that is printed beside each value. `scores.per_group` is a Spark data frame.
    """
    given = {"threshold": threshold, "compare": compare, "undefined": undefined}
    define = Definitions(BinaryPolicies, convention, given)
    return score_binary(
        data,
        None if metrics is None else define.asked(metrics),
        define.policies,
        define=define,
        columns={"label": label, "score": score, "group": group, "weight": one_weight(weight, sample_weight)},
        positive=positive,
        bins=bins,
        distinct=distinct,
        partitions=partitions,
    )


@spoken()
def score_binary(
    data: Any,
    asked: list[MetricRequest] | None,
    policies: BinaryPolicies,
    *,
    columns: dict[str, str | None],
    define: Definitions[BinaryPolicies] | None = None,
    positive: Any = None,
    bins: int | None = None,
    distinct: int = MOST_DISTINCT,
    partitions: int | None = None,
) -> SparkBinaryScores:
    """Score under definitions that were read before; `define` says which metrics are usual where none was named."""
    from pingce.evaluators import BinaryEvaluator

    refuse_other(data, NAME)
    found = chosen(data, columns, {"label": LABEL, "score": SCORE})
    more = dict.fromkeys(name for one in asked or [] for name in one.metric.needed_columns())
    found_more = chosen(data, {name: name for name in more}, {})
    group = found.get("group")
    plan = Plan({_KEYWORDS[role]: name for role, name in found.items()}, more=found_more, key=group)

    def counts(facts: Facts) -> Any:
        return counted_scores(data, found["label"], found["score"], found.get("weight"), facts.positive_name)

    evaluator: Any = BinaryEvaluator.of(
        asked,
        policies,
        bins=bins,
        positive=positive,
        gather=("sums", "groups") if bins is None else ("sums", "scores", "groups"),
        tables=None if bins is not None else SparkTables(counts, lambda: evaluator.facts, distinct),
        convention=None if define is None else define.convention,
        given=None if define is None else define.given,
        threads=1,
    )
    frame = plan.chosen(data)
    if group is not None:
        frame = dealt([(frame, plan.keys)], partitions)
    return SparkBinaryScores.of(evaluated(frame, evaluator, plan.feed).compute(), data.sparkSession)
