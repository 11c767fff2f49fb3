"""What a ranking evaluator keeps of whole queries, as Arrow tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from pingce.base.lazy import pa
from pingce.evidence.ranking.cautions import ScoreFacts
from pingce.evidence.ranking.evidence import Tally
from pingce.evidence.ranking.facts import OF_JUDGEMENTS, STAGES, KeptFacts, list_columns
from pingce.evidence.soundness import (
    ASCENDING,
    COUNT,
    FINITE,
    FLAG,
    GRADE,
    HEXADECIMAL,
    WHOLE,
    Column,
    Condition,
    checked_column,
    checked_columns,
    checked_ids,
    checked_json,
    demand,
    id_array,
    ids_in,
)
from pingce.run.tallies import Differences, Plan, RankingTally, ends_of

_ABOUT = b"pingce.tally"
_FORM = {
    "tally": dict.fromkeys(Tally._fields, WHOLE),
    "scores": dict.fromkeys(ScoreFacts._fields, bool),
    "top_grade": (HEXADECIMAL, Condition(lambda text: text == "-inf")),
}
_COUNTS = Column("uint8 uint16 uint32 uint64", (COUNT,))
_FLAGS = Column("uint8", (FLAG,))
_VALUES = Column("float64")
_GRADES = {"grade": Column("float64", (FINITE, GRADE)), "answered": Column("bool")}
_DIFFERENCES = {"column": Column("int64", (COUNT,)), "place": Column("int64", (COUNT,)), "value": _VALUES}


def tally_to_tables(tally: RankingTally) -> dict[str, pa.Table]:
    """One row a query; the distinct grades; what orders of ties change; and the queries without judgements."""
    import pyarrow as pa

    facts = tally.facts
    about = {
        "tally": facts.tally._asdict(),
        "scores": tally.scores._asdict(),
        "top_grade": facts.top_grade.hex(),
    }
    columns = {"query": id_array(facts.queries), "answered": pa.array(facts.answered)}
    columns |= {name: pa.array(column) for name, column in (*facts.columns.items(), *tally.columns.items())}
    differences = list(tally.differences.values())
    sizes = [len(each.places) for each in differences]
    ties = {
        "column": np.repeat(np.arange(len(sizes)), sizes),
        "place": _concatenated((each.places for each in differences), np.int64),
        "value": _concatenated((each.values for each in differences), np.float64),
    }
    grades = {
        "grade": np.concatenate(facts.distinct),
        "answered": np.repeat([False, True], [len(grades) for grades in facts.distinct]),
    }
    return {
        "tally": pa.table(columns).replace_schema_metadata({_ABOUT: json.dumps(about).encode()}),
        "ties": pa.table(ties),
        "grades": pa.table(grades),
        "extra": pa.table({"query": id_array(tally.extra)}),
    }


def _concatenated(arrays: Iterable[Any], kind: Any) -> Any:
    return np.concatenate([np.zeros(0, kind), *arrays])


def tally_from_tables(tables: Mapping[str, pa.Table], plan: Plan) -> RankingTally:
    """What `tally_to_tables` wrote."""
    table = tables["tally"]
    about = checked_json((table.schema.metadata or {}).get(_ABOUT), _FORM, "tally")
    small = dict.fromkeys((*OF_JUDGEMENTS, *list_columns(plan.cutoffs)), _COUNTS)
    small |= {"alike": _FLAGS, "first_fraction": Column("float16 float64")}
    columns = checked_columns(table, {"answered": Column("bool"), **small})
    demand((columns["stage"] < len(STAGES)).all(), "a stage is none of those known", "有未知的阶段")
    grades = checked_columns(tables["grades"], _GRADES)
    distinct = tuple(grades["grade"][grades["answered"] == answered] for answered in (False, True))
    for each in distinct:
        demand(ASCENDING.holds(each), "grades are not in order", "等级未按大小排列")
    facts = KeptFacts(
        checked_ids(ids_in(table, "query"), "query"),
        columns.pop("answered"),
        Tally(**about["tally"]),
        columns,
        (distinct[0], distinct[1]),
        float.fromhex(about["top_grade"]),
    )
    extra, scores = ids_in(tables["extra"], "query"), ScoreFacts(**about["scores"])
    if not len(facts):
        return RankingTally(facts, {}, {}, extra, scores)
    columns, names = _metric_columns(table, plan)
    return RankingTally(facts, columns, _differences(tables["ties"], names, len(facts)), extra, scores)


def _metric_columns(table: pa.Table, plan: Plan) -> tuple[dict[str, Any], list[str]]:
    """The columns of metrics, and the names of those that are kept as differences."""
    kinds = {f"answered {place}": Column("bool") for place in range(len(plan.keys))}
    names = []
    for place, (metric, _) in enumerate(plan.entries()):
        parts = [str(place), *(name for name in table.column_names if name.startswith(f"{place}."))]
        kinds |= dict.fromkeys(parts, _VALUES)
        names += [f"{part} {ties}" for ties in ends_of(metric) for part in parts]
        if ends_of(metric):
            kinds[f"{place} apart"] = _FLAGS
    return checked_columns(table, kinds), names


def _differences(table: pa.Table, names: list[str], size: int) -> dict[str, Differences]:
    column, place, value = (checked_column(table.column(name), name, kind) for name, kind in _DIFFERENCES.items())
    inside = (place < size).all() and (column < len(names)).all()
    demand(inside, "ties change a query that is not there", "并列影响的查询不存在")
    ordered = np.diff(column) > 0
    demand(((np.diff(column) == 0) & (np.diff(place) > 0) | ordered).all(), "ties are not in order", "并列未按顺序排列")
    begin = np.searchsorted(column, np.arange(len(names) + 1))
    return {
        name: Differences(place[begin[i] : begin[i + 1]], value[begin[i] : begin[i + 1]])
        for i, name in enumerate(names)
    }
