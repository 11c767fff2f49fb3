"""Any text as LaTeX shows it: ids and labels are untrusted, and signs of mathematics stand outside of formulas."""

from __future__ import annotations

from pingce.errors import one_line

_LETTERS = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",
    "]": "{]}",
    "…": r"\dots{}",
    "–": "--",
}

_SIGNS = {
    "Σ": r"\sum ",
    "Π": r"\prod ",
    "≤": r"\le ",
    "≥": r"\ge ",
    "≠": r"\ne ",
    "·": r"\cdot ",
    "×": r"\times ",
    "±": r"\pm ",
    "−": "-",
    "β": r"\beta ",
    "²": "^2",
    "√": r"\surd ",
    "∞": r"\infty ",
    "⌈": r"\lceil ",
    "⌉": r"\rceil ",
    "⌊": r"\lfloor ",
    "⌋": r"\rfloor ",
    "∩": r"\cap ",
    "½": r"\frac12 ",
    "▶": r"\triangleright ",
    "→": r"\to ",
    "Δ": r"\Delta ",
    "ε": r"\varepsilon ",
    "κ": r"\kappa ",
    "ŷ": r"\hat y ",
    "ȳ": r"\bar y ",
    "⁺": "^+",
    "⁻": "^-",
}
"Signs that the usual fonts of LaTeX lack outside formulas."
_WRITTEN = _LETTERS | {sign: f"${code}$" for sign, code in _SIGNS.items()}


def latex_text(text: str) -> str:
    """Text that LaTeX shows as it is, also at the beginning of a row."""
    return "".join(_WRITTEN.get(letter, letter) for letter in one_line(text))
