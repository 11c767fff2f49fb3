"""Names that try to be something else than text."""

from __future__ import annotations

IMAGE = '<img src=x onerror="window.hacked=1">'
SCRIPT = "</script><script>window.hacked=1</script>"
QUOTES = """"'`&amp;\\"><b onmouseover='window.hacked=1'>"""
COMMENT = "<!--<script>"
BACKWARDS = "\u202egnp.elif"
LINES = "one\u2028two\u2029three"
FORMULA = "{{constructor.constructor('window.hacked=1')()}}"
LONG = "x" * 10_000
NAMES = (IMAGE, SCRIPT, QUOTES, COMMENT, BACKWARDS, LINES, FORMULA, LONG)
