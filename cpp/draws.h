// Units drawn with replacement, again and again, and the sums that they add to cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "buffer.h"
#include "parallel.h"

namespace pingce {

// What each unit adds: amounts to cells. A unit is a row, or a group with all its rows.
struct Units {
    std::span<const std::int64_t> starts;  // where the entries of each unit begin, and their end; empty: one entry each
    std::span<const std::uint32_t> cells;  // of each entry
    std::span<const std::int64_t> amounts;  // of each entry; empty: 1 each

    [[nodiscard]] std::size_t count() const { return starts.empty() ? cells.size() : starts.size() - 1; }
};

struct DrawRange {
    std::uint64_t seed;
    std::size_t first, count;
};

// Row by row, a row per draw: the sums of each cell, of as many units as there are. Which unit is drawn follows from
// the seed, the number of the draw and the place within it alone. The caller sees to it that no sum leaves 64 bits.
Buffer<std::int64_t> drawn_sums(const Units& units, std::size_t cells, DrawRange range, std::size_t threads,
                                const Poll& poll);

}  // namespace pingce
