"""True against predicted classes."""

from pingce.base.text import Text
from pingce.tasks.base import Task

MULTICLASS = Task(
    "multiclass",
    title=Text("Classes", "多分类"),
    noun=Text("classes", "多分类"),
    marks=("true", "pred", "proba", "classes", "of_class", "data", "weight"),
    predictions=(int, str),
    signed_data=("weight", "labels"),
    label=Text("multi-class (labels)", "多分类（类别）"),
    parts={
        "explain": "explanations.multiclass.base:explain",
        "policies": "evidence.policies:MulticlassPolicies",
        "metrics": "metrics.multiclass",
        "tool_spellings": "conventions.declared:tool_spellings",
        "evaluate": "api:evaluate_multiclass",
        "evaluator": "run.evaluators.rows:MulticlassEvaluator",
        "state": "run.states.multiclass:MulticlassState",
        "intervals": "stats.intervals:class_intervals",
        "scores": "scores.multiclass:MulticlassScores",
        "diagnosis": "diagnosis.multiclass",
        "report": "html.multiclass:MulticlassReport",
        "curves": "curves.matrix:ConfusionMatrix",
    },
)
