"""What separates the columns of a text table: a comma (csv), a tab (tsv), or what the caller says (csv:;)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pingce.base.errors import InputError
from pingce.inputs.tables import BY_NAME, Format

if TYPE_CHECKING:
    from pingce.inputs.files import File

_PREFIX: Final = "csv:"
_WORDS: Final = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "space": " "}
LIKELY: Final = (",", "\t", ";", "|")
"Separators that people use."


def is_separated(kind: str | None) -> bool:
    """Whether the caller says what separates the columns: `csv:;`."""
    return kind is not None and kind.startswith(_PREFIX)


def delimiter_of(kind: str) -> str | None:
    """The separator of a format of tables; None for any other format."""
    return kind[len(_PREFIX) :] if is_separated(kind) else BY_NAME[kind].delimiter or None if kind in BY_NAME else None


def separated_format(separator: str) -> str:
    """The format of tables whose columns are separated so."""
    letter = _WORDS.get(separator, separator)
    if len(letter) != 1 or not letter.isascii() or letter in '"\r\n\0':
        raise InputError(
            f"separator '{separator}': give one ASCII character, e.g. --sep ';' (input_format='csv:;'), or tab; replace longer "
            "ones first, e.g. sed 's/::/\\t/g'",
            f"分隔符 '{separator}'：请给出一个 ASCII 字符，例如 --sep ';'（input_format='csv:;'），或 tab；更长的请先替换，例如 "
            "sed 's/::/\\t/g'",
        )
    return _PREFIX + letter


def format_with_separator(file: File, kind: str | None) -> Format | None:
    """The format of a table with the separator that the caller says; None where that is not in its first line."""
    if kind is None or not is_separated(kind) or file.binary_format is not None:
        return None
    kind = separated_format(kind[len(_PREFIX) :])
    letter = kind[len(_PREFIX) :]
    if letter.encode() not in file.first_line()[1]:
        return None
    return BY_NAME["tsv"] if letter == "\t" else replace(BY_NAME["csv"], name=kind, delimiter=letter)


def as_option(separator: str) -> str:
    """How a separator is said, in both ways."""
    word = "tab" if separator == "\t" else f"'{separator}'"
    return f"--sep {word} (input_format='csv:{word.strip(chr(39))}')"
