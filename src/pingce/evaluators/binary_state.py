"""What an evaluator of labels and scores has seen, as tables, and back."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.evaluators.binary_batches import Batch
from pingce.evidence.facts import Facts, Improbable
from pingce.evidence.grouped import GroupEvidence
from pingce.evidence.probability import ProbabilityEvidence
from pingce.evidence.soundness import (
    AMOUNT,
    FINITE,
    FLAG,
    FRACTION,
    HEXADECIMAL,
    LABELS,
    TEXTS,
    WHOLE,
    Column,
    Known,
    checked_columns,
    checked_fraction,
    checked_json,
    demand,
    fits,
)
from pingce.evidence.thresholds import ThresholdEvidence
from pingce.inputs.batches import joined_rows, with_positive
from pingce.inputs.labelled import BinaryRows
from pingce.inputs.labels import TwoLabels
from pingce.inputs.vectors import Vector, from_arrow
from pingce.language import Text

if TYPE_CHECKING:
    import pyarrow as pa

    from pingce.evidence.pieces import BinaryPieces

_SAID = b"pingce.said"
_FLOATS = Known(lambda name: name in ("float16", "float32", "float64"))
_LABEL = (str, int, float, bool)
_NAMES = Known(
    lambda names: fits(names, LABELS) and fits(names, [_LABEL]) and len(names) <= 2 and names == sorted(names)
)
_KEY = Known(lambda key: fits(key, list) and len(key) == 2 and fits(key[0], (None, float)) and fits(key[1], WHOLE))
_IMPROBABLE = Known(lambda bad: fits(bad, list) and len(bad) == 4 and fits(bad[:3], [str]) and fits(bad[3], WHOLE))
_FEW = Known(lambda few: fits(few, [HEXADECIMAL]) and len(few) <= 2)
_CELL = Known(
    lambda cell: (
        fits(cell, list)
        and len(cell) == 3
        and fits(cell[0], float)
        and cell[1] in ("ge", "gt")
        and fits(cell[2], [FRACTION])
        and len(cell[2]) == 4
    )
)
_SHAPE = dict.fromkeys(("labels", "weight", "group", "columns", "by"), str) | {"scores": _FLOATS}
_SEEN_FORM = {"names": _NAMES, "shape": (None, _SHAPE), "label": TEXTS}
_ROWS_FORM = {
    "names": _NAMES,
    "score_type": _FLOATS,
    "notes": [TEXTS],
    "columns": [str],
    "by": {str: bool},
    "label": TEXTS,
}
_FACTS_FORM = {
    **dict.fromkeys(("rows", "positives"), WHOLE),
    "names": _NAMES,
    "positive_name": _LABEL,
    "score_type": _FLOATS,
    **dict.fromkeys(("weighted", "whole"), bool),
    **dict.fromkeys(("weight", "positive_weight", "squared_weight"), FRACTION),
    **dict.fromkeys(("lowest", "highest"), HEXADECIMAL),
    "few": (None, _FEW),
    "improbable": (None, _IMPROBABLE),
    "notes": [TEXTS],
    "idle": [str],
    "cells": [_CELL],
    "counted": bool,
}
_AMOUNTS = Column("float64", (AMOUNT,))
_ROWS_COLUMNS = {
    "positive": Column("uint8", (FLAG,)),
    "score": Column("float32 float64", (FINITE,)),
    "weight": Column("float64", (AMOUNT,), optional=True),
}


def _said(columns: Mapping[str, Any], said: Mapping[str, Any]) -> pa.Table:
    import pyarrow as pa

    return pa.table(dict(columns)).replace_schema_metadata({_SAID: json.dumps(said, ensure_ascii=False).encode()})


def _heard(table: pa.Table, form: Mapping[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = checked_json((table.schema.metadata or {}).get(_SAID), form, name)
    return found


def state_of(batches: list[Batch], pieces: BinaryPieces | None, said: Mapping[str, Any]) -> dict[str, pa.Table]:
    """The tables of rows that are kept, and of pieces."""
    tables = {"seen": _said({}, said)}
    if batches:
        tables["rows"] = _rows_table(batches, tuple(said["names"]))
    if pieces is None or pieces.facts is None:
        return tables
    pieces.count()
    cells = [[*key, [str(count) for count in counts]] for key, counts in pieces.cells.items()]
    tables["facts"] = _said({}, _facts_said(pieces.facts) | {"cells": cells, "counted": pieces.counted})
    for at, (key, sums) in enumerate(pieces.probability.items()):
        tables[f"probability {at}"] = _with(sums.to_arrow(), {"key": list(key)})
    for at, table in enumerate(pieces.tables.pieces()):
        tables[f"scores {at}"] = table.to_arrow()
    groups = pieces.groups()
    return tables | ({} if groups is None else {"groups": groups.to_arrow()})


def _with(table: pa.Table, said: Mapping[str, Any]) -> pa.Table:
    return table.replace_schema_metadata({**(table.schema.metadata or {}), _SAID: json.dumps(said).encode()})


def _rows_table(batches: list[Batch], names: tuple[Any, ...]) -> pa.Table:
    from pingce.evaluators.binary_batches import joined_slices
    from pingce.evidence.arrow import id_array

    rows = joined_rows([with_positive(one.rows, names[-1], names[0] if len(names) == 2 else None) for one in batches])
    columns: dict[str, Any] = {"positive": rows.positive, "score": rows.scores}
    columns |= {} if rows.weight is None else {"weight": rows.weight}
    columns |= {} if rows.group is None else {"group": id_array(rows.group)}
    columns |= {f"column:{name}": column for name, column in rows.columns.items()}
    slices = joined_slices(batches)
    columns |= {f"by:{name}": column.values for name, column in slices.items() if column is not None}
    said = {
        "names": names,
        "score_type": rows.score_type.name,
        "notes": _texts(rows.notes),
        "columns": list(rows.columns),
        "by": {name: column is not None for name, column in slices.items()},
        "label": _texts((batches[0].label,))[0],
    }
    return _said(columns, said)


def _texts(texts: tuple[Text, ...]) -> list[list[str]]:
    return [[text.en, text.zh] for text in texts]


def read_rows(table: pa.Table) -> Batch:
    """The rows that were kept."""
    from pingce.evidence.arrow import ids_in

    said = _heard(table, _ROWS_FORM, "rows")
    names = said["names"]
    more = {f"column:{one}": _AMOUNTS for one in said["columns"]}
    found = checked_columns(table, _ROWS_COLUMNS | more)
    positive, scores = np.ascontiguousarray(found["positive"]), found["score"]
    demand(len(names) == 2 or positive.all(), "there is a label that has no name", "有的标签没有名称")
    name = Text("y_score", "y_score")
    rows = BinaryRows(
        TwoLabels(positive, int(np.count_nonzero(positive)), names[-1], names[0] if len(names) == 2 else None),
        scores,
        np.dtype(said["score_type"]),
        found.get("weight"),
        ids_in(table, "group") if "group" in table.column_names else None,
        {one: found[f"column:{one}"] for one in said["columns"]},
        Vector(scores, name, lambda row: Text(f"row {row} of y_score", f"y_score 第 {row} 行（从 0 起）"), "y_score"),
        tuple(Text(*note) for note in said["notes"]),
    )

    def column(one: str) -> Vector:
        title = Text(f"by '{one}'", f"by '{one}'")
        return Vector(from_arrow(table.column(f"by:{one}")), title, lambda row: Text(f"row {row}", f"第 {row} 行"), one)

    by = {one: column(one) if given else None for one, given in said["by"].items()}
    return Batch(rows, by, Text(*said["label"]))


def _facts_said(facts: Facts) -> dict[str, Any]:
    found = {
        name: getattr(facts, name) for name in ("rows", "positives", "names", "positive_name", "score_type", "weighted")
    }
    found |= {name: str(getattr(facts, name)) for name in ("weight", "positive_weight")}
    found |= {name: getattr(facts, name).hex() for name in ("lowest", "highest")}
    bad = facts.improbable
    return found | {
        "few": None if facts.few is None else [score.hex() for score in facts.few],
        "improbable": None if bad is None else [*_texts((bad.place,))[0], bad.shown, bad.count],
        "notes": _texts(facts.notes),
        "idle": facts.idle,
        "whole": facts.whole,
        "squared_weight": str(facts.squared_weight),
    }


def _facts_heard(said: Mapping[str, Any]) -> Facts:
    bad = said["improbable"]
    facts = Facts(
        said["rows"],
        said["positives"],
        tuple(said["names"]),
        said["positive_name"],
        said["score_type"],
        said["weighted"],
        checked_fraction(said["weight"], "weight"),
        checked_fraction(said["positive_weight"], "positive_weight"),
        float.fromhex(said["lowest"]),
        float.fromhex(said["highest"]),
        None if said["few"] is None else tuple(map(float.fromhex, said["few"])),
        None if bad is None else Improbable(Text(bad[0], bad[1]), bad[2], bad[3]),
        tuple(Text(*note) for note in said["notes"]),
        tuple(said["idle"]),
        said["whole"],
        checked_fraction(said["squared_weight"], "squared_weight"),
    )
    facts.refuse_unsound()
    return facts


def seen_in(tables: Mapping[str, pa.Table]) -> dict[str, Any]:
    """What was said of all rows."""
    return _heard(tables["seen"], _SEEN_FORM, "seen")


def fill(pieces: BinaryPieces, tables: Mapping[str, pa.Table]) -> None:
    """See what `state_of` wrote, in pieces that have seen nothing."""
    said = _heard(tables["facts"], _FACTS_FORM, "facts")
    facts = pieces.facts = _facts_heard(said)
    pieces.counted = said["counted"]
    pieces.cells = {
        (threshold, compare): [checked_fraction(count, "cells") for count in counts]
        for threshold, compare, counts in said["cells"]
    }
    whole = all(sum(counts) == facts.weight for counts in pieces.cells.values())
    demand(
        whole and pieces.cells.keys() <= {*pieces.needs.cells},
        "cells do not add up to all rows",
        "各格之和不等于总行数",
    )
    for name, table in tables.items():
        if name.startswith("probability "):
            _fill_probability(pieces, table)
    scores = [ThresholdEvidence.from_arrow(table) for name, table in tables.items() if name.startswith("scores ")]
    _refuse_other_rows(facts, scores)
    for one in scores:
        pieces.tables.add(one)
    if "groups" in tables:
        _fill_groups(pieces, GroupEvidence.from_arrow(tables["groups"]))


def _fill_probability(pieces: BinaryPieces, table: pa.Table) -> None:
    epsilon, bins = _heard(table, {"key": _KEY}, "probability")["key"]
    found = pieces.probability[epsilon, bins] = ProbabilityEvidence.from_arrow(table)
    demand((epsilon, bins) in pieces.needs.probability, "sums were not asked for", "有未要求的和")
    facts: Any = pieces.facts
    own = float(np.finfo(facts.score_type).eps)
    alike = found.epsilon == (own if epsilon is None else epsilon) and len(found.bins) == bins
    demand(alike, "bins or epsilon are others than those that were asked for", "分箱或 epsilon 与要求的不同")
    same = (found.rows, found.positives) == (facts.weight, facts.positive_weight)
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
        pairs = (
            (sum(Fraction(table.positives) for table in filled), facts.positive_weight),
            (sum(Fraction(table.negatives) for table in filled), facts.weight - facts.positive_weight),
        )
        near = all(abs(sum_ - whole) <= (facts.weight / 10**9 if facts.weighted else 0) for sum_, whole in pairs)
        demand(near, "scores are counted for other rows", "分数的计数来自其他行")


def _fill_groups(pieces: BinaryPieces, groups: GroupEvidence) -> None:
    facts: Any = pieces.facts
    same = (int(groups.rows.sum()), int(groups.positives.sum())) == (facts.rows, facts.positives)
    demand(same, "groups are of other rows", "分组来自其他行")
    demand((groups.weight is not None) == facts.weighted, "weights of groups are missing", "缺少分组的权重")
    demand({*pieces.needs.columns} <= groups.columns.keys(), "a group weight is missing", "缺少分组权重")
    lost = pieces.needs.group_epsilon is not None and facts.improbable is None and groups.loss is None
    demand(not lost, "losses of groups are missing", "缺少各分组的损失")
    pieces.take_groups(groups)
