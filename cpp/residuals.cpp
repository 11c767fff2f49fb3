#include "residuals.h"

#include <cmath>
#include <memory>
#include <utility>

#include "blocks.h"
#include "parts.h"

namespace pingce {

ErrorSums error_sums(std::span<const double> truth, std::span<const double> predicted,
                     const std::bitset<ErrorSums::count>& wanted, std::size_t threads, const Poll& poll) {
    struct Work {
        Blocks blocks;
        double error[block_rows], size[block_rows];
    };
    const Kernels& loops = kernels();
    const bool of_truth = wanted[ErrorSums::truth] || wanted[ErrorSums::truth_squared];
    return sum_rows(truth.size(), threads, poll, [&](const Strand& strand) {
        ErrorSums sums;
        const auto work = std::make_unique<Work>();
        strand.for_each_block([&](std::size_t first, std::size_t rows) {
            const double *const y = truth.data() + first, *const error = work->error, *const size = work->size;
            loops.number_errors(y, predicted.data() + first, rows, work->error, work->size);
            const double most = loops.largest(size, rows), most_true = of_truth ? loops.largest(y, rows) : 0.0;
            sums.largest = std::max(sums.largest, most);
            if (std::isinf(sums.largest)) return;
            const auto add = [&](ErrorSums::Name name, const double* x, double top) {
                if (wanted[name]) work->blocks.add_within(sums.at[name], x, rows, top);
            };
            const auto add_square = [&](ErrorSums::Name name, const double* x, double top) {
                if (wanted[name]) work->blocks.add_within(sums.at[name], x, x, rows, top, top);
            };
            add(ErrorSums::absolute, size, most);
            add(ErrorSums::error, error, most);
            add_square(ErrorSums::squared, error, most);
            add(ErrorSums::truth, y, most_true);
            add_square(ErrorSums::truth_squared, y, most_true);
        });
        return sums;
    });
}

namespace {

struct Largest {
    double size = 0.0;
    bool finite = true;

    void add(const Largest& other) {
        size = std::max(size, other.size);
        finite = finite && other.finite;
    }
};

}  // namespace

std::optional<double> largest_error(std::span<const double> truth, std::span<const double> predicted,
                                    std::size_t threads, const Poll& poll) {
    const Kernels& loops = kernels();
    const Largest largest = sum_rows(truth.size(), threads, poll, [&](const Strand& strand) {
        Largest here;
        strand.for_each_block([&](std::size_t first, std::size_t rows) {
            double most = 0.0;
            const bool finite = loops.largest_error(truth.data() + first, predicted.data() + first, rows, most);
            here.add({most, finite});
        });
        return here;
    });
    return largest.finite ? std::optional(largest.size) : std::nullopt;
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
