"""Every sentence pingce says exists in Chinese and in English; this is where one of the two is chosen."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextvars import ContextVar
from typing import Final, Literal, NamedTuple

Language = Literal["zh", "en"]

LANGUAGES: Final[tuple[Language, ...]] = ("zh", "en")
_chosen: ContextVar[Language | None] = ContextVar("pingce_language", default=None)


class Text(NamedTuple):
    """One sentence in both languages."""

    en: str
    zh: str

    def __str__(self) -> str:
        return self.zh if language() == "zh" else self.en


class Words(dict[str, str]):
    """A text by language, "en" and "zh", as documents have it; printed, it is the text in the language in force."""

    @classmethod
    def of(cls, text: Text) -> Words:
        """Both languages of a text."""
        return cls(en=text.en, zh=text.zh)

    def __str__(self) -> str:
        return self[language()]


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """A number with its English noun: 1 item, 2 items."""
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def listed(names: Iterable[str]) -> Text:
    """Names one after another: English and Chinese each have their comma."""
    names = list(names)
    return Text(", ".join(names), "、".join(names))


def paragraph(sentences: Iterable[Text]) -> Text:
    """Sentences one after another: English has spaces between them."""
    sentences = list(sentences)
    return Text(" ".join(sentence.en for sentence in sentences), "".join(sentence.zh for sentence in sentences))


def headed(head: object, text: object) -> str:
    """A line that says of whom it speaks: English and Chinese each have their colon."""
    return str(Text(f"{head}: {text}", f"{head}：{text}"))


def use_language(lang: Language | None) -> None:
    """Choose the language of messages and tables; None goes back to the environment's."""
    _chosen.set(lang)


def language() -> Language:
    """The language in force: the chosen one, else PINGCE_LANG, else the locale's, else English."""
    chosen = _chosen.get()
    if chosen is not None:
        return chosen
    for variable in ("PINGCE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(variable, "")
        if value:
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"
