"""Ask causalml about every case of uplift: its scores sort rows one by one, so that of equal scores any order may come out."""

from __future__ import annotations

import pandas as pd
from causalml.metrics import auuc_score, qini_score
from peer_files import Answers, UpliftCase, read_uplift_cases


def ask(case: UpliftCase, answers: Answers) -> None:
    """Both scores, as they are and without the division."""
    frame = pd.DataFrame({"y": case.outcome, "w": case.treatment, "model": case.score})
    for normalize in (True, False):
        words = "" if normalize else "(normalize=False)"
        answers.add_uplift(case, f"auuc_score{words}", float(auuc_score(frame, normalize=normalize)["model"]))
        answers.add_uplift(case, f"qini_score{words}", float(qini_score(frame, normalize=normalize)["model"]))


answers = Answers("causalml", "causalml")
for case in read_uplift_cases():
    if len(set(case.score)) < len(case.score):
        answers.skip("rows of equal scores come in any order", case.name)
    else:
        ask(case, answers)
answers.write()
