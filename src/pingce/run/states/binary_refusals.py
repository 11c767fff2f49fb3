"""What a state of labels and scores refuses: metrics that lack their columns or exact scores, and pieces of other rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

import numpy as np

from pingce.base.errors import InputError, did_you_mean
from pingce.base.text import Text
from pingce.evidence.binary.pieces import BinaryPieces
from pingce.evidence.soundness import demand
from pingce.metrics.declared import registry
from pingce.metrics.grammar import MetricRequest

MOST_BINS = 1 << 24


def refuse_unbounded(metrics: Iterable[MetricRequest]) -> None:
    """Refuse metrics of which nobody can say how far off they are where scores were put into bins."""
    for request in metrics:
        if request.metric.reads_table() and not request.metric.bounded:
            names = [kind.name for kind in registry("binary").values() if kind.bounded]
            raise InputError(
                f"{request.name} needs every score: with bins= there are {', '.join(names)} and metrics that need no table of scores; "
                "leave out the one or the other",
                f"{request.name} 需要每个分数：使用 bins= 时只有 {'、'.join(names)} 以及不需要分数表的指标；请去掉其一",
            )


def refuse_lacking(metrics: Iterable[MetricRequest], grouped: bool, columns: Collection[str]) -> None:
    """Refuse metrics of groups, or of columns, that were not given."""
    for request in metrics:
        for name in request.metric.needed_columns():
            if name not in columns:
                hint, fields = did_you_mean(name, columns), request.metric.field_columns()
                words = (
                    Text("", "")
                    if fields
                    else Text("impressions, clicks, uniform, or ", " impressions、clicks、uniform，或")
                )
                raise InputError(
                    f"{request.name}: there is no column '{name}'; by= is {words.en}a column of data=, group_weight= or field={{name: values}}{hint.en}",
                    f"{request.name}：没有列 '{name}'；by= 可为{words.zh} data=、group_weight=、field={{名称: 值}} 中的一列{hint.zh}",
                )
        if not grouped and request.metric.needs == "groups":
            raise InputError(
                "gauc needs groups: say which column or array holds them with group= or --group",
                "gauc 需要分组：请用 group= 或 --group 指明哪一列是分组（如用户）",
            )


def checked_bins(bins: Any) -> int | None:
    """How many cells scores are put into."""
    if bins is None:
        return None
    if isinstance(bins, bool) or not isinstance(bins, (int, np.integer)) or not 2 <= bins <= MOST_BINS:
        raise InputError(
            f"bins={bins!r}: scores are put into 2 to {MOST_BINS} bins, a whole number, e.g. 1048576",
            f"bins={bins!r}：分箱数须为 2 到 {MOST_BINS} 的整数，例如 1048576",
        )
    return int(bins)


def exact_only(option: str) -> InputError:
    """The refusal where cells of scores are too coarse."""
    return InputError(
        f"{option} needs every score, and bins= puts scores into cells; leave one of the two out",
        f"{option} 需要每个分数，而 bins= 会把分数归入箱中；请去掉其一",
    )


def refuse_other_facts(pieces: BinaryPieces, shape: Mapping[str, str], names: Collection[object]) -> None:
    """Refuse pieces of evidence that are not of the rows that a state says it has seen."""
    facts, groups = pieces.facts, pieces.groups()
    if facts is None:
        return
    group = "none" if groups is None else "integers" if groups.groups.integers else "strings"
    kinds = (facts.score_type, "given" if facts.weighted else "none")
    same = (shape.get("scores"), shape.get("weight")) == kinds and {*facts.names} <= {*names}
    demand(same, "the facts are others than was said of them", "汇总与其描述不符")
    demand("groups" not in pieces.gather or shape.get("group") == group, "groups are missing", "缺少分组")
    filled = not {"sums", "scores"} & {*pieces.gather} or pieces.counted or bool(pieces.tables)
    demand(filled, "what was counted is missing", "缺少计数")
