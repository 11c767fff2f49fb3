"""Ask scikit-learn about every case.

It knows no qrels: for each query that was both judged and run it gets the returned list alone, unjudged items with
grade 0, columns in ascending order of the item. A mean is scikit-learn's own, over one matrix, where all lists are
equally long; elsewhere it has none.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import partial

from peer_files import Answers, Case, read_cases
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import average_precision_score, dcg_score, ndcg_score

Row = list[float]
Rows = dict[str, tuple[Row, Row]]
Measure = Callable[[list[Row], list[Row]], float]

GAIN_MEASURES: dict[str, Measure] = {
    f"{function.__name__}(k={k}, ignore_ties={ignore})": partial(function, k=k, ignore_ties=ignore)
    for function in (ndcg_score, dcg_score)
    for k in (5, 10, None)
    for ignore in (False, True)
}
UNSTABLE = "scikit-learn leaves the order of equal scores to an unstable sort"
NEGATIVE = "ndcg_score refuses negative grades; dcg_score subtracts them, which is no gain"


def rows_of(case: Case) -> Rows:
    """Grades and scores of each list."""
    rows: Rows = {}
    for query in (query for query in case.qrels if query in case.run):
        items = sorted(case.run[query])
        grades = [case.qrels[query].get(item, 0.0) for item in items]
        rows[query] = grades, [case.run[query][item] for item in items]
    return rows


def mean_of(measure: Measure, rows: Rows) -> float | None:
    """The measure over all lists at once, where they form a matrix."""
    if len({len(grades) for grades, _ in rows.values()}) != 1:
        return None
    return measure([grades for grades, _ in rows.values()], [scores for _, scores in rows.values()])


def ask_gains(case: Case, answers: Answers, name: str) -> None:
    """One of the measures that see the grades."""
    measure, rows = GAIN_MEASURES[name], rows_of(case)
    per_query: dict[str, float] = {}
    refused: dict[str, list[str]] = {}
    for query, (grades, scores) in rows.items():
        try:
            per_query[query] = measure([grades], [scores])
        except ValueError as error:
            refused.setdefault(str(error), []).append(query)
    if refused:
        reasons = (f"queries {', '.join(queries)}: {message}" for message, queries in refused.items())
        answers.skip("; ".join(reasons), case.name, name)
    answers.add(case, name, per_query, None if refused else mean_of(measure, rows))


def ask_average_precision(case: Case, answers: Answers) -> None:
    """Average precision of each list; relevant is a grade of 1 or more. Without any, scikit-learn warns and says 0."""
    per_query = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        for query, (grades, scores) in rows_of(case).items():
            per_query[query] = average_precision_score([grade >= 1 for grade in grades], scores)
    answers.add(case, "average_precision_score", per_query, None)


def ask(case: Case, answers: Answers) -> None:
    """All measures of one case."""
    ask_average_precision(case, answers)
    if any(grade < 0 for grades in case.qrels.values() for grade in grades.values()):
        answers.skip(NEGATIVE, case.name, "ndcg_score, dcg_score")
        return
    for name in GAIN_MEASURES:
        if case.name == "ties" and "ignore_ties=True" in name:
            answers.skip(UNSTABLE, case.name, name)
        else:
            ask_gains(case, answers, name)


def main() -> None:
    """Write sklearn.json."""
    answers = Answers("sklearn", "scikit-learn")
    answers.note("with ignore_ties=False the mean over all orders of equal scores", "ties")
    answers.note("only queries both judged and run", "missing")
    answers.note("equal scores form one step; 0 where the list has no relevant item", "average_precision_score")
    for case in read_cases():
        ask(case, answers)
    answers.write()


if __name__ == "__main__":
    main()
