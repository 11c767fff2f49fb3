"""True against predicted classes."""

from pingce.base.text import Text
from pingce.tasks.base import Task

MULTICLASS = Task(
    "multiclass",
    title=Text("Classes", "多分类"),
    noun=Text("classes", "多分类"),
    parts={
        "policies": "evidence.policies:MulticlassPolicies",
        "metrics": "metrics.multiclass",
        "evaluate": "evaluate:evaluate_multiclass",
        "evaluator": "evaluators:MulticlassEvaluator",
        "scores": "scores.multiclass:MulticlassScores",
    },
)
