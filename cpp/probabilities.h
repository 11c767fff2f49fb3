// Sums over predicted probabilities, and pools of neighbours whose shares of positives rise.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "labels.h"
#include "parallel.h"
#include "total.h"

namespace pingce {

struct CalibrationBin {
    Total rows;
    Total positives;
    Total predicted;

    void add(const CalibrationBin& other) {
        rows.add(other.rows);
        positives.add(other.positives);
        predicted.add(other.predicted);
    }
};

struct ProbabilitySums {
    Total loss;
    Total squared;
    Total predicted;
    std::size_t clipped = 0;
    std::vector<CalibrationBin> bins;

    // Both have as many bins.
    void add(const ProbabilitySums& other) {
        loss.add(other.loss);
        squared.add(other.squared);
        predicted.add(other.predicted);
        clipped += other.clipped;
        for (std::size_t b = 0; b < bins.size(); ++b) bins[b].add(other.bins[b]);
    }
};

struct ProbabilityOptions {
    double epsilon;    // p is kept within [epsilon, 1 - epsilon] for the logarithm only
    std::size_t bins;  // of equal width
    bool loss;         // whether Σ w·loss is wanted, which costs more than all the rest
};

// Σ w·loss, Σ w·(p - y)², Σ w·p, and rows, positives and Σ w·p by bins.
template <class Score>
ProbabilitySums probability_sums(const Labelled<Score>& rows, const ProbabilityOptions& options, std::size_t threads,
                                 const Poll& poll);

// Neighbours whose shares of positives rise are pooled until none do (pool adjacent violators): what is left are the
// positives and the rows of each pool. Both columns come from the highest score down.
struct Pools {
    std::vector<double> positives;
    std::vector<double> rows;
};
Pools pool(std::span<const double> positives, std::span<const double> rows);

}  // namespace pingce
