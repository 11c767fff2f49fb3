// Labels with their scores and weights, and the loss of one. Probabilities lie between 0 and 1: the caller has seen to
// it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

namespace pingce {

// What of a label does not change with the metric: its rows, and how they weigh (no weights = 1 each).
template <class Score>
struct Labelled {
    std::span<const std::uint8_t> positive;
    std::span<const Score> scores;
    std::span<const double> weights;
};

// p and 1 - p are bounded away from 0, so that every loss is finite: where 1 - epsilon is rounded to 1, 1 - p is
// epsilon itself. log is much faster than log1p, and as good where 1 - p was not rounded.
inline double loss_of(double p, bool positive, double epsilon) {
    const double kept = std::clamp(p, epsilon, 1.0 - epsilon);
    if (positive) return -std::log(kept);
    const double other = kept == 1.0 ? epsilon : 1.0 - kept;
    return 1.0 - other == kept ? -std::log(other) : -std::log1p(-kept);
}

}  // namespace pingce
