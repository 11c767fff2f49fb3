"""True against predicted classes."""

from pingce.base.text import Text
from pingce.tasks.base import Task

MULTICLASS = Task(
    "multiclass",
    title=Text("Classes", "多分类"),
    noun=Text("classes", "多分类"),
    sides=Text("true and predicted classes", "真实与预测的类别"),
    example="accuracy",
    marks=("true", "pred", "proba", "classes", "of_class", "data", "weight"),
    hints=("proba", "labels", "average"),
    predictions=(int, str),
    signed_data=("weight", "labels"),
    label=Text("multi-class (labels)", "多分类（类别）"),
    parts={"intervals": "stats.intervals:class_intervals", "curves": "curves.matrix:ConfusionMatrix"},
)
