// What is counted of the rows of one group (a user, a request): labels, pairs, and sums. No metric is known here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "labels.h"
#include "stop.h"

namespace pingce {

struct GroupCounts {
    std::int64_t rows = 0;
    std::int64_t positives = 0;
    std::int64_t twice_concordant = 0;
    std::uint8_t constant = 0;  // 1 where rows of both labels are there, and all that weigh anything have one score
};

// They run over sorted values: they do not depend on the order of rows.
struct GroupSums {
    double loss = 0.0;             // Σ w · loss, where an epsilon > 0 was given
    double positive_weight = 0.0;  // Σ w⁺, where there are weights
    double negative_weight = 0.0;  // Σ w⁻, likewise: as a difference it would be lost beside a large Σ w⁺
    double concordant = 0.0;       // Σ w⁺ w⁻ over concordant pairs, half for equal scores; likewise
    double column = 0.0;           // Σ of one more column, where there is one
};

struct Group {
    GroupCounts counts;
    GroupSums sums;
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
        scores_.resize(std::max(scores_.size(), rows));
        std::size_t positives = 0;
        for (std::size_t i = 0; i < rows; ++i) {  // those with a label to the front, the others to the back
            const Member<Score> one = member(i);
            scores_[one.positive ? positives : rows - 1 - (i - positives)] = one.score;
            positives += one.positive;
        }
        Group out{counts({scores_.data(), positives}, {scores_.data() + positives, rows - positives}), {}};
        if (epsilon_ > 0.0) out.sums.loss = loss(rows, member);
        if (!labelled_.weights.empty()) out.counts.constant = weigh(rows, member, out.sums);
        if (!column_.empty()) out.sums.column = sum(rows, [&](std::size_t i) { return column_[member(i).row]; });
        return out;
    }

    // Whether there is more to count than labels and pairs.
    [[nodiscard]] bool has_sums() const { return epsilon_ > 0.0 || !labelled_.weights.empty() || !column_.empty(); }

    // Of rows without weights and without a column: the scores of either label, which are put in another order.
    Group count_sides(std::span<Score> positives, std::span<Score> negatives) {
        Group out{counts(positives, negatives), {}};
        if (epsilon_ > 0.0) {
            out.sums.loss = sum(positives.size() + negatives.size(), [&](std::size_t i) {
                const bool positive = i < positives.size();
                const Score score = positive ? positives[i] : negatives[i - positives.size()];
                return loss_of(static_cast<double>(score), positive, epsilon_);
            });
        }
        return out;
    }

 private:
    static GroupCounts counts(std::span<Score> positives, std::span<Score> negatives) {
        const std::int64_t twice = pairs(positives, negatives);
        const std::uint8_t constant = are_alike(positives, negatives, twice) ? 1 : 0;
        return {static_cast<std::int64_t>(positives.size() + negatives.size()),
                static_cast<std::int64_t>(positives.size()), twice, constant};
    }

    // Whether both labels have one and the same score: then every pair is a tie, which is seldom so and seen at once.
    static bool are_alike(std::span<const Score> positives, std::span<const Score> negatives, std::int64_t twice) {
        if (positives.empty() || negatives.empty()) return false;
        if (twice != static_cast<std::int64_t>(positives.size() * negatives.size())) return false;
        const auto same = [first = positives[0]](Score score) { return score == first; };
        return std::all_of(positives.begin(), positives.end(), same) &&
               std::all_of(negatives.begin(), negatives.end(), same);
    }

    // A few pairs are compared one by one, sooner than anything could be sorted.
    static std::int64_t pairs(std::span<Score> positives, std::span<Score> negatives) {
        if (positives.size() * negatives.size() > 16 * (positives.size() + negatives.size()))
            return merged_pairs(positives, negatives);
        std::int64_t sum = 0;
        for (const Score positive : positives) {
            for (const Score negative : negatives) sum += (positive > negative) + (positive >= negative);
        }
        return sum;
    }

    static std::int64_t merged_pairs(std::span<Score> positives, std::span<Score> negatives) {
        std::sort(positives.begin(), positives.end());
        std::sort(negatives.begin(), negatives.end());
        std::int64_t sum = 0;
        std::size_t below = 0, upto = 0;
        for (const Score score : positives) {
            while (below < negatives.size() && negatives[below] < score) ++below;
            upto = std::max(upto, below);
            while (upto < negatives.size() && negatives[upto] == score) ++upto;
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

    // Whether all rows that weigh anything have one score, and both labels have such.
    template <class MemberAt>
    std::uint8_t weigh(std::size_t rows, const MemberAt& member, GroupSums& out) {
        sorted_.clear();
        for (std::size_t i = 0; i < rows; ++i) {
            const Member<Score> one = member(i);
            sorted_.push_back({one.score, one.positive, labelled_.weights[one.row]});
        }
        std::sort(sorted_.begin(), sorted_.end());
        double positive = 0.0, below = 0.0, concordant = 0.0;
        std::size_t scores = 0;
        for (std::size_t i = 0; i < sorted_.size();) {
            double block[2] = {0.0, 0.0};
            const Score score = sorted_[i].score;
            for (; i < sorted_.size() && sorted_[i].score == score; ++i)
                block[sorted_[i].positive] += sorted_[i].weight;
            concordant += block[1] * (below + block[0] / 2.0);
            positive += block[1];
            below += block[0];
            scores += block[0] > 0.0 || block[1] > 0.0;
        }
        out.positive_weight = positive;
        out.negative_weight = below;
        out.concordant = concordant;
        return scores == 1 && positive > 0.0 && below > 0.0 ? 1 : 0;
    }

    const Labelled<Score>& labelled_;
    double epsilon_;
    std::span<const double> column_;
    std::vector<Score> scores_;
    std::vector<double> values_;
    std::vector<GroupRow<Score>> sorted_;
};

}  // namespace detail

}  // namespace pingce
