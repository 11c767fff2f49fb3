"""Lists of items against judged items: search and recommendation."""

from pingce.base.text import Text
from pingce.tasks.base import Task

RANKING = Task(
    "ranking",
    title=Text("Rankings and recommendations", "排序与推荐"),
    noun=Text("rankings", "排序"),
    of_rows=False,
    parts={
        "policies": "evidence.policies:Policies",
        "metrics": "metrics.ranking",
        "evaluate": "evaluate:evaluate_ranking",
        "evaluator": "evaluators:RankingEvaluator",
        "scores": "scores.ranking:RankingScores",
    },
)
