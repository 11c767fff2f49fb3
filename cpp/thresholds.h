// Scores of positives and negatives: told apart, pairs counted, thresholds tabulated. No metric is known here.
// Scores are finite: the caller has seen to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "buffer.h"
#include "parallel.h"
#include "wide.h"

namespace pingce {

// The scores of the positives and of the negatives, in no order; zeros lose their sign.
template <class Score>
struct Sides {
    Buffer<Score> positives;
    Buffer<Score> negatives;
};

template <class Score>
Sides<Score> split_by_label(std::span<const std::uint8_t> positive, std::span<const Score> scores, std::size_t threads,
                            const Poll& poll);

// 2 × the pairs (positive, negative) in which the positive scores higher, and 1 × those with equal scores.
// Both sides are sorted, ascending.
template <class Score>
UInt128 twice_concordant(std::span<const Score> positives, std::span<const Score> negatives, std::size_t threads,
                         const Poll& poll);

// One row a distinct score, descending, with the positives and negatives that score at least as much.
template <class Score>
struct Thresholds {
    Buffer<Score> score;
    Buffer<std::int64_t> true_positives;
    Buffer<std::int64_t> false_positives;
    UInt128 twice_concordant = 0;  // as above: it costs nothing on the way
};

template <class Score>
Thresholds<Score> tabulate(std::span<const Score> positives, std::span<const Score> negatives, std::size_t threads,
                           const Poll& poll);

// A table as above, made before.
template <class Score>
struct ThresholdsView {
    std::span<const Score> score;
    std::span<const std::int64_t> true_positives;
    std::span<const std::int64_t> false_positives;
};

// The table of the rows of both.
template <class Score>
Thresholds<Score> merge_tables(const ThresholdsView<Score>& a, const ThresholdsView<Score>& b, std::size_t threads,
                               const Poll& poll);

}  // namespace pingce
