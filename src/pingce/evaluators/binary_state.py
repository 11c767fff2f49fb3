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
from pingce.evidence.thresholds import ThresholdEvidence
from pingce.inputs.arrow_numbers import array_of
from pingce.inputs.batches import joined_rows, with_positive
from pingce.inputs.labelled import BinaryRows
from pingce.inputs.labels import TwoLabels
from pingce.inputs.vectors import Vector, from_arrow
from pingce.language import Text

if TYPE_CHECKING:
    import pyarrow as pa

    from pingce.evidence.pieces import BinaryPieces

_SAID = b"pingce.said"


def _said(columns: Mapping[str, Any], said: Mapping[str, Any]) -> pa.Table:
    import pyarrow as pa

    return pa.table(dict(columns)).replace_schema_metadata({_SAID: json.dumps(said, ensure_ascii=False).encode()})


def _heard(table: pa.Table) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(table.schema.metadata[_SAID])
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

    said = _heard(table)
    names = said["names"]
    positive = np.ascontiguousarray(array_of(table.column("positive")))
    scores = array_of(table.column("score"))
    name = Text("y_score", "y_score")
    rows = BinaryRows(
        TwoLabels(positive, int(np.count_nonzero(positive)), names[-1], names[0] if len(names) == 2 else None),
        scores,
        np.dtype(said["score_type"]),
        array_of(table.column("weight")) if "weight" in table.column_names else None,
        ids_in(table.column("group")) if "group" in table.column_names else None,
        {one: array_of(table.column(f"column:{one}")) for one in said["columns"]},
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
    return Facts(
        said["rows"],
        said["positives"],
        tuple(said["names"]),
        said["positive_name"],
        said["score_type"],
        said["weighted"],
        Fraction(said["weight"]),
        Fraction(said["positive_weight"]),
        float.fromhex(said["lowest"]),
        float.fromhex(said["highest"]),
        None if said["few"] is None else tuple(map(float.fromhex, said["few"])),
        None if bad is None else Improbable(Text(bad[0], bad[1]), bad[2], bad[3]),
        tuple(Text(*note) for note in said["notes"]),
        tuple(said["idle"]),
        said["whole"],
        Fraction(said["squared_weight"]),
    )


def seen_in(tables: Mapping[str, pa.Table]) -> dict[str, Any]:
    """What was said of all rows."""
    return _heard(tables["seen"])


def fill(pieces: BinaryPieces, tables: Mapping[str, pa.Table]) -> None:
    """See what `state_of` wrote, in pieces that have seen nothing."""
    said = _heard(tables["facts"])
    pieces.facts, pieces.counted = _facts_heard(said), said["counted"]
    pieces.cells = {(threshold, compare): list(map(Fraction, counts)) for threshold, compare, counts in said["cells"]}
    for name, table in tables.items():
        if name.startswith("probability "):
            epsilon, bins = _heard(table)["key"]
            pieces.probability[epsilon, bins] = ProbabilityEvidence.from_arrow(table)
        if name.startswith("scores "):
            pieces.tables.add(ThresholdEvidence.from_arrow(table))
    if "groups" in tables:
        pieces.take_groups(GroupEvidence.from_arrow(tables["groups"]))
