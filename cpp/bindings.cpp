// Where Python comes in: only the bindings and the python_*.h know it. Arrays come in as views and go out as NumPy
// arrays that own their memory.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/variant.h>

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gather.h"
#include "python_calls.h"
#include "python_dicts.h"
#include "python_ids.h"
#include "python_rankings.h"
#include "ranking.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using pingce::python::check_length;
using pingce::python::check_signals;
using pingce::python::faults_dict;
using pingce::python::Fields;
using pingce::python::hand_over;
using pingce::python::heads_dict;
using pingce::python::Input;
using pingce::python::Output;
using pingce::python::Pieces;
using pingce::python::with_ids;
using pingce::python::without_gil;

std::vector<std::int64_t> as_int64(const std::vector<std::size_t>& values) { return {values.begin(), values.end()}; }

Fields evidence_dict(pingce::RankingEvidence&& evidence, const pingce::Matched& matched) {
    std::vector<std::size_t> query_rows;
    query_rows.reserve(matched.query_group.size());
    for (const std::size_t group : matched.query_group) query_rows.push_back(matched.truth.row(group, 0));
    Fields out;
    out["query_rows"] = hand_over(as_int64(query_rows));
    out["extra_rows"] = hand_over(as_int64(matched.run.extra_rows));
    out["hit_begin"] = hand_over(std::move(evidence.hit_begin));
    out["judged_begin"] = hand_over(std::move(evidence.judged_begin));
    out["above"] = hand_over(std::move(evidence.above));
    out["block"] = hand_over(std::move(evidence.block));
    out["by_id"] = hand_over(std::move(evidence.by_id));
    out["by_order"] = hand_over(std::move(evidence.by_order));
    out["grade"] = hand_over(std::move(evidence.grade));
    out["judged"] = hand_over(std::move(evidence.judged));
    out["returned"] = hand_over(std::move(evidence.returned));
    out["answered"] = hand_over(std::move(evidence.answered));
    out["given"] = hand_over(std::move(evidence.given));
    out["truth_repeats"] = hand_over(std::move(evidence.truth_repeats));
    out["run_repeats"] = hand_over(std::move(evidence.run_repeats));
    out["nan_rows"] = hand_over(std::move(evidence.nan_rows));
    out["excluded"] = hand_over(std::move(evidence.excluded));
    out["faults"] = faults_dict(evidence.faults);
    if (evidence.heads) out["heads"] = heads_dict(std::move(*evidence.heads));
    return out;
}

Fields ranking_evidence(const Pieces& truth_query, const Pieces& truth_item, const Input<double>& grades,
                        const Pieces& run_query, const Pieces& run_item, const Input<double>& scores,
                        const Pieces& excluded_query, const Pieces& excluded_item, pingce::Duplicates duplicates,
                        pingce::NotANumber nan, std::size_t depth, std::size_t threads) {
    const pingce::RankingPolicies policies{duplicates, nan};
    constexpr std::size_t small_run = std::size_t{1} << 12;
    if (grades.shape(0) + scores.shape(0) < small_run) threads = 0;
    pingce::Matched matched;
    pingce::RankingEvidence evidence;
    std::size_t excluded_rows = 0;
    const auto check = [&](const auto& truth, const auto& run, const auto* excluded) {
        check_length(truth.size(), grades.shape(0));
        check_length(run.size(), scores.shape(0));
        check_length(excluded == nullptr ? 0 : excluded->size(), excluded_rows);
    };
    with_ids(truth_item, run_item, excluded_item, [&](const auto& truth, const auto& run, const auto* excluded) {
        excluded_rows = excluded == nullptr ? 0 : excluded->size();
        check(truth, run, excluded);
        using Ids = std::decay_t<decltype(truth)>;
        pingce::RankingColumns<Ids> columns{truth, run, excluded, {}};
        columns.read.truth = pingce::entries_of(truth, grades.data());
        columns.read.run = pingce::entries_of(run, scores.data());
        if (excluded != nullptr) columns.read.excluded = pingce::entries_of(*excluded, nullptr);
        with_ids(truth_query, run_query, excluded_query, [&](const auto& judged, const auto& given, const auto* out) {
            check(judged, given, out);
            matched = without_gil(
                [&] { return pingce::match_queries(judged, given, out, columns.read, threads, check_signals); });
        });
        evidence = without_gil(
            [&] { return pingce::ranking_evidence(matched, columns, policies, depth, threads, check_signals); });
    });
    return evidence_dict(std::move(evidence), matched);
}

// Strings go out as (data, ends), integers as an array.
using OwnIds =
    nb::typed<nb::object,
              std::variant<Output<std::int64_t>, nb::typed<nb::tuple, Output<std::uint8_t>, Output<std::int64_t>>>>;

OwnIds take(const Pieces& pieces, const Input<std::int64_t>& rows) {
    using pingce::python::Read;
    const std::span<const std::int64_t> chosen(rows.data(), rows.shape(0));
    const auto check = [&](std::size_t size) {
        const auto inside = [&](std::int64_t row) { return row >= 0 && static_cast<std::size_t>(row) < size; };
        if (!std::all_of(chosen.begin(), chosen.end(), inside)) throw std::out_of_range("no such row");
    };
    if (pingce::python::holds_integers(pieces)) {
        const Read<pingce::IntPiece> ids(pieces);
        check(ids.column.size());
        return nb::cast(hand_over(pingce::gather(ids.column, chosen)));
    }
    const Read<pingce::StringPiece> ids(pieces);
    check(ids.column.size());
    pingce::Strings strings = pingce::gather(ids.column, chosen);
    return nb::make_tuple(hand_over(std::move(strings.data)), hand_over(std::move(strings.ends)));
}

std::optional<std::size_t> first_empty(const Pieces& pieces, std::size_t threads) {
    const pingce::python::Read<pingce::StringPiece> ids(pieces);
    const std::size_t row = without_gil([&] { return pingce::first_empty(ids.column, threads, check_signals); });
    return row < ids.column.size() ? std::optional(row) : std::nullopt;
}

// (ids, values), ids as `take` gives them; None where the lists hold anything out of the ordinary.
std::optional<nb::typed<nb::tuple, OwnIds, Output<double>>> flatten(const nb::typed<nb::list, nb::any>& lists) {
    using pingce::python::Flat;
    try {
        Flat flat = pingce::python::Flattener().read(lists);
        nb::object ids =
            flat.strings ? nb::object(nb::make_tuple(hand_over(std::move(flat.data)), hand_over(std::move(flat.ends))))
                         : nb::cast(hand_over(std::move(flat.integers)));
        return nb::make_tuple(ids, hand_over(std::move(flat.values)));
    } catch (const pingce::python::Unusual&) {
        return std::nullopt;
    }
}

}  // namespace

NB_MODULE(_core, module) {
    module.doc() = "The native core of pingce: text to columns, columns to evidence. It knows no metric.";
    nb::enum_<pingce::Duplicates>(module, "Duplicates")
        .value("error", pingce::Duplicates::error)
        .value("first", pingce::Duplicates::first)
        .value("last", pingce::Duplicates::last)
        .value("best", pingce::Duplicates::best);
    nb::enum_<pingce::NotANumber>(module, "NotANumber")
        .value("error", pingce::NotANumber::error)
        .value("last", pingce::NotANumber::last)
        .value("first", pingce::NotANumber::first)
        .value("drop", pingce::NotANumber::drop);
    module.def("ranking_evidence", &ranking_evidence, "truth_query"_a, "truth_item"_a, "grades"_a, "run_query"_a,
               "run_item"_a, "scores"_a, "excluded_query"_a, "excluded_item"_a, "duplicates"_a, "nan"_a, "depth"_a,
               "threads"_a);
    module.def("take", &take, "pieces"_a, "rows"_a);
    module.def("first_empty", &first_empty, "pieces"_a, "threads"_a);
    pingce::python::define_places(module);
    pingce::python::define_text(module);
    pingce::python::define_draws(module);
    pingce::python::define_factors(module);
    pingce::python::define_groups(module);
    pingce::python::define_labels(module);
    pingce::python::define_sums(module);
    pingce::python::define_numbers(module);
    pingce::python::define_ids(module);
    pingce::python::define_lines(module);
    pingce::python::define_repeats(module);
    pingce::python::define_lists(module);
    module.def("flatten", &flatten, "lists"_a);
}
