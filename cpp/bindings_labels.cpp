// Labels, scores and numbers as Python hands them over. Arrays come in as views and go out as NumPy arrays.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <span>
#include <stdexcept>
#include <utility>

#include "grouped.h"
#include "labelled.h"
#include "python_calls.h"
#include "python_ids.h"
#include "total.h"

namespace pingce::python {

using namespace nb::literals;

namespace {

// No threads for what is shorter than the start of one.
std::size_t worth_threads(std::size_t rows, std::size_t threads) {
    constexpr std::size_t small = std::size_t{1} << 14;
    return rows < small ? 0 : threads;
}

template <class T>
std::span<const T> view(const Input<T>& values) {
    return {values.data(), values.shape(0)};
}

template <class T>
std::span<const T> typed(const AnyInput& values) {
    return {static_cast<const T*>(values.data()), values.shape(0)};
}

void check_length(std::size_t rows, std::size_t expected) {
    if (rows != expected) throw std::invalid_argument("columns differ in length");
}

template <class Action>
nb::object for_type_of(const AnyInput& scores, const Action& action) {
    if (scores.dtype() == nb::dtype<float>()) return action(typed<float>(scores));
    if (scores.dtype() == nb::dtype<double>()) return action(typed<double>(scores));
    throw std::invalid_argument("scores must be float32 or float64");
}

// [(exponent, high, low), …]: the sum is Σ (high · 2^64 + low) · 2^(exponent - 2150).
nb::list bins_of(const Total& total) {
    nb::list out;
    for (const Total::Bin& bin : total.bins()) out.append(nb::make_tuple(bin.exponent, bin.high, bin.low));
    return out;
}

// A number beyond 64 bits, as (high, low).
nb::tuple halves(unsigned __int128 number) {
    return nb::make_tuple(static_cast<std::uint64_t>(number >> 64), static_cast<std::uint64_t>(number));
}

nb::object split_by_label(const Input<std::uint8_t>& positive, const AnyInput& scores, std::size_t threads) {
    check_length(positive.shape(0), scores.shape(0));
    return for_type_of(scores, [&]<class Score>(std::span<const Score> values) -> nb::object {
        Sides<Score> sides;
        without_gil([&] {
            return sides =
                       pingce::split_by_label(view(positive), values, worth_threads(values.size(), threads), no_signal),
                   true;
        });
        return nb::make_tuple(hand_over(std::move(sides.positives)), hand_over(std::move(sides.negatives)));
    });
}

nb::object twice_concordant(const AnyInput& positives, const AnyInput& negatives, std::size_t threads) {
    if (positives.dtype() != negatives.dtype()) throw std::invalid_argument("both sides must have one type");
    return for_type_of(positives, [&]<class Score>(std::span<const Score> sorted) -> nb::object {
        unsigned __int128 pairs = 0;
        const std::size_t rows = sorted.size() + negatives.shape(0);
        without_gil([&] {
            return pairs = pingce::twice_concordant(sorted, typed<Score>(negatives), worth_threads(rows, threads),
                                                    no_signal),
                   true;
        });
        return halves(pairs);
    });
}

nb::object tabulate(const AnyInput& positives, const AnyInput& negatives, std::size_t threads) {
    if (positives.dtype() != negatives.dtype()) throw std::invalid_argument("both sides must have one type");
    return for_type_of(positives, [&]<class Score>(std::span<const Score> sorted) -> nb::object {
        Thresholds<Score> table;
        const std::size_t rows = sorted.size() + negatives.shape(0);
        without_gil([&] {
            return table = pingce::tabulate(sorted, typed<Score>(negatives), worth_threads(rows, threads), no_signal),
                   true;
        });
        return nb::make_tuple(hand_over(std::move(table.score)), hand_over(std::move(table.true_positives)),
                              hand_over(std::move(table.false_positives)), halves(table.twice_concordant));
    });
}

template <class Score>
ThresholdsView<Score> thresholds(const AnyInput& score, const Input<std::int64_t>& true_positives,
                                 const Input<std::int64_t>& false_positives) {
    check_length(true_positives.shape(0), score.shape(0));
    check_length(false_positives.shape(0), score.shape(0));
    return {typed<Score>(score), view(true_positives), view(false_positives)};
}

nb::object merge_tables(const AnyInput& score, const Input<std::int64_t>& true_positives,
                        const Input<std::int64_t>& false_positives, const AnyInput& other_score,
                        const Input<std::int64_t>& other_true_positives,
                        const Input<std::int64_t>& other_false_positives, std::size_t threads) {
    if (score.dtype() != other_score.dtype()) throw std::invalid_argument("both tables must have scores of one type");
    return for_type_of(score, [&]<class Score>(std::span<const Score>) -> nb::object {
        const auto one = thresholds<Score>(score, true_positives, false_positives);
        const auto other = thresholds<Score>(other_score, other_true_positives, other_false_positives);
        Thresholds<Score> table;
        const std::size_t rows = score.shape(0) + other_score.shape(0);
        without_gil(
            [&] { return table = pingce::merge_tables(one, other, worth_threads(rows, threads), no_signal), true; });
        return nb::make_tuple(hand_over(std::move(table.score)), hand_over(std::move(table.true_positives)),
                              hand_over(std::move(table.false_positives)), halves(table.twice_concordant));
    });
}

template <class Score>
Labelled<Score> labelled(const Input<std::uint8_t>& positive, std::span<const Score> scores,
                         const Input<double>& weights) {
    check_length(positive.shape(0), scores.size());
    if (weights.shape(0) > 0) check_length(weights.shape(0), scores.size());
    return {view(positive), scores, view(weights)};
}

nb::dict sums_dict(const ProbabilitySums& sums) {
    nb::dict out;
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

nb::object probability_sums(const Input<std::uint8_t>& positive, const AnyInput& scores, const Input<double>& weights,
                            double epsilon, std::size_t bins, std::size_t threads) {
    if (!(epsilon > 0.0 && epsilon < 0.5)) throw std::invalid_argument("epsilon must lie between 0 and 1/2");
    return for_type_of(scores, [&]<class Score>(std::span<const Score> values) -> nb::object {
        const Labelled<Score> rows = labelled(positive, values, weights);
        ProbabilitySums sums;
        without_gil([&] {
            return sums =
                       pingce::probability_sums(rows, epsilon, bins, worth_threads(values.size(), threads), no_signal),
                   true;
        });
        return sums_dict(sums);
    });
}

nb::dict group_dict(GroupPairs&& pairs) {
    nb::dict out;
    out["first_row"] = hand_over(std::move(pairs.first_row));
    out["rows"] = hand_over(std::move(pairs.rows));
    out["positives"] = hand_over(std::move(pairs.positives));
    out["twice_concordant"] = hand_over(std::move(pairs.twice_concordant));
    out["loss"] = hand_over(std::move(pairs.loss));
    out["positive_weight"] = hand_over(std::move(pairs.positive_weight));
    out["negative_weight"] = hand_over(std::move(pairs.negative_weight));
    out["concordant"] = hand_over(std::move(pairs.concordant));
    out["column"] = hand_over(std::move(pairs.column));
    return out;
}

// An epsilon of 0 means that no loss is asked for; no weights and no column are empty arrays.
nb::object group_pairs(const nb::list& groups, const Input<std::uint8_t>& positive, const AnyInput& scores,
                       const Input<double>& weights, double epsilon, const Input<double>& column, std::size_t threads) {
    if (!(epsilon >= 0.0 && epsilon < 0.5)) throw std::invalid_argument("epsilon must lie between 0 and 1/2");
    return for_type_of(scores, [&]<class Score>(std::span<const Score> values) -> nb::object {
        const Labelled<Score> rows = labelled(positive, values, weights);
        if (column.shape(0) > 0) check_length(column.shape(0), values.size());
        GroupPairs pairs;
        const auto count = [&](const auto& ids) {
            check_length(ids.size(), values.size());
            without_gil([&] {
                return pairs = pingce::group_pairs(ids, rows, epsilon, view(column),
                                                   worth_threads(values.size(), threads), no_signal),
                       true;
            });
        };
        if (holds_integers(groups)) {
            count(Read<IntPiece>(groups).column);
        } else {
            count(Read<StringPiece>(groups).column);
        }
        return group_dict(std::move(pairs));
    });
}

// Σ a, or Σ a · b where b is not empty, without rounding; every value must be finite.
nb::list exact_total(const Input<double>& a, const Input<double>& b, std::size_t threads) {
    if (b.shape(0) > 0) check_length(b.shape(0), a.shape(0));
    Total total;
    without_gil([&] {
        total = total_of(view(a), view(b), worth_threads(a.shape(0), threads), no_signal);
        return true;
    });
    return bins_of(total);
}

// Every value must be finite.
nb::dict error_sums(const Input<double>& truth, const Input<double>& predicted, std::size_t threads) {
    check_length(predicted.shape(0), truth.shape(0));
    ErrorSums sums;
    without_gil([&] {
        sums = pingce::error_sums(view(truth), view(predicted), worth_threads(truth.shape(0), threads), no_signal);
        return true;
    });
    nb::dict out;
    out["largest"] = sums.largest;
    if (std::isinf(sums.largest)) return out;
    out["absolute"] = bins_of(sums.absolute);
    out["error"] = bins_of(sums.error);
    out["squared"] = bins_of(sums.squared);
    out["true"] = bins_of(sums.truth);
    out["true_squared"] = bins_of(sums.truth_squared);
    return out;
}

nb::object pool(const Input<double>& positives, const Input<double>& rows) {
    check_length(positives.shape(0), rows.shape(0));
    Pools pools;
    without_gil([&] { return pools = pingce::pool(view(positives), view(rows)), true; });
    return nb::make_tuple(hand_over(std::move(pools.positives)), hand_over(std::move(pools.rows)));
}

}  // namespace

void define_labels(nb::module_& module) {
    module.def("split_by_label", &split_by_label, "positive"_a, "scores"_a, "threads"_a);
    module.def("twice_concordant", &twice_concordant, "positives"_a, "negatives"_a, "threads"_a);
    module.def("tabulate", &tabulate, "positives"_a, "negatives"_a, "threads"_a);
    module.def("merge_tables", &merge_tables, "score"_a, "true_positives"_a, "false_positives"_a, "other_score"_a,
               "other_true_positives"_a, "other_false_positives"_a, "threads"_a);
    module.def("probability_sums", &probability_sums, "positive"_a, "scores"_a, "weights"_a, "epsilon"_a, "bins"_a,
               "threads"_a);
    module.def("group_pairs", &group_pairs, "groups"_a, "positive"_a, "scores"_a, "weights"_a, "epsilon"_a, "column"_a,
               "threads"_a);
    module.def("error_sums", &error_sums, "truth"_a, "predicted"_a, "threads"_a);
    module.def("pool", &pool, "positives"_a, "rows"_a);
    module.def("exact_total", &exact_total, "a"_a, "b"_a, "threads"_a);
}

}  // namespace pingce::python
