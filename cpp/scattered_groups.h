// Groups whose rows come in any order: dealt out by hash, so that each group is counted where all of it lies.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "buffer.h"
#include "group_counter.h"
#include "group_table.h"
#include "hashes.h"
#include "parallel.h"
#include "table.h"

namespace pingce {

namespace detail {

// A radix sort by unsigned keys, lowest byte first; a byte that all keys share is passed over.
template <class Item, class Key>
void sort_by_bytes(std::vector<Item>& items, const Key& key) {
    std::vector<Item> other(items.size());
    for (unsigned shift = 0; shift < 64; shift += 8) {
        std::array<std::size_t, 256> at{};
        for (const Item& item : items) ++at[key(item) >> shift & 255];
        if (std::find(at.begin(), at.end(), items.size()) != at.end()) continue;
        std::exclusive_scan(at.begin(), at.end(), at.begin(), std::size_t{0});
        for (const Item& item : items) other[at[key(item) >> shift & 255]++] = item;
        items.swap(other);
    }
}

// What a hand found, in the order in which its groups appear.
template <class Id>
struct Hand {
    std::vector<Id> names;
    std::vector<Group> groups;
};

// Rows in any order are dealt out by the hash of their group, with label and score, so that every group lies in one
// hand, and a hand fits in the cache. RowNumber is as narrow as the number of rows allows.
template <class Ids, class Score, class RowNumber>
class Shuffled {
 public:
    using Id = typename Ids::Value;

    Shuffled(const Ids& ids, const Labelled<Score>& labelled, double epsilon, std::span<const double> column,
             std::size_t threads, const Poll& poll)
        : ids_(ids), labelled_(labelled), epsilon_(epsilon), column_(column), threads_(threads), poll_(poll) {}

    GroupPairs count() {
        deal();
        std::vector<Hand<Id>> found(hands);
        run(hands, [&](std::size_t hand) { found[hand] = count_hand(hand); });
        rows_ = {};
        return sorted(found);
    }

 private:
    static constexpr std::size_t hands = 1024;
    static constexpr std::size_t hand_bits = 10;
    static constexpr std::size_t rows_a_part = std::size_t{1} << 16;

    struct Row {
        Id id;
        RowNumber row;  // its number, and in the last bit its label
        Score score;
    };
    struct Name {
        Id id;
        std::uint32_t hand, group;
        friend bool operator<(const Name& a, const Name& b) { return a.id < b.id; }
    };

    static std::size_t hand_of(const Id& id) { return dealing_hash(id) >> (64 - hand_bits); }

    template <class Work>
    void run(std::size_t parts, const Work& work) const {
        run_parallel(parts, threads_, work, poll_);
    }

    // A counting sort of all rows by hand that keeps their order: count, then place.
    void deal() {
        const std::size_t parts = (ids_.size() + rows_a_part - 1) / rows_a_part;
        std::vector<std::array<std::size_t, hands>> at(parts);
        const auto read = [&](std::size_t part, const auto& action) {
            thread_local std::vector<Id> ids;
            const std::size_t first = part * rows_a_part;
            ids.resize(std::min(rows_a_part, ids_.size() - first));
            ids_.read(first, ids.size(), ids.data());
            for (std::size_t i = 0; i < ids.size(); ++i) action(ids[i], first + i);
        };
        run(parts, [&](std::size_t part) {
            at[part].fill(0);
            read(part, [&](const Id& id, std::size_t) { ++at[part][hand_of(id)]; });
        });
        std::size_t sum = 0;
        for (std::size_t hand = 0; hand < hands; ++hand) {
            begin_[hand] = sum;
            for (auto& part : at) sum += std::exchange(part[hand], sum);
        }
        begin_[hands] = sum;
        rows_ = Buffer<Row>(ids_.size());
        run(parts, [&](std::size_t part) {
            read(part, [&](const Id& id, std::size_t row) {
                const auto number = static_cast<RowNumber>(row << 1 | (labelled_.positive[row] != 0));
                rows_[at[part][hand_of(id)]++] = {id, number, labelled_.scores[row]};
            });
        });
    }

    // Groups are numbered as they appear; a counting sort brings their rows together; each is counted.
    Hand<Id> count_hand(std::size_t which) {
        Hand<Id> hand;
        const Row* rows = rows_.data() + begin_[which];
        const std::size_t size = begin_[which + 1] - begin_[which];
        refuse_beyond_32_bits(size);
        thread_local std::vector<std::uint32_t> group_of, order, begin;
        group_of.resize(size);
        order.resize(size);
        thread_local PositionTable table;
        table.reset(size);
        for (std::size_t i = 0; i < size; ++i) {
            const auto fresh = static_cast<std::uint32_t>(hand.names.size());
            const auto holds = [&](std::uint32_t group) { return same(hand.names[group], rows[i].id); };
            const std::uint32_t found = table.insert(hash_of(rows[i].id), fresh, holds);
            group_of[i] = found == PositionTable::none ? fresh : found;
            if (found == PositionTable::none) hand.names.push_back(rows[i].id);
        }
        begin.assign(hand.names.size() + 2, 0);
        for (const std::uint32_t group : group_of) ++begin[group + 2];
        std::partial_sum(begin.begin(), begin.end(), begin.begin());
        for (std::size_t i = 0; i < size; ++i) order[begin[group_of[i] + 1]++] = static_cast<std::uint32_t>(i);
        hand.groups.reserve(hand.names.size());
        GroupCounter<Score> counter(labelled_, epsilon_, column_);
        for (std::size_t g = 0; g < hand.names.size(); ++g) {
            const auto member = [&](std::size_t i) {
                const Row& row = rows[order[begin[g] + i]];
                return Member<Score>{static_cast<std::size_t>(row.row >> 1), row.score, (row.row & 1) != 0};
            };
            hand.groups.push_back(counter.count(begin[g + 1] - begin[g], member));
        }
        return hand;
    }

    GroupPairs sorted(std::vector<Hand<Id>>& found) {
        std::vector<Name> names;
        names.reserve(std::accumulate(found.begin(), found.end(), std::size_t{0},
                                      [](std::size_t sum, const Hand<Id>& hand) { return sum + hand.names.size(); }));
        for (std::size_t h = 0; h < hands; ++h) {
            for (std::size_t g = 0; g < found[h].names.size(); ++g)
                names.push_back({found[h].names[g], static_cast<std::uint32_t>(h), static_cast<std::uint32_t>(g)});
        }
        sort(names);
        GroupPairs out(names.size(), epsilon_ > 0.0, !labelled_.weights.empty(), !column_.empty());
        constexpr std::size_t names_a_part = std::size_t{1} << 14;
        run((names.size() + names_a_part - 1) / names_a_part, [&](std::size_t part) {
            const std::size_t end = std::min(names.size(), (part + 1) * names_a_part);
            for (std::size_t at = part * names_a_part; at < end; ++at)
                out.set(at, found[names[at].hand].groups[names[at].group]);
        });
        return out;
    }

    // Integers byte by byte, where it matters which byte they have; strings in two halves side by side, then merged.
    void sort(std::vector<Name>& names) const {
        if constexpr (std::is_same_v<Id, std::int64_t>) {
            sort_by_bytes(names, [](const Name& name) { return static_cast<std::uint64_t>(name.id) ^ 1ULL << 63; });
        } else {
            const auto middle = names.begin() + static_cast<std::ptrdiff_t>(names.size() / 2);
            run(2, [&](std::size_t half) {
                half == 0 ? std::sort(names.begin(), middle) : std::sort(middle, names.end());
            });
            std::inplace_merge(names.begin(), middle, names.end());
        }
    }

    const Ids& ids_;
    const Labelled<Score>& labelled_;
    double epsilon_;
    std::span<const double> column_;
    std::size_t threads_;
    const Poll& poll_;
    Buffer<Row> rows_;
    std::array<std::size_t, hands + 1> begin_{};
};

}  // namespace detail

}  // namespace pingce
