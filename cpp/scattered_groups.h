// Groups whose rows come in any order: each is counted in the hand where all of it lies.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <vector>

#include "dealt.h"
#include "group_counter.h"
#include "group_table.h"
#include "parallel.h"
#include "partition.h"

namespace pingce {

namespace detail {

// A radix sort by unsigned words, lowest byte first; a byte that all words share is passed over.
template <class Item>
void sort_by_bytes(std::vector<Item>& items, std::uint64_t Item::* word) {
    std::array<std::array<std::uint32_t, 256>, 8> counts{};
    for (const Item& item : items) {
        for (std::size_t byte = 0; byte < 8; ++byte) ++counts[byte][item.*word >> (8 * byte) & 255];
    }
    std::vector<Item> other(items.size());
    for (std::size_t byte = 0; byte < 8; ++byte) {
        std::array<std::uint32_t, 256>& at = counts[byte];
        if (std::find(at.begin(), at.end(), items.size()) != at.end()) continue;
        std::exclusive_scan(at.begin(), at.end(), at.begin(), 0U);
        for (const Item& item : items) other[at[item.*word >> (8 * byte) & 255]++] = item;
        items.swap(other);
    }
}

// Where a group was counted, and two words that order as its id does: the first is the key that groups are dealt by.
struct GroupPlace {
    std::uint64_t high = 0, low = 0;
    std::uint32_t hand = 0, group = 0;
};

inline GroupPlace place_of(std::int64_t id, std::uint32_t hand, std::uint32_t group) {
    return {static_cast<std::uint64_t>(id) ^ 1ULL << 63, 0, hand, group};
}

inline GroupPlace place_of(const PackedString& id, std::uint32_t hand, std::uint32_t group) {
    const PackedString::Rank rank = id.rank();
    return {rank.high, rank.low, hand, group};
}

// RowNumber is as narrow as the number of rows allows.
template <class Ids, class Score, class RowNumber>
class Shuffled {
 public:
    using Id = PackedId<Ids>;

    Shuffled(const Ids& ids, const Labelled<Score>& labelled, double epsilon, std::span<const double> column,
             std::size_t threads, const Poll& poll)
        : ids_(ids), labelled_(labelled), epsilon_(epsilon), column_(column), threads_(threads), poll_(poll) {}

    GroupPairs<Id> count() {
        const auto read = [&](std::size_t first, std::size_t count, Row* out) {
            for (std::size_t row = first; row < first + count; ++row)
                *out++ = {static_cast<RowNumber>(row << 1 | (labelled_.positive[row] != 0)), labelled_.scores[row]};
        };
        std::vector<GroupList<Id>> lists;
        {
            const Hands<Id, Row> hands = deal_rows<Row>(ids_, read, threads_, poll_);
            lists.resize(hands.size());
            const auto count_one = [&](std::size_t hand) { lists[hand] = count_hand(hands[hand]); };
            run_parallel(hands.size(), threads_, count_one, poll_);
        }
        return sorted(lists);
    }

 private:
    struct Row {
        RowNumber row;  // its number, and in the last bit its label
        Score score;
    };

    // In the order in which groups appear.
    GroupList<Id> count_hand(std::span<const DealtRow<Id, Row>> dealt) {
        thread_local HandGroups<Id> room;
        thread_local std::vector<Row> row_room;
        HandGroups<Id>& groups = room;  // looked up once, not for every row
        groups.number(dealt);
        row_room.resize(std::max(row_room.size(), dealt.size()));
        Row* const rows = row_room.data();
        const std::uint32_t* const places = groups.places().data();
        for (std::size_t i = 0; i < dealt.size(); ++i) rows[places[i]] = dealt[i].payload;
        GroupList<Id> out{groups.names(), {}, {}};
        out.reserve(out.ids.size());
        GroupCounter<Score> counter(labelled_, epsilon_, column_);
        for (std::size_t g = 0; g < out.ids.size(); ++g) {
            const Row* first = rows + groups.begin()[g];
            const auto member = [first](std::size_t i) {
                return Member<Score>{static_cast<std::size_t>(first[i].row >> 1), first[i].score,
                                     (first[i].row & 1) != 0};
            };
            const Group group = counter.count(groups.begin()[g + 1] - groups.begin()[g], member);
            out.counts.push_back(group.counts);
            if (counter.has_sums()) out.sums.push_back(group.sums);
        }
        return out;
    }

    GroupPairs<Id> sorted(const std::vector<GroupList<Id>>& lists) const {
        const Buffer<GroupPlace> places = places_of(lists);
        Ranges<GroupPlace> ranges = deal_by_keys<GroupPlace>(
            places.size(), [&](std::size_t at) { return places[at].high; }, [&](std::size_t at) { return places[at]; },
            threads_, poll_);
        GroupPairs<Id> out(places.size(), epsilon_ > 0.0, !labelled_.weights.empty(), !column_.empty());
        const auto store = [&](std::size_t range) {
            std::vector<GroupPlace> items(ranges.size(range));
            ranges.dealt.copy(range, items.data());
            sort_by_bytes(items, &GroupPlace::low);
            sort_by_bytes(items, &GroupPlace::high);
            order_equals(items, lists);
            for (std::size_t at = ranges.begin[range]; const GroupPlace& place : items) {
                const GroupList<Id>& list = lists[place.hand];
                out.set(at, list.ids[place.group], list.counts[place.group]);
                if (!list.sums.empty()) out.set(at, list.sums[place.group]);
                ++at;
            }
        };
        run_parallel(ranges.count(), threads_, store, poll_);
        return out;
    }

    Buffer<GroupPlace> places_of(const std::vector<GroupList<Id>>& lists) const {
        std::vector<std::size_t> begin(lists.size() + 1, 0);
        for (std::size_t h = 0; h < lists.size(); ++h) begin[h + 1] = begin[h] + lists[h].ids.size();
        refuse_beyond_32_bits(begin.back());
        Buffer<GroupPlace> places(begin.back());
        const auto fill = [&](std::size_t hand) {
            const std::vector<Id>& ids = lists[hand].ids;
            for (std::size_t g = 0; g < ids.size(); ++g)
                places[begin[hand] + g] =
                    place_of(ids[g], static_cast<std::uint32_t>(hand), static_cast<std::uint32_t>(g));
        };
        run_parallel(lists.size(), threads_, fill, poll_);
        return places;
    }

    // Long ids may have the same words: these are compared as a whole.
    static void order_equals(std::vector<GroupPlace>& places, const std::vector<GroupList<Id>>& lists) {
        const auto id = [&](const GroupPlace& place) -> const Id& { return lists[place.hand].ids[place.group]; };
        const auto equal = [](const GroupPlace& a, const GroupPlace& b) { return a.low == b.low && a.high == b.high; };
        for (auto from = places.begin(); (from = std::adjacent_find(from, places.end(), equal)) != places.end();) {
            const auto to =
                std::find_if(from, places.end(), [&](const GroupPlace& place) { return !equal(*from, place); });
            std::sort(from, to, [&](const GroupPlace& a, const GroupPlace& b) { return id(a) < id(b); });
            from = to;
        }
    }

    const Ids& ids_;
    const Labelled<Score>& labelled_;
    double epsilon_;
    std::span<const double> column_;
    std::size_t threads_;
    const Poll& poll_;
};

}  // namespace detail

}  // namespace pingce
