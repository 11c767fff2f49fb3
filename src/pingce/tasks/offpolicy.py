"""What another policy would have earned: rewards that one policy logged, and the probabilities of both to do what was done."""

from pingce.base.text import Text
from pingce.tasks.base import Task
from pingce.tasks.columns import ColumnRole, ColumnRoles

OFFPOLICY = Task(
    "offpolicy",
    in_folder=True,
    title=Text("Off-policy values: what another policy would have earned", "离线策略评估：换一个策略会得到多少"),
    noun=Text("off-policy values", "离线策略评估"),
    sides=Text(
        "logged rewards and the target policy's probabilities of what was logged",
        "日志中的回报与目标策略选中同一动作的概率",
    ),
    example="snips",
    marks=("true", "pred", "data", "weight"),
    hints=(),
    predictions=(int, float),
    signed_data=("weight",),
    prediction_role="y_pred",
    required_roles=("y_pred",),
    label=Text("off-policy values (rewards and propensities)", "离线策略评估（回报与倾向概率）"),
    column_options=("true", "pred"),
    columns=ColumnRoles(
        (
            ColumnRole(
                "propensity",
                Text(
                    "The probability with which the logging policy did what it did, above 0 and up to 1.",
                    "日志策略选中所记录动作的概率，大于 0 且不超过 1。",
                ),
                required=True,
                names=("propensity", "pscore", "logging_propensity", "behavior_propensity", "p_log", "pi_b"),
            ),
            ColumnRole(
                "logged_estimate",
                Text(
                    "What a model of the reward expects of what was logged, for dr and sndr.",
                    "回报模型对所记录动作的预估，用于 dr 与 sndr。",
                ),
            ),
            ColumnRole(
                "target_estimate",
                Text(
                    "What the same model expects of the target policy: the mean over all actions by its probabilities, for dm, dr and sndr.",
                    "同一模型对目标策略的预估：按其概率对所有动作求均值，用于 dm、dr 与 sndr。",
                ),
                of_model=True,
            ),
        )
    ),
    parts={"intervals": "offpolicy.intervals:offpolicy_intervals"},
)
