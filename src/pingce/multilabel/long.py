"""Long rows: a line for each row and label, which are brought together into matrices once rows are whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pingce.base.errors import InputError, did_you_mean
from pingce.base.exact import Floats, Places
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.base.text import Text
from pingce.inputs.columns import Place, joined_place
from pingce.inputs.slices import Partition, joined_partitions
from pingce.multilabel.rows import Flags, LabelRows


@dataclass(frozen=True, eq=False)
class LabelLines:
    """Lines of some rows, of which others may follow."""

    row: pa.Array
    tag: pa.Array
    truth: Flags
    scores: NDArray[Any]
    weight: Floats | None = None
    place: Place | None = None
    by: tuple[Partition, ...] = ()

    def __len__(self) -> int:
        return len(self.truth)

    def select(self, chosen: NDArray[np.intp]) -> LabelLines:
        """Some lines."""
        return replace(
            self,
            row=self.row.take(pa.array(chosen)),
            tag=self.tag.take(pa.array(chosen)),
            truth=self.truth[chosen],
            scores=self.scores[chosen],
            weight=None if self.weight is None else self.weight[chosen],
            place=lambda line: self.place_of(int(chosen[line])),
            by=(),
        )

    def owned(self) -> LabelLines:
        """The same in memory that nobody else writes to."""
        return replace(self.select(np.arange(len(self))), place=self.place, by=self.by)

    def place_of(self, line: int) -> Text:
        """The line, in words."""
        return self.place(line) if self.place else Text(f"line {line}", f"第 {line} 条（从 0 起）")


def joined_lines(batches: Sequence[LabelLines]) -> LabelLines:
    """The lines of all batches, one after another."""
    if len(batches) == 1:
        return batches[0]
    weights = [lines.weight for lines in batches if lines.weight is not None]
    return LabelLines(
        pa.concat_arrays([lines.row for lines in batches]),
        pa.concat_arrays([lines.tag for lines in batches]),
        np.concatenate([lines.truth for lines in batches]),
        np.concatenate([lines.scores for lines in batches]),
        np.concatenate(weights) if weights else None,
        joined_place([lines.place_of for lines in batches], map(len, batches)),
        joined_partitions([lines.by for lines in batches]),
    )


def assembled(lines: LabelLines, labels: Sequence[Any] | None) -> LabelRows:
    """The matrices of lines whose rows are whole: every row has every label, once."""
    row, rows = _coded(lines.row)
    tag, names = _coded(lines.tag)
    place, order = _in_order(lines, tag, names, labels)
    tag, width = place[tag], len(order)
    cell = row * width + tag
    _refuse_repeated(lines, cell)
    if len(lines) != len(rows) * width:
        raise _missing(row, tag, (rows, order))
    line = np.empty(len(lines), np.intp)
    line[cell] = np.arange(len(lines))
    first, at = line[::width], line.reshape(-1, width)
    for column, what in _shared(lines):
        _refuse_changing(lines, column[at], at, what, rows)
    return LabelRows(
        lines.truth[at],
        lines.scores[at],
        order,
        None if lines.weight is None else lines.weight[first],
        lambda number: lines.place_of(int(first[number])),
        tuple(replace(partition, codes=partition.codes[first]) for partition in lines.by),
        declared=labels is not None,
    )


def _coded(ids: pa.Array) -> tuple[Places, list[Any]]:
    """The place of each id among the distinct ones, which stand as they first occur."""
    coded = ids.dictionary_encode()
    return coded.indices.to_numpy().astype(np.intp), coded.dictionary.to_pylist()


def _in_order(
    lines: LabelLines, tag: Places, names: list[Any], labels: Sequence[Any] | None
) -> tuple[Places, tuple[str, ...]]:
    """The column of each name, and the names by column: as `labels=` has them, else sorted."""
    column_of = {str(name): at for at, name in enumerate(sorted(names) if labels is None else labels)}
    for at, name in enumerate(names):
        if str(name) not in column_of:
            place, hint = lines.place_of(int((tag == at).argmax())), did_you_mean(str(name), column_of)
            raise InputError(
                f"{place.en}: '{name}' is not among labels= ({', '.join(list(column_of)[:8])}){hint.en}; name all labels there, or leave such lines out",
                f"{place.zh}：'{name}' 不在 labels=（{'、'.join(list(column_of)[:8])}）之中{hint.zh}；请在其中写全标签，或去掉这些条",
            )
    return np.array([column_of[str(name)] for name in names], np.intp), tuple(column_of)


def _refuse_repeated(lines: LabelLines, cell: Places) -> None:
    """Refuse a label that a row has twice."""
    order = np.argsort(cell, kind="stable")
    again = order[1:][cell[order][1:] == cell[order][:-1]]
    if len(again):
        line = int(again.min())
        place, row, tag = lines.place_of(line), lines.row[line].as_py(), lines.tag[line].as_py()
        raise InputError(
            f"{place.en}: row '{row}' has label '{tag}' twice; keep one line for each row and label ({len(again)} in all)",
            f"{place.zh}：行 '{row}' 的标签 '{tag}' 出现了两次；每行每标签只应有一条（共 {len(again)} 处）",
        )


def _missing(row: Places, tag: Places, names: tuple[list[Any], tuple[str, ...]]) -> InputError:
    """What to say of rows that lack a label."""
    rows, labels = names
    count = np.bincount(row, minlength=len(rows))
    first = int((count < len(labels)).argmax())
    lacking = next(name for at, name in enumerate(labels) if at not in set(tag[row == first].tolist()))
    absent = len(rows) * len(labels) - len(row)
    return InputError(
        f"row '{rows[first]}' has no line for label '{lacking}': each row needs a score for each of the {len(labels)} labels "
        f"({absent} of {len(rows) * len(labels)} pairs are missing); write a line with truth 0 or 1 and a score for each, and give all lines "
        "of a row",
        f"行 '{rows[first]}' 没有标签 '{lacking}' 的条：每行须有全部 {len(labels)} 个标签的分数（{len(rows) * len(labels)} 对中缺 {absent} 对）；"
        "请为每一对写出真值 0 或 1 与分数，并给全一行的各条",
    )


def _shared(lines: LabelLines) -> list[tuple[NDArray[Any], Text]]:
    """What all lines of a row must agree in."""
    weight = [] if lines.weight is None else [(lines.weight, Text("weight", "权重"))]
    return [*weight, *((each.codes, Text(f"by '{each.by}'", f"by '{each.by}'")) for each in lines.by)]


def _refuse_changing(lines: LabelLines, cells: NDArray[Any], at: Places, what: Text, rows: list[Any]) -> None:
    """Refuse a weight or slice that differs between the lines of a row."""
    odd = np.argwhere(cells != cells[:, :1])
    if len(odd):
        row, column = odd[0].tolist()
        place, name = lines.place_of(int(at[row, column])), rows[row]
        raise InputError(
            f"{place.en}: {what.en} differs between the lines of row '{name}'; it belongs to the row: write the same on all of its lines",
            f"{place.zh}：行 '{name}' 的各条{what.zh}不同；它属于整行，请在该行各条写同一个值",
        )
