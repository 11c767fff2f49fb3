// Groups by integers that lie close together: rows are dealt by ranges of ids, in which each id has a place. Nothing is
// hashed, and groups come out sorted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "dealt.h"
#include "group_counter.h"
#include "group_table.h"
#include "ids.h"
#include "parallel.h"

namespace pingce {

namespace detail {

// The lowest id, and how far above it the highest one is.
struct IdSpan {
    std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = std::numeric_limits<std::int64_t>::min();

    void add(const IdSpan& other) {
        low = std::min(low, other.low);
        high = std::max(high, other.high);
    }
    [[nodiscard]] std::uint64_t above(std::int64_t id) const {
        return static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(low);
    }
    // Whether a table with a place for each of them is not much longer than there are rows.
    [[nodiscard]] bool is_near(std::size_t rows) const {
        constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
        return rows > 0 && rows < most && above(high) < std::min<std::uint64_t>(4 * rows, most);
    }
};

// Calls action(first, count, ids) for blocks of rows.
template <class Action>
void for_each_id_block(const IntIds& ids, std::size_t first, std::size_t end, const Action& action) {
    std::int64_t values[block_rows];
    for (; first < end; first += block_rows) {
        const std::size_t count = std::min(block_rows, end - first);
        ids.read(first, count, values);
        action(first, std::span<const std::int64_t>(values, count));
    }
}

inline IdSpan span_of(const IntIds& ids, std::size_t threads, const Poll& poll) {
    return sum_rows(ids.size(), threads, poll, [&](const Strand& strand) {
        IdSpan here;
        strand.for_each_part([&](std::size_t begin, std::size_t end) {
            for_each_id_block(ids, begin, end, [&](std::size_t, std::span<const std::int64_t> values) {
                IdSpan block;
                for (const std::int64_t id : values) block.add({id, id});
                here.add(block);
            });
        });
        return here;
    });
}

// The fewest bits that leave no more than so many ranges.
inline unsigned shift_of(std::uint64_t highest, std::size_t ranges) {
    unsigned shift = 0;
    while (highest >> shift >= ranges) ++shift;
    return shift;
}

// Rows without weights, and without a column to be added up.
template <class Score>
class NearGroups {
 public:
    NearGroups(const IntIds& ids, const Labelled<Score>& labelled, const IdSpan& span, double epsilon,
               std::size_t threads, const Poll& poll)
        : ids_(ids),
          labelled_(labelled),
          span_(span),
          epsilon_(epsilon),
          shift_(shift_of(span.above(span.high), ranges_of(ids.size()))),
          threads_(threads),
          poll_(poll) {}

    GroupPairs<std::int64_t> count() {
        const std::size_t ranges = static_cast<std::size_t>(span_.above(span_.high) >> shift_) + 1;
        std::vector<GroupList<std::int64_t>> lists(ranges);
        {
            Dealt<Row> dealt(ids_.size(), ranges);
            run_parallel(parts_of(ids_.size()), threads_, [&](std::size_t part) { deal(part, dealt); }, poll_);
            run_parallel(ranges, threads_, [&](std::size_t range) { lists[range] = count_range(dealt, range); }, poll_);
        }
        return joined(lists);
    }

 private:
    struct Row {
        std::uint32_t id;  // within its range, and in the last bit the label
        Score score;
    };
    // Where the scores of an id end that were put down so far: those of positive rows from the front on, the others
    // from the back.
    struct Ends {
        std::uint32_t front, back;
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
        const auto place = [&](std::size_t row) { return static_cast<std::size_t>(above[row - first] >> shift_); };
        const auto item = [&](std::size_t row) {
            const std::uint32_t label = labelled_.positive[row] != 0;
            return Row{(above[row - first] & mask) << 1 | label, labelled_.scores[row]};
        };
        dealt.deal(part, place, item);
    }

    GroupList<std::int64_t> count_range(Dealt<Row>& dealt, std::size_t range) const {
        thread_local std::vector<std::uint32_t> begin_room;
        thread_local std::vector<Ends> ends_room;
        thread_local std::vector<Score> score_room;
        const std::size_t places = std::size_t{1} << shift_;
        begin_room.assign(places + 1, 0);
        std::uint32_t* const begin = begin_room.data();
        dealt.for_each_stretch(range, [&](std::span<const Row> rows) {
            for (const Row& row : rows) ++begin[(row.id >> 1) + 1];
        });
        const auto groups = static_cast<std::size_t>(std::count_if(begin + 1, begin + places + 1, std::identity()));
        std::inclusive_scan(begin, begin + places + 1, begin);
        ends_room.resize(places);
        score_room.resize(std::max<std::size_t>(score_room.size(), begin[places]));
        Ends* const ends = ends_room.data();
        Score* const scores = score_room.data();
        for (std::size_t place = 0; place < places; ++place) ends[place] = {begin[place], begin[place + 1]};
        dealt.for_each_stretch(range, [&](std::span<const Row> rows) {
            for (const Row& row : rows) {
                Ends& end = ends[row.id >> 1];
                const std::uint32_t label = row.id & 1;
                end.back -= 1 - label;
                scores[label == 1 ? end.front : end.back] = row.score;
                end.front += label;
            }
        });
        GroupList<std::int64_t> out;
        out.reserve(groups);
        GroupCounter<Score> counter(labelled_, epsilon_, {});
        const std::uint64_t first =
            static_cast<std::uint64_t>(span_.low) + (static_cast<std::uint64_t>(range) << shift_);
        for (std::size_t place = 0; place < places; ++place) {
            if (begin[place] == begin[place + 1]) continue;
            const Group group = counter.count_sides({scores + begin[place], scores + ends[place].front},
                                                    {scores + ends[place].front, scores + begin[place + 1]});
            out.ids.push_back(static_cast<std::int64_t>(first + place));
            out.counts.push_back(group.counts);
            if (counter.has_sums()) out.sums.push_back(group.sums);
        }
        return out;
    }

    GroupPairs<std::int64_t> joined(const std::vector<GroupList<std::int64_t>>& lists) const {
        std::vector<std::size_t> begin(lists.size() + 1, 0);
        for (std::size_t i = 0; i < lists.size(); ++i) begin[i + 1] = begin[i] + lists[i].ids.size();
        GroupPairs<std::int64_t> out(begin.back(), epsilon_ > 0.0, false, false);
        const auto store = [&](std::size_t i) {
            const GroupList<std::int64_t>& list = lists[i];
            for (std::size_t g = 0; g < list.ids.size(); ++g) {
                out.set(begin[i] + g, list.ids[g], list.counts[g]);
                if (!list.sums.empty()) out.set(begin[i] + g, list.sums[g]);
            }
        };
        run_parallel(lists.size(), threads_, store, poll_);
        return out;
    }

    const IntIds& ids_;
    const Labelled<Score>& labelled_;
    IdSpan span_;
    double epsilon_;
    unsigned shift_;
    std::size_t threads_;
    const Poll& poll_;
};

}  // namespace detail

}  // namespace pingce
