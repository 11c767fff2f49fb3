"""Subtopics (intents, aspects) of queries: a column of a table, or a level of a dictionary {query: {item: {subtopic: grade}}}."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from pingce.base.errors import InputError
from pingce.base.lazy import compute, pa
from pingce.base.text import Text
from pingce.inputs.arrow import decoded, ids_of, is_string
from pingce.inputs.columns import Rows, Source
from pingce.inputs.dicts import make_ids, no_items, numbers_of
from pingce.inputs.ids import Ids
from pingce.inputs.layouts import CodedIds
from pingce.inputs.names import subtopic_note


def _refusal(place: Text) -> InputError:
    return InputError(
        f"{place.en} has no subtopic, while other rows have one; give every judgement its subtopic, or leave subtopics out",
        f"{place.zh} 没有子主题，而其他行有；请为每条标注给出子主题，或全部不给",
    )


def subtopics_of(column: pa.ChunkedArray, name: str, source: Source) -> Ids:
    """The subtopics of a column; one that is missing is refused with its row."""
    column = decoded(column)
    lacking = column.is_null()
    if is_string(column.type):
        plain = column.cast(pa.large_string())
        lacking = compute.fill_null(compute.equal(plain, ""), True)
    elif pa.types.is_floating(column.type):  # what pandas makes of whole numbers with gaps
        lacking = compute.fill_null(compute.is_nan(column), True)
    place = compute.index(lacking, value=True).as_py()
    if place >= 0:
        raise _refusal(source.place(place))
    return ids_of(column, name, source)


def read_nested(data: Mapping[Any, Any], name: Text, *, untyped_ids: bool = False) -> Rows:
    """Rows of a dictionary with a grade for each subtopic of each item of each query."""
    pairs = [(query, item) for query, items in data.items() for item in (items if isinstance(items, Mapping) else ())]
    grades = [data[query][item] for query, item in pairs]
    for (query, item), of_item in zip(pairs, grades, strict=True):
        if not isinstance(of_item, Mapping):
            raise _refusal(Text(f"{name.en}[{query!r}][{item!r}]", f"{name.zh}[{query!r}][{item!r}]"))
    listed = next((query for query, items in data.items() if not isinstance(items, Mapping)), None)
    if listed is not None:
        raise _refusal(Text(f"{name.en}[{listed!r}]", f"{name.zh}[{listed!r}]"))
    sizes = np.fromiter(map(len, grades), dtype=np.int64, count=len(grades))
    if not sizes.any():
        raise no_items(name)
    at = np.repeat(np.arange(len(pairs)), sizes)
    subtopics = list(chain.from_iterable(grades))

    def place(row: int) -> Text:
        query, item = pairs[int(at[row])]
        where = f"[{query!r}][{item!r}][{subtopics[row]!r}]"
        return Text(f"{name.en}{where}", f"{name.zh}{where}")

    source = Source(name, place, (subtopic_note(name, "{query: {item: {subtopic: grade}}}"),), untyped_ids)
    keys = replace(source, place=lambda _: name)
    query = CodedIds(at, make_ids([query for query, _ in pairs], "query", keys))
    item = CodedIds(at, make_ids([item for _, item in pairs], "item", keys))
    values, _ = numbers_of(list(chain.from_iterable(of_item.values() for of_item in grades)), source)
    return Rows(query, item, values, source, subtopic=make_ids(subtopics, "subtopic", source))
