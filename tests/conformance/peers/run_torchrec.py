"""Ask TorchRec about every case: it knows only the rows it is given, so that no other item is judged."""

from __future__ import annotations

import logging

import torch
from peer_files import Answers, Case, read_cases
from recommended import CUTS, best_first, truth
from torchrec.metrics.metrics_config import SessionMetricDef
from torchrec.metrics.ndcg import NDCGComputation
from torchrec.metrics.precision_session import PrecisionSessionMetricComputation
from torchrec.metrics.rec_metric import RecMetricComputation
from torchrec.metrics.recall_session import RecallSessionMetricComputation

LEFT_OUT = {"deep", "floatgrades"}
"Lists of 2500 add nothing; a list whose grades are all below 1 has gains, and nothing relevant."
SESSION = "session_id"
Rows = tuple[list[float], list[float], list[int]]
"Labels, predictions and sessions, row by row."


def computations() -> dict[str, RecMetricComputation]:
    """Each metric anew, under the name that its settings give it."""
    common = {"my_rank": 0, "batch_size": 1, "n_tasks": 1, "window_size": 1}
    made: dict[str, RecMetricComputation] = {}
    for k in CUTS:
        for gain in (False, True):
            name = f"ndcg(k={k}, exponential_gain={gain}, report_ndcg_as_decreasing_curve=False)"
            settings = {"k": k, "exponential_gain": gain, "report_ndcg_as_decreasing_curve": False}
            made[name] = NDCGComputation(**common, session_key=SESSION, **settings)
        top = SessionMetricDef(session_var_name=SESSION, top_threshold=k)
        made[f"recall_session_level(top_threshold={k})"] = RecallSessionMetricComputation(
            **common, session_metric_def=top
        )
        made[f"precision_session_level(top_threshold={k})"] = PrecisionSessionMetricComputation(
            **common, session_metric_def=top
        )
    return made


def values(rows: Rows) -> dict[str, float]:
    """All metrics of some sessions; sessions count what is relevant, NDCG its grade."""
    labels, predictions, sessions = (torch.tensor([column], dtype=torch.float64) for column in rows)
    found = {}
    for name, metric in computations().items():
        label = labels if name.startswith("ndcg") else (labels >= 1).double()
        metric.update(
            predictions=predictions,
            labels=label,
            weights=torch.ones_like(labels),
            required_inputs={SESSION: sessions.long()},
        )
        found[name] = float(metric.compute()[0].value)
    return found


def rows(case: Case, queries: list[str]) -> Rows:
    """The rows of some queries; a prediction is minus its rank."""
    labels, predictions, sessions = [], [], []
    for session, query in enumerate(queries):
        for rank, item in enumerate(best_first(case)[query]):
            labels.append(float(max(case.qrels[query].get(item, 0), 0)))
            predictions.append(-float(rank))
            sessions.append(session)
    return labels, predictions, sessions


def ask(case: Case, answers: Answers) -> None:
    """The means over queries with something relevant in the list, and query by query."""
    lists = best_first(case)
    queries = [query for query, items in sorted(truth(case).items()) if {*items} & {*lists.get(query, ())}]
    means = values(rows(case, queries))
    alone = {query: values(rows(case, [query])) for query in queries}
    for name, mean in means.items():
        answers.add(case, name, {query: found[name] for query, found in alone.items()}, mean)


def main() -> None:
    """Write torchrec.json."""
    logging.disable(logging.WARNING)  # of windows, which hold nothing here
    answers = Answers("torchrec", "torchrec")
    answers.note("a session is all that it knows: relevant items that were not returned do not exist", "")
    answers.note("all sessions in one batch", "")
    for case in read_cases():
        if case.name not in LEFT_OUT:
            ask(case, answers)
    answers.write()


if __name__ == "__main__":
    main()
