"""True against predicted numbers."""

from pingce.base.text import Text
from pingce.tasks.base import Task

REGRESSION = Task(
    "regression",
    title=Text("Numbers: regression", "数值：回归"),
    noun=Text("numbers", "回归"),
    marks=("true", "pred", "data", "weight"),
    predictions=(int, float),
    label=Text("regression (numbers)", "回归（数值）"),
    parts={
        "explain": "explanations.regression.base:explain",
        "policies": "evidence.policies:RegressionPolicies",
        "metrics": "metrics.regression",
        "tool_spellings": "conventions.declared:tool_spellings",
        "evaluate": "api:evaluate_regression",
        "evaluator": "run.evaluators.rows:RegressionEvaluator",
        "state": "run.states.regression:RegressionState",
        "intervals": "stats.intervals:number_intervals",
        "scores": "scores.regression:RegressionScores",
        "diagnosis": "diagnosis.regression",
        "report": "html.regression:RegressionReport",
    },
)
