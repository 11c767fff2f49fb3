// Sums over numbers: of a column, of products of two, and of the errors of predicted numbers.
#pragma once

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <optional>
#include <span>

#include "buffer.h"
#include "parallel.h"
#include "total.h"

namespace pingce {

// Sums over pairs of a true and a predicted number, e = predicted - true: in one pass, since memory is what costs.
struct ErrorSums {
    enum Name : std::size_t { absolute, error, squared, truth, truth_squared, count };

    std::array<Total, count> at;
    double largest = 0.0;  // |e|; the sums mean nothing where it is infinite

    void add(const ErrorSums& other) {
        largest = std::max(largest, other.largest);
        for (std::size_t name = 0; name < count; ++name) at[name].add(other.at[name]);
    }
};
// The sums that are wanted, and the largest error.
ErrorSums error_sums(std::span<const double> truth, std::span<const double> predicted,
                     const std::bitset<ErrorSums::count>& wanted, std::size_t threads, const Poll& poll);

// max |predicted - truth|, or nothing where a number, or a difference, is not finite.
std::optional<double> largest_error(std::span<const double> truth, std::span<const double> predicted,
                                    std::size_t threads, const Poll& poll);

// Σ (ln(1 + predicted) - ln(1 + truth))², or nothing where a number has no such logarithm.
std::optional<Total> squared_log_errors(std::span<const double> truth, std::span<const double> predicted,
                                        std::size_t threads, const Poll& poll);

// The difference of logarithms of each row.
Buffer<double> log_errors(std::span<const double> truth, std::span<const double> predicted, std::size_t threads,
                          const Poll& poll);

// Σ a, or Σ a · b where there is a b.
Total total_of(std::span<const double> a, std::span<const double> b, std::size_t threads, const Poll& poll);

}  // namespace pingce
