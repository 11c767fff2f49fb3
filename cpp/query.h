// One query: its judged items, its list, and where the first stand in the second.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <vector>

#include "locate.h"
#include "ranking.h"
#include "table.h"

namespace pingce {

// An integer that orders as the double does: -0.0 equals 0.0, NaN stands below or above everything.
inline std::int64_t order_key(double score, NotANumber nan) {
    using Limits = std::numeric_limits<std::int64_t>;
    if (std::isnan(score)) return nan == NotANumber::first ? Limits::max() : Limits::min();
    const auto bits = std::bit_cast<std::int64_t>(score + 0.0);
    return bits ^ static_cast<std::int64_t>(static_cast<std::uint64_t>(bits >> 63) >> 1);
}

template <class Ids>
class QueryWork {
 public:
    void examine(const Matched& matched, std::size_t q, const RankingColumns<Ids>& columns,
                 const RankingPolicies& policies, Faults& faults) {
        hits_.clear();
        list_.clear();
        keys_.clear();
        odd_ = Odd{};
        read_judged(matched.truth, matched.query_group[q], columns, policies, faults);
        if (matched.run_group[q] >= 0) {
            read_list(matched.run, static_cast<std::size_t>(matched.run_group[q]), columns, policies, faults);
            find_hits(columns);
            locator_.locate(keys_, hits_, [&](Place place) { return columns.run_items[list_[place]]; });
        }
        grades_.clear();
        for (const std::size_t row : judged_) grades_.push_back(columns.grades[row]);
        std::sort(grades_.begin(), grades_.end(), std::greater<>());
    }

    [[nodiscard]] const std::vector<Hit>& hits() const { return hits_; }
    [[nodiscard]] const std::vector<double>& judged() const { return grades_; }
    [[nodiscard]] std::size_t returned() const { return list_.size(); }
    [[nodiscard]] const Odd& odd() const { return odd_; }

 private:
    using Place = std::uint32_t;
    static constexpr std::size_t longest = std::numeric_limits<std::int32_t>::max();

    void read_judged(const Groups& groups, std::size_t group, const RankingColumns<Ids>& columns,
                     const RankingPolicies& policies, Faults& faults) {
        judged_.clear();
        for (std::size_t i = 0; i < groups.rows_of(group); ++i) judged_.push_back(groups.row(group, i));
        const auto better = [&](Place a, Place b) { return columns.grades[judged_[a]] > columns.grades[judged_[b]]; };
        remove_duplicates(columns.truth_items, judged_, policies.duplicates, better, odd_.truth_repeats,
                          faults.truth_duplicate);
    }

    // Leaves the list's ids in table_.
    void read_list(const Groups& groups, std::size_t group, const RankingColumns<Ids>& columns,
                   const RankingPolicies& policies, Faults& faults) {
        if (groups.rows_of(group) > longest) {
            if (!faults.long_query) faults.long_query = groups.row(group, 0);
            table_.reset(0);
            return;
        }
        for (std::size_t i = 0; i < groups.rows_of(group); ++i) {
            const std::size_t row = groups.row(group, i);
            const bool nan = std::isnan(columns.scores[row]);
            if (nan) note_nan(row, faults);
            if (nan && policies.nan == NotANumber::drop) continue;
            list_.push_back(row);
            keys_.push_back(order_key(columns.scores[row], policies.nan));
        }
        const auto better = [&](Place a, Place b) { return keys_[a] > keys_[b]; };
        if (!remove_duplicates(columns.run_items, list_, policies.duplicates, better, odd_.run_repeats,
                               faults.run_duplicate)) {
            return;
        }
        keys_.clear();
        table_.reset(list_.size());
        for (Place place = 0; place < list_.size(); ++place) {
            keys_.push_back(order_key(columns.scores[list_[place]], policies.nan));
            table_.insert(hash_of(columns.run_items[list_[place]]), place, [](Place) { return false; });
        }
    }

    void note_nan(std::size_t row, Faults& faults) {
        ++odd_.nan_rows;
        if (!faults.nan_row || row < *faults.nan_row) faults.nan_row = row;
    }

    // Fills table_ with the rows' ids and leaves one row an id, in given order. True if rows were removed.
    template <class Better>
    bool remove_duplicates(const Ids& items, std::vector<std::size_t>& rows, Duplicates policy, const Better& better,
                           std::int64_t& count, std::optional<RowPair>& fault) {
        table_.reset(rows.size());
        bool any = false;
        for (Place i = 0; i < rows.size(); ++i) {
            const auto id = items[rows[i]];
            const Place seen = table_.insert(hash_of(id), i, [&](Place at) { return items[rows[at]] == id; });
            if (seen == PositionTable::none) continue;
            if (!any) start_removing(rows.size());
            any = true;
            ++count;
            if (!fault || rows[i] < fault->second) fault = RowPair{rows[seen], rows[i]};
            Place& held = held_[seen];
            const bool replace = policy == Duplicates::last || (policy == Duplicates::best && better(i, held));
            removed_[replace ? held : i] = 1;
            if (replace) held = i;
        }
        if (any) drop_removed(rows);
        return any;
    }

    void start_removing(std::size_t rows) {
        removed_.assign(rows, 0);
        held_.resize(rows);
        std::iota(held_.begin(), held_.end(), Place{0});
    }

    void drop_removed(std::vector<std::size_t>& rows) const {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (!removed_[i]) rows[kept++] = rows[i];
        }
        rows.resize(kept);
    }

    void find_hits(const RankingColumns<Ids>& columns) {
        for (const std::size_t row : judged_) {
            const auto id = columns.truth_items[row];
            const Place at = table_.find(hash_of(id), [&](Place i) { return columns.run_items[list_[i]] == id; });
            if (at == PositionTable::none) continue;
            hits_.push_back({.place = at, .key = keys_[at], .grade = columns.grades[row]});
        }
    }

    PositionTable table_;
    Locator locator_;
    std::vector<std::size_t> judged_, list_;  // rows of the truth and of the run
    std::vector<std::int64_t> keys_;          // scores of the list
    std::vector<Hit> hits_;
    Odd odd_;
    std::vector<double> grades_;
    std::vector<Place> held_;  // by the first place of an id: the place that stays
    std::vector<std::uint8_t> removed_;
};

}  // namespace pingce
