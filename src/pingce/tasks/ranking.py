"""Lists of items against judged items: search and recommendation."""

from typing import Final

from pingce.base.text import Text
from pingce.tasks.base import Task

BACKGROUND: Final = {
    "train": Text("the pairs (query, item) of the past", "过去的（查询，条目）对"),
    "catalog": Text("the items that could be shown, or their number", "可展示的条目，或其数目"),
    "items": Text("a table of items with categories or vectors", "含类目或向量的条目表"),
    "reference": Text("another run to compare lists with", "用于比较列表的另一个预测"),
}
"The tables that metrics of items read beside the lists: the only list of them."

RANKING = Task(
    "ranking",
    title=Text("Rankings and recommendations", "排序与推荐"),
    noun=Text("rankings", "排序"),
    sides=Text("qrels and a run", "qrels 与预测的排序"),
    of_rows=False,
    example="ndcg@10",
    marks=("query", "grades", "judged", "exclude", "item_weight", *BACKGROUND, "columns", "data"),
    predictions=(),
    signed_data=("exclude", "query_weight", "item_weight", "catalog", "similarity", "precision", "candidates"),
    parts={"policies": "evidence.policies:Policies", "evaluator": "run.evaluators.ranking:RankingEvaluator"},
)
