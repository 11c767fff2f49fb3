"""Scores as documents: plain Python values, JSON and JSON lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from pingce import __version__
from pingce.base.json import Json
from pingce.base.tables import SCHEMA_VERSION, finite, to_json
from pingce.scores.values import Value, ends

if TYPE_CHECKING:
    from pingce.scores.base import Scores


def document(scores: Scores, *, per_query: bool = False, run: str | None = None) -> Json:
    """One run or model as plain Python values, ready for JSON."""
    out: Json = {
        "schema_version": SCHEMA_VERSION,
        "pingce_version": __version__,
        "task": scores.task,
        "metrics": [_metric_entry(scores, value) for value in scores.values_by_name.values()],
        "counts": finite(scores.counts),
        "policies": asdict(scores.policies),
        "diagnosis": finite(scores.diagnosis),
    }
    if run is not None:
        out["run"] = run
    if scores.slices is not None:
        out["slices"] = scores.slices.to_dict()
    columns = finite(scores.unit_columns()) if per_query or scores.per == "class" else {}
    if columns:
        out[f"per_{scores.per}"] = {scores.per: columns.pop(scores.per), "values": columns}
    return out


def _metric_entry(scores: Scores, value: Value) -> Json:
    entry = {
        "name": value.name,
        "id": value.id,
        "value": finite(value.value),
        value.unit: value.count,
        "undefined": value.undefined,
        "signature": scores.signature(value.name),
    }
    if value.bound is not None:
        entry |= {"bound": value.bound, "bins": scores.bins}
    if scores.confidence is not None or value.interval is not None:
        entry["interval"] = {"confidence": scores.confidence} | ends(value.interval)
    return entry


def documents(runs: Mapping[str, Scores], *, per_query: bool = False) -> Json:
    """One run as its document; several as a list of them."""
    entries = [document(scores, per_query=per_query, run=name) for name, scores in runs.items()]
    return entries[0] if len(entries) == 1 else {"schema_version": SCHEMA_VERSION, "runs": entries}


def json_lines(runs: Mapping[str, Scores], *, per_query: bool = False) -> str:
    """One line a run; with `per_query` one line a run and query."""
    lines = []
    for name, scores in runs.items():
        columns = finite(scores.unit_columns()) if per_query else {}
        ids = columns.pop(scores.per, [])
        lines += [
            {"run": name, scores.per: unit, "values": {title: column[i] for title, column in columns.items()}}
            for i, unit in enumerate(ids)
        ]
        lines += [] if per_query else [document(scores, run=name)]
    return "\n".join(to_json(line, None) for line in lines)
