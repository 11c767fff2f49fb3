"""What the page of a task has that others have not: its sections, its counts, its units, and how its intervals are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from pingce.base.json import Json
from pingce.base.text import Text
from pingce.html.material import Material
from pingce.html.queries import Units, aligned_units

if TYPE_CHECKING:
    from pingce.comparison.settings import ComparisonSettings


@dataclass(frozen=True)
class HealthCount:
    """A row of the data's health: what is counted, its key among the counts, and the policy that decides about it."""

    title: Text
    key: str
    policy: str = ""


_ROWS, _WEIGHT = HealthCount(Text("rows", "行数"), "rows"), HealthCount(Text("total weight", "总权重"), "weight")


class TaskReport:
    """The page of one task; those of rows are alike in most things."""

    kind: ClassVar[Text]
    "What the banner calls it."
    counts: ClassVar[tuple[HealthCount, ...]] = (_ROWS, _WEIGHT)
    undefined_unit: ClassVar[str | None] = None
    "For what a metric is undefined; None: for what its values stand on."
    interval_method: ClassVar[Text] = Text("percentile bootstrap", "百分位自助法")

    @classmethod
    def sections(cls, material: Material) -> Json:
        """The data of the sections that only this task has."""
        return {}

    @classmethod
    def units(cls, material: Material) -> Units | None:
        """What has a value of its own, aligned by id."""
        return None

    @classmethod
    def size(cls, counts: Mapping[str, Any]) -> Text:
        """How much data there is."""
        return Text(f"{counts['rows']:,} rows", f"{counts['rows']:,} 行")

    @classmethod
    def interval(cls, value: Any, settings: ComparisonSettings | None) -> tuple[float, float] | None:
        """The interval of a value where nothing is compared."""
        ends: tuple[float, float] | None = value.interval
        return ends

    @classmethod
    def interval_texts(cls, material: Material) -> tuple[Text, ...]:
        """How the intervals of a single model were made, or why there are none."""
        confidence = material.first.confidence
        if confidence is None:
            return ()
        percent, method = f"{100 * confidence:g} %", cls.interval_method
        return (Text(f"{percent} intervals: {method.en}", f"{percent} 区间：{method.zh}"),)


class RankingReport(TaskReport):
    """Lists of queries: cut-offs, values of each query, and the lists themselves."""

    kind = Text("ranking", "排序")
    counts = (
        HealthCount(Text("queries scored", "计入的查询"), "scored"),
        HealthCount(
            Text("judged queries that the run does not answer", "预测没有回答的已标注查询"), "missing", "missing"
        ),
        HealthCount(Text("queries of the run without judgements", "没有标注的预测查询"), "extra", "extra"),
        HealthCount(Text("queries without a relevant item", "没有相关条目的查询"), "without_relevant", "undefined"),
        HealthCount(Text("rows of the run", "预测的行数"), "run_rows"),
        HealthCount(Text("repeated rows", "重复的行"), "duplicates", "duplicates"),
        HealthCount(Text("scores that are not a number", "不是数字的分数"), "nan", "nan"),
        HealthCount(Text("rows excluded before ranking", "排序前排除的行"), "excluded", "identical"),
    )

    @classmethod
    def sections(cls, material: Material) -> Json:
        """Values at growing cut-offs."""
        from pingce.html.cutoffs import cutoff_data

        return {"cutoffs": cutoff_data(material)}

    @classmethod
    def units(cls, material: Material) -> Units | None:
        """The queries."""
        columns = {name: scores.unit_columns() for name, scores in material.scores.items()}
        return aligned_units("query", columns, material.metrics)

    @classmethod
    def size(cls, counts: Mapping[str, Any]) -> Text:
        """The number of queries."""
        return Text(f"{counts['scored']:,} queries", f"{counts['scored']:,} 个查询")

    @classmethod
    def interval(cls, value: Any, settings: ComparisonSettings | None) -> tuple[float, float] | None:
        """That of a mean over queries."""
        from pingce.html.intervals import mean_interval

        return mean_interval(value, settings)

    @classmethod
    def interval_texts(cls, material: Material) -> tuple[Text, ...]:
        """How means over queries have their intervals."""
        from pingce.html.intervals import mean_interval_texts

        values = [material.first.find(name) for name in material.metrics]
        return () if material.settings is None else mean_interval_texts(values, material.settings)


class BinaryReport(TaskReport):
    """Labels and scores: thresholds, curves, and values of each group."""

    kind = Text("labels and scores", "标签与分数")
    counts = (
        _ROWS,
        HealthCount(Text("positive rows", "正例"), "positives"),
        HealthCount(Text("negative rows", "负例"), "negatives"),
        _WEIGHT,
    )
    interval_method = Text(
        "AUC of unweighted rows by DeLong, others by percentile bootstrap",
        "无权重时 AUC 用 DeLong 方法，其余用百分位自助法",
    )

    @classmethod
    def sections(cls, material: Material) -> Json:
        """The panel of thresholds, and the curves."""
        from pingce.html.curves import curve_data
        from pingce.html.thresholds import threshold_panel

        scores: Any = material.scores
        return {"threshold": threshold_panel(scores), "curves": curve_data(scores)}

    @classmethod
    def units(cls, material: Material) -> Units | None:
        """The groups, where there are any."""
        if material.first.evidence.rows.group is None:
            return None
        columns = {name: scores.unit_columns() for name, scores in material.scores.items()}
        metrics = [name for name in ("auc", "logloss") if name in columns[material.models[0]]]
        return aligned_units("group", columns, [*metrics, "n", "positives"])


class MulticlassReport(TaskReport):
    """Classes: the report of each class."""

    kind = Text("classes", "多分类")
    counts = (
        _ROWS,
        _WEIGHT,
        HealthCount(Text("classes", "类别"), "classes"),
        HealthCount(Text("rows predicted rightly", "预测正确的行"), "right"),
        HealthCount(Text("classes that never occur", "从未出现的类别"), "never_true", "undefined_class"),
        HealthCount(Text("classes that are never predicted", "从未被预测的类别"), "never_predicted", "undefined_class"),
    )
    undefined_unit = "classes"

    @classmethod
    def sections(cls, material: Material) -> Json:
        """The classes."""
        from pingce.html.classes import class_data

        return {"classes": class_data(material)}


class RegressionReport(TaskReport):
    """Numbers: residuals."""

    kind = Text("numbers", "数值")

    @classmethod
    def sections(cls, material: Material) -> Json:
        """The residuals."""
        from pingce.html.residuals import residual_data

        return {"residuals": residual_data(material)}
