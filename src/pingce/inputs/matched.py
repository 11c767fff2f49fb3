"""Tables of predictions of the same rows: matched by an id column, or row by row; what both have must agree."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError, one_line
from pingce.base.exact import Places
from pingce.base.lazy import compute, pa
from pingce.base.records import dataclass
from pingce.base.text import Text, counted
from pingce.inputs.cells import ids
from pingce.inputs.vectors import Vector

Columns = Mapping[str, Vector]


@dataclass(frozen=True)
class Matching:
    """How rows of several files are matched."""

    id: str
    "The column that names rows."
    shared: tuple[str, ...]
    "Columns that are the same in every file: truth, weight, group, slices."
    unmatched: str = "error"

    def matched(self, tables: Sequence[Columns], files: Sequence[str]) -> tuple[list[Columns], list[Text]]:
        """The tables with the same rows in the same order, that of the first; and what was left out."""
        keys = _keys([table[self.id] for table in tables])
        for key, file in zip(keys, files, strict=True):
            self._refuse_repeated(key, file)
        places = [np.arange(len(keys[0])), *(_places(keys[0], key) for key in keys[1:])]
        common = np.flatnonzero(np.logical_and.reduce([place >= 0 for place in places]))
        notes = self._unmatched(keys, files, len(common))
        pairs = zip(tables, places, strict=True)
        chosen = [{name: column.take(place[common]) for name, column in table.items()} for table, place in pairs]

        def row_name(row: int) -> Text:
            name = one_line(f"{self.id} {keys[0][int(common[row])].as_py()!r}")
            return Text(name, name)

        for table, file in zip(chosen[1:], files[1:], strict=True):
            for name in self.shared:
                _refuse_other(chosen[0][name], table[name], (files[0], file), row_name, _IDS[1])
        return list(chosen), notes

    def _refuse_repeated(self, key: Any, file: str) -> None:
        counts = key.value_counts()
        number = counts.field("counts").to_numpy(zero_copy_only=False)
        repeated = np.flatnonzero(number > 1)
        if len(repeated):
            name, times = one_line(repr(counts.field("values")[int(repeated[0])].as_py())), number[repeated[0]]
            raise InputError(
                f"{file}: {name} stands {times} times in column '{self.id}', and {len(repeated)} ids are repeated in all; an id names "
                "one row: choose another --id, or remove the copies",
                f"{file}：列 '{self.id}' 中 {name} 出现 {times} 次，重复的编号共 {len(repeated)} 个；一个编号只对应一行："
                "请换一个 --id，或去掉重复的行",
            )

    def _unmatched(self, keys: Sequence[Any], files: Sequence[str], common: int) -> list[Text]:
        """Refuse ids that a file lacks, or count them."""
        lacking = [
            text
            for key, file in zip(keys[1:], files[1:], strict=True)
            for text in (*_lacking(keys[0], key, (files[0], file)), *_lacking(key, keys[0], (file, files[0])))
        ]
        rows = Text(f"{common} rows matched by {self.id}", f"按 {self.id} 对齐 {common} 行")
        if not lacking:
            return [rows]
        text = Text("; ".join(text.en for text in lacking), "；".join(text.zh for text in lacking))
        if self.unmatched == "drop" and common:
            return [Text(f"{rows.en}; left out: {text.en}", f"{rows.zh}；未计入：{text.zh}")]
        way = Text(
            f"give files of the same rows, or say --unmatched drop to take the {common} rows that all have",
            f"请给出相同行的文件，或用 --unmatched drop 只取共有的 {common} 行",
        )
        if not common:
            way = Text("no id is in all of them: is it the right column?", "没有共同的编号：列是否选对？")
        raise InputError(f"--id {self.id}: {text.en}; {way.en}", f"--id {self.id}：{text.zh}；{way.zh}")


def refuse_other_order(
    tables: Sequence[Columns], files: Sequence[str], shared: Sequence[str], *, of_parts: bool = False
) -> None:
    """Refuse files that are taken row by row and are not of the same rows in the same order; lines that are parts of rows have no id."""
    first, way = tables[0], _PARTS if of_parts else _IDS

    def row_name(row: int) -> Text:
        return Text(f"row {row} (from 0)", f"第 {row} 行（从 0 起）")

    for table, file in zip(tables[1:], files[1:], strict=True):
        sizes = [len(next(iter(each.values()))) for each in (first, table)]
        if sizes[0] != sizes[1]:
            raise InputError(
                f"{files[0]} has {sizes[0]} rows and {file} has {sizes[1]}; models are compared row by row: {way[0].en}",
                f"{files[0]} 有 {sizes[0]} 行，{file} 有 {sizes[1]} 行；模型按行比较：{way[0].zh}",
            )
        for name in shared:
            _refuse_other(first[name], table[name], (files[0], file), row_name, way[1])


_IDS = (
    Text(
        "name the column that identifies rows with --id, or give the same rows in the same order",
        "请用 --id 指明标识行的列，或给出行与顺序都相同的文件",
    ),
    Text("if rows only stand in another order, their --id", "若只是顺序不同，请用 --id 指明标识行的列"),
)
_PARTS = (
    Text("give the same lines, a row and a label each, in the same order", "请给出行与标签都相同、顺序也相同的各行"),
    Text("if lines only stand in another order, sort both files alike", "若只是顺序不同，请将两个文件按同样的顺序排列"),
)
"What to do where files differ: in how many rows they have, and in what these say."


def _keys(columns: Sequence[Vector]) -> list[Any]:
    """Ids as Arrow arrays of one type: integers, or strings where any file has strings."""
    keys = []
    for column in columns:
        integers = ids(column).integers
        values = pa.array(column.values) if column.is_array else column.values
        values = values.combine_chunks() if isinstance(values, pa.ChunkedArray) else values
        keys.append(values.cast(pa.int64() if integers else pa.large_string()))
    if len({key.type for key in keys}) > 1:
        keys = [key.cast(pa.large_string()) for key in keys]
    return keys


def _places(first: Any, other: Any) -> Places:
    """Where each id of the first stands in the other; -1 where it does not."""
    rows = compute.index_in(first, value_set=other)
    places: Places = compute.fill_null(rows, -1).to_numpy(zero_copy_only=False).astype(np.intp)
    return places


def _lacking(key: Any, other: Any, files: tuple[str, str]) -> Iterator[Text]:
    """How many ids of one file the other lacks, and the first of them."""
    absent = np.flatnonzero(_places(key, other) < 0)
    if len(absent):
        example = one_line(repr(key[int(absent[0])].as_py()))
        yield Text(
            f"{len(absent)} of {len(key)} ids of {files[0]} are not in {files[1]}, e.g. {example}",
            f"{files[0]} 的 {len(key)} 个编号中有 {len(absent)} 个不在 {files[1]} 中，例如 {example}",
        )


def _refuse_other(
    first: Vector, second: Vector, files: tuple[str, str], row_name: Callable[[int], Text], way: Text
) -> None:
    """Refuse rows that are the same and say different things."""
    apart = np.flatnonzero(_differ(first.values, second.values))
    if not len(apart):
        return
    row = int(apart[0])
    values = [one_line(str(column.values[row])) for column in (first, second)]
    place = row_name(row)
    raise InputError(
        f"{place.en}: column '{first.title}' is {values[0]} in {files[0]} and {values[1]} in {files[1]}, and {counted(len(apart), 'row')} "
        f"{'differs' if len(apart) == 1 else 'differ'} in all; give predictions of the same data, or, {way.en}",
        f"{place.zh}：列 '{first.title}' 在 {files[0]} 中为 {values[0]}，在 {files[1]} 中为 {values[1]}，共 {len(apart)} 行不同；"
        f"请给出同一份数据的预测；{way.zh}",
    )


def _differ(left: Any, right: Any) -> NDArray[np.bool_]:
    """Which rows are not the same; missing values are the same as missing values."""
    apart: NDArray[np.bool_]
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
        missing = np.isnan(left) & np.isnan(right) if left.dtype.kind == right.dtype.kind == "f" else False
        apart = (left != right) & ~np.asarray(missing)
        return apart
    first, second = (
        pa.chunked_array([pa.array(side)]) if isinstance(side, np.ndarray) else side for side in (left, right)
    )
    if first.type != second.type:
        first, second = first.cast(pa.large_string()), second.cast(pa.large_string())
    same = compute.fill_null(compute.equal(first, second), False)
    both = compute.and_(first.is_null(), second.is_null())
    apart = ~compute.or_(same, both).to_numpy().astype(bool)
    return apart
