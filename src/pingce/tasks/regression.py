"""True against predicted numbers."""

from pingce.base.text import Text
from pingce.tasks.base import Task

REGRESSION = Task(
    "regression",
    title=Text("Numbers: regression", "数值：回归"),
    noun=Text("numbers", "回归"),
    marks=("true", "pred", "data", "weight"),
    predictions=(int, float),
    parts={
        "policies": "evidence.policies:RegressionPolicies",
        "metrics": "metrics.regression",
        "explain": "explanations.regression.base:explain",
        "evaluate": "evaluate:evaluate_regression",
        "evaluator": "evaluators:RegressionEvaluator",
        "intervals": "stats.row_intervals:number_intervals",
        "scores": "scores.regression:RegressionScores",
        "diagnosis": "diagnosis.regression",
        "report": "html.tasks:RegressionReport",
    },
)
