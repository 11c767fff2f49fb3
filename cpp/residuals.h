// Sums over numbers: of a column, of products of two, and of the errors of predicted numbers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

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
ErrorSums error_sums(std::span<const double> truth, std::span<const double> predicted, std::size_t threads,
                     const Poll& poll);

// Σ a, or Σ a · b where there is a b.
Total total_of(std::span<const double> a, std::span<const double> b, std::size_t threads, const Poll& poll);

}  // namespace pingce
