"""Files that are whole or not there."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from pingce.base.errors import InputError
from pingce.base.text import Text


def refuse_suffix(output: Path, endings: Iterable[str], *, or_option: str | None = None) -> str:
    """Refuse a file name that promises another format than can be written; its suffix, if any, comes back."""
    suffix = output.suffix.lower()
    if not suffix or suffix in endings:
        return suffix
    way = Text(f", or say the format with {or_option}", f"，或用 {or_option} 指明格式") if or_option else Text("", "")
    raise InputError(
        f"{output}: {suffix} cannot be written here; give the file one of the endings {', '.join(endings)}{way.en}",
        f"{output}：此处不能写成 {suffix}；请使用后缀 {'、'.join(endings)} 之一{way.zh}",
    )


def write_whole(output: Path, content: bytes, *, follow_links: bool = True) -> None:
    """Write a temporary file beside the output and rename it; a link is written through, or refused."""
    try:
        if not follow_links:
            if output.is_symlink() or (output.exists() and not output.is_file()):
                raise InputError(
                    f"{output}: this is a link or no plain file, and is not written through; remove it, or choose another folder",
                    f"{output}：这是链接或不是普通文件，不会经由它写入；请删除它，或换一个文件夹",
                )
            _replace(output, content)  # renaming replaces a link that came in between, and never follows it
            return
        if output.exists() and not output.is_file():
            _fill(output.open("wb"), content)  # a pipe or a device cannot be replaced
        else:
            _replace(output.resolve(), content)
    except OSError as problem:
        raise InputError(
            f"{output}: cannot be written ({problem.strerror or problem})",
            f"{output}：无法写入（{problem.strerror or problem}）",
        ) from None


def _fill(file: IO[bytes], content: bytes) -> None:
    with file:
        file.write(content)


def _replace(output: Path, content: bytes) -> None:
    """All of it or nothing: readers never see half a file, and a failure leaves the old one."""
    temporary = output.parent / f".pingce-{os.urandom(8).hex()}"  # the name first: Ctrl-C may come at any moment
    try:
        _fill(temporary.open("xb"), content)
        if output.exists():
            temporary.chmod(output.stat().st_mode & 0o777)
        temporary.replace(output)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
