"""Ask scikit-uplift about every case of uplift."""

from __future__ import annotations

import numpy as np
from peer_files import Answers, UpliftCase, read_uplift_cases
from sklift.metrics import qini_auc_score, uplift_at_k, uplift_auc_score

SHARES = (0.1, 0.3, 0.5, 1.0)


def ask(case: UpliftCase, answers: Answers) -> None:
    """All of its measures; outcomes other than 0 and 1 it refuses in areas."""
    y, w, s = (np.array(column) for column in (case.outcome, case.treatment, case.score))
    if set(case.outcome) <= {0, 1}:
        answers.add_uplift(case, "qini_auc_score", qini_auc_score(y, s, w))
        try:
            value = qini_auc_score(y, s, w, negative_effect=False)
        except ValueError:  # an average effect below 0
            value = float("nan")
        answers.add_uplift(case, "qini_auc_score(negative_effect=False)", value)
        answers.add_uplift(case, "uplift_auc_score", uplift_auc_score(y, s, w))
    else:
        answers.skip("refused: outcomes must be 0 and 1", case.name)
        return
    for share in SHARES:
        for strategy in ("overall", "by_group"):
            try:
                value = uplift_at_k(y, s, w, strategy=strategy, k=share)
            except ValueError as problem:
                answers.skip(str(problem), case.name, f"uplift_at_k({strategy}, k={share})")
                continue
            answers.add_uplift(case, f"uplift_at_k({strategy}, k={share})", value)


answers = Answers("scikit_uplift", "scikit-uplift")
for case in read_uplift_cases():
    ask(case, answers)
answers.write()
