"""What the steps of an explanation must hold: lines that can be worked out again, tables that are whole, two languages."""

from __future__ import annotations

import math
import re

from pingce.base.text import Text
from pingce.explanations.derivation import Explanation, Grid, Line

CHINESE = re.compile("[\u4e00-\u9fff]")
_SIGNS = {"·": "*", "−": "-", "²": "**2", "√": "sqrt", "⌈": "ceil(", "⌉": ")"}
_KNOWN = {"sqrt": math.sqrt, "ceil": math.ceil, "ln": math.log, "abs": abs}


def last_line(found: Explanation) -> Line:
    """The line with the value."""
    line = found.steps[-1]
    assert isinstance(line, Line)
    return line


def grid(found: Explanation, key: str) -> Grid:
    """A table by its key."""
    (one,) = (step for step in found.steps if isinstance(step, Grid) and step.key == key)
    return one


def column(table: Grid, key: str) -> list[object]:
    """A column of a table by its key."""
    place = [one.key for one in table.columns].index(key)
    return [row.cells[place] for row in table.rows]


def line(found: Explanation, key: str) -> float:
    """The value of a line by its key."""
    (one,) = (step for step in found.steps if isinstance(step, Line) and step.key == key)
    assert one.value is not None
    return float(one.value)


def written(found: Explanation, lang: str = "en") -> str:
    """All sentences, titles and lines, for looking a word up."""
    return "\n".join(str(getattr(part, lang) if isinstance(part, Text) else part) for part in _texts(found))


def _texts(found: Explanation) -> list[str | Text]:
    texts: list[str | Text] = [found.title, found.question, found.formula, found.subject, *found.notes]
    for step in found.steps:
        if isinstance(step, Grid):
            texts += [step.title, *(one.title for one in step.columns), *([step.note] if step.note else [])]
        elif isinstance(step, Line):
            texts += [step.name, step.template]
        else:
            texts.append(step)
    return texts


def worked_again(one: Line) -> float:
    """The value of a line whose template is arithmetic."""
    assert isinstance(one.template, str)
    said = one.template.format(*(f"({number!r})" for number in one.numbers))
    said = re.sub(r"ln (\([^)]*\))", r"ln\1", re.sub(r"\|([^|]+)\|", r"abs(\1)", said))
    for sign, word in _SIGNS.items():
        said = said.replace(sign, word)
    return float(eval(said, {"__builtins__": {}}, _KNOWN))


def check(found: Explanation, value: float) -> None:
    """It ends in the value, bit by bit, and every step can be followed."""
    end = last_line(found)
    assert isinstance(end.value, float)
    assert end.value.hex() == found.value.hex() == value.hex(), found.id
    for step in found.steps:
        if isinstance(step, Grid):
            assert len({one.key for one in step.columns}) == len(step.columns), (found.id, step.key)
            for row in step.rows:
                assert len(row.cells) == len(step.columns), (found.id, step.key)
                assert all(cell is None or type(cell) in (str, int, float) for cell in row.cells), (found.id, row)
        elif isinstance(step, Line):
            _check_line(found, step)
    for text in _texts(found):
        if isinstance(text, Text):
            assert bool(text.en) == bool(text.zh), (found.id, text)
            assert text.en.count("{}") == text.zh.count("{}"), (found.id, text)
            assert not CHINESE.search(text.en), (found.id, text)


def _check_line(found: Explanation, one: Line) -> None:
    template = one.template.en if isinstance(one.template, Text) else one.template
    assert template.count("{}") == len(one.numbers), (found.id, one)
    finite = one.value is not None and all(math.isfinite(number) for number in (*one.numbers, one.value))
    if isinstance(one.template, str) and finite and "…" not in template:
        again = worked_again(one)
        assert math.isclose(again, float(one.value or 0), rel_tol=1e-6, abs_tol=1e-7), (found.id, one, again)


def adds_up(found: Explanation, key: str, name: str, total: float) -> None:
    """A column of a table that is written whole has a sum."""
    table = grid(found, key)
    if table.note is None:
        cells = [cell for cell in column(table, name) if isinstance(cell, (int, float))]
        assert math.isclose(math.fsum(cells), total, rel_tol=1e-9, abs_tol=1e-12), (found.id, key, name)
