// Pairs of true and predicted numbers for Python. Arrays come in as views and go out as NumPy arrays.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <utility>

#include "number_groups.h"
#include "number_pairs.h"
#include "python_calls.h"
#include "python_columns.h"
#include "python_ids.h"

namespace pingce::python {

using namespace nb::literals;

namespace {

// Sums of products of weights; no weights are an empty array.
Fields number_pairs(const Input<double>& truth, const Input<double>& predicted, const Input<std::uint64_t>& weights,
                    std::size_t threads) {
    check_length(predicted.shape(0), truth.shape(0));
    if (weights.shape(0) > 0) check_length(weights.shape(0), truth.shape(0));
    const NumberPairs pairs = without_gil([&] {
        return pingce::number_pairs(view(truth), view(predicted), view(weights), worth_threads(truth.shape(0), threads),
                                    check_signals);
    });
    Fields out;
    out["truth"] = halves(pairs.truth);
    out["predicted"] = halves(pairs.predicted);
    out["both"] = halves(pairs.both);
    out["discordant"] = halves(pairs.discordant);
    return out;
}

// Pairs within each group by kind, sorted by group.
Fields group_orders(const Pieces& groups, const Input<double>& truth, const Input<double>& predicted,
                    std::size_t threads) {
    check_length(predicted.shape(0), truth.shape(0));
    return with_column(groups, [&](const auto& ids) {
        check_length(ids.size(), truth.shape(0));
        const std::size_t worth = worth_threads(truth.shape(0), threads);
        auto orders = without_gil(
            [&] { return pingce::group_orders(ids, Numbers{view(truth), view(predicted)}, worth, check_signals); });
        Fields out;
        out["groups"] = ids_of(std::move(orders.ids), worth);
        out["rows"] = hand_over(std::move(orders.rows));
        out["concordant"] = hand_over(std::move(orders.concordant));
        out["discordant"] = hand_over(std::move(orders.discordant));
        out["tied_truth"] = hand_over(std::move(orders.tied_truth));
        out["tied_predicted"] = hand_over(std::move(orders.tied_predicted));
        out["tied_both"] = hand_over(std::move(orders.tied_both));
        return out;
    });
}

}  // namespace

void define_numbers(nb::module_& module) {
    module.def("number_pairs", &number_pairs, "truth"_a, "predicted"_a, "weights"_a, "threads"_a);
    module.def("group_orders", &group_orders, "groups"_a, "truth"_a, "predicted"_a, "threads"_a);
}

}  // namespace pingce::python
