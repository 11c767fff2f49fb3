"""Ask FuxiCTR about every case. Its groups are rows with a label and a score: here a query's returned items."""

from __future__ import annotations

from fuxictr.metrics import evaluate_metrics
from peer_files import Answers, Case, LabelCase, read_cases, read_label_cases

NDCG = ("NDCG(k=3)", "NDCG(k=10)", "NDCG(k=100)")
LABELS = ("AUC", "logloss", "binary_crossentropy")
GROUPED = ("gAUC", "avgAUC")


def column(case: Case, queries: list[str], graded: bool) -> tuple[list[float], list[float], list[int]]:
    """Labels, scores and groups of some queries."""
    rows = [
        (case.qrels[query].get(item, 0.0), score, i)
        for i, query in enumerate(queries)
        for item, score in case.run[query].items()
    ]
    labels = [grade if graded else float(grade >= 1) for grade, *_ in rows]
    return labels, [score for _, score, _ in rows], [group for *_, group in rows]


def ask(case: Case, measure: str, answers: Answers) -> None:
    """One measure, over all queries and query by query."""
    queries = [query for query in case.qrels if query in case.run]

    def value(some: list[str]) -> float:
        truth, score, group = column(case, some, measure.startswith("NDCG"))
        return float(evaluate_metrics(truth, score, [measure], group)[measure])

    answers.add(case, measure, {query: value([query]) for query in queries}, value(queries))


def ask_labels(case: LabelCase, answers: Answers) -> None:
    """The measures of labels; what the tool refuses is said."""
    truth, score, group = (case.columns.get(name) for name in ("y_true", "y_score", "group"))
    for measure in (*LABELS, *(GROUPED if group else ())):
        try:
            answers.add_label(case, measure, float(evaluate_metrics(truth, score, [measure], group)[measure]))
        except ValueError as refused:
            answers.skip(" ".join(str(refused).split()), case.name, measure)


def main() -> None:
    """Write fuxictr.json."""
    answers = Answers("fuxictr", "fuxictr")
    answers.note("every positive counts with its reciprocal rank", "MRR")
    answers.note("labels were the grades; the tool itself speaks of binary labels", "NDCG")
    answers.note(
        "queries that were not run are unknown to the tool; those that were not judged were not given", "missing"
    )
    answers.skip("tied rows stand in no specified order (numpy.argsort)", "ties")
    answers.skip("lists of 2500 add nothing here", "deep")
    answers.note("the tool casts predictions to float64 before it measures them; so were these", "single_precision")
    for case in read_cases():
        if case.name in answers.skipped:
            continue
        for measure in (*NDCG, "MRR"):
            ask(case, measure, answers)
    for labels in read_label_cases():
        if labels.task == "binary":
            ask_labels(labels, answers)
    answers.write()


if __name__ == "__main__":
    main()
