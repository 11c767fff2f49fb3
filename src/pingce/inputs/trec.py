"""TREC text: four-column qrels, six-column runs, and MS MARCO's three-column runs, split at any white space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from pingce.core import native_core, thread_count
from pingce.errors import InputError
from pingce.inputs.columns import Role, Rows, Source
from pingce.inputs.ids import StringIds
from pingce.language import Text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pingce.inputs.columns import Reading
    from pingce.inputs.files import File

FEW_FIELDS, MANY_FIELDS, NOT_A_NUMBER, CARRIAGE_RETURN = 1, 2, 3, 4


@dataclass(frozen=True)
class Shape:
    """Which fields of a line are the query, the item and the number, counted from 0; a number beyond them: there is none."""

    query: int
    item: int
    value: int
    fields: int
    exact: bool
    ranked: bool
    layout: str


QRELS = Shape(0, 2, 3, 4, True, False, "query 0 item grade")
RUN = Shape(0, 2, 4, 6, False, False, "query Q0 item rank score tag")
MSMARCO_RUN = Shape(0, 1, 2, 3, True, True, "query item rank")
PAIRS = Shape(0, 1, 2, 2, False, False, "query item …")
WEIGHTS = Shape(0, 0, 1, 2, True, False, "query weight")
_FILLERS = (b"0", b"Q0")
"What stands second in TREC's files; in a table of pairs the item does."
SHAPES: dict[Role, tuple[Shape, ...]] = {
    "truth": (QRELS,),
    "run": (RUN, MSMARCO_RUN),
    "exclude": (PAIRS,),
    "weights": (WEIGHTS,),
}


def read_trec(file: File, reading: Reading) -> Rows:
    """Rows of a TREC file; the first line decides which of the shapes it has."""
    shape = _shape_of(file)
    columns = _parsed(file, shape, reading.threads)
    if file.role == "exclude":
        shape = _shape_of_pairs(file, columns)
        columns = columns if shape is PAIRS else _parsed(file, shape, reading.threads)
    item_starts = columns["item_start"]
    query = StringIds(file.content, columns["query_start"], columns["query_end"])
    item = StringIds(file.content, item_starts, columns["item_end"])
    value = -columns["value"] if shape.ranked else columns["value"]
    return Rows(query, item, value, _source(file, item_starts, shape), "rank" if shape.ranked else "given")


def _parsed(file: File, shape: Shape, threads: int | None) -> dict[str, Any]:
    core = native_core()
    if core is None:
        columns = parse_reference(file.content, shape)
    else:
        columns = core.parse_text(
            file.content, shape.query, shape.item, shape.value, shape.fields, shape.exact, thread_count(threads)
        )
    if columns["fault"]:
        raise _fault(file, shape, int(columns["fault"]), int(columns["fault_at"]))
    if not len(columns["value"]):
        raise file.empty()
    return columns


def _shape_of_pairs(file: File, columns: dict[str, Any]) -> Shape:
    """Which layout a table of pairs has: in TREC's files one and the same filler stands second in every line."""
    second = StringIds(file.content, columns["item_start"], columns["item_end"])
    found = len(file.first_line()[1].split())
    filler = second.to_bytes_of(0)
    constant = second.is_constant()
    trec = next((shape for shape in (QRELS, RUN) if found == shape.fields), None)
    if trec is None or not constant:
        return PAIRS
    if filler not in _FILLERS and len(second) > 1:
        shown = filler.decode("utf-8", "backslashreplace")
        raise InputError(
            f"{file.path}: '{shown}' stands second in every line: an item, or the filler of a TREC file? Give the file a "
            "header, or write 0 there",
            f"{file.path}：每行第二列都是 '{shown}'：是条目，还是 TREC 文件的占位？请加上表头，或将其写为 0",
        )
    return trec if filler in _FILLERS else PAIRS


def parse_reference(content: NDArray[np.uint8], shape: Shape) -> dict[str, Any]:
    """What the native parser does, in plain Python."""
    text = content.tobytes()
    rows: list[tuple[int, int, int, int, float]] = []
    start = 0
    for line in text.split(b"\n"):
        fault, row = _parse_line(text, start, line, shape)
        if fault:
            return {"fault": fault, "fault_at": start}
        if row is not None:
            rows.append(row)
        start += len(line) + 1
    names = ("query_start", "query_end", "item_start", "item_end")
    columns: dict[str, Any] = {name: np.array([row[i] for row in rows], dtype=np.int64) for i, name in enumerate(names)}
    return columns | {"value": np.array([row[4] for row in rows], dtype=np.float64), "fault": 0, "fault_at": 0}


def _parse_line(
    text: bytes, start: int, line: bytes, shape: Shape
) -> tuple[int, tuple[int, int, int, int, float] | None]:
    fields = line.split()
    if not fields:
        return 0, None
    if b"\r" in line.strip():
        return CARRIAGE_RETURN, None
    if len(fields) < shape.fields:
        return FEW_FIELDS, None
    if shape.exact and len(fields) > shape.fields:
        return MANY_FIELDS, None
    number = _to_number(fields[shape.value]) if shape.value < shape.fields else 1.0
    if number is None:
        return NOT_A_NUMBER, None
    begins = []
    at = start
    for field in fields[: shape.fields]:
        at = text.index(field, at)
        begins.append(at)
        at += len(field)
    query, item = shape.query, shape.item
    return 0, (
        begins[query],
        begins[query] + len(fields[query]),
        begins[item],
        begins[item] + len(fields[item]),
        number,
    )


def _to_number(field: bytes) -> float | None:
    if b"_" in field:
        return None
    try:
        return float(field)
    except ValueError:
        return None


def _shape_of(file: File) -> Shape:
    number, line = file.first_line()
    found = len(line.split())
    for shape in SHAPES[file.role]:
        if found == shape.fields or (not shape.exact and found > shape.fields):
            return shape
    wanted = Text(
        " or ".join(f"{shape.fields} ({shape.layout})" for shape in SHAPES[file.role]),
        " 或 ".join(f"{shape.fields} 列（{shape.layout}）" for shape in SHAPES[file.role]),
    )
    hint = _swapped_hint(file.role, found)
    who = _WHO[file.role]
    raise InputError(
        f"{file.path}:{number}: {found} columns, but {who.en} {wanted.en}{hint.en}: {_shown(line)}",
        f"{file.path}:{number}：有 {found} 列，但{who.zh} {wanted.zh}{hint.zh}：{_shown(line)}",
    )


_WHO: dict[Role, Text] = {
    "truth": Text("qrels have", "真值应为"),
    "run": Text("a run has", "预测应为"),
    "exclude": Text("excluded pairs have", "排除的条目应为"),
    "weights": Text("query weights have", "查询权重应为"),
}


def _swapped_hint(role: Role, found: int) -> Text:
    if (role == "truth" and found in (RUN.fields, MSMARCO_RUN.fields)) or (role == "run" and found == QRELS.fields):
        return Text("; are qrels and run swapped?", "；真值与预测的位置是否颠倒？")
    return Text(
        "; for a table with a header use --input-format csv or tsv", "；带表头的表格请用 --input-format csv 或 tsv"
    )


def _source(file: File, item_starts: NDArray[Any], shape: Shape) -> Source:
    def place(row: int) -> Text:
        line = file.line_number(int(item_starts[row]))
        return Text(f"{file.path}:{line}", f"{file.path}:{line}")

    layout = Text(f"{file.name.en}: {shape.layout}", f"{file.name.zh}：{shape.layout}")
    return Source(file.name, place, (layout,) if file.role == "exclude" else (), untyped_ids=True)


def _fault(file: File, shape: Shape, fault: int, at: int) -> InputError:
    line = file.line_at(at)
    fields = line.split()
    if fault == NOT_A_NUMBER:
        value = fields[shape.value].decode("utf-8", "backslashreplace")
        said = Text(f"'{value}' is not a number", f"'{value}' 不是数字")
    elif fault == CARRIAGE_RETURN:
        said = Text(
            "a carriage return inside a line; end lines with a line feed, e.g. tr '\\r' '\\n'",
            "行内有回车符；请以换行符结束每一行，例如 tr '\\r' '\\n'",
        )
    else:
        said = Text(
            f"{len(fields)} fields where {shape.fields} are needed ({shape.layout})",
            f"应有 {shape.fields} 个字段（{shape.layout}），实际为 {len(fields)} 个",
        )
    place = f"{file.path}:{file.line_number(at)}"
    return InputError(f"{place}: {said.en}: {_shown(line)}", f"{place}：{said.zh}：{_shown(line)}")


def _shown(line: bytes) -> str:
    text = line.decode("utf-8", "backslashreplace").rstrip()
    return text if len(text) <= 160 else text[:160] + "…"
