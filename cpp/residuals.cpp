#include "residuals.h"

#include <cmath>
#include <memory>
#include <utility>

#include "blocks.h"
#include "parts.h"

namespace pingce {

ErrorSums error_sums(std::span<const double> truth, std::span<const double> predicted, bool wants_sums,
                     std::size_t threads, const Poll& poll) {
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
            const double most = loops.largest(size, rows), most_true = wants_sums ? loops.largest(y, rows) : 0.0;
            sums.largest = std::max(sums.largest, most);
            if (!wants_sums || std::isinf(sums.largest)) return;
            work->blocks.add_within(sums.absolute, size, rows, most);
            work->blocks.add_within(sums.error, error, rows, most);
            work->blocks.add_within(sums.squared, error, error, rows, most, most);
            work->blocks.add_within(sums.truth, y, rows, most_true);
            work->blocks.add_within(sums.truth_squared, y, y, rows, most_true, most_true);
        });
        return sums;
    });
}

namespace {

// The differences of the logarithms of a block; `spare` is as long.
void subtract_logs(const Kernels& loops, const double* truth, const double* predicted, std::size_t rows, double* spare,
                   double* out) {
    loops.logs1p(truth, rows, spare);
    loops.logs1p(predicted, rows, out);
    for (std::size_t i = 0; i < rows; ++i) out[i] -= spare[i];
}

struct LogSum {
    Total total;
    bool finite = true;

    void add(const LogSum& other) {
        total.add(other.total);
        finite = finite && other.finite;
    }
};

}  // namespace

std::optional<Total> squared_log_errors(std::span<const double> truth, std::span<const double> predicted,
                                        std::size_t threads, const Poll& poll) {
    struct Work {
        Blocks blocks;
        double spare[block_rows], error[block_rows];
    };
    const Kernels& loops = kernels();
    LogSum sum = sum_rows(truth.size(), threads, poll, [&](const Strand& strand) {
        LogSum here;
        const auto work = std::make_unique<Work>();
        strand.for_each_block([&](std::size_t first, std::size_t rows) {
            if (!here.finite) return;
            double* const error = work->error;
            subtract_logs(loops, truth.data() + first, predicted.data() + first, rows, work->spare, error);
            double low, high;
            here.finite = loops.ends_double(error, rows, low, high);
            if (here.finite) work->blocks.add(here.total, error, error, rows);
        });
        return here;
    });
    if (!sum.finite) return std::nullopt;
    return std::move(sum.total);
}

Buffer<double> log_errors(std::span<const double> truth, std::span<const double> predicted, std::size_t threads,
                          const Poll& poll) {
    const Kernels& loops = kernels();
    Buffer<double> errors(truth.size());
    run_parallel(
        parts_of(truth.size()), threads,
        [&](std::size_t part) {
            double spare[block_rows];
            const std::size_t end = std::min(truth.size(), (part + 1) * part_rows);
            for (std::size_t row = part * part_rows; row < end; row += block_rows) {
                const std::size_t rows = std::min(block_rows, end - row);
                subtract_logs(loops, truth.data() + row, predicted.data() + row, rows, spare, &errors[row]);
            }
        },
        poll);
    return errors;
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
