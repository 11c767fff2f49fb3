"""Columns that stand in the names of folders, as Hive, Spark and Arrow write them: campaign=3/part-0.parquet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pingce.base.errors import InputError
from pingce.inputs.columns import Wanted
from pingce.inputs.folders import files_of

if TYPE_CHECKING:
    import pyarrow as pa

_MISSING: Final = "__HIVE_DEFAULT_PARTITION__"
"What stands for a value that is null."


@dataclass(frozen=True)
class FolderColumns:
    """What the folders of a file say of all its rows. A column that the file has itself is the one that counts."""

    values: Mapping[str, str | None] = field(default_factory=dict)
    integers: frozenset[str] = frozenset()
    "Columns whose values are integers in all files of the table."

    def names(self, present: Sequence[str]) -> list[str]:
        """The columns of a file and of its folders."""
        return [*present, *(name for name in self.values if name not in present)]

    def stored(self, wanted: Wanted, present: Sequence[str]) -> Wanted:
        """The columns that come from the file."""
        outside = {name for name in self.values if name not in present}
        columns, texts, numbers = (
            tuple(name for name in names if name not in outside)
            for names in (wanted.columns, wanted.texts, wanted.numbers)
        )
        return replace(wanted, columns=columns, texts=texts, numbers=numbers)

    def completed(self, table: pa.Table, wanted: Wanted, path: Path, *, untyped: bool = False) -> pa.Table:
        """The table with those that do not; `untyped` where the file does not say what is text and what a number."""
        for name in wanted.columns:
            if name not in table.column_names:
                table = table.append_column(name, self._column(name, table.num_rows, wanted, path, untyped))
        return table if table.column_names == list(wanted.columns) else table.select(list(wanted.columns))

    def _column(self, name: str, rows: int, wanted: Wanted, path: Path, untyped: bool) -> pa.Array:
        import pyarrow as pa

        value: Any = self.values[name]
        if name in self.integers and not (untyped and name in wanted.texts):
            return pa.repeat(pa.scalar(None if value is None else int(value), pa.int64()), rows)
        if name in wanted.numbers:
            return pa.repeat(pa.scalar(_number(name, value, path), pa.float64()), rows)
        return pa.repeat(pa.scalar(value, pa.string()), rows)


NO_FOLDER_COLUMNS: Final = FolderColumns()


def _number(name: str, value: str | None, path: Path) -> float | None:
    try:
        return None if value is None else float(value)
    except ValueError:
        raise InputError(
            f"{path}: '{value}' in the folder name {name}={value} is not a number, but '{name}' must hold numbers",
            f"{path}：文件夹名 {name}={value} 中的 '{value}' 不是数字，而 '{name}' 须为数字",
        ) from None


def partitioned_files(path: Path) -> list[tuple[Path, FolderColumns]] | None:
    """The files of a folder or a pattern with what their folders say; None where the path is one file."""
    files = files_of(path)
    if files is None:
        return None
    top = _top(path)
    values = [_values(file, top) for file in files]
    names = dict.fromkeys(name for each in values for name in each)
    integers = frozenset(name for name in names if _are_integers([each.get(name) for each in values]))
    return [(file, FolderColumns(each, integers)) for file, each in zip(files, values, strict=True)]


def _top(path: Path) -> Path:
    """The folder below which folders name columns: the one that was named, or the part of a pattern that is no pattern."""
    if path.is_dir():
        return path
    return next(parent for parent in path.parents if not has_magic(str(parent)))


def _values(file: Path, top: Path) -> dict[str, str | None]:
    from urllib.parse import unquote

    values: dict[str, str | None] = {}
    for folder in file.relative_to(top).parts[:-1]:
        name, is_column, value = folder.partition("=")
        name = unquote(name)
        if not is_column or not name:
            continue
        if name in values:
            raise InputError(
                f"{file}: two folders name the column '{name}'; rename one",
                f"{file}：有两层文件夹都给出列 '{name}'；请重命名其一",
            )
        values[name] = None if value == _MISSING else unquote(value)
    return values


def _are_integers(values: Sequence[str | None]) -> bool:
    """Whether all that are there are integers, and some are; those beyond 64 bits stay text."""
    present = [value for value in values if value is not None]
    return bool(present) and all(_is_integer(value) for value in present)


def _is_integer(value: str) -> bool:
    return value.isascii() and value.removeprefix("-").isdigit() and -(2**63) <= int(value) < 2**63
