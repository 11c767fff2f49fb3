"""Explanations as plain Python values, ready for JSON: both languages, every digit."""

from __future__ import annotations

import math

from pingce import __version__
from pingce.base.json import Json
from pingce.base.tables import SCHEMA_VERSION, Cell
from pingce.base.text import Text, Words
from pingce.explanations.derivation import Explanation, Grid, Line, Step, whole

_MOST_ROWS = 10_000
"Of a table; of longer ones the rows that count come first."


def document(it: Explanation) -> Json:
    """One explanation."""
    return {
        "schema_version": SCHEMA_VERSION,
        "pingce_version": __version__,
        "kind": "explanation",
        **{name: getattr(it, name) for name in ("metric", "id", "signature")},
        **{name: _both(getattr(it, name)) for name in ("title", "question", "formula", "subject")},
        "steps": [_step(step) for step in it.steps],
        "value": _plain(it.value),
        "notes": [_both(note) for note in it.notes],
    }


def _both(words: str | Text) -> Words:
    return Words.of(whole(words))


def _plain(value: Cell) -> Cell:
    """A number as JSON can say it: what is undefined is null, what is infinite a word."""
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "inf" if value > 0 else "-inf"
    return value


def _step(step: Step) -> Json:
    if isinstance(step, Text):
        return {"type": "text", "text": _both(step)}
    if isinstance(step, Line):
        return {
            "type": "line",
            "key": step.key,
            "name": _both(step.name),
            "template": _both(step.template),
            "numbers": [_plain(number) for number in step.numbers],
            "value": _plain(step.value),
        }
    return _table(step)


def _table(grid: Grid) -> Json:
    keys = [column.key for column in grid.columns]
    places = range(len(grid.rows))
    kept = sorted(sorted(places, key=lambda at: not grid.rows[at].counts)[:_MOST_ROWS])
    return {
        "type": "table",
        "key": grid.key,
        "title": _both(grid.title),
        "columns": [{"key": column.key, "title": _both(column.title)} for column in grid.columns],
        "rows": [
            {"counts": grid.rows[at].counts, "cells": dict(zip(keys, map(_plain, grid.rows[at].cells), strict=True))}
            for at in kept
        ],
        "rows_left_out": len(grid.rows) - len(kept),
        "note": None if grid.note is None else _both(grid.note),
    }
