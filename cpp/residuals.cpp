#include "residuals.h"

#include <cmath>

#include "parts.h"

namespace pingce {

ErrorSums error_sums(std::span<const double> truth, std::span<const double> predicted, std::size_t threads,
                     const Poll& poll) {
    return sum_rows(truth.size(), threads, poll, ErrorSums{}, [&](ErrorSums& sums, std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i) {
            const double error = predicted[i] - truth[i];
            sums.largest = std::max(sums.largest, std::abs(error));
            sums.absolute.add(std::abs(error));
            sums.error.add(error);
            sums.squared.add(error, error);
            sums.truth.add(truth[i]);
            sums.truth_squared.add(truth[i], truth[i]);
        }
    });
}

namespace {

// Neighbours often meet one exponent: two sums need not wait for each other.
struct PairedTotal {
    Total even, odd;

    void add(const PairedTotal& other) {
        even.add(other.even);
        odd.add(other.odd);
    }
};

}  // namespace

Total total_of(std::span<const double> a, std::span<const double> b, std::size_t threads, const Poll& poll) {
    const auto add = [&](Total& to, std::size_t i) { b.empty() ? to.add(a[i]) : to.add(a[i], b[i]); };
    PairedTotal total =
        sum_rows(a.size(), threads, poll, PairedTotal{}, [&](PairedTotal& sums, std::size_t first, std::size_t end) {
            std::size_t i = first;
            for (; i + 1 < end; i += 2) {
                add(sums.even, i);
                add(sums.odd, i + 1);
            }
            if (i < end) add(sums.even, i);
        });
    total.even.add(total.odd);
    return std::move(total.even);
}

}  // namespace pingce
