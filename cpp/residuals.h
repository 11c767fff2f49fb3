// Sums over numbers: of a column, of products of two, and of the errors of predicted numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "buffer.h"
#include "parallel.h"
#include "total.h"

namespace pingce {

// Sums over pairs of a true and a predicted number, e = predicted - true: in one pass, since memory is what costs.
struct ErrorSums {
    Total absolute, error, squared, truth, truth_squared;
    double largest = 0.0;  // |e|; the sums mean nothing where it is infinite

    void add(const ErrorSums& other) {
        largest = std::max(largest, other.largest);
        absolute.add(other.absolute);
        error.add(other.error);
        squared.add(other.squared);
        truth.add(other.truth);
        truth_squared.add(other.truth_squared);
    }
};
// With `sums` false the largest error alone is looked for.
ErrorSums error_sums(std::span<const double> truth, std::span<const double> predicted, bool sums, std::size_t threads,
                     const Poll& poll);

// Σ (ln(1 + predicted) - ln(1 + truth))², or nothing where a number has no such logarithm.
std::optional<Total> squared_log_errors(std::span<const double> truth, std::span<const double> predicted,
                                        std::size_t threads, const Poll& poll);

// The difference of logarithms of each row.
Buffer<double> log_errors(std::span<const double> truth, std::span<const double> predicted, std::size_t threads,
                          const Poll& poll);

// Σ a, or Σ a · b where there is a b.
Total total_of(std::span<const double> a, std::span<const double> b, std::size_t threads, const Poll& poll);

}  // namespace pingce
