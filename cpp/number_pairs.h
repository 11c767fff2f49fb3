// Pairs of rows with a true and a predicted number, of which only the order counts. No metric is known here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "parallel.h"
#include "portable.h"

namespace pingce {

// Sums of products of weights, 1 each where there are none; twice a pair of rows, and once a row with itself.
struct NumberPairs {
    UInt128 truth = 0;       // of rows with one true number
    UInt128 predicted = 0;   // with one predicted number
    UInt128 both = 0;        // with both
    UInt128 discordant = 0;  // once a pair of rows that the predictions order against the truth

    void add(const NumberPairs& other) {
        truth += other.truth;
        predicted += other.predicted;
        both += other.both;
        discordant += other.discordant;
    }
};

// All weights together must stay below 2^63; an empty span is 1 of each row. No number may be NaN.
NumberPairs number_pairs(std::span<const double> truth, std::span<const double> predicted,
                         std::span<const std::uint64_t> weights, std::size_t threads, const Poll& poll);

}  // namespace pingce
