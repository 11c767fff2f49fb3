// Exact sums, and what every row of a column must be, for Python. Arrays come in as views.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "columns.h"
#include "deviances.h"
#include "kernels.h"
#include "probabilities.h"
#include "python_calls.h"
#include "python_columns.h"
#include "ranks.h"
#include "residuals.h"
#include "total.h"
#include "weights.h"

namespace pingce::python {

using namespace nb::literals;

namespace {

using Bins = nb::typed<nb::list, nb::typed<nb::tuple, std::size_t, std::int64_t, std::uint64_t>>;

// [(exponent, high, low), …]: the sum is Σ (high · 2^64 + low) · 2^(exponent - 2150).
Bins bins_of(const Total& total) {
    Bins out;
    for (const Total::Bin& bin : total.bins()) out.append(nb::make_tuple(bin.exponent, bin.high, bin.low));
    return out;
}

Fields sums_dict(const ProbabilitySums& sums) {
    Fields out;
    nb::list bins;
    for (const CalibrationBin& bin : sums.bins)
        bins.append(nb::make_tuple(bins_of(bin.rows), bins_of(bin.positives), bins_of(bin.predicted)));
    out["loss"] = bins_of(sums.loss);
    out["squared"] = bins_of(sums.squared);
    out["predicted"] = bins_of(sums.predicted);
    out["clipped"] = sums.clipped;
    out["bins"] = bins;
    return out;
}

Fields probability_sums(const Input<std::uint8_t>& positive, const AnyInput& scores, const Input<double>& weights,
                        double epsilon, std::size_t bins, std::size_t threads, bool loss) {
    if (!(epsilon > 0.0 && epsilon < 0.5)) throw std::invalid_argument("epsilon must lie between 0 and 1/2");
    return for_type_of(scores, [&]<class Score>(std::span<const Score> values) {
        const Labelled<Score> rows = labelled(positive, values, view(weights));
        return sums_dict(without_gil([&] {
            return pingce::probability_sums(rows, {epsilon, bins, loss}, worth_threads(values.size(), threads),
                                            check_signals);
        }));
    });
}

template <std::size_t Count>
nb::typed<nb::list, Bins> list_of(const Totals<Count>& totals) {
    nb::typed<nb::list, Bins> out;
    for (const Total& total : totals.at) out.append(bins_of(total));
    return out;
}

// Σ w of negatives and positives below the threshold, and of negatives and positives that reach it.
nb::typed<nb::list, Bins> weight_cells(const Input<std::uint8_t>& positive, const AnyInput& scores,
                                       const Input<double>& weights, double threshold, bool reach,
                                       std::size_t threads) {
    return for_type_of(scores, [&]<class Score>(std::span<const Score> values) {
        const Labelled<Score> rows = labelled(positive, values, view(weights));
        check_length(weights.shape(0), values.size());
        return list_of(without_gil([&] {
            return pingce::weight_cells(rows, static_cast<Score>(threshold), reach,
                                        worth_threads(values.size(), threads), check_signals);
        }));
    });
}

// Σ w of all rows, and of the positives.
nb::typed<nb::list, Bins> weight_sums(const Input<std::uint8_t>& positive, const Input<double>& weights,
                                      std::size_t threads) {
    check_length(positive.shape(0), weights.shape(0));
    return list_of(without_gil([&] {
        return pingce::weight_sums(view(positive), view(weights), worth_threads(weights.shape(0), threads),
                                   check_signals);
    }));
}

// Σ a, or Σ a · b where b is not empty, without rounding; every value must be finite.
Bins exact_total(const Input<double>& a, const Input<double>& b, std::size_t threads) {
    if (b.shape(0) > 0) check_length(b.shape(0), a.shape(0));
    return bins_of(
        without_gil([&] { return total_of(view(a), view(b), worth_threads(a.shape(0), threads), check_signals); }));
}

constexpr std::array<std::string_view, ErrorSums::count> error_names = {"absolute", "error", "squared", "true",
                                                                        "true_squared"};

// The sums of these names, and the largest error; every value must be finite.
Fields error_sums(const Input<double>& truth, const Input<double>& predicted, std::size_t threads,
                  const std::vector<std::string>& names) {
    check_length(predicted.shape(0), truth.shape(0));
    std::bitset<ErrorSums::count> wanted;
    for (const std::string& name : names) {
        const auto at = static_cast<std::size_t>(std::ranges::find(error_names, name) - error_names.begin());
        if (at == error_names.size()) throw std::invalid_argument("no such sum: " + name);
        wanted.set(at);
    }
    const ErrorSums sums = without_gil([&] {
        return pingce::error_sums(view(truth), view(predicted), wanted, worth_threads(truth.shape(0), threads),
                                  check_signals);
    });
    Fields out;
    out["largest"] = sums.largest;
    if (std::isinf(sums.largest)) return out;
    for (std::size_t name = 0; name < ErrorSums::count; ++name) {
        if (wanted[name]) out[error_names[name].data()] = bins_of(sums.at[name]);
    }
    return out;
}

// max |predicted - truth|, or None where a number, or a difference, is not finite.
std::optional<double> largest_error(const Input<double>& truth, const Input<double>& predicted, std::size_t threads) {
    check_length(predicted.shape(0), truth.shape(0));
    return without_gil([&] {
        return pingce::largest_error(view(truth), view(predicted), worth_threads(truth.shape(0), threads),
                                     check_signals);
    });
}

nb::typed<nb::tuple, Output<double>, Output<double>> pool(const Input<double>& positives, const Input<double>& rows) {
    check_length(positives.shape(0), rows.shape(0));
    Pools pools = without_gil([&] { return pingce::pool(view(positives), view(rows)); });
    return nb::make_tuple(hand_over(std::move(pools.positives)), hand_over(std::move(pools.rows)));
}

// Σ (ln(1 + predicted) - ln(1 + truth))², or None where a number has no such logarithm.
std::optional<Bins> squared_log_errors(const Input<double>& truth, const Input<double>& predicted,
                                       std::size_t threads) {
    check_length(predicted.shape(0), truth.shape(0));
    const std::optional<Total> total = without_gil([&] {
        return pingce::squared_log_errors(view(truth), view(predicted), worth_threads(truth.shape(0), threads),
                                          check_signals);
    });
    if (!total) return std::nullopt;
    return bins_of(*total);
}

// ln(1 + predicted) - ln(1 + truth) of each row.
Output<double> log_errors(const Input<double>& truth, const Input<double>& predicted, std::size_t threads) {
    check_length(predicted.shape(0), truth.shape(0));
    return hand_over(without_gil([&] {
        return pingce::log_errors(view(truth), view(predicted), worth_threads(truth.shape(0), threads), check_signals);
    }));
}

Output<double> log_cosh(const Input<double>& errors, std::size_t threads) {
    return hand_over(without_gil(
        [&] { return pingce::log_cosh(view(errors), worth_threads(errors.shape(0), threads), check_signals); }));
}

Output<double> deviances(const Input<double>& truth, const Input<double>& predicted, double power,
                         std::size_t threads) {
    check_length(predicted.shape(0), truth.shape(0));
    return hand_over(without_gil([&] {
        return pingce::deviances(view(truth), view(predicted), power, worth_threads(truth.shape(0), threads),
                                 check_signals);
    }));
}

// The two middle ones of |predicted - truth|.
nb::typed<nb::tuple, double, double> middle_errors(const Input<double>& truth, const Input<double>& predicted,
                                                   std::size_t threads) {
    check_length(predicted.shape(0), truth.shape(0));
    if (truth.shape(0) == 0) throw std::invalid_argument("no rows");
    const auto [low, high] = without_gil([&] {
        return pingce::middle_errors(view(truth), view(predicted), worth_threads(truth.shape(0), threads),
                                     check_signals);
    });
    return nb::make_tuple(low, high);
}

// Twice the mean rank of each number, less 1.
Output<double> mid_ranks(const Input<double>& values, std::size_t threads) {
    return hand_over(without_gil(
        [&] { return pingce::mid_ranks(view(values), worth_threads(values.shape(0), threads), check_signals); }));
}

// The lowest and the highest of some numbers, or None where one is not finite.
std::optional<nb::typed<nb::tuple, double, double>> ends(const AnyInput& values, std::size_t threads) {
    if (values.shape(0) == 0) throw std::invalid_argument("no values");
    return for_type_of(values, [&]<class Score>(std::span<const Score> column) {
        const Ends<Score> found =
            without_gil([&] { return ends_of(column, worth_threads(column.size(), threads), check_signals); });
        std::optional<nb::typed<nb::tuple, double, double>> out;
        if (found.finite) out = nb::make_tuple(static_cast<double>(found.low), static_cast<double>(found.high));
        return out;
    });
}

using Labels = nb::typed<nb::tuple, std::size_t, std::size_t, std::size_t, Output<std::uint8_t>>;

template <class T>
std::optional<Labels> two_labels_of(const AnyInput& values, std::size_t threads) {
    std::optional<TwoLabels> labels = without_gil(
        [&] { return pingce::two_labels(typed<T>(values), worth_threads(values.shape(0), threads), check_signals); });
    if (!labels) return std::nullopt;
    return Labels(
        nb::make_tuple(labels->low_row, labels->high_row, labels->count, hand_over(std::move(labels->is_high))));
}

// A row with the lower of two labels, one with the higher, how many have the higher, and which; None where there are
// more labels, or one is not finite.
std::optional<Labels> two_labels(const AnyInput& values, std::size_t threads) {
    if (values.shape(0) == 0) throw std::invalid_argument("no labels");
    const nb::dlpack::dtype type = values.dtype();
    if (type == nb::dtype<std::int8_t>()) return two_labels_of<std::int8_t>(values, threads);
    if (type == nb::dtype<std::uint8_t>()) return two_labels_of<std::uint8_t>(values, threads);
    if (type == nb::dtype<std::int16_t>()) return two_labels_of<std::int16_t>(values, threads);
    if (type == nb::dtype<std::uint16_t>()) return two_labels_of<std::uint16_t>(values, threads);
    if (type == nb::dtype<std::int32_t>()) return two_labels_of<std::int32_t>(values, threads);
    if (type == nb::dtype<std::uint32_t>()) return two_labels_of<std::uint32_t>(values, threads);
    if (type == nb::dtype<std::int64_t>()) return two_labels_of<std::int64_t>(values, threads);
    if (type == nb::dtype<std::uint64_t>()) return two_labels_of<std::uint64_t>(values, threads);
    if (type == nb::dtype<float>()) return two_labels_of<float>(values, threads);
    if (type == nb::dtype<double>()) return two_labels_of<double>(values, threads);
    throw std::invalid_argument("labels must be integers or floats");
}

}  // namespace

void define_sums(nb::module_& module) {
    module.def("probability_sums", &probability_sums, "positive"_a, "scores"_a, "weights"_a, "epsilon"_a, "bins"_a,
               "threads"_a, "loss"_a = true);
    module.def("weight_cells", &weight_cells, "positive"_a, "scores"_a, "weights"_a, "threshold"_a, "reach"_a,
               "threads"_a);
    module.def("weight_sums", &weight_sums, "positive"_a, "weights"_a, "threads"_a);
    module.def("error_sums", &error_sums, "truth"_a, "predicted"_a, "threads"_a,
               "names"_a = std::vector<std::string>(error_names.begin(), error_names.end()));
    module.def("largest_error", &largest_error, "truth"_a, "predicted"_a, "threads"_a);
    module.def("squared_log_errors", &squared_log_errors, "truth"_a, "predicted"_a, "threads"_a);
    module.def("log_errors", &log_errors, "truth"_a, "predicted"_a, "threads"_a);
    module.def("log_cosh", &log_cosh, "errors"_a, "threads"_a);
    module.def("deviances", &deviances, "truth"_a, "predicted"_a, "power"_a, "threads"_a);
    module.def("middle_errors", &middle_errors, "truth"_a, "predicted"_a, "threads"_a);
    module.def("mid_ranks", &mid_ranks, "values"_a, "threads"_a);
    module.def("exact_total", &exact_total, "a"_a, "b"_a, "threads"_a);
    module.def("pool", &pool, "positives"_a, "rows"_a);
    module.def("ends", &ends, "values"_a, "threads"_a);
    module.def("two_labels", &two_labels, "values"_a, "threads"_a);
    module.def("vector_path", [] { return kernels().name; });
    module.def("use_vectors", &use_vectors, "wanted"_a);
}

}  // namespace pingce::python
