"""True against predicted numbers."""

from pingce.base.text import Text
from pingce.tasks.base import Task

REGRESSION = Task(
    "regression",
    title=Text("Numbers: regression", "数值：回归"),
    noun=Text("numbers", "回归"),
    sides=Text("true and predicted numbers", "真实与预测的数值"),
    example="mae",
    marks=("true", "pred", "group", "group_weight", "data", "weight"),
    predictions=(int, float),
    label=Text("regression (numbers)", "回归（数值）"),
    parts={"intervals": "stats.intervals:number_intervals"},
)
