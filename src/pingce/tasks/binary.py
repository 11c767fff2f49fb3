"""Labels of two kinds against scores: click prediction, classifiers of two classes."""

from pingce.base.text import Text
from pingce.tasks.base import Task

BINARY = Task(
    "binary",
    title=Text("Labels and scores: two classes, click prediction", "标签与分数：二分类、点击预估"),
    noun=Text("labels and scores", "二分类"),
    sides=Text("labels of two kinds and scores", "二类标签与分数"),
    example="recall",
    marks=("labels", "scores", "group", "group_weight", "of_group", "positive", "data", "weight"),
    hints=("group", "positive", "threshold", "y_score"),
    predictions=(int, float),
    signed_data=("weight", "positive", "score_type", "bins"),
    always_signed=("positive",),
    prediction_role="y_score",
    required_roles=("y_score",),
    label=Text("binary (labels and scores)", "二分类（标签与分数）"),
    column_options=("label", "score"),
    curves={
        "roc": Text("ROC curve", "ROC 曲线"),
        "pr": Text("precision-recall curve", "PR 曲线"),
        "det": Text("DET curve", "DET 曲线"),
        "calibration": Text("calibration curve", "校准曲线"),
        "lift": Text("lift curve", "提升曲线"),
        "gain": Text("gain curve", "捕获率曲线"),
        "ks": Text("KS curve", "KS 曲线"),
        "confusion": Text("decisions at thresholds", "各阈值下的判定结果"),
        "cost": Text("cost curve", "代价曲线"),
    },
    parts={
        "intervals": "stats.intervals:label_intervals",
        "curves": "curves.binary:curve_of",
        "curve_evidence": "curves.binary:evidence_of",
    },
)
