"""The files of a folder or a pattern. What cannot be looked into is refused: its rows would be missed in silence."""

from __future__ import annotations

import os
from collections.abc import Iterator
from glob import glob, has_magic
from pathlib import Path

from pingce.errors import InputError
from pingce.inputs.content import cannot_read


def files_of(path: Path) -> list[Path] | None:
    """The files of a folder (with those below it) or of a pattern, sorted by name; None where the path is one file."""
    if path.is_dir():
        return sorted(_inside(path))
    if has_magic(str(path)) and not path.exists():
        return sorted(_matches(path))
    return None


def is_hidden(path: Path) -> bool:
    """Whether it is one of those that Spark, Hive and editors leave beside the data."""
    return any(part.startswith((".", "_")) for part in path.parts)


def _inside(folder: Path) -> Iterator[Path]:
    """Files of a folder and of those below it. A link to a folder is followed, once, unless it leads back into this one."""
    visited = {os.path.realpath(folder)}
    waiting = [folder]
    while waiting:
        for each in _entries(waiting.pop()):
            if is_hidden(Path(each.name)):
                continue
            if not each.is_dir():
                yield _checked(each)
            elif not each.is_symlink() or _leads_away(each, folder, visited):
                visited.add(os.path.realpath(each))
                waiting.append(each)


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError as problem:
        raise cannot_read(folder, problem) from None


def _leads_away(link: Path, folder: Path, visited: set[str]) -> bool:
    """Whether a linked folder holds what would not be read otherwise."""
    real = os.path.realpath(link)
    return real not in visited and not Path(real).is_relative_to(os.path.realpath(folder))


def _matches(pattern: Path) -> Iterator[Path]:
    """Files that a pattern means; where it means folders alone, their files."""
    _refuse_unreadable(pattern)
    wanted = is_hidden(Path(pattern.name))
    matches = [Path(each) for each in glob(str(pattern), recursive=True)]  # noqa: PTH207 - may be absolute
    matches = [each for each in matches if wanted or not is_hidden(Path(each.name))]
    files = [_checked(each) for each in matches if not each.is_dir()]
    yield from files or dict.fromkeys(file for each in matches for file in _inside(each))


def _refuse_unreadable(pattern: Path) -> None:
    """Refuse a folder that the pattern goes through and that cannot be listed: glob passes over it."""
    for each in map(Path, glob(str(pattern.parent), recursive=True)):  # noqa: PTH207 - may be absolute
        if not is_hidden(Path(each.name)) and each.is_dir() and not os.access(each, os.R_OK | os.X_OK):
            _entries(each)


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
