"""Words in a figure: in a language that the installed fonts can write; names of models and labels are untrusted text."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

from matplotlib.font_manager import findfont, findSystemFonts, fontManager, get_font

from pingce.base.errors import one_line, refuse_other
from pingce.base.records import dataclass
from pingce.base.text import LANGUAGES, Language, Text
from pingce.base.text import language as language_in_force

_LATIN = "DejaVu Sans"
"It comes with matplotlib."
_CHINESE = (
    "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN", "Noto Sans CJK",
    "Source Han Sans", "PingFang SC", "Microsoft YaHei", "WenQuanYi Micro Hei", "WenQuanYi Zen Hei", "SimHei",
    "Heiti SC", "Hiragino Sans GB", "STHeiti", "Noto Serif CJK", "Source Han Serif", "SimSun", "Arial Unicode MS",
    "Droid Sans Fallback",
)  # fmt: skip
"Fonts with Chinese characters, by the beginning of their names, the preferred ones first."
_FILES = re.compile(r"cjk|sourcehan|pingfang|msyh|wqy|simhei|simsun|heiti|hiragino|droidsansfallback|notosanssc")
"In the names of their files."
_LONGEST = 40


class TextStyle(TypedDict):
    """Settings of Matplotlib that every text has."""

    fontfamily: list[str]
    parse_math: bool
    usetex: bool


@dataclass(frozen=True)
class Lettering:
    """How words are written."""

    language: Language
    families: tuple[str, ...]

    @staticmethod
    def chosen(language: Language | None) -> Lettering:
        """The language asked for; English where no font can write Chinese."""
        if language is not None:
            refuse_other("language", language, LANGUAGES)
        wanted, chinese = language or language_in_force(), chinese_font()
        if chinese is None:
            return Lettering("en", (_LATIN,))
        return Lettering(wanted, (chinese, _LATIN) if wanted == "zh" else (_LATIN, chinese))

    def __call__(self, text: Text) -> str:
        """A sentence in the language of the figure."""
        return text.zh if self.language == "zh" else text.en

    def name(self, text: Any, longest: int = _LONGEST) -> str:
        """Untrusted text on one line, no longer than it should be; characters that no font has are shown as escapes."""
        fonts = [get_font(findfont(family)) for family in self.families]
        letters = (
            letter
            if any(font.get_char_index(ord(letter)) for font in fonts)
            else letter.encode("unicode_escape").decode()
            for letter in one_line(str(text))
        )
        line = "".join(letters)
        return line if len(line) <= longest else line[: longest - 1] + "…"

    @property
    def style(self) -> TextStyle:
        """These fonts, and no formulas, whatever dollars and underscores it holds."""
        return {"fontfamily": list(self.families), "parse_math": False, "usetex": False}


def chinese_font() -> str | None:
    """The best installed font with Chinese characters."""
    return _known_font() or (_known_font() if _add_new_fonts() else None)


def _known_font() -> str | None:
    present = sorted({entry.name for entry in fontManager.ttflist})
    return next((name for wanted in _CHINESE for name in present if name.startswith(wanted)), None)


@cache
def _add_new_fonts() -> bool:
    """matplotlib remembers the fonts it saw first: those that were installed since are made known, if they look Chinese."""
    files = {entry.fname for entry in fontManager.ttflist}
    likely = [path for path in findSystemFonts() if path not in files and _FILES.search(Path(path).name.lower())]
    for path in sorted(likely):
        with suppress(OSError, RuntimeError):  # a file that is no font after all
            fontManager.addfont(path)
    return bool(likely)
