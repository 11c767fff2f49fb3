// What a fit of P(y) = σ(a + b · odds) to counts adds up.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include "pairwise.h"
#include "parallel.h"

namespace pingce {

// One row a log odds, with the positives and the negatives that have it.
struct OddsView {
    std::span<const double> odds, positives, negatives;
};

struct Line {
    double intercept, slope;
};

// Σ r, Σ r · odds, Σ w, Σ w · odds, Σ w · odds²: r what is positive beyond what is expected, w the variance of that.
inline Sums<5> newton_sums(const OddsView& view, const Line& line, std::size_t threads, const Poll& poll) {
    return pairwise_sums<5>(view.odds.size(), threads, poll, [&](std::size_t row) {
        const double odds = view.odds[row], rows = view.positives[row] + view.negatives[row];
        const double share = 1 / (1 + std::exp(-std::clamp(line.intercept + line.slope * odds, -700.0, 700.0)));
        const double rest = view.positives[row] - rows * share, weight = rows * share * (1 - share);
        const double first = weight * odds;
        return Sums<5>{rest, rest * odds, weight, first, first * odds};
    });
}

// ln(1 + e^x), which neither overflows nor loses what is small.
inline double log_of_one_and(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

// Minus the log likelihood.
inline double line_loss(const OddsView& view, const Line& line, std::size_t threads, const Poll& poll) {
    const auto terms = [&](std::size_t row) {
        const double odds = line.intercept + line.slope * view.odds[row];
        return Sums<1>{view.positives[row] * log_of_one_and(-odds) + view.negatives[row] * log_of_one_and(odds)};
    };
    return pairwise_sums<1>(view.odds.size(), threads, poll, terms)[0];
}

}  // namespace pingce
