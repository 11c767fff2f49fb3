"""What a ranking evaluator has seen, as Arrow tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.json import Json
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.evidence import soundness as sound
from pingce.evidence.ranking.cautions import ScoreFacts
from pingce.evidence.ranking.evidence import RankingEvidence, Tally
from pingce.evidence.ranking.facts import OF_JUDGEMENTS, STAGES, KeptFacts, list_columns
from pingce.evidence.soundness import demand
from pingce.inputs.columns import Rows, rows_of
from pingce.run.plan import Plan, ends_of
from pingce.run.states.item_tables import counters_from_tables, counters_to_tables
from pingce.run.states.ranking_pieces import Key, Piece
from pingce.run.states.tables import OLD_SCORES, SCORE_FORM, annotate, annotation
from pingce.run.tallies import RankingTally
from pingce.run.tally_columns import Differences

_FORM = {
    "name": sound.TEXTS,
    "notes": [sound.TEXTS],
    "untyped_ids": bool,
    "stated": bool,
    "meaning": sound.Condition(("given", "rank", "order", "none").__contains__),
    "shape": (None, sound.row_of((None, sound.WHOLE), (None, sound.WHOLE))),
}
_WEIGHT = sound.Column("float64", (sound.FINITE, sound.NOT_NEGATIVE))
_OLD_ROWS: Json = {"stated": False}
"What pingce 0.1.0 did not write of rows."
_INTEGER = sound.Condition(
    lambda word: isinstance(word, str) and re.fullmatch(r"-?[0-9]{1,400}", word, re.ASCII) is not None
)


def rows_to_table(rows: Rows) -> pa.Table:
    """Rows with all that is known of them, but for their lines."""
    columns: dict[str, object] = {
        "query": sound.id_array(rows.query),
        "item": sound.id_array(rows.item),
        "value": pa.array(rows.value),
    }
    if rows.whole is not None:
        wide = rows.whole.dtype == object
        columns["whole"] = pa.array([str(value) for value in rows.whole]) if wide else pa.array(rows.whole)
    if rows.subtopic is not None:
        columns["subtopic"] = sound.id_array(rows.subtopic)
    if rows.weight is not None:
        columns["weight"] = pa.array(rows.weight)
    source = rows.source
    about = {
        "name": [source.name.en, source.name.zh],
        "notes": [[note.en, note.zh] for note in source.notes],
        "untyped_ids": source.untyped_ids,
        "stated": source.stated,
        "meaning": rows.meaning,
        "shape": rows.shape,
    }
    return annotate(pa.table(columns), about)


def rows_from_table(table: pa.Table) -> Rows:
    """The rows that `rows_to_table` wrote."""
    about = annotation(table, _FORM, "rows", _OLD_ROWS)
    demand(len(table), "there are no rows", "没有数据行")
    source = rows_of(Text(*about["name"]), tuple(Text(*note) for note in about["notes"]))
    return Rows(
        sound.ids_in(table, "query"),
        sound.ids_in(table, "item"),
        sound.checked_columns(table, {"value": sound.Column("float64")})["value"],
        replace(source, untyped_ids=about["untyped_ids"], stated=about["stated"]),
        about["meaning"],
        _whole(table.column("whole")) if "whole" in table.column_names else None,
        None if about["shape"] is None else tuple(about["shape"]),
        sound.ids_in(table, "subtopic") if "subtopic" in table.column_names else None,
        sound.checked_columns(table, {"weight": _WEIGHT})["weight"] if "weight" in table.column_names else None,
    )


def _whole(column: pa.ChunkedArray) -> NDArray[Any]:
    """Numbers that doubles cannot hold: 64 bits, or words."""
    if not pa.types.is_string(column.type):
        return sound.checked_column(column, "whole", sound.Column("int64 uint64"))
    words = sound.checked_value(column.to_pylist(), [_INTEGER], "whole")
    return np.array([int(word) for word in words], object)


def piece_to_tables(piece: Piece, keys: Sequence[Key]) -> dict[str, pa.Table]:
    """A table for each combination of policies, and one of the queries without judgements."""
    tables = {f"evidence {place}": piece.evidence[key].to_arrow() for place, key in enumerate(keys)}
    if piece.judged is not None:
        tables["judged items"] = pa.table({"item": sound.id_array(piece.judged)})
    return tables | {"unjudged": annotate(pa.table({"query": sound.id_array(piece.extra)}), piece.facts._asdict())}


def piece_from_tables(tables: Mapping[str, pa.Table], keys: Sequence[Key]) -> Piece:
    """What `piece_to_tables` wrote."""
    evidence = {key: RankingEvidence.from_arrow(tables[f"evidence {place}"]) for place, key in enumerate(keys)}
    first, *others = (each.queries for each in evidence.values())
    alike = all(ids.integers == first.integers and ids.to_list() == first.to_list() for ids in others)
    demand(alike, "policies differ in their queries", "各策略下的查询不同")
    if "unjudged" not in tables:  # pingce 0.1.0 kept no facts of scores
        return Piece(evidence, sound.ids_in(tables["extra"], "query"), ScoreFacts(small=False))
    facts = annotation(tables["unjudged"], SCORE_FORM, "facts", OLD_SCORES)
    judged = sound.ids_in(tables["judged items"], "item") if "judged items" in tables else None
    return Piece(evidence, sound.ids_in(tables["unjudged"], "query"), ScoreFacts(**facts), judged)


_TALLY_FORM = {
    "tally": dict.fromkeys(Tally._fields, sound.WHOLE),
    "scores": SCORE_FORM,
    "top_grade": (sound.HEXADECIMAL, sound.Condition(lambda text: text == "-inf")),
}
_COUNTS = sound.Column("uint8 uint16 uint32 uint64", (sound.COUNT,))
_FLAGS = sound.Column("uint8", (sound.FLAG,))
_VALUES = sound.Column("float64", (sound.NOT_INFINITE,))
_GRADES = {"grade": sound.Column("float64", (sound.FINITE, sound.GRADE)), "answered": sound.Column("bool")}
_DIFFERENCES = {
    "column": sound.Column("int64", (sound.COUNT,)),
    "place": sound.Column("int64", (sound.COUNT,)),
    "value": _VALUES,
}


def tally_to_tables(tally: RankingTally) -> dict[str, pa.Table]:
    """One row a query; the distinct grades; what orders of ties change; and the queries without judgements."""
    facts = tally.facts
    about = {"tally": facts.tally._asdict(), "scores": tally.scores._asdict(), "top_grade": facts.top_grade.hex()}
    columns = {"query": sound.id_array(facts.queries), "answered": facts.answered, **facts.columns, **tally.columns}
    differences = list(tally.differences.values())
    sizes = [len(each.places) for each in differences]
    ties = {
        "column": np.repeat(np.arange(len(sizes)), sizes),
        "place": np.concatenate([np.zeros(0, np.int64), *(each.places for each in differences)]),
        "value": np.concatenate([np.zeros(0), *(each.values for each in differences)]),
    }
    grades = {
        "grade": np.concatenate(facts.distinct),
        "answered": np.repeat([False, True], [len(grades) for grades in facts.distinct]),
    }
    return {
        "tally": annotate(pa.table(columns), about),
        "ties": pa.table(ties),
        "grades": pa.table(grades),
        "extra": pa.table({"query": sound.id_array(tally.extra)}),
        **counters_to_tables(tally.items),
    }


def tally_from_tables(tables: Mapping[str, pa.Table], plan: Plan) -> RankingTally:
    """What `tally_to_tables` wrote."""
    table = tables["tally"]
    about = annotation(table, _TALLY_FORM, "tally", {"scores": OLD_SCORES})
    small = dict.fromkeys((*OF_JUDGEMENTS, *list_columns(plan.cutoffs)), _COUNTS)
    small |= {"alike": _FLAGS, "first_fraction": sound.Column("float16 float64")}
    columns = sound.checked_columns(table, {"answered": sound.Column("bool"), **small})
    demand((columns["stage"] < len(STAGES)).all(), "a stage is none of those known", "有未知的阶段")
    grades = sound.checked_columns(tables["grades"], _GRADES)
    distinct = tuple(grades["grade"][grades["answered"] == answered] for answered in (False, True))
    for each in distinct:
        demand(sound.ASCENDING.holds(each), "grades are not in order", "等级未按大小排列")
    facts = KeptFacts(
        sound.checked_ids(sound.ids_in(table, "query"), "query"),
        columns.pop("answered"),
        Tally(**about["tally"]),
        columns,
        (distinct[0], distinct[1]),
        float.fromhex(about["top_grade"]),
    )
    extra, scores = sound.ids_in(tables["extra"], "query"), ScoreFacts(**about["scores"])
    if not len(facts):
        return RankingTally(facts, {}, {}, extra, scores)
    columns, names = _metric_columns(table, plan)
    items = tuple(counters_from_tables(tables, list(plan.displays.values())))
    return RankingTally(facts, columns, _differences(tables["ties"], names, len(facts)), extra, scores, items)


def _metric_columns(table: pa.Table, plan: Plan) -> tuple[dict[str, NDArray[Any]], list[str]]:
    """The columns of metrics, and the names of those that are kept as differences."""
    kinds = {f"answered {place}": sound.Column("bool") for place in range(len(plan.keys))}
    if plan.of_items:
        kinds |= {f"returned {place}": _COUNTS for place in range(len(plan.keys))}
    names = []
    for place, (metric, _) in enumerate(plan.entries):
        if metric.is_whole:
            continue
        parts = [str(place), *(name for name in table.column_names if name.startswith(f"{place}."))]
        kinds |= dict.fromkeys(parts, _VALUES)
        names += [f"{part} {ties}" for ties in ends_of(metric) for part in parts]
        if ends_of(metric):
            kinds[f"{place} apart"] = _FLAGS
        if f"{place} weight" in table.column_names:
            kinds[f"{place} weight"] = _VALUES
    return sound.checked_columns(table, kinds), names


def _differences(table: pa.Table, names: list[str], size: int) -> dict[str, Differences]:
    column, place, value = (sound.checked_column(table.column(name), name, kind) for name, kind in _DIFFERENCES.items())
    inside = (place < size).all() and (column < len(names)).all()
    demand(inside, "ties change a query that is not there", "并列影响的查询不存在")
    ordered = np.diff(column) > 0
    demand(((np.diff(column) == 0) & (np.diff(place) > 0) | ordered).all(), "ties are not in order", "并列未按顺序排列")
    begin = np.searchsorted(column, np.arange(len(names) + 1))
    return {
        name: Differences(place[begin[i] : begin[i + 1]], value[begin[i] : begin[i + 1]])
        for i, name in enumerate(names)
    }
