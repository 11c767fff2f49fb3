"""Ask Spark MLlib (pyspark.mllib.evaluation; needs Java 17) about every case. It is given lists in order, not scores,
for the queries that were both judged and run; equal scores keep their order in the file."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from operator import attrgetter, methodcaller
from typing import Any

from peer_files import Answers, Case, LabelCase, read_cases, read_label_cases
from pyspark.mllib.evaluation import BinaryClassificationMetrics, MulticlassMetrics, RankingMetrics, RegressionMetrics
from pyspark.sql import SparkSession

CUTS = (3, 10, 100)
RANKING: dict[str, Callable[[Any], float]] = {
    "meanAveragePrecision": attrgetter("meanAveragePrecision"),
    **{
        f"{name}({k})": methodcaller(name, k)
        for name in ("meanAveragePrecisionAt", "precisionAt", "recallAt", "ndcgAt")
        for k in CUTS
    },
}
QUERY_BY_QUERY = {"barren": 6, "short": 6}
"How many queries of a case are asked alone: each question is a Spark job."
MULTICLASS: dict[str, Callable[[Any], float]] = {
    **{name: attrgetter(name) for name in ("accuracy", "weightedPrecision", "weightedRecall")},
    "weightedFMeasure()": methodcaller("weightedFMeasure"),
    "weightedFMeasure(beta=2.0)": methodcaller("weightedFMeasure", 2.0),
    "logLoss()": methodcaller("logLoss"),
}
REGRESSION: dict[str, Callable[[Any], float]] = {
    name: attrgetter(name) for name in ("meanAbsoluteError", "meanSquaredError", "rootMeanSquaredError", "r2")
}


def lists(case: Case, queries: list[str]) -> list[tuple[list[str], list[str]]]:
    """Returned items best first, and relevant items."""
    return [
        (
            [item for item, _ in sorted(case.run[query].items(), key=lambda row: -row[1])],
            [item for item, grade in case.qrels[query].items() if grade >= 1],
        )
        for query in queries
    ]


def ranked(spark: SparkSession, pairs: list[tuple[list[str], list[str]]]) -> Any:
    """The metrics of some lists; a query without relevant items goes last, since types are read off the first row."""
    return RankingMetrics(spark.sparkContext.parallelize(sorted(pairs, key=lambda row: not row[1]), 1))


def ask_rankings(spark: SparkSession, case: Case, answers: Answers) -> None:
    """All measures of a case."""
    queries = [query for query in case.qrels if query in case.run]
    alone = queries[: QUERY_BY_QUERY.get(case.name, 0)]
    found = ranked(spark, lists(case, queries))
    one_by_one = {query: ranked(spark, lists(case, [query])) for query in alone if _typed(case, query)}
    for measure, ask in RANKING.items():
        answers.add(case, measure, {query: ask(one) for query, one in one_by_one.items()}, ask(found))


def _typed(case: Case, query: str) -> bool:
    """Whether Spark can tell the type of the relevant items: a list of none has no type."""
    return any(grade >= 1 for grade in case.qrels[query].values())


def label_values(spark: SparkSession, case: LabelCase) -> Iterator[tuple[str, float]]:
    """Every measure over a case, with its value."""
    context, columns = spark.sparkContext, case.columns
    truth = [float(y) for y in columns["y_true"]]
    guess = [float(p) for p in columns.get("y_score", columns.get("y_pred", []))]
    rows = list(zip(guess, truth, strict=True))
    if case.task == "binary":
        curve = BinaryClassificationMetrics(context.parallelize(rows, 1))
        yield "areaUnderROC", curve.areaUnderROC
        yield "areaUnderPR", curve.areaUnderPR
    elif case.task == "regression":
        numbers = RegressionMetrics(context.parallelize(rows, 1))
        yield from ((measure, ask(numbers)) for measure, ask in REGRESSION.items())
    else:
        full = [(*row, 1.0, proba) for row, proba in zip(rows, columns["proba"], strict=True)]
        classes = MulticlassMetrics(context.parallelize(full, 1))
        yield from ((measure, ask(classes)) for measure, ask in MULTICLASS.items())
        for label in sorted({int(y) for y in truth}):
            yield f"precision(label={label})", classes.precision(float(label))
            yield f"recall(label={label})", classes.recall(float(label))
            yield f"fMeasure(label={label})", classes.fMeasure(float(label))


def main() -> None:
    """Write spark.json."""
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    quiet = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
    spark = SparkSession.builder.master("local[1]").config(map=quiet).getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    answers = Answers("spark", "pyspark")
    answers.note("the tool takes ordered lists; tied items were given in the order of the file", "ties")
    answers.note("only queries both judged and run were given", "missing")
    answers.note("grades given as a third list are dropped between Python and Scala: the value is binary", "ndcgAt")
    answers.note("the first queries only were also asked one by one; elsewhere there is the mean alone", "barren")
    answers.skip("the variance of the predictions, not a share of that of the truth", "explainedVariance")
    for case in read_cases():
        if case.name != "deep":
            ask_rankings(spark, case, answers)
    for labels in read_label_cases():
        for measure, value in label_values(spark, labels):
            answers.add_label(labels, measure, value)
    answers.write()
    spark.stop()


if __name__ == "__main__":
    main()
