"""A font with Chinese characters for tests: a machine need not have one. All of its letters are boxes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

FAMILY = "Pingce Test Han"


def make_font(path: Path, letters: str) -> None:
    """Write a TrueType font that has these letters."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    names = {ord(letter): f"u{ord(letter):04X}" for letter in sorted(set(letters))}
    order = [".notdef", *names.values()]
    pen = TTGlyphPen(None)
    for i, corner in enumerate([(60, 0), (60, 700), (540, 700), (540, 0)]):
        (pen.lineTo if i else pen.moveTo)(corner)
    pen.closePath()
    box = pen.glyph()
    builder: Any = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap(names)
    builder.setupGlyf(dict.fromkeys(order, box))
    builder.setupHorizontalMetrics(dict.fromkeys(order, (600, 60)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": FAMILY, "styleName": "Regular", "uniqueFontIdentifier": FAMILY,
                            "fullName": FAMILY, "psName": "PingceTestHan", "version": "1.0"})  # fmt: skip
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
    builder.setupPost()
    builder.save(path)
