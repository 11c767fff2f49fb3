// Rows with two flags and a score, tabulated by score. No metric is known here. Scores are finite: the caller has seen
// to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "buffer.h"
#include "parallel.h"

namespace pingce {

// A flag is set where it is not 0.
template <class Score>
struct Flagged {
    std::span<const std::uint8_t> first, second;
    std::span<const Score> scores;
};

// One row a distinct score, descending, with how many rows that score at least as much have the first flag, lack it,
// have both flags, and have the second alone.
template <class Score>
struct FlagTable {
    Buffer<Score> score;
    Buffer<std::int32_t> with, without, both, second;  // there are fewer than 2^31 rows
};

template <class Score>
FlagTable<Score> tabulate_flags(const Flagged<Score>& rows, std::size_t threads, const Poll& poll);

}  // namespace pingce
