"""The files of a folder or a pattern. What cannot be looked into is refused: its rows would be missed in silence."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from glob import escape, glob, has_magic
from itertools import dropwhile
from pathlib import Path
from typing import Any, Final

from pingce.base.errors import InputError
from pingce.base.lazy import pa
from pingce.base.records import dataclass
from pingce.inputs.columns import Wanted
from pingce.inputs.content import cannot_read


def files_of(path: Path) -> list[Path] | None:
    """The files of a folder (with those below it) or of a pattern, sorted by name; None where the path is one file."""
    try:
        if path.is_dir():
            return sorted(_inside(path))
        if has_magic(str(path)) and not path.exists():
            return sorted(_matches(path))
    except OSError as problem:
        raise cannot_read(path, problem) from None
    return None


def is_hidden(path: Path) -> bool:
    """Whether it is one of those that Spark, Hive and editors leave beside the data."""
    return any(part.startswith((".", "_")) for part in path.parts)


def _inside(folder: Path) -> Iterator[Path]:
    """Files of a folder and of those below it."""
    for each in _folders(folder, (".", "_")):
        for entry in _entries(each):
            if not is_hidden(Path(entry.name)) and not entry.is_dir():
                yield _checked(entry)


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError as problem:
        raise cannot_read(folder, problem) from None


def _matches(pattern: Path) -> Iterator[Path]:
    """Files that a pattern means; where it means folders alone, their files."""
    for each in map(Path, _expanded(pattern.parent)):  # glob passes over a folder that cannot be listed
        if not is_hidden(Path(each.name)) and each.is_dir() and not os.access(each, os.R_OK | os.X_OK):
            _entries(each)
    wanted = is_hidden(Path(pattern.name))
    matches = [*map(Path, _expanded(pattern))]
    matches = [each for each in matches if wanted or not is_hidden(Path(each.name))]
    files = [_checked(each) for each in matches if not each.is_dir()]
    yield from files or dict.fromkeys(file for each in matches for file in _inside(each))


def _expanded(pattern: Path) -> list[str]:
    """What a pattern matches. Folders below `**` are gone through here: glob follows links that lead back for ever."""
    if "**" not in pattern.parts:
        return glob(str(pattern))  # noqa: PTH207 - may be absolute
    at = pattern.parts.index("**")
    rest = [*dropwhile("**".__eq__, pattern.parts[at:])]
    roots = [Path(each) for each in glob(str(Path(*pattern.parts[:at])))]  # noqa: PTH207 - may be absolute
    folders = [each for root in roots if root.is_dir() for each in _folders(root)]
    matches = [each for folder in folders for each in _expanded(Path(escape(str(folder)), *(rest or ["*"])))]
    return list(dict.fromkeys(matches if rest else [*map(str, folders), *matches]))


def _folders(root: Path, hidden: tuple[str, ...] = (".",)) -> Iterator[Path]:
    """A folder and those below it, each once. A link is followed last, unless it leads back into this folder."""
    top = os.path.realpath(root)
    visited, waiting, links = {top}, [root], deque[Path]()
    while waiting or links:
        if not waiting:
            link = links.popleft()
            real = os.path.realpath(link)
            if real in visited or Path(real).is_relative_to(top):
                continue
            visited.add(real)
            waiting.append(link)
        folder = waiting.pop()
        yield folder
        for each in _entries(folder):
            if each.name.startswith(hidden) or not each.is_dir():
                continue
            if each.is_symlink():
                links.append(each)
            elif (real := os.path.realpath(each)) not in visited:
                visited.add(real)
                waiting.append(each)


def _checked(path: Path) -> Path:
    """A file; a link to nothing, and what is no file, is refused."""
    if path.is_file():
        return path
    if path.is_symlink() and not path.exists():
        to = path.readlink()
        raise InputError(
            f"{path}: a link to {to}, which is not there; remove the link, or bring the file back",
            f"{path}：链接指向的 {to} 不存在；请删除该链接，或恢复文件",
        )
    try:
        path.stat()
    except OSError as problem:
        raise cannot_read(path, problem) from None
    raise InputError(
        f"{path}: neither a file nor a folder; move it away, or name the files to read with a pattern",
        f"{path}：既不是文件也不是文件夹；请移走，或用通配符指明要读取的文件",
    )


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
    # Folders name columns below the one that was named, or below the part of a pattern that is no pattern.
    top = path if path.is_dir() else next(parent for parent in path.parents if not has_magic(str(parent)))
    values = [_values(file, top) for file in files]
    names = dict.fromkeys(name for each in values for name in each)
    integers = frozenset(name for name in names if _are_integers(each.get(name) for each in values))
    return [(file, FolderColumns(each, integers)) for file, each in zip(files, values, strict=True)]


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


def _are_integers(values: Iterable[str | None]) -> bool:
    """Whether all that are there are integers, and some are; those beyond 64 bits stay text."""
    present = [value for value in values if value is not None]
    return bool(present) and all(
        value.isascii() and value.removeprefix("-").isdigit() and -(2**63) <= int(value) < 2**63 for value in present
    )
