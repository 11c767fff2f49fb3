"""The bytes of a file: read whole and in parallel, never mapped, so that a file that changes cannot end the process."""

from __future__ import annotations

import codecs
import os
import stat
import sys
from collections.abc import Callable
from io import FileIO
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from pingce.base.core import thread_count
from pingce.base.errors import InputError, did_you_mean
from pingce.base.prefetch import changed, fill

_PART = 1 << 24
_MARKS: Final = {
    b"\xef\xbb\xbf": "utf-8",
    b"\xff\xfe\x00\x00": "utf-32",
    b"\x00\x00\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
"Byte-order marks, the longer ones before those they begin with."
_UNMARKED: Final = {"utf-16": "utf-16-le", "utf-32": "utf-32-le"}
"Which order of bytes is meant where no mark says it: that of Windows, on every machine."
_NOT_IN_LINES: Final = ("punycode", "idna", "utf-7", "unicode-escape", "raw-unicode-escape")
"Encodings of Python that write a line end as something else, or half a letter, or need all of a text at once."
_EAST_ASIAN: Final = ("shift_jis", "euc-jp", "euc-kr")
_ENCODINGS: Final = ("utf-8", "gb18030", "gbk", "big5", "utf-16", "utf-32", "latin-1", "cp1252", *_EAST_ASIAN)
_HIGH_BITS: Final = np.uint64(0x8080808080808080)


def is_regular(path: Path) -> bool:
    """Whether this is a file that can be read twice, unlike a pipe or standard input."""
    return str(path) != "-" and path.is_file()


def first_bytes(path: Path, count: int = 8) -> bytes:
    """How a file begins."""
    try:
        with path.open("rb", buffering=0) as file:
            return file.read(count)
    except OSError as problem:
        raise cannot_read(path, problem) from None


def read_bytes(path: Path, threads: int | None = None) -> NDArray[np.uint8]:
    """All bytes of a file, of a pipe, or, for `-`, of standard input."""
    if str(path) == "-":
        if sys.stdin is None or sys.stdin.closed:
            raise InputError(
                "-: standard input is closed; pipe the rows into it, or name a file",
                "-：标准输入已关闭；请用管道传入数据，或给出文件",
            )
        try:
            return np.frombuffer(sys.stdin.buffer.read(), dtype=np.uint8)
        except OSError as problem:
            raise cannot_read(path, problem) from None
    try:
        with path.open("rb", buffering=0) as file:
            return _read_open(file, path, thread_count(threads))
    except OSError as problem:
        raise cannot_read(path, problem) from None
    except ValueError as problem:
        if isinstance(problem, InputError):
            raise
        raise cannot_read(path, FileNotFoundError()) from None  # a path that no file can have


def _read_open(file: FileIO, path: Path, threads: int) -> NDArray[np.uint8]:
    before = os.fstat(file.fileno())
    if not stat.S_ISREG(before.st_mode):
        return np.frombuffer(file.read(), dtype=np.uint8)
    content = np.empty(before.st_size, dtype=np.uint8)
    whole = _fill(file.fileno(), content, threads)
    if not whole or changed(before, os.fstat(file.fileno())):
        raise has_changed(path)
    return content


def _fill(handle: int, content: NDArray[np.uint8], threads: int) -> bool:
    """Read parts in threads; false if the file was shorter than it said."""
    starts = range(0, len(content), _PART)
    if len(starts) < 2:
        return fill(handle, content.data, 0)
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(min(threads, len(starts))) as pool:
        return all([*pool.map(lambda start: fill(handle, content.data[start : start + _PART], start), starts)])


def has_changed(path: Path) -> InputError:
    """What to say of a file that somebody writes to while it is read."""
    return InputError(
        f"{path}: the file changed while it was read; wait until it is complete, or copy it first",
        f"{path}：文件在读取过程中被修改；请等待写入完成，或先复制一份",
    )


def cannot_read(path: Path, problem: OSError) -> InputError:
    """What to say of a file that is missing or not ours to read."""
    if isinstance(problem, FileNotFoundError):
        siblings = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
        hint = did_you_mean(path.name, siblings)
        return InputError(f"{path}: no such file{hint.en}", f"{path}：文件不存在{hint.zh}")
    reason = problem.strerror or str(problem)
    return InputError(f"{path}: cannot be read ({reason})", f"{path}：无法读取（{reason}）")


def as_utf8(path: Path, raw: NDArray[np.uint8], encoding: str | None, *, checked: bool = False) -> NDArray[np.uint8]:
    """Text in UTF-8 without a byte-order mark; what is in another encoding, or in none, is told with its line.

    Text that was `checked` is ASCII alone.
    """
    used, mark = encoding_of(raw[:4].tobytes(), encoding)
    if used == "utf-8":
        content = raw[mark:]
        if not checked:
            refuse_other_than_utf8(path, content)
        return content
    return np.frombuffer(Recoder(path, used).recode(raw.tobytes(), final=True), dtype=np.uint8)


class Recoder:
    """A text in another encoding as UTF-8, piece by piece."""

    def __init__(self, path: Path, encoding: str) -> None:
        self._path, self._encoding, self._lines = path, encoding, 0
        self._decoder = codecs.getincrementaldecoder(encoding)()

    def recode(self, data: bytes, *, final: bool) -> bytes:
        """The next bytes as UTF-8; half a letter at their end waits for the next, unless these are the final ones."""
        try:
            text = self._decoder.decode(data, final)
        except UnicodeDecodeError as problem:
            line = self._lines + problem.object[: problem.start].decode(self._encoding, "ignore").count("\n") + 1
            raise not_in(self._path, self._encoding, line, problem.object[problem.start]) from None
        try:
            recoded = text.removeprefix("\ufeff").encode()
        except UnicodeEncodeError as problem:
            line = self._lines + problem.object[: problem.start].count("\n") + 1
            raise InputError(
                f"{self._path}:{line}: half of a surrogate pair, which is no letter, in what was read as {self._encoding}; say which "
                "encoding the file has with --encoding or encoding=, or write it anew",
                f"{self._path}:{line}：按 {self._encoding} 读取时出现半个代理对，不构成字符；请用 --encoding 或 encoding= 指明文件的编码，或重新生成文件",
            ) from None
        self._lines += text.count("\n")
        return recoded


def encoding_of(head: bytes, encoding: str | None) -> tuple[str, int]:
    """The encoding of a text that begins so, and how long the byte-order mark is that UTF-8 does not need."""
    marked = next((kind for mark, kind in _MARKS.items() if head.startswith(mark)), None)
    used = _python_name(marked or encoding or "utf-8")  # a mark says it better than the caller
    used = used if marked else _UNMARKED.get(used, used)
    return used, 3 if marked == "utf-8" else 0


def refuse_other_than_utf8(path: Path, content: NDArray[np.uint8], lines_before: Callable[[], int] = lambda: 0) -> None:
    """Piece by piece, and nothing is kept: a letter may lie on both sides of a cut."""
    whole = len(content) // 8 * 8
    bits = np.bitwise_or.reduce(np.frombuffer(content[:whole], np.uint64)) if whole else np.uint64(0)
    if not (bits & _HIGH_BITS) and not (content[whole:] >= 0x80).any():  # ASCII alone
        return
    decoder = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, len(content), _PART):
        before = len(decoder.getstate()[0])
        try:
            decoder.decode(content[start : start + _PART].tobytes(), final=start + _PART >= len(content))
        except UnicodeDecodeError as problem:
            at = start - before + problem.start
            line = lines_before() + int(np.count_nonzero(content[:at] == ord("\n"))) + 1
            raise not_in(path, "utf-8", line, int(content[at])) from None


def _python_name(name: str) -> str:
    try:
        codec = codecs.lookup(name)
        "".encode(codec.name)
    except (LookupError, ValueError):
        hint = did_you_mean(name, _ENCODINGS)
        raise InputError(
            f"unknown encoding '{name}'; for example utf-8, gb18030, big5, utf-16{hint.en}",
            f"未知的编码 '{name}'；例如 utf-8、gb18030、big5、utf-16{hint.zh}",
        ) from None
    if codec.name in _NOT_IN_LINES:
        raise InputError(
            f"encoding '{name}' is not one of text in lines; use one of {', '.join(_ENCODINGS)}, or convert the file first",
            f"编码 '{name}' 不能逐行解码；请用 {'、'.join(_ENCODINGS)} 之一，或先转换文件",
        )
    return codec.name


def not_in(path: Path, encoding: str, line: int, byte: int) -> InputError:
    """What to say of a text that is in another encoding than it should be, or in none."""
    other = "gb18030" if encoding == "utf-8" else "utf-8"
    return InputError(
        f"{path}:{line}: byte 0x{byte:02x} is not {encoding}; say which encoding the file has, "
        f"e.g. --encoding {other} or encoding='{other}'",
        f"{path}:{line}：字节 0x{byte:02x} 不是 {encoding} 编码；请指明文件的编码，例如 --encoding {other} 或 encoding='{other}'",
    )
