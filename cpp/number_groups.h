// True and predicted numbers within groups: pairs of rows counted in each, whichever way its rows lie.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "buffer.h"
#include "dealt.h"
#include "group_pairs.h"
#include "groups.h"
#include "near_groups.h"
#include "order_counter.h"
#include "parallel.h"

namespace pingce {

// One row a group, sorted by id; each pair of rows is of one kind: those with both numbers equal are not among the ties
// of either.
template <class Id>
struct GroupOrders {
    Buffer<Id> ids;
    Buffer<std::int64_t> rows, concordant, discordant, tied_truth, tied_predicted, tied_both;

    explicit GroupOrders(std::size_t groups)
        : ids(groups),
          rows(groups),
          concordant(groups),
          discordant(groups),
          tied_truth(groups),
          tied_predicted(groups),
          tied_both(groups) {}

    void set(std::size_t at, const Id& id, const OrderCounts& counts) {
        ids[at] = id;
        rows[at] = counts.rows;
        concordant[at] = counts.concordant();
        discordant[at] = counts.discordant;
        tied_truth[at] = counts.tied_truth - counts.tied_both;
        tied_predicted[at] = counts.tied_predicted - counts.tied_both;
        tied_both[at] = counts.tied_both;
    }
};

struct Numbers {
    std::span<const double> truth, predicted;
};

namespace detail {

// Groups by integers that lie close together: rows are dealt by ranges of ids, in which each id has a place.
class NearNumbers {
 public:
    NearNumbers(const IntIds& ids, const Numbers& numbers, const IdSpan& span, std::size_t threads, const Poll& poll)
        : ids_(ids),
          numbers_(numbers),
          span_(span),
          shift_(shift_of(span.above(span.high), 2 * ranges_of(ids.size()))),
          threads_(threads),
          poll_(poll) {}

    GroupOrders<std::int64_t> count() {
        const std::size_t ranges = static_cast<std::size_t>(span_.above(span_.high) >> shift_) + 1;
        std::vector<Counted> lists(ranges);
        {
            Dealt<Row> dealt(ids_.size(), ranges);
            run_parallel(parts_of(ids_.size()), threads_, [&](std::size_t part) { deal(part, dealt); }, poll_);
            run_parallel(ranges, threads_, [&](std::size_t range) { lists[range] = count_range(dealt, range); }, poll_);
        }
        return joined(lists);
    }

 private:
    struct Row {
        std::uint32_t id;                      // within its range
        std::array<std::uint32_t, 4> numbers;  // by halves, which need no room between
    };
    struct Counted {
        std::vector<std::int64_t> ids;
        std::vector<OrderCounts> counts;
    };

    void deal(std::size_t part, Dealt<Row>& dealt) const {
        thread_local std::vector<std::uint32_t> room;
        room.resize(part_rows);
        std::uint32_t* const above = room.data();
        const std::size_t first = part * part_rows;
        for_each_id_block(ids_, first, std::min(ids_.size(), first + part_rows),
                          [&](std::size_t row, std::span<const std::int64_t> values) {
                              for (std::size_t i = 0; i < values.size(); ++i)
                                  above[row - first + i] = static_cast<std::uint32_t>(span_.above(values[i]));
                          });
        const std::uint32_t mask = (std::uint32_t{1} << shift_) - 1;
        dealt.deal(
            part, [&](std::size_t row) { return static_cast<std::size_t>(above[row - first] >> shift_); },
            [&](std::size_t row) {
                const NumberRow numbers{numbers_.truth[row], numbers_.predicted[row]};
                return Row{above[row - first] & mask, std::bit_cast<std::array<std::uint32_t, 4>>(numbers)};
            });
    }

    Counted count_range(Dealt<Row>& dealt, std::size_t range) const {
        thread_local std::vector<std::uint32_t> end_room;
        thread_local std::vector<NumberRow> row_room;
        const std::size_t places = std::size_t{1} << shift_;
        end_room.assign(places + 1, 0);
        std::uint32_t* const end = end_room.data() + 1;  // of each id, once its rows are put down
        dealt.for_each_stretch(range, [&](std::span<const Row> rows) {
            for (const Row& row : rows) ++end[row.id];
        });
        const auto groups = static_cast<std::size_t>(std::count_if(end, end + places, std::identity()));
        std::exclusive_scan(end, end + places, end, std::uint32_t{0});
        row_room.resize(std::max<std::size_t>(row_room.size(), dealt.size(range)));
        NumberRow* const rows_of = row_room.data();
        dealt.for_each_stretch(range, [&](std::span<const Row> rows) {
            for (const Row& row : rows) rows_of[end[row.id]++] = std::bit_cast<NumberRow>(row.numbers);
        });
        Counted out;
        out.ids.reserve(groups);
        out.counts.reserve(groups);
        OrderCounter counter;
        const std::uint64_t first =
            static_cast<std::uint64_t>(span_.low) + (static_cast<std::uint64_t>(range) << shift_);
        for (std::size_t place = 0; place < places; ++place) {
            if (end[place] == end_room[place]) continue;  // the end of the id before it
            out.ids.push_back(static_cast<std::int64_t>(first + place));
            out.counts.push_back(counter.count({rows_of + end_room[place], rows_of + end[place]}));
        }
        return out;
    }

    GroupOrders<std::int64_t> joined(const std::vector<Counted>& lists) const {
        std::vector<std::size_t> begin(lists.size() + 1, 0);
        for (std::size_t i = 0; i < lists.size(); ++i) begin[i + 1] = begin[i] + lists[i].ids.size();
        GroupOrders<std::int64_t> out(begin.back());
        const auto store = [&](std::size_t i) {
            for (std::size_t g = 0; g < lists[i].ids.size(); ++g)
                out.set(begin[i] + g, lists[i].ids[g], lists[i].counts[g]);
        };
        run_parallel(lists.size(), threads_, store, poll_);
        return out;
    }

    const IntIds& ids_;
    const Numbers& numbers_;
    IdSpan span_;
    unsigned shift_;
    std::size_t threads_;
    const Poll& poll_;
};

// Groups whose rows are known: read_row(group, i) is the i-th row of a group.
template <class Ids, class ReadRow>
GroupOrders<PackedId<Ids>> count_named(const NamedGroups<Ids>& named, const ReadRow& read_row, std::size_t threads,
                                       const Poll& poll) {
    constexpr std::size_t groups_a_part = 1024;
    const std::vector<std::size_t> places = sorted_places(named);
    GroupOrders<PackedId<Ids>> out(places.size());
    const auto count = [&](std::size_t part) {
        OrderCounter counter;
        std::vector<NumberRow> rows;
        const std::size_t end = std::min(places.size(), (part + 1) * groups_a_part);
        for (std::size_t at = part * groups_a_part; at < end; ++at) {
            rows.resize(named.groups.rows_of(places[at]));
            for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = read_row(named.groups.row(places[at], i));
            out.set(at, named.names[places[at]], counter.count(rows));
        }
    };
    run_parallel((places.size() + groups_a_part - 1) / groups_a_part, threads, count, poll);
    return out;
}

}  // namespace detail

template <class Ids>
GroupOrders<PackedId<Ids>> group_orders(const Ids& ids, const Numbers& numbers, std::size_t threads, const Poll& poll) {
    const auto number_row = [&](std::size_t row) {
        return detail::NumberRow{numbers.truth[row], numbers.predicted[row]};
    };
    if (detail::seems_grouped(ids))
        return detail::count_named(group_rows(ids, threads, poll), number_row, threads, poll);
    if constexpr (std::is_same_v<Ids, IntIds>) {
        const detail::IdSpan span = detail::span_of(ids, threads, poll);
        if (span.is_near(ids.size())) return detail::NearNumbers(ids, numbers, span, threads, poll).count();
    }
    const auto read = [&](std::size_t first, std::size_t count, detail::NumberRow* out) {
        for (std::size_t row = first; row < first + count; ++row) *out++ = number_row(row);
    };
    auto gathered = detail::gather_rows<detail::NumberRow>(ids, read, threads, poll);
    const NamedGroups<Ids> named{{.begin = std::move(gathered.begin), .order = {}, .entries = {}},
                                 std::move(gathered.names)};
    return detail::count_named(named, [&](std::size_t row) { return gathered.rows[row]; }, threads, poll);
}

}  // namespace pingce
