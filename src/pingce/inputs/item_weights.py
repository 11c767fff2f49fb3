"""Weights of judged items, such as inverse propensities: a column of the truth, or a field of a text."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pingce.base.errors import InputError
from pingce.base.exact import Floats
from pingce.base.lazy import pa
from pingce.base.text import Text
from pingce.inputs.arrow import array_of, decoded, null_in
from pingce.inputs.cells import HEAVIEST, LIGHTEST
from pingce.inputs.columns import ROLE_NAMES, Rows, Source, with_notes

_UNJUDGED = -1.0
"The grade of an item that counts as not judged."


def weights_of(column: pa.ChunkedArray, name: str, source: Source) -> Floats:
    """The weights of a column; one that is missing is refused with its row."""
    column = decoded(column)
    if column.null_count:
        raise null_in(column, name, source)
    kind = column.type
    if pa.types.is_decimal(kind):
        column = column.cast(pa.float64())
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        raise InputError(
            f"{source.name.en}: column '{name}' has type {kind}, but weights of items must be numbers; convert it, or name another with "
            "item_weight=… / --item-weight",
            f"{source.name.zh}：列 '{name}' 的类型是 {kind}，而条目权重须为数字；请转换，或用 item_weight=… / --item-weight 指定另一列",
        )
    return np.asarray(array_of(column), dtype=np.float64)


def weighed(rows: Rows, weights: Floats) -> Rows:
    """Judgements with weights; an item that weighs nothing counts as not judged."""
    bad = np.flatnonzero(~((weights == 0) | ((weights >= LIGHTEST) & (weights <= HEAVIEST))))
    if len(bad):
        place, weight = rows.describe(int(bad[0])), weights[bad[0]]
        raise InputError(
            f"{place.en}: the weight of the item is {weight:g}; weights must be 0, or lie between {LIGHTEST:g} and {HEAVIEST:g} ({len(bad)} do not)",
            f"{place.zh}：条目权重为 {weight:g}；权重须为 0，或介于 {LIGHTEST:g} 与 {HEAVIEST:g} 之间（共 {len(bad)} 个不符）",
        )
    if rows.subtopic is not None:
        name = rows.source.name
        raise InputError(
            f"{name.en} tells subtopics apart, and weights of items have no meaning for these; leave one of the two out",
            f"{name.zh} 区分子主题，而条目权重对子主题没有意义；请去掉其一",
        )
    nothing = weights == 0
    value = np.where(nothing, _UNJUDGED, rows.value) if nothing.any() else rows.value
    return replace(rows, value=value, weight=weights)


def with_weightless(rows: Rows) -> Rows:
    """A truth that has weights, with a note of how many items weigh nothing; one without columns is refused."""
    if rows.weight is not None:
        name, count = rows.source.name, int(np.count_nonzero(rows.weight == 0))
        note = Text(
            f"{name.en}: {count} of {len(rows)} judgements have weight 0, and count as not judged",
            f"{name.zh}：{len(rows)} 条标注中有 {count} 条权重为 0，视为未标注",
        )
        return with_notes(rows, note) if count else rows
    raise InputError(
        f"item_weight= names a column of the {ROLE_NAMES['truth'].en}, and {rows.source.name.en} has none; give a table with a row per judged item: "
        "a data frame, an Arrow table, a file, or a dict of columns",
        f"item_weight= 是{ROLE_NAMES['truth'].zh}中的一列，而 {rows.source.name.zh} 没有列；请给出每行一个已标注条目的表："
        "数据框、Arrow 表、文件或由各列组成的字典",
    )
