// Rows that chance draws or keeps, many times over: how often each was drawn, and sums over those that were kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "buffer.h"
#include "parallel.h"

namespace pingce {

// Random words, as many for each repeat; those of a repeat stand together.
struct RandomWords {
    std::span<const std::uint64_t> words;
    std::size_t each;

    [[nodiscard]] std::size_t repeats() const { return each == 0 ? 0 : words.size() / each; }
};

// How often each row was drawn, repeat by repeat: half a word draws a row, the upper half of its product with their
// number; the lower half of a word comes first.
Buffer<double> count_draws(const RandomWords& random, std::size_t rows, std::size_t threads, const Poll& poll);

// A table of whole numbers, row by row.
struct WholeTable {
    std::span<const std::int64_t> values;
    std::size_t columns;

    [[nodiscard]] std::size_t rows() const { return columns == 0 ? 0 : values.size() / columns; }
};

// The sum of each column over the rows whose bits are set, repeat by repeat.
Buffer<std::int64_t> sum_kept(const RandomWords& random, const WholeTable& table, std::size_t threads,
                              const Poll& poll);

}  // namespace pingce
