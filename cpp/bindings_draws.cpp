// Draws of units, and the losses of rows, as Python hands them over.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <span>
#include <stdexcept>

#include "draws.h"
#include "losses.h"
#include "python_calls.h"
#include "python_columns.h"

namespace pingce::python {

using namespace nb::literals;

namespace {

// The kernel follows these numbers without looking: they are looked at here.
void check_units(const Units& units, std::size_t cells) {
    if (std::any_of(units.cells.begin(), units.cells.end(), [&](std::uint32_t cell) { return cell >= cells; }))
        throw std::invalid_argument("a cell is beyond their number");
    if (!units.amounts.empty() && units.amounts.size() != units.cells.size())
        throw std::invalid_argument("columns differ in length");
    const auto& starts = units.starts;
    if (starts.empty()) return;
    const auto entries = static_cast<std::int64_t>(units.cells.size());
    if (starts.front() < 0 || starts.back() > entries || !std::is_sorted(starts.begin(), starts.end()))
        throw std::invalid_argument("units must begin one after another, within their entries");
}

// A row per draw, one after another: the sums of the cells over as many units as there are, drawn with replacement.
Output<std::int64_t> drawn_sums(const Input<std::int64_t>& starts, const Input<std::uint32_t>& cells,
                                const Input<std::int64_t>& amounts, std::size_t cell_count,
                                const nb::typed<nb::tuple, std::uint64_t, std::size_t, std::size_t>& draws,
                                std::size_t threads) {
    const Units units{view(starts), view(cells), view(amounts)};
    const DrawRange range{nb::cast<std::uint64_t>(draws[0]), nb::cast<std::size_t>(draws[1]),
                          nb::cast<std::size_t>(draws[2])};
    return hand_over(without_gil([&] {
        check_units(units, cell_count);
        const bool is_short = units.cells.size() * range.count < (std::size_t{1} << 16);
        return pingce::drawn_sums(units, cell_count, range, is_short ? 0 : threads, check_signals);
    }));
}

// -ln of what was predicted for each row; p is kept within [epsilon, 1 - epsilon].
Output<double> row_losses(const Input<std::uint8_t>& positive, const AnyInput& scores, double epsilon,
                          std::size_t threads) {
    check_length(positive.shape(0), scores.shape(0));
    return for_type_of(scores, [&]<class Score>(std::span<const Score> values) {
        const std::size_t count = values.size() <= part_rows ? 0 : threads;
        return hand_over(
            without_gil([&] { return pingce::row_losses(view(positive), values, epsilon, count, check_signals); }));
    });
}

}  // namespace

void define_draws(nb::module_& module) {
    module.def("row_losses", &row_losses, "positive"_a, "scores"_a, "epsilon"_a, "threads"_a);
    module.def("drawn_sums", &drawn_sums, "starts"_a, "cells"_a, "amounts"_a, "cell_count"_a, "draws"_a, "threads"_a);
}

}  // namespace pingce::python
