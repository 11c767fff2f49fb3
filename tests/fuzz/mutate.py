"""Hostile bytes: texts that are almost right, damaged in the ways that damage happens, and noise."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from random import Random

WORDS = (
    b" ", b"\t", b"\n", b"\n\n", b"\r", b"\r\n", b"\v", b"\f", b"\0", b"\x1c", b"\x7f", b",", b";", b"|", b'"', b'""', b"'", b"\\", b":",
    b"{", b"}", b"[", b"]", b"(", b")", b"@", b"=", b"#", b"q", b"q1", b"0", b"1", b"-1", b"-0", b"007", b"+7", b"1.5", b".5", b"5.",
    b"1e5", b"1E-5", b"1e999", b"-1e-999", b"1e9223372036854775807", b"1e-9223372036854775808", b"# a", b"#q 0 d 1", b"nan", b"-nan", b"NaN", b"inf", b"-Infinity", b"nan(1)", b"1_0", b"0x1p3", b"1,5", b"null",
    b"true", b"NULL", b"#N/A", b"9007199254740993", b"9223372036854775807", b"-9223372036854775808", b"9223372036854775808",
    b"18446744073709551616", b"9" * 310, b"9" * 5000, b"0." + b"0" * 400 + b"1", b"\\u0000", b"\\ud800", b"\\udc00", b"\\n", b":\\ud800",
    b"\xc2\x85", b"\xe3\x80\x80", b"\xe2\x80\xae", b"\xe2\x80\x8b", b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"\xf0\x9f\x98\x80", b"\xe4\xb8\xad",
    b"\xd9\xa3", b"\xef\xbc\x91", b"\x1b[31m", b"<script>", b"=1+1", b"query", b"item", b"score", b"rank", b"weight", b"[" * 600,
    b'{"a":' * 600, b"2020-01-01", b"2020-01-01 00:00:00",
)  # fmt: skip
NOT_UTF8 = (b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"\xff\xfe", b"\xfe\xff\0q", b"\x80")
MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\0", b"\n", b"\r\n", b" ", b"\xef\xbb\xbf\xef\xbb\xbf")

Damage = Callable[[Random, bytearray, Sequence[bytes]], None]


def hostile(rng: Random) -> bytes:
    """A word that has broken parsers; seldom one that is not UTF-8, which most readers refuse at once."""
    return rng.choice(NOT_UTF8 if rng.random() < 0.04 else WORDS)


def somewhere(rng: Random, text: bytearray) -> int:
    return rng.randrange(len(text) + 1)


def flip(rng: Random, text: bytearray, _: Sequence[bytes]) -> None:
    """One bit is another; the eighth, which ends most UTF-8, only now and then."""
    if text:
        text[rng.randrange(len(text))] ^= 1 << rng.randrange(8 if rng.random() < 0.1 else 7)


def insert(rng: Random, text: bytearray, _: Sequence[bytes]) -> None:
    at = somewhere(rng, text)
    text[at:at] = hostile(rng)


def delete(rng: Random, text: bytearray, _: Sequence[bytes]) -> None:
    at = somewhere(rng, text)
    del text[at : at + rng.choice((1, 1, 1, 2, 5, 20))]


def duplicate(rng: Random, text: bytearray, _: Sequence[bytes]) -> None:
    at, size = somewhere(rng, text), rng.choice((1, 2, 8, 30))
    text[at:at] = text[at : at + size] * rng.choice((1, 1, 1, 5))


def replace_a_field(rng: Random, text: bytearray, _: Sequence[bytes]) -> None:
    """The letters around a place make way for a hostile word."""
    at = end = somewhere(rng, text)
    while at and text[at - 1] not in b' ,\t\n":':
        at -= 1
    while end < len(text) and text[end] not in b' ,\t\n":}':
        end += 1
    text[at:end] = hostile(rng)


def splice(rng: Random, text: bytearray, seeds: Sequence[bytes]) -> None:
    """The beginning of one text and the end of another."""
    other = rng.choice(seeds)
    text[somewhere(rng, text) :] = other[rng.randrange(len(other) + 1) :]


def change_line_ends(rng: Random, text: bytearray, _: Sequence[bytes]) -> None:
    text[:] = text.replace(b"\n", rng.choice((b"\r\n", b"\r", b"\n\n", b" \n", b"\n\r", b"\0\n", b"\xe2\x80\xa8")))


def join_lines(rng: Random, text: bytearray, _: Sequence[bytes]) -> None:
    """One line end, chosen by chance, is lost."""
    at = text.find(b"\n", somewhere(rng, text))
    if at >= 0:
        del text[at]


def lengthen(rng: Random, text: bytearray, _: Sequence[bytes]) -> None:
    at = somewhere(rng, text)
    text[at:at] = rng.choice((b"x", b" ", b"9", b"\t", b"0", b'"', b"\xc3\xa9", b"\n")) * rng.randrange(1, 600)


def mark(rng: Random, text: bytearray, _: Sequence[bytes]) -> None:
    text[:0] = rng.choice(MARKS)


def cut(rng: Random, text: bytearray, _: Sequence[bytes]) -> None:
    del text[somewhere(rng, text) :]


def add_noise(rng: Random, text: bytearray, _: Sequence[bytes]) -> None:
    at = somewhere(rng, text)
    text[at:at] = rng.randbytes(rng.randrange(1, 12))


DAMAGES: tuple[Damage, ...] = (
    flip, flip, insert, insert, insert, delete, delete, duplicate, replace_a_field, replace_a_field, replace_a_field, splice,
    change_line_ends, join_lines, lengthen, mark, cut, add_noise,
)  # fmt: skip


def damaged(rng: Random, seeds: Sequence[bytes]) -> bytes:
    """One of the seeds after some damage, often little; seldom a soup of words, or noise."""
    kind = rng.random()
    if kind < 0.03:
        return rng.randbytes(rng.randrange(200))
    if kind < 0.10:
        return b" ".join(hostile(rng) for _ in range(rng.randrange(12)))
    text = bytearray(rng.choice(seeds))
    for _ in range(rng.choice((0, 1, 1, 1, 1, 1, 1, 2, 2, 3, 9))):
        rng.choice(DAMAGES)(rng, text, seeds)
    return bytes(text)


def far_away(rng: Random) -> bytes:
    """A number whose exponent is near the end of an integer type, or moved there by a long mantissa."""
    exponent = rng.choice((1 << 15, 1 << 31, 1 << 32, 1 << 62, 1 << 63, 1 << 64, 10**40)) + rng.randrange(-400, 400)
    zeros = "0" * rng.choice((0, 0, 1, 20, 300, 400))
    digits = rng.choice(
        (f"{rng.randrange(100)}", f"0.{zeros}{rng.randrange(10)}", f"{rng.randrange(10)}{zeros}.{zeros}")
    )
    sign, power = rng.choice(("", "-", "+")), rng.choice(("", "-", "+"))
    return f"{sign}{digits}{rng.choice('eE')}{power}{rng.choice(('', '', '000'))}{exponent}".encode()


def number(rng: Random) -> bytes:
    """A number as text, or what looks like one: every form that a correctly rounded reader can get wrong."""
    kind = rng.randrange(9)
    if kind == 8:
        return far_away(rng)
    if kind == 0:
        return repr(struct.unpack("d", rng.randbytes(8))[0]).encode()
    if kind == 1:
        return f"{struct.unpack('d', rng.randbytes(8))[0]:.{rng.choice((15, 17, 20, 60))}e}".encode()
    if kind == 2:
        halfway = rng.getrandbits(53) * 2 + 1
        return f"{halfway << rng.randrange(12)}{rng.choice(('', '.0', '.5', '.' + '0' * 30 + '1'))}".encode()
    if kind == 3:
        return b"".join(
            rng.choice((b"0", b"1", b"9", b".", b"e", b"E", b"+", b"-", b"_", b"n", b"i")) for _ in range(6)
        )
    if kind == 4:
        return f"{rng.getrandbits(rng.randrange(1, 80))}e{rng.randrange(-350, 350)}".encode()
    if kind == 5:
        return f"{rng.choice(('', '-', '+'))}{rng.randrange(10**9)}.{rng.randrange(10**9):09}"[:18].encode()
    if kind == 6:
        return hostile(rng)
    written = bytearray(f"{rng.uniform(-100, 100):.6f}".encode())
    rng.choice((flip, insert, delete, duplicate))(rng, written, ())
    return bytes(written)
