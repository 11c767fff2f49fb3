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
        if (matched.run.of[q] >= 0) {
            if (start_list(matched.run, q, columns, faults)) {
                if (columns.excluded_items != nullptr) leave_out(matched.excluded, q, columns);
                finish_list(columns, policies, faults);
            }
            find_hits(columns);
            locator_.locate(keys_, hits_, [&](Place place) { return columns.run_items[list_[place].row]; });
        }
        grades_.clear();
        for (const Entry& entry : judged_) grades_.push_back(entry.value);
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
        groups.read(group, columns.read.truth, judged_);
        const auto better = [&](Place a, Place b) { return judged_[a].value > judged_[b].value; };
        remove_duplicates(judged_, columns.truth_items, policies.duplicates, better, odd_.truth_repeats,
                          faults.truth_duplicate);
    }

    // Reads the list as it was given; false if it is too long to be ranked.
    bool start_list(const Answers& run, std::size_t q, const RankingColumns<Ids>& columns, Faults& faults) {
        const auto group = static_cast<std::size_t>(run.of[q]);
        table_.reset(0);
        if (run.groups.rows_of(group) > longest) {
            if (!faults.long_query) faults.long_query = run.groups.row(group, 0);
            return false;
        }
        run.groups.read(group, columns.read.run, list_);
        return true;
    }

    // Takes the items out of the list that are excluded for this query.
    void leave_out(const Answers& excluded, std::size_t q, const RankingColumns<Ids>& columns) {
        if (excluded.of[q] < 0) return;
        excluded.groups.read(static_cast<std::size_t>(excluded.of[q]), columns.read.excluded, seen_);
        const Ids& items = *columns.excluded_items;
        table_.reset(seen_.size());
        for (Place i = 0; i < seen_.size(); ++i) {
            const auto holds = [&](Place at) { return same(items[seen_[at].row], items[seen_[i].row]); };
            table_.insert(seen_[i].wide_hash(), i, holds);
        }
        const auto is_excluded = [&](const Entry& entry) {
            const auto holds = [&](Place at) { return same(items[seen_[at].row], columns.run_items[entry.row]); };
            return table_.find(entry.wide_hash(), holds) != PositionTable::none;
        };
        odd_.excluded = static_cast<std::int64_t>(std::erase_if(list_, is_excluded));
    }

    // Leaves the list's ids in table_.
    void finish_list(const RankingColumns<Ids>& columns, const RankingPolicies& policies, Faults& faults) {
        read_keys(policies.nan, faults);
        const auto better = [&](Place a, Place b) { return keys_[a] > keys_[b]; };
        if (!remove_duplicates(list_, columns.run_items, policies.duplicates, better, odd_.run_repeats,
                               faults.run_duplicate))
            return;
        for (Place place = 0; place < list_.size(); ++place) keys_[place] = order_key(list_[place].value, policies.nan);
        keys_.resize(list_.size());
        table_.reset(list_.size());
        for (Place place = 0; place < list_.size(); ++place) {
            table_.insert(list_[place].wide_hash(), place, [](Place) { return false; });
        }
    }

    void read_keys(NotANumber nan, Faults& faults) {
        keys_.resize(list_.size());
        std::size_t kept = 0;
        for (std::size_t i = 0; i < list_.size(); ++i) {
            const Entry& entry = list_[i];
            if (std::isnan(entry.value)) {
                note_nan(entry.row, faults);
                if (nan == NotANumber::drop) continue;
            }
            keys_[kept] = order_key(entry.value, nan);
            if (kept != i) list_[kept] = entry;
            ++kept;
        }
        list_.resize(kept);
        keys_.resize(kept);
    }

    void note_nan(std::size_t row, Faults& faults) {
        ++odd_.nan_rows;
        if (!faults.nan_row || row < *faults.nan_row) faults.nan_row = row;
    }

    // Fills table_ with the ids and leaves one row an id, in given order. True if rows were removed.
    template <class Better>
    bool remove_duplicates(std::vector<Entry>& entries, const Ids& ids, Duplicates policy, const Better& better,
                           std::int64_t& count, std::optional<RowPair>& fault) {
        table_.reset(entries.size());
        bool any = false;
        for (Place i = 0; i < entries.size(); ++i) {
            const auto holds = [&](Place at) { return same(ids[entries[at].row], ids[entries[i].row]); };
            const Place seen = table_.insert(entries[i].wide_hash(), i, holds);
            if (seen == PositionTable::none) continue;
            if (!any) start_removing(entries.size());
            any = true;
            ++count;
            if (!fault || entries[i].row < fault->second) fault = RowPair{entries[seen].row, entries[i].row};
            Place& held = held_[seen];
            const bool replace = policy == Duplicates::last || (policy == Duplicates::best && better(i, held));
            removed_[replace ? held : i] = 1;
            if (replace) held = i;
        }
        if (any) drop_removed(entries);
        return any;
    }

    void start_removing(std::size_t rows) {
        removed_.assign(rows, 0);
        held_.resize(rows);
        std::iota(held_.begin(), held_.end(), Place{0});
    }

    void drop_removed(std::vector<Entry>& entries) const {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (!removed_[i]) entries[kept++] = entries[i];
        }
        entries.resize(kept);
    }

    void find_hits(const RankingColumns<Ids>& columns) {
        for (const Entry& entry : judged_) {
            const auto holds = [&](Place place) {
                return same(columns.run_items[list_[place].row], columns.truth_items[entry.row]);
            };
            const Place at = table_.find(entry.wide_hash(), holds);
            if (at == PositionTable::none) continue;
            hits_.push_back({.place = at, .key = keys_[at], .grade = entry.value});
        }
    }

    PositionTable table_;
    Locator locator_;
    std::vector<Entry> judged_, list_, seen_;  // of the truth, the run and the excluded pairs
    std::vector<std::int64_t> keys_;           // scores of the list
    std::vector<Hit> hits_;
    Odd odd_;
    std::vector<double> grades_;
    std::vector<Place> held_;  // by the first place of an id: the place that stays
    std::vector<std::uint8_t> removed_;
};

}  // namespace pingce
