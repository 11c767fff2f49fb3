"""The middle form of every input: three columns, and where they came from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import EmptyInputError, InputError
from pingce.base.records import dataclass
from pingce.base.text import Text, counted
from pingce.inputs.ids import Ids, IntIds

if TYPE_CHECKING:
    from pingce.inputs.files import File

Role = Literal["truth", "run", "exclude", "train", "catalog", "items", "weights", "predictions"]
PAIR_ROLES: tuple[Role, ...] = ("exclude", "train")
"Tables of pairs (query, item) without a number."
ITEM_WEIGHT = "item_weight"
"The part that a column of the truth plays which says how much items weigh."
_WEIGHT = f"truth.{ITEM_WEIGHT}"
Meaning = Literal["given", "rank", "order", "none", "third"]
HEAD = 1000
"Rows that stand for all of a table in messages; a stream keeps as many."
ROLE_NAMES: dict[Role, Text] = {
    "truth": Text("truth", "真值"),
    "run": Text("run", "预测"),
    "exclude": Text("exclude", "排除"),
    "train": Text("train", "训练集"),
    "catalog": Text("catalogue", "目录"),
    "items": Text("items", "条目信息"),
    "weights": Text("query weights", "查询权重"),
    "predictions": Text("predictions", "预测"),
}


@dataclass(frozen=True)
class Reading:
    """How an input is to be read; None = found out from the input."""

    columns: Mapping[str, str | int] | None = None
    input_format: str | None = None
    encoding: str | None = None
    threads: int | None = None
    queries: Any = None
    "Ids for the rows of a matrix, in order; of plain columns, the query of each row."
    items: Any = None
    "Ids for the columns of a matrix, in order."
    subtopics: bool = False
    "Whether a metric asks for subtopics: the second column of TREC's qrels is one then."
    item_weight: str | int | None = None
    "The column of the truth that says how much each judged item weighs; `columns` has it then too."
    sizes: Any = None
    "Of plain columns, how many rows each query has: the rows of the first stand first."
    table: Any = None
    "One table with both sides, which are named by their columns."
    opened: dict[Path, File] = field(default_factory=dict, compare=False)
    "Files of predictions, which are asked for their columns first: a pipe can be read only once."

    def __post_init__(self) -> None:
        for name, example in (("input_format", "parquet"), ("encoding", "gb18030")):
            value = getattr(self, name)
            if not isinstance(value, (str, type(None))):
                raise InputError(
                    f"{name}={value!r}: it is a name, such as {name}='{example}'; leave it out to find out from the file",
                    f"{name}={value!r}：应为名称，例如 {name}='{example}'；不给出则由文件判断",
                )
        if self.columns is not None and not (
            isinstance(self.columns, Mapping) and all(isinstance(role, str) for role in self.columns)
        ):
            raise InputError(
                f"columns={self.columns!r}: it is a dict from roles to columns, such as columns={{'query': 'uid', 'score': 3}}",
                f"columns={self.columns!r}：应为从角色到列的字典，例如 columns={{'query': 'uid', 'score': 3}}",
            )
        if self.item_weight is not None:
            other = self.weight_column
            if other is not None and str(other) != str(self.item_weight):
                raise InputError(
                    f"item_weight={self.item_weight!r}, but columns= says item_weight={other!r}: name one column",
                    f"item_weight={self.item_weight!r}，而 columns= 中 item_weight={other!r}：请只指定一列",
                )
            object.__setattr__(self, "columns", {**(self.columns or {}), _WEIGHT: self._checked_weight()})

    def _checked_weight(self) -> str | int:
        weight = self.item_weight
        if isinstance(weight, str) or (isinstance(weight, int) and not isinstance(weight, bool)):
            return weight
        raise InputError(
            f"item_weight= is {type(weight).__name__}: it is the name of a column of the truth, such as item_weight='ipw'",
            f"item_weight= 的类型是 {type(weight).__name__}：应为真值中的列名，例如 item_weight='ipw'",
        )

    @property
    def weighs_items(self) -> bool:
        """Whether a column of the truth has weights of items."""
        return self.weight_column is not None

    @property
    def weight_column(self) -> str | int | None:
        """The column of the truth that has weights of items, whichever keyword named it; None where none was named."""
        columns = self.columns or {}
        return columns.get(_WEIGHT, columns.get(ITEM_WEIGHT))

    def read(self, data: Any, role: Role) -> Rows:
        """The rows of a truth, a run, excluded pairs or query weights, whatever holds them."""
        from pingce.inputs.ranking import read_ranking

        return read_ranking(data, role, self)


@dataclass(frozen=True)
class Wanted:
    """Columns to read; of files without types, which of them are text and which are numbers (others: as they look)."""

    columns: tuple[str, ...]
    texts: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    query: str | None = None
    "The query of a ranking, whose ids may be any bytes: it stands in many rows."


Place = Callable[[int], Text]
"Which line or row of what a row is, for messages."


@dataclass(frozen=True)
class Source:
    """Where rows came from, for messages."""

    name: Text
    place: Place
    notes: tuple[Text, ...] = ()
    untyped_ids: bool = False
    "Text files do not say whether 7 is a number or a string."
    comments: int = 0
    "Lines of text that begin with # and were passed over."
    stated: bool = False
    "Whether the caller said by name which column is the grade or the score, and so which side this is."
    item_weight: str | int | None = None
    "The column that weights of items were read from."
    numbers_items: bool = False
    "Whether an item has no id but its row, so that no two queries can have one in common."
    absolute: bool = False
    "Whether these are rows of a stream: a place says all, whichever batch the row came in, and more rows may follow."
    index: str | None = None
    "That of a search engine that all documents are in; None where nobody says, empty where they are called index/id."


def joined_place(places: Sequence[Place], sizes: Iterable[int]) -> Place:
    """Where the rows of several tables of such sizes are, one table after another."""
    begin = np.cumsum([0, *sizes]).tolist()

    def place(row: int) -> Text:
        at = bisect_right(begin, row) - 1
        return places[at](row - begin[at])

    return place


def rows_of(name: Text, notes: tuple[Text, ...] = ()) -> Source:
    """The source of an object in memory: rows are counted from 0, as its owner counts them."""
    return Source(name, lambda row: Text(f"row {row} of {name.en}", f"{name.zh}第 {row} 行（从 0 起）"), notes)


@dataclass(frozen=True, eq=False)
class Rows:
    """A truth table (value = grade) or a run (value = score, higher is better)."""

    query: Ids
    item: Ids
    value: NDArray[np.float64]
    source: Source
    meaning: Meaning = "given"
    """What `value` is: the number given, minus the rank, minus the row for an order as given, or 1 where nothing was given.

    `third` is a column of a run that only all rows together tell to be ranks or scores: it does not leave the readers.
    """
    whole: NDArray[Any] | None = None
    "Scores that are integers beyond 2^53, exactly; `value` has them rounded."
    shape: tuple[int | None, int | None] | None = None
    "How many queries there are, where they are counted and not named, and how many items, where items are columns."
    subtopic: Ids | None = None
    "The subtopic (intent) of the query that a grade is for; None: of a truth that does not tell them apart, and of runs."
    weight: NDArray[np.float64] | None = None
    "How much a judged item weighs, such as its inverse propensity; None: of a truth whose items weigh alike, and of runs."

    def __len__(self) -> int:
        return len(self.value)

    @property
    def count(self) -> int | None:
        """How many queries there are, where they are known by their place."""
        return self.shape[0] if self.shape else None

    @property
    def width(self) -> int | None:
        """How many items there are, where they are known by their column."""
        return self.shape[1] if self.shape else None

    @property
    def ordered(self) -> bool:
        """Whether the run gave no score."""
        return self.meaning in ("rank", "order")

    def describe(self, row: int) -> Text:
        """The place, query and item of a row."""
        query, item = ids_at(self.query, row), ids_at(self.item, row)
        place = self.source.place(row)
        return Text(f"{place.en} (query '{query}', item '{item}')", f"{place.zh}（查询 '{query}'，条目 '{item}'）")


def ids_at(ids: Ids, row: int) -> str:
    """One id, readable even where it is not valid UTF-8."""
    single = ids.take(np.array([row]))
    if isinstance(single, IntIds):
        return str(single.values[0])
    return single.to_bytes()[0].decode("utf-8", "backslashreplace")


def kind_of(ids: Ids) -> Text:
    """What the ids are, for messages."""
    return Text("integers", "整数") if ids.integers else Text("strings", "字符串")


def cannot_be_read(data: object, role: Role) -> InputError:
    """What to say of an object that is no input."""
    kind = type(data).__name__
    return InputError(
        f"the {ROLE_NAMES[role].en} is {kind}, which pingce cannot read; give a path, a pandas, polars or pyarrow table, "
        "any object with __arrow_c_stream__ and columns, a dict of dicts, a dict or list of lists, a matrix or tensor",
        f"无法读取 {kind} 类型的{ROLE_NAMES[role].zh}；请给出路径，pandas、polars 或 pyarrow 表，"
        "任何带 __arrow_c_stream__ 的表，嵌套字典，列表的字典或列表，矩阵或张量",
    )


def no_rows(name: Text) -> EmptyInputError:
    """What to say of a table that has columns and nothing else."""
    return EmptyInputError(f"{name.en} has no rows", f"{name.zh} 没有数据行")


LARGEST_EXACT = 2**53
"Beyond it two integers may share a double."


def too_large_for_doubles(values: NDArray[Any]) -> bool:
    """Whether two of these integers may become one double."""
    return bool(len(values)) and (int(values.max()) > LARGEST_EXACT or int(values.min()) < -LARGEST_EXACT)


def with_notes(rows: Rows, *notes: Text) -> Rows:
    """The same rows, with more to say about how they were read."""
    return replace(rows, source=replace(rows.source, notes=rows.source.notes + notes))


def comment_note(source: Source) -> tuple[Text, ...]:
    """What is to be said of lines that were passed over."""
    if not source.comments:
        return ()
    lines = counted(source.comments, "comment line")
    return (Text(f"{source.name.en}: {lines} (#) skipped", f"{source.name.zh}：跳过 {source.comments} 行注释（#）"),)


def owned(rows: Rows) -> Rows:
    """The same rows in memory of their own, where their numbers are those of an array that somebody may write to."""
    query, item = (IntIds(ids.values.copy()) if isinstance(ids, IntIds) else ids for ids in (rows.query, rows.item))
    whole = None if rows.whole is None else rows.whole.copy()
    subtopic = IntIds(rows.subtopic.values.copy()) if isinstance(rows.subtopic, IntIds) else rows.subtopic
    weight = None if rows.weight is None else rows.weight.copy()
    return replace(rows, query=query, item=item, value=rows.value.copy(), whole=whole, subtopic=subtopic, weight=weight)
