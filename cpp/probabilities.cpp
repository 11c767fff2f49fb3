#include "probabilities.h"

#include <algorithm>

#include "parts.h"

namespace pingce {
namespace {

CalibrationBin* bin_of(ProbabilitySums& sums, double p) {
    if (sums.bins.empty()) return nullptr;
    const auto bin = static_cast<std::size_t>(p * static_cast<double>(sums.bins.size()));
    return &sums.bins[std::min(bin, sums.bins.size() - 1)];
}

void add_row(ProbabilitySums& sums, double p, bool positive, double epsilon) {
    const double error = p - (positive ? 1.0 : 0.0);
    sums.loss.add(loss_of(p, positive, epsilon));
    sums.squared.add(error, error);
    sums.predicted.add(p);
    if (CalibrationBin* bin = bin_of(sums, p)) {
        bin->rows.add(1.0);
        bin->positives.add(positive ? 1.0 : 0.0);
        bin->predicted.add(p);
    }
}

void add_row(ProbabilitySums& sums, double p, bool positive, double epsilon, double weight) {
    const double error = p - (positive ? 1.0 : 0.0);
    sums.loss.add(loss_of(p, positive, epsilon), weight);
    sums.squared.add(error, error, weight);
    sums.predicted.add(p, weight);
    if (CalibrationBin* bin = bin_of(sums, p)) {
        bin->rows.add(weight);
        bin->positives.add(positive ? weight : 0.0);
        bin->predicted.add(p, weight);
    }
}

}  // namespace

template <class Score>
ProbabilitySums probability_sums(const Labelled<Score>& rows, double epsilon, std::size_t bins, std::size_t threads,
                                 const Poll& poll) {
    return sum_rows(rows.scores.size(), threads, poll, [&](const Strand& strand) {
        ProbabilitySums sums;
        sums.bins.resize(bins);
        strand.for_each_part([&](std::size_t first, std::size_t end) {
            for (std::size_t i = first; i < end; ++i) {
                const auto p = static_cast<double>(rows.scores[i]);
                const bool positive = rows.positive[i] != 0;
                if (rows.weights.empty()) {
                    add_row(sums, p, positive, epsilon);
                } else {
                    add_row(sums, p, positive, epsilon, rows.weights[i]);
                }
                sums.clipped += p < epsilon || p > 1.0 - epsilon;
            }
        });
        return sums;
    });
}

Pools pool(std::span<const double> positives, std::span<const double> rows) {
    Pools out;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        out.positives.push_back(positives[i]);
        out.rows.push_back(rows[i]);
        for (std::size_t last = out.rows.size() - 1; last > 0; --last) {
            const bool rises = out.positives[last - 1] * out.rows[last] < out.positives[last] * out.rows[last - 1];
            if (!rises) break;
            out.positives[last - 1] += out.positives[last];
            out.rows[last - 1] += out.rows[last];
            out.positives.pop_back();
            out.rows.pop_back();
        }
    }
    return out;
}

template ProbabilitySums probability_sums(const Labelled<float>&, double, std::size_t, std::size_t, const Poll&);
template ProbabilitySums probability_sums(const Labelled<double>&, double, std::size_t, std::size_t, const Poll&);

}  // namespace pingce
