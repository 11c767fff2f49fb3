// Scores of positives and negatives: pairs counted, thresholds tabulated. No metric is known here.
// Scores are finite: the caller has seen to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "buffer.h"
#include "labels.h"
#include "parallel.h"
#include "portable.h"

namespace pingce {

// 2 × the pairs (positive, negative) in which the positive scores higher, and 1 × those with equal scores. Weights are
// not looked at.
template <class Score>
UInt128 twice_concordant(const Labelled<Score>& rows, std::size_t threads, const Poll& poll);

// One row a distinct score, descending, with the positives and negatives that score at least as much: how many, or the
// sums of their weights.
template <class Score, class Amount>
struct Thresholds {
    Buffer<Score> score;
    Buffer<Amount> true_positives;
    Buffer<Amount> false_positives;
    UInt128 twice_concordant = 0;  // as above: it costs nothing on the way; not of weights
};

template <class Score>
Thresholds<Score, std::int64_t> tabulate(const Labelled<Score>& rows, std::size_t threads, const Poll& poll);

// A row without weight is none. Weights of one score are added up from the smallest, so that their order is no matter.
template <class Score>
Thresholds<Score, double> tabulate_weights(const Labelled<Score>& rows, std::size_t threads, const Poll& poll);

// Twice the concordant pairs of a table whose counts are whole.
template <class Score>
UInt128 pairs_of(Thresholds<Score, std::int64_t>& table, std::size_t threads, const Poll& poll);

// A table as above, made before.
template <class Score>
struct ThresholdsView {
    std::span<const Score> score;
    std::span<const std::int64_t> true_positives;
    std::span<const std::int64_t> false_positives;
};

// The table of the rows of both.
template <class Score>
Thresholds<Score, std::int64_t> merge_tables(const ThresholdsView<Score>& a, const ThresholdsView<Score>& b,
                                             std::size_t threads, const Poll& poll);

// Distinct scores in any order, and the positives and negatives with each.
template <class Score>
struct CountsView {
    std::span<const Score> score;
    std::span<const std::int64_t> positives;
    std::span<const std::int64_t> negatives;
};

// The table of the rows of all.
template <class Score>
Thresholds<Score, std::int64_t> join_tables(std::span<const CountsView<Score>> tables, std::size_t threads,
                                            const Poll& poll);

}  // namespace pingce
