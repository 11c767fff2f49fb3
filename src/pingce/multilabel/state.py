"""What an evaluator of several labels has seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.evidence import soundness as sound
from pingce.evidence.soundness import demand
from pingce.inputs.data import RowData
from pingce.inputs.names import LABEL, PREDICTED_SCORE
from pingce.inputs.predictions import Naming
from pingce.inputs.slices import SlicePart
from pingce.multilabel.evidence import Key, LabelSums, MultilabelEvidence
from pingce.multilabel.long import LabelLines, assembled, joined_lines
from pingce.multilabel.read import read_rows
from pingce.multilabel.rows import LabelRows, joined
from pingce.run.memory import RowBudget
from pingce.run.states.rows import RowState, Shape, slice_shape
from pingce.run.states.tables import annotate, annotation, slice_columns, slices_from

if TYPE_CHECKING:
    from typing_extensions import Self

    from pingce.request import Request
    from pingce.run.temporary import Workspace

_COLUMNS = {
    "truth": sound.Column("uint8", (sound.FLAG,)),
    "score": sound.Column("float32 float64", (sound.FINITE,)),
    "weight": sound.Column("float64", (sound.AMOUNT,), optional=True),
}
_ABOUT = {"labels": [str], "declared": bool}
Batch = LabelRows | LabelLines


class MultilabelState(RowState[Any, LabelSums]):
    """Matrices, lines of rows that may still be parts of them, or sums.

    Where it is known that rows are whole in each batch (`split="never"`: files that are streamed, Spark), lines become matrices at once.
    """

    usual = (
        "f1(average=macro)",
        "f1(average=micro)",
        "f1(average=samples)",
        "hamming",
        "exact_match",
        "lrap",
        "label_ranking_loss",
        "coverage_error",
    )
    numbers = ("y_true", "y_score", "weight")
    truth_names = ("truth", "y_true", "label", *(name for name in LABEL if name not in ("y_true", "label")))
    prediction_names = PREDICTED_SCORE
    prediction_name = "score"

    @staticmethod
    def far_of(tables: Any) -> None:
        return None

    @classmethod
    def for_stream(cls, request: Request, name: Text, workspace: Workspace, budget: RowBudget) -> Self:
        return cls(replace(request, split="never"))

    def read(self, table: RowData, named: Naming | None = None) -> Batch:
        return read_rows(table, self.request.reading, self.request.labels, named)

    def add(self, rows: Batch) -> None:
        if isinstance(rows, LabelLines) and self.request.window is not None:
            raise _no_window()
        super().add(self._whole(rows))

    def _whole(self, rows: Batch) -> Batch:
        """Rows, where it is known that the lines of each are all there; else the lines."""
        if isinstance(rows, LabelLines) and self.request.split == "never":
            return assembled(rows, self.request.labels)
        return rows

    def split_slices(self, rows: Batch) -> tuple[Batch, list[SlicePart]]:
        return super().split_slices(self._whole(rows))

    def shape_of(self, rows: Batch) -> Shape:
        shape = {"weight": "" if rows.weight is None else "given", "scores": rows.scores.dtype.name}
        if isinstance(rows, LabelLines):
            shape |= {"form": "lines", "row": str(rows.row.type), "tag": str(rows.tag.type)}
        else:
            shape |= {"form": "matrices", "labels": ", ".join(rows.labels)}
        return shape | slice_shape(rows.by)

    @property
    def adds_up(self) -> bool:
        """Whether sums suffice, and can be made now: lines wait for the others of their rows."""
        return super().adds_up and self._shape.get("form") != "lines"

    def take(self, rows: Batch, places: NDArray[np.intp]) -> Batch:
        return rows.select(places)

    def last(self, rows: LabelRows, count: int) -> LabelRows:
        return rows.last(count)

    def join(self, batches: Sequence[Any]) -> Batch:
        return joined_lines(batches) if isinstance(batches[0], LabelLines) else joined(batches)

    def join_all(self, batches: Sequence[Any]) -> LabelRows:
        rows = self.join(batches)
        return assembled(rows, self.request.labels) if isinstance(rows, LabelLines) else rows

    def evidence_of(self, rows: LabelRows) -> MultilabelEvidence:
        return MultilabelEvidence(rows, threads=self.request.threads)

    def sum_up(self, rows: LabelRows) -> LabelSums:
        evidence = self.evidence_of(rows)
        return LabelSums.of(evidence, self._keys(), ranks=self._reads_ranks)

    def _keys(self) -> list[Key]:
        """The thresholds that metrics ask for; counts at that of all are always there, for tables of labels."""
        policies = [metric.under(self.request.policies) for metric in self.metrics if metric.metric.reads_decisions]
        return list(dict.fromkeys((each.threshold, each.compare) for each in (self.request.policies, *policies)))

    @property
    def _reads_ranks(self) -> bool:
        return any(metric.metric.reads_ranks for metric in self.metrics)

    def evidence_of_sums(self, sums: LabelSums) -> MultilabelEvidence:
        return MultilabelEvidence(None, sums, threads=self.request.threads)

    def sums_from(self, tables: Mapping[str, pa.Table]) -> LabelSums:
        sums = LabelSums.from_tables(tables)
        alike = list(sums.decisions) == self._keys() and (sums.ranks is not None) == self._reads_ranks
        demand(alike, "the sums are not those that the metrics need", "各和不是指标所需的")
        same = sums.weighted == bool(self._shape["weight"]) and ", ".join(sums.labels) == self._shape.get("labels")
        demand(same, "the sums are of other columns", "各和来自其他列")
        return sums

    def tables_of_rows(self, rows: Batch) -> dict[str, pa.Table]:
        weight = {} if rows.weight is None else {"weight": rows.weight}
        if isinstance(rows, LabelLines):
            lines = {"row": rows.row, "tag": rows.tag, "truth": rows.truth, "score": rows.scores}
            return {"rows": pa.table({**lines, **weight, **slice_columns(rows.by)})}
        cells = {"truth": rows.truth.reshape(-1), "score": rows.scores.reshape(-1)}
        width = len(rows.labels)
        columns = {name: pa.FixedSizeListArray.from_arrays(pa.array(flat), width) for name, flat in cells.items()}
        table = pa.table({**columns, **weight, **slice_columns(rows.by)})
        return {"rows": annotate(table, {"labels": list(rows.labels), "declared": rows.declared})}

    def rows_from(self, tables: Mapping[str, pa.Table]) -> Batch:
        table = tables["rows"]
        if self._shape.get("form") == "lines":
            columns = sound.checked_columns(table, _COLUMNS)
            row, tag = (_ids(table, name) for name in ("row", "tag"))
            by = slices_from(table)
            return LabelLines(row, tag, columns["truth"], columns["score"], columns.get("weight"), by=by)
        about = annotation(table, _ABOUT, "rows")
        labels = tuple(about["labels"])
        demand(len(set(labels)) == len(labels) > 0, "a label has no name, or two have one", "标签缺名或重名")
        truth, scores = (_matrix(table, name, len(labels)) for name in ("truth", "score"))
        weight = sound.checked_columns(
            table.select([name for name in table.column_names if name == "weight"]), {"weight": _COLUMNS["weight"]}
        )
        return LabelRows(truth, scores, labels, weight.get("weight"), by=slices_from(table), declared=about["declared"])


def _matrix(table: pa.Table, name: str, width: int) -> NDArray[Any]:
    """A matrix that was written as a column of lists."""
    demand(name in table.column_names, f"column '{name}' is missing", f"缺少列 '{name}'")
    kind = table.schema.field(name).type
    is_matrix = pa.types.is_fixed_size_list(kind) and kind.list_size == width
    demand(is_matrix, f"'{name}' is not a matrix of the labels", f"'{name}' 不是各标签的矩阵")
    flat = pa.chunked_array([chunk.flatten() for chunk in table.column(name).chunks], kind.value_type)
    demand(len(flat) == len(table) * width, f"'{name}' has missing rows", f"'{name}' 缺行")
    return sound.checked_column(flat, name, _COLUMNS[name]).reshape(-1, width)


def _ids(table: pa.Table, name: str) -> pa.Array:
    demand(name in table.column_names, f"column '{name}' is missing", f"缺少列 '{name}'")
    column = table.column(name)
    plain = pa.types.is_int64(column.type) or pa.types.is_large_string(column.type)
    demand(plain and not column.null_count, f"column '{name}' does not hold ids", f"列 '{name}' 不是编号")
    joined_chunks = column.combine_chunks()
    return joined_chunks.chunk(0) if isinstance(joined_chunks, pa.ChunkedArray) else joined_chunks


def _no_window() -> InputError:
    return InputError(
        "window= counts rows, and lines of single labels are parts of rows: give matrices, or leave window= out",
        "window= 按行计，而每条只写一个标签的数据是行的一部分：请给出矩阵，或不用 window=",
    )
