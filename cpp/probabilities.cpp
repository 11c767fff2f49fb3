#include "probabilities.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "blocks.h"
#include "parts.h"

namespace pingce {
namespace {

CalibrationBin& bin_of(std::vector<CalibrationBin>& bins, double p) {
    const auto bin = static_cast<std::size_t>(p * static_cast<double>(bins.size()));
    return bins[std::min(bin, bins.size() - 1)];
}

// What the rows of a part put into a bin: Σ p in multiples of 2^-40 and of 2^-87, rows and positives.
struct BinCounts {
    std::int64_t high = 0, low = 0;
    std::uint32_t rows = 0, positives = 0;

    void flush(CalibrationBin& bin) {
        if (rows == 0) return;
        bin.rows.put(rows, 2150);
        bin.positives.put(positives, 2150);
        bin.predicted.put(high, 2150 - 40);
        bin.predicted.put(low, 2150 - 87);
        *this = {};
    }
};

constexpr std::size_t most_counts = std::size_t{1} << 16;

// The sums of a strand of rows, a block at a time.
template <class Score>
class ProbabilityAdder {
 public:
    ProbabilityAdder(const Labelled<Score>& rows, const ProbabilityOptions& options, ProbabilitySums& sums)
        : rows_(rows), options_(options), sums_(sums) {
        sums.bins.resize(options.bins);
        if (rows.weights.empty() && options.bins <= most_counts) counts_.resize(options.bins);
    }

    void add_block(std::size_t first, std::size_t rows) {
        const double* const p = probabilities(first, rows);
        const std::uint8_t* const positive = rows_.positive.data() + first;
        const double* const weights = rows_.weights.empty() ? nullptr : rows_.weights.data() + first;
        if (options_.loss) {
            kernels_.losses(p, positive, rows, options_.epsilon, column_);
            weights ? blocks_.add(sums_.loss, column_, weights, rows) : blocks_.add(sums_.loss, column_, rows);
        }
        kernels_.label_errors(p, positive, rows, column_);
        weights ? blocks_.add(sums_.squared, column_, column_, weights, rows)
                : blocks_.add_within(sums_.squared, column_, column_, rows, 1.0, 1.0);
        weights ? blocks_.add(sums_.predicted, p, weights, rows) : blocks_.add_within(sums_.predicted, p, rows, 1.0);
        const double most = std::min(1.0 - options_.epsilon, 1.0 - 0x1p-53);  // 1 is always beyond it
        sums_.clipped += kernels_.count_outside(p, rows, options_.epsilon, most);
        if (!counts_.empty()) {
            count_bins(p, positive, rows);
        } else if (options_.bins > 0) {
            add_bins(p, positive, weights, rows);
        }
    }

    // At the end of each part: 2^16 rows are as many as the counts of a bin hold.
    void flush() {
        for (std::size_t bin = 0; bin < counts_.size(); ++bin) counts_[bin].flush(sums_.bins[bin]);
    }

 private:
    const double* probabilities(std::size_t first, std::size_t rows) {
        if constexpr (std::is_same_v<Score, double>) {
            return rows_.scores.data() + first;
        } else {
            kernels_.widen(rows_.scores.data() + first, rows, p_);
            return p_;
        }
    }

    void count_bins(const double* p, const std::uint8_t* positive, std::size_t rows) {
        const BinPlaces places{bin_, high_, low_, column_};
        const bool rest = kernels_.place(p, rows, static_cast<std::uint32_t>(counts_.size()), places);
        for (std::size_t i = 0; i < rows; ++i) {
            BinCounts& counts = counts_[bin_[i]];
            counts.high += high_[i];
            counts.low += low_[i];
            counts.rows += 1;
            counts.positives += positive[i];
        }
        for (std::size_t i = 0; rest && i < rows; ++i) {
            if (column_[i] != 0.0) sums_.bins[bin_[i]].predicted.add(column_[i]);
        }
    }

    void add_bins(const double* p, const std::uint8_t* positive, const double* weights, std::size_t rows) {
        for (std::size_t i = 0; i < rows; ++i) {
            CalibrationBin& bin = bin_of(sums_.bins, p[i]);
            const double weight = weights ? weights[i] : 1.0;
            bin.rows.add(weight);
            bin.positives.add(positive[i] != 0 ? weight : 0.0);
            bin.predicted.add(p[i], weight);
        }
    }

    const Labelled<Score>& rows_;
    const ProbabilityOptions& options_;
    ProbabilitySums& sums_;
    const Kernels& kernels_ = kernels();
    std::vector<BinCounts> counts_;
    Blocks blocks_;
    double p_[block_rows], column_[block_rows];
    std::uint32_t bin_[block_rows];
    std::int64_t high_[block_rows], low_[block_rows];
};

}  // namespace

template <class Score>
ProbabilitySums probability_sums(const Labelled<Score>& rows, const ProbabilityOptions& options, std::size_t threads,
                                 const Poll& poll) {
    return sum_rows(rows.scores.size(), threads, poll, [&](const Strand& strand) {
        ProbabilitySums sums;
        const auto adder = std::make_unique<ProbabilityAdder<Score>>(rows, options, sums);
        strand.for_each_part([&](std::size_t first, std::size_t end) {
            for (std::size_t row = first; row < end; row += block_rows)
                adder->add_block(row, std::min(block_rows, end - row));
            adder->flush();
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

template ProbabilitySums probability_sums(const Labelled<float>&, const ProbabilityOptions&, std::size_t, const Poll&);
template ProbabilitySums probability_sums(const Labelled<double>&, const ProbabilityOptions&, std::size_t, const Poll&);

}  // namespace pingce
