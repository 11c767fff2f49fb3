"""What goes wrong, said in one sentence that names the place, the value and the way out."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterable

from pingce.base.addresses import public_text
from pingce.base.text import Text


def one_line(text: str) -> str:
    """Text that cannot break a line, a table or a terminal: control characters are shown, not sent."""
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in text)


_FRONT, _BACK = 1200, 300


def _cut(text: str) -> str:
    """The place at the front and the way out at the end, whatever stands between."""
    return text if len(text) <= _FRONT + _BACK else f"{text[:_FRONT]} … {text[-_BACK:]}"


def sentence(text: str) -> str:
    """One line that a person can read, however long an id in it is, without secrets of addresses."""
    return _cut(one_line(_cut(public_text(text))))


class PingceError(Exception):
    """Base of all errors pingce raises on purpose: one line in each language, whatever the data holds."""

    exit_code = 2
    "Of the command that it ends."

    def __init__(self, en: str, zh: str) -> None:
        self.text = Text(sentence(en), sentence(zh))
        super().__init__(self.text.en)

    def __str__(self) -> str:
        return str(self.text)


class InputError(PingceError, ValueError):
    """The data, a file, a column, a metric name or an option is not usable as given."""


class EmptyInputError(InputError):
    """A table, a file or a list without rows."""

    def __init__(self, en: str, zh: str, *, comments: int = 0) -> None:
        super().__init__(en, zh)
        self.comments = comments
        "Lines of a text that were passed over."


def nothing_seen() -> EmptyInputError:
    """Of an evaluator without rows."""
    return EmptyInputError(
        "the evaluator has seen no rows; give it some with update()", "评测器还没有数据；请先用 update() 给出"
    )


def rows_not_kept() -> InputError:
    """What to say where only the rows would tell, and their sums are left."""
    return InputError(
        "this needs the rows, but they were added up batch by batch and not kept; evaluate all of them in one call",
        "这里需要逐行数据，而各批数据累加后没有保留；请对全部数据一次评测",
    )


def beyond_32_bits(count: int) -> InputError:
    """What to say of more rows, ids or queries in one place than the core can count."""
    return InputError(
        f"{count} ids or rows of one group in one call are more than 32 bits can count (4294967294); give them in "
        "batches, by queries or groups, to an evaluator with split='never'",
        f"一次调用中有 {count} 个编号，或某分组有这么多行，超出 32 位计数（4294967294）；请按查询或分组分批交给"
        "评测器，并设 split='never'",
    )


class PingceWarning(UserWarning):
    """The number is right, but it may not mean what its reader thinks."""


_PACKAGE = __file__.removesuffix("base/errors.py").removesuffix("base\\errors.py")


def warn_user(text: object, kind: type[Warning] = PingceWarning) -> None:
    """Warn at the line of the caller's code: that of the first frame outside pingce, however deep the call is.

    Frames are told by their files: a doctest of pingce is outside, `python -m pingce` is inside.
    """
    frame = caller = sys._getframe(1)
    while caller.f_code.co_filename.startswith(_PACKAGE) and caller.f_back is not None:
        caller = caller.f_back
    if caller.f_code.co_filename.startswith(_PACKAGE):  # a thread or a process of pingce's
        caller = frame
    names = caller.f_globals
    warnings.warn_explicit(
        kind(public_text(str(text))),
        kind,
        caller.f_code.co_filename,
        caller.f_lineno,
        names.get("__name__", "<string>"),
        names.setdefault("__warningregistry__", {}),
    )


def first_words(problem: Exception) -> str:
    """The first line of a library's message; its kind where it has none."""
    return (str(problem).splitlines() or [type(problem).__name__])[0]


def library_words(problem: Exception) -> str:
    """The first words of what a library says of data; that there is not enough memory is no fault of the data."""
    if isinstance(problem, MemoryError):  # Arrow's is one too
        raise problem
    return first_words(problem)


def nearest(wanted: str, words: Iterable[str]) -> str | None:
    """The known word that `wanted` was probably meant to be."""
    import difflib

    close = difflib.get_close_matches(wanted.lower(), list(words), n=1, cutoff=0.55)
    return close[0] if close else None


def did_you_mean(wanted: str, words: Iterable[str]) -> Text:
    """A closing clause that names the nearest known word, or nothing."""
    close = nearest(wanted, words)
    return Text(f"; did you mean '{close}'?", f"；您是不是想写 '{close}'？") if close else Text("", "")


def refuse_other(name: str, value: object, choices: Iterable[str]) -> None:
    """Refuse a value of a keyword that is none of its choices."""
    words = list(choices)
    if value not in words:
        hint = did_you_mean(str(value), words)
        raise InputError(
            f"{name}={value!r}: choose one of {', '.join(words)}{hint.en}",
            f"{name}={value!r}：可选 {'、'.join(words)}{hint.zh}",
        )


def is_whole(value: object, least: int, most: float = float("inf")) -> bool:
    """Whether a value is a whole number, of Python or NumPy, from `least` to `most`; a truth value is none."""
    from numbers import Integral

    return not isinstance(value, bool) and isinstance(value, Integral) and least <= int(value) <= most
