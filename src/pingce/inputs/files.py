"""Files: what format they are in, and which reader knows it. A folder or a pattern is one table in several files."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from pingce.ahead import changed
from pingce.errors import EmptyInputError, InputError, did_you_mean, first_words
from pingce.inputs.columns import Reading, Role, Rows, comment_note, with_notes
from pingce.inputs.compressed import expanded
from pingce.inputs.content import as_utf8, cannot_read, has_changed, is_regular, read_bytes
from pingce.inputs.names import asked_of, counts_column, looks_like_header, table_name
from pingce.inputs.partitions import NO_PARTITION, Partition, partitioned_files
from pingce.inputs.separators import delimiter_of, format_with_separator, is_separated
from pingce.language import Text
from pingce.lazily import cached_property

if TYPE_CHECKING:
    import pyarrow as pa
    from numpy.typing import NDArray

SUFFIXES: Final = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".feather": "feather",
    ".arrow": "feather",
}
COMPRESSED_SUFFIXES: Final = (".gz", ".bz2", ".zst")
_BLOCK: Final = 1 << 16
_IS_LETTER: Final = ~np.isin(np.arange(256), list(b" \t\n\r\v\f"))
_BINARY: Final = {b"PAR1": "parquet", b"ARROW1": "feather"}


@dataclass(frozen=True)
class File:
    """A file that exists and has content; its bytes are read, and decompressed, when first asked for."""

    path: Path
    role: Role
    encoding: str | None = None
    threads: int | None = None
    partition: Partition = field(default=NO_PARTITION, kw_only=True)
    within: bool = field(default=False, kw_only=True)
    "Whether rows of the same file came before this content."
    headerless: bool = field(default=False, kw_only=True)
    "Whether the content is known to begin with a row, not with the names of columns."

    @property
    def name(self) -> Text:
        """How messages call it."""
        return table_name(self.role, self.path.name)

    @cached_property
    def raw(self) -> NDArray[np.uint8]:
        """Its bytes after decompression."""
        found = expanded(self.path, read_bytes(self.path, self.threads))
        if not len(found):
            raise self.empty()
        return found

    @cached_property
    def content(self) -> NDArray[np.uint8]:
        """Its text in UTF-8, without a byte-order mark."""
        found = as_utf8(self.path, self.raw, self.encoding)
        if not len(found):
            raise self.empty()
        return found

    @cached_property
    def binary_format(self) -> str | None:
        """Which of the formats that are not text this is, by its first bytes, or those of what was compressed."""
        plain = _binary(self._head()) if is_regular(self.path) else None
        return plain or _binary(self.raw[:6].tobytes())

    def _head(self) -> bytes:
        try:
            with self.path.open("rb") as file:
                return file.read(6)
        except OSError as problem:
            raise cannot_read(self.path, problem) from None

    @contextmanager
    def opened(self) -> Iterator[pa.NativeFile]:
        """For Arrow's readers, which fetch only the columns they want; a file that changes meanwhile is refused."""
        import pyarrow as pa

        if "raw" in self.__dict__ or not is_regular(self.path):
            yield pa.BufferReader(pa.py_buffer(self.raw))
            return
        with self.path.open("rb") as file:
            before = os.fstat(file.fileno())
            try:
                with pa.OSFile(str(self.path)) as source:
                    yield source
            finally:
                if changed(before, os.fstat(file.fileno())):
                    raise has_changed(self.path)

    def empty(self, comments: int = 0) -> EmptyInputError:
        """What to say of a file without content, or with nothing but comments."""
        if comments:
            return EmptyInputError(
                f"{self.path}: no rows: every line begins with #, as comments do (write ids without it)",
                f"{self.path}：没有数据行：每行都以 # 开头，视为注释（编号请去掉 #）",
                comments=comments,
            )
        return EmptyInputError(f"{self.path}: the file is empty", f"{self.path}：文件是空的")

    def unreadable(self, kind: str, problem: Exception) -> InputError:
        """What to say of a file that a library gave up on: its first words, and what it was read as."""
        first = first_words(problem)
        if isinstance(problem, MemoryError):  # Arrow's is one too
            return InputError(
                f"{self.path}: not enough memory to read it ({first}); give --memory (memory=) to have it streamed "
                "(Parquet, CSV, TSV and TREC text can be), or read fewer columns and rows",
                f"{self.path}：内存不足，无法读取（{first}）；请用 --memory（memory=）流式读取（Parquet、CSV、TSV 和 TREC 文本可以），"
                "或减少列与行",
            )
        return InputError(
            f"{self.path}: not readable as {kind} ({first})", f"{self.path}：无法作为 {kind} 读取（{first}）"
        )

    def first_line(self) -> tuple[int, bytes]:
        """Number and bytes of the first line that is not blank."""
        at = self.first_at
        return self.line_number(at), self.line_at(at)

    @cached_property
    def first_at(self) -> int:
        """Where in the content the first line begins that is not blank."""
        for start in range(0, len(self.content), _BLOCK):
            letters = np.flatnonzero(_IS_LETTER[self.content[start : start + _BLOCK]])
            if len(letters):
                ends = np.flatnonzero(self.content[: start + int(letters[0])] == ord("\n"))
                return int(ends[-1]) + 1 if len(ends) else 0
        raise self.empty()

    def first_row(self) -> tuple[int, bytes]:
        """Number and bytes of the first line that is neither blank nor a comment, for text without a header."""
        at, comments = self.first_at, 0
        while at < len(self.content):
            line = self.line_at(at)
            words = line.split()
            if words and (not words[0].startswith(b"#") or b"\r" in line.strip()):
                return self.line_number(at), line
            comments += len(words) > 0
            at += len(line) + 1
        raise self.empty(comments)

    def line_at(self, at: int) -> bytes:
        """The line that begins at a byte, whatever its length."""
        step = 1 << 12
        while True:
            piece = self.content[at : at + step].tobytes()
            if b"\n" in piece or at + step >= len(self.content):
                return piece.split(b"\n", 1)[0]
            step *= 16

    def line_number(self, at: int) -> int:
        """The number of the line that holds a byte."""
        return self.numbered(int(np.count_nonzero(self.content[:at] == ord("\n"))) + 1)

    def numbered(self, line: int) -> int:
        """The number that a line of the content has in the file: another one where this is a part of it."""
        return line


def _binary(head: bytes) -> str | None:
    return next((name for magic, name in _BINARY.items() if head.startswith(magic)), None)


def read_path(path: str | os.PathLike[str], role: Role, reading: Reading) -> Rows:
    """Rows of a file, or of all files of a folder or a pattern such as part-*.parquet, one after another."""
    from pingce.inputs.ranks import resolve_third_column

    paths = partitioned_files(Path(path))
    if paths is None:
        rows = _read_file(File(Path(path), role, reading.encoding, reading.threads), reading)
        return resolve_third_column(rows)
    if not paths:
        raise InputError(
            f"{path}: no files there; hidden files and names that begin with _ are not read",
            f"{path}：其中没有文件；隐藏文件和以 _ 开头的文件不会读取",
        )
    from pingce.inputs.several import joined_rows

    parts, problem = [], None
    for each, partition in paths:
        try:
            file = File(each, role, reading.encoding, reading.threads, partition=partition)
            parts.append(_read_file(file, reading))
        except EmptyInputError as nothing:  # writers of many parts leave some without rows
            problem = nothing
    if not parts and problem is not None:
        raise problem
    rows = joined_rows(parts, table_name(role, Path(path).name), len(paths) - len(parts))
    return resolve_third_column(rows)


# Readers are imported when they are needed: a small TREC file must not wait for Arrow.
_READERS: Final = {
    "trec": ("trec", "read_trec"),
    "csv": ("delimited", "read_csv"),
    "tsv": ("delimited", "read_tsv"),
    "jsonl": ("structured", "read_jsonl"),
    "json": ("structured", "read_json"),
    "parquet": ("structured", "read_parquet"),
    "feather": ("structured", "read_feather"),
}
FORMATS: Final = tuple(_READERS)


def _read_file(file: File, reading: Reading) -> Rows:
    chosen = format_of(file, reading)
    delimiter = delimiter_of(chosen)
    if delimiter is not None:
        from pingce.inputs.delimited import read_delimited

        return read_delimited(file, reading, delimiter)
    if chosen not in _READERS:
        hint = did_you_mean(chosen, FORMATS)
        raise InputError(
            f"unknown input format '{chosen}'; known are {', '.join(FORMATS)}{hint.en}",
            f"未知的输入格式 '{chosen}'；可用 {'、'.join(FORMATS)}{hint.zh}",
        )
    module, function = _READERS[chosen]
    rows: Rows = getattr(import_module(f"pingce.inputs.{module}"), function)(file, reading)
    return with_notes(rows, *comment_note(rows.source))


def format_of(file: File, reading: Reading) -> str:
    """The format of a table: as the caller says, or as it looks."""
    stated = reading.input_format
    separated = format_with_separator(file, stated)
    return separated or (stated if stated and not is_separated(stated) else detect(file, reading.columns))


def detect(file: File, columns: Mapping[str, str | int] | None = None) -> str:
    """The format of a file: by its first bytes, then its suffix, then its first line."""
    if file.binary_format is not None:
        return file.binary_format
    suffixes = [suffix.lower() for suffix in file.path.suffixes if suffix.lower() not in COMPRESSED_SUFFIXES]
    by_suffix = SUFFIXES.get(suffixes[-1]) if suffixes else None
    if by_suffix not in (None, "tsv"):
        return str(by_suffix)
    first = file.first_line()[1]
    if first.lstrip().startswith(b"{"):
        return "jsonl"
    line = first.decode("utf-8", "backslashreplace").rstrip("\r")
    names = {word for word in map(str, (columns or {}).values()) if not counts_column(word)}
    for name, delimiter in (("tsv", "\t"), ("csv", ",")):
        fields = line.split(delimiter)
        if looks_like_header(fields, file.role) or names.intersection(fields):
            return name
    return _without_header(file, line, is_tsv=by_suffix == "tsv", columns=columns)


def _without_header(file: File, line: str, *, is_tsv: bool, columns: Mapping[str, str | int] | None) -> str:
    """The format of a text whose first line has no known names; columns that are counted may be those of any table."""
    from pingce.inputs.shapes import SHAPES

    shapes = [shape for role in ("truth", "run", file.role) for shape in SHAPES[role]]
    is_trec = len(file.first_row()[1].split()) in {shape.fields for shape in shapes}
    counts = any(map(counts_column, asked_of(file.role, columns).values()))
    if is_tsv and (not is_trec or (counts and "\t" in line)):
        return "tsv"
    return "csv" if counts and not is_trec and "," in line else "trec"
