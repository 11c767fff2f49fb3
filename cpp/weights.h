// Exact sums of weights, by label and decision.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "labels.h"
#include "parallel.h"
#include "total.h"

namespace pingce {

template <std::size_t Count>
struct Totals {
    std::array<Total, Count> at;

    void add(const Totals& other) {
        for (std::size_t i = 0; i < Count; ++i) at[i].add(other.at[i]);
    }
};

// Σ w of the negatives below the threshold, the positives below it, and both that reach it; a score that equals it does
// so only if `reach` says so.
template <class Score>
Totals<4> weight_cells(const Labelled<Score>& rows, Score threshold, bool reach, std::size_t threads, const Poll& poll);

// Σ w of all rows, and of the positives.
Totals<2> weight_sums(std::span<const std::uint8_t> positive, std::span<const double> weights, std::size_t threads,
                      const Poll& poll);

}  // namespace pingce
