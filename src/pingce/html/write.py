"""From material to a file that is whole or not there, and not too large to be opened."""

from __future__ import annotations

import os
from pathlib import Path

from pingce.base.atomic import refuse_suffix, write_whole
from pingce.base.errors import InputError
from pingce.base.text import Language, use_language
from pingce.base.text import language as language_in_force
from pingce.html.collect import Collected, Room
from pingce.html.material import Material
from pingce.html.page import page

LARGEST = 1_000_000
"Bytes of a file."
SUFFIXES = (".html", ".htm")


def report_path(path: str | os.PathLike[str]) -> Path:
    """Where a report goes; a name that promises anything but HTML is refused, one without a suffix is not."""
    output = Path(path)
    refuse_suffix(output, SUFFIXES)
    return output


def write_report(material: Material, path: str | os.PathLike[str], *, lang: Language | None = None) -> Path:
    """Write the page; where it would be too large, with fewer lists and then with fewer queries."""
    output = report_path(path)
    before = language_in_force()
    if lang is not None:
        use_language(lang)
    try:
        content = rendered(material)
    finally:
        if lang is not None:
            use_language(before)
    write_whole(output, content)
    return output


def rendered(material: Material) -> bytes:
    """The page as bytes."""
    collected = Collected(material)
    fixed = collected.fixed()
    room: Room | None = Room()
    while room is not None:
        content = page(collected.within(room, fixed)).encode("utf-8")
        if len(content) <= LARGEST:
            return content
        room = room.less()
    raise InputError(
        f"the report would have {len(content):,} bytes, more than {LARGEST:,}: shorten the names of models and classes, or report fewer of them",
        f"报告将有 {len(content):,} 字节，超过 {LARGEST:,}：请缩短模型与类别的名称，或减少其数量",
    )
