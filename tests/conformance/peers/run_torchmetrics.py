"""Ask torchmetrics about every case. Its retrieval metrics see the rows of a run and nothing else, hence no judged item
that was not returned, and no query that was not run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from peer_files import (
    Answers,
    Case,
    LabelCase,
    MultilabelCase,
    read_cases,
    read_label_cases,
    read_multilabel_cases,
)
from torchmetrics import classification, regression, retrieval

UNORDERED = {
    "ties": "only RetrievalNormalizedDCG was asked: to the others tied items stand in no specified order",
    "float32": "only RetrievalNormalizedDCG was asked: scores are cast to float32, where they tie, in no specified order",
}
CUTS = (3, 10)
SETTINGS = ["", *(f"top_k={k}" for k in CUTS)]
RETRIEVAL = [
    *(
        f"{name}({setting})"
        for name in ("RetrievalNormalizedDCG", "RetrievalMAP", "RetrievalMRR", "RetrievalRecall", "RetrievalHitRate")
        for setting in SETTINGS
    ),
    *(f"RetrievalFallOut({setting})" for setting in SETTINGS),
    *(f"RetrievalPrecision({setting})" for setting in SETTINGS),
    *(f"RetrievalPrecision(top_k={k}, adaptive_k=True)" for k in CUTS),
    "RetrievalRPrecision()",
]
GRADED = "RetrievalNormalizedDCG"
POSITIVE_ONLY = ("RetrievalMAP", "RetrievalMRR", "RetrievalRecall", "RetrievalPrecision")
"Those that take a relevant item with a score of 0 or less for one that is not relevant."

BINARY = [
    *("BinaryAUROC()", "BinaryAUROC(max_fpr=0.3)", "BinaryAveragePrecision()", "BinaryAccuracy()", "BinaryPrecision()"),
    *("BinaryRecall()", "BinarySpecificity()", "BinaryNegativePredictiveValue()", "BinaryF1Score()"),
    *("BinaryFBetaScore(beta=2.0)", "BinaryJaccardIndex()", "BinaryMatthewsCorrCoef()"),
    *("BinaryCohenKappa()", "BinaryCalibrationError()", "BinaryCalibrationError(n_bins=10)"),
    *("BinaryCalibrationError(norm='max')", "BinaryCalibrationError(norm='l2')", "BinaryEER()"),
    *(f"BinaryRecallAtFixedPrecision(min_precision={x})" for x in (0.5, 0.75)),
    *(f"BinaryPrecisionAtFixedRecall(min_recall={x})" for x in (0.5, 0.75)),
    *("BinarySensitivityAtSpecificity(min_specificity=0.5)", "BinarySpecificityAtSensitivity(min_sensitivity=0.5)"),
    *(f"Binary{name}(threshold=0.3)" for name in ("Accuracy", "Precision", "Recall", "Specificity", "F1Score")),
]
AVERAGED = ("Accuracy", "Precision", "Recall", "F1Score", "JaccardIndex")
REGRESSION = [
    *("MeanAbsoluteError()", "MeanSquaredError()", "MeanSquaredError(squared=False)", "MeanSquaredLogError()"),
    *("MeanAbsolutePercentageError()", "SymmetricMeanAbsolutePercentageError()", "R2Score()", "ExplainedVariance()"),
    *("WeightedMeanAbsolutePercentageError()", "PearsonCorrCoef()", "SpearmanCorrCoef()"),
]


def made(module: Any, spelling: str) -> Any:
    """The metric that a user writes so."""
    return eval(spelling, vars(module))


def rows(case: Case, queries: list[str], graded: bool, lift: float) -> dict[str, torch.Tensor]:
    """The rows of some queries, as the tool takes them."""
    triples = [
        (i, score + lift, case.qrels[query].get(item, 0.0))
        for i, query in enumerate(queries)
        for item, score in case.run[query].items()
    ]
    target = [grade if graded else int(grade >= 1) for *_, grade in triples]
    return {
        "preds": torch.tensor([score for _, score, _ in triples], dtype=torch.float64),
        "target": torch.tensor(target),
        "indexes": torch.tensor([i for i, *_ in triples]),
    }


def ask(case: Case, measure: str, answers: Answers, lift: float = 0.0) -> None:
    """One measure, over all queries and query by query."""
    graded = measure.startswith(GRADED)
    queries = [query for query in case.qrels if query in case.run]

    def value(some: list[str]) -> float:
        return float(made(retrieval, measure)(**rows(case, some, graded, lift)))

    answers.add(case, measure, {query: value([query]) for query in queries}, value(queries))


def ask_rankings(case: Case, answers: Answers) -> None:
    """All measures, except where the answer depends on an unspecified order."""
    for measure in RETRIEVAL:
        if case.name in UNORDERED and not measure.startswith(GRADED):
            continue
        raise_scores = measure.startswith(POSITIVE_ONLY) and case.name == "missing"
        ask(case, measure, answers, lift=10.0 if raise_scores else 0.0)


def averaged(classes: int) -> list[str]:
    """The measures of classes."""
    number = f"num_classes={classes}"
    ways = ("", ", average='macro'", ", average='micro'", ", average='weighted'")
    each = [f"Multiclass{name}({number}{way})" for name in AVERAGED for way in ways]
    areas = [f"MulticlassAUROC({number}{way})" for way in ways if "micro" not in way]
    return [
        *each,
        *areas,
        *(f"MulticlassFBetaScore(beta=2.0, {number}, average='macro')", f"MulticlassCohenKappa({number})"),
        *(f"MulticlassMatthewsCorrCoef({number})", f"MulticlassAccuracy({number}, top_k=2, average='micro')"),
    ]


def label_value(case: LabelCase) -> Callable[[str], float]:
    """The value of a measure over a case, by its spelling."""
    kind = getattr(torch, case.dtype)
    columns = case.columns
    truth = torch.tensor(columns["y_true"], dtype=kind if case.task == "regression" else torch.int64)
    guess = torch.tensor(
        columns.get("y_score", columns.get("y_pred")), dtype=None if case.task == "multiclass" else kind
    )

    def value(measure: str) -> float:
        module = regression if case.task == "regression" else classification
        given = guess
        if case.task == "multiclass" and any(word in measure for word in ("AUROC", "top_k")):
            given = torch.tensor(columns["proba"], dtype=kind)
        metric = made(module, measure).set_dtype(torch.float64)
        answer = metric(given, truth)
        return float(answer[0] if isinstance(answer, tuple) else answer)  # beside an operating point: its threshold

    return value


def measures_of(case: LabelCase) -> list[str]:
    """What is asked about a case."""
    if case.task == "multiclass":
        return averaged(len(case.columns["proba"][0]))
    return BINARY if case.task == "binary" else REGRESSION


def ask_labels(case: LabelCase, answers: Answers) -> None:
    """All measures of a task; what the tool refuses is said."""
    value = label_value(case)
    for measure in measures_of(case):
        try:
            answers.add_label(case, measure, value(measure))
        except (ValueError, RuntimeError) as refused:
            answers.skip(" ".join(str(refused).split()), case.name, measure)
    if "group" in case.columns:
        scores, labels, groups = (torch.tensor(case.columns[name]) for name in ("y_score", "y_true", "group"))
        answers.add_label(case, "RetrievalAUROC()", float(retrieval.RetrievalAUROC()(scores.double(), labels, groups)))


def several(count: int) -> list[str]:
    """Metrics of so many labels per row, as their user writes them."""
    number = f"num_labels={count}"
    kinds = ("Accuracy", "Precision", "Recall", "F1Score", "JaccardIndex", "Specificity", "HammingDistance")
    areas = ("AUROC", "AveragePrecision")
    alone = ("ExactMatch", "CoverageError", "RankingAveragePrecision", "RankingLoss")
    return [
        *(
            f"Multilabel{kind}({number}, average='{each}')"
            for kind in (*kinds, *areas)
            for each in ("macro", "micro", "weighted")
            if (kind, each) != ("HammingDistance", "weighted")
        ),
        *(f"Multilabel{kind}({number})" for kind in alone),
    ]


def ask_several_labels(case: MultilabelCase, answers: Answers) -> None:
    """All metrics of several labels, in double precision where the tool lets one."""
    truth, scores = torch.tensor(case.truth), torch.tensor(case.score, dtype=torch.float64)
    for measure in several(len(case.truth[0])):
        metric = made(classification, measure).set_dtype(torch.float64)
        answers.add_multilabel(case, measure, float(metric(scores, truth)))


def main() -> None:
    """Write torchmetrics.json."""
    answers = Answers("torchmetrics", "torchmetrics")
    answers.note("retrieval metrics compute in single precision; so do most others, in part", "Retrieval")
    answers.note(
        "queries that were not run are unknown to the tool; those that were not judged were not given", "missing"
    )
    answers.note(
        "RetrievalMAP, MRR, Precision and Recall take a relevant item with a score of 0 or less for one that is not"
        " relevant: in the case missing they were given scores raised by 10, in the case negative the scores as they are; RetrievalNormalizedDCG takes negative grades for negative gains",
        "negative",
    )
    answers.note("scores outside 0 to 1 are taken for log odds: the sigmoid of all scores is compared", "margins")
    for name, fact in UNORDERED.items():
        answers.note(fact, name)
    for case in read_cases():
        if case.name != "deep":
            ask_rankings(case, answers)
    for labels in read_label_cases():
        ask_labels(labels, answers)
    for several_labels in read_multilabel_cases():
        ask_several_labels(several_labels, answers)
    answers.write()


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
