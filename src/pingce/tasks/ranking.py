"""Lists of items against judged items: search and recommendation."""

from pingce.base.text import Text
from pingce.tasks.base import Task

RANKING = Task(
    "ranking",
    title=Text("Rankings and recommendations", "排序与推荐"),
    noun=Text("rankings", "排序"),
    sides=Text("qrels and a run", "qrels 与预测的排序"),
    of_rows=False,
    example="ndcg@10",
    marks=("query", "grades", "judged", "exclude", "train", "catalog", "items", "reference", "columns"),
    predictions=(),
    signed_data=("exclude", "query_weight"),
    parts={"policies": "evidence.policies:Policies", "evaluator": "run.evaluators.ranking:RankingEvaluator"},
)
