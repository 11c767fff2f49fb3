#include "residuals.h"

#include <cmath>
#include <memory>

#include "blocks.h"
#include "parts.h"

namespace pingce {

ErrorSums error_sums(std::span<const double> truth, std::span<const double> predicted, std::size_t threads,
                     const Poll& poll) {
    struct Work {
        Blocks blocks;
        double error[block_rows], size[block_rows];
    };
    const Kernels& loops = kernels();
    return sum_rows(truth.size(), threads, poll, [&](const Strand& strand) {
        ErrorSums sums;
        const auto work = std::make_unique<Work>();
        strand.for_each_block([&](std::size_t first, std::size_t rows) {
            const double *const y = truth.data() + first, *const error = work->error, *const size = work->size;
            loops.number_errors(y, predicted.data() + first, rows, work->error, work->size);
            sums.largest = std::max(sums.largest, loops.largest(size, rows));
            if (std::isinf(sums.largest)) return;
            work->blocks.add(sums.absolute, size, rows);
            work->blocks.add(sums.error, error, rows);
            work->blocks.add(sums.squared, error, error, rows);
            work->blocks.add(sums.truth, y, rows);
            work->blocks.add(sums.truth_squared, y, y, rows);
        });
        return sums;
    });
}

Total total_of(std::span<const double> a, std::span<const double> b, std::size_t threads, const Poll& poll) {
    return sum_rows(a.size(), threads, poll, [&](const Strand& strand) {
        Total total;
        const auto blocks = std::make_unique<Blocks>();
        strand.for_each_block([&](std::size_t first, std::size_t rows) {
            b.empty() ? blocks->add(total, a.data() + first, rows)
                      : blocks->add(total, a.data() + first, b.data() + first, rows);
        });
        return total;
    });
}

}  // namespace pingce
