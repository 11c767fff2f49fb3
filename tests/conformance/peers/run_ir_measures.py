"""Ask ir_measures about every case, one measure at a time.

MetricRequest together, measures can end up in one call of pytrec_eval with another measure's gains, depending on the order of a
set; asked alone, each answer is its own. ir_measures counts a judged query that was not run as 0.
"""

from __future__ import annotations

from collections.abc import Iterator

import ir_measures as ir
from peer_files import Answers, Case, IntentCase, Table, read_cases, read_intent_cases

CUTS = (5, 10, 100)
GAINS = {0: 0, 1: 1, 2: 3, 3: 7, 4: 15}
SECOND_LEVEL = {"graded", "negative"}
BY_NUMBER = {"ERR", "nDCG(dcg='exp-log2')"}
"Computed by a script, gdeval, that takes numeric query ids only: it is given numbers in place of the ids."
FIVE_DECIMALS = "rounded to five decimals by gdeval, which was given numbers in place of the query ids"
ONLY_RELEVANT = "it divides by zero where every item of the list is relevant; asked without such queries, so no mean"
NOTES = {
    "missing": "judged queries that were not run count as 0",
    "ties": "equal scores stand in descending order of the item, except: RR@k and Judged ascending, RBP as in the file",
    "float32": "scores are compared in single precision, except for RR@k, Judged, RBP, ERR and exp-log2",
    "Accuracy": "asked query by query; one without a relevant item in the list has no value",
    "Judged": "a negative grade counts as judged",
    "ERR": f"{FIVE_DECIMALS}; the largest grade is 4, whatever the qrels hold",
    "nDCG(dcg='exp-log2')": FIVE_DECIMALS,
    "Num": "the mean is a sum",
}


def binary_measures(level: int) -> Iterator[ir.Measure]:
    """Measures that see only whether an item reaches the level."""
    for cut in CUTS:
        yield from (measure(rel=level) @ cut for measure in (ir.AP, ir.P, ir.R, ir.RR, ir.Success))
    yield from (measure(rel=level) for measure in (ir.AP, ir.RR, ir.Rprec, ir.Bpref, ir.infAP, ir.SetP, ir.SetR))
    yield from (ir.SetF(rel=level, beta=beta) for beta in (1.0, 2.0))
    yield from (ir.IPrec(rel=level) @ recall for recall in (0.0, 0.1, 0.5, 1.0))
    yield ir.SetP(rel=level, relative=True)
    yield ir.RBP(p=0.8, rel=level)
    yield ir.NumRet(rel=level)


def graded_measures() -> Iterator[ir.Measure]:
    """Measures that see the grades, or none."""
    for cut in CUTS:
        yield from (measure @ cut for measure in (ir.nDCG, ir.nDCG(gains=GAINS), ir.nDCG(dcg="exp-log2")))
        yield from (measure @ cut for measure in (ir.ERR, ir.Judged, ir.SDCG(max_rel=4)))
    yield from (ir.nDCG, ir.nDCG(gains=GAINS), ir.NumQ, ir.NumRel, ir.NumRet)
    yield from reader_measures()
    yield from (ir.Compat(p=p, normalize=whole) for p in (0.8, 0.95) for whole in (True, False))


def reader_measures() -> Iterator[ir.Measure]:
    """Measures of readers who may stop at every rank, which cwl_eval computes."""
    for cut in (5, 10):
        yield from (measure(max_rel=4) @ cut for measure in (ir.NERR8, ir.NERR9, ir.BPM))
        yield ir.BPM(T=2.5, max_rel=4) @ cut
    yield from (measure(max_rel=4) for measure in (ir.INST, ir.INSQ, ir.NERR10, ir.NERR11))
    yield from (measure(T=2.5, max_rel=4) for measure in (ir.INST, ir.INSQ, ir.NERR11))
    yield ir.NERR10(p=0.8, max_rel=4)


def ask_accuracy(case: Case, answers: Answers, measure: ir.Measure) -> None:
    """Pairs within the list, query by query: where all items are relevant it divides by zero."""
    per_query: dict[str, float] = {}
    for query in case.run:
        if query in case.qrels:
            try:
                found = ir.calc([measure], case.only(query).whole_qrels, case.only(query).run).per_query
            except ZeroDivisionError:
                answers.skip(ONLY_RELEVANT, case.name, str(measure))
                continue
            per_query |= {metric.query_id: metric.value for metric in found}
    answers.add(case, str(measure), per_query, None)


def renamed(rows: Table, numbers: dict[str, str]) -> Table:
    """The table with numbers for query ids."""
    return {numbers[query]: row for query, row in rows.items()}


def by_number(case: Case) -> tuple[Case, dict[str, str]]:
    """The case with numbers for query ids, and the way back."""
    queries = dict.fromkeys([*case.qrels, *case.run])
    numbers = {query: str(i) for i, query in enumerate(queries, start=1)}
    back = {number: query for query, number in numbers.items()}
    return Case(case.name, renamed(case.qrels, numbers), renamed(case.run, numbers)), back


def ask(case: Case, answers: Answers, measure: ir.Measure) -> None:
    """One measure of one case."""
    asked, back = case, {query: query for query in case.qrels}
    if str(measure).partition("@")[0] in BY_NUMBER:
        asked, back = by_number(case)
    result = ir.calc([measure], asked.whole_qrels, asked.run)
    per_query = {back[metric.query_id]: metric.value for metric in result.per_query}
    answers.add(case, str(measure), per_query, result.aggregated[measure])


def ask_all(case: Case, answers: Answers) -> None:
    """All measures of one case."""
    for level in (1, 2) if case.name in SECOND_LEVEL else (1,):
        for measure in binary_measures(level):
            ask(case, answers, measure)
        for measure in (ir.Accuracy(rel=level), ir.Accuracy(rel=level) @ 5, ir.Accuracy(rel=level) @ 10):
            ask_accuracy(case, answers, measure)
    for measure in graded_measures():
        ask(case, answers, measure)


def intent_measures(level: int) -> Iterator[ir.Measure]:
    """Measures of subtopics, which pyndeval computes."""
    for cut in (1, 2, 5, 10, 20):
        yield from (measure(rel=level) @ cut for measure in (ir.ERR_IA, ir.nERR_IA, ir.P_IA, ir.StRecall))
        yield from (measure(rel=level) @ cut for measure in (ir.alpha_DCG, ir.alpha_nDCG))
        yield from (measure(rel=level, alpha=0.25) @ cut for measure in (ir.alpha_DCG, ir.alpha_nDCG))
    yield from (measure(rel=level) for measure in (ir.NRBP, ir.nNRBP, ir.AP_IA))
    yield from (measure(rel=level, alpha=0.75, beta=0.8) for measure in (ir.NRBP, ir.nNRBP))


def ask_intents(case: IntentCase, answers: Answers) -> None:
    """All measures of one case with subtopics."""
    qrels = [ir.GenericQrel(query, item, grade, subtopic) for query, subtopic, item, grade in case.judgements]
    run = [ir.ScoredDoc(*row) for row in case.scores]
    for level in (1, 2) if case.name.endswith("graded") else (1,):
        for measure in intent_measures(level):
            result = ir.calc([measure], qrels, run)
            per_query = {metric.query_id: metric.value for metric in result.per_query}
            answers.add(case, str(measure), per_query, result.aggregated[measure])


def main() -> None:
    """Write ir_measures.json."""
    answers = Answers("ir_measures", "ir_measures")
    for about, fact in NOTES.items():
        answers.note(fact, about)
    for case in read_cases():
        if case.whole:
            ask_all(case, answers)
        else:
            answers.skip("most measures take whole grades only (TypeError)", case.name)
    for intents in read_intent_cases():
        ask_intents(intents, answers)
    answers.write()


if __name__ == "__main__":
    main()
