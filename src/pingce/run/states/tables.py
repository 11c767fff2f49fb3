"""Parts of states as Arrow tables, and back: what is to be known of a table beside its columns, and the slices of rows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.json import Json
from pingce.base.lazy import pa
from pingce.evidence.ranking.candidates import SEVERAL
from pingce.evidence.ranking.cautions import ScoreFacts
from pingce.evidence.soundness import Condition, checked_json, checked_value, demand

if TYPE_CHECKING:
    from pingce.inputs.slices import Partition

_ABOUT = b"pingce.said"
_OLD_ABOUT = b"pingce.rows"
"Where rows of rankings had it in pingce 0.1.0."
_ITEMS = Condition(lambda text: isinstance(text, str) and (text in ("", SEVERAL) or text.isalnum()) and len(text) <= 16)
SCORE_FORM = {**dict.fromkeys(ScoreFacts._fields, bool), "items": _ITEMS}
"The facts of scores and lists, as states of rankings write them."
OLD_SCORES: Json = {"items": ScoreFacts().items}
"What pingce 0.1.0 did not write of them: nothing is known of the items of its lists."


def annotate(table: pa.Table, about: Json) -> pa.Table:
    """A table with a document beside its columns."""
    document = json.dumps(about, ensure_ascii=False).encode()
    return table.replace_schema_metadata({**(table.schema.metadata or {}), _ABOUT: document})


def annotation(table: pa.Table, form: Any, name: str, absent: Json | None = None) -> Any:
    """The document that `annotate` wrote, which must have this form; `absent` is what stands for entries that older states lack."""
    metadata = table.schema.metadata or {}
    document = checked_json(metadata.get(_ABOUT, metadata.get(_OLD_ABOUT)), dict, name)
    return checked_value(_completed(document, absent or {}), form, name)


def _completed(document: Json, absent: Json) -> Json:
    """A document with entries that it lacks, also within its own documents."""
    within = {
        name: _completed(document[name], each)
        for name, each in absent.items()
        if isinstance(each, dict) and isinstance(document.get(name), dict)
    }
    return {**absent, **document, **within}


def slice_columns(by: Sequence[Partition], *, every: bool = False) -> dict[str, pa.Array]:
    """The slice of each row as Arrow columns: dictionaries of values, null where there is none.

    With `every` those of all rows, also of weight 0.
    """
    columns = {}
    for partition in by:
        codes = partition.every_code if every else partition.codes
        places = pa.array(codes, mask=codes < 0, type=pa.int32())
        columns[f"by.{partition.by}"] = pa.DictionaryArray.from_arrays(places, pa.array(list(partition.values)))
    return columns


def slices_from(table: pa.Table, all_rows: pa.Table | None = None) -> tuple[Partition, ...]:
    """The slices that `slice_columns` wrote."""
    from pingce.inputs.slices import partition_from

    partitions = []
    for name in table.column_names:
        if name.startswith("by."):
            values, every = _coded(table if all_rows is None else all_rows, name)  # a table without rows has no values
            codes = every if all_rows is None else _coded(table, name)[1]
            partition = partition_from(values, codes, name.removeprefix("by."))
            partitions.append(partition if all_rows is None else replace(partition, every=every))
    return tuple(partitions)


def _coded(table: pa.Table, name: str) -> tuple[list[Any], NDArray[np.intp]]:
    if not len(table):
        return [], np.zeros(0, np.intp)
    is_coded = name in table.column_names and pa.types.is_dictionary(table.column(name).type)
    demand(is_coded, f"column '{name}' is not one of slices", f"列 '{name}' 不是切片")
    column = table.column(name).combine_chunks()
    column = column.chunk(0) if isinstance(column, pa.ChunkedArray) else column
    kind = column.dictionary.type
    plain = pa.types.is_integer(kind) or pa.types.is_floating(kind)
    values = list(column.dictionary.to_numpy(zero_copy_only=False)) if plain else column.dictionary.to_pylist()
    kinds = {*map(type, values)}
    words = plain or (len(kinds) < 2 and not kinds & {list, dict, type(None)})
    demand(words and len({*map(str, values)}) == len(values), f"'{name}' holds odd slices", f"'{name}' 的切片有误")
    return values, column.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.intp)
