// The heads of lists, numbers of items, and pairs of users and items.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>
#include <utility>

#include "number_table.h"
#include "pair_index.h"
#include "places.h"
#include "python_calls.h"
#include "python_ids.h"
#include "python_rankings.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pingce::python {
namespace {

Fields places_dict(Places&& places) {
    Fields out = heads_dict(std::move(places.heads));
    out["first_row"] = hand_over(std::move(places.first_row));
    out["returned"] = hand_over(std::move(places.returned));
    out["given"] = hand_over(std::move(places.given));
    out["run_repeats"] = hand_over(std::move(places.run_repeats));
    out["nan_rows"] = hand_over(std::move(places.nan_rows));
    out["excluded"] = hand_over(std::move(places.excluded));
    out["faults"] = faults_dict(places.faults);
    return out;
}

Fields list_places(const Pieces& query, const Pieces& item, const Input<double>& scores, const Pieces& excluded_query,
                   const Pieces& excluded_item, Duplicates duplicates, NotANumber nan, std::size_t depth,
                   std::size_t threads) {
    constexpr std::size_t small_run = std::size_t{1} << 12;
    if (scores.shape(0) < small_run) threads = 0;
    Lists lists;
    Places places;
    with_ids(item, item, excluded_item, [&](const auto& items, const auto&, const auto* excluded) {
        const std::size_t excluded_rows = excluded == nullptr ? 0 : excluded->size();
        check_length(items.size(), scores.shape(0));
        RankingColumns<std::decay_t<decltype(items)>> columns{items, items, excluded, {}};
        columns.read.run = entries_of(items, scores.data());
        if (excluded != nullptr) columns.read.excluded = entries_of(*excluded, nullptr);
        with_ids(query, query, excluded_query, [&](const auto& queries, const auto&, const auto* out) {
            check_length(queries.size(), scores.shape(0));
            check_length(out == nullptr ? 0 : out->size(), excluded_rows);
            lists = without_gil([&] { return match_lists(queries, out, columns.read, threads, check_signals); });
        });
        const RankingPolicies policies{duplicates, nan};
        places =
            without_gil([&] { return pingce::list_places(lists, columns, policies, depth, threads, check_signals); });
    });
    return places_dict(std::move(places));
}

std::span<const std::int64_t> span_of(const Input<std::int64_t>& values) { return {values.data(), values.shape(0)}; }

Output<std::int32_t> number_table(const Input<std::int64_t>& values, std::int64_t low, std::size_t size) {
    return hand_over(without_gil([&] { return pingce::number_table(span_of(values), low, size, check_signals); }));
}

Output<std::int64_t> look_up(const Input<std::int64_t>& values, std::int64_t low, const Input<std::int32_t>& table) {
    const std::span<const std::int32_t> numbers(table.data(), table.shape(0));
    return hand_over(without_gil([&] { return pingce::look_up(span_of(values), low, numbers, check_signals); }));
}

// Pairs of a group and an item, by group.
class Pairs {
 public:
    Pairs(const Input<std::int64_t>& group, const Input<std::int64_t>& item, std::size_t groups, std::size_t items)
        : index_(made(group, item, groups, items)) {}

    [[nodiscard]] Output<std::int64_t> owners() const {
        return hand_over(without_gil([&] { return index_.owners(check_signals); }));
    }

    [[nodiscard]] Output<std::uint8_t> has(const Input<std::int64_t>& group, const Input<std::int64_t>& item) const {
        check_length(item.shape(0), group.shape(0));
        return hand_over(without_gil([&] { return index_.has(span_of(group), span_of(item), check_signals); }));
    }

 private:
    static PairIndex made(const Input<std::int64_t>& group, const Input<std::int64_t>& item, std::size_t groups,
                          std::size_t items) {
        check_length(item.shape(0), group.shape(0));
        return without_gil([&] { return PairIndex(span_of(group), span_of(item), groups, items, check_signals); });
    }

    PairIndex index_;
};

}  // namespace

void define_places(nb::module_& module) {
    module.def("list_places", &list_places, "query"_a, "item"_a, "scores"_a, "excluded_query"_a, "excluded_item"_a,
               "duplicates"_a, "nan"_a, "depth"_a, "threads"_a);
    module.def("number_table", &number_table, "values"_a, "low"_a, "size"_a);
    module.def("look_up", &look_up, "values"_a, "low"_a, "table"_a);
    nb::class_<Pairs>(module, "PairIndex")
        .def(nb::init<const Input<std::int64_t>&, const Input<std::int64_t>&, std::size_t, std::size_t>(), "group"_a,
             "item"_a, "groups"_a, "items"_a)
        .def("owners", &Pairs::owners)
        .def("has", &Pairs::has, "group"_a, "item"_a);
}

}  // namespace pingce::python
