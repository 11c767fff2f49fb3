// Groups whose rows come in any order: each is counted in the hand where all of it lies.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <vector>

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

// Where a group was counted, and two words that order as its id does.
struct GroupPlace {
    std::uint64_t high = 0, low = 0;
    std::uint32_t hand = 0, group = 0;
};

inline GroupPlace place_of(std::int64_t id, std::uint32_t hand, std::uint32_t group) {
    return {0, static_cast<std::uint64_t>(id) ^ 1ULL << 63, hand, group};
}

inline GroupPlace place_of(const PackedString& id, std::uint32_t hand, std::uint32_t group) {
    const PackedString::Rank rank = id.rank();
    return {rank.high, rank.low, hand, group};
}

// What a hand found, in the order in which its groups appear.
template <class Id>
struct Hand {
    std::vector<Id> names;
    std::vector<Group> groups;
};

// RowNumber is as narrow as the number of rows allows.
template <class Ids, class Score, class RowNumber>
class Shuffled {
 public:
    using Id = PackedId<Ids>;

    Shuffled(const Ids& ids, const Labelled<Score>& labelled, double epsilon, std::span<const double> column,
             std::size_t threads, const Poll& poll)
        : ids_(ids), labelled_(labelled), epsilon_(epsilon), column_(column), threads_(threads), poll_(poll) {}

    GroupPairs count() {
        const auto read = [&](std::size_t first, std::size_t count, Row* out) {
            for (std::size_t row = first; row < first + count; ++row)
                *out++ = {static_cast<RowNumber>(row << 1 | (labelled_.positive[row] != 0)), labelled_.scores[row]};
        };
        std::vector<Hand<Id>> found;
        {
            const Hands<Id, Row> hands = deal_rows<Row>(ids_, read, threads_, poll_);
            found.resize(hands.size());
            const auto count_one = [&](std::size_t hand) { found[hand] = count_hand(hands[hand]); };
            run_parallel(hands.size(), threads_, count_one, poll_);
        }
        return sorted(found);
    }

 private:
    struct Row {
        RowNumber row;  // its number, and in the last bit its label
        Score score;
    };

    Hand<Id> count_hand(std::span<const DealtRow<Id, Row>> dealt) {
        thread_local HandGroups<Id> groups;
        thread_local std::vector<Row> rows;
        groups.number(dealt);
        rows.resize(dealt.size());
        for (std::size_t i = 0; const auto& row : dealt) rows[groups.places()[i++]] = row.payload;
        Hand<Id> hand{groups.names(), {}};
        hand.groups.reserve(hand.names.size());
        GroupCounter<Score> counter(labelled_, epsilon_, column_);
        for (std::size_t g = 0; g < hand.names.size(); ++g) {
            const Row* first = rows.data() + groups.begin()[g];
            const auto member = [first](std::size_t i) {
                return Member<Score>{static_cast<std::size_t>(first[i].row >> 1), first[i].score,
                                     (first[i].row & 1) != 0};
            };
            hand.groups.push_back(counter.count(groups.begin()[g + 1] - groups.begin()[g], member));
        }
        return hand;
    }

    GroupPairs sorted(const std::vector<Hand<Id>>& found) const {
        const std::vector<GroupPlace> places = places_by_id(found);
        GroupPairs out(places.size(), epsilon_ > 0.0, !labelled_.weights.empty(), !column_.empty());
        constexpr std::size_t groups_a_part = std::size_t{1} << 14;
        const auto store = [&](std::size_t part) {
            const std::size_t end = std::min(places.size(), (part + 1) * groups_a_part);
            for (std::size_t at = part * groups_a_part; at < end; ++at)
                out.set(at, found[places[at].hand].groups[places[at].group]);
        };
        run_parallel((places.size() + groups_a_part - 1) / groups_a_part, threads_, store, poll_);
        return out;
    }

    static std::vector<GroupPlace> places_by_id(const std::vector<Hand<Id>>& found) {
        const auto add = [](std::size_t sum, const Hand<Id>& hand) { return sum + hand.names.size(); };
        std::vector<GroupPlace> places;
        places.reserve(std::accumulate(found.begin(), found.end(), std::size_t{0}, add));
        refuse_beyond_32_bits(places.capacity());
        for (std::uint32_t h = 0; h < found.size(); ++h) {
            for (std::uint32_t g = 0; g < found[h].names.size(); ++g)
                places.push_back(place_of(found[h].names[g], h, g));
        }
        sort_by_bytes(places, &GroupPlace::low);
        sort_by_bytes(places, &GroupPlace::high);
        order_equals(places, found);
        return places;
    }

    // Long ids may have the same words: these are compared as a whole.
    static void order_equals(std::vector<GroupPlace>& places, const std::vector<Hand<Id>>& found) {
        const auto name = [&](const GroupPlace& place) -> const Id& { return found[place.hand].names[place.group]; };
        const auto equal = [](const GroupPlace& a, const GroupPlace& b) { return a.low == b.low && a.high == b.high; };
        for (auto from = places.begin(); (from = std::adjacent_find(from, places.end(), equal)) != places.end();) {
            const auto to =
                std::find_if(from, places.end(), [&](const GroupPlace& place) { return !equal(*from, place); });
            std::sort(from, to, [&](const GroupPlace& a, const GroupPlace& b) { return name(a) < name(b); });
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
