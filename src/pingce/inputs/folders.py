"""The files of a folder or a pattern. What cannot be looked into is refused: its rows would be missed in silence."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from glob import escape, glob, has_magic
from itertools import dropwhile
from pathlib import Path

from pingce.base.errors import InputError
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
    _refuse_unreadable(pattern)
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


def _refuse_unreadable(pattern: Path) -> None:
    """Refuse a folder that the pattern goes through and that cannot be listed: glob passes over it."""
    for each in map(Path, _expanded(pattern.parent)):
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
