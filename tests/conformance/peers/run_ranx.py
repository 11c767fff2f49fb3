"""Ask ranx about every case, with `make_comparable`: queries not run score 0, queries not judged are left out."""

from __future__ import annotations

from peer_files import Answers, Case, read_cases
from ranx import Qrels, Run, evaluate

NAMES = ("hits", "hit_rate", "precision", "recall", "f1", "mrr", "map", "ndcg", "ndcg_burges", "dcg", "dcg_burges")
CUTS = ("", "@5", "@10", "@100")
MEASURES = (*(name + cut for name in NAMES for cut in CUTS), "r-precision", "rbp.80")
SECOND_LEVEL = {"graded", "negative"}
BARREN = (
    "asked query by query, so no mean: where a query has no relevant item ranx 0.3.21 divides by zero inside a parallel"
    " loop, loses the error and returns 0 for every later query of the same thread"
)


def scores(case: Case, measures: list[str]) -> tuple[dict[str, dict[str, float]], dict[str, float]]:
    """The values by measure and query, and the means."""
    run = Run(case.run)
    evaluate(Qrels(case.whole_qrels), run, measures, threads=1, make_comparable=True)
    return dict(run.scores), run.mean_scores


def barren(case: Case, query: str, level: int) -> bool:
    """Whether the query has nothing to find."""
    return all(grade < level for grade in case.qrels[query].values())


def ask_bpref(case: Case, answers: Answers, level: int) -> None:
    """Bpref, spared the queries it cannot take."""
    measure = "bpref" + (f"-l{level}" if level > 1 else "")
    fruitful = [query for query in case.qrels if not barren(case, query, level)]
    if len(fruitful) == len(case.qrels):
        per_query, means = scores(case, [measure])
        answers.add(case, measure, per_query[measure], means[measure])
        return
    answers.skip(BARREN, case.name, measure)
    one_by_one = {query: scores(case.only(query), [measure])[1][measure] for query in fruitful}
    answers.add(case, measure, one_by_one, None)


def ask(case: Case, answers: Answers, level: int) -> None:
    """All measures of one case at one relevance level."""
    suffix = f"-l{level}" if level > 1 else ""
    per_query, means = scores(case, [measure + suffix for measure in MEASURES])
    for measure, values in per_query.items():
        answers.add(case, measure, values, means[measure])
    ask_bpref(case, answers, level)


def main() -> None:
    """Write ranx.json."""
    answers = Answers("ranx", "ranx")
    answers.note("equal scores stand in no specified order (an unstable sort): good for bounds only", "ties")
    answers.note("judged queries that were not run count as 0", "missing")
    answers.note("the grade itself is the gain, and may exceed 1", "rbp")
    answers.note("negative grades count as judged non-relevant; NaN where every judged item is relevant", "bpref")
    for case in read_cases():
        if not case.whole:
            answers.skip("ranx cuts grades to whole numbers without saying so (0.5 becomes 0)", case.name)
            continue
        for level in (1, 2) if case.name in SECOND_LEVEL else (1,):
            ask(case, answers, level)
    answers.write()


if __name__ == "__main__":
    main()
