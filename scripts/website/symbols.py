"""The words and signs of a formula."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FUNCTIONS = {"mean", "max", "min", "exp", "ln", "log2", "median", "argmax", "argmin", "cosh", "rank", "Var", "Cov"}
_WORD = r"[A-Za-zα-ωŷȳ][A-Za-z0-9α-ωŷȳ\u0300-\u036f]*"
_SIGNS = re.compile(
    rf"""(?P<space>\s+)
    |(?P<number>\d+(?:\.\d+)?(?:e-\d+)?|½)
    |(?P<word>{_WORD}(?:-{_WORD})*(?:@[A-Za-z]\b)?)
    |(?P<text>[\u4e00-\u9fff、]+)
    |(?P<power>[²⁺⁻])
    |(?P<sign>.)""",
    re.VERBOSE,
)
_LONG = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+")
_POWERS = {"²": "2", "⁺": "+", "⁻": "−"}


@dataclass(frozen=True)
class Token:
    """A word, number or sign."""

    kind: str
    text: str
    spaced: bool = False
    "Whether there is room before it."

    @property
    def is_function(self) -> bool:
        """Whether the word is the name of a function."""
        return self.text in _FUNCTIONS


def tokens(text: str, names: frozenset[str]) -> list[Token]:
    """The formula in pieces; `names` are words with a low line that is part of them."""
    found, at = list[Token](), 0
    while at < len(text):
        name, spaced = _name_at(text, at, names), text[at - 1 : at].isspace()
        if name:
            found.append(Token("name", name, spaced))
            at += len(name)
            continue
        match = _SIGNS.match(text, at)
        assert match is not None
        at = match.end()
        kind = str(match.lastgroup)
        if kind != "space":
            found.append(Token(kind, _POWERS.get(match[0], match[0]), spaced))
    return found


def _name_at(text: str, at: int, names: frozenset[str]) -> str:
    """The longest name with a low line that begins here, and what stands after @."""
    match = _LONG.match(text, at)
    if match is None or (at and text[at - 1] in "_@"):
        return ""
    parts = match[0].split("_")
    for count in range(len(parts), 1, -1):
        name = "_".join(parts[:count])
        if name.lower() in names:
            cut = re.match(r"@[A-Za-z]\b", text[at + len(name) :])
            return name + (cut[0] if cut else "")
    return ""
