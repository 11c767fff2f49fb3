#include "residuals.h"

#include <cmath>

#include "parts.h"

namespace pingce {

ErrorSums error_sums(std::span<const double> truth, std::span<const double> predicted, std::size_t threads,
                     const Poll& poll) {
    return sum_rows(truth.size(), threads, poll, [&](const Strand& strand) {
        ErrorSums sums;
        strand.for_each_part([&](std::size_t first, std::size_t end) {
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
        return sums;
    });
}

Total total_of(std::span<const double> a, std::span<const double> b, std::size_t threads, const Poll& poll) {
    const auto add = [&](Total& to, std::size_t i) { b.empty() ? to.add(a[i]) : to.add(a[i], b[i]); };
    return sum_rows(a.size(), threads, poll, [&](const Strand& strand) {
        Total even, odd;  // neighbours often meet one exponent: two sums need not wait for each other
        strand.for_each_part([&](std::size_t first, std::size_t end) {
            std::size_t i = first;
            for (; i + 1 < end; i += 2) {
                add(even, i);
                add(odd, i + 1);
            }
            if (i < end) add(even, i);
        });
        even.add(odd);
        return even;
    });
}

}  // namespace pingce
