// Labels and scores as Python hands them over. Arrays come in as views and go out as NumPy arrays.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <span>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "flags.h"
#include "python_calls.h"
#include "python_columns.h"
#include "thresholds.h"

namespace pingce::python {

using namespace nb::literals;

namespace {

using Scores = nb::ndarray<nb::numpy, nb::ndim<1>>;

// Counts of a table, or of sums of weights.
template <class Amount>
using TableOf = nb::typed<nb::tuple, Scores, Output<Amount>, Output<Amount>, Halves>;

Halves twice_concordant(const Input<std::uint8_t>& positive, const AnyInput& scores, std::size_t threads) {
    return for_type_of(scores, [&]<class Score>(std::span<const Score> values) {
        const Labelled<Score> rows = labelled(positive, values, {});
        return halves(without_gil(
            [&] { return pingce::twice_concordant(rows, worth_threads(values.size(), threads), check_signals); }));
    });
}

template <class Score, class Amount>
TableOf<Amount> table_tuple(Thresholds<Score, Amount>&& table) {
    return nb::make_tuple(hand_over(std::move(table.score)), hand_over(std::move(table.true_positives)),
                          hand_over(std::move(table.false_positives)), halves(table.twice_concordant));
}

TableOf<std::int64_t> tabulate(const Input<std::uint8_t>& positive, const AnyInput& scores, std::size_t threads) {
    return for_type_of(scores, [&]<class Score>(std::span<const Score> values) {
        const Labelled<Score> rows = labelled(positive, values, {});
        return table_tuple(
            without_gil([&] { return pingce::tabulate(rows, worth_threads(values.size(), threads), check_signals); }));
    });
}

constexpr std::size_t most_flagged = 0x7fffffff;
using FlagColumns = nb::typed<nb::tuple, Scores, Output<std::int32_t>, Output<std::int32_t>, Output<std::int32_t>,
                              Output<std::int32_t>>;

FlagColumns tabulate_flags(const Input<std::uint8_t>& first, const Input<std::uint8_t>& second, const AnyInput& scores,
                           std::size_t threads) {
    return for_type_of(scores, [&]<class Score>(std::span<const Score> values) -> FlagColumns {
        check_length(first.shape(0), values.size());
        check_length(second.shape(0), values.size());
        if (values.size() > most_flagged) throw std::invalid_argument("too many rows to count in 31 bits");
        const Flagged<Score> rows{view(first), view(second), values};
        auto table = without_gil(
            [&] { return pingce::tabulate_flags(rows, worth_threads(values.size(), threads), check_signals); });
        return nb::make_tuple(hand_over(std::move(table.score)), hand_over(std::move(table.with)),
                              hand_over(std::move(table.without)), hand_over(std::move(table.both)),
                              hand_over(std::move(table.second)));
    });
}

TableOf<double> tabulate_weights(const Input<std::uint8_t>& positive, const AnyInput& scores,
                                 const Input<double>& weights, std::size_t threads) {
    return for_type_of(scores, [&]<class Score>(std::span<const Score> values) {
        check_length(weights.shape(0), values.size());
        const Labelled<Score> rows = labelled(positive, values, view(weights));
        return table_tuple(without_gil(
            [&] { return pingce::tabulate_weights(rows, worth_threads(values.size(), threads), check_signals); }));
    });
}

template <class Score>
ThresholdsView<Score> thresholds(const AnyInput& score, const Input<std::int64_t>& true_positives,
                                 const Input<std::int64_t>& false_positives) {
    check_length(true_positives.shape(0), score.shape(0));
    check_length(false_positives.shape(0), score.shape(0));
    return {typed<Score>(score), view(true_positives), view(false_positives)};
}

TableOf<std::int64_t> merge_tables(const AnyInput& score, const Input<std::int64_t>& true_positives,
                                   const Input<std::int64_t>& false_positives, const AnyInput& other_score,
                                   const Input<std::int64_t>& other_true_positives,
                                   const Input<std::int64_t>& other_false_positives, std::size_t threads) {
    if (score.dtype() != other_score.dtype()) throw std::invalid_argument("both tables must have scores of one type");
    return for_type_of(score, [&]<class Score>(std::span<const Score>) {
        const auto table = thresholds<Score>(score, true_positives, false_positives);
        const auto other = thresholds<Score>(other_score, other_true_positives, other_false_positives);
        const std::size_t rows = score.shape(0) + other_score.shape(0);
        return table_tuple(without_gil(
            [&] { return pingce::merge_tables(table, other, worth_threads(rows, threads), check_signals); }));
    });
}

// Of each table its distinct scores, and the positives and negatives with each.
using Counts = std::tuple<AnyInput, Input<std::int64_t>, Input<std::int64_t>>;

TableOf<std::int64_t> join_tables(const std::vector<Counts>& tables, std::size_t threads) {
    if (tables.empty()) throw std::invalid_argument("no tables");
    return for_type_of(std::get<0>(tables[0]), [&]<class Score>(std::span<const Score>) {
        std::vector<CountsView<Score>> views;
        std::size_t rows = 0;
        for (const auto& [score, positives, negatives] : tables) {
            if (score.dtype() != nb::dtype<Score>())
                throw std::invalid_argument("all tables must have scores of one type");
            check_length(positives.shape(0), score.shape(0));
            check_length(negatives.shape(0), score.shape(0));
            views.push_back({typed<Score>(score), view(positives), view(negatives)});
            rows += score.shape(0);
        }
        return table_tuple(without_gil([&] {
            return pingce::join_tables(std::span<const CountsView<Score>>(views), worth_threads(rows, threads),
                                       check_signals);
        }));
    });
}

}  // namespace

void define_labels(nb::module_& module) {
    module.def("twice_concordant", &twice_concordant, "positive"_a, "scores"_a, "threads"_a);
    module.def("tabulate", &tabulate, "positive"_a, "scores"_a, "threads"_a);
    module.def("tabulate_flags", &tabulate_flags, "first"_a, "second"_a, "scores"_a, "threads"_a);
    module.def("tabulate_weights", &tabulate_weights, "positive"_a, "scores"_a, "weights"_a, "threads"_a);
    module.def("merge_tables", &merge_tables, "score"_a, "true_positives"_a, "false_positives"_a, "other_score"_a,
               "other_true_positives"_a, "other_false_positives"_a, "threads"_a);
    module.def("join_tables", &join_tables, "tables"_a, "threads"_a);
}

}  // namespace pingce::python
