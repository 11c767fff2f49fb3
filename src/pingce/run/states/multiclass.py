"""What an evaluator of classes has seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.lazy import pa
from pingce.evidence import soundness as sound
from pingce.evidence.multiclass.evidence import MulticlassEvidence
from pingce.evidence.multiclass.sums import ClassSums, FarClasses, SummedClasses
from pingce.evidence.soundness import demand
from pingce.inputs.classes import Classes, refuse_other_columns
from pingce.inputs.data import RowData
from pingce.inputs.multiclass import ClassRows, joined, read_classes, whole
from pingce.inputs.predictions import Naming
from pingce.metrics.grammar import MetricRequest
from pingce.request import Request
from pingce.run.states.rows import ANY, RowState, Shape, slice_shape
from pingce.run.states.tables import annotate, annotation, slice_columns, slices_from

if TYPE_CHECKING:
    from typing_extensions import Self


_CODES = sound.Column("int64", (sound.COUNT,))
_PLACES = sound.Column("int64", (sound.COUNT, sound.ASCENDING))
_COLUMNS = {
    "true": _CODES,
    "predicted": replace(_CODES, optional=True),
    "weight": sound.Column("float64", (sound.AMOUNT,), optional=True),
}
_ABOUT = {
    "labels": (
        sound.Condition(lambda names: sound.fits(names, sound.LABELS) and sound.fits(names, ([str], [int], [bool]))),
    ),
    "without_weight": sound.WHOLE,
    "columns": [str],
}


def _proba(table: pa.Table) -> NDArray[Any]:
    """The probabilities, a row each."""
    kind = table.schema.field("proba").type
    demand(pa.types.is_fixed_size_list(kind) and kind.list_size > 0, "'proba' is not a matrix", "'proba' 不是矩阵")
    flat = pa.chunked_array([chunk.flatten() for chunk in table.column("proba").chunks], kind.value_type)
    demand(len(flat) == len(table) * kind.list_size, "'proba' has missing rows", "'proba' 缺行")
    return sound.checked_column(flat, "proba", sound.Column("float16 float32 float64", (sound.SHARE,))).reshape(
        -1, kind.list_size
    )


USUAL_OF_PROBABILITIES = ("logloss", "auc(multi=ovr)")
_KINDS = {bool: "truth values", str: "strings"}


class MulticlassState(RowState[ClassRows, ClassSums]):
    """Rows of classes, or their counts."""

    usual = (
        "accuracy",
        "balanced_accuracy",
        "precision(average=macro)",
        "recall(average=macro)",
        "f1(average=macro)",
        "f1(average=weighted)",
        "kappa",
        "mcc",
    )
    numbers = ("weight",)

    def __init__(self, request: Request, *, is_far: bool = False, far: FarClasses | None = None) -> None:
        super().__init__(request, is_far=is_far, far=far)
        self._names: set[Any] = set()
        "Classes so far."

    @staticmethod
    def far_of(tables: Any) -> FarClasses | None:
        far: FarClasses | None = tables.classes
        return far

    def score(self) -> Any:
        scores = super().score()
        if self._far is not None:  # of no use any more, and tied to a session
            scores.evidence.far = None
        return scores

    def read(self, table: RowData, named: Naming | None = None) -> ClassRows:
        return read_classes(table, self.request.reading, self.request.labels, named)

    def add(self, rows: ClassRows) -> None:
        super().add(rows)
        self._names.update(rows.labels)

    def merge(self, other: Self) -> None:
        super().merge(other)
        self._names |= other._names

    def take_tables(self, tables: Mapping[str, pa.Table]) -> None:
        super().take_tables(tables)
        lists = [rows.labels for rows in self._waiting] + ([self._sums.confusion.labels] if self._sums else [])
        self._names = {name for names in lists for name in names}

    @property
    def metrics(self) -> Sequence[MetricRequest]:
        if self.request.metrics is not None:
            return self.request.metrics
        has_proba = bool(self._shape.get("proba"))
        return self.request.usual((*self.usual, *USUAL_OF_PROBABILITIES) if has_proba else self.usual)

    @property
    def adds_up(self) -> bool:
        """Whether sums suffice, and can be made now: columns of probabilities must all have a name."""
        return super().adds_up and (self._is_declared or len(self._names) >= self._columns)

    @property
    def _is_declared(self) -> bool:
        """Whether `labels=` named the classes."""
        return self.request.labels is not None

    @property
    def _columns(self) -> int:
        """How many columns the probabilities have."""
        return int(self._shape.get("proba", "").rpartition(" ")[2] or 0)

    def shape_of(self, rows: ClassRows) -> Shape:
        proba = ""
        if rows.proba is not None:
            proba = " ".join([rows.proba.dtype.name, *rows.columns, "×", str(rows.proba.shape[1])])
        return {
            "y_pred": "" if rows.prediction is None else "given",
            "weight": "" if rows.weight is None else "given",
            "proba": proba,
            "labels": _KINDS.get(type(rows.labels[0]), "integers") if len(rows) else ANY,
        } | slice_shape(rows.by)

    def size_of(self, rows: ClassRows) -> int:
        return len(rows) + rows.without_weight

    def take(self, rows: ClassRows, places: NDArray[np.intp]) -> ClassRows:
        return rows.alone(places)

    def last(self, rows: ClassRows, count: int) -> ClassRows:
        return rows.last(count)

    def join(self, batches: Sequence[ClassRows]) -> ClassRows:
        return joined(batches)

    def join_all(self, batches: Sequence[ClassRows]) -> ClassRows:
        """The rows of all batches: columns of probabilities are those of all classes, also of earlier batches."""
        earlier = self._sums.confusion.labels if self._sums and batches[0].proba is not None else ()
        return whole(batches, earlier)

    def evidence_of(self, rows: ClassRows) -> MulticlassEvidence:
        return MulticlassEvidence(rows, threads=self.request.threads)

    def sum_up(self, rows: ClassRows) -> ClassSums:
        needs = [metric.metric.sums() for metric in self.metrics]
        return ClassSums.of(self.evidence_of(rows), [need for need in needs if need is not None])

    def add_sums(self, ours: ClassSums, theirs: ClassSums) -> ClassSums:
        sums = super().add_sums(ours, theirs)
        if self._columns:
            refuse_other_columns(self._columns, (), sums.confusion.labels, declared=self._is_declared)
        return sums

    def evidence_of_sums(self, sums: ClassSums) -> SummedClasses:
        return SummedClasses(sums, declared=self._is_declared, threads=self.request.threads, far=self._far)

    def sums_from(self, tables: Mapping[str, pa.Table]) -> ClassSums:
        sums, shape, labels = ClassSums.from_tables(tables), self._shape, self.request.labels
        needs = {need for metric in self.metrics if (need := metric.metric.sums()) is not None}
        gathered = {("among", k) for k in sums.among} | {("losses", eps) for eps in sums.losses}
        demand(needs == gathered, "the sums are not those that the metrics need", "各和不是指标所需的")
        alike = sums.weighted == bool(shape["weight"]) and (sums.epsilon is not None) == bool(shape["proba"])
        demand(alike, "the sums are of other columns", "各和来自其他列")
        fixed = labels is None or sums.confusion.labels == labels
        demand(fixed and (not self._columns or self._columns == len(sums.confusion)), "classes are others", "类别不符")
        return sums

    def tables_of_rows(self, rows: ClassRows) -> dict[str, pa.Table]:
        """The rows, and, where they are sliced, the slices of all rows, also of weight 0."""
        columns: dict[str, object] = {"true": rows.truth.codes}
        columns |= {} if rows.prediction is None else {"predicted": rows.prediction.codes}
        columns |= {} if rows.weight is None else {"weight": rows.weight}
        if rows.proba is not None:
            flat = pa.array(np.ascontiguousarray(rows.proba).reshape(-1))
            columns["proba"] = pa.FixedSizeListArray.from_arrays(flat, rows.proba.shape[1])
        about = {"labels": rows.labels, "without_weight": rows.without_weight, "columns": rows.columns}
        table = pa.table(columns | slice_columns(rows.by))
        every = {"given": pa.table(slice_columns(rows.by, every=True))} if rows.by else {}
        idle = {} if self.request.window is None else {"idle": pa.table({"row": rows.idle})}
        return {"rows": annotate(table, about)} | every | idle

    def rows_from(self, tables: Mapping[str, pa.Table]) -> ClassRows:
        table = tables["rows"]
        about = annotation(table, _ABOUT, "rows")
        labels, columns = about["labels"], sound.checked_columns(table, _COLUMNS)
        inside = all(codes.max(initial=-1) < len(labels) for name, codes in columns.items() if name != "weight")
        demand(inside and len(set(labels)) == len(labels), "a class has no label", "有的类别没有标签")
        demand("predicted" in columns or "proba" in table.column_names, "nothing is predicted", "没有预测")
        rows = len(tables.get("given", table)) - len(table)
        demand("given" not in tables or rows == about["without_weight"], "rows of weight 0 lack", "缺少权重为 0 的行")
        idle = np.zeros(0, np.intp)
        if "idle" in tables:
            idle = sound.checked_columns(tables["idle"], {"row": _PLACES})["row"]
            inside = len(idle) == about["without_weight"] and idle.max(initial=-1) < len(table) + len(idle)
            demand(inside, "rows of weight 0 lack", "缺少权重为 0 的行")
        return ClassRows(
            Classes(columns["true"], labels),
            Classes(columns["predicted"], labels) if "predicted" in columns else None,
            columns.get("weight"),
            _proba(table) if "proba" in table.column_names else None,
            without_weight=about["without_weight"],
            by=slices_from(table, tables.get("given")),
            fixed=self._is_declared,
            declared=self._is_declared,
            columns=tuple(about["columns"]),
            idle=idle,
        )
