"""Formulas as metrics declare them, in plain Unicode, typeset as MathML, which a browser shows without any script."""

from __future__ import annotations

import re
from html import escape

from website.boxes import Box, fraction, identifier, is_condition, row
from website.symbols import Token, tokens

_RELATIONS = set("=<>≤≥∈∉∩∪:∞…")
_CLOSING = {"(": ")", "[": "]", "{": "}", "⌈": "⌉", "（": "）", "|": "|"}
_BOUNDARIES = {"over", "where", "averaged", "else", "if", "needs"}
"Words after which no term goes on."
_APART = re.compile(r"[;；]\s*|\n\s*")
_COMMA = re.compile(r"，|,\s+")


def formula_lines(formula: str, names: frozenset[str]) -> list[str]:
    """Each part of a formula on a line of its own: MathML, or plain words where a part is a remark."""
    lines = []
    for number, part in enumerate(filter(None, _APART.split(formula))):
        if number and not re.match(r"[^:：，,]+ = ", part):
            lines.append(escape(part))
            continue
        lines += [_line(piece, names) for piece in _pieces(part)]
    return lines


def _pieces(part: str) -> list[str]:
    """What stands between commas outside all brackets, where something new is defined, or a remark begins, after one."""
    pieces, start, depth = [], 0, 0
    for match in re.finditer(r"[(\[{（⌈]|[)\]}）⌉]|，|,\s+", part):
        mark = match[0]
        depth += (mark in "([{（⌈") - (mark in ")]}）⌉")
        if depth == 0 and _COMMA.fullmatch(mark) and _is_new(part[match.end() :]):
            pieces.append(part[start : match.start()])
            start = match.end()
    return [*pieces, part[start:]]


def _is_new(rest: str) -> bool:
    return bool(re.match(r"[^，,]* = ", rest) or re.match(r"[^=≤>|]*$", rest))


def _line(piece: str, names: frozenset[str]) -> str:
    if not re.search(r"[=Σ≤>|/]", piece) and (
        re.search(r"[a-z]{2,} [a-z]{2,}|^[a-z]{5,}$", piece) or piece[-1] >= "\u4e00"
    ):
        return escape(piece)
    markup = _Parser(tokens(piece, names)).formula()
    return f'<math display="block" xmlns="http://www.w3.org/1998/Math/MathML"><mrow>{markup}</mrow></math>'


class _Parser:
    """Reads terms from left to right; a slash makes a fraction of what stands before it, as far as a sum reaches."""

    def __init__(self, read: list[Token]) -> None:
        self.read, self.at = read, 0

    @property
    def token(self) -> Token:
        return self.read[self.at] if self.at < len(self.read) else Token("end", "")

    def take(self) -> Token:
        token = self.token
        self.at += 1
        return token

    def formula(self, until: str = "") -> str:
        """Terms and what stands between them, to the end or to a closing bracket."""
        return self.sequence(until).markup

    def sequence(self, until: str) -> Box:
        boxes: list[Box] = []
        while self.token.kind != "end" and self.token.text != until:
            boxes.append(self.between() if self.is_between() else self.product(until))
        return row(boxes)

    def is_between(self) -> bool:
        token = self.token
        return token.kind == "sign" and (token.text in _RELATIONS or token.text in "+−,;，；：/·)]}⌉")

    def between(self) -> Box:
        token = self.take()
        return Box(f"<mo>{escape(token.text)}</mo>")

    def product(self, until: str) -> Box:
        """Factors with points, room or a slash between them."""
        factors: list[Box] = []
        while not self.ends(until):
            token = self.token
            if token.text == "·" or (token.text == "|" and is_condition(factors)):
                factors.append(Box(f"<mo>{self.take().text}</mo>"))
            elif token.text == "/":
                self.take()
                factors = self.divided(factors, until)
            elif self.is_boundary(factors):
                return Box(row(factors).markup + self.words().markup, row(factors).letters)
            else:
                factors.append(self.factor(until))
        return row(factors)

    def ends(self, until: str) -> bool:
        token = self.token
        if token.kind == "end" or token.text == until:
            return True
        if token.kind != "sign" or token.text in "·/":
            return False
        return token.text in _RELATIONS or token.text in "+−,;，；：)]}⌉" or (token.text == "|" and until == "|")

    def is_boundary(self, before: list[Box]) -> bool:
        word = self.token.text
        if self.token.kind == "text":
            return word.endswith("下")
        return word in _BOUNDARIES or (word == "of" and before[-1:] == [identifier(Token("word", "mean"))])

    def words(self) -> Box:
        """A boundary and the plain words after it."""
        parts = [self.take().text]
        while self.is_plain_word():
            parts.append(self.take().text)
        room = '<mspace width="0.28em"/>'
        return Box(f"{room}<mtext>{escape(' '.join(parts))}</mtext>{room}", kind="text")

    def is_plain_word(self) -> bool:
        token, after = self.token, self.read[self.at + 1].text if self.at + 1 < len(self.read) else ""
        plain = token.kind == "word" and re.fullmatch(r"[a-z]{2,}", token.text) and not token.is_function
        return bool(plain) and after not in ("_", "(")

    def divided(self, above: list[Box], until: str) -> list[Box]:
        """A slash: under it one factor, or a whole sum; above it all before, or what a sum is over."""
        under = self.sum_or_factor(until)
        if under.markup == "<mi>ideal</mi>" and "@" in self.token.text:
            under = row([under, self.factor(until)])
        opened = next((at for at, box in enumerate(above) if box.kind == "sum" and box.letters & under.letters), None)
        start = 0 if opened is None else max(at for at, box in enumerate(above) if box.kind == "sum") + 1
        summed = any(box.kind == "sum" for box in above)
        if opened is None and (self.token.text == "·" or (self.token.text == "/" and summed)):
            start = len(above) - 1
        if not above[start:]:
            return [*above, Box("<mo>/</mo>"), under]
        return [*above[:start], fraction(above[start:], under)]

    def sum_or_factor(self, until: str) -> Box:
        """A factor; of a sum all that it is over."""
        first = self.factor(until)
        if first.kind != "sum":
            return first
        factors = [first]
        while not self.ends(until) and not self.is_boundary(factors):
            if self.token.text == "·":
                self.take()
                factors.append(Box("<mo>·</mo>"))
            elif self.token.text == "/":
                place = self.at
                self.take()
                under = self.factor(until)
                if under.kind == "sum" or not under.letters & first.letters:
                    self.at = place
                    break
                factors = [first, fraction(factors[1:], under)]
            else:
                factors.append(self.factor(until))
        whole = row(factors)
        return Box(whole.markup, whole.letters, kind="row")

    def factor(self, until: str) -> Box:
        """A word, a number, a group in brackets, a root, a sum."""
        token = self.take()
        if token.kind == "sign":
            return self.sign(token.text, until)
        if token.kind == "number":
            return self.scripts(Box(f"<mn>{token.text}</mn>"))
        if token.kind == "text":
            return self.scripts(Box(f"<mtext>{escape(token.text)}</mtext>", kind="text"))
        return self.applied(token, self.scripts(identifier(token)))

    def sign(self, text: str, until: str) -> Box:
        """What a sign opens."""
        if text == "√":
            inside = self.factor(until)
            return self.scripts(Box(f"<msqrt>{inside.bare or inside.markup}</msqrt>", inside.letters))
        if text == "−":
            inside = self.factor(until)
            return Box(f"<mo>−</mo>{inside.markup}", inside.letters)
        if text in _CLOSING:
            return self.scripts(self.brackets(text))
        return self.big(text) if text in "ΣΠ" else Box(f"<mo>{escape(text)}</mo>")

    def applied(self, token: Token, name: Box) -> Box:
        """A name with what it is of: brackets right behind it, or a set behind a function; and its cut-off behind them."""
        opening = self.token
        if not ((opening.text == "(" and not opening.spaced) or (opening.text == "{" and token.is_function)):
            return name
        self.take()
        of = self.brackets(opening.text, keep=True)
        cut = ""
        if self.token.text == "@":
            cut = f"<mi>{self.take().text}{self.take().text}</mi>"
        space = '<mspace width="0.2em"/>' if opening.text == "{" else ""
        return self.scripts(Box(f"<mrow>{name.markup}{space}{of.markup}{cut}</mrow>", name.letters | of.letters))

    def brackets(self, opening: str, *, keep: bool = False) -> Box:
        """What stands in brackets; they go where a fraction alone stands in them."""
        closing = _CLOSING[opening]
        inside = self.sequence(closing)
        self.take()
        tall = "true" if "<mfrac" in inside.markup or "<munder" in inside.markup else "false"
        left, right = (f'<mo stretchy="{tall}">{escape(mark)}</mo>' for mark in (opening, closing))
        bare = inside.markup if opening == "(" else ""
        markup = f"<mrow>{left}{inside.markup}{right}</mrow>"
        raised = self.token.kind == "power" or self.token.text in ("^", "_")
        lone = inside.kind == "fraction" and opening == "(" and not keep and not raised
        return Box(inside.markup if lone else markup, inside.letters, "" if raised else bare)

    def big(self, sign: str) -> Box:
        """Σ or Π with what runs below it."""
        below = self.script() if self.token.text == "_" else None
        operator = f'<mo largeop="true" movablelimits="false">{sign}</mo>'
        if below is None:
            return Box(operator, frozenset("i"), kind="sum")
        return Box(f"<munder>{operator}<mrow>{below.markup}</mrow></munder>", below.letters, kind="sum")

    def scripts(self, base: Box) -> Box:
        """What stands below and above on the right."""
        while self.token.text in ("_", "^") or self.token.kind == "power":
            token = self.token
            if token.kind == "power":
                self.take()
                upper = f"<mo>{token.text}</mo>" if token.text in "+−" else f"<mn>{token.text}</mn>"
                base = Box(f"<msup><mrow>{base.markup}</mrow>{upper}</msup>", base.letters, kind=base.kind)
                continue
            script, tag = self.script(), "msub" if token.text == "_" else "msup"
            base = Box(
                f"<{tag}><mrow>{base.markup}</mrow><mrow>{script.markup}</mrow></{tag}>",
                base.letters | script.letters,
                kind="" if base.kind == "text" else base.kind,
            )
        return base

    def script(self) -> Box:
        mark = self.take().text
        token = self.take()
        if token.text == "{" or (token.text == "(" and mark == "^"):
            inside = self.sequence(_CLOSING[token.text])
            self.take()
            return inside
        if token.text == "(":
            return self.brackets("(")
        box = identifier(token) if token.kind in ("word", "name") else Box(f"<mn>{escape(token.text)}</mn>")
        return self.scripts(box) if mark == "^" else box
