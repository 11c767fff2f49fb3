// What is counted of the rows of one group with true and predicted numbers: pairs of them, by how both order them.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "inversions.h"
#include "radix.h"
#include "short_orders.h"
#include "stop.h"

namespace pingce {

// Pairs of the rows of a group.
struct OrderCounts {
    std::int64_t rows = 0;
    std::int64_t discordant = 0;
    std::int64_t tied_truth = 0;      // with one true number
    std::int64_t tied_predicted = 0;  // with one predicted number
    std::int64_t tied_both = 0;       // with both

    [[nodiscard]] std::int64_t concordant() const {
        const auto count = static_cast<std::uint64_t>(rows);
        const auto pairs = static_cast<std::int64_t>(count * (count - 1) / 2);  // of up to 2^32 rows
        return pairs - discordant - tied_truth - tied_predicted + tied_both;
    }
};

namespace detail {

struct NumberRow {
    double truth, predicted;
};

// The upper halves of a few numbers, in whose order the numbers are where no two halves are equal.
class UpperHalves {
 public:
    static constexpr std::size_t most = 512;

    // `number_at(i)` is the i-th of `count` numbers, of which there are no more than `most`.
    template <class NumberAt>
    void read(std::size_t count, const NumberAt& number_at) {
        std::uint64_t differ = 0;
        const std::int64_t first = ordered(number_at(0));
        for (std::size_t i = 0; i < count; ++i) {
            const std::int64_t key = ordered(number_at(i));
            differ |= static_cast<std::uint64_t>(key ^ first);
            halves_[i] = static_cast<std::int32_t>(key >> 32);
        }
        is_whole_ = static_cast<std::uint32_t>(differ) == 0;
        for (std::int32_t i = 0; i < 4; ++i) halves_[count + static_cast<std::size_t>(i)] = above_all + i;
    }

    // Whether all have one lower half: what is equal here is equal.
    [[nodiscard]] bool is_whole() const { return is_whole_; }
    // The halves of four numbers; those behind the last ascend.
    [[nodiscard]] Four at(std::size_t place) const { return four_at(halves_ + place); }

 private:
    static constexpr std::int32_t above_all = std::numeric_limits<std::int32_t>::max() - 3;

    // Greater for a greater number.
    static std::int64_t ordered(double number) {
        const auto bits = std::bit_cast<std::int64_t>(number + 0.0);
        return bits ^ ((bits >> 63) & std::numeric_limits<std::int64_t>::max());
    }

    bool is_whole_ = true;
    std::int32_t halves_[most + 4];
};

// Counts one group after another, with room that is kept from one to the next.
class OrderCounter {
 public:
    OrderCounts count(std::span<const NumberRow> rows) {
        refuse_beyond_32_bits(rows.size());  // their pairs would not fit into 64
        if (rows.size() <= UpperHalves::most) {
            truth_.read(rows.size(), [&](std::size_t i) { return rows[i].truth; });
            predicted_.read(rows.size(), [&](std::size_t i) { return rows[i].predicted; });
            OrderCounts counts{.rows = static_cast<std::int64_t>(rows.size())};
            if (compare_distinct(counts)) return counts;
            if (truth_.is_whole() && predicted_.is_whole()) return compare_halves(counts);
        }
        return rows.size() <= few ? compare_all(rows) : sort_and_count(rows);
    }

 private:
    static constexpr std::size_t few = 32;

    // Halves of which no two are equal: false where some are.
    bool compare_distinct(OrderCounts& counts) const {
        const auto rows = static_cast<std::size_t>(counts.rows);
        Four discordant{}, equal{};
        for (std::size_t first = 0; first < rows; first += 4) {
            const Four y = truth_.at(first), p = predicted_.at(first);
            for (std::size_t at = first + 1; at < rows; ++at) {
                const Four other_y = truth_.at(at), other_p = predicted_.at(at);
                discordant -= (y > other_y) ^ (p > other_p);
                equal |= (y == other_y) | (p == other_p);
            }
        }
        counts.discordant = sum_of(discordant);
        return sum_of(equal) == 0;
    }

    // Halves that are the numbers.
    [[nodiscard]] OrderCounts compare_halves(OrderCounts counts) const {
        const auto rows = static_cast<std::size_t>(counts.rows);
        Four discordant{}, tied_truth{}, tied_predicted{}, tied_both{};
        for (std::size_t first = 0; first < rows; first += 4) {
            const Four y = truth_.at(first), p = predicted_.at(first);
            for (std::size_t at = first + 1; at < rows; ++at) {
                const Four other_y = truth_.at(at), other_p = predicted_.at(at);
                const Four level = y == other_y, alike = p == other_p;
                discordant -= ((y > other_y) & (other_p > p)) | ((other_y > y) & (p > other_p));
                tied_truth -= level;
                tied_predicted -= alike;
                tied_both -= level & alike;
            }
        }
        return {counts.rows, sum_of(discordant), sum_of(tied_truth), sum_of(tied_predicted), sum_of(tied_both)};
    }

    // A few pairs are compared one by one, sooner than anything could be sorted.
    static OrderCounts compare_all(std::span<const NumberRow> rows) {
        double truth[few], predicted[few];
        std::int64_t discordant = 0, tied_truth = 0, tied_predicted = 0, tied_both = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const double y = truth[i] = rows[i].truth, p = predicted[i] = rows[i].predicted;
            for (std::size_t j = 0; j < i; ++j) {  // without a branch, in registers of several doubles
                const std::int64_t above = y > truth[j], below = y < truth[j], level = y == truth[j];
                const std::int64_t higher = p > predicted[j], lower = p < predicted[j], alike = p == predicted[j];
                discordant += (above & lower) | (below & higher);
                tied_truth += level;
                tied_predicted += alike;
                tied_both += level & alike;
            }
        }
        return {static_cast<std::int64_t>(rows.size()), discordant, tied_truth, tied_predicted, tied_both};
    }

    OrderCounts sort_and_count(std::span<const NumberRow> rows) {
        keys_.clear();
        for (const NumberRow& row : rows) keys_.push_back({ordered_key(row.truth), ordered_key(row.predicted)});
        std::sort(keys_.begin(), keys_.end());
        OrderCounts counts;
        counts.rows = static_cast<std::int64_t>(rows.size());
        counts.tied_truth = pairs_of_equals([&](std::size_t i) { return keys_[i].first == keys_[i - 1].first; });
        counts.tied_both = pairs_of_equals([&](std::size_t i) { return keys_[i] == keys_[i - 1]; });
        values_.clear();
        for (const auto& key : keys_) values_.push_back({key.second});
        spare_.resize(values_.size());
        counts.discordant = static_cast<std::int64_t>(sort_few(values_.data(), spare_.data(), values_.size(), false));
        counts.tied_predicted = pairs_of_equals([&](std::size_t i) { return values_[i].key == values_[i - 1].key; });
        return counts;
    }

    template <class SameAsBefore>
    [[nodiscard]] std::int64_t pairs_of_equals(const SameAsBefore& same) const {
        std::int64_t pairs = 0, before = 0;
        for (std::size_t i = 1; i < keys_.size(); ++i) {
            before = same(i) ? before + 1 : 0;
            pairs += before;
        }
        return pairs;
    }

    UpperHalves truth_, predicted_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> keys_;
    std::vector<Plain> values_, spare_;
};

}  // namespace detail

}  // namespace pingce
