"""The middle form of predictions: labels and scores, classes, or numbers, checked, with weights and groups."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping
from dataclasses import field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.lazy import cached_property
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs import cells
from pingce.inputs.columns import Reading
from pingce.inputs.data import Column, RowData
from pingce.inputs.ids import Ids, IntIds
from pingce.inputs.labels import TwoLabels, label_notes, labels_of_batch, two_labels
from pingce.inputs.predictions import Naming, Roles
from pingce.inputs.slices import Partition
from pingce.inputs.vectors import Vector, same_length, vector


@dataclass(frozen=True)
class Improbable:
    """Scores that are no probabilities: the first of them, and how many."""

    place: Text
    score: str
    count: int


class Scored:
    """What is asked of scores, whether rows are there or only what was gathered of them."""

    score_type: np.dtype[Any]
    score_range: tuple[float, float]
    improbable: Improbable | None

    @abstractmethod
    def __len__(self) -> int: ...

    @property
    def are_probabilities(self) -> bool:
        """Whether all scores lie within [0, 1]."""
        low, high = self.score_range
        return low >= 0 and high <= 1

    @property
    def epsilon(self) -> float:
        """The machine epsilon of the scores as they were given."""
        return float(np.finfo(self.score_type).eps)

    def refuse_improbable(self, metric: str) -> None:
        """Refuse scores that are no probabilities."""
        if self.improbable is not None:
            place, score, count = self.improbable.place, self.improbable.score, self.improbable.count
            raise InputError(
                f"{place.en}: {metric} needs probabilities, but the score is {score} ({count} of {len(self)} lie outside [0, 1]); "
                "if these are logits, apply the sigmoid first",
                f"{place.zh}：{metric} 需要概率，而分数为 {score}（{len(self)} 行中有 {count} 行不在 [0, 1] 内）；"
                "若为 logit，请先取 sigmoid",
            )


@dataclass(frozen=True, eq=False)
class BinaryRows(Scored):
    """Labels and scores, a row each."""

    labels: TwoLabels
    scores: NDArray[Any]
    "float32 or float64; 16-bit scores are widened, which changes neither order nor ties."
    score_type: np.dtype[Any]
    "As the scores were given."
    weight: Floats | None = None
    group: Ids | None = None
    columns: Mapping[str, Floats] = field(default_factory=dict)
    "More numbers a row, by which groups can be weighted."
    score_column: Vector | None = None
    "For messages."
    notes: tuple[Text, ...] = ()
    by: tuple[Partition, ...] = ()
    "What the rows are sliced by."
    ends: tuple[float, float] | None = None
    "The lowest and the highest score, where they are known."
    fields: Mapping[str, Ids] = field(default_factory=dict)
    "Columns whose values are names, by which probabilities are added up."

    def __len__(self) -> int:
        return len(self.scores)

    def select(self, chosen: NDArray[np.intp]) -> BinaryRows:
        """Some rows; the two labels and the type of the scores stay those of all."""
        positive = self.positive[chosen]
        column = self.score_column
        return replace(
            self,
            labels=replace(self.labels, positive=positive, count=int(np.count_nonzero(positive))),
            scores=self.scores[chosen],
            weight=None if self.weight is None else self.weight[chosen],
            group=None if self.group is None else self.group.take(chosen),
            columns={name: values[chosen] for name, values in self.columns.items()},
            fields={name: ids.take(chosen) for name, ids in self.fields.items()},
            score_column=None if column is None else column.take(chosen),
            by=(),
            ends=None,
        )

    def with_positive(self, chosen: Any, other: Any) -> BinaryRows:
        """The same rows with the labels that were settled for all batches."""
        return replace(self, labels=self.labels.with_positive(chosen, other))

    @property
    def positive(self) -> NDArray[np.uint8]:
        """1 for a positive row, 0 for a negative one."""
        return self.labels.positive

    @property
    def column_names(self) -> tuple[str, ...]:
        """Columns that metrics may name, of numbers and of names."""
        return (*self.columns, *self.fields)

    def column(self, name: str) -> Floats:
        """More numbers a row: one of weight 2 brings its number twice."""
        return self.columns[name] if self.weight is None else self.columns[name] * self.weight

    @cached_property
    def score_range(self) -> tuple[float, float]:  # type: ignore[override]
        """The lowest and the highest score; looked at once, whoever asks."""
        return self.ends or (float(self.scores.min()), float(self.scores.max()))

    @cached_property
    def improbable(self) -> Improbable | None:  # type: ignore[override]
        """The scores that are no probabilities; None where all are."""
        if self.are_probabilities:
            return None
        bad = np.flatnonzero((self.scores < 0) | (self.scores > 1))
        place = self.score_column.place(int(bad[0])) if self.score_column else Text(f"row {bad[0]}", f"第 {bad[0]} 行")
        return Improbable(place, f"{self.scores[bad[0]]}", len(bad))


@dataclass(frozen=True)
class BinaryBatch:
    """Rows as they came: of their labels the larger stands for the positive one until all are known."""

    rows: BinaryRows
    by: Mapping[str, Vector | None]
    "What they are sliced by; None stands for the activity of groups."
    label: Text = Text("y_true", "y_true")
    "What messages call the column of labels."

    def last(self, count: int) -> BinaryBatch:
        """The last rows."""
        places = np.arange(len(self.rows) - count, len(self.rows))
        by = {name: None if values is None else values.take(places) for name, values in self.by.items()}
        return replace(self, rows=self.rows.select(places), by=by)

    def owned(self, *, groups: bool = True) -> BinaryBatch:
        """The same in memory of its own: the caller may write the next batch into his. Groups that are counted at once
        are not kept.
        """
        rows, column, group = self.rows, self.rows.score_column, self.rows.group
        scores = rows.scores.copy()
        rows = replace(
            rows,
            scores=scores,
            score_column=None if column is None else replace(column, values=scores),
            weight=None if rows.weight is None else rows.weight.copy(),
            columns={name: values.copy() for name, values in rows.columns.items()},
            group=IntIds(group.values.copy()) if groups and isinstance(group, IntIds) else group,
            fields={name: IntIds(i.values.copy()) if isinstance(i, IntIds) else i for name, i in rows.fields.items()},
        )
        by = {
            name: replace(values, values=values.values.copy()) if values is not None and values.is_array else values
            for name, values in self.by.items()
        }
        return replace(self, rows=rows, by=by)


def read_batch(
    table: RowData,
    reading: Reading,
    needed: Iterable[str] = (),
    named: Naming | None = None,
    fields: Collection[str] = (),
) -> BinaryBatch:
    """A batch from columns as `evaluate_binary` takes them.

    `needed` are columns of numbers that metrics read, `fields` such of names; `named` says what messages call its rows.
    """
    more = {} if table.group_weight is None else table.group_weight
    if not isinstance(more, Mapping):
        raise InputError(
            f"group_weight is {type(more).__name__}; give a dict with a column a name, which gauc(by=name) then takes",
            f"group_weight 是 {type(more).__name__}；请给出名称到列的字典，供 gauc(by=名称) 使用",
        )
    needed = [name for name in dict.fromkeys(needed) if name not in more and name not in fields]
    absent = [name for name in dict.fromkeys(fields) if name not in more]
    table = Roles("y_score", grouped=True, activity=True, needed=needed, fields=absent).read(table, reading, named)
    truth = vector(table.truth, "y_true")
    rows = _rows(replace(table, truth=truth), None, batch=True, threads=reading.threads, fields=fields)
    cut = {name: None if column is None else vector(column, f"by '{name}'") for name, column in table.by.items()}
    same_length(truth, *cut.values())
    return BinaryBatch(rows, cut, truth.name)


def binary_rows(
    y_true: Column,
    y_score: Column,
    *,
    group: Column = None,
    weight: Column = None,
    positive: Any = None,
    group_weight: Mapping[str, Column] | None = None,
    fields: Collection[str] = (),
) -> BinaryRows:
    """Check and bring together the columns of a binary task."""
    table = RowData(y_true, y_score, weight=weight, group=group, group_weight=group_weight)
    return _rows(table, positive, batch=False, fields=fields)


def _rows(
    table: RowData, positive: Any, *, batch: bool, threads: int | None = None, fields: Collection[str] = ()
) -> BinaryRows:
    """Of a `batch` it is not settled which label is positive: the larger that occurs stands for it; all weights may be 0."""
    truth, score, group_weight = vector(table.truth, "y_true"), vector(table.prediction, "y_score"), table.group_weight
    for name in group_weight or {}:
        if name in GROUP_WORDS:
            raise InputError(
                f"group_weight has a column '{name}', but gauc(by={name}) counts the rows themselves and would not read it; "
                f"call it otherwise, e.g. 'my_{name}', and write gauc(by=my_{name})",
                f"group_weight 中有列 '{name}'，而 gauc(by={name}) 由各行自行计数，不会读取该列；"
                f"请换个名称，例如 'my_{name}'，并写 gauc(by=my_{name})",
            )
    groups = None if table.group is None else vector(table.group, "group")
    weights = None if table.weight is None else vector(table.weight, "weight")
    more = {name: vector(column, f"group_weight '{name}'") for name, column in (group_weight or {}).items()}
    same_length(truth, score, groups, weights, *more.values())
    labels = labels_of_batch(truth, threads) if batch else two_labels(truth, positive, threads)
    scores, ends = cells.numbers_and_ends(score, threads)
    return BinaryRows(
        labels,
        scores.astype(np.float32) if scores.dtype == np.float16 else scores,
        scores.dtype,
        None if weights is None else cells.weights(weights, batch=batch, threads=threads),
        None if groups is None else cells.ids(groups),
        {name: cells.weights(column, batch=batch) for name, column in more.items() if name not in fields},
        score,
        () if batch or positive is not None else label_notes(labels),
        ends=ends,
        fields={name: cells.ids(column) for name, column in more.items() if name in fields},
    )


GROUP_WORDS = ("impressions", "clicks", "uniform")
"What gauc(by=…) takes for words of its own, not for columns."
