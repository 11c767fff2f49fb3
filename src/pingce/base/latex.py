"""Any text as LaTeX shows it: ids and labels are untrusted, and signs of mathematics stand outside of formulas."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from pingce.base.errors import one_line
from pingce.base.text import Text

_LETTERS = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "[": "{[}", "]": "{]}", "*": "{*}", "…": r"\dots{}", "–": "--",
}  # fmt: skip
_SIGNS = {
    "−": "-", "²": "^2", "³": "^3", "¹": "^1", "′": "'", "½": r"\frac12 ", "ŷ": r"\hat y ", "ȳ": r"\bar y ",
    "⁺": "^+", "⁻": "^-",
}  # fmt: skip
"Signs that the usual fonts of LaTeX lack outside formulas."
_NAMED = {
    "Σ": "sum", "Π": "prod", "≤": "le", "≥": "ge", "≠": "ne", "·": "cdot", "×": "times", "±": "pm", "√": "surd",
    "∞": "infty", "⌈": "lceil", "⌉": "rceil", "⌊": "lfloor", "⌋": "rfloor", "∩": "cap", "▶": "triangleright",
    "→": "to", "∫": "int", "∑": "sum", "∏": "prod", "∂": "partial", "∈": "in", "∪": "cup", "≈": "approx",
    "≡": "equiv", "∝": "propto", "∀": "forall", "∃": "exists", "∅": "emptyset", "←": "leftarrow",
    "↔": "leftrightarrow", "⇒": "Rightarrow", "÷": "div", "¬": "neg",
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho", "σ": "sigma",
    "ς": "varsigma", "τ": "tau", "υ": "upsilon", "φ": "varphi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma",
    "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
}  # fmt: skip
_DIGITS = {chr(0x2080 + digit): f"_{digit}" for digit in range(10)} | {
    letter: f"^{digit}" for digit, letter in zip((0, 4, 5, 6, 7, 8, 9), "⁰⁴⁵⁶⁷⁸⁹", strict=True)
}
_FORMULAS = _SIGNS | _DIGITS | {letter: f"\\{name} " for letter, name in _NAMED.items()}
_WRITTEN = _LETTERS | {sign: f"${code}$" for sign, code in _FORMULAS.items()}
_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0307": ".", "\u0308": '"',
    "\u030a": "r", "\u030b": "H", "\u030c": "v",
}  # fmt: skip
"Marks that stand behind the letter they belong to, and what LaTeX puts before it."
_ACCENTED = f"([A-Za-z])([{''.join(_ACCENTS)}])"
_COMMON = frozenset("“”‘’—§¶©®°€£†‡•ßæœøÆŒØłŁı¡¿ªº")
"What LaTeX sets by itself, besides letters with the usual accents."
_BEYOND = "\u0180"
"The first letter after those of which LaTeX knows all with an accent."


def latex_text(text: str) -> str:
    """Text that LaTeX shows as it is, also at the beginning of a row."""
    pieces = re.split(_ACCENTED, one_line(text))
    plain = ("".join(_WRITTEN.get(letter, letter) for letter in piece) for piece in pieces[::3])
    marks = [f"\\{_ACCENTS[mark]}{{{letter}}}" for letter, mark in zip(pieces[1::3], pieces[2::3], strict=True)]
    return "".join(piece + mark for piece, mark in zip(plain, [*marks, ""], strict=True))


def latex_line(text: str) -> str:
    """Text as `latex_text` has it, in a line that may be broken after each part of a signature."""
    return latex_text(text).replace(r"\textbar{}", r"\textbar{}\allowbreak{}")


def latex_notes(notes: Iterable[str]) -> str:
    """Lines in small letters below a table; long ones wrap."""
    return "\\par{\\footnotesize\\raggedright " + r" \\ ".join(map(latex_line, notes)) + r"\par}"


def latex_document(*blocks: str) -> str:
    """Tables and notes, below a comment that says what they need."""
    body = "\n\n".join(blocks)
    others = dict.fromkeys(letter for letter in body if not is_plain(letter))  # which pdfLaTeX cannot set
    some = "".join(others)[:8]
    engine = Text(
        rf"; for {some} XeLaTeX or LuaLaTeX, with \usepackage{{ctex}} for Chinese",
        rf"；含 {some} 等字符，须用 XeLaTeX 或 LuaLaTeX，中文须 \usepackage{{ctex}}",
    )
    return rf"% needs \usepackage{{booktabs}}{engine if others else ''}" + f"\n{body}"


def is_plain(letter: str) -> bool:
    """Whether pdfLaTeX sets this character without a package: ASCII, accented letters, the usual signs."""
    if letter.isascii() or letter in _COMMON:
        return True
    base, *marks = list(unicodedata.normalize("NFD", letter))
    return letter < _BEYOND and base.isascii() and base.isalpha() and len(marks) == 1 and marks[0] in _ACCENTS
