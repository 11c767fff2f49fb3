// Labels and scores: positives apart from negatives, pairs counted, thresholds tabulated. No metric is known here.
// Scores are finite, and probabilities lie between 0 and 1: the caller has seen to it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "buffer.h"
#include "parallel.h"
#include "total.h"

namespace pingce {

// The scores of the positives and of the negatives, in no order; zeros lose their sign.
template <class Score>
struct Sides {
    Buffer<Score> positives;
    Buffer<Score> negatives;
};

template <class Score>
Sides<Score> split_by_label(std::span<const std::uint8_t> positive, std::span<const Score> scores, std::size_t threads,
                            const KeepGoing& keep_going);

// 2 × the pairs (positive, negative) in which the positive scores higher, and 1 × those with equal scores.
// Both sides are sorted, ascending.
template <class Score>
unsigned __int128 twice_concordant(std::span<const Score> positives, std::span<const Score> negatives,
                                   std::size_t threads, const KeepGoing& keep_going);

// One row a distinct score, descending, with the positives and negatives that score at least as much.
template <class Score>
struct Thresholds {
    Buffer<Score> score;
    Buffer<std::int64_t> true_positives;
    Buffer<std::int64_t> false_positives;
    unsigned __int128 twice_concordant = 0;  // as above: it costs nothing on the way
};

template <class Score>
Thresholds<Score> tabulate(std::span<const Score> positives, std::span<const Score> negatives, std::size_t threads,
                           const KeepGoing& keep_going);

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
                               const KeepGoing& keep_going);

// What of a label does not change with the metric: its rows, and how they weigh (no weights = 1 each).
template <class Score>
struct Labelled {
    std::span<const std::uint8_t> positive;
    std::span<const Score> scores;
    std::span<const double> weights;
};

// p and 1 - p are bounded away from 0, so that every loss is finite. log is much faster than log1p, and as good where
// 1 - p was not rounded.
inline double loss_of(double p, bool positive, double epsilon) {
    const double kept = std::clamp(p, epsilon, 1.0 - epsilon);
    if (positive) return -std::log(kept);
    const double other = 1.0 - kept;
    return 1.0 - other == kept ? -std::log(other) : -std::log1p(-kept);
}

struct CalibrationBin {
    Total rows;
    Total positives;
    Total predicted;
};

struct ProbabilitySums {
    Total loss;
    Total squared;
    Total predicted;
    std::size_t clipped = 0;
    std::vector<CalibrationBin> bins;
};

// Σ w·loss, Σ w·(p - y)², Σ w·p, and the same by bins of equal width; p is kept within [epsilon, 1 - epsilon] for the
// logarithm only.
template <class Score>
ProbabilitySums probability_sums(const Labelled<Score>& rows, double epsilon, std::size_t bins, std::size_t threads,
                                 const KeepGoing& keep_going);

// Neighbours whose shares of positives rise are pooled until none do (pool adjacent violators): what is left are the
// positives and the rows of each pool. Both columns come from the highest score down.
struct Pools {
    std::vector<double> positives;
    std::vector<double> rows;
};
Pools pool(std::span<const double> positives, std::span<const double> rows);

// Sums over pairs of a true and a predicted number, e = predicted - true: in one pass, since memory is what costs.
struct ErrorSums {
    Total absolute, error, squared, truth, truth_squared;
    double largest = 0.0;  // |e|; the sums mean nothing where it is infinite
};
ErrorSums error_sums(std::span<const double> truth, std::span<const double> predicted, std::size_t threads,
                     const KeepGoing& keep_going);

// Σ a, or Σ a · b where there is a b.
Total total_of(std::span<const double> a, std::span<const double> b, std::size_t threads, const KeepGoing& keep_going);

}  // namespace pingce
