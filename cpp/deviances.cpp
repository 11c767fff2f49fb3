#include "deviances.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "parts.h"

namespace pingce {
namespace {

double log_cosh_of(double error) {
    const double size = std::abs(error);
    if (size >= 0.05) return size + std::log1p(std::exp(-2 * size)) - std::numbers::ln2;
    const double square = size * size;
    return square *
           (1.0 / 2 - square * (1.0 / 12 - square * (1.0 / 45 - square * (17.0 / 2520 - square * 31 / 14175))));
}

double poisson(double truth, double predicted) {
    return 2 * ((truth == 0 ? 0.0 : truth * std::log(truth / predicted)) - truth + predicted);
}

double gamma(double truth, double predicted) { return 2 * (std::log(predicted / truth) + truth / predicted - 1); }

double of_power(double truth, double predicted, double power) {
    const double alone = std::pow(std::max(truth, 0.0), 2 - power) / ((1 - power) * (2 - power));
    const double together =
        std::pow(predicted, 2 - power) / (2 - power) - truth * std::pow(predicted, 1 - power) / (1 - power);
    return 2 * (alone + together);
}

double deviance_of(double truth, double predicted, double power) {
    if (power == 0) return (predicted - truth) * (predicted - truth);
    if (power == 1) return poisson(truth, predicted);
    if (power == 2) return gamma(truth, predicted);
    return of_power(truth, predicted, power);
}

template <class Of>
Buffer<double> each_row(std::size_t rows, std::size_t threads, const Poll& poll, const Of& of) {
    Buffer<double> out(rows);
    run_parallel(
        parts_of(rows), threads,
        [&](std::size_t part) {
            const std::size_t end = std::min(rows, (part + 1) * part_rows);
            for (std::size_t row = part * part_rows; row < end; ++row) out[row] = of(row);
        },
        poll);
    return out;
}

}  // namespace

Buffer<double> log_cosh(std::span<const double> errors, std::size_t threads, const Poll& poll) {
    return each_row(errors.size(), threads, poll, [&](std::size_t row) { return log_cosh_of(errors[row]); });
}

Buffer<double> deviances(std::span<const double> truth, std::span<const double> predicted, double power,
                         std::size_t threads, const Poll& poll) {
    return each_row(truth.size(), threads, poll, [&](std::size_t row) {
        const double value = deviance_of(truth[row], predicted[row], power);
        if (!std::isfinite(value)) return std::numeric_limits<double>::infinity();
        return value < 0 ? 0.0 : value;  // whatever was rounded
    });
}

}  // namespace pingce
