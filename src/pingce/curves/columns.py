"""Curves of columns, as the public calls are given them."""

from __future__ import annotations

from typing import TypedDict

from pingce.curves.base import Curve
from pingce.curves.binary import curve_of
from pingce.evidence.binary.evidence import BinaryEvidence
from pingce.inputs.binary import binary_rows
from pingce.inputs.columns import Reading
from pingce.inputs.data import one_weight
from pingce.inputs.predictions import chosen
from pingce.tasks.options import Keywords, unknown_option


class CurveReading(TypedDict, total=False):
    """How columns are read: rarely needed, the same for all curves."""

    input_format: str | None
    encoding: str | None
    threads: int | None


_DATA = ("y_true", "y_score", "data", "weight", "sample_weight", "positive", "reading")


def curve_from_keywords(kind: str, keywords: Keywords) -> Curve:
    """Labels, scores and weights as `evaluate_binary` reads them, and the curve of them."""
    reading: CurveReading = keywords["reading"]
    for name in reading:
        if name not in CurveReading.__annotations__:
            call = "confusion_at_thresholds" if kind == "confusion" else f"{kind}_curve"
            names = [name for name in keywords if name not in ("y_true", "y_score", "reading")]
            raise unknown_option(name, f"pc.{call}", [*names, *CurveReading.__annotations__])
    wanted = {name: keywords[name] for name in ("y_true", "y_score")}
    wanted["weight"] = one_weight(keywords["weight"], keywords["sample_weight"])
    how = Reading(None, reading.get("input_format"), reading.get("encoding"))
    read = chosen(keywords["data"], wanted, how)
    rows = binary_rows(read["y_true"], read["y_score"], weight=read["weight"], positive=keywords["positive"])
    options = {name: value for name, value in keywords.items() if name not in _DATA}
    return curve_of(kind, BinaryEvidence(rows, ("thresholds",), threads=reading.get("threads")), **options)
