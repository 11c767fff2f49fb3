"""Whom to treat: outcomes of treated and untreated rows against scores that order them by the effect to expect."""

from pingce.base.text import Text
from pingce.tasks.base import Task
from pingce.tasks.columns import ColumnRole, ColumnRoles

UPLIFT = Task(
    "uplift",
    in_folder=True,
    title=Text("Uplift: whom a treatment helps", "增益（uplift）：干预对谁有效"),
    noun=Text("uplift", "增益模型"),
    sides=Text("outcomes and scores of treated and control rows", "干预组与对照组的结果与分数"),
    example="qini",
    marks=("labels", "scores", "data", "weight"),
    hints=(),
    predictions=(int, float),
    signed_data=("weight", "propensity"),
    prediction_role="y_score",
    required_roles=("y_score",),
    label=Text("uplift (outcomes, treatment and scores)", "增益（结果、干预与分数）"),
    column_options=("label", "score"),
    curves={"qini": Text("Qini curve", "Qini 曲线"), "uplift": Text("uplift curve", "增益曲线")},
    columns=ColumnRoles(
        (
            ColumnRole(
                "treatment",
                Text("1 for rows that were treated, 0 for control rows.", "干预组的行为 1，对照组的行为 0。"),
                required=True,
                names=("treatment", "treated", "is_treated", "w", "t", "exposed"),
            ),
            ColumnRole(
                "propensity",
                Text(
                    "The probability with which each row was to be treated, between 0 and 1, where it was not the same for all.",
                    "每行被干预的概率，介于 0 与 1 之间；各行不同时给出。",
                ),
            ),
        )
    ),
    parts={
        "intervals": "uplift.intervals:uplift_intervals",
        "curves": "uplift.curves:curve_of",
        "curve_evidence": "uplift.curves:evidence_of",
    },
)
