"""What an evaluator of labels and scores has seen, as tables, and back."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.json import Json
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.evidence import soundness as sound
from pingce.evidence.binary.facts import FACTS_FORM, FLOATS, NAMES, Facts
from pingce.evidence.binary.fields import FieldEvidence
from pingce.evidence.binary.grouped import GroupEvidence
from pingce.evidence.binary.pieces import BinaryPieces
from pingce.evidence.binary.probability import ProbabilityEvidence
from pingce.evidence.binary.thresholds import ThresholdEvidence
from pingce.evidence.soundness import demand
from pingce.inputs.binary import BinaryBatch, BinaryRows
from pingce.inputs.binary_batches import joined_rows, joined_slices
from pingce.inputs.labels import TwoLabels
from pingce.inputs.vectors import Vector, from_arrow
from pingce.run.states.tables import annotate, annotation

_KEY = sound.row_of((None, float), sound.WHOLE)
_CELL = sound.row_of(float, sound.Condition(("ge", "gt").__contains__), sound.row_of(*[sound.FRACTION] * 4))
_SHAPE = dict.fromkeys(("labels", "weight", "group", "columns", "by"), str) | {"scores": FLOATS}
_STATE_FORM = {"names": NAMES, "shape": (None, _SHAPE), "label": sound.TEXTS}
_ROWS_FORM = {
    "names": NAMES,
    "score_type": FLOATS,
    "notes": [sound.TEXTS],
    "columns": [str],
    "by": {str: bool},
    "label": sound.TEXTS,
}
_AMOUNTS = sound.Column("float64", (sound.AMOUNT,))
_ROWS_COLUMNS = {
    "positive": sound.Column("uint8", (sound.FLAG,)),
    "score": sound.Column("float32 float64", (sound.FINITE,)),
    "weight": sound.Column("float64", (sound.AMOUNT,), optional=True),
}


def state_of(batches: list[BinaryBatch], pieces: BinaryPieces | None, about: Json) -> dict[str, pa.Table]:
    """The tables of rows that are kept, and of pieces."""
    tables = {"seen": annotate(pa.table({}), about)}
    if batches:
        tables["rows"] = _rows_table(batches, tuple(about["names"]))
    if pieces is None or pieces.facts is None:
        return tables
    pieces.count()
    cells = [[*key, [str(count) for count in counts]] for key, counts in pieces.cells.items()]
    tables["facts"] = annotate(pa.table({}), pieces.facts.to_json() | {"cells": cells, "counted": pieces.counted})
    for at, (key, sums) in enumerate(pieces.probability.items()):
        tables[f"probability {at}"] = annotate(sums.to_arrow(), {"key": list(key)})
    for at, table in enumerate(pieces.tables.pieces()):
        tables[f"scores {at}"] = table.to_arrow()
    for at, (name, fields) in enumerate(pieces.fields.items()):
        tables[f"fields {at}"] = annotate(fields.to_arrow(), {"name": name})
    groups = pieces.groups()
    return tables | ({} if groups is None else {"groups": groups.to_arrow()})


def _rows_table(batches: list[BinaryBatch], names: tuple[Any, ...]) -> pa.Table:
    rows = joined_rows(
        [batch.rows.with_positive(names[-1], names[0] if len(names) == 2 else None) for batch in batches]
    )
    columns: dict[str, object] = {"positive": rows.positive, "score": rows.scores}
    columns |= {} if rows.weight is None else {"weight": rows.weight}
    columns |= {} if rows.group is None else {"group": sound.id_array(rows.group)}
    columns |= {f"column:{name}": column for name, column in rows.columns.items()}
    columns |= {f"field:{name}": sound.id_array(column) for name, column in rows.fields.items()}
    slices = joined_slices(batches)
    columns |= {f"by:{name}": column.values for name, column in slices.items() if column is not None}
    about = {
        "names": names,
        "score_type": rows.score_type.name,
        "notes": rows.notes,
        "columns": list(rows.columns),
        "by": {name: column is not None for name, column in slices.items()},
        "label": batches[0].label,
    }
    return annotate(pa.table(columns), about)


def read_rows(table: pa.Table) -> BinaryBatch:
    """The rows that were kept."""
    about = annotation(table, _ROWS_FORM, "rows")
    names = about["names"]
    more = {f"column:{title}": _AMOUNTS for title in about["columns"]}
    columns = sound.checked_columns(table, _ROWS_COLUMNS | more)
    positive, scores = np.ascontiguousarray(columns["positive"]), columns["score"]
    demand(len(names) == 2 or positive.all(), "there is a label that has no name", "有的标签没有名称")
    name = Text("y_score", "y_score")
    rows = BinaryRows(
        TwoLabels(positive, int(np.count_nonzero(positive)), names[-1], names[0] if len(names) == 2 else None),
        scores,
        np.dtype(about["score_type"]),
        columns.get("weight"),
        sound.ids_in(table, "group") if "group" in table.column_names else None,
        {title: columns[f"column:{title}"] for title in about["columns"]},
        Vector(scores, name, lambda row: Text(f"row {row} of y_score", f"y_score 第 {row} 行（从 0 起）"), "y_score"),
        tuple(Text(*note) for note in about["notes"]),
        fields={
            title.removeprefix("field:"): sound.ids_in(table, title)
            for title in table.column_names
            if title.startswith("field:")
        },
    )

    def column(by: str) -> Vector:
        name, values = Text(f"by '{by}'", f"by '{by}'"), from_arrow(table.column(f"by:{by}"))
        return Vector(values, name, lambda row: Text(f"row {row}", f"第 {row} 行"), by)

    by = {title: column(title) if has_values else None for title, has_values in about["by"].items()}
    return BinaryBatch(rows, by, Text(*about["label"]))


def damaged() -> InputError:
    """The refusal of tables that no evaluator wrote."""
    return InputError(
        "the state of this evaluator is damaged; give what to_bytes() returned",
        "该评测器的状态已损坏；请给出 to_bytes() 的返回值",
    )


def seen_in(tables: Mapping[str, pa.Table]) -> Any:
    """What was said of all rows."""
    return annotation(tables["seen"], _STATE_FORM, "seen")


def fill(pieces: BinaryPieces, tables: Mapping[str, pa.Table]) -> None:
    """See what `state_of` wrote, in pieces that have seen nothing."""
    about = annotation(tables["facts"], FACTS_FORM | {"cells": [_CELL], "counted": bool}, "facts")
    facts = pieces.facts = Facts.from_json(about)
    pieces.counted = about["counted"]
    pieces.cells = {
        (threshold, compare): [sound.checked_fraction(count, "cells") for count in counts]
        for threshold, compare, counts in about["cells"]
    }
    whole = all(sum(counts) == facts.weight for counts in pieces.cells.values())
    needed = pieces.cells.keys() <= {*pieces.needs.cells}
    demand(whole and needed, "cells do not add up to all rows", "各格之和不等于总行数")
    for name, table in tables.items():
        if name.startswith("probability "):
            _fill_probability(pieces, table)
    for name, table in tables.items():
        if name.startswith("fields "):
            _fill_fields(pieces, table)
    scores = [ThresholdEvidence.from_arrow(table) for name, table in tables.items() if name.startswith("scores ")]
    _refuse_other_rows(facts, scores)
    for piece in scores:
        pieces.tables.add(piece)
    if "groups" in tables:
        _fill_groups(pieces, GroupEvidence.from_arrow(tables["groups"]))


def _fill_probability(pieces: BinaryPieces, table: pa.Table) -> None:
    epsilon, bins = annotation(table, {"key": _KEY}, "probability")["key"]
    sums = pieces.probability[epsilon, bins] = ProbabilityEvidence.from_arrow(table)
    demand((epsilon, bins) in pieces.needs.probability, "sums were not asked for", "有未要求的和")
    facts: Any = pieces.facts
    usual = float(np.finfo(facts.score_type).eps)
    alike = sums.epsilon == (usual if epsilon is None else epsilon) and len(sums.bins) == bins
    demand(alike, "bins or epsilon are others than those that were asked for", "分箱或 epsilon 与要求的不同")
    same = (sums.rows, sums.positives) == (facts.weight, facts.positive_weight)
    demand(same, "sums of probabilities are of other rows", "概率之和来自其他行")


def _refuse_other_rows(facts: Facts, tables: list[ThresholdEvidence]) -> None:
    """Refuse tables of scores that are not those of the rows that the facts are of."""
    filled = [table for table in tables if len(table)]
    for table in filled:
        inside = facts.lowest <= table.score[-1] and table.score[0] <= facts.highest
        demand(inside, "a score lies outside the range of all", "有分数在全部分数的范围之外")
        demand(table.weighted == facts.weighted, "weights are counted as rows", "权重与行数混淆")
        demand(table.score.dtype == filled[0].score.dtype, "scores are of several types", "分数的类型不一")
    if filled:
        most = facts.weight / 10**9 if facts.weighted else 0
        positives = sum(Fraction(table.positives) for table in filled) - facts.positive_weight
        negatives = sum(Fraction(table.negatives) for table in filled) - facts.weight + facts.positive_weight
        demand(max(abs(positives), abs(negatives)) <= most, "scores are counted for other rows", "分数的计数来自其他行")


def _fill_fields(pieces: BinaryPieces, table: pa.Table) -> None:
    name = annotation(table, {"name": str}, "fields")["name"]
    facts: Any = pieces.facts
    fields = pieces.fields[name] = FieldEvidence.from_arrow(table)
    demand(name in pieces.needs.fields, "fields were not asked for", "有未要求的字段")
    demand((fields.rows.dtype.kind == "f") == facts.weighted, "weights of fields are missing", "缺少字段的权重")
    rows = Fraction(float(fields.rows.sum())) - facts.weight
    demand(abs(rows) <= (facts.weight / 10**9 if facts.weighted else 0), "fields are of other rows", "字段来自其他行")


def _fill_groups(pieces: BinaryPieces, groups: GroupEvidence) -> None:
    facts: Any = pieces.facts
    same = (int(groups.rows.sum()), int(groups.positives.sum())) == (facts.rows, facts.positives)
    demand(same, "groups are of other rows", "分组来自其他行")
    demand((groups.weight is not None) == facts.weighted, "weights of groups are missing", "缺少分组的权重")
    demand({*pieces.needs.columns} <= groups.columns.keys(), "a group weight is missing", "缺少分组权重")
    lost = pieces.needs.group_epsilon is not None and facts.improbable is None and groups.loss is None
    demand(not lost, "losses of groups are missing", "缺少各分组的损失")
    pieces.group_pieces.append(groups)
