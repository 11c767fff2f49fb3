// Labels and scores within groups (users, requests): pairs counted in each. No metric is known here.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "buffer.h"
#include "groups.h"
#include "labelled.h"
#include "parallel.h"
#include "table.h"

namespace pingce {

// What is counted of one group. Sums of doubles run over sorted values: they do not depend on the order of rows.
struct Group {
    std::int64_t first_row = 0;  // where its id stands
    std::int64_t rows = 0;
    std::int64_t positives = 0;
    std::int64_t twice_concordant = 0;
    double loss = 0.0;             // Σ w · loss, where an epsilon > 0 was given
    double positive_weight = 0.0;  // Σ w⁺, where there are weights
    double negative_weight = 0.0;  // Σ w⁻, likewise: as a difference it would be lost beside a large Σ w⁺
    double concordant = 0.0;       // Σ w⁺ w⁻ over concordant pairs, half for equal scores; likewise
    double column = 0.0;           // Σ of one more column, where there is one
};

// The same, a column each: one row a group, sorted by id. What was not asked for is empty.
struct GroupPairs {
    Buffer<std::int64_t> first_row, rows, positives, twice_concordant;
    Buffer<double> loss, positive_weight, negative_weight, concordant, column;

    GroupPairs() = default;
    GroupPairs(std::size_t groups, bool with_loss, bool with_weights, bool with_column)
        : first_row(groups),
          rows(groups),
          positives(groups),
          twice_concordant(groups),
          loss(with_loss ? groups : 0),
          positive_weight(with_weights ? groups : 0),
          negative_weight(with_weights ? groups : 0),
          concordant(with_weights ? groups : 0),
          column(with_column ? groups : 0) {}

    void set(std::size_t at, const Group& group) {
        first_row[at] = group.first_row;
        rows[at] = group.rows;
        positives[at] = group.positives;
        twice_concordant[at] = group.twice_concordant;
        if (loss.size() > 0) loss[at] = group.loss;
        if (positive_weight.size() > 0) {
            positive_weight[at] = group.positive_weight;
            negative_weight[at] = group.negative_weight;
            concordant[at] = group.concordant;
        }
        if (column.size() > 0) column[at] = group.column;
    }
};

namespace detail {

template <class Score>
struct GroupRow {
    Score score;
    bool positive;
    double weight;

    friend bool operator<(const GroupRow& a, const GroupRow& b) {
        if (a.score != b.score) return a.score < b.score;
        return a.positive != b.positive ? a.positive < b.positive : a.weight < b.weight;
    }
};

// A row of a group, wherever it was found.
template <class Score>
struct Member {
    std::size_t row;
    Score score;
    bool positive;
};

// Counts one group after another, with room that is kept from one to the next.
template <class Score>
class GroupCounter {
 public:
    GroupCounter(const Labelled<Score>& labelled, double epsilon, std::span<const double> column)
        : labelled_(labelled), epsilon_(epsilon), column_(column) {}

    // `member(i)` is the i-th of the group's rows, in given order.
    template <class MemberAt>
    Group count(std::size_t rows, const MemberAt& member) {
        refuse_beyond_32_bits(rows);  // twice their pairs would not fit into 64
        positives_.clear();
        negatives_.clear();
        for (std::size_t i = 0; i < rows; ++i) {
            const Member<Score> one = member(i);
            (one.positive ? positives_ : negatives_).push_back(one.score);
        }
        Group out;
        out.first_row = static_cast<std::int64_t>(member(0).row);
        out.rows = static_cast<std::int64_t>(rows);
        out.positives = static_cast<std::int64_t>(positives_.size());
        out.twice_concordant = pairs();
        if (epsilon_ > 0.0) out.loss = loss(rows, member);
        if (!labelled_.weights.empty()) weigh(rows, member, out);
        if (!column_.empty()) out.column = sum(rows, [&](std::size_t i) { return column_[member(i).row]; });
        return out;
    }

 private:
    // A few pairs are compared one by one, sooner than anything could be sorted.
    std::int64_t pairs() {
        if (positives_.size() * negatives_.size() > 16 * (positives_.size() + negatives_.size())) return merged_pairs();
        std::int64_t sum = 0;
        for (const Score positive : positives_) {
            for (const Score negative : negatives_) sum += (positive > negative) + (positive >= negative);
        }
        return sum;
    }

    std::int64_t merged_pairs() {
        std::sort(positives_.begin(), positives_.end());
        std::sort(negatives_.begin(), negatives_.end());
        std::int64_t sum = 0;
        std::size_t below = 0, upto = 0;
        for (const Score score : positives_) {
            while (below < negatives_.size() && negatives_[below] < score) ++below;
            upto = std::max(upto, below);
            while (upto < negatives_.size() && negatives_[upto] == score) ++upto;
            sum += static_cast<std::int64_t>(below + upto);
        }
        return sum;
    }

    template <class ValueAt>
    double sum(std::size_t rows, const ValueAt& value) {
        values_.clear();
        for (std::size_t i = 0; i < rows; ++i) values_.push_back(value(i));
        std::sort(values_.begin(), values_.end());
        return std::accumulate(values_.begin(), values_.end(), 0.0);
    }

    template <class MemberAt>
    double loss(std::size_t rows, const MemberAt& member) {
        return sum(rows, [&](std::size_t i) {
            const Member<Score> one = member(i);
            const double value = loss_of(static_cast<double>(one.score), one.positive, epsilon_);
            return labelled_.weights.empty() ? value : value * labelled_.weights[one.row];
        });
    }

    template <class MemberAt>
    void weigh(std::size_t rows, const MemberAt& member, Group& out) {
        sorted_.clear();
        for (std::size_t i = 0; i < rows; ++i) {
            const Member<Score> one = member(i);
            sorted_.push_back({one.score, one.positive, labelled_.weights[one.row]});
        }
        std::sort(sorted_.begin(), sorted_.end());
        double positive = 0.0, below = 0.0, concordant = 0.0;
        for (std::size_t i = 0; i < sorted_.size();) {
            double block[2] = {0.0, 0.0};
            const Score score = sorted_[i].score;
            for (; i < sorted_.size() && sorted_[i].score == score; ++i)
                block[sorted_[i].positive] += sorted_[i].weight;
            concordant += block[1] * (below + block[0] / 2.0);
            positive += block[1];
            below += block[0];
        }
        out.positive_weight = positive;
        out.negative_weight = below;
        out.concordant = concordant;
    }

    const Labelled<Score>& labelled_;
    double epsilon_;
    std::span<const double> column_;
    std::vector<Score> positives_, negatives_;
    std::vector<double> values_;
    std::vector<GroupRow<Score>> sorted_;
};

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
             std::size_t threads, const KeepGoing& keep_going)
        : ids_(ids),
          labelled_(labelled),
          epsilon_(epsilon),
          column_(column),
          threads_(threads),
          keep_going_(keep_going) {}

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
        if (!run_parallel(parts, threads_, work, keep_going_)) throw Stopped{};
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
    const KeepGoing& keep_going_;
    Buffer<Row> rows_;
    std::array<std::size_t, hands + 1> begin_{};
};

// Whether most rows have the id of the row before them: a sample tells.
template <class Ids>
bool seems_grouped(const Ids& ids) {
    constexpr std::size_t samples = 1024;
    const std::size_t step = std::max<std::size_t>(1, ids.size() / samples);
    std::size_t looked = 0, repeated = 0;
    for (std::size_t row = 1; row < ids.size(); row += step, ++looked) repeated += same(ids[row], ids[row - 1]);
    return 4 * repeated > looked;
}

template <class Ids>
std::vector<std::size_t> sorted_places(const NamedGroups<Ids>& named) {
    std::vector<std::size_t> places(named.names.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    if (!named.ascending) {
        std::sort(places.begin(), places.end(),
                  [&](std::size_t a, std::size_t b) { return named.names[a] < named.names[b]; });
    }
    return places;
}

}  // namespace detail

template <class Ids, class Score>
GroupPairs group_pairs(const Ids& ids, const Labelled<Score>& labelled, double epsilon, std::span<const double> column,
                       std::size_t threads, const KeepGoing& keep_going) {
    if (!detail::seems_grouped(ids)) {
        const auto shuffled = [&]<class RowNumber>(RowNumber) {
            return detail::Shuffled<Ids, Score, RowNumber>(ids, labelled, epsilon, column, threads, keep_going).count();
        };
        return ids.size() < std::size_t{1} << 31 ? shuffled(std::uint32_t{}) : shuffled(std::uint64_t{});
    }
    const NamedGroups<Ids> named = group_rows(ids, threads, keep_going);
    const std::vector<std::size_t> places = detail::sorted_places(named);
    const std::size_t groups = places.size();
    GroupPairs out(groups, epsilon > 0.0, !labelled.weights.empty(), !column.empty());
    constexpr std::size_t groups_a_part = 1024;
    const auto count = [&](std::size_t part) {
        detail::GroupCounter<Score> counter(labelled, epsilon, column);
        const std::size_t end = std::min(groups, (part + 1) * groups_a_part);
        for (std::size_t at = part * groups_a_part; at < end; ++at) {
            const auto member = [&](std::size_t i) {
                const std::size_t row = named.groups.row(places[at], i);
                return detail::Member<Score>{row, labelled.scores[row], labelled.positive[row] != 0};
            };
            out.set(at, counter.count(named.groups.rows_of(places[at]), member));
        }
    };
    if (!run_parallel((groups + groups_a_part - 1) / groups_a_part, threads, count, keep_going)) throw Stopped{};
    return out;
}

}  // namespace pingce
