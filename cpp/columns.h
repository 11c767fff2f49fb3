// What every row of a column must be, seen in one pass: finite, or one of two labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "buffer.h"
#include "parallel.h"

namespace pingce {

template <class Score>
struct Ends {
    Score low, high;
    bool finite;
};

// The lowest and the highest of at least one value; they mean nothing where one is not finite. 0 has no sign.
template <class Score>
Ends<Score> ends_of(std::span<const Score> values, std::size_t threads, const Poll& poll);

struct TwoLabels {
    std::size_t low_row, high_row;  // where each label stands; the same row where there is but one label
    std::size_t count;              // of the rows with the high one
    Buffer<std::uint8_t> is_high;
};

// The rows of at least one that have the higher of two labels; nothing where there are more labels, or one is not
// finite.
template <class T>
std::optional<TwoLabels> two_labels(std::span<const T> values, std::size_t threads, const Poll& poll);

}  // namespace pingce
