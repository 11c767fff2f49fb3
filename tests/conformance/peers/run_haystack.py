"""Ask Haystack about every case: its evaluators of retrieved documents."""

from __future__ import annotations

from haystack import Document
from haystack.components.evaluators import (
    DocumentMAPEvaluator,
    DocumentMRREvaluator,
    DocumentNDCGEvaluator,
    DocumentRecallEvaluator,
)
from peer_files import Answers, Case
from recommended import best_first, truth, wanted_cases

EVALUATORS = {
    "DocumentMAPEvaluator": DocumentMAPEvaluator(),
    "DocumentMRREvaluator": DocumentMRREvaluator(),
    "DocumentRecallEvaluator": DocumentRecallEvaluator(),
    "DocumentRecallEvaluator(mode='multi_hit')": DocumentRecallEvaluator(mode="multi_hit"),
    "DocumentNDCGEvaluator": DocumentNDCGEvaluator(),
}
GRADED = "DocumentNDCGEvaluator(score=grade)"


def ask(case: Case, answers: Answers) -> None:
    """All evaluators of one case; NDCG also with the grades as the scores of the true documents."""
    queries, lists, relevant = sorted(case.qrels), best_first(case), truth(case)
    plain = [[Document(content=item) for item in relevant.get(query, [])] for query in queries]
    graded = [
        [Document(content=item, score=float(case.qrels[query][item])) for item in relevant.get(query, [])]
        for query in queries
    ]
    retrieved = [[Document(content=item) for item in lists.get(query, [])] for query in queries]
    for name, evaluator in [*EVALUATORS.items(), (GRADED, EVALUATORS["DocumentNDCGEvaluator"])]:
        true = graded if name == GRADED else plain
        scores = evaluator.run(ground_truth_documents=true, retrieved_documents=retrieved)
        answers.add(case, name, dict(zip(queries, scores["individual_scores"], strict=True)), scores["score"])


def main() -> None:
    """Write haystack.json."""
    answers = Answers("haystack", "haystack-ai")
    answers.note("the true documents are the items of grade 1 and more; a query without any scores 0", "barren")
    answers.note("the lists of the file, best first: the order of equal scores is the file's", "ties")
    answers.note("a query without retrieved documents scores 0", "missing")
    for case in wanted_cases():
        ask(case, answers)
    answers.write()


if __name__ == "__main__":
    main()
