"""Lists of items against judged items: search and recommendation."""

from pingce.base.text import Text
from pingce.tasks.base import Task

RANKING = Task(
    "ranking",
    title=Text("Rankings and recommendations", "排序与推荐"),
    noun=Text("rankings", "排序"),
    of_rows=False,
    marks=("query", "grades", "judged", "exclude", "columns"),
    predictions=(),
    signed_data=("exclude", "query_weight"),
    parts={
        "policies": "evidence.policies:Policies",
        "metrics": "metrics.ranking",
        "tool_spellings": "conventions.declared:tool_spellings",
        "explain": "explanations.ranking.base:explain",
        "evaluate": "api:evaluate_ranking",
        "evaluator": "run.evaluators.ranking:RankingEvaluator",
        "state": "run.states.ranking:RankingState",
        "scores": "scores.ranking:RankingScores",
        "diagnosis": "diagnosis.ranking",
        "report": "html.ranking:RankingReport",
    },
)
