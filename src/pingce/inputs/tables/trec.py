"""TREC text: four-column qrels, six-column runs, and MS MARCO's three-column runs, split at any white space."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import native_core, thread_count
from pingce.base.errors import EmptyInputError, InputError
from pingce.base.text import Text
from pingce.inputs.columns import Reading, Rows, Source
from pingce.inputs.files import File
from pingce.inputs.ids import StringIds
from pingce.inputs.names import subtopic_note, weight_note
from pingce.inputs.tables.base import Chunked, Read
from pingce.inputs.tables.shapes import PAIRS, QRELS, RUN, Shape, printable, shape_of
from pingce.inputs.tables.text import Part, TextParts

FEW_FIELDS, MANY_FIELDS, NOT_A_NUMBER, CARRIAGE_RETURN, ROW_OR_COMMENT = 1, 2, 3, 4, 5
Parsed = dict[str, NDArray[Any] | int]
"Columns by name, how many comments there are, and what is wrong with which line."
_FILLERS = (b"0", b"Q0")
"What stands second in TREC's files; in a table of pairs the item does."


class Fields(NamedTuple):
    """Where the ids of each row stand in a text without faults, and its number."""

    query_start: NDArray[np.signedinteger[Any]]
    query_end: NDArray[np.signedinteger[Any]]
    item_start: NDArray[np.signedinteger[Any]]
    item_end: NDArray[np.signedinteger[Any]]
    value: NDArray[np.float64]
    comments: int


class TrecRows(Chunked[Rows]):
    """Rows whose layout the first line of the file decides."""

    def __init__(self, file: File, reading: Reading) -> None:
        super().__init__(file)
        self._reading = reading
        if isinstance(file, Part):
            self.meaning = shape_of(file, reading).meaning
            self._parts = TextParts(file, replace(file, first=file.first_row()), copies=1, more=40)

    def estimate(self, like: Chunked[Rows] | None = None) -> int:
        return self._parts.estimate

    def chunks(self, memory: int | None = None) -> Read[Rows]:
        self.comments = 0
        if memory is None:
            yield read_trec(self.file, self._reading), 0
        else:
            yield from self._parts.read(memory, self._read)

    def _read(self, part: Part) -> Rows:
        try:
            rows = read_trec(part, self._reading)
        except EmptyInputError as nothing:
            self.comments += nothing.comments
            raise
        self.comments += rows.source.comments
        return rows


def read_trec(file: File, reading: Reading) -> Rows:
    """Rows of a TREC file; the first line decides which of the shapes it has."""
    shape = shape_of(file, reading)
    columns = _parsed(file, shape, reading.threads)
    if shape is PAIRS:
        shape = _shape_of_pairs(file, columns)
        columns = columns if shape is PAIRS else _parsed(file, shape, reading.threads)
    item_starts, value = columns.item_start, columns.value
    query = StringIds(file.content, columns.query_start, columns.query_end)
    item = StringIds(file.content, item_starts, columns.item_end)
    if shape.meaning == "rank":
        value = -value
    elif shape.meaning == "order":
        value = -np.arange(len(value), dtype=np.float64)

    def place(row: int) -> Text:
        line = file.line_number(int(item_starts[row]))
        return Text(f"{file.path}:{line}", f"{file.path}:{line}")

    source = Source(file.name, place, _layout_notes(file, shape), untyped_ids=True, comments=columns.comments)
    rows = Rows(query, item, value, source, shape.meaning, subtopic=_subtopics(file, shape, reading.threads))
    if shape.weight is None:
        return rows
    from pingce.inputs.item_weights import weighed

    return weighed(rows, _parsed(file, replace(shape, value=shape.weight), reading.threads).value)


def _subtopics(file: File, shape: Shape, threads: int | None) -> StringIds | None:
    """The field of subtopics, which few files have: the text is parsed again for it."""
    if shape.subtopic is None:
        return None
    columns = _parsed(file, replace(shape, item=shape.subtopic), threads)
    return StringIds(file.content, columns.item_start, columns.item_end)


def _parsed(file: File, shape: Shape, threads: int | None) -> Fields:
    core = native_core()
    if core is None:
        columns = parse_reference(file.content, shape, within=file.within)
    else:
        places = shape.query, shape.item, shape.value, shape.fields, shape.exact
        early = None if file.within else file.ahead
        if early is not None and early.is_of(file.content, *places):
            columns = early.columns()
        else:
            columns = core.parse_text(file.content, *places, thread_count(threads), file.within)
    if columns["fault"]:
        raise _fault(file, shape, int(columns["fault"]), int(columns["fault_at"]))
    fields = Fields._make(columns[name] for name in Fields._fields)
    if not len(fields.value):
        raise file.empty(fields.comments)
    return fields


def _shape_of_pairs(file: File, columns: Fields) -> Shape:
    """Which layout a table of pairs has: in TREC's files one and the same filler stands second in every line."""
    second = StringIds(file.content, columns.item_start, columns.item_end)
    count = len(file.first_row()[1].split())
    filler = second.to_bytes_of(0)
    constant = second.is_constant()
    trec = next((shape for shape in (QRELS, RUN) if count == shape.fields), None)
    if trec is None or not constant:
        return PAIRS
    if filler not in _FILLERS and len(second) > 1:
        word = filler.decode("utf-8", "backslashreplace")
        raise InputError(
            f"{file.path}: '{word}' stands second in every line: an item, or the filler of a TREC file? Give the file a "
            "header, or write 0 there",
            f"{file.path}：每行第二列都是 '{word}'：是条目，还是 TREC 文件的占位？请加上表头，或将其写为 0",
        )
    return trec if filler in _FILLERS else PAIRS


def parse_reference(content: NDArray[np.uint8], shape: Shape, *, within: bool = False) -> Parsed:
    """What the native parser does, in plain Python; `within` says that rows came before this text."""
    rows: list[tuple[int, int, int, int, float]] = []
    start = comments = 0
    for line in content.tobytes().split(b"\n"):
        fields = [*re.finditer(rb"\S+", line)]
        fault, number = _fault_or_number(line, [field[0] for field in fields], shape) if fields else (0, 0.0)
        if fields and fields[0][0].startswith(b"#"):
            among_rows = bool(rows) or within
            fault = fault if fault == CARRIAGE_RETURN else ROW_OR_COMMENT if among_rows and not fault else 0
            comments += 1
        elif fields and not fault:
            ends = [start + end for place in (shape.query, shape.item) for end in fields[place].span()]
            rows.append((ends[0], ends[1], ends[2], ends[3], number))
        if fault:
            return {"fault": fault, "fault_at": start}
        start += len(line) + 1
    names = ("query_start", "query_end", "item_start", "item_end")
    columns: Parsed = {name: np.array([row[i] for row in rows], dtype=np.int64) for i, name in enumerate(names)}
    value = np.array([row[4] for row in rows], dtype=np.float64)
    return columns | {"value": value, "fault": 0, "fault_at": 0, "comments": comments}


def _fault_or_number(line: bytes, fields: list[bytes], shape: Shape) -> tuple[int, float]:
    """What is wrong with a line; where nothing is, its number."""
    if b"\r" in line.strip():
        return CARRIAGE_RETURN, 0.0
    if len(fields) < shape.fields:
        return FEW_FIELDS, 0.0
    if shape.exact and len(fields) > shape.fields:
        return MANY_FIELDS, 0.0
    word = fields[shape.value] if shape.value < shape.fields else b"1"
    try:
        return (NOT_A_NUMBER, 0.0) if b"_" in word else (0, float(word))
    except ValueError:
        return NOT_A_NUMBER, 0.0


def _layout_notes(file: File, shape: Shape) -> tuple[Text, ...]:
    """Which columns were taken, and which names had no column to mean."""
    notes = [Text(f"{file.name.en}: {shape.layout}", f"{file.name.zh}：{shape.layout}")] if shape.is_told else []
    if shape.subtopic is not None:
        notes.append(subtopic_note(file.name, str(shape.subtopic + 1)))
    if shape.weight is not None:
        notes.append(weight_note(file.name, str(shape.weight + 1)))
    if shape.unused:
        names, first = ", ".join(shape.unused), shape.unused[0].partition("=")[0]
        notes.append(
            Text(
                f"{file.name.en} has no header, so that {names} names no column of it; columns are counted from 1, e.g. --columns {file.role}.{first}=1",
                f"{file.name.zh} 没有表头，{names} 在其中没有对应的列；列从 1 起计数，例如 --columns {file.role}.{first}=1",
            )
        )
    return tuple(notes)


def _fault(file: File, shape: Shape, fault: int, at: int) -> InputError:
    line = file.line_at(at)
    fields = line.split()
    if fault == NOT_A_NUMBER:
        value = fields[shape.value].decode("utf-8", "backslashreplace")
        message = Text(f"'{value}' is not a number", f"'{value}' 不是数字")
    elif fault == CARRIAGE_RETURN:
        message = Text(
            "a carriage return inside a line; end lines with a line feed, e.g. tr '\\r' '\\n'",
            "行内有回车符；请以换行符结束每一行，例如 tr '\\r' '\\n'",
        )
    elif fault == ROW_OR_COMMENT:
        message = Text(
            "a comment (#) or a row? It has the columns of a row, and stands among rows; remove the line, or write the id "
            "without #",
            "是注释（#）还是数据行？它的列与数据行相同，且位于数据行之间；请删除该行，或去掉编号中的 #",
        )
    else:
        message = Text(
            f"{len(fields)} fields where {shape.fields} are needed ({shape.layout})",
            f"应有 {shape.fields} 个字段（{shape.layout}），实际为 {len(fields)} 个",
        )
    place = f"{file.path}:{file.line_number(at)}"
    return InputError(f"{place}: {message.en}: {printable(line)}", f"{place}：{message.zh}：{printable(line)}")
