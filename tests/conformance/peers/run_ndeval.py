"""Ask pyndeval about every case with subtopics."""

from __future__ import annotations

import pyndeval
from peer_files import Answers, read_intent_cases

CUTS = (1, 2, 5, 10, 20)
MEASURES = [
    *(f"{name}@{k}" for name in ("ERR-IA", "nERR-IA", "alpha-DCG", "alpha-nDCG", "P-IA", "strec") for k in CUTS),
    *("NRBP", "nNRBP", "MAP-IA"),
]


def main() -> None:
    """Write ndeval.json."""
    answers = Answers("ndeval", "pyndeval")
    answers.note("equal scores stand in ascending order of the item", "ties")
    answers.note("no value where nothing is relevant: 0 / 0", "nNRBP")
    for case in read_intent_cases():
        for level in (1, 2) if case.name.endswith("graded") else (1,):
            evaluator = pyndeval.RelevanceEvaluator(case.judgements, MEASURES, relevance_level=level)
            values = evaluator.evaluate(case.scores)
            for measure in MEASURES:
                name = measure if level == 1 else f"{measure}-l{level}"
                answers.add(case, name, {query: row[measure] for query, row in values.items()}, None)
    answers.write()


if __name__ == "__main__":
    main()
