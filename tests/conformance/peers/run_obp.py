"""Ask Open Bandit Pipeline about every case of off-policy values."""

from __future__ import annotations

import numpy as np
from obp import ope
from peer_files import Answers, RowCase, read_row_cases

ESTIMATORS = {
    "rm": ope.ReplayMethod(),
    "ipw": ope.InverseProbabilityWeighting(),
    "ipw(lambda_=2)": ope.InverseProbabilityWeighting(lambda_=2.0),
    "snipw": ope.SelfNormalizedInverseProbabilityWeighting(),
    "dm": ope.DirectMethod(),
    "dr": ope.DoublyRobust(),
    "dr(lambda_=2)": ope.DoublyRobust(lambda_=2.0),
    "sndr": ope.SelfNormalizedDoublyRobust(),
    "switch-dr(lambda_=1.5)": ope.SwitchDoublyRobust(lambda_=1.5),
    "dr-os(lambda_=3)": ope.DoublyRobustWithShrinkage(lambda_=3.0),
    "sg-ipw(lambda_=0.25)": ope.SubGaussianInverseProbabilityWeighting(lambda_=0.25),
    "sg-dr(lambda_=0.25)": ope.SubGaussianDoublyRobust(lambda_=0.25),
}


def ask(case: RowCase, answers: Answers) -> None:
    """All of its estimators; NaN where all weights are 0."""
    actions = case.columns["actions"]
    columns = {
        "reward": np.array(case.columns["y_true"]),
        "action": np.array(actions["action"]),
        "pscore": np.array(case.columns["propensity"]),
        "action_dist": np.array(actions["target"])[:, :, None],
        "estimated_rewards_by_reg_model": np.array(actions["estimates"])[:, :, None],
    }
    for name, estimator in ESTIMATORS.items():
        answers.add_row(case, name, float(estimator.estimate_policy_value(**columns)))


answers = Answers("obp", "obp")
for case in read_row_cases("offpolicy"):
    ask(case, answers)
answers.write()
