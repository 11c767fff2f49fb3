"""What a ranking evaluator has seen, as Arrow tables."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.evidence import RankingEvidence
from pingce.evidence.ranking.cautions import ScoreFacts
from pingce.evidence.soundness import (
    TEXTS,
    WHOLE,
    Column,
    Condition,
    checked_column,
    checked_columns,
    checked_json,
    checked_value,
    demand,
    id_array,
    ids_in,
    row_of,
)
from pingce.inputs.columns import Rows, rows_of
from pingce.run.states.ranking_pieces import Key, Piece

_ABOUT = b"pingce.rows"
_FACTS = b"pingce.scores"
_FORM = {
    "name": TEXTS,
    "notes": [TEXTS],
    "untyped_ids": bool,
    "stated": bool,
    "meaning": Condition(("given", "rank", "order", "none").__contains__),
    "shape": (None, row_of((None, WHOLE), (None, WHOLE))),
}


def rows_to_table(rows: Rows) -> pa.Table:
    """Rows with all that is known of them, but for their lines."""
    import pyarrow as pa

    columns: dict[str, Any] = {
        "query": id_array(rows.query),
        "item": id_array(rows.item),
        "value": pa.array(rows.value),
    }
    if rows.whole is not None:
        wide = rows.whole.dtype == object
        columns["whole"] = pa.array([str(value) for value in rows.whole]) if wide else pa.array(rows.whole)
    source = rows.source
    about = {
        "name": [source.name.en, source.name.zh],
        "notes": [[note.en, note.zh] for note in source.notes],
        "untyped_ids": source.untyped_ids,
        "stated": source.stated,
        "meaning": rows.meaning,
        "shape": rows.shape,
    }
    return pa.table(columns).replace_schema_metadata({_ABOUT: json.dumps(about, ensure_ascii=False).encode()})


def rows_from_table(table: pa.Table) -> Rows:
    """The rows that `rows_to_table` wrote."""
    about = checked_json((table.schema.metadata or {}).get(_ABOUT), _FORM, "rows")
    demand(len(table), "there are no rows", "没有数据行")
    source = rows_of(Text(*about["name"]), tuple(Text(*note) for note in about["notes"]))
    whole = None
    if "whole" in table.column_names:
        whole = _whole(table.column("whole"))
    return Rows(
        ids_in(table, "query"),
        ids_in(table, "item"),
        checked_columns(table, {"value": Column("float64")})["value"],
        replace(source, untyped_ids=about["untyped_ids"], stated=about["stated"]),
        about["meaning"],
        whole,
        None if about["shape"] is None else tuple(about["shape"]),
    )


def _whole(column: pa.ChunkedArray) -> NDArray[Any]:
    """Numbers that doubles cannot hold: 64 bits, or words."""
    import pyarrow as pa

    if not pa.types.is_string(column.type):
        return checked_column(column, "whole", Column("int64 uint64"))
    words = checked_value(column.to_pylist(), [Condition(_is_integer)], "whole")
    return np.array([int(word) for word in words], object)


def _is_integer(word: Any) -> bool:
    return isinstance(word, str) and re.fullmatch(r"-?[0-9]{1,400}", word, re.ASCII) is not None


def piece_to_tables(piece: Piece, keys: Sequence[Key]) -> dict[str, pa.Table]:
    """A table for each combination of policies, and one of the queries without judgements."""
    import pyarrow as pa

    found = {f"evidence {place}": piece.evidence[key].to_arrow() for place, key in enumerate(keys)}
    facts = {_FACTS: json.dumps(piece.facts._asdict()).encode()}
    return {**found, "extra": pa.table({"query": id_array(piece.extra)}).replace_schema_metadata(facts)}


def piece_from_tables(tables: Mapping[str, pa.Table], keys: Sequence[Key]) -> Piece:
    """What `piece_to_tables` wrote."""
    found = {key: RankingEvidence.from_arrow(tables[f"evidence {place}"]) for place, key in enumerate(keys)}
    first = next(iter(found.values())).queries
    alike = all(
        ids.queries.integers == first.integers and ids.queries.to_list() == first.to_list() for ids in found.values()
    )
    demand(alike, "policies differ in their queries", "各策略下的查询不同")
    extra = tables["extra"]
    facts = checked_json((extra.schema.metadata or {}).get(_FACTS), dict.fromkeys(ScoreFacts._fields, bool), "facts")
    return Piece(found, ids_in(extra, "query"), ScoreFacts(**facts))
