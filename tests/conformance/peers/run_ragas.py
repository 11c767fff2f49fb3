"""Ask Ragas about every case: its context metrics that need no language model, query by query."""

from __future__ import annotations

import asyncio

from peer_files import Answers, Case
from ragas import SingleTurnSample
from ragas.metrics import IDBasedContextPrecision, IDBasedContextRecall, NonLLMContextPrecisionWithReference
from recommended import MEMBERSHIP, best_first, truth, wanted_cases

PRECISION, RECALL, ORDERED = IDBasedContextPrecision(), IDBasedContextRecall(), NonLLMContextPrecisionWithReference()


async def scores(items: list[str], retrieved: list[str]) -> dict[str, float]:
    """All metrics of one query; context precision from the verdicts, which are certain here."""
    sample = SingleTurnSample(retrieved_context_ids=retrieved, reference_context_ids=items)
    return {
        PRECISION.name: await PRECISION.single_turn_ascore(sample),
        RECALL.name: await RECALL.single_turn_ascore(sample),
        "context_precision": ORDERED._calculate_average_precision([int(item in items) for item in retrieved]),
    }


async def ask(case: Case, answers: Answers) -> None:
    """All metrics of one case; of nothing retrieved the precision is NaN, and such queries are not asked."""
    lists, relevant = best_first(case), truth(case)
    found = {query: await scores(relevant[query], lists[query]) for query in sorted(relevant) if query in lists}
    for name in next(iter(found.values())):
        per_query = {query: values[name] for query, values in found.items()}
        answers.add(case, name, per_query, sum(per_query.values()) / len(per_query))


def main() -> None:
    """Write ragas.json."""
    answers = Answers("ragas", "ragas")
    answers.note(MEMBERSHIP, "barren")
    answers.note("a query with nothing retrieved has no precision, and is not asked", "missing")
    answers.note("the lists of the file, best first: the order of equal scores is the file's", "ties")
    for case in wanted_cases():
        asyncio.run(ask(case, answers))
    answers.write()


if __name__ == "__main__":
    main()
