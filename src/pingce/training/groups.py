"""Which rows of which data set belong together, as the caller of a booster says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pingce.base.errors import InputError
from pingce.base.records import dataclass
from pingce.training.measure import NO_GROUPS, Groups


@dataclass(frozen=True, eq=False)
class GroupSource:
    """Ids of the rows of one data set, of several by their number of rows, or by the data set itself."""

    single: Any = None
    by_rows: Mapping[int, Any] | None = None
    by_data: tuple[tuple[Any, Any], ...] = ()

    @classmethod
    def of(cls, group: Any) -> GroupSource:
        """What a caller gave: ids, a list of columns of ids, or a dict from data sets to ids."""
        if isinstance(group, Mapping):
            return cls(by_data=tuple(group.items()))
        if not isinstance(group, (list, tuple)) or not group or not all(map(_is_column, group)):
            return cls(single=group)
        by_rows: dict[int, Any] = {}
        for ids in group:
            if len(ids) in by_rows:
                raise InputError(
                    f"group= has two columns of {len(ids)} ids, so that their number does not tell which data they are of; give a dict "
                    "{data set: ids}, or watch one data set only",
                    f"group= 中有两列都是 {len(ids)} 个编号，无法由行数区分数据集；请给出字典 {{数据集: 编号}}，或只观察一个数据集",
                )
            by_rows[len(ids)] = ids
        return cls(by_rows=by_rows)

    def groups(self, rows: int, data: Any = None, sizes: Any = None) -> Groups:
        """The groups of a data set of so many rows; without ids those that it has itself, if any."""
        if self.by_data:
            ids = next((ids for each, ids in self.by_data if each is data), None)
        elif self.by_rows is not None:
            ids = self.by_rows.get(rows)
        else:
            ids = self.single
        if ids is None and (self.by_data or self.by_rows):
            raise self._unknown(rows)
        if ids is not None and len(ids) != rows:
            raise InputError(
                f"group= has {len(ids)} ids, but the data that is evaluated has {rows} rows; give one for each row, and where several data "
                "sets are watched a list with the ids of each",
                f"group= 有 {len(ids)} 个编号，而所评测的数据有 {rows} 行；请每行给出一个；若观察多个数据集，请用列表分别给出",
            )
        if ids is not None:
            return Groups(ids)
        return NO_GROUPS if sizes is None or not len(sizes) else Groups(sizes=sizes)

    def _unknown(self, rows: int) -> InputError:
        lengths = ", ".join(
            str(len(ids)) for ids in (self.by_rows or dict(enumerate(i for _, i in self.by_data))).values()
        )
        return InputError(
            f"group= has ids for data of {lengths} rows, and none for the data of {rows} rows that is evaluated; add them",
            f"group= 有 {lengths} 行数据的编号，而没有所评测的 {rows} 行数据的编号；请补上",
        )


def _is_column(value: Any) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, (str, bytes))
