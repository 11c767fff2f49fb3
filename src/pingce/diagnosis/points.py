"""What numbers say, as short points: a name for programs, a label for the eye, and a sentence with the number."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from pingce.base.json import Json
from pingce.base.text import Text, Words, headed, paragraph

LABELS: Final = {
    "stages": Text("Stages", "阶段"),
    "next": Text("Next step", "下一步"),
    "concentration": Text("Concentration", "集中度"),
    "coverage": Text("Coverage", "覆盖"),
    "popularity": Text("Popularity", "热门偏向"),
    "exposure": Text("Exposure", "曝光"),
    "order": Text("Order", "排序"),
    "loss": Text("Loss", "损失"),
    "probabilities": Text("Probabilities", "概率"),
    "slices": Text("Slices", "切片"),
    "accuracy": Text("Accuracy", "准确率"),
    "imbalance": Text("Imbalance", "类别不平衡"),
    "labels": Text("Hard labels", "硬标签"),
    "range": Text("Range of scores", "分数范围"),
    "bins": Text("Bins", "分箱"),
    "users": Text("Users", "用户"),
    "groups": Text("Groups", "分组"),
    "averages": Text("Averages", "平均"),
    "small_classes": Text("Small classes", "小类"),
    "confusion": Text("Confusion", "混淆"),
    "rare_labels": Text("Rare labels", "少见标签"),
    "labels_per_row": Text("Labels per row", "每行标签数"),
    "error": Text("Error", "误差"),
    "bias": Text("Bias", "偏差"),
    "sizes": Text("Sizes", "大小"),
    "effect": Text("Effect", "效果"),
    "top_tenth": Text("Top tenth", "首个十分位"),
    "whom": Text("Whom to treat", "干预范围"),
    "harm": Text("Harm", "有害"),
    "value": Text("Value", "价值"),
    "weights": Text("Weights", "权重"),
    "log": Text("The log", "日志"),
    "trust": Text("Trust", "可信度"),
    "between": Text("Between models", "模型之间"),
    "none": Text("No diagnosis", "没有诊断"),
}
"What each point is about, as readers see it."


class Point(NamedTuple):
    """One thing that the numbers say."""

    name: str
    text: Text

    @property
    def label(self) -> Text:
        """What it is about."""
        return LABELS[self.name]

    def __str__(self) -> str:
        return headed(self.label, self.text)


class Points(list[Json]):
    """Points as documents have them, both languages; printed, a line per point in the language in force."""

    def __str__(self) -> str:
        return "\n".join(headed(point["label"], point["text"]) for point in self)

    def points(self) -> list[Point]:
        """The same as points."""
        return [Point(point["name"], Text(**point["text"])) for point in self]


def as_document(points: Iterable[Point]) -> Json:
    """The end of a diagnosis: each point with its label, and all of them as a paragraph."""
    points = list(points)
    listed = Points(
        {"name": point.name, "label": Words.of(point.label), "text": Words.of(point.text)} for point in points
    )
    return {"points": listed, "text": Words.of(paragraph(point.text for point in points))}
