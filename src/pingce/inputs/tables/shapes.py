"""Layouts of text without a header: TREC's own, MS MARCO's, or columns that the caller counts from 1."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.columns import ITEM_WEIGHT, PAIR_ROLES, Meaning, Reading, Role
from pingce.inputs.early import RUN_PLACES
from pingce.inputs.files import File
from pingce.inputs.names import KNOWN, VALUES, column_words, counts_column, wants_no_number
from pingce.inputs.tables.detect import LIKELY, as_option

_IDS = 2
"A query and an item."
MOST_FIELDS = 64
"Fields of a line that the parsers keep; others are only counted."


@dataclass(frozen=True)
class Shape:
    """Which fields of a line are the query, the item and the number, counted from 0; a number beyond them: there is none."""

    query: int
    item: int
    value: int
    fields: int
    exact: bool
    meaning: Meaning
    layout: str
    is_told: bool = False
    "Whether a note says which columns were taken: not of the layouts that everybody knows."
    unused: tuple[str, ...] = ()
    "Names of columns that the caller gave for either table, and that this one, without a header, cannot have."
    subtopic: int | None = None
    "The field of the subtopic, where it is read."
    weight: int | None = None
    "The field of the weight of the item, likewise."


QRELS = Shape(0, 2, 3, 4, True, "given", "query 0 item grade")
_DIVERSITY = replace(QRELS, layout="query subtopic item grade", subtopic=1)
RUN = Shape(*RUN_PLACES, "given", "query Q0 item rank score tag")
SHORT_RUN = Shape(0, 1, 2, 3, True, "third", "query item rank or score")
PAIRS = Shape(0, 1, 2, 2, False, "given", "query item …", True)
WEIGHTS = Shape(0, 0, 1, 2, True, "given", "query weight")
CATALOG = Shape(0, 0, 1, 1, False, "given", "item …", True)
SHAPES: dict[Role, tuple[Shape, ...]] = {
    "truth": (QRELS,),
    "run": (RUN, SHORT_RUN),
    "exclude": (PAIRS,),
    "train": (PAIRS,),
    "catalog": (CATALOG,),
    "weights": (WEIGHTS,),
}
_WHO: dict[Role, Text] = {
    "truth": Text("qrels have", "真值应为"),
    "run": Text("a run has", "预测应为"),
    "exclude": Text("excluded pairs have", "排除的条目应为"),
    "train": Text("pairs of the past have", "训练集应为"),
    "catalog": Text("a catalogue has", "目录应为"),
    "weights": Text("query weights have", "查询权重应为"),
}


def shape_of(file: File, reading: Reading) -> Shape:
    """The layout of a file: as the caller counts its columns, else the one that its first line has."""
    number, line = file.first_row()
    columns = reading.columns
    count, words = len(line.split()), column_words(file.role, columns)
    for part, word in words.items():  # names that are meant for both tables may be the other's
        if f"{file.role}.{part}" in (columns or {}) and not _is_meant(part, word):
            raise _absent(file, part, word, count)
    if places := {part: word for part, word in words.items() if _is_meant(part, word)}:
        return _counted(file, places, count)
    usual = _usual(file.role, count)
    if usual is QRELS and reading.subtopics:
        return _DIVERSITY
    if usual is not None:
        if usual is QRELS and not file.within:
            refuse_ratings(file)
        names = words if file.role not in PAIR_ROLES else {}
        return replace(usual, unused=tuple(f"{part}={name}" for part, name in names.items())) if names else usual
    wanted = Text(
        " or ".join(f"{shape.fields} ({shape.layout})" for shape in SHAPES[file.role]),
        " 或 ".join(f"{shape.fields} 列（{shape.layout}）" for shape in SHAPES[file.role]),
    )
    who, hint = _WHO[file.role], _hint(file.role, count, printable(line))
    raise InputError(
        f"{file.path}:{number}: {count} columns, but {who.en} {wanted.en}{hint.en}: {printable(line)}",
        f"{file.path}:{number}：有 {count} 列，但{who.zh} {wanted.zh}{hint.zh}：{printable(line)}",
    )


def _usual(role: Role, count: int) -> Shape | None:
    fits = (shape for shape in SHAPES[role] if count == shape.fields or (not shape.exact and count > shape.fields))
    return next(fits, None)


def _hint(role: Role, count: int, line: str) -> Text:
    if (role == "truth" and count in (RUN.fields, SHORT_RUN.fields)) or (role == "run" and count == QRELS.fields):
        swapped = Text("; are qrels and run swapped?", "；真值与预测的位置是否颠倒？")
    else:
        swapped = Text(
            "; for a table with a header use --input-format csv or tsv", "；带表头的表格请用 --input-format csv 或 tsv"
        )
    letter = next((letter for letter in LIKELY if count < _IDS and letter in line), None)
    if letter is not None:
        option = as_option(letter)
        return Text(f"; is the separator {letter!r}? say {option}", f"；分隔符是 {letter!r} 吗？请用 {option}")
    if "::" in line and count < _IDS:
        return Text(
            "; is the separator '::'? replace it by tabs first, e.g. sed 's/::/\\t/g'",
            "；分隔符是 '::' 吗？请先替换为制表符，例如 sed 's/::/\\t/g'",
        )
    if not VALUES[role] or count < _IDS:
        return swapped
    last = f"{VALUES[role][0]}=3" if count > _IDS else _WITHOUT_NUMBER.get(role, "")
    example = f"{role}.query=1,{role}.item=2" + (f",{role}.{last}" if last else "")
    return Text(
        f"{swapped.en}{' O' if swapped.en.endswith('?') else '; o'}ther columns are counted from 1, e.g. --columns {example}",
        f"{swapped.zh}{'' if swapped.zh.endswith('？') else '；'}其他列从 1 起计数，例如 --columns {example}",
    )


_WITHOUT_NUMBER: dict[Role, str] = {"truth": "grade=none", "run": "rank=order"}
"What to say of a table that has only ids."


def _is_meant(part: str, word: str) -> bool:
    """Whether a word means something without a header: the number of a column, or that there is none."""
    return counts_column(word) or wants_no_number(part, word)


def _counted(file: File, words: Mapping[str, str], count: int) -> Shape:
    """The layout that the caller counts; what is not said is as in the usual layout, or query and item come first."""
    places = {part: int(word) - 1 for part, word in words.items() if counts_column(word)}
    for part, place in places.items():
        if not 0 <= place < min(count, MOST_FIELDS):
            raise _absent(file, part, words[part], count)
    usual = _usual(file.role, count)
    begins = PAIRS if usual is None or usual is WEIGHTS else usual
    query, item = places.get("query", begins.query), places.get("item", begins.item)
    is_alone = len(KNOWN[file.role].keys() & {"query", "item"}) < _IDS
    if is_alone:  # the one stands for the other
        query = item = places.get("query", places.get("item", begins.query))
    kind = next((part for part in VALUES[file.role] if part in places), None)
    value, meaning = (places[kind], _MEANINGS[kind]) if kind else _value_unsaid(file, usual, words)
    subtopic, weight = places.get("subtopic"), places.get(ITEM_WEIGHT)
    beside = [place for place in (subtopic, weight) if place is not None]
    if len({query, item, value, *beside}) < (2 if is_alone else 3) + len(beside):
        roles = ", ".join(f"{part}={word}" for part, word in words.items())
        raise InputError(
            f"{file.path}: one column cannot play two roles ({roles}); count the query, the item and the number each, "
            f"e.g. {file.role}.query=1,{file.role}.item=2",
            f"{file.path}：一列不能有两个角色（{roles}）；请分别指明查询、条目和数值的列，例如 {file.role}.query=1,{file.role}.item=2",
        )
    exact = count <= MOST_FIELDS and (usual is None or usual.exact)
    fields = count if exact else 1 + max(place for place in (query, item, value, *beside) if place < MOST_FIELDS)
    parts = {"query": query, "item": item} | ({kind or "value": value} if value < MOST_FIELDS else {})
    parts |= {} if subtopic is None else {"subtopic": subtopic}
    parts |= {} if weight is None else {ITEM_WEIGHT: weight}
    layout = ", ".join(f"{part}={place + 1}" for part, place in parts.items())
    number = min(value, fields)
    return Shape(query, item, number, fields, exact, meaning, layout, True, subtopic=subtopic, weight=weight)


_MEANINGS: dict[str, Meaning] = {"grade": "given", "score": "given", "rank": "rank", "weight": "given"}


def _value_unsaid(file: File, usual: Shape | None, words: Mapping[str, str]) -> tuple[int, Meaning]:
    """Where the number is, if only ids were counted: as in the usual layout; none where order, or nothing, is to count."""
    if "rank" in words:
        return MOST_FIELDS, "order"
    if "grade" in words:
        return MOST_FIELDS, "none"
    if not VALUES[file.role]:
        return MOST_FIELDS, "given"
    if usual is not None:
        return usual.value, usual.meaning
    parts = " / ".join(f"{file.role}.{part}" for part in VALUES[file.role])
    example, none = f"{file.role}.{VALUES[file.role][0]}=3", f"{file.role}.{_WITHOUT_NUMBER.get(file.role, '…')}"
    raise InputError(
        f"{file.path}: which column holds the number? Say it too, e.g. --columns {example} ({parts}), or {none} where there is none",
        f"{file.path}：哪一列是数值？请一并指明，例如 --columns {example}（{parts}），没有时用 {none}",
    )


def _absent(file: File, part: str, word: str, count: int) -> InputError:
    most = min(count, MOST_FIELDS)
    return InputError(
        f"{file.path}: no column '{word}': the text has no header, and its columns are counted from 1 to {most}, e.g. "
        f"{file.role}.{part}={most}; for a table with a header use --input-format csv or tsv",
        f"{file.path}：没有列 '{word}'：该文本没有表头，各列从 1 到 {most} 计数，例如 {file.role}.{part}={most}；带表头的表格请用 "
        "--input-format csv 或 tsv",
    )


def printable(line: bytes) -> str:
    """A line of a file, for messages."""
    text = line.decode("utf-8", "backslashreplace").rstrip()
    return text if len(text) <= 160 else text[:160] + "…"


_LOOKED_AT = 1 << 14
"Bytes by which a file is known."
_FIELDS = 4
_FILLERS = {b"0", b"Q0"}
_BEST_RATING, _EARLIEST = 10, 100_000_000
"The highest rating that is usual, and a time in seconds (1973) that no grade reaches."


def refuse_ratings(file: File) -> None:
    """Ask which columns are meant where the third field looks like a rating, or the fourth like a time."""
    at = file.first_at
    lines = file.content[at : at + _LOOKED_AT].tobytes().split(b"\n")
    lines = lines[:-1] if at + _LOOKED_AT < len(file.content) else lines
    rows = [row for line in lines if len(row := line.split()) == _FIELDS and not row[0].startswith(b"#")]
    items = {row[1] for row in rows}
    if not rows or items <= _FILLERS:
        return
    ratings = {row[2] for row in rows}
    if not (
        _all_between({row[3] for row in rows}, _EARLIEST, math.inf)
        or (len(items) > len(ratings) > 1 and _all_between(ratings, 0, _BEST_RATING))
    ):
        return
    text = b" ".join(rows[0]).decode("utf-8", "backslashreplace")
    raise InputError(
        f"{file.path}: qrels, or ratings? Its rows ({text}) look like user item rating time, not like query 0 item grade; say "
        "columns={'truth.item': 2, 'truth.grade': 3} (--columns truth.item=2,truth.grade=3), or truth.item=3,truth.grade=4 if they "
        "are qrels",
        f"{file.path}：是真值（qrels）还是评分？其数据行（{text}）像是“用户 条目 评分 时间”，而不是“query 0 item grade”；请用 "
        "columns={'truth.item': 2, 'truth.grade': 3}（--columns truth.item=2,truth.grade=3）指明；若确为真值，请用 truth.item=3,truth.grade=4",
    )


def _all_between(words: Iterable[bytes], low: float, high: float) -> bool:
    """Whether all of these are numbers from here to there."""
    try:
        return all(low <= float(word) <= high for word in words)
    except ValueError:
        return False
