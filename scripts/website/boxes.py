"""The pieces of which typeset formulas are made, as MathML."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from website.symbols import Token


@dataclass(frozen=True)
class Box:
    """A piece of a formula: its markup, the letters in it, and whether brackets around it may go."""

    markup: str
    letters: frozenset[str] = frozenset()
    bare: str = ""
    "The markup without the brackets around it."
    kind: str = ""
    "`word`: needs room beside its neighbours; `text`: the same, and no term; `sum`: opens a scope; `fraction`."


def is_condition(before: list[Box]) -> bool:
    """Whether a bar after these stands for "given": a letter or a number has no size to open after it."""
    return bool(before) and before[-1].kind == "" and before[-1].markup.startswith(("<mi>", "<mn>"))


def identifier(token: Token) -> Box:
    """A name: one letter stands slanted, a word upright."""
    text = token.text
    if text == "log2":
        return Box("<msub><mi>log</mi><mn>2</mn></msub>")
    short = len(text) == 1 or (len(text) == 2 and "\u0300" <= text[1] <= "\u036f")
    letters = frozenset([text] if short else text.split("@")[1:])
    return Box(f"<mi>{escape(text)}</mi>", letters, kind="" if short or token.kind == "name" else "word")


def fraction(above: list[Box], under: Box) -> Box:
    """One above the other; brackets around either go."""
    top = row(above)
    upper = above[0].bare if len(above) == 1 and above[0].bare else top.markup
    return Box(
        f"<mfrac><mrow>{upper}</mrow><mrow>{under.bare or under.markup}</mrow></mfrac>",
        top.letters | under.letters,
        kind="fraction",
    )


def row(boxes: list[Box]) -> Box:
    """Boxes side by side, with room between words."""
    markup = ""
    for at, box in enumerate(boxes):
        before = boxes[at - 1] if at else None
        if before is not None and _apart(before, box):
            markup += '<mspace width="0.28em"/>'
        markup += box.markup
    bound = frozenset[str]().union(*(box.letters for box in boxes if box.kind == "sum"))
    letters = frozenset[str]().union(*(box.letters for box in boxes)) - bound
    return Box(markup, letters, kind=boxes[0].kind if len(boxes) == 1 else "")


def _apart(before: Box, after: Box) -> bool:
    if before.markup.startswith("<mo>") or after.markup.startswith("<mo>"):
        return False
    if before.kind in ("word", "text") and after.markup.startswith("<mrow><mo stretchy"):
        return before.kind == "text"
    return bool({"word", "text"} & {before.kind, after.kind})
