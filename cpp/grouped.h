// Labels and scores within groups (users, requests): pairs counted in each. No metric is known here.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <vector>

#include "buffer.h"
#include "groups.h"
#include "labelled.h"
#include "parallel.h"
#include "table.h"

namespace pingce {

// One row a group, sorted by id. Sums of doubles run over sorted values: they do not depend on the order of rows.
struct GroupPairs {
    Buffer<std::int64_t> first_row;  // where its id stands
    Buffer<std::int64_t> rows;
    Buffer<std::int64_t> positives;
    Buffer<std::int64_t> twice_concordant;
    Buffer<double> loss;             // Σ w · loss, where an epsilon > 0 was given
    Buffer<double> weight;           // where there are weights
    Buffer<double> positive_weight;  // likewise
    Buffer<double> concordant;       // Σ w⁺ w⁻ over concordant pairs, half for equal scores; likewise
    Buffer<double> column;           // Σ of one more column, where there is one
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
    void count(std::size_t rows, const MemberAt& member, std::size_t at, GroupPairs& out) {
        out.first_row[at] = static_cast<std::int64_t>(member(0).row);
        out.rows[at] = static_cast<std::int64_t>(rows);
        positives_.clear();
        negatives_.clear();
        for (std::size_t i = 0; i < rows; ++i) {
            const Member<Score> one = member(i);
            (one.positive ? positives_ : negatives_).push_back(one.score);
        }
        out.positives[at] = static_cast<std::int64_t>(positives_.size());
        out.twice_concordant[at] = pairs();
        if (epsilon_ > 0.0) out.loss[at] = loss(rows, member);
        if (!labelled_.weights.empty()) weigh(rows, member, at, out);
        if (!column_.empty()) out.column[at] = sum(rows, [&](std::size_t i) { return column_[member(i).row]; });
    }

 private:
    std::int64_t pairs() {
        if (positives_.empty() || negatives_.empty()) return 0;
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
    void weigh(std::size_t rows, const MemberAt& member, std::size_t at, GroupPairs& out) {
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
        out.weight[at] = positive + below;
        out.positive_weight[at] = positive;
        out.concordant[at] = concordant;
    }

    const Labelled<Score>& labelled_;
    double epsilon_;
    std::span<const double> column_;
    std::vector<Score> positives_, negatives_;
    std::vector<double> values_;
    std::vector<GroupRow<Score>> sorted_;
};

template <class Labels>
GroupPairs room_for(std::size_t groups, const Labels& labelled, double epsilon, bool column) {
    GroupPairs out;
    for (auto* counts : {&out.first_row, &out.rows, &out.positives, &out.twice_concordant})
        *counts = Buffer<std::int64_t>(groups);
    if (epsilon > 0.0) out.loss = Buffer<double>(groups);
    if (column) out.column = Buffer<double>(groups);
    if (!labelled.weights.empty()) {
        for (auto* sums : {&out.weight, &out.positive_weight, &out.concordant}) *sums = Buffer<double>(groups);
    }
    return out;
}

// Rows in any order are dealt out by the hash of their group, with label and score, so that every group lies in one
// hand and a hand fits in the cache.
template <class Ids, class Score>
class Shuffled {
 public:
    using Id = typename Ids::Value;

    Shuffled(const Ids& ids, const Labelled<Score>& labelled, std::size_t threads, const KeepGoing& keep_going)
        : ids_(ids), labelled_(labelled), threads_(threads), keep_going_(keep_going) {
        deal();
        hands_.resize(hands);
        run(hands, [&](std::size_t hand) { hands_[hand] = sorted_hand(hand); });
        std::size_t groups = 0;
        for (Hand& hand : hands_) {
            hand.first = groups;
            groups += hand.names.size();
        }
        names_.reserve(groups);
        for (const Hand& hand : hands_) {
            for (std::size_t g = 0; g < hand.names.size(); ++g)
                names_.push_back({hand.names[g], static_cast<std::uint32_t>(names_.size())});
        }
        sort_names();
    }

    GroupPairs count(double epsilon, std::span<const double> column) {
        GroupPairs out = room_for(names_.size(), labelled_, epsilon, !column.empty());
        std::vector<std::uint32_t> place(names_.size());
        for (std::size_t at = 0; at < names_.size(); ++at) place[names_[at].group] = static_cast<std::uint32_t>(at);
        run(hands, [&](std::size_t h) {
            GroupCounter<Score> counter(labelled_, epsilon, column);
            const Hand& hand = hands_[h];
            for (std::size_t g = 0; g < hand.names.size(); ++g) {
                const Row* rows = rows_.data() + hand.begin[g];
                const auto member = [&](std::size_t i) {
                    return Member<Score>{static_cast<std::size_t>(rows[i].row >> 1), rows[i].score,
                                         (rows[i].row & 1) != 0};
                };
                counter.count(hand.begin[g + 1] - hand.begin[g], member, place[hand.first + g], out);
            }
        });
        return out;
    }

 private:
    static constexpr std::size_t hands = 256;
    static constexpr std::size_t rows_a_part = std::size_t{1} << 17;

    struct Row {
        Id id;
        std::uint64_t row;  // its number, and in the last bit its label
        Score score;
    };
    struct Hand {
        std::vector<Id> names;
        std::vector<std::size_t> begin;
        std::size_t first = 0;
    };
    struct Name {
        Id id;
        std::uint32_t group;
        friend bool operator<(const Name& a, const Name& b) { return a.id < b.id; }
    };

    static std::size_t hand_of(const Id& id) { return hash_of(id) >> 56; }

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
                const bool positive = labelled_.positive[row] != 0;
                rows_[at[part][hand_of(id)]++] = {id, std::uint64_t{row} << 1 | positive, labelled_.scores[row]};
            });
        });
    }

    // The rows of a hand brought together by group, groups in the order in which they appear.
    Hand sorted_hand(std::size_t which) {
        Hand hand;
        Row* rows = rows_.data() + begin_[which];
        const std::size_t size = begin_[which + 1] - begin_[which];
        std::vector<std::uint32_t> group_of(size);
        PositionTable table;
        table.reset(size);
        for (std::size_t i = 0; i < size; ++i) {
            const auto fresh = static_cast<std::uint32_t>(hand.names.size());
            const auto holds = [&](std::uint32_t group) { return same(hand.names[group], rows[i].id); };
            // The upper bits chose the hand: the table looks at others.
            const std::uint32_t found = table.insert(hash_of(rows[i].id) * 0x9e3779b97f4a7c15ULL, fresh, holds);
            group_of[i] = found == PositionTable::none ? fresh : found;
            if (found == PositionTable::none) hand.names.push_back(rows[i].id);
        }
        hand.begin.assign(hand.names.size() + 1, 0);
        for (const std::uint32_t group : group_of) ++hand.begin[group + 1];
        hand.begin[0] = begin_[which];
        std::partial_sum(hand.begin.begin(), hand.begin.end(), hand.begin.begin());
        std::vector<std::size_t> next(hand.begin.begin(), hand.begin.end() - 1);
        std::vector<Row> sorted(size);
        for (std::size_t i = 0; i < size; ++i) sorted[next[group_of[i]]++ - begin_[which]] = rows[i];
        std::copy(sorted.begin(), sorted.end(), rows);
        return hand;
    }

    // Two halves side by side, then merged.
    void sort_names() {
        const auto middle = names_.begin() + static_cast<std::ptrdiff_t>(names_.size() / 2);
        run(2,
            [&](std::size_t half) { half == 0 ? std::sort(names_.begin(), middle) : std::sort(middle, names_.end()); });
        std::inplace_merge(names_.begin(), middle, names_.end());
    }

    const Ids& ids_;
    const Labelled<Score>& labelled_;
    std::size_t threads_;
    const KeepGoing& keep_going_;
    Buffer<Row> rows_;
    std::array<std::size_t, hands + 1> begin_{};
    std::vector<Hand> hands_;
    std::vector<Name> names_;
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
    if (!detail::seems_grouped(ids))
        return detail::Shuffled<Ids, Score>(ids, labelled, threads, keep_going).count(epsilon, column);
    const NamedGroups<Ids> named = group_rows(ids, threads, keep_going);
    const std::vector<std::size_t> places = detail::sorted_places(named);
    const std::size_t groups = places.size();
    GroupPairs out = detail::room_for(groups, labelled, epsilon, !column.empty());
    constexpr std::size_t groups_a_part = 1024;
    const auto count = [&](std::size_t part) {
        detail::GroupCounter<Score> counter(labelled, epsilon, column);
        const std::size_t end = std::min(groups, (part + 1) * groups_a_part);
        for (std::size_t at = part * groups_a_part; at < end; ++at) {
            const auto member = [&](std::size_t i) {
                const std::size_t row = named.groups.row(places[at], i);
                return detail::Member<Score>{row, labelled.scores[row], labelled.positive[row] != 0};
            };
            counter.count(named.groups.rows_of(places[at]), member, at, out);
        }
    };
    if (!run_parallel((groups + groups_a_part - 1) / groups_a_part, threads, count, keep_going)) throw Stopped{};
    return out;
}

}  // namespace pingce
