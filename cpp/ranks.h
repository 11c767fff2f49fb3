// Places of numbers among each other: the mean rank of each, and the middle of the sizes of errors.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "buffer.h"
#include "parallel.h"

namespace pingce {

// Twice the numbers below each and once its equals, itself among them: twice the mean rank, less 1. None may be NaN.
Buffer<double> mid_ranks(std::span<const double> values, std::size_t threads, const Poll& poll);

// The two middle ones of |predicted - truth|, which are one where there is an odd number of at least one row. None may
// be NaN.
std::pair<double, double> middle_errors(std::span<const double> truth, std::span<const double> predicted,
                                        std::size_t threads, const Poll& poll);

}  // namespace pingce
