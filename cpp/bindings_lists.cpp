// Lists of several runs side by side, as Python calls for them.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "lists.h"
#include "python_calls.h"
#include "python_ids.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace pingce::python {

namespace {

using Scores = std::vector<Input<double>>;
using Columns = nb::typed<nb::list, Pieces>;

// The same column of every run; all hold ids of one kind.
template <class Plain>
struct ReadRuns {
    std::vector<std::unique_ptr<Read<Plain>>> held;
    std::vector<const Column<Plain>*> columns;

    explicit ReadRuns(const Columns& runs) {
        for (const nb::handle run : runs) {
            held.push_back(std::make_unique<Read<Plain>>(nb::cast<Pieces>(run)));
            columns.push_back(&held.back()->column);
        }
    }
};

template <class Action>
auto with_runs(const Columns& runs, const Action& action) {
    if (runs.size() == 0) throw std::invalid_argument("no runs");
    if (holds_integers(nb::cast<Pieces>(runs[0]))) return action(ReadRuns<IntPiece>(runs).columns);
    return action(ReadRuns<StringPiece>(runs).columns);
}

nb::object or_none(const std::optional<std::size_t>& row) { return row ? nb::cast(*row) : nb::none(); }

Fields faults_dict(const ListFaults& faults) {
    Fields out;
    const auto& pair = faults.first.run_duplicate;
    out["duplicate"] = pair ? nb::object(nb::make_tuple(pair->first, pair->second)) : nb::none();
    out["nan_row"] = or_none(faults.first.nan_row);
    out["long_query"] = or_none(faults.first.long_query);
    out["repeats"] = faults.repeats;
    out["nan_rows"] = faults.nan_rows;
    return out;
}

// Calls action(matched queries, item columns) once the columns were read.
template <class Action>
void with_lists(const Columns& queries, const Columns& items, const Scores& scores, std::size_t threads,
                const Action& action) {
    with_runs(items, [&](const auto& of_items) {
        using Ids = std::remove_cv_t<std::remove_pointer_t<typename std::decay_t<decltype(of_items)>::value_type>>;
        ListColumns<Ids> columns{.items = of_items, .scores = {}, .read = {}, .offset = {}};
        if (of_items.size() != scores.size()) throw std::invalid_argument("runs differ in number");
        std::int64_t offset = 0;
        for (std::size_t run = 0; run < scores.size(); ++run) {
            if (of_items[run]->size() != scores[run].shape(0)) throw std::invalid_argument("columns differ in length");
            columns.scores.push_back(scores[run].data());
            columns.read.push_back(entries_of(*of_items[run], scores[run].data()));
            columns.offset.push_back(offset);
            offset += static_cast<std::int64_t>(scores[run].shape(0));
        }
        MatchedLists matched = with_runs(queries, [&](const auto& of_queries) {
            if (of_queries.size() != scores.size()) throw std::invalid_argument("runs differ in number");
            for (std::size_t run = 0; run < scores.size(); ++run) {
                if (of_queries[run]->size() != scores[run].shape(0))
                    throw std::invalid_argument("columns differ in length");
            }
            return without_gil([&] {
                using Queries = std::remove_pointer_t<typename std::decay_t<decltype(of_queries)>::value_type>;
                return match_lists(std::span<Queries* const>(of_queries), columns.read, threads, check_signals);
            });
        });
        action(matched, columns);
    });
}

Fields align(const Columns& queries, const Columns& items, const Scores& scores, Duplicates duplicates, NotANumber nan,
             TieOrder ties, std::size_t threads) {
    Fields out;
    with_lists(queries, items, scores, threads, [&](MatchedLists& matched, const auto& columns) {
        AlignedLists lists = without_gil([&] {
            return align_lists(matched, columns, ListPolicies{{duplicates, nan}, ties}, threads, check_signals);
        });
        nb::list runs;
        for (AlignedRun& run : lists.runs) {
            Fields fields;
            fields["begin"] = hand_over(std::move(run.begin));
            fields["row"] = hand_over(std::move(run.row));
            fields["place"] = hand_over(std::move(run.place));
            fields["faults"] = faults_dict(run.faults);
            runs.append(fields);
        }
        out["query_rows"] = hand_over(std::move(matched.query_rows));
        out["begin"] = hand_over(std::move(lists.begin));
        out["member"] = hand_over(std::move(lists.member));
        out["runs"] = runs;
    });
    return out;
}

// Where a list is longer than its points, only `longest` comes back.
Fields fuse(const Columns& queries, const Columns& items, const Scores& scores, const Scores& points,
            Duplicates duplicates, NotANumber nan, TieOrder ties, std::size_t threads) {
    Fields out;
    if (points.size() != scores.size()) throw std::invalid_argument("runs differ in number");
    with_lists(queries, items, scores, threads, [&](MatchedLists& matched, const auto& columns) {
        const std::size_t longest = matched.longest();
        out["longest"] = longest;
        std::vector<std::span<const double>> tables;
        for (const auto& table : points) tables.emplace_back(table.data(), table.shape(0));
        for (const auto& table : tables) {
            if (table.size() < longest) return;
        }
        FusedLists lists = without_gil([&] {
            return fuse_lists(matched, columns, ListPolicies{{duplicates, nan}, ties}, tables, threads, check_signals);
        });
        nb::list faults;
        for (const ListFaults& of_run : lists.faults) faults.append(faults_dict(of_run));
        out["query_rows"] = hand_over(std::move(matched.query_rows));
        out["begin"] = hand_over(std::move(lists.begin));
        out["member"] = hand_over(std::move(lists.member));
        out["score"] = hand_over(std::move(lists.score));
        out["faults"] = faults;
    });
    return out;
}

void check_begin(const Input<std::int64_t>& begin, std::size_t rows) {
    const std::span<const std::int64_t> offsets(begin.data(), begin.shape(0));
    const bool rising = std::is_sorted(offsets.begin(), offsets.end());
    if (offsets.empty() || offsets[0] != 0 || !rising || offsets.back() != static_cast<std::int64_t>(rows))
        throw std::invalid_argument("lists do not fill the rows");
}

Output<std::int64_t> order(const Input<std::int64_t>& begin, const Input<double>& scores, const Pieces& pieces,
                           const Input<std::int64_t>& member, TieOrder ties, std::size_t threads) {
    check_begin(begin, scores.shape(0));
    const std::span<const std::int64_t> members(member.data(), member.shape(0));
    return with_column(pieces, [&](const auto& ids) {
        const auto inside = [&](std::int64_t row) { return row >= 0 && static_cast<std::size_t>(row) < ids.size(); };
        if (members.size() != scores.shape(0) || !std::all_of(members.begin(), members.end(), inside))
            throw std::out_of_range("no such row");
        return hand_over(without_gil([&] {
            return order_lists(std::span(begin.data(), begin.shape(0)), std::span(scores.data(), scores.shape(0)), ids,
                               members, ties, threads, check_signals);
        }));
    });
}

Output<std::int64_t> majorities(const Input<std::int64_t>& begin, const Input<std::int64_t>& start,
                                const Input<std::int64_t>& ranks, const Input<double>& votes, std::size_t threads) {
    const std::size_t places = start.shape(0);
    check_begin(begin, places);
    const std::span<const std::int64_t> order(start.data(), places);
    const auto inside = [&](std::int64_t place) { return place >= 0 && static_cast<std::size_t>(place) < places; };
    if (ranks.shape(0) != places * votes.shape(0) || !std::all_of(order.begin(), order.end(), inside))
        throw std::invalid_argument("ranks do not fit the places");
    return hand_over(without_gil([&] {
        return majority_order(std::span(begin.data(), begin.shape(0)), order, std::span(ranks.data(), ranks.shape(0)),
                              std::span(votes.data(), votes.shape(0)), threads, check_signals);
    }));
}

Output<std::int64_t> inversions(const Input<std::int64_t>& begin, const Input<std::int64_t>& values,
                                std::size_t threads) {
    check_begin(begin, values.shape(0));
    return hand_over(without_gil([&] {
        return count_inversions(std::span(begin.data(), begin.shape(0)), std::span(values.data(), values.shape(0)),
                                threads, check_signals);
    }));
}

}  // namespace

void define_lists(nb::module_& module) {
    nb::enum_<TieOrder>(module, "TieOrder")
        .value("id", TieOrder::id)
        .value("id_ascending", TieOrder::id_ascending)
        .value("order", TieOrder::order);
    module.def("align_lists", &align, "queries"_a, "items"_a, "scores"_a, "duplicates"_a, "nan"_a, "ties"_a,
               "threads"_a);
    module.def("fuse_lists", &fuse, "queries"_a, "items"_a, "scores"_a, "points"_a, "duplicates"_a, "nan"_a, "ties"_a,
               "threads"_a);
    module.def("order_lists", &order, "begin"_a, "scores"_a, "pieces"_a, "member"_a, "ties"_a, "threads"_a);
    module.def("majority_order", &majorities, "begin"_a, "start"_a, "ranks"_a, "votes"_a, "threads"_a);
    module.def("inversions", &inversions, "begin"_a, "values"_a, "threads"_a);
}

}  // namespace pingce::python
