"""Evidence as an Arrow table, one row a query: for files, for other processes, for the curious. No pickle."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError
from pingce.base.lazy import compute, pa
from pingce.evidence import soundness as sound
from pingce.evidence.items.heads import PLACE_COLUMNS, WHOLE, ListHeads, numbered
from pingce.evidence.ranking.evidence import (
    ARROW_VERSION,
    HIT_COLUMNS,
    QUERY_COLUMNS,
    RankingEvidence,
    Tally,
    evidence_of_columns,
)
from pingce.evidence.ranking.intents import INTENT_COLUMNS, Intents
from pingce.evidence.ranking.item_weights import WEIGHT_COLUMNS, ItemWeights
from pingce.evidence.ranking.truth_index import offsets
from pingce.evidence.soundness import demand
from pingce.inputs.arrow import array_of

_PLACES = sound.Column("int32", (sound.COUNT,))
_WEIGHTS = sound.Column("float64", (sound.FINITE, sound.NOT_NEGATIVE))
_GRADES = sound.Column("float64", (sound.FINITE, sound.GRADE))
_LISTS = {name: _PLACES for name in HIT_COLUMNS if name != "grade"} | {"grade": _GRADES, "judged": _GRADES}
_QUERIES = {name: sound.Column("int64", (sound.COUNT,)) for name in QUERY_COLUMNS} | {"answered": sound.Column("bool")}
_NO_GRADE = sound.Condition(lambda text: text == "-inf")


def to_arrow(evidence: RankingEvidence) -> pa.Table:
    """The table; hits and judged grades are list columns, the tally is metadata."""

    def lists(begin: Any, values: Any) -> Any:
        return pa.LargeListArray.from_arrays(pa.array(begin, pa.int64()), pa.array(values))

    columns: dict[str, pa.Array] = {"query": sound.id_array(evidence.queries)}
    columns |= {name: pa.array(getattr(evidence, name)) for name in QUERY_COLUMNS}
    columns |= {name: lists(evidence.hit_begin, getattr(evidence, name)) for name in HIT_COLUMNS}
    columns["judged"] = lists(evidence.judged_begin, evidence.judged)
    if (intents := evidence.intents) is not None:
        entries = intents.begin[evidence.judged_begin]
        begin = (evidence.hit_begin, evidence.judged_begin, entries, entries)
        columns |= {
            f"intent_{name}": lists(at, getattr(intents, name)) for name, at in zip(INTENT_COLUMNS, begin, strict=True)
        }
    if (weights := evidence.weights) is not None:
        columns["weight_hit"] = lists(evidence.hit_begin, weights.hit)
        columns["weight_judged"] = lists(evidence.judged_begin, weights.judged)
    about: dict[str, str] = {}
    if (heads := evidence.heads) is not None:
        columns |= {f"place_{name}": lists(heads.begin, getattr(heads, name)) for name in PLACE_COLUMNS[1:]}
        items = heads.items.take(heads.item)
        columns["place_item"] = pa.LargeListArray.from_arrays(pa.array(heads.begin, pa.int64()), sound.id_array(items))
        about["depth"] = str(heads.depth)
    tally = json.dumps(evidence.tally._asdict(), sort_keys=True)
    return sound.stamped(columns, "ranking", ARROW_VERSION, tally=tally, top_grade=evidence.top_grade.hex(), **about)


def from_arrow(table: pa.Table) -> RankingEvidence:
    """The evidence of a table that `to_arrow` made, perhaps in chunks since."""
    problem = InputError(
        f"this table is not ranking evidence of version {ARROW_VERSION}; write it with RankingEvidence.to_arrow",
        f"此表不是版本 {ARROW_VERSION} 的排序证据；请用 RankingEvidence.to_arrow 写出",
    )
    about = sound.checked_table(table, "ranking", ARROW_VERSION, problem)
    columns = sound.checked_columns(table, _QUERIES)
    begin = {name: _begin(table, name) for name in _LISTS}
    columns |= {
        name: sound.checked_column(compute.list_flatten(table.column(name)), name, column)
        for name, column in _LISTS.items()
    }
    top_grade = sound.checked_value(about.get("top_grade"), (sound.HEXADECIMAL, _NO_GRADE), "top_grade")
    evidence = evidence_of_columns(
        sound.checked_ids(sound.ids_in(table, "query"), "query"),
        {**columns, "hit_begin": begin["above"], "judged_begin": begin["judged"]},
        top_grade=float.fromhex(top_grade),
        tally=Tally(**sound.checked_json(about.get("tally"), dict.fromkeys(Tally._fields, sound.WHOLE), "tally")),
    )
    evidence = replace(evidence, intents=_intents(table, evidence), weights=_weights(table, evidence))
    evidence = replace(evidence, heads=_heads(table, about.get("depth"), evidence))
    alike = all(np.array_equal(begin[name], evidence.hit_begin) for name in HIT_COLUMNS)
    demand(alike, "the columns of hits differ in length", "命中各列长度不同")
    _refuse_unsound(evidence)
    return evidence


def _intents(table: pa.Table, evidence: RankingEvidence) -> Intents | None:
    """The subtopics of a table that has them."""
    names = {name: f"intent_{name}" for name in INTENT_COLUMNS}
    if not any(name in table.column_names for name in names.values()):
        return None
    begin = {name: _begin(table, column) for name, column in names.items()}
    intents = Intents(
        **{
            name: sound.checked_column(
                compute.list_flatten(table.column(column)), column, _GRADES if name == "grade" else _PLACES
            )
            for name, column in names.items()
        }
    )
    entries = intents.begin
    alike = np.array_equal(begin["item"], evidence.hit_begin) and np.array_equal(begin["size"], evidence.judged_begin)
    alike = alike and bool((intents.size > 0).all()) and int(entries[-1]) == len(intents.grade)
    alike = alike and all(np.array_equal(begin[name], entries[evidence.judged_begin]) for name in ("subtopic", "grade"))
    demand(alike, "the columns of subtopics differ in length", "子主题各列长度不同")
    query = evidence.query_of_hit
    inside = intents.item < np.diff(evidence.judged_begin)[query]
    demand(inside.all(), "a hit is none of the judged items", "某命中不在已标注的条目之中")
    rows = evidence.judged_begin[query] + intents.item
    demand(len(np.unique(rows)) == len(rows), "two hits are one item", "两个命中是同一条目")
    ascending = np.diff(intents.subtopic) > 0
    ascending[entries[1:-1] - 1] = True
    demand(ascending.all(), "subtopics of an item are not in order", "条目的子主题未按顺序排列")
    if len(rows):
        highest = np.maximum.reduceat(intents.grade, entries[:-1])[rows]
        demand(
            np.array_equal(highest, evidence.grade), "a grade is not the highest of its item", "等级不是条目的最高等级"
        )
    return intents


def _weights(table: pa.Table, evidence: RankingEvidence) -> ItemWeights | None:
    """The weights of items of a table that has them."""
    begins = {
        f"weight_{name}": begin
        for name, begin in zip(WEIGHT_COLUMNS, (evidence.hit_begin, evidence.judged_begin), strict=True)
    }
    if not any(name in table.column_names for name in begins):
        return None
    for name, begin in begins.items():
        demand(
            np.array_equal(_begin(table, name), begin), "the columns of weights differ in length", "权重各列长度不同"
        )
    columns = (sound.checked_column(compute.list_flatten(table.column(name)), name, _WEIGHTS) for name in begins)
    return ItemWeights(*columns)


def _heads(table: pa.Table, depth: str | None, evidence: RankingEvidence) -> ListHeads | None:
    """What lists show, of a table that has it."""
    if depth is None:
        return None
    demand(depth.isascii() and depth.isdigit() and 0 < int(depth) <= WHOLE, "a depth is no number", "深度不是数字")
    begin = _begin(table, "place_item")
    columns = {
        name: sound.checked_column(compute.list_flatten(table.column(f"place_{name}")), f"place_{name}", _PLACES)
        for name in PLACE_COLUMNS[1:]
    }
    alike = all(np.array_equal(_begin(table, f"place_{name}"), begin) for name in columns)
    demand(alike, "the columns of places differ in length", "位置各列长度不同")
    flat = pa.table({"item": compute.list_flatten(table.column("place_item"))})
    items, item = numbered(sound.ids_in(flat, "item"))
    heads = ListHeads(begin=begin, items=items, item=item, depth=int(depth), **columns)
    block = heads.block.astype(np.int64)
    demand((block > 0).all(), "a place has no score", "某位置没有分数")
    inside = (heads.by_id < block) & (heads.by_order < block)
    inside &= heads.above + block <= evidence.returned[heads.list_of_place]
    demand(inside.all(), "a place is outside its list", "某位置在其列表之外")
    rank = heads.above.astype(np.int64) + heads.by_id
    ordered = (np.diff(rank) > 0) | (np.diff(heads.list_of_place) > 0)
    demand(ordered.all(), "places are not in order", "位置未按名次排列")
    return heads


def _refuse_unsound(evidence: RankingEvidence) -> None:
    """Refuse hits and grades that no lists have."""
    hits, judged = np.diff(evidence.hit_begin), np.diff(evidence.judged_begin)
    demand((hits <= judged).all(), "a query has more hits than judged items", "某查询的命中多于其标注")
    demand(
        (evidence.answered | (evidence.returned == 0)).all(), "a query without a list has rows", "无结果的查询却有行"
    )
    query, block = evidence.query_of_hit, evidence.block.astype(np.int64)
    demand((block > 0).all(), "a hit has no score", "某命中没有分数")
    inside = (
        (evidence.by_id < block) & (evidence.by_order < block) & (evidence.above + block <= evidence.returned[query])
    )
    demand(inside.all(), "a hit stands outside its list", "某命中在其列表之外")
    place = evidence.above.astype(np.int64) + evidence.by_id
    demand(((np.diff(place) > 0) | (np.diff(query) > 0)).all(), "hits are not in order", "命中未按名次排列")
    of = np.repeat(np.arange(len(judged)), judged)
    demand(((np.diff(evidence.judged) <= 0) | (np.diff(of) > 0)).all(), "grades are not in order", "等级未按大小排列")
    top = evidence.judged.max(initial=-np.inf)
    demand(top <= evidence.top_grade, "a grade is above the highest", "有等级高于最高等级")


def _begin(table: pa.Table, name: str) -> NDArray[np.int64]:
    kind = table.column(name).type if name in table.column_names else pa.null()
    lists = pa.types.is_large_list(kind) or pa.types.is_list(kind)
    demand(lists and not table.column(name).null_count, f"column '{name}' is not one of lists", f"列 '{name}' 不是列表")
    return offsets(array_of(compute.list_value_length(table.column(name))))
