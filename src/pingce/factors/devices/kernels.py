"""Counting on a GPU with Triton: a quick filter that tells which candidates are surely above, and a settlement of the others.

The filter multiplies tiles with matrix units. It sorts out all candidates whose quick score lies within the rounding bound of a threshold, as
bits; of the others it counts those that are higher. The settlement sums these few in the order that `Counter` prescribes. So
no rank depends on how the quick scores are rounded.

Thresholds are compared without a branch: `fma(f, scale, offset)` cut to 0…1 is 1 where f is higher, since the scale is a huge power of two. Near
ones are told apart by 16-bit marks, two at a time: marks wrap, so that a few candidates are settled that need not be.
"""

# mypy: ignore-errors
# Triton compiles these functions: their arguments are pointers, blocks and numbers, which have no types of Python.
from __future__ import annotations

import triton
import triton.language as tl

THRESHOLDS = 16
"Of one row."
COLUMNS = 64
"Candidates of a tile: as many as a word has bits."


@triton.jit
def _step(f, scale, offset, NATIVE: tl.constexpr):
    if NATIVE:
        return tl.inline_asm_elementwise(
            "fma.rn.sat.f32 $0, $1, $2, $3;", "=f,f,f,f", [f, scale, offset], dtype=tl.float32, is_pure=True, pack=1
        )
    else:
        return tl.minimum(tl.maximum(tl.fma(f, scale, offset), 0.0), 1.0)


@triton.jit
def _higher(f, scale, offset, next_offset, NATIVE: tl.constexpr):
    """How many of each row are higher than two thresholds: the second count in the upper half."""
    zero = tl.zeros(f.shape, tl.float32)
    first = _step(f, scale, offset[:, None] + zero, NATIVE)
    second = _step(f, scale, next_offset[:, None] + zero, NATIVE)
    return tl.sum(tl.fma(second, zero + 65536.0, first), 1).to(tl.int32)


@triton.jit
def _least(mark, threshold, least, NATIVE: tl.constexpr):
    """The least distance from a threshold, modulo 65536."""
    threshold = threshold[:, None] + tl.zeros(mark.shape, tl.uint16)
    if NATIVE:
        return tl.inline_asm_elementwise(
            "{ .reg .b32 t; add.u16x2 t, $1, $2; min.u16x2 $0, t, $3; }",
            "=r,r,r,r",
            [mark, threshold, least],
            dtype=tl.uint16,
            is_pure=True,
            pack=2,
        )
    else:
        return tl.minimum(mark + threshold, least)


@triton.jit
def filter_kernel(
    users, user_of_row, items, bias, scales, units, offsets, marks, counts, near, n_rows, n_items, tiles,
    DIM: tl.constexpr, STEP: tl.constexpr, ROWS: tl.constexpr, WIDTH: tl.constexpr, PRECISION: tl.constexpr, NATIVE: tl.constexpr,
):  # fmt: skip
    """Count what is surely higher than the sixteen thresholds of each row, and set the bits of what is near one."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    real = row < n_rows
    dims = tl.arange(0, STEP)
    user = users + tl.load(user_of_row + row, mask=real, other=0).to(tl.int64)[:, None] * DIM + dims[None, :]
    u = tl.load(user)
    zero = tl.zeros((ROWS, 64), tl.float32)
    scale = tl.load(scales + row, mask=real, other=0.0)[:, None] + zero
    unit = tl.load(units + row, mask=real, other=0.0)[:, None] + zero
    bit = tl.full((64,), 1, tl.int64) << tl.arange(0, 64).to(tl.int64)
    o = offsets + row * 16
    m = marks + row * 16
    o0 = tl.load(o + 0, mask=real, other=-3e38)
    o1 = tl.load(o + 1, mask=real, other=-3e38)
    o2 = tl.load(o + 2, mask=real, other=-3e38)
    o3 = tl.load(o + 3, mask=real, other=-3e38)
    o4 = tl.load(o + 4, mask=real, other=-3e38)
    o5 = tl.load(o + 5, mask=real, other=-3e38)
    o6 = tl.load(o + 6, mask=real, other=-3e38)
    o7 = tl.load(o + 7, mask=real, other=-3e38)
    o8 = tl.load(o + 8, mask=real, other=-3e38)
    o9 = tl.load(o + 9, mask=real, other=-3e38)
    o10 = tl.load(o + 10, mask=real, other=-3e38)
    o11 = tl.load(o + 11, mask=real, other=-3e38)
    o12 = tl.load(o + 12, mask=real, other=-3e38)
    o13 = tl.load(o + 13, mask=real, other=-3e38)
    o14 = tl.load(o + 14, mask=real, other=-3e38)
    o15 = tl.load(o + 15, mask=real, other=-3e38)
    m0 = tl.load(m + 0, mask=real, other=32768).to(tl.uint16)
    m1 = tl.load(m + 1, mask=real, other=32768).to(tl.uint16)
    m2 = tl.load(m + 2, mask=real, other=32768).to(tl.uint16)
    m3 = tl.load(m + 3, mask=real, other=32768).to(tl.uint16)
    m4 = tl.load(m + 4, mask=real, other=32768).to(tl.uint16)
    m5 = tl.load(m + 5, mask=real, other=32768).to(tl.uint16)
    m6 = tl.load(m + 6, mask=real, other=32768).to(tl.uint16)
    m7 = tl.load(m + 7, mask=real, other=32768).to(tl.uint16)
    m8 = tl.load(m + 8, mask=real, other=32768).to(tl.uint16)
    m9 = tl.load(m + 9, mask=real, other=32768).to(tl.uint16)
    m10 = tl.load(m + 10, mask=real, other=32768).to(tl.uint16)
    m11 = tl.load(m + 11, mask=real, other=32768).to(tl.uint16)
    m12 = tl.load(m + 12, mask=real, other=32768).to(tl.uint16)
    m13 = tl.load(m + 13, mask=real, other=32768).to(tl.uint16)
    m14 = tl.load(m + 14, mask=real, other=32768).to(tl.uint16)
    m15 = tl.load(m + 15, mask=real, other=32768).to(tl.uint16)
    a0 = tl.zeros((ROWS,), tl.int32)
    a2 = tl.zeros((ROWS,), tl.int32)
    a4 = tl.zeros((ROWS,), tl.int32)
    a6 = tl.zeros((ROWS,), tl.int32)
    a8 = tl.zeros((ROWS,), tl.int32)
    a10 = tl.zeros((ROWS,), tl.int32)
    a12 = tl.zeros((ROWS,), tl.int32)
    a14 = tl.zeros((ROWS,), tl.int32)
    begin = tl.program_id(1) * tiles
    for tile in range(begin, min(begin + tiles, tl.cdiv(n_items, 64))):
        column = tl.arange(0, 64).to(tl.int64) + tile * 64
        inside = column < n_items
        item = items + column[None, :] * DIM + dims[:, None]
        f = tl.dot(u, tl.load(item, mask=inside[None, :], other=0.0), input_precision=PRECISION)
        for step in tl.static_range(STEP, DIM, STEP):
            more = tl.load(item + step, mask=inside[None, :], other=0.0)
            f = tl.dot(tl.load(user + step), more, f, input_precision=PRECISION)
        f += tl.load(bias + column, mask=inside, other=0.0)[None, :]
        mark = tl.fma(f, unit, zero + 12582912.0).to(tl.int32, bitcast=True).to(tl.uint16)
        least = tl.full((ROWS, 64), 65535, tl.uint16)
        least = _least(mark, m0, least, NATIVE)
        least = _least(mark, m1, least, NATIVE)
        least = _least(mark, m2, least, NATIVE)
        least = _least(mark, m3, least, NATIVE)
        least = _least(mark, m4, least, NATIVE)
        least = _least(mark, m5, least, NATIVE)
        least = _least(mark, m6, least, NATIVE)
        least = _least(mark, m7, least, NATIVE)
        least = _least(mark, m8, least, NATIVE)
        least = _least(mark, m9, least, NATIVE)
        least = _least(mark, m10, least, NATIVE)
        least = _least(mark, m11, least, NATIVE)
        least = _least(mark, m12, least, NATIVE)
        least = _least(mark, m13, least, NATIVE)
        least = _least(mark, m14, least, NATIVE)
        least = _least(mark, m15, least, NATIVE)
        is_near = (least <= WIDTH) & inside[None, :]
        word = tl.sum(tl.where(is_near, bit[None, :], 0), 1)
        tl.store(near + (tl.zeros((ROWS,), tl.int64) + tile) * n_rows + row, word, mask=real)
        f = tl.where(is_near | (column >= n_items)[None, :], -3e38, f)
        a0 += _higher(f, scale, o0, o1, NATIVE)
        a2 += _higher(f, scale, o2, o3, NATIVE)
        a4 += _higher(f, scale, o4, o5, NATIVE)
        a6 += _higher(f, scale, o6, o7, NATIVE)
        a8 += _higher(f, scale, o8, o9, NATIVE)
        a10 += _higher(f, scale, o10, o11, NATIVE)
        a12 += _higher(f, scale, o12, o13, NATIVE)
        a14 += _higher(f, scale, o14, o15, NATIVE)
    out = counts + row * 16
    tl.atomic_add(out + 0, a0 & 65535, mask=real)
    tl.atomic_add(out + 1, a0 >> 16, mask=real)
    tl.atomic_add(out + 2, a2 & 65535, mask=real)
    tl.atomic_add(out + 3, a2 >> 16, mask=real)
    tl.atomic_add(out + 4, a4 & 65535, mask=real)
    tl.atomic_add(out + 5, a4 >> 16, mask=real)
    tl.atomic_add(out + 6, a6 & 65535, mask=real)
    tl.atomic_add(out + 7, a6 >> 16, mask=real)
    tl.atomic_add(out + 8, a8 & 65535, mask=real)
    tl.atomic_add(out + 9, a8 >> 16, mask=real)
    tl.atomic_add(out + 10, a10 & 65535, mask=real)
    tl.atomic_add(out + 11, a10 >> 16, mask=real)
    tl.atomic_add(out + 12, a12 & 65535, mask=real)
    tl.atomic_add(out + 13, a12 >> 16, mask=real)
    tl.atomic_add(out + 14, a14 & 65535, mask=real)
    tl.atomic_add(out + 15, a14 >> 16, mask=real)


@triton.jit
def settle_kernel(
    users, user_of_row, items, bias, user_bias, thresholds, targets, order, near, above, equal, by_id, by_order, n_rows, n_words, words,
    DIM: tl.constexpr, WIDTH: tl.constexpr, LANES: tl.constexpr, L2: tl.constexpr,
):  # fmt: skip
    """Sum what is near in the prescribed order, and count it. To be compiled without fused multiply-add."""
    row = tl.program_id(0)
    place = tl.load(user_of_row + row)
    user = users + place.to(tl.int64) * DIM
    js = tl.arange(0, 16)
    threshold = tl.load(thresholds + row * 16 + js)
    mine = tl.load(targets + row * 16 + js)
    my_order = tl.load(order + tl.maximum(mine, 0))
    n_above = tl.zeros((16,), tl.int32)
    n_equal = tl.zeros((16,), tl.int32)
    n_id = tl.zeros((16,), tl.int32)
    n_order = tl.zeros((16,), tl.int32)
    begin = tl.program_id(1) * words
    end = tl.minimum(begin + words, n_words)
    for start in range(begin, end, LANES):
        at = start + tl.arange(0, LANES)
        word = tl.load(near + at.to(tl.int64) * n_rows + row, mask=at < end, other=0)
        while tl.max((word != 0).to(tl.int32), 0) > 0:
            real = word != 0
            lowest = word & -word
            word = word ^ lowest
            exponent = (lowest.to(tl.float32).to(tl.int32, bitcast=True) >> 23) & 255
            item = tl.where(real, at * 64 + exponent - 127, 0)
            vector = items + item.to(tl.int64) * DIM
            score = tl.zeros((LANES,), tl.float32)
            for d in range(WIDTH):
                a = tl.load(user + d)
                b = tl.load(vector + d, mask=real, other=0.0)
                if L2:
                    score += (a - b) * (a - b)
                else:
                    score += a * b
            if L2:
                score = -score
            score += tl.load(bias + item, mask=real, other=0.0)
            score += tl.load(user_bias + place)
            item_order = tl.load(order + item, mask=real, other=0)
            n_above += tl.sum((real[:, None] & (score[:, None] > threshold[None, :])).to(tl.int32), 0)
            tie = real[:, None] & (score[:, None] == threshold[None, :])
            n_equal += tl.sum(tie.to(tl.int32), 0)
            n_id += tl.sum((tie & (item_order[:, None] > my_order[None, :])).to(tl.int32), 0)
            n_order += tl.sum((tie & (item[:, None] < mine[None, :])).to(tl.int32), 0)
    out = row * 16 + js
    tl.atomic_add(above + out, n_above)
    tl.atomic_add(equal + out, n_equal)
    tl.atomic_add(by_id + out, n_id)
    tl.atomic_add(by_order + out, n_order)
