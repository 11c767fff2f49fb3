"""Rows that may have several labels at once: which of them hold, against a score for each."""

from pingce.base.text import Text
from pingce.tasks.base import Task
from pingce.tasks.columns import ColumnRole, ColumnRoles

MULTILABEL = Task(
    "multilabel",
    in_folder=True,
    title=Text("Several labels per row: multi-label", "多标签：每行可有多个标签"),
    noun=Text("several labels per row", "多标签"),
    sides=Text("a 0/1 matrix of labels and a matrix of scores", "标签的 0/1 矩阵与分数矩阵"),
    example="f1",
    of_matrices=True,
    marks=("labels", "scores", "classes", "data", "weight"),
    predictions=(int, float),
    signed_data=("weight", "labels"),
    prediction_role="y_score",
    required_roles=("y_score",),
    label=Text("multi-label (a line per row and label)", "多标签（每行每标签一条）"),
    column_options=("label", "score"),
    columns=ColumnRoles(
        (
            ColumnRole(
                "row",
                Text(
                    "Which row a line is of, where each line has one label of one row.",
                    "该条属于哪一行（每条只写一行的一个标签时）。",
                ),
                values="ids",
                required=True,
                unit=True,
                names=("row", "row_id", "example", "example_id", "sample", "sample_id", "id", "doc_id"),
            ),
            ColumnRole(
                "tag",
                Text("The name of the label that a line is of.", "该条所说的标签的名称。"),
                values="ids",
                required=True,
                names=("tag", "label_name", "label_id", "topic", "category"),
            ),
        )
    ),
    parts={"intervals": "multilabel.intervals:label_intervals"},
)
