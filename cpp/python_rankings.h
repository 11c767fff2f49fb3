// What calls that read rankings share.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>
#include <stdexcept>
#include <utility>

#include "python_calls.h"
#include "python_ids.h"
#include "ranking.h"

namespace pingce::python {

// The same column of truth, run and excluded pairs (a null pointer where there are none); all hold ids of one kind.
template <class Plain, class Action>
void with_columns(const Pieces& truth, const Pieces& run, const Pieces& excluded, const Action& action) {
    const Read<Plain> left(truth), right(run), out(excluded);
    action(left.column, right.column, excluded.size() > 0 ? &out.column : nullptr);
}

template <class Action>
void with_ids(const Pieces& truth, const Pieces& run, const Pieces& excluded, const Action& action) {
    if (holds_integers(truth)) {
        with_columns<IntPiece>(truth, run, excluded, action);
    } else {
        with_columns<StringPiece>(truth, run, excluded, action);
    }
}

inline nb::object or_none(const std::optional<std::size_t>& row) { return row ? nb::cast(*row) : nb::none(); }

inline nb::object or_none(const std::optional<RowPair>& pair) {
    return pair ? nb::object(nb::make_tuple(pair->first, pair->second)) : nb::none();
}

inline Fields faults_dict(const Faults& faults) {
    Fields out;
    out["truth_duplicate"] = or_none(faults.truth_duplicate);
    out["run_duplicate"] = or_none(faults.run_duplicate);
    out["nan_row"] = or_none(faults.nan_row);
    out["long_query"] = or_none(faults.long_query);
    return out;
}

inline Fields heads_dict(Heads&& heads) {
    Fields out;
    out["begin"] = hand_over(std::move(heads.begin));
    out["row"] = hand_over(std::move(heads.row));
    out["above"] = hand_over(std::move(heads.above));
    out["block"] = hand_over(std::move(heads.block));
    out["by_id"] = hand_over(std::move(heads.by_id));
    out["by_order"] = hand_over(std::move(heads.by_order));
    return out;
}

inline void check_length(std::size_t rows, std::size_t expected) {
    if (rows != expected) throw std::invalid_argument("columns differ in length");
}

}  // namespace pingce::python
