// Sums of doubles that are rounded as NumPy rounds its own: by halves, and in eight lanes within blocks.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "parallel.h"

namespace pingce {

template <std::size_t Count>
using Sums = std::array<double, Count>;

namespace detail {

template <std::size_t Count>
void add(Sums<Count>& to, const Sums<Count>& more) {
    for (std::size_t k = 0; k < Count; ++k) to[k] += more[k];
}

inline std::size_t half_of(std::size_t rows) { return rows / 2 - rows / 2 % 8; }

template <std::size_t Count, class Terms>
Sums<Count> sum_of_block(std::size_t first, std::size_t rows, const Terms& terms) {
    constexpr std::size_t lanes = 8, block = 128;
    if (rows > block) {
        const std::size_t half = half_of(rows);
        Sums<Count> left = sum_of_block<Count>(first, half, terms);
        add(left, sum_of_block<Count>(first + half, rows - half, terms));
        return left;
    }
    std::size_t row = 0;
    Sums<Count> sum{};
    if (rows >= lanes) {
        std::array<Sums<Count>, lanes> lane;
        for (; row < lanes; ++row) lane[row] = terms(first + row);
        for (; row + lanes <= rows; row += lanes) {
            for (std::size_t at = 0; at < lanes; ++at) add(lane[at], terms(first + row + at));
        }
        for (std::size_t width = 1; width < lanes; width *= 2) {
            for (std::size_t at = 0; at < lanes; at += 2 * width) add(lane[at], lane[at + width]);
        }
        sum = lane[0];
    }
    for (; row < rows; ++row) add(sum, terms(first + row));
    return sum;
}

}  // namespace detail

// Σ terms(row) over the rows [0, rows), several sums at once.
template <std::size_t Count, class Terms>
Sums<Count> pairwise_sums(std::size_t rows, std::size_t threads, const Poll& poll, const Terms& terms) {
    constexpr std::size_t many = std::size_t{1} << 15;
    struct Stretch {
        std::size_t first, rows;
    };
    std::vector<Stretch> stretches;
    const auto divide = [&](const auto& self, std::size_t first, std::size_t size) -> void {
        if (size <= many) return stretches.push_back({first, size});
        self(self, first, detail::half_of(size));
        self(self, first + detail::half_of(size), size - detail::half_of(size));
    };
    divide(divide, 0, rows);
    std::vector<Sums<Count>> sums(stretches.size());
    run_parallel(
        stretches.size(), threads,
        [&](std::size_t i) { sums[i] = detail::sum_of_block<Count>(stretches[i].first, stretches[i].rows, terms); },
        poll);
    std::size_t next = 0;
    const auto join = [&](const auto& self, std::size_t size) -> Sums<Count> {
        if (size <= many) return sums[next++];
        Sums<Count> left = self(self, detail::half_of(size));
        detail::add(left, self(self, size - detail::half_of(size)));
        return left;
    };
    return join(join, rows);
}

}  // namespace pingce
