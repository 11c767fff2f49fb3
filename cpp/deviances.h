// What single rows lose where that takes logarithms and powers: by the C library, as the reference in Python has it.
#pragma once

#include <cstddef>
#include <span>

#include "buffer.h"
#include "parallel.h"

namespace pingce {

// ln cosh of each error.
Buffer<double> log_cosh(std::span<const double> errors, std::size_t threads, const Poll& poll);

// The Tweedie deviance of each row, never below 0; infinite where it is beyond the range of doubles.
Buffer<double> deviances(std::span<const double> truth, std::span<const double> predicted, double power,
                         std::size_t threads, const Poll& poll);

}  // namespace pingce
