// Labels and scores of groups as Python hands them over: the pairs of each, by ids of any type.
#include <nanobind/nanobind.h>

#include <span>
#include <stdexcept>
#include <utility>

#include "group_pairs.h"
#include "python_calls.h"
#include "python_columns.h"
#include "python_ids.h"

namespace pingce::python {

using namespace nb::literals;

namespace {

template <class Id>
Fields group_dict(GroupPairs<Id>&& pairs, std::size_t threads) {
    Fields out;
    out["groups"] = ids_of(std::move(pairs.ids), threads);
    out["rows"] = hand_over(std::move(pairs.rows));
    out["positives"] = hand_over(std::move(pairs.positives));
    out["twice_concordant"] = hand_over(std::move(pairs.twice_concordant));
    out["constant"] = hand_over(std::move(pairs.constant));
    out["loss"] = hand_over(std::move(pairs.loss));
    out["positive_weight"] = hand_over(std::move(pairs.positive_weight));
    out["negative_weight"] = hand_over(std::move(pairs.negative_weight));
    out["concordant"] = hand_over(std::move(pairs.concordant));
    out["column"] = hand_over(std::move(pairs.column));
    return out;
}

// An epsilon of 0 means that no loss is asked for; no weights and no column are empty arrays.
Fields group_pairs(const Pieces& groups, const Input<std::uint8_t>& positive, const AnyInput& scores,
                   const Input<double>& weights, double epsilon, const Input<double>& column, std::size_t threads) {
    if (!(epsilon >= 0.0 && epsilon < 0.5)) throw std::invalid_argument("epsilon must lie between 0 and 1/2");
    return for_type_of(scores, [&]<class Score>(std::span<const Score> values) {
        const Labelled<Score> rows = labelled(positive, values, view(weights));
        if (column.shape(0) > 0) check_length(column.shape(0), values.size());
        return with_column(groups, [&](const auto& ids) {
            check_length(ids.size(), values.size());
            const std::size_t worth = worth_threads(values.size(), threads);
            return group_dict(without_gil([&] {
                                  return pingce::group_pairs(ids, rows, epsilon, view(column), worth, check_signals);
                              }),
                              worth);
        });
    });
}

}  // namespace

void define_groups(nb::module_& module) {
    module.def("group_pairs", &group_pairs, "groups"_a, "positive"_a, "scores"_a, "weights"_a, "epsilon"_a, "column"_a,
               "threads"_a);
}

}  // namespace pingce::python
