"""Explanations as plain Python values, ready for JSON: both languages, every digit."""

from __future__ import annotations

import math
from typing import Any

from pingce import __version__
from pingce.base.text import Text
from pingce.explanations.derivation import Cell, Explanation, Grid, Line, Step

SCHEMA_VERSION = 1
_MOST_ROWS = 10_000
"Of a table; of longer ones the rows that count come first."


def document(it: Explanation) -> dict[str, Any]:
    """One explanation."""
    return {
        "schema_version": SCHEMA_VERSION,
        "pingce_version": __version__,
        "kind": "explanation",
        "metric": it.metric,
        "id": it.id,
        "signature": it.signature,
        "title": _both(it.title),
        "question": _both(it.question),
        "formula": _both(it.formula),
        "subject": _both(it.subject),
        "steps": [_step(step) for step in it.steps],
        "value": plain(it.value),
        "notes": [_both(note) for note in it.notes],
    }


def _both(words: str | Text) -> dict[str, str]:
    return {"en": words.en, "zh": words.zh} if isinstance(words, Text) else {"en": words, "zh": words}


def plain(value: Cell) -> Cell:
    """A number as JSON can say it: what is undefined is null, what is infinite a word."""
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value


def _step(step: Step) -> dict[str, Any]:
    if isinstance(step, Grid):
        return _table(step)
    if isinstance(step, Line):
        return {
            "type": "line",
            "key": step.key,
            "name": _both(step.name),
            "template": _both(step.template),
            "numbers": [plain(number) for number in step.numbers],
            "value": plain(step.value),
        }
    return {"type": "text", "text": _both(step)}


def _table(grid: Grid) -> dict[str, Any]:
    keys = [column.key for column in grid.columns]
    kept = range(len(grid.rows))
    if len(grid.rows) > _MOST_ROWS:
        first = sorted(kept, key=lambda at: not grid.rows[at].counts)[:_MOST_ROWS]
        kept = sorted(first)  # type: ignore[assignment]
    return {
        "type": "table",
        "key": grid.key,
        "title": _both(grid.title),
        "columns": [{"key": column.key, "title": _both(column.title)} for column in grid.columns],
        "rows": [
            {"counts": grid.rows[at].counts, "cells": dict(zip(keys, map(plain, grid.rows[at].cells), strict=True))}
            for at in kept
        ],
        "rows_left_out": len(grid.rows) - len(kept),
        "note": None if grid.note is None else _both(grid.note),
    }
